// coordinates.c - states in reduced and in maximal coordinates, each from the other. docs/coordinates.md
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "compile/maximal.h"
#include "geometry/quat.h"
#include "geometry/vec3.h"

// a body: place, orientation, velocity of its origin and angular velocity, all in the world
typedef struct tx_pose {
    double pos[3], quat[4], vel[3], spin[3];
} pose;

#define PI 3.14159265358979323846

// ---- which body is which ------------------------------------------------------------------------------------------

static int new_parent(const tx_model *m, int i) { return m->body_jntnum[i] > 0 ? 0 : m->body_parent[i]; }

static void order_bodies(const tx_model *m, int *body, int *size) {
    for (int i = 0; i < m->nbody; i++) size[i] = 0;
    for (int i = m->nbody - 1; i > 0; i--) size[new_parent(m, i)] += ++size[i];
    // from here on: where the next child of a body goes
    body[0] = 0, size[0] = 1;
    for (int i = 1; i < m->nbody; i++) {
        const int parent = new_parent(m, i), bodies = size[i];
        body[i] = size[parent];
        size[parent] += bodies;
        size[i] = body[i] + 1;
    }
}

// ---- along the tree -----------------------------------------------------------------------------------------------

static void rotate(double out[3], const double quat[4], const double v[3]) {
    double mat[9];
    tx_quat_to_mat(quat, mat);
    m3_mul(out, mat, v);
}

static void rotate_back(double out[3], const double quat[4], const double v[3]) {
    double mat[9];
    tx_quat_to_mat(quat, mat);
    m3_mul_transposed(out, mat, v);
}

// velocity of a point of the body
static void velocity_at(double out[3], const pose *p, const double point[3]) {
    double arm[3], turn[3];
    v3_sub(arm, point, p->pos);
    v3_cross(turn, p->spin, arm);
    v3_add(out, p->vel, turn);
}

// the frame of a body before its joints: what its parent carries
static pose carried(const tx_model *m, const pose *all, int i) {
    const pose *parent = &all[m->body_parent[i]];
    pose p = *parent;
    memcpy(p.pos, m->body_pos + 3 * i, sizeof p.pos);
    memcpy(p.quat, m->body_quat + 4 * i, sizeof p.quat);
    tx_pose_in_parent(parent->pos, parent->quat, p.pos, p.quat);
    velocity_at(p.vel, parent, p.pos);
    return p;
}

// turns a body about a point of it, given in the body
static void turn_about(pose *p, const double local[3], const double turn[4], const double spin[3]) {
    double anchor[3], arm[3], speed[3], swing[3];
    rotate(arm, p->quat, local);
    v3_add(anchor, p->pos, arm);
    velocity_at(speed, p, anchor);
    tx_quat_mul(p->quat, p->quat, turn);
    rotate(arm, p->quat, local);
    v3_sub(p->pos, anchor, arm);
    v3_add(p->spin, p->spin, spin);
    v3_cross(swing, arm, p->spin); // w × (pos - anchor)
    v3_add(p->vel, speed, swing);
}

static void apply_joint(const tx_model *m, int j, const double *qpos, const double *qvel, pose *p) {
    const double *q = qpos + m->jnt_qposadr[j], *axis = m->jnt_axis + 3 * j;
    const double none[6] = {0}, *v = qvel ? qvel + m->jnt_dofadr[j] : none;
    double along[3], spin[3], by = q[0] - m->qpos0[m->jnt_qposadr[j]];
    rotate(along, p->quat, axis);
    switch (m->jnt_type[j]) {
    case TX_JOINT_FREE:
        memcpy(p->pos, q, sizeof p->pos);
        memcpy(p->quat, q + 3, sizeof p->quat);
        tx_quat_normalize(p->quat);
        memcpy(p->vel, v, sizeof p->vel);
        rotate(p->spin, p->quat, v + 3);
        break;
    case TX_JOINT_SLIDE: {
        double shift[3], place[3];
        v3_along(place, p->pos, along, by);
        velocity_at(shift, p, place);
        v3_copy(p->pos, place);
        v3_along(p->vel, shift, along, v[0]);
        break;
    }
    case TX_JOINT_HINGE: {
        const double half = 0.5 * by, s = sin(half), turn[4] = {cos(half), s * axis[0], s * axis[1], s * axis[2]};
        v3_scale(spin, along, v[0]);
        turn_about(p, m->jnt_pos + 3 * j, turn, spin);
        break;
    }
    default: {
        double turn[4], turned[4];
        memcpy(turn, q, sizeof turn);
        tx_quat_normalize(turn);
        tx_quat_mul(turned, p->quat, turn);
        rotate(spin, turned, v); // in the axes of the body
        turn_about(p, m->jnt_pos + 3 * j, turn, spin);
    }
    }
}

// ---- the two maps -------------------------------------------------------------------------------------------------

bool tx_maximal_map_create(tx_maximal_map *map, const tx_model *m) {
    const size_t count = (size_t)m->nbody;
    *map = (tx_maximal_map){.reduced = m, .body = tx_alloc(sizeof(int) * 3 * count)};
    map->pose = tx_alloc(sizeof *map->pose * count);
    if (!map->body || !map->pose) {
        tx_maximal_map_free(map);
        return false;
    }
    int *next = map->body + 2 * m->nbody;
    map->place = map->body + m->nbody;
    order_bodies(m, map->body, next);
    // free joints stand in the order of the bodies
    for (int i = 0; i < m->nbody; i++) next[map->body[i]] = i;
    for (int k = 0; k < m->nbody; k++) map->place[next[k]] = m->body_jntnum[next[k]] > 0 ? map->free_count++ : -1;
    return true;
}

void tx_maximal_map_free(tx_maximal_map *map) {
    tx_free(map->body), tx_free(map->pose);
    map->body = NULL, map->pose = NULL;
}

void tx_maximal_state(const tx_maximal_map *map, const double *qpos, const double *qvel, double *maximal_qpos,
                      double *maximal_qvel) {
    const tx_model *m = map->reduced;
    pose *all = map->pose;
    all[0] = (pose){.quat = {1}};
    for (int i = 1; i < m->nbody; i++) {
        all[i] = carried(m, all, i);
        for (int j = m->body_jntadr[i]; j < m->body_jntadr[i] + m->body_jntnum[i]; j++)
            apply_joint(m, j, qpos, qvel, &all[i]);
        if (map->place[i] < 0) continue;
        double *q = maximal_qpos + 7 * map->place[i], *v = maximal_qvel ? maximal_qvel + 6 * map->place[i] : NULL;
        memcpy(q, all[i].pos, sizeof all[i].pos);
        memcpy(q + 3, all[i].quat, sizeof all[i].quat);
        if (!v) continue;
        memcpy(v, all[i].vel, sizeof all[i].vel);
        rotate_back(v + 3, all[i].quat, all[i].spin);
    }
}

// the position of a hinge nearest to the middle of its range, or to where it begins
static double nearest_turn(const tx_model *m, int j, double angle) {
    const double *range = m->jnt_range + 2 * j, first = m->qpos0[m->jnt_qposadr[j]];
    const double middle = m->jnt_limited[j] ? 0.5 * (range[0] + range[1]) : first;
    return middle + remainder(first + angle - middle, 2 * PI);
}

// where a body's one joint is, and how fast, from the body and what carries it
static void read_joint(const tx_model *m, int j, const pose *from, const pose *to, double *q, double *v) {
    double along[3], turn[4], back[4], spin[3];
    if (m->jnt_type[j] == TX_JOINT_FREE) {
        memcpy(q, to->pos, sizeof to->pos);
        memcpy(q + 3, to->quat, sizeof to->quat);
        if (v) memcpy(v, to->vel, sizeof to->vel);
        if (v) rotate_back(v + 3, to->quat, to->spin);
        return;
    }
    rotate(along, from->quat, m->jnt_axis + 3 * j);
    v3_sub(spin, to->spin, from->spin);
    if (m->jnt_type[j] == TX_JOINT_SLIDE) {
        double shift[3], speed[3];
        v3_sub(shift, to->pos, from->pos);
        velocity_at(speed, from, to->pos);
        v3_sub(speed, to->vel, speed);
        q[0] = m->qpos0[m->jnt_qposadr[j]] + v3_dot(along, shift);
        if (v) v[0] = v3_dot(along, speed);
        return;
    }
    for (int k = 0; k < 4; k++) back[k] = k ? -from->quat[k] : from->quat[k];
    tx_quat_mul(turn, back, to->quat);
    if (m->jnt_type[j] == TX_JOINT_HINGE) {
        q[0] = nearest_turn(m, j, 2 * atan2(v3_dot(turn + 1, m->jnt_axis + 3 * j), turn[0]));
        if (v) v[0] = v3_dot(along, spin);
    } else {
        memcpy(q, turn, sizeof turn);
        if (v) rotate_back(v, to->quat, spin);
    }
}

static void reduced_state(const tx_maximal_map *map, const double *maximal_qpos, const double *maximal_qvel,
                          double *qpos, double *qvel) {
    const tx_model *m = map->reduced;
    pose *all = map->pose;
    all[0] = (pose){.quat = {1}};
    for (int i = 1; i < m->nbody; i++) {
        const pose from = carried(m, all, i);
        all[i] = from;
        if (map->place[i] < 0) continue;
        const double *q = maximal_qpos + 7 * map->place[i], *v = maximal_qvel ? maximal_qvel + 6 * map->place[i] : NULL;
        pose *to = &all[i];
        *to = (pose){{q[0], q[1], q[2]}, {q[3], q[4], q[5], q[6]}, {0}, {0}};
        tx_quat_normalize(to->quat);
        if (maximal_qvel) memcpy(to->vel, v, sizeof to->vel);
        if (maximal_qvel) rotate(to->spin, to->quat, v + 3);
        const int j = m->body_jntadr[i];
        read_joint(m, j, &from, to, qpos + m->jnt_qposadr[j], maximal_qvel ? qvel + m->jnt_dofadr[j] : NULL);
    }
}

// whether one model can be the other in maximal coordinates
static bool match(const tx_maximal_map *map, const tx_model *maximal) {
    const tx_model *m = map->reduced;
    bool good = m->nbody == maximal->nbody && maximal->nq == 7 * map->free_count && maximal->nv == 6 * map->free_count;
    for (int i = 1; good && i < m->nbody; i++)
        good = (map->place[i] >= 0) == (maximal->body_jntnum[map->body[i]] > 0) && m->body_jntnum[i] <= 1;
    return good;
}

tx_result tx_state_to_maximal(const tx_model *reduced, const tx_model *maximal, const double *qpos, const double *qvel,
                              double *maximal_qpos, double *maximal_qvel) {
    if (!reduced || !maximal || !qpos || !maximal_qpos || !qvel != !maximal_qvel) return TX_ERROR_ARGUMENT;
    tx_maximal_map map;
    if (!tx_maximal_map_create(&map, reduced)) return TX_ERROR_MEMORY;
    const bool good = match(&map, maximal);
    if (good) tx_maximal_state(&map, qpos, qvel, maximal_qpos, maximal_qvel);
    tx_maximal_map_free(&map);
    return good ? TX_OK : TX_ERROR_ARGUMENT;
}

tx_result tx_state_to_reduced(const tx_model *reduced, const tx_model *maximal, const double *maximal_qpos,
                              const double *maximal_qvel, double *qpos, double *qvel) {
    if (!reduced || !maximal || !qpos || !maximal_qpos || !qvel != !maximal_qvel) return TX_ERROR_ARGUMENT;
    tx_maximal_map map;
    if (!tx_maximal_map_create(&map, reduced)) return TX_ERROR_MEMORY;
    const bool good = match(&map, maximal);
    if (good) reduced_state(&map, maximal_qpos, maximal_qvel, qpos, qvel);
    tx_maximal_map_free(&map);
    return good ? TX_OK : TX_ERROR_ARGUMENT;
}
