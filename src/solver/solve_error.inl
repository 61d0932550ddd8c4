// solve_error.inl - how far the forces are from solving their own law: docs/residual.md. lanes: any
#pragma once
#include "problem/kernel_table.inl"
#include "problem/verbs.inl"
#include "solver/recentre.inl"
#include "solver/round.inl"

// the defects of what the view sees. x is recomputed from the forces alone, so that nothing the solver carried along
// can hide an error
STAGE defect_sum solve_defects(const tx_problem *p) {
    real *again = ARRAY(p->conjugate), *y_again = ARRAY(p->Jsearch);
    EACH_DOF(p, d) again[d] = AT(p->force, d);
    A_solve(p, again);
    EACH_DOF(p, d) again[d] = again[d] + AT(p->x_star, d);
    J_mul(p, again, y_again);
    follow_aims(p, y_again);
    defect_sum sum = {splat(0), splat(0), R(p->y_floor)};
#if TX_LANES == 1
    if (p->factor) {
        defects_of_large(p, y_again, &sum);
        return sum;
    }
#endif
    constraint_defects(p, ARRAY(p->y), y_again, &sum);
    return sum;
}

FN void set_solve_error(const tx_problem *p, defect_sum sum) { AT(p->solve_error, 0) = defect_ratio(&sum); }

// a solver that rounding has stopped is as good as its answer; without a gradient or an error there is none
FN void judge_answer(const tx_problem *p, defect_sum sum) {
    const mask good = sum.defect <= R(1e-16) * sum.scale;
    const mask lost = not_((defect_ratio(&sum) >= R(0)) & (AT(p->gradient, 0) <= R(1e30)));
    for (int e = 0; e < p->lanes; e++) {
        if (p->unsolved[e] == TX_STOP_ROUNDED && mask_get(good, e)) p->unsolved[e] = TX_STOP_REACHED;
        if (mask_get(lost, e)) p->unsolved[e] = TX_STOP_FAILED;
    }
}

STAGE void solve_error(const tx_problem *p) { set_solve_error(p, solve_defects(p)); }
