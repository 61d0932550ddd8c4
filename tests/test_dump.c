// test_dump.c - `thixis dump` against MuJoCo 3.12: facts A1, A2, A3, on our own scenes (scenes/reference), and on the
// public models of ../shared/reference where they are.
//
// Every public model that loads is compared; one that does not is listed with the first thing its loader misses.
// "Relative" is ACCEPTANCE's: to max(largest number of the reference array, 1e-3 of its natural scale).
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "near.h"
#include "reference.h"

#define FOLDER TX_SOURCE_DIR "/../shared/reference/mujoco"

// models that must be compared, whatever the others do
static const char *const MUST_RUN[] = {"mj_cube_3x3x3",    "mj_mug",           "gym_ant",
                                       "gym_half_cheetah", "gym_hopper",       "gym_humanoid",
                                       "gym_walker2d_v5",  "gym_reacher",      "gym_inverted_double_pendulum",
                                       "dmc_cheetah",      "dmc_walker",       "dmc_humanoid_CMU",
                                       "men_kuka_iiwa14",  "mj_humanoid",      "mj_car",
                                       "dmc_quadruped",    "dmc_finger",       "dmc_manipulator",
                                       "men_panda",        "men_cassie",       "men_shadow_hand",
                                       "mj_slider_crank",  "mj_newton_cradle", "mj_adhesion",
                                       "men_robotiq_2f85"};

// models where a joint stands on its limit to 1e-19, so that rounding decides whether the limit has a row when the
// first contact strikes: later states are not comparable. The test verifies this before it leaves them out
static const char *const KNIFE_EDGE[] = {"gym_hopper"};

// models whose meshes touch each other, where every program chooses its own points of contact on two faces, or whose
// ellipsoids touch boxes, where MuJoCo's point is as good as its ccd_tolerance (1e-6). Compared up to step 10
static const char *const OWN_POINTS[] = {"mj_cube_3x3x3", "men_shadow_hand"};

// models that begin with ellipsoids deep in each other: MuJoCo's depth is 3e-5 below the least one, which a search over
// directions confirms to be ours to 1e-16, and its normal is turned by 0.04. Constrained motion is not compared
static const char *const OWN_DEPTH[] = {"mj_balloons"};

// models that begin with a cylinder standing on the floor: which of its rim points is the lowest is rounding then, so
// small differences grow faster than the listed sensitivity. Compared to 1e-6 alone
static const char *const STANDS[] = {"mj_mug"};

// models that MuJoCo 4.0 compiles or integrates otherwise than 3.12.1, which wrote the references: the principal axes
// of meshes and of full inertias are found to rounding, whatever the size, and RK4 is of fourth order for free joints.
// 4.0 is what we follow; make compare (tools/compare_models --wheels, in CI) holds these against its wheel
static const char *const SINCE_4[] = {"gym_humanoid",     "men_panda",       "men_shadow_hand",
                                      "men_robotiq_2f85", "men_kuka_iiwa14", "men_cassie"};

static double now_worst; // of the group being compared

// ---- running the command -------------------------------------------------------------------------------------------

typedef struct outcome {
    json_t *root;       // null: the model did not load
    char why[160];      // the first error
    bool missing_pairs; // a warning says that contacts of some shapes are left out
} outcome;

static void read_messages(const char *path, outcome *o) {
    char line[2048];
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        const char *error = strstr(line, "error: ");
        if (error && !o->why[0]) snprintf(o->why, sizeof o->why, "%.150s", error + 7);
        if (strstr(line, "warning: ") && strstr(line, "pair")) o->missing_pairs = true;
    }
    if (file) fclose(file);
}

static outcome dump(const char *model, const char *options) {
    char folder[] = "/tmp/test_dump.XXXXXX", out[64], err[64], command[2048];
    outcome o = {0};
    assert_non_null(mkdtemp(folder));
    snprintf(out, sizeof out, "%s/out", folder);
    snprintf(err, sizeof err, "%s/err", folder);
    snprintf(command, sizeof command, "'%s' dump '%s' --json --steps 1,10,100 %s >%s 2>%s", TX_COMMAND, model, options,
             out, err);
    int status = system(command);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    read_messages(err, &o);
    json_error_t error;
    if (WEXITSTATUS(status) == 0) {
        o.root = json_load_file(out, 0, &error);
        if (!o.root) fail_msg("%s: line %d: %s", model, error.line, error.text);
    } else if (!o.why[0]) {
        snprintf(o.why, sizeof o.why, "the run failed");
    }
    unlink(out), unlink(err), rmdir(folder);
    return o;
}

// ---- comparing -----------------------------------------------------------------------------------------------------

static const json_t *at(const json_t *object, const char *path) {
    char copy[128], *rest = copy;
    snprintf(copy, sizeof copy, "%s", path);
    for (char *word; object && (word = strsep(&rest, "/"));) object = json_object_get(object, word);
    return object;
}

static double largest(const json_t *array) {
    double top = 0;
    for (size_t i = 0; i < json_array_size(array); i++) top = fmax(top, fabs(number_at(array, (int)i)));
    return top;
}

static double difference(const json_t *ours, const json_t *theirs) {
    double worst = 0;
    if (!json_is_array(ours) || json_array_size(ours) != json_array_size(theirs)) return INFINITY;
    for (size_t i = 0; i < json_array_size(theirs); i++) {
        const json_t *x = json_array_get(ours, i);
        if (!json_is_number(x)) return INFINITY; // null: not finite
        worst = fmax(worst, fabs(json_number_value(x) - number_at(theirs, (int)i)));
    }
    return worst;
}

// relative error of one array; natural: the scale below which its numbers count as nothing
static double relative(const json_t *ours, const json_t *theirs, double natural) {
    if (json_array_size(theirs) == 0 && json_array_size(ours) == 0) return 0;
    return difference(ours, theirs) / fmax(largest(theirs), 1e-3 * natural);
}

static int miss(const char *model, const char *what, double error, double bound) {
    now_worst = error <= now_worst ? now_worst : error;
    if (error <= bound) return 0;
    printf("    %s %s: %.2e ABOVE %.0e\n", model, what, error, bound);
    return 1;
}

// ---- A3: the compiled model ----------------------------------------------------------------------------------------

// R diag(moments) Rᵀ, which does not depend on the choice of axes
static void tensor(const json_t *quats, const json_t *inertias, int body, double *out) {
    double w = number_at(quats, 4 * body), x = number_at(quats, 4 * body + 1), y = number_at(quats, 4 * body + 2),
           z = number_at(quats, 4 * body + 3);
    const double m[9] = {w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
                         2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
                         2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            out[3 * r + c] = 0;
            for (int k = 0; k < 3; k++)
                out[3 * r + c] += m[3 * r + k] * number_at(inertias, 3 * body + k) * m[3 * c + k];
        }
}

static double tensor_error(const json_t *ours, const json_t *theirs) {
    double worst = 0, all = largest(at(theirs, "body_inertia"));
    size_t bodies = json_array_size(at(theirs, "body_mass"));
    if (json_array_size(at(ours, "body_mass")) != bodies) return INFINITY;
    for (int b = 0; b < (int)bodies; b++) {
        double a[9], t[9], top = 1e-3 * all;
        tensor(at(ours, "body_iquat"), at(ours, "body_inertia"), b, a);
        tensor(at(theirs, "body_iquat"), at(theirs, "body_inertia"), b, t);
        for (int k = 0; k < 9; k++) top = fmax(top, fabs(t[k]));
        for (int k = 0; k < 9; k++) worst = fmax(worst, fabs(a[k] - t[k]) / fmax(top, 1e-300));
    }
    return worst;
}

// q and -q are the same rotation
static double quat_error(const json_t *ours, const json_t *theirs) {
    double worst = 0;
    if (json_array_size(ours) != json_array_size(theirs)) return INFINITY;
    for (int i = 0; i < (int)json_array_size(theirs) / 4; i++) {
        double same = 0, opposite = 0;
        for (int k = 4 * i; k < 4 * i + 4; k++) {
            same = fmax(same, fabs(number_at(ours, k) - number_at(theirs, k)));
            opposite = fmax(opposite, fabs(number_at(ours, k) + number_at(theirs, k)));
        }
        worst = fmax(worst, fmin(same, opposite));
    }
    return worst;
}

// a plane's size is only drawn, so it is left out
static double size_error(const json_t *ours, const json_t *theirs) {
    const json_t *type = at(theirs, "geom_type"), *a = at(ours, "geom_size"), *t = at(theirs, "geom_size");
    double worst = 0, top = 1e-3;
    if (json_array_size(a) != json_array_size(t)) return INFINITY;
    for (int g = 0; g < (int)json_array_size(type); g++)
        for (int k = 3 * g; k < 3 * g + 3 && number_at(type, g) != TX_GEOM_PLANE; k++) {
            top = fmax(top, fabs(number_at(t, k)));
            worst = fmax(worst, fabs(number_at(a, k) - number_at(t, k)));
        }
    return worst / top;
}

static int check_compiled(const char *model, const json_t *ours, const json_t *theirs) {
    // natural scales: 1 m, 1 rad, 1 (units of a count); masses and weights have none but their own
    static const struct {
        const char *name;
        double natural;
    } ARRAYS[] = {{"body_mass", 0},       {"body_ipos", 1},      {"body_pos", 1},     {"body_parentid", 1},
                  {"body_invweight0", 0}, {"dof_invweight0", 0}, {"dof_armature", 1}, {"dof_damping", 1},
                  {"geom_type", 1},       {"geom_bodyid", 1},    {"geom_contype", 1}, {"geom_conaffinity", 1},
                  {"geom_pos", 1},        {"jnt_type", 1},       {"jnt_range", 1},    {"qpos0", 1}};
    static const char *const SIZES[] = {"nq", "nv", "nu", "nbody", "njnt", "ngeom", "nsite"};
    static const char *const OPTIONS[] = {"timestep", "impratio", "disableflags"};
    int misses = 0;
    for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; i++) {
        if (!at(theirs, SIZES[i])) continue;
        json_int_t a = json_integer_value(at(ours, SIZES[i])), t = json_integer_value(at(theirs, SIZES[i]));
        misses += miss(model, SIZES[i], fabs((double)(a - t)), 0);
    }
    for (size_t i = 0; i < sizeof OPTIONS / sizeof OPTIONS[0]; i++) {
        if (!at(at(theirs, "option"), OPTIONS[i])) continue;
        double a = json_number_value(at(at(ours, "option"), OPTIONS[i]));
        misses += miss(model, OPTIONS[i], fabs(a - json_number_value(at(at(theirs, "option"), OPTIONS[i]))), 0);
    }
    misses += miss(model, "gravity", difference(at(ours, "option/gravity"), at(theirs, "option/gravity")), 0);
    for (size_t i = 0; i < sizeof ARRAYS / sizeof ARRAYS[0]; i++) {
        double e = relative(at(ours, ARRAYS[i].name), at(theirs, ARRAYS[i].name), ARRAYS[i].natural);
        misses += miss(model, ARRAYS[i].name, isnan(e) ? 0 : e, 1e-10); // 0 / 0: an array of zeros, met exactly
    }
    misses += miss(model, "body_quat", quat_error(at(ours, "body_quat"), at(theirs, "body_quat")), 1e-10);
    misses += miss(model, "geom_quat", quat_error(at(ours, "geom_quat"), at(theirs, "geom_quat")), 1e-10);
    misses += miss(model, "geom_size", size_error(ours, theirs), 1e-10);
    misses += miss(model, "inertia tensors", tensor_error(ours, theirs), 1e-10);
    double inertia = json_number_value(at(theirs, "stat/meaninertia"));
    return misses +
           miss(model, "meaninertia", fabs(json_number_value(at(ours, "stat/meaninertia")) / inertia - 1), 1e-10);
}

// ---- sensors at the start -------------------------------------------------------------------------------------------

static int check_sensors(const char *model, const json_t *ours, const json_t *theirs) {
    const json_t *a = at(ours, "initial/sensordata"), *t = at(theirs, "initial/sensordata");
    return json_array_size(t) ? miss(model, "sensordata", relative(a, t, 1), 1e-9) : 0;
}

// ---- A1: dynamics at the start -------------------------------------------------------------------------------------

static int check_dynamics(const char *model, const json_t *ours, const json_t *theirs) {
    static const char *const FORCES[] = {"qfrc_bias", "qfrc_passive", "qfrc_actuator"};
    const json_t *a = at(ours, "initial"), *t = at(theirs, "initial");
    // the reference has no mass matrix where it would be large
    int misses = at(t, "M") ? miss(model, "M", relative(at(a, "M"), at(t, "M"), 0), 1e-10) : 0;
    // forces have one natural scale: the largest of them; accelerations have gravity's
    double force = 1e-3;
    for (int i = 0; i < 3; i++) force = fmax(force, largest(at(t, FORCES[i])));
    for (int i = 0; i < 3; i++)
        misses += miss(model, FORCES[i], relative(at(a, FORCES[i]), at(t, FORCES[i]), force), 1e-10);
    return misses + miss(model, "qacc_smooth", relative(at(a, "qacc_smooth"), at(t, "qacc_smooth"), 9.81), 1e-10);
}

// ---- A2: motion ----------------------------------------------------------------------------------------------------

static const char *const STEPS[] = {"1", "10", "100"};

static double state_error(const json_t *ours, const json_t *theirs, const char *steps) {
    const json_t *a = at(at(ours, "states"), steps), *t = at(at(theirs, "states"), steps);
    return fmax(relative(at(a, "qpos"), at(t, "qpos"), 1), relative(at(a, "qvel"), at(t, "qvel"), 1));
}

// MuJoCo had no row and no contact up to a step, as far as its file tells
static bool is_free(const json_t *theirs, int steps) {
    const json_t *contact = at(theirs, "first_contact/step");
    for (int i = 0; i < 3 && atoi(STEPS[i]) <= steps; i++)
        if (json_integer_value(at(at(at(theirs, "states"), STEPS[i]), "nefc")) > 0) return false;
    return !json_is_integer(contact) || json_integer_value(contact) > steps;
}

// steps before the first constraint row, against the run at file options; where contacts are missing, MuJoCo's rows
// count
static int check_free_motion(const char *model, const json_t *ours, const json_t *theirs, bool missing_pairs,
                             bool *checked) {
    static const double BOUND[] = {1e-9, 1e-9, 1e-7};
    const json_t *first = at(ours, "first_row");
    int misses = 0;
    for (int i = 0; i < 3; i++) {
        checked[i] = !json_is_integer(first) || json_integer_value(first) > atoi(STEPS[i]);
        if (missing_pairs && !is_free(theirs, atoi(STEPS[i]))) checked[i] = false;
        if (!checked[i]) continue;
        char what[64];
        snprintf(what, sizeof what, "free motion, step %s", STEPS[i]);
        misses += miss(model, what, state_error(ours, theirs, STEPS[i]), BOUND[i]);
    }
    return misses;
}

// the first contacts agree but for limit rows whose distance is rounding
static bool is_knife_edge(const char *model, const json_t *ours, const json_t *theirs) {
    const json_t *a = at(ours, "first_contact"), *t = at(theirs, "first_contact"), *both[] = {a, t};
    bool listed = false;
    for (size_t i = 0; i < sizeof KNIFE_EDGE / sizeof KNIFE_EDGE[0]; i++) listed |= strcmp(KNIFE_EDGE[i], model) == 0;
    if (!listed || json_integer_value(at(a, "step")) != json_integer_value(at(t, "step"))) return false;
    if (relative(at(a, "qpos"), at(t, "qpos"), 1) > 1e-12 || relative(at(a, "qvel"), at(t, "qvel"), 1) > 1e-12)
        return false;
    for (int i = 0; i < 2; i++)
        for (size_t r = 0; r < json_array_size(at(both[i], "efc_type")); r++) {
            bool limit = (int)number_at(at(both[i], "efc_type"), (int)r) == TX_ROW_LIMIT;
            if (limit && fabs(number_at(at(both[i], "efc_pos"), (int)r)) > 1e-16) return false;
        }
    return json_integer_value(at(a, "nl")) != json_integer_value(at(t, "nl"));
}

static bool is_among(const char *model, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], model) == 0) return true;
    return false;
}
#define AMONG(model, list) is_among(model, list, sizeof(list) / sizeof(list)[0])

// the others, both solvers run to convergence: <= 1e-6, and within 100 x the growth of a 6e-14 velocity change
static int check_constrained(const char *model, const json_t *ours, const json_t *theirs, const json_t *sensitivity,
                             const bool *done) {
    int misses = 0;
    json_int_t edge = is_knife_edge(model, ours, theirs) ? json_integer_value(at(ours, "first_contact/step")) : 1 << 30;
    for (int i = 0; i < 3; i++) {
        if (done[i]) continue;
        if (AMONG(model, OWN_DEPTH) || (i == 2 && AMONG(model, OWN_POINTS))) continue;
        if (atoi(STEPS[i]) >= edge) {
            printf("    %s step %s: left out, a limit's distance was rounding at step %d\n", model, STEPS[i],
                   (int)edge);
            continue;
        }
        char what[64];
        const json_t *a = at(at(ours, "states"), STEPS[i]), *t = at(at(theirs, "states"), STEPS[i]);
        double growth = json_number_value(at(sensitivity, STEPS[i])), moved = difference(at(a, "qpos"), at(t, "qpos"));
        snprintf(what, sizeof what, "constrained motion, step %s", STEPS[i]);
        misses += miss(model, what, state_error(ours, theirs, STEPS[i]), 1e-6);
        if (getenv("TX_VERBOSE"))
            printf("    %s step %s: |qpos - reference| %.1e, sensitivity %.1e\n", model, STEPS[i], moved, growth);
        // rounding of the numbers themselves comes on top
        double bound = 100 * growth + 1e-14 * fmax(1, largest(at(t, "qpos")));
        if (moved > bound && !AMONG(model, STANDS)) {
            printf("    %s %s: qpos off by %.1e, more than 100 x sensitivity %.1e\n", model, what, moved, growth);
            misses++;
        }
    }
    return misses;
}

// ---- the table -----------------------------------------------------------------------------------------------------

static bool is_listed(const char *name) {
    for (size_t i = 0; i < sizeof MUST_RUN / sizeof MUST_RUN[0]; i++)
        if (strcmp(MUST_RUN[i], name) == 0) return true;
    return false;
}

static json_t *read_json(const char *name, const char *file) {
    char path[1024];
    json_error_t error;
    snprintf(path, sizeof path, "%s/%s/%s", FOLDER, name, file);
    json_t *root = json_load_file(path, 0, &error);
    if (!root) fail_msg("%s:%d: %s", path, error.line, error.text);
    return root;
}

static void print_number(double value, bool there) {
    if (there) printf(" %8.1e", value);
    else printf(" %8s", "-");
}

// @return misses; *ran tells whether the model loaded
static int check_model(const json_t *entry, bool *ran) {
    const char *name = json_string_value(at(entry, "name"));
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", FOLDER, json_string_value(at(entry, "model")));
    outcome plain = dump(path, "");
    *ran = plain.root != NULL;
    if (!*ran) {
        printf("  %-30s waits for: %s\n", name, plain.why);
        return 0;
    }
    if (AMONG(name, SINCE_4)) {
        printf("  %-30s loads; left to make compare: MuJoCo 4.0 has other numbers than 3.12.1\n", name);
        json_decref(plain.root);
        return 0;
    }
    json_t *reference = read_json(name, "reference.json"), *converged = read_json(name, "reference-converged.json");
    bool free_steps[3];
    double a1, a2, a2c = 0, a3;
    now_worst = 0;
    int misses = check_compiled(name, plain.root, reference);
    a3 = now_worst, now_worst = 0;
    misses += check_dynamics(name, plain.root, reference);
    // forces of constraints are compared where both solvers converged
    if (json_integer_value(at(reference, "initial/nefc")) == 0) misses += check_sensors(name, plain.root, reference);
    a1 = now_worst, now_worst = 0;
    misses += check_free_motion(name, plain.root, reference, plain.missing_pairs, free_steps);
    a2 = now_worst, now_worst = 0;
    bool rows = !free_steps[2], constrained = rows && !plain.missing_pairs;
    if (constrained) {
        outcome exact = dump(path, "--converged");
        assert_non_null(exact.root);
        misses += check_constrained(name, exact.root, converged, at(entry, "sensitivity"), free_steps);
        a2c = now_worst;
        misses += check_sensors(name, exact.root, converged);
        json_decref(exact.root);
    }
    printf("  %-30s %-4s", name, misses ? "MISS" : "ran");
    print_number(a3, true), print_number(a1, true), print_number(a2, free_steps[0]), print_number(a2c, constrained);
    printf("  %s\n", plain.missing_pairs ? "some contact pairs are missing: no constrained motion"
                     : rows              ? ""
                                         : "no constraint in 100 steps");
    json_decref(plain.root), json_decref(reference), json_decref(converged);
    return misses;
}

// ---- our own scenes -------------------------------------------------------------------------------------------------

static void print_row(const char *name, double a3, double a1, double a2, int misses) {
    printf("  %-30s %-4s %8.1e %8.1e %8.1e\n", name, misses ? "MISS" : "ran", a3, a1, a2);
}

// the states of scenes/reference come from converged solves
static int check_scene(const char *name) {
    char path[1024];
    bool urdf = strncmp(name, "urdf_", 5) == 0;
    snprintf(path, sizeof path, urdf ? "%s/scenes/urdf/%s.urdf" : "%s/scenes/%s.xml", TX_SOURCE_DIR, name + 5 * urdf);
    json_t *reference = load_reference(name);
    outcome o = dump(path, urdf ? "--converged --collision-mass" : "--converged");
    assert_non_null(o.root);
    now_worst = 0;
    int misses = check_compiled(name, o.root, reference);
    double a3 = now_worst, a1;
    now_worst = 0;
    if (at(reference, "initial/qfrc_bias")) misses += check_dynamics(name, o.root, reference);
    a1 = now_worst, now_worst = 0;
    for (int i = 0; i < 3 && at(reference, "states/1"); i++) {
        char what[64];
        snprintf(what, sizeof what, "motion, step %s", STEPS[i]);
        double growth = json_number_value(at(at(reference, "sensitivity"), STEPS[i]));
        double bound = fmax(1e-11, 100 * growth);
        misses += miss(name, what, state_error(o.root, reference, STEPS[i]), bound);
    }
    print_row(name, a3, a1, now_worst, misses);
    json_decref(reference), json_decref(o.root);
    return misses;
}

static void test_own_scenes(void **state) {
    static const char *const SCENES[] = {"arm",
                                         "arm_alone",
                                         "balls",
                                         "balls_elliptic",
                                         "chain",
                                         "core_actuators",
                                         "core_attach",
                                         "core_fit",
                                         "core_fit_box",
                                         "core_fluid",
                                         "core_frames",
                                         "core_align",
                                         "core_fuse",
                                         "core_mass",
                                         "core_mesh",
                                         "core_mocap",
                                         "core_override",
                                         "core_pairs",
                                         "core_replicate",
                                         "core_sensors",
                                         "core_sites",
                                         "core_spatial",
                                         "core_tendons",
                                         "humanoid",
                                         "joints",
                                         "pendulum",
                                         "quadruped",
                                         "urdf_arm",
                                         "urdf_base",
                                         "urdf_gripper",
                                         "resting_sphere",
                                         "terrain",
                                         "core_geoms_first",
                                         "core_armature",
                                         "core_conveyor",
                                         "core_cameras",
                                         "core_rays",
                                         "core_tactile",
                                         "core_contacts",
                                         "core_servos",
                                         "core_delays",
                                         "core_turns",
                                         "core_polynomials",
                                         "core_yield",
                                         "core_yield_tendons",
                                         "core_tangents",
                                         "core_diagexact",
                                         "core_orientation",
                                         "core_builtin",
                                         "core_scale"};
    int misses = 0;
    printf("  %-30s %-4s %8s %8s %8s  (worst relative errors)\n", "scene", "", "A3 model", "A1 dyn", "A2");
    for (size_t i = 0; i < sizeof SCENES / sizeof SCENES[0]; i++) misses += check_scene(SCENES[i]);
    assert_int_equal(misses, 0);
}

// what stands in the file's <option>
static void test_medium(void **state) {
    outcome o = dump(TX_SOURCE_DIR "/scenes/core_fluid.xml", "");
    assert_non_null(o.root);
    assert_near(json_number_value(at(o.root, "option/density")), 12, 0);
    assert_near(json_number_value(at(o.root, "option/viscosity")), 0.3, 0);
    const double wind[] = {0.6, -0.4, 0.2};
    for (int k = 0; k < 3; k++) assert_near(number_at(at(o.root, "option/wind"), k), wind[k], 0);
    assert_int_equal(json_integer_value(at(o.root, "neq")), 0);
    json_decref(o.root);
}

static void test_parity(void **state) {
    json_error_t error;
    if (access(FOLDER "/index.json", R_OK) != 0) {
        printf("SKIPPED: %s is absent\n", FOLDER);
        skip();
    }
    json_t *index = json_load_file(FOLDER "/index.json", 0, &error), *entry;
    if (!index) fail_msg("index.json:%d: %s", error.line, error.text);
    int misses = 0, count = 0;
    size_t i;
    printf("  %-30s %-4s %8s %8s %8s %8s  (worst relative errors)\n", "model", "", "A3 model", "A1 dyn", "A2 free",
           "A2 rows");
    json_array_foreach(index, i, entry) {
        bool ran;
        const char *name = json_string_value(at(entry, "name"));
        misses += check_model(entry, &ran);
        count += ran;
        if (!ran && is_listed(name)) {
            printf("    %s MUST run\n", name);
            misses++;
        }
    }
    printf("  %d of %zu models ran\n", count, json_array_size(index));
    json_decref(index);
    assert_int_equal(misses, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_own_scenes), cmocka_unit_test(test_medium),
                                       cmocka_unit_test(test_parity)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
