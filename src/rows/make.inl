// make.inl - one constraint after the other into the problem: structure, then J, then the numbers of the law.
// lanes: any
#pragma once
#include "dynamics/kinematics.inl"
#include "problem/laws.inl"
#include "rows/weight.inl"

// appends a constraint without pieces
FN tx_constraint *begin_constraint(tx_problem *p, int kernel, int dim, int type, int id) {
    tx_constraint *c = &p->cons[p->ncons++];
    *c = (tx_constraint){kernel, dim, p->nrows, p->npieces, 0, type, id, false, 0, 0};
    p->nrows += dim;
    return c;
}

// its numbers of J come behind those of all pieces before it
FN real *place_piece(tx_problem *p, tx_constraint *c, tx_piece *piece) {
    piece->at = p->njacobian;
    p->njacobian += c->dim * piece->width;
    c->pieces++, p->npieces++;
    return &AT(p->J, piece->at);
}

// appends neighbouring dofs of one block
FN real *add_dofs(tx_problem *p, tx_constraint *c, int dof, int width) {
    tx_piece *piece = &p->pieces[c->piece + c->pieces];
    *piece = (tx_piece){p->dof_block[dof], dof, width, 0};
    return place_piece(p, c, piece);
}

// the mean of J A⁻¹ Jᵀ over the first three rows: needs the factor of A
STAGE void exact_weight(const tx_block *b, const tx_constraint *c, real *weight) {
    const tx_problem *p = &b->problem;
    const int rows = c->dim < 3 ? c->dim : 3, nv = p->nv;
    real *row = ARRAY(b->scratch), *solved = row + nv, sum = splat(0);
    for (int r = 0; r < rows; r++) {
        for (int d = 0; d < nv; d++) row[d] = splat(0);
        for (int k = c->piece; k < c->piece + c->pieces; k++) {
            const tx_piece *e = &p->pieces[k];
            for (int i = 0; i < e->width; i++) row[e->dof + i] = AT(p->J, e->at + r * e->width + i);
        }
        for (int d = 0; d < nv; d++) solved[d] = row[d];
        tree_solve(&p->tree, 0, nv, ARRAY(p->L), ARRAY(p->Linv), solved);
        for (int d = 0; d < nv; d++) sum = sum + row[d] * solved[d];
    }
    *weight = sum / R(rows);
}

FN law_options law_options_of(const tx_options *o) {
    return (law_options){R(o->timestep), R(o->impratio), o->refsafe,           o->integrator == TX_INTEGRATOR_DISCRETE,
                         R(o->sigma),    R(o->recovery), R(o->recovery_share), R(o->bounce_speed),
                         o->speculative};
}

// soft rows begin to push at the margin; in velocity laws what is nearer than it is looked at, and pushes where it
// would be passed at the end of the step
FN real violation(const tx_block *b, real dist, real margin) {
    return laws[b->opt->law].velocity ? dist : dist - margin;
}

// a record with nothing in it; vel and each are written by end_constraint()
FN void begin_record(row_record *row, const tx_constraint *c, mask acts, const real *solref, const real *solimp) {
    row->kernel = c->kernel, row->dim = c->dim, row->acts = acts;
    row->contact = row->weighed = false;
    row->solref = solref, row->solimp = solimp, row->solref_friction = NULL;
    row->size = row->bound = row->ahead = row->closing = splat(0);
    for (int k = 0; k < 2; k++) row->weight[k] = row->exact[k] = splat(0);
    for (int k = 0; k < 6; k++) row->pos[k] = row->drift[k] = splat(0), row->tree_ratio[k] = splat(1);
    for (int k = 0; k < 5; k++) row->friction[k] = splat(0);
    for (int k = 0; k < 3; k++) row->surface[k] = splat(0);
}

// how much lighter row r (of a pyramid: its first edge, friction mu) is by the diagonal of A than by that of M
FN real tree_ratio(const tx_block *b, const tx_constraint *c, int r, real mu) {
    const tx_problem *p = &b->problem;
    real with = splat(0), without = splat(0);
    for (int k = c->piece; k < c->piece + c->pieces; k++) {
        const tx_piece *e = &p->pieces[k];
        for (int i = 0; i < e->width; i++) {
            const int d = e->dof + i;
            real J = AT(p->J, e->at + r * e->width + i);
            if (c->kernel == KERNEL_pyramid) J = J + mu * AT(p->J, e->at + e->width + i);
            with = with + J * J / (AT(b->A, p->tree.first[d]) + AT(b->spring_diagonal, d));
            without = without + J * J / AT(b->M, p->tree.first[d]);
        }
    }
    mask moves = without > R(0);
    return sel(moves, with / sel(moves, without, splat(1)), splat(1));
}

// J x* of its first row
FN real free_normal(const tx_problem *p, const tx_constraint *c) {
    real y[6] = {splat(0)};
    for (int k = c->piece; k < c->piece + c->pieces; k++)
        piece_mul(1, p->pieces[k].width, &AT(p->J, p->pieces[k].at), ARRAY(p->x_star) + p->pieces[k].dof, y);
    return y[0];
}

// the diagonal of J A⁻¹ Jᵀ: of every row of an equality, else of the first; of a pyramid of its first edge
FN void weigh_rows(const tx_block *b, const tx_constraint *c, row_record *row) {
    const tx_problem *p = &b->problem;
    row->weighed = true;
    for (int r = 0; r < (c->kernel == KERNEL_quadratic ? c->dim : 1); r++)
        row->each[r] = vmax(exact_norm(p, c, r, r + 1, ARRAY(b->scratch)), splat(R(1e-15)));
    if (c->kernel != KERNEL_pyramid) return;
    real mu = vmax(row->friction[0], splat(R(1e-5)));
    row->each[0] = vmax(edge_norm(p, c, mu, ARRAY(b->scratch)), splat(R(1e-15)));
}

// a body that turns about its centre of mass has no weight there: MuJoCo divides by next to nothing
FN void mend_weight(const tx_block *b, const tx_constraint *c, row_record *row) {
    mask degenerate = row->acts & (row->weight[0] < AT(b->least_weight, 0));
    if (!any(degenerate)) return;
    real exact;
    exact_weight(b, c, &exact);
    row->weight[0] = sel(degenerate, vmax(exact, AT(b->least_weight, 0)), row->weight[0]);
}

// the law's numbers of a record that is complete
FN void law_numbers(const tx_block *b, const tx_constraint *c, const law_options *options, const row_record *row) {
    real *numbers = &AT(b->problem.numbers, TX_KERNEL_NUMBERS * (c - b->problem.cons));
    for (int k = 0; c->kernel == KERNEL_quadratic && k < 4; k++) numbers[N_D_ROW + k] = splat(0);
    laws[b->opt->law].prepare(options, row, numbers);
    // where x is a velocity, J x itself has no surface in it: what it is to be has it taken off
    for (int r = 1; r < c->dim && r < 4 && (options->discrete || laws[b->opt->law].velocity); r++)
        numbers[N_A + r] = sel(row->acts, numbers[N_A + r] - row->surface[r - 1], numbers[N_A + r]);
}

// J is there: J v, and the law's numbers
FN void end_constraint(const tx_block *b, const tx_constraint *c, row_record *row) {
    const tx_problem *p = &b->problem;
    const law_options options = law_options_of(b->opt);
    for (int r = 0; r < 6; r++) row->vel[r] = splat(0);
    for (int k = c->piece; k < c->piece + c->pieces; k++) {
        const tx_piece *e = &p->pieces[k];
        const real *J = &AT(p->J, e->at), *v = ARRAY(b->qvel) + e->dof;
        if (c->dim == 3 && e->width == 6) piece_mul(3, 6, J, v, row->vel);
        else piece_mul(c->dim, e->width, J, v, row->vel);
    }
    for (int r = 1; r < c->dim && r < 4; r++) row->vel[r] = row->vel[r] + row->surface[r - 1];
    mend_weight(b, c, row);
    if (b->opt->diagexact && !laws[b->opt->law].velocity) weigh_rows(b, c, row);
    // contacts have the ratio of their first row, equalities each its own
    for (int r = 0; options.discrete && !row->weighed && !laws[b->opt->law].velocity &&
                    (r == 0 || c->kernel == KERNEL_quadratic) && r < c->dim;
         r++)
        row->tree_ratio[r] = tree_ratio(b, c, r, vmax(row->friction[0], splat(R(1e-5))));
    if (laws[b->opt->law].velocity) {
        row->exact[0] = exact_norm(p, c, 0, c->dim < 3 ? c->dim : 3, ARRAY(b->scratch));
        if (c->kernel == KERNEL_quadratic && c->dim > 3) row->exact[1] = exact_norm(p, c, 3, c->dim, ARRAY(b->scratch));
    }
    if (tx_kernel_is_hard(c->kernel)) row->ahead = free_normal(p, c);
    law_numbers(b, c, &options, row);
}
