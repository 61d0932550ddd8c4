// sense_tactile.c - tactile sensors of one environment: the vertices of a mesh, fixed in the frame of a geom, are
// looked up in the signed distances of the geoms that its body touches.
#include "step/sense_tactile.h"

#include <math.h>

#include "geometry/quat.h"
#include "geometry/vec3.h"
#include "model/sensor.h"

static void gather(const tx_block *b, const void *array, int first, int count, int lane, double *out) {
    for (int i = 0; i < count; i++) out[i] = tx_lane(b, array, first + i, lane);
}

// ---- signed distances -----------------------------------------------------------------------------------------------
// Below the surface of a box MuJoCo measures along a direction that turns from radial to the normals of the faces; of
// an ellipsoid it has the usual estimate. Both are followed; outside nothing is felt.

// how far a point inside of a box is from its surface, along that direction
static double box_depth(const double size[3], const double x[3]) {
    double inside[3], way[3], least = INFINITY;
    for (int k = 0; k < 3; k++) {
        inside[k] = size[k] - fabs(x[k]);
        if (!(inside[k] > 0)) return 0;
        way[k] = size[k] / inside[k];
    }
    v3_normalise(way);
    for (int k = 0; k < 3; k++) least = fmin(least, inside[k] / way[k]);
    return least * v3_length(way);
}

static double ellipsoid_depth(const double size[3], const double x[3]) {
    double unit[3], slope[3];
    for (int k = 0; k < 3; k++) unit[k] = x[k] / size[k], slope[k] = unit[k] / size[k];
    const double far = v3_length(unit);
    return far * (1 - far) / v3_length(slope);
}

// how deep a point is in a shape, in the shape's frame; 0 or less: outside, or the shape has no field
static double depth_in(int type, const double size[3], const double x[3]) {
    const double across = sqrt(x[0] * x[0] + x[1] * x[1]), along = fabs(x[2]) - size[1];
    switch (type) {
    case TX_GEOM_PLANE: return -x[2];
    case TX_GEOM_SPHERE: return size[0] - v3_length(x);
    case TX_GEOM_CAPSULE: return size[0] - sqrt(across * across + (along > 0 ? along * along : 0));
    case TX_GEOM_CYLINDER: return fmin(size[0] - across, -along);
    case TX_GEOM_BOX: return box_depth(size, x);
    case TX_GEOM_ELLIPSOID: return ellipsoid_depth(size, x);
    default: return 0;
    }
}

// ---- the frame of a point
// ---------------------------------------------------------------------------------------------

// Two tangents at a vertex in the frame of the geom: of a plate (all at z = -1, felt along x) y and z of its file, else
// those of longitude and latitude around the mesh's origin, fitted to its scale (MuJoCo keeps them in single precision)
static void tangents_at(const tx_model *m, int mesh, int vertex, bool plate, double tangent[2][3]) {
    const double *u = m->mesh_given + 3 * (size_t)vertex, *scale = m->mesh_scale + 3 * (size_t)mesh;
    const double square = u[0] * u[0] + u[2] * u[2];
    const double round[2][3] = {{-u[2], 0, u[0]}, {-u[0] * u[1], square, -u[1] * u[2]}};
    double mat[9];
    tx_quat_to_mat(m->mesh_quat + 4 * (size_t)mesh, mat);
    for (int i = 0; i < 2; i++) {
        double file[3];
        for (int k = 0; k < 3; k++) file[k] = (plate || !(square > 0) ? i + 1 == k : round[i][k]) / scale[k];
        v3_normalise(file);
        m3_mul_transposed(tangent[i], mat, file);
    }
}

static bool is_plate(const tx_model *m, int first, int count) {
    for (int i = first; i < first + count; i++)
        if (m->mesh_given[3 * (size_t)i + 2] != -1) return false;
    return true;
}

// ---- all
// --------------------------------------------------------------------------------------------------------------

// what is felt with: a geom, and the body that it is fixed to
typedef struct pad {
    int sensor, body;
    int mesh, first, count; // the vertices
    bool plate;
    double pos[3], mat[9];
} pad;

static void velocity_at(const tx_block *b, int lane, int body, const double point[3], double out[3]) {
    double spatial[6], centre[3], arm[3];
    gather(b, b->cvel, 6 * body, 6, lane, spatial);
    gather(b, b->tree_com, 3 * b->m->body_root[body], 3, lane, centre);
    v3_sub(arm, point, centre);
    v3_cross(out, spatial, arm);
    v3_add(out, out, spatial + 3);
}

// adds what the pad feels of one geom: depths of all vertices, then the two speeds of all
static void feel(tx_block *b, int lane, const pad *p, int geom) {
    const tx_model *m = b->m;
    double pos[3], mat[9], size[3];
    gather(b, b->geom_xpos, 3 * geom, 3, lane, pos);
    gather(b, b->geom_xmat, 9 * geom, 9, lane, mat);
    gather(b, b->param.geom_size, 3 * geom, 3, lane, size);
    for (int i = 0; i < p->count; i++) {
        double at[3], away[3], local[3], here[3], there[3], slip[3], own[3], tangent[2][3];
        m3_mul(at, p->mat, m->mesh_vert + 3 * (size_t)(p->first + i));
        v3_add(at, at, p->pos);
        v3_sub(away, at, pos);
        m3_mul_transposed(local, mat, away);
        const double depth = depth_in(m->geom_type[geom], size, local);
        if (!(depth > 0)) continue;
        velocity_at(b, lane, p->body, at, here);
        velocity_at(b, lane, m->geom_body[geom], at, there);
        v3_sub(slip, here, there);
        m3_mul_transposed(own, p->mat, slip);
        tangents_at(m, p->mesh, p->first + i, p->plate, tangent);
        const double felt[3] = {depth, fabs(v3_dot(own, tangent[0])), fabs(v3_dot(own, tangent[1]))};
        for (int k = 0; k < 3; k++) {
            const int number = m->sensor_adr[p->sensor] + k * p->count + i;
            tx_lane_set(b, b->sensordata, number, lane, tx_lane(b, b->sensordata, number, lane) + felt[k]);
        }
    }
}

// the geom of contact i that the pad's body touches there; -1: it has no part in it
static int touched(const tx_block *b, int lane, const pad *p, int i, int side) {
    const tx_contact *c = &b->contacts[(size_t)lane * (size_t)b->room + (size_t)i];
    return b->m->body_weld[b->m->geom_body[c->geom[side]]] == p->body ? c->geom[!side] : -1;
}

// whether an earlier contact, or the other side of this one, has named it
static bool is_known(const tx_block *b, int lane, const pad *p, int geom, int contact, int side) {
    for (int i = 0; i <= contact; i++)
        for (int s = 0; s < (i < contact ? 2 : side); s++)
            if (touched(b, lane, p, i, s) == geom) return true;
    return false;
}

void tx_sense_tactile(tx_block *b, int lane, int sensor) {
    const tx_model *m = b->m;
    const int geom = m->sensor_obj[sensor], mesh = m->sensor_ref[sensor];
    pad p = {.sensor = sensor,
             .body = m->body_weld[m->geom_body[geom]],
             .mesh = mesh,
             .first = m->mesh_vertadr[mesh],
             .count = m->mesh_vertnum[mesh]};
    p.plate = is_plate(m, p.first, p.count);
    gather(b, b->geom_xpos, 3 * geom, 3, lane, p.pos);
    gather(b, b->geom_xmat, 9 * geom, 9, lane, p.mat);
    for (int i = 0; i < m->sensor_dim[sensor]; i++) tx_lane_set(b, b->sensordata, m->sensor_adr[sensor] + i, lane, 0);
    for (int i = 0; i < b->ncontact[lane]; i++)
        for (int side = 0; side < 2; side++) {
            const int other = touched(b, lane, &p, i, side);
            if (other >= 0 && !is_known(b, lane, &p, other, i, side)) feel(b, lane, &p, other);
        }
}
