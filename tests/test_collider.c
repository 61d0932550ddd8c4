// test_collider.c - which pairs of a model meet: filters; the same contacts by table, sweep and any number of threads.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../bench/pile.h"
#include "base/memory.h"
#include "collide/asset.h"
#include "collide/collider.h"
#include "collide/convex.h"
#include "random.h"
#include "thixis/thixis.h"

// ---- filters --------------------------------------------------------------------------------------------------------

static const char FILTERS[] =
    "<mujoco><option gravity='0 0 0'>%s</option><worldbody>"
    "<geom name='floor' type='plane' size='5 5 1' pos='0 0 -0.5'/><geom name='rock' size='1' pos='0.1 0 0.02'/>"
    "<body name='shelf' pos='0 0.03 0'><geom name='shelf' size='1' pos='0 0.05 0'/></body>"
    "<body name='hand' mocap='true' pos='0.02 0 0.11'><geom name='hand' size='1'/></body>"
    "<body name='a' pos='0.2 0.1 0'><freejoint/><geom name='a' size='1'/>"
    " <body name='a1' pos='0.1 0 0.1'><joint/><geom name='a1' size='1'/>"
    "  <body name='a2' pos='0.1 0.1 0'><geom name='a2' size='1'/>"
    "   <body name='a3' pos='0 0.1 0.1'><joint axis='1 0 0'/><geom name='a3' size='1'/></body></body></body>"
    " <body name='a4' pos='-0.1 0 0.13'><joint/><geom name='a4' size='1'/></body></body>"
    "<body name='b' pos='-0.1 0.2 0.3'><freejoint/>"
    " <geom name='b1' size='1' pos='0 0 0.1' contype='2' conaffinity='1'/>"
    " <geom name='b2' size='1' pos='0 0.1 0.1' contype='4' conaffinity='0'/>"
    " <geom name='b3' size='1' pos='0.1 0.1 0.1' contype='0' conaffinity='2'/></body>"
    "<body name='c' pos='0.3 -0.2 0.3'><freejoint/><geom name='c' size='1' contype='0' conaffinity='0'/></body>"
    "<body name='e' pos='0.3 0.2 -0.2'><freejoint/><geom name='e1' size='1' contype='3' conaffinity='4'/>"
    " <geom name='e2' type='box' size='1 1 1'/></body></worldbody>"
    "<contact><exclude body1='b' body2='a'/><exclude body1='a1' body2='e'/><pair geom1='c' geom2='b2' margin='0.1'/>"
    "<pair geom1='e2' geom2='a1'/><pair geom1='a' geom2='a1'/><pair geom1='floor' geom2='c'/>"
    "<pair geom1='a3' geom2='e1'/></contact></mujoco>";

// what MuJoCo 3.12.0 reports for that file, with the parent filter and without
static const char *const PAIRS_OF_MUJOCO[2] = {
    "floor-a rock-a floor-a1 rock-a1 floor-a2 rock-a2 floor-a3 rock-a3 floor-a4 rock-a4 floor-b1 rock-b1 floor-c "
    "floor-e1 floor-e2 rock-e1 rock-e2 shelf-a shelf-a1 shelf-a2 shelf-a3 shelf-a4 shelf-b1 shelf-e1 shelf-e2 hand-a "
    "hand-a1 hand-a2 hand-a3 hand-a4 hand-b1 hand-e1 hand-e2 a-a1 a-a3 a-e1 a-e2 a1-a4 a1-b1 a1-e2 a2-a4 a2-b1 a2-e1 "
    "a2-e2 a3-a4 a3-b1 a3-e1 a3-e2 a4-b1 a4-e1 a4-e2 b2-c b1-e1 b1-e2 b2-e1 b3-e1 ",
    "floor-a rock-a floor-a1 rock-a1 floor-a2 rock-a2 floor-a3 rock-a3 floor-a4 rock-a4 floor-b1 rock-b1 floor-c "
    "floor-e1 floor-e2 rock-e1 rock-e2 shelf-a shelf-a1 shelf-a2 shelf-a3 shelf-a4 shelf-b1 shelf-e1 shelf-e2 hand-a "
    "hand-a1 hand-a2 hand-a3 hand-a4 hand-b1 hand-e1 hand-e2 a-a1 a-a2 a-a3 a-a4 a-e1 a-e2 a1-a3 a1-a4 a1-b1 a1-e2 "
    "a2-a3 a2-a4 a2-b1 a2-e1 a2-e2 a3-a4 a3-b1 a3-e1 a3-e2 a4-b1 a4-e1 a4-e2 b2-c b1-e1 b1-e2 b2-e1 b3-e1 "};

static tx_model *load(const char *text) {
    tx_diag diag = {0};
    tx_model *m = tx_load_string(text, strlen(text), "test.xml", &diag);
    assert_non_null(m);
    tx_diag_free(&diag);
    return m;
}

static tx_sim *simulate(const tx_model *m, int threads, tx_broadphase how) {
    tx_sim_def def = tx_default_sim_def();
    def.threads = threads;
    tx_sim *sim = tx_sim_create(m, &def);
    tx_options options = tx_sim_options(sim);
    options.broadphase = how;
    assert_int_equal(tx_sim_set_options(sim, &options), TX_OK);
    return sim;
}

static void filters_are_mujocos(void **state) {
    for (int open = 0; open < 2; open++) {
        char text[4096], name[32];
        snprintf(text, sizeof text, FILTERS, open ? "<flag filterparent='disable'/>" : "");
        tx_model *m = load(text);
        for (tx_broadphase how = TX_BROADPHASE_TABLE; how <= TX_BROADPHASE_SWEEP; how++) {
            tx_sim *sim = simulate(m, 1, how);
            assert_int_equal(tx_sim_forward(sim), TX_OK);
            int count, pairs = 0, wanted = 0;
            const tx_contact *c = tx_sim_contacts(sim, 0, &count);
            for (int i = 0; i < count; i++) {
                if (i > 0 && memcmp(c[i].geom, c[i - 1].geom, sizeof c[i].geom) == 0) continue;
                for (int swap = 0; swap < 2; swap++) {
                    snprintf(name, sizeof name, "%s-%s ", tx_element_name(m, TX_ELEMENT_GEOM, c[i].geom[swap]),
                             tx_element_name(m, TX_ELEMENT_GEOM, c[i].geom[!swap]));
                    const char *at = strstr(PAIRS_OF_MUJOCO[open], name);
                    while (at && at > PAIRS_OF_MUJOCO[open] && at[-1] != ' ') at = strstr(at + 1, name);
                    if (at) break;
                    if (swap) fail_msg("%s is no pair of MuJoCo", name);
                }
                pairs++;
            }
            for (const char *at = PAIRS_OF_MUJOCO[open]; *at; at++) wanted += *at == ' ';
            assert_int_equal(pairs, wanted);
            tx_sim_destroy(sim);
        }
        tx_model_destroy(m);
    }
}

// ---- table, sweep and threads ---------------------------------------------------------------------------------------

static void same_contacts(const tx_contact *a, const tx_contact *b, int count) {
    for (int i = 0; i < count; i++) {
#define SAME(field) assert_memory_equal(&a[i].field, &b[i].field, sizeof a[i].field)
        SAME(geom), SAME(feature), SAME(dist), SAME(pos), SAME(frame), SAME(includemargin), SAME(friction),
            SAME(solref), SAME(solimp);
        assert_int_equal(a[i].dim, b[i].dim);
    }
}

// hinges on a body, a box and a ball on each
static void add_links(tx_builder *b, int body, int links) {
    for (int i = 0; i < links; i++) {
        tx_body_def link = tx_default_body_def();
        link.pos[i % 3] = i % 2 ? -0.15 : 0.15;
        const int at = tx_builder_body(b, body, &link);
        tx_joint_def hinge = tx_default_joint_def();
        hinge.axis[i % 2] = 1, hinge.axis[2] = 0;
        tx_builder_joint(b, at, &hinge);
        for (int g = 0; g < 2; g++) {
            tx_geom_def geom = tx_default_geom_def();
            geom.type = g ? TX_GEOM_SPHERE : TX_GEOM_BOX;
            for (int k = 0; k < 3; k++) geom.size[k] = 0.06, geom.pos[k] = 0.08 * g;
            tx_builder_geom(b, at, &geom);
        }
    }
}

// bodies of one to three geoms of any kind, with links, that fall onto a floor and a few fixed steps
static tx_model *heap(int bodies, int links, int steps, tx_broadphase how) {
    tx_builder *b = tx_builder_create();
    tx_options options = tx_default_options();
    options.broadphase = how;
    tx_builder_options(b, &options);
    uint64_t d = 77;
    tx_geom_def floor = tx_default_geom_def();
    floor.type = TX_GEOM_PLANE, floor.size[0] = floor.size[1] = floor.size[2] = 5;
    tx_builder_geom(b, 0, &floor);
    static const int TYPES[] = {TX_GEOM_SPHERE, TX_GEOM_CAPSULE, TX_GEOM_BOX, TX_GEOM_BOX};
    for (int i = 0; i < bodies; i++) {
        bool fixed = i % 10 == 9;
        tx_body_def body = tx_default_body_def();
        for (int k = 0; k < 3; k++) body.pos[k] = random_between(&d, -0.3, 0.3) + (k == 2 ? 0.4 + 0.01 * i : 0);
        int at = tx_builder_body(b, 0, &body);
        tx_joint_def joint = tx_default_joint_def();
        joint.type = TX_JOINT_FREE;
        if (!fixed) tx_builder_joint(b, at, &joint);
        for (int g = 0; g < 1 + i % 3; g++) {
            tx_geom_def geom = tx_default_geom_def();
            geom.type = TYPES[(i + g) % 4];
            geom.margin = g == 1 ? 0.01 : 0, geom.gap = g == 2 ? 0.005 : 0;
            geom.contype = i % 7 == 0 ? 3 : 1;
            for (int k = 0; k < 3; k++) geom.size[k] = random_between(&d, 0.05, 0.12), geom.pos[k] = 0.1 * g;
            tx_builder_geom(b, at, &geom);
        }
        add_links(b, at, links);
    }
    for (int i = 0; i < steps; i++) {
        tx_geom_def geom = tx_default_geom_def();
        geom.type = TX_GEOM_BOX;
        for (int k = 0; k < 3; k++) geom.size[k] = 0.1, geom.pos[k] = k == 2 ? -0.05 : random_between(&d, -1, 1);
        tx_builder_geom(b, 0, &geom);
    }
    tx_model *m = tx_builder_compile(b, NULL);
    assert_non_null(m);
    tx_builder_destroy(b);
    return m;
}

// steps: boxes of the world; many of them stand in a tree
static void compare_ways(int bodies, int links, int world_steps) {
    enum { STEPS = 60 };
    tx_model *table = heap(bodies, links, world_steps, TX_BROADPHASE_TABLE),
             *swept = heap(bodies, links, world_steps, TX_BROADPHASE_SWEEP);
    assert_true(tx_model_size(table, TX_SIZE_NPAIR) > 1000);
    assert_int_equal(tx_model_size(swept, TX_SIZE_NPAIR), 0);
    tx_sim *first = simulate(table, 1, TX_BROADPHASE_AUTO);
    tx_sim *others[] = {simulate(table, 1, TX_BROADPHASE_SWEEP), simulate(swept, 1, TX_BROADPHASE_AUTO),
                        simulate(swept, 2, TX_BROADPHASE_SWEEP), simulate(table, 4, TX_BROADPHASE_TABLE)};
    long contacts = 0;
    for (int s = 0; s < STEPS; s++) {
        int count, again;
        tx_sim_step(first);
        const tx_contact *mine = tx_sim_contacts(first, 0, &count);
        contacts += count;
        for (int k = 0; k < 4; k++) {
            tx_sim_step(others[k]);
            const tx_contact *theirs = tx_sim_contacts(others[k], 0, &again);
            assert_int_equal(count, again);
            same_contacts(mine, theirs, count);
            assert_int_equal(tx_sim_hash(first), tx_sim_hash(others[k]));
        }
    }
    printf("%ld contacts in %d steps\n", contacts, STEPS);
    assert_true(contacts > 50 * STEPS);
    // a model without a table cannot use one
    tx_options options = tx_sim_options(others[1]);
    options.broadphase = TX_BROADPHASE_TABLE;
    assert_int_equal(tx_sim_set_options(others[1], &options), TX_ERROR_UNSUPPORTED);
    options.broadphase = 17;
    assert_int_equal(tx_sim_set_options(others[1], &options), TX_ERROR_ARGUMENT);
    tx_sim_destroy(first);
    for (int k = 0; k < 4; k++) tx_sim_destroy(others[k]);
    tx_model_destroy(table), tx_model_destroy(swept);
}

static void table_and_sweep_and_threads_agree(void **state) { compare_ways(40, 0, 0); }
static void the_tree_of_what_stands_still_agrees(void **state) { compare_ways(30, 0, 300); }
// the geoms of a tree are swept as one box, and threads share the trees
static void trees_of_many_geoms_agree(void **state) { compare_ways(16, 4, 0); }

// models are swept from a number of pairs on; a written and read one still is
static void large_models_have_no_table(void **state) {
    tx_model *small = heap(12, 0, 0, TX_BROADPHASE_AUTO), *large = heap(60, 0, 0, TX_BROADPHASE_AUTO);
    assert_int_equal(tx_model_options(small)->broadphase, TX_BROADPHASE_TABLE);
    assert_int_equal(tx_model_options(large)->broadphase, TX_BROADPHASE_SWEEP);
    assert_int_equal(tx_model_size(large, TX_SIZE_NPAIR), 0);
    size_t size;
    const void *bytes = tx_model_bytes(large, &size);
    tx_model *again = tx_model_from_bytes(bytes, size, NULL);
    assert_non_null(again);
    assert_int_equal(tx_model_options(again)->broadphase, TX_BROADPHASE_SWEEP);
    tx_model_destroy(small), tx_model_destroy(large), tx_model_destroy(again);
}

static tx_broadphase chosen_for(int bodies, int links) {
    tx_model *m = heap(bodies, links, 0, TX_BROADPHASE_AUTO);
    // it is not asked for where the model is written again
    tx_builder *b = tx_builder_from_model(m);
    tx_model *again = b ? tx_builder_compile(b, NULL) : NULL;
    assert_non_null(again);
    const tx_broadphase chosen = tx_model_options(m)->broadphase;
    assert_int_equal(tx_model_options(again)->broadphase, chosen);
    tx_model_destroy(again), tx_builder_destroy(b), tx_model_destroy(m);
    return chosen;
}

// in one tree nearly all boxes overlap: its pairs of bodies are looked at, which are a quarter of those of its geoms.
// 50 links of two geoms have 4,900 pairs of 1,225 couples, 80 links 12,640 of 3,160; 60 bodies alone about 7,000 of
// 1,770
static void trees_have_larger_tables(void **state) {
    assert_int_equal(chosen_for(1, 50), TX_BROADPHASE_TABLE);
    assert_int_equal(chosen_for(1, 80), TX_BROADPHASE_SWEEP);
    assert_int_equal(chosen_for(60, 0), TX_BROADPHASE_SWEEP);
}

static void a_large_table_and_the_sweep_agree(void **state) { compare_ways(2, 24, 0); }

// ---- a collider without a step --------------------------------------------------------------------------------------

typedef struct hit_list {
    tx_hit *hits;
    int *geoms, room;
} hit_list;

static void keep_hits(void *context, const tx_candidate *pair, const tx_hit *hits, int count, int before) {
    hit_list *list = context;
    for (int k = 0; k < count && before + k < list->room; k++) {
        list->hits[before + k] = hits[k];
        memcpy(list->geoms + 2 * (before + k), pair->geom, sizeof pair->geom);
    }
}

static int collide(tx_collider *c, const pile *p, hit_list *list) {
    tx_geoms g = pile_geoms(p);
    int count;
    tx_narrow narrow = tx_default_narrow();
    while ((count = tx_collider_run(c, 0, &g, TX_BROADPHASE_SWEEP, &narrow, keep_hits, list)) < 0)
        assert_true(tx_collider_lacks_room(c) && tx_collider_grow(c));
    assert_in_range(count, 1, list->room);
    return count;
}

static hit_list make_list(int room) {
    return (hit_list){tx_alloc(sizeof(tx_hit) * (size_t)room), tx_alloc(2 * sizeof(int) * (size_t)room), room};
}

// 2,000 boxes: the same points for 1, 2 and 4 threads, and whatever was seen before
static void a_pile_for_any_number_of_threads(void **state) {
    enum { BOXES = 2000, ROOM = 1 << 17 };
    static const int THREADS[] = {1, 2, 4};
    pile p;
    assert_true(pile_create(&p, BOXES, PILE_SETTLED, 0));
    tx_collider *colliders[3];
    tx_pool *pools[3];
    hit_list lists[4];
    for (int t = 0; t < 3; t++) {
        colliders[t] = tx_collider_create(p.m, 1), pools[t] = tx_pool_create(THREADS[t]);
        assert_true(tx_collider_share(colliders[t], pools[t]));
    }
    for (int t = 0; t < 4; t++) lists[t] = make_list(ROOM);
    for (int frame = 0; frame < 5; frame++) {
        pile_move(&p, frame);
        tx_collider *fresh = tx_collider_create(p.m, 1);
        int count = collide(fresh, &p, &lists[3]);
        tx_collider_destroy(fresh);
        for (int t = 0; t < 3; t++) {
            assert_int_equal(collide(colliders[t], &p, &lists[t]), count);
            assert_memory_equal(lists[t].hits, lists[3].hits, sizeof(tx_hit) * (size_t)count);
            assert_memory_equal(lists[t].geoms, lists[3].geoms, 2 * sizeof(int) * (size_t)count);
        }
        if (frame == 0) printf("%d boxes, %d points\n", BOXES, count);
    }
    // once grown, detection allocates nothing
    uint64_t before = tx_alloc_count();
    pile_move(&p, 6);
    for (int t = 0; t < 3; t++) collide(colliders[t], &p, &lists[t]);
    assert_int_equal(tx_alloc_count(), before);
    for (int t = 0; t < 3; t++) tx_collider_destroy(colliders[t]), tx_pool_destroy(pools[t]);
    for (int t = 0; t < 4; t++) tx_free(lists[t].hits), tx_free(lists[t].geoms);
    pile_destroy(&p);
}

// with so many environments that pairs no longer keep what separated them the points are the same
static void pairs_of_many_environments_keep_no_axis(void **state) {
    enum { BODIES = 60, ROOM = 1 << 12, MOST_AXES = 1 << 23 };
    double size[3 * BODIES], pos[3 * BODIES], mat[9 * BODIES] = {0}, none[BODIES] = {0};
    tx_builder *b = tx_builder_create();
    uint64_t d = 5;
    for (int i = 0; i < BODIES; i++) {
        tx_body_def body = tx_default_body_def();
        tx_geom_def geom = tx_default_geom_def();
        tx_joint_def joint = tx_default_joint_def();
        joint.type = TX_JOINT_FREE, geom.type = TX_GEOM_ELLIPSOID;
        for (int k = 0; k < 3; k++) {
            size[3 * i + k] = geom.size[k] = random_between(&d, 0.1, 0.2),
                         pos[3 * i + k] = random_between(&d, -0.5, 0.5);
            mat[9 * i + 4 * k] = 1;
        }
        const int at = tx_builder_body(b, 0, &body);
        tx_builder_joint(b, at, &joint), tx_builder_geom(b, at, &geom);
    }
    tx_model *m = tx_builder_compile(b, NULL);
    assert_non_null(m);
    const tx_geoms g = {.size = size, .pos = pos, .mat = mat, .margin = none, .gap = none};
    const tx_narrow narrow = tx_default_narrow();
    const int envs[2] = {1, MOST_AXES / tx_model_size(m, TX_SIZE_NPAIR) + 1};
    hit_list lists[2];
    int counts[2];
    for (int k = 0; k < 2; k++) {
        tx_collider *c = tx_collider_create(m, envs[k]);
        assert_non_null(c);
        lists[k] = make_list(ROOM);
        // again, with what was kept
        for (int round = 0; round < 2; round++) {
            while ((counts[k] = tx_collider_run(c, 0, &g, TX_BROADPHASE_TABLE, &narrow, keep_hits, &lists[k])) < 0)
                assert_true(tx_collider_lacks_room(c) && tx_collider_grow(c));
        }
        tx_collider_destroy(c);
    }
    assert_in_range(counts[0], 20, ROOM);
    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(lists[0].hits, lists[1].hits, sizeof(tx_hit) * (size_t)counts[0]);
    for (int k = 0; k < 2; k++) tx_free(lists[k].hits), tx_free(lists[k].geoms);
    tx_model_destroy(m), tx_builder_destroy(b);
}

// Boxes of any kind only save time: all points that the pairs of rocks have, each asked for itself, are found
static void boxes_lose_no_points(void **state) {
    enum { ROCKS = 200, ROOM = 1 << 14 };
    for (pile_kind kind = PILE_SETTLED; kind <= PILE_FALLING; kind++) {
        pile p;
        assert_true(pile_create(&p, ROCKS, kind, 0) && pile_make_rocks(&p));
        tx_collider *c = tx_collider_create(p.m, 1);
        tx_collider_take_rings(c, p.rings);
        hit_list list = make_list(ROOM);
        tx_narrow narrow = tx_default_narrow();
        for (int i = 1; i <= ROCKS; i++) p.margin[i] = i % 3 * 0.1;
        int count = collide(c, &p, &list), found = 0;
        for (int i = 0; i <= ROCKS; i++)
            for (int j = i + 1; j <= ROCKS; j++) {
                tx_asset assets[2];
                tx_shape s[2];
                tx_hit hits[TX_MAX_HITS];
                const int at[2] = {i, j};
                for (int k = 0; k < 2; k++) {
                    s[k] = (tx_shape){p.m->geom_type[at[k]], p.size + 3 * at[k], p.pos + 3 * at[k], p.mat + 9 * at[k],
                                      tx_asset_of(p.m, at[k], &assets[k]) ? &assets[k] : NULL};
                    assets[k].facets = tx_rings_facets(p.rings, p.m->geom_mesh[at[k]]);
                }
                int n = tx_pair_hits(&s[0], &s[1], p.margin[i] + p.margin[j], &narrow, hits);
                for (int k = 0; k < n; k++, found++) {
                    assert_in_range(found, 0, count - 1);
                    assert_memory_equal(list.geoms + 2 * found, at, sizeof at);
                    assert_memory_equal(&list.hits[found], &hits[k], sizeof *hits);
                }
            }
        assert_int_equal(found, count);
        printf("%d rocks, %d points\n", ROCKS, count);
        assert_true(count > 100);
        tx_collider_destroy(c);
        tx_free(list.hits), tx_free(list.geoms);
        pile_destroy(&p);
    }
}

// Meshes that only planes are paired with have a ball instead of a box: at any height and turn, and with any margin,
// the table finds the points that the pairs have
static void balls_lose_no_points(void **state) {
    enum { MESHES = 3, GEOMS = MESHES + 2 };
    tx_model *m = load("<mujoco><asset><mesh name='wedge' vertex='0 0 0  .3 0 0  0 .2 0  0 0 .6  .3 0 .1'/></asset>"
                       "<worldbody><geom type='plane' size='1 1 1'/><geom type='plane' size='1 1 1' euler='0 30 0'/>"
                       "<body><freejoint/><geom type='mesh' mesh='wedge'/><geom type='mesh' mesh='wedge' pos='1 0 0'/>"
                       "<geom type='mesh' mesh='wedge' pos='0 1 0'/></body></worldbody></mujoco>");
    assert_int_equal(m->npair, 2 * MESHES);
    tx_collider *c = tx_collider_create(m, 1);
    hit_list list = make_list(GEOMS * GEOMS * TX_MAX_HITS);
    tx_narrow narrow = tx_default_narrow();
    double pos[3 * GEOMS] = {0}, mat[9 * GEOMS], margin[GEOMS] = {0}, gap[GEOMS] = {0};
    uint64_t dice = 5;
    int points = 0, empty = 0;
    for (int round = 0; round < 4000; round++) {
        for (int i = 0; i < GEOMS; i++) {
            double quat[4];
            for (int k = 0; k < 4; k++) quat[k] = pile_dice(&dice, -1, 1);
            for (int k = 0; k < 3; k++) pos[3 * i + k] = pile_dice(&dice, -0.4, 0.4);
            tx_quat_normalize(quat), tx_quat_to_mat(quat, mat + 9 * i);
            margin[i] = pile_dice(&dice, -0.05, 0.05);
        }
        tx_geoms g = {.size = m->geom_size, .pos = pos, .mat = mat, .margin = margin, .gap = gap};
        const int count = tx_collider_run(c, 0, &g, TX_BROADPHASE_TABLE, &narrow, keep_hits, &list);
        int found = 0;
        for (int p = 0; p < m->npair; p++) {
            const int at[2] = {m->pair_geom1[p], m->pair_geom2[p]};
            tx_asset asset;
            assert_true(tx_asset_of(m, at[1], &asset));
            tx_shape plane = {TX_GEOM_PLANE, m->geom_size + 3 * at[0], pos + 3 * at[0], mat + 9 * at[0], NULL};
            tx_shape mesh = {TX_GEOM_MESH, m->geom_size + 3 * at[1], pos + 3 * at[1], mat + 9 * at[1], &asset};
            tx_hit hits[TX_MAX_HITS];
            const int n = tx_pair_hits(&plane, &mesh, margin[at[0]] + margin[at[1]], &narrow, hits);
            empty += n == 0;
            for (int k = 0; k < n; k++, found++) {
                assert_in_range(found, 0, count - 1);
                assert_memory_equal(&list.hits[found], &hits[k], sizeof *hits);
            }
        }
        assert_int_equal(found, count);
        points += count;
    }
    assert_true(points > 10000 && empty > 4000);
    tx_collider_destroy(c);
    tx_free(list.hits), tx_free(list.geoms);
    tx_model_destroy(m);
}

static int collide_ahead(tx_collider *c, const pile *p, const double *velocity, double ahead, hit_list *list) {
    tx_geoms g = pile_geoms(p);
    g.velocity = velocity, g.ahead = ahead;
    tx_narrow narrow = tx_default_narrow();
    int count;
    while ((count = tx_collider_run(c, 0, &g, TX_BROADPHASE_SWEEP, &narrow, keep_hits, list)) < 0)
        assert_true(tx_collider_lacks_room(c) && tx_collider_grow(c));
    assert_true(count <= list->room);
    return count;
}

static bool is_listed(const hit_list *list, int count, int g1, int g2) {
    for (int i = 0; i < count; i++)
        if ((list->geoms[2 * i] == g1 && list->geoms[2 * i + 1] == g2) ||
            (list->geoms[2 * i] == g2 && list->geoms[2 * i + 1] == g1))
            return true;
    return false;
}

// whether two rocks overlap once both have moved on for a time
static bool will_meet(const pile *p, const double *velocity, double time, int g1, int g2) {
    const int at[2] = {g1, g2};
    tx_convex shape[2];
    tx_convex_result r;
    for (int k = 0; k < 2; k++) {
        tx_asset asset;
        tx_shape s = {p->m->geom_type[at[k]], p->size + 3 * at[k], p->pos + 3 * at[k], p->mat + 9 * at[k],
                      tx_asset_of(p->m, at[k], &asset) ? &asset : NULL};
        assert_true(tx_convex_from_shape(&shape[k], &s));
        for (int i = 0; i < 3; i++) shape[k].pos[i] += time * velocity[6 * at[k] + i];
    }
    return tx_convex_distance(&shape[0], &shape[1], 0, &r) && !r.beyond && r.dist < 0;
}

// Rocks that fly about: who meets within the time is found before, each point closes in as fast as it must, and at rest
// or without a time nothing changes
static void what_closes_in_is_found(void **state) {
    enum { ROCKS = 60, ROOM = 1 << 14 };
    static const double AHEAD = 0.05;
    pile p;
    assert_true(pile_create(&p, ROCKS, PILE_FALLING, 0) && pile_make_rocks(&p));
    tx_collider *c = tx_collider_create(p.m, 1);
    tx_collider_take_rings(c, p.rings);
    hit_list now = make_list(ROOM), soon = make_list(ROOM);
    double velocity[6 * (ROCKS + 1)] = {0};
    uint64_t d = 9;
    int count = collide_ahead(c, &p, NULL, 0, &now), meeting = 0, spare = 0;
    for (int still = 0; still < 2; still++) {
        assert_int_equal(collide_ahead(c, &p, velocity, still ? 0 : AHEAD, &soon), count);
        assert_memory_equal(soon.hits, now.hits, sizeof *now.hits * (size_t)count);
        for (int i = 1; i <= ROCKS; i++)
            for (int k = 0; k < 3; k++) velocity[6 * i + k] = random_between(&d, -8, 8);
    }
    int found = collide_ahead(c, &p, velocity, AHEAD, &soon);
    for (int i = 0; i <= ROCKS; i++)
        for (int j = i + 1; j <= ROCKS; j++) {
            bool meets = false;
            for (int k = 0; k <= 20 && !meets; k++) meets = will_meet(&p, velocity, k * AHEAD / 20, i, j);
            bool listed = is_listed(&soon, found, i, j);
            assert_false(meets && !listed);
            meeting += meets && !is_listed(&now, count, i, j), spare += listed && !meets;
        }
    for (int i = 0; i < found; i++) {
        const double *v1 = velocity + 6 * soon.geoms[2 * i], *v2 = velocity + 6 * soon.geoms[2 * i + 1];
        double closing = 0;
        for (int k = 0; k < 3; k++) closing += (v1[k] - v2[k]) * soon.hits[i].normal[k];
        assert_true(soon.hits[i].dist < AHEAD * fmax(closing, 0) + 1e-12);
    }
    printf("%d pairs meet within the time, %d more were near it\n", meeting, spare);
    assert_true(meeting > 20 && spare < 3 * meeting);
    // what moves at a speed that is no number meets nothing
    velocity[6] = NAN;
    found = collide_ahead(c, &p, velocity, AHEAD, &soon);
    for (int i = 0; i < 2 * found; i++) assert_int_not_equal(soon.geoms[i], 1);
    tx_collider_destroy(c);
    tx_free(now.hits), tx_free(now.geoms), tx_free(soon.hits), tx_free(soon.geoms);
    pile_destroy(&p);
}

// A ball above a floor that comes up, and a bar that swings down on a ball: planes move and surfaces turn
static void planes_and_turns_close_in(void **state) {
    tx_model *m = load("<mujoco><worldbody><body mocap='true'><geom type='plane' size='1 1 1'/></body>"
                       "<body pos='0 0 1'><freejoint/><geom size='.1'/></body>"
                       "<body pos='3 0 9'><freejoint/><geom type='capsule' fromto='-1 0 0 1 0 0' size='.05'/></body>"
                       "<body pos='3.8 0 8.5'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
    tx_sim *sim = simulate(m, 1, TX_BROADPHASE_TABLE);
    assert_int_equal(tx_sim_forward(sim), TX_OK);
    tx_collider *c = tx_collider_create(m, 1);
    hit_list list = make_list(64);
    tx_narrow narrow = tx_default_narrow();
    static const struct {
        double up, spin, ahead;
        int points;
    } CASES[] = {{0, 0, 1, 0},     {10, 0, 0.05, 0}, {10, 0, 0.1, 1},   {-10, 0, 0.1, 0},
                 {0, 10, 0.03, 0}, {0, 10, 0.06, 1}, {0, -10, 0.06, 0}, {10, 10, 0.1, 2}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        double velocity[24] = {[2] = CASES[i].up, [16] = CASES[i].spin};
        tx_geoms g = {.size = m->geom_size,
                      .pos = tx_sim_array(sim, TX_ARRAY_GEOM_XPOS),
                      .mat = tx_sim_array(sim, TX_ARRAY_GEOM_XMAT),
                      .margin = m->geom_margin,
                      .gap = m->geom_gap,
                      .velocity = velocity,
                      .ahead = CASES[i].ahead};
        for (tx_broadphase how = TX_BROADPHASE_TABLE; how <= TX_BROADPHASE_SWEEP; how++)
            assert_int_equal(tx_collider_run(c, 0, &g, TX_BROADPHASE_SWEEP, &narrow, keep_hits, &list),
                             CASES[i].points);
    }
    tx_collider_destroy(c);
    tx_free(list.hits), tx_free(list.geoms);
    tx_sim_destroy(sim);
    tx_model_destroy(m);
}

// boxes whose numbers are bad meet nothing, the others do as before
static void bad_geoms_meet_nothing(void **state) {
    enum { BOXES = 300, ROOM = 1 << 14 };
    pile p;
    assert_true(pile_create(&p, BOXES, PILE_SETTLED, 0));
    tx_collider *c = tx_collider_create(p.m, 1);
    hit_list list = make_list(ROOM);
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 30; i++) {
        p.pos[3 * (10 * i + 1) + i % 3] = bad[i % 3];
        if (i % 5 == 0) p.mat[9 * (10 * i + 2) + i % 9] = bad[i % 3];
    }
    int count = collide(c, &p, &list);
    for (int i = 0; i < 2 * count; i++) assert_true(list.geoms[i] == 0 || list.geoms[i] % 10 != 1);
    tx_collider_destroy(c);
    tx_free(list.hits), tx_free(list.geoms);
    pile_destroy(&p);
}

// a geom that only shows costs nothing: boxes are placed for masks and for special pairs
static void what_only_shows_gets_no_box(void **state) {
    tx_model *m = load("<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
                       "<body pos='0 0 1'><freejoint/><geom size='.1'/>"
                       "<geom type='box' size='.2 .2 .2' contype='0' conaffinity='0'/>"
                       "<geom name='a' size='.1' contype='0' conaffinity='0'/></body>"
                       "<body pos='0 0 2'><freejoint/><geom name='b' size='.1' contype='0' conaffinity='2'/>"
                       "<geom size='.3' contype='0' conaffinity='0'/></body></worldbody>"
                       "<contact><pair geom1='a' geom2='b'/></contact></mujoco>");
    tx_collider *c = tx_collider_create(m, 1);
    int count;
    const int *boxed = tx_collider_boxed(c, &count);
    static const int expected[] = {0, 1, 4, 3};
    assert_int_equal(count, 4);
    assert_memory_equal(boxed, expected, sizeof expected);
    tx_collider_destroy(c);
    tx_model_destroy(m);
}

// how far ahead a point is looked at: the slack, how fast the surfaces close in there, spin and all, and a share of how
// fast they slide past each other; what moves apart closes in by nothing
static void points_are_near_by_their_speeds(void **state) {
    static const double pos[6] = {0, 0, 0, 0, 0, 1}, velocity[12] = {3, 0, 2, 0, 4, 0, 0, -1, 0.5, 0, 0, 0};
    const tx_candidate pair = {.geom = {0, 1}};
    const tx_hit hits[2] = {{.pos = {0.25, 0, 0.5}, .normal = {0, 0, 1}},
                            {.pos = {0.25, 0, 0.5}, .normal = {0, 0, -1}}};
    tx_geoms g = {.pos = pos, .velocity = velocity, .ahead = 0.01, .slack = 0.002};
    // the first moves there by (3, 0, 2) + (0, 4, 0) x (0.25, 0, 0.5) = (5, 0, 1), past (0, -1, 0.5)
    const double closing = 0.5, past = sqrt(26);
    double reach[2];
    for (int glides = 0; glides < 2; glides++) {
        g.glide = 0.3 * glides;
        tx_closing_reach(&g, &pair, hits, 2, reach);
        assert_true(fabs(reach[0] - (0.002 + 0.01 * (closing + g.glide * past))) < 1e-15);
        assert_true(fabs(reach[1] - (0.002 + 0.01 * g.glide * past)) < 1e-15);
    }
    g.velocity = NULL;
    tx_closing_reach(&g, &pair, hits, 2, reach);
    assert_true(reach[0] == 0 && reach[1] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_are_mujocos),
        cmocka_unit_test(table_and_sweep_and_threads_agree),
        cmocka_unit_test(the_tree_of_what_stands_still_agrees),
        cmocka_unit_test(trees_of_many_geoms_agree),
        cmocka_unit_test(large_models_have_no_table),
        cmocka_unit_test(trees_have_larger_tables),
        cmocka_unit_test(a_large_table_and_the_sweep_agree),
        cmocka_unit_test(a_pile_for_any_number_of_threads),
        cmocka_unit_test(pairs_of_many_environments_keep_no_axis),
        cmocka_unit_test(boxes_lose_no_points),
        cmocka_unit_test(balls_lose_no_points),
        cmocka_unit_test(what_closes_in_is_found),
        cmocka_unit_test(points_are_near_by_their_speeds),
        cmocka_unit_test(planes_and_turns_close_in),
        cmocka_unit_test(bad_geoms_meet_nothing),
        cmocka_unit_test(what_only_shows_gets_no_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
