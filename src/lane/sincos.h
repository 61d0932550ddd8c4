// sincos.h - sine and cosine of a number type that trig.h names: the lanes' own, or four numbers of one environment.
// Included once for each of them. lanes: any

// |x| > TRIG_MAX_TURN counts as 0, so that the pair always is a rotation; infinities and NaN give NaN
FN void SINCOS_NAME(SINCOS_REAL x, SINCOS_REAL *s, SINCOS_REAL *c) {
    static const num sin_c[] = {R(-0.1666666666666663),   R(0.0083333333333221078),   R(-0.00019841269829580003),
                                R(2.755731361797104e-06), R(-2.5050747211955754e-08), R(1.5896197315732087e-10)};
    static const num cos_c[] = {R(0.041666666666666602),    R(-0.0013888888888874125), R(2.4801587289482198e-05),
                                R(-2.7557314352330282e-07), R(2.0875723272311666e-09), R(-1.1359647736190627e-11)};
    x = SINCOS_SEL(SINCOS_ABS(x) <= R(TRIG_MAX_TURN), x, x * R(0));

    // x = n pi/2 + (r - tail), |r| <= pi/4; each difference passes its rounding error on to the next
    SINCOS_REAL shifted = x * R(TRIG_2_OVER_PI) + TRIG_ROUNDER;
    SINCOS_REAL n = shifted - TRIG_ROUNDER;
    SINCOS_REAL t = x - n * R(TRIG_PIO2_A);
    SINCOS_REAL nb = n * R(TRIG_PIO2_B);
    SINCOS_REAL u = t - nb;
    SINCOS_REAL rest = n * R(TRIG_PIO2_C) - ((t - u) - nb);
    SINCOS_REAL r = u - rest;
    SINCOS_REAL tail = rest - (u - r);

    // sin r = r - (tail - r^3 S), cos r = 1 - z/2 + (z^2 C + r tail), with what 1 - z/2 loses added back
    SINCOS_REAL z = r * r;
    SINCOS_REAL sr = r - (tail - (r * z) * SINCOS_POLY(z, sin_c, 6));
    SINCOS_REAL half = z * R(0.5);
    SINCOS_REAL top = R(1) - half;
    SINCOS_REAL cr = top + (((R(1) - top) - half) + ((z * z) * SINCOS_POLY(z, cos_c, 6) + r * tail));

    // quadrant: odd ones exchange the two, the second bit is the sign
    SINCOS_INTS q = SINCOS_BITS(shifted);
    const int to_sign = (int)(8 * sizeof(num) - 2);
    *s = SINCOS_OF(SINCOS_BITS(SINCOS_SEL((q & 1) != 0, cr, sr)) ^ ((q << to_sign) & TRIG_SIGN));
    *c = SINCOS_OF(SINCOS_BITS(SINCOS_SEL((q & 1) != 0, sr, cr)) ^ (((q + 1) << to_sign) & TRIG_SIGN));
}
#undef SINCOS_NAME
#undef SINCOS_POLY
#undef SINCOS_REAL
#undef SINCOS_INTS
#undef SINCOS_ABS
#undef SINCOS_SEL
#undef SINCOS_BITS
#undef SINCOS_OF
