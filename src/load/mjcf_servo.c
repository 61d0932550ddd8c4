// mjcf_servo.c - <pid> and <dcmotor>: what their attributes make of the numbers of a general actuator, and `input`.
#include "load/mjcf_servo.h"

#include <math.h>
#include <string.h>

// the value, or zero with a message
static double not_negative(tx_mjcf *m, tx_xml_element *element, const char *name, double value) {
    if (value >= 0) return value;
    tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, name), "", "%s of <%s> is negative", name,
                    element->name);
    return 0;
}

static void start_from_nothing(tx_mjcf_actuator *a) {
    memset(a->gainprm, 0, sizeof a->gainprm);
    memset(a->biasprm, 0, sizeof a->biasprm);
    memset(a->def.dynprm, 0, sizeof a->def.dynprm);
}

// kv, or a damping ratio: above zero where -kv would be
static void set_damping(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    if (a->kv_given && a->dampratio_given)
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "dampratio"), "keep one of them",
                        "<%s> has both 'kv' and 'dampratio'", element->name);
    else if (a->kv_given) a->biasprm[2] = -not_negative(m, element, "kv", a->kv);
    else if (a->dampratio_given) a->biasprm[2] = not_negative(m, element, "dampratio", a->dampratio);
}

// ---- input ---------------------------------------------------------------------------------------------------------

enum { PRESSURE = 4096 };

// in the order that a signature must have
static const struct {
    const char *name;
    int bit;
} INPUTS[] = {{"pos", TX_INPUT_POS},         {"vel", TX_INPUT_VEL},  {"ff", TX_INPUT_FF},
              {"voltage", TX_INPUT_VOLTAGE}, {"pressure", PRESSURE}, {"none", TX_INPUT_NONE},
              {"expmap", TX_INPUT_EXPMAP},   {"quat", TX_INPUT_QUAT}};
enum { INPUT_COUNT = sizeof INPUTS / sizeof *INPUTS };

int tx_mjcf_read_inputs(tx_mjcf *m, tx_xml_element *element, const char *text) {
    int bits = 0, last = -1;
    for (const char *at = text + strspn(text, " \t\r\n"); *at; at += strspn(at, " \t\r\n")) {
        size_t length = strcspn(at, " \t\r\n");
        int i = 0;
        while (i < INPUT_COUNT && (strlen(INPUTS[i].name) != length || memcmp(INPUTS[i].name, at, length) != 0)) i++;
        if (i == INPUT_COUNT || i <= last || (INPUTS[i].bit >= TX_INPUT_NONE && INPUTS[i].bit != PRESSURE && bits)) {
            tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "input"),
                            "'pos', 'vel', 'ff', 'voltage', 'pressure' in this order, or 'none', 'expmap', 'quat'",
                            "input of <%s> cannot be '%.60s'", element->name, text);
            return 0;
        }
        bits |= INPUTS[i].bit, last = i, at += length;
    }
    return bits;
}

const char *tx_mjcf_input_text(int inputs) {
    static const char *const TEXT[] = {NULL,
                                       "pos",
                                       "vel",
                                       "pos vel",
                                       "ff",
                                       "pos ff",
                                       "vel ff",
                                       "pos vel ff",
                                       "voltage",
                                       "pos voltage",
                                       "vel voltage",
                                       "pos vel voltage",
                                       "ff voltage",
                                       "pos ff voltage",
                                       "vel ff voltage",
                                       "pos vel ff voltage",
                                       "none"};
    if (inputs == TX_INPUT_EXPMAP || inputs == TX_INPUT_QUAT) return inputs == TX_INPUT_QUAT ? "quat" : "expmap";
    return inputs >= 0 && inputs <= TX_INPUT_NONE ? TEXT[inputs] : NULL;
}

int tx_mjcf_inputs(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_actuator *a) {
    const int setpoints = TX_INPUT_POS | TX_INPUT_VEL | TX_INPUT_FF;
    if (a->gaintype == TX_MJCF_GAIN_PID) return a->inputs ? a->inputs : TX_INPUT_POS | TX_INPUT_VEL;
    if (a->gaintype == TX_MJCF_GAIN_SO3) return a->inputs ? a->inputs : TX_INPUT_EXPMAP;
    if (a->gaintype == TX_MJCF_GAIN_DCMOTOR) return a->inputs ? a->inputs : TX_INPUT_VOLTAGE;
    // of the others it only says what the one control is
    bool one = a->inputs == 0 || a->inputs == TX_INPUT_POS || a->inputs == TX_INPUT_VEL || a->inputs == PRESSURE;
    if (!one || (a->inputs && a->gaintype == TX_MJCF_GAIN_MUSCLE))
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "input"),
                        a->inputs & setpoints ? "or make it a <pid>" : "", "<%s> takes one input: pos, vel or pressure",
                        element->name);
    return 0;
}

// ---- orientation ----------------------------------------------------------------------------------------------------

void tx_mjcf_set_orientation(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    if (a->gaintype != TX_MJCF_GAIN_SO3) start_from_nothing(a), a->gainprm[0] = 1, a->biasprm[1] = -1;
    if (a->kp_given) a->gainprm[0] = a->kp, a->biasprm[1] = -a->kp;
    set_damping(m, element, a);
    a->dyntype = TX_DYNAMICS_NONE, a->gaintype = TX_MJCF_GAIN_SO3, a->biastype = TX_MJCF_BIAS_SO3;
}

// ---- pid -----------------------------------------------------------------------------------------------------------

void tx_mjcf_set_pid(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    if (a->gaintype != TX_MJCF_GAIN_PID) start_from_nothing(a), a->biasprm[1] = -1;
    if (a->kp_given) a->biasprm[1] = -a->kp;
    set_damping(m, element, a);
    if (a->ki_given) a->gainprm[0] = not_negative(m, element, "ki", a->ki);
    if (a->imax_given) a->def.dynprm[0] = a->imax;
    if (a->slewmax_given) a->def.dynprm[1] = not_negative(m, element, "slewmax", a->slewmax);
    const bool states = a->gainprm[0] > 0 || a->def.dynprm[1] > 0;
    a->dyntype = states ? TX_DYNAMICS_PID : TX_DYNAMICS_NONE;
    // without an integral its limit is no parameter
    if (!states) memset(a->def.dynprm, 0, sizeof a->def.dynprm);
    a->gaintype = TX_MJCF_GAIN_PID;
    a->biastype = TX_MJCF_BIAS_AFFINE;
}

// ---- dcmotor -------------------------------------------------------------------------------------------------------

static void check_signs(tx_mjcf *m, tx_xml_element *element, const char *name, const double *values, int count) {
    for (int k = 0; k < count; k++)
        if (!(values[k] >= 0)) {
            not_negative(m, element, name, -1);
            return;
        }
}

// resistance and motor constant, from what is given of them
static void set_electric(tx_mjcf_actuator *a) {
    double *R = &a->gainprm[0], *K = &a->gainprm[1];
    const double *constant = a->motorconst, *nominal = a->nominal;
    if (a->resistance_given) *R = a->resistance;
    if (a->motorconst_given)
        *K = constant[0] > 0 && constant[1] > 0 ? sqrt(constant[0] * constant[1]) : fmax(constant[0], constant[1]);
    if (!a->nominal_given) return;
    if (!a->motorconst_given && nominal[2] > 0) *K = nominal[0] / nominal[2];
    if (!a->resistance_given && nominal[1] > 0) *R = *K * nominal[0] / nominal[1];
}

// thermal resistance and capacitance, from any two of them and the time constant
static void set_thermal(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    const double *t = a->thermal;
    double resistance = t[0], capacitance = t[1];
    check_signs(m, element, "thermal", t, 3);
    if (!(t[0] > 0 || t[1] > 0 || t[2] > 0)) return;
    if (t[2] > 0 && t[0] > 0) capacitance = t[2] / t[0];
    else if (t[2] > 0 && t[1] > 0) resistance = t[2] / t[1];
    if (!(resistance > 0 && capacitance > 0))
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "thermal"),
                        "thermal=\"resistance capacitance timeconst tempcoef reftemp ambient\", 0 for what follows",
                        "thermal of <%s> needs two of resistance, capacitance and time constant", element->name);
    a->def.dynprm[2] = resistance, a->def.dynprm[3] = capacitance, a->def.dynprm[4] = t[5];
    a->gainprm[2] = t[3], a->gainprm[3] = t[4];
}

void tx_mjcf_set_dcmotor(tx_mjcf *m, tx_xml_element *element, tx_mjcf_actuator *a) {
    double *dyn = a->def.dynprm, *gain = a->gainprm, *bias = a->biasprm;
    if (a->gaintype != TX_MJCF_GAIN_DCMOTOR) start_from_nothing(a);
    check_signs(m, element, "motorconst", a->motorconst, 2);
    check_signs(m, element, "inductance", a->inductance, 2);
    set_electric(a);
    if (!(gain[0] > 0))
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "resistance"), "or nominal",
                        "<%s> needs a resistance above 0", element->name);
    bool passive = a->inputs == TX_INPUT_NONE;
    if (!(gain[1] > 0) && !passive)
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "motorconst"), "or nominal",
                        "<%s> needs a motor constant above 0", element->name);
    if (a->inductance_given) dyn[0] = a->inductance[0] > 0 ? a->inductance[0] / gain[0] : a->inductance[1];
    if (a->thermal_given) set_thermal(m, element, a);
    if (a->saturation_given) {
        const double torque = a->saturation[0] > 0 ? a->saturation[0] : gain[1] * a->saturation[1];
        a->def.forcerange[0] = torque > 0 ? -torque : 0, a->def.forcerange[1] = torque;
        a->def.forcelimited = torque > 0 ? TX_SWITCH_ON : TX_SWITCH_OFF;
        dyn[1] = a->saturation[2];
    }
    // numbers that are not given stay as a class has them
    double *const controller[] = {&gain[4], &gain[5], &gain[6], &dyn[7], &dyn[8], &gain[7]};
    double *const lugre[] = {&dyn[5], &dyn[6], &bias[3], &bias[4], &bias[5]};
    for (int k = 0; k < a->cogging_given; k++) bias[k] = a->cogging[k];
    for (int k = 0; k < a->controller_given; k++) *controller[k] = a->controller[k];
    for (int k = 0; k < a->lugre_given && a->lugre[0] > 0; k++) *lugre[k] = a->lugre[k];
    a->dyntype = TX_DYNAMICS_DCMOTOR, a->gaintype = TX_MJCF_GAIN_DCMOTOR, a->biastype = TX_MJCF_BIAS_DCMOTOR;
    a->def.actearly = true;
}
