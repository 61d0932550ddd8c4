// fuzz_state.c - state blobs with wrong bytes: refused and nothing changes, or the simulation goes on from them.
// An even first byte: the rest are patches of a good blob, 4 bytes each (where, and what). Odd: the rest is the blob.
#include <stdlib.h>
#include <string.h>

#include "stream.h"
#include "thixis/load.h"
#include "thixis/sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char TEXT[] =
    "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 "
    ".1'/></body><body pos='.4 0 .5'><joint type='ball'/><geom name='g' size='.1' pos='0 0 .1'/><body pos='0 0 "
    ".3'><joint "
    "name='j' range='-60 60'/><geom size='.05' pos='.1 0 0'/></body></body><body mocap='true' pos='1 0 0'><geom "
    "size='.1'/></body></worldbody><equality><joint joint1='j'/></equality><actuator><position joint='j' kp='3'/>"
    "<intvelocity joint='j' kp='2' actrange='-1 1'/></actuator></mujoco>";

static tx_sim *the_sim(void) {
    static tx_sim *sim;
    if (sim) return sim;
    tx_model *model = tx_load_string(TEXT, sizeof TEXT - 1, "good.xml", NULL);
    tx_sim_def def = tx_default_sim_def();
    def.envs = 2;
    sim = model ? tx_sim_create(model, &def) : NULL;
    if (!sim) abort();
    return sim;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    tx_sim *sim = the_sim();
    const size_t length = tx_sim_state_size(sim);
    char blob[4096], after[4096];
    if (length > sizeof blob || tx_sim_reset(sim, -1, NULL) != TX_OK) abort();
    if (tx_sim_save(sim, blob, length) != TX_OK) abort();
    const void *given = blob;
    size_t given_size = length;
    if (data[0] & 1) {
        given = data + 1, given_size = size - 1;
    } else {
        static const double SUSPECTS[] = {0, -1, 1, 1e-300, 1e300, 1e-9, 1e9, 1e10, 0.5, 100};
        for (size_t i = 1; i + 4 <= size; i += 4) {
            size_t at = ((size_t)data[i] | (size_t)data[i + 1] << 8) % length;
            double value = data[i + 2] < 10 ? SUSPECTS[data[i + 2]] : data[i + 2] < 12 ? NAN : INFINITY;
            if (data[i + 2] & 0x80) blob[at] = (char)data[i + 3];
            else if ((at & ~(size_t)7) + 8 <= length) memcpy(blob + (at & ~(size_t)7), &value, sizeof value);
        }
    }
    uint64_t before = tx_sim_hash(sim);
    if (tx_sim_restore(sim, given, given_size) != TX_OK) {
        if (tx_sim_hash(sim) != before) abort();
        return 0;
    }
    // what was restored is saved again as it was
    if (tx_sim_save(sim, after, length) != TX_OK || tx_sim_restore(sim, after, length) != TX_OK) abort();
    if (tx_sim_step_n(sim, 2) != TX_OK) abort();
    tx_sim_hash(sim);
    for (int e = 0; e < 2; e++) {
        char text[200];
        tx_sim_status_text(sim, e, text, sizeof text);
    }
    return 0;
}
