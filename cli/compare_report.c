// compare_report.c - the HTML of thixis compare: pictures, error curves, profiles, violations. Nothing is loaded from
// elsewhere.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare.h"
#include "thixis/plot.h"

static void put_text(FILE *out, const char *text) {
    for (const char *c = text; *c; c++) {
        if (*c == '&') fputs("&amp;", out);
        else if (*c == '<') fputs("&lt;", out);
        else if (*c == '>') fputs("&gt;", out);
        else fputc(*c, out);
    }
}

static void put_command(FILE *out, const compare_result *r) {
    fputs("<pre class=\"command\">", out);
    put_text(out, r->command);
    fputs("</pre>\n", out);
}

// the content of a file, as it is or in base 64
static void put_file(FILE *out, const char *path, bool encoded) {
    static const char SIGNS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    FILE *in = fopen(path, "rb");
    if (!in) return;
    unsigned char b[3];
    for (size_t n; (n = fread(b, 1, 3, in)) > 0;) {
        if (!encoded) {
            fwrite(b, 1, n, out);
            continue;
        }
        if (n < 3) memset(b + n, 0, 3 - n);
        fputc(SIGNS[b[0] >> 2], out), fputc(SIGNS[(b[0] & 3) << 4 | b[1] >> 4], out);
        fputc(n > 1 ? SIGNS[(b[1] & 15) << 2 | b[2] >> 6] : '=', out), fputc(n > 2 ? SIGNS[b[2] & 63] : '=', out);
    }
    fclose(in);
}

// a plot, if there is anything to draw, and the command below it; with a folder for figures it is NAME.svg there
static bool put_plot(FILE *out, const tx_plot *plot, const char *name, const compare_result *r) {
    char path[1024] = "/tmp/thixis-plot.XXXXXX";
    if (r->figures) snprintf(path, sizeof path, "%s/%s.svg", r->figures, name);
    const int file = r->figures ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : mkstemp(path);
    tx_result drawn = file >= 0 && close(file) == 0 ? tx_plot_write_svg(plot, path) : TX_ERROR_FILE;
    if (drawn == TX_OK) {
        fputs("<figure>", out);
        put_file(out, path, false);
        fputs("<figcaption>", out);
        put_command(out, r);
        fputs("</figcaption></figure>\n", out);
    }
    if (drawn == TX_ERROR_FILE) fprintf(stderr, "thixis compare: cannot write %s: %s\n", path, strerror(errno));
    if (!r->figures || drawn != TX_OK) unlink(path);
    return drawn != TX_ERROR_FILE;
}

// rows [begin, end) are of one law and model; a scene each, or all scenes of the profile
typedef struct curve_set {
    double x[TX_PLOT_SERIES_MAX][COMPARE_CURVE], y[TX_PLOT_SERIES_MAX][COMPARE_CURVE];
    tx_plot_series series[TX_PLOT_SERIES_MAX];
} curve_set;

static bool put_curves(FILE *out, const compare_result *r, int begin, int end, bool time) {
    static curve_set set;
    char title[320], name[400];
    const compare_row *first = &r->rows[begin];
    const int count = end - begin < TX_PLOT_SERIES_MAX ? end - begin : TX_PLOT_SERIES_MAX;
    for (int s = 0; s < count; s++) {
        const compare_point *m = &r->rows[begin + s].middle;
        int n = 0;
        for (int k = 0; k < COMPARE_CURVE; k++) {
            const double x = time ? m->curve_us[k] : (double)(1 << k), y = fmax(m->curve[k], 1e-12);
            // beyond the last change nothing is drawn
            if (!(x > 0) || !isfinite(m->curve[k]) || (k > 0 && m->curve[k] == m->curve[k - 1])) continue;
            set.x[s][n] = x, set.y[s][n++] = y;
        }
        set.series[s] = (tx_plot_series){r->rows[begin + s].solver, set.x[s], set.y[s], n};
    }
    snprintf(title, sizeof title, "%s, law %s%s%s", first->scene, first->law, *first->model ? ", " : "", first->model);
    const tx_plot plot = {.title = title,
                          .x_label = time ? "time [us], median" : "iterations",
                          .y_label = "solve error, median (down to 1e-12)",
                          .series = set.series,
                          .series_count = count,
                          .log_x = true,
                          .log_y = true};
    snprintf(name, sizeof name, "%s-%s%s%s-%s", first->scene, first->law, *first->model ? "-" : "", first->model,
             time ? "time" : "iterations");
    return put_plot(out, &plot, name, r);
}

// ---- profiles ------------------------------------------------------------------------------------------------------

static bool same_question(const compare_row *a, const compare_row *b) {
    return strcmp(a->law, b->law) == 0 && strcmp(a->model, b->model) == 0;
}

// where the points of row i begin
static const compare_point *points_of(const compare_result *r, int i) {
    const compare_point *at = r->points;
    for (int k = 0; k < i; k++) at += r->rows[k].count;
    return at;
}

// the best time of problem k among the rows that have it and answer the same question
static double best_time(const compare_result *r, const compare_row *like, int problem) {
    double best = INFINITY;
    for (int i = 0; i < r->row_count; i++) {
        const compare_row *row = &r->rows[i];
        if (!same_question(row, like) || problem < row->first || problem >= row->first + row->count) continue;
        const compare_point *p = points_of(r, i) + (problem - row->first);
        if (p->converged) best = fmin(best, p->us);
    }
    return best;
}

// share of all problems of a question that a solver solves within a factor of the best
static double share_within(const compare_result *r, const compare_row *like, double factor, int *total) {
    int solved = 0;
    *total = 0;
    for (int i = 0; i < r->row_count; i++) {
        const compare_row *row = &r->rows[i];
        if (!same_question(row, like) || strcmp(row->solver, like->solver) != 0) continue;
        const compare_point *p = points_of(r, i);
        for (int k = 0; k < row->count; k++, ++*total)
            solved += p[k].converged && p[k].us <= factor * best_time(r, like, row->first + k) * (1 + 1e-12);
    }
    return *total ? (double)solved / *total : 0;
}

enum { PROFILE = 25 };

static bool put_profile(FILE *out, const compare_result *r, int of) {
    static double x[PROFILE], y[TX_PLOT_SERIES_MAX][PROFILE];
    tx_plot_series series[TX_PLOT_SERIES_MAX];
    const compare_row *like = &r->rows[of];
    int count = 0, total = 0;
    char title[256], name[128];
    for (int k = 0; k < PROFILE; k++) x[k] = pow(10, 3.0 * k / (PROFILE - 1));
    for (int i = 0; i < r->row_count && count < TX_PLOT_SERIES_MAX; i++) {
        bool seen = !same_question(&r->rows[i], like);
        for (int k = 0; k < count && !seen; k++) seen = strcmp(series[k].name, r->rows[i].solver) == 0;
        if (seen) continue;
        for (int k = 0; k < PROFILE; k++) y[count][k] = share_within(r, &r->rows[i], x[k], &total);
        series[count] = (tx_plot_series){r->rows[i].solver, x, y[count], PROFILE};
        count++;
    }
    snprintf(title, sizeof title, "law %s%s%s: problems solved to %g within a factor of the fastest", like->law,
             *like->model ? ", " : "", like->model, r->tol);
    const tx_plot plot = {.title = title,
                          .x_label = "time / time of the fastest solver",
                          .y_label = "share of problems",
                          .series = series,
                          .series_count = count,
                          .log_x = true,
                          .from_zero = true};
    snprintf(name, sizeof name, "profile-%s%s%s", like->law, *like->model ? "-" : "", like->model);
    return put_plot(out, &plot, name, r);
}

// ---- table ---------------------------------------------------------------------------------------------------------

static void put_number(FILE *out, const char *format, double value) {
    fputs("<td>", out);
    if (isfinite(value)) fprintf(out, format, value); // NOLINT: formats are below
    else fputs("–", out);
    fputs("</td>", out);
}

static void put_table(FILE *out, const compare_result *r) {
    fputs("<table><thead><tr><th>scene<th>law<th>model<th>solver<th>iterations<th>products<th>µs<th>residual"
          "<th>NCP<th>CCP<th>approach<th>beyond cone<th>dissipation<th>slip<th>penetration [m]<th>not converged"
          "</tr></thead><tbody>\n",
          out);
    for (int i = 0; i < r->row_count; i++) {
        const compare_row *row = &r->rows[i];
        const compare_point *m = &row->middle;
        const bool box = strcmp(row->model, "box") == 0;
        const char *words[] = {row->scene, row->law,
                               box           ? "box: a different model"
                               : *row->model ? row->model
                                             : "–",
                               row->solver};
        fputs("<tr>", out);
        for (int k = 0; k < 4; k++) fputs("<td>", out), put_text(out, words[k]), fputs("</td>", out);
        put_number(out, "%.0f", m->iterations), put_number(out, "%.0f", m->products), put_number(out, "%.0f", m->us);
        const double small[] = {m->residual, m->residual_ncp, m->residual_ccp, m->approach,
                                m->excess,   m->dissipation,  m->slip,         row->penetration};
        for (size_t k = 0; k < sizeof small / sizeof small[0]; k++) put_number(out, "%.1e", small[k]);
        fprintf(out, "<td%s>%d of %d</td></tr>\n", row->not_converged ? " class=\"bad\"" : "", row->not_converged,
                row->count);
    }
    fputs("</tbody></table>\n", out);
}

static const char STYLE[] =
    "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>thixis compare</title><style>"
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse;font-size:13px;display:block;overflow-x:auto}"
    "th,td{padding:.25rem .35rem;text-align:right;border-bottom:1px solid #ddd;white-space:nowrap}"
    "th{white-space:normal;vertical-align:bottom}"
    "td:nth-child(-n+4),th:nth-child(-n+4){text-align:left}.bad{color:#b00020}"
    "figure{display:inline-block;margin:0 1rem 1.5rem 0;vertical-align:top}svg,img{max-width:100%;height:auto}"
    ".command{background:#f4f4f4;padding:.4rem .6rem;font-size:12px;white-space:pre-wrap;max-width:44rem;margin:.2rem "
    "0}"
    "</style></head><body>\n";

static bool put_report(FILE *out, const compare_result *r) {
    bool good = true;
    fputs(STYLE, out);
    fprintf(out,
            "<h1>The same contact problems through every solver</h1>\n<p>%d problems. <b>residual</b> is the solve "
            "error of a row's own law: compare solvers inside one law and model only. NCP and CCP are the natural "
            "maps of rigid contact with and without De Saxcé's shift. Iterations, products and times are medians, "
            "residuals and violations the worst of a scene.</p>\n",
            r->problem_count);
    put_command(out, r);
    for (int i = 0; r->pictures[i]; i++) {
        fputs("<figure><img alt=\"the scene at the end\" src=\"data:image/png;base64,", out);
        put_file(out, r->pictures[i], true);
        fputs("\"><figcaption>", out);
        put_command(out, r);
        fputs("</figcaption></figure>\n", out);
    }
    fputs("<h2>Figures and violations</h2>\n", out);
    put_table(out, r);
    put_command(out, r);
    fputs("<h2>Performance profiles</h2>\n", out);
    for (int i = 0; i < r->row_count; i++) {
        bool seen = false;
        for (int k = 0; k < i && !seen; k++) seen = same_question(&r->rows[k], &r->rows[i]);
        if (!seen) good = put_profile(out, r, i) && good;
    }
    fputs("<h2>Error over iterations and time</h2>\n<p>A limit of 1, 2, 4 … iterations, each from the start.</p>\n",
          out);
    for (int begin = 0, end; begin < r->row_count; begin = end) {
        for (end = begin + 1; end < r->row_count; end++)
            if (r->rows[end].first != r->rows[begin].first || !same_question(&r->rows[end], &r->rows[begin])) break;
        good = put_curves(out, r, begin, end, false) && good;
        good = put_curves(out, r, begin, end, true) && good;
    }
    fputs("</body></html>\n", out);
    return good;
}

bool compare_report(const compare_result *r, const char *path) {
    FILE *out = fopen(path, "w");
    const bool drawn = !out || put_report(out, r), good = out && !ferror(out);
    if ((out && fclose(out) != 0) || !good) {
        fprintf(stderr, "thixis compare: cannot write %s: %s\n", path, strerror(errno));
        return false;
    }
    return drawn;
}
