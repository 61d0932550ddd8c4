// sim_scene.c - shapes of a scene from one environment: geoms, contact points, contact forces.
#include "thixis/sim_scene.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/heights.h"
#include "render/render_internal.h"

static const float DISC[4] = {0.98f, 0.80f, 0.20f, 1}, FORCE[4] = {0.90f, 0.16f, 0.12f, 1},
                   REACTION[4] = {0.95f, 0.52f, 0.20f, 1};

tx_sim_scene_def tx_default_sim_scene_def(void) { return (tx_sim_scene_def){.contacts = true, .forces = true}; }

// ---- geoms ---------------------------------------------------------------------------------------------------------

// drawable kinds by geom type, -1: cannot be drawn
static int kind_of(int type) {
    static const int kinds[TX_GEOM_COUNT] = {
        [TX_GEOM_PLANE] = TX_DRAW_PLANE,
        [TX_GEOM_HFIELD] = TX_DRAW_MESH,
        [TX_GEOM_SPHERE] = TX_DRAW_SPHERE,
        [TX_GEOM_CAPSULE] = TX_DRAW_CAPSULE,
        [TX_GEOM_ELLIPSOID] = TX_DRAW_ELLIPSOID,
        [TX_GEOM_CYLINDER] = TX_DRAW_CYLINDER,
        [TX_GEOM_BOX] = TX_DRAW_BOX,
        [TX_GEOM_MESH] = TX_DRAW_MESH,
        [TX_GEOM_SDF] = TX_DRAW_MESH,
    };
    return type >= 0 && type < TX_GEOM_COUNT ? kinds[type] : -1;
}

// what is drawn of a model, under the model's own names
#define INTS(X)                    \
    X(GEOM_TYPE, geom_type)        \
    X(GEOM_BODY, geom_body)        \
    X(GEOM_GROUP, geom_group)      \
    X(GEOM_MESH, geom_mesh)        \
    X(GEOM_HFIELD, geom_hfield)    \
    X(BODY_LASTDOF, body_lastdof)  \
    X(MESH_VERTADR, mesh_vertadr)  \
    X(MESH_VERTNUM, mesh_vertnum)  \
    X(MESH_FACEADR, mesh_faceadr)  \
    X(MESH_FACENUM, mesh_facenum)  \
    X(MESH_FACE, mesh_face)        \
    X(MESH_UVADR, mesh_uvadr)      \
    X(GEOM_TEXTURE, geom_texture)  \
    X(GEOM_TEXUNIFORM, texuniform) \
    X(TEX_CUBE, tex_cube)          \
    X(TEX_WIDTH, tex_width)        \
    X(TEX_HEIGHT, tex_height)      \
    X(TEX_ADR, tex_adr)            \
    X(TEX_DATA, tex_data)          \
    X(HFIELD_NROW, hfield_nrow)    \
    X(HFIELD_NCOL, hfield_ncol)    \
    X(HFIELD_ADR, hfield_adr)
#define NUMBERS(X)               \
    X(GEOM_RGBA, geom_rgba)      \
    X(GEOM_RBOUND, geom_rbound)  \
    X(MESH_VERT, mesh_vert)      \
    X(MESH_UV, mesh_uv)          \
    X(GEOM_TEXREPEAT, texrepeat) \
    X(HFIELD_SIZE, hfield_size)  \
    X(HFIELD_DATA, hfield_data)

typedef struct shapes {
    int nbody, ngeom;
#define X(NAME, name) const int *name;
    INTS(X)
#undef X
#define X(NAME, name) const double *name;
    NUMBERS(X)
#undef X
} shapes;

static shapes shapes_of(const tx_model *model) {
    shapes s = {.nbody = tx_model_size(model, TX_SIZE_NBODY), .ngeom = tx_model_size(model, TX_SIZE_NGEOM)};
#define X(NAME, name) s.name = tx_model_ints(model, TX_INT_##NAME, NULL);
    INTS(X)
#undef X
#define X(NAME, name) s.name = tx_model_data_array(model, TX_DATA_##NAME, NULL);
    NUMBERS(X)
#undef X
    return s;
}

// one environment: its model, its parameters, and the poses of its geoms
typedef struct view {
    shapes m;
    const double *geom_size, *body_mass, *gravity;
    const double *pos, *mat;
    int *texture; // number of each texture in the scene, 0: not there yet
} view;

// the surface of a height field and its walls down to the base; the caller frees both arrays
static bool field_mesh(const shapes *m, int field, tx_draw *draw, double **vertices, int **faces) {
    // large fields are drawn coarser
    enum { MOST = 400 };
    const int nrow = m->hfield_nrow[field], ncol = m->hfield_ncol[field];
    const int down = (nrow - 2) / MOST + 1, across = (ncol - 2) / MOST + 1;
    const int rows = (nrow - 2) / down + 2, columns = (ncol - 2) / across + 2;
    const tx_heights h = {nrow, ncol, m->hfield_size + 4 * field, m->hfield_data + m->hfield_adr[field]};
    const int points = rows * columns, rim = 2 * (rows + columns) - 4;
    *vertices = tx_alloc(sizeof(double) * 3 * ((size_t)points + (size_t)rim));
    *faces = tx_alloc(sizeof(int) * 6 * ((size_t)(rows - 1) * (size_t)(columns - 1) + (size_t)rim));
    if (!*vertices || !*faces) return false;

    int count = 0, *f = *faces;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            int row = r * down < nrow ? r * down : nrow - 1, column = c * across < ncol ? c * across : ncol - 1;
            tx_heights_point(&h, row, column, *vertices + 3 * (r * columns + c));
            if (r == rows - 1 || c == columns - 1) continue;
            int a = r * columns + c, quad[6] = {a, a + 1, a + columns, a + columns + 1, a + columns, a + 1};
            memcpy(f + 3 * count, quad, sizeof quad);
            count += 2;
        }
    // around the rim, counter-clockwise seen from above
    for (int i = 0; i < rim; i++) {
        int side = i < columns - 1 ? 0 : i < columns + rows - 2 ? 1 : i < 2 * columns + rows - 3 ? 2 : 3, k = i;
        int place[2] = {0, 0}; // row, column
        if (side == 0) place[1] = k;
        else if (side == 1) place[1] = columns - 1, place[0] = k - (columns - 1);
        else if (side == 2) place[0] = rows - 1, place[1] = columns - 1 - (k - (columns + rows - 2));
        else place[0] = rows - 1 - (k - (2 * columns + rows - 3));
        double *v = *vertices + 3 * (points + i);
        memcpy(v, *vertices + 3 * (place[0] * columns + place[1]), 3 * sizeof(double));
        v[2] = -h.size[3];
        int top = place[0] * columns + place[1], low = points + i, next = points + (i + 1) % rim;
        int top_next = side == 0 ? top + 1 : side == 1 ? top + columns : side == 2 ? top - 1 : top - columns;
        int wall[6] = {low, next, top_next, low, top_next, top};
        memcpy(f + 3 * count, wall, sizeof wall);
        count += 2;
    }
    draw->vertices = *vertices, draw->faces = *faces;
    draw->vertex_count = points + rim, draw->face_count = count;
    return true;
}

static bool add_surface(tx_scene *scene, const shapes *m, int geom, tx_draw *draw) {
    double *vertices = NULL;
    int *faces = NULL, mesh = m->geom_mesh[geom];
    bool good = true;
    if (mesh >= 0) {
        draw->vertices = m->mesh_vert + 3 * m->mesh_vertadr[mesh], draw->vertex_count = m->mesh_vertnum[mesh];
        draw->faces = m->mesh_face + m->mesh_faceadr[mesh], draw->face_count = m->mesh_facenum[mesh];
        if (m->mesh_uvadr[mesh] >= 0) draw->texcoords = m->mesh_uv + 2 * (size_t)m->mesh_uvadr[mesh];
    } else good = field_mesh(m, m->geom_hfield[geom], draw, &vertices, &faces);
    good = good && tx_scene_add_draw(scene, draw) == TX_OK;
    tx_free(vertices), tx_free(faces);
    return good;
}

// the texture of a geom, put into the scene once; false: no memory
static bool set_texture(tx_scene *scene, const view *v, int geom, tx_draw *draw) {
    const shapes *m = &v->m;
    const int texture = m->geom_texture[geom];
    if (texture < 0) return true;
    if (!v->texture[texture])
        v->texture[texture] = tx_scene_add_texture(scene, m->tex_width[texture], m->tex_height[texture],
                                                   m->tex_cube[texture] != 0, m->tex_data + m->tex_adr[texture]);
    draw->texture = v->texture[texture];
    draw->texuniform = m->texuniform[geom] != 0;
    memcpy(draw->texrepeat, m->texrepeat + 2 * geom, sizeof draw->texrepeat);
    return draw->texture > 0;
}

static bool add_geom(tx_scene *scene, const view *v, int geom, unsigned groups) {
    const shapes *m = &v->m;
    int kind = kind_of(m->geom_type[geom]), group = m->geom_group[geom];
    group = group < 0 ? 0 : group > 5 ? 5 : group;
    if (kind < 0 || !(groups >> group & 1)) return true;
    tx_draw draw = tx_default_draw((tx_draw_kind)kind);
    memcpy(draw.pos, v->pos + 3 * geom, sizeof draw.pos);
    memcpy(draw.mat, v->mat + 9 * geom, sizeof draw.mat);
    memcpy(draw.size, v->geom_size + 3 * geom, sizeof draw.size);
    for (int k = 0; k < 4; k++) draw.rgba[k] = (float)m->geom_rgba[4 * geom + k];
    // an invisible geom is no mistake
    if (draw.rgba[3] <= 0) return true;
    if (!set_texture(scene, v, geom, &draw)) return false;
    return kind == TX_DRAW_MESH ? add_surface(scene, m, geom, &draw) : tx_scene_add_draw(scene, &draw) == TX_OK;
}

// ---- forces --------------------------------------------------------------------------------------------------------

// the force on the second geom in world axes
static double world_force(const tx_contact *c, double force[3]) {
    double torque[3];
    tx_contact_wrench(c, force, torque);
    return sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
}

static double moving_weight(const view *v) {
    double mass = 0, g = 0;
    for (int i = 0; i < v->m.nbody; i++)
        if (v->m.body_lastdof[i] >= 0) mass += v->body_mass[i];
    for (int k = 0; k < 3; k++) g += v->gravity[k] * v->gravity[k];
    g = sqrt(g);
    return mass * (g > 0 ? g : 9.81);
}

// diagonal of the box around all geoms of bodies that can move, by their bounding spheres
static double scene_size(const view *v) {
    const shapes *m = &v->m;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, sum = 0;
    for (int g = 0; g < m->ngeom; g++) {
        if (m->body_lastdof[m->geom_body[g]] < 0) continue;
        for (int k = 0; k < 3; k++) {
            double x = v->pos[3 * g + k], r = m->geom_rbound[g];
            low[k] = fmin(low[k], x - r), high[k] = fmax(high[k], x + r);
        }
    }
    for (int k = 0; k < 3; k++) sum += (high[k] - low[k]) * (high[k] - low[k]);
    return isfinite(sum) && sum > 0 ? sqrt(sum) : 1;
}

static double choose_scale(double size, double weight, double largest) {
    if (!(weight > 0) && !(largest > 0)) return 0;
    double scale = weight > 0 ? 0.6 * size / weight : size / largest;
    if (largest > 0) scale = fmin(fmax(scale, 0.15 * size / largest), 0.3 * size / largest);
    return isfinite(scale) ? scale : 0;
}

// ---- contacts ------------------------------------------------------------------------------------------------------

static bool add_disc(tx_scene *scene, const tx_contact *c) {
    tx_draw disc = tx_default_draw(TX_DRAW_DISC);
    memcpy(disc.pos, c->pos, sizeof disc.pos);
    memcpy(disc.rgba, DISC, sizeof disc.rgba);
    disc.size[0] = 0;
    disc.flags = TX_DRAW_FLAG_ON_TOP;
    // columns of the rotation: the two tangents, then the normal as z
    for (int k = 0; k < 3; k++) {
        disc.mat[3 * k] = c->frame[3 + k];
        disc.mat[3 * k + 1] = c->frame[6 + k];
        disc.mat[3 * k + 2] = c->frame[k];
    }
    return tx_scene_add_draw(scene, &disc) == TX_OK;
}

// forces on what can move: on the second geom, on the first, or on both
static bool add_force(tx_scene *scene, const tx_contact *c, double scale) {
    double force[3], opposite[3];
    world_force(c, force);
    for (int k = 0; k < 3; k++) opposite[k] = -force[k];
    bool first = c->side[0].kind == TX_SIDE_BODY, second = c->side[1].kind == TX_SIDE_BODY;
    if (second && tx_scene_add_force(scene, c->pos, force, scale, FORCE) != TX_OK) return false;
    return !first || tx_scene_add_force(scene, c->pos, opposite, scale, second ? REACTION : FORCE) == TX_OK;
}

tx_result tx_scene_add_sim(tx_scene *scene, tx_sim *sim, int env, const tx_sim_scene_def *given,
                           tx_sim_scene_info *info) {
    int count;
    const tx_sim_scene_def standard = tx_default_sim_scene_def(), *def = given ? given : &standard;
    if (!scene || env < 0 || env >= tx_sim_envs(sim) || !(def->force_scale >= 0)) return TX_ERROR_ARGUMENT;
    const double *pos = tx_sim_array(sim, TX_ARRAY_GEOM_XPOS), *mat = tx_sim_array(sim, TX_ARRAY_GEOM_XMAT);
    if (!pos || !mat) return TX_ERROR_MEMORY;
    view v = {.m = shapes_of(tx_sim_model(sim))};
    v.geom_size = tx_sim_param_row(sim, env, TX_PARAM_GEOM_SIZE);
    v.body_mass = tx_sim_param_row(sim, env, TX_PARAM_BODY_MASS);
    v.gravity = tx_sim_param_row(sim, env, TX_PARAM_GRAVITY);
    v.pos = pos + 3 * (size_t)env * (size_t)v.m.ngeom, v.mat = mat + 9 * (size_t)env * (size_t)v.m.ngeom;
    v.texture = tx_alloc(sizeof(int) * ((size_t)tx_model_size(tx_sim_model(sim), TX_SIZE_NTEX) + 1));
    bool ok = v.texture != NULL;
    const unsigned groups = def->groups ? def->groups : TX_DRAWN_GROUPS;
    for (int g = 0; g < v.m.ngeom; g++) ok = ok && add_geom(scene, &v, g, groups);
    tx_free(v.texture);

    // what there is to show
    const tx_contact *contacts = tx_sim_contacts(sim, env, &count);
    tx_sim_scene_info found = {.weight = moving_weight(&v)};
    for (int i = 0; i < count; i++) {
        double force[3];
        found.contacts += contacts[i].acts;
        found.largest_force = fmax(found.largest_force, world_force(&contacts[i], force));
    }
    double chosen = choose_scale(scene_size(&v), found.weight, found.largest_force);
    found.force_scale = def->force_scale > 0 ? def->force_scale : chosen;

    for (int i = 0; i < count; i++) {
        if (!contacts[i].acts) continue;
        if (def->contacts) ok = ok && add_disc(scene, &contacts[i]);
        if (def->forces) ok = ok && add_force(scene, &contacts[i], found.force_scale);
    }
    if (info) *info = found;
    return ok ? TX_OK : TX_ERROR_MEMORY;
}

// ---- camera --------------------------------------------------------------------------------------------------------

tx_result tx_scene_sim_camera(const tx_scene *scene, tx_sim *sim, int env, int camera, tx_camera *out) {
    const tx_model *model = tx_sim_model(sim);
    int count = tx_model_size(model, TX_SIZE_NCAM);
    if (!out || env < 0 || env >= tx_sim_envs(sim) || camera < 0 || camera >= count) return TX_ERROR_ARGUMENT;
    const double *pos = tx_sim_array(sim, TX_ARRAY_CAM_XPOS), *mat = tx_sim_array(sim, TX_ARRAY_CAM_XMAT);
    if (!pos || !mat) return TX_ERROR_MEMORY;
    const double fovy = tx_sim_param_row(sim, env, TX_PARAM_CAM_FOVY)[camera];
    const bool flat = tx_model_ints(model, TX_INT_CAM_ORTHOGRAPHIC, NULL)[camera] != 0;
    if (flat || !(fovy >= 1 && fovy <= 170)) return TX_ERROR_UNSUPPORTED;
    const size_t place = (size_t)env * (size_t)count + (size_t)camera;
    tx_camera found = {.fovy = fovy * TX_DEGREE, .distance = tx_scene_distance(scene, pos + 3 * place)};
    tx_camera_look(&found, pos + 3 * place, mat + 9 * place);
    *out = found;
    return TX_OK;
}
