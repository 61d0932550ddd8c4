// pair_convex.c - any two convex shapes: signed distance by GJK and EPA or by MPR, then the manifold.
#include "collide/pair_convex.h"

#include "collide/manifold.h"
#include "collide/mpr.h"
#include "collide/pair_input.h"

// Whether b comes before a: an order of the two shapes that does not depend on which is called first, so that
// exchanging them mirrors the contacts to the last bit
static bool in_reverse(const tx_shape *a, const tx_shape *b) {
    if (a->type != b->type) return a->type > b->type;
    const double *numbers[3][2] = {{a->pos, b->pos}, {a->size, b->size}, {a->mat, b->mat}};
    const int counts[3] = {3, 3, 9};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < counts[k]; i++)
            if (numbers[k][0][i] != numbers[k][1][i]) return numbers[k][0][i] > numbers[k][1][i];
    }
    return false;
}

// MPR knows only shapes that overlap, and its way out may be a long one where they overlap deeply
static bool by_mpr(const tx_convex *a, const tx_convex *b, double margin, double overlap_ratio, tx_convex_result *out) {
    if (!tx_mpr_overlap(a, b, out)) return margin > 0 && tx_convex_distance(a, b, margin, out);
    double deep = overlap_ratio * fmin(tx_convex_radius(a), tx_convex_radius(b));
    return -out->dist <= deep || tx_convex_distance(a, b, margin, out);
}

// rounding of the kept axis, of its length, and of sizes and places
#define AXIS_ROUNDING 1e-6
#define SLACK         1e-9

static double sum_of(const double v[3]) { return fabs(v[0]) + fabs(v[1]) + fabs(v[2]); }

// Whether what separated a from b last, in the frame of a, still does for certain: any axis along which they are apart
// is proof enough, so whatever was kept, the points are those of a search
static bool apart_along(const float *axis, const tx_convex *a, const tx_convex *b, double margin) {
    double n[3] = {axis[0], axis[1], axis[2]}, on_a[3], on_b[3], world[3], back[3], way[3];
    if (!(v3_dot(n, n) > 0.5)) return false;
    tx_core_support(a, n, on_a);
    m3_mul(world, a->mat, n);
    m3_mul_transposed(back, b->mat, world);
    v3_scale(back, back, -1);
    tx_core_support(b, back, on_b);
    v3_sub(way, b->pos, a->pos);
    const double gap = v3_dot(world, way) - v3_dot(n, on_a) - v3_dot(back, on_b);
    const double reach = (1 + AXIS_ROUNDING) * (fmax(margin, 0) + a->radius + b->radius);
    return gap > reach + SLACK * (sum_of(a->pos) + sum_of(b->pos) + sum_of(on_a) + sum_of(on_b));
}

static void keep_axis(float *axis, const tx_convex *a, const tx_convex_result *r, bool reverse) {
    double n[3] = {0};
    if (r->beyond) m3_mul_transposed(n, a->mat, r->normal);
    for (int k = 0; k < 3; k++) axis[k] = (float)(reverse ? -n[k] : n[k]);
}

int tx_pair_convex_hits(const tx_shape *a, const tx_shape *b, double margin, const tx_narrow *how, tx_hit *hits) {
    bool reverse = in_reverse(a, b);
    tx_convex first, second;
    tx_convex_result result;
    if (!isfinite(margin) || !tx_convex_from_shape(&first, reverse ? b : a)) return 0;
    if (!tx_convex_from_shape(&second, reverse ? a : b)) return 0;
    const tx_convex *of_a = reverse ? &second : &first, *of_b = reverse ? &first : &second;
    if (how->axis && apart_along(how->axis, of_a, of_b, margin)) return 0;
    bool found = how->method == TX_NARROWPHASE_MPR
                     ? by_mpr(&first, &second, margin, how->mpr_to_gjk_overlap_ratio, &result)
                     : tx_convex_distance(&first, &second, margin, &result);
    if (how->axis && found) keep_axis(how->axis, of_a, &result, reverse);
    int count = found ? tx_manifold(&first, &second, &result, margin, how, hits) : 0;
    for (int i = 0; reverse && i < count; i++) {
        v3_scale(hits[i].normal, hits[i].normal, -1);
        hits[i].feature = tx_feature_mirrored(hits[i].feature);
    }
    return count;
}

int tx_pair_convex(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    tx_narrow how = tx_default_narrow();
    return tx_pair_convex_hits(a, b, margin, &how, hits);
}
