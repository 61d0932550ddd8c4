// incline.c - see incline.h. ACCEPTANCE C6; docs/laws.md has the table and the figure.
#include "incline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "thixis/plot.h"
#include "thixis/sim.h"

enum { FIRST = 5, STEPS = 2000, POINTS = 30, SLIDERS = 32 };

// what slips: a law with the options that differ from the file's, and what is known of it
typedef struct slider {
    const char *law, *setting, *legend;
    double impratio;
    bool rigid;    // stiffness beyond what a step can follow, damped in one step: rests at once
    double mujoco; // µm/s, its 4.0.0 on the same file; 0: it has no such law
    enum { FORM_NONE, FORM_SAP, FORM_HUNT } form;
} slider;

static const slider known[] = {
    {"soft", "", "soft", 1, false, 1851, FORM_NONE},
    {"soft_elliptic", "", "soft_elliptic", 1, false, 874, FORM_NONE},
    {"soft_elliptic", "impratio 10", "impratio 10", 10, false, 87, FORM_NONE},
    {"sap", "near-rigid", "sap", 1, true, 0, FORM_SAP},
    {"similar", "", "similar", 1, false, 0, FORM_HUNT},
    {"lagged", "", "lagged", 1, false, 0, FORM_HUNT},
};
enum { KNOWN = sizeof known / sizeof known[0] };

// the table above, then laws that it does not name
static int list_sliders(slider *list) {
    int count = KNOWN;
    memcpy(list, known, sizeof known);
    for (int law = 0; tx_law_name(law) && count < SLIDERS; law++) {
        const char *name = tx_law_name(law);
        bool listed = false;
        for (int k = 0; k < KNOWN; k++) listed |= strcmp(known[k].law, name) == 0;
        if (!listed) list[count++] = (slider){name, "", name, 1, false, 0, FORM_NONE};
    }
    return count;
}

static bool set_law(tx_sim *sim, const slider *s) {
    tx_options o = tx_sim_options(sim);
    while (tx_law_name(o.law) && strcmp(tx_law_name(o.law), s->law) != 0) o.law++;
    if (!tx_solver_solves(o.solver, o.law)) o.solver = tx_law_solver(o.law);
    o.impratio = s->impratio, o.tolerance = 1e-12;
    if (s->rigid) o.stiffness = 1e12, o.relaxation = o.timestep;
    return tx_sim_set_options(sim, &o) == TX_OK;
}

// µm/s. sap: σ w γ_t at each of four corners, where J M⁻¹ Jᵀ has 4/m on its diagonal and ±1.5/m beside it, so that
// w = √61.5/3m; similar, lagged: docs/laws.md
static double closed_form(const slider *s, const tx_options *o) {
    const double pull = 9.81, angle = 20 * acos(-1) / 180, used = tan(angle);
    if (s->form == FORM_SAP) return 1e6 * (sqrt(61.5) / 12) * o->sigma * pull * sin(angle) * o->timestep;
    if (s->form == FORM_HUNT) return 1e6 * o->stiction * used / sqrt(1 - used * used);
    return NAN;
}

// a cube's way: times [s] at equal ratios, distances [µm], and the speed at the end [µm/s]
typedef struct way {
    double time[POINTS], distance[POINTS], speed, form;
} way;

// false: it cannot be simulated
static bool slide(const tx_model *model, const slider *s, way *w) {
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    bool ok = sim && set_law(sim, s);
    for (int i = 0, done = 0; ok && i < POINTS; i++) {
        const int to = (int)lround(FIRST * pow((double)STEPS / FIRST, (double)i / (POINTS - 1)));
        ok = tx_sim_step_n(sim, to - done) == TX_OK && tx_sim_status(sim, 0) == TX_OK;
        done = to;
        w->time[i] = tx_sim_array(sim, TX_ARRAY_TIME)[0];
        // what has not gone a tenth of a nanometre stands on the lower edge of the figure
        w->distance[i] = fmax(1e6 * tx_sim_array(sim, TX_ARRAY_QPOS)[0], 1e-4);
    }
    if (ok) {
        const tx_options o = tx_sim_options(sim);
        w->speed = 1e6 * tx_sim_array(sim, TX_ARRAY_QVEL)[0], w->form = closed_form(s, &o);
    }
    tx_sim_destroy(sim);
    return ok;
}

static void print_row(const slider *s, const way *w) {
    char mujoco[32] = "-", closed[32] = "-";
    if (s->mujoco > 0) snprintf(mujoco, sizeof mujoco, "%.0f", s->mujoco);
    if (isfinite(w->form)) snprintf(closed, sizeof closed, "%.4g", w->form);
    printf("%-14s %-12s %12.4g %12s %12s\n", s->law, s->setting, w->speed, mujoco, closed);
}

int incline_demo(const tx_model *model, const char *svg) {
    slider list[SLIDERS];
    way ways[SLIDERS];
    tx_plot_series series[TX_PLOT_SERIES_MAX];
    const int count = list_sliders(list);
    const double h = tx_model_options(model)->timestep;
    printf("a cube on an incline of 20 degrees, friction 1, h = %g s: its speed after %g s [um/s]; Coulomb says 0\n", h,
           STEPS * h);
    printf("%-14s %-12s %12s %12s %12s\n", "law", "setting", "slip", "MuJoCo 4.0", "closed form");
    for (int k = 0; k < count; k++) {
        if (!slide(model, &list[k], &ways[k])) {
            fprintf(stderr, "thixis demo: law %s does not run on the incline\n", list[k].law);
            return EXIT_FAILED;
        }
        print_row(&list[k], &ways[k]);
        if (k < TX_PLOT_SERIES_MAX)
            series[k] = (tx_plot_series){list[k].legend, ways[k].time, ways[k].distance, POINTS};
    }
    const tx_plot plot = {.title = "A cube on an incline of 20°, friction 1: Coulomb says rest",
                          .x_label = "time [s]",
                          .y_label = "distance [µm]",
                          .log_x = true,
                          .log_y = true,
                          .series = series,
                          .series_count = count < TX_PLOT_SERIES_MAX ? count : TX_PLOT_SERIES_MAX};
    if (tx_plot_write_svg(&plot, svg) != TX_OK) {
        fprintf(stderr, "thixis demo: %s cannot be written\n", svg);
        return EXIT_FAILED;
    }
    printf("distance over time in %s\n", svg);
    return EXIT_OK;
}
