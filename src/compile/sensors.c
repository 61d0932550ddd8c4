// sensors.c - sites and sensors of a builder: checks, and their arrays of the model.
#include "compile/sensors.h"

#include <string.h>

#include "compile/check.h"
#include "model/actuator.h"
#include "model/sensor.h"

#define W(field) tx_writable(m->field)

enum { MOST_NUMBERS = 100000 }; // of a user sensor; contacts of a contact sensor, rays of a rangefinder

// ---- checks ---------------------------------------------------------------------------------------------------------

static void check_site(const tx_site_def *d, int i, tx_diag *diag) {
    const char *name = NAME_OF(d, i);
    static const int NEEDS[TX_GEOM_COUNT] = {[TX_GEOM_SPHERE] = 1,
                                             [TX_GEOM_CAPSULE] = 2,
                                             [TX_GEOM_ELLIPSOID] = 3,
                                             [TX_GEOM_CYLINDER] = 2,
                                             [TX_GEOM_BOX] = 3};
    int needs = (int)d->type >= 0 && d->type < TX_GEOM_COUNT ? NEEDS[d->type] : 0;
    bool usable = CHECK_NUMBERS("site", name, NUMBERS(size), NUMBERS(pos), NUMBERS(quat));
    if (!needs)
        FAIL(d->source, "sphere, capsule, ellipsoid, cylinder and box exist", "site '%s': it cannot have this type",
             name);
    else if (usable && !(d->quat[0] || d->quat[1] || d->quat[2] || d->quat[3]))
        FAIL(d->source, "give four numbers w x y z, not all zero", "site '%s': quat is zero", name);
    for (int k = 0; k < needs; k++)
        if (!(d->size[k] > 0)) {
            FAIL(d->source, "", "site '%s': needs %d positive size%s", name, needs, needs == 1 ? "" : "s");
            break;
        }
}

typedef struct object_list {
    const tx_names *names;
    const char *kind;
} object_list;

static object_list list_of(const tx_catalog *c, int object) {
    switch (object) {
    case TX_OBJECT_BODY:
    case TX_OBJECT_XBODY: return (object_list){&c->body, "body"};
    case TX_OBJECT_GEOM: return (object_list){&c->geom, "geom"};
    case TX_OBJECT_SITE: return (object_list){&c->site, "site"};
    case TX_OBJECT_CAMERA: return (object_list){&c->camera, "camera"};
    case TX_OBJECT_JOINT: return (object_list){&c->joint, "joint"};
    case TX_OBJECT_ACTUATOR: return (object_list){&c->actuator, "actuator"};
    case TX_OBJECT_TENDON: return (object_list){&c->tendon, "tendon"};
    case TX_OBJECT_MESH: return (object_list){&c->mesh, "mesh"};
    default: return (object_list){NULL, ""};
    }
}

// whether what a sensor names exists
static bool check_name(const tx_catalog *c, const tx_sensor_def *d, int object, const char *name, tx_diag *diag) {
    object_list list = list_of(c, object);
    if (!list.names || tx_name_find(list.names, name) >= 0) return true;
    FAIL(d->source, "names are case sensitive", "sensor '%s': there is no %s '%s'", name_or(d->name), list.kind, name);
    return false;
}

static void check_joint_kind(const tx_builder *b, const tx_catalog *c, const tx_sensor_def *d, tx_sensed sensed,
                             tx_diag *diag) {
    const tx_joint_def *joint = &b->joint.items[tx_name_find(&c->joint, d->of)].def;
    const char *what = tx_sensor_kinds[d->type].name, *wanted = NULL;
    if (sensed == TX_SENSES_SCALAR && joint->type != TX_JOINT_HINGE && joint->type != TX_JOINT_SLIDE)
        wanted = "a hinge or a slide";
    if (sensed == TX_SENSES_BALL && joint->type != TX_JOINT_BALL) wanted = "a ball";
    if (sensed == TX_SENSES_LIMIT && (joint->type == TX_JOINT_FREE || !tx_has_limits(joint)))
        wanted = "a joint with limits";
    if (wanted) FAIL(d->source, "", "sensor '%s': %s needs %s, not '%s'", name_or(d->name), what, wanted, d->of);
}

static void check_tendon_limit(const tx_builder *b, const tx_catalog *c, const tx_sensor_def *d, tx_diag *diag) {
    const tx_tendon_def *tendon = &b->tendon.items[tx_name_find(&c->tendon, d->of)];
    bool limited =
        tendon->limited == TX_SWITCH_ON || (tendon->limited == TX_SWITCH_AUTO && tendon->range[0] < tendon->range[1]);
    if (!limited)
        FAIL(d->source, "", "sensor '%s': %s needs a tendon with limits, not '%s'", name_or(d->name),
             tx_sensor_kinds[d->type].name, d->of);
}

// whether a sensor of an actuator has a number for each axis
static bool has_axes(const tx_builder *b, const tx_sensor_def *d) {
    if (d->object != TX_OBJECT_ACTUATOR) return false;
    for (int i = 0; i < b->actuator.count; i++)
        if (b->actuator.items[i].gain_curve == TX_CURVE_SO3 && strcmp(b->actuator.items[i].name, d->of) == 0)
            return true;
    return false;
}

// one, or a pixel each; 0: none, or too many
static int rays_of(const tx_builder *b, const tx_sensor_def *d) {
    if (d->object != TX_OBJECT_CAMERA) return 1;
    for (int i = 0; i < b->camera.count; i++) {
        const int *pixels = b->camera.items[i].def.resolution;
        if (strcmp(b->camera.items[i].def.name, d->of) != 0) continue;
        return pixels[0] > 0 && pixels[1] > 0 && pixels[0] <= MOST_NUMBERS / pixels[1] ? pixels[0] * pixels[1] : 0;
    }
    return 0;
}

// three a vertex; 0: none, or too many
static int taxel_numbers(const tx_builder *b, const tx_sensor_def *d) {
    for (int i = 0; i < b->mesh.count; i++) {
        const int vertices = b->mesh.items[i].vertex_count;
        if (strcmp(b->mesh.items[i].name, d->relative_to) == 0) return vertices <= MOST_NUMBERS ? 3 * vertices : 0;
    }
    return 0;
}

// how many numbers it has; 0: none that can be
static int numbers_of(const tx_builder *b, const tx_sensor_def *d) {
    int numbers = tx_sensor_kinds[d->type].numbers, num = d->num ? d->num : 1;
    if (d->type == TX_SENSOR_USER) num = d->num;
    if (numbers) return has_axes(b, d) ? 3 : numbers;
    if (d->type == TX_SENSOR_RANGEFINDER) return rays_of(b, d) * tx_ray_data_size(d->data ? d->data : 1);
    if (d->type == TX_SENSOR_TACTILE) return taxel_numbers(b, d);
    if (num < 1 || num > MOST_NUMBERS) return 0;
    if (d->type == TX_SENSOR_USER) return num;
    return num * tx_contact_data_size(d->data ? d->data : 1 << TX_CONTACT_DATA_FOUND);
}

static void check_numbers(const tx_builder *b, const tx_catalog *c, const tx_sensor_def *d, tx_diag *diag) {
    const int motion = 1 << TX_CONTACT_DATA_LINVEL | 1 << TX_CONTACT_DATA_ANGVEL;
    if (d->type == TX_SENSOR_RANGEFINDER) {
        if (d->data < 0 || d->data >> TX_RAY_DATA_COUNT)
            FAIL(d->source, "see TX_RAY_DATA", "sensor '%s': a ray has no such data", name_or(d->name));
        else if (rays_of(b, d) < 1 && tx_name_find(&c->camera, d->of) >= 0)
            FAIL(d->source, "1 to 100000", "sensor '%s': camera '%s' has no pixels, or too many", name_or(d->name),
                 d->of);
        return;
    }
    if (d->type == TX_SENSOR_TACTILE) {
        if (taxel_numbers(b, d) < 1 && tx_name_find(&c->mesh, d->relative_to) >= 0)
            FAIL(d->source, "1 to 100000", "sensor '%s': mesh '%s' has too many vertices", name_or(d->name),
                 d->relative_to);
        return;
    }
    if (numbers_of(b, d) < 1)
        FAIL(d->source, "1 to 100000", "sensor '%s': it cannot have %d %s", name_or(d->name), d->num,
             d->type == TX_SENSOR_USER ? "numbers" : "contacts");
    int camera = d->type == TX_SENSOR_CAMPROJECTION ? tx_name_find(&c->camera, d->relative_to) : -1;
    if (camera >= 0 && (b->camera.items[camera].def.resolution[0] < 1 || b->camera.items[camera].def.resolution[1] < 1))
        FAIL(d->source, "give the camera a resolution", "sensor '%s': camera '%s' has no pixels", name_or(d->name),
             d->relative_to);
    if (d->type != TX_SENSOR_CONTACT) return;
    if (d->data < 0 || d->data >> TX_CONTACT_DATA_COUNT)
        FAIL(d->source, "see TX_CONTACT_DATA", "sensor '%s': a contact has no such data", name_or(d->name));
    if ((int)d->reduce < TX_REDUCE_NONE || d->reduce > TX_REDUCE_NETFORCE)
        FAIL(d->source, "see tx_reduce", "sensor '%s': there is no such way to choose", name_or(d->name));
    else if (d->reduce == TX_REDUCE_NETFORCE && d->data & motion)
        FAIL(d->source, "", "sensor '%s': a net force has no velocity", name_or(d->name));
}

// samples, delay and interval
static void check_past(const tx_builder *b, const tx_sensor_def *d, tx_diag *diag) {
    const char *name = name_or(d->name);
    if (!good(&d->delay, 1) || !good(d->interval, 2)) {
        FAIL(d->source, "seconds", "sensor '%s': delay or interval is not usable", name);
        return;
    }
    tx_check_history("sensor", name, d->nsample, d->delay, (int)d->interp, d->source, diag);
    if (d->interval[0] < 0) FAIL(d->source, "", "sensor '%s': its interval is negative", name);
    if (d->interval[0] > 0 && !(d->interval[1] > -d->interval[0] && d->interval[1] <= 0))
        FAIL(d->source, "above -interval, at most 0", "sensor '%s': the phase of its interval cannot be %g", name,
             d->interval[1]);
    if (d->nsample > 0 && b->options.sleep)
        FAIL(d->source, "leave sleep out", "sensor '%s': where bodies sleep, sensors have no past", name);
}

static void check_sensor(const tx_builder *b, const tx_catalog *c, const tx_sensor_def *d, tx_diag *diag) {
    if ((int)d->type < 0 || d->type >= TX_SENSOR_COUNT) {
        FAIL(d->source, "see TX_SENSORS", "sensor '%s': there is no such type", name_or(d->name));
        return;
    }
    const tx_sensor_kind *kind = &tx_sensor_kinds[d->type];
    if (!tx_sensor_takes(kind->object, (int)d->object))
        FAIL(d->source, "see TX_SENSORS", "sensor '%s': %s cannot look at that", name_or(d->name), kind->name);
    else if (check_name(c, d, (int)d->object, d->of, diag)) {
        if (d->object == TX_OBJECT_JOINT) check_joint_kind(b, c, d, kind->object, diag);
        if (kind->object == TX_SENSES_TENDONLIMIT) check_tendon_limit(b, c, d, diag);
    }
    if (!tx_sensor_takes_reference(kind->object, (int)d->reference))
        FAIL(d->source, "see TX_SENSORS", "sensor '%s': %s cannot have that as its reference", name_or(d->name),
             kind->name);
    else check_name(c, d, (int)d->reference, d->relative_to, diag);
    check_numbers(b, c, d, diag);
    check_past(b, d, diag);
    if (!good(&d->cutoff, 1) || !good(&d->noise, 1) || d->cutoff < 0 || d->noise < 0)
        FAIL(d->source, "0 or more", "sensor '%s': cutoff or noise is not usable", name_or(d->name));
    else if (d->cutoff > 0 && kind->cutoff == TX_CUT_NEVER && d->type != TX_SENSOR_CONTACT)
        FAIL(d->source, "take it away", "sensor '%s': an axis or an orientation cannot be cut off", name_or(d->name));
}

void tx_check_sensors(const tx_builder *b, const tx_catalog *c, tx_diag *diag) {
    for (int i = 0; i < b->site.count; i++) check_site(&b->site.items[i].def, i, diag);
    for (int i = 0; i < b->sensor.count; i++) check_sensor(b, c, &b->sensor.items[i], diag);
}

// ---- arrays ---------------------------------------------------------------------------------------------------------

int tx_sensor_numbers(const tx_builder *b) {
    int count = 0;
    for (int i = 0; i < b->sensor.count; i++) count += numbers_of(b, &b->sensor.items[i]);
    return count;
}

// index in the model of what a sensor names
static int number_of(const tx_draft *d, int object, const char *name) {
    object_list list = list_of(d->catalog, object);
    int i = list.names ? tx_name_find(list.names, name) : -1;
    if (i < 0) return -1;
    switch (object) {
    case TX_OBJECT_BODY:
    case TX_OBJECT_XBODY: return d->body[i].number;
    case TX_OBJECT_GEOM: return d->geom[i].number;
    case TX_OBJECT_SITE: return d->site[i].number;
    case TX_OBJECT_CAMERA: return d->camera[i].number;
    case TX_OBJECT_MESH: return d->mesh_number[i];
    case TX_OBJECT_JOINT: return d->joint_number[i];
    default: return i;
    }
}

static void fill_sites(const tx_draft *d, tx_model *m) {
    for (int i = 0; i < m->nsite; i++) {
        const tx_draft_site *site = &d->site[d->site_def[i]];
        const tx_site_def *def = &d->b->site.items[d->site_def[i]].def;
        W(site_body)[i] = d->body[site->body].number;
        W(site_type)[i] = (int)def->type, W(site_group)[i] = def->group;
        memcpy(W(site_size) + 3 * i, def->size, sizeof def->size);
        memcpy(W(site_pos) + 3 * i, site->pos, sizeof site->pos);
        memcpy(W(site_quat) + 4 * i, site->quat, sizeof site->quat);
    }
}

// two numbers, times and samples
static int history_size(int nsample, int dim) { return nsample > 0 ? 2 + nsample * (1 + dim) : 0; }

int tx_history_numbers(const tx_builder *b) {
    long long numbers = 0;
    for (int i = 0; i < b->actuator.count; i++)
        numbers += history_size(b->actuator.items[i].nsample, tx_actuator_controls(b->actuator.items[i].inputs));
    for (int i = 0; i < b->sensor.count; i++)
        numbers += history_size(b->sensor.items[i].nsample, numbers_of(b, &b->sensor.items[i]));
    return numbers < 1 << 28 ? (int)numbers : -1;
}

// the past of the controls, then that of the sensors
static void fill_history(tx_model *m) {
    int at = 0;
    for (int i = 0; i < m->nactuator; i++) {
        W(actuator_history)[i] = m->actuator_nsample[i] > 0 ? at : -1;
        at += history_size(m->actuator_nsample[i], m->actuator_ctrlnum[i]);
    }
    for (int i = 0; i < m->nsensor; i++) {
        W(sensor_history)[i] = m->sensor_nsample[i] > 0 ? at : -1;
        at += history_size(m->sensor_nsample[i], m->sensor_dim[i]);
    }
}

void tx_fill_sensors(const tx_draft *d, tx_model *m) {
    fill_sites(d, m);
    for (int i = 0, at = 0; i < m->nsensor; i++) {
        const tx_sensor_def *def = &d->b->sensor.items[i];
        W(sensor_type)[i] = (int)def->type, W(sensor_adr)[i] = at;
        W(sensor_objtype)[i] = (int)def->object, W(sensor_obj)[i] = number_of(d, (int)def->object, def->of);
        W(sensor_reftype)[i] = (int)def->reference;
        W(sensor_ref)[i] = number_of(d, (int)def->reference, def->relative_to);
        W(sensor_cutoff)[i] = def->cutoff, W(sensor_noise)[i] = def->noise;
        bool contact = def->type == TX_SENSOR_CONTACT;
        // the first bit stands for what is told where nothing is asked for
        W(sensor_data)[i] = !contact && def->type != TX_SENSOR_RANGEFINDER ? 0 : def->data ? def->data : 1;
        W(sensor_reduce)[i] = contact ? (int)def->reduce : 0;
        at += W(sensor_dim)[i] = numbers_of(d->b, def);
        W(sensor_nsample)[i] = def->nsample, W(sensor_interp)[i] = (int)def->interp, W(sensor_delay)[i] = def->delay;
        memcpy(W(sensor_interval) + 2 * i, def->interval, sizeof def->interval);
    }
    fill_history(m);
}
