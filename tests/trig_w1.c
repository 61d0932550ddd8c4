// trig_w1.c - the elementary functions at 1 lane, double
#define TX_LANES  1
#define TRIG_NAME trig_w1
#include "trig_target.inl"

// four angles of one environment side by side
#define OVER_FOURS(name, value)                                          \
    static void name(const void *xs, const void *ys, void *out, int n) { \
        (void)ys;                                                        \
        for (int i = 0; i < n / 4; i++) {                                \
            trig_four s, c;                                              \
            four_sincos(((const trig_four *)xs)[i], &s, &c);             \
            ((trig_four *)out)[i] = value;                               \
        }                                                                \
    }
OVER_FOURS(sin_fours, s)
OVER_FOURS(cos_fours, c)

const trig_target trig_fours = {"trig_fours", {[TRIG_SIN] = sin_fours, [TRIG_COS] = cos_fours}};
