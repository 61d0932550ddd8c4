// test_problem.c - problem files: solved alone they give the bits of the step that wrote them; whatever is wrong with
// a file has a reason; and no array of a block grows like rows x dofs or dofs².
#include "simulate.h"

#include <limits.h>
#include <malloc.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/task.h"
#include "card_house.h"
#include "near.h"
#include "problem/file.h"
#include "problem/kernel_list.h"
#include "problem/measures.h"
#include "sim/internal.h"
#include "step/alone.h"

// ---- the same bits -------------------------------------------------------------------------------------------------

static tx_model *model_of(const char *text) {
    tx_diag diag = {0};
    return must_have(tx_load_string(text, strlen(text), "test.xml", &diag), &diag);
}

static tx_model *cards(int levels) {
    char *text = card_house(levels);
    tx_model *model = model_of(text);
    free(text);
    return model;
}

static tx_bare solved(const char *path, tx_target_choice target, tx_pool *pool) {
    tx_bare b;
    tx_diag diag = {0};
    const char *why;
    assert_true(tx_problem_read(&b, path, &diag));
    assert_int_equal(diag.errors, 0);
    assert_true(tx_solve_alone(tx_target_single(target), &b, 0, pool, &why));
    return b;
}

// the state does not change; x, Jᵀγ, iterations, gradient and error of the file are those of forward() and of the step
static void compare_one(tx_sim *sim, int env, const char *path) {
    const int nv = tx_model_size(tx_sim_model(sim), TX_SIZE_NV);
    uint64_t before = tx_sim_hash(sim);
    assert_int_equal(tx_sim_write_problem(sim, env, path), TX_OK);
    assert_true(tx_sim_hash(sim) == before);
    static const tx_array ARRAYS[] = {TX_ARRAY_QACC, TX_ARRAY_QFRC_CONSTRAINT, TX_ARRAY_SOLVE_ERROR, TX_ARRAY_GRADIENT,
                                      TX_ARRAY_ITERATIONS};
    tx_pool *pool = tx_pool_create(2);
    for (int round = 0; round < 2; round++) {
        // the second time after the step itself
        if (round == 1) assert_int_equal(tx_sim_step(sim), TX_OK);
        tx_bare b = solved(path, round ? TX_TARGET_SCALAR : TX_TARGET_AUTO, round ? pool : NULL);
        const tx_problem *p = &b.problem;
        const void *ours[] = {p->x, p->force, p->solve_error, p->gradient, p->iterations};
        assert_int_equal(p->nv, nv);
        for (int a = 0; a < 5; a++) {
            const size_t width = (size_t)tx_sim_array_width(sim, ARRAYS[a]);
            assert_memory_equal(ours[a], tx_sim_array(sim, ARRAYS[a]) + (size_t)env * width, width * sizeof(double));
        }
        assert_true(tx_alone_converged(&b));
        assert_true(p->ncons == 0 || b.products >= 3);
        tx_bare_destroy(&b);
    }
    tx_pool_destroy(pool);
    unlink(path);
}

static void a_file_gives_the_bits_of_its_step(void **state) {
    static const char *const SCENES[] = {
        "humanoid", "balls_elliptic", "core_tendons", "core_actuators", "joints", "core_pairs", NULL};
    char path[64];
    snprintf(path, sizeof path, "/tmp/test_problem.%ld.txp", (long)getpid());
    for (int s = 0; s < 7; s++) {
        tx_model *model = SCENES[s] ? load_scene(SCENES[s]) : cards(4);
        const int envs = SCENES[s] ? 11 : 2;
        tx_sim *sim = make_sim(model, envs, 1, TX_TARGET_AUTO, 0);
        assert_non_null(sim);
        spread(sim);
        int rows = 0;
        for (int k = 0; k < 6; k++) {
            assert_int_equal(tx_sim_step_n(sim, 20), TX_OK);
            // in a full block of lanes, and in what is left over
            const int env = k % 2 ? envs - 1 : 0;
            compare_one(sim, env, path);
            rows += tx_sim_rows(sim, env, NULL, NULL, 0);
        }
        assert_true(rows > 0);
        tx_sim_destroy(sim);
        tx_model_destroy(model);
    }
}

// what a row's stiffness is to be multiplied by to be the inverse of its weight: 1 - d of the soft law
static void a_row_knows_its_weight(void **state) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/test_problem.%ld.txp", (long)getpid());
    tx_model *model = model_of("<mujoco><worldbody><body><joint axis='0 1 0' range='10 20' solimplimit='.8 .8 .001'/>"
                               "<geom size='.1' pos='1 0 0'/></body></worldbody></mujoco>");
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    assert_int_equal(tx_sim_write_problem(sim, 0, path), TX_OK);
    tx_bare b = solved(path, TX_TARGET_AUTO, NULL);
    assert_int_equal(b.problem.ncons, 1);
    assert_near(((const double *)b.problem.numbers)[TX_NUMBER_REST], 0.2, 1e-15);
    tx_bare_destroy(&b);
    tx_sim_destroy(sim), tx_model_destroy(model);
    unlink(path);
}

// trees that sleep are in the file, and stay where they are
static void a_file_holds_what_sleeps(void **state) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/test_problem.%ld.txp", (long)getpid());
    tx_model *model = load_scene("sleep_dominoes");
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    int mixed = 0;
    for (int k = 0; k < 60; k++) {
        assert_int_equal(tx_sim_step_n(sim, 20), TX_OK);
        assert_int_equal(tx_sim_write_problem(sim, 0, path), TX_OK);
        const int awake = tx_sim_awake(sim, 0);
        mixed += awake > 0 && awake < tx_model_size(model, TX_SIZE_NTREE);
        tx_bare b = solved(path, TX_TARGET_AUTO, NULL);
        const size_t bytes = sizeof(double) * (size_t)tx_model_size(model, TX_SIZE_NV);
        assert_memory_equal(b.problem.x, tx_sim_array(sim, TX_ARRAY_QACC), bytes);
        assert_memory_equal(b.problem.force, tx_sim_array(sim, TX_ARRAY_QFRC_CONSTRAINT), bytes);
        assert_memory_equal(b.problem.solve_error, tx_sim_array(sim, TX_ARRAY_SOLVE_ERROR), sizeof(double));
        tx_bare_destroy(&b);
        unlink(path);
    }
    assert_true(mixed > 0);
    tx_sim_destroy(sim), tx_model_destroy(model);
}

// ---- what is wrong with a file -------------------------------------------------------------------------------------

// two free bodies and a chain of two dofs, some constraints
static void small_problem(tx_bare *b) {
    const tx_bare_size size = {14, 3, 21 + 21 + 3, 3, 3 + 1 + 6, 4, 3 * 6 + 2 + 6 * 12};
    const char *why;
    assert_true(tx_bare_create(b, &size));
    tx_problem *p = &b->problem;
    for (int d = 0; d < 14; d++) b->parent[d] = d % 6 ? d - 1 : -1;
    b->width[0] = b->width[1] = 6, b->width[2] = 2;
    p->cons[0] = (tx_constraint){.kernel = KERNEL_cone, .dim = 3, .pieces = 1};
    p->cons[1] = (tx_constraint){.kernel = KERNEL_one_sided, .dim = 1, .pieces = 1};
    p->cons[2] = (tx_constraint){.kernel = KERNEL_quadratic, .dim = 6, .pieces = 2};
    p->pieces[0] = (tx_piece){.dof = 0, .width = 6}, p->pieces[1] = (tx_piece){.dof = 12, .width = 2};
    p->pieces[2] = (tx_piece){.dof = 0, .width = 6}, p->pieces[3] = (tx_piece){.dof = 6, .width = 6};
    assert_true(tx_bare_link(b, &why));
    uint64_t seed = 5;
    for (int d = 0; d < 14; d++) tx_bare_A(b)[p->tree.first[d]] = 2, tx_bare_x_star(b)[d] = noise(&seed);
    for (int k = 0; k < p->njacobian; k++) ((double *)p->J)[k] = noise(&seed);
    for (int i = 0; i < 3; i++) {
        double *n = (double *)p->numbers + TX_KERNEL_NUMBERS * i;
        n[TX_NUMBER_D] = 10, n[TX_NUMBER_REST] = 0.1, n[TX_NUMBER_A] = 1;
        if (i < 2) n[TX_NUMBER_MU] = n[TX_NUMBER_MU + 1] = n[TX_NUMBER_CONE] = 0.5;
        else n[TX_NUMBER_D2] = 0.5;
    }
    strcpy(b->law, "soft");
    assert_true(tx_bare_check(b, &why));
}

// reads the bytes; the reason must be there, and say so
static void refused(const void *bytes, size_t size, const char *reason) {
    tx_bare b;
    tx_diag diag = {0};
    char text[512];
    if (tx_problem_from_bytes(&b, bytes, size, "x.txp", &diag)) fail_msg("read, though '%s'", reason);
    assert_int_equal(diag.errors, 1);
    tx_diag_format(&diag, 0, text, sizeof text);
    if (!strstr(text, reason)) fail_msg("'%s' is not in '%s'", reason, text);
    assert_null(b.memory);
    tx_diag_free(&diag);
}

// places in a file: header (file.c), then parents (14), widths (3), constraints (5 each), pieces (2 each), numbers
enum { HASH_AT = 24, HASHED_FROM = 32, UNIT = 64, LARGE = 68, DOFS = 72, ROWS = 88, WARMSTART = 108, TOLERANCE = 112 };
enum { PARENT = 152, WIDTH = PARENT + 56, CONS = WIDTH + 16, PIECES = CONS + 64, A = PIECES + 32 };
enum { ITERATIONS = 100, LS_ITERATIONS = 104, LS_TOLERANCE = 120, Y_FLOOR = 128, TIME = 136, MOMENTUM = 144 };
enum { X_STAR = A + 8 * 45, WARM = X_STAR + 8 * 14, LAST = -8 }; // LAST: the first guess, from the end
enum { LAW_END = 60, NUMBERS = A + 8 * (21 + 21 + 3 + 14 + 14) };

static void a_bad_file_has_a_reason(void **state) {
    static const struct {
        long at;      // below 0: from the end
        double value; // an int, or a double where `real`
        bool real;
        const char *reason;
    } BAD[] = {
        {UNIT, 7, false, "its unit is unknown"},
        {LARGE, 2, false, "neither dense nor island by island"},
        {DOFS, -1, false, "a size is out of range"},
        {DOFS, 1 << 30, false, "a size is out of range"},
        {DOFS, 16, false, "the sizes do not match the file"},
        {DOFS + 4, -1, false, "a size is out of range"},
        {DOFS + 8, -1, false, "a size is out of range"},
        {DOFS + 12, -1, false, "a size is out of range"},
        {DOFS + 16, -1, false, "a size is out of range"},
        {DOFS + 20, 1 << 30, false, "a size is out of range"},
        {DOFS + 24, -1, false, "a size is out of range"},
        {ROWS, 11, false, "the sizes do not match"},
        {ROWS, 100, false, "the sizes do not match"},
        {WARMSTART, 3, false, "an option of the solver"},
        {WARMSTART, -1, false, "an option of the solver"},
        {TOLERANCE, -1, true, "an option of the solver"},
        {TOLERANCE, 1e101, true, "an option of the solver"},
        {LS_TOLERANCE, -1, true, "an option of the solver"},
        {LS_TOLERANCE, NAN, true, "an option of the solver"},
        {LS_TOLERANCE, 1e101, true, "an option of the solver"},
        {MOMENTUM, -1, true, "an option of the solver"},
        {MOMENTUM, 1.5, true, "an option of the solver"},
        {ITERATIONS, -1, false, "an option of the solver"},
        {LS_ITERATIONS, 0, false, "an option of the solver"},
        {TIME, 0, true, "the time step is out of range"},
        {TIME, 1e101, true, "the time step is out of range"},
        {Y_FLOOR, -1, true, "the stop scale is out of range"},
        {Y_FLOOR, 1e101, true, "the stop scale is out of range"},
        {X_STAR, NAN, true, "a number of x* or of the first guess"},
        {WARM, -INFINITY, true, "a number of x* or of the first guess"},
        {LAST, 1e101, true, "a number of x* or of the first guess"},
        {PARENT + 4 * 5, 5, false, "a dof hangs from no dof of its tree"},
        {PARENT + 4 * 5, -2, false, "a dof hangs from no dof of its tree"},
        {PARENT + 4 * 13, 3, false, "a dof hangs from no dof of its tree"},
        {PARENT + 4 * 3, 1, false, "the numbers of A do not match its tree"},
        {PARENT + 4 * 6, 5, false, "the numbers of A do not match its tree"},
        {WIDTH, 0, false, "a block has a wrong width"},
        {WIDTH, 9, false, "a block has a wrong width"},
        {WIDTH + 8, 3, false, "a block has a wrong width"},
        {WIDTH, 8, false, "a block is no stretch of a chain"},
        {WIDTH + 8, 1, false, "the blocks do not cover all dofs"},
        {CONS, 99, false, "no kernel for its rows"},
        {CONS + 4, 0, false, "no kernel for its rows"},
        {CONS + 4, 7, false, "no kernel for its rows"},
        {CONS + 4, 6, false, "the constraints have more rows than there are"},
        {CONS, -1, false, "no kernel for its rows"},
        {CONS + 8, -1, false, "a wrong number of pieces"},
        {CONS + 8, 1 << 20, false, "a wrong number of pieces"},
        {PIECES, -1, false, "do not ascend"},
        {PIECES, 14, false, "do not ascend"},
        {PIECES + 24, 3, false, "do not ascend"},
        {PIECES + 4, 7, false, "a piece leaves its block"},
        {PIECES + 4, 0, false, "a piece leaves its block"},
        {PIECES + 4, 5, false, "do not add up"},
        {A, -1, true, "A is not positive definite"},
        {A, 1e300, true, "a number of A is not finite"},
        {A, NAN, true, "a number of A is not finite"},
        {NUMBERS + 8 * 3 * TX_KERNEL_NUMBERS, NAN, true, "a number of J is not finite"},
        {LAW_END, 'a' << 24, false, "the name of its law has no end"},
        {PIECES + 8, 13, false, "a piece leaves its block"},
        {NUMBERS + 8 * TX_NUMBER_CONE, 0, true, "a cone has no opening"},
        {NUMBERS + 8 * TX_NUMBER_D, -1, true, "a negative stiffness"},
        {NUMBERS + 8 * (TX_NUMBER_MU + 1), -1, true, "negative friction"},
        {NUMBERS + 8 * TX_NUMBER_A, INFINITY, true, "a number of a kernel"},
    };
    tx_bare b;
    small_problem(&b);
    size_t size;
    const tx_problem_note note = {"soft", false};
    char *good = tx_problem_bytes(&b.problem, 0, &note, &size), *bad = tx_alloc(size + 8);
    assert_non_null(good);
    tx_diag diag = {0};
    tx_bare again;
    assert_true(tx_problem_from_bytes(&again, good, size, "x.txp", &diag));
    size_t twice;
    void *same = tx_problem_bytes(&again.problem, 0, &note, &twice);
    assert_true(twice == size && memcmp(same, good, size) == 0);
    tx_free(same), tx_bare_destroy(&again);

    // cut, extended, touched anywhere
    for (size_t n = 0; n < size; n++) refused(good, n, n < 152 ? "too short" : "the file was cut or extended");
    memcpy(bad, good, size);
    refused(bad, size + 8, "the file was cut or extended");
    for (size_t k = 0; k < size; k++) {
        bad[k] ^= 0x10;
        refused(bad, size, "problem file: ");
        bad[k] ^= 0x10;
    }
    // inconsistent, with a checksum that is right
    for (size_t k = 0; k < sizeof BAD / sizeof BAD[0]; k++) {
        memcpy(bad, good, size);
        const int32_t word = BAD[k].real ? 0 : (int32_t)BAD[k].value;
        char *at = (BAD[k].at < 0 ? bad + size : bad) + BAD[k].at;
        if (BAD[k].real) memcpy(at, &BAD[k].value, sizeof(double));
        else memcpy(at, &word, sizeof word);
        const uint64_t hash = tx_hash(TX_HASH_START, bad + HASHED_FROM, size - HASHED_FROM);
        memcpy(bad + HASH_AT, &hash, sizeof hash);
        refused(bad, size, BAD[k].reason);
    }
    tx_free(bad), tx_free(good), tx_bare_destroy(&b);
}

// what the numbers of each kernel must be so that its cost is one: stiffness, friction, dissipation and softness are
// not negative, bounds are not, and what is divided by is positive
static void kernels_ask_for_their_numbers(void **state) {
    static const struct {
        int kernel, dim, number;
        double value;
        const char *reason; // null: nothing is wrong
    } TRY[] = {
        {KERNEL_quadratic, 6, TX_NUMBER_D, -1e-9, "a negative stiffness"},
        {KERNEL_quadratic, 6, TX_NUMBER_D2, -1e-9, "negative friction or a negative bound"},
        {KERNEL_quadratic, 6, TX_NUMBER_D_ROW + 1, -INFINITY, "a number of a kernel is not finite or too large"},
        {KERNEL_one_sided, 1, TX_NUMBER_REST, -1e-9, "a negative stiffness"},
        {KERNEL_one_sided, 1, TX_NUMBER_MU, -1, NULL}, // it has none
        {KERNEL_clamped, 1, TX_NUMBER_BOUND, -1e-9, "negative friction or a negative bound"},
        {KERNEL_pyramid, 4, TX_NUMBER_MU + 2, -1e-9, "negative friction or a negative bound"},
        {KERNEL_pyramid, 4, TX_NUMBER_MU + 3, -1, NULL}, // a row behind the last one
        {KERNEL_cone, 3, TX_NUMBER_MU + 1, -1e-9, "negative friction or a negative bound"},
        {KERNEL_cone, 3, TX_NUMBER_CONE, 0, "a cone has no opening"},
        {KERNEL_similar, 3, TX_NUMBER_DISSIPATION, -1e-9, "a negative dissipation or impulse"},
        {KERNEL_similar, 3, TX_NUMBER_MU, -1e-9, "negative friction or a negative bound"},
        {KERNEL_similar, 3, TX_NUMBER_SLIP, 0, "a contact has no speed of slip"},
        {KERNEL_similar, 1, TX_NUMBER_SLIP, 0, NULL}, // without friction nothing slips
        {KERNEL_lagged, 6, TX_NUMBER_LAST, -1e-9, "a negative dissipation or impulse"},
        {KERNEL_lagged, 6, TX_NUMBER_MU + 4, -1e-9, "negative friction or a negative bound"},
        {KERNEL_lagged, 6, TX_NUMBER_SLIP, -1e-9, "a negative dissipation or impulse"},
        {KERNEL_coulomb, 3, TX_NUMBER_E, -1e-9, "a rigid contact has a negative softness"},
        {KERNEL_ccp, 4, TX_NUMBER_MU + 2, -1e-9, "negative friction or a negative bound"},
        {KERNEL_box, 3, TX_NUMBER_E, -1e-9, "a rigid contact has a negative softness"},
        {KERNEL_box, 3, TX_NUMBER_A + 1, NAN, "a number of a kernel is not finite or too large"},
    };
    for (size_t k = 0; k < sizeof TRY / sizeof TRY[0]; k++) {
        const int dim = TRY[k].dim;
        const tx_bare_size size = {.dofs = 6, .blocks = 1, .entries = 21, .cons = 1, .rows = dim};
        const char *why;
        tx_bare b;
        assert_true(tx_bare_create(&b, &size));
        for (int d = 0; d < 6; d++) b.parent[d] = d - 1;
        b.width[0] = 6;
        b.problem.cons[0] = (tx_constraint){.kernel = TRY[k].kernel, .dim = dim};
        assert_true(tx_bare_link(&b, &why));
        for (int d = 0; d < 6; d++) tx_bare_A(&b)[b.problem.tree.first[d]] = 1;
        double *n = b.problem.numbers;
        n[TX_NUMBER_D] = n[TX_NUMBER_REST] = 1, n[TX_NUMBER_SLIP] = 0.01;
        for (int r = 1; r < dim; r++) n[TX_NUMBER_MU + r - 1] = 0.5;
        if (!tx_bare_check(&b, &why)) fail_msg("%zu: %s", k, why);
        n[TRY[k].number] = TRY[k].value;
        assert_int_equal(tx_bare_check(&b, &why), !TRY[k].reason);
        if (TRY[k].reason && !strstr(why, TRY[k].reason)) fail_msg("%zu: '%s' is not in '%s'", k, TRY[k].reason, why);
        // a contact that does not act has no speed of slip, and needs none
        if (tx_kernel_is_hunt(TRY[k].kernel) && TRY[k].number == TX_NUMBER_SLIP && TRY[k].value == 0) {
            n[TX_NUMBER_D] = 0;
            assert_true(tx_bare_check(&b, &why));
        }
        tx_bare_destroy(&b);
    }
}

// pieces that need more numbers of J than there are, and rows or pieces that nobody has
static void pieces_and_rows_add_up(void **state) {
    tx_bare b;
    const char *why;
    small_problem(&b);
    b.problem.pieces[1] = (tx_piece){.dof = 6, .width = 6};
    assert_false(tx_bare_link(&b, &why));
    assert_string_equal(why, "the pieces need more numbers of J than there are");
    b.problem.pieces[1] = (tx_piece){.dof = 12, .width = 1};
    assert_false(tx_bare_link(&b, &why));
    assert_string_equal(why, "the constraints do not add up to the rows, pieces and numbers of J");
    b.problem.pieces[1].width = 2, b.problem.nrows++;
    assert_false(tx_bare_link(&b, &why));
    assert_string_equal(why, "the constraints do not add up to the rows, pieces and numbers of J");
    b.problem.nrows--;
    assert_true(tx_bare_link(&b, &why));
    // a kernel of rigid contacts is for rigid contacts alone
    assert_int_equal(tx_problem_set_kernel(&b.problem, KERNEL_ccp), 0);
    b.problem.cons[0].kernel = KERNEL_coulomb;
    assert_int_equal(tx_problem_set_kernel(&b.problem, KERNEL_ccp), 1);
    assert_true(b.problem.cons[0].kernel == KERNEL_ccp && b.problem.cons[1].kernel == KERNEL_one_sided);
    tx_bare_destroy(&b);
}

// Coulomb's law is measured where a contact has impulses: of rigid ones, of soft cones and Hunt & Crossley's in a
// velocity problem, not in one of accelerations and not of what is no contact. A contact that sticks, and one that
// slides against its friction, keep it; one that slides with it does not, by the map of docs/residual.md: with rho = 1,
// mu = 0.5, g = (1, 0.5, 0) and u = (0, 1, 0) what is projected is (0.5, -0.5, 0), which becomes (0.6, -0.3, 0): √(0.4²
// + 0.8²) off
static void contacts_are_measured_by_coulombs_law(void **state) {
    static const struct {
        int kernel;
        bool velocity;
        double gamma[3], y[3];
        int contacts;
        double residual; // √0.8 or none, times the scale of 2
    } TRY[] = {
        {KERNEL_coulomb, true, {1, 0.2, 0}, {0, 0, 0}, 1, 0},
        {KERNEL_coulomb, false, {1, 0.2, 0}, {0, 0, 0}, 1, 0},
        {KERNEL_coulomb, true, {1, -0.5, 0}, {0, 1, 0}, 1, 0},
        {KERNEL_coulomb, true, {1, 0.5, 0}, {0, 1, 0}, 1, 0.8944271909999159},
        {KERNEL_coulomb, true, {0, 0, 0}, {1, 5, 0}, 1, 0}, // it leaves
        {KERNEL_cone, true, {1, -0.5, 0}, {0, 1, 0}, 1, 0},
        {KERNEL_cone, true, {1, 0.5, 0}, {0, 1, 0}, 1, 0.8944271909999159},
        {KERNEL_similar, true, {1, 0.5, 0}, {0, 1, 0}, 1, 0.8944271909999159},
        {KERNEL_lagged, true, {1, -0.5, 0}, {0, 1, 0}, 1, 0},
        {KERNEL_cone, false, {1, 0.5, 0}, {0, 1, 0}, 0, 0},
        {KERNEL_lagged, false, {1, 0.5, 0}, {0, 1, 0}, 0, 0},
        {KERNEL_quadratic, true, {1, 0.5, 0}, {0, 1, 0}, 0, 0},
    };
    for (size_t k = 0; k < sizeof TRY / sizeof TRY[0]; k++) {
        tx_bare b;
        assert_true(tx_bare_create(&b, &(tx_bare_size){.cons = 1, .rows = 3}));
        tx_problem *p = &b.problem;
        p->cons[0] = (tx_constraint){.kernel = TRY[k].kernel, .dim = 3};
        p->unit = TRY[k].velocity ? TX_UNIT_VELOCITY : TX_UNIT_ACCELERATION;
        double *n = p->numbers, *y_free = p->y_free;
        n[TX_NUMBER_D] = n[TX_NUMBER_REST] = 1, n[TX_NUMBER_MU] = n[TX_NUMBER_MU + 1] = 0.5, y_free[0] = -2;
        memcpy(p->gamma, TRY[k].gamma, sizeof TRY[k].gamma), memcpy(p->y, TRY[k].y, sizeof TRY[k].y);
        const tx_measures m = tx_problem_measures(p);
        assert_int_equal(m.contacts, TRY[k].contacts);
        assert_near(m.residual_ncp, TRY[k].residual / 2, 1e-12);
        assert_near(m.residual_worst, TRY[k].residual / 2, 1e-12);
        // what does not act is not looked at
        n[TX_NUMBER_D] = 0;
        assert_int_equal(tx_problem_measures(p).contacts, 0);
        tx_bare_destroy(&b);
    }
}

// what cannot be opened or read says so, and sizes that no memory could hold are refused before any is asked for
static void files_that_are_none(void **state) {
    tx_bare b;
    tx_diag diag = {0};
    assert_false(tx_problem_read(&b, TX_SOURCE_DIR "/tests/no such file.txp", &diag));
    assert_false(tx_problem_read(&b, TX_SOURCE_DIR "/tests", &diag)); // a folder
    assert_int_equal(diag.errors, 2);
    assert_string_equal(diag.messages[0].text, "cannot open the file");
    assert_string_equal(diag.messages[1].text, "cannot read the file");
    tx_diag_free(&diag);
    const int most = INT_MAX / 64;
    const tx_bare_size BAD[] = {
        {.dofs = most + 1}, {.blocks = most + 1}, {.entries = most + 1},  {.cons = most + 1},
        {.rows = most + 1}, {.pieces = most + 1}, {.jacobian = most + 1}, {.dofs = -1},
    };
    for (size_t k = 0; k < sizeof BAD / sizeof BAD[0]; k++) {
        assert_false(tx_bare_create(&b, &BAD[k]));
        assert_null(b.memory);
        tx_bare_destroy(&b);
    }
    // 65 dofs are too many for the dense path
    const char *why;
    assert_true(tx_bare_create(&b, &(tx_bare_size){.dofs = 65, .blocks = 65, .entries = 65}));
    for (int d = 0; d < 65; d++) b.parent[d] = -1, b.width[d] = 1;
    assert_true(b.large && tx_bare_link(&b, &why));
    b.large = false;
    assert_false(tx_bare_link(&b, &why));
    assert_string_equal(why, "it is too large for the dense path");
    tx_bare_destroy(&b);
}

// not converged, not finite and not tried are three things, and none of them looks like success
static void failure_is_no_success(void **state) {
    const tx_target *target = tx_target_single(TX_TARGET_AUTO);
    const char *why;
    tx_bare b;
    small_problem(&b);
    b.problem.opt.iterations = 0, b.problem.opt.warmstart = false;
    assert_true(tx_solve_alone(target, &b, 0, NULL, &why));
    assert_false(tx_alone_converged(&b));
    b.problem.opt.iterations = 100;
    assert_true(tx_solve_alone(target, &b, 0, NULL, &why));
    assert_true(tx_alone_converged(&b));
    assert_true(*(double *)b.problem.solve_error < 1e-12);
    // the same as one large problem
    double x[14];
    memcpy(x, b.problem.x, sizeof x);
    b.large = true;
    assert_true(tx_solve_alone(target, &b, 0, NULL, &why) && tx_alone_converged(&b));
    assert_int_equal(b.islands.count, 2);
    for (int d = 0; d < 14; d++) assert_true(fabs(((double *)b.problem.x)[d] - x[d]) < 1e-9);
    assert_false(tx_solve_alone(target, &b, 99, NULL, &why));
    assert_string_equal(why, "there is no such solver");
    // an indefinite A has a positive diagonal here
    tx_bare_A(&b)[b.problem.tree.first[1] + 1] = 5;
    assert_false(tx_solve_alone(target, &b, 0, NULL, &why));
    assert_string_equal(why, "A is not positive definite");
    tx_bare_A(&b)[b.problem.tree.first[1] + 1] = 0;
    for (int large = 0; large < 2; large++) {
        b.large = large;
        tx_bare_x_star(&b)[0] = NAN;
        assert_true(tx_solve_alone(target, &b, 0, NULL, &why));
        assert_false(tx_alone_converged(&b));
        assert_true(b.problem.unsolved[0]);
    }
    tx_bare_destroy(&b);
}

// ---- bytes ---------------------------------------------------------------------------------------------------------

typedef struct array_size {
    const char *name;
    const char *at;
    size_t bytes;
} array_size;

enum { MOST_ARRAYS = 256 };
typedef struct census {
    array_size array[MOST_ARRAYS];
    int count, dofs, rows, contacts;
    size_t total;
} census;

static void count_array(census *c, const char *name, const void *at) {
    assert_true(c->count < MOST_ARRAYS);
    if (at) c->array[c->count++] = (array_size){name, at, 0};
}

static int by_place(const void *a, const void *b) {
    const array_size *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

// an array reaches to the next one of the same piece of memory, or to its end; two of no length share a place
static void measure(census *c, const void *memory) {
    const char *end = (const char *)memory + malloc_usable_size((void *)memory);
    c->total += malloc_usable_size((void *)memory);
    for (int i = 0; i < c->count; i++) {
        array_size *a = &c->array[i];
        if (a->at < (const char *)memory || a->at >= end) continue;
        const char *next = i + 1 < c->count && c->array[i + 1].at < end ? c->array[i + 1].at : end;
        a->bytes = (size_t)(next - a->at);
    }
}

static census take_census(int levels) {
    census c = {0};
    tx_model *model = cards(levels);
    tx_sim *sim = make_sim(model, 1, 1, TX_TARGET_AUTO, 0);
    assert_non_null(sim);
    assert_int_equal(tx_sim_step_n(sim, 10), TX_OK);
    const tx_block *b = sim->blocks[0];
    const tx_problem *p = &b->problem;
    const tx_islands *s = &b->islands;
#define X(NAME, name, number, meaning) count_array(&c, #name, b->name);
    TX_STATE(X)
    TX_OUTPUT(X)
#undef X
#define X(name, number, meaning) count_array(&c, #name, b->name);
    TX_WORK(X)
    TX_LENT(X)
    TX_ROWS(X)
#undef X
#define X(name, number, meaning) count_array(&c, #name, p->name);
    TX_PROBLEM_WORK(X)
    TX_PROBLEM_ROWS(X)
#undef X
#define NAMED(array) \
    { #array, (const char *)(array), 0 }
    const array_size others[] = {
        NAMED(p->H),
        NAMED(p->columns),
        NAMED(p->rows),
        NAMED(p->A_columns),
        NAMED(p->blocks),
        NAMED(p->dof_block),
        NAMED(p->cons),
        NAMED(p->pieces),
        NAMED(p->all_cons),
        NAMED(b->chain_pieces),
        NAMED(b->meets),
        NAMED(b->shortcuts.body_straight),
        NAMED(b->shortcuts.joint_centred),
        NAMED(b->shortcuts.geom_inertial),
        NAMED(b->shortcuts.actuator_plain),
        NAMED(b->ncontact),
        NAMED(b->bad),
        NAMED(b->frozen),
        NAMED(b->unsolved),
        NAMED(b->arena.at),
        NAMED(b->piece_side),
        NAMED(b->slot),
        NAMED(b->contacts),
        NAMED(b->contact_special),
        NAMED(b->contact_slot),
        NAMED(b->tree.stop),
        NAMED(b->tree.trunk),
        NAMED(b->sleep.asleep),
        NAMED(b->sleep.touched),
        NAMED(b->sleep.owed),
        NAMED(b->sleep.resting),
        NAMED(b->sleep.geom),
        NAMED(b->sleep.group),
        NAMED(b->sleep.cycle),
        NAMED(b->sleep.ranges),
        NAMED(s->tree_dofs),
        NAMED(s->width),
        NAMED(s->first),
        NAMED(s->group),
        NAMED(s->tree_pair),
        NAMED(s->con_start),
        NAMED(s->range_start),
        NAMED(s->ranges),
        NAMED(s->result),
        NAMED(s->parent),
        NAMED(s->island_of_tree),
        NAMED(s->next),
        NAMED(s->cons),
        NAMED(s->pair),
        NAMED(s->factor.H),
        NAMED(s->factor.L),
        NAMED(s->factor.inv),
        NAMED(s->factor.A_at),
        NAMED(s->factor.work),
        NAMED(s->factor.stale),
        NAMED(s->pattern_memory.at),
        NAMED(s->scratch.at),
    };
#undef NAMED
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) count_array(&c, others[i].name, others[i].at);
    qsort(c.array, (size_t)c.count, sizeof c.array[0], by_place);
    const void *memory[] = {b->memory, b->row_memory, s->memory, s->grown};
    for (int i = 0; i < 4; i++) measure(&c, memory[i]);
    c.dofs = p->nv, c.rows = p->nrows, c.contacts = b->ncontact[0];
    tx_sim_destroy(sim);
    tx_model_destroy(model);
    return c;
}

static size_t bytes_of(const census *c, const char *name) {
    size_t bytes = 0;
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->array[i].name, name) == 0) bytes += c->array[i].bytes;
    return bytes;
}

// houses of 4 and 10 levels: what grows with dofs or contacts becomes six times as much, rows x dofs 36 times
static void no_array_of_a_block_is_a_product(void **state) {
    census small = take_census(4), large = take_census(10);
    const double dofs = (double)large.dofs / small.dofs, rows = (double)large.rows / small.rows;
    // buffers grow by half and the fill of a factor is not linear: three times as much is still no product
    const double most = 3 * fmax(dofs, rows);
    assert_true(dofs > 5 && rows > 4 && dofs * rows > 1.5 * most && dofs * dofs > 1.5 * most);
    size_t named = 0;
    for (int i = 0; i < large.count; i++) {
        const char *name = large.array[i].name;
        named += large.array[i].bytes;
        const double before = (double)bytes_of(&small, name), after = (double)bytes_of(&large, name);
        if (after > most * before + 4096) fail_msg("%s grew from %g to %g bytes", name, before, after);
    }
    // all bytes have a name
    assert_true(named == large.total);
    printf("a house of cards: %d dofs, %d contacts, %.1f MB; %d dofs, %d contacts, %.1f MB\n", small.dofs,
           small.contacts, 1e-6 * (double)small.total, large.dofs, large.contacts, 1e-6 * (double)large.total);
}

// the same pieces, cut into constraints in another way, are other islands; so are the same constraints on other bodies
static void islands_are_those_of_the_present_constraints(void **state) {
    (void)state;
    tx_bare b;
    const char *why;
    assert_true(tx_bare_create(
        &b, &(tx_bare_size){.dofs = 4, .blocks = 4, .entries = 4, .cons = 2, .rows = 2, .pieces = 3, .jacobian = 3}));
    for (int d = 0; d < 4; d++) b.parent[d] = -1, b.width[d] = 1;
    for (int i = 0; i < 2; i++) b.problem.cons[i].dim = 1, b.problem.cons[i].pieces = 2 - i;
    for (int k = 0; k < 3; k++) b.problem.pieces[k].dof = k, b.problem.pieces[k].width = 1;
    assert_true(tx_bare_link(&b, &why));
    tx_islands s;
    assert_true(tx_islands_create(&s, &b.problem, 2));
    for (int round = 0; round < 4; round++) {
        // {0, 1} {2}, then twice {0} {1, 2}, then {0} {1, 3}
        b.problem.cons[0].pieces = round ? 1 : 2, b.problem.cons[1].pieces = round ? 2 : 1;
        b.problem.cons[1].piece = round ? 1 : 2;
        b.problem.pieces[2].dof = b.problem.pieces[2].block = round == 3 ? 3 : 2;
        while (!tx_islands_find(&s, &b.problem)) assert_true(tx_islands_grow(&s, &b.problem));
        assert_int_equal(s.count, 2);
        assert_int_equal(tx_islands_dofs(&s, 0), round ? 1 : 2);
        assert_int_equal(tx_islands_dofs(&s, 1), round ? 2 : 1);
        assert_int_equal(s.ranges[s.range_start[2] - 1].end, round == 3 ? 4 : 3);
    }
    tx_islands_destroy(&s);
    tx_bare_destroy(&b);
}

// dofs that stand alone, coupled by random pairs: eliminating them fills what is left, so that L needs far more numbers
// than H. There is room for both before they are found
static void a_factor_that_fills_has_room(void **state) {
    (void)state;
    enum { COUNT = 2400, PAIRS = 4 * COUNT };
    tx_bare b;
    const char *why;
    assert_true(tx_bare_create(&b, &(tx_bare_size){.dofs = COUNT,
                                                   .blocks = COUNT,
                                                   .entries = COUNT,
                                                   .cons = PAIRS,
                                                   .rows = PAIRS,
                                                   .pieces = 2 * PAIRS,
                                                   .jacobian = 2 * PAIRS}));
    for (int d = 0; d < COUNT; d++) b.parent[d] = -1, b.width[d] = 1;
    uint64_t seed = 3;
    for (int i = 0; i < PAIRS; i++) {
        const int low = (int)((noise(&seed) + 1) * 0.5 * (COUNT - 1)), left = COUNT - 1 - low;
        const int high = low + 1 + (int)((noise(&seed) + 1) * 0.5 * left);
        b.problem.cons[i] = (tx_constraint){.kernel = KERNEL_one_sided, .dim = 1, .pieces = 2};
        b.problem.pieces[2 * i] = (tx_piece){.dof = low, .width = 1};
        b.problem.pieces[2 * i + 1] = (tx_piece){.dof = high < COUNT ? high : COUNT - 1, .width = 1};
    }
    assert_true(tx_bare_link(&b, &why));
    tx_islands s;
    assert_true(tx_islands_create(&s, &b.problem, 0));
    const tx_island_room first = s.room;
    while (!tx_islands_find(&s, &b.problem)) assert_true(tx_islands_grow(&s, &b.problem));
    const tx_sparse *pattern = &s.factor.pattern;
    printf("%zu numbers of H, %zu of L; room at first for %zu and %zu\n", pattern->h_numbers, pattern->l_numbers,
           first.h_numbers, first.l_numbers);
    assert_true(pattern->h_numbers <= first.h_numbers && pattern->l_numbers > first.l_numbers);
    assert_true(pattern->h_numbers <= s.room.h_numbers && pattern->l_numbers <= s.room.l_numbers);
    // more than there is memory for is not had, and what was had stays: the room, and the answer
    const tx_island_room room = s.room;
    const void *memory = s.grown;
    s.need.scratch = PTRDIFF_MAX;
    assert_false(tx_islands_grow(&s, &b.problem));
    assert_memory_equal(&s.room, &room, sizeof room);
    assert_ptr_equal(s.grown, memory);
    assert_true(tx_islands_find(&s, &b.problem));
    tx_islands_destroy(&s);
    tx_bare_destroy(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_are_those_of_the_present_constraints),
        cmocka_unit_test(a_file_gives_the_bits_of_its_step),
        cmocka_unit_test(a_row_knows_its_weight),
        cmocka_unit_test(a_file_holds_what_sleeps),
        cmocka_unit_test(a_bad_file_has_a_reason),
        cmocka_unit_test(kernels_ask_for_their_numbers),
        cmocka_unit_test(files_that_are_none),
        cmocka_unit_test(pieces_and_rows_add_up),
        cmocka_unit_test(contacts_are_measured_by_coulombs_law),
        cmocka_unit_test(failure_is_no_success),
        cmocka_unit_test(a_factor_that_fills_has_room),
        cmocka_unit_test(no_array_of_a_block_is_a_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
