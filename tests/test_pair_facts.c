// test_pair_facts.c - the closed-form pairs: degenerate shapes, symmetries, contacts that are known, and frames.
#include "collide/pair_convex.h"
#include "hits.h"
#include "hull_asset.h"
#include "random.h"
#include "turns.h"

//-------------------------------------------------------------------------------------------------- degenerate shapes

static void coincident_spheres_have_a_normal(void **state) {
    (void)state;
    double r1[1] = {0.2}, r2[1] = {0.3}, at[3] = {1, 2, 3};
    tx_shape a = shape(TX_GEOM_SPHERE, r1, at, identity), b = shape(TX_GEOM_SPHERE, r2, at, identity);
    tx_hit hits[TX_MAX_HITS];
    assert_int_equal(collide(&a, &b, 0, hits), 1);
    assert_sound(hits, 1);
    assert_true(hits[0].dist == -0.5 && hits[0].normal[0] == 1);

    // with other z axes it is their cross product: z x y = -x
    double turned[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};
    b.mat = turned;
    assert_int_equal(collide(&a, &b, 0, hits), 1);
    assert_true(hits[0].normal[0] == -1);
}

static void sphere_on_the_capsule_axis(void **state) {
    (void)state;
    double r[1] = {0.2}, capsule[2] = {0.1, 1}, origin[3] = {0}, on_axis[3] = {0, 0, 0.25};
    tx_shape a = shape(TX_GEOM_SPHERE, r, on_axis, identity), b = shape(TX_GEOM_CAPSULE, capsule, origin, identity);
    tx_hit hits[TX_MAX_HITS];
    assert_int_equal(collide(&a, &b, 0, hits), 1);
    assert_sound(hits, 1);
    assert_true(fabs(hits[0].dist + 0.3) < 1e-15);
    assert_true(hits[0].normal[2] == 0);
}

// a capsule without length is a sphere
static void capsules_without_length(void **state) {
    (void)state;
    double dot[2] = {0.2, 0}, rod[2] = {0.1, 1}, origin[3] = {0}, side[3] = {0.25, 0, 0.5}, half[3] = {1, 1, 1};
    tx_shape point = shape(TX_GEOM_CAPSULE, dot, side, identity), ball = shape(TX_GEOM_SPHERE, dot, side, identity);
    tx_shape others[] = {shape(TX_GEOM_PLANE, half, side, identity), shape(TX_GEOM_SPHERE, rod, origin, identity),
                         shape(TX_GEOM_CAPSULE, rod, origin, identity)};
    for (int i = 0; i < 3; i++) {
        tx_hit hits[TX_MAX_HITS], expected[TX_MAX_HITS];
        int swap = others[i].type == TX_GEOM_CAPSULE;
        assert_int_equal(swap ? collide(&ball, &others[i], 1, expected) : collide(&others[i], &ball, 1, expected), 1);
        int count = swap ? collide(&point, &others[i], 1, hits) : collide(&others[i], &point, 1, hits);
        assert_int_equal(count, others[i].type == TX_GEOM_PLANE ? 2 : 1);
        assert_sound(hits, count);
        assert_true(fabs(hits[0].dist - expected[0].dist) < 1e-15 &&
                    difference(hits[0].pos, expected[0].pos, 3) < 1e-15);
        assert_true(difference(hits[0].normal, expected[0].normal, 3) < 1e-15);
    }

    // as the second of two capsules, and against its like
    tx_hit hits[TX_MAX_HITS];
    assert_int_equal(collide(&others[2], &point, 1, hits), 1);
    assert_true(fabs(hits[0].dist + 0.05) < 1e-15 && hits[0].normal[0] == 1);
    assert_int_equal(collide(&point, &point, 0, hits), 1);
    assert_sound(hits, 1);
    assert_true(hits[0].dist == -0.4);
}

// from outside, on a face, inside, at the centre: the depth along x is continuous, the normal points into the box
static void sphere_through_a_box_face(void **state) {
    (void)state;
    double r[1] = {0.25}, half[3] = {1, 2, 3}, origin[3] = {0}, places[] = {1.125, 1, 0.875, 0.5};
    tx_hit hits[TX_MAX_HITS];
    for (int i = 0; i < 4; i++) {
        double at[3] = {places[i], 0.1, 0.2};
        tx_shape a = shape(TX_GEOM_SPHERE, r, at, identity), b = shape(TX_GEOM_BOX, half, origin, identity);
        assert_int_equal(collide(&a, &b, 0, hits), 1);
        assert_sound(hits, 1);
        assert_true(fabs(hits[0].dist - (places[i] - 1.25)) < 1e-15);
        assert_true(hits[0].normal[0] == -1);
        assert_true(fabs(hits[0].pos[0] - (places[i] + 0.75) / 2) < 1e-15);
    }
    // the centre is as far from both x faces: the first, whose inward normal is +x
    tx_shape a = shape(TX_GEOM_SPHERE, r, origin, identity), b = shape(TX_GEOM_BOX, half, origin, identity);
    assert_int_equal(collide(&a, &b, 0, hits), 1);
    assert_true(hits[0].normal[0] == 1 && hits[0].dist == -1.25);
    // a box without size is a point
    b.size = origin;
    assert_int_equal(collide(&a, &b, 0, hits), 1);
    assert_sound(hits, 1);
    assert_true(hits[0].dist == -0.25);
}

// each number of a pose, a used size or the margin that is not finite: no hits
static void non_finite_numbers_give_no_hits(void **state) {
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    const int sizes[TX_GEOM_COUNT] = {[TX_GEOM_SPHERE] = 1,
                                      [TX_GEOM_CAPSULE] = 2,
                                      [TX_GEOM_BOX] = 3,
                                      [TX_GEOM_CYLINDER] = 2,
                                      [TX_GEOM_ELLIPSOID] = 3};
    double corners[8][3];
    hull_asset hull;
    for (int i = 0; i < 24; i++) corners[i / 3][i % 3] = i / 3 >> i % 3 & 1 ? 0.5 : -0.5;
    assert_true(hull_asset_build(&hull, &corners[0][0], 8));
    for (int t1 = 0; t1 < TX_GEOM_COUNT; t1++) {
        for (int t2 = t1; t2 < TX_GEOM_COUNT; t2++) {
            // fields and meshes have their own tests
            if (!tx_pair_function(t1, t2) || t1 == TX_GEOM_HFIELD || t2 >= TX_GEOM_MESH) continue;
            for (int k = 0; k < 3 * 31; k++) {
                double s[31] = {0};
                for (int side = 0; side < 2; side++) {
                    for (int i = 0; i < 3; i++) s[15 * side + i] = 0.5;
                    memcpy(s + 15 * side + 6, identity, sizeof identity);
                }
                tx_shape a = shape(t1, s, s + 3, s + 6), b = shape(t2, s + 15, s + 18, s + 21);
                tx_hit hits[TX_MAX_HITS];
                a.asset = b.asset = &hull.asset;
                assert_true(collide(&a, &b, s[30], hits) > 0);
                int at = k % 31, used = at >= 15 ? sizes[t2] : sizes[t1];
                if (at < 30 && at % 15 >= used && at % 15 < 3) continue;
                s[at] = bad[k / 31];
                assert_int_equal(collide(&a, &b, s[30], hits), 0);
            }
        }
    }
    hull_asset_free(&hull);
}

//-------------------------------------------------------------------------------------------------- facts

// a point at exactly the margin is not a contact; a little nearer it is
static void margin_is_exclusive(void **state) {
    (void)state;
    double r[1] = {0.25}, origin[3] = {0}, size[3] = {1, 1, 1};
    const int types[] = {TX_GEOM_PLANE, TX_GEOM_SPHERE, TX_GEOM_BOX};
    const double reach[] = {0, 1, 1}; // of the other shape along z
    for (int i = 0; i < 3; i++) {
        double at[3] = {0, 0, reach[i] + 0.25 + 0.125};
        tx_shape other = shape(types[i], size, origin, identity), ball = shape(TX_GEOM_SPHERE, r, at, identity);
        const tx_shape *a = types[i] == TX_GEOM_BOX ? &ball : &other, *b = types[i] == TX_GEOM_BOX ? &other : &ball;
        tx_hit hits[TX_MAX_HITS];
        assert_int_equal(collide(a, b, 0.125, hits), 0);
        assert_int_equal(collide(a, b, 0.1250001, hits), 1);
        assert_true(hits[0].dist == 0.125);
        assert_true(hits[0].normal[2] == (types[i] == TX_GEOM_BOX ? -1 : 1));
        assert_true(hits[0].pos[2] == reach[i] + 0.0625);
    }
}

// swapping two equal types turns the normal round and leaves dist and pos
static void equal_types_are_symmetric(void **state) {
    (void)state;
    double size1[2] = {0.3, 0.5}, size2[2] = {0.2, 0.7}, p1[3] = {0.1, 0, 0.05}, p2[3] = {0.2, 0.3, -0.1};
    double tilted[9] = {0.8, 0, 0.6, 0, 1, 0, -0.6, 0, 0.8};
    for (int type = TX_GEOM_SPHERE; type <= TX_GEOM_CAPSULE; type++) {
        tx_shape a = shape(type, size1, p1, tilted), b = shape(type, size2, p2, identity);
        tx_hit there[TX_MAX_HITS], back[TX_MAX_HITS];
        assert_int_equal(collide(&a, &b, 0.1, there), 1);
        assert_int_equal(collide(&b, &a, 0.1, back), 1);
        assert_true(fabs(there->dist - back->dist) < 1e-15 && difference(there->pos, back->pos, 3) < 1e-15);
        double sum[3];
        v3_add(sum, there->normal, back->normal);
        assert_true(v3_length(sum) < 1e-15);
    }
}

static void parallel_capsules_touch_twice(void **state) {
    (void)state;
    double longer[2] = {0.1, 1}, shorter[2] = {0.1, 0.5}, p1[3] = {0}, p2[3] = {0.15, 0, 0.75};
    tx_shape a = shape(TX_GEOM_CAPSULE, longer, p1, identity), b = shape(TX_GEOM_CAPSULE, shorter, p2, identity);
    tx_hit hits[TX_MAX_HITS];
    assert_int_equal(collide(&a, &b, 0, hits), 2);
    assert_sound(hits, 2);
    // the lower end of the shorter one, then the upper end of the longer one
    assert_true(fabs(hits[0].pos[2] - 0.25) < 1e-15 && fabs(hits[1].pos[2] - 1) < 1e-15);
    assert_true(fabs(hits[0].dist + 0.05) < 1e-15 && fabs(hits[1].dist + 0.05) < 1e-15);
}

static void box_rests_on_four_corners(void **state) {
    (void)state;
    double half[3] = {0.5, 1, 0.25}, origin[3] = {0}, at[3] = {10, 20, 0.2};
    tx_shape plane = shape(TX_GEOM_PLANE, half, origin, identity), box = shape(TX_GEOM_BOX, half, at, identity);
    tx_hit hits[TX_MAX_HITS];
    assert_int_equal(collide(&plane, &box, 0, hits), 4);
    assert_sound(hits, 4);
    for (int i = 0; i < 4; i++) {
        double corner[3] = {10 + (i & 1 ? 0.5 : -0.5), 20 + (i & 2 ? 1 : -1), -0.025};
        assert_true(difference(hits[i].pos, corner, 3) < 1e-14 && fabs(hits[i].dist + 0.05) < 1e-15);
    }
    // below the plane by far: still the lower four
    at[2] = -5;
    assert_int_equal(collide(&plane, &box, 0, hits), 4);
    assert_true(fabs(hits[0].dist + 5.25) < 1e-15);
}

// longer than the face it lies on: a point at either side of that; without length: a ball
static void capsule_lies_on_a_box(void **state) {
    (void)state;
    double rod[2] = {0.25, 2}, dot[2] = {0.25, 0}, half[3] = {1, 2, 0.5}, origin[3] = {0}, at[3] = {0, 0.3, 0.7};
    double lying[9];
    turn(lying, 1, acos(-1) / 2);
    tx_shape capsule = shape(TX_GEOM_CAPSULE, rod, at, lying), box = shape(TX_GEOM_BOX, half, origin, identity);
    tx_hit hits[TX_MAX_HITS];
    assert_int_equal(collide(&capsule, &box, 0, hits), 2);
    assert_sound(hits, 2);
    for (int i = 0; i < 2; i++) {
        double expected[3] = {hits[i].pos[0] > 0 ? 1 : -1, 0.3, 0.475};
        assert_true(difference(hits[i].pos, expected, 3) < 1e-15 && fabs(hits[i].dist + 0.05) < 1e-15);
        assert_true(fabs(hits[i].normal[2] + 1) < 1e-15);
    }
    assert_true(hits[0].pos[0] * hits[1].pos[0] < 0);

    // a tilt lifts one of them out
    turn(lying, 1, acos(-1) / 2 + 0.06);
    assert_int_equal(collide(&capsule, &box, 0, hits), 1);
    assert_int_equal(collide(&capsule, &box, 0.1, hits), 2);

    capsule = shape(TX_GEOM_CAPSULE, dot, at, identity);
    tx_shape ball = shape(TX_GEOM_SPHERE, dot, at, identity);
    tx_hit expected[TX_MAX_HITS];
    for (at[0] = 0.9; at[0] < 1.3; at[0] += 0.01) {
        int count = collide(&ball, &box, 0, expected);
        assert_int_equal(collide(&capsule, &box, 0, hits), count);
        if (count) assert_true(fabs(hits->dist - expected->dist) < 1e-15);
    }
    // smaller than a hair and standing off a corner: still found, as MuJoCo does with larger ones twice
    double hair[2] = {2e-5, 1e-5}, crumb[3] = {1e-5, 1e-5, 1e-5}, near[3] = {2e-5, 2e-5, 2.5e-5};
    capsule = shape(TX_GEOM_CAPSULE, hair, near, identity), box = shape(TX_GEOM_BOX, crumb, origin, identity);
    assert_int_equal(collide(&capsule, &box, 0, hits), 2);
    assert_true(fabs(hits->dist - (sqrt(2.25) - 2) * 1e-5) < 1e-18);
}

// two cubes one on the other: four corners; turned by 45 degrees the octagon common to both faces
static void boxes_meet_face_to_face(void **state) {
    (void)state;
    double half[3] = {1, 1, 1}, smaller[3] = {0.5, 0.25, 1}, origin[3] = {0}, at[3] = {0, 0, 1.9}, turned[9];
    tx_shape below = shape(TX_GEOM_BOX, half, origin, identity), above = shape(TX_GEOM_BOX, smaller, at, identity);
    tx_hit hits[TX_MAX_HITS];
    assert_int_equal(collide(&below, &above, 0, hits), 4);
    assert_sound(hits, 4);
    for (int i = 0; i < 4; i++) {
        double corner[3] = {i == 0 || i == 3 ? 0.5 : -0.5, i < 2 ? 0.25 : -0.25, 0.95};
        assert_true(difference(hits[i].pos, corner, 3) < 1e-15 && fabs(hits[i].dist + 0.1) < 1e-15);
        assert_true(hits[i].normal[2] == 1);
    }
    turn(turned, 2, acos(-1) / 4);
    above = shape(TX_GEOM_BOX, half, at, turned);
    assert_int_equal(collide(&below, &above, 0, hits), 8);
    assert_sound(hits, 8);
    for (int i = 0; i < 8; i++) {
        double x = fabs(hits[i].pos[0]), y = fabs(hits[i].pos[1]);
        assert_true(fabs(fmax(x, y) - 1) < 1e-15 && fabs(fmin(x, y) - (sqrt(2) - 1)) < 1e-15);
        assert_true(fabs(hits[i].dist + 0.1) < 1e-15);
    }
    // barely in touch, the manifold keeps its points for any tiny tilt
    for (double tilt = 1e-17; tilt < 1e-6; tilt *= 3) {
        turn(turned, 0, tilt);
        at[2] = 2 - 1e-5;
        assert_int_equal(collide(&below, &above, 0, hits), 4);
        assert_sound(hits, 4);
    }
}

// an edge along x under an edge along y: one point where they cross; and the same seen from the other box
// boxes that share an edge touch at its ends: corners on the side that cuts are not cut off
static void boxes_share_an_edge(void **state) {
    (void)state;
    double half[3] = {1, 0.5, 0.25}, origin[3] = {0}, beside[3] = {2, 0, 0.5};
    tx_shape a = shape(TX_GEOM_BOX, half, origin, identity), b = shape(TX_GEOM_BOX, half, beside, identity);
    tx_hit hits[TX_MAX_HITS];
    assert_int_equal(collide(&a, &b, 0.1, hits), 2);
    assert_sound(hits, 2);
    for (int i = 0; i < 2; i++) {
        assert_true(hits[i].dist == 0 && hits[i].pos[0] == 1 && hits[i].pos[2] == 0.25);
        assert_true(fabs(hits[i].pos[1]) == 0.5);
    }
    assert_true(hits[0].pos[1] == -hits[1].pos[1]);
}

static void boxes_meet_edge_to_edge(void **state) {
    (void)state;
    double half[3] = {1, 1, 1}, origin[3] = {0}, at[3] = {0.2, -0.3, sqrt(8) - 0.1}, about_x[9], about_y[9];
    turn(about_x, 0, acos(-1) / 4);
    turn(about_y, 1, acos(-1) / 4);
    tx_shape below = shape(TX_GEOM_BOX, half, origin, about_x), above = shape(TX_GEOM_BOX, half, at, about_y);
    double expected[3] = {0.2, 0, sqrt(2) - 0.05}, up[3] = {0, 0, 1};
    for (int swap = 0; swap < 2; swap++) {
        tx_hit hits[TX_MAX_HITS];
        assert_int_equal(collide(swap ? &above : &below, swap ? &below : &above, 0, hits), 1);
        assert_sound(hits, 1);
        assert_true(fabs(hits[0].dist + 0.1) < 1e-15 && difference(hits[0].pos, expected, 3) < 1e-15);
        if (swap) v3_scale(hits[0].normal, hits[0].normal, -1);
        assert_true(difference(hits[0].normal, up, 3) < 1e-15);
    }
}

static double uniform(uint64_t *seed) { return random_between(seed, 0, 1); }

// any sizes, from zero to a million, in any pose: finite numbers, unit normals, and nothing beyond the margin
static void extreme_shapes_give_sound_hits(void **state) {
    (void)state;
    const double scales[] = {0, 1e-9, 1e-4, 1, 1, 1e6};
    uint64_t seed = 5;
    // meshes: a sliver, a crumb and a giant
    const double stretch[3][3] = {{1, 1, 1e-6}, {1e-5, 1e-5, 1e-5}, {1e6, 1e6, 1e6}};
    double corners[3][20][3];
    hull_asset hull[3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 60; k++) corners[i][k / 3][k % 3] = (uniform(&seed) - 0.5) * stretch[i][k % 3];
        assert_true(hull_asset_build(&hull[i], &corners[i][0][0], 20));
    }
    for (int n = 0; n < 200000; n++) {
        int t1 = (int)(uniform(&seed) * TX_GEOM_COUNT), t2 = (int)(uniform(&seed) * TX_GEOM_COUNT);
        if (t1 > t2 || !tx_pair_function(t1, t2)) continue;
        double s[2][6], mat[2][9], scale = scales[(int)(uniform(&seed) * 6)];
        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < 3; k++) {
                s[side][k] = uniform(&seed) * scales[(int)(uniform(&seed) * 6)];
                s[side][3 + k] = (uniform(&seed) - 0.5) * scale;
            }
            turn(mat[side], n % 3, uniform(&seed) < 0.3 ? 0 : uniform(&seed) * 7);
        }
        tx_shape a = shape(t1, s[0], s[0] + 3, mat[0]), b = shape(t2, s[1], s[1] + 3, mat[1]);
        a.asset = &hull[n % 3].asset, b.asset = &hull[n / 3 % 3].asset;
        tx_hit hits[TX_MAX_HITS];
        double margin = uniform(&seed) < 0.5 ? 0 : scale;
        int count = collide(&a, &b, margin, hits);
        assert_sound(hits, count);
        for (int i = 0; i < count; i++) assert_true(hits[i].dist < margin);
    }
    for (int i = 0; i < 3; i++) hull_asset_free(&hull[i]);
}

static void frame_follows_the_wish(void **state) {
    (void)state;
    const double zero[3] = {0}, ones[3] = {1, 1, 1};
    double frame[9], expected_z[9] = {0, 0, 1, 0, 1, 0, -1, 0, 0}, expected_y[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0};
    tx_frame_make((double[3]){0, 0, 2}, zero, frame);
    assert_true(difference(frame, expected_z, 9) < 1e-15);
    tx_frame_make((double[3]){0, 1, 0}, zero, frame);
    assert_true(difference(frame, expected_y, 9) < 1e-15);
    tx_frame_make((double[3]){0, 0, 1}, ones, frame);
    assert_true(fabs(frame[3] - sqrt(0.5)) < 1e-15 && fabs(frame[5]) < 1e-15);

    // a wish along the normal, or nearly: still a frame; on a level plane MuJoCo's world x
    tx_frame_make((double[3]){0, 0, 1}, (double[3]){0, 0, -1}, frame);
    assert_true(frame[3] == 1 && frame[7] == 1);
    for (double off = 1; off > 1e-18; off *= 0.1) {
        for (int i = 0; i < 3; i++) {
            double normal[3] = {0.6, 0, 0.8}, wish[3] = {0.6, 0, 0.8};
            if (i == 1) v3_set(normal, 1, 0, 0);
            if (i == 1) v3_set(wish, 1, 0, 0);
            wish[i] += off;
            tx_frame_make(normal, wish, frame);
            assert_true(frame_defect(frame) < 1e-12);
        }
    }
}

// ---------------------------------------------------------------------------------------------- what separated a pair

// A capsule and a cylinder side by side, both upright, the first turned about z: what is kept of a search points from
// the first to the second in the frame of the first; nothing is where they are near, and it hides no contact
static void what_separates_is_kept(void **state) {
    (void)state;
    double rod[2] = {0.3, 0.5}, can[2] = {0.2, 0.4}, quarter[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    for (int order = 0; order < 2; order++)
        for (int k = 0; k < 3; k++) {
            const double apart = (double[]){1, 0.55, 0.45}[k], margin = 0.1; // radii of 0.5 together
            double origin[3] = {0}, aside[3] = {apart, 0, 0};
            tx_shape a = shape(order ? TX_GEOM_CYLINDER : TX_GEOM_CAPSULE, order ? can : rod, origin, quarter);
            tx_shape b = shape(order ? TX_GEOM_CAPSULE : TX_GEOM_CYLINDER, order ? rod : can, aside, identity);
            tx_hit hits[TX_MAX_HITS], expected[TX_MAX_HITS];
            float axis[3] = {0, -1, 0}; // world x
            tx_narrow how = tx_default_narrow();
            const int count = tx_pair_convex_hits(&a, &b, margin, &how, expected);
            assert_true((count > 0) == (apart < 0.6));
            how.axis = axis;
            for (int again = 0; again < 3; again++) {
                assert_int_equal(tx_pair_convex_hits(&a, &b, margin, &how, hits), count);
                for (int i = 0; i < count; i++) {
                    assert_true(hits[i].dist == expected[i].dist);
                    assert_memory_equal(hits[i].pos, expected[i].pos, sizeof hits[i].pos);
                }
                const double length = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
                assert_true(count ? length == 0 : fabs(length - 1) < 1e-6);
                if (!count) assert_true(-axis[1] > 0);           // each has its centre in it
                if (again == 0) axis[0] = axis[1] = axis[2] = 0; // once more from nothing, then with what that found
            }
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coincident_spheres_have_a_normal), cmocka_unit_test(sphere_on_the_capsule_axis),
        cmocka_unit_test(capsules_without_length),          cmocka_unit_test(sphere_through_a_box_face),
        cmocka_unit_test(non_finite_numbers_give_no_hits),  cmocka_unit_test(margin_is_exclusive),
        cmocka_unit_test(equal_types_are_symmetric),        cmocka_unit_test(parallel_capsules_touch_twice),
        cmocka_unit_test(box_rests_on_four_corners),        cmocka_unit_test(capsule_lies_on_a_box),
        cmocka_unit_test(boxes_meet_face_to_face),          cmocka_unit_test(boxes_share_an_edge),
        cmocka_unit_test(boxes_meet_edge_to_edge),          cmocka_unit_test(extreme_shapes_give_sound_hits),
        cmocka_unit_test(frame_follows_the_wish),           cmocka_unit_test(what_separates_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
