// target_planes.c - planes of EPA's polytope in the instructions of the machine: the plainest ones, and which to take.
#define TX_LANES 2
#include "collide/planes.h"
#include "lane/vec.h"

#if defined(__x86_64__)
#define PLANES_SQRT(x) ((real)__builtin_ia32_sqrtpd(x))
#else
#define PLANES_SQRT(x) vsqrt(x)
#endif
#define PLANES_JOIN(at, k) ((real){at[0][k], at[1][k]})
#define SET_PLANES         set_planes
#include "collide/planes.inl"

void tx_planes_set_plain(const double (*w)[3], tx_face *faces, double *dist, const short *which, int count) {
    set_planes(w, faces, dist, which, count);
}

void tx_planes_set(const double (*w)[3], tx_face *faces, double *dist, const short *which, int count) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        tx_planes_set_avx2(w, faces, dist, which, count);
        return;
    }
#endif
    tx_planes_set_plain(w, faces, dist, which, count);
}
