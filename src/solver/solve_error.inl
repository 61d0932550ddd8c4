// solve_error.inl - how far the forces are from solving their own law: docs/residual.md. lanes: any
#pragma once
#include "problem/assemble.inl"
#include "linalg/tree.inl"

// x is recomputed from the forces alone, so that nothing the solver carried along can hide an error
STAGE void solve_error(const tx_block *b) {
    const tx_model *m = b->m;
    const law *l = &laws[b->opt->law];
    real *again = ARRAY(b->search), *y_again = ARRAY(b->Jsearch), *y_free = ARRAY(b->rowfree);
    for (int d = 0; d < m->nv; d++) again[d] = AT(b->qfrc_constraint, d);
    tree_solve(&b->tree, 0, m->nv, ARRAY(b->L), ARRAY(b->Linv), again);
    for (int d = 0; d < m->nv; d++) again[d] = again[d] + AT(b->qacc_smooth, d);
    rows_mul(b, again, y_again);
    rows_mul(b, ARRAY(b->qacc_smooth), y_free);
    real defect = splat(0), scale = splat(0);
    l->defect(b, ARRAY(b->y), y_again, y_free, &defect, &scale);
    AT(b->solve_error, 0) = sel(scale > R(0), vsqrt(defect / sel(scale > R(0), scale, splat(1))), splat(0));
}
