// plot.c - lines and stacked bars as SVG: a range for each axis, round ticks, then one element per mark.
#include "thixis/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEFT = 68, RIGHT = 20, TOP = 40, BOTTOM = 78, LEGEND_ROW = 18 };

// colour-blind safe (Okabe and Ito 2008), dark enough on white
static const char *const COLOURS[TX_PLOT_SERIES_MAX] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                        "#e69f00", "#56b4e9", "#555555", "#b8a800"};

// numbers low .. high lie on pixels from .. to
typedef struct axis {
    double low, high, from, to;
    bool logarithmic;
} axis;

static double scaled(const axis *a, double value) { return a->logarithmic ? log10(value) : value; }

static double pixel(const axis *a, double value) {
    double low = scaled(a, a->low), high = scaled(a, a->high);
    return a->from + (a->to - a->from) * (scaled(a, value) - low) / (high - low);
}

static void put_text(FILE *out, const char *text) {
    for (const char *c = text ? text : ""; *c; c++) {
        if (*c == '&') fputs("&amp;", out);
        else if (*c == '<') fputs("&lt;", out);
        else if (*c == '>') fputs("&gt;", out);
        else fputc(*c, out);
    }
}

// one line of text; anchor is start, middle or end
static void put_label(FILE *out, double x, double y, const char *anchor, const char *more, const char *text) {
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, more);
    put_text(out, text);
    fputs("</text>\n", out);
}

// ---- axes ----------------------------------------------------------------------------------------------------------

// 1, 2 or 5 times a power of ten, so that about `count` of them fill the range
static double round_step(double range, int count) {
    double rough = range / count, power = pow(10, floor(log10(rough))), part = rough / power;
    return power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
}

static void number_text(char *text, size_t size, double value) {
    double magnitude = fabs(value);
    if (magnitude >= 1e6) snprintf(text, size, "%gM", value / 1e6);
    else if (magnitude >= 1e4) snprintf(text, size, "%gk", value / 1e3);
    else snprintf(text, size, "%.6g", fabs(value) < 1e-12 ? 0 : value);
}

static void put_tick(FILE *out, const axis *a, const axis *across, double value, bool horizontal) {
    char text[32];
    double p = pixel(a, value);
    number_text(text, sizeof text, value);
    if (horizontal) {
        fprintf(out, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>\n", p, across->from, across->to);
        put_label(out, p, across->from + 17, "middle", "", text);
    } else {
        fprintf(out, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>\n", across->from, p, across->to);
        put_label(out, across->from - 7, p + 4, "end", "", text);
    }
}

// powers of two when the range is a few octaves, else powers of ten
static void put_log_ticks(FILE *out, const axis *a, const axis *across, bool horizontal) {
    double decades = log10(a->high / a->low), base = decades < 4 ? 2 : 10, every = 1;
    if (base == 2) every = ceil(log2(a->high / a->low) / 14);
    double factor = pow(base, every), at = pow(base, ceil(log(a->low) / log(base) - 1e-9));
    for (; at <= a->high * (1 + 1e-9); at *= factor) put_tick(out, a, across, at, horizontal);
}

static void put_ticks(FILE *out, const axis *a, const axis *across, bool horizontal) {
    if (a->logarithmic) {
        put_log_ticks(out, a, across, horizontal);
        return;
    }
    double step = round_step(a->high - a->low, horizontal ? 8 : 6);
    for (double at = ceil(a->low / step - 1e-9) * step; at <= a->high + 1e-9 * step; at += step)
        put_tick(out, a, across, at, horizontal);
}

// ---- ranges --------------------------------------------------------------------------------------------------------

static bool include(axis *a, double value) {
    if (!isfinite(value)) return true;
    if (a->logarithmic && !(value > 0)) return false;
    if (value < a->low) a->low = value;
    if (value > a->high) a->high = value;
    return true;
}

static bool line_ranges(const tx_plot *p, axis *x, axis *y) {
    for (int s = 0; s < p->series_count; s++)
        for (int i = 0; i < p->series[s].count; i++)
            if (!include(x, p->series[s].x[i]) || !include(y, p->series[s].y[i])) return false;
    if (p->from_zero && !y->logarithmic) include(y, 0);
    return true;
}

static double layer(const tx_plot *p, int series, int category) {
    const tx_plot_series *s = &p->series[series];
    return category < s->count && isfinite(s->y[category]) && s->y[category] > 0 ? s->y[category] : 0;
}

static bool bar_range(const tx_plot *p, axis *y) {
    include(y, 0);
    for (int c = 0; c < p->category_count; c++) {
        double sum = 0;
        for (int s = 0; s < p->series_count; s++) sum += layer(p, s, c);
        include(y, sum);
    }
    return y->high > 0;
}

// a little air above, and a range that is not empty
static bool finish(axis *a) {
    if (!(a->low <= a->high)) return false;
    if (a->logarithmic) {
        if (a->high <= a->low) a->low /= 2, a->high *= 2;
        return true;
    }
    double range = a->high > a->low ? a->high - a->low : fmax(fabs(a->high), 1);
    if (a->high <= a->low) a->low -= range / 2, a->high += range / 2;
    double step = round_step(range, 6);
    a->high = ceil(a->high / step - 1e-9) * step;
    a->low = floor(a->low / step + 1e-9) * step;
    return true;
}

// ---- marks ---------------------------------------------------------------------------------------------------------

static void put_lines(FILE *out, const tx_plot *p, const axis *x, const axis *y) {
    for (int s = 0; s < p->series_count; s++) {
        const tx_plot_series *line = &p->series[s];
        bool pen = false;
        fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" d=\"", COLOURS[s]);
        for (int i = 0; i < line->count; i++) {
            bool there = isfinite(line->x[i]) && isfinite(line->y[i]);
            if (there) fprintf(out, "%c%.1f %.1f", pen ? 'L' : 'M', pixel(x, line->x[i]), pixel(y, line->y[i]));
            pen = there;
        }
        fputs("\"/>\n", out);
        for (int i = 0; i < line->count; i++)
            if (isfinite(line->x[i]) && isfinite(line->y[i]))
                fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", pixel(x, line->x[i]),
                        pixel(y, line->y[i]), COLOURS[s]);
    }
}

static void put_bars(FILE *out, const tx_plot *p, const axis *x, const axis *y) {
    double room = (x->to - x->from) / p->category_count;
    for (int c = 0; c < p->category_count; c++) {
        double sum = 0, left = x->from + (c + 0.18) * room;
        for (int s = 0; s < p->series_count; s++) {
            double part = layer(p, s, c), low = pixel(y, sum), high = pixel(y, sum + part);
            sum += part;
            fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", left, high,
                    0.64 * room, low - high, COLOURS[s]);
        }
        char total[32];
        snprintf(total, sizeof total, "%.3g", sum);
        put_label(out, x->from + (c + 0.5) * room, pixel(y, sum) - 5, "middle", "", total);
        put_label(out, x->from + (c + 0.5) * room, y->from + 17, "middle", "", p->categories[c]);
    }
}

// names in one row below the x label
static void put_legend(FILE *out, const tx_plot *p, double width, double y) {
    double x = LEFT;
    for (int s = 0; s < p->series_count; s++) {
        if (!p->series[s].name) continue;
        fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"/>\n", x, y - 10, COLOURS[s]);
        put_label(out, x + 17, y, "start", "", p->series[s].name);
        x += 36 + 6.8 * (double)strlen(p->series[s].name);
        if (x > width - 80) x = LEFT, y += LEGEND_ROW;
    }
}

static void put_frame(FILE *out, const tx_plot *p, int width, int height, const axis *x, const axis *y) {
    char turn[64];
    double middle_x = (x->from + x->to) / 2, middle_y = (y->from + y->to) / 2;
    fprintf(out, "<path fill=\"none\" stroke=\"#333\" d=\"M%.1f %.1fV%.1fH%.1f\"/>\n", x->from, y->to, y->from, x->to);
    put_label(out, LEFT, 24, "start", " font-size=\"15\" font-weight=\"600\"", p->title);
    put_label(out, middle_x, y->from + 36, "middle", "", p->x_label);
    snprintf(turn, sizeof turn, " transform=\"rotate(-90 16 %.1f)\"", middle_y);
    put_label(out, 16, middle_y, "middle", turn, p->y_label);
    put_legend(out, p, width, height - LEGEND_ROW);
}

static bool is_drawable(const tx_plot *p) {
    if (!p || !p->series || p->series_count < 1 || p->series_count > TX_PLOT_SERIES_MAX) return false;
    if (p->width < 0 || p->height < 0 || (p->categories && p->category_count < 1)) return false;
    for (int s = 0; s < p->series_count; s++)
        if (p->series[s].count < 0 ||
            (p->series[s].count > 0 && (!p->series[s].y || (!p->categories && !p->series[s].x))))
            return false;
    return true;
}

tx_result tx_plot_write_svg(const tx_plot *p, const char *path) {
    if (!is_drawable(p) || !path) return TX_ERROR_ARGUMENT;
    const int width = p->width ? p->width : 720, height = p->height ? p->height : 420;
    if (width < LEFT + RIGHT + 50 || height < TOP + BOTTOM + 50) return TX_ERROR_ARGUMENT;
    axis x = {INFINITY, -INFINITY, LEFT, width - RIGHT, !p->categories && p->log_x};
    axis y = {INFINITY, -INFINITY, height - BOTTOM, TOP, !p->categories && p->log_y};
    bool ok = p->categories ? bar_range(p, &y) : line_ranges(p, &x, &y);
    if (!ok || !finish(&y) || (!p->categories && !finish(&x))) return TX_ERROR_ARGUMENT;
    FILE *out = fopen(path, "w");
    if (!out) return TX_ERROR_FILE;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#222\">\n"
            "<style>.grid{stroke:#ddd;fill:none}</style>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            width, height, width, height, width, height);
    put_ticks(out, &y, &x, false);
    if (p->categories) put_bars(out, p, &x, &y);
    else put_ticks(out, &x, &y, true), put_lines(out, p, &x, &y);
    put_frame(out, p, width, height, &x, &y);
    fputs("</svg>\n", out);
    ok = !ferror(out);
    return fclose(out) == 0 && ok ? TX_OK : TX_ERROR_FILE;
}
