// draft_geom.c - meshes, and the frames, sizes and masses of geoms.
#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "compile/draft.h"
#include "compile/sdf_cache.h"
#include "geometry/mass.h"
#include "geometry/quat.h"

#define FAIL(source, hint, ...) \
    tx_diag_add(diag, TX_SEVERITY_ERROR, (source).file, (source).line, (source).column, hint, __VA_ARGS__)

static const char *name_or(const char *name) { return name[0] ? name : "(no name)"; }

// the field of the surface as the model keeps it, in single precision
static bool bake(tx_draft *d, int i, tx_diag *diag) {
    const tx_mesh_def *def = &d->b->mesh.items[i];
    const tx_mesh *mesh = &d->mesh[i];
    size_t numbers = 3 * (size_t)mesh->vertex_count;
    double *vertex = tx_alloc(sizeof *vertex * numbers);
    for (size_t k = 0; vertex && k < numbers; k++) vertex[k] = (double)(float)mesh->vertex[k];
    bool good = vertex &&
                tx_sdf_bake_cached(&d->sdf[i], vertex, mesh->vertex_count, mesh->face, mesh->face_count, def->sdf_cell);
    if (!good) FAIL(def->source, "", "mesh '%s': out of memory for its signed distance field", name_or(def->name));
    tx_free(vertex);
    return good;
}

// a hull is made for meshes that collide as such, also by a pair alone; a signed distance field for those of type sdf
bool tx_draft_meshes(tx_draft *d, tx_diag *diag) {
    const tx_builder *b = d->b;
    bool *collides = tx_alloc(sizeof(bool) * 2 * ((size_t)b->mesh.count + 1)), good = collides != NULL;
    bool *baked = collides ? collides + b->mesh.count : NULL;
    if (!collides) FAIL(((tx_source){"", 0, 0}), "", "out of memory");
    for (int i = 0; good && i < b->geom.count; i++) {
        const tx_geom_def *g = &b->geom.items[i].def;
        d->geom[i].mesh = tx_name_find(&d->catalog->mesh, g->mesh);
        d->geom[i].hfield = tx_name_find(&d->catalog->hfield, g->hfield);
        if (d->geom[i].mesh >= 0 && g->type == TX_GEOM_MESH && (g->contype || g->conaffinity))
            collides[d->geom[i].mesh] = true;
        if (d->geom[i].mesh >= 0 && g->type == TX_GEOM_SDF) baked[d->geom[i].mesh] = true;
    }
    for (int i = 0; good && i < 2 * b->pair.count; i++) {
        const tx_pair_def *pair = &b->pair.items[i / 2];
        int geom = tx_name_find(&d->catalog->geom, i % 2 ? pair->geom2 : pair->geom1);
        if (geom >= 0 && b->geom.items[geom].def.type == TX_GEOM_MESH) collides[d->geom[geom].mesh] = true;
    }
    for (int i = 0; collides && i < b->mesh.count; i++) {
        const tx_mesh_def *def = &b->mesh.items[i];
        tx_mesh_problem problem;
        if (!tx_mesh_build(&d->mesh[i], def, collides[i], &problem)) {
            FAIL(def->source, problem.hint, "mesh '%s': %s", name_or(def->name), problem.text);
            good = false;
        } else if (baked[i]) good = bake(d, i, diag) && good;
    }
    tx_free(collides);
    return good;
}

// a mesh puts the geom into its own frame; a primitive takes its size and forgets it
static bool set_mesh(tx_draft *d, tx_draft_geom *g, const tx_geom_def *def, tx_diag *diag) {
    const tx_mesh *mesh = &d->mesh[g->mesh];
    double pos[3] = {0}, quat[4] = {1, 0, 0, 0};
    bool good = true;
    if (def->type == TX_GEOM_MESH || def->type == TX_GEOM_SDF) {
        for (int k = 0; k < 3; k++) g->size[k] = fmax(fabs(mesh->lowest[k]), fabs(mesh->highest[k]));
    } else {
        // sizes that the type does not use stay as given
        double size[3] = {0};
        int used = def->type == TX_GEOM_SPHERE ? 1 : def->type == TX_GEOM_BOX || def->type == TX_GEOM_ELLIPSOID ? 3 : 2;
        tx_mesh_fit(mesh, (int)def->type, def->fitaabb, size, pos);
        for (int k = 0; k < 3; k++) {
            g->size[k] = (k < used ? size[k] : g->size[k]) * def->fitscale;
            good = good && (k >= used || g->size[k] > 0);
        }
        if (!good)
            FAIL(def->source, "choose another type, or fitaabb", "geom '%s': fitted to mesh '%s' it has no size",
                 name_or(def->name), def->mesh);
        g->mesh = -1;
    }
    tx_pose_in_parent(mesh->pos, mesh->quat, pos, quat);
    tx_pose_in_parent(g->pos, g->quat, pos, quat);
    memcpy(g->pos, pos, sizeof pos);
    memcpy(g->quat, quat, sizeof quat);
    if (g->mesh >= 0) return good;
    memcpy(g->own_pos, pos, sizeof pos);
    memcpy(g->own_quat, quat, sizeof quat);
    return good;
}

// MuJoCo's stand-in for mass and pictures: a box of half the mean height and half the base
static void set_hfield(tx_draft_geom *g, const tx_hfield_def *h) {
    g->size[0] = h->size[0], g->size[1] = h->size[1];
    g->size[2] = 0.25 * h->size[2] + 0.5 * h->size[3];
}

// mass and principal moments; a given mass needs a volume to be spread over
static void set_mass(const tx_draft *d, tx_draft_geom *g, const tx_geom_def *def) {
    int type = def->type == TX_GEOM_HFIELD ? TX_GEOM_BOX : (int)def->type;
    const tx_mesh *mesh = g->mesh >= 0 ? &d->mesh[g->mesh] : NULL;
    double volume = mesh ? mesh->volume : def->shell ? tx_shape_area(type, g->size) : tx_shape_volume(type, g->size);
    g->mass = def->mass < 0 ? def->density * volume : volume > 1e-14 ? def->mass : 0;
    if (!(g->mass > 0)) return;
    if (mesh) tx_mesh_moments(mesh, g->mass, g->moments);
    else if (def->shell) tx_shell_inertia(type, g->size, g->mass, g->moments);
    else tx_shape_inertia(type, g->size, g->mass, g->moments);
}

bool tx_draft_geoms(tx_draft *d, tx_diag *diag) {
    bool good = true;
    for (int i = 0; i < d->b->geom.count; i++) {
        const tx_geom_def *def = &d->b->geom.items[i].def;
        tx_draft_geom *g = &d->geom[i];
        g->body = d->b->geom.items[i].body;
        const int *groups = tx_compiler_of(d->b, g->body)->inertiagrouprange;
        memcpy(g->size, def->size, sizeof def->size);
        memcpy(g->pos, def->pos, sizeof def->pos);
        memcpy(g->quat, def->quat, sizeof def->quat);
        tx_quat_normalize(g->quat);
        if (def->has_fromto) tx_fromto(def->type, def->fromto, g->size, g->pos, g->quat);
        if (g->hfield >= 0) set_hfield(g, &d->b->hfield.items[g->hfield]);
        memcpy(g->own_pos, g->pos, sizeof g->pos);
        memcpy(g->own_quat, g->quat, sizeof g->quat);
        if (g->mesh >= 0) good = set_mesh(d, g, def, diag) && good;
        if (g->body > 0 && def->group >= groups[0] && def->group <= groups[1]) set_mass(d, g, def);
    }
    return good;
}
