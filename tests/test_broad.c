// test_broad.c - boxes, sweep and tree against brute force.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "collide/convex.h"
#include "collide/sweep.h"
#include "geometry/aabb.h"
#include "geometry/lbvh.h"
#include "geometry/quat.h"
#include "geometry/vec3.h"
#include "sanitized.h"

// ---- random numbers -------------------------------------------------------------------------------------------------

typedef uint64_t dice;

static double uniform(dice *d, double low, double high) {
    *d ^= *d << 13, *d ^= *d >> 7, *d ^= *d << 17;
    return low + (high - low) * ((double)(*d >> 11) * 0x1p-53);
}

static void random_rotation(dice *d, double mat[9]) {
    double q[4];
    for (int k = 0; k < 4; k++) q[k] = uniform(d, -1, 1);
    tx_quat_normalize(q);
    tx_quat_to_mat(q, mat);
}

// ---- boxes ----------------------------------------------------------------------------------------------------------

static const int ROUND[] = {TX_GEOM_SPHERE, TX_GEOM_CAPSULE, TX_GEOM_ELLIPSOID, TX_GEOM_CYLINDER, TX_GEOM_BOX};

// a face of the box touches the shape: the support along each axis is the box's face, up to rounding
static void boxes_are_tight(void **state) {
    dice d = 11;
    for (int n = 0; n < 5000; n++) {
        double size[3], pos[3], mat[9], grow = uniform(&d, 0, 0.1);
        for (int k = 0; k < 3; k++) size[k] = uniform(&d, 0.01, 2), pos[k] = uniform(&d, -5, 5);
        random_rotation(&d, mat);
        tx_shape shape = {ROUND[n % 5], size, pos, mat, NULL};
        tx_convex convex;
        assert_true(tx_convex_from_shape(&convex, &shape));
        tx_aabb box, again;
        tx_aabb_shape(&box, shape.type, size, pos, mat, grow);
        tx_aabb_convex(&again, &convex, grow);
        for (int k = 0; k < 3; k++) {
            double dir[3] = {mat[3 * k], mat[3 * k + 1], mat[3 * k + 2]}, at[3], world[3];
            tx_core_support(&convex, dir, at);
            m3_mul(world, mat, at);
            double reach = pos[k] + world[k] + convex.radius + grow;
            assert_true(box.high[k] >= reach && box.high[k] - reach < 1e-13);
            assert_true(fabs(box.high[k] - again.high[k]) < 1e-13 && fabs(box.low[k] - again.low[k]) < 1e-13);
        }
    }
}

static void points_give_tight_boxes(void **state) {
    dice d = 5;
    for (int n = 0; n < 200; n++) {
        double points[60], mat[9], low[3], high[3];
        for (int i = 0; i < 60; i++) points[i] = uniform(&d, -1, 1);
        random_rotation(&d, mat);
        tx_convex shape = {.pos = {1, 2, 3}};
        memcpy(shape.mat, mat, sizeof mat);
        tx_convex_points(&shape, points, 20, NULL, NULL, NULL);
        tx_aabb box;
        tx_aabb_convex(&box, &shape, 0);
        for (int k = 0; k < 3; k++) low[k] = INFINITY, high[k] = -INFINITY;
        for (int i = 0; i < 20; i++) {
            double world[3];
            m3_mul(world, mat, points + 3 * i);
            for (int k = 0; k < 3; k++)
                low[k] = fmin(low[k], world[k] + shape.pos[k]), high[k] = fmax(high[k], world[k] + shape.pos[k]);
        }
        for (int k = 0; k < 3; k++)
            assert_true(fabs(box.low[k] - low[k]) < 1e-13 && fabs(box.high[k] - high[k]) < 1e-13);
    }
}

// bounds that are not about the origin: the eight corners of that box, which is itself the shape
static void bounds_give_tight_boxes(void **state) {
    dice d = 6;
    for (int n = 0; n < 500; n++) {
        double low[3], high[3], pos[3], mat[9], points[24];
        for (int k = 0; k < 3; k++)
            low[k] = uniform(&d, -3, 1), high[k] = low[k] + uniform(&d, 0, 2), pos[k] = uniform(&d, -9, 9);
        random_rotation(&d, mat);
        for (int i = 0; i < 24; i++) points[i] = i / 3 >> i % 3 & 1 ? high[i % 3] : low[i % 3];
        tx_convex shape = {.pos = {pos[0], pos[1], pos[2]}};
        memcpy(shape.mat, mat, sizeof mat);
        tx_convex_points(&shape, points, 8, NULL, NULL, NULL);
        tx_aabb box, wanted;
        tx_bounds bounds = tx_bounds_of_points(points, NULL, 8);
        tx_aabb_bounds(&box, &bounds, pos, mat, 0.01);
        tx_aabb_convex(&wanted, &shape, 0.01);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(box.low[k] - wanted.low[k]) < 1e-13 && fabs(box.high[k] - wanted.high[k]) < 1e-13);
    }
}

static void bad_numbers_give_empty_boxes(void **state) {
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    const double mat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int b = 0; b < 3; b++)
        for (int t = 0; t < 5; t++) {
            double size[3] = {1, 1, 1}, pos[3] = {0, bad[b], 0}, here[3] = {0}, wrong[3] = {bad[b], 1, 1};
            tx_aabb box;
            tx_aabb_shape(&box, ROUND[t], size, pos, mat, 0);
            assert_true(tx_aabb_is_empty(&box));
            tx_aabb_shape(&box, ROUND[t], wrong, here, mat, 0);
            assert_true(tx_aabb_is_empty(&box));
            tx_aabb_shape(&box, ROUND[t], size, here, mat, bad[b]);
            assert_true(tx_aabb_is_empty(&box));
        }
    tx_aabb box;
    const double zero[3] = {0};
    tx_aabb_shape(&box, TX_GEOM_BOX, zero, zero, mat, 0);
    assert_false(tx_aabb_is_empty(&box));
}

// ---- boxes along the axes of a shape --------------------------------------------------------------------------------

// a shape of any kind about 1 m large, its bounds, and where it is
typedef struct bounded {
    double size[3], pos[3], mat[9], points[60];
    tx_convex convex;
    tx_bounds bounds;
} bounded;

static void random_bounded(dice *d, int kind, double spread, bounded *b) {
    for (int k = 0; k < 3; k++) b->size[k] = uniform(d, 0.05, 1), b->pos[k] = uniform(d, -spread, spread);
    random_rotation(d, b->mat);
    if (kind < 5) {
        tx_shape shape = {ROUND[kind], b->size, b->pos, b->mat, NULL};
        assert_true(tx_convex_from_shape(&b->convex, &shape));
        b->bounds = tx_bounds_of_shape(ROUND[kind], b->size);
        return;
    }
    for (int i = 0; i < 60; i++) b->points[i] = uniform(d, -1, 1) * b->size[i % 3] + 0.3;
    b->convex = (tx_convex){.pos = {b->pos[0], b->pos[1], b->pos[2]}};
    memcpy(b->convex.mat, b->mat, sizeof b->mat);
    tx_convex_points(&b->convex, b->points, 20, NULL, NULL, NULL);
    b->bounds = tx_bounds_of_points(b->points, NULL, 20);
}

// what is apart by its boxes is apart by GJK, and for two boxes fifteen axes find every gap
static void oriented_boxes_lose_nothing(void **state) {
    dice d = 21;
    int apart = 0, near = 0, boxes = 0;
    for (int n = 0; n < 36000; n++) {
        static bounded s[2];
        random_bounded(&d, n % 6, 1.5, &s[0]);
        random_bounded(&d, n / 6 % 6, 1.5, &s[1]);
        double reach = n % 3 ? 0 : uniform(&d, 0, 0.3);
        tx_obb a = tx_obb_place(&s[0].bounds, s[0].pos, s[0].mat), b = tx_obb_place(&s[1].bounds, s[1].pos, s[1].mat);
        tx_convex_result r;
        assert_true(tx_convex_distance(&s[0].convex, &s[1].convex, INFINITY, &r));
        bool said = tx_obb_apart(&a, &b, reach);
        assert_int_equal(said, tx_obb_apart(&b, &a, reach));
        assert_false(said && r.dist <= reach);
        if (n % 6 == 4 && n / 6 % 6 == 4 && n % 3) {
            assert_int_equal(said, r.dist > 1e-8);
            boxes++;
        }
        apart += said, near += r.dist > reach;
    }
    printf("%d of %d pairs apart are known by their boxes; %d of two boxes\n", apart, near, boxes);
    assert_true(apart > near / 2 && boxes > 500);
}

// a gap of a millionth is seen, one of rounding is not, at any distance from the origin
static void oriented_boxes_allow_for_rounding(void **state) {
    const tx_bounds cube = {.half = {0.5, 0.5, 0.5}};
    const double mat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (double far = 1; far < 1e30; far *= 10) {
        double here[3] = {far, 0, 0}, there[3] = {far + 1 + 1e-6 * far, 0, 0}, touching[3] = {far + 1 + 1e-10 * far};
        tx_obb a = tx_obb_place(&cube, here, mat), b = tx_obb_place(&cube, there, mat),
               c = tx_obb_place(&cube, touching, mat);
        assert_true(tx_obb_apart(&a, &b, 0));
        assert_false(tx_obb_apart(&a, &c, 0));
    }
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        double pos[3] = {0, bad[i], 0}, origin[3] = {0};
        tx_obb a = tx_obb_place(&cube, pos, mat), b = tx_obb_place(&cube, origin, mat);
        assert_false(tx_obb_apart(&a, &b, 0));
    }
}

// ---- the sweep ------------------------------------------------------------------------------------------------------

typedef struct scene {
    int count, room;
    tx_aabb *boxes;
    double *velocity;
    tx_sweep sweep;
    tx_box_pair *found, *wanted, *copy;
    int *group;
    void *order, *memory;
    tx_arena scratch;
} scene;

static void scene_create(scene *s, int count, int room) {
    *s = (scene){.count = count, .room = room};
    size_t scratch = tx_sweep_scratch(count), order = tx_order_scratch(count);
    if (order > scratch) scratch = order;
    s->boxes = tx_alloc(sizeof(tx_aabb) * (size_t)count);
    s->velocity = tx_alloc(sizeof(double) * 3 * (size_t)count);
    s->found = tx_alloc(sizeof(tx_box_pair) * (size_t)room);
    s->wanted = tx_alloc(sizeof(tx_box_pair) * (size_t)room);
    s->copy = tx_alloc(sizeof(tx_box_pair) * (size_t)room);
    s->group = tx_alloc(sizeof(int) * (size_t)count);
    s->order = tx_alloc(tx_sweep_size(count));
    s->memory = tx_alloc(scratch);
    s->scratch = (tx_arena){s->memory, (char *)s->memory + scratch};
    tx_sweep_init(&s->sweep, count, s->order);
    for (int i = 0; i < count; i++) s->group[i] = i;
}

static void scene_free(scene *s) {
    tx_free(s->boxes), tx_free(s->velocity), tx_free(s->found), tx_free(s->wanted), tx_free(s->copy);
    tx_free(s->group), tx_free(s->order), tx_free(s->memory);
}

static void set_box(tx_aabb *box, const double centre[3], const double half[3]) {
    for (int k = 0; k < 3; k++) box->low[k] = centre[k] - half[k], box->high[k] = centre[k] + half[k];
}

static const tx_aabb EMPTY = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

// all pairs by the definition, in canonical order
static int brute_force(const scene *s) {
    int count = 0;
    for (int i = 0; i < s->count; i++) {
        if (tx_aabb_is_empty(&s->boxes[i])) continue;
        for (int j = i + 1; j < s->count; j++) {
            if (!tx_aabb_overlap(&s->boxes[i], &s->boxes[j]) || tx_aabb_is_empty(&s->boxes[j])) continue;
            assert_true(count < s->room);
            s->wanted[count++] = (tx_box_pair){i, j};
        }
    }
    return count;
}

static int sweep_equals_brute_force(scene *s) {
    int wanted = brute_force(s), found = tx_sweep_run(&s->sweep, s->boxes, s->found, s->room, s->scratch);
    assert_int_equal(found, wanted);
    tx_order_pairs(s->found, found, s->group, s->count, s->copy, s->scratch);
    assert_memory_equal(s->found, s->wanted, sizeof(tx_box_pair) * (size_t)found);
    return found;
}

// two boxes of one robot that are not asked for
static bool left_out(const int *tree, int a, int b) { return tree[a] == tree[b] && (a + b) % 5 == 0; }

static int leave_out(scene *s, int count, const int *tree) {
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (!left_out(tree, s->wanted[i].a, s->wanted[i].b)) s->wanted[kept++] = s->wanted[i];
    return kept;
}

// pairs inside of the first groups, of the others, and between all of them
static int sweep_groups(scene *s, const int *start, const uint64_t *meet, int room, int cut, tx_arena scratch) {
    tx_aabb around[100];
    tx_pair_list list = {s->found, 0, room};
    tx_sweep_inside(s->boxes, start, meet, 0, cut, around, &list);
    tx_sweep_inside(s->boxes, start, meet, cut, s->sweep.count, around, &list);
    tx_sweep_between(&s->sweep, s->boxes, start, around, &list, s->copy, scratch);
    return list.count;
}

// robots of 1 to 40 boxes that walk through each other: the sweep of groups finds what brute force finds
static void groups_of_boxes(void **state) {
    enum { ROBOTS = 60, FRAMES = 20 };
    dice d = 5;
    int tree[ROBOTS * 40], start[ROBOTS * 40 + 1], count = 0;
    uint64_t meet[ROBOTS * 40] = {0};
    double at[ROBOTS][3], local[ROBOTS * 40][3], half[ROBOTS * 40][3];
    for (int r = 0; r < ROBOTS; r++)
        for (int i = 0, n = 1 + (int)uniform(&d, 0, 39.99); i < n; i++, count++) {
            tree[count] = 3 * r;
            for (int k = 0; k < 3; k++) local[count][k] = uniform(&d, -1, 1), half[count][k] = uniform(&d, 0.02, 0.3);
        }
    scene s;
    scene_create(&s, count, 1 << 17);
    const int groups = tx_group_boxes(tree, count, start);
    assert_int_equal(groups, ROBOTS);
    for (int g = 0; g < groups; g++) assert_true(tree[start[g]] == 3 * g && tree[start[g + 1] - 1] == 3 * g);
    for (int g = 0; g < groups; g++)
        for (int i = start[g]; i < start[g + 1]; i++)
            for (int k = i + 1; k < start[g + 1]; k++)
                if (!left_out(tree, i, k)) meet[i] |= (uint64_t)1 << (k - start[g]);
    void *memory = tx_alloc(tx_sweep_scratch(groups));
    tx_arena scratch = {memory, (char *)memory + tx_sweep_scratch(groups)};
    tx_sweep_init(&s.sweep, groups, s.order);
    for (int r = 0; r < ROBOTS; r++)
        for (int k = 0; k < 3; k++) at[r][k] = uniform(&d, -5, 5) * (k < 2);
    int most = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int i = 0; i < count; i++) {
            double centre[3];
            for (int k = 0; k < 3; k++) centre[k] = at[tree[i] / 3][k] + local[i][k];
            set_box(&s.boxes[i], centre, half[i]);
            if (i % 29 == 7) s.boxes[i] = EMPTY;
        }
        const int wanted = leave_out(&s, brute_force(&s), tree);
        const int found = sweep_groups(&s, start, meet, s.room, frame % groups, scratch);
        assert_int_equal(found, wanted);
        tx_order_pairs(s.found, found, s.group, s.count, s.copy, s.scratch);
        assert_memory_equal(s.found, s.wanted, sizeof(tx_box_pair) * (size_t)found);
        // without room it says that there are more
        assert_true(sweep_groups(&s, start, meet, 3, frame % groups, scratch) > 3);
        most = found > most ? found : most;
        for (int r = 0; r < ROBOTS; r++)
            for (int k = 0; k < 2; k++) at[r][k] += uniform(&d, -0.5, 0.5);
    }
    assert_true(most > 1000);
    // groups that are too small or too large are not worth it
    for (int i = 0; i < 100; i++) tree[i] = i / 3;
    assert_int_equal(tx_group_boxes(tree, 100, start), 0);
    for (int i = 0; i < 100; i++) tree[i] = i / 66;
    assert_int_equal(tx_group_boxes(tree, 100, start), 0);
    tx_free(memory), scene_free(&s);
}

// B7: 1e4 boxes that move and bounce, some teleported, some large, some points, some not there
static void ten_thousand_moving_boxes(void **state) {
    enum { BOXES = SANITIZED ? 2000 : 10000, FRAMES = 24 };
    scene s;
    scene_create(&s, BOXES, 1 << 21);
    dice d = 1;
    long total = 0;
    double spread[3] = {30, 20, 10};
    for (int i = 0; i < BOXES; i++) {
        double centre[3], half[3];
        double scale = i % 1000 == 0 ? 10 : i % 97 == 0 ? 0 : 1;
        for (int k = 0; k < 3; k++) {
            centre[k] = uniform(&d, -spread[k], spread[k]), half[k] = scale * uniform(&d, 0.2, 0.9);
            s.velocity[3 * i + k] = uniform(&d, -0.05, 0.05);
        }
        set_box(&s.boxes[i], centre, half);
    }
    for (int f = 0; f < FRAMES; f++) {
        for (int i = 0; i < BOXES; i++) {
            tx_aabb *box = &s.boxes[i];
            if (i % 500 == 7) {
                *box = f % 2 ? EMPTY : (tx_aabb){{0, 0, 0}, {1, 1, 1}};
                continue;
            }
            bool teleport = uniform(&d, 0, 1) < (f == 10 ? 1 : 0.01);
            for (int k = 0; k < 3; k++) {
                double size = box->high[k] - box->low[k], step = s.velocity[3 * i + k];
                if (teleport) step = uniform(&d, -spread[k], spread[k]) - box->low[k];
                box->low[k] += step, box->high[k] = box->low[k] + size;
                if (box->low[k] * s.velocity[3 * i + k] > spread[k] * fabs(s.velocity[3 * i + k]))
                    s.velocity[3 * i + k] *= -1;
            }
        }
        // the axis of largest spread changes on the way
        if (f == 16)
            for (int i = 0; i < BOXES; i++) s.boxes[i].low[2] *= 9, s.boxes[i].high[2] *= 9;
        if (f == 16)
            for (int i = 0; i < BOXES; i++)
                if (i % 500 == 7) s.boxes[i] = EMPTY;
        total += sweep_equals_brute_force(&s);
    }
    printf("%d boxes, %d frames: %ld pairs as by brute force\n", BOXES, FRAMES, total);
    assert_true(total > (SANITIZED ? 10000 : 100000));
    scene_free(&s);
}

// a lattice of cubes that touch face to face: a closed box counts what only touches; all keys are ties
static void touching_faces_and_ties(void **state) {
    scene s;
    scene_create(&s, 12 * 12 * 12, 1 << 16);
    const double half[3] = {0.5, 0.5, 0.5};
    for (int i = 0; i < s.count; i++) {
        double centre[3] = {i % 12, i / 12 % 12, i / 144};
        set_box(&s.boxes[s.count - 1 - i], centre, half);
    }
    // pairs of a 12^3 lattice whose places differ by at most 1 per axis: (34^3 - 12^3) / 2
    assert_int_equal(sweep_equals_brute_force(&s), (34 * 34 * 34 - 12 * 12 * 12) / 2);
    scene_free(&s);
}

static void extreme_boxes(void **state) {
    enum { BOXES = 300 };
    dice d = 3;
    for (int round = 0; round < 60; round++) {
        scene s;
        scene_create(&s, BOXES, BOXES * BOXES);
        for (int i = 0; i < BOXES; i++) {
            double centre[3], half[3];
            for (int k = 0; k < 3; k++) {
                centre[k] = uniform(&d, -10, 10), half[k] = uniform(&d, 0, 1);
                switch (round % 6) {
                case 0: half[k] = 0, centre[k] = floor(centre[k] / 5); break; // equal points
                case 1: half[k] *= i == 5 ? 1e6 : 1e-6; break;                // one large among small
                case 2: centre[k] *= i == 7 ? 1e9 : 1; break;                 // one flew off
                case 3: half[k] *= i % 2 ? 1e8 : 1; break;                    // half of them large
                case 4: centre[k] *= i % 50 == 0 ? 1e307 : 1; break;          // near the largest number
                case 5: half[k] *= uniform(&d, 0, 1) < 0.2 ? 20 : 0.2; break; // many sizes
                }
            }
            set_box(&s.boxes[i], centre, half);
            if (i % 40 == 3) s.boxes[i] = EMPTY;
        }
        for (int f = 0; f < 2; f++) sweep_equals_brute_force(&s);
        scene_free(&s);
    }
}

static void few_boxes_and_little_room(void **state) {
    for (int n = 0; n < 4; n++) {
        scene s;
        scene_create(&s, n, 16);
        for (int i = 0; i < n; i++) s.boxes[i] = (tx_aabb){{0, 0, 0}, {1, 1, 1}};
        int all = n * (n - 1) / 2;
        assert_int_equal(sweep_equals_brute_force(&s), all);
        // what does not fit is counted, not written
        tx_box_pair guard[2] = {{-7, -7}, {-7, -7}};
        assert_int_equal(tx_sweep_run(&s.sweep, s.boxes, guard, all > 0, s.scratch), all);
        assert_int_equal(guard[all > 0].a, -7);
        scene_free(&s);
    }
}

// pairs of bodies with several geoms come body pair by body pair, as the table lists them
static void order_by_groups(void **state) {
    enum { GEOMS = 60 };
    dice d = 9;
    int group[GEOMS];
    tx_box_pair list[GEOMS * GEOMS] = {{0}}, copy[GEOMS * GEOMS], shuffled[GEOMS * GEOMS];
    char memory[4096];
    for (int i = 0, g = 0; i < GEOMS; i++) group[i] = g, g += uniform(&d, 0, 1) < 0.4;
    int count = 0;
    for (int a = 0; a <= group[GEOMS - 1]; a++)
        for (int b = a; b <= group[GEOMS - 1]; b++)
            for (int i = 0; i < GEOMS; i++)
                for (int j = i + 1; j < GEOMS; j++)
                    if (group[i] == a && group[j] == b) list[count++] = (tx_box_pair){i, j};
    memcpy(shuffled, list, sizeof list);
    for (int i = count - 1; i > 0; i--) {
        int j = (int)uniform(&d, 0, i + 1);
        tx_box_pair swap = shuffled[i];
        shuffled[i] = shuffled[j], shuffled[j] = swap;
    }
    tx_order_pairs(shuffled, count, group, group[GEOMS - 1] + 1, copy, (tx_arena){memory, memory + sizeof memory});
    assert_memory_equal(shuffled, list, sizeof(tx_box_pair) * (size_t)count);
}

// ---- the tree -------------------------------------------------------------------------------------------------------

static int by_pair(const void *x, const void *y) {
    const tx_box_pair *a = x, *b = y;
    return a->a != b->a ? (a->a < b->a ? -1 : 1) : a->b < b->b ? -1 : a->b > b->b;
}

static void random_boxes(dice *d, tx_aabb *boxes, int count, double spread) {
    for (int i = 0; i < count; i++) {
        double centre[3], half[3];
        for (int k = 0; k < 3; k++) {
            centre[k] = uniform(d, -spread, spread), half[k] = uniform(d, 0, i % 50 == 0 ? 3 : 0.5);
            if (i % 11 == 0) centre[k] = floor(centre[k]), half[k] = 0;
        }
        set_box(&boxes[i], centre, half);
        if (i % 31 == 5) boxes[i] = EMPTY;
    }
}

static tx_lbvh build_tree(const tx_aabb *boxes, int count) {
    tx_lbvh tree;
    size_t size = tx_lbvh_scratch(count);
    char *scratch = tx_alloc(size);
    tx_lbvh_build(&tree, boxes, count, tx_alloc(tx_lbvh_size(count)), (tx_arena){scratch, scratch + size});
    tx_free(scratch);
    return tree;
}

// every box of a row is found where it is, the first one too
static void trees_find_every_box(void **state) {
    enum { BOXES = 9 };
    tx_aabb row[BOXES];
    for (int i = 0; i < BOXES; i++) set_box(&row[i], (const double[3]){3 * i, 0, 0}, (const double[3]){1, 1, 1});
    tx_lbvh tree = build_tree(row, BOXES);
    for (int i = 0; i < BOXES; i++) {
        int item = -1;
        assert_int_equal(tx_lbvh_find(&tree, &row[i], &item, 1), 1);
        assert_int_equal(item, i);
    }
    tx_free(tree.nodes);
}

// boxes found by the tree are those of the definition
static void tree_equals_brute_force(void **state) {
    dice d = 21;
    static const int COUNTS[] = {0, 1, 2, 3, 17, 400, 3000};
    for (int c = 0; c < 7; c++) {
        scene s;
        int n = COUNTS[c], other_count = n / 3 + 1, *items;
        scene_create(&s, n, 16);
        tx_aabb *others = tx_alloc(sizeof(tx_aabb) * (size_t)other_count);
        random_boxes(&d, s.boxes, n, 6), random_boxes(&d, others, other_count, 6);
        tx_lbvh tree = build_tree(s.boxes, n);
        items = s.group;
        for (int j = 0, at = 0; j < other_count; j++, at = 0) {
            int count = tx_lbvh_find(&tree, &others[j], items, n);
            for (int i = 0; i < n; i++) at += tx_aabb_overlap(&s.boxes[i], &others[j]);
            assert_int_equal(count, at);
            for (int i = 0; i < count; i++) assert_true(tx_aabb_overlap(&s.boxes[items[i]], &others[j]));
            assert_int_equal(tx_lbvh_find(&tree, &others[j], items, 0), at);
        }
        tx_free(tree.nodes), tx_free(others);
        scene_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_tight),
        cmocka_unit_test(points_give_tight_boxes),
        cmocka_unit_test(bounds_give_tight_boxes),
        cmocka_unit_test(bad_numbers_give_empty_boxes),
        cmocka_unit_test(oriented_boxes_lose_nothing),
        cmocka_unit_test(oriented_boxes_allow_for_rounding),
        cmocka_unit_test(groups_of_boxes),
        cmocka_unit_test(ten_thousand_moving_boxes),
        cmocka_unit_test(touching_faces_and_ties),
        cmocka_unit_test(extreme_boxes),
        cmocka_unit_test(few_boxes_and_little_room),
        cmocka_unit_test(order_by_groups),
        cmocka_unit_test(trees_find_every_box),
        cmocka_unit_test(tree_equals_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
