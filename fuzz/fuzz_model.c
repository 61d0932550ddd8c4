// fuzz_model.c - compiled models with wrong numbers and a right checksum: refused with one error, or they run.
// An even first byte: the rest are patches of a good model, 8 bytes each (where, and what; see patch()). Odd: the rest
// is the file.
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "thixis/load.h"
#include "thixis/sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char TEXT[] =
    "<mujoco><asset><mesh name='m' vertex='0 0 0 .1 0 0 0 .1 0 0 0 .1'/>"
    "<hfield name='h' nrow='3' ncol='3' size='1 1 .1 .1' elevation='0 1 0 1 2 1 0 1 0'/></asset>"
    "<worldbody><geom type='hfield' hfield='h'/><site name='s0' pos='0 0 1'/><geom type='plane' size='1 1 1'/>"
    "<body name='a' pos='0 0 .1'><freejoint/><geom name='mesh' type='mesh' mesh='m'/><site name='s1'/></body>"
    "<body name='b' pos='.3 0 .2'><joint name='j' range='-60 60' damping='.1' frictionloss='.1'/><geom name='box' "
    "type='box' size='.1 .1 .1'/><site name='s2' pos='.1 0 0'/><body name='c' pos='.2 0 0'><joint name='k' "
    "type='ball'/>"
    "<geom name='ball' size='.1'/></body></body><body name='d' pos='-.5 0 .2' mocap='true'><geom size='.1'/></body>"
    "</worldbody><contact><pair geom1='mesh' geom2='ball'/><exclude body1='a' body2='d'/></contact>"
    "<equality><connect body1='a' body2='b' anchor='0 0 0'/><weld body1='a' body2='c'/>"
    "<joint joint1='j' polycoef='0 1 0 0 0'/></equality>"
    "<tendon><spatial name='t' range='0 1' frictionloss='.1'><site site='s0'/><geom geom='ball'/><site "
    "site='s2'/></spatial>"
    "<fixed name='f'><joint joint='j' coef='2'/></fixed></tendon>"
    "<actuator><muscle tendon='t' lengthrange='.1 1'/><position joint='j' kp='3'/><motor site='s2' refsite='s1'/>"
    "</actuator><sensor><touch site='s1'/><framepos objtype='site' objname='s2'/><tendonpos tendon='t'/>"
    "<rangefinder site='s0'/><accelerometer site='s1'/></sensor><keyframe><key/></keyframe></mujoco>";

enum { HASH_AT = 24, SIZES_AT = 32, PATCH = 8 };

static tx_model *good_model(void) {
    static tx_model *model;
    tx_diag diag = {0};
    if (!model) model = tx_load_string(TEXT, sizeof TEXT - 1, "good.xml", &diag);
    if (!model) abort();
    tx_diag_free(&diag);
    return model;
}

// bytes 0 to 2: which number of four bytes; 3: what it becomes (a usual suspect, or bytes 4 to 7; with the highest bit
// the number of eight bytes that lies there)
static void patch(char *bytes, size_t size, const uint8_t *p) {
    static const int32_t INTS[] = {0, -1, 1, 2, 3, 7, 64, 1000, 1 << 20, INT32_MAX, INT32_MIN};
    static const double REALS[] = {0, -1, 1, 1e-300, 1e300, 1e-9, 1e9, -0.5, 0.5, 1e18};
    const double nan = strtod("nan", NULL), infinity = strtod("inf", NULL);
    size_t at = SIZES_AT + ((size_t)p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16) * 4 % (size - SIZES_AT);
    int what = p[3] & 0x7f;
    if (p[3] & 0x80) {
        double value = what < 10 ? REALS[what] : what < 12 ? nan : infinity;
        at &= ~(size_t)7;
        if (at >= SIZES_AT && at + sizeof value <= size) memcpy(bytes + at, &value, sizeof value);
        return;
    }
    int32_t value;
    memcpy(&value, p + 4, sizeof value);
    if (what < 11) value = INTS[what];
    if (at + sizeof value <= size) memcpy(bytes + at, &value, sizeof value);
}

static void run(const char *bytes, size_t size) {
    tx_diag diag = {0};
    tx_model *model = tx_model_from_bytes(bytes, size, &diag);
    if ((model == NULL) != (diag.errors == 1)) abort();
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = model ? tx_sim_create(model, &def) : NULL;
    for (int i = 0; sim && i < 3; i++) tx_sim_step(sim);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
    tx_diag_free(&diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    if (data[0] & 1) {
        run((const char *)data + 1, size - 1);
        return 0;
    }
    size_t length;
    const void *good = tx_model_bytes(good_model(), &length);
    char *bytes = malloc(length);
    if (!bytes) return 0;
    memcpy(bytes, good, length);
    for (size_t i = 1; i + PATCH <= size; i += PATCH) patch(bytes, length, data + i);
    uint64_t hash = tx_hash(TX_HASH_START, bytes + SIZES_AT, length - SIZES_AT);
    memcpy(bytes + HASH_AT, &hash, sizeof hash);
    run(bytes, length);
    free(bytes);
    return 0;
}
