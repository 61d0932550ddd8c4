// attach.c - one builder inside another: its world becomes a frame of a body, its names get a prefix. docs/attach.md
#include <string.h>

#include "base/memory.h"
#include "compile/builder.h"
#include "geometry/quat.h"
#include "model/actuator.h"

typedef struct attacher {
    tx_builder *to;
    const tx_builder *part;
    const char *prefix;
    const double *pos, *quat; // of the part's world in `parent`
    int parent, shift;        // body i > 0 of the part becomes i + shift
    int textures;             // that were there
    bool failed;
} attacher;

// the name of the same thing in the other builder; the world has no prefix, and no name stays none
static const char *renamed(attacher *a, const char *name) {
    if (!name || !name[0] || strcmp(name, "world") == 0 || a->failed) return name;
    const size_t first = strlen(a->prefix), second = strlen(name);
    char *joined = tx_alloc(first + second + 1);
    if (joined) memcpy(joined, a->prefix, first), memcpy(joined + first, name, second + 1);
    const char *owned = joined ? tx_builder_text(a->to, joined) : NULL;
    tx_free(joined);
    a->failed = a->failed || !owned;
    return owned;
}

// an index that an adder gave
static void check(attacher *a, int index) { a->failed = a->failed || index < 0; }

static int body_of(const attacher *a, int body) { return body == 0 ? a->parent : body + a->shift; }

// what stands in the part's world stands in the frame
static void place(const attacher *a, int body, double pos[3], double quat[4]) {
    if (body == 0) tx_pose_in_parent(a->pos, a->quat, pos, quat);
}

// ---- bodies and what they carry -------------------------------------------------------------------------------------

static void add_body(attacher *a, int i) {
    const tx_built_body *item = &a->part->body.items[i];
    tx_body_def d = item->def;
    const tx_compiler_def compiler = *tx_compiler_of(a->part, i);
    const int parent = item->parent;
    d.name = renamed(a, d.name), d.compiler = &compiler;
    place(a, parent, d.pos, d.quat);
    check(a, a->failed ? -1 : tx_builder_body(a->to, body_of(a, parent), &d));
}

static void add_joint(attacher *a, int i) {
    const int body = a->part->joint.items[i].body;
    tx_joint_def d = a->part->joint.items[i].def;
    d.name = renamed(a, d.name);
    check(a, tx_builder_joint(a->to, body_of(a, body), &d));
}

static void add_geom(attacher *a, int i) {
    const int body = a->part->geom.items[i].body;
    tx_geom_def d = a->part->geom.items[i].def;
    double none[4] = {1};
    d.name = renamed(a, d.name), d.mesh = renamed(a, d.mesh), d.hfield = renamed(a, d.hfield);
    if (d.texture >= 0) d.texture += a->textures;
    place(a, body, d.pos, d.quat);
    for (int k = 0; k < 2 && d.has_fromto; k++) place(a, body, d.fromto + 3 * k, none);
    check(a, tx_builder_geom(a->to, body_of(a, body), &d));
}

static void add_site(attacher *a, int i) {
    const int body = a->part->site.items[i].body;
    tx_site_def d = a->part->site.items[i].def;
    d.name = renamed(a, d.name);
    place(a, body, d.pos, d.quat);
    check(a, tx_builder_site(a->to, body_of(a, body), &d));
}

static void add_camera(attacher *a, int i) {
    const int body = a->part->camera.items[i].body;
    tx_camera_def d = a->part->camera.items[i].def;
    d.name = renamed(a, d.name), d.target = renamed(a, d.target);
    place(a, body, d.pos, d.quat);
    check(a, tx_builder_camera(a->to, body_of(a, body), &d));
}

// ---- what only has names --------------------------------------------------------------------------------------------

static void add_mesh(attacher *a, int i) {
    tx_mesh_def d = a->part->mesh.items[i];
    d.name = renamed(a, d.name);
    check(a, tx_builder_mesh(a->to, &d));
}

static void add_hfield(attacher *a, int i) {
    tx_hfield_def d = a->part->hfield.items[i];
    d.name = renamed(a, d.name);
    check(a, tx_builder_hfield(a->to, &d));
}

static void add_texture(attacher *a, int i) {
    const tx_texture_def d = a->part->texture.items[i];
    check(a, tx_builder_texture(a->to, &d));
}

static void add_pair(attacher *a, int i) {
    tx_pair_def d = a->part->pair.items[i];
    d.geom1 = renamed(a, d.geom1), d.geom2 = renamed(a, d.geom2);
    check(a, tx_builder_pair(a->to, &d));
}

static void add_exclude(attacher *a, int i) {
    tx_exclude_def d = a->part->exclude.items[i];
    d.body1 = renamed(a, d.body1), d.body2 = renamed(a, d.body2);
    check(a, tx_builder_exclude(a->to, &d));
}

static void add_equality(attacher *a, int i) {
    tx_equality_def d = a->part->equality.items[i];
    d.name = renamed(a, d.name), d.first = renamed(a, d.first), d.second = renamed(a, d.second);
    check(a, tx_builder_equality(a->to, &d));
}

static void add_tendon(attacher *a, int i) {
    tx_tendon_def d = a->part->tendon.items[i];
    tx_path_def *path = tx_alloc(sizeof *path * ((size_t)d.count + 1));
    for (int k = 0; path && k < d.count; k++) {
        path[k] = d.path[k];
        path[k].name = renamed(a, path[k].name), path[k].side = renamed(a, path[k].side);
    }
    d.name = renamed(a, d.name), d.path = path;
    check(a, path && !a->failed ? tx_builder_tendon(a->to, &d) : -1);
    tx_free(path);
}

static void add_actuator(attacher *a, int i) {
    tx_actuator_def d = a->part->actuator.items[i];
    if (tx_actuator_axis((int)d.gain_curve) > 0) return; // comes with the first of its axes
    const char **names[] = {&d.name, &d.joint, &d.tendon, &d.site, &d.refsite, &d.cranksite, &d.slidersite, &d.body};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) *names[k] = renamed(a, *names[k]);
    check(a, tx_builder_actuator(a->to, &d));
}

static void add_sensor(attacher *a, int i) {
    tx_sensor_def d = a->part->sensor.items[i];
    d.name = renamed(a, d.name), d.of = renamed(a, d.of), d.relative_to = renamed(a, d.relative_to);
    check(a, tx_builder_sensor(a->to, &d));
}

// ---- all of them ----------------------------------------------------------------------------------------------------

int tx_builder_attach(tx_builder *b, int parent, const tx_builder *part, const char *prefix, const double pos[3],
                      const double quat[4]) {
    static const double here[3] = {0}, upright[4] = {1};
    double turn[4];
    if (!b || !part || parent < 0 || parent >= b->body.count) return -1;
    memcpy(turn, quat ? quat : upright, sizeof turn);
    if (!tx_quat_normalize(turn)) return -1;
    // both may be the same: what it holds now is what is attached
    const tx_builder before = *b, from = *part;
    attacher a = {b,    part, prefix ? prefix : "", pos ? pos : here, turn, parent, b->body.count - 1, b->texture.count,
                  false};
    const struct {
        void (*add)(attacher *a, int i);
        int first, count;
    } lists[] = {{add_mesh, 0, from.mesh.count},         {add_hfield, 0, from.hfield.count},
                 {add_texture, 0, from.texture.count},   {add_body, 1, from.body.count},
                 {add_joint, 0, from.joint.count},       {add_geom, 0, from.geom.count},
                 {add_site, 0, from.site.count},         {add_camera, 0, from.camera.count},
                 {add_pair, 0, from.pair.count},         {add_exclude, 0, from.exclude.count},
                 {add_tendon, 0, from.tendon.count},     {add_equality, 0, from.equality.count},
                 {add_actuator, 0, from.actuator.count}, {add_sensor, 0, from.sensor.count}};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (int i = lists[l].first; i < lists[l].count && !a.failed; i++) lists[l].add(&a, i);
    if (!a.failed) return from.body.count > 1 ? before.body.count : parent;
    // no memory: as if nothing had been asked
    b->mesh.count = before.mesh.count, b->hfield.count = before.hfield.count;
    b->texture.count = before.texture.count, b->body.count = before.body.count;
    b->joint.count = before.joint.count, b->geom.count = before.geom.count, b->site.count = before.site.count;
    b->camera.count = before.camera.count, b->pair.count = before.pair.count, b->exclude.count = before.exclude.count;
    b->tendon.count = before.tendon.count, b->equality.count = before.equality.count;
    b->actuator.count = before.actuator.count, b->sensor.count = before.sensor.count;
    return -1;
}
