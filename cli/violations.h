// violations.h - how far contacts are from rigid contact, in reports.
#pragma once
#include <jansson.h>
#include <stdio.h>

#include "thixis/sim.h"

/// The worst of all environments; contacts and energies are added up.
tx_violations violations_worst(const tx_sim *sim);
json_t *violations_json(const tx_sim *sim);

/// A CSV file with its first line. @return null after a message
FILE *violations_open(const char *path);
/// One line an environment, of the step just done: the step-th. @return false after a message
bool violations_write(FILE *file, const tx_sim *sim, int step);
