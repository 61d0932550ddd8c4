// test_feature.c - feature ids: no two points of a pair share one, and what touches with the same parts keeps them.
#include "base/memory.h"
#include "collide/feature.h"
#include "collide/pairs.h"
#include "geometry/mass.h"
#include "geometry/vec3.h"
#include "hull_asset.h"
#include "random.h"
#include "reference.h"
#include "sanitized.h"
#include "turns.h"

static const double PI = 3.14159265358979323846;

static uint64_t seed = 1;
static double uniform(double lo, double hi) { return random_between(&seed, lo, hi); }

//-------------------------------------------------------------------------------------------------- shapes

enum { BALL_POINTS = 200, ROCK_POINTS = 30, GRID = 21, RING = 24, TUBE = 12 };

// a mesh is a box, a rock or a finely cut ball
static double box_points[8][3], rock_points[ROCK_POINTS][3], ball_points[BALL_POINTS][3];
static hull_asset box_hull, rock_hull, ball_hull;
static double heights[GRID * GRID], field_size[4] = {1, 1, 1, 0.5};
static tx_asset field, ring;
static double ring_points[RING * TUBE][3], ring_size[3] = {0.2, 0.2, 0.05};
static int ring_faces[2 * RING * TUBE][3];

static void make_hull(hull_asset *h, double (*points)[3], int count) {
    assert_true(hull_asset_build(h, points[0], count));
    h->asset.face = h->hull.face, h->asset.face_count = h->hull.face_count;
}

static void make_ring(void) {
    for (int i = 0; i < RING * TUBE; i++) {
        double around = 2 * PI * (i / TUBE) / RING, turn = 2 * PI * (i % TUBE) / TUBE, r = 0.15 + 0.05 * cos(turn);
        v3_set(ring_points[i], r * cos(around), r * sin(around), 0.05 * sin(turn));
        int up = i / TUBE * TUBE + (i + 1) % TUBE, next = (i + TUBE) % (RING * TUBE);
        int next_up = (up + TUBE) % (RING * TUBE);
        int faces[2][3] = {{i, next, next_up}, {i, next_up, up}};
        memcpy(ring_faces[2 * i], faces, sizeof faces);
    }
    assert_true(tx_sdf_bake(&ring.sdf, ring_points[0], RING * TUBE, ring_faces[0], 2 * RING * TUBE, 0.01));
    ring.vertex = ring_points[0], ring.vertex_count = RING * TUBE;
    ring.surface = ring_faces[0], ring.surface_count = 2 * RING * TUBE;
}

static int make_assets(void **state) {
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) box_points[i][k] = (i >> k & 1 ? 1 : -1) * (0.1 + 0.02 * k);
    for (int i = 0; i < BALL_POINTS; i++) {
        random_direction(&seed, ball_points[i]);
        v3_scale(ball_points[i], ball_points[i], 0.15);
    }
    for (int i = 0; i < ROCK_POINTS; i++)
        for (int k = 0; k < 3; k++) rock_points[i][k] = uniform(-0.15, 0.15);
    make_hull(&box_hull, box_points, 8);
    make_hull(&rock_hull, rock_points, ROCK_POINTS);
    make_hull(&ball_hull, ball_points, BALL_POINTS);
    for (int i = 0; i < GRID * GRID; i++) {
        double x = 0.1 * (i % GRID), y = 0.1 * (i / GRID);
        double ridges = x > 1.4 && i % GRID % 2 ? 0.03 : 0;
        heights[i] = 0.3 + (x > 1 ? 0.05 * sin(5 * x) * cos(4 * y) : 0) + ridges;
    }
    field.heights = (tx_heights){GRID, GRID, field_size, heights};
    make_ring();
    return 0;
}

static int free_assets(void **state) {
    hull_asset_free(&box_hull);
    hull_asset_free(&rock_hull);
    hull_asset_free(&ball_hull);
    tx_free((void *)ring.sdf.value);
    return 0;
}

typedef struct thing {
    tx_shape shape;
    double size[4], pos[3], mat[9];
} thing;

static void refer(thing *t) { t->shape.size = t->size, t->shape.pos = t->pos, t->shape.mat = t->mat; }

// at the origin
static void make_thing(thing *t, int type, const hull_asset *mesh) {
    *t = (thing){.shape.type = type, .size = {0.1, 0.12, 0.14}, .mat = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (type == TX_GEOM_MESH) t->shape.asset = &mesh->asset, v3_copy(t->size, mesh->size);
    if (type == TX_GEOM_HFIELD) t->shape.asset = &field, memcpy(t->size, field_size, sizeof field_size);
    if (type == TX_GEOM_SDF) t->shape.asset = &ring, v3_copy(t->size, ring_size);
    refer(t);
}

static uint32_t kind(uint32_t part) { return part >> 30; }

static int collide(const thing *a, const thing *b, double margin, tx_hit *hits) {
    return tx_pair_function(a->shape.type, b->shape.type)(&a->shape, &b->shape, margin, hits);
}

static const hull_asset *any_mesh(int n) { return n % 3 == 0 ? &box_hull : n % 3 == 1 ? &rock_hull : &ball_hull; }

//-------------------------------------------------------------------------------------------------- unique

static void assert_unique(const tx_hit *hits, int count, const thing *a, const thing *b) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            if (hits[i].feature != hits[k].feature) continue;
            fail_msg("%s-%s: points %d and %d of %d are both %016llx", tx_shape_name(a->shape.type),
                     tx_shape_name(b->shape.type), k, i, count, (unsigned long long)hits[i].feature);
        }
}

// anywhere near each other, or neatly side by side: right angles and places on a grid, where corners meet corners
static void place(thing *t, double reach, bool neatly) {
    double step = 0.02;
    for (int k = 0; k < 3; k++) {
        t->pos[k] = uniform(-reach, reach);
        if (neatly) t->pos[k] = step * floor(t->pos[k] / step);
    }
    random_turn(&seed, t->mat);
    if (!neatly) return;
    double first[9], second[9];
    turn(first, (int)uniform(0, 3), PI / 2 * floor(uniform(0, 4)));
    turn(second, (int)uniform(0, 3), PI / 2 * floor(uniform(0, 4)));
    for (int i = 0; i < 9; i++) first[i] = rint(first[i]), second[i] = rint(second[i]);
    multiply(t->mat, first, second);
}

// on the flat or the wavy half; some so small that they are over one cell, some so large that they bridge ridges
static void put_on_field(thing *b, int n) {
    b->pos[0] += n % 4 < 2 ? -0.5 : 0.5, b->pos[2] += 0.4;
    if (n % 3 == 2 || b->shape.type == TX_GEOM_MESH || b->shape.type == TX_GEOM_SDF) return;
    double scale = n % 3 ? 3 : 0.2;
    v3_scale(b->size, b->size, scale);
    b->pos[2] = 0.3 + (scale > 1 ? b->size[0] : 0) + uniform(-0.02, 0.02);
}

// every pair of the table in 300 poses, half of them neat, with and without margin (12,000 were tried once)
static void no_two_points_of_a_pair_share_an_id(void **state) {
    for (int type1 = 0; type1 < TX_GEOM_COUNT; type1++) {
        for (int type2 = type1; type2 < TX_GEOM_COUNT; type2++) {
            if (!tx_pair_function(type1, type2)) continue;
            int touching = 0;
            for (int n = 0; n < (SANITIZED ? 30 : 300); n++) {
                thing a, b;
                tx_hit hits[TX_MAX_HITS];
                make_thing(&a, type1, any_mesh(n));
                make_thing(&b, type2, any_mesh(n / 3));
                if (n % 5 == 0) memcpy(b.size, a.size, type1 == type2 ? sizeof a.size : 0);
                if (type1 > TX_GEOM_HFIELD) place(&a, 0.1, n % 2);
                place(&b, 0.15, n % 2);
                if (type1 == TX_GEOM_HFIELD) put_on_field(&b, n);
                int count = collide(&a, &b, n % 3 ? 0 : 0.02, hits);
                touching += count > 0;
                assert_unique(hits, count, &a, &b);
            }
            if (touching < (SANITIZED ? 5 : 50))
                fail_msg("%s-%s: only %d", tx_shape_name(type1), tx_shape_name(type2), touching);
        }
    }
}

// a ball beside each of the 26 parts of a box: every part has a name of its own, a face the same one from inside
static void ball_names_the_parts_of_a_box(void **state) {
    thing ball, box;
    tx_hit hit, inside;
    uint64_t names[26];
    int count = 0;
    make_thing(&ball, TX_GEOM_SPHERE, NULL);
    make_thing(&box, TX_GEOM_BOX, NULL);
    for (int i = 0; i < 27; i++) {
        int way[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1}, sides = abs(way[0]) + abs(way[1]) + abs(way[2]);
        if (sides == 0) continue;
        for (int k = 0; k < 3; k++) ball.pos[k] = way[k] * (box.size[k] + 0.01);
        assert_int_equal(collide(&ball, &box, 0, &hit), 1);
        for (int k = 0; k < count; k++) assert_true(names[k] != hit.feature);
        names[count++] = hit.feature;
        assert_int_equal(kind((uint32_t)hit.feature), TX_PART_CORNER + 3 - sides);
        if (sides > 1) continue;
        v3_scale(ball.pos, ball.pos, 0.9);
        assert_int_equal(collide(&ball, &box, 0, &inside), 1);
        assert_true(inside.feature == hit.feature);
    }
    assert_int_equal(count, 26);
}

// exchanging two convex shapes exchanges the halves of the ids
static void exchange_mirrors_ids(void **state) {
    static const int types[] = {TX_GEOM_CYLINDER, TX_GEOM_MESH, TX_GEOM_ELLIPSOID};
    int several = 0;
    for (int n = 0; n < (SANITIZED ? 150 : 1500); n++) {
        thing t[2];
        tx_hit there[TX_MAX_HITS], back[TX_MAX_HITS];
        for (int i = 0; i < 2; i++) {
            make_thing(&t[i], types[n % 3], any_mesh(n / 3 + i * n));
            place(&t[i], 0.12, n % 2);
        }
        int count = collide(&t[0], &t[1], 0.01, there);
        if (n % 4 && count > 0) {
            // hardly overlapping: what is deep has one point
            v3_along(t[1].pos, t[1].pos, there[0].normal, -there[0].dist - 0.002);
            count = collide(&t[0], &t[1], 0.01, there);
        }
        assert_int_equal(collide(&t[1], &t[0], 0.01, back), count);
        for (int i = 0; i < count; i++) assert_true(there[i].feature == tx_feature_mirrored(back[i].feature));
        several += count > 1;
    }
    print_message("  %d poses with several points\n", several);
    assert_true(several > (SANITIZED ? 30 : 300));
}

//-------------------------------------------------------------------------------------------------- small motion

static const tx_hit *with_feature(const tx_hit *hits, int count, uint64_t feature) {
    for (int i = 0; i < count; i++)
        if (hits[i].feature == feature) return &hits[i];
    return NULL;
}

// moves and turns by `amount` along and about random directions
static void nudge(thing *t, double amount) {
    double way[3], axis[3], turned[9];
    random_direction(&seed, way);
    random_direction(&seed, axis);
    v3_along(t->pos, t->pos, way, amount);
    for (int j = 0; j < 3; j++) {
        double column[3], moved[3];
        m3_column(column, t->mat, j);
        v3_cross(moved, axis, column);
        v3_along(column, column, moved, amount);
        for (int i = 0; i < 3; i++) turned[3 * i + j] = column[i];
    }
    memcpy(t->mat, turned, sizeof turned);
}

// lowers or lifts b until the deepest point is as deep as wanted; false when they do not meet
static bool put_down(const thing *a, thing *b, double depth) {
    for (int i = 0; i < 20; i++) {
        tx_hit hits[TX_MAX_HITS];
        int count = collide(a, b, 0.05, hits);
        double least = INFINITY;
        for (int k = 0; k < count; k++) least = fmin(least, hits[k].dist);
        if (fabs(least + depth) < 1e-3 * depth) return true;
        b->pos[2] -= count ? least + depth : 0.04;
    }
    return false;
}

typedef struct tally {
    int points, kept;
    double moved; // farthest of those kept, of the diameter of what was moved
} tally;

// Some points have no place of their own and may wander: those on the rim of a cylinder that stands on a plane, and on
// an sdf the lowest point of an edge that is parallel to what it touches and what a search from some side has found.
static bool wanders(const thing *a, const thing *b, uint64_t feature) {
    bool stands = a->shape.type == TX_GEOM_PLANE && b->shape.type == TX_GEOM_CYLINDER && b->mat[8] > 0.999;
    uint32_t of_a = (uint32_t)(feature >> 32), of_b = (uint32_t)feature;
    uint32_t place = kind(of_a) == TX_PART_PLACE ? of_a : of_b, other = place == of_a ? of_b : of_a;
    bool found = kind(place) == TX_PART_PLACE && (kind(other) != TX_PART_EDGE || place % 2);
    return stands || (b->shape.type == TX_GEOM_SDF && found);
}

// b lying on a, turned about the vertical by an angle that is no right one
static bool rest(thing *a, thing *b, int type1, int type2, int n) {
    double lying[9], yaw[9];
    make_thing(a, type1, any_mesh(n / 3));
    make_thing(b, type2, any_mesh(n));
    if (type1 > TX_GEOM_HFIELD && type1 != TX_GEOM_SDF) v3_scale(a->size, a->size, 2);
    turn(lying, n % 3, n % 4 ? PI / 2 : uniform(0.2, 0.5));
    turn(yaw, 2, uniform(0.3, 1.2));
    multiply(b->mat, yaw, lying);
    v3_set(b->pos, uniform(-0.02, 0.02), uniform(-0.02, 0.02), type1 == TX_GEOM_HFIELD ? 0.5 : 0.4);
    if (type1 == TX_GEOM_HFIELD) b->pos[0] += n % 2 ? 0.5 : -0.5;
    return put_down(a, b, 1e-4);
}

static void nudge_resting(int type1, int type2, int n, double amount, tally *sum) {
    thing a, b;
    tx_hit before[TX_MAX_HITS], after[TX_MAX_HITS];
    if (!rest(&a, &b, type1, type2, n)) return;
    int count = collide(&a, &b, 1e-5, before);
    nudge(&b, amount);
    int now = collide(&a, &b, 1e-5, after);
    for (int i = 0; i < count; i++) {
        const tx_hit *same = with_feature(after, now, before[i].feature);
        double way[3], diameter = 2 * tx_shape_radius(type2, b.size);
        sum->points++;
        if (!same) continue;
        sum->kept++;
        v3_sub(way, same->pos, before[i].pos);
        if (!wanders(&a, &b, same->feature)) sum->moved = fmax(sum->moved, v3_length(way) / diameter);
    }
}

// A ring that lies flat has 24 lowest vertices, of which eight are chosen, the deepest first: a nudge chooses others.
static bool chooses_anew(int type1, int type2) {
    bool flat = type1 == TX_GEOM_PLANE || type1 == TX_GEOM_HFIELD || type1 == TX_GEOM_CYLINDER || type1 == TX_GEOM_BOX;
    return flat && type2 == TX_GEOM_SDF;
}

// over the facets of the field and the ring the lowest points of round things slide
static bool slides(int type1, int type2) {
    return (type1 == TX_GEOM_HFIELD && type2 == TX_GEOM_CYLINDER) ||
           ((type1 == TX_GEOM_SPHERE || type1 == TX_GEOM_CAPSULE) && type2 == TX_GEOM_SDF);
}

static void nudge_pair(int type1, int type2, tally *all) {
    tally little = {0}, more = {0};
    seed = (uint64_t)(TX_GEOM_COUNT * type1 + type2);
    // distances of meshes take long
    int trials = SANITIZED || (type1 == TX_GEOM_MESH && type2 == TX_GEOM_SDF) ? 12 : 60;
    for (int n = 0; n < trials; n++) {
        nudge_resting(type1, type2, n, 1e-6, &little);
        nudge_resting(type1, type2, n, 1e-3, &more);
    }
    double share = (double)little.kept / fmax(little.points, 1);
    double least = chooses_anew(type1, type2) ? 0.25 : type2 == TX_GEOM_SDF ? 0.93 : 0.97;
    if (!(share > least) || !(little.moved < 1e-4) || !(slides(type1, type2) || more.moved < 0.02))
        fail_msg("%s-%s: %.4f of %d kept, moved %.2g and %.2g", tx_shape_name(type1), tx_shape_name(type2), share,
                 little.points, little.moved, more.moved);
    if (chooses_anew(type1, type2)) return;
    all->points += little.points, all->kept += little.kept;
}

// By 1e-6 m and rad: an id that stays has its point where it was, and nearly all stay. By 1e-3 points come and go:
// those with the id of one before are near it.
static void small_motion_keeps_ids(void **state) {
    tally all = {0};
    for (int type1 = 0; type1 < TX_GEOM_COUNT; type1++)
        for (int type2 = type1; type2 < TX_GEOM_COUNT; type2++)
            if (tx_pair_function(type1, type2)) nudge_pair(type1, type2, &all);
    print_message("  %d of %d ids kept\n", all.kept, all.points);
    assert_true(all.kept > 0.99 * all.points);
}

//-------------------------------------------------------------------------------------------------- sliding, resting

static void seen_from(const thing *t, const double point[3], double local[3]) {
    double away[3];
    v3_sub(away, point, t->pos);
    m3_mul_transposed(local, t->mat, away);
}

// a box, or a mesh like it, slides over a plane, a box or a mesh and turns: its four lower corners all the way
static void sliding_keeps_ids(void **state) {
    static const int types[][2] = {{TX_GEOM_PLANE, TX_GEOM_BOX},    {TX_GEOM_BOX, TX_GEOM_BOX},
                                   {TX_GEOM_PLANE, TX_GEOM_MESH},   {TX_GEOM_BOX, TX_GEOM_MESH},
                                   {TX_GEOM_CYLINDER, TX_GEOM_BOX}, {TX_GEOM_CYLINDER, TX_GEOM_MESH}};
    for (size_t n = 0; n < sizeof types / sizeof types[0]; n++) {
        thing a, b, start;
        tx_hit first[TX_MAX_HITS], hits[TX_MAX_HITS];
        make_thing(&a, types[n][0], &box_hull);
        make_thing(&b, types[n][1], &box_hull);
        if (types[n][0] != TX_GEOM_PLANE) v3_set(a.size, 0.5, types[n][0] == TX_GEOM_CYLINDER ? 0.2 : 0.5, 0.2);
        for (int step = 0; step < 1000; step++) {
            turn(b.mat, 2, 0.1 + 2e-3 * step);
            v3_set(b.pos, -0.1 + 2e-4 * step, 1e-4 * step, (types[n][0] == TX_GEOM_PLANE ? 0.14 : 0.34) - 1e-4);
            int count = collide(&a, &b, 0, step ? hits : first);
            assert_int_equal(count, 4);
            if (step == 0) start = b, refer(&start);
            for (int i = 0; i < count && step; i++) {
                const tx_hit *same = with_feature(first, 4, hits[i].feature);
                double now[3], then[3], apart[3];
                assert_non_null(same);
                seen_from(&b, hits[i].pos, now);
                seen_from(&start, same->pos, then);
                v3_sub(apart, now, then);
                assert_true(v3_length(apart) < 1e-12);
            }
        }
    }
}

typedef struct touch {
    int geom[2];
    uint64_t feature;
} touch;

static int touches_of(tx_sim *sim, touch *list, int room) {
    int count;
    const tx_contact *contacts = tx_sim_contacts(sim, 0, &count);
    assert_in_range(count, 1, room);
    for (int i = 0; i < count; i++) {
        list[i] = (touch){{contacts[i].geom[0], contacts[i].geom[1]}, contacts[i].feature};
        for (int k = 0; k < i; k++) assert_memory_not_equal(&list[i], &list[k], sizeof *list);
    }
    return count;
}

// 100 steps after it has settled
static void stays(const char *scene, int settling) {
    enum { ROOM = 512 };
    static touch first[ROOM], now[ROOM];
    tx_model *m = load_scene(scene);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(m, &def);
    assert_non_null(sim);
    assert_int_equal(tx_sim_step_n(sim, settling), TX_OK);
    int count = touches_of(sim, first, ROOM);
    for (int step = 0; step < 100; step++) {
        assert_int_equal(tx_sim_step(sim), TX_OK);
        assert_int_equal(touches_of(sim, now, ROOM), count);
        for (int i = 0; i < count; i++) {
            int k = 0;
            while (k < count && memcmp(&first[k], &now[i], sizeof now[i]) != 0) k++;
            if (k == count)
                fail_msg("%s: geoms %d and %d have %016llx only in step %d", scene, now[i].geom[0], now[i].geom[1],
                         (unsigned long long)now[i].feature, step);
        }
    }
    tx_sim_destroy(sim);
    tx_model_destroy(m);
}

static void two_boxes_stay(void **state) { stays("rest_two_boxes", 200); }
static void stack_stays(void **state) { stays("rest_stack", 300); }
static void cards_stay(void **state) { stays("rest_cards", 300); }

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_points_of_a_pair_share_an_id),
        cmocka_unit_test(ball_names_the_parts_of_a_box),
        cmocka_unit_test(exchange_mirrors_ids),
        cmocka_unit_test(small_motion_keeps_ids),
        cmocka_unit_test(sliding_keeps_ids),
        cmocka_unit_test(two_boxes_stay),
        cmocka_unit_test(stack_stays),
        cmocka_unit_test(cards_stay),
    };
    return cmocka_run_group_tests(tests, make_assets, free_assets);
}
