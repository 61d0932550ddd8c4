// newton.inl - primal Newton with an exact line search on ½‖x - x*‖²_A + Σ ℓ(J x): docs/newton.md. lanes: any
#pragma once
#include "linalg/dense.inl"
#include "linalg/tree.inl"
#include "problem/assemble.inl"

// unit-free tolerance below which rounding decides, and the largest |slope| ratio the line search accepts
#ifdef TX_F32
#define ROUNDING R(1e-6)
#else
#define ROUNDING R(1e-15)
#endif

FN real dot_n(const real *a, const real *b, int n) {
    real t = splat(0);
    for (int i = 0; i < n; i++) t = t + a[i] * b[i];
    return t;
}

// H = A + Jᵀ G J, upper triangle, from the tree rows of A
FN void newton_matrix(const tx_block *b) {
    const tx_model *m = b->m;
    real *H = ARRAY(b->H), *A = ARRAY(b->M);
    for (int i = 0; i < m->nv; i++)
        for (int j = i; j < m->nv; j++) H[i * m->nv + j] = splat(0);
    // + 0: no entry is -0, see rows_mul_transposed
    for (int k = 0; k < m->nv; k++) {
        int ancestor = k;
        for (int s = 0; s < m->dof_mnum[k]; s++, ancestor = m->dof_parent[ancestor])
            H[ancestor * m->nv + k] = A[m->dof_madr[k] + s] + R(0);
    }
    rows_hessian(b, H);
}

// γ, G and the gradient A(x - x*) - Jᵀγ at y = J x
FN void newton_gradient(const tx_block *b, const law *l) {
    const int nv = b->m->nv;
    real *grad = ARRAY(b->grad), *force = ARRAY(b->qfrc_constraint);
    l->force(b, ARRAY(b->y), ARRAY(b->gamma), ARRAY(b->G));
    for (int d = 0; d < nv; d++) force[d] = splat(0);
    rows_mul_transposed(b, ARRAY(b->gamma), force);
    for (int d = 0; d < nv; d++) grad[d] = AT(b->Adx, d) - force[d];
}

// the zero of φ'(α) by Newton's method inside a shrinking bracket; lanes where `run` is false get 0
FN real newton_line_search(const tx_block *b, const law *l, mask run) {
    const int nv = b->m->nv;
    real *search = ARRAY(b->search), *As = ARRAY(b->Asearch);
    real start = dot_n(search, ARRAY(b->grad), nv);
    real linear = dot_n(search, ARRAY(b->Adx), nv), quadratic = dot_n(search, As, nv);
    real goal = vabs(start) * R(b->opt->ls_tolerance) * R(1e-4);
    run = run & (start < R(0));
    real alpha = sel(run, splat(1), splat(0)), low = splat(0), high = splat(R(1e10));
    mask open = run;
    for (int it = 0; it < b->opt->ls_iterations && any(open); it++) {
        real d1, d2;
        l->slope(b, &alpha, &d1, &d2);
        d1 = d1 + (linear + alpha * quadratic);
        d2 = d2 + quadratic;
        open = open & not_(vabs(d1) <= goal);
        low = sel(d1 < R(0), alpha, low);
        high = sel(d1 < R(0), high, alpha);
        real next = alpha - d1 / d2;
        // outside the bracket: its middle, or twice the step while there is no upper end
        real middle = sel(high < R(1e10), R(0.5) * (low + high), R(2) * alpha);
        next = sel((next > low) & (next < high), next, middle);
        open = open & (next != alpha);
        alpha = sel(open, next, alpha);
    }
    return alpha;
}

// x starts at the last acceleration where that costs less than x*
FN void newton_start(const tx_block *b, const law *l) {
    const tx_model *m = b->m;
    real *x = ARRAY(b->x), *star = ARRAY(b->qacc_smooth), *warm = ARRAY(b->qacc_warmstart);
    real *dx = ARRAY(b->search), *Adx = ARRAY(b->Adx), *y = ARRAY(b->y), *y_warm = ARRAY(b->Jsearch);
    rows_mul(b, star, y);
    for (int d = 0; d < m->nv; d++) {
        x[d] = star[d];
        Adx[d] = splat(0);
    }
    if (!b->opt->warmstart) return;
    real cost_star, cost_warm;
    l->cost(b, y, &cost_star);
    for (int d = 0; d < m->nv; d++) dx[d] = warm[d] - star[d];
    tree_mul(&b->tree, ARRAY(b->M), dx, ARRAY(b->Asearch));
    rows_mul(b, warm, y_warm);
    l->cost(b, y_warm, &cost_warm);
    cost_warm = cost_warm + R(0.5) * dot_n(dx, ARRAY(b->Asearch), m->nv);
    mask better = cost_warm < cost_star;
    for (int d = 0; d < m->nv; d++) {
        x[d] = sel(better, warm[d], x[d]);
        Adx[d] = sel(better, AT(b->Asearch, d), Adx[d]);
    }
    for (int r = 0; r < b->nrows; r++) y[r] = sel(better, y_warm[r], y[r]);
}

STAGE void newton(tx_block *b) {
    const tx_model *m = b->m;
    const law *l = &laws[b->opt->law];
    const int nv = m->nv;
    real *x = ARRAY(b->x), *grad = ARRAY(b->grad), *search = ARRAY(b->search);
    real scale = R(1) / (PARAM(b, meaninertia, 0) * R(nv)), norm = splat(0), iterations = splat(0),
         previous = splat(R(1e30));
    mask run = lane_true();

    newton_start(b, l);
    for (int it = 0;; it++) {
        // where are we?
        newton_gradient(b, l);
        norm = sel(run, scale * vsqrt(dot_n(grad, grad, nv)), norm);
        // rounding of the terms that cancel in the gradient is the floor
        real terms = vsqrt(dot_n(ARRAY(b->Adx), ARRAY(b->Adx), nv)) +
                     vsqrt(dot_n(ARRAY(b->qfrc_constraint), ARRAY(b->qfrc_constraint), nv));
        run = run & (norm > R(b->opt->tolerance)) & (norm > ROUNDING * scale * terms);
        // two iterations without progress near the floor: rounding decides
        run = run & not_((norm > R(0.5) * previous) & (norm < R(1e5) * ROUNDING * scale * terms));
        previous = sel(run, norm, previous);
        if (!any(run) || it == b->opt->iterations) break;

        // Newton direction
        newton_matrix(b);
        cholesky_factor(ARRAY(b->H), ARRAY(b->Hinv), nv);
        for (int d = 0; d < nv; d++) search[d] = -grad[d];
        cholesky_solve(ARRAY(b->H), ARRAY(b->Hinv), search, nv);
        tree_mul(&b->tree, ARRAY(b->M), search, ARRAY(b->Asearch));
        rows_mul(b, search, ARRAY(b->Jsearch));

        // the best point along it; finished lanes stay where they are
        real alpha = newton_line_search(b, l, run);
        for (int d = 0; d < nv; d++) {
            x[d] = sel(run, x[d] + alpha * search[d], x[d]);
            AT(b->Adx, d) = sel(run, AT(b->Adx, d) + alpha * AT(b->Asearch, d), AT(b->Adx, d));
        }
        for (int r = 0; r < b->nrows; r++) AT(b->y, r) = sel(run, AT(b->y, r) + alpha * AT(b->Jsearch, r), AT(b->y, r));
        iterations = sel(run, iterations + R(1), iterations);
    }
    for (int d = 0; d < nv; d++) AT(b->qacc, d) = x[d];
    AT(b->iterations, 0) = iterations;
    AT(b->gradient, 0) = norm;
    for (int e = 0; e < b->lanes; e++) b->unsolved[e] = mask_get(run, e);
}
