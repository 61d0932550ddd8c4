// collider_pairs.c - which geoms may touch: from the table of pairs, body by body, or from boxes that are swept.
#include <string.h>

#include "base/fpenv.h"
#include "collide/collider_parts.h"
#include "collide/filter.h"
#include "geometry/vec3.h"

// ---- the table as runs ----------------------------------------------------------------------------------------------

static bool of_planes(const tx_model *m, int pair) { return m->geom_type[m->pair_geom1[pair]] == TX_GEOM_PLANE; }

static bool same_run(const tx_model *m, int p, int q) {
    const int p1 = m->geom_body[m->pair_geom1[p]], p2 = m->geom_body[m->pair_geom2[p]];
    const int q1 = m->geom_body[m->pair_geom1[q]], q2 = m->geom_body[m->pair_geom2[q]];
    return ((p1 == q1 && p2 == q2) || (p1 == q2 && p2 == q1)) && of_planes(m, p) == of_planes(m, q) &&
           (m->pair_special[p] >= 0) == (m->pair_special[q] >= 0);
}

// a run is worth it where it saves looking at pairs
static bool worth_it(const tx_model *m, int begin, int end) {
    return end > begin + 1 && m->pair_special[begin] < 0 && !of_planes(m, begin);
}

static int end_of_run(const tx_model *m, int begin) {
    int end = begin + 1;
    while (end < m->npair && same_run(m, begin, end)) end++;
    return end;
}

// runs: null to count them only
int tx_list_runs(const tx_model *m, tx_pair_run *runs) {
    int count = 0;
    for (int begin = 0, end; begin < m->npair; begin = end, count++) {
        end = end_of_run(m, begin);
        if (!runs) continue;
        runs[count] = (tx_pair_run){end, {-1, -1}};
        if (!worth_it(m, begin, end)) continue;
        runs[count].body[0] = m->geom_body[m->pair_geom1[begin]];
        runs[count].body[1] = m->geom_body[m->pair_geom2[begin]];
    }
    return count;
}

// whether the bodies have so many geoms that their boxes pay: three pairs a run, in half of the table
bool tx_runs_pay(const tx_model *m) {
    int runs = 0, pairs = 0;
    for (int begin = 0, end; begin < m->npair; begin = end) {
        end = end_of_run(m, begin);
        if (worth_it(m, begin, end)) runs++, pairs += end - begin;
    }
    return pairs >= 3 * runs && 2 * pairs >= m->npair;
}

// ---- groups of the sweep --------------------------------------------------------------------------------------------

// whether two geoms collide if they touch
static bool passes(const tx_model *m, int g1, int g2) {
    return tx_geoms_collide(m, g1, g2) && tx_bodies_collide(m, m->geom_body[g1], m->geom_body[g2]) &&
           tx_pair_function(m->geom_type[g1], m->geom_type[g2]);
}

// which geoms of a group collide
static void list_meetings(tx_collider *c, int begin, int end) {
    for (int i = begin; i < end; i++) {
        c->meet[i] = 0;
        for (int k = i + 1; k < end; k++)
            if (passes(c->m, c->awake.geoms[i], c->awake.geoms[k])) c->meet[i] |= (uint64_t)1 << (k - begin);
    }
}

// the awake geoms by trees; their sweeps begin anew
void tx_cut_groups(tx_collider *c, int env) {
    tx_arena scratch = c->scratch;
    int *tree = TX_TAKE(scratch, c->awake.count, int);
    for (int k = 0; k < c->awake.count; k++) tree[k] = c->m->body_root[c->m->geom_body[c->awake.geoms[k]]];
    c->groups = tx_group_boxes(tree, c->awake.count, c->group_start);
    for (int k = 0; k < c->groups; k++) list_meetings(c, c->group_start[k], c->group_start[k + 1]);
    tx_sweep_init(&c->sweeps[env], c->groups ? c->groups : c->awake.count, c->sweeps[env].order);
}

// ---- candidates
// ------------------------------------------------------------------------------------------------------

static double special_margin(const tx_geoms *g, int special) {
    return g->every_margin ? *g->every_margin : g->special_margin[special];
}

tx_candidate tx_candidate_of(const tx_geoms *g, int g1, int g2, int special, int row) {
    const double margin = special >= 0 ? special_margin(g, special) : tx_margin_of(g, g1) + tx_margin_of(g, g2);
    const double gap = special >= 0 ? g->special_gap[special] : g->gap[g1] + g->gap[g2];
    return (tx_candidate){{g1, g2}, special, row, margin, gap, 0};
}

static void add_candidate(tx_collider *c, const tx_geoms *g, int g1, int g2, int special, int row) {
    if (c->need < c->room) c->candidates[c->need] = tx_candidate_of(g, g1, g2, special, row);
    c->need++;
}

// adds a pair if it can be near enough; special pairs have a reach of their own. row: of the table, -1: of none
static void consider(tx_collider *c, const tx_geoms *g, int g1, int g2, int special, int row) {
    if (g->still && g->still[g1] && g->still[g2]) return;
    const bool plane = c->m->geom_type[g1] == TX_GEOM_PLANE;
    double slack = 0;
    if (special >= 0) {
        slack = special_margin(g, special) + g->special_gap[special] - c->grown[g1] - c->grown[g2];
        if (g->velocity) slack += tx_stretch(c, g, g1) + tx_stretch(c, g, g2);
    }
    if (plane ? tx_plane_near(c, g, g1, g2, slack) : tx_aabb_near(&c->boxes[g1], &c->boxes[g2], slack))
        add_candidate(c, g, g1, g2, special, row);
}

// around all geoms of a body that take part, planes left out
static void place_bodies(tx_collider *c) {
    const tx_model *m = c->m;
    for (int i = 0; i < m->nbody; i++) tx_aabb_clear(&c->body_boxes[i]);
    for (int k = 0; k < c->boxed.count; k++) {
        const int i = c->boxed.geoms[k];
        if (m->geom_type[i] != TX_GEOM_PLANE) tx_aabb_unite(&c->body_boxes[m->geom_body[i]], &c->boxes[i]);
    }
}

static void consult_pairs(tx_collider *c, const tx_geoms *g, int begin, int end) {
    const tx_model *m = c->m;
    for (int i = begin; i < end; i++) {
        int g1 = m->pair_geom1[i], g2 = m->pair_geom2[i], special = m->pair_special[i];
        if (special >= 0 || tx_coarse_overlap(&c->coarse[g1], &c->coarse[g2])) consider(c, g, g1, g2, special, i);
    }
}

void tx_consult_table(tx_collider *c, const tx_geoms *g) {
    for (int k = 0; k < c->boxed.count; k++)
        tx_coarse_box_make(&c->coarse[c->boxed.geoms[k]], &c->boxes[c->boxed.geoms[k]]);
    if (c->run_count) place_bodies(c);
    else consult_pairs(c, g, 0, c->m->npair);
    for (int r = 0, i = 0; r < c->run_count; i = c->runs[r++].end) {
        const int *body = c->runs[r].body;
        if (body[0] < 0 || tx_aabb_overlap(&c->body_boxes[body[0]], &c->body_boxes[body[1]]))
            consult_pairs(c, g, i, c->runs[r].end);
    }
}

static void consider_specials(tx_collider *c, const tx_geoms *g) {
    const tx_model *m = c->m;
    for (int i = 0; i < m->nspecial; i++) {
        int g1 = m->special_geom1[i], g2 = m->special_geom2[i];
        if (tx_pair_function(m->geom_type[g1], m->geom_type[g2])) consider(c, g, g1, g2, i, -1);
    }
}

static void add_raw(tx_pair_list *list, int g1, int g2) {
    if (list->count < list->room) list->pairs[list->count] = g1 < g2 ? (tx_box_pair){g1, g2} : (tx_box_pair){g2, g1};
    list->count++;
}

// from entry `from` on: the list names places of awake geoms, and shall name the geoms
static void name_geoms(const tx_collider *c, tx_pair_list *list, int from) {
    for (int i = from; i < list->count && i < list->room; i++)
        list->pairs[i] = (tx_box_pair){c->awake.geoms[list->pairs[i].a], c->awake.geoms[list->pairs[i].b]};
}

// from entry `from` on: without pairs that may not collide
static void drop_filtered(const tx_collider *c, tx_pair_list *list, int from) {
    if (list->count > list->room) return;
    int kept = from;
    for (int i = from; i < list->count; i++)
        if (passes(c->m, list->pairs[i].a, list->pairs[i].b)) list->pairs[kept++] = list->pairs[i];
    list->count = kept;
}

static void search(tx_collider *c, const tx_geoms *g, const tx_lbvh *tree, const tx_geom_list *in, tx_pair_list *list) {
    for (int k = 0; k < c->awake.count; k++) {
        if (g->still && g->still[c->awake.geoms[k]]) continue;
        int found = tx_lbvh_find(tree, &c->boxes[c->awake.geoms[k]], c->found, in->count);
        for (int i = 0; i < found; i++) add_raw(list, c->awake.geoms[k], in->geoms[c->found[i]]);
    }
}

// what moves against what stands still; the tree is built anew when something there is not where it was
static void search_tree(tx_collider *c, const tx_geoms *g, tx_pair_list *list) {
    bool same = c->tree.count == c->still.count;
    for (int k = 0; k < c->still.count; k++) {
        const tx_aabb *box = &c->boxes[c->still.geoms[k]];
        if (memcmp(&c->still_boxes[k], box, sizeof *box) == 0) continue;
        c->still_boxes[k] = *box, same = false;
    }
    if (!same) tx_lbvh_build(&c->tree, c->still_boxes, c->still.count, c->tree_memory, c->scratch);
    search(c, g, &c->tree, &c->still, list);
}

// the boxes are placed, so that without velocities all have the same to do
static void try_plane(const tx_collider *c, const tx_geoms *g, int plane, const int *others, int count,
                      tx_pair_list *list) {
    double normal[3];
    m3_column(normal, g->mat + 9 * plane, 2);
    for (int k = 0; k < count; k++) {
        const int other = others[k];
        if (g->velocity ? tx_plane_near(c, g, plane, other, 0)
                        : tx_aabb_below(&c->boxes[other], g->pos + 3 * plane, normal, c->grown[plane]))
            add_raw(list, plane, other);
    }
}

static void try_planes(const tx_collider *c, const tx_geoms *g, int begin, int end, tx_pair_list *list) {
    for (int p = 0; p < c->planes.count; p++)
        try_plane(c, g, c->planes.geoms[p], c->awake.geoms + begin, end - begin, list);
}

// ---- what is near inside of trees, and what of them is near planes, by all threads ----------------------------------

typedef struct inside_job {
    tx_collider *c;
    const tx_geoms *g;
    tx_aabb *around; // of each group
    tx_pair_list list[TX_SWEEP_PARTS];
    int parts;
} inside_job;

static void sweep_part(void *context, int k) {
    inside_job *j = context;
    tx_collider *c = j->c;
    const int from = c->groups * k / j->parts, to = c->groups * (k + 1) / j->parts;
    const int begin = c->group_start[from], end = c->group_start[to];
    tx_fpenv env = tx_fpenv_enter();
    for (int i = begin; i < end; i++) c->swept_boxes[i] = c->boxes[c->awake.geoms[i]];
    tx_sweep_inside(c->swept_boxes, c->group_start, c->meet, from, to, j->around, &j->list[k]);
    name_geoms(c, &j->list[k], 0);
    const int planes = j->list[k].count;
    try_planes(c, j->g, begin, end, &j->list[k]);
    drop_filtered(c, &j->list[k], planes);
    tx_fpenv_leave(env);
}

// the lists of the parts, one behind the other
static void sweep_groups(tx_collider *c, int env, const tx_geoms *g, tx_pair_list *list) {
    tx_arena scratch = c->scratch;
    inside_job job = {.c = c, .g = g, .around = TX_TAKE(scratch, c->groups, tx_aabb), .parts = tx_sweep_parts(c->pool)};
    for (int k = 0; k < job.parts; k++) job.list[k] = (tx_pair_list){c->raw + (size_t)k * (size_t)c->room, 0, c->room};
    if (c->pool) tx_pool_run(c->pool, sweep_part, &job, job.parts);
    else sweep_part(&job, 0);
    *list = job.list[0];
    for (int k = 1; k < job.parts; k++) {
        const tx_pair_list *more = &job.list[k];
        for (int i = 0; i < more->count && list->count + i < list->room; i++)
            list->pairs[list->count + i] = more->pairs[i];
        list->count += more->count;
    }
    const int between = list->count;
    tx_sweep_between(&c->sweeps[env], c->swept_boxes, c->group_start, job.around, list, c->copy, scratch);
    name_geoms(c, list, between);
    drop_filtered(c, list, between);
}

static void sweep_geoms(tx_collider *c, int env, const tx_geoms *g, tx_pair_list *list) {
    for (int k = 0; k < c->awake.count; k++) c->swept_boxes[k] = c->boxes[c->awake.geoms[k]];
    list->count = tx_sweep_run(&c->sweeps[env], c->swept_boxes, list->pairs, list->room, c->scratch);
    name_geoms(c, list, 0);
    try_planes(c, g, 0, c->awake.count, list);
    drop_filtered(c, list, 0);
}

// all pairs of geoms that may collide and whose boxes overlap, in any order, without pairs of two that stand still;
// returns how many
static int raw_pairs(tx_collider *c, int env, const tx_geoms *g) {
    tx_pair_list list = {c->raw, 0, c->room};
    if (c->groups) sweep_groups(c, env, g, &list);
    else sweep_geoms(c, env, g, &list);
    const int swept = list.count;
    if (c->still.count > 0) search_tree(c, g, &list);
    if (c->asleep.count > 0) search(c, g, &c->asleep_tree, &c->asleep, &list);
    for (int p = 0; p < c->planes.count && c->asleep.count > 0; p++) {
        const int plane = c->planes.geoms[p];
        if (c->m->body_weld[c->m->geom_body[plane]] != 0)
            try_plane(c, g, plane, c->asleep.geoms, c->asleep.count, &list);
    }
    drop_filtered(c, &list, swept);
    return list.count;
}

void tx_sweep_candidates(tx_collider *c, int env, const tx_geoms *g) {
    const tx_model *m = c->m;
    const int raw = raw_pairs(c, env, g);
    if (raw > c->room) {
        c->need = raw;
        return;
    }
    tx_order_pairs(c->raw, raw, m->geom_body, m->nbody, c->copy, c->scratch);
    consider_specials(c, g);
    for (int i = 0; i < raw; i++) {
        int g1 = c->raw[i].a, g2 = c->raw[i].b;
        bool swap = m->geom_type[g1] > m->geom_type[g2];
        consider(c, g, swap ? g2 : g1, swap ? g1 : g2, -1, -1);
    }
}
