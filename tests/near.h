// near.h - numbers compared as doubles. cmocka's assert_float_equal compares floats, and takes NaN for equal to all.
#pragma once
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static inline void check_near(double a, double b, double tolerance, const char *text, const char *file, int line) {
    if (fabs(a - b) <= tolerance || a == b) return;
    print_error("%s is %.17g, not %.17g\n", text, a, b);
    _fail(file, line);
}

/// |a - b| <= tolerance; NaN never is.
#define assert_near(a, b, tolerance) check_near(a, b, tolerance, #a, __FILE__, __LINE__)
