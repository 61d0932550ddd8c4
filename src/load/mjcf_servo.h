// mjcf_servo.h - <pid> and <dcmotor>, and what `input` says.
#pragma once
#include "load/mjcf.h"

/// Fill the numbers of a general actuator from the attributes that were given.
void tx_mjcf_set_pid(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a);
void tx_mjcf_set_orientation(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a);
void tx_mjcf_set_dcmotor(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a);

/// Bits of a signature such as "pos vel"; 0 with a message when it is none, and for an empty one.
int tx_mjcf_read_inputs(tx_mjcf *m, tx_xml_element *element, const char *text);
/// The inputs of an actuator as tx_actuator_def has them; its own or those its kind starts from.
int tx_mjcf_inputs(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_actuator *a);
/// The signature of some inputs; null: there are none.
const char *tx_mjcf_input_text(int inputs);
