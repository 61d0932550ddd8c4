// test_robots.c - public robots with meshes (MuJoCo Menagerie), where a copy is at hand: the same bits on every
// instruction set, with any number of threads and at any place of a batch, under control noise (fact A5).
//
// TX_MENAGERIE names the folder; without it ../shared/menagerie is looked for, and what is not there is skipped aloud.
#include <unistd.h>

#include "simulate.h"

// robots whose meshes touch something: arms, hands, legs, wheels, grippers
static const char *const MODELS[] = {
    "unitree_h1/scene.xml",
    "unitree_g1/scene.xml",
    "franka_emika_panda/scene.xml",
    "shadow_hand/scene_right.xml",
    "agility_cassie/scene.xml",
    "trossen_vx300s/scene.xml",
    "aloha/scene.xml",
    "robotiq_2f85/scene.xml",
    "kinova_gen3/scene.xml",
    "wonik_allegro/scene_right.xml",
    "leap_hand/scene_right.xml",
    "anybotics_anymal_c/scene.xml",
    "boston_dynamics_spot/scene.xml",
    "ufactory_xarm7/scene.xml",
    "kuka_iiwa_14/scene.xml",
    "google_barkour_vb/scene.xml",
    "robotstudio_so101/scene.xml",
    "berkeley_humanoid/scene.xml",
};
enum { ENVS = 11, STEPS = 150, WANTED = 10 };

static const char *folder(void) {
    const char *named = getenv("TX_MENAGERIE");
    return named && named[0] ? named : TX_SOURCE_DIR "/../shared/menagerie";
}

// controls of environment `who` in step `step`, whatever its place in a batch
static void push(tx_sim *sim, const int *who, int step) {
    const tx_model *m = tx_sim_model(sim);
    int nu = tx_model_size(m, TX_SIZE_NU);
    const int *limited = tx_model_ints(m, TX_INT_ACTUATOR_CTRLLIMITED, NULL);
    const double *range = tx_model_params(m, TX_PARAM_ACTUATOR_CTRLRANGE, NULL);
    for (int e = 0; e < tx_sim_envs(sim); e++) {
        uint64_t seed = 1000003u * (uint64_t)who[e] + (uint64_t)step;
        double *ctrl = tx_sim_array(sim, TX_ARRAY_CTRL) + (size_t)e * (size_t)nu;
        for (int i = 0; i < nu; i++) {
            double x = noise(&seed);
            ctrl[i] = limited[i] ? range[2 * i] + 0.5 * (1 + x) * (range[2 * i + 1] - range[2 * i]) : x;
        }
    }
}

static tx_sim *run(const tx_model *model, tx_target_choice target, int threads, const int *who, int envs) {
    tx_sim *sim = make_sim(model, envs, threads, target, 0);
    assert_non_null(sim);
    tx_sim_reset(sim, tx_model_size(model, TX_SIZE_NKEY) > 0 ? 0 : -1, NULL);
    for (int s = 0; s < STEPS; s++) {
        push(sim, who, s);
        tx_sim_step(sim);
    }
    return sim;
}

// the number of environments of b that have other bits than environment who[i] of a, whose environments are in order
static int differing(tx_sim *a, tx_sim *b, const int *who) {
    int wrong = 0;
    for (int i = 0; i < tx_sim_envs(b); i++) wrong += !same_state(a, who[i], b, i);
    return wrong;
}

static int check(const char *name, const tx_model *model) {
    static const int ORDER[ENVS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, MIXED[ENVS] = {7, 3, 10, 0, 9, 2, 5, 8, 1, 6, 4};
    tx_sim *plain = run(model, TX_TARGET_SCALAR, 1, ORDER, ENVS);
    int wrong = 0, ways = 0;
    for (int t = TX_TARGET_SCALAR; t <= TX_TARGET_AVX512; t++) {
        if (tx_target_lanes((tx_target_choice)t) == 0) continue;
        for (int way = 0; way < 3; way++, ways++) {
            // in order with three threads, in another order, and one alone
            const int envs = way == 2 ? 1 : ENVS, *who = way == 0 ? ORDER : MIXED;
            tx_sim *other = run(model, (tx_target_choice)t, way == 0 ? 3 : 1, who, envs);
            wrong += differing(plain, other, who);
            tx_sim_destroy(other);
        }
    }
    int contacts = 0;
    for (int e = 0, n; e < ENVS; e++) tx_sim_contacts(plain, e, &n), contacts += n;
    printf("  %-32s nv %3d, %4.1f contacts, %d ways, %d environments differ\n", name, tx_model_size(model, TX_SIZE_NV),
           contacts / (double)ENVS, ways, wrong);
    tx_sim_destroy(plain);
    return wrong;
}

static void robots_have_the_same_bits_everywhere(void **state) {
    (void)state;
    int checked = 0, wrong = 0;
    for (size_t i = 0; i < sizeof MODELS / sizeof *MODELS && checked < WANTED; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder(), MODELS[i]);
        if (access(path, R_OK) != 0) continue;
        tx_diag diag = {0};
        tx_model *model = tx_load_file(path, &diag);
        if (!model) printf("  %s does not load: %s\n", MODELS[i], diag.count ? diag.messages[0].text : "");
        tx_diag_free(&diag);
        if (!model) continue; // a copy without its largest meshes
        wrong += check(MODELS[i], model);
        checked++;
        tx_model_destroy(model);
    }
    if (checked == 0) {
        printf("SKIPPED: %s has no robots (TX_MENAGERIE=FOLDER names another folder)\n", folder());
        skip();
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(robots_have_the_same_bits_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
