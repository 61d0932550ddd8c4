// test_reference.c - our own scenes against MuJoCo 4.0 run to convergence: compiled model, dynamics, contacts, rows,
// motion.
#include "near.h"
#include "reference.h"

static const char *const SCENES[] = {"pendulum",
                                     "chain",
                                     "joints",
                                     "balls",
                                     "quadruped",
                                     "humanoid",
                                     "arm",
                                     "resting_sphere",
                                     "resting_sphere_pyramidal",
                                     "core_actuators",
                                     "core_fit",
                                     "core_fluid",
                                     "core_fit_box",
                                     "core_frames",
                                     "core_align",
                                     "core_fuse",
                                     "core_geoms_first",
                                     "core_mass",
                                     "core_mesh",
                                     "core_mocap",
                                     "core_pairs",
                                     "core_attach",
                                     "core_override",
                                     "core_pull",
                                     "core_inherit",
                                     "core_replicate",
                                     "core_sites",
                                     "core_tendons",
                                     "core_spatial",
                                     "arm_alone",
                                     "core_sensors",
                                     "core_armature",
                                     "core_conveyor",
                                     "core_cameras",
                                     "core_rays",
                                     "core_tactile",
                                     "core_servos",
                                     "core_orientation",
                                     "core_builtin",
                                     "core_scale",
                                     "core_delays",
                                     "core_turns",
                                     "core_polynomials",
                                     "core_yield",
                                     "core_tangents",
                                     "core_diagexact",
                                     "core_contacts",
                                     "balls_elliptic"};
enum { SCENE_COUNT = sizeof SCENES / sizeof SCENES[0], MAX_ROWS = 512 };

// prints every comparison; a miss is counted, so that one run shows them all
static int compare(const char *scene, const char *where, const char *what, double error, double bound) {
    bool ok = error <= bound;
    if (!ok || getenv("TX_VERBOSE"))
        printf("%s %s %s: %.2e %s %.0e\n", scene, where, what, error, ok ? "<=" : "ABOVE", bound);
    return !ok;
}

static const json_t *member(const json_t *object, const char *name) {
    const json_t *value = json_object_get(object, name);
    if (!value) fail_msg("the reference has no %s", name);
    return value;
}

// solver run to convergence, as the reference is
static tx_sim *make_sim(const tx_model *model, const json_t *reference) {
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    assert_non_null(sim);
    tx_options options = tx_sim_options(sim);
    options.tolerance = 0, options.ls_tolerance = 1e-6;
    assert_int_equal(tx_sim_set_options(sim, &options), TX_OK);
    assert_int_equal(tx_sim_reset(sim, json_is_null(member(reference, "keyframe")) ? -1 : 0, NULL), TX_OK);
    return sim;
}

// ---- compiled model ------------------------------------------------------------------------------------------------

// R diag(moments) Rᵀ, which does not depend on the choice of axes
static void tensor(const double *q, const double *moments, double *out) {
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double m[9] = {w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
                   2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
                   2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            out[3 * r + c] = 0;
            for (int k = 0; k < 3; k++) out[3 * r + c] += m[3 * r + k] * moments[k] * m[3 * c + k];
        }
}

static int check_compiled(const char *scene, const tx_model *model, const json_t *ref) {
    static const struct {
        tx_param field;
        const char *name;
    } FIELDS[] = {{TX_PARAM_BODY_MASS, "body_mass"},
                  {TX_PARAM_BODY_IPOS, "body_ipos"},
                  {TX_PARAM_BODY_INVWEIGHT0, "body_invweight0"},
                  {TX_PARAM_DOF_INVWEIGHT0, "dof_invweight0"},
                  {TX_PARAM_DOF_ARMATURE, "dof_armature"},
                  {TX_PARAM_DOF_DAMPING, "dof_damping"},
                  {TX_PARAM_GEOM_SIZE, "geom_size"},
                  {TX_PARAM_GEOM_POS, "geom_pos"},
                  {TX_PARAM_GEOM_QUAT, "geom_quat"},
                  {TX_PARAM_JNT_RANGE, "jnt_range"},
                  {TX_PARAM_QPOS0, "qpos0"}};
    int misses = 0;
    for (size_t i = 0; i < sizeof FIELDS / sizeof FIELDS[0]; i++) {
        int count;
        const double *ours = tx_model_params(model, FIELDS[i].field, &count);
        const json_t *theirs = member(ref, FIELDS[i].name);
        double numbers[4096];
        memcpy(numbers, ours, sizeof(double) * (size_t)count);
        // a plane's size is only drawn
        for (int g = 0; FIELDS[i].field == TX_PARAM_GEOM_SIZE && g < count / 3; g++)
            for (int k = 0; tx_model_ints(model, TX_INT_GEOM_TYPE, NULL)[g] == TX_GEOM_PLANE && k < 3; k++)
                numbers[3 * g + k] = number_at(theirs, 3 * g + k);
        misses += compare(scene, "compiled", FIELDS[i].name, relative_error(theirs, numbers, count, 1), 1e-10);
    }
    misses += compare(scene, "compiled", "meaninertia",
                      fabs(tx_model_params(model, TX_PARAM_MEANINERTIA, NULL)[0] /
                               json_number_value(member(member(ref, "stat"), "meaninertia")) -
                           1),
                      1e-10);
    const double *quat = tx_model_params(model, TX_PARAM_BODY_IQUAT, NULL),
                 *inertia = tx_model_params(model, TX_PARAM_BODY_INERTIA, NULL);
    double worst = 0;
    for (int b = 0; b < tx_model_size(model, TX_SIZE_NBODY); b++) {
        double q[4], moments[3], ours[9], theirs[9], top = 0;
        for (int k = 0; k < 4; k++) q[k] = number_at(member(ref, "body_iquat"), 4 * b + k);
        for (int k = 0; k < 3; k++) top = fmax(top, moments[k] = number_at(member(ref, "body_inertia"), 3 * b + k));
        tensor(quat + 4 * b, inertia + 3 * b, ours);
        tensor(q, moments, theirs);
        for (int k = 0; k < 9; k++) worst = fmax(worst, fabs(ours[k] - theirs[k]) / fmax(top, 1e-6));
    }
    return misses + compare(scene, "compiled", "inertia tensors", worst, 1e-10);
}

// ---- sensors --------------------------------------------------------------------------------------------------------

// MuJoCo keeps tangents of taxels in single precision
static double sensor_bound(int type) { return type == TX_SENSOR_TACTILE ? 2e-7 : 1e-9; }

// each sensor by its own size, so that a wrong one shows beside large neighbours
static int check_sensors(const char *scene, const char *where, tx_sim *sim, const json_t *theirs) {
    const tx_model *model = tx_sim_model(sim);
    const int *address = tx_model_ints(model, TX_INT_SENSOR_ADR, NULL),
              *dim = tx_model_ints(model, TX_INT_SENSOR_DIM, NULL),
              *type = tx_model_ints(model, TX_INT_SENSOR_TYPE, NULL);
    static const char *const NAMES[] = {
#define X(NAME, name, numbers, object, cutoff, meaning) [TX_SENSOR_##NAME] = #name,
        TX_SENSORS(X)
#undef X
    };
    const double *ours = tx_sim_array(sim, TX_ARRAY_SENSORDATA);
    int misses = abs((int)json_array_size(theirs) - tx_model_size(model, TX_SIZE_NSENSORDATA));
    for (int i = 0; i < tx_model_size(model, TX_SIZE_NSENSOR); i++) {
        char what[64];
        double top = 1, worst = 0;
        for (int k = address[i]; k < address[i] + dim[i]; k++) {
            top = fmax(top, fabs(number_at(theirs, k)));
            double error = fabs(ours[k] - number_at(theirs, k));
            worst = error <= worst ? worst : error;
        }
        snprintf(what, sizeof what, "sensor %d %s", i, NAMES[type[i]]);
        misses += compare(scene, where, what, worst / top, sensor_bound(type[i]));
    }
    return misses;
}

// ---- one state -----------------------------------------------------------------------------------------------------

static void set_state(tx_sim *sim, const json_t *dump) {
    const tx_model *model = tx_sim_model(sim);
    double *qpos = tx_sim_array(sim, TX_ARRAY_QPOS), *qvel = tx_sim_array(sim, TX_ARRAY_QVEL);
    for (int i = 0; i < tx_model_size(model, TX_SIZE_NQ); i++) qpos[i] = number_at(member(dump, "qpos"), i);
    for (int i = 0; i < tx_model_size(model, TX_SIZE_NV); i++) qvel[i] = number_at(member(dump, "qvel"), i);
    double *act = tx_sim_array(sim, TX_ARRAY_ACT);
    for (int i = 0; i < tx_model_size(model, TX_SIZE_NA); i++) act[i] = number_at(member(dump, "act"), i);
    const json_t *time = json_object_get(dump, "time");
    tx_sim_array(sim, TX_ARRAY_TIME)[0] = time ? json_number_value(time) : 0;
    memset(tx_sim_array(sim, TX_ARRAY_QACC_WARMSTART), 0, sizeof(double) * (size_t)tx_model_size(model, TX_SIZE_NV));
    assert_int_equal(tx_sim_forward(sim), TX_OK);
}

// our contact for each of MuJoCo's that has rows, matched by geoms and nearest point; -1 when there is none
static int match_contact(const json_t *theirs, const tx_contact *ours, int count, const bool *taken) {
    int best = -1;
    double nearest = 1e-6;
    for (int i = 0; i < count; i++) {
        if (taken[i] || !ours[i].acts) continue;
        if (ours[i].geom[0] != (int)number_at(member(theirs, "geom"), 0) ||
            ours[i].geom[1] != (int)number_at(member(theirs, "geom"), 1))
            continue;
        double distance = 0;
        for (int k = 0; k < 3; k++)
            distance = fmax(distance, fabs(ours[i].pos[k] - number_at(member(theirs, "pos"), k)));
        if (distance < nearest) nearest = distance, best = i;
    }
    return best;
}

static int check_contacts_and_rows(const char *scene, const char *where, tx_sim *sim, const json_t *dump) {
    const int nv = tx_model_size(tx_sim_model(sim), TX_SIZE_NV);
    int misses = 0, count, acting = 0;
    const tx_contact *contacts = tx_sim_contacts(sim, 0, &count);
    const json_t *list = member(dump, "contacts");
    bool taken[MAX_ROWS] = {0};
    int ours_of[MAX_ROWS];
    double dist = 0, frame = 0, pos = 0, friction = 0;
    for (int i = 0; i < count; i++) acting += contacts[i].acts;
    int expected = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *c = json_array_get(list, i);
        ours_of[i] = -1;
        if (json_integer_value(member(c, "efc_address")) < 0) continue;
        expected++;
        int k = match_contact(c, contacts, count, taken);
        ours_of[i] = k;
        if (k < 0) {
            printf("%s %s: contact %zu is missing\n", scene, where, i);
            misses++;
            continue;
        }
        taken[k] = true;
        dist = fmax(dist, fabs(contacts[k].dist - json_number_value(member(c, "dist"))));
        for (int a = 0; a < 3; a++) pos = fmax(pos, fabs(contacts[k].pos[a] - number_at(member(c, "pos"), a)));
        for (int a = 0; a < 9; a++) frame = fmax(frame, fabs(contacts[k].frame[a] - number_at(member(c, "frame"), a)));
        for (int a = 0; a < 5; a++)
            friction = fmax(friction, fabs(contacts[k].friction[a] - number_at(member(c, "friction"), a)));
    }
    misses += compare(scene, where, "number of contacts", abs(expected - acting), 0);
    misses += compare(scene, where, "contact dist", dist, 1e-9) + compare(scene, where, "contact pos", pos, 1e-9);
    misses += compare(scene, where, "contact frame", frame, 1e-9) +
              compare(scene, where, "contact friction", friction, 1e-12);

    // rows, matched by type and id; rows of one contact come in MuJoCo's order
    static tx_row rows[MAX_ROWS];
    static double J[MAX_ROWS * 128];
    int n = tx_sim_rows(sim, 0, rows, J, MAX_ROWS);
    const json_t *type = member(dump, "efc_type"), *id = member(dump, "efc_id");
    misses += compare(scene, where, "number of rows", fabs((double)n - (double)json_array_size(type)), 0);
    double worst_J = 0, worst_D = 0, worst_aref = 0, worst_pos = 0, worst_force = 0, top_aref = 1, top_force = 1;
    bool used[MAX_ROWS] = {0};
    for (int r = 0; r < (int)json_array_size(type); r++) {
        top_aref = fmax(top_aref, fabs(number_at(member(dump, "efc_aref"), r)));
        top_force = fmax(top_force, fabs(number_at(member(dump, "efc_force"), r)));
    }
    for (int d = 0; d < nv; d++) top_force = fmax(top_force, fabs(number_at(member(dump, "qfrc_smooth"), d)));
    for (int r = 0; r < (int)json_array_size(type); r++) {
        int t = (int)number_at(type, r), i = (int)number_at(id, r), k = 0;
        if (t >= TX_ROW_FRICTIONLESS) i = ours_of[i];
        while (k < n && (used[k] || rows[k].type != t || rows[k].id != i)) k++;
        if (k == n) {
            printf("%s %s: row %d (type %d) is missing\n", scene, where, r, t);
            misses++;
            continue;
        }
        used[k] = true;
        for (int d = 0; d < nv; d++)
            worst_J = fmax(worst_J, fabs(J[k * nv + d] - number_at(member(dump, "efc_J"), r * nv + d)));
        worst_D = fmax(worst_D, fabs(rows[k].D / number_at(member(dump, "efc_D"), r) - 1));
        worst_pos = fmax(worst_pos, fabs(rows[k].pos - number_at(member(dump, "efc_pos"), r)));
        worst_aref = fmax(worst_aref, fabs(rows[k].aref - number_at(member(dump, "efc_aref"), r)));
        worst_force = fmax(worst_force, fabs(rows[k].force - number_at(member(dump, "efc_force"), r)));
    }
    misses += compare(scene, where, "efc_J", worst_J, 1e-9) + compare(scene, where, "efc_pos", worst_pos, 1e-9);
    misses +=
        compare(scene, where, "efc_D", worst_D, 1e-9) + compare(scene, where, "efc_aref", worst_aref / top_aref, 1e-9);
    return misses + compare(scene, where, "efc_force", worst_force / top_force, 1e-9);
}

static int check_dump(const char *scene, const char *where, tx_sim *sim, const json_t *dump) {
    const tx_model *model = tx_sim_model(sim);
    const int nv = tx_model_size(model, TX_SIZE_NV);
    int misses = 0;
    set_state(sim, dump);
    double *M = malloc(sizeof(double) * (size_t)(nv * nv));
    assert_int_equal(tx_sim_mass_matrix(sim, 0, M), TX_OK);
    misses += compare(scene, where, "M", relative_error(member(dump, "M"), M, nv * nv, 1), 1e-9);
    free(M);
    misses += compare(scene, where, "qfrc_bias",
                      relative_error(member(dump, "qfrc_bias"), tx_sim_array(sim, TX_ARRAY_QFRC_BIAS), nv, 1), 1e-9);
    misses +=
        compare(scene, where, "qfrc_passive",
                relative_error(member(dump, "qfrc_passive"), tx_sim_array(sim, TX_ARRAY_QFRC_PASSIVE), nv, 1), 1e-9);
    misses +=
        compare(scene, where, "qfrc_actuator",
                relative_error(member(dump, "qfrc_actuator"), tx_sim_array(sim, TX_ARRAY_QFRC_ACTUATOR), nv, 1), 1e-9);
    misses +=
        compare(scene, where, "qacc_smooth",
                relative_error(member(dump, "qacc_smooth"), tx_sim_array(sim, TX_ARRAY_QACC_SMOOTH), nv, 1), 1e-9);
    // accelerations relative to the larger of the two, as in C1
    double top = 1e-3;
    for (int d = 0; d < nv; d++)
        top =
            fmax(top, fmax(fabs(number_at(member(dump, "qacc"), d)), fabs(number_at(member(dump, "qacc_smooth"), d))));
    const double *qacc = tx_sim_array(sim, TX_ARRAY_QACC);
    double worst = 0;
    for (int d = 0; d < nv; d++) worst = fmax(worst, fabs(qacc[d] - number_at(member(dump, "qacc"), d)));
    misses += compare(scene, where, "qacc", worst / top, 1e-9);
    misses += compare(scene, where, "energy",
                      relative_error(member(dump, "energy"), tx_sim_array(sim, TX_ARRAY_ENERGY), 2, 1), 1e-9);
    const json_t *sensors = json_object_get(dump, "sensordata");
    if (sensors) misses += check_sensors(scene, where, sim, sensors);
    misses += compare(scene, where, "solve error", tx_sim_array(sim, TX_ARRAY_SOLVE_ERROR)[0], 1e-9);
    return misses + check_contacts_and_rows(scene, where, sim, dump);
}

// ---- motion --------------------------------------------------------------------------------------------------------

static int check_states(const char *scene, tx_sim *sim, const json_t *ref) {
    static const struct {
        const char *steps;
        double bound;
    } STATES[] = {{"1", 1e-9}, {"10", 1e-9}, {"100", 1e-6}};
    const tx_model *model = tx_sim_model(sim);
    const int nq = tx_model_size(model, TX_SIZE_NQ), nv = tx_model_size(model, TX_SIZE_NV);
    int misses = 0, done = 0;
    tx_sim_reset(sim, json_is_null(member(ref, "keyframe")) ? -1 : 0, NULL);
    for (size_t i = 0; i < sizeof STATES / sizeof STATES[0]; i++) {
        int steps = atoi(STATES[i].steps);
        assert_int_equal(tx_sim_step_n(sim, steps - done), TX_OK);
        done = steps;
        const json_t *state = member(member(ref, "states"), STATES[i].steps);
        char where[32];
        snprintf(where, sizeof where, "step %d", steps);
        misses +=
            compare(scene, where, "qpos",
                    relative_error(member(state, "qpos"), tx_sim_array(sim, TX_ARRAY_QPOS), nq, 1), STATES[i].bound);
        misses +=
            compare(scene, where, "qvel",
                    relative_error(member(state, "qvel"), tx_sim_array(sim, TX_ARRAY_QVEL), nv, 1), STATES[i].bound);
    }
    return misses;
}

// every integrator of MuJoCo, from qvel_i = 0.5 ((7 i mod 5) - 2)
static int check_integrators(const char *scene, tx_sim *sim, const json_t *ref) {
    static const char *const NAMES[] = {"Euler", "implicitfast", "implicit", "RK4"};
    const tx_model *model = tx_sim_model(sim);
    const int nq = tx_model_size(model, TX_SIZE_NQ), nv = tx_model_size(model, TX_SIZE_NV);
    int misses = 0;
    for (int k = 0; k < 4; k++) {
        tx_options options = tx_sim_options(sim);
        options.integrator = k;
        assert_int_equal(tx_sim_set_options(sim, &options), TX_OK);
        tx_sim_reset(sim, json_is_null(member(ref, "keyframe")) ? -1 : 0, NULL);
        double *qvel = tx_sim_array(sim, TX_ARRAY_QVEL);
        for (int i = 0; i < nv; i++) qvel[i] = 0.5 * ((7 * i) % 5 - 2);
        for (int steps = 1, done = 0; steps <= 100; done = steps, steps *= 10) {
            char where[48], key[16];
            snprintf(where, sizeof where, "%s step %d", NAMES[k], steps);
            snprintf(key, sizeof key, "%d", steps);
            assert_int_equal(tx_sim_step_n(sim, steps - done), TX_OK);
            const json_t *state = member(member(member(ref, "integrators"), NAMES[k]), key);
            double bound = steps < 100 ? 1e-9 : 1e-7;
            misses += compare(scene, where, "qpos",
                              relative_error(member(state, "qpos"), tx_sim_array(sim, TX_ARRAY_QPOS), nq, 1), bound);
            misses += compare(scene, where, "qvel",
                              relative_error(member(state, "qvel"), tx_sim_array(sim, TX_ARRAY_QVEL), nv, 1), bound);
        }
    }
    return misses;
}

// the positions of every keyframe
static int check_keys(const char *scene, tx_sim *sim, const json_t *ref) {
    const int nq = tx_model_size(tx_sim_model(sim), TX_SIZE_NQ), nkey = tx_model_size(tx_sim_model(sim), TX_SIZE_NKEY);
    double positions[4096];
    assert_true(nq * nkey <= 4096);
    for (int k = 0; k < nkey; k++) {
        assert_int_equal(tx_sim_reset(sim, k, NULL), TX_OK);
        memcpy(positions + nq * k, tx_sim_array(sim, TX_ARRAY_QPOS), sizeof(double) * (size_t)nq);
    }
    tx_sim_reset(sim, nkey ? 0 : -1, NULL); // as the reference starts
    return compare(scene, "keyframes", "qpos", relative_error(member(ref, "key_qpos"), positions, nq * nkey, 1), 1e-10);
}

static int check_scene(const char *scene) {
    tx_model *model = load_scene(scene);
    json_t *ref = load_reference(scene);
    tx_sim *sim = make_sim(model, ref);
    int misses = check_compiled(scene, model, ref) + check_keys(scene, sim, ref);
    misses += check_dump(scene, "initial", sim, member(ref, "initial"));
    const json_t *first = json_object_get(ref, "first_contact");
    if (first && json_is_object(first)) misses += check_dump(scene, "first contact", sim, first);
    const json_t *last = json_object_get(ref, "last");
    if (last && json_is_object(last)) misses += check_dump(scene, "last", sim, last);
    misses += check_states(scene, sim, ref);
    misses += check_integrators(scene, sim, ref);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
    json_decref(ref);
    return misses;
}

static void scenes_equal_mujoco(void **state) {
    (void)state;
    int misses = 0;
    for (int i = 0; i < SCENE_COUNT; i++) misses += check_scene(SCENES[i]);
    assert_int_equal(misses, 0);
}

// Where the second site is turned, MuJoCo's rows of a weld have other axes than ours (its, turned by the site), which
// changes neither forces nor motion: both are compared, with MuJoCo 3.12 run to convergence.
static void turned_sites_are_welded_as_in_mujoco(void **state) {
    (void)state;
    static const char text[] = "<mujoco><worldbody><site name='w' pos='0.1 0 1' euler='20 30 40'/>"
                               "<body name='b' pos='0 0 1'><freejoint/><geom type='box' size='0.1 0.2 0.3'/>"
                               "<site name='s' pos='0 0.1 0.05' euler='-10 50 5'/></body></worldbody>"
                               "<equality><weld site1='s' site2='w' torquescale='0.5'/></equality></mujoco>";
    static const double VELOCITY[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
    static const double ACCELERATION[6] = {265.43429758478584, -233.06239998284357, -229.30442503431297,
                                           734.7884214138203,  -263.3095822681587,  99.55255186366709};
    static const double AFTER_100[7] = {0.15873204690737547, -0.011682489732681727, 0.9055379101910592,
                                        0.855272053257332,   0.4349679126614119,    -0.18231639203733765,
                                        0.21464706628894398};
    tx_model *model = tx_load_string(text, strlen(text), "text", NULL);
    assert_non_null(model);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    tx_options options = tx_sim_options(sim);
    options.tolerance = 0;
    assert_int_equal(tx_sim_set_options(sim, &options), TX_OK);
    memcpy(tx_sim_array(sim, TX_ARRAY_QVEL), VELOCITY, sizeof VELOCITY);
    tx_sim_forward(sim);
    const double *qacc = tx_sim_array(sim, TX_ARRAY_QACC), *qpos = tx_sim_array(sim, TX_ARRAY_QPOS);
    for (int i = 0; i < 6; i++) assert_near(qacc[i], ACCELERATION[i], 1e-10 * 735);
    tx_sim_reset(sim, -1, NULL);
    tx_sim_step_n(sim, 100);
    for (int i = 0; i < 7; i++) assert_near(qpos[i], AFTER_100[i], 1e-10);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(scenes_equal_mujoco),
                                       cmocka_unit_test(turned_sites_are_welded_as_in_mujoco)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
