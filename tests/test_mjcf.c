// test_mjcf.c - what good files mean: the numbers MuJoCo makes of them, element by element.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "thixis/load.h"

// nearly everything at once: nested and repeated defaults, every form of orientation, degrees, interleaved bodies
static const char good[] =
    // clang-format off
    "<mujoco model=\"good\">\n"
    "  <compiler eulerseq=\"zYx\"/>\n"
    "  <option timestep=\"0.005\" gravity=\"0 0 -1\"><flag contact=\"disable\" energy=\"enable\"/></option>\n"
    "  <default>\n"
    "    <joint armature=\"1\" range=\"-90 45\"/>\n"
    "    <geom friction=\"0.7\" euler=\"90 0 0\"/>\n"
    "    <motor gear=\"2 3\" ctrlrange=\"-1 1\"/>\n"
    "    <default class=\"a\">\n"
    "      <default class=\"b\"><geom size=\".3\" solimp=\"0.8\"/><joint type=\"slide\" damping=\"3\"/></default>\n"
    "      <geom type=\"capsule\" size=\".1 .2\" quat=\"0 1 0 0\"/>\n"
    "    </default>\n"
    "  </default>\n"
    "  <default><geom friction=\"0.6 0.1\"/></default>\n"
    "  <asset><material name=\"red\" rgba=\"1 0 0 .5\"/></asset>\n"
    "  <worldbody>\n"
    "    <geom name=\"floor\" type=\"plane\" size=\"1 1 1\" euler=\"0 0 0\"/>\n"
    "    <body name=\"x\" pos=\"1 2 3\" euler=\"10 20 30\" childclass=\"a\">\n"
    "      <freejoint name=\"root\"/>\n"
    "      <geom name=\"skin\" material=\"red\"/>\n"
    "      <body name=\"y\" zaxis=\"1 2 3\">\n"
    "        <joint name=\"jy\" ref=\"30\" springref=\"15\"/>\n"
    "        <geom class=\"b\" axisangle=\"1 2 3 40\"/>\n"
    "        <body name=\"z\" xyaxes=\"1 2 3 0 1 0\" childclass=\"b\">\n"
    "          <joint name=\"js\"/>\n"
    "          <geom zaxis=\"0 0 -1\"/>\n"
    "        </body>\n"
    "        <geom name=\"late\" type=\"box\" size=\"1 2 3\" contype=\"0\" conaffinity=\"0\" xyaxes=\"0 1 0 1 0 0\"/>\n"
    "      </body>\n"
    "    </body>\n"
    "    <geom size=\"4\"/>\n"
    "  </worldbody>\n"
    "  <worldbody>\n"
    "    <geom size=\"5\"/>\n"
    "    <body name=\"w\"><geom fromto=\"0 0 0 1 0 0\" type=\"capsule\" size=\".1\"/></body>\n"
    "  </worldbody>\n"
    "  <actuator>\n"
    "    <motor name=\"m1\" joint=\"jy\" gear=\"5\"/>\n"
    "    <motor joint=\"js\" forcerange=\"-2 2\" ctrllimited=\"false\"/>\n"
    "  </actuator>\n"
    "  <contact><exclude body1=\"x\" body2=\"world\"/></contact>\n"
    "  <keyframe><key name=\"k\" time=\"2\" qpos=\"1 2 3 1 0 0 0 .1 .2\" ctrl=\"1 2\"/></keyframe>\n"
    "</mujoco>\n";
// clang-format on

static void expect_numbers(const double *values, const double *expected, int count) {
    for (int i = 0; i < count; i++) assert_true(fabs(values[i] - expected[i]) <= 1e-14);
}

// the numbers are those of MuJoCo 4.0.0 for the same text
static void a_good_file_means_what_it_means_in_mujoco(void **state) {
    tx_diag diag = {0};
    tx_model *model = tx_load_string(good, sizeof good - 1, "good", &diag);
    assert_int_equal(diag.count, 0);
    assert_non_null(model);
    assert_string_equal(tx_model_name(model), "good");
    static const int sizes[][2] = {{TX_SIZE_NQ, 9},   {TX_SIZE_NV, 8},    {TX_SIZE_NU, 2},  {TX_SIZE_NBODY, 5},
                                   {TX_SIZE_NJNT, 3}, {TX_SIZE_NGEOM, 8}, {TX_SIZE_NKEY, 1}};
    for (int i = 0; i < 7; i++) assert_int_equal(tx_model_size(model, (tx_size)sizes[i][0]), sizes[i][1]);

    const tx_options *options = tx_model_options(model);
    assert_true(options->timestep == 0.005 && !options->contact && options->limit);
    assert_true(tx_model_params(model, TX_PARAM_GRAVITY, NULL)[2] == -1);

    // bodies are numbered depth first, a body's geoms stand together
    static const char *const bodies[] = {"world", "x", "y", "z", "w"};
    for (int i = 1; i < 5; i++) assert_string_equal(tx_element_name(model, TX_ELEMENT_BODY, i), bodies[i]);
    static const int geom_body[] = {0, 0, 0, 1, 2, 2, 3, 4};
    assert_memory_equal(tx_model_ints(model, TX_INT_GEOM_BODY, NULL), geom_body, sizeof geom_body);
    assert_int_equal(tx_element_find(model, TX_ELEMENT_GEOM, "late"), 5);

    // euler zYx, zaxis, xyaxes
    static const double body_quat[] = {1,
                                       0,
                                       0,
                                       0,
                                       0.943714364147489,
                                       0.2685358227515692,
                                       0.189307857412,
                                       0.0381345764748501,
                                       0.9491532346616307,
                                       -0.2815786030668714,
                                       0.1407893015334357,
                                       0,
                                       0.7792052461735898,
                                       -0.1626954372186493,
                                       -0.5616193654957186,
                                       0.2257278612488371};
    expect_numbers(tx_model_params(model, TX_PARAM_BODY_QUAT, NULL), body_quat, 16);
    // the last orientation of a class counts; axisangle, xyaxes and zaxis of the element win over it
    static const double h = 0.7071067811865476;
    static const double geom_quat[] = {1,
                                       0,
                                       0,
                                       0,
                                       h,
                                       0,
                                       0,
                                       h,
                                       h,
                                       0,
                                       0,
                                       h,
                                       0,
                                       1,
                                       0,
                                       0,
                                       0.9396926207859084,
                                       0.0914087282642836,
                                       0.1828174565285672,
                                       0.2742261847928508,
                                       0,
                                       h,
                                       h,
                                       0,
                                       0,
                                       1,
                                       0,
                                       0};
    expect_numbers(tx_model_params(model, TX_PARAM_GEOM_QUAT, NULL), geom_quat, 28);

    // a class changes the first numbers of a list; a later main section does not change classes made before
    const double *friction = tx_model_params(model, TX_PARAM_GEOM_FRICTION, NULL);
    static const double floor_friction[] = {0.6, 0.1, 1e-4}, class_friction[] = {0.7, 0.005, 1e-4};
    expect_numbers(friction, floor_friction, 3);
    expect_numbers(friction + 9, class_friction, 3);
    static const double capsule[] = {0.3, 0.2};
    expect_numbers(tx_model_params(model, TX_PARAM_GEOM_SIZE, NULL) + 12, capsule, 2);
    assert_true(tx_model_params(model, TX_PARAM_GEOM_SOLIMP, NULL)[20] == 0.8);
    static const double red[] = {1, 0, 0, 0.5};
    expect_numbers(tx_model_data_array(model, TX_DATA_GEOM_RGBA, NULL) + 12, red, 4);

    // degrees for the hinge, metres for the slide, no defaults for the free joint
    static const double range[] = {-1.5707963267948966, 0.7853981633974483, -90, 45};
    expect_numbers(tx_model_params(model, TX_PARAM_JNT_RANGE, NULL) + 2, range, 4);
    static const double armature[] = {0, 0, 0, 0, 0, 0, 1, 1}, damping[] = {0, 0, 0, 0, 0, 0, 0, 3};
    expect_numbers(tx_model_params(model, TX_PARAM_DOF_ARMATURE, NULL), armature, 8);
    expect_numbers(tx_model_params(model, TX_PARAM_DOF_DAMPING, NULL), damping, 8);
    assert_true(fabs(tx_model_params(model, TX_PARAM_QPOS0, NULL)[7] - 0.5235987755982988) <= 1e-15);
    assert_true(fabs(tx_model_params(model, TX_PARAM_QPOS_SPRING, NULL)[7] - 0.2617993877991494) <= 1e-15);

    static const double gear[] = {5, 2};
    for (int i = 0; i < 2; i++)
        expect_numbers(tx_model_params(model, TX_PARAM_ACTUATOR_GEAR, NULL) + 6 * i, gear + i, 1);
    static const int ctrl_limited[] = {1, 0}, force_limited[] = {0, 1};
    assert_memory_equal(tx_model_ints(model, TX_INT_ACTUATOR_CTRLLIMITED, NULL), ctrl_limited, sizeof ctrl_limited);
    assert_memory_equal(tx_model_ints(model, TX_INT_ACTUATOR_FORCELIMITED, NULL), force_limited, sizeof force_limited);
    assert_true(tx_model_data_array(model, TX_DATA_KEY_TIME, NULL)[0] == 2);
    tx_model_destroy(model);
    tx_diag_free(&diag);
}

// degrees become radians only where the range counts: so MuJoCo 3.12.0, whose numbers these are
static void ranges_that_do_not_count_stay_as_written(void **state) {
    static const char text[] =
        "<mujoco><default><joint range='-60 60' limited='false'/></default><worldbody><body>"
        "<joint name='root' type='free'/><geom size='.1'/><body><joint name='open'/><geom size='.1'/>"
        "<body><joint name='shut' limited='true'/><geom size='.1'/></body></body></body></worldbody>"
        "<actuator><position joint='open' inheritrange='1'/><position joint='shut' "
        "inheritrange='1'/></actuator></mujoco>";
    tx_diag diag = {0};
    tx_model *model = tx_load_string(text, sizeof text - 1, "ranges", &diag);
    assert_int_equal(diag.count, 0);
    static const double third = 1.0471975511965976;
    expect_numbers(tx_model_params(model, TX_PARAM_JNT_RANGE, NULL), (double[]){-60, 60, -60, 60, -third, third}, 6);
    expect_numbers(tx_model_params(model, TX_PARAM_ACTUATOR_CTRLRANGE, NULL), (double[]){-60, 60, -third, third}, 4);
    assert_memory_equal(tx_model_ints(model, TX_INT_JNT_LIMITED, NULL), ((int[]){0, 0, 1}), 3 * sizeof(int));
    tx_model_destroy(model);
    tx_diag_free(&diag);
}

// frames, every kind of actuator with shared defaults, pairs, mocap, options from <custom>
static const char core[] =
    // clang-format off
    "<mujoco model=\"core\">\n"
    "  <default>\n"
    "    <position kp=\"7\" kv=\"3\"/>\n"
    "    <pair friction=\".9\" margin=\".01\"/>\n"
    "    <geom contype=\"0\" conaffinity=\"0\"/>\n"
    "    <joint frictionloss=\"0.2\" solimpfriction=\"0.8\"/>\n"
    "    <default class=\"a\"><geom rgba=\"1 0 0 1\"/><general gear=\"2\" biastype=\"affine\" biasprm=\"1\"/></default>\n"
    "    <default class=\"b\"><velocity kv=\"5\"/></default>\n"
    "  </default>\n"
    "  <custom><text name=\"thixis.integrator\" data=\"midpoint\"/></custom>\n"
    "  <option integrator=\"RK4\"><flag frictionloss=\"disable\"/></option>\n"
    "  <worldbody>\n"
    "    <frame pos=\"1 2 3\" euler=\"0 0 90\" childclass=\"a\">\n"
    "      <geom name=\"pillar\" type=\"cylinder\" size=\".1\" fromto=\"0 0 0 1 0 0\"/>\n"
    "      <frame pos=\"0 1 0\" axisangle=\"1 1 0 60\">\n"
    "        <body name=\"x\" pos=\"1 0 0\" quat=\"1 1 0 0\">\n"
    "          <joint name=\"before\" range=\"-90 30\" actuatorfrcrange=\"-5 5\" actuatorgravcomp=\"true\"/>\n"
    "          <frame pos=\"0 0 2\" euler=\"0 90 0\">\n"
    "            <joint name=\"j\" type=\"slide\" axis=\"1 0 0\" pos=\"1 0 0\" range=\"0 2\"/>\n"
    "            <geom name=\"egg\" type=\"ellipsoid\" size=\".1 .2 .3\" pos=\"0 1 0\"/>\n"
    "            <geom name=\"brick\" type=\"box\" size=\".1\" fromto=\"0 0 0 0 1 1\"/>\n"
    "            <body name=\"y\" pos=\"0 0 1\" gravcomp=\"0.5\"><joint name=\"k\"/><geom name=\"tip\" size=\".1\"/></body>\n"
    "          </frame>\n"
    "        </body>\n"
    "      </frame>\n"
    "    </frame>\n"
    "    <body name=\"m\" mocap=\"true\" pos=\"0 0 1\"><geom name=\"hand\" size=\".1\"/></body>\n"
    "    <body name=\"n\"><geom name=\"other\" size=\".1\"/></body>\n"
    "  </worldbody>\n"
    "  <actuator>\n"
    "    <position joint=\"before\"/>\n"
    "    <position joint=\"j\" kp=\"4\" inheritrange=\"0.5\"/>\n"
    "    <velocity joint=\"j\"/>\n"
    "    <general joint=\"k\" class=\"a\" gaintype=\"affine\" gainprm=\"1 2 3\" ctrlrange=\"-1 1\"/>\n"
    "    <position joint=\"k\" class=\"b\"/>\n"
    "    <motor jointinparent=\"k\" forcerange=\"-2 2\"/>\n"
    "  </actuator>\n"
    "  <contact>\n"
    "    <pair geom1=\"tip\" geom2=\"hand\" condim=\"4\"/>\n"
    "    <pair geom1=\"hand\" geom2=\"other\" friction=\".3 .4 .5\" solref=\".1\" gap=\".02\"/>\n"
    "  </contact>\n"
    "  <keyframe><key mpos=\"1 2 3\" mquat=\"0 1 0 0\"/></keyframe>\n"
    "</mujoco>\n";
// clang-format on

static const double *param(const tx_model *model, tx_param which) { return tx_model_params(model, which, NULL); }

// the numbers are those of MuJoCo 4.0.0 for the same text
// clang-format off
static void the_core_means_what_it_means_in_mujoco(void **state) {
    tx_diag diag = {0};
    tx_model *model = tx_load_string(core, sizeof core - 1, "core", &diag);
    assert_int_equal(diag.count, 0);
    assert_non_null(model);
    const tx_options *options = tx_model_options(model);
    assert_int_equal(options->integrator, TX_INTEGRATOR_MIDPOINT); // <custom> wins over <option>
    assert_true(!options->frictionloss && options->limit);

    // frames are gone: what stood in them stands in the body, turned and moved
    static const double h = 0.7071067811865476;
    static const double body_pos[] = {-0.2499999999999998, 2.75, 2.387627564304205, 1, 0, 2};
    static const double body_quat[] = {0.4330127018922193, 0.4330127018922193, 0.7865660924854929, 0.07945931129894557,
                                       h, 0, h, 0};
    expect_numbers(param(model, TX_PARAM_BODY_POS) + 3, body_pos, 6);
    expect_numbers(param(model, TX_PARAM_BODY_QUAT) + 4, body_quat, 8);
    static const double geom_pos[] = {1, 2.5, 3, 0, 1, 2, 0.5, 0.5, 2};
    static const double geom_quat[] = {0.5, 0.5, -0.5, 0.5, h, 0, h, 0,
                                       0.2705980500730986, 0.6532814824381883, 0.2705980500730985, -0.6532814824381882};
    static const double geom_size[] = {0.1, 0.5, 0, 0.1, 0.2, 0.3, 0.1, 0.1, h};
    expect_numbers(param(model, TX_PARAM_GEOM_POS), geom_pos, 9);
    expect_numbers(param(model, TX_PARAM_GEOM_QUAT), geom_quat, 12);
    expect_numbers(param(model, TX_PARAM_GEOM_SIZE), geom_size, 9);
    static const double jnt_pos[] = {0, 0, 0, 0, 0, 1, 0, 0, 0}, jnt_axis[] = {0, 0, 1, 0, 0, -1, 0, 0, 1};
    expect_numbers(param(model, TX_PARAM_JNT_POS), jnt_pos, 9);
    expect_numbers(param(model, TX_PARAM_JNT_AXIS), jnt_axis, 9);
    // a frame's class reaches through it into the bodies below
    static const double red[] = {1, 0, 0, 1};
    for (int g = 0; g < 4; g++) expect_numbers(tx_model_data_array(model, TX_DATA_GEOM_RGBA, NULL) + 4 * g, red, 4);

    static const double forces[] = {-5, 5, 0, 0, 0, 0}, loss[] = {0.2, 0.2, 0.2}, gravcomp[] = {0, 0, 0.5, 0, 0};
    static const int force_limited[] = {1, 0, 0}, act_gravcomp[] = {1, 0, 0}, mocap[] = {-1, -1, -1, 0, -1};
    expect_numbers(param(model, TX_PARAM_JNT_ACTFRCRANGE), forces, 6);
    expect_numbers(param(model, TX_PARAM_DOF_FRICTIONLOSS), loss, 3);
    expect_numbers(param(model, TX_PARAM_BODY_GRAVCOMP), gravcomp, 5);
    assert_memory_equal(tx_model_ints(model, TX_INT_JNT_ACTFRCLIMITED, NULL), force_limited, sizeof force_limited);
    assert_memory_equal(tx_model_ints(model, TX_INT_JNT_ACTGRAVCOMP, NULL), act_gravcomp, sizeof act_gravcomp);
    assert_memory_equal(tx_model_ints(model, TX_INT_BODY_MOCAP, NULL), mocap, sizeof mocap);

    // gains come from the nearest default of the same kind or of general; what a kind does not use is zero here
    static const double gain[] = {7, 0, 0, 4, 0, 0, 1, 0, 0, 1, 2, 3, 7, 0, 0, 1, 0, 0};
    static const double bias[] = {0, -7, -3, 0, -4, -3, 0, 0, -1, 1, -7, -3, 0, -7, -3, 0, 0, 0};
    static const double gears[] = {1, 1, 1, 2, 1, 1}, ctrl[] = {0, 0, 0.5, 1.5, 0, 0, -1, 1};
    static const int limited[] = {0, 1, 0, 1, 0, 0};
    for (int i = 0; i < 6; i++) {
        expect_numbers(param(model, TX_PARAM_ACTUATOR_GAIN) + TX_ACTUATOR_NUMBERS * i, gain + 3 * i, 3);
        expect_numbers(param(model, TX_PARAM_ACTUATOR_BIAS) + TX_ACTUATOR_NUMBERS * i, bias + 3 * i, 3);
        expect_numbers(param(model, TX_PARAM_ACTUATOR_GEAR) + 6 * i, gears + i, 1);
    }
    expect_numbers(param(model, TX_PARAM_ACTUATOR_CTRLRANGE), ctrl, 8);
    assert_memory_equal(tx_model_ints(model, TX_INT_ACTUATOR_CTRLLIMITED, NULL), limited, sizeof limited);

    // a pair takes nothing from its geoms
    assert_int_equal(tx_model_size(model, TX_SIZE_NSPECIAL), 2);
    const int *dim = tx_model_ints(model, TX_INT_SPECIAL_DIM, NULL);
    int plain = dim[0] == 3 ? 0 : 1, twist = 1 - plain;
    assert_true(dim[plain] == 3 && dim[twist] == 4);
    static const double friction[] = {0.3, 0.4, 0.5, 1e-4, 1e-4}, default_friction[] = {0.9, 1, 0.005, 1e-4, 1e-4};
    static const double solref[] = {0.1, 1}, margin[] = {0.01, 0.01}, gap[] = {0.02};
    expect_numbers(param(model, TX_PARAM_SPECIAL_FRICTION) + 5 * plain, friction, 5);
    expect_numbers(param(model, TX_PARAM_SPECIAL_FRICTION) + 5 * twist, default_friction, 5);
    expect_numbers(param(model, TX_PARAM_SPECIAL_SOLREF) + 2 * plain, solref, 2);
    expect_numbers(param(model, TX_PARAM_SPECIAL_MARGIN), margin, 2);
    expect_numbers(param(model, TX_PARAM_SPECIAL_GAP) + plain, gap, 1);

    static const double mpos[] = {1, 2, 3}, mquat[] = {0, 1, 0, 0};
    expect_numbers(tx_model_data_array(model, TX_DATA_KEY_MPOS, NULL), mpos, 3);
    expect_numbers(tx_model_data_array(model, TX_DATA_KEY_MQUAT, NULL), mquat, 4);
    tx_model_destroy(model);
    tx_diag_free(&diag);
}
// clang-format on

// meshdir of the main file, then beside the file that names the mesh, as MuJoCo seeks; names follow the file
static void mesh_files_are_found(void **state) {
    tx_diag diag = {0};
    tx_model *model = tx_load_file(TX_SOURCE_DIR "/tests/data/mesh/main.xml", &diag);
    assert_int_equal(diag.count, 0);
    assert_non_null(model);
    tx_model_destroy(model);
}

static void harmless_things_are_silent(void **state) {
    const char *text =
        "<mujoco><visual><map znear='0.1'/></visual><size njmax='10'/><tendon/>"
        "<asset><texture name='t' type='2d' builtin='checker' width='8' height='8'/>"
        "<material name='m' texture='t'/></asset>"
        "<option jacobian='dense'><flag energy='enable' midphase='disable'/></option>"
        "<default><equality solref='0.1 1'/><muscle force='3'/><site size='1'/></default>"
        "<asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/></asset>"
        "<custom><numeric name='n' data='1'/><tuple name='t'/></custom>"
        "<worldbody><light pos='0 0 3'/><camera name='c'/><site name='s'/><frame/>"
        "<geom type='plane' size='1 1 1' material='m' user='1 2'/>"
        "<body gravcomp='0' mocap='false'><freejoint align='false'/>"
        "<geom size='1' pos='' adhesion='0' fluidshape='ellipsoid' fluidcoef='1'/></body></worldbody></mujoco>";
    tx_diag diag = {0};
    tx_model *model = tx_load_string(text, strlen(text), NULL, &diag);
    assert_int_equal(diag.count, 0);
    assert_non_null(model);
    tx_model_destroy(model);
}

// solver="PGS" stops by what a sweep gains, at `tolerance`, and at MuJoCo's 1e-8 where the file does not say it; what
// <custom> says is ours, and asks for a solve error
static void pgs_of_a_file_stops_as_in_mujoco(void **state) {
    static const struct {
        const char *option, *custom;
        double gain;
    } cases[] = {
        {"solver='PGS'", "", 1e-8},
        {"solver='PGS' tolerance='3'", "", 3},
        {"solver='PGS' tolerance='0'", "", 0},
        {"solver='Newton'", "", 0},
        {"tolerance='3'", "", 0},
        {"solver='PGS' tolerance='3'", "<numeric name='thixis.gain_tolerance' data='5'/>", 5},
        {"solver='PGS'", "<text name='thixis.solver' data='pgs'/>", 0},
        {"solver='PGS'", "<text name='thixis.law' data='hard'/>", 0},
        {"solver='PGS'", "<text name='thixis.law' data='hard'/><numeric name='thixis.gain_tolerance' data='5'/>", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        tx_diag diag = {0};
        snprintf(text, sizeof text, "<mujoco><custom>%s</custom><option %s/></mujoco>", cases[i].custom,
                 cases[i].option);
        tx_model *model = tx_load_string(text, strlen(text), "pgs", &diag);
        assert_non_null(model);
        assert_true(tx_model_options(model)->gain_tolerance == cases[i].gain);
        tx_model_destroy(model), tx_diag_free(&diag);
    }
}

// MuJoCo 4.0.0 without callbacks: gaintype and biastype user are 1 and 0 whatever gainprm and biasprm say. actdim may
// say again how many activations there are
static void what_the_user_would_compute_is_one_and_nothing(void **state) {
    static const struct {
        const char *actuator;
        int errors, warnings, activations;
        double gain, bias;
    } cases[] = {
        {"gaintype='user' gainprm='3'", 0, 1, 0, 1, 0},
        {"biastype='user' biasprm='3 4 5' gainprm='2'", 0, 1, 0, 2, 0},
        {"gaintype='user' biastype='affine' biasprm='1 2 3'", 0, 1, 0, 1, 1},
        {"dyntype='integrator' actdim='1'", 0, 0, 1, 1, 0},
        {"dyntype='muscle' actdim='1'", 0, 0, 1, 1, 0},
        {"actdim='0'", 0, 0, 0, 1, 0},
        {"actdim='-1'", 0, 0, 0, 1, 0},
        {"actdim='1'", 1, 0, 0, 0, 0},
        {"dyntype='filter' actdim='0' dynprm='1'", 1, 0, 0, 0, 0},
        {"dyntype='integrator' actdim='2'", 1, 0, 0, 0, 0},
        {"dyntype='user'", 1, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "<mujoco><worldbody><body><joint name='j' type='slide'/><geom size='.1'/></body></worldbody>"
                 "<actuator><general joint='j' %s/></actuator></mujoco>",
                 cases[i].actuator);
        tx_diag diag = {0};
        tx_model *model = tx_load_string(text, strlen(text), NULL, &diag);
        assert_int_equal(diag.errors, cases[i].errors);
        assert_int_equal(diag.warnings, cases[i].warnings);
        assert_true((model == NULL) == (cases[i].errors > 0));
        if (model) {
            assert_int_equal(tx_model_size(model, TX_SIZE_NA), cases[i].activations);
            expect_numbers(param(model, TX_PARAM_ACTUATOR_GAIN), &cases[i].gain, 1);
            expect_numbers(param(model, TX_PARAM_ACTUATOR_BIAS), &cases[i].bias, 1);
        }
        tx_model_destroy(model);
        tx_diag_free(&diag);
    }
}

// how many bodies MuJoCo 4.0 has left of four when a body without joints could be fused with its parent
static void what_is_not_fused(void **state) {
    static const struct {
        const char *option, *body, *rest;
        int bodies;
    } CASES[] = {{"", "", "", 3},
                 {"", "fuse='false'", "", 4},
                 {"", "fuse='auto'", "", 3},
                 {"", "gravcomp='0.5'", "", 4},
                 {"<option density='1'/>", "", "", 4},
                 {"<option viscosity='1'/>", "", "", 4},
                 {"", "", "<equality><connect body1='s' body2='o' anchor='0 0 0'/></equality>", 4},
                 {"", "", "<equality><weld body1='o' body2='s'/></equality>", 4},
                 {"", "", "<sensor><force site='p'/></sensor>", 4},
                 {"", "", "<sensor><accelerometer site='p'/></sensor>", 3},
                 {"", "", "<worldbody><camera mode='targetbody' target='s' pos='1 1 1'/></worldbody>", 4}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[1024];
        tx_diag diag = {0};
        snprintf(text, sizeof text,
                 "<mujoco><compiler fusestatic='true'/>%s<worldbody><body name='a'><freejoint/><geom size='.1'/>"
                 "<body name='s' pos='0 0 .2' %s><geom name='g' size='.05'/><site name='p'/></body></body>"
                 "<body name='o' pos='1 0 0'><freejoint/><geom size='.1'/></body></worldbody>%s</mujoco>",
                 CASES[i].option, CASES[i].body, CASES[i].rest);
        tx_model *model = tx_load_string(text, strlen(text), NULL, &diag);
        if (!model) fail_msg("%s", diag.messages[0].text);
        if (tx_model_size(model, TX_SIZE_NBODY) != CASES[i].bodies) fail_msg("case %zu", i);
        tx_model_destroy(model), tx_diag_free(&diag);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_file_means_what_it_means_in_mujoco),
        cmocka_unit_test(pgs_of_a_file_stops_as_in_mujoco),
        cmocka_unit_test(ranges_that_do_not_count_stay_as_written),
        cmocka_unit_test(the_core_means_what_it_means_in_mujoco),
        cmocka_unit_test(mesh_files_are_found),
        cmocka_unit_test(harmless_things_are_silent),
        cmocka_unit_test(what_the_user_would_compute_is_one_and_nothing),
        cmocka_unit_test(what_is_not_fused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
