// steps.c - N steps of one environment and nothing else, for counting instructions (bench/count.py).
//   steps MODEL N [dynamics]
#include <stdio.h>
#include <stdlib.h>

#include "thixis/load.h"
#include "thixis/sim.h"

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    tx_model *model = tx_load_file(argv[1], NULL);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = model ? tx_sim_create(model, &def) : NULL;
    if (!sim) return 1;
    tx_options options = tx_sim_options(sim);
    options.constraint = argc < 4;
    tx_result result = tx_sim_set_options(sim, &options);
    if (result == TX_OK) result = tx_sim_reset(sim, tx_model_size(model, TX_SIZE_NKEY) > 0 ? 0 : -1, NULL);
    if (result == TX_OK) result = tx_sim_step_n(sim, atoi(argv[2]));
    tx_sim_destroy(sim);
    tx_model_destroy(model);
    return result == TX_OK ? 0 : 1;
}
