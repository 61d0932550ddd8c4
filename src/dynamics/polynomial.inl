// polynomial.inl - springs and dampers whose force is a polynomial: f(x) = a x + b x² + c x³; dampers take |x| for one
// of the two in the square, so that they always resist. docs/actuators.md. lanes: any
#pragma once
#include "lane/lane.h"

// f(x) / x; more: b and c. Of a damper: x is the speed without its sign
FN real poly_factor(real a, const real *more, real x) { return a + x * (more[0] + x * more[1]); }
// f'(x)
FN real poly_slope(real a, const real *more, real x) { return a + x * (R(2) * more[0] + x * (R(3) * more[1])); }
// what the square and the cube add to the energy of a spring
FN real poly_energy(const real *more, real x) { return x * x * x * (more[0] / R(3) + x * (R(0.25) * more[1])); }
FN mask poly_bends(const real *more) { return (more[0] != R(0)) | (more[1] != R(0)); }
