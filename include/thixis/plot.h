// plot.h - small diagrams as SVG files: lines over a number, or stacked bars over names. Used for reports and
// benchmarks.
//
//   tx_plot_series speed = {"avx2", envs, rate, 13};
//   tx_plot plot = {.title = "humanoid", .x_label = "environments", .y_label = "steps/s", .log_x = true,
//                   .series = &speed, .series_count = 1};
//   tx_plot_write_svg(&plot, "speed.svg");
#ifndef THIXIS_PLOT_H
#define THIXIS_PLOT_H

#include "thixis/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Most series of one plot: one colour each.
#define TX_PLOT_SERIES_MAX 8

/// One line, or one layer of all bars. Points whose numbers are not finite are left out.
typedef struct tx_plot_series {
    const char *name; ///< for the legend; null: not in it
    const double *x;  ///< count numbers; not used by bars
    const double *y;  ///< count numbers; bars: one per category, >= 0
    int count;
} tx_plot_series;

/// What to draw. All memory stays the caller's; texts are UTF-8. Zero is the default of every field.
typedef struct tx_plot {
    const char *title, *x_label, *y_label; ///< null: none
    const tx_plot_series *series;
    int series_count;              ///< 1 to TX_PLOT_SERIES_MAX
    const char *const *categories; ///< names below stacked bars; null: lines
    int category_count;
    bool log_x, log_y; ///< lines only; then all numbers must be > 0
    bool from_zero;    ///< lines: the y axis starts at 0
    int width, height; ///< [pixels]; 0: 720 x 420
} tx_plot;

/// Writes the plot as a self-contained SVG file.
/// @return TX_ERROR_ARGUMENT when there is nothing to draw or a number has no logarithm, TX_ERROR_FILE when the file
/// cannot be written
TX_API tx_result tx_plot_write_svg(const tx_plot *plot, const char *path);

#ifdef __cplusplus
}
#endif
#endif
