// lists.c - the named values of the public interface, by value and by name.
#include <string.h>

#include "thixis/thixis.h"

typedef struct entry {
    const char *name, *meaning;
} entry;

#define PLAIN(NAME, name) [NAME] = {name, ""}

static const entry RESULTS[] = {PLAIN(TX_OK, "ok"),
                                PLAIN(TX_ERROR_ARGUMENT, "argument"),
                                PLAIN(TX_ERROR_MEMORY, "memory"),
                                PLAIN(TX_ERROR_FILE, "file"),
                                PLAIN(TX_ERROR_MODEL, "model"),
                                PLAIN(TX_ERROR_UNSUPPORTED, "unsupported"),
                                PLAIN(TX_ERROR_DIVERGED, "diverged")};
static const entry SIZES[] = {
#define X(NAME, name, meaning) [TX_SIZE_##NAME] = {#name, meaning},
    TX_SIZES(X)
#undef X
};
static const entry INTS[] = {
#define X(NAME, name, count, meaning) [TX_INT_##NAME] = {#name, meaning},
    TX_MODEL_INTS(X)
#undef X
};
static const entry PARAMS[] = {
#define X(NAME, name, count, width, meaning) [TX_PARAM_##NAME] = {#name, meaning},
    TX_MODEL_PARAMS(X)
#undef X
};
static const entry DATA[] = {
#define X(NAME, name, count, width, meaning) [TX_DATA_##NAME] = {#name, meaning},
    TX_MODEL_DATA(X)
#undef X
};
static const entry ARRAYS[] = {
#define X(NAME, name, count, meaning) [TX_ARRAY_##NAME] = {#name, meaning},
    TX_STATE(X) TX_OUTPUT(X)
#undef X
};
static const entry SENSORS[] = {
#define X(NAME, name, numbers, object, cutoff, meaning) [TX_SENSOR_##NAME] = {#name, meaning},
    TX_SENSORS(X)
#undef X
};
static const entry STAGES[] = {
#define X(NAME, name, meaning) [TX_STAGE_##NAME] = {#name, meaning},
    TX_STAGES(X)
#undef X
};
static const entry TARGETS[] = {
#define X(NAME, name, meaning) [TX_TARGET_##NAME] = {#name, meaning},
    TX_TARGETS(X)
#undef X
};
static const entry ELEMENTS[] = {
    PLAIN(TX_ELEMENT_BODY, "body"),         PLAIN(TX_ELEMENT_JOINT, "joint"),   PLAIN(TX_ELEMENT_GEOM, "geom"),
    PLAIN(TX_ELEMENT_ACTUATOR, "actuator"), PLAIN(TX_ELEMENT_KEY, "key"),       PLAIN(TX_ELEMENT_TENDON, "tendon"),
    PLAIN(TX_ELEMENT_EQUALITY, "equality"), PLAIN(TX_ELEMENT_SITE, "site"),     PLAIN(TX_ELEMENT_SENSOR, "sensor"),
    PLAIN(TX_ELEMENT_MESH, "mesh"),         PLAIN(TX_ELEMENT_HFIELD, "hfield"), PLAIN(TX_ELEMENT_CAMERA, "camera")};
static const entry GEOMS[] = {
    PLAIN(TX_GEOM_PLANE, "plane"),     PLAIN(TX_GEOM_HFIELD, "hfield"),       PLAIN(TX_GEOM_SPHERE, "sphere"),
    PLAIN(TX_GEOM_CAPSULE, "capsule"), PLAIN(TX_GEOM_ELLIPSOID, "ellipsoid"), PLAIN(TX_GEOM_CYLINDER, "cylinder"),
    PLAIN(TX_GEOM_BOX, "box"),         PLAIN(TX_GEOM_MESH, "mesh"),           PLAIN(TX_GEOM_SDF, "sdf")};
static const entry JOINTS[] = {PLAIN(TX_JOINT_FREE, "free"), PLAIN(TX_JOINT_BALL, "ball"),
                               PLAIN(TX_JOINT_SLIDE, "slide"), PLAIN(TX_JOINT_HINGE, "hinge")};
static const entry SWITCHES[] = {PLAIN(TX_SWITCH_OFF, "false"), PLAIN(TX_SWITCH_ON, "true"),
                                 PLAIN(TX_SWITCH_AUTO, "auto")};
static const entry INTEGRATORS[] = {
    PLAIN(TX_INTEGRATOR_EULER, "Euler"),       PLAIN(TX_INTEGRATOR_IMPLICITFAST, "implicitfast"),
    PLAIN(TX_INTEGRATOR_IMPLICIT, "implicit"), PLAIN(TX_INTEGRATOR_RK4, "RK4"),
    PLAIN(TX_INTEGRATOR_MIDPOINT, "midpoint"), PLAIN(TX_INTEGRATOR_DISCRETE, "discrete")};
static const entry BROADPHASES[] = {PLAIN(TX_BROADPHASE_AUTO, "auto"), PLAIN(TX_BROADPHASE_TABLE, "table"),
                                    PLAIN(TX_BROADPHASE_SWEEP, "sweep")};
static const entry NARROWPHASES[] = {PLAIN(TX_NARROWPHASE_GJK, "gjk"), PLAIN(TX_NARROWPHASE_MPR, "mpr")};
static const entry OBJECTS[] = {PLAIN(TX_OBJECT_NONE, "none"),         PLAIN(TX_OBJECT_BODY, "body"),
                                PLAIN(TX_OBJECT_XBODY, "xbody"),       PLAIN(TX_OBJECT_GEOM, "geom"),
                                PLAIN(TX_OBJECT_SITE, "site"),         PLAIN(TX_OBJECT_JOINT, "joint"),
                                PLAIN(TX_OBJECT_ACTUATOR, "actuator"), PLAIN(TX_OBJECT_TENDON, "tendon"),
                                PLAIN(TX_OBJECT_CAMERA, "camera"),     PLAIN(TX_OBJECT_MESH, "mesh")};
static const entry DYNAMICS[] = {PLAIN(TX_DYNAMICS_NONE, "none"),       PLAIN(TX_DYNAMICS_INTEGRATOR, "integrator"),
                                 PLAIN(TX_DYNAMICS_FILTER, "filter"),   PLAIN(TX_DYNAMICS_FILTEREXACT, "filterexact"),
                                 PLAIN(TX_DYNAMICS_MUSCLE, "muscle"),   PLAIN(TX_DYNAMICS_PID, "pid"),
                                 PLAIN(TX_DYNAMICS_DCMOTOR, "dcmotor"), PLAIN(TX_DYNAMICS_TURN, "turn")};
static const entry CURVES[] = {PLAIN(TX_CURVE_AFFINE, "affine"), PLAIN(TX_CURVE_MUSCLE, "muscle"),
                               PLAIN(TX_CURVE_PID, "pid"),       PLAIN(TX_CURVE_DCMOTOR, "dcmotor"),
                               PLAIN(TX_CURVE_SO3, "so3"),       PLAIN(TX_CURVE_SO3_Y, "so3_y"),
                               PLAIN(TX_CURVE_SO3_Z, "so3_z")};
static const entry EQUALITIES[] = {PLAIN(TX_EQUALITY_CONNECT, "connect"), PLAIN(TX_EQUALITY_WELD, "weld"),
                                   PLAIN(TX_EQUALITY_JOINT, "joint"),     PLAIN(TX_EQUALITY_TENDON, "tendon"),
                                   PLAIN(TX_EQUALITY_HINGE, "hinge"),     PLAIN(TX_EQUALITY_SLIDE, "slide")};
static const entry TRANSMISSIONS[] = {
    PLAIN(TX_TRANSMISSION_JOINT, "joint"),   PLAIN(TX_TRANSMISSION_JOINTINPARENT, "jointinparent"),
    PLAIN(TX_TRANSMISSION_TENDON, "tendon"), PLAIN(TX_TRANSMISSION_SITE, "site"),
    PLAIN(TX_TRANSMISSION_CRANK, "crank"),   PLAIN(TX_TRANSMISSION_BODY, "body")};
static const entry SLEEPS[] = {PLAIN(TX_SLEEP_AUTO, "auto"), PLAIN(TX_SLEEP_NEVER, "never"),
                               PLAIN(TX_SLEEP_ALLOWED, "allowed"), PLAIN(TX_SLEEP_INIT, "init")};
static const entry DRAWS[] = {PLAIN(TX_DRAW_PLANE, "plane"),       PLAIN(TX_DRAW_SPHERE, "sphere"),
                              PLAIN(TX_DRAW_CAPSULE, "capsule"),   PLAIN(TX_DRAW_BOX, "box"),
                              PLAIN(TX_DRAW_CYLINDER, "cylinder"), PLAIN(TX_DRAW_ELLIPSOID, "ellipsoid"),
                              PLAIN(TX_DRAW_ARROW, "arrow"),       PLAIN(TX_DRAW_DISC, "disc"),
                              PLAIN(TX_DRAW_MESH, "mesh"),         PLAIN(TX_DRAW_LINE, "line")};

// every value has its name
#define NAMED(table, COUNT) _Static_assert(sizeof table / sizeof table[0] == COUNT, "a value without a name")
NAMED(SIZES, TX_SIZE_COUNT);
NAMED(INTS, TX_INT_COUNT);
NAMED(PARAMS, TX_PARAM_COUNT);
NAMED(DATA, TX_DATA_COUNT);
NAMED(ARRAYS, TX_ARRAY_COUNT);
NAMED(GEOMS, TX_GEOM_COUNT);
NAMED(INTEGRATORS, TX_INTEGRATOR_COUNT);
NAMED(BROADPHASES, TX_BROADPHASE_COUNT);
NAMED(NARROWPHASES, TX_NARROWPHASE_COUNT);
NAMED(SENSORS, TX_SENSOR_COUNT);
NAMED(OBJECTS, TX_OBJECT_COUNT);
NAMED(STAGES, TX_STAGE_COUNT);
NAMED(DRAWS, TX_DRAW_COUNT);

#define LIST(table) \
    { table, sizeof table / sizeof table[0] }

static const struct list {
    const entry *entries;
    size_t count;
} LISTS[TX_LIST_COUNT] = {
    [TX_LIST_RESULT] = LIST(RESULTS),
    [TX_LIST_SIZE] = LIST(SIZES),
    [TX_LIST_INT] = LIST(INTS),
    [TX_LIST_PARAM] = LIST(PARAMS),
    [TX_LIST_DATA] = LIST(DATA),
    [TX_LIST_ARRAY] = LIST(ARRAYS),
    [TX_LIST_ELEMENT] = LIST(ELEMENTS),
    [TX_LIST_GEOM] = LIST(GEOMS),
    [TX_LIST_JOINT] = LIST(JOINTS),
    [TX_LIST_SWITCH] = LIST(SWITCHES),
    [TX_LIST_INTEGRATOR] = LIST(INTEGRATORS),
    [TX_LIST_BROADPHASE] = LIST(BROADPHASES),
    [TX_LIST_NARROWPHASE] = LIST(NARROWPHASES),
    [TX_LIST_SENSOR] = LIST(SENSORS),
    [TX_LIST_OBJECT] = LIST(OBJECTS),
    [TX_LIST_DYNAMICS] = LIST(DYNAMICS),
    [TX_LIST_CURVE] = LIST(CURVES),
    [TX_LIST_EQUALITY] = LIST(EQUALITIES),
    [TX_LIST_TRANSMISSION] = LIST(TRANSMISSIONS),
    [TX_LIST_SLEEP] = LIST(SLEEPS),
    [TX_LIST_STAGE] = LIST(STAGES),
    [TX_LIST_TARGET] = LIST(TARGETS),
    [TX_LIST_DRAW] = LIST(DRAWS),
};

// laws and solvers are tables of their own
static const char *method(tx_list list, int value) {
    return list == TX_LIST_LAW ? tx_law_name(value) : list == TX_LIST_SOLVER ? tx_solver_name(value) : NULL;
}

static const entry *find(tx_list list, int value) {
    if ((int)list < 0 || list >= TX_LIST_COUNT || value < 0 || (size_t)value >= LISTS[list].count) return NULL;
    const entry *e = &LISTS[list].entries[value];
    return e->name ? e : NULL;
}

int tx_list_size(tx_list list) {
    if ((int)list < 0 || list >= TX_LIST_COUNT) return 0;
    int count = (int)LISTS[list].count;
    while (method(list, count)) count++;
    return count;
}

const char *tx_list_name(tx_list list, int value) {
    const entry *e = find(list, value);
    return e ? e->name : method(list, value);
}

const char *tx_list_meaning(tx_list list, int value) {
    const entry *e = find(list, value);
    return e ? e->meaning : method(list, value) ? "" : NULL;
}

int tx_list_find(tx_list list, const char *name) {
    const int size = tx_list_size(list);
    for (int value = 0; name && value < size; value++) {
        const char *here = tx_list_name(list, value);
        if (here && strcmp(here, name) == 0) return value;
    }
    return -1;
}
