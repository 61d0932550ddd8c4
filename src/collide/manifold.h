// manifold.h - several points of contact of two convex shapes.
#pragma once
#include "collide/convex.h"

#define TX_MANIFOLD_POINTS 5
