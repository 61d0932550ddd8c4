// target_fours.c - the farthest of a few corners. A search with a branch for each better corner waits mostly for
// branches guessed wrongly; with AVX2 it has none: all reaches, their maximum, then a bit for every corner that has it.
#include "geometry/fours.h"

#include "geometry/vec3.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// where corner i begins; its numbers are four apart
static int place(int i) { return 12 * (i / 4) + i % 4; }

void tx_fours_fill(const double *points, const int *vertex, int count, double *fours) {
    for (int i = 0; i < 4 * tx_fours_count(count); i++) {
        int corner = i < count ? i : count - 1;
        const double *p = points + 3 * (vertex ? vertex[corner] : corner);
        for (int k = 0; k < 3; k++) fours[place(i) + 4 * k] = p[k];
    }
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2")))

// as v3_dot() has it, no fused operations
AVX2 static inline __m256d reach_of(const double *four, const __m256d dir[3]) {
    __m256d x = _mm256_mul_pd(_mm256_loadu_pd(four), dir[0]), y = _mm256_mul_pd(_mm256_loadu_pd(four + 4), dir[1]);
    return _mm256_add_pd(_mm256_add_pd(x, y), _mm256_mul_pd(_mm256_loadu_pd(four + 8), dir[2]));
}

AVX2 static int farthest_avx2(const double *fours, int count, const double dir[3]) {
    __m256d reach[TX_FOURS_CORNERS / 4];
    const __m256d along[3] = {_mm256_set1_pd(dir[0]), _mm256_set1_pd(dir[1]), _mm256_set1_pd(dir[2])};
    const int groups = tx_fours_count(count);
    __m256d most = reach[0] = reach_of(fours, along);
    for (int i = 1; i < groups; i++) {
        reach[i] = reach_of(fours + 12 * i, along);
        most = _mm256_max_pd(most, reach[i]);
    }
    most = _mm256_max_pd(most, _mm256_permute2f128_pd(most, most, 1));
    most = _mm256_max_pd(most, _mm256_permute_pd(most, 5));
    unsigned long long owners = 0;
    for (int i = 0; i < groups; i++)
        owners |= (unsigned long long)_mm256_movemask_pd(_mm256_cmp_pd(reach[i], most, _CMP_EQ_OQ)) << 4 * i;
    return owners ? __builtin_ctzll(owners) : 0;
}

AVX2 static uint64_t below_avx2(const double *fours, int count, const double normal[3], double height, double margin) {
    const __m256d along[3] = {_mm256_set1_pd(normal[0]), _mm256_set1_pd(normal[1]), _mm256_set1_pd(normal[2])};
    const __m256d from = _mm256_set1_pd(height), to = _mm256_set1_pd(margin);
    uint64_t below = 0;
    for (int i = 0; i < tx_fours_count(count); i++) {
        const __m256d dist = _mm256_add_pd(from, reach_of(fours + 12 * i, along));
        below |= (uint64_t)_mm256_movemask_pd(_mm256_cmp_pd(dist, to, _CMP_LT_OQ)) << 4 * i;
    }
    // the last corner fills the last group
    return count < 64 ? below & (((uint64_t)1 << count) - 1) : below;
}
#endif

uint64_t tx_fours_below_plain(const double *fours, int count, const double normal[3], double height, double margin) {
    uint64_t below = 0;
    for (int i = 0; i < count; i++) {
        const double *p = fours + place(i);
        const double reach = p[0] * normal[0] + p[4] * normal[1] + p[8] * normal[2];
        below |= (uint64_t)(height + reach < margin) << i;
    }
    return below;
}

uint64_t tx_fours_below(const double *fours, int count, const double normal[3], double height, double margin) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return below_avx2(fours, count, normal, height, margin);
#endif
    return tx_fours_below_plain(fours, count, normal, height, margin);
}

int tx_fours_farthest_plain(const double *fours, int count, const double dir[3]) {
    int best = 0;
    double most = -INFINITY;
    for (int i = 0; i < count; i++) {
        const double *p = fours + place(i);
        double reach = p[0] * dir[0] + p[4] * dir[1] + p[8] * dir[2];
        if (reach > most) most = reach, best = i;
    }
    return best;
}

int tx_fours_farthest(const double *fours, int count, const double dir[3]) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return farthest_avx2(fours, count, dir);
#endif
    return tx_fours_farthest_plain(fours, count, dir);
}
