// mass.h - volume, inertia and principal axes of shapes.
#pragma once
#include "thixis/builder.h"

/// Volume [m3]; 0 for planes and shapes without one.
double tx_shape_volume(int type, const double size[3]);
/// Principal moments [kg m2] of a homogeneous shape of that mass about its centre, along its own axes.
void tx_shape_inertia(int type, const double size[3], double mass, double moments[3]);
/// Surface [m2] and principal moments of a shape whose mass lies evenly on its surface; MuJoCo's formulas, which are
/// approximate for ellipsoids (Thomsen's surface; the moments of a layer of 1 um).
double tx_shape_area(int type, const double size[3]);
void tx_shell_inertia(int type, const double size[3], double mass, double moments[3]);
/// Radius of the bounding sphere [m]; 0 for shapes without one.
double tx_shape_radius(int type, const double size[3]);

/// A symmetric tensor xx yy zz xy xz yz as principal moments (largest first) and the rotation of their axes. Entries
/// and differences below `noise` times the largest entry count as zero (0: those that rounding makes): MuJoCo 4.0's
/// rule, 1e-7 for meshes.
void tx_principal_axes(const double tensor[6], double noise, double moments[3], double quat[4]);
/// adds Q diag(moments) Qᵀ and the parallel-axis term of `mass` at `offset`
void tx_add_inertia(double tensor[6], const double moments[3], const double quat[4], double mass,
                    const double offset[3]);
