// trig_target.h - the elementary functions over arrays, one table per width and precision (trig_w1.c and its siblings)
#pragma once

// numbers of the target's precision, aligned to 64 bytes, n a multiple of 8; y is read by functions of two arguments
typedef void trig_array_fn(const void *x, const void *y, void *out, int n);

enum { TRIG_SIN, TRIG_COS, TRIG_EXP, TRIG_LOG, TRIG_ASIN, TRIG_ACOS, TRIG_ATAN2, TRIG_POW, TRIG_COUNT };

typedef struct trig_target {
    const char *name;
    trig_array_fn *fn[TRIG_COUNT]; // TRIG_ATAN2: atan2(x, y), TRIG_POW: x to the power y
} trig_target;

extern const trig_target trig_w1, trig_w4, trig_w8, trig_f32;
extern const trig_target trig_fours; // one environment, four angles at a time: sine and cosine
