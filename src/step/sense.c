// sense.c - rays, contacts and distances of one environment for its sensors.
#include "step/sense.h"

#include "collide/query.h"
#include "collide/ray.h"
#include "geometry/vec3.h"
#include "model/sensor.h"
#include "rows/rows.h"
#include "step/sense_contact.h"
#include "step/sense_rays.h"
#include "step/sense_tactile.h"
#include "step/site_volume.h"

static void gather(const tx_block *b, const void *array, int first, int count, int lane, double *out) {
    for (int i = 0; i < count; i++) out[i] = tx_lane(b, array, first + i, lane);
}

// ---- contact forces on bodies ---------------------------------------------------------------------------------------

// adds a force and torque at a point to what acts on a body, about the tree's centre of mass
static void add_wrench(tx_block *b, int lane, int body, const double point[3], const double force[3],
                       const double torque[3], double sign) {
    double centre[3], arm[3], moment[3];
    gather(b, b->tree_com, 3 * b->m->body_root[body], 3, lane, centre);
    v3_sub(arm, point, centre);
    v3_cross(moment, arm, force);
    for (int k = 0; k < 3; k++) {
        double spatial[2] = {moment[k] + torque[k], force[k]};
        for (int part = 0; part < 2; part++) {
            int at = 6 * body + 3 * part + k;
            tx_lane_set(b, b->cfrc_ext, at, lane, tx_lane(b, b->cfrc_ext, at, lane) + sign * spatial[part]);
        }
    }
}

void tx_contact_wrenches(tx_block *b, int lane) {
    for (int i = 0; i < 6 * b->m->nbody; i++) tx_lane_set(b, b->cfrc_ext, i, lane, 0);
    for (int i = 0; i < b->ncontact[lane]; i++) {
        const tx_contact *c = &b->contacts[(size_t)lane * (size_t)b->room + (size_t)i];
        double local[6], force[3], torque[3];
        if (!tx_contact_force(b, lane, c, local)) continue;
        m3_mul_transposed(force, c->frame, local);
        m3_mul_transposed(torque, c->frame, local + 3);
        add_wrench(b, lane, c->side[0].body, c->pos, force, torque, -1);
        add_wrench(b, lane, c->side[1].body, c->pos, force, torque, 1);
    }
}

// ---- sensors --------------------------------------------------------------------------------------------------------

// the normal forces on the site's body whose line, from the contact point outwards, meets the site's volume
static double touch_of(const tx_block *b, int lane, int site) {
    const int own = b->m->site_body[site];
    double sum = 0;
    for (int i = 0; i < b->ncontact[lane]; i++) {
        const tx_contact *c = &b->contacts[(size_t)lane * (size_t)b->room + (size_t)i];
        double force[6], line[3], unused[3];
        int body[2] = {b->m->geom_body[c->geom[0]], b->m->geom_body[c->geom[1]]};
        if (body[0] != own && body[1] != own) continue;
        if (!tx_contact_force(b, lane, c, force) || !(force[0] > 0)) continue;
        const tx_site_volume s = tx_site_volume_of(b, lane, site);
        const tx_shape volume = {.type = b->m->site_type[site], .size = s.size, .pos = s.pos, .mat = s.mat};
        v3_scale(line, c->frame, s.body == body[1] ? -1 : 1);
        if (tx_ray_shape(&volume, c->pos, line, unused) >= 0) sum += force[0];
    }
    return sum;
}

static void origin_of(const tx_block *b, int lane, int object, int i, double out[3]) {
    const void *const places[] = {[TX_OBJECT_BODY] = b->xipos,
                                  [TX_OBJECT_XBODY] = b->xpos,
                                  [TX_OBJECT_GEOM] = b->geom_xpos,
                                  [TX_OBJECT_SITE] = b->site_xpos,
                                  [TX_OBJECT_CAMERA] = b->cam_xpos};
    gather(b, places[object], 3 * i, 3, lane, out);
}

// the geoms of a body, or one geom
static void geoms_of(const tx_model *m, int object, int i, int *first, int *end) {
    *first = object == TX_OBJECT_BODY ? m->body_geomadr[i] : i;
    *end = *first + (object == TX_OBJECT_BODY ? m->body_geomnum[i] : 1);
}

// the nearest of all pairs of geoms
static tx_distance nearest_pair(const tx_block *b, int lane, int sensor) {
    const tx_model *m = b->m;
    tx_distance best = {.distance = m->sensor_cutoff[sensor], .beyond = true};
    int first[2], end[2];
    geoms_of(m, m->sensor_objtype[sensor], m->sensor_obj[sensor], &first[0], &end[0]);
    geoms_of(m, m->sensor_reftype[sensor], m->sensor_ref[sensor], &first[1], &end[1]);
    for (int i = first[0]; i < end[0]; i++)
        for (int j = first[1]; j < end[1]; j++) {
            tx_distance d;
            if (i == j || !tx_query_distance(b, lane, i, j, best.distance, &d)) continue;
            if (!d.beyond && d.distance < best.distance) best = d;
        }
    return best;
}

static void sense_pair(const tx_block *b, int lane, int sensor, double out[6]) {
    tx_distance d = nearest_pair(b, lane, sensor);
    double least = -b->m->sensor_cutoff[sensor];
    switch (b->m->sensor_type[sensor]) {
    case TX_SENSOR_DISTANCE: out[0] = least < 0 && d.distance < least ? least : d.distance; break;
    case TX_SENSOR_NORMAL: v3_scale(out, d.normal, d.distance < 0 ? -1 : 1); break;
    default: v3_copy(out, d.point[0]); v3_copy(out + 3, d.point[1]);
    }
}

// the numbers of a sensor that looks at contacts or shapes; false: it is not of that kind
static bool sense_one(const tx_block *b, int lane, int sensor, double out[6]) {
    const tx_model *m = b->m;
    int type = m->sensor_type[sensor], obj = m->sensor_obj[sensor], ref = m->sensor_ref[sensor];
    tx_site_volume s;
    double point[3];
    switch (type) {
    case TX_SENSOR_TOUCH: out[0] = touch_of(b, lane, obj); return true;
    case TX_SENSOR_INSIDESITE:
        s = tx_site_volume_of(b, lane, ref);
        origin_of(b, lane, m->sensor_objtype[sensor], obj, point);
        out[0] = tx_site_contains(m->site_type[ref], &s, point);
        return true;
    case TX_SENSOR_DISTANCE:
    case TX_SENSOR_NORMAL:
    case TX_SENSOR_FROMTO: sense_pair(b, lane, sensor, out); return true;
    default: return false;
    }
}

// ---- sleep ----------------------------------------------------------------------------------------------------------

// 1: it sleeps, -1: it may move, 0: it cannot, or there is nothing
static int rest_of_body(const tx_block *b, int body) {
    const tx_model *m = b->m;
    if (m->body_tree[body] < 0) return m->body_mocap[m->body_weld[body]] >= 0 ? -1 : 0;
    return tx_body_sleeps(b, body) ? 1 : -1;
}

static int rest_of_actuator(const tx_block *b, int i) {
    const tx_model *m = b->m;
    if (m->actuator_trn[i] == TX_TRANSMISSION_BODY) return rest_of_body(b, m->actuator_trnid[i]);
    return m->actuator_dofnum[i] > 0 ? rest_of_body(b, m->dof_body[m->moment_dof[m->actuator_dofadr[i]]]) : 0;
}

static int rest_of(const tx_block *b, int object, int i) {
    const tx_model *m = b->m;
    if (i < 0) return 0;
    switch (object) {
    case TX_OBJECT_BODY:
    case TX_OBJECT_XBODY: return rest_of_body(b, i);
    case TX_OBJECT_GEOM: return rest_of_body(b, m->geom_body[i]);
    case TX_OBJECT_SITE: return rest_of_body(b, m->site_body[i]);
    case TX_OBJECT_CAMERA: return -1; // what it follows may move
    case TX_OBJECT_JOINT: return rest_of_body(b, m->jnt_body[i]);
    case TX_OBJECT_ACTUATOR: return rest_of_actuator(b, i);
    case TX_OBJECT_TENDON: return tx_tendon_sleeps(b, i) ? 1 : -1;
    default: return 0;
    }
}

bool tx_sensor_sleeps(const tx_block *b, int i) {
    const tx_model *m = b->m;
    // a ray may meet something that moves, and so may what a contact or tactile sensor looks at
    if (!b->sleep.asleep || m->sensor_type[i] == TX_SENSOR_RANGEFINDER) return false;
    if (m->sensor_type[i] == TX_SENSOR_CONTACT || m->sensor_type[i] == TX_SENSOR_TACTILE) return false;
    int object = rest_of(b, m->sensor_objtype[i], m->sensor_obj[i]),
        reference = rest_of(b, m->sensor_reftype[i], m->sensor_ref[i]);
    return object >= 0 && reference >= 0 && object + reference > 0;
}

// ---------------------------------------------------------------------------------------------------------------------

void tx_sense(tx_block *b, int lane) {
    const tx_model *m = b->m;
    if (b->senses_forces) tx_contact_wrenches(b, lane);
    for (int i = 0; i < m->nsensor; i++) {
        double out[6];
        if (m->sensor_type[i] == TX_SENSOR_CONTACT) tx_sense_contacts(b, lane, i);
        if (m->sensor_type[i] == TX_SENSOR_RANGEFINDER) tx_sense_rays(b, lane, i);
        if (m->sensor_type[i] == TX_SENSOR_TACTILE) tx_sense_tactile(b, lane, i);
        if ((b->sleep.asleep && tx_sensor_sleeps(b, i)) || !sense_one(b, lane, i, out)) continue;
        for (int k = 0; k < m->sensor_dim[i]; k++) tx_lane_set(b, b->sensordata, m->sensor_adr[i] + k, lane, out[k]);
    }
}
