// draft_mass.c - masses of bodies: given, or from their geoms; bounds; what must not happen.
#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "compile/draft.h"
#include "geometry/mass.h"
#include "geometry/quat.h"

#define FAIL(source, hint, ...) \
    tx_diag_add(diag, TX_SEVERITY_ERROR, (source).file, (source).line, (source).column, hint, __VA_ARGS__)

// masses and moments below these are nothing; MuJoCo's mjEPS and mjMINVAL
static const double TINY = 1e-14, SMALLEST = 1e-15;

static const char *name_or(const char *name) { return name[0] ? name : "(no name)"; }

// what the heavy geoms of a body add up to
typedef struct geom_sum {
    double mass, moment[3], tensor[6];
    int count, last;
} geom_sum;

// MuJoCo leaves the body frame as inertial frame of a body without mass, read as if it stood in the body
static void set_given(tx_draft_body *body, const tx_body_def *def) {
    body->mass = def->has_inertial ? def->mass : 0;
    memcpy(body->ipos, def->has_inertial ? def->ipos : body->pos, sizeof body->ipos);
    memcpy(body->iquat, def->has_inertial ? def->iquat : body->quat, sizeof body->iquat);
    tx_quat_normalize(body->iquat);
    if (!def->has_inertial) return;
    memcpy(body->inertia, def->inertia, sizeof body->inertia);
    if (!def->has_fullinertia) return;
    double axes[4];
    tx_principal_axes(def->fullinertia, 0, body->inertia, axes);
    tx_quat_mul(body->iquat, body->iquat, axes);
}

static void add_up(const tx_draft *d, geom_sum *sum) {
    for (int i = 0; i < d->b->geom.count; i++) {
        const tx_draft_geom *g = &d->geom[i];
        geom_sum *s = &sum[g->body];
        if (!(g->mass > TINY)) continue;
        s->mass += g->mass, s->count++, s->last = i;
        for (int k = 0; k < 3; k++) s->moment[k] += g->mass * g->pos[k];
    }
    for (int i = 0; i < d->b->geom.count; i++) {
        const tx_draft_geom *g = &d->geom[i];
        geom_sum *s = &sum[g->body];
        if (!(g->mass > TINY) || s->count < 2) continue;
        double offset[3];
        for (int k = 0; k < 3; k++) offset[k] = g->pos[k] - s->moment[k] / s->mass;
        tx_add_inertia(s->tensor, g->moments, g->quat, g->mass, offset);
    }
}

// a single geom lends its frame; several give a tensor, whose principal axes are sought
static void set_from_geoms(const tx_draft *d, tx_draft_body *body, const geom_sum *sum) {
    const tx_draft_geom *only = &d->geom[sum->last];
    if (sum->count == 0) return;
    body->mass = sum->mass;
    if (sum->count == 1) {
        memcpy(body->ipos, only->pos, sizeof body->ipos);
        memcpy(body->iquat, only->quat, sizeof body->iquat);
        memcpy(body->inertia, only->moments, sizeof body->inertia);
        return;
    }
    for (int k = 0; k < 3; k++) body->ipos[k] = sum->moment[k] / sum->mass;
    tx_principal_axes(sum->tensor, 0, body->inertia, body->iquat);
}

// moments that no body has are replaced by their mean when this was asked for; computed ones have rounding errors
static bool balance(double inertia[3], bool computed, bool repair) {
    double sum = inertia[0] + inertia[1] + inertia[2], slack = computed ? 1e-12 * sum : 0;
    bool physical = true;
    for (int k = 0; k < 3; k++)
        physical = physical && inertia[(k + 1) % 3] + inertia[(k + 2) % 3] >= inertia[k] - slack;
    for (int k = 0; !physical && repair && k < 3; k++) inertia[k] = sum / 3;
    return physical || repair;
}

// whether the least moment is positive; zero, give or take rounding, is lifted to the bound where there is one
static bool definite(const double inertia[3], double bound) {
    return inertia[2] >= (bound > 0 ? -1e-13 * inertia[0] : TINY);
}

bool tx_draft_masses(tx_draft *d, tx_diag *diag) {
    const tx_builder *b = d->b;
    geom_sum *sum = tx_alloc(sizeof *sum * (size_t)b->body.count);
    if (!sum) {
        tx_diag_add(diag, TX_SEVERITY_ERROR, "", 0, 0, "", "out of memory");
        return false;
    }
    int before = diag->errors;
    add_up(d, sum);
    for (int i = 0; i < b->body.count; i++) {
        const tx_body_def *def = &b->body.items[i].def;
        const tx_compiler_def *c = tx_compiler_of(b, i);
        tx_draft_body *body = &d->body[i];
        if (i == 0) {
            body->iquat[0] = 1;
            continue;
        }
        bool from_geoms = sum[i].count > 0 && (c->inertiafromgeom == TX_SWITCH_ON ||
                                               (c->inertiafromgeom == TX_SWITCH_AUTO && !def->has_inertial));
        set_given(body, def);
        if (def->has_inertial && def->has_fullinertia && !definite(body->inertia, c->boundinertia))
            FAIL(def->source, "", "body '%s': fullinertia is not positive definite", name_or(def->name));
        if (from_geoms) set_from_geoms(d, body, &sum[i]);
        if (from_geoms && sum[i].count > 1 && !definite(body->inertia, c->boundinertia))
            FAIL(def->source, "give it more mass, or <inertial>",
                 "body '%s': the inertia of its geoms together is too small", name_or(def->name));

        body->mass = fmax(body->mass, c->boundmass);
        for (int k = 0; k < 3; k++) body->inertia[k] = fmax(body->inertia[k], c->boundinertia);
        const double *I = body->inertia;
        if (!balance(body->inertia, from_geoms || def->has_fullinertia, c->balanceinertia))
            FAIL(def->source, "each principal moment is at most the sum of the other two; balanceinertia repairs it",
                 "body '%s': no mass distribution has inertia %g %g %g", name_or(def->name), I[0], I[1], I[2]);
    }
    tx_free(sum);
    return diag->errors == before;
}

void tx_draft_merge(tx_draft_body *into, const tx_draft_body *body, bool *good) {
    double pos[3], quat[4], centre[3], offset[3], tensor[6] = {0}, mass = into->mass + body->mass;
    memcpy(pos, body->ipos, sizeof pos);
    memcpy(quat, body->iquat, sizeof quat);
    tx_pose_in_parent(body->pos, body->quat, pos, quat);
    for (int k = 0; k < 3; k++) centre[k] = (into->mass * into->ipos[k] + body->mass * pos[k]) / mass;
    for (int k = 0; k < 3; k++) offset[k] = into->ipos[k] - centre[k];
    tx_add_inertia(tensor, into->inertia, into->iquat, into->mass, offset);
    for (int k = 0; k < 3; k++) offset[k] = pos[k] - centre[k];
    tx_add_inertia(tensor, body->inertia, quat, body->mass, offset);
    into->mass = mass;
    memcpy(into->ipos, centre, sizeof centre);
    tx_principal_axes(tensor, 0, into->inertia, into->iquat);
    *good = into->inertia[2] >= TINY;
}

// what moves needs mass and inertia: its own, or that of a body fixed to it
bool tx_draft_check_masses(const tx_draft *d, tx_diag *diag) {
    int before = diag->errors;
    bool *heavy = tx_alloc(sizeof(bool) * (size_t)d->nbody);
    if (!heavy) tx_diag_add(diag, TX_SEVERITY_ERROR, "", 0, 0, "", "out of memory");
    for (int n = d->nbody - 1; heavy && n > 0; n--) {
        const tx_draft_body *body = &d->body[d->body_def[n]];
        const tx_built_body *built = &d->b->body.items[d->body_def[n]];
        bool moves = d->catalog->joint_count[d->body_def[n]] > 0;
        heavy[n] = heavy[n] || (body->mass >= SMALLEST && body->inertia[0] >= SMALLEST &&
                                body->inertia[1] >= SMALLEST && body->inertia[2] >= SMALLEST);
        if (!moves && heavy[n]) heavy[d->body[built->parent].number] = true;
        if (moves && !heavy[n])
            FAIL(built->def.source, "add a geom with a density, or <inertial>, or boundmass and boundinertia",
                 body->mass >= SMALLEST ? "body '%s' moves but has no inertia" : "body '%s' moves but has no mass",
                 name_or(built->def.name));
    }
    tx_free(heavy);
    return diag->errors == before;
}
