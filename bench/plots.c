// plots.c - the diagrams of docs/performance.md from the CSV files of `thixis bench`. bench/run compiles and calls it.
//
//   plots stages TITLE OUT.svg IN.csv             stacked bars: one per model and width
//   plots envs|threads TITLE OUT.svg IN.csv       lines: steps/s over their number, one line per model
//   plots solvers TITLE OUT.svg IN.csv            lines: time of a solve over the bodies of a pile, one line per solver
//   plots growth TITLE OUT.svg IN.csv             lines: time of a step over the boxes of a pile, of a box and a
//   contact plots returns TITLE OUT.svg IN.csv            lines: what a policy earns over the steps it learned from,
//   one line per seed
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "thixis/plot.h"

enum { ROWS = 256, COLUMNS = 64, STAGES = 6 };

typedef struct table {
    char text[1 << 17];
    char *head[COLUMNS], *cell[ROWS][COLUMNS];
    int columns, rows;
} table;

static int split(char *line, char **out) {
    int count = 0;
    line[strcspn(line, "\r\n")] = 0;
    for (char *word; count < COLUMNS && (word = strsep(&line, ","));) out[count++] = word;
    return count;
}

static bool read_table(const char *path, table *t) {
    FILE *file = fopen(path, "r");
    if (!file) return false;
    t->text[fread(t->text, 1, sizeof t->text - 1, file)] = 0;
    fclose(file);
    char *rest = t->text;
    for (char *line; (line = strsep(&rest, "\n")) && t->rows < ROWS;) {
        if (line[0] == 0 || line[0] == '#') continue;
        if (!t->columns) t->columns = split(line, t->head);
        else if (split(line, t->cell[t->rows]) == t->columns) t->rows++;
    }
    return t->rows > 0;
}

static const char *text_at(const table *t, int row, const char *column) {
    for (int c = 0; c < t->columns; c++)
        if (strcmp(t->head[c], column) == 0) return t->cell[row][c];
    return "";
}
static double number_at(const table *t, int row, const char *column) { return atof(text_at(t, row, column)); }

// "scenes/humanoid.xml" -> "humanoid"
static void model_name(const table *t, int row, char *out, size_t size) {
    const char *path = text_at(t, row, "model"), *slash = strrchr(path, '/');
    snprintf(out, size, "%s", slash ? slash + 1 : path);
    out[strcspn(out, ".")] = 0;
}

static int save(const tx_plot *plot, const char *path) {
    tx_result result = tx_plot_write_svg(plot, path);
    if (result == TX_OK) printf("wrote %s\n", path);
    else fprintf(stderr, "%s: %s\n", path, tx_result_text(result));
    return result == TX_OK ? 0 : 1;
}

static int plot_stages(const table *t, const char *title, const char *out) {
    static const char *const names[STAGES] = {"kinematics", "free_motion", "detect", "assemble", "solve", "integrate"};
    static double y[STAGES][ROWS];
    static char label[ROWS][64];
    const char *labels[ROWS];
    tx_plot_series series[STAGES];
    for (int r = 0; r < t->rows; r++) {
        char name[40];
        model_name(t, r, name, sizeof name);
        snprintf(label[r], sizeof label[r], "%s \xc3\x97%s", name, text_at(t, r, "lanes"));
        labels[r] = label[r];
        for (int s = 0; s < STAGES; s++) {
            char column[32];
            snprintf(column, sizeof column, "us_%s", names[s]);
            y[s][r] = 1e3 * number_at(t, r, column);
        }
    }
    for (int s = 0; s < STAGES; s++) series[s] = (tx_plot_series){names[s], NULL, y[s], t->rows};
    tx_plot plot = {.title = title,
                    .x_label = "model \xc3\x97 lanes",
                    .y_label = "ns per environment step",
                    .series = series,
                    .series_count = STAGES,
                    .categories = labels,
                    .category_count = t->rows,
                    .width = 110 + 90 * t->rows};
    return save(&plot, out);
}

// lines: y over x, one line for each value of the column `series`
typedef struct lines {
    const char *kind, *series, *x, *y, *x_label, *y_label;
    bool log_x, log_y;
} lines;

static const lines KINDS[] = {
    {"envs", "model", "envs", "steps_per_second", "environments", "environment steps per second", true, false},
    {"threads", "model", "threads", "steps_per_second", "threads", "environment steps per second", false, false},
    {"solvers", "solver", "bodies", "ms", "boxes", "processor time of a solve [ms]", true, true},
    {"growth", "of", "boxes", "us", "boxes", "processor time of a step [us]", true, true},
    {"returns", "seed", "steps", "return", "environment steps", "return of an episode", false, false},
};

static int plot_lines(const table *t, const lines *k, const char *title, const char *out) {
    static double x[TX_PLOT_SERIES_MAX][ROWS], y[TX_PLOT_SERIES_MAX][ROWS];
    static char names[TX_PLOT_SERIES_MAX][40];
    tx_plot_series series[TX_PLOT_SERIES_MAX];
    int count = 0;
    for (int r = 0; r < t->rows; r++) {
        char name[40];
        int s = 0;
        if (strcmp(k->series, "model") == 0) model_name(t, r, name, sizeof name);
        else snprintf(name, sizeof name, "%s%.20s", strcmp(k->series, "seed") ? "" : "seed ", text_at(t, r, k->series));
        while (s < count && strcmp(names[s], name) != 0) s++;
        if (s == TX_PLOT_SERIES_MAX) continue;
        if (s == count) strcpy(names[count++], name), series[s] = (tx_plot_series){names[s], x[s], y[s], 0};
        x[s][series[s].count] = number_at(t, r, k->x);
        y[s][series[s].count++] = number_at(t, r, k->y);
    }
    tx_plot plot = {.title = title,
                    .x_label = k->x_label,
                    .y_label = k->y_label,
                    .series = series,
                    .series_count = count,
                    .log_x = k->log_x,
                    .log_y = k->log_y,
                    .from_zero = !k->log_y};
    return save(&plot, out);
}

int main(int argc, char **argv) {
    static table t;
    if (argc == 5 && read_table(argv[4], &t)) {
        if (strcmp(argv[1], "stages") == 0) return plot_stages(&t, argv[2], argv[3]);
        for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++)
            if (strcmp(argv[1], KINDS[i].kind) == 0) return plot_lines(&t, &KINDS[i], argv[2], argv[3]);
    }
    fprintf(stderr, "usage: plots stages|envs|threads|solvers|growth|returns TITLE OUT.svg IN.csv\n");
    return 2;
}
