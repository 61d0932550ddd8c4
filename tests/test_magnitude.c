// test_magnitude.c - every pair of the table with numbers of any magnitude: no hits or sound ones, and the same shapes
// larger, smaller or far away have the same hits.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "collide/pairs.h"
#include "collide/ray.h"
#include "geometry/fours.h"
#include "geometry/vec3.h"
#include "hull_asset.h"
#include "random.h"

// ---- shapes ---------------------------------------------------------------------------------------------------------

enum { SIDE = 5, CORNERS = 8, CELLS = 8000 };

static const int FACES[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

// a thing of about one metre times its scale; a mesh is a box with a bevelled corner, as its hull and as a field
typedef struct thing {
    double size[3], pos[3], mat[9];
    double vertex[3 * CORNERS], fours[3 * CORNERS], field_size[4], heights[SIDE * SIDE], distance[CELLS];
    tx_asset asset;
    tx_facets facets;
    double levels[TX_FACET_PLANES];
    tx_shape shape;
} thing;

static hull_asset hull;
static tx_sdf sdf;
static double corner[3 * CORNERS];

static int make_assets(void **state) {
    for (int i = 0; i < 3 * CORNERS; i++) corner[i] = (i / 3 >> i % 3 & 1 ? 0.5 : -0.5) * (i / 3 == 7 ? 0.8 : 1);
    if (!hull_asset_build(&hull, corner, CORNERS)) return 1;
    if (!tx_sdf_bake(&sdf, corner, CORNERS, &FACES[0][0], 12, 0.1)) return 1;
    return sdf.n[0] * sdf.n[1] * sdf.n[2] > CELLS;
}

static int free_assets(void **state) {
    hull_asset_free(&hull);
    tx_free((void *)sdf.value);
    return 0;
}

static void make_asset(thing *t, double scale) {
    t->asset = hull.asset;
    t->asset.vertex = t->vertex, t->asset.vertex_count = CORNERS;
    t->asset.face = hull.hull.face, t->asset.face_count = hull.hull.face_count;
    t->asset.surface = &FACES[0][0], t->asset.surface_count = 12;
    for (int i = 0; i < 3 * CORNERS; i++) t->vertex[i] = scale * corner[i];
    tx_fours_fill(t->vertex, hull.hull.vertex, hull.hull.vertex_count, t->fours);
    t->asset.fours = t->fours;
    // planes look the same way and are farther out
    t->facets = *hull.facets;
    t->facets.plane[3] = t->levels, t->asset.facets = &t->facets;
    for (int i = 0; i < t->facets.planes; i++) t->levels[i] = scale * hull.facets->plane[3][i];
    t->asset.sdf = sdf;
    t->asset.sdf.value = t->distance, t->asset.sdf.cell *= scale;
    v3_scale(t->asset.sdf.low, sdf.low, scale);
    for (int i = 0; i < sdf.n[0] * sdf.n[1] * sdf.n[2]; i++) t->distance[i] = scale * sdf.value[i];
    for (int i = 0; i < SIDE * SIDE; i++) t->heights[i] = (i * 7 % 5) / 4.0;
    for (int k = 0; k < 4; k++) t->field_size[k] = scale * (k < 2 ? 1 : 0.25);
    t->asset.heights = (tx_heights){SIDE, SIDE, t->field_size, t->heights};
}

static bool has_asset(int type) { return type == TX_GEOM_HFIELD || type == TX_GEOM_MESH || type == TX_GEOM_SDF; }

// sizes are those of the mesh where it has one
static void make_thing(thing *t, int type, const double size[3], double scale) {
    bool mesh = type == TX_GEOM_MESH || type == TX_GEOM_SDF;
    v3_scale(t->size, mesh ? hull.size : size, scale);
    if (has_asset(type)) make_asset(t, scale);
    t->shape = (tx_shape){type, t->size, t->pos, t->mat, has_asset(type) ? &t->asset : NULL};
}

static uint64_t seed = 1;
static double uniform(double low, double high) { return random_between(&seed, low, high); }

static void place(thing *t, double reach) {
    for (int k = 0; k < 3; k++) t->pos[k] = reach * uniform(-1, 1);
    random_turn(&seed, t->mat);
}

static int collide(const thing t[2], double margin, tx_hit *hits) {
    return tx_pair_function(t[0].shape.type, t[1].shape.type)(&t[0].shape, &t[1].shape, margin, hits);
}

// the least distance, or the margin when nothing is nearer
static double least(const thing t[2], double margin) {
    tx_hit hits[TX_MAX_HITS];
    double dist = margin;
    for (int i = collide(t, margin, hits) - 1; i >= 0; i--) dist = fmin(dist, hits[i].dist);
    return dist;
}

// calls visit for every pair of the table
static void for_pairs(void (*visit)(int type1, int type2)) {
    for (int t1 = 0; t1 < TX_GEOM_COUNT; t1++)
        for (int t2 = t1; t2 < TX_GEOM_COUNT; t2++)
            if (tx_pair_function(t1, t2)) visit(t1, t2);
}

// ---- any numbers ----------------------------------------------------------------------------------------------------

static double magnitude(void) {
    static const double ALL[] = {0,    5e-324, 1e-300, 1e-160, 1e-76, 1e-30, 1e-12, 1e-6,  1,     1e6,
                                 1e12, 1e29,   1e31,   1e50,   1e77,  1e110, 1e154, 1e200, 1e300, DBL_MAX};
    return ALL[(int)uniform(0, sizeof ALL / sizeof *ALL)];
}

// all of one magnitude, or each number of its own
static void any_thing(thing *t, int type, double scale) {
    double size[3];
    bool mixed = uniform(0, 1) < 0.2;
    for (int k = 0; k < 3; k++) size[k] = uniform(0.1, 1) * (mixed ? magnitude() : 1);
    make_thing(t, type, size, scale);
    place(t, scale);
    for (int k = 0; k < 3 && uniform(0, 1) < 0.5; k++) t->pos[k] = uniform(-1, 1) * magnitude();
    if (uniform(0, 1) < 0.2) memcpy(t->mat, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof t->mat);
}

static bool within_reach(const thing *t) {
    static const int USED[TX_GEOM_COUNT] = {
        [TX_GEOM_SPHERE] = 1, [TX_GEOM_CAPSULE] = 2, [TX_GEOM_ELLIPSOID] = 3, [TX_GEOM_CYLINDER] = 2,
        [TX_GEOM_BOX] = 3,    [TX_GEOM_MESH] = 3,    [TX_GEOM_SDF] = 3};
    bool field = t->shape.type == TX_GEOM_HFIELD;
    return v_below(t->pos, 3, TX_LONGEST) && v_below(t->size, USED[t->shape.type], TX_LONGEST) &&
           (!field || v_below(t->field_size, 4, TX_LONGEST));
}

static void check_any(int type1, int type2) {
    static thing t[2];
    int touching = 0;
    for (int n = 0; n < 5000; n++) {
        double scale = magnitude(), margin = n % 2 ? 0 : n % 4 ? scale : magnitude();
        any_thing(&t[0], type1, scale);
        any_thing(&t[1], type2, uniform(0, 1) < 0.7 ? scale : magnitude());
        tx_narrow how = tx_default_narrow();
        how.method = uniform(0, 1) < 0.5 ? TX_NARROWPHASE_MPR : TX_NARROWPHASE_GJK;
        how.contacts = (int)uniform(0, 6);
        tx_hit hits[TX_MAX_HITS];
        int count = tx_pair_hits(&t[0].shape, &t[1].shape, margin, &how, hits);
        assert_in_range(count, 0, within_reach(&t[0]) && within_reach(&t[1]) ? TX_MAX_HITS : 0);
        touching += count > 0;
        for (int i = 0; i < count; i++) {
            bool sound = hits[i].dist < margin && v_finite(&hits[i].dist, 1) && v_finite(hits[i].pos, 3) &&
                         v_finite(hits[i].tangent, 3) && fabs(v3_length(hits[i].normal) - 1) < 1e-12;
            if (!sound)
                fail_msg("%s-%s %d: scale %g, dist %g, pos %g %g %g, normal %g %g %g", tx_shape_name(type1),
                         tx_shape_name(type2), n, scale, hits[i].dist, hits[i].pos[0], hits[i].pos[1], hits[i].pos[2],
                         hits[i].normal[0], hits[i].normal[1], hits[i].normal[2]);
        }
    }
    assert_in_range(touching, 200, 5000);
}

// 0 … DBL_MAX for sizes, positions and margins: no hits beyond TX_LONGEST, and sound ones below
static void any_magnitude_gives_sound_hits(void **state) { for_pairs(check_any); }

// ---- the same hits --------------------------------------------------------------------------------------------------

static void two_things(thing t[2], int type1, int type2) {
    for (int i = 0; i < 2; i++) {
        double size[3] = {uniform(0.1, 1), uniform(0.1, 1), uniform(0.1, 1)};
        make_thing(&t[i], i ? type2 : type1, size, 1);
        place(&t[i], 0.8);
    }
}

static void check_scaled(int type1, int type2) {
    static const int POWERS[] = {-20, 10, 40, 70, 97};
    static thing t[2], scaled[2];
    // with MuJoCo's bounds in m² and m⁴, short capsules count as parallel to what they meet
    bool lengths_decide = type1 == TX_GEOM_CAPSULE && (type2 == TX_GEOM_CAPSULE || type2 == TX_GEOM_BOX);
    for (int n = 0; n < 200; n++) {
        double margin = n % 2 ? 0 : 0.25;
        two_things(t, type1, type2);
        for (int p = lengths_decide; p < 5; p++) {
            double scale = ldexp(1, POWERS[p]);
            for (int i = 0; i < 2; i++) {
                make_thing(&scaled[i], t[i].shape.type, t[i].size, scale);
                v3_scale(scaled[i].pos, t[i].pos, scale);
                memcpy(scaled[i].mat, t[i].mat, sizeof t[i].mat);
            }
            double expected = least(t, margin), dist = least(scaled, scale * margin) / scale;
            if (!(fabs(dist - expected) < 1e-14))
                fail_msg("%s-%s %d: %g, 2^%d times larger %g", tx_shape_name(type1), tx_shape_name(type2), n, expected,
                         POWERS[p], dist);
        }
    }
}

// a power of two changes no digit: only thresholds in metres could
static void scaled_shapes_have_scaled_hits(void **state) { for_pairs(check_scaled); }

static void check_far(int type1, int type2) {
    static thing t[2], far[2];
    // where a point deep in a coarse field leaves it changes by jumps, also with the last digit of ordinary numbers
    if (type1 >= TX_GEOM_ELLIPSOID && type2 == TX_GEOM_SDF) return;
    for (int n = 0; n < 200; n++) {
        double away = pow(10, uniform(0, 29.9)), margin = n % 2 ? 0 : 0.25, offset[3];
        two_things(t, type1, type2);
        v3_sub(offset, t[1].pos, t[0].pos);
        for (int i = 0; i < 2; i++) {
            make_thing(&far[i], t[i].shape.type, t[i].size, 1);
            memcpy(far[i].mat, t[i].mat, sizeof t[i].mat);
        }
        // the offset that is left of it when it is rounded
        for (int k = 0; k < 3; k++) far[0].pos[k] = away * uniform(-1, 1);
        v3_add(far[1].pos, far[0].pos, offset);
        v3_zero(t[0].pos);
        v3_sub(t[1].pos, far[1].pos, far[0].pos);
        double expected = least(t, margin), dist = least(far, margin);
        if (!(fabs(dist - expected) < 1e-14 * (1 + away)))
            fail_msg("%s-%s %d: %g, %g m away %g", tx_shape_name(type1), tx_shape_name(type2), n, expected, away, dist);
    }
}

// far from the origin a distance is known to the rounding of the positions
static void far_shapes_have_the_same_hits(void **state) { for_pairs(check_far); }

// from anywhere towards a shape: a way that is not negative, or none; the search in a field ends also where its steps
// are lost in rounding
static void rays_of_any_length_end(void **state) {
    static thing t;
    for (int n = 0; n < 20000; n++) {
        double scale = magnitude(), origin[3], direction[3], normal[3];
        any_thing(&t, n % TX_GEOM_COUNT, scale);
        v3_copy(origin, t.pos);
        random_direction(&seed, direction);
        v3_along(origin, origin, direction, -magnitude());
        for (int k = 0; k < 3; k++) origin[k] += uniform(-1, 1) * scale;
        if (!v_finite(origin, 3)) continue;
        double way = tx_ray_shape(&t.shape, origin, direction, normal);
        assert_true(way == -1 || way >= 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_magnitude_gives_sound_hits),
        cmocka_unit_test(scaled_shapes_have_scaled_hits),
        cmocka_unit_test(far_shapes_have_the_same_hits),
        cmocka_unit_test(rays_of_any_length_end),
    };
    return cmocka_run_group_tests(tests, make_assets, free_assets);
}
