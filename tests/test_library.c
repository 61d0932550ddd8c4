// test_library.c - what a host program needs of a library: its own memory, reasons, copies, whole batches of contacts.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "reference.h"
#include "thixis/thixis.h"

// ---- memory of the host
typedef struct purse {
    size_t given, taken_back;
    size_t left; // allocations before it gives none
} purse;

static void *give(void *context, size_t size, size_t alignment) {
    purse *p = context;
    if (p->left == 0) return NULL;
    p->left--, p->given++;
    return aligned_alloc(alignment, size);
}

static void take_back(void *context, void *memory) {
    purse *p = context;
    p->taken_back++;
    free(memory);
}

// loads, steps, draws; false: memory was out somewhere
static bool live(void) {
    static const char text[] = "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .1'><freejoint/>"
                               "<geom size='.1'/></body></worldbody></mujoco>";
    tx_model *model = tx_load_string(text, sizeof text - 1, NULL, NULL);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = model ? tx_sim_create(model, &def) : NULL;
    bool ok = sim && tx_sim_step_n(sim, 10) == TX_OK;
    tx_sim_destroy(sim), tx_model_destroy(model);
    return ok;
}

static void memory_is_the_hosts(void **state) {
    purse p = {.left = SIZE_MAX};
    const tx_allocator host = {give, take_back, &p};
    assert_int_equal(tx_set_allocator(&host), TX_OK);
    assert_true(live());
    assert_true(p.given > 10);
    assert_int_equal(p.given, p.taken_back);
    // memory of one allocator never goes to another
    tx_builder *builder = tx_builder_create();
    assert_int_equal(tx_set_allocator(NULL), TX_ERROR_UNSUPPORTED);
    tx_builder_destroy(builder);
    // a host that gives nothing any more
    p.left = 20;
    assert_false(live());
    assert_int_equal(p.given, p.taken_back);
    assert_int_equal(tx_set_allocator(NULL), TX_OK);
    const size_t given = p.given;
    assert_true(live());
    assert_int_equal(p.given, given);
}

// ---- reasons
static void why_no_simulation(void **state) {
    tx_model *model = load_scene("humanoid");
    static const struct {
        tx_sim_def def;
        const char *says;
    } CASES[] = {{{.envs = 0, .threads = 1}, "0 environments"},
                 {{.envs = 1, .threads = 0}, "0 threads"},
                 {{.envs = 1, .threads = 5000}, "5000 threads"},
                 {{.envs = 1, .threads = 1, .contact_room = -1}, "-1 contacts"},
                 {{.envs = 1, .threads = 1, .target = (tx_target_choice)77}, "no target 77"}};
    tx_diag diag = {0};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        tx_sim_def def = CASES[i].def;
        def.diag = &diag;
        assert_null(tx_sim_create(model, &def));
        assert_int_equal(diag.errors, 1);
        if (!strstr(diag.messages[0].text, CASES[i].says)) fail_msg("%s", diag.messages[0].text);
        tx_diag_free(&diag);
    }
    tx_sim_def def = tx_default_sim_def();
    def.diag = &diag;
    assert_null(tx_sim_create(NULL, &def));
    assert_non_null(strstr(diag.messages[0].text, "null"));
    tx_diag_free(&diag);

    // a quarter of the memory for each environment's arrays alone would fit; with their working memory it does not
    tx_sim *one = tx_sim_create(model, &def);
    double shown = 0;
    for (int a = 0; a < TX_ARRAY_COUNT; a++) shown += sizeof(double) * tx_sim_array_width(one, (tx_array)a);
    tx_sim_destroy(one);
    const double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    def.envs = (int)fmin(0.25 * machine / shown, 1e9);
    assert_null(tx_sim_create(model, &def));
    if (!strstr(diag.messages[0].text, "GB of memory")) fail_msg("%s", diag.messages[0].text);
    tx_diag_free(&diag), tx_model_destroy(model);
}

// what the user gave is blamed before what it led to
static void a_wrong_input_is_named(void **state) {
    tx_model *model = load_scene("humanoid");
    tx_sim_def def = tx_default_sim_def();
    def.envs = 2;
    tx_sim *sim = tx_sim_create(model, &def);
    const int nu = tx_model_size(model, TX_SIZE_NU);
    tx_sim_array(sim, TX_ARRAY_CTRL)[nu + 3] = NAN;
    assert_int_equal(tx_sim_step(sim), TX_OK);
    assert_int_equal(tx_sim_status(sim, 0), TX_OK), assert_int_equal(tx_sim_status(sim, 1), TX_ERROR_DIVERGED);
    char text[512], wanted[80];
    snprintf(wanted, sizeof wanted, "its control 3 '%s' is nan", tx_element_name(model, TX_ELEMENT_ACTUATOR, 3));
    tx_sim_status_text(sim, 1, text, sizeof text);
    if (!strstr(text, wanted)) fail_msg("%s lacks: %s", text, wanted);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// ---- copies
static void a_clone_goes_on_alike(void **state) {
    tx_model *model = load_scene("humanoid");
    tx_sim_def def = tx_default_sim_def();
    def.envs = 5, def.threads = 2;
    tx_sim *sim = tx_sim_create(model, &def);
    tx_options options = tx_sim_options(sim);
    options.timestep = 0.003;
    assert_int_equal(tx_sim_set_options(sim, &options), TX_OK);
    double *mass = tx_sim_param(sim, TX_PARAM_BODY_MASS);
    const int nbody = tx_model_size(model, TX_SIZE_NBODY);
    for (int i = 0; i < 5 * nbody; i++) mass[i] *= 1 + 0.01 * (i % 7);
    assert_int_equal(tx_sim_params_changed(sim), TX_OK);
    assert_int_equal(tx_sim_step_n(sim, 30), TX_OK);
    tx_sim *copy = tx_sim_clone(sim);
    assert_non_null(copy);
    assert_true(tx_sim_hash(copy) == tx_sim_hash(sim));
    assert_int_equal(tx_sim_info(copy).env_steps, 0);
    assert_int_equal(tx_sim_step_n(sim, 30), TX_OK), assert_int_equal(tx_sim_step_n(copy, 30), TX_OK);
    assert_true(tx_sim_hash(copy) == tx_sim_hash(sim));
    // it is a copy: what happens to one leaves the other alone
    tx_sim_param(copy, TX_PARAM_BODY_MASS)[1] *= 2;
    assert_int_equal(tx_sim_params_changed(copy), TX_OK);
    tx_sim_step(sim), tx_sim_step(copy);
    assert_true(tx_sim_hash(copy) != tx_sim_hash(sim));
    tx_sim_destroy(copy), tx_sim_destroy(sim), tx_model_destroy(model);
}

// ---- contacts of a batch
static void all_contacts_are_those_of_each(void **state) {
    tx_model *model = load_scene("humanoid");
    tx_sim_def def = tx_default_sim_def();
    def.envs = 6;
    tx_sim *sim = tx_sim_create(model, &def);
    for (int e = 0; e < 6; e++) tx_sim_array(sim, TX_ARRAY_QPOS)[e * tx_model_size(model, TX_SIZE_NQ) + 2] += 0.4 * e;
    assert_int_equal(tx_sim_step_n(sim, 200), TX_OK);
    long long offsets[7], again[7];
    const long long count = tx_sim_all_contacts(sim, offsets, NULL, 0);
    assert_true(count > 6);
    tx_contact *all = calloc((size_t)count + 1, sizeof *all);
    assert_int_equal(tx_sim_all_contacts(sim, again, all, count), count);
    assert_memory_equal(offsets, again, sizeof offsets);
    assert_int_equal(offsets[6], count);
    for (int e = 0; e < 6; e++) {
        int n;
        const tx_contact *list = tx_sim_contacts(sim, e, &n);
        assert_int_equal(offsets[e + 1] - offsets[e], n);
        if (n > 0) assert_memory_equal(all + offsets[e], list, sizeof *list * (size_t)n);
    }
    // with less room the first ones come, and no more is written
    tx_contact *few = calloc((size_t)count, sizeof *few);
    assert_int_equal(tx_sim_all_contacts(sim, again, few, count - 2), count);
    assert_memory_equal(few, all, sizeof *all * (size_t)(count - 2));
    assert_int_equal(few[count - 1].dim, 0);
    free(all), free(few);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_is_the_hosts), cmocka_unit_test(why_no_simulation),
                                       cmocka_unit_test(a_wrong_input_is_named),
                                       cmocka_unit_test(a_clone_goes_on_alike),
                                       cmocka_unit_test(all_contacts_are_those_of_each)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
