// sensor.h - what each kind of sensor looks at, and how its numbers are bounded.
#pragma once
#include "model/model.h"

/// What a sensor looks at, see TX_SENSORS.
typedef enum tx_sensed {
    TX_SENSES_NONE,
    TX_SENSES_SITE,
    TX_SENSES_SCALAR,
    TX_SENSES_BALL,
    TX_SENSES_LIMIT,
    TX_SENSES_ACTUATOR,
    TX_SENSES_TENDON,
    TX_SENSES_TENDONLIMIT,
    TX_SENSES_SUBTREE,
    TX_SENSES_RELATIVE,
    TX_SENSES_FRAME,
    TX_SENSES_INSIDE,
    TX_SENSES_PAIR,
    TX_SENSES_PROJECTION,
    TX_SENSES_CONTACT,
    TX_SENSES_USER,
    TX_SENSES_RAY,
    TX_SENSES_TAXELS
} tx_sensed;

typedef enum tx_cut { TX_CUT_BOTH, TX_CUT_ABOVE, TX_CUT_NEVER, TX_CUT_RANGE } tx_cut;

typedef struct tx_sensor_kind {
    const char *name;
    int numbers; // 0: it differs
    tx_sensed object;
    tx_cut cutoff;
} tx_sensor_kind;
extern const tx_sensor_kind tx_sensor_kinds[TX_SENSOR_COUNT];

/// Whether a sensor of that kind can look at such an object.
bool tx_sensor_takes(tx_sensed sensed, int object);
/// Whether it can have such a reference; TX_OBJECT_NONE: whether it can do without.
bool tx_sensor_takes_reference(tx_sensed sensed, int object);

/// Numbers of one slot of a contact sensor, or of one ray, by the bits of its data.
int tx_contact_data_size(int data);
int tx_ray_data_size(int data);

/// Whether some sensor looks at geoms, and not only at where bodies and sites are.
bool tx_model_senses_geoms(const tx_model *model);
/// Whether some sensor looks at a camera or from one.
bool tx_model_senses_cameras(const tx_model *model);
/// Whether the model has a sensor of one of the types whose bits are set.
bool tx_model_senses(const tx_model *model, uint64_t types);
#define TX_SENSOR_BIT(NAME) (1ull << TX_SENSOR_##NAME)
