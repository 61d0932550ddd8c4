// drive.c - the loop around the steps.
#include "drive.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

// ---- noise ---------------------------------------------------------------------------------------------------------

// finaliser of splitmix64 (Steele, Lea, Flood 2014): every bit of x changes half of the result's bits
static uint64_t mixed(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

double noise_value(uint64_t seed, uint64_t env, uint64_t step, uint64_t control) {
    uint64_t bits = mixed(mixed(mixed(mixed(seed) ^ env) ^ step) ^ control);
    return (double)(bits >> 11) * 0x1p-52 - 1;
}

// control = start + noise * u * half range, u uniform in [-1, 1); a control without range counts as -1 .. 1
static void set_noise(tx_sim *sim, const drive_def *def, const double *start, int step) {
    const tx_model *model = tx_sim_model(sim);
    const int nu = tx_model_size(model, TX_SIZE_NU);
    const double *range = tx_model_params(model, TX_PARAM_ACTUATOR_CTRLRANGE, NULL);
    double *ctrl = tx_sim_array(sim, TX_ARRAY_CTRL);
    for (int e = 0; e < tx_sim_envs(sim); e++)
        for (int i = 0; i < nu; i++) {
            double half = range[2 * i] < range[2 * i + 1] ? (range[2 * i + 1] - range[2 * i]) / 2 : 1;
            size_t at = (size_t)e * (size_t)nu + (size_t)i;
            double u = noise_value((uint64_t)def->seed, (uint64_t)e, (uint64_t)step, (uint64_t)i);
            ctrl[at] = start[at] + def->noise * half * u;
        }
}

// ---- progress ------------------------------------------------------------------------------------------------------

static void show_progress(int done, int steps, double seconds) {
    enum { WIDTH = 40 };
    char bar[WIDTH + 1];
    int full = (int)((double)done / steps * WIDTH);
    for (int i = 0; i < WIDTH; i++) bar[i] = i < full ? '#' : '.';
    bar[WIDTH] = 0;
    fprintf(stderr, "\r[%s] %d/%d steps, %.1f s ", bar, done, steps, seconds);
    fflush(stderr);
}

static void clear_progress(void) { fprintf(stderr, "\r%80s\r", ""); }

// ---- the loop ------------------------------------------------------------------------------------------------------

static double cpu_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static volatile sig_atomic_t stop_wanted;

static void want_stop(int signal) {
    (void)signal;
    stop_wanted = 1;
}

void stop_gently(void) {
    struct sigaction action = {.sa_handler = want_stop, .sa_flags = SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL), sigaction(SIGTERM, &action, NULL);
}

drive_result drive(tx_sim *sim, const drive_def *def) {
    drive_result r = {.result = TX_OK};
    const int nu = tx_model_size(tx_sim_model(sim), TX_SIZE_NU);
    const bool noisy = def->noise != 0 && nu > 0, bar = def->progress && isatty(STDERR_FILENO);
    double *start = NULL, shown = 0;
    if (noisy) {
        size_t bytes = sizeof(double) * (size_t)nu * (size_t)tx_sim_envs(sim);
        if (!(start = malloc(bytes))) return (drive_result){.result = TX_ERROR_MEMORY};
        memcpy(start, tx_sim_array(sim, TX_ARRAY_CTRL), bytes);
    }
    tx_sim_info_clear(sim);

    // several steps a call, about 50 ms; one a call where controls change
    for (int done = 0, chunk = def->chunk && !noisy ? def->chunk : 1; done < def->steps && r.result == TX_OK;) {
        if (stop_wanted) {
            r.stopped = true;
            break;
        }
        if (noisy) set_noise(sim, def, start, done);
        if (def->every && done % def->every == 0 && !def->before(def->context, sim, done)) {
            r.ended = true;
            break;
        }
        int n = chunk < def->steps - done ? chunk : def->steps - done;
        if (def->every && n > def->every - done % def->every) n = def->every - done % def->every;
        double before = tx_clock(), cpu_before = cpu_clock();
        r.result = tx_sim_step_n(sim, n);
        r.cpu_seconds += cpu_clock() - cpu_before;
        double took = tx_clock() - before;
        r.seconds += took, r.steps = done += n;
        const bool adapt = !noisy && def->chunk == 0;
        if (adapt && took < 0.025 && chunk < 1 << 20) chunk *= 2;
        if (adapt && took > 0.1 && chunk > 1) chunk /= 2;
        if (bar && r.seconds > shown + 0.2) show_progress(done, def->steps, shown = r.seconds);
    }
    if (shown > 0) clear_progress();
    r.info = tx_sim_info(sim);
    free(start);
    return r;
}

double drive_rate(const drive_result *r) { return r->seconds > 0 ? (double)r->info.env_steps / r->seconds : 0; }

void warn_not_converged(const char *command, const tx_sim *sim, const tx_info *info) {
    if (info->not_converged == 0) return;
    int worst = 0;
    for (int e = 1; e < tx_sim_envs(sim); e++)
        if (tx_sim_convergence(sim, e).not_converged > tx_sim_convergence(sim, worst).not_converged) worst = e;
    fprintf(
        stderr,
        "thixis %s: warning: %lld of %lld steps did not converge (solve error up to %.1e; most of them in environment "
        "%d): contact forces of these steps are not those of the law\n",
        command, info->not_converged, info->env_steps, info->worst_solve_error, worst);
}
