// test_ranges.c - options and parameters out of their range are refused, by name, wherever they come from: a file, the
// builder, a running simulation, a compiled model.
#include <limits.h>

#include "base/hash.h"
#include "simulate.h"
#include "thixis/builder.h"

static const char BALL[] =
    "<mujoco><option density='1' viscosity='0.1'/><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
    "<body name='b' pos='0 0 1'><joint name='j' type='slide' axis='0 0 1' stiffness='1' range='-1 1' "
    "frictionloss='0.1'/><joint name='h'/><geom name='g' size='0.1'/><site name='s'/><site name='t' pos='0 0 1'/>"
    "</body></worldbody><contact><pair geom1='floor' geom2='g'/></contact>"
    "<tendon><spatial name='t' range='0 2'><site site='s'/><site site='t'/></spatial></tendon>"
    "<actuator><motor joint='h'/></actuator><equality><joint joint1='j' joint2='h' active='false'/></equality>"
    "</mujoco>";

static tx_model *load_text(const char *text) {
    tx_diag diag = {0};
    return must_have(tx_load_string(text, strlen(text), "text", &diag), &diag);
}

// the first message has both words; frees it
static bool says(tx_diag *diag, const char *word) {
    bool found = false;
    for (int i = 0; i < diag->count; i++) found = found || strstr(diag->messages[i].text, word);
    if (!found) print_error("no '%s' in: %s\n", word, diag->count ? diag->messages[0].text : "(no message)");
    tx_diag_free(diag);
    return found;
}

// ---- options
// ---------------------------------------------------------------------------------------------------------

static void builder_refuses(const tx_options *options, const char *name) {
    tx_builder *b = tx_builder_create();
    tx_diag diag = {0};
    assert_int_equal(tx_builder_options(b, options), TX_OK);
    tx_model *model = tx_builder_compile(b, &diag);
    if (model) fail_msg("the builder took %s", name);
    assert_true(says(&diag, name));
    tx_builder_destroy(b);
}

// a compiled model with other bytes and the right checksum
static tx_model *damaged(const tx_model *model, const void *at, const void *bytes, size_t size, tx_diag *diag) {
    enum { HASH = 24, HASHED = 32 }; // where the checksum is, and what it is of
    size_t all;
    const char *from = tx_model_bytes(model, &all);
    char *copy = malloc(all);
    memcpy(copy, from, all);
    memcpy(copy + ((const char *)at - from), bytes, size);
    uint64_t hash = tx_hash(TX_HASH_START, copy + HASHED, all - HASHED);
    memcpy(copy + HASH, &hash, sizeof hash);
    tx_model *made = tx_model_from_bytes(copy, all, diag);
    free(copy);
    return made;
}

static void compiled_refuses(const tx_model *model, const void *at, const void *bytes, size_t size, const char *name) {
    tx_diag diag = {0};
    tx_model *made = damaged(model, at, bytes, size, &diag);
    if (made) fail_msg("a compiled model with a wrong %s was taken", name);
    assert_true(says(&diag, name));
}

static void sim_refuses(tx_sim *sim, const tx_options *options, const char *name) {
    tx_options before = tx_sim_options(sim);
    if (tx_sim_set_options(sim, options) == TX_OK) fail_msg("a simulation took %s", name);
    assert_memory_equal(&(double){tx_sim_options(sim).timestep}, &before.timestep, sizeof(double));
    assert_int_equal(tx_sim_options(sim).iterations, before.iterations);
}

static void options_have_ranges(void **state) {
    tx_model *model = load_text(BALL);
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_SCALAR, 0);
    const tx_options good = tx_sim_options(sim), *at = tx_model_options(model);
    int tried = 0;
#define TRY(name, place, value)                                              \
    {                                                                        \
        tx_options o = good;                                                 \
        o.place = value;                                                     \
        builder_refuses(&o, name);                                           \
        sim_refuses(sim, &o, name);                                          \
        compiled_refuses(model, &at->place, &o.place, sizeof o.place, name); \
        tried++;                                                             \
    }
#define TRY_NUMBER(name, place, lowest, highest)   \
    TRY(name, place, NAN)                          \
    TRY(name, place, INFINITY)                     \
    TRY(name, place, -INFINITY)                    \
    TRY(name, place, nextafter(lowest, -INFINITY)) \
    TRY(name, place, nextafter((double)(highest), INFINITY))
#define X(name, size, lowest, highest, meaning) TRY_SIZE_##size(name, lowest, highest)
#define TRY_SIZE_1(name, lowest, highest)       TRY_NUMBER(#name, name, lowest, highest)
#define TRY_SIZE_2(name, lowest, highest) \
    TRY_NUMBER(#name, name[0], lowest, highest) TRY_NUMBER(#name, name[1], lowest, highest)
#define TRY_SIZE_5(name, lowest, highest) TRY_SIZE_2(name, lowest, highest) TRY_NUMBER(#name, name[4], lowest, highest)
    TX_OPTION_NUMBERS(X)
    TX_OPTION_OVERRIDES(X)
#undef X
#define X(name, lowest, highest, meaning) \
    TRY(#name, name, (lowest)-1)          \
    if (highest < INT_MAX) TRY(#name, name, (int)((unsigned)(highest) + 1))
    TX_OPTION_COUNTS(X)
#undef X
    assert_true(tried > 90);
    // neither true nor false
    unsigned char odd = 2;
#define X(name, meaning) compiled_refuses(model, &at->name, &odd, 1, #name);
    TX_OPTION_SWITCHES(X)
#undef X
    // the ends of the ranges are taken
#define X(name, size, lowest, highest, meaning)               \
    {                                                         \
        tx_options o = good;                                  \
        *(double *)&o.name = lowest;                          \
        assert_int_equal(tx_sim_set_options(sim, &o), TX_OK); \
        *(double *)&o.name = highest;                         \
        assert_int_equal(tx_sim_set_options(sim, &o), TX_OK); \
    }
    TX_OPTION_NUMBERS(X)
    TX_OPTION_OVERRIDES(X)
#undef X
    tx_sim_destroy(sim), tx_model_destroy(model);
}

static void files_have_ranges(void **state) {
    static const struct {
        const char *text, *name;
    } CASES[] = {{"<option iterations='875836468'/>", "iterations"},
                 {"<option iterations='0'/>", "iterations"},
                 {"<option ls_iterations='-3'/>", "ls_iterations"},
                 {"<option timestep='0'/>", "timestep"},
                 {"<option timestep='1e9'/>", "timestep"},
                 {"<option tolerance='-1'/>", "tolerance"},
                 {"<option impratio='0'/>", "impratio"},
                 {"<option o_friction='1 -1'/>", "o_friction"}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char text[256];
        tx_diag diag = {0};
        snprintf(text, sizeof text, "<mujoco>%s</mujoco>", CASES[i].text);
        assert_null(tx_load_string(text, strlen(text), "text", &diag));
        assert_true(says(&diag, CASES[i].name));
    }
}

// what the pair table was made with cannot be changed later
static void filterparent_belongs_to_the_model(void **state) {
    tx_model *model = load_text(BALL);
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_SCALAR, 0);
    tx_options o = tx_sim_options(sim);
    o.filterparent = !o.filterparent;
    assert_int_equal(tx_sim_set_options(sim, &o), TX_ERROR_UNSUPPORTED);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// a law that there is not goes with no solver, and a solver that there is not with no law: those before the first one
// and behind the last one are refused as that, not for their number
static void laws_and_solvers_end(void **state) {
    tx_model *model = load_text(BALL);
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    int laws = 0, solvers = 0;
    while (tx_law_name(laws)) laws++;
    while (tx_solver_name(solvers)) solvers++;
    for (int law = -1; law <= laws; law++)
        for (int solver = -1; solver <= solvers; solver++) {
            tx_options o = tx_sim_options(sim);
            o.law = law, o.solver = solver;
            const bool there = law >= 0 && law < laws && solver >= 0 && solver < solvers;
            const tx_result result = tx_sim_set_options(sim, &o);
            if (!there) assert_int_equal(result, TX_ERROR_UNSUPPORTED);
            assert_int_equal(tx_solver_solves(solver, law), there && result == TX_OK);
        }
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// ---- parameters
// ------------------------------------------------------------------------------------------------------

static void refuse_param(tx_sim *sim, tx_param field, int index, double value) {
    double *rows = tx_sim_param(sim, field), old = rows[index];
    char text[160], wanted[80];
    rows[index] = value;
    if (tx_sim_params_changed(sim) != TX_ERROR_ARGUMENT) fail_msg("%d: parameter %d took %g", index, (int)field, value);
    tx_sim_params_text(sim, text, sizeof text);
    snprintf(wanted, sizeof wanted, "environment 1: ");
    assert_non_null(strstr(text, wanted));
    assert_non_null(strstr(text, "it takes"));
    // nothing else is bound meanwhile
    assert_null(tx_sim_param(sim, field == TX_PARAM_GRAVITY ? TX_PARAM_MAGNETIC : TX_PARAM_GRAVITY));
    rows[index] = old;
    assert_int_equal(tx_sim_params_changed(sim), TX_OK);
    tx_sim_params_text(sim, text, sizeof text);
    assert_string_equal(text, "ok");
}

static void parameters_have_ranges(void **state) {
    static const tx_param NOT_NEGATIVE[] = {TX_PARAM_DENSITY,
                                            TX_PARAM_VISCOSITY,
                                            TX_PARAM_BODY_MASS,
                                            TX_PARAM_BODY_INERTIA,
                                            TX_PARAM_JNT_STIFFNESS,
                                            TX_PARAM_DOF_FRICTIONLOSS,
                                            TX_PARAM_DOF_ARMATURE,
                                            TX_PARAM_DOF_DAMPING,
                                            TX_PARAM_GEOM_FRICTION,
                                            TX_PARAM_GEOM_SOLMIX,
                                            TX_PARAM_SPECIAL_FRICTION,
                                            TX_PARAM_TENDON_STIFFNESS,
                                            TX_PARAM_GEOM_SIZE,
                                            TX_PARAM_BODY_QUAT,
                                            TX_PARAM_GEOM_QUAT,
                                            TX_PARAM_SITE_QUAT,
                                            TX_PARAM_TENDON_FRICTIONLOSS,
                                            TX_PARAM_TENDON_DAMPING,
                                            TX_PARAM_BODY_IQUAT,
                                            TX_PARAM_JNT_AXIS};
    tx_model *model = load_text(BALL);
    for (int f = 0; f < TX_PARAM_COUNT; f++) {
        int count;
        tx_model_params(model, (tx_param)f, &count);
        tx_sim *sim = make_sim(model, 2, 1, TX_TARGET_AUTO, 0);
        if (tx_sim_param(sim, (tx_param)f) && count > 0) {
            refuse_param(sim, (tx_param)f, 2 * count - 1, NAN);
            refuse_param(sim, (tx_param)f, count, INFINITY);
            refuse_param(sim, (tx_param)f, count, -2e10);
        }
        tx_sim_destroy(sim);
    }
    for (size_t i = 0; i < sizeof NOT_NEGATIVE / sizeof NOT_NEGATIVE[0]; i++) {
        int count;
        tx_model_params(model, NOT_NEGATIVE[i], &count);
        tx_sim *sim = make_sim(model, 2, 1, TX_TARGET_AUTO, 0);
        int index = NOT_NEGATIVE[i] == TX_PARAM_GEOM_SIZE ? count + 3 : count; // the first number of the ball
        refuse_param(sim, NOT_NEGATIVE[i], index, -0.5);
        tx_sim_destroy(sim);
    }
#define X(NAME, name, highest, meaning)                              \
    {                                                                \
        tx_sim *sim = make_sim(model, 2, 1, TX_TARGET_AUTO, 0);      \
        refuse_param(sim, TX_PARAM_GEOM_##NAME, 2, 1.5 * (highest)); \
        refuse_param(sim, TX_PARAM_GEOM_##NAME, 2, -1.5);            \
        tx_sim_destroy(sim);                                         \
    }
    TX_GEOM_MATERIALS(X)
#undef X
    tx_model_destroy(model);
}

// refused numbers are not used: the simulation goes on with those it had
static void refused_parameters_change_nothing(void **state) {
    tx_model *model = load_text(BALL);
    tx_sim *a = make_sim(model, 5, 1, TX_TARGET_AUTO, 0), *b = make_sim(model, 5, 1, TX_TARGET_AUTO, 0);
    double *mass = tx_sim_param(a, TX_PARAM_BODY_MASS);
    mass[1] = -5;
    assert_int_equal(tx_sim_params_changed(a), TX_ERROR_ARGUMENT);
    assert_int_equal(tx_sim_step_n(a, 50), TX_OK);
    assert_int_equal(tx_sim_step_n(b, 50), TX_OK);
    assert_true(tx_sim_hash(a) == tx_sim_hash(b));
    tx_sim_destroy(a), tx_sim_destroy(b), tx_model_destroy(model);
}

static void compiled_numbers_are_checked(void **state) {
    tx_model *model = load_text(BALL);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int f = 0; f < TX_PARAM_COUNT; f++) {
        int count;
        const double *numbers = tx_model_params(model, (tx_param)f, &count);
        for (int k = 0; count > 0 && k < 3; k++)
            compiled_refuses(model, &numbers[count - 1], &bad[k], sizeof(double), "out of range");
    }
    for (int f = 0; f < TX_DATA_COUNT; f++) {
        int count;
        const double *numbers = tx_model_data_array(model, (tx_model_data)f, &count);
        for (int k = 0; count > 0 && k < 3; k++)
            compiled_refuses(model, &numbers[count - 1], &bad[k], sizeof(double), "out of range");
    }
    tx_model_destroy(model);
}

// ---- definitions
// -----------------------------------------------------------------------------------------------------

typedef struct defs {
    tx_body_def body;
    tx_joint_def joint;
    tx_geom_def geom;
    tx_site_def site;
    tx_tendon_def tendon;
    tx_actuator_def actuator;
    tx_equality_def equality;
    tx_pair_def pair;
} defs;

static const tx_path_def PATH[] = {{TX_PATH_SITE, "s", NULL, 0}, {TX_PATH_SITE, "t", NULL, 0}};

static defs good_defs(void) {
    defs d = {tx_default_body_def(),   tx_default_joint_def(),    tx_default_geom_def(),     tx_default_site_def(),
              tx_default_tendon_def(), tx_default_actuator_def(), tx_default_equality_def(), tx_default_pair_def()};
    d.geom.size[0] = 0.1;
    d.tendon.path = PATH, d.tendon.count = 2;
    d.actuator.joint = "j";
    d.equality.first = "b";
    d.pair.geom1 = "f", d.pair.geom2 = "g";
    return d;
}

static tx_model *compile(const defs *d, tx_diag *diag) {
    tx_builder *b = tx_builder_create();
    tx_geom_def floor = tx_default_geom_def();
    tx_site_def s = tx_default_site_def(), t = tx_default_site_def();
    defs x = *d;
    floor.type = TX_GEOM_PLANE, floor.name = "f", s.name = "s", t.name = "t", t.pos[2] = 1;
    x.body.name = "b", x.joint.name = "j", x.geom.name = "g";
    tx_builder_geom(b, 0, &floor);
    tx_builder_body(b, 0, &x.body);
    tx_builder_joint(b, 1, &x.joint);
    tx_builder_geom(b, 1, &x.geom);
    tx_builder_site(b, 1, &s), tx_builder_site(b, 1, &t), tx_builder_site(b, 1, &x.site);
    tx_builder_tendon(b, &x.tendon), tx_builder_actuator(b, &x.actuator);
    tx_builder_equality(b, &x.equality), tx_builder_pair(b, &x.pair);
    tx_model *model = tx_builder_compile(b, diag);
    tx_builder_destroy(b);
    return model;
}

// every number of every definition
static void definitions_have_ranges(void **state) {
    double bad[] = {NAN, INFINITY, -INFINITY, 1.5 * TX_LARGEST};
    defs good = good_defs();
    tx_diag diag = {0};
    tx_model_destroy(must_have(compile(&good, &diag), &diag));
    int tried = 0;
#define TRY_FIELD(place, field)                                                                  \
    do {                                                                                         \
        for (size_t i = 0; i < 4 * sizeof good.place.field / sizeof(double); i++, tried++) {     \
            defs d = good;                                                                       \
            ((double *)&d.place.field)[i / 4] = bad[i % 4];                                      \
            tx_diag found = {0};                                                                 \
            if (compile(&d, &found)) fail_msg("%s of a %s took %g", #field, #place, bad[i % 4]); \
            assert_true(says(&found, #field));                                                   \
        }                                                                                        \
    } while (0)
    TRY_FIELD(body, pos);
    TRY_FIELD(body, quat);
    TRY_FIELD(body, ipos);
    TRY_FIELD(body, iquat);
    TRY_FIELD(body, mass);
    TRY_FIELD(body, inertia);
    TRY_FIELD(body, fullinertia);
    TRY_FIELD(body, gravcomp);
    TRY_FIELD(joint, pos);
    TRY_FIELD(joint, axis);
    TRY_FIELD(joint, range);
    TRY_FIELD(joint, ref);
    TRY_FIELD(joint, springref);
    TRY_FIELD(joint, stiffnesspoly);
    TRY_FIELD(joint, dampingpoly);
    TRY_FIELD(joint, springyield);
    bad[3] = 1.5 * TX_STIFFEST;
    TRY_FIELD(joint, stiffness);
    TRY_FIELD(joint, damping);
    TRY_FIELD(joint, armature);
    bad[3] = 1.5 * TX_LARGEST;
    TRY_FIELD(joint, margin);
    TRY_FIELD(joint, solref);
    TRY_FIELD(joint, solimp);
    TRY_FIELD(joint, frictionloss);
    TRY_FIELD(joint, solref_friction);
    TRY_FIELD(joint, solimp_friction);
    TRY_FIELD(joint, actuatorfrcrange);
    TRY_FIELD(geom, size);
    TRY_FIELD(geom, pos);
    TRY_FIELD(geom, quat);
    TRY_FIELD(geom, fromto);
    TRY_FIELD(geom, density);
    TRY_FIELD(geom, mass);
    TRY_FIELD(geom, friction);
    TRY_FIELD(geom, margin);
    TRY_FIELD(geom, gap);
    TRY_FIELD(geom, solmix);
    TRY_FIELD(geom, solref);
    TRY_FIELD(geom, solimp);
    TRY_FIELD(geom, fitscale);
    TRY_FIELD(geom, fluidcoef);
    TRY_FIELD(geom, surfacevel);
    // each with a highest number of its own, and nothing below -1
#define X(NAME, name, highest, meaning) \
    bad[3] = 1.5 * (highest);           \
    TRY_FIELD(geom, name);              \
    bad[3] = -1.5;                      \
    TRY_FIELD(geom, name);
    TX_GEOM_MATERIALS(X)
#undef X
    bad[3] = 1.5 * TX_LARGEST;
    TRY_FIELD(site, size);
    TRY_FIELD(site, pos);
    TRY_FIELD(site, quat);
    TRY_FIELD(tendon, stiffness);
    TRY_FIELD(tendon, damping);
    TRY_FIELD(tendon, stiffnesspoly);
    TRY_FIELD(tendon, dampingpoly);
    TRY_FIELD(tendon, springyield);
    TRY_FIELD(tendon, armature);
    TRY_FIELD(tendon, springlength);
    TRY_FIELD(tendon, range);
    TRY_FIELD(tendon, margin);
    TRY_FIELD(tendon, solref);
    TRY_FIELD(tendon, solimp);
    TRY_FIELD(tendon, frictionloss);
    TRY_FIELD(tendon, solref_friction);
    TRY_FIELD(tendon, solimp_friction);
    TRY_FIELD(tendon, actuatorfrcrange);
    TRY_FIELD(actuator, gear);
    TRY_FIELD(actuator, dynprm);
    TRY_FIELD(actuator, gain);
    TRY_FIELD(actuator, bias);
    TRY_FIELD(actuator, ctrlrange);
    TRY_FIELD(actuator, forcerange);
    TRY_FIELD(actuator, actrange);
    TRY_FIELD(actuator, lengthrange);
    TRY_FIELD(actuator, cranklength);
    TRY_FIELD(actuator, dampratio);
    TRY_FIELD(actuator, armature);
    TRY_FIELD(actuator, damping);
    TRY_FIELD(actuator, delay);
    TRY_FIELD(actuator, velrange);
    TRY_FIELD(actuator, ffrange);
    TRY_FIELD(equality, anchor);
    TRY_FIELD(equality, relpos);
    TRY_FIELD(equality, relquat);
    TRY_FIELD(equality, torquescale);
    TRY_FIELD(equality, polycoef);
    TRY_FIELD(equality, solref);
    TRY_FIELD(equality, solimp);
    TRY_FIELD(pair, friction);
    TRY_FIELD(pair, solref);
    TRY_FIELD(pair, solimp);
    TRY_FIELD(pair, solref_friction);
    TRY_FIELD(pair, margin);
    TRY_FIELD(pair, gap);
    assert_true(tried > 700);
#define TRY_CHOICE(place, field, word)                                  \
    for (int wrong = -1; wrong < 78; wrong += 78) {                     \
        defs d = good;                                                  \
        *(int *)&d.place.field = wrong;                                 \
        tx_diag found = {0};                                            \
        if (compile(&d, &found)) fail_msg("%s took %d", #field, wrong); \
        assert_true(says(&found, word));                                \
    }
    TRY_CHOICE(joint, limited, "limited");
    TRY_CHOICE(joint, actuatorfrclimited, "actuatorfrclimited");
    TRY_CHOICE(joint, type, "type");
    TRY_CHOICE(geom, type, "type");
    TRY_CHOICE(geom, condim, "condim");
    TRY_CHOICE(site, type, "type");
    TRY_CHOICE(tendon, limited, "limited");
    TRY_CHOICE(actuator, dynamics, "dynamics");
    TRY_CHOICE(actuator, gain_curve, "curve");
    TRY_CHOICE(actuator, ctrllimited, "ctrllimited");
    TRY_CHOICE(actuator, bias_curve, "curve");
    TRY_CHOICE(equality, type, "type");
    TRY_CHOICE(pair, condim, "condim");
}

// an element without a name is told by its index
static void nameless_elements_have_an_index(void **state) {
    tx_builder *b = tx_builder_create();
    tx_geom_def geom = tx_default_geom_def();
    geom.size[0] = 0.1;
    for (int i = 0; i < 4; i++) {
        geom.pos[1] = i == 2 ? NAN : i;
        assert_int_equal(tx_builder_geom(b, 0, &geom), i);
    }
    tx_diag diag = {0};
    assert_null(tx_builder_compile(b, &diag));
    assert_int_equal(diag.errors, 1);
    assert_string_equal(diag.messages[0].text, "geom '(no name, index 2)': pos cannot be nan");
    tx_diag_free(&diag), tx_builder_destroy(b);
}

// half a turn about an axis has one number; none at all is no orientation
static void orientations_have_a_number(void **state) {
    for (int k = 0; k <= 4; k++) {
        tx_builder *b = tx_builder_create();
        tx_camera_def camera = tx_default_camera_def();
        tx_site_def site = tx_default_site_def();
        for (int i = 0; i < 4; i++) camera.quat[i] = site.quat[i] = i == k ? -2 : 0;
        assert_true(tx_builder_camera(b, 0, &camera) == 0 && tx_builder_site(b, 0, &site) == 0);
        tx_diag diag = {0};
        tx_model *model = tx_builder_compile(b, &diag);
        assert_int_equal(model != NULL, k < 4);
        assert_int_equal(diag.errors, k < 4 ? 0 : 2);
        for (int i = 0; i < diag.errors; i++) assert_non_null(strstr(diag.messages[i].text, "quat is zero"));
        tx_model_destroy(model), tx_diag_free(&diag), tx_builder_destroy(b);
    }
}

// the bytes of an array are no text, even where they spell a file's name
static void arrays_are_not_texts(void **state) {
    tx_builder *b = tx_builder_create();
    char file[65];
    memset(file, 'a', 64), file[64] = 0;
    tx_key_def key = {.name = "", .qpos = (const double *)file, .qpos_count = 8};
    assert_int_equal(tx_builder_key(b, &key), 0);
    tx_geom_def geom = tx_default_geom_def();
    geom.size[0] = 0.1, geom.source = (tx_source){file, 3, 1};
    assert_int_equal(tx_builder_geom(b, 0, &geom), 0);
    tx_builder_destroy(b);
}

// each number is in range, what the body becomes is not: a simulation, a compiled file and a picture would refuse it
static void what_is_made_has_ranges(void **state) {
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"<mujoco><worldbody><body name='far'><freejoint/><geom size='1'/><geom size='1' pos='9e9 0 0'/></body>"
         "</worldbody></mujoco>",
         "body 'far': inertia becomes 1.69646e+23; it takes a number from 0 to 1e20"},
        {"<mujoco><compiler settotalmass='9e9'/><worldbody><body><freejoint/><geom size='1' mass='1'/></body>"
         "<body name='wide'><freejoint/><geom type='box' size='9e6 9e6 9e6' mass='1'/></body></worldbody></mujoco>",
         "body 'wide': inertia becomes 2.43e+23; it takes a number from 0 to 1e20"},
    };
    for (int i = 0; i < 2; i++) {
        tx_diag diag = {0};
        assert_null(tx_load_string(cases[i].text, strlen(cases[i].text), "text", &diag));
        assert_int_equal(diag.errors, 1);
        assert_string_equal(diag.messages[0].text, cases[i].says);
        assert_true(diag.messages[0].line == 1 && diag.messages[0].column > 0);
        tx_diag_free(&diag);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(options_have_ranges),
                                       cmocka_unit_test(files_have_ranges),
                                       cmocka_unit_test(filterparent_belongs_to_the_model),
                                       cmocka_unit_test(laws_and_solvers_end),
                                       cmocka_unit_test(parameters_have_ranges),
                                       cmocka_unit_test(refused_parameters_change_nothing),
                                       cmocka_unit_test(compiled_numbers_are_checked),
                                       cmocka_unit_test(definitions_have_ranges),
                                       cmocka_unit_test(nameless_elements_have_an_index),
                                       cmocka_unit_test(orientations_have_a_number),
                                       cmocka_unit_test(arrays_are_not_texts),
                                       cmocka_unit_test(what_is_made_has_ranges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
