// fuzz_pair.c - two shapes of any kind, size and pose: no crash, hits that are sound, none where a number is not
// finite. The bytes are read as choices: kinds, usual suspects among the numbers, or numbers of any size.
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "collide/asset.h"
#include "collide/ray.h"
#include "collide/rings.h"
#include "geometry/quat.h"
#include "geometry/vec3.h"
#include "stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// ---- shapes -------------------------------------------------------------------------------------------------------

enum { MOST_POINTS = 20, MOST_FACES = 12, SIDE = 6, ROUNDS = 2, KEPT = 256 };

// what a mesh, a distance field or a height field is made of
typedef struct recipe {
    int type, inertia, counts[2], face[3 * MOST_FACES];
    double scale[4], number[3 * MOST_POINTS];
} recipe;

typedef struct body {
    tx_shape shape;
    tx_asset asset;
    double size[3], pos[3], mat[9];
} body;

// few values, so that points coincide and lie in lines and planes
static void read_mesh(stream *s, recipe *r) {
    r->scale[0] = positive(s);
    r->counts[0] = 1 + byte(s) % MOST_POINTS, r->counts[1] = byte(s) % MOST_FACES;
    r->inertia = byte(s) % 4;
    for (int i = 0; i < 3 * r->counts[0]; i++) r->number[i] = r->scale[0] * (byte(s) % 9 - 4) / 4;
    for (int i = 0; i < 3 * r->counts[1]; i++) r->face[i] = byte(s) % r->counts[0];
}

static void read_hfield(stream *s, recipe *r) {
    for (int k = 0; k < 2; k++) r->counts[k] = 2 + byte(s) % (SIDE - 1);
    for (int k = 0; k < 4; k++) r->scale[k] = positive(s);
    for (int i = 0; i < r->counts[0] * r->counts[1]; i++) r->number[i] = byte(s) % 16;
}

static void add_mesh(const recipe *r, tx_builder *builder) {
    tx_mesh_def def = tx_default_mesh_def();
    def.name = "asset", def.vertices = r->number, def.faces = r->face;
    def.vertex_count = r->counts[0], def.face_count = r->counts[1];
    def.inertia = (tx_mesh_inertia)r->inertia;
    def.sdf_cell = r->scale[0]; // a coarse grid: making a fine one would take all the time
    tx_builder_mesh(builder, &def);
}

static void add_hfield(const recipe *r, tx_builder *builder) {
    tx_hfield_def def = tx_default_hfield_def();
    def.name = "asset", def.elevation = r->number;
    def.nrow = r->counts[0], def.ncol = r->counts[1];
    memcpy(def.size, r->scale, sizeof def.size);
    tx_builder_hfield(builder, &def);
}

// null: it is refused
static tx_model *compile(const recipe *r) {
    tx_builder *builder = tx_builder_create();
    if (!builder) return NULL;
    tx_geom_def geom = tx_default_geom_def();
    geom.type = (tx_geom_type)r->type;
    if (r->type == TX_GEOM_HFIELD) geom.hfield = "asset", add_hfield(r, builder);
    else geom.mesh = "asset", add_mesh(r, builder);
    tx_builder_geom(builder, 0, &geom);
    tx_diag diag = {0};
    tx_model *model = tx_builder_compile(builder, &diag);
    if ((model == NULL) != (diag.errors > 0)) abort();
    tx_diag_free(&diag);
    tx_builder_destroy(builder);
    return model;
}

// most inputs differ from an earlier one in the poses: what is compiled is kept, as constant as it is in a simulation.
// Each of the two bodies has its own, so that one never throws away the other's
static const tx_model *compiled(const recipe *r, int body, const tx_facets **facets) {
    static struct {
        recipe of;
        tx_model *model;
        tx_rings *rings;
    } kept[2][KEPT];
    const size_t at = (tx_hash(TX_HASH_START, r, sizeof *r) >> 32) % KEPT;
    if (memcmp(&kept[body][at].of, r, sizeof *r) != 0) {
        tx_model_destroy(kept[body][at].model);
        kept[body][at].of = *r;
        kept[body][at].model = compile(r);
        tx_rings_destroy(kept[body][at].rings);
        kept[body][at].rings = kept[body][at].model ? tx_rings_create(kept[body][at].model) : NULL;
    }
    const int mesh = kept[body][at].rings ? kept[body][at].model->geom_mesh[0] : -1;
    *facets = tx_rings_facets(kept[body][at].rings, mesh);
    return kept[body][at].model;
}

// the asset as a compiled model has it; false: it is refused
static bool make_asset(stream *s, body *b, int type, int which) {
    recipe r;
    memset(&r, 0, sizeof r);
    r.type = type;
    if (type == TX_GEOM_HFIELD) read_hfield(s, &r);
    else read_mesh(s, &r);
    const tx_facets *facets;
    const tx_model *model = compiled(&r, which, &facets);
    if (!model || !tx_asset_of(model, 0, &b->asset)) return false;
    b->asset.facets = facets;
    memcpy(b->size, model->geom_size, sizeof b->size);
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

static bool make_body(stream *s, body *b, int which) {
    int type = byte(s) % TX_GEOM_COUNT;
    *b = (body){.shape = {type, b->size, b->pos, b->mat, NULL}};
    if (type == TX_GEOM_HFIELD || type == TX_GEOM_MESH || type == TX_GEOM_SDF) return make_asset(s, b, type, which);
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
    if (make_body(&s, &a, 0) && make_body(&s, &b, 1)) {
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
    return 0;
}
