// fuzz_builder.c - calls of the builder in any order with any numbers: compile gives a model or an error, and a model
// runs. The bytes are read as choices.
#include <stdlib.h>
#include <string.h>

#include "stream.h"
#include "thixis/builder.h"
#include "thixis/sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const NAMES[] = {"", "a", "b", "c", NULL, "world"};

static const char *name(stream *s) { return NAMES[byte(s) % 6]; }

// a choice that may be none of those that exist
static int choice(stream *s, int count) {
    int c = byte(s);
    return c < 250 ? c % count : c - 252;
}

static void numbers(stream *s, double *x, int count) {
    // most definitions keep their defaults
    if (byte(s) & 1) return;
    for (int i = 0; i < count; i++) x[i] = number(s);
}
#define NUMBERS(field) numbers(s, (double *)&d.field, (int)(sizeof d.field / sizeof(double)))

static void add_body(stream *s, tx_builder *b) {
    tx_body_def d = tx_default_body_def();
    d.name = name(s), d.mocap = byte(s) == 1, d.has_inertial = byte(s) & 1, d.has_fullinertia = byte(s) == 1;
    NUMBERS(pos), NUMBERS(quat), NUMBERS(mass), NUMBERS(inertia), NUMBERS(ipos), NUMBERS(iquat), NUMBERS(fullinertia);
    NUMBERS(gravcomp);
    tx_builder_body(b, choice(s, 4), &d);
}

static void add_joint(stream *s, tx_builder *b) {
    tx_joint_def d = tx_default_joint_def();
    d.name = name(s), d.type = (tx_joint_type)choice(s, 4), d.limited = (tx_switch)choice(s, 3);
    NUMBERS(pos), NUMBERS(axis), NUMBERS(range), NUMBERS(stiffness), NUMBERS(damping), NUMBERS(armature);
    NUMBERS(frictionloss), NUMBERS(solref), NUMBERS(solimp), NUMBERS(margin), NUMBERS(ref), NUMBERS(springref);
    tx_builder_joint(b, choice(s, 4), &d);
}

static void add_geom(stream *s, tx_builder *b) {
    tx_geom_def d = tx_default_geom_def();
    d.name = name(s), d.type = (tx_geom_type)choice(s, TX_GEOM_COUNT), d.mesh = name(s), d.hfield = name(s);
    for (int k = 0; k < 3; k++) d.size[k] = byte(s) & 1 ? 0.1 : number(s);
    d.condim = byte(s) & 1 ? 3 : choice(s, 7), d.has_fromto = byte(s) == 1;
    NUMBERS(pos), NUMBERS(quat), NUMBERS(mass), NUMBERS(density), NUMBERS(friction), NUMBERS(margin), NUMBERS(gap);
    NUMBERS(solmix), NUMBERS(solref), NUMBERS(solimp), NUMBERS(fromto), NUMBERS(fluidcoef);
    tx_builder_geom(b, choice(s, 4), &d);
}

static void add_site(stream *s, tx_builder *b) {
    tx_site_def d = tx_default_site_def();
    d.name = name(s), d.type = (tx_geom_type)choice(s, TX_GEOM_COUNT);
    NUMBERS(size), NUMBERS(pos), NUMBERS(quat);
    tx_builder_site(b, choice(s, 4), &d);
}

static void add_asset(stream *s, tx_builder *b) {
    double point[24], height[9];
    int face[12];
    if (byte(s) & 1) {
        tx_mesh_def d = tx_default_mesh_def();
        d.name = name(s), d.vertices = point, d.faces = face;
        d.vertex_count = byte(s) % 9, d.face_count = byte(s) % 5, d.inertia = (tx_mesh_inertia)choice(s, 4);
        d.sdf_cell = 0.5;
        for (int i = 0; i < 24; i++) point[i] = (byte(s) % 9 - 4) / 8.0;
        for (int i = 0; i < 12; i++) face[i] = choice(s, 8);
        NUMBERS(scale), NUMBERS(refpos), NUMBERS(refquat);
        tx_builder_mesh(b, &d);
    } else {
        tx_hfield_def d = tx_default_hfield_def();
        d.name = name(s), d.nrow = choice(s, 4), d.ncol = choice(s, 4), d.elevation = height;
        for (int i = 0; i < 9; i++) height[i] = number(s);
        NUMBERS(size);
        tx_builder_hfield(b, &d);
    }
}

static void add_tendon(stream *s, tx_builder *b) {
    tx_path_def path[4];
    tx_tendon_def d = tx_default_tendon_def();
    d.name = name(s), d.path = path, d.count = byte(s) % 5, d.limited = (tx_switch)choice(s, 3);
    for (int i = 0; i < 4; i++) path[i] = (tx_path_def){(tx_path_kind)choice(s, 4), name(s), name(s), number(s)};
    NUMBERS(stiffness), NUMBERS(damping), NUMBERS(range), NUMBERS(springlength), NUMBERS(frictionloss);
    tx_builder_tendon(b, &d);
}

static void add_actuator(stream *s, tx_builder *b) {
    tx_actuator_def d = tx_default_actuator_def();
    d.name = name(s), d.joint = name(s), d.tendon = name(s), d.site = name(s), d.refsite = name(s);
    if (byte(s) & 1) d.tendon = d.site = d.refsite = NULL;
    d.dynamics = (tx_dynamics)choice(s, 5), d.gain_curve = (tx_force_curve)choice(s, 2);
    d.bias_curve = (tx_force_curve)choice(s, 2), d.ctrllimited = (tx_switch)choice(s, 3), d.group = choice(s, 31);
    NUMBERS(gear), NUMBERS(dynprm), NUMBERS(gain), NUMBERS(bias), NUMBERS(ctrlrange), NUMBERS(forcerange);
    NUMBERS(lengthrange), NUMBERS(dampratio);
    tx_builder_actuator(b, &d);
}

static void add_relation(stream *s, tx_builder *b) {
    if (byte(s) & 1) {
        tx_equality_def d = tx_default_equality_def();
        d.name = name(s), d.type = (tx_equality_type)choice(s, 4), d.first = name(s), d.second = name(s);
        d.sites = byte(s) == 1;
        NUMBERS(anchor), NUMBERS(relpos), NUMBERS(relquat), NUMBERS(polycoef), NUMBERS(torquescale), NUMBERS(solref);
        tx_builder_equality(b, &d);
    } else {
        tx_pair_def d = tx_default_pair_def();
        d.geom1 = name(s), d.geom2 = name(s), d.condim = choice(s, 7);
        d.has_friction = d.has_margin = d.has_gap = d.has_solref = byte(s) & 1;
        NUMBERS(friction), NUMBERS(solref), NUMBERS(solimp), NUMBERS(margin), NUMBERS(gap);
        tx_builder_pair(b, &d);
        tx_builder_exclude(b, &(tx_exclude_def){name(s), name(s), {0}});
    }
}

static void add_rest(stream *s, tx_builder *b) {
    double x[16];
    for (int i = 0; i < 16; i++) x[i] = number(s);
    tx_sensor_def sensor = {.name = name(s), .of = name(s), .relative_to = name(s)};
    sensor.type = (tx_sensor_type)choice(s, TX_SENSOR_COUNT);
    sensor.object = (tx_object)choice(s, TX_OBJECT_COUNT), sensor.reference = (tx_object)choice(s, TX_OBJECT_COUNT);
    if (byte(s) == 1) sensor.cutoff = number(s);
    tx_key_def key = {.name = name(s), .qpos = x, .qpos_count = byte(s) % 17, .qvel = x, .qvel_count = byte(s) % 17};
    switch (byte(s) % 4) {
    case 0: tx_builder_sensor(b, &sensor); break;
    case 1: tx_builder_key(b, &key); break;
    case 2: tx_builder_gravity(b, x); break;
    default: tx_builder_medium(b, x[0], x[1], x + 2);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const ADDERS[])(stream *, tx_builder *) = {
        add_body, add_joint, add_geom, add_site, add_asset, add_tendon, add_actuator, add_relation, add_rest, add_geom};
    enum { CALLS = 24 };
    stream bytes = {data, data + size}, *s = &bytes;
    tx_builder *b = tx_builder_create();
    if (!b) return 0;
    for (int i = 0; i < CALLS && s->at < s->end; i++) ADDERS[byte(s) % 10](s, b);
    tx_diag diag = {0};
    tx_model *model = tx_builder_compile(b, &diag);
    if ((model == NULL) != (diag.errors > 0)) abort();
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = model ? tx_sim_create(model, &def) : NULL;
    if (model && !sim) abort();
    if (sim && tx_sim_step_n(sim, 2) != TX_OK) abort();
    // a compiled model is read again as it is
    size_t length;
    const void *compiled = model ? tx_model_bytes(model, &length) : NULL;
    tx_diag found = {0};
    tx_model *copy = compiled ? tx_model_from_bytes(compiled, length, &found) : NULL;
    if (model && !copy) abort();
    tx_diag_free(&found), tx_model_destroy(copy);
    tx_sim_destroy(sim), tx_model_destroy(model), tx_diag_free(&diag), tx_builder_destroy(b);
    return 0;
}
