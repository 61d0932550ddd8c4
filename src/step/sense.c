// sense.c - rays and contacts of one environment for its sensors.
#include "step/sense.h"

#include "collide/query.h"
#include "collide/ray.h"
#include "geometry/vec3.h"
#include "model/sensor.h"
#include "problem/place.h"

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

static void add_contact_forces(tx_block *b, int lane) {
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

typedef struct site {
    double size[3], pos[3], mat[9];
    int body;
} site;

static site take_site(const tx_block *b, int lane, int i) {
    site s = {.body = b->m->site_body[i]};
    gather(b, b->param.site_size, 3 * i, 3, lane, s.size);
    gather(b, b->site_xpos, 3 * i, 3, lane, s.pos);
    gather(b, b->site_xmat, 9 * i, 9, lane, s.mat);
    return s;
}

// along the z axis, past the site's own body
static double range_of(const tx_block *b, int lane, const site *s) {
    tx_query_filter filter = {.groups = ~0u, .exclude_body = s->body, .fixed = true};
    double axis[3];
    tx_ray_hit hit;
    m3_column(axis, s->mat, 2);
    tx_query_rays(b, lane, &filter, 1, s->pos, axis, &hit);
    return hit.geom >= 0 ? hit.distance : -1;
}

// the normal forces on the site's body whose line, from the contact point outwards, meets the site's volume
static double touch_of(const tx_block *b, int lane, int type, const site *s) {
    tx_shape volume = {.type = type, .size = s->size, .pos = s->pos, .mat = s->mat};
    double sum = 0;
    for (int i = 0; i < b->ncontact[lane]; i++) {
        const tx_contact *c = &b->contacts[(size_t)lane * (size_t)b->room + (size_t)i];
        double force[6], line[3], unused[3];
        int body[2] = {b->m->geom_body[c->geom[0]], b->m->geom_body[c->geom[1]]};
        if (body[0] != s->body && body[1] != s->body) continue;
        if (!tx_contact_force(b, lane, c, force) || !(force[0] > 0)) continue;
        v3_scale(line, c->frame, s->body == body[1] ? -1 : 1);
        if (tx_ray_shape(&volume, NULL, c->pos, line, unused) >= 0) sum += force[0];
    }
    return sum;
}

void tx_sense(tx_block *b, int lane) {
    const tx_model *m = b->m;
    add_contact_forces(b, lane);
    for (int i = 0; i < m->nsensor; i++) {
        int type = m->sensor_type[i], at = m->sensor_obj[i];
        if (type != TX_SENSOR_RANGEFINDER && type != TX_SENSOR_TOUCH) continue;
        site s = take_site(b, lane, at);
        double value = type == TX_SENSOR_TOUCH ? touch_of(b, lane, m->site_type[at], &s) : range_of(b, lane, &s);
        tx_lane_set(b, b->sensordata, m->sensor_adr[i], lane, value);
    }
}
