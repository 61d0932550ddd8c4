// number.c - lists of numbers out of text.
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "load/text.h"

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// a word of the text: [at, end)
typedef struct word {
    const char *at, *end;
} word;

static bool next_word(const char **text, word *w) {
    const char *at = *text;
    while (is_space(*at)) at++;
    w->at = at;
    while (*at && !is_space(*at)) at++;
    *text = w->end = at;
    return w->end > w->at;
}

// strtod reads the locale's decimal point, so it is put in place of ours
static tx_number_error read_slowly(word w, double *value) {
    char copy[512];
    const char *point = localeconv()->decimal_point;
    size_t used = 0, point_size = strlen(point);
    for (const char *at = w.at; at < w.end; at++) {
        bool is_point = *at == '.';
        size_t size = is_point ? point_size : 1;
        if (used + size >= sizeof copy) return TX_NUMBER_BAD;
        memcpy(copy + used, is_point ? point : at, size);
        used += size;
    }
    copy[used] = 0;
    *value = strtod(copy, NULL);
    return isfinite(*value) ? TX_NUMBER_OK : TX_NUMBER_NOT_FINITE;
}

static bool equal_nocase(word w, const char *other) {
    for (const char *at = w.at; at < w.end; at++, other++) {
        if ((*at | 32) != *other) return false;
    }
    return *other == 0;
}

static tx_number_error read_real(word w, double *value) {
    const char *at = w.at;
    bool negative = *at == '-';
    if (*at == '-' || *at == '+') at++;

    // digits with at most one point: an integer mantissa and a power of ten
    uint64_t mantissa = 0;
    int digits = 0, used = 0, exponent = 0;
    bool point = false;
    for (; at < w.end && (is_digit(*at) || (*at == '.' && !point)); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        digits++;
        exponent -= point;
        mantissa = used < 18 ? 10 * mantissa + (uint64_t)(*at - '0') : mantissa;
        used += used > 0 || *at != '0';
    }
    if (!digits) {
        word bare = {at, w.end};
        bool not_finite = equal_nocase(bare, "nan") || equal_nocase(bare, "inf") || equal_nocase(bare, "infinity");
        return not_finite ? TX_NUMBER_NOT_FINITE : TX_NUMBER_BAD;
    }
    if (at < w.end && (*at | 32) == 'e') {
        bool down = ++at < w.end && *at == '-';
        if (at < w.end && (*at == '-' || *at == '+')) at++;
        if (at == w.end) return TX_NUMBER_BAD;
        int power = 0;
        for (; at < w.end && is_digit(*at); at++) power = power < 10000 ? 10 * power + (*at - '0') : power;
        exponent += down ? -power : power;
    }
    if (at < w.end) return TX_NUMBER_BAD;

    // both factors are exact in a double, so one operation rounds correctly (Clinger 1990)
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (used <= 15 && exponent >= -22 && exponent <= 22) {
        double x = exponent < 0 ? (double)mantissa / powers[-exponent] : (double)mantissa * powers[exponent];
        *value = negative ? -x : x;
        return TX_NUMBER_OK;
    }
    return read_slowly(w, value);
}

static tx_number_error read_int(word w, int *value) {
    const char *at = w.at;
    bool negative = *at == '-';
    if (*at == '-' || *at == '+') at++;
    if (at == w.end) return TX_NUMBER_BAD;
    long long x = 0;
    for (; at < w.end && is_digit(*at); at++) x = x <= INT_MAX ? 10 * x + (*at - '0') : x;
    if (at < w.end) return TX_NUMBER_BAD;
    if (x > INT_MAX) return TX_NUMBER_RANGE;
    *value = (int)(negative ? -x : x);
    return TX_NUMBER_OK;
}

static int fail(tx_number_problem *problem, tx_number_error error, word w) {
    *problem = (tx_number_problem){error, w.at, (int)(w.end - w.at < 40 ? w.end - w.at : 40)};
    return -1;
}

int tx_read_reals(const char *text, double *values, int max, tx_number_problem *problem) {
    int count = 0;
    for (word w; next_word(&text, &w); count++) {
        double value = 0;
        tx_number_error error = read_real(w, &value);
        if (error) return fail(problem, error, w);
        if (count < max) values[count] = value;
    }
    return count;
}

int tx_read_ints(const char *text, int *values, int max, tx_number_problem *problem) {
    int count = 0;
    for (word w; next_word(&text, &w); count++) {
        int value = 0;
        tx_number_error error = read_int(w, &value);
        if (error) return fail(problem, error, w);
        if (count < max) values[count] = value;
    }
    return count;
}
