// test_law_numbers.c - the numbers that laws hand to their kernels, in closed form: docs/laws.md.
#define TX_LANES 1
#include "problem/laws.inl"

#include "near.h"

static const num H = 0.01;

// a contact that touches: solref and solimp as MuJoCo has them, with an impedance that is the same at every depth
typedef struct contact {
    row_record row;
    real solref[2], solimp[5];
    law_options options;
} contact;

static contact start(int kernel, int dim, num time, num ratio, num impedance) {
    contact c = {.solref = {time, ratio}, .solimp = {impedance, impedance, 0.002, 0.5, 2}};
    c.row.kernel = kernel, c.row.dim = dim, c.row.contact = true, c.row.acts = lane_true();
    c.row.weight[0] = c.row.weight[1] = c.row.exact[0] = c.row.exact[1] = 0.4;
    for (int k = 0; k < 6; k++) c.row.tree_ratio[k] = 1;
    for (int k = 0; k < 5; k++) c.row.friction[k] = 0.5;
    c.row.relaxation = c.row.dissipation = -1, c.row.beta = 1, c.row.sigma = 1e-3, c.row.stiction = 1e-4;
    c.options = (law_options){.timestep = H, .impratio = 1, .refsafe = true};
    return c;
}

static void numbers(contact *c, void (*prepare)(const law_options *, const row_record *, real *), real *n) {
    c->row.solref = c->solref, c->row.solimp = c->solimp;
    for (int k = 0; k < TX_KERNEL_NUMBERS; k++) n[k] = NAN;
    prepare(&c->options, &c->row, n);
}

// spring and damper of the soft law (MuJoCo): 1 / (dw t ζ)², 2 / (dw t)
static num spring(num time, num ratio, num dw) { return 1 / (dw * time * ratio * dw * time * ratio); }
static num damper(num time, num dw) { return 2 / (dw * time); }

// friction of a geom may be nothing; a pyramid without an opening would have no edges
static void soft_cones_are_open(void **state) {
    contact c = start(KERNEL_pyramid, 3, 0.02, 1, 0.9);
    real n[TX_KERNEL_NUMBERS];
    c.row.friction[0] = c.row.friction[1] = 0;
    numbers(&c, soft_prepare, n);
    assert_true(n[N_MU] == 1e-5 && n[N_MU + 1] == 1e-5);
    c.options.discrete = true;
    numbers(&c, soft_prepare, n);
    assert_true(n[N_MU] == 1e-5 && n[N_MU + 1] == 1e-5);
}

// implicit in their own spring and damper: softness R / F and reference -(k d r + (b + h k d) v) / F, F = 1 + h b + h²
// k d
static void discrete_rows_are_implicit(void **state) {
    const num d = 0.9, k = spring(0.1, 0.8, d), b = damper(0.1, d), F = 1 + H * b + H * H * k * d;
    const num mu = 0.5, impratio = 4, weight = 0.4, R0 = (1 - d) / d;
    real n[TX_KERNEL_NUMBERS];
    contact c = start(KERNEL_pyramid, 3, 0.1, 0.8, d);
    c.options.discrete = true, c.options.impratio = impratio;
    c.row.pos[0] = -0.01, c.row.size = 0.01, c.row.vel[0] = -0.3, c.row.vel[1] = 0.7;
    numbers(&c, soft_prepare, n);
    // an edge: its weight has the friction in it, and 2 μ²/impratio of that is its softness (MuJoCo)
    assert_near(n[N_D] * (2 * mu * mu / impratio * R0 * weight * (1 + mu * mu) / F), 1, 1e-13);
    assert_near(n[N_A], -0.3 - H * (k * d * -0.01 + (b + H * k * d) * -0.3) / F, 1e-14);
    // a cone's tangents have dampers alone: what is left after a step is v / (1 + h b)
    c.row.kernel = KERNEL_cone;
    numbers(&c, soft_prepare, n);
    assert_near(n[N_D] * (R0 * weight / F), 1, 1e-13);
    assert_near(n[N_A + 1], 0.7 / (1 + H * b), 1e-14);
    assert_near(n[N_CONE], mu / 2, 1e-15);
}

// A spring that is faster than a step takes the whole error in one: h² k d = 1. Its damper is bounded too: the softness
// R / F is that of the largest impedance, 1e-4 / 0.9999, at least
static void discrete_rows_are_slow_enough(void **state) {
    const num d = 0.9, most = 0.9999 * (1 - d) / (1e-4 * d);
    real n[TX_KERNEL_NUMBERS];
    contact c = start(KERNEL_cone, 3, 1e-6, 1000, d);
    c.options.discrete = true;
    c.row.vel[0] = 1;
    numbers(&c, soft_prepare, n);
    // without a distance a = (b + 1/h) v / F, F = 2 + h b: what is left of v is 1 / F
    assert_near(n[N_A] * most, 1, 1e-9);
    assert_near(n[N_D] * (1e-4 / 0.9999 * 0.4), 1, 1e-9);
    // with little damping it is the spring alone: h b = 2 ζ / √d
    c = start(KERNEL_cone, 3, 1e-3, 0.5, d);
    c.options.discrete = true;
    c.row.vel[0] = 1;
    numbers(&c, soft_prepare, n);
    assert_near(n[N_A] * (2 + 2 * 0.5 / vsqrt(d)), 1, 1e-12);
}

// D times `rest` is the inverse of the row's own entry of J A⁻¹ Jᵀ, or all of D where the row is softer than that
static void rest_measures_the_weight(void **state) {
    real n[TX_KERNEL_NUMBERS];
    contact c = start(KERNEL_cone, 3, 0.02, 1, 0.9);
    c.row.stiffness = 1e6, c.row.relaxation = 0.001;
    numbers(&c, sap_prepare, n);
    assert_true(n[N_REST] < 1);
    assert_near(n[N_D] * n[N_REST] * 0.4, 1, 1e-13);
    c.row.stiffness = 1, c.row.relaxation = 0;
    numbers(&c, sap_prepare, n);
    assert_true(n[N_D] < 1 / 0.4 && n[N_REST] == 1);
}

// where nobody says it, the dissipation is that of the soft law's damper at the depth of its width: c / (k w),
// c / k = 2 t ζ²
static void dissipation_is_that_of_solref(void **state) {
    real n[TX_KERNEL_NUMBERS];
    contact c = start(KERNEL_similar, 3, 0.05, 0.7, 0.9);
    c.row.pos[0] = -0.001;
    numbers(&c, similar_prepare, n);
    assert_near(n[N_DISSIPATION], 2 * 0.05 * 0.7 * 0.7 / 0.002, 1e-12);
    c.row.dissipation = 3;
    numbers(&c, lagged_prepare, n);
    assert_true(n[N_DISSIPATION] == 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soft_cones_are_open), cmocka_unit_test(discrete_rows_are_implicit),
        cmocka_unit_test(discrete_rows_are_slow_enough), cmocka_unit_test(rest_measures_the_weight),
        cmocka_unit_test(dissipation_is_that_of_solref)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
