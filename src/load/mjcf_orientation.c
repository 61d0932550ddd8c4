// mjcf_orientation.c - the five ways in which MJCF gives an orientation.
#include <string.h>

#include "load/mjcf.h"

#define PI 3.14159265358979323846

bool tx_mjcf_choose_orientation(tx_mjcf *m, tx_xml_element *element, tx_mjcf_orientation *orientation) {
    static const char *const names[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};
    const tx_xml_attribute *first = NULL;
    for (int form = 0; form < 5; form++) {
        const tx_xml_attribute *attribute = tx_xml_find(element, names[form]);
        if (!attribute) continue;
        if (first) {
            tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, attribute, "keep one of them",
                            "<%s> gives its orientation twice: '%s' and '%s'", element->name, first->name,
                            attribute->name);
            return false;
        }
        first = attribute;
        orientation->form = form;
    }
    return true;
}

// the quaternion, or false when a vector has no direction
static bool evaluate(const tx_mjcf *m, const tx_mjcf_orientation *o, double quat[4]) {
    double unit = m->part->radian ? 1 : PI / 180;
    switch (o->form) {
    case TX_MJCF_QUAT:
        memcpy(quat, o->quat, sizeof o->quat);
        return quat[0] != 0 || quat[1] != 0 || quat[2] != 0 || quat[3] != 0;
    case TX_MJCF_AXISANGLE: return tx_quat_axisangle(quat, o->axisangle, o->axisangle[3] * unit);
    case TX_MJCF_EULER: {
        const double angles[3] = {o->euler[0] * unit, o->euler[1] * unit, o->euler[2] * unit};
        return tx_quat_euler(quat, angles, m->part->eulerseq);
    }
    case TX_MJCF_XYAXES: return tx_quat_xyaxes(quat, o->xyaxes, o->xyaxes + 3);
    case TX_MJCF_ZAXIS: return tx_quat_zaxis(quat, o->zaxis);
    }
    return false;
}

bool tx_mjcf_quaternion(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_orientation *orientation, double quat[4]) {
    if (evaluate(m, orientation, quat)) return true;
    static const char *const what[] = {"quat is zero", "the axis of axisangle is zero", "",
                                       "an axis of xyaxes is zero, or both are parallel", "zaxis is zero"};
    tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "", "<%s> has no orientation: %s", element->name,
                    what[orientation->form]);
    const double identity[4] = {1, 0, 0, 0};
    memcpy(quat, identity, sizeof identity);
    return false;
}
