// random_problems.h - random contact problems without a model: trees and free bodies whose masses differ by up to 10⁴,
// friction from 0 to 10, redundant, conflicting and empty constraints, up to 1,000 contacts on one body.
#pragma once
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem/bare.h"
#include "problem/kernel_list.h"
#include "random.h"

enum { MOST_DOFS = 160, MOST_BODIES = 64, MOST_CONS = 1100 };

typedef struct random_body {
    int dof, width, parent; // its own dofs, the body it hangs from
    bool end;               // others may hang from it
    double place[3], mass, radius;
} random_body;

typedef struct random_world {
    uint64_t seed;
    double step;     // [s] of a velocity problem, whose contacts are cones or Hunt & Crossley's; 0: of accelerations
    double stiffest; // most of D times the exact weight
    int nbodies, nv, nblocks, ncons;
    random_body body[MOST_BODIES];
    int parent[MOST_DOFS], width[MOST_DOFS];
    double axis[MOST_DOFS][6]; // angular, linear at the origin
    double A[MOST_DOFS * MOST_DOFS], L[MOST_DOFS * MOST_DOFS];

    struct {
        int kernel, dim, copy;
        double J[6][MOST_DOFS]; // dense here: only the problem is sparse
        bool moves[MOST_DOFS];
        double n[TX_KERNEL_NUMBERS];
    } con[MOST_CONS];
} random_world;

static inline double uniform(random_world *w, double low, double high) { return random_between(&w->seed, low, high); }
static inline bool chance(random_world *w, double p) { return uniform(w, 0, 1) < p; }
static inline int below(random_world *w, int n) { return (int)uniform(w, 0, n); }
static inline double magnitude(random_world *w, double low, double high) { return pow(10, uniform(w, low, high)); }

// ---- bodies --------------------------------------------------------------------------------------------------------

// a free body: three slides and a ball; else one to three hinges or slides through a point near the body
static inline void random_axes(random_world *w, const random_body *b, bool is_free) {
    for (int k = 0; k < b->width; k++) {
        double *s = w->axis[b->dof + k], dir[3], point[3];
        memset(s, 0, sizeof w->axis[0]);
        random_direction(&w->seed, dir);
        for (int i = 0; i < 3; i++) point[i] = b->place[i] + uniform(w, -0.5, 0.5);
        if (is_free) {
            if (k < 3) s[3 + k] = 1;
            else s[k - 3] = 1, memcpy(point, b->place, sizeof point);
        } else if (chance(w, 0.3)) memcpy(s + 3, dir, sizeof dir);
        else memcpy(s, dir, sizeof dir);
        double moment[3];
        v3_cross(moment, point, s);
        for (int i = 0; i < 3; i++) s[3 + i] += moment[i];
    }
}

static inline void random_bodies(random_world *w, int nbodies, double light, double heavy) {
    for (int i = 0; i < nbodies && w->nv + 6 <= MOST_DOFS; i++) {
        random_body *b = &w->body[w->nbodies];
        const bool root = i == 0 || chance(w, 0.4), is_free = root && chance(w, 0.7);
        b->parent = -1;
        for (int tries = 0; !root && tries < 8 && b->parent < 0; tries++) {
            // dofs of a tree are neighbours: only the last tree can grow
            int up = w->nbodies - 1 - below(w, 4);
            for (int j = up; j >= 0 && j < w->nbodies; j++)
                if (w->body[j].parent < 0 && j > up) up = -1;
            if (up >= 0 && w->body[up].end) b->parent = up;
        }
        b->dof = w->nv, b->width = is_free ? 6 : 1 + below(w, 3), b->end = true;
        for (int k = 0; k < 3; k++) b->place[k] = uniform(w, -2, 2);
        b->mass = magnitude(w, light, heavy), b->radius = magnitude(w, -1.5, 0);
        random_axes(w, b, is_free);
        for (int k = 0; k < b->width; k++) {
            random_body *up = b->parent < 0 ? NULL : &w->body[b->parent];
            w->parent[w->nv + k] = k ? w->nv + k - 1 : up ? up->dof + up->width - 1 : -1;
        }
        // a block of its own, or longer than the body it hangs from
        int *last = w->nblocks ? &w->width[w->nblocks - 1] : NULL;
        if (b->parent >= 0 && b->parent == w->nbodies - 1 && *last + b->width <= TX_BLOCK_WIDTH && chance(w, 0.5))
            *last += b->width, w->body[b->parent].end = false;
        else w->width[w->nblocks++] = b->width;
        w->nv += b->width;
        w->nbodies++;
    }
}

static inline int last_dof(const random_world *w, int body) {
    return body < 0 ? -1 : w->body[body].dof + w->body[body].width - 1;
}

// velocity of a point of a body, or its spin, along n per unit of each dof
static inline void add_motion(const random_world *w, int body, const double *point, const double *n, bool spin,
                              double sign, double *J) {
    for (int d = last_dof(w, body); d >= 0; d = w->parent[d]) {
        const double *s = w->axis[d];
        double moved[3];
        v3_cross(moved, s, point);
        for (int i = 0; i < 3; i++) moved[i] = spin ? s[i] : moved[i] + s[3 + i];
        J[d] += sign * v3_dot(moved, n);
    }
}

// A = Σ Jᵀ (mass, inertia) J over the bodies, and a little armature
static inline void random_inertia(random_world *w) {
    const int n = w->nv;
    for (int b = 0; b < w->nbodies; b++) {
        const random_body *body = &w->body[b];
        for (int k = 0; k < 6; k++) {
            double J[MOST_DOFS] = {0}, e[3] = {0}, m = body->mass * (k < 3 ? 1 : 0.4 * body->radius * body->radius);
            e[k % 3] = 1;
            add_motion(w, b, body->place, e, k >= 3, 1, J);
            for (int i = last_dof(w, b); i >= 0; i = w->parent[i])
                for (int j = i; j >= 0; j = w->parent[j]) w->A[i * n + j] += m * J[i] * J[j];
        }
        for (int k = body->dof; k < body->dof + body->width; k++) w->A[k * n + k] += 1e-4 * body->mass;
    }
    // its Cholesky factor, for the weights of the constraints
    memcpy(w->L, w->A, sizeof(double) * (size_t)(n * n));
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < n; i++) w->L[i * n + j] -= w->L[i * n + k] * w->L[j * n + k];
        const double pivot = sqrt(w->L[j * n + j]);
        for (int i = j; i < n; i++) w->L[i * n + j] /= pivot;
    }
}

// ---- constraints ---------------------------------------------------------------------------------------------------

// the mean of J A⁻¹ Jᵀ over the first rows
static inline double exact_weight(const random_world *w, int c) {
    const int n = w->nv, rows = w->con[c].dim < 3 ? w->con[c].dim : 3;
    double sum = 0;
    for (int r = 0; r < rows; r++) {
        double z[MOST_DOFS];
        for (int i = 0; i < n; i++) {
            z[i] = w->con[c].J[r][i];
            for (int k = 0; k < i; k++) z[i] -= w->L[i * n + k] * z[k];
            z[i] /= w->L[i * n + i];
            sum += z[i] * z[i];
        }
    }
    return sum / rows;
}

// numbers as the soft law makes them, of weights that are wrong by up to a factor of ten
static inline void random_numbers(random_world *w, int c) {
    static const double IMPEDANCE[] = {0.1, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999};
    static const double IMPRATIO[] = {1, 1, 10, 100};
    double *n = w->con[c].n, d = IMPEDANCE[below(w, 7)], exact = exact_weight(w, c),
           weight = exact * magnitude(w, -1, 1);
    const int kernel = w->con[c].kernel, dim = w->con[c].dim;
    const bool frictional = kernel == KERNEL_pyramid || kernel == KERNEL_cone;
    if (!(weight > 0)) weight = 1;
    memset(n, 0, sizeof w->con[c].n);
    double R = fmax((1 - d) / d * weight, 1e-15);
    n[TX_NUMBER_D] = 1 / R, n[TX_NUMBER_REST] = 1 - d;
    const double slide = magnitude(w, -5, 1);
    for (int k = 0; frictional && k + 1 < dim; k++)
        n[TX_NUMBER_MU + k] =
            k < 2 ? slide * uniform(w, 0.3, 1) : slide * magnitude(w, -4, 0) * (chance(w, 0.9) ? 1 : 0);
    const double first = n[TX_NUMBER_MU], mu = first / sqrt(IMPRATIO[below(w, 4)]);
    if (kernel == KERNEL_cone) n[TX_NUMBER_CONE] = mu;
    if (kernel == KERNEL_pyramid) n[TX_NUMBER_D] = 1 / fmax(2 * mu * mu * R * (1 + first * first), 1e-15);
    // rounding of J x alone moves x by 1e-16 D W of itself: far beyond 1e7 an answer in doubles need not reach 1e-8
    double most = w->stiffest / exact;
    for (int k = 0; kernel == KERNEL_cone && k + 1 < dim; k++)
        most = fmin(most, w->stiffest / exact * pow(mu / n[TX_NUMBER_MU + k], 2));
    if (exact > 0) n[TX_NUMBER_D] = fmin(n[TX_NUMBER_D], most);
    if (kernel == KERNEL_clamped) n[TX_NUMBER_BOUND] = chance(w, 0.1) ? 0 : magnitude(w, -3, 3) / weight;
    if (kernel == KERNEL_quadratic && dim > 3) n[TX_NUMBER_D2] = n[TX_NUMBER_D] * magnitude(w, -2, 0);
    const double size = magnitude(w, -2, 2);
    for (int k = 0; k < dim; k++)
        n[TX_NUMBER_A + k] = chance(w, 0.2) ? 0 : size * uniform(w, -1, 1) * (frictional && k > 0 ? 0.1 : 1);
    if (chance(w, 0.03)) n[TX_NUMBER_D] = n[TX_NUMBER_REST] = n[TX_NUMBER_D2] = 0; // it does not act
    if (kernel == KERNEL_cone && n[TX_NUMBER_D] == 0) n[TX_NUMBER_CONE] = 1;
}

// as law_hunt.inl makes them: a vibration takes a step at least, stiction is softened by σ = 10⁻³ of the weight
static inline void random_hunt_numbers(random_world *w, int c) {
    double *n = w->con[c].n, weight = exact_weight(w, c);
    const bool lagged = w->con[c].kernel == KERNEL_lagged;
    if (!(weight > 0)) weight = 1;
    memset(n, 0, sizeof w->con[c].n);
    const double D = 39.478 * magnitude(w, -4, 0) / weight, a = magnitude(w, -3, 1) * uniform(w, -0.5, 1);
    const double d = chance(w, 0.2) ? 0 : magnitude(w, -2, 2), slide = magnitude(w, -5, 1);
    const double before = D * fmax(a, 0) * fmax(1 - d * magnitude(w, -3, 0) * uniform(w, -1, 1), 0);
    n[TX_NUMBER_D] = D, n[TX_NUMBER_REST] = 1 / (D * weight), n[TX_NUMBER_A] = a, n[TX_NUMBER_DISSIPATION] = d;
    for (int k = 0; k + 1 < w->con[c].dim; k++)
        n[TX_NUMBER_MU + k] =
            k < 2 ? slide * uniform(w, 0.3, 1) : slide * magnitude(w, -4, 0) * (chance(w, 0.9) ? 1 : 0);
    const double mu = fmax(n[TX_NUMBER_MU], 1e-5);
    n[TX_NUMBER_SLIP] = mu * fmax(magnitude(w, -5, -2), mu * 1e-3 * weight * before);
    n[TX_NUMBER_LAST] = lagged ? before : 0;
    if (chance(w, 0.03)) memset(n, 0, sizeof w->con[c].n); // it does not act
}

static inline void random_constraint(random_world *w, int first, int second) {
    static const int DIMS[] = {3, 3, 4, 6};
    const int c = w->ncons++;
    int kernel = below(w, KERNEL_cone + 1), dim = DIMS[below(w, 4)];
    if (kernel == KERNEL_one_sided || kernel == KERNEL_clamped) dim = 1;
    if (kernel == KERNEL_quadratic && chance(w, 0.5)) dim = 1;
    // a contact without friction has one row
    if ((kernel == KERNEL_pyramid || kernel == KERNEL_cone) && chance(w, 0.1)) kernel = KERNEL_one_sided, dim = 1;
    // contacts of a velocity problem: a third each
    if (w->step > 0 && kernel == KERNEL_pyramid) kernel = KERNEL_similar;
    if (w->step > 0 && kernel == KERNEL_cone && chance(w, 0.5)) kernel = KERNEL_lagged;
    memset(&w->con[c], 0, sizeof w->con[c]);
    w->con[c].kernel = kernel, w->con[c].dim = dim, w->con[c].copy = -1;
    double point[3], frame[9];
    for (int k = 0; k < 3; k++) point[k] = uniform(w, -2, 2);
    random_turn(&w->seed, frame);
    for (int r = 0; r < dim; r++) {
        add_motion(w, first, point, frame + 3 * (r % 3), r >= 3, 1, w->con[c].J[r]);
        add_motion(w, second, point, frame + 3 * (r % 3), r >= 3, -1, w->con[c].J[r]);
    }
    for (int s = 0; s < 2; s++)
        for (int d = last_dof(w, s ? second : first); d >= 0; d = w->parent[d]) w->con[c].moves[d] = true;
    // rows without any motion; constraints that move nothing
    if (chance(w, 0.03)) memset(w->con[c].J[below(w, dim)], 0, sizeof w->con[c].J[0]);
    if (chance(w, 0.02)) memset(w->con[c].J, 0, sizeof w->con[c].J);
    if (chance(w, 0.01)) memset(w->con[c].J, 0, sizeof w->con[c].J), memset(w->con[c].moves, 0, MOST_DOFS);
    if (tx_kernel_is_hunt(kernel)) random_hunt_numbers(w, c);
    else random_numbers(w, c);
}

// the same again: redundant, or with another reference, stiffness or kernel: in conflict
static inline void repeated_constraint(random_world *w) {
    const int from = below(w, w->ncons), c = w->ncons++;
    w->con[c] = w->con[from];
    const int what = below(w, 3);
    if (what == 1) w->con[c].n[TX_NUMBER_A] += magnitude(w, -1, 2) * (chance(w, 0.5) ? 1 : -1);
    if (what == 2 && tx_kernel_is_hunt(w->con[c].kernel)) random_hunt_numbers(w, c);
    else if (what == 2) random_numbers(w, c);
}

// the most of D W of a constraint; of a thousand on one body together
#define STIFFEST 3e6

static inline void stiff_world_of(random_world *w, uint64_t seed, bool velocity, double most) {
    memset(w, 0, offsetof(random_world, con));
    w->step = velocity ? 0.005 : 0;
    w->seed = seed * 0x9e3779b97f4a7c15u + 12345;
    for (int k = 0; k < 8; k++) uniform(w, 0, 1);
    const double spread = uniform(w, 0, 2); // the masses of two bodies differ by 10⁻⁴ ... 10⁴ at most
    const bool crowd = seed % 500 == 7, large = seed % 40 == 3;
    random_bodies(w, crowd ? 1 : large ? 20 + below(w, 30) : 1 + below(w, 8), -spread, spread);
    random_inertia(w);
    w->stiffest = crowd ? most / 1000 : most;
    const int count = crowd ? 1000 : large ? below(w, 60) : below(w, 13);
    for (int i = 0; i < count; i++) {
        if (w->ncons && chance(w, 0.15)) repeated_constraint(w);
        else {
            int first = below(w, w->nbodies), second = chance(w, 0.4) ? -1 : below(w, w->nbodies);
            random_constraint(w, first, second == first ? -1 : second);
        }
    }
}

static inline void random_world_of(random_world *w, uint64_t seed, bool velocity) {
    stiff_world_of(w, seed, velocity, STIFFEST);
}

// for dual solvers
static inline void random_world_make(random_world *w, uint64_t seed) { stiff_world_of(w, seed, false, STIFFEST); }

// ---- the problem ---------------------------------------------------------------------------------------------------

// the pieces of a constraint: runs of dofs inside blocks; returns how many and adds their width
static inline int cut_pieces(const random_world *w, int c, tx_piece *pieces, int *width) {
    int count = 0, dof = 0;
    for (int b = 0; b < w->nblocks; dof += w->width[b++])
        for (int d = dof; d < dof + w->width[b]; d++) {
            if (!w->con[c].moves[d]) continue;
            ++*width;
            if (d > dof && w->con[c].moves[d - 1]) {
                if (pieces) pieces[count - 1].width++;
            } else {
                if (pieces) pieces[count] = (tx_piece){.dof = d, .width = 1};
                count++;
            }
        }
    return count;
}

static inline tx_bare_size size_of(const random_world *w) {
    tx_bare_size size = {.dofs = w->nv, .blocks = w->nblocks, .cons = w->ncons};
    for (int d = 0; d < w->nv; d++)
        for (int up = d; up >= 0; up = w->parent[up]) size.entries++;
    for (int c = 0; c < w->ncons; c++) {
        int width = 0;
        size.pieces += cut_pieces(w, c, NULL, &width);
        size.rows += w->con[c].dim, size.jacobian += w->con[c].dim * width;
    }
    return size;
}

/// The problem of a world; destroy it. @return false, and why
static inline bool random_problem(random_world *w, tx_bare *b, const char **why) {
    const tx_bare_size size = size_of(w);
    *why = "no memory";
    if (!tx_bare_create(b, &size)) return false;
    tx_problem *p = &b->problem;
    memcpy(b->parent, w->parent, sizeof(int) * (size_t)w->nv);
    memcpy(b->width, w->width, sizeof(int) * (size_t)w->nblocks);
    for (int c = 0, at = 0; c < w->ncons; c++) {
        int width = 0;
        p->cons[c] = (tx_constraint){.kernel = w->con[c].kernel, .dim = w->con[c].dim};
        at += p->cons[c].pieces = cut_pieces(w, c, p->pieces + at, &width);
    }
    if (!tx_bare_link(b, why)) return false;
    for (int d = 0, at = 0; d < w->nv; d++)
        for (int up = d; up >= 0; up = w->parent[up]) tx_bare_A(b)[at++] = w->A[d * w->nv + up];
    for (int c = 0; c < w->ncons; c++) {
        memcpy((double *)p->numbers + TX_KERNEL_NUMBERS * c, w->con[c].n, sizeof w->con[c].n);
        for (int k = p->cons[c].piece; k < p->cons[c].piece + p->cons[c].pieces; k++)
            for (int r = 0; r < p->cons[c].dim; r++)
                memcpy((double *)p->J + p->pieces[k].at + r * p->pieces[k].width, w->con[c].J[r] + p->pieces[k].dof,
                       sizeof(double) * (size_t)p->pieces[k].width);
    }
    const double pull = magnitude(w, -1, 2), guess = chance(w, 0.3) ? 0 : chance(w, 0.1) ? 1e4 : 1;
    for (int d = 0; d < w->nv; d++) {
        tx_bare_x_star(b)[d] = pull * uniform(w, -1, 1);
        tx_bare_warm(b)[d] = guess * (tx_bare_x_star(b)[d] + pull * uniform(w, -1, 1));
    }
    p->opt.warmstart = chance(w, 0.7);
    if (w->step > 0) p->unit = TX_UNIT_VELOCITY, p->time = w->step;
    p->y_floor = pow(1e-3 * 9.81 * (w->step > 0 ? w->step : 1), 2);
    return tx_bare_check(b, why);
}
