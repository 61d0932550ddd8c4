// mjcf_sensor.c - <site> and <sensor>.
#include <stdio.h>
#include <string.h>

#include "load/mjcf_scale.h"
#include "model/sensor.h"

// ---- site -----------------------------------------------------------------------------------------------------------

static const tx_mjcf_keyword site_types[] = {
    {"sphere", .value = TX_GEOM_SPHERE},
    {"capsule", .value = TX_GEOM_CAPSULE},
    {"ellipsoid", .value = TX_GEOM_ELLIPSOID},
    {"cylinder", .value = TX_GEOM_CYLINDER},
    {"box", .value = TX_GEOM_BOX},
    {"mesh", .value = TX_GEOM_MESH},
    {0},
};

const tx_mjcf_attr tx_mjcf_site_attrs[] = {
    {"name", TX_MJCF_STRING(tx_mjcf_site, def.name), .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"class", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"type", TX_MJCF_WORD(tx_mjcf_site, def.type, site_types)},
    {"size", TX_MJCF_REALS(tx_mjcf_site, def.size, 1, 3)},
    {"fromto", TX_MJCF_REALS(tx_mjcf_site, fromto, 6, 6), TX_MJCF_GIVEN(tx_mjcf_site, fromto_given)},
    {"pos", TX_MJCF_REALS(tx_mjcf_site, def.pos, 3, 3)},
    TX_MJCF_ORIENTATION_ATTRS(tx_mjcf_site, orientation),
    {"group", TX_MJCF_INTS(tx_mjcf_site, def.group, 1, 1)},
    {"mesh", TX_MJCF_STRING(tx_mjcf_site, mesh)},
    {"material", TX_MJCF_IGNORE},
    {"rgba", TX_MJCF_IGNORE},
    {"user", TX_MJCF_IGNORE},
    {0},
};

// a mesh is what a site looks like; its frame is that of the site all the same
static void leave_out_mesh(tx_mjcf *m, tx_xml_element *element, tx_mjcf_site *site) {
    const bool shape = site->def.type == TX_GEOM_MESH;
    const tx_xml_attribute *attribute = tx_xml_find(element, "mesh");
    if (site->mesh && !shape)
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, attribute, "use type=\"mesh\"",
                        "only a <site> of type mesh has attribute 'mesh'");
    else if (shape && !site->mesh)
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "", "<site> of type mesh needs attribute 'mesh'");
    else if (shape && !tx_names_find(&m->meshes, site->mesh))
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, attribute, "define it in <asset>", "there is no mesh '%.60s'",
                        site->mesh);
    else if (shape)
        tx_mjcf_problem(m, TX_SEVERITY_WARNING, element, attribute, "touch and insidesite see a ball of 5 mm instead",
                        "the mesh of a <site> is not supported yet");
    if (!shape) return;
    const tx_site_def plain = tx_default_site_def();
    site->def.type = TX_GEOM_SPHERE;
    memcpy(site->def.size, plain.size, sizeof plain.size);
}

void tx_mjcf_site_element(tx_mjcf *m, tx_xml_element *element, void *context) {
    const tx_mjcf_scope *scope = context;
    tx_mjcf_site site = tx_mjcf_class_of(m, element, "class", scope->childclass)->site;
    tx_site_def *def = &site.def;
    tx_mjcf_read(m, element, tx_mjcf_site_attrs, &site);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    leave_out_mesh(m, element, &site);
    tx_mjcf_choose_orientation(m, element, &site.orientation);
    tx_mjcf_quaternion(m, element, &site.orientation, def->quat);
    if (site.fromto_given) {
        tx_mjcf_scale_point(scope->scale, site.fromto);
        tx_mjcf_scale_point(scope->scale, site.fromto + 3);
    }
    if (site.fromto_given && !tx_fromto(def->type, site.fromto, def->size, def->pos, def->quat)) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "fromto"),
                        "two points that differ, of a capsule, cylinder, box or ellipsoid",
                        "fromto does not fit this <site>");
    }
    tx_mjcf_scale_site(scope, def, site.fromto_given);
    tx_mjcf_note_scale(m, TX_OBJECT_SITE, def->name, scope->scale);
    tx_mjcf_scope place = *scope;
    if (site.fromto_given) place.scale = NULL; // the end points have it
    tx_mjcf_leave_frame(&place, def->pos, def->quat, NULL);
    def->source = tx_mjcf_source(element);
    tx_mjcf_check_index(m, tx_builder_site(m->builder, scope->body->index, def));
}

// ---- sensor ---------------------------------------------------------------------------------------------------------

static const tx_mjcf_keyword frame_kinds[] = {
    {"body", .value = TX_OBJECT_BODY}, {"xbody", .value = TX_OBJECT_XBODY},   {"geom", .value = TX_OBJECT_GEOM},
    {"site", .value = TX_OBJECT_SITE}, {"camera", .value = TX_OBJECT_CAMERA}, {0},
};

const tx_mjcf_keyword tx_mjcf_interps[] = {
    {"zoh", .value = TX_INTERP_HOLD}, {"linear", .value = TX_INTERP_LINEAR}, {"cubic", .value = TX_INTERP_CUBIC}, {0}};

#define COMMON                                                                                  \
    {"name", TX_MJCF_STRING(tx_mjcf_sensor_values, name)},                                      \
        {"cutoff", TX_MJCF_REALS(tx_mjcf_sensor_values, cutoff, 1, 1)},                         \
        {"noise", TX_MJCF_REALS(tx_mjcf_sensor_values, noise, 1, 1)}, {"user", TX_MJCF_IGNORE}, \
        {"delay", TX_MJCF_REALS(tx_mjcf_sensor_values, delay, 1, 1)},                           \
        {"nsample", TX_MJCF_INTS(tx_mjcf_sensor_values, nsample, 1, 1)},                        \
        {"interval", TX_MJCF_REALS(tx_mjcf_sensor_values, interval, 1, 2)}, {                   \
        "interp", TX_MJCF_WORD(tx_mjcf_sensor_values, interp, tx_mjcf_interps)                  \
    }
#define NAMED(attribute) \
    { #attribute, TX_MJCF_STRING(tx_mjcf_sensor_values, attribute), .flags = TX_MJCF_REQUIRED }
#define FRAME_ATTRS \
    {"objtype", TX_MJCF_WORD(tx_mjcf_sensor_values, objtype, frame_kinds), .flags = TX_MJCF_REQUIRED}, NAMED(objname)

// what the elements of each kind may say, see TX_SENSORS
static const tx_mjcf_attr none_attrs[] = {COMMON, {0}};
static const tx_mjcf_attr site_attrs[] = {COMMON, NAMED(site), {0}};
static const tx_mjcf_attr joint_attrs[] = {COMMON, NAMED(joint), {0}};
static const tx_mjcf_attr actuator_attrs[] = {COMMON, NAMED(actuator), {0}};
static const tx_mjcf_attr tendon_attrs[] = {COMMON, NAMED(tendon), {0}};
static const tx_mjcf_attr body_attrs[] = {COMMON, NAMED(body), {0}};
static const tx_mjcf_attr frame_attrs[] = {COMMON, FRAME_ATTRS, {0}};
static const tx_mjcf_attr relative_attrs[] = {COMMON,
                                              FRAME_ATTRS,
                                              {"reftype", TX_MJCF_WORD(tx_mjcf_sensor_values, reftype, frame_kinds)},
                                              {"refname", TX_MJCF_STRING(tx_mjcf_sensor_values, refname)},
                                              {0}};

static const tx_mjcf_attr inside_attrs[] = {COMMON, FRAME_ATTRS, NAMED(site), {0}};
static const tx_mjcf_attr pair_attrs[] = {COMMON,
                                          {"geom1", TX_MJCF_STRING(tx_mjcf_sensor_values, geom1)},
                                          {"geom2", TX_MJCF_STRING(tx_mjcf_sensor_values, geom2)},
                                          {"body1", TX_MJCF_STRING(tx_mjcf_sensor_values, body1)},
                                          {"body2", TX_MJCF_STRING(tx_mjcf_sensor_values, body2)},
                                          {0}};

static const tx_mjcf_attr projection_attrs[] = {COMMON, NAMED(site), NAMED(camera), {0}};

static const tx_mjcf_keyword contact_data[] = {
#define X(NAME, name, numbers, meaning) {#name, .value = TX_CONTACT_DATA_##NAME},
    TX_CONTACT_DATA(X)
#undef X
        {0}};
static const tx_mjcf_keyword reductions[] = {{"none", .value = TX_REDUCE_NONE},
                                             {"mindist", .value = TX_REDUCE_MINDIST},
                                             {"maxforce", .value = TX_REDUCE_MAXFORCE},
                                             {"netforce", .value = TX_REDUCE_NETFORCE},
                                             {0}};
#define OPTIONAL(attribute) \
    { #attribute, TX_MJCF_STRING(tx_mjcf_sensor_values, attribute) }
static const tx_mjcf_attr contact_attrs[] = {COMMON,
                                             OPTIONAL(geom1),
                                             OPTIONAL(geom2),
                                             OPTIONAL(body1),
                                             OPTIONAL(body2),
                                             OPTIONAL(subtree1),
                                             OPTIONAL(subtree2),
                                             OPTIONAL(site),
                                             {"num", TX_MJCF_INTS(tx_mjcf_sensor_values, num, 1, 1)},
                                             {"data", TX_MJCF_BITS(tx_mjcf_sensor_values, data, contact_data)},
                                             {"reduce", TX_MJCF_WORD(tx_mjcf_sensor_values, reduce, reductions)},
                                             {0}};
static const tx_mjcf_keyword ray_data[] = {
#define X(NAME, name, numbers, meaning) {#name, .value = TX_RAY_DATA_##NAME},
    TX_RAY_DATA(X)
#undef X
        {0}};
static const tx_mjcf_attr ray_attrs[] = {
    COMMON, OPTIONAL(site), OPTIONAL(camera), {"data", TX_MJCF_BITS(tx_mjcf_sensor_values, data, ray_data)}, {0}};
static const tx_mjcf_attr taxel_attrs[] = {
    COMMON, {"geom", TX_MJCF_STRING(tx_mjcf_sensor_values, geom1), .flags = TX_MJCF_REQUIRED}, NAMED(mesh), {0}};
static const tx_mjcf_attr user_attrs[] = {
    {"name", TX_MJCF_STRING(tx_mjcf_sensor_values, name)},
    {"cutoff", TX_MJCF_REALS(tx_mjcf_sensor_values, cutoff, 1, 1)},
    {"noise", TX_MJCF_REALS(tx_mjcf_sensor_values, noise, 1, 1)},
    {"dim", TX_MJCF_INTS(tx_mjcf_sensor_values, dim, 1, 1), .flags = TX_MJCF_REQUIRED},
    {"user", TX_MJCF_IGNORE},
    {"datatype", TX_MJCF_IGNORE},
    {"needstage", TX_MJCF_IGNORE},
    {"objtype", TX_MJCF_IGNORE},
    {"objname", TX_MJCF_IGNORE},
    {0}};

const tx_mjcf_attr *const tx_mjcf_sensor_attrs[] = {
    [TX_SENSES_NONE] = none_attrs,         [TX_SENSES_SITE] = site_attrs,     [TX_SENSES_SCALAR] = joint_attrs,
    [TX_SENSES_BALL] = joint_attrs,        [TX_SENSES_LIMIT] = joint_attrs,   [TX_SENSES_ACTUATOR] = actuator_attrs,
    [TX_SENSES_SUBTREE] = body_attrs,      [TX_SENSES_TENDON] = tendon_attrs, [TX_SENSES_TENDONLIMIT] = tendon_attrs,
    [TX_SENSES_RELATIVE] = relative_attrs, [TX_SENSES_FRAME] = frame_attrs,   [TX_SENSES_INSIDE] = inside_attrs,
    [TX_SENSES_PAIR] = pair_attrs,         [TX_SENSES_USER] = user_attrs,     [TX_SENSES_PROJECTION] = projection_attrs,
    [TX_SENSES_CONTACT] = contact_attrs,   [TX_SENSES_RAY] = ray_attrs,       [TX_SENSES_TAXELS] = taxel_attrs,
};

// sensors that are left out: how many, and the first
typedef struct left_out {
    int count;
    tx_xml_element *first;
} left_out;

static void leave_out(left_out *out, tx_xml_element *element) {
    if (!out->count++) out->first = element;
}

// one side of a contact sensor: by a geom, a body, a body with all below it, or nothing
static tx_object side(const char *geom, const char *body, const char *subtree, const char **name) {
    *name = geom ? geom : body ? body : subtree;
    return geom ? TX_OBJECT_GEOM : body ? TX_OBJECT_BODY : subtree ? TX_OBJECT_XBODY : TX_OBJECT_NONE;
}

static bool check_sides(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_sensor_values *s) {
    int first = !!s->geom1 + !!s->body1 + !!s->subtree1 + !!s->site, second = !!s->geom2 + !!s->body2 + !!s->subtree2;
    if (first <= 1 && second <= 1) return true;
    tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "a geom, a body, a subtree or, for the first, a site",
                    "<%s> has more than one thing on one side", element->name);
    return false;
}

// what the attributes of each kind name
static void set_object(const tx_mjcf_sensor_values *s, tx_sensed sensed, tx_sensor_def *def) {
    switch (sensed) {
    case TX_SENSES_NONE: break;
    case TX_SENSES_SITE: def->object = TX_OBJECT_SITE, def->of = s->site; break;
    case TX_SENSES_SCALAR:
    case TX_SENSES_BALL:
    case TX_SENSES_LIMIT: def->object = TX_OBJECT_JOINT, def->of = s->joint; break;
    case TX_SENSES_ACTUATOR: def->object = TX_OBJECT_ACTUATOR, def->of = s->actuator; break;
    case TX_SENSES_TENDON:
    case TX_SENSES_TENDONLIMIT: def->object = TX_OBJECT_TENDON, def->of = s->tendon; break;
    case TX_SENSES_SUBTREE: def->object = TX_OBJECT_BODY, def->of = s->body; break;
    case TX_SENSES_RELATIVE:
    case TX_SENSES_FRAME:
    case TX_SENSES_INSIDE: def->object = (tx_object)s->objtype, def->of = s->objname; break;
    case TX_SENSES_PAIR:
        def->object = s->geom1 ? TX_OBJECT_GEOM : TX_OBJECT_BODY, def->of = s->geom1 ? s->geom1 : s->body1;
        def->reference = s->geom2 ? TX_OBJECT_GEOM : TX_OBJECT_BODY, def->relative_to = s->geom2 ? s->geom2 : s->body2;
        break;
    case TX_SENSES_PROJECTION:
        def->object = TX_OBJECT_SITE, def->of = s->site;
        def->reference = TX_OBJECT_CAMERA, def->relative_to = s->camera;
        break;
    case TX_SENSES_CONTACT:
        def->object = side(s->geom1, s->body1, s->subtree1, &def->of);
        def->reference = side(s->geom2, s->body2, s->subtree2, &def->relative_to);
        if (s->site) def->object = TX_OBJECT_SITE, def->of = s->site;
        def->data = s->data, def->num = s->num, def->reduce = (tx_reduce)s->reduce;
        break;
    case TX_SENSES_USER: def->num = s->dim; break;
    case TX_SENSES_RAY:
        def->object = s->camera ? TX_OBJECT_CAMERA : TX_OBJECT_SITE, def->of = s->camera ? s->camera : s->site;
        def->data = s->data;
        break;
    case TX_SENSES_TAXELS:
        def->object = TX_OBJECT_GEOM, def->of = s->geom1;
        def->reference = TX_OBJECT_MESH, def->relative_to = s->mesh;
        break;
    }
    if (sensed == TX_SENSES_INSIDE) def->reference = TX_OBJECT_SITE, def->relative_to = s->site;
    if (s->refname) def->reference = (tx_object)s->reftype, def->relative_to = s->refname;
}

static void read_sensor(tx_mjcf *m, tx_xml_element *element, void *context) {
    int type = 0;
    while (strcmp(tx_sensor_kinds[type].name, element->name) != 0) type++;
    tx_sensed sensed = tx_sensor_kinds[type].object;
    (void)context;
    tx_mjcf_sensor_values s = {.data = 1 << TX_CONTACT_DATA_FOUND, .num = 1};
    bool good = tx_mjcf_read(m, element, tx_mjcf_sensor_attrs[sensed], &s);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    if (s.refname && !s.reftype) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "refname"),
                        "say which kind of frame it names", "<%s> has 'refname' without 'reftype'", element->name);
        good = false;
    }
    if (sensed == TX_SENSES_PAIR && (!s.geom1 == !s.body1 || !s.geom2 == !s.body2)) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "for each of the two sides",
                        "<%s> needs either a geom or a body: geom1 or body1, geom2 or body2", element->name);
        good = false;
    }
    if (sensed == TX_SENSES_RAY && !s.site == !s.camera) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "", "<%s> needs either 'site' or 'camera'", element->name);
        good = false;
    }
    if (sensed == TX_SENSES_CONTACT) good = check_sides(m, element, &s) && good;
    if (!good) return;
    tx_sensor_def def = {.name = s.name, .type = (tx_sensor_type)type, .cutoff = s.cutoff, .noise = s.noise};
    def.nsample = s.nsample, def.delay = s.delay, def.interp = (tx_interp)s.interp;
    memcpy(def.interval, s.interval, sizeof def.interval);
    set_object(&s, sensed, &def);
    tx_mjcf_scale_sensor(m, &def);
    def.source = tx_mjcf_source(element);
    tx_mjcf_check_index(m, tx_builder_sensor(m->builder, &def));
}

static void waiting_sensor(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_accept(m, element, NULL);
    leave_out(context, element);
}

static const tx_mjcf_child sensor_children[] = {
#define X(NAME, name, numbers, object, cutoff, meaning) {#name, .read = read_sensor},
    TX_SENSORS(X)
#undef X
        {"plugin", .read = waiting_sensor},
    {0},
};

// sensors do not change the motion, so the model runs without those that wait; one message for the section
void tx_mjcf_sensor(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    left_out out = {0};
    tx_mjcf_no_attributes(m, element);
    tx_mjcf_children(m, element, sensor_children, 0, &out);
    if (!out.count) return;
    tx_mjcf_problem(m, TX_SEVERITY_WARNING, out.first, NULL,
                    "the motion does not depend on them; sensordata lacks their numbers",
                    "%d sensor%s not supported yet, the first is <%s>", out.count, out.count == 1 ? " is" : "s are",
                    out.first->name);
}
