// trig_target.inl - one table of array functions: set TX_LANES and TRIG_NAME, then include. lanes: any
#include "lane/trig.h"
#include "trig_target.h"

#define TRIG_STRING_(x) #x
#define TRIG_STRING(x)  TRIG_STRING_(x)
#define OVER_ARRAY(name, value)                                          \
    static void name(const void *xs, const void *ys, void *out, int n) { \
        for (int i = 0; i < n / TX_LANES; i++) {                         \
            real x = AT(xs, i), y = AT(ys, i);                           \
            (void)y;                                                     \
            AT(out, i) = value;                                          \
        }                                                                \
    }
OVER_ARRAY(sin_array, lane_sin(x))
OVER_ARRAY(cos_array, lane_cos(x))
OVER_ARRAY(exp_array, lane_exp(x))
OVER_ARRAY(log_array, lane_log(x))
OVER_ARRAY(asin_array, lane_asin(x))
OVER_ARRAY(acos_array, lane_acos(x))
OVER_ARRAY(atan2_array, lane_atan2(x, y))
OVER_ARRAY(pow_array, lane_pow(x, y))

const trig_target TRIG_NAME = {
    TRIG_STRING(TRIG_NAME),
    {sin_array, cos_array, exp_array, log_array, asin_array, acos_array, atan2_array, pow_array}};
