// dual.inl - what dual solvers do with a problem: B and the blocks of W, products with W, the start, the error and the
// end. docs/solvers.md. lanes: any
#pragma once
#include "problem/dual.h"
#include "problem/duals.inl"
#include "problem/verbs.inl"

// where the dual variables of constraint c begin
#define DUALS(c) (2 * (c)->row)

// ---- B --------------------------------------------------------------------------------------------------------------

// B of a span that is all of a free body, from its piece of J, by the operations of make_B
FN void make_body_B(const tx_problem *p, int dim, const tx_piece *e, real *B) {
    const real *L = &AT(p->L, p->tree.first[e->dof]), *half = &AT(p->dual->half_inv, e->dof);
    for (int r = 0; r < dim; r++) {
        real *row = B + r * TX_TRUNK;
        for (int k = 0; k < TX_TRUNK; k++) row[k] = AT(p->J, e->at + r * TX_TRUNK + k);
        UNROLL
        for (int k = TX_TRUNK - 1; k >= 0; k--) {
            UNROLL
            for (int a = 1; a <= k; a++) row[k - a] = row[k - a] - L[TRUNK_ROW(k) + a] * row[k];
            row[k] = row[k] * half[k];
        }
    }
}

// whether all spans of a constraint are such bodies, each with one piece
FN bool moves_bodies(const tx_problem *p, int i) {
    const tx_dual *d = p->dual;
    const tx_constraint *c = &p->cons[i];
    if (d->first[i + 1] - d->first[i] != c->pieces) return false;
    for (int k = 0; k < c->pieces; k++) {
        const tx_piece *e = &p->pieces[c->piece + k];
        if (e->width != TX_TRUNK || p->tree.parent[e->dof] >= 0 || p->tree.count[e->dof + TX_TRUNK - 1] != TX_TRUNK ||
            d->spans[d->first[i] + k].width != TX_TRUNK)
            return false;
    }
    return true;
}

// column k of a span out of those of its ancestors, which are in this span or in one before it; then it is done
FN void eliminate_column(const tx_problem *p, int dim, const tx_span *s, int k) {
    const tx_dual *d = p->dual;
    const int dof = s->dof + k, count = p->tree.count[dof];
    const real *L = &AT(p->L, p->tree.first[dof]);
    real b[6], *own = &AT(d->B, s->at + k);
    for (int r = 0; r < dim; r++) b[r] = own[r * s->width];
    int up = p->tree.parent[dof], a = 1;
    for (const tx_span *o = s; a < count; o--) {
        real *B = &AT(d->B, o->at);
        for (; a < count && up >= o->dof; a++, up = p->tree.parent[up]) {
            real *at = B + (up - o->dof);
            for (int r = 0; r < dim; r++) at[r * o->width] = at[r * o->width] - L[a] * b[r];
        }
    }
    for (int r = 0; r < dim; r++) own[r * s->width] = b[r] * AT(d->half_inv, dof);
}

// B of one constraint: J, then L⁻ᵀ, then D^-½, on its spans
FN void make_B(const tx_problem *p, int i) {
    const tx_dual *d = p->dual;
    const tx_constraint *c = &p->cons[i];
    const tx_span *first = d->spans + d->first[i], *last = d->spans + d->first[i + 1];
    if (moves_bodies(p, i)) {
        for (int k = 0; k < c->pieces; k++) make_body_B(p, c->dim, &p->pieces[c->piece + k], &AT(d->B, first[k].at));
        return;
    }
    // J into the spans
    const tx_piece *e = p->pieces + c->piece, *pieces_end = e + c->pieces;
    for (const tx_span *s = first; s < last; s++) {
        real *B = &AT(d->B, s->at);
        for (int k = 0; k < c->dim * s->width; k++) B[k] = splat(0);
        for (; e < pieces_end && e->dof < s->dof + s->width; e++)
            for (int r = 0; r < c->dim; r++)
                for (int k = 0; k < e->width; k++)
                    B[r * s->width + e->dof - s->dof + k] = AT(p->J, e->at + r * e->width + k);
    }
    // leaves first: what hangs from k is out of it
    for (const tx_span *s = last - 1; s >= first; s--)
        for (int k = s->width - 1; k >= 0; k--) {
            if (c->dim == 3) eliminate_column(p, 3, s, k);
            else if (c->dim == 1) eliminate_column(p, 1, s, k);
            else eliminate_column(p, c->dim, s, k);
        }
}

FN void add_to_block(int dim, int width, const real *B, real *W) {
    for (int q = 0; q < dim; q++)
        for (int r = 0; r <= q; r++) {
            real t = W[q * dim + r];
            for (int k = 0; k < width; k++) t = t + B[q * width + k] * B[r * width + k];
            W[q * dim + r] = t;
        }
}

// W of one constraint
FN void make_block(const tx_problem *p, int i) {
    const tx_dual *d = p->dual;
    const tx_constraint *c = &p->cons[i];
    real *W = &AT(d->block, 6 * c->row);
    if (p->W) {
        const double *own = p->W->block + 9 * (size_t)p->W->own[i];
        for (int k = 0; k < 9; k++) W[k] = splat(R(own[k]));
        return;
    }
    for (int k = 0; k < c->dim * c->dim; k++) W[k] = splat(0);
    for (const tx_span *s = d->spans + d->first[i]; s < d->spans + d->first[i + 1]; s++) {
        const real *B = &AT(d->B, s->at);
        if (c->dim == 3 && s->width == TX_TRUNK) add_to_block(3, TX_TRUNK, B, W);
        else add_to_block(c->dim, s->width, B, W);
    }
    for (int q = 0; q < c->dim; q++)
        for (int r = 0; r < q; r++) W[r * c->dim + q] = W[q * c->dim + r];
}

// ---- products -------------------------------------------------------------------------------------------------------

// y = B z of one constraint, added to what is there
FN void B_row(const tx_problem *p, int i, int dim, const real *z, real *y) {
    const tx_dual *d = p->dual;
    for (const tx_span *s = d->spans + d->first[i]; s < d->spans + d->first[i + 1]; s++) {
        const real *B = &AT(d->B, s->at);
        if (dim == 3 && s->width == 6) piece_mul(3, 6, B, z + s->dof, y);
        else piece_mul(dim, s->width, B, z + s->dof, y);
    }
}
// z += Bᵀ g of one constraint
FN void B_push(const tx_problem *p, int i, int dim, const real *g, real *z) {
    const tx_dual *d = p->dual;
    for (const tx_span *s = d->spans + d->first[i]; s < d->spans + d->first[i + 1]; s++) {
        const real *B = &AT(d->B, s->at);
        if (dim == 3 && s->width == 6) piece_mul_transposed(3, 6, B, g, z + s->dof);
        else piece_mul_transposed(dim, s->width, B, g, z + s->dof);
    }
}
// y += W γ of one constraint where W itself is given
FN void W_row(const tx_problem *p, int i, const real *gamma, real *y) {
    for (int k = p->W->start[i]; k < p->W->start[i + 1]; k++) {
        const double *w = p->W->block + 9 * (size_t)k;
        const real *g = gamma + p->cons[p->W->col[k]].row;
        for (int r = 0; r < 3; r++)
            y[r] = y[r] + ((R(w[3 * r]) * g[0] + R(w[3 * r + 1]) * g[1]) + R(w[3 * r + 2]) * g[2]);
    }
}

FN void count_product(const tx_problem *p) {
    if (p->products) *p->products += p->W ? 1 : 2;
}

// z = Bᵀγ of all constraints
FN void B_mul_transposed(const tx_problem *p, const real *gamma, real *z) {
    if (p->W) return;
    EACH_DOF(p, d) z[d] = splat(0);
    for (int v = 0; v < p->listed; v++) {
        const tx_constraint *c = &p->cons[p->list[v]];
        if (c->dim == 3) B_push(p, p->list[v], 3, gamma + c->row, z);
        else B_push(p, p->list[v], c->dim, gamma + c->row, z);
    }
}

// y of one constraint with the forces as they are: W γ + y_free
FN void dual_y(const tx_problem *p, int i, int dim, const real *z, const real *gamma, real *y) {
    const real *start = &AT(p->y_free, p->cons[i].row);
    for (int r = 0; r < dim; r++) y[r] = start[r];
    if (p->W) W_row(p, i, gamma, y);
    else B_row(p, i, dim, z, y);
}

// γ of all dual variables
FN void all_forces(const tx_problem *p, const real *lambda, real *gamma) {
    for (int v = 0; v < p->listed; v++) {
        const int i = p->list[v];
        const tx_constraint *c = &p->cons[i];
        dual_forces(c->kernel, c->dim, numbers_of(p, i), lambda + DUALS(c), gamma + c->row);
    }
}

// y of all rows from the forces alone
STAGE void dual_motion(const tx_problem *p, const real *gamma, real *z, real *y) {
    B_mul_transposed(p, gamma, z);
    for (int v = 0; v < p->listed; v++) {
        const tx_constraint *c = &p->cons[p->list[v]];
        if (c->dim == 3) dual_y(p, p->list[v], 3, z, gamma, y + c->row);
        else dual_y(p, p->list[v], c->dim, z, gamma, y + c->row);
    }
}

// ---- what a change of forces gains ----------------------------------------------------------------------------------

// of ½ γᵀWγ + γᵀ(J x* - a) by one constraint alone, from its u = J x - a before
FN real force_gain(int dim, const real *W, const real *u, const real *change) {
    real gain = splat(0);
    for (int k = 0; k < dim; k++) {
        real half = splat(0);
        for (int r = 0; r < dim; r++) half = half + W[k * dim + r] * change[r];
        gain = gain - change[k] * (u[k] + R(0.5) * half);
    }
    return gain;
}
// of ½ λᵀRλ
FN real softness_gain(int kernel, const real *n, int count, const real *lambda, const real *change) {
    real gain = splat(0);
    for (int k = 0; k < count; k++)
        gain = gain - dual_softness(kernel, n, k) * change[k] * (lambda[k] + R(0.5) * change[k]);
    return gain;
}
// makes a cost unit-free: 1 / trace A (MuJoCo's scale); a cost of velocities and impulses is that of accelerations and
// forces times the square of the step
FN real cost_scale(const tx_problem *p, real trace) { return R(1) / (trace * R(p->time * p->time)); }
// whether a sweep has gained so much that another one is worth it
FN mask gains_enough(real gain, real scale, double tolerance) { return not_(gain * scale < R(tolerance)); }

// ---- error ----------------------------------------------------------------------------------------------------------

// the solve error of λ, whose motion is y
FN real dual_error_at(const tx_problem *p, const real *lambda, const real *y) {
    defect_sum sum = {splat(0), splat(0), R(p->y_floor)};
    dual_defects(p, lambda, y, &sum);
    return defect_ratio(&sum);
}
// the same with y made from λ alone
STAGE real dual_error(const tx_problem *p, const real *lambda) {
    real *gamma = ARRAY(p->gamma), *y = ARRAY(p->Jsearch);
    count_product(p);
    all_forces(p, lambda, gamma);
    dual_motion(p, gamma, ARRAY(p->search), y);
    return dual_error_at(p, lambda, y);
}

// how far a solver was before an iteration, for --trace; its stop test is the solve error
FN void dual_trace_point(const tx_problem *p, int iteration, real error) {
#if TX_LANES == 1
    const tx_trace_point point = {p->group, iteration, (double)error, (double)error, 0};
    if (p->trace->count < p->trace->room) p->trace->points[p->trace->count] = point;
    p->trace->count++;
#else
    (void)p, (void)iteration, (void)error;
#endif
}
// the same of λ, whose error is not known: one more product, which is no work of the solver
STAGE void dual_trace(const tx_problem *p, int iteration, const real *lambda) {
    tx_problem measured = *p;
    measured.products = NULL;
    dual_trace_point(p, iteration, dual_error(&measured, lambda));
}

// what rounding leaves
#ifdef TX_F32
#define DUAL_ROUNDING R(1e-6)
#else
#define DUAL_ROUNDING R(1e-14)
#endif
// a tolerance of zero: all iterations are made, and no answer is called wrong
FN bool asks_nothing(const tx_problem *p) { return !(p->opt.tolerance > 0); }
FN real dual_goal(const tx_problem *p) { return vmax(splat(R(p->opt.tolerance)), splat(DUAL_ROUNDING)); }

// ---- start and end --------------------------------------------------------------------------------------------------

// whether some constraint begins with what the last answer's motion gives
FN bool asks_for_motion(const tx_problem *p) {
    bool asks = !p->guessed;
    for (int v = 0; v < p->listed && !asks; v++) asks = p->cons[p->list[v]].kernel == KERNEL_pyramid;
    return asks;
}

// D^-½, y_free, and what the last answer's motion is
FN void begin_motion(const tx_problem *p) {
    if (p->W) return;
    EACH_DOF(p, k) AT(p->dual->half_inv, k) = vsqrt(AT(p->Linv, k));
    J_mul(p, ARRAY(p->x_star), ARRAY(p->y_free));
    if (p->opt.warmstart && asks_for_motion(p)) J_mul(p, ARRAY(p->warm), ARRAY(p->y));
}
// B and W of a constraint
FN void begin_constraint_B(const tx_problem *p, int i) {
    const tx_constraint *c = &p->cons[i];
    real *W = &AT(p->dual->block, 6 * c->row);
    if (!p->W) make_B(p, i);
    make_block(p, i);
    if (keeps_weights(c->kernel, c->dim)) pyramid_weights(3, numbers_of(p, i), W, W + 9);
}
// λ as it is guessed, or as the last answer's motion would have it, where the kernel knows
FN void begin_forces(const tx_problem *p) {
    real *y_warm = ARRAY(p->y), *lambda = ARRAY(p->dual->lambda);
    for (int v = 0; v < p->listed; v++) {
        const int i = p->list[v];
        const tx_constraint *c = &p->cons[i];
        for (int k = 0; k < dual_count(c); k++) lambda[DUALS(c) + k] = splat(0);
        if (!p->opt.warmstart || p->W) continue;
        if (p->guessed && c->kernel != KERNEL_pyramid) {
            for (int k = 0; k < c->dim; k++)
                lambda[DUALS(c) + k] = sel(dual_acts(numbers_of(p, i)), AT(p->guess, c->row + k), splat(0));
            continue;
        }
        if (tx_kernel_is_hard(c->kernel)) continue;
        const real *n = numbers_of(p, i), *at = y_warm + c->row;
        real *own = lambda + DUALS(c);
        switch (c->kernel) {
#define X(name, rows) KERNEL_CASE(name, name##_duals(dim, n, at, own))
            SOFT_KERNELS(X)
#undef X
        }
    }
}
// all of it
STAGE void dual_begin(const tx_problem *p) {
    begin_motion(p);
    for (int v = 0; v < p->listed; v++) begin_constraint_B(p, p->list[v]);
    begin_forces(p);
}

// Jᵀγ and x from γ
FN void dual_answer(const tx_problem *p) {
    real *x = ARRAY(p->x), *force = ARRAY(p->force);
    J_mul_transposed(p, ARRAY(p->gamma), force);
    EACH_DOF(p, k) x[k] = force[k];
    A_solve(p, x);
    EACH_DOF(p, k) x[k] = x[k] + AT(p->x_star, k);
}
// how it went
FN void dual_verdict(const tx_problem *p, real error, real iterations) {
    AT(p->iterations, 0) = iterations;
    AT(p->gradient, 0) = error;
    mask missed = asks_nothing(p) ? not_(lane_true()) : not_(error <= dual_goal(p)), lost = not_(error < R(1e30));
    for (int e = 0; e < p->lanes; e++)
        p->unsolved[e] = mask_get(lost, e) ? TX_STOP_FAILED : mask_get(missed, e) ? TX_STOP_LIMIT : TX_STOP_REACHED;
}
// the answer: γ, Jᵀγ, x and y from λ, and how it went
STAGE void dual_end(const tx_problem *p, const real *lambda, real iterations) {
    real *gamma = ARRAY(p->gamma);
    all_forces(p, lambda, gamma);
    if (p->W) dual_motion(p, gamma, NULL, ARRAY(p->y));
    else {
        dual_answer(p);
        J_mul(p, ARRAY(p->x), ARRAY(p->y));
    }
    real error = dual_error_at(p, lambda, ARRAY(p->y));
    if (lambda != ARRAY(p->dual->lambda))
        for (int v = 0; v < p->listed; v++) {
            const tx_constraint *c = &p->cons[p->list[v]];
            for (int k = 0; k < dual_count(c); k++) AT(p->dual->lambda, DUALS(c) + k) = lambda[DUALS(c) + k];
        }
    dual_verdict(p, error, iterations);
}

// λ of what moves nothing, which is in no island
FN void dual_still(const tx_problem *p) {
    for (int i = 0; i < p->ncons; i++) {
        const tx_constraint *c = &p->cons[i];
        const real *n = numbers_of(p, i), *at = &AT(p->y, c->row);
        real *own = &AT(p->dual->lambda, DUALS(c));
        if (c->pieces > 0 || p->W) continue;
        switch (c->kernel) {
#define X(name, rows) KERNEL_CASE(name, name##_duals(dim, n, at, own))
            DUAL_KERNELS(X)
#undef X
        }
    }
}

// the solve error of the whole problem, all islands together
STAGE void dual_solve_error(const tx_problem *p) {
    dual_still(p);
    AT(p->solve_error, 0) = dual_error_at(p, ARRAY(p->dual->lambda), ARRAY(p->y));
}
