// settings.c - the table of --set: key, where it goes, its unit and meaning.
#include "settings.h"

#include <string.h>
#include <strings.h>

#include "args.h"
#include "load/text.h"

typedef enum kind { REAL, INT, SWITCH, GRAVITY, INTEGRATOR, BROADPHASE, NARROWPHASE } kind;

// X(key, kind, unit, meaning); the key is the name of the field
#define SETTINGS(X)                                                                                                \
    X(timestep, REAL, "s", "length of a step, > 0")                                                                \
    X(tolerance, REAL, "1", "stop test, unit-free; 0: rounding (dual solvers: all iterations); -1: the law's own") \
    X(momentum_tolerance, REAL, "1", "newton, cg: stop also at this share of the momenta, 0 to 1; 0: do not")      \
    X(gain_tolerance, REAL, "1", "pgs, soft contacts: stop when a sweep gains less; 0: by tolerance")              \
    X(ls_tolerance, REAL, "1", "the line search stops when the slope has fallen by this factor")                   \
    X(impratio, REAL, "1", "ratio of frictional to normal impedance, > 0")                                         \
    X(stiffness, REAL, "N/m", "of every contact: sap, similar, lagged; 0: from solref and solimp")                 \
    X(relaxation, REAL, "s", "damping / stiffness of every contact; -1: from solref")                              \
    X(dissipation, REAL, "s/m", "Hunt & Crossley's, similar and lagged; -1: from relaxation")                      \
    X(beta, REAL, "1", "least period of a contact in steps; 0: no bound")                                          \
    X(sigma, REAL, "1", "softness of friction, sap; relative to the weight of the contact")                        \
    X(stiction, REAL, "m/s", "slip below which similar and lagged contacts stick")                                 \
    X(recovery, REAL, "m/s", "hard: most speed at which what overlaps comes apart")                                \
    X(restitution, REAL, "1", "hard: least share of the speed of an impact that is left after it, 0 to 1")         \
    X(recovery_share, REAL, "1", "hard: share of an overlap that is undone in a step, 0 to 1")                     \
    X(bounce_speed, REAL, "m/s", "hard: slower impacts do not bounce")                                             \
    X(iterations, INT, "1", "most iterations of the solver per step; 0: the law's own number")                     \
    X(ls_iterations, INT, "1", "most evaluations of one line search, >= 1")                                        \
    X(noslip_iterations, INT, "1", "most sweeps of the pass against slip after the solver; 0: none")               \
    X(noslip_tolerance, REAL, "1", "the pass against slip ends when a sweep gains less")                           \
    X(integrator, INTEGRATOR, "name", "Euler, implicitfast, implicit, RK4, midpoint or discrete")                  \
    X(broadphase, BROADPHASE, "name", "pairs that may touch: auto, table, or sweep")                               \
    X(narrowphase, NARROWPHASE, "name", "convex pairs: gjk, or mpr")                                               \
    X(mpr_to_gjk_overlap_ratio, REAL, "1",                                                                         \
      "mpr: deeper overlaps, in radii of the smaller shape, are left to gjk; >= 0")                                \
    X(mc_perturbation, REAL, "rad",                                                                                \
      "convex pairs: faces and edges so near to the contact touch as a whole, 0 to 0.1; 0: one point")             \
    X(mc_tolerance, REAL, "1", "convex pairs: nearer points are one, in radii of the smaller shape, 0 to 1")       \
    X(contacts_per_pair, INT, "1", "most points of contact of one pair, 1 to 8; 0: what suits its shapes")         \
    X(gravity, GRAVITY, "m/s2", "three numbers such as 0,0,-9.81, or on|off")                                      \
    X(contact, SWITCH, "on|off", "contacts are detected")                                                          \
    X(equality, SWITCH, "on|off", "equalities act")                                                                \
    X(limit, SWITCH, "on|off", "joint limits act")                                                                 \
    X(frictionloss, SWITCH, "on|off", "dry friction of joints acts")                                               \
    X(constraint, SWITCH, "on|off", "any constraint acts")                                                         \
    X(damper, SWITCH, "on|off", "joint damping acts")                                                              \
    X(spring, SWITCH, "on|off", "joint springs act")                                                               \
    X(actuation, SWITCH, "on|off", "motors act")                                                                   \
    X(warmstart, SWITCH, "on|off", "a solve starts from the last step's answer")                                   \
    X(diagexact, SWITCH, "on|off", "soft constraints weigh what moves with them now, not at qpos0")                \
    X(speculative, SWITCH, "on|off", "fast convex geoms meet what they would reach within the step")               \
    X(refsafe, SWITCH, "on|off", "time constants of constraints are at least two steps")                           \
    X(eulerdamp, SWITCH, "on|off", "joint damping is integrated implicitly")                                       \
    X(clampctrl, SWITCH, "on|off", "controls are clamped to their range")                                          \
    X(sensor, SWITCH, "on|off", "sensors are measured")                                                            \
    X(sleep, SWITCH, "on|off", "islands at rest sleep; only a model whose <flag> has it can")                      \
    X(sleep_tolerance, REAL, "m/s", "a tree stands still when all its dofs are slower")                            \
    X(override, SWITCH, "on|off", "every contact has o_margin, o_solref, o_solimp and o_friction of the model")    \
    X(o_margin, REAL, "m", "margin of every contact, if override is on")

typedef struct setting {
    const char *key;
    kind kind;
    size_t at;
    const char *unit, *meaning;
} setting;

static const setting table[] = {
#define X(key, kind, unit, meaning) {#key, kind, offsetof(tx_options, key), unit, meaning},
    SETTINGS(X)
#undef X
};
enum { SETTINGS_COUNT = sizeof table / sizeof table[0] };

static const setting *find(const char *key) {
    for (int i = 0; i < SETTINGS_COUNT; i++)
        if (strcmp(table[i].key, key) == 0) return &table[i];
    return NULL;
}

// 1 on, 0 off, -1 neither
static int read_switch(const char *text) {
    if (strcmp(text, "on") == 0 || strcmp(text, "true") == 0 || strcmp(text, "1") == 0) return 1;
    if (strcmp(text, "off") == 0 || strcmp(text, "false") == 0 || strcmp(text, "0") == 0) return 0;
    return -1;
}

const char *integrator_name(int integrator) { return tx_list_name(TX_LIST_INTEGRATOR, integrator); }

static bool read_name(const char *text, const char *(*name_of)(int index), int count, int *chosen) {
    for (int i = 0; i < count; i++)
        if (strcasecmp(text, name_of(i)) == 0) {
            *chosen = i;
            return true;
        }
    return false;
}

static bool store(settings *s, const setting *entry, const char *text) {
    void *field = (char *)&s->options + entry->at;
    tx_number_problem problem;
    int on = read_switch(text);
    switch (entry->kind) {
    case REAL: return tx_read_reals(text, field, 1, &problem) == 1;
    case INT: return tx_read_ints(text, field, 1, &problem) == 1;
    case INTEGRATOR: return read_name(text, integrator_name, TX_INTEGRATOR_COUNT, field);
    case BROADPHASE: return read_name(text, tx_broadphase_name, TX_BROADPHASE_COUNT, field);
    case NARROWPHASE: return read_name(text, tx_narrowphase_name, TX_NARROWPHASE_COUNT, field);
    case GRAVITY:
        if (args_reals(text, s->gravity, 3)) return s->has_gravity = true;
        // fall through
    case SWITCH:
        if (on >= 0) *(bool *)field = on;
        return on >= 0;
    }
    return false;
}

bool settings_apply(settings *s, const char *text, char *why, size_t size) {
    char key[64];
    size_t length = strcspn(text, "=");
    if (text[length] != '=' || length == 0 || length >= sizeof key) {
        snprintf(why, size, "--set wants key=value, not '%s'", text);
        return false;
    }
    memcpy(key, text, length);
    key[length] = 0;
    const setting *entry = find(key);
    if (!entry) {
        tx_nearest nearest = tx_nearest_start(key);
        for (int i = 0; i < SETTINGS_COUNT; i++) tx_nearest_offer(&nearest, table[i].key, strlen(table[i].key));
        const char *hint = nearest.best[0] ? " — did you mean " : " — 'thixis help options' lists the keys";
        snprintf(why, size, "unknown key '%s'%s%s%s", key, hint, nearest.best, nearest.best[0] ? "?" : "");
        return false;
    }
    if (store(s, entry, text + length + 1)) return true;
    snprintf(why, size, "--set %s: '%s' is no value for it — %s [%s]", key, text + length + 1, entry->meaning,
             entry->unit);
    return false;
}

void settings_help(FILE *out) {
    fprintf(out, "keys of --set key=value; the model file gives their first values\n\n  %-24s %-8s %s\n", "key", "unit",
            "meaning");
    for (int i = 0; i < SETTINGS_COUNT; i++)
        fprintf(out, "  %-24s %-8s %s\n", table[i].key, table[i].unit, table[i].meaning);
}

void settings_visit(const tx_options *options, settings_visit_fn *visit, void *context) {
    for (int i = 0; i < SETTINGS_COUNT; i++) {
        const void *field = (const char *)options + table[i].at;
        if (table[i].kind == INTEGRATOR || table[i].kind == BROADPHASE || table[i].kind == NARROWPHASE) continue;
        if (table[i].kind == REAL) visit(context, table[i].key, false, *(const double *)field);
        else if (table[i].kind == INT) visit(context, table[i].key, false, *(const int *)field);
        else visit(context, table[i].key, true, *(const bool *)field);
    }
}
