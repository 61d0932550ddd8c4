// fuzz_pair.c - two shapes of any kind, size and pose: no crash, hits that are sound, none where a number is not
// finite. The bytes are read as choices: kinds, usual suspects among the numbers, or numbers of any size.
#include <stdlib.h>
#include <string.h>

#include "collide/asset.h"
#include "collide/ray.h"
#include "geometry/quat.h"
#include "geometry/vec3.h"
#include "stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// ---- shapes -------------------------------------------------------------------------------------------------------

enum { MOST_POINTS = 20, MOST_FACES = 12, SIDE = 6, ROUNDS = 2 };

typedef struct body {
    tx_shape shape;
    tx_asset asset;
    double size[3], pos[3], mat[9];
    tx_model *model; // owner of the asset
} body;

// few values, so that points coincide and lie in lines and planes
static void add_mesh(stream *s, tx_builder *builder) {
    double point[3 * MOST_POINTS], scale = positive(s);
    int face[3 * MOST_FACES];
    tx_mesh_def def = tx_default_mesh_def();
    def.name = "asset", def.vertices = point, def.faces = face;
    def.vertex_count = 1 + byte(s) % MOST_POINTS, def.face_count = byte(s) % MOST_FACES;
    def.inertia = (tx_mesh_inertia)(byte(s) % 4);
    def.sdf_cell = scale; // a coarse grid: making a fine one would take all the time
    for (int i = 0; i < 3 * def.vertex_count; i++) point[i] = scale * (byte(s) % 9 - 4) / 4;
    for (int i = 0; i < 3 * def.face_count; i++) face[i] = byte(s) % def.vertex_count;
    tx_builder_mesh(builder, &def);
}

static void add_hfield(stream *s, tx_builder *builder) {
    double height[SIDE * SIDE];
    tx_hfield_def def = tx_default_hfield_def();
    def.name = "asset", def.elevation = height;
    def.nrow = 2 + byte(s) % (SIDE - 1), def.ncol = 2 + byte(s) % (SIDE - 1);
    for (int k = 0; k < 4; k++) def.size[k] = positive(s);
    for (int i = 0; i < def.nrow * def.ncol; i++) height[i] = byte(s) % 16;
    tx_builder_hfield(builder, &def);
}

// the asset as a compiled model has it; false: it is refused
static bool make_asset(stream *s, body *b, int type) {
    tx_builder *builder = tx_builder_create();
    if (!builder) return false;
    tx_geom_def geom = tx_default_geom_def();
    geom.type = (tx_geom_type)type;
    if (type == TX_GEOM_HFIELD) geom.hfield = "asset", add_hfield(s, builder);
    else geom.mesh = "asset", add_mesh(s, builder);
    tx_builder_geom(builder, 0, &geom);
    tx_diag diag = {0};
    b->model = tx_builder_compile(builder, &diag);
    if ((b->model == NULL) != (diag.errors > 0)) abort();
    tx_diag_free(&diag);
    tx_builder_destroy(builder);
    if (!b->model || !tx_asset_of(b->model, 0, &b->asset)) return false;
    memcpy(b->size, b->model->geom_size, sizeof b->size);
    b->shape.asset = &b->asset;
    return true;
}

static void place(stream *s, body *b) {
    double quat[4];
    for (int k = 0; k < 3; k++) b->pos[k] = number(s);
    for (int k = 0; k < 4; k++) quat[k] = number(s);
    tx_quat_normalize(quat);
    tx_quat_to_mat(quat, b->mat);
}

static bool make_body(stream *s, body *b) {
    int type = byte(s) % TX_GEOM_COUNT;
    *b = (body){.shape = {type, b->size, b->pos, b->mat, NULL}};
    if (type == TX_GEOM_HFIELD || type == TX_GEOM_MESH || type == TX_GEOM_SDF) return make_asset(s, b, type);
    for (int k = 0; k < 3; k++) b->size[k] = fabs(number(s));
    return true;
}

// ---- checks -------------------------------------------------------------------------------------------------------

static void check_hits(const body *a, const body *b, double margin, const tx_hit *hits, int count) {
    if (count < 0 || count > TX_MAX_HITS) abort();
    bool placed = v_finite(a->pos, 3) && v_finite(b->pos, 3) && v_finite(a->mat, 9) && v_finite(b->mat, 9);
    if (count && !(placed && isfinite(margin))) abort();
    for (int i = 0; i < count; i++) {
        if (!isfinite(hits[i].dist) || !v_finite(hits[i].pos, 3) || !v_finite(hits[i].tangent, 3)) abort();
        if (!(hits[i].dist < margin) || !(fabs(v3_length(hits[i].normal) - 1) < 1e-9)) abort();
    }
}

static void shoot(stream *s, const body *b) {
    double origin[3], direction[3], normal[3];
    for (int k = 0; k < 3; k++) origin[k] = number(s), direction[k] = number(s);
    double length = v3_length(direction);
    if (!v_finite(origin, 3) || !isfinite(length) || !(length > 0)) return;
    v3_normalise(direction);
    double t = tx_ray_shape(&b->shape, origin, direction, normal);
    if (t != -1 && !(t >= 0)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    stream s = {data, data + size};
    body a = {0}, b = {0};
    if (make_body(&s, &a) && make_body(&s, &b)) {
        bool turned = a.shape.type > b.shape.type;
        const body *first = turned ? &b : &a, *second = turned ? &a : &b;
        tx_narrow how = tx_default_narrow();
        for (int round = 0; round < ROUNDS && (round == 0 || s.at < s.end); round++) {
            tx_hit hits[TX_MAX_HITS];
            place(&s, &a), place(&s, &b);
            how.method = byte(&s) & 1 ? TX_NARROWPHASE_MPR : TX_NARROWPHASE_GJK;
            how.contacts = byte(&s) % 6;
            double margin = number(&s);
            check_hits(first, second, margin, hits, tx_pair_hits(&first->shape, &second->shape, margin, &how, hits));
            shoot(&s, &a), shoot(&s, &b);
        }
    }
    tx_model_destroy(a.model);
    tx_model_destroy(b.model);
    return 0;
}
