// test_narrow.c - options of the narrow phase, and the farthest corner of hulls against a search through all.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collide/asset.h"
#include "collide/convex.h"
#include "collide/pairs.h"
#include "collide/rings.h"
#include "geometry/ring.h"
#include "geometry/vec3.h"
#include "random.h"
#include "thixis/thixis.h"

// ---- numbers --------------------------------------------------------------------------------------------------------

static uint64_t seed = 1;
static void random_unit(double v[3]) { random_direction(&seed, v); }
static double uniform(double low, double high) { return random_between(&seed, low, high); }

// ---- dense hulls ----------------------------------------------------------------------------------------------------

enum { MOST = 4000 };
typedef struct cloud {
    int count;
    double point[MOST][3];
} cloud;

static void add(cloud *c, double x, double y, double z) { v3_set(c->point[c->count++], x, y, z); }

static void ball(cloud *c, int count, double x, double y, double z) {
    for (int i = 0; i < count; i++) {
        double at[3];
        random_unit(at);
        add(c, x * at[0], y * at[1], z * at[2]);
    }
}

// two rings: flat faces with hundreds of corners
static void prism(cloud *c, int sides, double radius, double half) {
    for (int i = 0; i < 2 * sides; i++) {
        double angle = 2 * 3.14159265358979323846 * (i / 2) / sides;
        add(c, radius * cos(angle), radius * sin(angle), i % 2 ? half : -half);
    }
}

// a grid on each side of a cube, a little domed: rounding to single precision leaves dents in it
static void cube(cloud *c, int grid, double dome) {
    for (int i = 0; i < 6 * grid * grid; i++) {
        int face = i % 6, row = i / 6 % grid, column = i / 6 / grid;
        double at[3];
        at[face / 2] = face % 2 ? 1 : -1;
        at[(face / 2 + 1) % 3] = -1 + 2.0 * row / (grid - 1);
        at[(face / 2 + 2) % 3] = -1 + 2.0 * column / (grid - 1);
        v3_scale(at, at, 1 + dome * (3 - v3_dot(at, at)));
        add(c, at[0], at[1], at[2]);
    }
}

static void twice(cloud *c) {
    for (int i = 0, count = c->count; i < count; i++) add(c, c->point[i][0], c->point[i][1], c->point[i][2]);
}

static const char *const CLOUDS[] = {"ball",         "fine ball", "needle", "plate",      "prism",
                                     "needle prism", "doubled",   "cube",   "domed cube", "lens"};
enum { CLOUD_COUNT = sizeof CLOUDS / sizeof *CLOUDS };

static void make_cloud(cloud *c, int kind) {
    c->count = 0;
    switch (kind) {
    case 0: ball(c, 200, 1, 1, 1); break;
    case 1: ball(c, 4000, 1, 0.8, 1.2); break;
    case 2: ball(c, 1000, 1, 1e-3, 1e-3); break;
    case 3: ball(c, 1000, 1, 1, 1e-3); break;
    case 4: prism(c, 500, 1, 0.7); break;
    case 5: prism(c, 300, 1e-2, 1); break;
    case 6: ball(c, 500, 1, 1, 0.5), twice(c); break;
    case 7: cube(c, 12, 0), prism(c, 100, 1.2, 0.3); break;
    case 8: cube(c, 16, 1e-6); break;
    case 9: ball(c, 1500, 1, 1, 0.1), prism(c, 200, 1.05, 0.02); break;
    }
}

// a model with the cloud as a mesh, turned and moved: its corners are rounded to single precision where they stand
static tx_model *mesh_model(const cloud *c) {
    tx_builder *b = tx_builder_create();
    tx_mesh_def mesh = tx_default_mesh_def();
    mesh.name = "cloud";
    mesh.vertices = &c->point[0][0], mesh.vertex_count = c->count;
    mesh.refquat[0] = 0.7, mesh.refquat[1] = 0.3, mesh.refquat[2] = -0.5, mesh.refquat[3] = 0.2;
    v3_set(mesh.refpos, 0.1, -0.2, 0.3);
    tx_builder_mesh(b, &mesh);
    tx_geom_def geom = tx_default_geom_def();
    geom.type = TX_GEOM_MESH, geom.mesh = "cloud";
    tx_builder_geom(b, 0, &geom);
    tx_model *m = tx_builder_compile(b, NULL);
    tx_builder_destroy(b);
    assert_non_null(m);
    return m;
}

// across a face of the hull, nearly or exactly, or anywhere
static void choose_direction(const tx_asset *a, double dir[3]) {
    random_unit(dir);
    if (uniform(0, 1) < 0.4) return;
    const int *face = a->face + 3 * (int)uniform(0, a->face_count);
    double e[3], f[3], normal[3];
    v3_sub(e, a->vertex + 3 * a->corner[face[1]], a->vertex + 3 * a->corner[face[0]]);
    v3_sub(f, a->vertex + 3 * a->corner[face[2]], a->vertex + 3 * a->corner[face[0]]);
    v3_cross(normal, e, f);
    if (!(v3_length(normal) > 0)) return;
    v3_normalise(normal);
    v3_along(dir, normal, dir, uniform(0, 1) < 0.3 ? 0 : pow(10, uniform(-12, 0)));
}

// With the table the climb ends as high as the highest of all corners, up to how flat qhull leaves what it merges. From
// the first corner, without the table, it passes more of such faces
static void farthest_corners_are_those_of_a_search(void **state) {
    static cloud c;
    for (int kind = 0; kind < CLOUD_COUNT; kind++) {
        make_cloud(&c, kind);
        tx_model *m = mesh_model(&c);
        tx_asset asset;
        assert_true(tx_asset_of(m, 0, &asset));
        assert_true(asset.corner_count >= TX_CLIMB_FROM && asset.start);
        const double zero[3] = {0}, one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        tx_convex tabled, plain, all;
        assert_true(tx_convex_from_shape(&tabled, &(tx_shape){TX_GEOM_MESH, zero, zero, one, &asset}));
        plain = all = tabled;
        plain.start = NULL;
        all.first = NULL;
        const double size = tx_convex_radius(&all);
        double worst[2] = {0};
        for (int n = 0; n < 100000; n++) {
            double dir[3], best[3], at[2][3];
            choose_direction(&asset, dir);
            tx_core_support(&all, dir, best);
            tx_core_support(&tabled, dir, at[0]);
            tx_core_support(&plain, dir, at[1]);
            for (int k = 0; k < 2; k++) worst[k] = fmax(worst[k], v3_dot(best, dir) - v3_dot(at[k], dir));
            // from any corner
            const int from = tx_convex_farthest_from(&tabled, dir, n % asset.corner_count);
            worst[1] = fmax(worst[1], v3_dot(best, dir) - v3_dot(tx_convex_corner(&tabled, from), dir));
        }
        print_message("  %-13s %4d corners of %4d points: short by %.1e, without table %.1e\n", CLOUDS[kind],
                      asset.corner_count, c.count, worst[0], worst[1]);
        assert_true(worst[0] <= 1e-14 * size && worst[1] <= 1e-12 * size);
        tx_model_destroy(m);
    }
}

// climbing by groups of neighbours ends where climbing by one after the other does, from any corner, with and without
// vectors; directions along edges and faces have many that are as far
static void neighbours_in_fours_change_no_corner(void **state) {
    static cloud c;
    for (int kind = 0; kind < CLOUD_COUNT; kind++) {
        make_cloud(&c, kind);
        tx_model *m = mesh_model(&c);
        tx_asset asset;
        assert_true(tx_asset_of(m, 0, &asset));
        const double zero[3] = {0}, one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        tx_convex plain, grouped;
        assert_true(tx_convex_from_shape(&plain, &(tx_shape){TX_GEOM_MESH, zero, zero, one, &asset}));
        tx_rings *rings = tx_rings_create(m);
        assert_non_null(rings);
        grouped = plain;
        grouped.ring = tx_rings_of(rings, 0);
        assert_non_null(grouped.ring);
        for (int n = 0; n < 20000; n++) {
            double dir[3];
            choose_direction(&asset, dir);
            for (int k = 0; n % 3 == 0 && k < 3; k++) dir[k] = round(dir[k]);
            if (n % 1000 == 7) dir[n % 3] = NAN;
            const int from = n % asset.corner_count, end = tx_convex_farthest_from(&plain, dir, from);
            const double most = v3_dot(tx_convex_corner(&plain, from), dir);
            assert_int_equal(tx_convex_farthest_from(&grouped, dir, from), end);
            assert_int_equal(tx_ring_climb_plain(&grouped, dir, from, most), end);
            assert_int_equal(tx_convex_farthest(&grouped, dir), tx_convex_farthest(&plain, dir));
        }
        tx_rings_destroy(rings);
        tx_model_destroy(m);
    }
}

// the copies of the corners that are looked at are the corners, of small and of large hulls; only large ones climb by
// groups of neighbours, and a mesh that meets nothing has neither
static void corners_side_by_side_are_the_corners(void **state) {
    static cloud c;
    for (int kind = 0; kind < CLOUD_COUNT; kind++) {
        make_cloud(&c, kind);
        tx_model *m = mesh_model(&c);
        tx_rings *rings = tx_rings_create(m);
        tx_asset asset;
        assert_true(tx_asset_of(m, 0, &asset) && rings);
        tx_convex plain = {0}, packed = {0};
        tx_convex_take_asset(&plain, &asset);
        asset.packed = tx_rings_corners(rings, 0);
        assert_non_null(asset.packed);
        tx_convex_take_asset(&packed, &asset);
        assert_null(packed.vertex);
        for (int i = 0; i < plain.point_count; i++)
            assert_memory_equal(tx_convex_corner(&packed, i), tx_convex_corner(&plain, i), 3 * sizeof(double));
        assert_int_equal(tx_rings_of(rings, 0) != NULL, plain.point_count > TX_FOURS_CORNERS);
        assert_null(tx_rings_corners(rings, -1));
        assert_null(tx_rings_corners(NULL, 0));
        tx_rings_destroy(rings);
        *(int *)m->geom_contype = *(int *)m->geom_conaffinity = 0;
        rings = tx_rings_create(m);
        assert_true(rings && !tx_rings_corners(rings, 0) && !tx_rings_of(rings, 0));
        tx_rings_destroy(rings);
        tx_model_destroy(m);
    }
}

// the corners of small hulls in fours: with and without vectors the first of the farthest, also where several are as
// far
static void small_hulls_are_searched_in_fours(void **state) {
    static cloud c;
    for (int count = 4; count < TX_CLIMB_FROM; count++) {
        c.count = 0;
        if (count % 4 == 0 && count > 4) prism(&c, count / 2, 1, 0.5);
        else ball(&c, count, 1, 0.7, 1.3);
        tx_model *m = mesh_model(&c);
        tx_asset asset;
        assert_true(tx_asset_of(m, 0, &asset));
        assert_true(asset.corner_count == count && asset.fours && !asset.start);
        for (int n = 0; n < 2000; n++) {
            double dir[3], most = -INFINITY;
            int best = -1;
            choose_direction(&asset, dir);
            for (int k = 0; n % 3 == 0 && k < 3; k++) dir[k] = round(dir[k]);
            for (int i = 0; i < count; i++) {
                double reach = v3_dot(asset.vertex + 3 * asset.corner[i], dir);
                if (reach > most) most = reach, best = i;
            }
            assert_int_equal(tx_fours_farthest(asset.fours, count, dir), best);
            assert_int_equal(tx_fours_farthest_plain(asset.fours, count, dir), best);
            // a bit for each that is below a plane, and none for what fills the last group
            uint64_t below = 0;
            const double height = -most / 2, margin = (n % 5) * most / 3;
            for (int i = 0; i < count; i++)
                below |= (uint64_t)(height + v3_dot(asset.vertex + 3 * asset.corner[i], dir) < margin) << i;
            assert_true(tx_fours_below(asset.fours, count, dir, height, margin) == below);
            assert_true(tx_fours_below_plain(asset.fours, count, dir, height, margin) == below);
        }
        tx_model_destroy(m);
    }
}

// no direction, and no number, is outside of the table or the fours
static void check_odd_directions(int points) {
    static cloud c;
    c.count = 0;
    ball(&c, points, 1, 1, 1);
    tx_model *m = mesh_model(&c);
    tx_asset asset;
    assert_true(tx_asset_of(m, 0, &asset));
    const double zero[3] = {0}, one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double values[] = {0, -0.0, 1, -1, 1e-320, 1e300, -1e300, INFINITY, -INFINITY, NAN};
    enum { COUNT = sizeof values / sizeof *values };
    tx_convex shape;
    assert_true(tx_convex_from_shape(&shape, &(tx_shape){TX_GEOM_MESH, zero, zero, one, &asset}));
    for (int i = 0; i < COUNT * COUNT * COUNT; i++) {
        double dir[3] = {values[i % COUNT], values[i / COUNT % COUNT], values[i / COUNT / COUNT]}, at[3];
        tx_core_support(&shape, dir, at);
        assert_true(v3_length(at) < 2);
    }
    tx_model_destroy(m);
}

static void odd_directions_are_harmless(void **state) {
    check_odd_directions(200);
    check_odd_directions(13);
}

// ---- settings -------------------------------------------------------------------------------------------------------

typedef struct thing {
    double size[3], pos[3], mat[9];
    tx_shape shape;
} thing;

static void random_thing(thing *t, int type, double reach) {
    for (int k = 0; k < 3; k++) t->size[k] = uniform(0.2, 1), t->pos[k] = uniform(-reach, reach);
    random_turn(&seed, t->mat);
    t->shape = (tx_shape){type, t->size, t->pos, t->mat, NULL};
}

static void random_two(thing t[2], double reach) {
    static const int types[][2] = {{TX_GEOM_SPHERE, TX_GEOM_ELLIPSOID},  {TX_GEOM_CAPSULE, TX_GEOM_CYLINDER},
                                   {TX_GEOM_CAPSULE, TX_GEOM_ELLIPSOID}, {TX_GEOM_ELLIPSOID, TX_GEOM_CYLINDER},
                                   {TX_GEOM_ELLIPSOID, TX_GEOM_BOX},     {TX_GEOM_CYLINDER, TX_GEOM_CYLINDER},
                                   {TX_GEOM_CYLINDER, TX_GEOM_BOX}};
    int pair = (int)uniform(0, 7);
    random_thing(&t[0], types[pair][0], reach);
    random_thing(&t[1], types[pair][1], reach);
}

static int hits_of(const thing t[2], double margin, const tx_narrow *how, tx_hit *hits) {
    return tx_pair_hits(&t[0].shape, &t[1].shape, margin, how, hits);
}

static double deepest(const tx_hit *hits, int count) {
    double least = INFINITY;
    for (int i = 0; i < count; i++) least = fmin(least, hits[i].dist);
    return least;
}

// defaults are what the pair functions do by themselves
static void default_settings_change_nothing(void **state) {
    tx_options options = tx_default_options();
    const tx_narrow how = tx_narrow_of(&options), same = tx_default_narrow();
    assert_true(how.method == same.method && how.mpr_to_gjk_overlap_ratio == same.mpr_to_gjk_overlap_ratio);
    assert_true(how.perturbation == same.perturbation && how.tolerance == same.tolerance && how.contacts == 0);
    for (int n = 0; n < 2000; n++) {
        thing t[2];
        tx_hit hits[2][TX_MAX_HITS];
        random_two(t, 0.7);
        int count = hits_of(t, 0.02, &how, hits[0]);
        tx_pair_fn *find = tx_pair_function(t[0].shape.type, t[1].shape.type);
        assert_int_equal(find(&t[0].shape, &t[1].shape, 0.02, hits[1]), count);
        assert_memory_equal(hits[0], hits[1], sizeof(tx_hit) * (size_t)count);
    }
}

// how far apart two shapes are along an axis of the first one's frame, seen from outside
static double apart_along(const thing t[2], const float axis[3]) {
    tx_convex a, b;
    double n[3], back[3], at[3], out[3], low, high;
    assert_true(tx_convex_from_shape(&a, &t[0].shape) && tx_convex_from_shape(&b, &t[1].shape));
    m3_mul(n, a.mat, (double[3]){axis[0], axis[1], axis[2]});
    m3_mul_transposed(back, a.mat, n);
    tx_core_support(&a, back, at);
    m3_mul(out, a.mat, at);
    high = v3_dot(n, out) + v3_dot(n, a.pos) + a.radius;
    m3_mul_transposed(back, b.mat, n);
    v3_scale(back, back, -1);
    tx_core_support(&b, back, at);
    m3_mul(out, b.mat, at);
    low = v3_dot(n, out) + v3_dot(n, b.pos) - b.radius;
    return low - high;
}

// whatever axis is kept of a pair, its points are those of a pair without; one that is renewed separates
static void kept_axes_change_no_point(void **state) {
    int kept = 0, touching = 0;
    for (int n = 0; n < 600; n++) {
        thing t[2];
        tx_hit hits[2][TX_MAX_HITS];
        tx_narrow plain = tx_default_narrow(), how = plain;
        double any[3], margin = 0.02;
        random_unit(any);
        float axis[3] = {(float)any[0], (float)any[1], (float)any[2]};
        how.axis = axis;
        random_two(t, 1.2);
        for (int step = 0; step < 12; step++) {
            const int count = hits_of(t, margin, &plain, hits[0]);
            assert_int_equal(hits_of(t, margin, &how, hits[1]), count);
            assert_memory_equal(hits[0], hits[1], sizeof(tx_hit) * (size_t)count);
            touching += count > 0;
            const float length = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
            if (length > 0) {
                kept++;
                assert_true(fabsf(length - 1) < 1e-5f);
                assert_true(count == 0 && apart_along(t, axis) > margin);
                // next time they are near to the margin along it
                margin = apart_along(t, axis) * uniform(0.99, 1.02);
            }
            for (int k = 0; k < 3; k++) t[1].pos[k] += uniform(-0.02, 0.02);
        }
    }
    printf("%d axes kept, %d times points\n", kept, touching);
    assert_true(kept > 1000 && touching > 1000);
}

// MPR: touches where GJK does, is never less deep, and moving by its depth separates. What is apart, and overlaps
// beyond the ratio, is GJK's to the last bit
static void mpr_is_gjk_with_another_depth(void **state) {
    tx_narrow gjk = tx_default_narrow(), mpr, never;
    gjk.tolerance = 1e-9; // the deepest point is always kept
    mpr = never = gjk;
    mpr.method = never.method = TX_NARROWPHASE_MPR;
    never.mpr_to_gjk_overlap_ratio = 0;
    int same = 0, deeper = 0, fell_back = 0, near = 0;
    for (int n = 0; n < 20000; n++) {
        thing t[2];
        tx_hit exact[TX_MAX_HITS], other[TX_MAX_HITS];
        random_two(t, 0.8);
        const double margin = n % 2 ? 0 : 0.05;
        int count = hits_of(t, margin, &gjk, exact);
        assert_int_equal(hits_of(t, margin, &never, other), count);
        assert_memory_equal(exact, other, sizeof(tx_hit) * (size_t)count);
        int mpr_count = hits_of(t, margin, &mpr, other);
        assert_int_equal(mpr_count > 0, count > 0);
        if (count == 0) continue;

        tx_convex a, b;
        tx_convex_result r;
        assert_true(tx_convex_from_shape(&a, &t[0].shape) && tx_convex_from_shape(&b, &t[1].shape));
        assert_true(tx_convex_distance(&a, &b, INFINITY, &r));
        double depth = -deepest(other, mpr_count), smaller = fmin(tx_convex_radius(&a), tx_convex_radius(&b));
        // a manifold is content with points that are less deep by 1e-6 of the radius
        assert_true(depth >= -r.dist - 1e-6 * smaller);
        bool equal = mpr_count == count && memcmp(exact, other, sizeof(tx_hit) * (size_t)count) == 0;
        if (r.dist > 1e-9) assert_true(equal), near++;
        if (-r.dist > 0.25 * smaller) assert_true(equal), fell_back++;
        same += equal, deeper += !equal;
        v3_along(b.pos, b.pos, other[0].normal, depth);
        assert_true(tx_convex_distance(&a, &b, INFINITY, &r));
        assert_true(r.dist >= -1e-6 * smaller);
    }
    print_message("  %d as GJK (%d only near, %d too deep), %d by MPR\n", same, near, fell_back, deeper);
    assert_true(near > 100 && fell_back > 100 && deeper > 1000);
}

// never more points than wanted, each of them one of those without a limit, the deepest among them
static void fewer_points_are_some_of_the_points(void **state) {
    int thinned = 0;
    for (int n = 0; n < 3000; n++) {
        thing t[2];
        if (n % 2) random_two(t, 0.7);
        else random_thing(&t[0], TX_GEOM_BOX, 0.5), random_thing(&t[1], TX_GEOM_BOX, 0.5);
        // flat on each other
        if (n % 3 == 0) memcpy(t[1].mat, t[0].mat, sizeof t[0].mat);
        tx_narrow how = tx_default_narrow();
        tx_hit all[TX_MAX_HITS], some[TX_MAX_HITS];
        int count = hits_of(t, 0, &how, all);
        for (how.contacts = 1; how.contacts <= TX_MAX_CONTACTS_PER_PAIR; how.contacts++) {
            int kept = hits_of(t, 0, &how, some);
            assert_in_range(kept, count > 0, how.contacts);
            if (count == 0) continue;
            thinned += kept < count;
            // a manifold chooses its points for their area, so the deepest only up to a share of mc_tolerance
            assert_true(deepest(some, kept) <= deepest(all, count) + 0.1 * TX_MC_TOLERANCE * 2);
            for (int i = 0; n % 2 == 0 && i < kept; i++) {
                int k = 0;
                while (k < count && memcmp(&some[i], &all[k], sizeof some[i]) != 0) k++;
                assert_true(k < count);
            }
        }
    }
    assert_true(thinned > 1000);
}

// two cylinders crossed by 0.03 rad: one point, or two when the perturbation is larger than that; none of it without
static void perturbation_and_tolerance_make_the_manifold(void **state) {
    thing t[2];
    for (int i = 0; i < 2; i++) {
        random_thing(&t[i], TX_GEOM_CYLINDER, 0);
        t[i].size[0] = 0.5, t[i].size[1] = 2;
        double a = i ? 0.03 : 0, mat[9] = {0, -sin(a), cos(a), 0, cos(a), sin(a), -1, 0, 0};
        memcpy(t[i].mat, mat, sizeof mat);
    }
    t[1].pos[2] = 0.999;
    tx_hit hits[TX_MAX_HITS];
    tx_narrow how = tx_default_narrow();
    assert_int_equal(hits_of(t, 0.01, &how, hits), 1);
    how.perturbation = 0.05;
    assert_int_equal(hits_of(t, 0.01, &how, hits), 2);
    assert_true(fabs(hits[0].pos[0] - hits[1].pos[0]) > 3.9);
    how.perturbation = 0;
    assert_int_equal(hits_of(t, 0.01, &how, hits), 1);

    // a can on a box: five points of its rim, fewer when they have to be farther apart, one when there is no manifold
    random_thing(&t[0], TX_GEOM_CYLINDER, 0), random_thing(&t[1], TX_GEOM_BOX, 0);
    for (int i = 0; i < 2; i++) memcpy(t[i].mat, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof t[i].mat);
    v3_set(t[0].size, 0.5, 0.5, 0), v3_set(t[1].size, 2, 2, 0.5), v3_set(t[1].pos, 0.1, 0.2, -0.999);
    how = tx_default_narrow();
    int points = hits_of(t, 0, &how, hits);
    assert_in_range(points, 4, 5);
    how.tolerance = 1;
    int merged = hits_of(t, 0, &how, hits);
    assert_in_range(merged, 2, points - 1);
    for (int i = 1; i < merged; i++)
        assert_true(fabs(hits[i].pos[0] - hits[0].pos[0]) + fabs(hits[i].pos[1] - hits[0].pos[1]) > 0.7);
    how.perturbation = 0;
    assert_int_equal(hits_of(t, 0, &how, hits), 1);
    how = tx_default_narrow(), how.contacts = 8;
    assert_int_equal(hits_of(t, 0, &how, hits), 8);
}

// ---- options --------------------------------------------------------------------------------------------------------

static const char SCENE[] =
    "<mujoco><option timestep='0.005'/><custom><text name='thixis.narrowphase' data='mpr'/>"
    "<text name='thixis.broadphase' data='sweep'/>"
    "<numeric name='thixis.mc_perturbation' data='0.02'/><numeric name='thixis.mc_tolerance' size='1' data='0.01'/>"
    "<numeric name='thixis.mpr_to_gjk_overlap_ratio' data='%s'/><numeric name='thixis.contacts_per_pair' data='4'/>"
    "</custom><option impratio='10'/><worldbody><geom type='cylinder' size='2 .1' pos='0 0 -.1'/>"
    "<body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='.5 0 .1'><freejoint/><geom type='cylinder' size='.1 .1'/></body>"
    "<body pos='0 .5 .1'><freejoint/><geom type='ellipsoid' size='.15 .15 .1'/></body>"
    "</worldbody></mujoco>";

static tx_model *load_scene(const char *ratio) {
    char text[2048];
    snprintf(text, sizeof text, SCENE, ratio);
    return tx_load_string(text, strlen(text), "narrow.xml", NULL);
}

// named in a file; things rest on points that MPR finds
static void files_choose_and_things_rest(void **state) {
    tx_model *m = load_scene("0.5");
    assert_non_null(m);
    const tx_options *o = tx_model_options(m);
    assert_true(o->narrowphase == TX_NARROWPHASE_MPR && o->mc_perturbation == 0.02 && o->mc_tolerance == 0.01);
    assert_int_equal(o->broadphase, TX_BROADPHASE_SWEEP);
    assert_true(o->mpr_to_gjk_overlap_ratio == 0.5 && o->contacts_per_pair == 4 && o->impratio == 10);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(m, &def);
    assert_int_equal(tx_sim_step_n(sim, 400), TX_OK);
    const double *qvel = tx_sim_array(sim, TX_ARRAY_QVEL), *qpos = tx_sim_array(sim, TX_ARRAY_QPOS);
    // what is round rolls on a normal that is known to the root of MPR's tolerance
    for (int i = 0; i < 18; i++) assert_true(fabs(qvel[i]) < (i < 12 ? 1e-9 : 1e-2));
    for (int i = 0; i < 3; i++) assert_true(fabs(qpos[7 * i + 2] - 0.1) < 1e-3);
    tx_sim_destroy(sim);
    tx_model_destroy(m);
    assert_null(load_scene("-1"));
    assert_null(load_scene("many"));
}

static void values_out_of_range_are_refused(void **state) {
    tx_model *m = load_scene("0.5");
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(m, &def);
    const tx_options good = tx_sim_options(sim);
    assert_int_equal(tx_sim_set_options(sim, &good), TX_OK);
#define REFUSED(field, value)                                               \
    do {                                                                    \
        tx_options bad = good;                                              \
        bad.field = (value);                                                \
        assert_int_equal(tx_sim_set_options(sim, &bad), TX_ERROR_ARGUMENT); \
    } while (0)
    REFUSED(narrowphase, -1);
    REFUSED(narrowphase, TX_NARROWPHASE_COUNT);
    REFUSED(mpr_to_gjk_overlap_ratio, -0.1);
    REFUSED(mpr_to_gjk_overlap_ratio, NAN);
    REFUSED(mc_perturbation, 0.2);
    REFUSED(mc_perturbation, NAN);
    REFUSED(mc_tolerance, -1e-3);
    REFUSED(mc_tolerance, 1.1);
    REFUSED(contacts_per_pair, -1);
    REFUSED(contacts_per_pair, TX_MAX_CONTACTS_PER_PAIR + 1);
    tx_sim_destroy(sim);
    tx_model_destroy(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(farthest_corners_are_those_of_a_search),
        cmocka_unit_test(neighbours_in_fours_change_no_corner),
        cmocka_unit_test(corners_side_by_side_are_the_corners),
        cmocka_unit_test(small_hulls_are_searched_in_fours),
        cmocka_unit_test(odd_directions_are_harmless),
        cmocka_unit_test(default_settings_change_nothing),
        cmocka_unit_test(kept_axes_change_no_point),
        cmocka_unit_test(mpr_is_gjk_with_another_depth),
        cmocka_unit_test(fewer_points_are_some_of_the_points),
        cmocka_unit_test(perturbation_and_tolerance_make_the_manifold),
        cmocka_unit_test(files_choose_and_things_rest),
        cmocka_unit_test(values_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
