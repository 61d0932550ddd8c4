// draft.c - order of the bodies, fusing, leaving out, numbering.
#include "compile/draft.h"

#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "compile/check.h"
#include "geometry/quat.h"

// ---- memory -------------------------------------------------------------------------------------------------------

// the next `count` items of a block; without a block it only adds up what is needed
static void *take(char *block, size_t *at, size_t size, int count) {
    size_t here = (*at + 15u) & ~(size_t)15u;
    *at = here + size * ((size_t)count + 1);
    return block ? block + here : NULL;
}
#define TAKE(field, count) d->field = take(block, &at, sizeof *d->field, count)

static size_t lay_out(tx_draft *d, char *block) {
    const tx_builder *b = d->b;
    size_t at = 0;
    TAKE(body, b->body.count);
    TAKE(geom, b->geom.count);
    TAKE(site, b->site.count);
    TAKE(camera, b->camera.count);
    TAKE(mesh, b->mesh.count);
    TAKE(sdf, b->mesh.count);
    TAKE(mesh_number, b->mesh.count);
    TAKE(order, b->body.count);
    TAKE(body_def, b->body.count);
    TAKE(joint_def, b->joint.count);
    TAKE(geom_def, b->geom.count);
    TAKE(site_def, b->site.count);
    TAKE(camera_def, b->camera.count);
    TAKE(mesh_def, b->mesh.count);
    TAKE(joint_first, b->body.count);
    TAKE(geom_first, b->body.count);
    TAKE(joint_number, b->joint.count);
    return at;
}

void tx_draft_free(tx_draft *d) {
    for (int i = 0; d->mesh && i < d->b->mesh.count; i++) {
        tx_mesh_free(&d->mesh[i]);
        tx_free((void *)d->sdf[i].value);
    }
    tx_free(d->memory);
    *d = (tx_draft){0};
}

// ---- order --------------------------------------------------------------------------------------------------------

// depth first; a body comes after its parent in the calls, so the sizes of subtrees add up from the end
static bool order_bodies(tx_draft *d) {
    int count = d->b->body.count;
    int *size = tx_alloc(sizeof(int) * 2 * (size_t)count), *place = size + count;
    if (!size) return false;
    for (int i = count - 1; i >= 0; i--) {
        size[i]++;
        if (i > 0) size[d->b->body.items[i].parent] += size[i];
    }
    // place[i]: where the next child of i goes, counted in bodies of the final order
    d->order[0] = 0, place[0] = 1;
    for (int i = 1; i < count; i++) {
        int parent = d->b->body.items[i].parent, here = place[parent];
        place[parent] += size[i];
        d->order[here] = i, place[i] = here + 1;
    }
    for (int k = 0; k < count; k++) d->body[d->order[k]].place = k;
    tx_free(size);
    return true;
}

// ---- fusing and leaving out ---------------------------------------------------------------------------------------

static bool is_body(tx_object object) { return object == TX_OBJECT_BODY || object == TX_OBJECT_XBODY; }

// bodies that other elements name stay
static bool *named_bodies(const tx_draft *d) {
    const tx_builder *b = d->b;
    bool *named = tx_alloc(sizeof(bool) * (size_t)b->body.count);
    for (int i = 0; named && i < b->exclude.count; i++) {
        named[tx_name_find(&d->catalog->body, b->exclude.items[i].body1)] = true;
        named[tx_name_find(&d->catalog->body, b->exclude.items[i].body2)] = true;
    }
    for (int i = 0; named && i < b->sensor.count; i++) {
        const tx_sensor_def *s = &b->sensor.items[i];
        if (is_body(s->object)) named[tx_name_find(&d->catalog->body, s->of)] = true;
        if (is_body(s->reference)) named[tx_name_find(&d->catalog->body, s->relative_to)] = true;
        if (s->type == TX_SENSOR_FORCE || s->type == TX_SENSOR_TORQUE)
            named[b->site.items[tx_name_find(&d->catalog->site, s->of)].body] = true;
    }
    for (int i = 0; named && i < b->equality.count; i++) {
        const tx_equality_def *e = &b->equality.items[i];
        int first = tx_name_find(&d->catalog->body, e->first), second = tx_name_find(&d->catalog->body, e->second);
        if (e->sites || (e->type != TX_EQUALITY_CONNECT && e->type != TX_EQUALITY_WELD)) continue;
        named[first] = true;
        if (second >= 0) named[second] = true;
    }
    for (int i = 0; named && i < b->camera.count; i++)
        if (b->camera.items[i].def.target[0])
            named[tx_name_find(&d->catalog->body, b->camera.items[i].def.target)] = true;
    for (int i = 0; named && i < b->actuator.count; i++)
        if (b->actuator.items[i].body[0]) named[tx_name_find(&d->catalog->body, b->actuator.items[i].body)] = true;
    return named;
}

// bodies that would move otherwise as a part of their parent, or that shall stay
static bool stays(const tx_draft *d, int i, int parent) {
    const tx_builder *b = d->b;
    const tx_body_def *def = &b->body.items[i].def;
    const bool medium = b->density != 0 || b->viscosity != 0;
    bool ellipsoid = false;
    for (int g = 0; medium && g < b->geom.count; g++)
        ellipsoid = ellipsoid || (b->geom.items[g].body == i && b->geom.items[g].def.fluid_ellipsoid);
    bool weighs = d->body[i].mass > 0 && (medium || def->gravcomp != b->body.items[parent].def.gravcomp);
    return def->keep || def->mocap || def->sleep != TX_SLEEP_AUTO || weighs || ellipsoid;
}

// a site or camera of a body that is no more
static void fuse_site(const tx_draft *d, tx_draft_site *site) {
    const tx_draft_body *body = &d->body[site->body];
    if (body->owner == site->body) return;
    tx_pose_in_parent(body->pos, body->quat, site->pos, site->quat);
    site->body = body->owner;
}

// a body without joints becomes part of its parent: children and geoms get the parent's frame, the parent its mass
static bool fuse_static(tx_draft *d, tx_diag *diag) {
    const tx_builder *b = d->b;
    bool *named = named_bodies(d);
    if (!named) {
        tx_diag_add(diag, TX_SEVERITY_ERROR, "", 0, 0, "", "out of memory");
        return false;
    }
    bool good = true;
    for (int k = 1; k < b->body.count; k++) {
        int i = d->order[k];
        tx_draft_body *body = &d->body[i];
        const tx_built_body *built = &b->body.items[i];
        int parent = d->body[built->parent].owner;
        // ancestors come first: a fused parent already stands in its owner
        if (parent != built->parent)
            tx_pose_in_parent(d->body[built->parent].pos, d->body[built->parent].quat, body->pos, body->quat);
        if (d->catalog->joint_count[i] > 0 || named[i] || stays(d, i, parent)) continue;
        body->owner = parent;
        bool sane = true;
        if (parent > 0 && body->mass >= 1e-15) tx_draft_merge(&d->body[parent], body, &sane);
        if (!sane) {
            const tx_body_def *def = &built->def;
            tx_diag_add(diag, TX_SEVERITY_ERROR, def->source.file, def->source.line, def->source.column,
                        "turn fusestatic off", "body '%s': fused with its parent it has no positive moments of inertia",
                        def->name);
            good = false;
        }
    }
    for (int i = 0; i < b->geom.count; i++) {
        tx_draft_geom *geom = &d->geom[i];
        const tx_draft_body *body = &d->body[geom->body];
        if (body->owner == geom->body) continue;
        tx_pose_in_parent(body->pos, body->quat, geom->pos, geom->quat);
        tx_pose_in_parent(body->pos, body->quat, geom->own_pos, geom->own_quat);
        geom->body = body->owner;
    }
    for (int i = 0; i < b->site.count; i++) fuse_site(d, &d->site[i]);
    for (int i = 0; i < b->camera.count; i++) fuse_site(d, &d->camera[i]);
    int before = diag->errors;
    for (int i = 0; i < b->joint.count; i++) {
        int parent = d->body[b->body.items[b->joint.items[i].body].parent].owner;
        if (b->joint.items[i].def.type == TX_JOINT_FREE) tx_check_free(&b->joint.items[i].def, parent, diag);
    }
    tx_free(named);
    return good && diag->errors == before;
}

// ---- frames of free bodies ----------------------------------------------------------------------------------------

// a pose in a body, seen from the frame of its inertia
static void into_inertia(const tx_draft_body *body, double pos[3], double quat[4]) {
    const double back[4] = {body->iquat[0], -body->iquat[1], -body->iquat[2], -body->iquat[3]}, none[3] = {0};
    for (int k = 0; k < 3; k++) pos[k] -= body->ipos[k];
    tx_pose_in_parent(none, back, pos, quat);
}

// the bodies whose only joint is a free one that asks for it, and that have no children, get the frame of their
// inertia; what stands in them stays where it is in the world
static bool align_free(tx_draft *d) {
    const tx_builder *b = d->b;
    bool *aligned = tx_alloc(sizeof *aligned * (size_t)b->body.count);
    if (!aligned) return false;
    for (int i = 0; i < b->joint.count; i++) {
        const tx_built_joint *joint = &b->joint.items[i];
        aligned[joint->body] = joint->def.type == TX_JOINT_FREE && joint->def.align;
    }
    for (int i = 1; i < b->body.count; i++) {
        aligned[i] = aligned[i] && d->catalog->joint_count[i] == 1;
        if (d->body[i].owner == i) aligned[d->body[b->body.items[i].parent].owner] = false;
    }
    for (int i = 0; i < b->geom.count; i++) {
        tx_draft_geom *geom = &d->geom[i];
        if (!aligned[geom->body]) continue;
        into_inertia(&d->body[geom->body], geom->pos, geom->quat);
        into_inertia(&d->body[geom->body], geom->own_pos, geom->own_quat);
    }
    for (int i = 0; i < b->site.count; i++)
        if (aligned[d->site[i].body]) into_inertia(&d->body[d->site[i].body], d->site[i].pos, d->site[i].quat);
    for (int i = 0; i < b->camera.count; i++)
        if (aligned[d->camera[i].body]) into_inertia(&d->body[d->camera[i].body], d->camera[i].pos, d->camera[i].quat);
    for (int i = 1; i < b->body.count; i++) {
        tx_draft_body *body = &d->body[i];
        if (!aligned[i]) continue;
        tx_pose_in_parent(body->pos, body->quat, body->ipos, body->iquat);
        memcpy(body->pos, body->ipos, sizeof body->pos);
        memcpy(body->quat, body->iquat, sizeof body->quat);
        tx_quat_normalize(body->quat);
        for (int k = 0; k < 4; k++) body->iquat[k] = k == 0;
        for (int k = 0; k < 3; k++) body->ipos[k] = 0;
    }
    tx_free(aligned);
    return true;
}

// geoms that cannot collide go, unless a pair, a sensor or a tendon names them; so do meshes that no other geom names
static void discard_visual(tx_draft *d) {
    const tx_builder *b = d->b;
    for (int i = 0; i < b->geom.count; i++)
        d->geom[i].dropped = !b->geom.items[i].def.contype && !b->geom.items[i].def.conaffinity;
    for (int i = 0; i < b->pair.count; i++) {
        d->geom[tx_name_find(&d->catalog->geom, b->pair.items[i].geom1)].dropped = false;
        d->geom[tx_name_find(&d->catalog->geom, b->pair.items[i].geom2)].dropped = false;
    }
    for (int i = 0; i < b->sensor.count; i++) {
        const tx_sensor_def *s = &b->sensor.items[i];
        if (s->object == TX_OBJECT_GEOM) d->geom[tx_name_find(&d->catalog->geom, s->of)].dropped = false;
        if (s->reference == TX_OBJECT_GEOM) d->geom[tx_name_find(&d->catalog->geom, s->relative_to)].dropped = false;
    }
    for (int i = 0; i < b->tendon.count; i++)
        for (int k = 0; k < b->tendon.items[i].count; k++) {
            const tx_path_def *p = &b->tendon.items[i].path[k];
            if (p->kind == TX_PATH_GEOM) d->geom[tx_name_find(&d->catalog->geom, p->name)].dropped = false;
        }
    for (int i = 0; i < b->mesh.count; i++) d->mesh_number[i] = -1;
    for (int i = 0; i < b->geom.count; i++) {
        int mesh = tx_name_find(&d->catalog->mesh, b->geom.items[i].def.mesh);
        if (!d->geom[i].dropped && mesh >= 0) d->mesh_number[mesh] = 0;
    }
    for (int i = 0; i < b->sensor.count; i++)
        if (b->sensor.items[i].reference == TX_OBJECT_MESH)
            d->mesh_number[tx_name_find(&d->catalog->mesh, b->sensor.items[i].relative_to)] = 0;
}

// ---- numbers ------------------------------------------------------------------------------------------------------

// counts items per body and lists them body by body; `body_of` says where item i goes, -1: nowhere
static int list_by_body(int bodies, int count, int (*body_of)(const tx_draft *, int), const tx_draft *d,
                        const int *sequence, int *first, int *list) {
    for (int i = 0; i <= bodies; i++) first[i] = 0;
    for (int i = 0; i < count; i++)
        if (body_of(d, i) >= 0) first[body_of(d, i) + 1]++;
    for (int i = 0; i < bodies; i++) first[i + 1] += first[i];
    for (int i = 0; i < count; i++) {
        int item = sequence ? sequence[i] : i, body = body_of(d, item);
        if (body >= 0) list[first[body]++] = item;
    }
    for (int i = bodies; i > 0; i--) first[i] = first[i - 1];
    first[0] = 0;
    return first[bodies];
}

static int body_of_joint(const tx_draft *d, int i) { return d->body[d->b->joint.items[i].body].number; }
static int body_of_geom(const tx_draft *d, int i) { return d->geom[i].dropped ? -1 : d->body[d->geom[i].body].number; }
static int body_of_site(const tx_draft *d, int i) { return d->body[d->site[i].body].number; }
static int body_of_camera(const tx_draft *d, int i) { return d->body[d->camera[i].body].number; }
static int first_place_of_camera(const tx_draft *d, int i) { return d->body[d->b->camera.items[i].body].place; }
static int first_place_of_site(const tx_draft *d, int i) { return d->body[d->b->site.items[i].body].place; }
static int first_place_of_geom(const tx_draft *d, int i) { return d->body[d->b->geom.items[i].body].place; }

static bool number_all(tx_draft *d) {
    const tx_builder *b = d->b;
    int bodies = b->body.count, geoms = b->geom.count;
    for (int k = 0; k < bodies; k++) {
        tx_draft_body *body = &d->body[d->order[k]];
        if (body->owner == d->order[k]) d->body_def[body->number = d->nbody++] = d->order[k];
        else body->number = d->body[body->owner].number;
    }
    // geoms of a fused body stand behind those of the body it became part of: sort by the bodies' first order, then by
    // owner
    size_t items = (size_t)geoms + (size_t)b->site.count + (size_t)b->camera.count + 1;
    int *sequence = tx_alloc(sizeof(int) * items), *first = tx_alloc(sizeof(int) * ((size_t)bodies + 1));
    if (sequence && first) {
        list_by_body(bodies, b->site.count, first_place_of_site, d, NULL, first, sequence);
        d->nsite = list_by_body(d->nbody, b->site.count, body_of_site, d, sequence, first, d->site_def);
        list_by_body(bodies, b->camera.count, first_place_of_camera, d, NULL, first, sequence);
        d->ncam = list_by_body(d->nbody, b->camera.count, body_of_camera, d, sequence, first, d->camera_def);
        list_by_body(bodies, geoms, first_place_of_geom, d, NULL, first, sequence);
        d->ngeom = list_by_body(d->nbody, geoms, body_of_geom, d, sequence, d->geom_first, d->geom_def);
        d->njnt = list_by_body(d->nbody, b->joint.count, body_of_joint, d, NULL, d->joint_first, d->joint_def);
    }
    bool good = sequence && first;
    tx_free(sequence), tx_free(first);
    for (int i = 0; i < d->ngeom; i++) d->geom[d->geom_def[i]].number = i;
    for (int i = 0; i < d->nsite; i++) d->site[d->site_def[i]].number = i;
    for (int i = 0; i < d->ncam; i++) d->camera[d->camera_def[i]].number = i;
    for (int i = 0; i < d->njnt; i++) d->joint_number[d->joint_def[i]] = i;
    for (int i = 0; i < b->mesh.count; i++)
        if (d->mesh_number[i] >= 0) d->mesh_def[d->mesh_number[i] = d->nmesh++] = i;
    return good;
}

static tx_draft_site draft_site(int body, const double pos[3], const double quat[4]) {
    tx_draft_site site = {.body = body};
    memcpy(site.pos, pos, sizeof site.pos);
    memcpy(site.quat, quat, sizeof site.quat);
    tx_quat_normalize(site.quat);
    return site;
}

bool tx_draft_create(tx_draft *d, const tx_builder *b, const tx_catalog *catalog, tx_diag *diag) {
    *d = (tx_draft){.b = b, .catalog = catalog};
    d->memory = tx_alloc(lay_out(d, NULL));
    bool room = d->memory != NULL;
    if (room) lay_out(d, d->memory);
    room = room && order_bodies(d);
    for (int i = 0; room && i < b->body.count; i++) {
        const tx_body_def *def = &b->body.items[i].def;
        d->body[i].owner = i;
        memcpy(d->body[i].pos, def->pos, sizeof def->pos);
        memcpy(d->body[i].quat, def->quat, sizeof def->quat);
        tx_quat_normalize(d->body[i].quat);
    }
    for (int i = 0; room && i < b->site.count; i++)
        d->site[i] = draft_site(b->site.items[i].body, b->site.items[i].def.pos, b->site.items[i].def.quat);
    for (int i = 0; room && i < b->camera.count; i++)
        d->camera[i] = draft_site(b->camera.items[i].body, b->camera.items[i].def.pos, b->camera.items[i].def.quat);
    if (room && (!tx_draft_meshes(d, diag) || !tx_draft_geoms(d, diag) || !tx_draft_masses(d, diag))) return false;
    if (room && b->compiler.fusestatic && !fuse_static(d, diag)) return false;
    room = room && align_free(d);
    if (room && b->compiler.discardvisual) discard_visual(d);
    room = room && number_all(d);
    if (!room) tx_diag_add(diag, TX_SEVERITY_ERROR, "", 0, 0, "", "out of memory");
    return room && tx_draft_check_masses(d, diag);
}
