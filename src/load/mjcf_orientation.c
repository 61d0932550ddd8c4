// mjcf_orientation.c - the five ways in which MJCF gives an orientation.
#include <math.h>
#include <string.h>

#include "geometry/vec3.h"
#include "load/mjcf.h"

#define PI 3.14159265358979323846

bool tx_mjcf_choose_orientation(tx_mjcf *m, tx_xml_element *element, tx_mjcf_orientation *orientation) {
    static const char *const names[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};
    const tx_xml_attribute *first = NULL;
    for (int form = 0; form < 5; form++) {
        const tx_xml_attribute *attribute = tx_xml_find(element, names[form]);
        if (!attribute) continue;
        if (first) {
            tx_mjcf_problem(m, TX_ERROR, element, attribute, "keep one of them",
                            "<%s> gives its orientation twice: '%s' and '%s'", element->name, first->name,
                            attribute->name);
            return false;
        }
        first = attribute;
        if (form != TX_MJCF_QUAT) orientation->form = form;
    }
    return true;
}

static void multiply(double out[4], const double a[4], const double b[4]) {
    double q[4] = {
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    };
    memcpy(out, q, sizeof q);
}

static void from_axis_angle(double quat[4], const double unit_axis[3], double angle) {
    quat[0] = cos(angle / 2);
    v3_scale(quat + 1, unit_axis, sin(angle / 2));
}

// columns x, y, z of a rotation matrix; the largest of the four squares keeps the root away from zero
static void from_axes(double quat[4], const double x[3], const double y[3], const double z[3]) {
    double squares[4] = {1 + x[0] + y[1] + z[2], 1 + x[0] - y[1] - z[2], 1 - x[0] + y[1] - z[2],
                         1 - x[0] - y[1] + z[2]};
    double products[4][4] = {
        {squares[0], y[2] - z[1], z[0] - x[2], x[1] - y[0]},
        {y[2] - z[1], squares[1], x[1] + y[0], z[0] + x[2]},
        {z[0] - x[2], x[1] + y[0], squares[2], y[2] + z[1]},
        {x[1] - y[0], z[0] + x[2], y[2] + z[1], squares[3]},
    };
    int best = 0;
    for (int i = 1; i < 4; i++) best = squares[i] > squares[best] ? i : best;
    double scale = 0.5 / sqrt(squares[best]);
    for (int i = 0; i < 4; i++) quat[i] = products[best][i] * scale;
}

// lower-case letters turn about the moving axes, upper-case letters about the fixed ones
static void from_euler(double quat[4], const double angles[3], const char *sequence) {
    double result[4] = {1, 0, 0, 0};
    for (int i = 0; i < 3; i++) {
        int axis = (sequence[i] | 32) - 'x';
        double unit[3] = {axis == 0, axis == 1, axis == 2}, turn[4];
        from_axis_angle(turn, unit, angles[i]);
        if (sequence[i] >= 'a') {
            multiply(result, result, turn);
        } else {
            multiply(result, turn, result);
        }
    }
    memcpy(quat, result, sizeof result);
}

// MuJoCo's bound below which a vector has no direction
#define TINY 1e-15
static bool direct(double v[3]) { return v3_normalise(v) >= TINY; }

// the quaternion, or false when a vector has no direction
static bool evaluate(const tx_mjcf *m, const tx_mjcf_orientation *o, double quat[4]) {
    double unit = m->part->radian ? 1 : PI / 180;
    double x[3], y[3], z[3];
    switch (o->form) {
    case TX_MJCF_QUAT:
        memcpy(quat, o->quat, sizeof o->quat);
        return quat[0] != 0 || quat[1] != 0 || quat[2] != 0 || quat[3] != 0;
    case TX_MJCF_AXISANGLE:
        v3_copy(x, o->axisangle);
        if (!direct(x)) return false;
        from_axis_angle(quat, x, o->axisangle[3] * unit);
        return true;
    case TX_MJCF_EULER: {
        double angles[3];
        v3_scale(angles, o->euler, unit);
        from_euler(quat, angles, m->part->eulerseq);
        return true;
    }
    case TX_MJCF_XYAXES:
        // x keeps its direction, y is made orthogonal to it
        v3_copy(x, o->xyaxes);
        v3_copy(y, o->xyaxes + 3);
        if (!direct(x)) return false;
        v3_along(y, y, x, -v3_dot(x, y));
        if (!direct(y)) return false;
        v3_cross(z, x, y);
        if (!direct(z)) return false;
        from_axes(quat, x, y, z);
        return true;
    case TX_MJCF_ZAXIS: {
        // the shortest turn that takes (0 0 1) there
        v3_copy(z, o->zaxis);
        if (!direct(z)) return false;
        v3_set(x, -z[1], z[0], 0);
        double sine = v3_normalise(x);
        from_axis_angle(quat, x, atan2(sine, z[2]));
        return true;
    }
    }
    return false;
}

bool tx_mjcf_quaternion(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_orientation *orientation, double quat[4]) {
    if (evaluate(m, orientation, quat)) return true;
    static const char *const what[] = {"quat is zero", "the axis of axisangle is zero", "",
                                       "an axis of xyaxes is zero, or both are parallel", "zaxis is zero"};
    tx_mjcf_problem(m, TX_ERROR, element, NULL, "", "<%s> has no orientation: %s", element->name,
                    what[orientation->form]);
    const double identity[4] = {1, 0, 0, 0};
    memcpy(quat, identity, sizeof identity);
    return false;
}
