// trig.h - sin, cos, exp, log, pow, atan2, asin and acos of a real: the same bits at every width. lanes: any
//
// Only + - * /, square root, selects and integer operations on the bits of a number are used, in a fixed order.
// Largest errors in double, in units in the last place (docs/elementary-functions.md: method and measurements):
//
//   lane_sincos  1     |x| <= 1e5; beyond that the absolute error grows as |x| 2^-53; |s|, |c| <= 1 always
//   lane_exp     1     everywhere, gradual underflow included
//   lane_log     1     everywhere, subnormal x included
//   lane_pow     2     x in [1e-30, 1e30], |y| <= 50; beyond that the relative error grows as |y| 2^-59
//   lane_atan2   1.5   everywhere; signed zeros and infinities as in C
//   lane_asin    1.5   |x| <= 1, else NaN
//   lane_acos    1.5   |x| <= 1, else NaN
//
// In single precision the text is the same with the constants of that format; errors stay below 2 units.
#pragma once
#include "lane.h"

// ---- the format ----------------------------------------------------------------------------------------------------

#ifdef TX_F32
typedef uint32_t word;
#define TRIG_MANTISSA   23          // stored bits of the significand
#define TRIG_BIAS       127         // of the exponent
#define TRIG_HALF_BITS  12          // low bits cleared so that a product of two halves is exact
#define TRIG_SQRT_HALF  0x3f3504f3u // bits of sqrt(1/2)
#define TRIG_MIN_NORMAL 0x1p-126
#define TRIG_MAX_SCALED 0x1p120 // atan2 scales down above this, so that sums do not overflow
#define TRIG_MAX_TURN   0x1p16  // largest angle that still means something
#define TRIG_EXP_LO     -104.0  // exp is 0 here and below
#define TRIG_EXP_HI     89.0    // exp is infinite here and above
#define TRIG_MAX_POWER  0x1p34  // any larger y gives 0 or infinity unless x is 1
// pi/2 in three parts, n times the first two exact for |n| <= 2^11; ln 2 in two, for |n| <= 2^8
#define TRIG_PIO2_A 0x1.922p+0
#define TRIG_PIO2_B -0x1.28p-18
#define TRIG_PIO2_C -0x1.777a5cf72cecep-25
#define TRIG_LN2_A  0x1.62e4p-1
#define TRIG_LN2_B  0x1.7f7d1cf79abcap-20
// angles whose first parts are multiples of 2^-20, so that the first parts add without error
#define TRIG_PI_HI     0x1.921fb8p+1
#define TRIG_PI_LO     -0x1.5dde973dcb3b4p-22
#define TRIG_PIO2_HI   0x1.921fbp+0
#define TRIG_PIO2_LO   0x1.5110b4611a626p-22
#define TRIG_PIO4_HI   0x1.921fcp-1
#define TRIG_PIO4_LO   -0x1.5777a5cf72cedp-22
#define TRIG_ATAN12_HI 0x1.dac68p-2
#define TRIG_ATAN12_LO -0x1.f53c89612ea40p-23
#else
typedef uint64_t word;
#define TRIG_MANTISSA   52
#define TRIG_BIAS       1023
#define TRIG_HALF_BITS  27
#define TRIG_SQRT_HALF  0x3fe6a09e667f3bcdu
#define TRIG_MIN_NORMAL 0x1p-1022
#define TRIG_MAX_SCALED 0x1p1000
#define TRIG_MAX_TURN   0x1p45
#define TRIG_EXP_LO     -746.0
#define TRIG_EXP_HI     710.0
#define TRIG_MAX_POWER  0x1p65
// pi/2 in three parts, n times the first two exact for |n| <= 2^16; ln 2 in two, for |n| <= 2^11
#define TRIG_PIO2_A     0x1.921fb5444p+0
#define TRIG_PIO2_B     0x1.68c234c4cp-39
#define TRIG_PIO2_C     0x1.98a2e03707345p-77
#define TRIG_LN2_A      0x1.62e42fefa38p-1
#define TRIG_LN2_B      0x1.ef35793c7673p-45
// angles whose first parts are multiples of 2^-48, so that the first parts add without error
#define TRIG_PI_HI      0x1.921fb54442d18p+1
#define TRIG_PI_LO      0x1.1a62633145c07p-53
#define TRIG_PIO2_HI    0x1.921fb54442d2p+0
#define TRIG_PIO2_LO    -0x1.ee59d9cceba4p-50
#define TRIG_PIO4_HI    0x1.921fb54442d2p-1
#define TRIG_PIO4_LO    -0x1.ee59d9cceba4p-51
#define TRIG_ATAN12_HI  0x1.dac670561bb4p-2
#define TRIG_ATAN12_LO  0x1.ed15bf9117b2fp-51
#endif

#define TRIG_2_OVER_PI       0x1.45f306dc9c883p-1
#define TRIG_1_OVER_LN2      0x1.71547652b82fep+0
#define TRIG_TWO_TO_MANTISSA ((num)((word)1 << TRIG_MANTISSA))
// added to a small number, it leaves the nearest integer in the low bits
#define TRIG_ROUNDER (R(1.5) * TRIG_TWO_TO_MANTISSA)
#define TRIG_SIGN    ((word)1 << (8 * sizeof(num) - 1))

// the bits of a real, one unsigned word per lane
#if TX_LANES > 1
typedef word ints __attribute__((vector_size(sizeof(num) * TX_LANES)));
FN ints bits_of(real x) { return (ints)x; }
FN real real_of(ints b) { return (real)b; }
#else
typedef word ints;
FN ints bits_of(real x) {
    union {
        num value;
        word bits;
    } u;
    u.value = x;
    return u.bits;
}
FN real real_of(ints b) {
    union {
        num value;
        word bits;
    } u;
    u.bits = b;
    return u.value;
}
#endif

// the leading half of the significand; x minus it is exact
FN real upper_half(real x) { return real_of(bits_of(x) & ~(((word)1 << TRIG_HALF_BITS) - 1)); }
// nearest integer, |x| < 2^(TRIG_MANTISSA - 1)
FN real nearest_integer(real x) { return (x + TRIG_ROUNDER) - TRIG_ROUNDER; }
// 2^n of an integer n in the range of normal numbers
FN real power_of_two(real n) { return real_of(bits_of(n + (TRIG_ROUNDER + R(TRIG_BIAS))) << TRIG_MANTISSA); }
FN mask sign_bit(real x) { return (bits_of(x) & TRIG_SIGN) != 0; }

// c[0] + c[1] z + ... + c[n-1] z^(n-1): even and odd powers apart, so that two chains run side by side
#define TRIG_POLY(name, type)                                                    \
    FN type name(type z, const num *c, int n) {                                  \
        type w = z * z, even = c[n - 1] - (type){0}, odd = c[n - 2] - (type){0}; \
        for (int i = n - 3; i >= 0; i -= 2) even = even * w + c[i];              \
        for (int i = n - 4; i >= 0; i -= 2) odd = odd * w + c[i];                \
        return n % 2 ? even + z * odd : odd + z * even;                          \
    }
TRIG_POLY(trig_poly, real)

// ---- sine and cosine -----------------------------------------------------------------------------------------------

#define SINCOS_NAME         lane_sincos
#define SINCOS_POLY         trig_poly
#define SINCOS_REAL         real
#define SINCOS_INTS         ints
#define SINCOS_ABS(x)       vabs(x)
#define SINCOS_SEL(m, a, b) sel(m, a, b)
#define SINCOS_BITS(x)      bits_of(x)
#define SINCOS_OF(bits)     real_of(bits)
#include "lane/sincos.h"

#if TX_LANES == 1
// of four angles of one environment, each with the operations and the bits of lane_sincos()
typedef num trig_four __attribute__((vector_size(4 * sizeof(num))));
typedef word trig_words __attribute__((vector_size(4 * sizeof(num))));
typedef num_bits trig_masks __attribute__((vector_size(4 * sizeof(num))));
FN trig_four trig_select(trig_masks m, trig_four a, trig_four b) {
    return (trig_four)((m & (trig_masks)a) | (~m & (trig_masks)b));
}
TRIG_POLY(four_poly, trig_four)
#define SINCOS_NAME         four_sincos
#define SINCOS_POLY         four_poly
#define SINCOS_REAL         trig_four
#define SINCOS_INTS         trig_words
#define SINCOS_ABS(x)       ((trig_four)((trig_words)(x) & ~TRIG_SIGN))
#define SINCOS_SEL(m, a, b) trig_select(m, a, b)
#define SINCOS_BITS(x)      ((trig_words)(x))
#define SINCOS_OF(bits)     ((trig_four)(bits))
#include "lane/sincos.h"
#endif

FN real lane_sin(real x) {
    real s, c;
    lane_sincos(x, &s, &c);
    return s;
}

FN real lane_cos(real x) {
    real s, c;
    lane_sincos(x, &s, &c);
    return c;
}

// ---- exponential, logarithm, power ---------------------------------------------------------------------------------

// e^(hi + lo), lo much smaller than hi
FN real exp_of_sum(real hi, real lo) {
    static const num exp_c[] = {R(0.50000000000000111),    R(0.1666666666666641),     R(0.041666666666529184),
                                R(0.0083333333334956201),  R(0.0013888888943924169),  R(0.00019841269504793015),
                                R(2.4801492761121209e-05), R(2.7557587305689388e-06), R(2.7630379229307329e-07),
                                R(2.4999979701068301e-08)};
    mask low = hi<R(TRIG_EXP_LO), high = hi> R(TRIG_EXP_HI);
    hi = sel(low, splat(R(TRIG_EXP_LO)), sel(high, splat(R(TRIG_EXP_HI)), hi));
    lo = sel(low | high, splat(R(0)), lo);

    // hi + lo = n ln 2 + (a + b), a exact; e^(a + b) = 1 + a + b + r^2 E(r)
    real n = nearest_integer(hi * R(TRIG_1_OVER_LN2));
    real a = hi - n * R(TRIG_LN2_A);
    real b = lo - n * R(TRIG_LN2_B);
    real r = a + b;
    real e = R(1) + (a + (b + (r * r) * trig_poly(r, exp_c, 10)));

    // 2^n in two steps: both factors stay normal where the result overflows or underflows
    real m = nearest_integer(n * R(0.5));
    return (e * power_of_two(m)) * power_of_two(n - m);
}

FN real lane_exp(real x) { return exp_of_sum(x, splat(R(0))); }

// x = 2^k m, m in [sqrt(1/2), sqrt(2)), for finite x > 0
FN void split_power(real x, real *k, real *m) {
    mask tiny = x < R(TRIG_MIN_NORMAL);
    x = sel(tiny, x * (R(4) * TRIG_TWO_TO_MANTISSA), x);
    word one = (word)TRIG_BIAS << TRIG_MANTISSA;
    ints b = bits_of(x) + (one - TRIG_SQRT_HALF);
    // the exponent becomes a number in the low bits of 2^TRIG_MANTISSA
    ints exponent = (b >> TRIG_MANTISSA) | ((word)(TRIG_BIAS + TRIG_MANTISSA) << TRIG_MANTISSA);
    real removed = sel(tiny, splat(R(TRIG_BIAS + TRIG_MANTISSA + 2)), splat(R(TRIG_BIAS)));
    *k = (real_of(exponent) - TRIG_TWO_TO_MANTISSA) - removed;
    *m = real_of((b & (((word)1 << TRIG_MANTISSA) - 1)) + TRIG_SQRT_HALF);
}

// (2 atanh(s) - 2 s) / s^3 at z = s^2, |s| <= 0.1716
FN real atanh_rest(real z) {
    static const num log_c[] = {R(0.66666666666666663), R(0.40000000000006242), R(0.28571428569087287),
                                R(0.22222222646579992), R(0.1818177568318155),  R(0.15387089972919196),
                                R(0.13250136059730691), R(0.13251164182536232)};
    return trig_poly(z, log_c, 8);
}

// log(0) is minus infinity, negative x give NaN
FN real lane_log(real x) {
    real k, m;
    split_power(x, &k, &m);

    // log(1 + f) = f - (f^2/2 - s (f^2/2 + R)), s = f / (2 + f), R = z atanh_rest(z)
    real f = m - R(1);
    real s = f / (f + R(2));
    real z = s * s;
    real half = (f * f) * R(0.5);
    real small = s * (half + z * atanh_rest(z)) + k * R(TRIG_LN2_B);
    real y = k * R(TRIG_LN2_A) - ((half - small) - f);

    real infinity = splat((num)INFINITY);
    y = sel(x < infinity, y, x);
    y = sel(x > R(0), y, sel(x == R(0), -infinity, splat((num)NAN)));
    return y;
}

// x^y for x >= 0; 1 where y is 0 or x is 1 whatever the other is, then NaN where x < 0 or either is NaN
FN real lane_pow(real x, real y) {
    real k, m;
    split_power(x, &k, &m);

    // s = (m - 1)/(m + 1) as sh + sl: sh has half the bits, sl is the remainder of the division
    real f = m - R(1);
    real d = m + R(1);
    real over_d = R(1) / d;
    real sh = upper_half(f * over_d);
    real dh = upper_half(d);
    real dl = m - (dh - R(1));
    real sl = ((f - sh * dh) - sh * dl) * over_d;
    real s = sh + sl;

    // log x = k ln 2 + 2 s + s^3 A(s^2) as lh + ll, lh with half the bits
    real z = s * s;
    real small = (R(2) * sl + (s * z) * atanh_rest(z)) + k * R(TRIG_LN2_B);
    real ka = k * R(TRIG_LN2_A), s2 = R(2) * sh;
    real big = ka + s2;
    small = small + ((ka - big) + s2);
    real lh = upper_half(big + small);
    real ll = (big - lh) + small;

    // y log x as ph + pl, ph exact
    real yc = sel(y > R(TRIG_MAX_POWER), splat(R(TRIG_MAX_POWER)), y);
    yc = sel(y < R(-TRIG_MAX_POWER), splat(R(-TRIG_MAX_POWER)), yc);
    real yh = upper_half(yc);
    real ph = yh * lh;
    real pl = (yc - yh) * lh + yc * ll;
    real p = exp_of_sum(ph, pl);

    // 0 and infinity, then what is no number, then what is 1
    real infinity = splat((num)INFINITY);
    mask from_zero = x == R(0), from_infinity = x == infinity, down = y < R(0);
    p = sel(from_zero, sel(down, infinity, splat(R(0))), p);
    p = sel(from_infinity, sel(down, splat(R(0)), infinity), p);
    p = sel((x >= R(0)) & (y == y), p, splat((num)NAN));
    return sel((x == R(1)) | (y == R(0)), splat(R(1)), p);
}

// ---- inverse functions ---------------------------------------------------------------------------------------------

FN real lane_atan2(real y, real x) {
    static const num atan_c[] = {R(-0.33333333333333315),  R(0.19999999999992504),   R(-0.14285714284631182),
                                 R(0.11111111032927543),   R(-0.090909058041795845), R(0.076922205099640428),
                                 R(-0.066651436414033149), R(0.058645062945489858),  R(-0.05123213621261534),
                                 R(0.040456830360531555),  R(-0.020851818760410607)};
    real ax = vabs(x), ay = vabs(y), zero = splat(R(0)), one = splat(R(1));
    mask steep = ay > ax;
    real a = sel(steep, ax, ay), b = sel(steep, ay, ax);

    // a/b in [0, 1] without 0/0, infinity/infinity or overflow below
    real infinity = splat((num)INFINITY);
    mask endless = b == infinity;
    a = sel(endless, sel(a == infinity, one, zero), a);
    b = sel(endless | (b == R(0)), one, b);
    real scale = sel(b > R(TRIG_MAX_SCALED), splat(R(0.0625)), one);
    a = a * scale;
    b = b * scale;

    // atan(a/b) = base + atan(q), base 0, atan(1/2) or pi/4; the numerators of q are exact
    mask middle = a > b * R(0.375), upper = a > b * R(0.6875);
    real top = sel(upper, a - b, sel(middle, R(2) * a - b, a));
    real bottom = sel(upper, a + b, sel(middle, R(2) * b + a, b));
    real base_hi = sel(upper, splat(R(TRIG_PIO4_HI)), sel(middle, splat(R(TRIG_ATAN12_HI)), zero));
    real base_lo = sel(upper, splat(R(TRIG_PIO4_LO)), sel(middle, splat(R(TRIG_ATAN12_LO)), zero));
    real q = top / bottom;
    real z = q * q;

    // first octant to half plane: start + turn atan(a/b); the first parts add exactly
    mask left = sign_bit(x);
    real start_hi = sel(steep, splat(R(TRIG_PIO2_HI)), sel(left, splat(R(TRIG_PI_HI)), zero));
    real start_lo = sel(steep, splat(R(TRIG_PIO2_LO)), sel(left, splat(R(TRIG_PI_LO)), zero));
    real turn = sel(steep, -one, one) * sel(left, -one, one);
    real rest = (q * z) * trig_poly(z, atan_c, 11) + (base_lo + turn * start_lo);
    real angle = (start_hi + turn * base_hi) + turn * (q + rest);
    return sel((x == x) & (y == y), copysign_of(angle, y), x + y);
}

// |x| = sin(s + t) up to 1/2; above it pi/2 - 2 (s + t), by the half angle
FN mask asin_parts(real x, real *s, real *t) {
    static const num asin_c[] = {R(0.1666666666666676),   R(0.074999999999707995), R(0.044642857174611694),
                                 R(0.030381942707799633), R(0.022372214987035389), R(0.017351612026754469),
                                 R(0.013980820374319131), R(0.011398913685233091), R(0.010780244792012924),
                                 R(0.003706437155830159), R(0.021707383529700575), R(-0.020998981092665757),
                                 R(0.032628578211750782)};
    real a = vabs(x);
    mask upper = a > R(0.5);
    real z = sel(upper, (R(1) - a) * R(0.5), a * a);
    *s = sel(upper, vsqrt(z), a);
    *t = (*s * z) * trig_poly(z, asin_c, 13);
    return upper;
}

FN real lane_asin(real x) {
    real s, t;
    mask upper = asin_parts(x, &s, &t);
    // pi/2 - 2 s - 2 t, with what the first difference loses added back
    real s2 = R(2) * s;
    real head = R(TRIG_PIO2_HI) - s2;
    real lost = (R(TRIG_PIO2_HI) - head) - s2;
    real near_one = head + (lost + (R(TRIG_PIO2_LO) - R(2) * t));
    return copysign_of(sel(upper, near_one, s + t), x);
}

FN real lane_acos(real x) {
    real s, t;
    mask upper = asin_parts(x, &s, &t);
    mask left = x < R(0);
    real right_end = R(2) * (s + t);
    real left_end = R(TRIG_PI_HI) - (R(2) * s + (R(2) * t - R(TRIG_PI_LO)));
    // the middle: pi/2 - asin(x)
    real middle = R(TRIG_PIO2_HI) - (copysign_of(s, x) + (copysign_of(t, x) - R(TRIG_PIO2_LO)));
    return sel(upper, sel(left, left_end, right_end), middle);
}
