// sense_contact.c - contact sensors of one environment: which contacts match, which of them are told, and what of them.
#include "step/sense_contact.h"

#include "geometry/vec3.h"
#include "model/sensor.h"
#include "rows/rows.h"
#include "step/site_volume.h"

static void gather(const tx_block *b, const void *array, int first, int count, int lane, double *out) {
    for (int i = 0; i < count; i++) out[i] = tx_lane(b, array, first + i, lane);
}

// ---- which contacts -------------------------------------------------------------------------------------------------

// whether a side of a contact is what the sensor looks at; a site was asked before, and nothing takes all
static bool side_matches(const tx_model *m, int geom, int object, int i) {
    int body = m->geom_body[geom];
    switch (object) {
    case TX_OBJECT_GEOM: return geom == i;
    case TX_OBJECT_BODY: return body == i;
    case TX_OBJECT_XBODY:
        while (body > i) body = m->body_parent[body];
        return body == i;
    default: return true;
    }
}

// 1: the contact matches as it is, -1: with its sides exchanged, 0: it does not
static int match(const tx_block *b, int lane, int sensor, const tx_contact *c) {
    const tx_model *m = b->m;
    int object = m->sensor_objtype[sensor], reference = m->sensor_reftype[sensor];
    int obj = m->sensor_obj[sensor], ref = m->sensor_ref[sensor];
    if (object == TX_OBJECT_SITE) {
        tx_site_volume site = tx_site_volume_of(b, lane, obj);
        if (!tx_site_contains(m->site_type[obj], &site, c->pos)) return 0;
    }
    bool first[2], second[2]; // whether each side of the contact is the sensor's first, its second
    for (int s = 0; s < 2; s++) {
        first[s] = side_matches(m, c->geom[s], object, obj);
        second[s] = side_matches(m, c->geom[s], reference, ref);
    }
    bool straight = first[0] && second[1], crossed = first[1] && second[0];
    return straight ? 1 : crossed ? -1 : 0;
}

// a contact that matches; rank: the lower, the earlier it is told
typedef struct found {
    const tx_contact *contact;
    int index, sign;
    double rank;
} found;

static double rank_of(const tx_block *b, int lane, int reduce, const tx_contact *c) {
    double force[6];
    if (reduce == TX_REDUCE_MINDIST) return c->dist;
    if (reduce != TX_REDUCE_MAXFORCE) return 0;
    return tx_contact_force(b, lane, c, force) ? -v3_dot(force, force) : 0;
}

static bool before(const found *a, const found *b) {
    return a->rank < b->rank || (a->rank == b->rank && a->index < b->index);
}

// the first of those that match and come behind the last one; its contact is null when there is none
static found next_match(const tx_block *b, int lane, int sensor, const found *last) {
    found best = {0};
    for (int i = 0; i < b->ncontact[lane]; i++) {
        const tx_contact *c = &b->contacts[(size_t)lane * (size_t)b->room + (size_t)i];
        found f = {c, i, match(b, lane, sensor, c), 0};
        if (!f.sign) continue;
        f.rank = rank_of(b, lane, b->m->sensor_reduce[sensor], c);
        if ((!last->contact || before(last, &f)) && (!best.contact || before(&f, &best))) best = f;
    }
    return best;
}

static int count_matches(const tx_block *b, int lane, int sensor) {
    int count = 0;
    for (int i = 0; i < b->ncontact[lane]; i++)
        count += match(b, lane, sensor, &b->contacts[(size_t)lane * (size_t)b->room + (size_t)i]) != 0;
    return count;
}

// ---- what of them ---------------------------------------------------------------------------------------------------

typedef struct record {
    double data[TX_CONTACT_DATA_COUNT][3];
} record;

// velocity of a body at a point
static void velocity(const tx_block *b, int lane, int body, const double point[3], double angular[3],
                     double linear[3]) {
    double spatial[6], centre[3], arm[3];
    gather(b, b->cvel, 6 * body, 6, lane, spatial);
    gather(b, b->tree_com, 3 * b->m->body_root[body], 3, lane, centre);
    v3_sub(arm, point, centre);
    v3_copy(angular, spatial);
    v3_cross(linear, spatial, arm);
    v3_add(linear, linear, spatial + 3);
}

// the frame of a contact whose sides are exchanged has its normal and first tangent turned around
static void tell(const tx_block *b, int lane, const found *f, record *r) {
    const tx_contact *c = f->contact;
    double force[6] = {0}, w[2][3], v[2][3], turn[3], move[3];
    tx_contact_force(b, lane, c, force);
    for (int s = 0; s < 2; s++) velocity(b, lane, b->m->geom_body[c->geom[s]], c->pos, w[s], v[s]);
    v3_sub(turn, w[1], w[0]);
    v3_sub(move, v[1], v[0]);
    v3_copy(r->data[TX_CONTACT_DATA_FORCE], force);
    v3_copy(r->data[TX_CONTACT_DATA_TORQUE], force + 3);
    r->data[TX_CONTACT_DATA_DIST][0] = c->dist;
    v3_copy(r->data[TX_CONTACT_DATA_POS], c->pos);
    v3_scale(r->data[TX_CONTACT_DATA_NORMAL], c->frame, f->sign);
    v3_scale(r->data[TX_CONTACT_DATA_TANGENT], c->frame + 3, f->sign);
    m3_mul(r->data[TX_CONTACT_DATA_LINVEL], c->frame, move);
    m3_mul(r->data[TX_CONTACT_DATA_ANGVEL], c->frame, turn);
    const int flipped[] = {TX_CONTACT_DATA_FORCE, TX_CONTACT_DATA_TORQUE, TX_CONTACT_DATA_LINVEL,
                           TX_CONTACT_DATA_ANGVEL};
    for (int k = 0; k < 4; k++) r->data[flipped[k]][2] *= f->sign;
}

// one contact for all: the sum of their forces in world axes, at the mean of their places weighed by the forces
static int tell_sum(const tx_block *b, int lane, int sensor, record *r) {
    double weight = 0, centre[3] = {0}, force[3] = {0}, torque[3] = {0}, moment[3];
    int count = 0;
    for (int i = 0; i < b->ncontact[lane]; i++) {
        const tx_contact *c = &b->contacts[(size_t)lane * (size_t)b->room + (size_t)i];
        int sign = match(b, lane, sensor, c);
        double local[6], push[3], twist[3];
        count += sign != 0;
        if (!sign || !tx_contact_force(b, lane, c, local)) continue;
        double norm = v3_length(local);
        weight += norm;
        v3_along(centre, centre, c->pos, norm);
        m3_mul_transposed(push, c->frame, local);
        m3_mul_transposed(twist, c->frame, local + 3);
        v3_cross(moment, c->pos, push);
        v3_add(twist, twist, moment);
        v3_along(force, force, push, sign);
        v3_along(torque, torque, twist, sign);
    }
    v3_scale(centre, centre, 1 / (weight > 1e-15 ? weight : 1e-15));
    v3_cross(moment, centre, force);
    v3_sub(r->data[TX_CONTACT_DATA_TORQUE], torque, moment);
    v3_copy(r->data[TX_CONTACT_DATA_FORCE], force);
    v3_copy(r->data[TX_CONTACT_DATA_POS], centre);
    r->data[TX_CONTACT_DATA_NORMAL][0] = r->data[TX_CONTACT_DATA_TANGENT][1] = 1;
    return count;
}

// writes what the sensor asks for; returns where the next slot begins
static int write_record(tx_block *b, int lane, int at, int data, const record *r) {
    static const int NUMBERS[] = {
#define X(NAME, name, numbers, meaning) numbers,
        TX_CONTACT_DATA(X)
#undef X
    };
    for (int k = 0; k < TX_CONTACT_DATA_COUNT; k++)
        for (int n = 0; n < NUMBERS[k] && data >> k & 1; n++) tx_lane_set(b, b->sensordata, at++, lane, r->data[k][n]);
    return at;
}

void tx_sense_contacts(tx_block *b, int lane, int sensor) {
    const tx_model *m = b->m;
    int data = m->sensor_data[sensor], at = m->sensor_adr[sensor], end = at + m->sensor_dim[sensor];
    if (m->sensor_reduce[sensor] == TX_REDUCE_NETFORCE) {
        record r = {0};
        int count = tell_sum(b, lane, sensor, &r);
        r.data[TX_CONTACT_DATA_FOUND][0] = count;
        if (count) at = write_record(b, lane, at, data, &r);
    } else {
        int slots = m->sensor_dim[sensor] / tx_contact_data_size(data), count = count_matches(b, lane, sensor);
        found f = {0};
        for (int i = 0; i < count && i < slots; i++) {
            record r = {0};
            f = next_match(b, lane, sensor, &f);
            tell(b, lane, &f, &r);
            r.data[TX_CONTACT_DATA_FOUND][0] = count;
            at = write_record(b, lane, at, data, &r);
        }
    }
    while (at < end) tx_lane_set(b, b->sensordata, at++, lane, 0);
}
