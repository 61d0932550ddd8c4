// test_pairs.c - the closed-form pairs against MuJoCo's contacts on a fixture (or on the file named on the command
// line), and the table.
#include <jansson.h>

#include "hits.h"
#include "hull_asset.h"
#include "random.h"

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
    for (int t = 0; t < TX_GEOM_COUNT; t++) {
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
    if (b->type != TX_GEOM_CYLINDER) return false;
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
        hull_asset_free(&hull);
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
    } else if (count == expected && shapes[0].type == TX_GEOM_PLANE &&
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

// two boxes have the same points to the last bit with and without the instructions that not every machine has: loose,
// and flush on a grid at right angles
static void boxes_have_the_same_bits_in_all_instructions(void **state) {
    uint64_t seed = 2;
    int touching = 0;
    for (int n = 0; n < 20000; n++) {
        double size[2][3], pos[2][3] = {{0}}, mat[2][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 1, 0, -1, 0, 0, 0, 0, 1}};
        const bool flush = n % 2;
        for (int s = 0; s < 2; s++) {
            if (!flush) random_turn(&seed, mat[s]);
            for (int k = 0; k < 3; k++) {
                size[s][k] = flush ? 0.25 * round(random_between(&seed, 1, 4)) : random_between(&seed, 0.2, 1);
                if (s) pos[s][k] = random_between(&seed, -1.5, 1.5);
                if (s && flush) pos[s][k] = 0.25 * round(4 * pos[s][k]);
            }
        }
        const tx_shape a = {TX_GEOM_BOX, size[0], pos[0], mat[0], NULL},
                       b = {TX_GEOM_BOX, size[1], pos[1], mat[1], NULL};
        tx_hit hits[TX_MAX_HITS], plain[TX_MAX_HITS];
        const int count = tx_pair_function(TX_GEOM_BOX, TX_GEOM_BOX)(&a, &b, 0.1, hits);
        assert_int_equal(tx_pair_box_box_plain(&a, &b, 0.1, plain), count);
        if (count > 0) assert_memory_equal(hits, plain, sizeof *hits * (size_t)count);
        touching += count > 0;
    }
    assert_true(touching > 5000);
    // what is no length has no points, in either
    double size[3] = {1, 1, 1}, pos[3] = {0}, mat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const tx_shape good = {TX_GEOM_BOX, (double[]){1, 1, 1}, (double[3]){0}, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1},
                           NULL},
                   bad = {TX_GEOM_BOX, size, pos, mat, NULL};
    tx_hit hits[TX_MAX_HITS];
    double *const numbers[] = {size, pos, mat};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < (k == 2 ? 9 : 3); i++) {
            const double kept = numbers[k][i];
            for (int wrong = 0; wrong < 2; wrong++) {
                numbers[k][i] = wrong ? NAN : -1.0001 * TX_LONGEST;
                assert_int_equal(tx_pair_box_box_plain(&good, &bad, 0.1, hits), 0);
                assert_int_equal(tx_pair_box_box_plain(&bad, &good, 0.1, hits), 0);
                assert_int_equal(tx_pair_function(TX_GEOM_BOX, TX_GEOM_BOX)(&good, &bad, 0.1, hits), 0);
            }
            numbers[k][i] = kept;
        }
    assert_true(tx_pair_box_box_plain(&good, &bad, 0.1, hits) > 0);
}

//-------------------------------------------------------------------------------------------------- the table

static void table_is_symmetric(void **state) {
    (void)state;
    int count = 0;
    for (int i = -1; i <= TX_GEOM_COUNT; i++) {
        for (int j = -1; j <= TX_GEOM_COUNT; j++) {
            assert_ptr_equal(tx_pair_function(i, j), tx_pair_function(j, i));
            count += tx_pair_function(i, j) && i <= j;
        }
    }
    // every two of plane, sphere, capsule, ellipsoid, cylinder, box and mesh but two planes; height fields and meshes
    // of type sdf with all
    assert_int_equal(count, 27 + 6 + 9);
    assert_non_null(tx_pair_function(TX_GEOM_BOX, TX_GEOM_PLANE));
    assert_null(tx_pair_function(TX_GEOM_HFIELD, TX_GEOM_PLANE));
    assert_null(tx_pair_function(TX_GEOM_PLANE, TX_GEOM_PLANE));
    assert_null(tx_pair_function(TX_GEOM_COUNT, TX_GEOM_PLANE));

    assert_string_equal(tx_shape_name(TX_GEOM_PLANE), "plane");
    assert_string_equal(tx_shape_name(TX_GEOM_CAPSULE), "capsule");
    assert_string_equal(tx_shape_name(TX_GEOM_MESH), "mesh");
    assert_string_equal(tx_shape_name(TX_GEOM_COUNT), "?");
    assert_string_equal(tx_shape_name(-1), "?");
}

int main(int argc, char **argv) {
    char *path = argc > 1 ? argv[1] : TX_SOURCE_DIR "/tests/data/pairs.json";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(fixture_agrees, path),
        cmocka_unit_test(boxes_have_the_same_bits_in_all_instructions),
        cmocka_unit_test(table_is_symmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
