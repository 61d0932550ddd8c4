// measures.c - see measures.h. One contact after the other, in round variables g = λ/s, u = s (y - a + E λ).
#include "problem/measures.h"

#include <math.h>

#include "problem/kernel_list.h"

typedef struct contact {
    int dim;
    double mu, rho;
    double g[6], u[6], free[6];
} contact;

static double length(int dim, const double *v) {
    double square = 0;
    for (int k = 1; k < dim; k++) square += v[k] * v[k];
    return sqrt(square);
}

// in round variables: the cone of every contact is |g_t| ≤ μ g₀
static contact rounded(int dim, const double *mu, const double *force, const double *motion, const double *start) {
    contact k = {.dim = dim};
    for (int r = 1; r < dim; r++) k.mu = fmax(k.mu, mu[r - 1]);
    for (int r = 0; r < dim; r++) {
        const double s = r == 0 ? 1 : k.mu > 0 ? mu[r - 1] / k.mu : 0;
        k.g[r] = s > 0 ? force[r] / s : 0;
        k.u[r] = s * motion[r];
        k.free[r] = s * start[r];
    }
    return k;
}

static contact contact_of(const tx_problem *p, int i) {
    const tx_constraint *c = &p->cons[i];
    const double *n = (const double *)p->numbers + TX_KERNEL_NUMBERS * (size_t)i;
    const double *y = (const double *)p->y + c->row, *lambda = (const double *)p->gamma + c->row,
                 *free = (const double *)p->y_free + c->row;
    // what a soft law wants of the motion is no part of these laws
    const bool hard = tx_kernel_is_hard(c->kernel);
    double motion[6], start[6];
    for (int r = 0; r < c->dim; r++) {
        const double a = hard ? n[TX_NUMBER_A + r] : 0;
        motion[r] = y[r] - a + (hard ? n[TX_NUMBER_E] * lambda[r] : 0), start[r] = free[r] - a;
    }
    contact k = rounded(c->dim, n + TX_NUMBER_MU, lambda, motion, start);
    k.rho = n[TX_NUMBER_D] * n[TX_NUMBER_REST];
    return k;
}

// squared distance of g to the projection of g - ρ (u + shift)
static double natural_map(const contact *k, double shift) {
    double to[6], square = 0;
    for (int r = 0; r < k->dim; r++) to[r] = k->g[r] - k->rho * (k->u[r] + (r == 0 ? shift : 0));
    const double t = length(k->dim, to);
    double normal = to[0], shrink = 1;
    if (to[0] < 0 && k->mu * t <= -to[0]) normal = shrink = 0;
    else if (t > k->mu * to[0]) {
        normal = (to[0] + k->mu * t) / (1 + k->mu * k->mu);
        shrink = k->mu * normal / t;
    }
    to[0] = normal;
    for (int r = 1; r < k->dim; r++) to[r] *= shrink;
    for (int r = 0; r < k->dim; r++) square += (k->g[r] - to[r]) * (k->g[r] - to[r]);
    return square;
}

static void add_violations(tx_violations *m, const contact *k) {
    const double pressure = fmax(k->g[0], 0), friction = length(k->dim, k->g), slip = length(k->dim, k->u);
    double power = k->mu * pressure * slip;
    for (int r = 1; r < k->dim; r++) power += k->g[r] * k->u[r];
    m->contacts++;
    m->approach = fmax(m->approach, -k->u[0]);
    m->pull = fmax(m->pull, -k->g[0]);
    m->work = fmax(m->work, fabs(k->g[0] * k->u[0]));
    m->excess = fmax(m->excess, friction - k->mu * k->g[0]);
    m->dissipation = fmax(m->dissipation, power);
    if (k->g[0] > 0) m->slip = fmax(m->slip, slip);
}

void tx_violations_add(tx_violations *v, const tx_touch *touch) {
    const contact k = rounded(touch->dim, touch->mu, touch->force, touch->after, touch->after);
    add_violations(v, &k);
    v->penetration = fmax(v->penetration, -touch->dist);
    for (int r = 0; r < touch->dim; r++)
        v->energy += touch->time * touch->force[r] * 0.5 * (touch->before[r] + touch->after[r]);
}

tx_measures tx_problem_measures(const tx_problem *p) {
    tx_measures m = {0};
    double ncp = 0, ccp = 0, worst = 0, scale = 0;
    for (int i = 0; i < p->ncons; i++) {
        const tx_constraint *c = &p->cons[i];
        const bool soft = (c->kernel == KERNEL_cone || tx_kernel_is_hunt(c->kernel)) && p->unit == TX_UNIT_VELOCITY;
        if (!tx_kernel_is_hard(c->kernel) && !soft) continue;
        contact k = contact_of(p, i);
        if (!(k.rho > 0)) continue;
        const double own = natural_map(&k, k.mu * length(k.dim, k.u)) / k.rho;
        m.contacts++;
        ncp += own, ccp += natural_map(&k, 0) / k.rho;
        worst = fmax(worst, own);
        for (int r = 0; r < k.dim; r++) scale += k.rho * (k.free[r] * k.free[r] + p->y_floor);
        add_violations(&m.worst, &k);
    }
    if (scale > 0) {
        m.residual_ncp = sqrt(ncp / scale), m.residual_ccp = sqrt(ccp / scale);
        m.residual_worst = sqrt(worst / scale);
    }
    return m;
}
