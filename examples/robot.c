// robot.c - an arm with a gripper, built in code: bodies, joints, a tendon that closes both fingers, servos, sensors.
// It grasps a ball, lifts it, and says what the sensors feel. robot [PICTURE.png [MODEL.xml]]
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "thixis/thixis.h"

// ---- the robot -----------------------------------------------------------------------------------------------------

static int add_body(tx_builder *b, int parent, const char *name, double x, double z) {
    tx_body_def body = tx_default_body_def();
    body.name = name, body.pos[0] = x, body.pos[2] = z;
    body.gravcomp = strcmp(name, "ball") != 0; // the drives of the robot carry its weight
    return tx_builder_body(b, parent, &body);
}

static void add_joint(tx_builder *b, int body, const char *name, tx_joint_type type, double x, double y, double z,
                      double low, double high) {
    tx_joint_def joint = tx_default_joint_def();
    joint.name = name, joint.type = type;
    joint.axis[0] = x, joint.axis[1] = y, joint.axis[2] = z;
    joint.range[0] = low, joint.range[1] = high;
    joint.damping = type == TX_JOINT_SLIDE ? 20 : 2, joint.armature = 0.05;
    tx_builder_joint(b, body, &joint);
}

// a capsule along z from the origin of its body
static void add_link(tx_builder *b, int body, double length, double radius) {
    tx_geom_def geom = tx_default_geom_def();
    geom.type = TX_GEOM_CAPSULE, geom.has_fromto = true, geom.size[0] = radius;
    geom.fromto[5] = length;
    geom.contype = 2, geom.conaffinity = 1; // links touch the world and the ball, not each other
    geom.rgba[0] = 0.25f, geom.rgba[1] = 0.5f, geom.rgba[2] = 0.65f;
    tx_builder_geom(b, body, &geom);
}

static void add_finger(tx_builder *b, int hand, const char *name, const char *joint, double side) {
    int finger = add_body(b, hand, name, 0.07 * side, 0.1);
    add_joint(b, finger, joint, TX_JOINT_SLIDE, -side, 0, 0, 0, 0.06); // closes by moving inwards
    tx_geom_def pad = tx_default_geom_def();
    pad.type = TX_GEOM_BOX, pad.name = name;
    pad.size[0] = 0.01, pad.size[1] = 0.02, pad.size[2] = 0.05;
    pad.friction[0] = 1.5, pad.condim = 4, pad.density = 2000;
    tx_builder_geom(b, finger, &pad);
    tx_site_def site = tx_default_site_def();
    site.name = name, site.type = TX_GEOM_BOX;
    memcpy(site.size, pad.size, sizeof site.size);
    for (int k = 0; k < 3; k++) site.size[k] += 0.004; // feels what touches the pad
    tx_builder_site(b, finger, &site);
}

static void add_servo(tx_builder *b, const char *joint, double kp, double kv) {
    tx_actuator_def servo = tx_position_actuator(kp, kv);
    servo.name = servo.joint = joint;
    tx_builder_actuator(b, &servo);
}

static void add_sensor(tx_builder *b, tx_sensor_type type, tx_object object, const char *of) {
    tx_sensor_def sensor = {.type = type, .object = object, .of = of};
    tx_builder_sensor(b, &sensor);
}

static tx_model *build(void) {
    tx_builder *b = tx_builder_create();
    if (!b) return NULL;
    tx_builder_name(b, "grasp");

    tx_geom_def floor = tx_default_geom_def();
    floor.type = TX_GEOM_PLANE, floor.size[0] = floor.size[1] = 1, floor.size[2] = 0.1;
    tx_builder_geom(b, 0, &floor);

    // the arm points up at zero; the elbow bends it forwards
    int upper = add_body(b, 0, "upper arm", 0, 0.1), lower = add_body(b, upper, "lower arm", 0, 0.4);
    add_joint(b, upper, "turn", TX_JOINT_HINGE, 0, 0, 1, -3, 3);
    add_joint(b, upper, "shoulder", TX_JOINT_HINGE, 0, 1, 0, -1.5, 1.5);
    add_joint(b, lower, "elbow", TX_JOINT_HINGE, 0, 1, 0, 0, 2.6);
    int hand = add_body(b, lower, "hand", 0, 0.35);
    add_joint(b, hand, "wrist", TX_JOINT_HINGE, 0, 1, 0, -2, 2);
    add_link(b, upper, 0.4, 0.04), add_link(b, lower, 0.35, 0.03), add_link(b, hand, 0.03, 0.03);
    add_finger(b, hand, "left", "left finger", -1), add_finger(b, hand, "right", "right finger", 1);

    // the ball
    int ball = add_body(b, 0, "ball", 0.4, 0.04);
    tx_joint_def loose = tx_default_joint_def();
    loose.type = TX_JOINT_FREE;
    tx_builder_joint(b, ball, &loose);
    tx_geom_def sphere = tx_default_geom_def();
    sphere.size[0] = 0.04, sphere.density = 500, sphere.condim = 4;
    sphere.rgba[0] = 0.85f, sphere.rgba[1] = 0.3f, sphere.rgba[2] = 0.2f;
    tx_builder_geom(b, ball, &sphere);

    // one tendon closes both fingers: its length is the sum of their ways
    const tx_path_def ways[] = {{TX_PATH_JOINT, "left finger", NULL, 0.5}, {TX_PATH_JOINT, "right finger", NULL, 0.5}};
    tx_tendon_def grip = tx_default_tendon_def();
    grip.name = "grip", grip.path = ways, grip.count = 2;
    tx_builder_tendon(b, &grip);
    // and an equality keeps their ways equal
    tx_equality_def both = tx_default_equality_def();
    both.type = TX_EQUALITY_JOINT, both.first = "left finger", both.second = "right finger";
    tx_builder_equality(b, &both);

    add_servo(b, "turn", 60, 4), add_servo(b, "shoulder", 400, 30), add_servo(b, "elbow", 300, 20);
    add_servo(b, "wrist", 60, 4);
    tx_actuator_def close = tx_default_actuator_def(); // a motor: its control is the force
    close.name = "close", close.tendon = "grip", close.ctrlrange[0] = -20, close.ctrlrange[1] = 20;
    tx_builder_actuator(b, &close);

    add_sensor(b, TX_SENSOR_TOUCH, TX_OBJECT_SITE, "left"), add_sensor(b, TX_SENSOR_TOUCH, TX_OBJECT_SITE, "right");
    add_sensor(b, TX_SENSOR_TENDONPOS, TX_OBJECT_TENDON, "grip");
    add_sensor(b, TX_SENSOR_FRAMEPOS, TX_OBJECT_XBODY, "ball");

    // every wrong definition comes back in words
    tx_diag diag = {0};
    tx_model *model = tx_builder_compile(b, &diag);
    for (int i = 0; i < diag.count; i++) {
        char line[512];
        tx_diag_format(&diag, i, line, sizeof line);
        fprintf(stderr, "%s\n", line);
    }
    tx_diag_free(&diag);
    tx_builder_destroy(b);
    return model;
}

// ---- the run -------------------------------------------------------------------------------------------------------

// where the servos go: shoulder and elbow so that the wrist is at (x, z), the hand hanging down
static void reach(double *ctrl, double x, double z) {
    double up = z - 0.1, upper = 0.4, lower = 0.35, square = x * x + up * up;
    double bend = acos((square - upper * upper - lower * lower) / (2 * upper * lower));
    double lift = atan2(x, up) - atan2(lower * sin(bend), upper + lower * cos(bend));
    ctrl[0] = 0, ctrl[1] = lift, ctrl[2] = bend, ctrl[3] = 3.14159265358979 - lift - bend;
}

static bool save_picture(tx_sim *sim, const char *path) {
    tx_scene *scene = tx_scene_create();
    tx_image image = {0};
    tx_diag diag = {0};
    bool good = scene && tx_sim_forward(sim) == TX_OK && tx_scene_add_sim(scene, sim, 0, NULL, NULL) == TX_OK;
    tx_camera camera = tx_scene_camera(scene, 120 * TX_DEGREE, -15 * TX_DEGREE, 16.0 / 9.0);
    good = good && tx_image_alloc(&image, 960, 720) == TX_OK && tx_scene_render(scene, &camera, &image) == TX_OK;
    good = good && tx_image_write_png(&image, path, &diag) == TX_OK;
    if (!good) fprintf(stderr, "%s: %s\n", path, diag.count > 0 ? diag.messages[0].text : "no memory");
    tx_diag_free(&diag);
    tx_image_free(&image);
    tx_scene_destroy(scene);
    return good;
}

int main(int argc, char **argv) {
    tx_model *model = build();
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = model ? tx_sim_create(model, &def) : NULL;
    if (!sim) return 1;

    // what to do: until when, where the wrist goes, how the fingers push
    static const struct {
        const char *what;
        double until, x, z, force;
    } plan[] = {{"above", 1, 0.4, 0.3, -5},
                {"down", 2, 0.4, 0.16, -5},
                {"close", 2.6, 0.4, 0.16, 15},
                {"lift", 4, 0.4, 0.4, 15}};
    double *ctrl = tx_sim_array(sim, TX_ARRAY_CTRL);
    const double *time = tx_sim_array(sim, TX_ARRAY_TIME), *felt = NULL;
    printf("%-6s %7s %12s %13s %11s %13s\n", "", "t [s]", "left [N]", "right [N]", "grip [mm]", "ball at [m]");
    for (size_t i = 0; i < sizeof plan / sizeof *plan; i++) {
        reach(ctrl, plan[i].x, plan[i].z);
        ctrl[4] = plan[i].force;
        while (time[0] < plan[i].until && tx_sim_step(sim) == TX_OK && tx_sim_status(sim, 0) == TX_OK) continue;
        felt = tx_sim_array(sim, TX_ARRAY_SENSORDATA);
        printf("%-6s %7.2f %12.2f %13.2f %11.1f %13.3f\n", plan[i].what, time[0], felt[0], felt[1], 1e3 * felt[2],
               felt[5]);
    }
    bool held = felt[5] > 0.2 && felt[0] > 1 && felt[1] > 1;
    printf("%s\n", held ? "the ball hangs in the gripper" : "the ball was lost");
    bool good = held && (argc < 2 || save_picture(sim, argv[1]));
    if (good && argc > 2) good = tx_save_mjcf(model, argv[2], NULL) == TX_OK;
    tx_sim_destroy(sim);
    tx_model_destroy(model);
    return good ? 0 : 1;
}
