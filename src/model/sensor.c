// sensor.c - the table of sensors.
#include "model/sensor.h"

_Static_assert(TX_SENSOR_COUNT <= 64, "sets of sensors are 64 bits");

const tx_sensor_kind tx_sensor_kinds[TX_SENSOR_COUNT] = {
#define X(NAME, name, numbers, object, cutoff, meaning) \
    [TX_SENSOR_##NAME] = {#name, numbers, TX_SENSES_##object, TX_CUT_##cutoff},
    TX_SENSORS(X)
#undef X
};

static bool is_frame(int object) {
    return (object >= TX_OBJECT_BODY && object <= TX_OBJECT_SITE) || object == TX_OBJECT_CAMERA;
}

bool tx_sensor_takes(tx_sensed sensed, int object) {
    switch (sensed) {
    case TX_SENSES_NONE: return object == TX_OBJECT_NONE;
    case TX_SENSES_SITE: return object == TX_OBJECT_SITE;
    case TX_SENSES_SCALAR:
    case TX_SENSES_BALL:
    case TX_SENSES_LIMIT: return object == TX_OBJECT_JOINT;
    case TX_SENSES_ACTUATOR: return object == TX_OBJECT_ACTUATOR;
    case TX_SENSES_TENDON:
    case TX_SENSES_TENDONLIMIT: return object == TX_OBJECT_TENDON;
    case TX_SENSES_SUBTREE: return object == TX_OBJECT_BODY;
    case TX_SENSES_RELATIVE:
    case TX_SENSES_FRAME:
    case TX_SENSES_INSIDE: return is_frame(object);
    case TX_SENSES_PAIR: return object == TX_OBJECT_GEOM || object == TX_OBJECT_BODY;
    case TX_SENSES_PROJECTION: return object == TX_OBJECT_SITE;
    case TX_SENSES_CONTACT: return object >= TX_OBJECT_NONE && object <= TX_OBJECT_SITE;
    case TX_SENSES_USER: return object == TX_OBJECT_NONE;
    case TX_SENSES_RAY: return object == TX_OBJECT_SITE || object == TX_OBJECT_CAMERA;
    case TX_SENSES_TAXELS: return object == TX_OBJECT_GEOM;
    }
    return false;
}

bool tx_sensor_takes_reference(tx_sensed sensed, int object) {
    switch (sensed) {
    case TX_SENSES_RELATIVE: return object == TX_OBJECT_NONE || is_frame(object);
    case TX_SENSES_INSIDE: return object == TX_OBJECT_SITE;
    case TX_SENSES_PAIR: return tx_sensor_takes(sensed, object);
    case TX_SENSES_PROJECTION: return object == TX_OBJECT_CAMERA;
    case TX_SENSES_TAXELS: return object == TX_OBJECT_MESH;
    case TX_SENSES_CONTACT: return object >= TX_OBJECT_NONE && object <= TX_OBJECT_GEOM;
    default: return object == TX_OBJECT_NONE;
    }
}

bool tx_model_senses(const tx_model *m, uint64_t types) {
    for (int i = 0; i < m->nsensor; i++)
        if (types >> m->sensor_type[i] & 1) return true;
    return false;
}

int tx_contact_data_size(int data) {
    static const int NUMBERS[] = {
#define X(NAME, name, numbers, meaning) numbers,
        TX_CONTACT_DATA(X)
#undef X
    };
    int size = 0;
    for (int k = 0; k < TX_CONTACT_DATA_COUNT; k++) size += data >> k & 1 ? NUMBERS[k] : 0;
    return size;
}

int tx_ray_data_size(int data) {
    static const int NUMBERS[] = {
#define X(NAME, name, numbers, meaning) numbers,
        TX_RAY_DATA(X)
#undef X
    };
    int size = 0;
    for (int k = 0; k < TX_RAY_DATA_COUNT; k++) size += data >> k & 1 ? NUMBERS[k] : 0;
    return size;
}

static bool senses_geoms(const tx_model *m, int sensor) {
    const int type = m->sensor_type[sensor];
    switch (tx_sensor_kinds[type].object) {
    case TX_SENSES_NONE:
    case TX_SENSES_SCALAR:
    case TX_SENSES_BALL:
    case TX_SENSES_LIMIT:
    case TX_SENSES_ACTUATOR:
    case TX_SENSES_TENDON:
    case TX_SENSES_TENDONLIMIT:
    case TX_SENSES_SUBTREE: return false;
    case TX_SENSES_RELATIVE:
    case TX_SENSES_FRAME:
    case TX_SENSES_INSIDE:
        return m->sensor_objtype[sensor] == TX_OBJECT_GEOM || m->sensor_reftype[sensor] == TX_OBJECT_GEOM;
    case TX_SENSES_SITE:
        return type != TX_SENSOR_TOUCH && type != TX_SENSOR_ACCELEROMETER && type != TX_SENSOR_VELOCIMETER &&
               type != TX_SENSOR_GYRO && type != TX_SENSOR_FORCE && type != TX_SENSOR_TORQUE &&
               type != TX_SENSOR_MAGNETOMETER;
    default: return true;
    }
}

bool tx_model_senses_geoms(const tx_model *m) {
    for (int i = 0; i < m->nsensor; i++)
        if (senses_geoms(m, i)) return true;
    return false;
}

bool tx_model_senses_cameras(const tx_model *m) {
    for (int i = 0; i < m->nsensor; i++)
        if (m->sensor_objtype[i] == TX_OBJECT_CAMERA || m->sensor_reftype[i] == TX_OBJECT_CAMERA) return true;
    return false;
}
