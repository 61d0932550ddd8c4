// state.c - the state blob and its hash.
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "sim/internal.h"
#include "step/sleep.h"

typedef struct blob_header {
    char magic[8];
    uint64_t model, size;
    int32_t envs, version;
} blob_header;

static const char MAGIC[8] = "txstate";

size_t tx_sim_state_size(const tx_sim *sim) {
    if (!sim) return 0;
    size_t numbers = 0;
    for (int a = 0; a < TX_ARRAY_STATE_COUNT; a++) numbers += (size_t)sim->width[a];
    return sizeof(blob_header) + (size_t)sim->envs * (sizeof(double) * (numbers + 1) + sizeof(int64_t));
}

// what the user has changed since the last step wakes in the next: the blob must not need the state before the change
static void wake_touched(const tx_sim *sim, int env, char *asleep) {
    int lane;
    if (sim->m->nsleep == 0) return;
    tx_block *b = tx_sim_block(sim, env, &lane);
    const double *given[TX_ARRAY_STATE_COUNT], awake = TX_WIDE_AWAKE;
    for (int a = 0; a < TX_ARRAY_STATE_COUNT; a++) given[a] = sim->arrays[a] + (size_t)env * (size_t)sim->width[a];
    tx_sleep_compare(b, given);
    for (int t = 0; t < sim->m->nsleep; t++)
        if (tx_sleep_is_touched(b, t)) memcpy(asleep + sizeof awake * (size_t)t, &awake, sizeof awake);
}

tx_result tx_sim_save(const tx_sim *sim, void *blob, size_t size) {
    if (!sim || !blob || size < tx_sim_state_size(sim)) return TX_ERROR_ARGUMENT;
    blob_header head = {.model = sim->m->hash, .size = tx_sim_state_size(sim), .envs = sim->envs, .version = 1};
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    char *at = blob;
    memcpy(at, &head, sizeof head);
    at += sizeof head;
    for (int e = 0; e < sim->envs; e++) {
        for (int a = 0; a < TX_ARRAY_STATE_COUNT; a++) {
            size_t bytes = sizeof(double) * (size_t)sim->width[a];
            memcpy(at, sim->arrays[a] + (size_t)e * (size_t)sim->width[a], bytes);
            if (a == TX_ARRAY_TREE_ASLEEP) wake_touched(sim, e, at);
            at += bytes;
        }
        int64_t bad = sim->bad[e];
        memcpy(at, &bad, sizeof bad);
        memcpy(at + sizeof bad, &sim->bad_time[e], sizeof(double));
        at += sizeof bad + sizeof(double);
    }
    return TX_OK;
}

tx_result tx_sim_restore(tx_sim *sim, const void *blob, size_t size) {
    if (!sim || !blob || size != tx_sim_state_size(sim)) return TX_ERROR_ARGUMENT;
    blob_header head;
    const char *at = blob;
    memcpy(&head, at, sizeof head);
    at += sizeof head;
    if (memcmp(head.magic, MAGIC, sizeof MAGIC) != 0 || head.version != 1 || head.model != sim->m->hash ||
        head.envs != sim->envs || head.size != size)
        return TX_ERROR_ARGUMENT;
    for (int e = 0; e < sim->envs; e++) {
        for (int a = 0; a < TX_ARRAY_STATE_COUNT; a++) {
            size_t bytes = sizeof(double) * (size_t)sim->width[a];
            memcpy(sim->arrays[a] + (size_t)e * (size_t)sim->width[a], at, bytes);
            at += bytes;
        }
        int64_t bad;
        memcpy(&bad, at, sizeof bad);
        memcpy(&sim->bad_time[e], at + sizeof bad, sizeof(double));
        at += sizeof bad + sizeof(double);
        sim->bad[e] = bad > 0 && bad <= sim->m->nv ? (int)bad : 0;
        tx_sim_adopt(sim, e);
    }
    return TX_OK;
}

uint64_t tx_sim_hash(const tx_sim *sim) {
    if (!sim) return 0;
    uint64_t hash = TX_HASH_START;
    for (int e = 0; e < sim->envs; e++)
        for (int a = 0; a < TX_ARRAY_STATE_COUNT; a++)
            for (int i = 0; i < sim->width[a]; i++) {
                // one pattern for all NaNs
                double value = sim->arrays[a][(size_t)e * (size_t)sim->width[a] + (size_t)i];
                if (value != value) value = NAN;
                hash = tx_hash(hash, &value, sizeof value);
            }
    return hash;
}
