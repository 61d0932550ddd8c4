// gauss_seidel.inl - pgs and nsgs: one constraint after the other, its force from the motion that all others leave it.
// docs/solvers.md. lanes: any
//
// pgs   sequential impulses: what one step of a contact gives, as games do
// nsgs  every contact solved exactly, and Nesterov's momentum between sweeps (restart where it points backwards,
//       dropped for a while where a sweep moves more than twice as far as the last one)
#pragma once
#include "solver/waves.inl"

// how a sweep goes: exact local solves; the part of each step that is taken, none where a lane has finished; how far
// normal steps of sequential impulses go
typedef struct sweep_mode {
    bool exact;
    bool gains; // it adds up what it gains
    mask run;
    real share;
    num relaxation;
} sweep_mode;

// Of sweeps that look at what they gain. Where they end, on the steps of a humanoid on the floor: after 15.9 sweeps
// with 1, 13.1 with 1.2, 12.4 with 1.3, 14.2 with 1.5, MuJoCo's own after 12.2; the cost is then 1.6e-8, 1.0e-8, 0.9e-8
// and 1.2e-8 above the least
#define GAIN_RELAXATION R(1.3)

FN void sweep_one(const tx_problem *p, int i, int kernel, int dim, const sweep_mode *mode, sweep_sum *sum) {
    const tx_dual *d = p->dual;
    const tx_constraint *c = &p->cons[i];
    const real *n = numbers_of(p, i), *W = &AT(d->block, 6 * c->row);
    real *lambda = &AT(d->lambda, DUALS(c)), *gamma = &AT(p->gamma, c->row);
    real y[6] = {n[0]}, next[MOST_DUALS] = {n[0]}, force[6] = {n[0]}, trace = splat(0), moved = splat(0),
         back = splat(0), was[MOST_DUALS] = {n[0]}, change[MOST_DUALS] = {n[0]};
    const int count = kernel == KERNEL_pyramid ? 2 * dim - 2 : dim;
    dual_y(p, i, dim, ARRAY(d->z), ARRAY(p->gamma), y);
    for (int k = 0; k < count; k++) next[k] = lambda[k];
    dual_visit(kernel, dim, n, W, keeps_weights(kernel, dim) ? W + dim * dim : NULL, y, mode->exact,
               mode->gains ? GAIN_RELAXATION : R(1), next);
    for (int k = 0; k < dim; k++) trace = trace + W[k * dim + k];
    for (int k = 0; k < count; k++) {
        real part = lambda[k] + mode->share * (next[k] - lambda[k]);
        real to = sel(mode->run, sel(mode->share == R(1), next[k], part), lambda[k]), step = to - lambda[k];
        if (!mode->gains) {
            moved = moved + step * step;
            back = back - step * (to - AT(d->before, DUALS(c) + k));
        }
        was[k] = lambda[k], change[k] = step;
        lambda[k] = to;
    }
    sum->step = sum->step + trace * moved;
    sum->back = sum->back + trace * back;
    dual_forces(kernel, dim, n, lambda, force);
    for (int k = 0; k < dim; k++) {
        real step = force[k] - gamma[k];
        gamma[k] = force[k];
        force[k] = step;
    }
    if (mode->gains) {
        for (int k = 0; k < dim; k++) y[k] = y[k] - n[N_A + k];
        sum->gain = sum->gain + (force_gain(dim, W, y, force) + softness_gain(kernel, n, count, was, change));
    }
    if (!p->W) B_push(p, i, dim, force, ARRAY(d->z));
}

// constraints of any kind; those that MJCF's files are full of with their sizes known
STAGE void sweep_pyramid(const tx_problem *p, int i, const sweep_mode *mode, sweep_sum *sum) {
    sweep_one(p, i, KERNEL_pyramid, 3, mode, sum);
}
STAGE void sweep_one_sided(const tx_problem *p, int i, const sweep_mode *mode, sweep_sum *sum) {
    sweep_one(p, i, KERNEL_one_sided, 1, mode, sum);
}
STAGE void sweep_any(const tx_problem *p, int i, const sweep_mode *mode, sweep_sum *sum) {
    const int kernel = p->cons[i].kernel, dim = p->cons[i].dim;
    if (kernel == KERNEL_pyramid && dim == 3) sweep_pyramid(p, i, mode, sum);
    else if (kernel == KERNEL_one_sided && dim == 1) sweep_one_sided(p, i, mode, sum);
    else sweep_one(p, i, kernel, dim, mode, sum);
}

STAGE void sweep(const tx_problem *p, const sweep_mode *mode, sweep_sum *sum) {
    const bool packs = !mode->exact && has_packs(p);
    const tx_problem rest = packs ? without_packs(p) : *p;
    count_product(p);
    sum->step = sum->back = sum->gain = splat(0);
    for (int v = 0; v < rest.listed; v++) {
        const int i = rest.list[v];
        if (!mode->exact && !packs && p->dual->quick[i]) visit_quickly(p, i, mode->relaxation, mode->run, sum);
        else sweep_any(p, i, mode, sum);
    }
    if (!packs) return;
    pack_sweep packed = {mode->relaxation, 0};
    sweep_packs(p, &packed);
    sum->step = sum->step + splat(packed.moved);
}

// momentum between sweeps, per lane
typedef struct momentum {
    real age, cooling, failures, cap, last;
} momentum;

// how much of the last change is added again
FN real momentum_share(momentum *m, const sweep_sum *sum, mask first) {
    mask cools = m->cooling > R(0), back = sum->back > R(0);
    m->age = sel(cools | back | first, splat(0), m->age + R(1));
    m->cooling = sel(cools, m->cooling - R(1), m->cooling);
    mask wild = not_(first) & (sum->step > R(4) * m->last) & (m->age > R(1));
    m->failures = sel(wild, m->failures + R(1), m->failures);
    m->cooling = sel(wild, R(5) * vmin(m->failures, splat(50)), m->cooling);
    m->age = sel(wild, splat(0), m->age);
    // more than once: a memory of ten sweeps is enough
    m->cap = sel(wild & (m->failures > R(1)), splat(R(0.9)), m->cap);
    m->last = sum->step;
    return vmin(m->cap, m->age / (m->age + R(3)));
}

// λ and z go on in the direction of the last sweep
FN void add_momentum(const tx_problem *p, real share, mask run) {
    const tx_dual *d = p->dual;
    for (int v = 0; v < p->listed; v++) {
        const int i = p->list[v];
        const tx_constraint *c = &p->cons[i];
        for (int k = DUALS(c); k < DUALS(c) + dual_count(c); k++) {
            real now = AT(d->lambda, k), ahead = now + share * (now - AT(d->before, k));
            AT(d->before, k) = sel(run, now, AT(d->before, k));
            AT(d->lambda, k) = sel(run, ahead, now);
        }
        dual_forces(c->kernel, c->dim, numbers_of(p, i), &AT(d->lambda, DUALS(c)), &AT(p->gamma, c->row));
    }
    if (p->W) return;
    EACH_DOF(p, k) {
        real now = AT(d->z, k), ahead = now + share * (now - AT(d->z_before, k));
        AT(d->z_before, k) = sel(run, now, AT(d->z_before, k));
        AT(d->z, k) = sel(run, ahead, now);
    }
}

// momentum has led away from an answer: back to the best λ, with less of it
FN void fall_back(const tx_problem *p, mask where, momentum *m) {
    const tx_dual *d = p->dual;
    real *gamma = ARRAY(p->gamma), *fresh = ARRAY(p->search);
    for (int v = 0; v < p->listed; v++) {
        const int i = p->list[v];
        const tx_constraint *c = &p->cons[i];
        for (int k = DUALS(c); k < DUALS(c) + dual_count(c); k++) {
            AT(d->lambda, k) = sel(where, AT(d->best, k), AT(d->lambda, k));
            AT(d->before, k) = sel(where, AT(d->best, k), AT(d->before, k));
        }
        dual_forces(c->kernel, c->dim, numbers_of(p, i), &AT(d->lambda, DUALS(c)), gamma + c->row);
    }
    if (!p->W) {
        B_mul_transposed(p, gamma, fresh);
        EACH_DOF(p, k) {
            AT(d->z, k) = sel(where, fresh[k], AT(d->z, k));
            AT(d->z_before, k) = sel(where, fresh[k], AT(d->z_before, k));
        }
    }
    m->age = sel(where, splat(0), m->age);
    m->cap = sel(where, sel(m->cap > R(0.95), splat(R(0.9)), sel(m->cap > R(0.6), splat(R(0.5)), splat(0))), m->cap);
}

// λ of the best sweep so far
FN void keep_best(const tx_problem *p, const real *lambda, mask better) {
    if (!any(better)) return;
    for (int v = 0; v < p->listed; v++) {
        const tx_constraint *c = &p->cons[p->list[v]];
        for (int k = DUALS(c); k < DUALS(c) + dual_count(c); k++)
            AT(p->dual->best, k) = sel(better, lambda[k], AT(p->dual->best, k));
    }
}

// when the error is looked at, per lane: it costs a product
typedef struct schedule {
    real wait, late;         // no look before the one; not without a look beyond the other
    real progress, standing; // when the error last fell by a twentieth, and what it was
} schedule;

// exact solves of contacts that have several answers may jump between them for ever: half steps settle
FN void slow_down(schedule *s, mask look, real error, real iterations, real *share) {
    mask falls = look & (error < R(0.95) * s->standing);
    s->standing = sel(falls, error, s->standing);
    s->progress = sel(falls, iterations, s->progress);
    mask stuck = look & (iterations > R(1.5) * s->progress + R(300));
    *share = sel(stuck, vmax(R(0.5) * *share, splat(R(0.25))), *share);
    s->progress = sel(stuck, iterations, s->progress);
}

// few sweeps on forces of the last step: a part of them is left out (docs/laws.md, "How games step")
FN void fade_forces(const tx_problem *p) {
    for (int v = 0; v < p->listed; v++) {
        const tx_constraint *c = &p->cons[p->list[v]];
        for (int k = 0; tx_kernel_is_hard(c->kernel) && k < c->dim; k++) {
            real *lambda = &AT(p->dual->lambda, DUALS(c) + k);
            *lambda = FADED * *lambda;
        }
    }
}

FN pack_begin blind_begin(const tx_problem *p) { return p->opt.warmstart && p->guessed ? BEGIN_GUESS : BEGIN_ZERO; }

// λ and z as they start, with nothing behind them
FN void gauss_seidel_start(const tx_problem *p, bool exact) {
    const tx_dual *d = p->dual;
    real *lambda = ARRAY(d->lambda), *z = ARRAY(d->z);
    const bool packs = !exact && has_packs(p), blind = asks_nothing(p);
    const tx_problem rest = packs ? without_packs(p) : *p;
    // errors on the way are made of B, λ and the free motion; blind sweeps over packs need none of them
    const bool bare = packs && blind && !p->trace;
    const tx_problem *made = bare ? &rest : p;
    begin_motion(made);
    for (int v = 0; v < made->listed; v++) begin_constraint_B(p, made->list[v]);
    begin_forces(made);
    if (blind && !exact) fade_forces(made);
    if (!exact && !packs) prepare_impulses(p);
    all_forces(made, lambda, ARRAY(p->gamma));
    B_mul_transposed(&rest, ARRAY(p->gamma), z);
    if (packs) fill_packs(p, bare ? blind_begin(p) : BEGIN_LAMBDA);
    EACH_DOF(p, k) AT(d->z_before, k) = z[k];
    for (int v = 0; v < made->listed; v++) {
        const tx_constraint *c = &p->cons[made->list[v]];
        for (int k = DUALS(c); k < DUALS(c) + dual_count(c); k++) AT(d->before, k) = AT(d->best, k) = lambda[k];
    }
}
// the scale of the error
FN real gauss_seidel_scale(const tx_problem *p) {
    defect_sum sum = {splat(0), splat(0), R(p->y_floor)};
    dual_defects(p, ARRAY(p->dual->lambda), ARRAY(p->y_free), &sum);
    return sum.scale;
}

FN void trace_sweep(const tx_problem *p, bool exact, int iteration) {
    if (!exact && has_packs(p)) read_packs(p);
    dual_trace(p, iteration, ARRAY(p->dual->lambda));
}

// the answer of packs and of what is in none: as dual_end() makes it, but for the motion of packs, which is that of z
FN void end_blindly(const tx_problem *p) {
    const tx_problem rest = without_packs(p);
    defect_sum sum = {splat(0), splat(0), R(p->y_floor)};
    end_packs(p);
    sum_defects(p, &sum);
    all_forces(&rest, ARRAY(p->dual->lambda), ARRAY(p->gamma));
    if (rest.listed > 0) dual_answer(p);
    else end_island(p);
    J_mul(&rest, ARRAY(p->x), ARRAY(p->y));
    dual_defects(&rest, ARRAY(p->dual->lambda), ARRAY(p->y), &sum);
    dual_verdict(p, defect_ratio(&sum), splat(R(p->opt.iterations)));
}

// so many sweeps, whatever comes of them
FN void sweep_blindly(const tx_problem *p, bool exact) {
    if (!exact && is_shared(p)) {
        sweep_together(p, blind_begin(p));
        return;
    }
    if (!exact && goes_in_waves(p)) {
        sweep_in_waves(p, blind_begin(p));
        return;
    }
    momentum m = {splat(0), splat(0), splat(0), splat(1), splat(0)};
    sweep_sum sum;
    sweep_mode mode = {exact, false, lane_true(), splat(1), R(1)};
    const mask never = not_(mode.run);
    gauss_seidel_start(p, exact);
    for (int it = 1; it <= p->opt.iterations; it++) {
        if (p->trace) trace_sweep(p, exact, it - 1);
        mode.relaxation = blind_relaxation(p, it);
        sweep(p, &mode, &sum);
        if (exact && it < p->opt.iterations)
            add_momentum(p, momentum_share(&m, &sum, it == 1 ? mode.run : never), mode.run);
    }
    if (p->trace) trace_sweep(p, exact, p->opt.iterations);
    if (!exact && has_packs(p)) end_blindly(p);
    else dual_end(p, ARRAY(p->dual->lambda), splat(R(p->opt.iterations)));
}

// lanes in which some constraint acts
FN mask where_any_acts(const tx_problem *p) {
    mask acts = not_(lane_true());
    for (int v = 0; v < p->listed; v++) acts = acts | dual_acts(numbers_of(p, p->list[v]));
    return acts;
}

// MuJoCo's rule: the last sweep is the one that gains less than `gain_tolerance` of the cost
FN void sweep_while_it_gains(const tx_problem *p) {
    const real scale = cost_scale(p, A_trace(p));
    real iterations = splat(0);
    sweep_sum sum;
    sweep_mode mode = {false, true, where_any_acts(p), splat(1), R(1)};
    gauss_seidel_start(p, false);
    for (int it = 1; it <= p->opt.iterations && any(mode.run); it++) {
        if (p->trace) trace_sweep(p, false, it - 1);
        sweep(p, &mode, &sum);
        iterations = sel(mode.run, iterations + R(1), iterations);
        mode.run = mode.run & gains_enough(sum.gain, scale, p->opt.gain_tolerance);
    }
    if (p->trace) trace_sweep(p, false, (int)lane_get(iterations, 0));
    dual_end(p, ARRAY(p->dual->lambda), iterations);
    // not the error, the gain says whether it has arrived
    for (int e = 0; e < p->lanes; e++)
        if (p->unsolved[e] != TX_STOP_FAILED) p->unsolved[e] = mask_get(mode.run, e) ? TX_STOP_LIMIT : TX_STOP_REACHED;
}

FN void gauss_seidel(const tx_problem *p, bool exact) {
    if (asks_nothing(p)) {
        sweep_blindly(p, exact);
        return;
    }
    real *lambda = ARRAY(p->dual->lambda), goal = dual_goal(p), best = splat(R(1e30)), iterations = splat(0);
    gauss_seidel_start(p, exact);
    real scale = gauss_seidel_scale(p);
    momentum m = {splat(0), splat(0), splat(0), splat(1), splat(0)};
    schedule s = {splat(1), splat(exact ? 10 : 20), splat(0), splat(R(1e30))};
    sweep_sum sum;
    sweep_mode mode = {exact, false, lane_true(), splat(1), R(1)};
    mask run = mode.run;
    const mask never = not_(run);
    for (int it = 1; it <= p->opt.iterations && any(run); it++) {
        const bool last = it == p->opt.iterations;
        mode.run = run;
        if (p->trace) trace_sweep(p, exact, it - 1);
        sweep(p, &mode, &sum);
        iterations = sel(run, iterations + R(1), iterations);
        // a sweep that moves little may have arrived
        mask near = sum.step <= R(100) * goal * goal * scale;
        mask look = run & ((near & (iterations >= s.wait)) | (iterations >= s.late));
        if (!exact && has_packs(p) && (last || any(look))) read_packs(p);
        if (last) {
            // a fixed number of sweeps needs no error on the way
            mask unseen = run & not_(best < R(1e30));
            keep_best(p, lambda, unseen);
            look = run & not_(unseen);
        }
        if (any(look)) {
            real error = dual_error(p, lambda);
            mask better = look & (error < best), astray = look & not_(better) & not_(error <= R(2) * best);
            keep_best(p, lambda, better);
            best = sel(better, error, best);
            if (exact && !last && any(astray)) fall_back(p, astray, &m);
            s.wait = sel(look, iterations + R(1) + R(0.05) * iterations, s.wait);
            s.late = sel(look, iterations + R(10) + R(0.1) * iterations, s.late);
            if (exact) slow_down(&s, look, error, iterations, &mode.share);
            // there, or lost; momentum that is lost has fallen back
            mask lost = not_(error < R(1e30)) & (exact ? not_(best < R(1e30)) : lane_true());
            run = run & not_(look & ((error <= goal) | lost));
        }
        if (exact && !last) add_momentum(p, momentum_share(&m, &sum, it == 1 ? run : never), run);
    }
    if (p->trace) dual_trace(p, (int)lane_get(iterations, 0), ARRAY(p->dual->best));
    dual_end(p, ARRAY(p->dual->best), iterations);
}

STAGE void pgs(const tx_problem *p) {
    if (p->opt.gain_tolerance > 0 && !asks_nothing(p)) sweep_while_it_gains(p);
    else gauss_seidel(p, false);
}
STAGE void nsgs(const tx_problem *p) { gauss_seidel(p, true); }
