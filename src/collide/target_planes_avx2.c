// target_planes_avx2.c - planes of EPA's polytope, four in a register.
#include "collide/planes.h"

#if defined(__x86_64__)
// all of this file, lane text included: a vector has one way to be handed on
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#define TX_LANES 4
#include "lane/vec.h"

#define PLANES_SQRT(x)     ((real)__builtin_ia32_sqrtpd256(x))
#define PLANES_JOIN(at, k) ((real){at[0][k], at[1][k], at[2][k], at[3][k]})
#define SET_PLANES         set_planes
#include "collide/planes.inl"

void tx_planes_set_avx2(const double (*w)[3], tx_face *faces, double *dist, const short *which, int count) {
    set_planes(w, faces, dist, which, count);
}
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
