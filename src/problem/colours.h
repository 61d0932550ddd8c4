// colours.h - contacts between free bodies, put side by side for sweeps: pairs of bodies that share none have one
// colour, and four pairs of a colour make a pack whose points are visited at once. docs/solvers.md.
#pragma once
#include "problem/dual.h"
#include "problem/islands.h"

/// Finds the packs of every island: a function of the constraints of the present step, in their order. The spans of
/// `d` are known. Islands that are a large part of the problem, with nothing but such contacts, are cut into so many
/// parts, each with packs of its own; those of one part get their turns. parts 0: sweeps are not blind, and there are
/// no turns. @return false when room is lacking: grow and call again
bool tx_colours_find(tx_dual *d, const tx_problem *p, const tx_islands *islands, int parts);
