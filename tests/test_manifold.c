// test_manifold.c - points of contact of convex pairs: what rests has points that span it, every point is on both
// shapes, exchanging the shapes mirrors them, and things at rest stay at rest.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "collide/manifold.h"
#include "collide/patch.h"
#include "collide/thin.h"
#include "geometry/vec3.h"
#include "hull_asset.h"
#include "random.h"
#include "thixis/load.h"
#include "thixis/sim.h"
#include "turns.h"

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double PI = 3.14159265358979323846;

static uint64_t seed = 1;
static double uniform(double lo, double hi) { return random_between(&seed, lo, hi); }

static void random_rotation(double mat[9]) {
    double x[9], y[9], z[9], xy[9];
    turn(x, 0, uniform(0, 7));
    turn(y, 1, uniform(0, 7));
    turn(z, 2, uniform(0, 7));
    multiply(xy, x, y);
    multiply(mat, xy, z);
}

static int collide(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    return tx_pair_function(a->type, b->type)(a, b, margin, hits);
}

// a box as a mesh
typedef struct box_mesh {
    double corners[8][3];
    hull_asset hull;
} box_mesh;

static void make_box(box_mesh *m, const double half[3]) {
    for (int i = 0; i < 24; i++) m->corners[i / 3][i % 3] = i / 3 >> i % 3 & 1 ? half[i % 3] : -half[i % 3];
    assert_true(hull_asset_build(&m->hull, &m->corners[0][0], 8));
}

static tx_shape mesh_shape(const hull_asset *h, const double *pos, const double *mat) {
    return (tx_shape){TX_GEOM_MESH, h->size, pos, mat, &h->asset};
}

static double nearest(const tx_hit *hit, const tx_hit *others, int count) {
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        double d[3];
        v3_sub(d, hit->pos, others[i].pos);
        least = fmin(least, fmax(v3_length(d), fabs(hit->dist - others[i].dist)));
    }
    return least;
}

//-------------------------------------------------------------------------------------------------- rest

// boxes face to face, in any pose: meshes have the points of the closed form
static void box_meshes_touch_like_boxes(void **state) {
    for (int n = 0; n < 2000; n++) {
        double half[2][3], pos[2][3], mat[2][9], spin[9], offset[3];
        for (int k = 0; k < 3; k++) {
            half[0][k] = uniform(0.5, 1);
            half[1][k] = uniform(0.5, 1);
            pos[0][k] = uniform(-1, 1);
        }
        random_rotation(mat[0]);
        turn(spin, 2, n % 2 ? 0 : uniform(0, 0.8));
        multiply(mat[1], mat[0], spin);
        double depth = n % 3 ? 1e-4 : -1e-4;
        double local[3] = {uniform(-0.3, 0.3), uniform(-0.3, 0.3), half[0][2] + half[1][2] - depth};
        m3_mul(offset, mat[0], local);
        v3_add(pos[1], pos[0], offset);

        box_mesh mesh[2];
        tx_shape box[2], hull[2];
        for (int i = 0; i < 2; i++) {
            make_box(&mesh[i], half[i]);
            box[i] = (tx_shape){TX_GEOM_BOX, half[i], pos[i], mat[i], NULL};
            hull[i] = mesh_shape(&mesh[i].hull, pos[i], mat[i]);
        }
        tx_hit expected[TX_MAX_HITS], hits[TX_MAX_HITS];
        int wanted = collide(&box[0], &box[1], 0.01, expected);
        for (int kind = 0; kind < 2; kind++) {
            int count = collide(kind ? &box[0] : &hull[0], &hull[1], 0.01, hits);
            assert_in_range(count, 4, TX_MANIFOLD_POINTS);
            if (n % 2) assert_true(count == 4 && wanted == 4);
            for (int i = 0; i < count; i++) assert_true(nearest(&hits[i], expected, wanted) < 1e-9);
        }
        hull_asset_free(&mesh[0].hull);
        hull_asset_free(&mesh[1].hull);
    }
}

// A cube pushed into another or into a box: a face keeps its corners at any depth where it lies flat on the other, and
// tilted up to an overlap of a fifth of the radius; what is deeper has the least way out alone
static void what_is_inside_askew_touches_in_one_point(void **state) {
    static const double half[3] = {1, 1, 1}, origin[3] = {0};
    box_mesh mesh;
    make_box(&mesh, half);
    const tx_shape large[2] = {mesh_shape(&mesh.hull, origin, identity), {TX_GEOM_BOX, half, origin, identity, NULL}};
    for (int share = 3; share < 50; share++) {
        for (int tilted = 0; tilted < 2; tilted++) {
            const double depth = 0.01 * (share + 0.5) * sqrt(3), tilt = tilted ? 0.02 : 0.005;
            const double at[3] = {0.1, 0.2, 1 + cos(tilt) + sin(tilt) - depth};
            double mat[9];
            turn(mat, 0, tilt);
            const tx_shape small = mesh_shape(&mesh.hull, at, mat);
            for (int kind = 0; kind < 2; kind++) {
                tx_hit hits[TX_MAX_HITS];
                const int count = kind ? collide(&large[1], &small, 0, hits) : collide(&large[0], &small, 0, hits);
                const bool single = tilted && share >= 20;
                double deepest = 0;
                for (int i = 0; i < count; i++) deepest = fmin(deepest, hits[i].dist);
                assert_int_equal(count, single ? 1 : 4);
                assert_true(fabs(hits[0].normal[2] - 1) < 1e-12 && fabs(deepest + depth) < 1e-12);
            }
        }
    }
    // a line as well: the axis of a capsule
    for (int tilted = 0; tilted < 2; tilted++) {
        const double rod[2] = {0.3, 0.5}, tilt = PI / 2 - 0.02 * tilted, at[3] = {0, 0, 1.1 + 0.5 * cos(tilt)};
        double mat[9];
        tx_hit hits[TX_MAX_HITS];
        turn(mat, 0, tilt);
        const tx_shape capsule = {TX_GEOM_CAPSULE, rod, at, mat, NULL};
        assert_int_equal(collide(&capsule, &large[0], 0, hits), tilted ? 1 : 2);
        assert_true(fabs(hits[0].dist + 0.2) < 1e-12);
    }
    hull_asset_free(&mesh.hull);
}

static void cylinder_stands_and_lies_on_a_box(void **state) {
    double half[3] = {2, 2, 1}, can[2] = {0.5, 1.5}, origin[3] = {0}, at[3] = {0.3, 0.2, 2.499}, lying[9];
    tx_shape box = {TX_GEOM_BOX, half, origin, identity, NULL}, cylinder = {TX_GEOM_CYLINDER, can, at, identity, NULL};
    tx_hit hits[TX_MAX_HITS];
    int count = collide(&cylinder, &box, 0, hits);
    assert_in_range(count, 3, TX_MANIFOLD_POINTS);
    double sum[2] = {0}, span = 0;
    for (int i = 0; i < count; i++) {
        double x = hits[i].pos[0] - 0.3, y = hits[i].pos[1] - 0.2;
        assert_true(fabs(hypot(x, y) - 0.5) < 1e-12 && fabs(hits[i].dist + 0.001) < 1e-9);
        assert_true(fabs(hits[i].pos[2] - 0.9995) < 1e-9 && fabs(hits[i].normal[2] + 1) < 1e-12);
        const tx_hit *next = &hits[(i + 1) % count];
        span += (x * (next->pos[1] - 0.2) - y * (next->pos[0] - 0.3)) / 2;
        sum[0] += x;
        sum[1] += y;
    }
    // of the circle a regular pentagon has three quarters
    assert_true(fabs(span) > 0.6 * PI * 0.25);

    // lying: both ends of its lowest line
    turn(lying, 1, PI / 2);
    cylinder.mat = lying;
    at[2] = 1.499;
    assert_int_equal(collide(&cylinder, &box, 0, hits), 2);
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(fabs(hits[i].pos[0] - 0.3) - 1.5) < 1e-6 && fabs(hits[i].pos[1] - 0.2) < 1e-6);
        assert_true(fabs(hits[i].dist + 0.001) < 1e-8);
    }
    // one end lifted: one point
    turn(lying, 1, PI / 2 + 0.01);
    assert_int_equal(collide(&cylinder, &box, 0, hits), 1);
    // two cylinders one along the other: the ends of what they share; across: one point
    double other[2] = {0.4, 1};
    double on_top[3] = {0.3 + 1, 0.2, 1.499 + 0.899};
    turn(lying, 1, PI / 2);
    tx_shape upper = {TX_GEOM_CYLINDER, other, on_top, lying, NULL};
    assert_int_equal(collide(&cylinder, &upper, 0, hits), 2);
    for (int i = 0; i < 2; i++) assert_true(fabs(fabs(hits[i].pos[0] - 1.05) - 0.75) < 1e-6);
    double across[9];
    turn(across, 0, PI / 2);
    upper.mat = across;
    on_top[0] = 0.3;
    assert_int_equal(collide(&cylinder, &upper, 0, hits), 1);
}

static void capsule_lies_on_a_mesh(void **state) {
    double half[3] = {1, 1, 0.5}, rod[2] = {0.1, 2}, origin[3] = {0}, at[3] = {0.2, 0.1, 0.599}, lying[9];
    box_mesh mesh;
    make_box(&mesh, half);
    turn(lying, 1, PI / 2);
    tx_shape capsule = {TX_GEOM_CAPSULE, rod, at, lying, NULL}, below = mesh_shape(&mesh.hull, origin, identity);
    tx_hit hits[TX_MAX_HITS];
    assert_int_equal(collide(&capsule, &below, 0, hits), 2);
    for (int i = 0; i < 2; i++) assert_true(fabs(fabs(hits[i].pos[0]) - 1) < 1e-9 && fabs(hits[i].dist + 0.001) < 1e-9);
    hull_asset_free(&mesh.hull);
}

// an edge along x on an edge along x: two points
static void parallel_edges_touch_twice(void **state) {
    double half[3] = {1, 1, 1}, origin[3] = {0}, at[3] = {0.5, 0, sqrt(8) - 1e-3}, mat[9];
    box_mesh mesh;
    make_box(&mesh, half);
    turn(mat, 0, PI / 4);
    tx_shape below = mesh_shape(&mesh.hull, origin, mat), above = mesh_shape(&mesh.hull, at, mat);
    tx_hit hits[TX_MAX_HITS];
    int count = collide(&below, &above, 0, hits);
    // the normal may be any of a fan here; a vertical one has two points
    assert_in_range(count, 1, TX_MANIFOLD_POINTS);
    for (int i = 0; i < count; i++) assert_true(hits[i].pos[0] > -0.51 && hits[i].pos[0] < 1.01);
    hull_asset_free(&mesh.hull);
}

// a barrel of many small faces lies on another: small rotations find its ends
static void finely_cut_barrels_touch_along_a_line(void **state) {
    enum { AROUND = 200, ALONG = 5 };
    static double points[AROUND * ALONG][3];
    for (int i = 0; i < AROUND; i++)
        for (int k = 0; k < ALONG; k++) {
            double angle = 2 * PI * (i + 0.31) / AROUND, x = -1 + 2.0 * k / (ALONG - 1), r = 0.5 - 1e-4 * x * x;
            v3_set(points[i * ALONG + k], x, r * cos(angle), r * sin(angle));
        }
    hull_asset hull;
    assert_true(hull_asset_build(&hull, &points[0][0], AROUND * ALONG));
    double origin[3] = {0}, at[3] = {0, 0, 0.9993}, half[3] = {2, 2, 0.5};
    tx_shape below = mesh_shape(&hull, origin, identity), above = mesh_shape(&hull, at, identity);
    tx_shape floor = {TX_GEOM_BOX, half, origin, identity, NULL};
    tx_hit hits[TX_MAX_HITS];
    for (int kind = 0; kind < 2; kind++) {
        int count = collide(kind ? &below : &floor, &above, 0.002, hits);
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < count; i++) low = fmin(low, hits[i].pos[0]), high = fmax(high, hits[i].pos[0]);
        assert_true(count >= 2 && low < -0.9 && high > 0.9);
    }
    hull_asset_free(&hull);
}

//-------------------------------------------------------------------------------------------------- every pair

// how far a point is outside of a shape
static double outside(const tx_shape *shape, const double point[3]) {
    tx_convex core, dot = {.core = TX_CORE_POINT};
    tx_convex_result r;
    memcpy(dot.mat, identity, sizeof identity);
    v3_copy(dot.pos, point);
    assert_true(tx_convex_from_shape(&core, shape));
    assert_true(tx_convex_distance(&core, &dot, INFINITY, &r));
    return fmax(0, r.dist);
}

// Random poses of all types: the deepest point is the distance, none is beyond the margin, all have one normal, and the
// two surface points of each are on their shapes, up to what a small turn brings up of curved ones
static void points_are_on_both_shapes(void **state) {
    static const int types[] = {TX_GEOM_SPHERE,   TX_GEOM_CAPSULE, TX_GEOM_ELLIPSOID,
                                TX_GEOM_CYLINDER, TX_GEOM_BOX,     TX_GEOM_MESH};
    const tx_narrow how = tx_default_narrow();
    double worst = 0;
    int most = 0;
    for (int n = 0; n < 20000; n++) {
        double size[2][3], pos[2][3], mat[2][9], points[2][12][3];
        hull_asset hull[2];
        tx_shape s[2];
        for (int i = 0; i < 2; i++) {
            for (int k = 0; k < 3; k++) size[i][k] = uniform(0.2, 1), pos[i][k] = uniform(-0.8, 0.8);
            random_rotation(mat[i]);
            for (int k = 0; k < 36; k++) points[i][k / 3][k % 3] = uniform(-1, 1);
            assert_true(hull_asset_build(&hull[i], &points[i][0][0], 12));
            s[i] = (tx_shape){types[(int)uniform(0, 6)], size[i], pos[i], mat[i], &hull[i].asset};
            if (s[i].type == TX_GEOM_MESH) s[i].size = hull[i].size;
        }
        // some with parallel axes
        if (n % 3 == 0) memcpy(mat[1], mat[0], sizeof mat[0]);
        const tx_shape *a = s[0].type <= s[1].type ? &s[0] : &s[1], *b = a == &s[0] ? &s[1] : &s[0];
        tx_convex ca, cb;
        tx_convex_result r;
        tx_hit hits[TX_MAX_HITS];
        assert_true(tx_convex_from_shape(&ca, a) && tx_convex_from_shape(&cb, b));
        assert_true(tx_convex_distance(&ca, &cb, INFINITY, &r));
        double margin = n % 2 ? 0 : 0.05, deepest = INFINITY;
        int count = tx_manifold(&ca, &cb, &r, margin, &how, hits);
        assert_int_equal(count > 0, r.dist < margin);
        assert_in_range(count, 0, TX_MANIFOLD_POINTS);
        if (a->type == TX_GEOM_SPHERE || a->type == TX_GEOM_ELLIPSOID || b->type == TX_GEOM_ELLIPSOID)
            assert_true(count <= 1);
        for (int i = 0; i < count; i++) {
            double on_a[3], on_b[3];
            assert_true(hits[i].dist < margin && v3_dot(hits[i].normal, r.normal) == v3_dot(r.normal, r.normal));
            deepest = fmin(deepest, hits[i].dist);
            v3_along(on_a, hits[i].pos, hits[i].normal, -hits[i].dist / 2);
            v3_along(on_b, hits[i].pos, hits[i].normal, hits[i].dist / 2);
            worst = fmax(worst, fmax(outside(a, on_a), outside(b, on_b)));
        }
        if (count) assert_true(deepest >= r.dist - 1e-9 && deepest < r.dist + 1e-3);
        if (count > most) most = count;
        hull_asset_free(&hull[0]);
        hull_asset_free(&hull[1]);
    }
    print_message("  farthest from its surface: %.1e, most points %d\n", worst, most);
    assert_true(worst < 5e-3);
    assert_int_equal(most, TX_MANIFOLD_POINTS);
}

// the other order gives the same contacts with the normal turned round, to the last bit
static void exchanging_the_shapes_mirrors(void **state) {
    double size[2][3] = {{0.5, 0.7, 0.3}, {0.4, 0.6, 0.8}}, half[3] = {0.4, 0.5, 0.6}, pos[2][3], mat[2][9];
    box_mesh mesh;
    make_box(&mesh, half);
    static const int types[] = {TX_GEOM_ELLIPSOID, TX_GEOM_CYLINDER, TX_GEOM_MESH};
    for (int n = 0; n < 3000; n++) {
        tx_shape s[2];
        for (int i = 0; i < 2; i++) {
            for (int k = 0; k < 3; k++) pos[i][k] = uniform(-0.4, 0.4);
            random_rotation(mat[i]);
            s[i] = types[n % 3] == TX_GEOM_MESH ? mesh_shape(&mesh.hull, pos[i], mat[i])
                                                : (tx_shape){types[n % 3], size[i], pos[i], mat[i], NULL};
        }
        tx_hit there[TX_MAX_HITS], back[TX_MAX_HITS];
        int count = collide(&s[0], &s[1], 0.01, there);
        assert_int_equal(collide(&s[1], &s[0], 0.01, back), count);
        for (int i = 0; i < count; i++) {
            double sum[3];
            v3_add(sum, there[i].normal, back[i].normal);
            assert_true(there[i].dist == back[i].dist && v3_length(sum) == 0);
            assert_memory_equal(there[i].pos, back[i].pos, sizeof there[i].pos);
        }
    }
    hull_asset_free(&mesh.hull);
}

// of points on a circle and inside it five of the circle stay, and the deepest wherever it is
static void spread_keeps_the_deepest_and_the_widest(void **state) {
    tx_spot spots[32];
    for (int i = 0; i < 32; i++) {
        double angle = 2 * PI * i / 16, r = i < 16 ? 1 : 0.5;
        spots[i] = (tx_spot){.x = r * cos(angle), .y = r * sin(angle), .dist = -1};
    }
    spots[20].dist = -1.5;
    tx_spot deepest = spots[20];
    assert_int_equal(tx_spread(spots, 32, 5, 0.01), 5);
    int found = 0, wide = 0;
    for (int i = 0; i < 5; i++) {
        found += spots[i].dist == -1.5 && spots[i].x == deepest.x;
        wide += fabs(hypot(spots[i].x, spots[i].y) - 1) < 1e-12;
    }
    assert_true(found == 1 && wide == 4);
    // the same place twice: the deeper one
    tx_spot twice[2] = {{.dist = -1}, {.x = 1e-3, .dist = -2}};
    assert_int_equal(tx_spread(twice, 2, 5, 0.01), 1);
    assert_true(twice[0].dist == -2);
}

//-------------------------------------------------------------------------------------------------- rest in time

// Along the edges of a hull every way up leads to the top: where a finely cut hull is wholly below a plane, a walk
// along them ends at the corners that are found by looking at all
static void walks_along_edges_end_at_the_widest_corners(void **state) {
    enum { POINTS = 300 };
    for (int n = 0; n < 400; n++) {
        double points[3 * POINTS], half[3], pos[3] = {0}, mat[9], plane_size[3] = {0, 0, 1}, highest = -INFINITY;
        for (int k = 0; k < 3; k++) half[k] = uniform(0.3, 3);
        for (int i = 0; i < POINTS; i++) {
            random_direction(&seed, points + 3 * i);
            for (int k = 0; k < 3; k++) points[3 * i + k] *= half[k];
        }
        hull_asset hull;
        assert_true(hull_asset_build(&hull, points, POINTS));
        assert_true(hull.asset.corner_count >= TX_CLIMB_FROM && hull.asset.edge_first);
        random_rotation(mat);
        for (int i = 0; i < POINTS; i++) highest = fmax(highest, v3_dot(mat + 6, points + 3 * i));
        // as a whole below the plane, or only in part, where a walk may end before the widest corner
        const bool whole = n % 2 == 0;
        pos[2] = whole ? -highest - uniform(0.001, 0.1) : -highest * uniform(0.1, 0.9);
        tx_asset all = hull.asset;
        all.edge_first = NULL;
        const double zero[3] = {0};
        const tx_shape plane = {TX_GEOM_PLANE, plane_size, zero, identity, NULL}, walked = mesh_shape(&hull, pos, mat),
                       looked = {TX_GEOM_MESH, hull.size, pos, mat, &all};
        tx_hit by_edges[TX_MAX_HITS], by_all[TX_MAX_HITS];
        const int count = collide(&plane, &walked, 0, by_edges);
        assert_true(count > 2);
        for (int i = 0; i < count; i++) assert_true(by_edges[i].dist < 0);
        if (whole) assert_int_equal(collide(&plane, &looked, 0, by_all), count);
        for (int i = 0; whole && i < count; i++) {
            assert_true(by_edges[i].feature == by_all[i].feature && by_edges[i].dist == by_all[i].dist);
            assert_memory_equal(by_edges[i].pos, by_all[i].pos, sizeof by_all[i].pos);
        }
        hull_asset_free(&hull);
    }
}

// every kind of thing put down on a box and left alone: it neither sinks nor wanders nor turns
static void things_at_rest_stay_at_rest(void **state) {
    static const char scene[] =
        "<mujoco><option timestep='0.002'/>"
        "<asset><mesh name='cube' vertex='-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 -.1 .1 .1 "
        ".1 .1 .1'/></asset>"
        "<worldbody><geom type='box' size='2 2 .1' pos='0 0 -.1'/><geom type='plane' size='5 5 1' pos='0 0 -1'/>"
        "<body pos='0 0 .1'><freejoint/><geom type='mesh' mesh='cube'/></body>"
        "<body pos='0 0 .3'><freejoint/><geom type='mesh' mesh='cube'/></body>"
        "<body pos='0 0 .5' euler='0 0 30'><freejoint/><geom type='mesh' mesh='cube'/></body>"
        "<body pos='.5 0 .2'><freejoint/><geom type='cylinder' size='.1 .2'/></body>"
        "<body pos='1 0 .1' euler='90 0 0'><freejoint/><geom type='cylinder' size='.1 .2'/></body>"
        "<body pos='0 1 .2'><freejoint/><geom type='cylinder' size='.1 .2'/></body>"
        "<body pos='0 1 .5'><freejoint/><geom type='mesh' mesh='cube'/></body>"
        "<body pos='3 0 -.9'><freejoint/><geom type='mesh' mesh='cube'/></body>"
        "<body pos='3 1 -.8'><freejoint/><geom type='cylinder' size='.1 .2'/></body>"
        "<body pos='3 2 -.8'><freejoint/><geom type='ellipsoid' size='.1 .1 .2'/></body>"
        "</worldbody></mujoco>";
    tx_diag diag = {0};
    tx_model *m = tx_load_string(scene, strlen(scene), "rest", &diag);
    assert_non_null(m);
    assert_int_equal(diag.count, 0);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(m, &def);
    assert_non_null(sim);
    double before[70], most_shift = 0, most_speed = 0;
    assert_int_equal(tx_sim_array_width(sim, TX_ARRAY_QPOS), 70);
    memcpy(before, tx_sim_array(sim, TX_ARRAY_QPOS), sizeof before);
    assert_int_equal(tx_sim_step_n(sim, 1500), TX_OK);
    const double *qpos = tx_sim_array(sim, TX_ARRAY_QPOS), *qvel = tx_sim_array(sim, TX_ARRAY_QVEL);
    // the last is an ellipsoid on its tip: it may fall, but not through the floor
    for (int i = 0; i < 63; i++) most_shift = fmax(most_shift, fabs(qpos[i] - before[i]));
    for (int i = 0; i < 54; i++) most_speed = fmax(most_speed, fabs(qvel[i]));
    print_message("  after 3 s: moved %.1e m, speed %.1e m/s\n", most_shift, most_speed);
    assert_true(most_shift < 2e-3 && most_speed < 2e-5);
    assert_true(qpos[65] > -0.91);
    tx_sim_destroy(sim);
    tx_model_destroy(m);
    tx_diag_free(&diag);
}

// A pebble of 400 corners comes to rest on a hull as finely cut, thirty times its size, whose facets are wider than its
// own. When heights there were known only to the outline, it rocked at 0.01 to 0.1 rad/s for ever
static void pebbles_rest_on_a_curved_hull(void **state) {
    tx_diag diag = {0};
    tx_model *m = tx_load_file("tests/data/rest/pebbles.xml", &diag);
    assert_non_null(m);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(m, &def);
    assert_non_null(sim);
    assert_int_equal(tx_sim_step_n(sim, 800), TX_OK);
    const double *qvel = tx_sim_array(sim, TX_ARRAY_QVEL), *qpos = tx_sim_array(sim, TX_ARRAY_QPOS);
    double most = 0;
    for (int i = 0; i < 18; i++) most = fmax(most, fabs(qvel[i]));
    for (int i = 0; i < 3; i++) assert_true(qpos[7 * i + 2] > 0);
    print_message("  after 4 s: speed %.1e\n", most);
    assert_true(most < 1e-3);
    tx_sim_destroy(sim);
    tx_model_destroy(m);
    tx_diag_free(&diag);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_meshes_touch_like_boxes),
        cmocka_unit_test(what_is_inside_askew_touches_in_one_point),
        cmocka_unit_test(cylinder_stands_and_lies_on_a_box),
        cmocka_unit_test(capsule_lies_on_a_mesh),
        cmocka_unit_test(parallel_edges_touch_twice),
        cmocka_unit_test(finely_cut_barrels_touch_along_a_line),
        cmocka_unit_test(points_are_on_both_shapes),
        cmocka_unit_test(exchanging_the_shapes_mirrors),
        cmocka_unit_test(spread_keeps_the_deepest_and_the_widest),
        cmocka_unit_test(things_at_rest_stay_at_rest),
        cmocka_unit_test(pebbles_rest_on_a_curved_hull),
        cmocka_unit_test(walks_along_edges_end_at_the_widest_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
