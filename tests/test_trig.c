// test_trig.c - elementary functions: errors against the long double library, the same bits at every width
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "trig_target.h"

#define BLOCK       4096
#define ALIGNED     _Alignas(64)
#define COUNT_OF(a) ((int)(sizeof(a) / sizeof(a)[0]))

// a long double with the 53 bits of a double tells no error below one unit
#define WIDE_LONG_DOUBLE (LDBL_MANT_DIG > 60)

typedef long double reference_fn(long double x, long double y);
static long double ref_sin(long double x, long double y) { return sinl(x); }
static long double ref_cos(long double x, long double y) { return cosl(x); }
static long double ref_exp(long double x, long double y) { return expl(x); }
static long double ref_log(long double x, long double y) { return logl(x); }
static long double ref_asin(long double x, long double y) { return asinl(x); }
static long double ref_acos(long double x, long double y) { return acosl(x); }
static long double ref_atan2(long double x, long double y) { return atan2l(x, y); }
// C defines powers of negative numbers to integers, and takes the sign of -0; ours gives NaN, and takes -0 as 0
static long double ref_pow(long double x, long double y) {
    if (x < 0 && y != 0) return (long double)NAN;
    return powl(x == 0 ? 0 : x, y);
}

// name, reference and the bound stated in trig.h, in units in the last place
static const struct {
    const char *name;
    reference_fn *ref;
    double bound, bound_f32;
} function[TRIG_COUNT] = {
    [TRIG_SIN] = {"sin", ref_sin, 1, 2},         [TRIG_COS] = {"cos", ref_cos, 1, 2},
    [TRIG_EXP] = {"exp", ref_exp, 1, 2},         [TRIG_LOG] = {"log", ref_log, 1, 2},
    [TRIG_ASIN] = {"asin", ref_asin, 1.5, 2},    [TRIG_ACOS] = {"acos", ref_acos, 1.5, 2},
    [TRIG_ATAN2] = {"atan2", ref_atan2, 1.5, 2}, [TRIG_POW] = {"pow", ref_pow, 2, 2},
};

// ---- samples -------------------------------------------------------------------------------------------------------

typedef struct sampler {
    uint64_t state;
    int i;
} sampler;

static uint64_t next_bits(sampler *r) {
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u); // splitmix64
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
static double uniform(sampler *r, double lo, double hi) {
    return lo + (hi - lo) * ((double)(next_bits(r) >> 11) * 0x1p-53);
}
static double log_uniform(sampler *r, double lo, double hi) { return exp(uniform(r, log(lo), log(hi))); }
static double either_sign(sampler *r, double x) { return next_bits(r) & 1 ? x : -x; }
static double any_bits(sampler *r) {
    uint64_t b = next_bits(r);
    double x;
    memcpy(&x, &b, sizeof x);
    return x;
}

typedef void sample_fn(sampler *r, double *x, double *y);
static void angle_uniform(sampler *r, double *x, double *y) { *x = uniform(r, -1e5, 1e5); }
static void angle_small(sampler *r, double *x, double *y) { *x = uniform(r, -7, 7); }
static void angle_log(sampler *r, double *x, double *y) { *x = either_sign(r, log_uniform(r, 1e-300, 1e5)); }
// the doubles next to n pi/2, where the reduction cancels most
static void angle_near_quadrant(sampler *r, double *x, double *y) {
    int n = r->i / 5 % 63662, step = r->i % 5 - 2;
    double at = (double)(n * 1.57079632679489661923132169163975144L);
    for (int i = 0; i < step; i++) at = nextafter(at, 1e9);
    for (int i = 0; i > step; i--) at = nextafter(at, -1e9);
    *x = at;
}
static void exponent_uniform(sampler *r, double *x, double *y) { *x = uniform(r, -746, 710); }
static void exponent_small(sampler *r, double *x, double *y) { *x = either_sign(r, log_uniform(r, 1e-20, 10)); }
static void positive_bits(sampler *r, double *x, double *y) { *x = fabs(any_bits(r)); }
static void around_one(sampler *r, double *x, double *y) { *x = 1 + either_sign(r, log_uniform(r, 1e-16, 0.5)); }
static void zero_to_four(sampler *r, double *x, double *y) { *x = uniform(r, 0, 4); }
static void sine_uniform(sampler *r, double *x, double *y) { *x = uniform(r, -1, 1); }
static void sine_log(sampler *r, double *x, double *y) { *x = either_sign(r, log_uniform(r, 1e-300, 1)); }
static void sine_near_one(sampler *r, double *x, double *y) { *x = either_sign(r, 1 - log_uniform(r, 1e-16, 1)); }
static void plane_uniform(sampler *r, double *x, double *y) {
    *x = uniform(r, -1, 1);
    *y = uniform(r, -1, 1);
}
static void plane_log(sampler *r, double *x, double *y) {
    *x = either_sign(r, log_uniform(r, 1e-3, 1e3));
    *y = either_sign(r, log_uniform(r, 1e-3, 1e3));
}
static void plane_bits(sampler *r, double *x, double *y) {
    *x = any_bits(r);
    *y = any_bits(r);
}
static void power_log(sampler *r, double *x, double *y) {
    *x = log_uniform(r, 1e-30, 1e30);
    *y = uniform(r, -50, 50);
}
// an impedance curve: width in [0, 1], small powers
static void power_impedance(sampler *r, double *x, double *y) {
    *x = uniform(r, 0, 1);
    *y = uniform(r, 1, 10);
}
static void power_around_one(sampler *r, double *x, double *y) {
    *x = uniform(r, 0.5, 2);
    *y = uniform(r, -50, 50);
}

static const struct {
    int f;
    sample_fn *sample;
    int blocks;
} accuracy[] = {
    {TRIG_SIN, angle_uniform, 100},      {TRIG_SIN, angle_small, 100},        {TRIG_SIN, angle_log, 50},
    {TRIG_SIN, angle_near_quadrant, 78}, {TRIG_COS, angle_uniform, 100},      {TRIG_COS, angle_small, 100},
    {TRIG_COS, angle_log, 50},           {TRIG_COS, angle_near_quadrant, 78}, {TRIG_EXP, exponent_uniform, 125},
    {TRIG_EXP, exponent_small, 125},     {TRIG_LOG, positive_bits, 100},      {TRIG_LOG, around_one, 75},
    {TRIG_LOG, zero_to_four, 75},        {TRIG_ASIN, sine_uniform, 125},      {TRIG_ASIN, sine_log, 50},
    {TRIG_ASIN, sine_near_one, 75},      {TRIG_ACOS, sine_uniform, 125},      {TRIG_ACOS, sine_log, 50},
    {TRIG_ACOS, sine_near_one, 75},      {TRIG_ATAN2, plane_uniform, 100},    {TRIG_ATAN2, plane_log, 100},
    {TRIG_ATAN2, plane_bits, 50},        {TRIG_POW, power_log, 125},          {TRIG_POW, power_impedance, 75},
    {TRIG_POW, power_around_one, 50},
};

// ---- comparison ----------------------------------------------------------------------------------------------------

// |got - want| in units in the last place of a format with the given digits and smallest exponent
static double error_in_ulp(double got, long double want, int digits, int min_exponent, double max) {
    if (isnan(want) || isnan(got)) return isnan(want) && isnan(got) ? 0 : INFINITY;
    // beyond half a unit above the largest number the right answer is infinity
    if (isinf(got) || isinf(want))
        return !signbit(got) == !signbit(want) && fabsl(want) > max && fabs(got) >= max ? 0 : INFINITY;
    int e;
    frexpl(want, &e);
    if (want == 0 || e < min_exponent) e = min_exponent;
    return (double)fabsl(ldexpl((long double)got - want, digits - e));
}
static double error_double(double got, long double want) {
    return error_in_ulp(got, want, DBL_MANT_DIG, DBL_MIN_EXP, DBL_MAX);
}
static double error_float(float got, long double want) {
    return error_in_ulp((double)got, want, FLT_MANT_DIG, FLT_MIN_EXP, (double)FLT_MAX);
}

static bool same_bits(double a, double b) { return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0; }

typedef struct block {
    ALIGNED double x[BLOCK], y[BLOCK], out[BLOCK], out4[BLOCK], out8[BLOCK];
} block;

// evaluates a block at the three widths; returns how many results differ between them
static int evaluate(int f, block *b) {
    trig_w1.fn[f](b->x, b->y, b->out, BLOCK);
    trig_w4.fn[f](b->x, b->y, b->out4, BLOCK);
    trig_w8.fn[f](b->x, b->y, b->out8, BLOCK);
    int differ = 0;
    for (int i = 0; i < BLOCK; i++) differ += !same_bits(b->out[i], b->out4[i]) || !same_bits(b->out[i], b->out8[i]);
    if (!trig_fours.fn[f]) return differ;
    trig_fours.fn[f](b->x, b->y, b->out4, BLOCK);
    for (int i = 0; i < BLOCK; i++) differ += !same_bits(b->out[i], b->out4[i]);
    return differ;
}

static void draw(sampler *r, sample_fn *sample, block *b) {
    for (int i = 0; i < BLOCK; i++, r->i++) sample(r, &b->x[i], &b->y[i]);
}

// ---- tests ---------------------------------------------------------------------------------------------------------

static void test_error_bounds_and_widths(void **state) {
    static block b;
    double worst[TRIG_COUNT] = {0}, at_x[TRIG_COUNT] = {0}, at_y[TRIG_COUNT] = {0};
    int points[TRIG_COUNT] = {0}, differ = 0;
    sampler r = {1, 0};
    for (int a = 0; a < COUNT_OF(accuracy); a++) {
        int f = accuracy[a].f;
        r.i = 0;
        for (int k = 0; k < accuracy[a].blocks; k++) {
            draw(&r, accuracy[a].sample, &b);
            differ += evaluate(f, &b);
            for (int i = 0; i < BLOCK; i++) {
                double e = error_double(b.out[i], function[f].ref(b.x[i], b.y[i]));
                if (e > worst[f]) worst[f] = e, at_x[f] = b.x[i], at_y[f] = b.y[i];
            }
            points[f] += BLOCK;
        }
    }
    for (int f = 0; f < TRIG_COUNT; f++) {
        printf("%-6s %8d points, error %.3f ulp at %.17g %.17g\n", function[f].name, points[f], worst[f], at_x[f],
               at_y[f]);
        assert_true(points[f] >= 1000000);
        assert_true(worst[f] <= function[f].bound + (WIDE_LONG_DOUBLE ? 0 : 1));
    }
    assert_int_equal(differ, 0);
}

static const double special[] = {0.0,
                                 -0.0,
                                 1.0,
                                 -1.0,
                                 0.5,
                                 -0.5,
                                 2.0,
                                 -2.0,
                                 3.0,
                                 1e-5,
                                 1e5,
                                 -1e5,
                                 1e9,
                                 -1e9,
                                 0x1p45,
                                 0x1p46,
                                 1e300,
                                 -1e300,
                                 DBL_MAX,
                                 -DBL_MAX,
                                 DBL_MIN,
                                 -DBL_MIN,
                                 0x1p-1074,
                                 -0x1p-1074,
                                 INFINITY,
                                 -INFINITY,
                                 NAN,
                                 -NAN,
                                 0x1p-1060,
                                 709.78271289338397,
                                 -745.13321910194111,
                                 1 + DBL_EPSILON,
                                 1 - DBL_EPSILON / 2,
                                 0x1p1000,
                                 0x1p-1000,
                                 0x1p64};

// every pair of special values: the library's answer where C defines one, and the same bits at every width
static void test_special_values(void **state) {
    static block b;
    int n = COUNT_OF(special);
    assert_true(n * n <= BLOCK);
    for (int i = 0; i < BLOCK; i++) {
        b.x[i] = special[i % n];
        b.y[i] = special[i / n % n];
    }
    for (int f = 0; f < TRIG_COUNT; f++) {
        assert_int_equal(evaluate(f, &b), 0);
        for (int i = 0; i < n * n; i++) {
            double x = b.x[i], y = b.y[i];
            // large angles and steep powers have bounds of their own
            if ((f == TRIG_SIN || f == TRIG_COS) && fabs(x) > 1e5 && !isinf(x)) continue;
            double bound = f == TRIG_POW && fabs(y) > 50 ? 16 : function[f].bound;
            long double want = function[f].ref(x, y);
            bool wrong_zero = b.out[i] == 0 && want == 0 && !signbit(b.out[i]) != !signbit(want);
            if (error_double(b.out[i], want) > bound || wrong_zero)
                fail_msg("%s(%a, %a) = %a, expected %La", function[f].name, x, y, b.out[i], want);
        }
    }
}

// exact values of x^y that impedance curves rely on
static void test_powers_at_the_ends(void **state) {
    static const double row[][3] = {
        {0, 2, 0},
        {0, 0, 1},
        {0, -1, INFINITY},
        {-0.0, 2, 0},
        {1, 1e300, 1},
        {1, NAN, 1},
        {NAN, 0, 1},
        {NAN, 1, NAN},
        {2, NAN, NAN},
        {-1, 2, NAN},
        {-1, 0.5, NAN},
        {INFINITY, 1, INFINITY},
        {INFINITY, -1, 0},
        {INFINITY, 0, 1},
        {0.5, INFINITY, 0},
        {2, INFINITY, INFINITY},
        {0.5, -INFINITY, INFINITY},
        {2, -INFINITY, 0},
        {2, 10, 1024},
        {0.5, 2, 0.25},
        {3, 2, 9},
        {10, 3, 1000},
        {2, -1074, 0x1p-1074},
        {2, 1024, INFINITY},
        {2, -1080, 0},
        {0, 1e-300, 0},
        {0, INFINITY, 0},
        {0, -INFINITY, INFINITY},
    };
    static block b;
    for (int i = 0; i < BLOCK; i++) {
        b.x[i] = row[i % COUNT_OF(row)][0];
        b.y[i] = row[i % COUNT_OF(row)][1];
    }
    assert_int_equal(evaluate(TRIG_POW, &b), 0);
    for (int i = 0; i < COUNT_OF(row); i++) {
        if (!same_bits(b.out[i], row[i][2])) fail_msg("pow(%g, %g) = %a", row[i][0], row[i][1], b.out[i]);
    }
}

// beyond the exact reduction: the absolute error grows as |x| 2^-53 and the pair stays on the unit circle
static void test_large_angles(void **state) {
    static block s, c;
    sampler r = {2, 0};
    for (int k = 0; k < 20; k++) {
        for (int i = 0; i < BLOCK; i++) s.x[i] = c.x[i] = either_sign(&r, log_uniform(&r, 1e5, k < 10 ? 1e9 : DBL_MAX));
        assert_int_equal(evaluate(TRIG_SIN, &s) + evaluate(TRIG_COS, &c), 0);
        for (int i = 0; i < BLOCK; i++) {
            assert_true(fabs(s.out[i]) <= 1 && fabs(c.out[i]) <= 1);
            assert_true(fabs(s.out[i] * s.out[i] + c.out[i] * c.out[i] - 1) < 1e-14);
            if (k >= 10) continue;
            double tolerance = 4e-16 + 2 * fabs(s.x[i]) * 0x1p-53;
            assert_true(fabsl(s.out[i] - sinl(s.x[i])) < tolerance);
            assert_true(fabsl(c.out[i] - cosl(s.x[i])) < tolerance);
        }
    }
}

// any pattern of bits, and any neighbours, give the same bits at every width
static void test_widths_on_any_bits(void **state) {
    static block b;
    sampler r = {3, 0};
    for (int f = 0; f < TRIG_COUNT; f++) {
        for (int k = 0; k < 40; k++) {
            draw(&r, plane_bits, &b);
            // every third number of a size that the function does not send to its ends
            for (int i = 0; i < BLOCK; i += 3) {
                b.x[i] = uniform(&r, -2, 2);
                b.y[i] = uniform(&r, -20, 20);
            }
            assert_int_equal(evaluate(f, &b), 0);
        }
    }
}

// the single-precision text works: errors of a few units over the ranges of float
static void test_single_precision(void **state) {
    static ALIGNED float x[BLOCK], y[BLOCK], out[BLOCK];
    double worst[TRIG_COUNT] = {0};
    sampler r = {4, 0};
    for (int f = 0; f < TRIG_COUNT; f++) {
        for (int k = 0; k < 20; k++) {
            for (int i = 0; i < BLOCK; i++) {
                double u = uniform(&r, -1, 1), v = uniform(&r, -1, 1);
                double by_function[] = {u * 1e3, u * 1e3, u * 104, log_uniform(&r, 1e-44, 1e38),
                                        u,       u,       u,       log_uniform(&r, 1e-5, 1e5)};
                x[i] = (float)by_function[f];
                y[i] = (float)(f == TRIG_POW ? 10 * v : v);
            }
            trig_f32.fn[f](x, y, out, BLOCK);
            for (int i = 0; i < BLOCK; i++)
                worst[f] = fmax(worst[f], error_float(out[i], function[f].ref((long double)x[i], (long double)y[i])));
        }
        printf("%-6s float, error %.3f ulp\n", function[f].name, worst[f]);
        assert_true(worst[f] <= function[f].bound_f32);
    }
    for (int f = 0; f < TRIG_COUNT; f++) {
        static const float ends[] = {0, -0.0f, 1, INFINITY, -INFINITY, NAN, FLT_MAX, 0x1p-149f};
        for (int i = 0; i < 64; i++) x[i] = ends[i % 8], y[i] = ends[i / 8];
        trig_f32.fn[f](x, y, out, 64);
        for (int i = 0; i < 64; i++) {
            if ((f == TRIG_SIN || f == TRIG_COS) && x[i] == FLT_MAX) continue;
            double e = error_float(out[i], function[f].ref((long double)x[i], (long double)y[i]));
            if (e > 4)
                fail_msg("%s(%a, %a) = %a in float", function[f].name, (double)x[i], (double)y[i], (double)out[i]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_bounds_and_widths), cmocka_unit_test(test_special_values),
        cmocka_unit_test(test_powers_at_the_ends),      cmocka_unit_test(test_large_angles),
        cmocka_unit_test(test_widths_on_any_bits),      cmocka_unit_test(test_single_precision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
