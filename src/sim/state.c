// state.c - the state blob and its hash.
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "sim/internal.h"
#include "step/kept.h"
#include "step/sleep.h"

// A blob is a header and one record per environment: its length in bytes, the numbers of the state in the order of the
// list, what went wrong, and the forces it keeps for its next step: how many, then each. Lengths count themselves.
typedef struct blob_header {
    char magic[8];
    uint64_t model, size; // hash of the model; bytes of the whole blob
    int32_t envs, version;
} blob_header;

static const char MAGIC[8] = "txstate";
enum { VERSION = 3 };

// bytes that every record of this sim has
static size_t record_start(const tx_sim *sim) {
    size_t numbers = 0;
    for (int a = 0; a < TX_ARRAY_STATE_COUNT; a++) numbers += (size_t)sim->width[a];
    return sizeof(uint64_t) + sizeof(double) * (numbers + 1) + sizeof(int64_t);
}

// forces that an environment keeps
static const tx_kept_force *kept_forces(const tx_sim *sim, int env, uint64_t *count) {
    int lane;
    const tx_block *b = tx_sim_block(sim, env, &lane);
    return tx_kept_last(&b->kept, lane, count);
}

static size_t record_size(const tx_sim *sim, int env) {
    uint64_t count;
    kept_forces(sim, env, &count);
    return record_start(sim) + sizeof count + sizeof(tx_kept_force) * (size_t)count;
}

size_t tx_sim_state_size(const tx_sim *sim) {
    if (!sim) return 0;
    size_t size = sizeof(blob_header);
    for (int e = 0; e < sim->envs; e++) size += record_size(sim, e);
    return size;
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

static char *put(char *at, const void *from, size_t bytes) {
    memcpy(at, from, bytes);
    return at + bytes;
}

static const char *get(const char *at, void *to, size_t bytes) {
    memcpy(to, at, bytes);
    return at + bytes;
}

static void save_record(const tx_sim *sim, int env, char *at) {
    const uint64_t length = record_size(sim, env);
    const int64_t bad = sim->bad[env];
    at = put(at, &length, sizeof length);
    for (int a = 0; a < TX_ARRAY_STATE_COUNT; a++) {
        size_t width = (size_t)sim->width[a];
        char *numbers = at;
        at = put(at, sim->arrays[a] + (size_t)env * width, sizeof(double) * width);
        if (a == TX_ARRAY_TREE_ASLEEP) wake_touched(sim, env, numbers);
    }
    at = put(at, &bad, sizeof bad);
    at = put(at, &sim->bad_time[env], sizeof(double));
    uint64_t count;
    const tx_kept_force *forces = kept_forces(sim, env, &count);
    at = put(at, &count, sizeof count);
    if (count > 0) put(at, forces, sizeof *forces * (size_t)count);
}

// how many forces a record keeps
static uint64_t count_of(const tx_sim *sim, const char *record) {
    uint64_t count;
    get(record + record_start(sim), &count, sizeof count);
    return count;
}

static void restore_record(tx_sim *sim, int env, const char *at) {
    int64_t bad;
    at += sizeof(uint64_t);
    for (int a = 0; a < TX_ARRAY_STATE_COUNT; a++) {
        size_t width = (size_t)sim->width[a];
        at = get(at, sim->arrays[a] + (size_t)env * width, sizeof(double) * width);
    }
    at = get(at, &bad, sizeof bad);
    at = get(at, &sim->bad_time[env], sizeof(double));
    int lane;
    tx_block *b = tx_sim_block(sim, env, &lane);
    tx_kept_clear(b, lane);
    uint64_t count;
    at = get(at, &count, sizeof count);
    if (count > 0) get(at, tx_kept_replace(&b->kept, lane, count), sizeof(tx_kept_force) * (size_t)count);
    sim->bad[env] = bad > 0 && bad <= sim->m->nv ? (int)bad : 0;
    tx_sim_adopt(sim, env);
}

tx_result tx_sim_save(const tx_sim *sim, void *blob, size_t size) {
    if (!sim || !blob || size < tx_sim_state_size(sim)) return TX_ERROR_ARGUMENT;
    blob_header head = {.model = sim->m->hash, .size = tx_sim_state_size(sim), .envs = sim->envs, .version = VERSION};
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    char *at = put(blob, &head, sizeof head);
    for (int e = 0; e < sim->envs; at += record_size(sim, e), e++) save_record(sim, e, at);
    return TX_OK;
}

static size_t length_of(const char *record) {
    uint64_t length;
    get(record, &length, sizeof length);
    return (size_t)length;
}

// the records of a blob fill it exactly, and each has room for what every record has
static bool whole(const tx_sim *sim, const char *at, size_t left) {
    for (int e = 0; e < sim->envs; e++) {
        uint64_t length;
        if (left < sizeof length) return false;
        get(at, &length, sizeof length);
        if (length > left || length < record_start(sim) + sizeof length) return false;
        const uint64_t more = length - record_start(sim) - sizeof length;
        if (more % sizeof(tx_kept_force) != 0 || more / sizeof(tx_kept_force) != count_of(sim, at)) return false;
        at += length, left -= length;
    }
    return left == 0;
}

tx_result tx_sim_restore(tx_sim *sim, const void *blob, size_t size) {
    blob_header head;
    if (!sim || !blob || size < sizeof head) return TX_ERROR_ARGUMENT;
    const char *at = get(blob, &head, sizeof head);
    if (memcmp(head.magic, MAGIC, sizeof MAGIC) != 0 || head.version != VERSION || head.model != sim->m->hash ||
        head.envs != sim->envs || head.size < sizeof head || head.size > size ||
        !whole(sim, at, head.size - sizeof head))
        return TX_ERROR_ARGUMENT;
    // room first: without it nothing changes
    const char *record = at;
    for (int e = 0, lane; e < sim->envs; record += length_of(record), e++)
        if (!tx_kept_reserve(tx_sim_block(sim, e, &lane), (size_t)count_of(sim, record))) return TX_ERROR_MEMORY;
    for (int e = 0; e < sim->envs; at += length_of(at), e++) restore_record(sim, e, at);
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
