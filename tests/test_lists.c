// test_lists.c - named values: every value has one name and is found by it, and none ever changes. What was released
// stands in tests/data/values.txt; a new value gets a line there.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "thixis/thixis.h"

static const char *const LISTS[TX_LIST_COUNT] = {
    [TX_LIST_RESULT] = "result",
    [TX_LIST_SIZE] = "size",
    [TX_LIST_INT] = "int",
    [TX_LIST_PARAM] = "param",
    [TX_LIST_DATA] = "data",
    [TX_LIST_ARRAY] = "array",
    [TX_LIST_ELEMENT] = "element",
    [TX_LIST_GEOM] = "geom",
    [TX_LIST_JOINT] = "joint",
    [TX_LIST_SWITCH] = "switch",
    [TX_LIST_INTEGRATOR] = "integrator",
    [TX_LIST_BROADPHASE] = "broadphase",
    [TX_LIST_NARROWPHASE] = "narrowphase",
    [TX_LIST_SENSOR] = "sensor",
    [TX_LIST_OBJECT] = "object",
    [TX_LIST_DYNAMICS] = "dynamics",
    [TX_LIST_CURVE] = "curve",
    [TX_LIST_EQUALITY] = "equality",
    [TX_LIST_TRANSMISSION] = "transmission",
    [TX_LIST_SLEEP] = "sleep",
    [TX_LIST_STAGE] = "stage",
    [TX_LIST_TARGET] = "target",
    [TX_LIST_DRAW] = "draw",
    [TX_LIST_LAW] = "law",
    [TX_LIST_SOLVER] = "solver",
};

static void names_and_values_agree(void **state) {
    for (int l = 0; l < TX_LIST_COUNT; l++) {
        const tx_list list = (tx_list)l;
        int named = 0;
        assert_non_null(LISTS[l]);
        for (int v = 0; v < tx_list_size(list); v++) {
            const char *name = tx_list_name(list, v);
            assert_int_equal(!name, !tx_list_meaning(list, v));
            if (!name) continue;                           // values between state and results, for more of the state
            assert_int_equal(tx_list_find(list, name), v); // so no name stands twice
            named++;
        }
        assert_true(named > 0);
        assert_non_null(tx_list_name(list, tx_list_size(list) - 1));
        assert_null(tx_list_name(list, tx_list_size(list)));
    }
    assert_int_equal(tx_list_find(TX_LIST_ARRAY, "qpos"), TX_ARRAY_QPOS);
    assert_int_equal(tx_list_find(TX_LIST_PARAM, "body_mass"), TX_PARAM_BODY_MASS);
    assert_int_equal(tx_list_find(TX_LIST_INT, "geom_mesh"), TX_INT_GEOM_MESH);
    assert_int_equal(tx_list_find(TX_LIST_GEOM, "mesh"), TX_GEOM_MESH);
}

// a size, an array and a parameter that are named can be read, and the others cannot
static void named_values_are_the_ones_that_exist(void **state) {
    static const char text[] = "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>";
    tx_model *model = tx_load_string(text, sizeof text - 1, NULL, NULL);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(model, &def);
    assert_non_null(sim);
    for (int v = 0; v < TX_ARRAY_COUNT; v++)
        assert_int_equal(!tx_sim_array(sim, (tx_array)v), !tx_list_name(TX_LIST_ARRAY, v));
    for (int v = 0; v < TX_SIZE_COUNT; v++)
        assert_int_equal(tx_model_size(model, (tx_size)v) < 0, !tx_list_name(TX_LIST_SIZE, v));
    for (int v = 0; v < TX_INT_COUNT; v++)
        assert_int_equal(!tx_model_ints(model, (tx_model_int)v, NULL), !tx_list_name(TX_LIST_INT, v));
    for (int v = 0; v < TX_PARAM_COUNT; v++)
        assert_int_equal(!tx_model_params(model, (tx_param)v, NULL), !tx_list_name(TX_LIST_PARAM, v));
    for (int v = 0; v < TX_DATA_COUNT; v++)
        assert_int_equal(!tx_model_data_array(model, (tx_model_data)v, NULL), !tx_list_name(TX_LIST_DATA, v));
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// both ways: no released value has changed, and every value of today is on record. Laws and solvers go by name alone.
static void values_never_change(void **state) {
    static bool recorded[TX_LIST_COUNT][512];
    FILE *file = fopen(TX_SOURCE_DIR "/tests/data/values.txt", "r");
    assert_non_null(file);
    char list[32], name[64];
    int value, wrong = 0;
    while (fscanf(file, "%31s %d %63s", list, &value, name) == 3) {
        int l = 0;
        while (l < TX_LIST_COUNT && strcmp(LISTS[l], list) != 0) l++;
        assert_true(l < TX_LIST_COUNT && value >= 0 && value < 512);
        const int now = tx_list_find((tx_list)l, name);
        if (now != value) print_error("%s %s was %d and is %d\n", list, name, value, now), wrong++;
        recorded[l][value] = true;
    }
    assert_true(feof(file));
    fclose(file);
    for (int l = 0; l < TX_LIST_COUNT; l++)
        for (int v = 0; l != TX_LIST_LAW && l != TX_LIST_SOLVER && v < tx_list_size((tx_list)l); v++)
            if (tx_list_name((tx_list)l, v) && !recorded[l][v])
                print_error("tests/data/values.txt lacks: %s %d %s\n", LISTS[l], v, tx_list_name((tx_list)l, v)),
                    wrong++;
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_and_values_agree),
                                       cmocka_unit_test(named_values_are_the_ones_that_exist),
                                       cmocka_unit_test(values_never_change)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
