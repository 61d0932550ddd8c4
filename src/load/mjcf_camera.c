// mjcf_camera.c - <camera>.
#include "load/mjcf_scale.h"

static const tx_mjcf_keyword modes[] = {{"fixed", .value = TX_CAMERA_FIXED},
                                        {"track", .value = TX_CAMERA_TRACK},
                                        {"trackcom", .value = TX_CAMERA_TRACKCOM},
                                        {"targetbody", .value = TX_CAMERA_TARGETBODY},
                                        {"targetbodycom", .value = TX_CAMERA_TARGETBODYCOM},
                                        {0}};
static const tx_mjcf_keyword projections[] = {{"perspective", .value = 0}, {"orthographic", .value = 1}, {0}};

#define REALS(member, count) TX_MJCF_REALS(tx_mjcf_camera, def.member, count, count)

const tx_mjcf_attr tx_mjcf_camera_attrs[] = {
    {"name", TX_MJCF_STRING(tx_mjcf_camera, def.name), .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"class", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"mode", TX_MJCF_WORD(tx_mjcf_camera, mode, modes)},
    {"target", TX_MJCF_STRING(tx_mjcf_camera, def.target), .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"pos", REALS(pos, 3)},
    TX_MJCF_ORIENTATION_ATTRS(tx_mjcf_camera, orientation),
    {"projection", TX_MJCF_YESNO(tx_mjcf_camera, def.orthographic, projections)},
    {"fovy", REALS(fovy, 1)},
    {"ipd", REALS(ipd, 1)},
    {"resolution", TX_MJCF_INTS(tx_mjcf_camera, def.resolution, 2, 2)},
    {"sensorsize", REALS(sensorsize, 2)},
    {"focal", REALS(focal, 2)},
    {"focalpixel", REALS(focalpixel, 2)},
    {"principal", REALS(principal, 2)},
    {"principalpixel", REALS(principalpixel, 2)},
    {"output", TX_MJCF_IGNORE},
    {"user", TX_MJCF_IGNORE},
    {0},
};

void tx_mjcf_camera_element(tx_mjcf *m, tx_xml_element *element, void *context) {
    const tx_mjcf_scope *scope = context;
    tx_mjcf_camera camera = tx_mjcf_class_of(m, element, "class", scope->childclass)->camera;
    tx_camera_def *def = &camera.def;
    tx_mjcf_read(m, element, tx_mjcf_camera_attrs, &camera);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    tx_mjcf_choose_orientation(m, element, &camera.orientation);
    tx_mjcf_quaternion(m, element, &camera.orientation, def->quat);
    tx_mjcf_leave_frame(scope, def->pos, def->quat, NULL);
    tx_mjcf_note_scale(m, TX_OBJECT_CAMERA, def->name, scope->scale);
    def->mode = (tx_camera_mode)camera.mode;
    if (def->mode >= TX_CAMERA_TARGETBODY && (!def->target || !def->target[0])) {
        tx_mjcf_problem(m, TX_SEVERITY_WARNING, element, tx_xml_find(element, "mode"), "name a body by target",
                        "<camera> has no target to look at: it stays as it is");
        def->mode = TX_CAMERA_FIXED;
    }
    def->source = tx_mjcf_source(element);
    tx_mjcf_check_index(m, tx_builder_camera(m->builder, scope->body->index, def));
}
