// range.c - ranges of options and parameters. docs/ranges.md lists them.
#include "model/range.h"

#include <math.h>
#include <stdio.h>

// ---- options ------------------------------------------------------------------------------------------------------

static bool outside(const double *x, int count, double lowest, double highest) {
    for (int i = 0; i < count; i++)
        if (!(x[i] >= lowest && x[i] <= highest)) return true;
    return false;
}

static const char *say(char *text, const char *name, double value, double lowest, double highest) {
    if (text) snprintf(text, TX_RANGE_TEXT, "%s is %.9g, it takes %.9g to %.9g", name, value, lowest, highest);
    return name;
}

// the first number that does not fit
static double wrong_one(const double *x, int count, double lowest, double highest) {
    int i = 0;
    while (i < count - 1 && !outside(&x[i], 1, lowest, highest)) i++;
    return x[i];
}

const char *tx_options_problem(const tx_options *o, char text[TX_RANGE_TEXT]) {
#define X(name, size, lowest, highest, meaning)                   \
    if (outside((const double *)&o->name, size, lowest, highest)) \
        return say(text, #name, wrong_one((const double *)&o->name, size, lowest, highest), lowest, highest);
    TX_OPTION_NUMBERS(X)
    TX_OPTION_OVERRIDES(X)
#undef X
#define X(name, lowest, highest, meaning) \
    if (o->name < (lowest) || o->name > (highest)) return say(text, #name, o->name, lowest, highest);
    TX_OPTION_COUNTS(X)
#undef X
    // bytes of a file may be neither true nor false
#define X(name, meaning) \
    if (*(const unsigned char *)&o->name > 1) return say(text, #name, *(const unsigned char *)&o->name, 0, 1);
    TX_OPTION_SWITCHES(X)
#undef X
    return NULL;
}

// ---- parameters ---------------------------------------------------------------------------------------------------

typedef enum kind {
    ANY,          // finite, at most TX_LARGEST
    NOT_NEGATIVE, // and not below 0
    STIFF,     // not below 0, at most TX_STIFFEST: an armature of 1e11 holds a joint still, inertias have distances²
    UNIT_QUAT, // four numbers of length 1
    AXIS,      // three numbers of length 1 where the joint has an axis
    SIZE,      // above 0 where the shape needs it
    SAID,      // from -1 to what its list says: TX_GEOM_MATERIALS
    DERIVED    // finite
} kind;

static const unsigned char KINDS[TX_PARAM_COUNT] = {[TX_PARAM_DENSITY] = NOT_NEGATIVE,
                                                    [TX_PARAM_VISCOSITY] = NOT_NEGATIVE,
                                                    [TX_PARAM_BODY_QUAT] = UNIT_QUAT,
                                                    [TX_PARAM_BODY_IQUAT] = UNIT_QUAT,
                                                    [TX_PARAM_BODY_MASS] = NOT_NEGATIVE,
                                                    [TX_PARAM_BODY_INERTIA] = STIFF,
                                                    [TX_PARAM_JNT_AXIS] = AXIS,
                                                    [TX_PARAM_JNT_STIFFNESS] = STIFF,
                                                    [TX_PARAM_DOF_FRICTIONLOSS] = NOT_NEGATIVE,
                                                    [TX_PARAM_DOF_ARMATURE] = STIFF,
                                                    [TX_PARAM_DOF_DAMPING] = STIFF,
                                                    [TX_PARAM_GEOM_SIZE] = SIZE,
                                                    [TX_PARAM_GEOM_QUAT] = UNIT_QUAT,
                                                    [TX_PARAM_GEOM_FRICTION] = NOT_NEGATIVE,
                                                    [TX_PARAM_GEOM_SOLMIX] = NOT_NEGATIVE,
                                                    [TX_PARAM_SITE_QUAT] = UNIT_QUAT,
                                                    [TX_PARAM_SPECIAL_FRICTION] = NOT_NEGATIVE,
                                                    [TX_PARAM_TENDON_STIFFNESS] = NOT_NEGATIVE,
                                                    [TX_PARAM_TENDON_DAMPING] = NOT_NEGATIVE,
                                                    [TX_PARAM_TENDON_FRICTIONLOSS] = NOT_NEGATIVE,
                                                    [TX_PARAM_JNT_SPRINGYIELD] = NOT_NEGATIVE,
                                                    [TX_PARAM_TENDON_SPRINGYIELD] = NOT_NEGATIVE,
                                                    [TX_PARAM_ACTUATOR_DELAY] = NOT_NEGATIVE,
                                                    [TX_PARAM_SENSOR_DELAY] = NOT_NEGATIVE,
#define X(NAME, name, highest, meaning) [TX_PARAM_GEOM_##NAME] = SAID,
                                                    TX_GEOM_MATERIALS(X)
#undef X
#define X(NAME, name, count, width, meaning) [TX_PARAM_##NAME] = DERIVED,
                                                        TX_MODEL_DERIVED(X)
#undef X
};

// the most of what a geom says of its contacts, and how that is said
static const struct {
    double most;
    const char *takes;
} MATERIALS[TX_PARAM_COUNT] = {
#define X(NAME, name, highest, meaning) [TX_PARAM_GEOM_##NAME] = {highest, "a number from -1 to " #highest},
    TX_GEOM_MATERIALS(X)
#undef X
};

static const char *const TAKES[] = {"a number from -1e10 to 1e10",
                                    "a number from 0 to 1e10",
                                    "a number from 0 to 1e20",
                                    "four numbers of length 1",
                                    "three numbers of length 1 of an axis",
                                    "a size above 0, to 1e10",
                                    "",
                                    "a finite number"};

// how many sizes a shape needs
static int sizes_of(int type) {
    static const int NEEDS[TX_GEOM_COUNT] = {[TX_GEOM_SPHERE] = 1,
                                             [TX_GEOM_CAPSULE] = 2,
                                             [TX_GEOM_ELLIPSOID] = 3,
                                             [TX_GEOM_CYLINDER] = 2,
                                             [TX_GEOM_BOX] = 3};
    return type >= 0 && type < TX_GEOM_COUNT ? NEEDS[type] : 0;
}

static bool has_unit_length(const double *x, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += x[i] * x[i];
    return fabs(sum - 1) <= 1e-6;
}

static bool usable(const tx_model *m, tx_param field, const double *x, int i) {
    const kind k = (kind)KINDS[field];
    if (k == DERIVED) return isfinite(x[i]);
    if (k == SAID) return x[i] >= -1 && x[i] <= MATERIALS[field].most;
    if (!(fabs(x[i]) <= (k == STIFF ? TX_STIFFEST : TX_LARGEST))) return false;
    switch (k) {
    case NOT_NEGATIVE:
    case STIFF: return x[i] >= 0;
    case UNIT_QUAT: return i % 4 != 0 || has_unit_length(x + i, 4);
    case AXIS: return i % 3 != 0 || m->jnt_type[i / 3] < TX_JOINT_SLIDE || has_unit_length(x + i, 3);
    case SIZE: return i % 3 >= sizes_of(m->geom_type[i / 3]) || x[i] > 0;
    default: return true;
    }
}

bool tx_param_problem_of(const tx_model *m, tx_param field, const double *x, tx_param_problem *problem) {
    const kind k = (kind)KINDS[field];
    const int count = tx_param_count(m, field);
    for (int i = 0; i < count; i++) {
        if (usable(m, field, x, i)) continue;
        *problem = (tx_param_problem){i, count, x[i], k == SAID ? MATERIALS[field].takes : TAKES[k]};
        return true;
    }
    return false;
}
