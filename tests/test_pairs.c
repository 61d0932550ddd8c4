// test_pairs.c - the closed-form pairs: MuJoCo's contacts on a fixture (or on the file named on the command line),
// degenerate shapes, symmetries, and the table.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "collide/frame.h"
#include "collide/pairs.h"
#include "geometry/vec3.h"
#include "hull_asset.h"
#include "random.h"

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static tx_shape shape(int type, const double *size, const double *pos, const double *mat) {
    return (tx_shape){.type = type, .size = size, .pos = pos, .mat = mat};
}

static int collide(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    return tx_pair_function(a->type, b->type)(a, b, margin, hits);
}

static double difference(const double *a, const double *b, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

// how far the rows are from a right-handed orthonormal frame
static double frame_defect(const double f[9]) {
    double cross[3];
    v3_cross(cross, f, f + 3);
    double defect = difference(cross, f + 6, 3);
    for (int i = 0; i < 3; i++) {
        defect = fmax(defect, fabs(v3_dot(f + 3 * i, f + 3 * i) - 1));
        defect = fmax(defect, fabs(v3_dot(f + 3 * i, f + (3 * i + 3) % 9)));
    }
    return defect;
}

static void assert_sound(const tx_hit *hits, int count) {
    assert_in_range(count, 0, TX_MAX_HITS);
    for (int i = 0; i < count; i++) {
        assert_true(isfinite(hits[i].dist) && v_finite(hits[i].pos, 3) && v_finite(hits[i].tangent, 3));
        assert_true(fabs(v3_length(hits[i].normal) - 1) < 1e-12);
        double frame[9];
        tx_frame_make(hits[i].normal, hits[i].tangent, frame);
        assert_true(frame_defect(frame) < 1e-12);
    }
}

//-------------------------------------------------------------------------------------------------- the fixture

typedef struct tally {
    char pair[32];
    int cases, contacts, sets_differ;
    int knife_edges; // the sets differ in points within 1e-12 of the margin (MuJoCo's broad phase drops some of these)
    int ties;        // two answers are equally good, and a nudge of 1e-9 m gives the reference's
    int equally_low; // several corners of a mesh are the lowest
    int corrected;   // the reference's points are not on the shape, ours are
    int skewed;      // the reference's own frame is not orthonormal, so its tangents are not compared
    double dist, normal, pos, tangent; // largest errors
} tally;

static void read_numbers(const json_t *array, double *out, size_t n) {
    assert_int_equal(json_array_size(array), n);
    for (size_t i = 0; i < n; i++) out[i] = json_number_value(json_array_get(array, i));
}

static int type_named(const char *name, size_t length) {
    for (int t = 0; t < TX_GEOM_TYPES; t++) {
        if (strlen(tx_shape_name(t)) == length && memcmp(tx_shape_name(t), name, length) == 0) return t;
    }
    fail_msg("no shape is called %.*s", (int)length, name);
    return -1;
}

static void compare_contact(const tx_hit *hit, const double reference[13], tally *sum) {
    double frame[9];
    tx_frame_make(hit->normal, hit->tangent, frame);
    sum->contacts++;
    sum->dist = fmax(sum->dist, fabs(hit->dist - reference[0]));
    sum->pos = fmax(sum->pos, difference(hit->pos, reference + 1, 3));
    sum->normal = fmax(sum->normal, difference(frame, reference + 4, 3));
    assert_true(frame_defect(frame) < 1e-12);
    if (frame_defect(reference + 4) > 1e-10) {
        sum->skewed++;
    } else {
        sum->tangent = fmax(sum->tangent, difference(frame + 3, reference + 7, 6));
    }
}

static bool same_contact(const tx_hit *hit, const double reference[13], double tolerance) {
    return fabs(hit->dist - reference[0]) <= tolerance && difference(hit->pos, reference + 1, 3) <= tolerance &&
           difference(hit->normal, reference + 4, 3) <= tolerance;
}

// which of the reference's contacts are ours, a bit each
static int found_among(const tx_hit *hits, int count, double reference[][13], int expected, double tolerance) {
    int found = 0;
    for (int i = 0; i < expected && count == expected; i++)
        found |= same_contact(&hits[i], reference[i], tolerance) << i;
    return found;
}

// whether the reference's contacts are ours after tiny moves of the second shape
static bool tied(const tx_shape shapes[2], double margin, double reference[][13], int expected) {
    int found = 0;
    for (int k = 0; k < 7; k++) {
        double pos[3];
        tx_shape nudged = shapes[1];
        tx_hit hits[TX_MAX_HITS];
        v3_copy(pos, shapes[1].pos);
        if (k < 6) pos[k / 2] += k % 2 ? 1e-9 : -1e-9;
        nudged.pos = pos;
        int count = collide(&shapes[0], &nudged, margin, hits);
        found |= found_among(hits, count, reference, expected, 1e-8);
        if (found == (1 << expected) - 1 && (expected || !count)) return true;
    }
    return false;
}

static int surely_within(const tx_hit *hits, int count, double margin) {
    int sure = 0;
    for (int i = 0; i < count; i++) sure += hits[i].dist < margin - 1e-12;
    return sure;
}

// Of a mesh the lowest corner is unique; which others are taken is not (MuJoCo's follow the order of its hull). So: the
// same depth, the same lowest corner where no other is as low, and only corners of the mesh
static void compare_mesh(const tx_shape shapes[2], double margin, double reference[][13], int expected, tally *sum) {
    tx_hit hits[TX_MAX_HITS];
    int count = collide(&shapes[0], &shapes[1], margin, hits), lowest = 0, as_low = 0;
    sum->cases++;
    if ((count > 0) != (expected > 0)) {
        if (fabs((count ? hits[0].dist : reference[0][0]) - margin) < 1e-12) sum->knife_edges++;
        else sum->sets_differ++;
    }
    if (!count || !expected) return;
    assert_sound(hits, count);
    for (int i = 0; i < count; i++)
        if (hits[i].dist < hits[lowest].dist) lowest = i;

    const tx_asset *mesh = shapes[1].asset;
    double nearest[TX_MAX_HITS], at[3], corner[3], offset[3];
    for (int i = 0; i < count; i++) nearest[i] = INFINITY;
    for (int k = 0; k < mesh->corner_count; k++) {
        m3_mul(corner, shapes[1].mat, mesh->vertex + 3 * mesh->corner[k]);
        v3_add(corner, corner, shapes[1].pos);
        v3_sub(offset, corner, shapes[0].pos);
        as_low += v3_dot(offset, hits[lowest].normal) < hits[lowest].dist + 1e-9;
        for (int i = 0; i < count; i++) {
            v3_along(at, hits[i].pos, hits[i].normal, hits[i].dist / 2);
            nearest[i] = fmin(nearest[i], difference(at, corner, 3));
        }
    }
    for (int i = 0; i < count; i++) sum->pos = fmax(sum->pos, nearest[i]);
    sum->contacts += count;
    sum->equally_low += as_low > 1;
    sum->dist = fmax(sum->dist, fabs(hits[lowest].dist - reference[0][0]));
    sum->normal = fmax(sum->normal, difference(hits[lowest].normal, reference[0] + 4, 3));
    if (as_low == 1) sum->pos = fmax(sum->pos, difference(hits[lowest].pos, reference[0] + 1, 3));
}

// how far the cylinder's point of a contact with a plane is from the cylinder's rim circles
static double off_the_rim(const tx_shape *cylinder, double dist, const double pos[3], const double normal[3]) {
    double at[3], local[3];
    v3_along(at, pos, normal, dist / 2);
    v3_sub(at, at, cylinder->pos);
    m3_mul_transposed(local, cylinder->mat, at);
    double across = fabs(sqrt(local[0] * local[0] + local[1] * local[1]) - cylinder->size[0]);
    return fmax(across, fabs(fabs(local[2]) - cylinder->size[1]));
}

// whether the reference's points are not on the rims (MuJoCo, when a cylinder nearly stands) and ours are
static bool better_than_reference(const tx_shape *b, const tx_hit *hits, int count, double reference[][13]) {
    double ours = 0, theirs = 0;
    if (b->type != TX_CYLINDER) return false;
    for (int i = 0; i < count; i++) {
        ours = fmax(ours, off_the_rim(b, hits[i].dist, hits[i].pos, hits[i].normal));
        theirs = fmax(theirs, off_the_rim(b, reference[i][0], reference[i] + 1, reference[i] + 4));
    }
    return theirs > 1e-10 && ours < 1e-13;
}

static void compare_case(const json_t *one, size_t index, tally *sum) {
    double s[2][15];
    tx_shape shapes[2];
    const char *dash = strchr(sum->pair, '-');
    for (int i = 0; i < 2; i++) {
        read_numbers(json_array_get(json_object_get(one, "shapes"), (size_t)i), s[i], 15);
        int type = i == 0 ? type_named(sum->pair, (size_t)(dash - sum->pair)) : type_named(dash + 1, strlen(dash + 1));
        shapes[i] = shape(type, s[i], s[i] + 3, s[i] + 6);
    }
    double margin = json_number_value(json_object_get(one, "margin"));
    const json_t *contacts = json_object_get(one, "contacts"), *mesh = json_object_get(one, "mesh");
    int expected = (int)json_array_size(contacts), sure_expected = 0;
    assert_in_range(expected, 0, TX_MAX_HITS);
    double reference[TX_MAX_HITS][13];
    for (int i = 0; i < expected; i++) read_numbers(json_array_get(contacts, (size_t)i), reference[i], 13);
    for (int i = 0; i < expected; i++) sure_expected += reference[i][0] < margin - 1e-12;
    if (mesh) {
        double points[3 * 64];
        hull_asset hull;
        size_t numbers = json_array_size(mesh);
        assert_in_range(numbers, 12, 3 * 64);
        read_numbers(mesh, points, numbers);
        assert_true(hull_asset_build(&hull, points, (int)numbers / 3));
        shapes[1].asset = &hull.asset;
        compare_mesh(shapes, margin, reference, expected, sum);
        tx_hull_free(&hull.hull);
        return;
    }
    tx_hit hits[TX_MAX_HITS];
    int count = collide(&shapes[0], &shapes[1], margin, hits);

    sum->cases++;
    bool found = found_among(hits, count, reference, expected, 1e-8) == (1 << expected) - 1;
    if (count != expected && surely_within(hits, count, margin) == sure_expected) {
        sum->knife_edges++;
    } else if (!found && tied(shapes, margin, reference, expected)) {
        sum->ties++;
    } else if (count == expected && shapes[0].type == TX_PLANE &&
               better_than_reference(&shapes[1], hits, count, reference)) {
        sum->corrected++;
    } else if (count == expected) {
        for (int i = 0; i < count; i++) compare_contact(&hits[i], reference[i], sum);
    } else {
        sum->sets_differ++;
        print_message("case %zu, %s: %d contacts, reference %d\n", index, sum->pair, count, expected);
    }
}

static tally *tally_of(tally *sums, int *count, const char *pair) {
    for (int i = 0; i < *count; i++) {
        if (strcmp(sums[i].pair, pair) == 0) return &sums[i];
    }
    assert_in_range(*count, 0, 15);
    assert_in_range(strlen(pair), 1, sizeof sums->pair - 1);
    tally *sum = &sums[(*count)++];
    *sum = (tally){0};
    strcpy(sum->pair, pair);
    return sum;
}

// every contact exists in both with the same frame: dist and normal 1e-9, pos 1e-8 (acceptance B1)
static void fixture_agrees(void **state) {
    const char *path = *state;
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (!root) fail_msg("%s:%d: %s", path, error.line, error.text);
    tally sums[16];
    int count = 0;
    size_t index;
    json_t *one;
    json_array_foreach(json_object_get(root, "cases"), index, one) {
        compare_case(one, index, tally_of(sums, &count, json_string_value(json_object_get(one, "pair"))));
    }
    json_decref(root);

    for (int i = 0; i < count; i++) {
        const tally *t = &sums[i];
        print_message(
            "%-16s %d cases, %d contacts, %d differ, %d ties, %d knife edges, %d skewed, %d equally low, %d corrected; "
            "dist %.1e normal %.1e pos %.1e tangent %.1e\n",
            t->pair, t->cases, t->contacts, t->sets_differ, t->ties, t->knife_edges, t->skewed, t->equally_low,
            t->corrected, t->dist, t->normal, t->pos, t->tangent);
    }
    assert_int_equal(count, 13);
    for (int i = 0; i < count; i++) {
        assert_int_equal(sums[i].sets_differ, 0);
        assert_true(sums[i].ties * 100 <= sums[i].cases);
        assert_true(sums[i].dist <= 1e-9 && sums[i].normal <= 1e-9 && sums[i].pos <= 1e-8 && sums[i].tangent <= 1e-9);
    }
}

//-------------------------------------------------------------------------------------------------- degenerate shapes

static void coincident_spheres_have_a_normal(void **state) {
    (void)state;
    double r1[1] = {0.2}, r2[1] = {0.3}, at[3] = {1, 2, 3};
    tx_shape a = shape(TX_SPHERE, r1, at, identity), b = shape(TX_SPHERE, r2, at, identity);
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
    tx_shape a = shape(TX_SPHERE, r, on_axis, identity), b = shape(TX_CAPSULE, capsule, origin, identity);
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
    tx_shape point = shape(TX_CAPSULE, dot, side, identity), ball = shape(TX_SPHERE, dot, side, identity);
    tx_shape others[] = {shape(TX_PLANE, half, side, identity), shape(TX_SPHERE, rod, origin, identity),
                         shape(TX_CAPSULE, rod, origin, identity)};
    for (int i = 0; i < 3; i++) {
        tx_hit hits[TX_MAX_HITS], expected[TX_MAX_HITS];
        int swap = others[i].type == TX_CAPSULE;
        assert_int_equal(swap ? collide(&ball, &others[i], 1, expected) : collide(&others[i], &ball, 1, expected), 1);
        int count = swap ? collide(&point, &others[i], 1, hits) : collide(&others[i], &point, 1, hits);
        assert_int_equal(count, others[i].type == TX_PLANE ? 2 : 1);
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
        tx_shape a = shape(TX_SPHERE, r, at, identity), b = shape(TX_BOX, half, origin, identity);
        assert_int_equal(collide(&a, &b, 0, hits), 1);
        assert_sound(hits, 1);
        assert_true(fabs(hits[0].dist - (places[i] - 1.25)) < 1e-15);
        assert_true(hits[0].normal[0] == -1);
        assert_true(fabs(hits[0].pos[0] - (places[i] + 0.75) / 2) < 1e-15);
    }
    // the centre is as far from both x faces: the first, whose inward normal is +x
    tx_shape a = shape(TX_SPHERE, r, origin, identity), b = shape(TX_BOX, half, origin, identity);
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
    const int sizes[TX_GEOM_TYPES] = {
        [TX_SPHERE] = 1, [TX_CAPSULE] = 2, [TX_BOX] = 3, [TX_CYLINDER] = 2, [TX_ELLIPSOID] = 3};
    double corners[8][3];
    hull_asset hull;
    for (int i = 0; i < 24; i++) corners[i / 3][i % 3] = i / 3 >> i % 3 & 1 ? 0.5 : -0.5;
    assert_true(hull_asset_build(&hull, &corners[0][0], 8));
    for (int t1 = 0; t1 < TX_GEOM_TYPES; t1++) {
        for (int t2 = t1; t2 < TX_GEOM_TYPES; t2++) {
            // fields and meshes have their own tests
            if (!tx_pair_function(t1, t2) || t1 == TX_HFIELD || t2 >= TX_MESH) continue;
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
    tx_hull_free(&hull.hull);
}

//-------------------------------------------------------------------------------------------------- facts

// a point at exactly the margin is not a contact; a little nearer it is
static void margin_is_exclusive(void **state) {
    (void)state;
    double r[1] = {0.25}, origin[3] = {0}, size[3] = {1, 1, 1};
    const int types[] = {TX_PLANE, TX_SPHERE, TX_BOX};
    const double reach[] = {0, 1, 1}; // of the other shape along z
    for (int i = 0; i < 3; i++) {
        double at[3] = {0, 0, reach[i] + 0.25 + 0.125};
        tx_shape other = shape(types[i], size, origin, identity), ball = shape(TX_SPHERE, r, at, identity);
        const tx_shape *a = types[i] == TX_BOX ? &ball : &other, *b = types[i] == TX_BOX ? &other : &ball;
        tx_hit hits[TX_MAX_HITS];
        assert_int_equal(collide(a, b, 0.125, hits), 0);
        assert_int_equal(collide(a, b, 0.1250001, hits), 1);
        assert_true(hits[0].dist == 0.125);
        assert_true(hits[0].normal[2] == (types[i] == TX_BOX ? -1 : 1));
        assert_true(hits[0].pos[2] == reach[i] + 0.0625);
    }
}

// swapping two equal types turns the normal round and leaves dist and pos
static void equal_types_are_symmetric(void **state) {
    (void)state;
    double size1[2] = {0.3, 0.5}, size2[2] = {0.2, 0.7}, p1[3] = {0.1, 0, 0.05}, p2[3] = {0.2, 0.3, -0.1};
    double tilted[9] = {0.8, 0, 0.6, 0, 1, 0, -0.6, 0, 0.8};
    for (int type = TX_SPHERE; type <= TX_CAPSULE; type++) {
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
    tx_shape a = shape(TX_CAPSULE, longer, p1, identity), b = shape(TX_CAPSULE, shorter, p2, identity);
    tx_hit hits[TX_MAX_HITS];
    assert_int_equal(collide(&a, &b, 0, hits), 2);
    assert_sound(hits, 2);
    // the upper end of the longer one, then the lower end of the shorter one
    assert_true(fabs(hits[0].pos[2] - 1) < 1e-15 && fabs(hits[1].pos[2] - 0.25) < 1e-15);
    assert_true(fabs(hits[0].dist + 0.05) < 1e-15 && fabs(hits[1].dist + 0.05) < 1e-15);
}

static void box_rests_on_four_corners(void **state) {
    (void)state;
    double half[3] = {0.5, 1, 0.25}, origin[3] = {0}, at[3] = {10, 20, 0.2};
    tx_shape plane = shape(TX_PLANE, half, origin, identity), box = shape(TX_BOX, half, at, identity);
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

// a rotation about a world axis
static void turn(double mat[9], int axis, double angle) {
    int j = (axis + 1) % 3, k = (axis + 2) % 3;
    memcpy(mat, identity, sizeof identity);
    mat[4 * j] = mat[4 * k] = cos(angle);
    mat[3 * j + k] = -sin(angle);
    mat[3 * k + j] = sin(angle);
}

// longer than the face it lies on: a point at either side of that; without length: a ball
static void capsule_lies_on_a_box(void **state) {
    (void)state;
    double rod[2] = {0.25, 2}, dot[2] = {0.25, 0}, half[3] = {1, 2, 0.5}, origin[3] = {0}, at[3] = {0, 0.3, 0.7};
    double lying[9];
    turn(lying, 1, acos(-1) / 2);
    tx_shape capsule = shape(TX_CAPSULE, rod, at, lying), box = shape(TX_BOX, half, origin, identity);
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

    capsule = shape(TX_CAPSULE, dot, at, identity);
    tx_shape ball = shape(TX_SPHERE, dot, at, identity);
    tx_hit expected[TX_MAX_HITS];
    for (at[0] = 0.9; at[0] < 1.3; at[0] += 0.01) {
        int count = collide(&ball, &box, 0, expected);
        assert_int_equal(collide(&capsule, &box, 0, hits), count);
        if (count) assert_true(fabs(hits->dist - expected->dist) < 1e-15);
    }
    // smaller than a hair and standing off a corner: still found, as MuJoCo does with larger ones twice
    double hair[2] = {2e-5, 1e-5}, crumb[3] = {1e-5, 1e-5, 1e-5}, near[3] = {2e-5, 2e-5, 2.5e-5};
    capsule = shape(TX_CAPSULE, hair, near, identity), box = shape(TX_BOX, crumb, origin, identity);
    assert_int_equal(collide(&capsule, &box, 0, hits), 2);
    assert_true(fabs(hits->dist - (sqrt(2.25) - 2) * 1e-5) < 1e-18);
}

// two cubes one on the other: four corners; turned by 45 degrees the octagon common to both faces
static void boxes_meet_face_to_face(void **state) {
    (void)state;
    double half[3] = {1, 1, 1}, smaller[3] = {0.5, 0.25, 1}, origin[3] = {0}, at[3] = {0, 0, 1.9}, turned[9];
    tx_shape below = shape(TX_BOX, half, origin, identity), above = shape(TX_BOX, smaller, at, identity);
    tx_hit hits[TX_MAX_HITS];
    assert_int_equal(collide(&below, &above, 0, hits), 4);
    assert_sound(hits, 4);
    for (int i = 0; i < 4; i++) {
        double corner[3] = {i == 0 || i == 3 ? 0.5 : -0.5, i < 2 ? 0.25 : -0.25, 0.95};
        assert_true(difference(hits[i].pos, corner, 3) < 1e-15 && fabs(hits[i].dist + 0.1) < 1e-15);
        assert_true(hits[i].normal[2] == 1);
    }
    turn(turned, 2, acos(-1) / 4);
    above = shape(TX_BOX, half, at, turned);
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
static void boxes_meet_edge_to_edge(void **state) {
    (void)state;
    double half[3] = {1, 1, 1}, origin[3] = {0}, at[3] = {0.2, -0.3, sqrt(8) - 0.1}, about_x[9], about_y[9];
    turn(about_x, 0, acos(-1) / 4);
    turn(about_y, 1, acos(-1) / 4);
    tx_shape below = shape(TX_BOX, half, origin, about_x), above = shape(TX_BOX, half, at, about_y);
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
        int t1 = (int)(uniform(&seed) * TX_GEOM_TYPES), t2 = (int)(uniform(&seed) * TX_GEOM_TYPES);
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
    for (int i = 0; i < 3; i++) tx_hull_free(&hull[i].hull);
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

static void table_is_symmetric(void **state) {
    (void)state;
    int count = 0;
    for (int i = -1; i <= TX_GEOM_TYPES; i++) {
        for (int j = -1; j <= TX_GEOM_TYPES; j++) {
            assert_ptr_equal(tx_pair_function(i, j), tx_pair_function(j, i));
            count += tx_pair_function(i, j) && i <= j;
        }
    }
    // every two of plane, sphere, capsule, ellipsoid, cylinder, box and mesh but two planes; height fields and meshes
    // of type sdf with all
    assert_int_equal(count, 27 + 6 + 9);
    assert_non_null(tx_pair_function(TX_BOX, TX_PLANE));
    assert_null(tx_pair_function(TX_HFIELD, TX_PLANE));
    assert_null(tx_pair_function(TX_PLANE, TX_PLANE));
    assert_null(tx_pair_function(TX_GEOM_TYPES, TX_PLANE));

    assert_string_equal(tx_shape_name(TX_PLANE), "plane");
    assert_string_equal(tx_shape_name(TX_CAPSULE), "capsule");
    assert_string_equal(tx_shape_name(TX_MESH), "mesh");
    assert_string_equal(tx_shape_name(TX_GEOM_TYPES), "?");
    assert_string_equal(tx_shape_name(-1), "?");
}

int main(int argc, char **argv) {
    char *path = argc > 1 ? argv[1] : TX_SOURCE_DIR "/tests/data/pairs.json";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(fixture_agrees, path), cmocka_unit_test(coincident_spheres_have_a_normal),
        cmocka_unit_test(sphere_on_the_capsule_axis),    cmocka_unit_test(capsules_without_length),
        cmocka_unit_test(sphere_through_a_box_face),     cmocka_unit_test(non_finite_numbers_give_no_hits),
        cmocka_unit_test(margin_is_exclusive),           cmocka_unit_test(equal_types_are_symmetric),
        cmocka_unit_test(parallel_capsules_touch_twice), cmocka_unit_test(box_rests_on_four_corners),
        cmocka_unit_test(capsule_lies_on_a_box),         cmocka_unit_test(boxes_meet_face_to_face),
        cmocka_unit_test(boxes_meet_edge_to_edge),       cmocka_unit_test(extreme_shapes_give_sound_hits),
        cmocka_unit_test(frame_follows_the_wish),        cmocka_unit_test(table_is_symmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
