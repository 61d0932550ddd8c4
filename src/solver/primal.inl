// primal.inl - what all primal solvers share: start, gradient, line search, stop rule, and the loop around them.
// docs/solvers.md. lanes: any
//
// A method is a direction: it reads the gradient and writes `search`. Everything else is here once.
#pragma once
#include "problem/kernel_table.inl"
#include "problem/verbs.inl"
#include "solver/hessian.inl"
#include "solver/solve_error.inl"

// unit-free tolerance below which rounding decides
#ifdef TX_F32
#define ROUNDING R(1e-6)
#else
#define ROUNDING R(1e-15)
#endif

// what a solve keeps from one iteration to the next
typedef struct primal_state {
    int iteration;
    mask run;               // not finished
    real norm, norm_before; // unit-free gradient, now and one iteration ago
    real step;              // of the last line search
    mask near_floor;        // what is left may be rounding
    hessian_state hessian;
    // cg: gradᵀ P⁻¹ grad one iteration ago, searchᵀ P search, the gradient at the beginning of the cycle, where P is H
    real slope_before, length, norm_cycle;
    mask definite;
} primal_state;

// a way to find a direction
typedef struct primal_method {
    void (*direction)(const tx_problem *p, primal_state *s);
    num first_step; // where the line search begins
    num loose;      // what it asks of the slope in velocity problems, by what it asks else
    bool halves;    // near rounding every iteration halves the gradient, or there is nothing left to do
    int patience;   // iterations without a smaller gradient after which it has stagnated
} primal_method;

// γ and the gradient A(x - x*) - Jᵀγ at y = J x; `step`: by which the y of a large problem has to move first
FN void primal_gradient(const tx_problem *p, real step) {
    real *grad = ARRAY(p->grad), *force = ARRAY(p->force);
    (void)step;
#if TX_LANES == 1
    if (p->factor) edge_forces(p, step);
    else
#endif
        constraint_forces(p, ARRAY(p->y), ARRAY(p->gamma));
    J_mul_transposed(p, ARRAY(p->gamma), force);
    EACH_RUN(p, d, n) row_difference(grad + d, &AT(p->Adx, d), force + d, n);
}

// squares of the gradient and of its two terms; sums that wait for nothing but themselves go side by side
typedef struct gradient_sums {
    real grad, Adx, force;
} gradient_sums;

FN gradient_sums sum_gradient(const tx_problem *p) {
#if TX_LANES == 1
    if (p->factor) {
        row_sums grad = {0}, Adx = {0}, force = {0};
        EACH_RUN(p, d, n) {
            row_add_products(&grad, &AT(p->grad, d), &AT(p->grad, d), n);
            row_add_products(&Adx, &AT(p->Adx, d), &AT(p->Adx, d), n);
            row_add_products(&force, &AT(p->force, d), &AT(p->force, d), n);
        }
        return (gradient_sums){row_sum(&grad), row_sum(&Adx), row_sum(&force)};
    }
#endif
    gradient_sums s = {splat(0), splat(0), splat(0)};
    EACH_DOF(p, d) {
        s.grad = s.grad + AT(p->grad, d) * AT(p->grad, d);
        s.Adx = s.Adx + AT(p->Adx, d) * AT(p->Adx, d);
        s.force = s.force + AT(p->force, d) * AT(p->force, d);
    }
    return s;
}

// along the search direction: φ'(0), and the two terms that A has in φ'(α)
typedef struct line {
    real start, linear, quadratic;
} line;

FN line sum_line(const tx_problem *p) {
#if TX_LANES == 1
    if (p->factor) {
        row_sums start = {0}, linear = {0}, quadratic = {0};
        EACH_RUN(p, d, n) {
            row_add_products(&start, &AT(p->search, d), &AT(p->grad, d), n);
            row_add_products(&linear, &AT(p->search, d), &AT(p->Adx, d), n);
            row_add_products(&quadratic, &AT(p->search, d), &AT(p->Asearch, d), n);
        }
        return (line){row_sum(&start), row_sum(&linear), row_sum(&quadratic)};
    }
#endif
    line l = {splat(0), splat(0), splat(0)};
    EACH_DOF(p, d) {
        real s = AT(p->search, d);
        l.start = l.start + s * AT(p->grad, d);
        l.linear = l.linear + s * AT(p->Adx, d);
        l.quadratic = l.quadratic + s * AT(p->Asearch, d);
    }
    return l;
}

// Σ ℓ(y)
FN real cost_at(const tx_problem *p, const real *y) {
#if TX_LANES == 1
    if (p->factor) return cost_of_large(p, y);
#endif
    return constraint_cost(p, y);
}

// the zero of φ'(α) by Newton's method inside a shrinking bracket; lanes where `run` is false get 0
FN real line_search(const tx_problem *p, line l, const primal_method *method, mask run) {
    const num share = p->unit == TX_UNIT_VELOCITY ? method->loose : R(1);
    real goal = vabs(l.start) * (share * R(p->opt.ls_tolerance));
    real alpha = sel(run, splat(method->first_step), splat(0)), low = splat(0), high = splat(R(1e10));
    mask open = run;
#if TX_LANES == 1
    line_kinds kinds = {0, 0, 0};
    if (p->factor) kinds = line_begin(p);
#endif
    for (int it = 0; it < p->opt.ls_iterations && any(open); it++) {
        slope_sum slope;
#if TX_LANES == 1
        if (p->factor) slope = slope_on_line(p, kinds, alpha);
        else
#endif
            slope = constraint_slope(p, ARRAY(p->y), ARRAY(p->Jsearch), alpha);
        real d1 = slope.first + (l.linear + alpha * l.quadratic), d2 = slope.second + l.quadratic;
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

// do something for every row r of the view
#define EACH_ROW(p, r)                                \
    for (int r##_v = 0; r##_v < (p)->listed; r##_v++) \
        for (int r = (p)->cons[(p)->list[r##_v]].row, r##_end = r + (p)->cons[(p)->list[r##_v]].dim; r < r##_end; r++)

// takes another start where that costs less than the present one, whose y is `y_now`
FN void try_start(const tx_problem *p, const real *from, const real *y_from, const real *y_now, real *cost) {
    real *x = ARRAY(p->x), *dx = ARRAY(p->search), *Adx = ARRAY(p->Adx), *y = ARRAY(p->y);
    EACH_DOF(p, d) dx[d] = from[d] - AT(p->x_star, d);
    A_mul(p, dx, ARRAY(p->Asearch));
    real other = cost_at(p, y_from) + R(0.5) * dot_dofs(p, dx, ARRAY(p->Asearch));
    mask better = other < *cost;
    *cost = sel(better, other, *cost);
    EACH_DOF(p, d) {
        x[d] = sel(better, from[d], x[d]);
        Adx[d] = sel(better, AT(p->Asearch, d), Adx[d]);
    }
    EACH_ROW(p, r) y[r] = sel(better, y_from[r], y_now[r]);
}

// x starts at x*, at the last answer or, where it is a velocity, at rest: where it costs least. At rest all contacts
// stick, and from there it takes half the iterations to find those that slip (docs/newton.md)
FN void primal_start(const tx_problem *p) {
    real *x = ARRAY(p->x), *Adx = ARRAY(p->Adx), *other = ARRAY(p->residual), *y_other = ARRAY(p->Jsearch);
    const real *y_free = ARRAY(p->y_free);
    J_mul(p, ARRAY(p->x_star), ARRAY(p->y_free));
    EACH_DOF(p, d) {
        x[d] = AT(p->x_star, d);
        Adx[d] = splat(0);
    }
    if (!p->opt.warmstart) {
        EACH_ROW(p, r) AT(p->y, r) = y_free[r];
        return;
    }
    real cost = cost_at(p, y_free);
    J_mul(p, ARRAY(p->warm), y_other);
    try_start(p, ARRAY(p->warm), y_other, y_free, &cost);
    if (p->unit != TX_UNIT_VELOCITY) return;
    EACH_DOF(p, d) other[d] = splat(0);
    EACH_ROW(p, r) y_other[r] = splat(0);
    try_start(p, other, y_other, ARRAY(p->y), &cost);
}

// what momenta are measured with: 1 / diag(A)
FN void weigh_dofs(const tx_problem *p) { EACH_DOF(p, d) AT(p->weight, d) = R(1) / AT(p->A, p->tree.first[d]); }

// the square of a momentum in the norm of diag(A)⁻¹
FN real square_of_momentum(const tx_problem *p, const real *of) {
    const real *weight = ARRAY(p->weight);
#if TX_LANES == 1
    if (p->factor) {
        row_sums sum = {0};
        EACH_RUN(p, d, n) row_add_weighed_squares(&sum, weight + d, of + d, n);
        return row_sum(&sum);
    }
#endif
    real sum = splat(0);
    EACH_DOF(p, d) sum = sum + weight[d] * of[d] * of[d];
    return sum;
}

// that of A x; `conjugate` is free between two iterations
FN real momentum_of(const tx_problem *p, const real *x) {
    A_mul(p, x, ARRAY(p->conjugate));
    return square_of_momentum(p, ARRAY(p->conjugate));
}

// whether the gradient is a small share of the momenta A x and Jᵀγ, all in the norm of diag(A)⁻¹: a stop rule that
// asks for the same in light and heavy bodies (Castro et al. 2022). A x itself is looked at only where it can matter:
// its norm is at most that of A x*, `free`, and that of A (x - x*) together
FN mask momentum_reached(const tx_problem *p, real free) {
    const num share = R(p->opt.momentum_tolerance);
    const real left = square_of_momentum(p, ARRAY(p->grad)), change = square_of_momentum(p, ARRAY(p->Adx)),
               pushes = square_of_momentum(p, ARRAY(p->force));
    const real most = R(1.001) * (free + vsqrt(change));
    const mask can = left <= share * share * vmax(most * most, pushes);
    if (!any(can)) return can;
    const real moves = momentum_of(p, ARRAY(p->x));
    return left <= share * share * vmax(moves, pushes);
}

// x + α search, and what follows from it
FN void primal_move(const tx_problem *p, real alpha, mask run) {
    EACH_RUN(p, d, n) {
        row_move(&AT(p->x, d), alpha, &AT(p->search, d), run, n);
        row_move(&AT(p->Adx, d), alpha, &AT(p->Asearch, d), run, n);
    }
    if (p->factor) return; // its y moves with the next gradient
    for (int v = 0; v < p->listed; v++) {
        const tx_constraint *c = &p->cons[p->list[v]];
        if (c->dim == 3) row_move(&AT(p->y, c->row), alpha, &AT(p->Jsearch, c->row), run, 3);
        else row_move(&AT(p->y, c->row), alpha, &AT(p->Jsearch, c->row), run, c->dim);
    }
}

// where A is the best that there is: steepest descent in its norm, in the lanes of `where`
FN void steepest_descent(const tx_problem *p, real *room, mask where) {
    real *search = ARRAY(p->search), *grad = ARRAY(p->grad);
    EACH_DOF(p, d) room[d] = -grad[d];
    A_solve(p, room);
    EACH_DOF(p, d) search[d] = sel(where, room[d], search[d]);
}

#if TX_LANES == 1
// where the solver is; conjugate and Jsearch are free between two iterations
STAGE void trace_point(const tx_problem *p, const primal_state *s) {
    tx_problem measured = *p;
    measured.products = NULL;
    solve_error(&measured);
    const tx_trace_point point = {p->group, s->iteration, (double)s->norm, (double)AT(p->solve_error, 0),
                                  s->iteration ? (double)s->step : 0};
    if (p->trace->count < p->trace->room) p->trace->points[p->trace->count] = point;
    p->trace->count++;
}
#endif

// how often a solve that makes no progress any more counts its stiff rows from where they are
enum { MOST_CENTRES = 2 };

// whether a solve gets on
typedef struct primal_watch {
    real best, waited; // smallest gradient, and iterations since one below 0.9 of it
    real halfway;      // gradient after half of the patience
    real weighed;      // gradᵀ diag(A)⁻¹ grad of the last iteration
    real centred;      // how often the rows were counted anew
    mask halves;       // the gradient has halved in the last iteration, for all bodies or for light ones
} primal_watch;

FN void primal_progress(const tx_problem *p, const primal_method *method, const primal_state *s, mask near_floor,
                        primal_watch *w) {
    mask better = s->norm < R(0.9) * w->best;
    w->best = sel(better, s->norm, w->best);
    w->waited = sel(better, splat(0), w->waited + R(1));
    // a gradient that rose first, and falls by half in half the time, is on its way
    w->halfway = sel(w->waited == R(method->patience / 2), s->norm, w->halfway);
    mask falls = (w->waited >= R(method->patience)) & (s->norm < R(0.5) * w->halfway) & not_(near_floor);
    w->best = sel(falls, s->norm, w->best);
    w->waited = sel(falls, splat(0), w->waited);
    // heavy bodies have the largest rounding: it must not end a solve in which light ones still get better
    w->halves = not_(s->norm > R(0.5) * s->norm_before);
    if (!any(s->run & near_floor)) return;
    real weighed = splat(0);
    EACH_DOF(p, d) weighed = weighed + AT(p->grad, d) * AT(p->grad, d) / AT(p->A, p->tree.first[d]);
    w->halves = w->halves | (weighed < R(0.25) * w->weighed);
    w->weighed = sel(near_floor, weighed, w->weighed);
}

FN void primal_solve(const tx_problem *p, const primal_method *method) {
    const real *search = ARRAY(p->search);
    real scale = R(1) / (R(p->time) * A_trace(p)), iterations = splat(0);
    real reason = splat(TX_STOP_REACHED);
    primal_watch w = {splat(R(1e30)), splat(0), splat(0), splat(R(1e30)), splat(0), lane_true()};
    primal_state s = {.run = lane_true(),
                      .norm = splat(0),
                      .norm_before = splat(R(1e30)),
                      .step = splat(1),
                      .length = splat(1),
                      .norm_cycle = splat(R(1e30)),
                      .definite = lane_true()};

    primal_start(p);
    const bool by_momentum = p->opt.momentum_tolerance > 0;
    if (by_momentum) weigh_dofs(p);
    const real free = by_momentum ? vsqrt(momentum_of(p, ARRAY(p->x_star))) : splat(0);
    for (;; s.iteration++) {
        // where are we?
        primal_gradient(p, s.iteration ? s.step : splat(0));
        const gradient_sums sums = sum_gradient(p);
        s.norm = sel(s.run, scale * vsqrt(sums.grad), s.norm);
#if TX_LANES == 1
        if (p->trace) trace_point(p, &s);
#endif
        s.run = s.run & (s.norm > R(p->opt.tolerance));
        if (by_momentum) s.run = s.run & not_(momentum_reached(p, free));
        // rounding of the terms that cancel in the gradient is the floor; without progress near it rounding decides,
        // far from it something is wrong
        real floor = ROUNDING * scale * (vsqrt(sums.Adx) + vsqrt(sums.force));
        const mask near_floor = s.near_floor = s.norm < R(1e5) * floor;
        primal_progress(p, method, &s, near_floor, &w);
        mask rounded =
            not_(s.norm > floor) | (near_floor & not_(method->halves ? w.halves : w.waited < R(method->patience)));
        mask stale = not_(w.waited < R(method->patience));
        // before it gives up it looks at its stiff rows with all digits
        mask again = s.run & (s.norm > floor) & (rounded | (w.waited >= R(10))) & (w.centred < R(MOST_CENTRES));
        if (any(again)) {
            again = again & recentre(p, again);
            w.centred = sel(again, w.centred + R(1), w.centred);
            w.best = sel(again, s.norm, w.best);
            w.waited = sel(again, splat(0), w.waited);
            rounded = rounded & not_(again), stale = stale & not_(again);
        }
        reason = sel(s.run & stale, splat(TX_STOP_STAGNATED), reason);
        reason = sel(s.run & rounded, splat(TX_STOP_ROUNDED), reason);
        s.run = s.run & not_(rounded | stale);
        if (!any(s.run) || s.iteration == p->opt.iterations) break;

        method->direction(p, &s);
        s.norm_before = sel(s.run, s.norm, s.norm_before);
        A_mul(p, search, ARRAY(p->Asearch));
        J_mul(p, search, ARRAY(p->Jsearch));

        // the best point along it; finished lanes stay where they are, and those that found no way down stop
        const line l = sum_line(p);
        reason = sel(s.run & not_(l.start < R(0)), splat(TX_STOP_FAILED), reason);
        s.run = s.run & (l.start < R(0));
        s.step = line_search(p, l, method, s.run);
        primal_move(p, s.step, s.run);
        iterations = sel(s.run, iterations + R(1), iterations);
    }
    AT(p->iterations, 0) = iterations;
    AT(p->gradient, 0) = s.norm;
    reason = sel(s.run, splat(TX_STOP_LIMIT), reason);
    for (int e = 0; e < p->lanes; e++) p->unsolved[e] = (uint8_t)lane_get(reason, e);
}
