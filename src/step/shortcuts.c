// shortcuts.c - see shortcuts.h.
#include "step/shortcuts.h"

#include "step/still.h"

#include <string.h>

// whether `count` numbers from `begin` on are those of `other` in one environment, to the sign of zero
static bool same(const tx_block *b, const void *array, int begin, const void *other, int from, int count, int lane) {
    for (int k = 0; k < count; k++) {
        const double mine = tx_lane(b, array, begin + k, lane), its = tx_lane(b, other, from + k, lane);
        if (memcmp(&mine, &its, sizeof mine) != 0) return false;
    }
    return true;
}

// whether all of them are zero in all environments
static bool zero(const tx_block *b, const void *array, int begin, int count) {
    for (int e = 0; e < b->lanes; e++)
        for (int k = begin; k < begin + count; k++)
            if (tx_lane(b, array, k, e) != 0) return false;
    return true;
}

static bool is_straight(const tx_block *b, int body, int lane) {
    for (int k = 0; k < 4; k++)
        if (tx_lane(b, b->param.body_quat, 4 * body + k, lane) != (k == 0)) return false;
    return true;
}

static tx_extent straight(const tx_block *b, int body) {
    int count = 0;
    for (int e = 0; e < b->lanes; e++) count += is_straight(b, body, e);
    return count == 0 ? TX_NOWHERE : count < b->lanes ? TX_SOMEWHERE : TX_EVERYWHERE;
}

static bool is_inertial(const tx_block *b, int geom) {
    const int body = b->m->geom_body[geom];
    for (int e = 0; e < b->lanes; e++)
        if (!same(b, b->param.geom_pos, 3 * geom, b->param.body_ipos, 3 * body, 3, e) ||
            !same(b, b->param.geom_quat, 4 * geom, b->param.body_iquat, 4 * body, 4, e))
            return false;
    return true;
}

bool tx_actuator_is_plain(const tx_model *m, int i) {
    if (m->actuator_trn[i] != TX_TRANSMISSION_JOINT && m->actuator_trn[i] != TX_TRANSMISSION_JOINTINPARENT)
        return false;
    const int type = m->jnt_type[m->actuator_trnid[i]];
    return (type == TX_JOINT_HINGE || type == TX_JOINT_SLIDE) && m->actuator_act[i] < 0 &&
           m->actuator_gaincurve[i] == TX_CURVE_AFFINE && m->actuator_biascurve[i] == TX_CURVE_AFFINE;
}

void tx_shortcuts_find(tx_block *b) {
    const tx_model *m = b->m;
    tx_still_forget(b);
    tx_shortcuts *s = &b->shortcuts;
    for (int i = 0; i < m->nbody; i++) s->body_straight[i] = (uint8_t)straight(b, i);
    for (int j = 0; j < m->njnt; j++) s->joint_centred[j] = zero(b, b->param.jnt_pos, 3 * j, 3);
    for (int g = 0; g < m->ngeom; g++) s->geom_inertial[g] = is_inertial(b, g);
    for (int i = 0; i < m->nactuator; i++) s->actuator_plain[i] = tx_actuator_is_plain(m, i);
    s->no_lift = zero(b, b->param.body_gravcomp, 0, m->nbody);
    s->no_springs = zero(b, b->param.jnt_stiffness, 0, m->njnt) && zero(b, b->param.jnt_stiffnesspoly, 0, 2 * m->njnt);
    s->no_bends =
        zero(b, b->param.jnt_stiffnesspoly, 0, 2 * m->njnt) && zero(b, b->param.dof_dampingpoly, 0, 2 * m->nv);
    s->no_geared =
        zero(b, b->param.actuator_damping, 0, 3 * m->nactuator) && zero(b, b->param.actuator_armature, 0, m->nactuator);
    s->no_dry_friction = zero(b, b->param.dof_frictionloss, 0, m->nv);
    s->no_belts = zero(b, b->param.geom_surfacevel, 0, 6 * m->ngeom);
}
