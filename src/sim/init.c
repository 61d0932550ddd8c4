// init.c - definitions filled in place: for callers that hold no structs by value, and to find out that a header and
// the library do not belong together.
#include "thixis/thixis.h"

#define INIT(type, value)                                    \
    tx_result type##_init(type *to, size_t size) {           \
        if (!to) return TX_ERROR_ARGUMENT;                   \
        if (size != sizeof *to) return TX_ERROR_UNSUPPORTED; \
        *to = value;                                         \
        return TX_OK;                                        \
    }

INIT(tx_options, tx_default_options())
INIT(tx_compiler_def, tx_default_compiler_def())
INIT(tx_body_def, tx_default_body_def())
INIT(tx_joint_def, tx_default_joint_def())
INIT(tx_geom_def, tx_default_geom_def())
INIT(tx_site_def, tx_default_site_def())
INIT(tx_sensor_def, tx_default_sensor_def())
INIT(tx_motor_def, tx_default_motor_def())
INIT(tx_actuator_def, tx_default_actuator_def())
INIT(tx_tendon_def, tx_default_tendon_def())
INIT(tx_equality_def, tx_default_equality_def())
INIT(tx_pair_def, tx_default_pair_def())
INIT(tx_mesh_def, tx_default_mesh_def())
INIT(tx_hfield_def, tx_default_hfield_def())
INIT(tx_texture_def, tx_default_texture_def())
INIT(tx_key_def, tx_default_key_def())
INIT(tx_exclude_def, tx_default_exclude_def())
INIT(tx_load_options, tx_default_load_options())
INIT(tx_sim_def, tx_default_sim_def())
INIT(tx_query_filter, tx_default_query_filter())
INIT(tx_sim_scene_def, tx_default_sim_scene_def())
