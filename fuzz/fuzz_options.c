// fuzz_options.c - options with any numbers: a simulation refuses them and keeps its own, or steps with them; the
// builder agrees with it.
#include <stdlib.h>
#include <string.h>

#include "model/range.h"
#include "stream.h"
#include "thixis/load.h"
#include "thixis/sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char TEXT[] =
    "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .09'><freejoint/><geom type='box' size='.1 .1 "
    ".1'/></body><body pos='0 0 .28'><freejoint/><geom type='cylinder' size='.1 .1'/></body><body pos='.4 0 .5'><joint "
    "name='j' range='-10 10' damping='.1' frictionloss='.1'/><geom size='.1' pos='.1 0 0'/></body></worldbody>"
    "<actuator><position joint='j' kp='3'/></actuator></mujoco>";

static tx_sim *the_sim(void) {
    static tx_sim *sim;
    if (sim) return sim;
    tx_model *model = tx_load_string(TEXT, sizeof TEXT - 1, "good.xml", NULL);
    tx_sim_def def = tx_default_sim_def();
    sim = model ? tx_sim_create(model, &def) : NULL;
    if (!sim) abort();
    return sim;
}

static void read_options(stream *s, tx_options *o) {
    // field by field, mostly left alone
    while (s->at < s->end) {
        int which = byte(s), at = 0;
        double x = number(s);
        int n = byte(s) < 128 ? (int)fmax(-1e9, fmin(1e9, isnan(x) ? 0 : x)) : byte(s) - 1;
#define X(name, size, lowest, highest, meaning) \
    for (int k = 0; k < size; k++)              \
        if (at++ == which) ((double *)&o->name)[k] = x;
        TX_OPTION_NUMBERS(X)
        TX_OPTION_OVERRIDES(X)
#undef X
#define X(name, lowest, highest, meaning) \
    if (at++ == which) o->name = n;
        TX_OPTION_COUNTS(X)
#undef X
#define X(name, meaning) \
    if (at++ == which) o->name = n & 1;
        TX_OPTION_SWITCHES(X)
#undef X
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    stream s = {data, data + size};
    tx_sim *sim = the_sim();
    const tx_options good = *tx_model_options(tx_sim_model(sim));
    if (tx_sim_set_options(sim, &good) != TX_OK || tx_sim_reset(sim, -1, NULL) != TX_OK) abort();
    tx_options o = good;
    read_options(&s, &o);
    char text[TX_RANGE_TEXT];
    const char *wrong = tx_options_problem(&o, text);
    tx_result result = tx_sim_set_options(sim, &o);
    if (wrong && result == TX_OK) abort();
    if (result != TX_OK) {
        if (tx_sim_options(sim).iterations != good.iterations) abort();
        return 0;
    }
    // as many iterations as are allowed would be right, and slow
    if (o.iterations > 200) o.iterations = 200;
    if (o.noslip_iterations > 20) o.noslip_iterations = 20;
    if (o.ls_iterations > 100) o.ls_iterations = 100;
    if (tx_sim_set_options(sim, &o) != TX_OK || tx_sim_step_n(sim, 2) != TX_OK) abort();
    return 0;
}
