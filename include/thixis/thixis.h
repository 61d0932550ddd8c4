// thixis.h - the whole public interface.
#ifndef THIXIS_H
#define THIXIS_H

#include "thixis/base.h"      // result codes, diagnostics
#include "thixis/builder.h"   // a model described in code
#include "thixis/load.h"      // models from files, and back
#include "thixis/model.h"     // a compiled model
#include "thixis/plot.h"      // diagrams
#include "thixis/query.h"     // rays, distances, overlaps
#include "thixis/render.h"    // pictures
#include "thixis/sim.h"       // simulations
#include "thixis/sim_scene.h" // pictures of simulations

#endif
