// stream.h - what the fuzzers that read their bytes as choices share: numbers and indices out of bytes.
#pragma once
#include <math.h>
#include <stddef.h>
#include <stdint.h>

typedef struct stream {
    const uint8_t *at, *end;
} stream;

// zero when the bytes are out
static inline int byte(stream *s) { return s->at < s->end ? *s->at++ : 0; }

static inline double number(stream *s) {
    static const double SUSPECTS[] = {0, -0.0, 1, -1, 0.5, 0.1, 1e-9, 1e-6, 1e6, -1e6, 1e-300, 1e300};
    int code = byte(s);
    if (code < 12) return SUSPECTS[code];
    if (code < 14) return code == 12 ? NAN : INFINITY;
    double fraction = (256 * byte(s) + byte(s)) / 32768.0 - 1;
    if (code < 240) return code < 192 ? fraction : fraction * pow(10, code % 13 - 6);
    return fraction * pow(10, 2.4 * (byte(s) - 128));
}

static inline double positive(stream *s) {
    double x = fabs(number(s));
    return isfinite(x) && x > 1e-9 && x < 1e9 ? x : 0.1;
}
