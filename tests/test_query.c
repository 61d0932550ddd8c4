// test_query.c - rays, distances and overlaps: MuJoCo's answers on a fixture (or on the file named on the command
// line), shapes asked from far away and from inside, every target, bad input.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "collide/ray.h"
#include "geometry/vec3.h"
#include "thixis/load.h"
#include "thixis/query.h"

static const char *fixture = TX_SOURCE_DIR "/tests/data/queries.json";

static tx_model *model_of(const char *xml) {
    tx_diag diag = {0};
    tx_model *model = tx_load_string(xml, strlen(xml), "text", &diag);
    for (int i = 0; i < diag.count && !model; i++) fprintf(stderr, "%s\n", diag.messages[i].text);
    tx_diag_free(&diag);
    assert_non_null(model);
    return model;
}

static tx_sim *sim_of(const tx_model *model, int envs, tx_target_choice target) {
    tx_sim_def def = tx_default_sim_def();
    def.envs = envs;
    def.target = target;
    tx_sim *sim = tx_sim_create(model, &def);
    if (sim) assert_int_equal(tx_sim_forward(sim), TX_OK);
    return sim;
}

static double difference(const double *a, const double *b, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

// ---- MuJoCo's answers -----------------------------------------------------------------------------------------------

typedef struct tally {
    int rays, hits, distances, overlapping, beyond;
    double ray, normal, apart, deep, point, turned; // largest errors
} tally;

static double at(const json_t *array, int i) { return json_number_value(json_array_get(array, (size_t)i)); }

static void numbers_at(const json_t *array, int first, int count, double *out) {
    for (int k = 0; k < count; k++) out[k] = at(array, first + k);
}

static void compare_ray(tx_sim *sim, const json_t *one, tally *sum) {
    double origin[3], direction[3], normal[3];
    numbers_at(one, 0, 3, origin);
    numbers_at(one, 3, 3, direction);
    numbers_at(one, 11, 3, normal);
    tx_query_filter filter = {
        .groups = (unsigned)at(one, 6), .fixed = at(one, 7) != 0, .exclude_body = (int)at(one, 8)};
    tx_ray_hit hit;
    assert_int_equal(tx_sim_ray(sim, 0, origin, direction, &filter, &hit), TX_OK);
    assert_int_equal(hit.geom, (int)at(one, 10));
    sum->rays++;
    if (hit.geom < 0) return;
    sum->hits++;
    double theirs = at(one, 9) * v3_length(direction), point[3];
    v3_along(point, origin, direction, at(one, 9));
    sum->ray = fmax(sum->ray, fmax(fabs(hit.distance - theirs), difference(hit.point, point, 3)));
    sum->normal = fmax(sum->normal, difference(hit.normal, normal, 3));
}

static void compare_distance(tx_sim *sim, const json_t *one, tally *sum) {
    int geom1 = (int)at(one, 0), geom2 = (int)at(one, 1);
    double max = at(one, 2), theirs = at(one, 3), points[6], apart[3];
    tx_distance ours, turned;
    assert_int_equal(tx_sim_distance(sim, 0, geom1, geom2, max, &ours), TX_OK);
    sum->distances++;
    double error = fabs(ours.distance - theirs);
    if (theirs < 0) {
        sum->overlapping++;
        sum->deep = fmax(sum->deep, error);
    } else {
        sum->apart = fmax(sum->apart, error);
    }
    assert_int_equal(ours.beyond, theirs >= max);
    if (ours.beyond) {
        sum->beyond++;
        return;
    }
    // the deepest points of two shapes are not unique, the nearest ones are
    numbers_at(one, 4, 6, points);
    if (theirs > 1e-3) sum->point = fmax(sum->point, difference(ours.point[0], points, 6));
    v3_sub(apart, ours.point[1], ours.point[0]);
    v3_along(apart, apart, ours.normal, -ours.distance);
    assert_true(v3_length(apart) < 1e-12 && fabs(v3_length(ours.normal) - 1) < 1e-12);
    // the other way round
    assert_int_equal(tx_sim_distance(sim, 0, geom2, geom1, max, &turned), TX_OK);
    sum->turned = fmax(sum->turned, fabs(turned.distance - ours.distance));
}

static void test_against_mujoco(void **state) {
    json_error_t error;
    json_t *root = json_load_file(fixture, 0, &error), *scene, *one;
    if (!root) fail_msg("%s:%d: %s", fixture, error.line, error.text);
    tally sum = {0};
    size_t i, k;
    json_array_foreach(json_object_get(root, "scenes"), i, scene) {
        tx_model *model = model_of(json_string_value(json_object_get(scene, "xml")));
        tx_sim *sim = sim_of(model, 1, TX_TARGET_AUTO);
        assert_non_null(sim);
        json_array_foreach(json_object_get(scene, "rays"), k, one) compare_ray(sim, one, &sum);
        json_array_foreach(json_object_get(scene, "distances"), k, one) compare_distance(sim, one, &sum);
        tx_sim_destroy(sim);
        tx_model_destroy(model);
    }
    json_decref(root);
    printf("%d rays, %d hit: distance %.1e m, normal %.1e\n", sum.rays, sum.hits, sum.ray, sum.normal);
    printf("%d distances: %d beyond; apart %.1e m, points %.1e m; %d overlapping, %.1e m\n", sum.distances, sum.beyond,
           sum.apart, sum.point, sum.overlapping, sum.deep);
    assert_true(sum.hits > 100 && sum.distances > 100 && sum.overlapping > 20);
    assert_true(sum.ray <= 1e-9 && sum.normal <= 1e-9);
    assert_true(sum.apart <= 1e-9 && sum.deep <= 1e-9);
    // a point is known to the root of what the distance is known to
    assert_true(sum.point <= 1e-5 && sum.turned <= 1e-7);
}

// ---- more than MuJoCo's rays --------------------------------------------------------------------------------------

#define SHAPES                                                                                        \
    "<mujoco><asset><mesh name='cube' vertex='-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 " \
    "1 1 1' scale='0.5 0.5 0.5'/></asset><worldbody>"                                                 \
    "<body pos='0 0 0'><freejoint/><geom type='sphere' size='0.5'/></body>"                           \
    "<body pos='2 0 0'><freejoint/><geom type='box' size='0.5 0.5 0.5'/></body>"                      \
    "<body pos='4 0 0'><freejoint/><geom type='capsule' size='0.25 0.25'/></body>"                    \
    "<body pos='6 0 0'><freejoint/><geom type='cylinder' size='0.5 0.5'/></body>"                     \
    "<body pos='8 0 0'><freejoint/><geom type='ellipsoid' size='0.4 0.6 0.5'/></body>"                \
    "<body pos='10 0 0'><freejoint/><geom type='mesh' mesh='cube'/></body>"                           \
    "<geom type='plane' size='0 0 1' pos='0 0 -1'/></worldbody></mujoco>" // the plane is geom 0

// from 1e6 m away a ray down still meets every shape at its top, to the rounding of the distance
static void test_far_away(void **state) {
    tx_model *model = model_of(SHAPES);
    tx_sim *sim = sim_of(model, 1, TX_TARGET_AUTO);
    for (int i = 0; i < 6; i++) {
        double origin[3] = {2.0 * i, 0, 1e6}, down[3] = {0, 0, -1e-200};
        tx_ray_hit hit;
        assert_int_equal(tx_sim_ray(sim, 0, origin, down, NULL, &hit), TX_OK);
        assert_int_equal(hit.geom, i + 1);
        assert_true(fabs(hit.distance - (1e6 - 0.5)) <= 2e-10);
        assert_true(fabs(hit.normal[2] - 1) <= 1e-12);
    }
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// rays through the middle of the cube's faces run along the diagonals that split them: none slips through
static void test_no_gap_between_triangles(void **state) {
    tx_model *model = model_of(SHAPES);
    tx_sim *sim = sim_of(model, 1, TX_TARGET_AUTO);
    int missed = 0;
    for (int i = -20; i <= 20; i++) {
        for (int way = -1; way <= 1; way += 2) {
            double origin[3] = {10 + i / 41.0, way * i / 41.0, 3}, down[3] = {0, 0, -1};
            tx_ray_hit hit;
            assert_int_equal(tx_sim_ray(sim, 0, origin, down, NULL, &hit), TX_OK);
            missed += hit.geom != 6;
        }
    }
    assert_int_equal(missed, 0);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// many rays at once, in every environment and on every target: the bits of one ray at a time
static void test_same_bits(void **state) {
    enum { ENVS = 11, RAYS = 150 };
    tx_model *model = model_of(SHAPES);
    double origins[3 * RAYS], directions[3 * RAYS];
    for (int i = 0; i < RAYS; i++) {
        v3_set(origins + 3 * i, 0.13 * i - 5, 3 - 0.04 * i, 2 + 0.01 * i);
        v3_set(directions + 3 * i, 0.4 - 0.003 * i, 0.03 * i - 3, -2);
    }
    tx_ray_hit expected[RAYS], hits[RAYS];
    for (int t = TX_TARGET_SCALAR; t <= TX_TARGET_AVX512; t++) {
        tx_sim *sim = sim_of(model, ENVS, (tx_target_choice)t);
        if (!sim) continue;
        for (int e = 0; e < ENVS; e++) {
            memset(hits, 0, sizeof hits);
            assert_int_equal(tx_sim_rays(sim, e, RAYS, origins, directions, NULL, hits), TX_OK);
            if (t == TX_TARGET_SCALAR && e == 0) memcpy(expected, hits, sizeof hits);
            int differ = 0;
            for (int i = 0; i < RAYS; i++)
                differ += hits[i].geom != expected[i].geom || hits[i].distance != expected[i].distance ||
                          memcmp(hits[i].normal, expected[i].normal, sizeof hits[i].normal) != 0;
            assert_int_equal(differ, 0);
        }
        for (int i = 0; i < RAYS; i++) {
            tx_ray_hit alone;
            assert_int_equal(tx_sim_ray(sim, ENVS - 1, origins + 3 * i, directions + 3 * i, NULL, &alone), TX_OK);
            assert_true(alone.geom == expected[i].geom && alone.distance == expected[i].distance);
        }
        tx_sim_destroy(sim);
    }
    tx_model_destroy(model);
}

// a function of a place in a shape's frame that is zero on the surface, in units of the shape's size
static double level(int type, const double s[3], const double p[3]) {
    double across = sqrt(p[0] * p[0] + p[1] * p[1]), over = fmax(fabs(p[2]) - s[1], 0);
    double q[3] = {p[0] / s[0], p[1] / s[1], p[2] / s[2]};
    switch (type) {
    case TX_GEOM_SPHERE: return v3_length(p) / s[0] - 1;
    case TX_GEOM_CAPSULE: return sqrt(across * across + over * over) / s[0] - 1;
    case TX_GEOM_CYLINDER: return fmax(across / s[0], fabs(p[2]) / s[1]) - 1;
    case TX_GEOM_ELLIPSOID: return v3_length(q) - 1;
    default: return fmax(fabs(q[0]), fmax(fabs(q[1]), fabs(q[2]))) - 1;
    }
}

// half extent of a shape along an axis, less round ends
static double extent(int type, const double s[3], int axis) {
    bool round = type == TX_GEOM_CAPSULE || type == TX_GEOM_CYLINDER;
    if (type == TX_GEOM_SPHERE || (round && axis < 2)) return s[0];
    return round ? s[1] : s[axis];
}

static double uniform(uint64_t *seed) { // in [-1, 1)
    *seed += 0x9e3779b97f4a7c15ull;
    uint64_t x = (*seed ^ (*seed >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return (double)(int64_t)(x ^ (x >> 31)) * 0x1p-63;
}

// Random shapes from 1e-3 to 1e3 m, thin ones too: a ray at a point inside hits, the hit is on the surface, its normal
// points outwards, and of nineteen points before it none is on the other side.
static void test_hits_are_on_the_surface(void **state) {
    static const int TYPES[] = {TX_GEOM_SPHERE, TX_GEOM_CAPSULE, TX_GEOM_ELLIPSOID, TX_GEOM_CYLINDER, TX_GEOM_BOX};
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, centre[3];
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        int type = TYPES[i % 5];
        double size[3], from[3], to[3], d[3], normal[3], p[3], largest = 0, least = INFINITY;
        for (int k = 0; k < 3; k++) size[k] = exp(7 * uniform(&seed));
        for (int k = 0; k < 3; k++) {
            largest = fmax(largest, extent(type, size, k));
            least = fmin(least, extent(type, size, k));
            to[k] = 0.4 * extent(type, size, k) * uniform(&seed);
        }
        for (int k = 0; k < 3; k++) from[k] = 3 * largest * uniform(&seed);
        v3_sub(d, to, from);
        v3_normalise(d);
        tx_shape shape = {.type = type, .size = size, .pos = centre, .mat = identity};
        double t = tx_ray_shape(&shape, from, d, normal);
        assert_true(t >= 0);
        v3_along(p, from, d, t);
        assert_true(fabs(level(type, size, p)) <= 1e-14 * (1 + largest / least));
        bool inside = level(type, size, from) < 0;
        assert_true(inside ? v3_dot(normal, d) >= 0 : v3_dot(normal, d) <= 0);
        assert_true(fabs(v3_length(normal) - 1) < 1e-12);
        for (int k = 1; k < 20; k++) {
            v3_along(p, from, d, t * k / 20);
            assert_true(inside ? level(type, size, p) < 1e-9 : level(type, size, p) > -1e-9);
        }
    }
}

// ---- height fields and meshes that are not convex -----------------------------------------------------------------

// a field of 2 x 2 m that rises by 1/4 along x, and a corner of three cubes as a mesh (10, 0, 0) and as an sdf (20, 0,
// 0)
#define L_SHAPE                                                                                                        \
    "<mesh name='L' inertia='exact' vertex='0 0 0 2 0 0 2 1 0 1 1 0 1 2 0 0 2 0 0 0 1 2 0 1 2 1 1 1 1 1 1 2 1 0 2 1' " \
    "face='0 3 1 1 3 2 0 5 3 3 5 4 6 7 9 7 8 9 6 9 11 9 10 11 0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8 3 4 10 3 10 9 "      \
    "4 5 11 4 11 10 5 0 6 5 6 11'/>"
#define FIELD                                                                                                         \
    "<mujoco><asset><hfield name='slope' nrow='3' ncol='5' size='1 1 .5 .25' elevation='0 .25 .5 .75 1 0 .25 .5 .75 " \
    "1 "                                                                                                              \
    "0 .25 .5 .75 1'/>" L_SHAPE "</asset><worldbody><geom type='hfield' hfield='slope'/>"                             \
    "<geom type='sphere' size='.1' pos='0 0 2'/><geom type='mesh' mesh='L' pos='10 0 0'/>"                            \
    "<geom type='sdf' mesh='L' pos='20 0 0'/><geom type='sphere' size='.1' pos='21.6 1.6 .5'/></worldbody></mujoco>"

static tx_ray_hit ray(tx_sim *sim, double x, double y, double z, double dx, double dy, double dz) {
    const double origin[3] = {x, y, z}, direction[3] = {dx, dy, dz};
    tx_ray_hit hit;
    assert_int_equal(tx_sim_ray(sim, 0, origin, direction, NULL, &hit), TX_OK);
    return hit;
}

static void check_hit(tx_ray_hit hit, int geom, double distance, double nx, double ny, double nz) {
    const double normal[3] = {nx, ny, nz};
    double rounding = geom == 0 ? 1e-12 : 1e-6; // vertices of meshes have single precision
    assert_int_equal(hit.geom, geom);
    assert_true(fabs(hit.distance - distance) < rounding);
    assert_true(difference(hit.normal, normal, 3) < rounding);
}

// a field is the solid below its surface down to the base: from above, the sides, below, inside
static void test_ray_on_a_field(void **state) {
    tx_model *model = model_of(FIELD);
    tx_sim *sim = sim_of(model, 1, TX_TARGET_AUTO);
    double across = 1 / sqrt(17.0);
    check_hit(ray(sim, -0.3, 0.1, 1, 0, 0, -1), 0, 1 - 0.175, -across, 0, 4 * across);
    check_hit(ray(sim, 3, 0.3, 0.2, -1, 0, 0), 0, 2, 1, 0, 0);
    check_hit(ray(sim, 0.3, -3, 0.3, 0, 1, 0), 0, 2, 0, -1, 0);
    check_hit(ray(sim, 0.3, 0.3, -3, 0, 0, 1), 0, 2.75, 0, 0, -1);
    check_hit(ray(sim, 0.9, 0, 0, 1, 0, 0), 0, 0.1, 1, 0, 0);
    check_hit(ray(sim, 0.9, 0, 0, 0, 0, -1), 0, 0.25, 0, 0, -1);
    check_hit(ray(sim, 0, 0, 0, 0, 0, 1), 0, 0.25, -across, 0, 4 * across);
    // over the low wall onto the slope, and past it
    check_hit(ray(sim, -3, 0, 0.125, 1, 0, 0), 0, 2.5, -across, 0, 4 * across);
    assert_int_equal(ray(sim, -3, 0, 0.6, 1, 0, 0).geom, -1);
    assert_int_equal(ray(sim, 0.3, -3, 0.4, 0, 1, 0).geom, -1);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// the notch of the L is open to rays, for a mesh as for an sdf
static void test_ray_into_a_notch(void **state) {
    tx_model *model = model_of(FIELD);
    tx_sim *sim = sim_of(model, 1, TX_TARGET_AUTO);
    for (int geom = 2; geom <= 3; geom++) {
        double x = 10 * geom - 10;
        check_hit(ray(sim, x + 1.7, 1.45, 0.5, -1, 0, 0), geom, 0.7, 1, 0, 0);
        check_hit(ray(sim, x + 1.7, 1.45, 0.5, 0, -1, 0), geom, 0.45, 0, 1, 0);
        assert_int_equal(ray(sim, x + 1.3, 1.3, 5, 0, 0, -1).geom, -1);
    }
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// nearest points on the slope, in the notch, and overlap with both
static void test_distance_to_field_and_sdf(void **state) {
    tx_model *model = model_of(FIELD);
    tx_sim *sim = sim_of(model, 1, TX_TARGET_AUTO);
    tx_distance d, turned;
    int geoms[4], count;
    double slope = 4 / sqrt(17.0);
    assert_int_equal(tx_sim_distance(sim, 0, 0, 1, INFINITY, &d), TX_OK);
    assert_int_equal(tx_sim_distance(sim, 0, 1, 0, INFINITY, &turned), TX_OK);
    // the centre is 1.75 above the slope; its foot is inside the field
    assert_true(!d.beyond && fabs(d.distance - (1.75 * slope - 0.1)) < 1e-12 && turned.distance == d.distance);
    assert_true(fabs(d.normal[2] - slope) < 1e-12 && fabs(turned.normal[2] + slope) < 1e-12);
    for (int k = 0; k < 3; k++) assert_true(fabs(d.point[1][k] - d.point[0][k] - d.distance * d.normal[k]) < 1e-12);
    assert_int_equal(tx_sim_distance(sim, 0, 0, 1, 1.5, &d), TX_OK);
    assert_true(d.beyond && d.distance == 1.5);
    // 0.6 from both sides of the notch, within the error of the grid
    assert_int_equal(tx_sim_distance(sim, 0, 3, 4, INFINITY, &d), TX_OK);
    assert_true(fabs(d.distance - 0.5) < 1e-2);
    tx_query_shape ball = {.type = TX_GEOM_SPHERE, .size = {0.2}, .pos = {0, 0, 0.4}, .quat = {1}};
    assert_int_equal(tx_sim_overlap(sim, 0, &ball, NULL, geoms, 4, &count), TX_OK);
    assert_true(count == 1 && geoms[0] == 0);
    ball.pos[2] = 0.25 + 0.2 / slope + 1e-9;
    assert_int_equal(tx_sim_overlap(sim, 0, &ball, NULL, geoms, 4, &count), TX_OK);
    assert_int_equal(count, 0);
    v3_set(ball.pos, 21.5, 1.5, 0.5); // in the notch: the hull of the L would be touched
    assert_int_equal(tx_sim_overlap(sim, 0, &ball, NULL, geoms, 4, &count), TX_OK);
    assert_true(count == 1 && geoms[0] == 4);
    assert_int_equal(tx_sim_overlap(sim, 0, &(tx_query_shape){TX_GEOM_BOX, {0.6, 0.1, 0.1}, {21.5, 1.2, 0.5}, {1}},
                                    NULL, geoms, 4, &count),
                     TX_OK);
    assert_true(count == 1 && geoms[0] == 3);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// ---- overlaps -----------------------------------------------------------------------------------------------------

static void test_overlap(void **state) {
    tx_model *model = model_of(SHAPES);
    tx_sim *sim = sim_of(model, 9, TX_TARGET_AUTO);
    int geoms[8], count;
    // touches the box and the capsule, ends between the others
    tx_query_shape bar = {TX_GEOM_BOX, {1.3, 0.1, 0.1}, {3.2, 0, 0.2}, {2, 0, 0, 0}};
    assert_int_equal(tx_sim_overlap(sim, 8, &bar, NULL, geoms, 8, &count), TX_OK);
    assert_int_equal(count, 2);
    assert_true(geoms[0] == 2 && geoms[1] == 3);
    // a turn about z takes it out of both
    bar.quat[3] = 2;
    bar.pos[1] = 3;
    assert_int_equal(tx_sim_overlap(sim, 8, &bar, NULL, geoms, 8, &count), TX_OK);
    assert_int_equal(count, 0);

    // everything, then everything but what is filtered
    tx_query_shape ball = {.type = TX_GEOM_SPHERE, .size = {20}, .quat = {1}};
    tx_query_filter filter = tx_default_query_filter();
    assert_int_equal(tx_sim_overlap(sim, 0, &ball, NULL, geoms, 3, &count), TX_OK);
    assert_true(count == 7 && geoms[2] == 2);
    filter.fixed = false;
    filter.exclude_body = 3;
    assert_int_equal(tx_sim_overlap(sim, 0, &ball, &filter, geoms, 8, &count), TX_OK);
    assert_true(count == 5 && geoms[1] == 2 && geoms[2] == 4);

    // exactly at the distance that tx_sim_distance() tells, give or take 1e-9
    tx_query_shape probe = {.type = TX_GEOM_SPHERE, .size = {0.1}, .pos = {8, 0, 0.6}, .quat = {1}};
    for (int i = -1; i <= 1; i += 2) {
        probe.pos[2] = 0.6 + 1e-9 * i;
        assert_int_equal(tx_sim_overlap(sim, 0, &probe, NULL, geoms, 8, &count), TX_OK);
        assert_int_equal(count, i < 0);
    }
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// ---- bad input ----------------------------------------------------------------------------------------------------

static void test_bad_input(void **state) {
    tx_model *model = model_of(SHAPES);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    static const double good[3] = {0, 0, 1}, zero[3], bad[3][3] = {{NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, -NAN}};
    tx_ray_hit hit;
    tx_distance d;
    int geoms[2], count;
    tx_query_shape ball = {.type = TX_GEOM_SPHERE, .size = {1}, .quat = {1}};

    // nothing is placed before the first forward()
    assert_int_equal(tx_sim_ray(sim, 0, good, good, NULL, &hit), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_distance(sim, 0, 0, 1, 1, &d), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    assert_int_equal(tx_sim_ray(sim, 0, good, good, NULL, &hit), TX_OK);
    assert_int_equal(hit.geom, -1);

    assert_int_equal(tx_sim_ray(NULL, 0, good, good, NULL, &hit), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_ray(sim, 1, good, good, NULL, &hit), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_ray(sim, -1, good, good, NULL, &hit), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_ray(sim, 0, good, zero, NULL, &hit), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_ray(sim, 0, NULL, good, NULL, &hit), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_ray(sim, 0, good, good, NULL, NULL), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_rays(sim, 0, -1, good, good, NULL, &hit), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_rays(sim, 0, 0, good, good, NULL, &hit), TX_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(tx_sim_ray(sim, 0, bad[i], good, NULL, &hit), TX_ERROR_ARGUMENT);
        assert_int_equal(tx_sim_ray(sim, 0, good, bad[i], NULL, &hit), TX_ERROR_ARGUMENT);
    }

    assert_int_equal(tx_sim_distance(sim, 0, 0, 7, 1, &d), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_distance(sim, 0, -1, 1, 1, &d), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_distance(sim, 0, 1, 1, 1, &d), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_distance(sim, 0, 0, 1, NAN, &d), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_distance(sim, 0, 0, 1, 1, NULL), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_distance(sim, 0, 1, 2, INFINITY, &d), TX_OK);
    assert_true(fabs(d.distance - 1) < 1e-12);

    assert_int_equal(tx_sim_overlap(sim, 0, NULL, NULL, geoms, 2, &count), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_overlap(sim, 0, &ball, NULL, NULL, 2, &count), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_overlap(sim, 0, &ball, NULL, NULL, 0, &count), TX_OK);
    assert_int_equal(count, 2); // it reaches down to the plane
    ball.size[0] = 0;
    assert_int_equal(tx_sim_overlap(sim, 0, &ball, NULL, geoms, 2, &count), TX_ERROR_ARGUMENT);
    ball.size[0] = NAN;
    assert_int_equal(tx_sim_overlap(sim, 0, &ball, NULL, geoms, 2, &count), TX_ERROR_ARGUMENT);
    ball.size[0] = 1;
    ball.quat[0] = 0;
    assert_int_equal(tx_sim_overlap(sim, 0, &ball, NULL, geoms, 2, &count), TX_ERROR_ARGUMENT);
    ball.type = TX_GEOM_PLANE;
    assert_int_equal(tx_sim_overlap(sim, 0, &ball, NULL, geoms, 2, &count), TX_ERROR_UNSUPPORTED);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

// the Jacobian of a point is how it moves with each dof: central differences on a tree of all joints
static void test_jacobian(void **state) {
    tx_model *model = model_of(
        "<mujoco><worldbody><body pos='.1 .2 .3'><freejoint/><geom size='.1'/><body pos='.3 0 .1' euler='10 20 30'>"
        "<joint axis='1 2 3' pos='.05 0 0'/><geom size='.1'/><body pos='0 .2 .1'><joint type='slide' axis='1 0 1'/>"
        "<geom size='.1' pos='.1 0 0'/><body pos='.1 .1 0'><joint type='ball'/><geom size='.1' pos='0 0 .2'/></body>"
        "</body></body></body></worldbody></mujoco>");
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    enum { NV = 11, BODY = 4 };
    assert_int_equal(tx_model_size(model, TX_SIZE_NV), NV);
    const double local[3] = {0.2, -0.1, 0.3}, h = 1e-6;
    double *qpos = tx_sim_array(sim, TX_ARRAY_QPOS), *qvel = tx_sim_array(sim, TX_ARRAY_QVEL), start[13], point[2][3];
    tx_options options = tx_sim_options(sim);
    options.timestep = h, options.gravity = options.contact = false;
    assert_int_equal(tx_sim_set_options(sim, &options), TX_OK);
    qpos[7] = 0.4, qpos[8] = -0.2, qpos[9] = qpos[10] = 0.6, qpos[11] = -0.4, qpos[12] = sqrt(1 - 0.88);
    memcpy(start, qpos, sizeof start);
    double J[3 * NV], turn[3 * NV], at[3];
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    const double *pos = tx_sim_array(sim, TX_ARRAY_XPOS) + 3 * BODY, *mat = tx_sim_array(sim, TX_ARRAY_XMAT) + 9 * BODY;
    m3_mul(at, mat, local), v3_add(at, at, pos);
    assert_int_equal(tx_sim_jacobian(sim, 0, BODY, at, J, turn), TX_OK);
    for (int d = 0; d < NV; d++) {
        // a step at unit speed of the dof, forwards and backwards
        for (int side = 0; side < 2; side++) {
            memcpy(qpos, start, sizeof start);
            for (int k = 0; k < NV; k++) qvel[k] = k == d ? side * 2 - 1 : 0;
            assert_int_equal(tx_sim_step(sim), TX_OK);
            assert_int_equal(tx_sim_forward(sim), TX_OK);
            pos = tx_sim_array(sim, TX_ARRAY_XPOS) + 3 * BODY, mat = tx_sim_array(sim, TX_ARRAY_XMAT) + 9 * BODY;
            m3_mul(point[side], mat, local), v3_add(point[side], point[side], pos);
        }
        for (int k = 0; k < 3; k++) assert_true(fabs((point[1][k] - point[0][k]) / (2 * h) - J[k * NV + d]) < 1e-5);
    }
    tx_sim_destroy(sim), tx_model_destroy(model);
}

int main(int argc, char **argv) {
    if (argc > 1) fixture = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_mujoco),
        cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_no_gap_between_triangles),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_hits_are_on_the_surface),
        cmocka_unit_test(test_ray_on_a_field),
        cmocka_unit_test(test_ray_into_a_notch),
        cmocka_unit_test(test_distance_to_field_and_sdf),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_jacobian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
