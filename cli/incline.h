// incline.h - thixis demo incline: how fast a cube creeps down an incline under every law.
#pragma once
#include "thixis/model.h"

/// Runs the cube of scenes/incline.xml under every law there is, prints its slip beside MuJoCo's figures and closed
/// forms, and draws distance over time. @return the exit code
int incline_demo(const tx_model *model, const char *svg);
