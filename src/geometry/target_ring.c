// target_ring.c - from corner to the best neighbour of a hull, four neighbours at a time. As in target_fours.c there is
// no branch for a better one: all reaches, their maximum, then a bit for each that has it.
#include "geometry/ring.h"

#include "geometry/vec3.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

void tx_ring_fill(const tx_convex *s, double *ring) {
    for (int i = 0; i < s->point_count; i++) {
        const int begin = s->first[i], count = tx_convex_edges_end(s, i) - begin;
        double *to = ring + 12 * (size_t)tx_ring_begin(s, i);
        for (int k = 0; count > 0 && k < (count + 3) / 4 * 4; k++) {
            const double *p = tx_convex_corner(s, s->neighbour[begin + (k < count ? k : count - 1)]);
            for (int axis = 0; axis < 3; axis++) to[12 * (k / 4) + 4 * axis + k % 4] = p[axis];
        }
    }
}

// the best neighbour in a plain loop; -1: none is farther
static int best_plain(const double *four, int count, const double dir[3], double *most) {
    int best = -1;
    for (int k = 0; k < count; k++) {
        const double *p = four + 12 * (k / 4) + k % 4, reach = p[0] * dir[0] + p[4] * dir[1] + p[8] * dir[2];
        if (reach > *most) *most = reach, best = k;
    }
    return best;
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2")))
enum { GROUPS = 16 }; // as many as there are bits for

// as v3_dot() has it, no fused operations
AVX2 static inline __m256d reach_of(const double *four, const __m256d dir[3]) {
    __m256d x = _mm256_mul_pd(_mm256_loadu_pd(four), dir[0]), y = _mm256_mul_pd(_mm256_loadu_pd(four + 4), dir[1]);
    return _mm256_add_pd(_mm256_add_pd(x, y), _mm256_mul_pd(_mm256_loadu_pd(four + 8), dir[2]));
}

// the first of the farthest in so many groups; -1: none is farther than `most`
AVX2 static inline int best_of(const double *four, int groups, const __m256d dir[3], double *most) {
    __m256d reach[GROUPS], far = reach[0] = reach_of(four, dir);
    for (int i = 1; i < groups; i++) {
        reach[i] = reach_of(four + 12 * i, dir);
        far = _mm256_max_pd(far, reach[i]);
    }
    far = _mm256_max_pd(far, _mm256_permute2f128_pd(far, far, 1));
    far = _mm256_max_pd(far, _mm256_permute_pd(far, 5));
    const double farthest = _mm256_cvtsd_f64(far);
    if (!(farthest > *most)) return -1;
    *most = farthest;
    unsigned long long owners = 0;
    for (int i = 0; i < groups; i++)
        owners |= (unsigned long long)_mm256_movemask_pd(_mm256_cmp_pd(reach[i], far, _CMP_EQ_OQ)) << 4 * i;
    return owners ? __builtin_ctzll(owners) : -1;
}

AVX2 static int climb_avx2(const tx_convex *s, const double dir[3], int from, double most) {
    const __m256d along[3] = {_mm256_set1_pd(dir[0]), _mm256_set1_pd(dir[1]), _mm256_set1_pd(dir[2])};
    for (int here = -1; here != from;) {
        here = from;
        const int begin = s->first[here], groups = (tx_convex_edges_end(s, here) - begin + 3) / 4;
        const double *four = s->ring + 12 * (size_t)tx_ring_begin(s, here);
        for (int i = 0; i < groups; i += GROUPS) {
            const int best = best_of(four + 12 * i, groups - i < GROUPS ? groups - i : GROUPS, along, &most);
            if (best >= 0) from = s->neighbour[begin + 4 * i + best];
        }
    }
    return from;
}
#endif

int tx_ring_climb_plain(const tx_convex *s, const double dir[3], int from, double most) {
    for (int here = -1; here != from;) {
        here = from;
        const int begin = s->first[here], count = tx_convex_edges_end(s, here) - begin;
        const int best = best_plain(s->ring + 12 * (size_t)tx_ring_begin(s, here), count, dir, &most);
        if (best >= 0) from = s->neighbour[begin + best];
    }
    return from;
}

int tx_ring_climb(const tx_convex *s, const double dir[3], int from, double most) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return climb_avx2(s, dir, from, most);
#endif
    return tx_ring_climb_plain(s, dir, from, most);
}
