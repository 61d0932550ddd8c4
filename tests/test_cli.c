// test_cli.c - the command as a user meets it: output, exit codes, same bits, start-up time, the README's program.
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "near.h"
#include "sanitized.h"
#include "thixis/plot.h"
#include "thixis/sim.h"

#define HUMANOID TX_SOURCE_DIR "/scenes/humanoid.xml"
#define CAMERAS  TX_SOURCE_DIR "/scenes/core_cameras.xml"
#define PENDULUM TX_SOURCE_DIR "/scenes/pendulum.xml"
#define BAD      TX_SOURCE_DIR "/tests/data/bad/"
#define URDF     TX_SOURCE_DIR "/tests/data/urdf/robot/"

// builds with asserts and sanitizers take their time to start
#ifdef NDEBUG
enum { OPTIMISED = 1 };
#else
enum { OPTIMISED = 0 };
#endif

typedef struct outcome {
    int code;          // exit code, -1 after a signal
    char out[1 << 20]; // standard output, terminated
    char err[1 << 16]; // standard error
} outcome;

static outcome result; // of the last call: too large for the stack

static void slurp(const char *path, char *into, size_t size) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    into[fread(into, 1, size - 1, file)] = 0;
    fclose(file);
}

// runs the command through the shell with its streams in files of a fresh folder
static int run(const char *format, ...) {
    char arguments[1024], command[2048], folder[] = "/tmp/test_cli.XXXXXX", out[64], err[64];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    assert_non_null(mkdtemp(folder));
    snprintf(out, sizeof out, "%s/out", folder);
    snprintf(err, sizeof err, "%s/err", folder);
    snprintf(command, sizeof command, "'%s' %s >%s 2>%s </dev/null", TX_COMMAND, arguments, out, err);
    int status = system(command);
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    slurp(out, result.out, sizeof result.out);
    slurp(err, result.err, sizeof result.err);
    unlink(out), unlink(err), rmdir(folder);
    return result.code;
}

static void expect(int code, const char *in_err, const char *arguments) {
    run("%s", arguments);
    if (result.code != code) fail_msg("thixis %s: exit %d, not %d\n%s", arguments, result.code, code, result.err);
    if (in_err && !strstr(result.err, in_err)) fail_msg("thixis %s: no '%s' in\n%s", arguments, in_err, result.err);
    if (code != 0 && result.err[0] == 0) fail_msg("thixis %s: exit %d without a word", arguments, code);
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

static json_t *parse_output(void) {
    json_error_t error;
    json_t *root = json_loads(result.out, 0, &error);
    if (!root) fail_msg("line %d: %s\n%s", error.line, error.text, result.out);
    return root;
}

// i integer, r number, s text, a array, o object
static void expect_fields(const json_t *object, const char *const (*fields)[2], int count) {
    for (int i = 0; i < count; i++) {
        const json_t *v = json_object_get(object, fields[i][0]);
        bool ok = v != NULL;
        switch (fields[i][1][0]) {
        case 'i': ok = json_is_integer(v); break;
        case 'r': ok = json_is_number(v); break;
        case 'b': ok = json_is_boolean(v); break;
        case 's': ok = json_is_string(v); break;
        case 'a': ok = json_is_array(v); break;
        case 'o': ok = json_is_object(v); break;
        }
        if (!ok) fail_msg("member %s is missing or has the wrong type", fields[i][0]);
    }
    assert_int_equal(json_object_size(object), count);
}

#define COUNT(table) ((int)(sizeof table / sizeof table[0]))

// `run --problems` writes files of the steps 0, K, 2K ..., `solve` takes one; exit 1 where it is no good or not solved
static void test_problem_files(void **state) {
    static const char *const FIELDS[][2] = {
        {"problem", "s"},   {"law", "s"},         {"solver", "s"},     {"rows", "i"},     {"dofs", "i"},
        {"islands", "i"},   {"solve_error", "r"}, {"iterations", "i"}, {"products", "i"}, {"seconds", "r"},
        {"converged", "b"}, {"solver_used", "s"}, {"stop", "s"},
    };
    char folder[] = "/tmp/test_cli.XXXXXX", file[64], cut[256];
    assert_non_null(mkdtemp(folder));
    assert_int_equal(run("run %s --steps 250 --noise 0.5 --hash", HUMANOID), 0);
    char plain[64];
    memcpy(plain, result.out, sizeof plain);
    // the motion is the same with and without
    assert_int_equal(run("run %s --steps 250 --noise 0.5 --hash --problems %s --every 100", HUMANOID, folder), 0);
    assert_memory_equal(result.out, plain, strlen("hash 0123456789abcdef\n"));
    for (int step = 0; step <= 200; step += 100) {
        snprintf(file, sizeof file, "%s/%08d.txp", folder, step);
        assert_int_equal(access(file, R_OK), 0);
        if (step < 200) unlink(file);
    }
    assert_int_equal(run("solve %s --json", file), 0);
    json_t *root = parse_output();
    expect_fields(root, FIELDS, COUNT(FIELDS));
    assert_string_equal(json_string_value(json_object_get(root, "law")), "soft");
    assert_true(json_is_true(json_object_get(root, "converged")));
    assert_true(json_number_value(json_object_get(root, "solve_error")) < 1e-10);
    assert_int_equal(json_integer_value(json_object_get(root, "dofs")), 27);
    json_decref(root);
    assert_int_equal(run("solve %s", file), 0);
    assert_non_null(strstr(result.out, "\nconverged\n"));
    // not solved is no success
    assert_int_equal(run("solve %s --iterations 0", file), 1);
    assert_non_null(strstr(result.out, "not converged: limit of iterations\n"));
    // the curve of a solver: from the start to its end, and the same from the step itself
    assert_int_equal(run("solve %s --solver cg --trace --json", file), 0);
    root = parse_output();
    const json_t *trace = json_object_get(root, "trace");
    const size_t last = json_array_size(trace) - 1;
    const json_t *first_point = json_array_get(trace, 0), *last_point = json_array_get(trace, last);
    assert_int_equal(json_integer_value(json_object_get(root, "iterations")), last);
    assert_int_equal(json_integer_value(json_object_get(last_point, "iteration")), last);
    assert_true(json_number_value(json_object_get(last_point, "gradient")) <= 1e-8);
    assert_true(json_number_value(json_object_get(first_point, "gradient")) > 1e-8);
    assert_true(json_number_value(json_object_get(last_point, "solve_error")) ==
                json_number_value(json_object_get(root, "solve_error")));
    json_decref(root);
    // dual solvers too: where they were before every sweep or step, and where they ended
    static const char *const DUAL[] = {"pgs", "apgd", "bb"};
    for (int k = 0; k < 3; k++) {
        run("solve %s --solver %s --iterations 30 --tol 1e-14 --trace --json", file, DUAL[k]);
        root = parse_output();
        trace = json_object_get(root, "trace");
        assert_int_equal(json_array_size(trace), 31);
        double best = 1e30;
        for (size_t i = 0; i <= 30; i++) {
            const json_t *point = json_array_get(trace, i);
            assert_int_equal(json_integer_value(json_object_get(point, "iteration")), i);
            best = fmin(best, json_number_value(json_object_get(point, "solve_error")));
        }
        const double end = json_number_value(json_object_get(root, "solve_error"));
        assert_near(best, end, 1e-3 * end);
        assert_true(end < json_number_value(json_object_get(json_array_get(trace, 0), "solve_error")));
        json_decref(root);
    }
    snprintf(cut, sizeof cut, "%s/trace.csv", folder);
    assert_int_equal(run("run %s --steps 250 --noise 0.5 --hash --trace %s --every 100", HUMANOID, cut), 0);
    assert_memory_equal(result.out, plain, strlen("hash 0123456789abcdef\n"));
    FILE *lines = fopen(cut, "r");
    char line[200];
    int step = -1, island, iteration;
    double gradient = 1;
    assert_non_null(lines);
    assert_true(fgets(line, sizeof line, lines) && strncmp(line, "step,island,iteration,gradient", 30) == 0);
    while (fgets(line, sizeof line, lines))
        assert_int_equal(sscanf(line, "%d,%d,%d,%lf", &step, &island, &iteration, &gradient), 4);
    assert_true(step == 200 && gradient <= 1e-8);
    fclose(lines), unlink(cut);
    snprintf(cut, sizeof cut, "head -c 1000 %s > %s/cut", file, folder);
    assert_int_equal(system(cut), 0);
    assert_int_equal(run("solve %s/cut", folder), 1);
    assert_non_null(strstr(result.err, "problem file: the file was cut"));
    assert_int_equal(run("solve %s --solver magic", file), 2);
    assert_non_null(strstr(result.err, "--solver newton"));
    snprintf(cut, sizeof cut, "%s/cut", folder);
    unlink(cut), unlink(file), rmdir(folder);
    expect(2, "the last environment is 0", "run " HUMANOID " --problems /tmp --env 1");
    expect(1, "/dev/null/x", "run " HUMANOID " --problems /dev/null/x");
}

static void test_run_json(void **state) {
    static const char *const FIELDS[][2] = {
        {"model", "s"},         {"steps", "i"},
        {"envs", "i"},          {"dt", "r"},
        {"time", "r"},          {"qpos", "a"},
        {"qvel", "a"},          {"energy", "o"},
        {"contacts", "a"},      {"status", "s"},
        {"solve_error", "r"},   {"iterations", "r"},
        {"not_converged", "i"}, {"steps_per_second", "r"},
        {"stages_us", "o"},     {"trees", "i"},
        {"violations", "o"},    {"trees_awake", "i"},
    };
    static const char *const ENERGY[][2] = {{"kinetic", "r"}, {"potential", "r"}};
    static const char *const STAGES[][2] = {{"kinematics", "r"}, {"free_motion", "r"}, {"detect", "r"},
                                            {"assemble", "r"},   {"solve", "r"},       {"integrate", "r"},
                                            {"sense", "r"}};
    static const char *const CONTACT[][2] = {{"geoms", "a"}, {"feature", "s"}, {"dist", "r"},
                                             {"pos", "a"},   {"normal", "a"},  {"force", "a"},
                                             {"frame", "a"}, {"torque", "a"},  {"force_contact", "a"}};
    static const char *const VIOLATIONS[][2] = {{"contacts", "i"},
#define X(name, unit, meaning) {#name, "r"},
                                                TX_VIOLATIONS(X)
#undef X
    };
    assert_int_equal(run("run %s --time 4 --keyframe drop --envs 3 --json", HUMANOID), 0);
    json_t *root = parse_output();
    expect_fields(root, FIELDS, COUNT(FIELDS));
    expect_fields(json_object_get(root, "energy"), ENERGY, COUNT(ENERGY));
    expect_fields(json_object_get(root, "stages_us"), STAGES, COUNT(STAGES));
    expect_fields(json_object_get(root, "violations"), VIOLATIONS, COUNT(VIOLATIONS));
    assert_string_equal(json_string_value(json_object_get(root, "model")), "humanoid");
    assert_string_equal(json_string_value(json_object_get(root, "status")), "ok");
    assert_int_equal(json_integer_value(json_object_get(root, "steps")), 800);
    assert_int_equal(json_integer_value(json_object_get(root, "envs")), 3);
    assert_int_equal(json_array_size(json_object_get(root, "qpos")), 28);
    assert_int_equal(json_array_size(json_object_get(root, "qvel")), 27);
    assert_true(json_number_value(json_object_get(root, "solve_error")) < 1e-6);
    assert_true(json_number_value(json_object_get(root, "steps_per_second")) > 0);
    double time = json_number_value(json_object_get(root, "time"));
    assert_true(time > 3.999999 && time < 4.000001);

    // at rest the floor carries the weight: 628.6 N, within 2 % because the body still settles
    const json_t *contacts = json_object_get(root, "contacts"), *c;
    double floor = 0;
    size_t i;
    assert_true(json_array_size(contacts) >= 4);
    json_array_foreach(contacts, i, c) {
        expect_fields(c, CONTACT, COUNT(CONTACT));
        const char *first = json_string_value(json_array_get(json_object_get(c, "geoms"), 0));
        assert_int_equal(json_array_size(json_object_get(c, "force")), 3);
        assert_int_equal(json_array_size(json_object_get(c, "normal")), 3);
        if (first && strcmp(first, "floor") == 0)
            floor += json_number_value(json_array_get(json_object_get(c, "force"), 2));
    }
    assert_true(floor > 0.98 * 628.6 && floor < 1.02 * 628.6);
    json_decref(root);
}

static void test_info_json(void **state) {
    static const char *const FIELDS[][2] = {{"model", "s"},     {"sizes", "o"}, {"options", "o"},  {"total_mass", "r"},
                                            {"body_mass", "a"}, {"names", "o"}, {"topology", "o"}, {"targets", "a"}};
    assert_int_equal(run("info %s --json", HUMANOID), 0);
    json_t *root = parse_output();
    expect_fields(root, FIELDS, COUNT(FIELDS));
    assert_int_equal(json_integer_value(json_object_get(json_object_get(root, "sizes"), "nv")), 27);
    json_decref(root);
}

// what `dump` says equals what the model and the run say elsewhere; parity with MuJoCo is tested by test_dump
static void test_dump_json(void **state) {
    assert_int_equal(run("dump %s --json --steps 1,3", HUMANOID), 0);
    json_t *root = parse_output();
    const json_t *states = json_object_get(root, "states"), *initial = json_object_get(root, "initial");
    assert_int_equal(json_integer_value(json_object_get(root, "nv")), 27);
    assert_int_equal(json_array_size(json_object_get(initial, "M")), 27 * 27);
    assert_int_equal(json_object_size(states), 2);
    assert_int_equal(json_integer_value(json_object_get(root, "keyframe")), 0);
    // one contact at the start: it has four rows, and they carry its force
    const json_t *first = json_object_get(root, "first_contact");
    assert_int_equal(json_integer_value(json_object_get(first, "step")), 1);
    assert_int_equal(json_array_size(json_object_get(first, "efc_J_dense")),
                     27 * json_array_size(json_object_get(first, "efc_force")));
    // what does not exist is null and says why
    const char *key;
    json_t *value;
    json_object_foreach(root, key, value) {
        char reason[64];
        snprintf(reason, sizeof reason, "%s_reason", key);
        if (json_is_null(value) && strcmp(key, "first_row") != 0 && !json_is_string(json_object_get(root, reason)))
            fail_msg("%s is null without a reason", key);
    }
    // the state after three steps is that of `run`
    json_t *qpos = json_deep_copy(json_object_get(json_object_get(states, "3"), "qpos"));
    json_decref(root);
    assert_int_equal(run("run %s --json --steps 3", HUMANOID), 0);
    root = parse_output();
    assert_true(json_equal(qpos, json_object_get(root, "qpos")));
    json_decref(qpos), json_decref(root);
}

static void test_bench(void **state) {
    static const char *const FIELDS[][2] = {
        {"model", "s"},       {"target", "s"},        {"lanes", "i"},
        {"envs", "i"},        {"threads", "i"},       {"steps", "i"},
        {"repeats", "i"},     {"clock", "s"},         {"steps_per_second", "r"},
        {"us_per_step", "r"}, {"us_quartiles", "a"},  {"stages_us", "o"},
        {"iterations", "r"},  {"contacts", "r"},      {"rows", "r"},
        {"solve_error", "r"}, {"not_converged", "i"}, {"diverged", "i"},
    };
    assert_int_equal(run("bench %s --json --envs 1,3 --target scalar --steps 20", HUMANOID), 0);
    json_t *root = parse_output();
    const json_t *results = json_object_get(root, "results"), *one;
    size_t i;
    assert_int_equal(json_array_size(results), 2);
    json_array_foreach(results, i, one) {
        expect_fields(one, FIELDS, COUNT(FIELDS));
        assert_true(json_number_value(json_object_get(one, "steps_per_second")) > 0);
        assert_int_equal(json_integer_value(json_object_get(one, "repeats")), 5);
    }
    json_decref(root);
    // one line a configuration, each with as many numbers as the head; without constraints nothing has rows
    assert_int_equal(run("bench %s --csv --no-constraint --threads 1,2 --envs 4 --steps 20 --repeats 1", HUMANOID), 0);
    int lines = 0, commas[3] = {0};
    for (const char *c = result.out; *c; c++) {
        if (*c == '\n') lines++;
        else if (*c == ',' && lines < 3) commas[lines]++;
    }
    assert_int_equal(lines, 3);
    assert_true(commas[0] == commas[1] && commas[1] == commas[2]);
    assert_non_null(strstr(result.out, ",0.000,0.00,0.00\n"));
    expect(0, NULL, "bench " HUMANOID " --steps 20 --repeats 1 --noise 0.5 --keyframe squat");
}

// ---- exit codes ----------------------------------------------------------------------------------------------------

static void test_wrong_usage(void **state) {
    static const char *const CASES[][2] = {
        {"", "usage"},
        {"rnu", "did you mean 'run'"},
        {"''", "unknown command"},
        {"help nothing", "unknown command"},
        {"run", "MODEL is missing"},
        {"run " HUMANOID " second.xml", "too much"},
        {"run " HUMANOID " --stpes 3", "did you mean --steps"},
        {"run " HUMANOID " --steps", "needs a value"},
        {"run " HUMANOID " --steps --json", "needs a value"},
        {"run " HUMANOID " --steps ''", "an integer"},
        {"run " HUMANOID " --steps 1.5", "an integer"},
        {"run " HUMANOID " --steps=-1", "an integer"},
        {"run " HUMANOID " --steps 99999999999999999999", "an integer"},
        {"run " HUMANOID " --dt nan", "a number"},
        {"run " HUMANOID " --dt 0", "a number"},
        {"run " HUMANOID " --steps 3 --time 1", "exclude each other"},
        {"run " HUMANOID " --envs 0", "an integer"},
        {"run " HUMANOID " --threads 0", "an integer"},
        {"run " HUMANOID " --target pdp11", "one of: auto scalar"},
        {"run " HUMANOID " --law nothing", "soft           newton  cg  newton-pcg  auto  pgs        apgd  bb\n"},
        {"run " HUMANOID " --solver nothing", "soft           newton  cg  newton-pcg  auto  pgs        apgd  bb\n"},
        {"run " HUMANOID " --law hard --solver newton",
         "  hard                                         pgs  nsgs  apgd  bb\n"},
        {"run " HUMANOID " --law hard_box --solver apgd", "  hard_box                                     pgs\n"},
        {"run " HUMANOID " --law sap --set integrator=RK4", "  sap            Euler  implicitfast  discrete\n"},
        {"run " HUMANOID " --keyframe nothing", "stand"},
        {"run " HUMANOID " --keyframe 3", "the model has 3"},
        {"run " HUMANOID " --set tolerance", "key=value"},
        {"run " HUMANOID " --set =", "key=value"},
        {"run " HUMANOID " --set tolerence=1", "did you mean tolerance"},
        {"run " HUMANOID " --set tolerance=-2", "tolerance is -2, it takes -1 to"},
        {"run " HUMANOID " --set tolerance=", "no value"},
        {"run " HUMANOID " --set gravity=1,2", "three numbers"},
        {"run " HUMANOID " --quiet=1", "takes no value"},
        {"run " HUMANOID " --out ''", "must not be empty"},
        {"record " HUMANOID, "--png FILE is missing"},
        {"record " HUMANOID " --png x.png --lookat 1,2", "three numbers"},
        {"demo humanoit", "did you mean 'humanoid'"},
        {"demo ../humanoid", "no scene"},
        {"check", "missing"},
        {"dump", "missing"},
        {"dump " HUMANOID " --steps 10,1", "rising"},
        {"dump " HUMANOID " --steps 0,1", "rising"},
        {"dump " HUMANOID " --steps -1", "rising"},
        {"record " HUMANOID " --png x.png --groups 6", "--groups wants numbers from 0 to 5"},
        {"record " HUMANOID " --png x.png --groups x", "--groups wants numbers from 0 to 5"},
        {"record " HUMANOID " --png x.png --camera x", "no camera 'x'; the model has 0"},
        {"record " CAMERAS " --png x.png --camera 8", "no camera '8'; the model has 8:"},
        {"record " CAMERAS " --png x.png --camera head --azimuth 3", "--camera excludes --azimuth"},
        {"demo core_cameras --camera hed", "no camera 'hed'; the model has 8:"},
        {"run " HUMANOID " --log states.txt", "--log wants a name that ends in .csv or .npz"},
        {"dump " HUMANOID " --steps x", "rising"},
        {"dump " HUMANOID " --keyframe nothing", "stand"},
        {"bench", "missing"},
        {"bench " HUMANOID " --envs 1,x", "--envs wants"},
        {"bench " HUMANOID " --threads 0", "--threads wants"},
        {"bench " HUMANOID " --target pdp11", "--target is a list"},
        {"bench " HUMANOID " --steps 0", "an integer"},
        {"bench " HUMANOID " --set tolerance=-2", "tolerance is -2, it takes -1 to"},
        {"run " HUMANOID " --set integrator=nothing", "midpoint"},
        {"info --jsn x", "did you mean --json"},
        {"query " HUMANOID, "--ray or --distance is missing"},
        {"query " HUMANOID " --ray 0,0,5,0,0", "a point and a direction"},
        {"query " HUMANOID " --ray 0,0,5,0,0,0", "a point and a direction"},
        {"query " HUMANOID " --ray 0,0,5,0,0,-1 --exclude nobody", "no body 'nobody'"},
        {"query " HUMANOID " --distance floor", "two geoms"},
        {"query " HUMANOID " --distance floor,floor", "two geoms"},
        {"query " HUMANOID " --distance floor,23", "(of 23)"},
    };
    for (int i = 0; i < COUNT(CASES); i++) expect(2, CASES[i][1], CASES[i][0]);
}

static void test_success(void **state) {
    expect(0, NULL, "--version");
    assert_true(strncmp(result.out, "thixis ", 7) == 0);
    expect(0, NULL, "help");
    expect(0, NULL, "help run");
    assert_non_null(strstr(result.out, "--steps N"));
    expect(0, NULL, "run --help");
    expect(0, NULL, "help options");
    assert_non_null(strstr(result.out, "tolerance"));
    expect(0, NULL, "help solvers");
    expect(0, NULL, "help laws");
    assert_non_null(strstr(result.out, "  soft_elliptic  newton  cg  newton-pcg  auto  pgs  nsgs  apgd  bb\n"));
    expect(0, NULL, "check " HUMANOID);
    expect(0, NULL, "run " HUMANOID " --steps 2 --set integrator=rk4");
    expect(0, NULL, "run " HUMANOID " --steps 2 --set integrator=discrete");
    expect(0, NULL, "dump " HUMANOID " --json --steps 1 --set integrator=discrete");
    expect(0, NULL, "demo --list");
    expect(0, NULL, "run " HUMANOID " --steps 0");
    expect(0, NULL, "run " HUMANOID " --steps 2 --quiet");
    assert_string_equal(result.out, "");
    expect(0, NULL,
           "run " HUMANOID " --steps 2 --set gravity=0,0,-1.62 --set iterations=7 --set contact=off --dt 0.001");
}

static void test_failures(void **state) {
    expect(1, "no such file", "run /nothing/here.xml");
    expect(1, "folder", "run " TX_SOURCE_DIR);
    expect(1, "error", "run ''");
    expect(1, "cannot be written", "run " HUMANOID " --steps 1 --out /nothing/here");
    expect(1, "cannot be written", "record " HUMANOID " --png /nothing/here.png");
    expect(1, "diverged", "run " HUMANOID " --steps 20 --dt 500 --quiet");
}

// package:// needs to be told where, in every command that loads a model
static void test_packages(void **state) {
    static const char *const COMMANDS[] = {"run --steps 1", "check", "info", "dump --json --steps 1",
                                           "bench --steps 1"};
    for (int k = 0; k < COUNT(COMMANDS); k++) {
        char arguments[512];
        snprintf(arguments, sizeof arguments, "%s %spackage.urdf", COMMANDS[k], URDF);
        expect(1, "--package NAME=DIR says where", arguments);
        snprintf(arguments, sizeof arguments, "%s %spackage.urdf --package parts=%sstore/parts_v2", COMMANDS[k], URDF,
                 URDF);
        expect(0, NULL, arguments);
        snprintf(arguments, sizeof arguments, "%s %spackage.urdf --package parts", COMMANDS[k], URDF);
        expect(2, "--package wants NAME=DIR, not 'parts'", arguments);
    }
}

// every broken file: exit 1, and every message of the first line starts with file:line:column
static void test_broken_files(void **state) {
    static const char *const FILES[] = {"bodies", "defaults", "duplicate", "early_end", "empty",   "entity", "junk",
                                        "laughs", "mismatch", "names",     "numbers",   "options", "token",  "urdf"};
    static const char *const COMMANDS[] = {"run", "check", "info", "dump", "bench"};
    for (int i = 0; i < COUNT(FILES); i++)
        for (int k = 0; k < COUNT(COMMANDS); k++) {
            char arguments[512], form[512];
            int line = 0, column = 0, end = 0;
            snprintf(arguments, sizeof arguments, "%s %s%s.xml", COMMANDS[k], BAD, FILES[i]);
            expect(1, "error", arguments);
            snprintf(form, sizeof form, "%s%s.xml:%%d:%%d: %%n", BAD, FILES[i]);
            assert_int_equal(sscanf(result.err, form, &line, &column, &end), 2);
            assert_true(line > 0 && column > 0 && end > 0);
        }
}

// ---- the same bits -------------------------------------------------------------------------------------------------

static void hash_of(const char *options, char hash[64]) {
    assert_int_equal(run("run %s --steps 120 --envs 13 --noise 0.7 --seed 5 --hash %s", HUMANOID, options), 0);
    assert_int_equal(strlen(result.out), 22);
    assert_true(strncmp(result.out, "hash ", 5) == 0);
    assert_int_equal(strspn(result.out + 5, "0123456789abcdef"), 16);
    strcpy(hash, result.out);
}

static void test_same_bits(void **state) {
    static const char *const TARGETS[] = {"scalar", "avx2", "avx512"};
    char first[64], hash[64], options[64];
    hash_of("", first);
    for (int t = 0; t < COUNT(TARGETS); t++) {
        run("info %s --json", HUMANOID);
        char quoted[32];
        snprintf(quoted, sizeof quoted, "\"%s\"", TARGETS[t]);
        const char *targets = strstr(result.out, "\"targets\"");
        assert_non_null(targets);
        if (!strstr(targets, quoted)) {
            printf("SKIPPED: this machine has no %s\n", TARGETS[t]);
            continue;
        }
        for (int threads = 1; threads <= 4; threads *= 2) {
            snprintf(options, sizeof options, "--target %s --threads %d", TARGETS[t], threads);
            hash_of(options, hash);
            assert_string_equal(hash, first);
        }
    }
    // another seed is another motion
    hash_of("--seed 6", hash);
    assert_string_not_equal(hash, first);
}

// ---- pictures, start-up, README ------------------------------------------------------------------------------------

static void test_record(void **state) {
    char folder[] = "/tmp/test_cli.XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/p.png", folder);
    assert_int_equal(run("record %s --steps 20 --width 160 --height 90 --png %s", HUMANOID, path), 0);
    unsigned char head[24];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
    fclose(file);
    // signature, then width and height, big-endian
    assert_memory_equal(head, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(head[19], 160);
    assert_int_equal(head[23], 90);

    // through a camera of the model, by name and by index; one that cannot be drawn
    assert_int_equal(run("record %s --width 64 --height 36 --camera watch --png %s", CAMERAS, path), 0);
    assert_int_equal(run("record %s --width 64 --height 36 --camera 1 --png %s", CAMERAS, path), 0);
    expect(1, "camera 7 cannot be drawn", "record " CAMERAS " --camera flat --png /tmp/nothing.png");

    // the demo ends with the line that make demo promises
    double rate, error;
    int end = 0;
    assert_int_equal(run("demo --png %s", path), 0);
    size_t length = strlen(result.out);
    assert_true(length > 1);
    result.out[length - 1] = 0;
    const char *last = strrchr(result.out, '\n');
    assert_non_null(last);
    assert_int_equal(sscanf(last + 1, "%lf steps/s, solve error %lf%n", &rate, &error, &end), 2);
    assert_int_equal(last[1 + end], 0);
    assert_true(rate > 0 && error < 1e-6);
    unlink(path), rmdir(folder);
}

// after steps 50, 100 and 120 of two environments, in the columns of TX_VIOLATIONS
static void test_violations(void **state) {
    char folder[] = "/tmp/test_cli.XXXXXX", path[96], text[8192] = "";
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/v.csv", folder);
    assert_int_equal(run("run %s --envs 2 --steps 120 --every 50 --violations %s", HUMANOID, path), 0);
    assert_non_null(strstr(result.out, "beyond the cone"));
    slurp(path, text, sizeof text);
    static const char HEAD[] = "step,env,contacts,penetration [m],approach [m/s],";
    assert_int_equal(strncmp(text, HEAD, strlen(HEAD)), 0);
    static const int STEPS[] = {50, 50, 100, 100, 120, 120};
    const char *line = strchr(text, '\n') + 1;
    for (int i = 0; i < 6; i++) {
        int step, env, contacts, commas = 0;
        assert_int_equal(sscanf(line, "%d,%d,%d,", &step, &env, &contacts), 3);
        assert_int_equal(step, STEPS[i]), assert_int_equal(env, i % 2);
        for (; *line != '\n'; line++) commas += *line == ',';
        assert_int_equal(commas, 10);
        line++;
    }
    assert_int_equal(*line, 0);
    assert_int_equal(run("run %s --steps 1 --violations %s/none/v.csv", HUMANOID, folder), 1);
    unlink(path), rmdir(folder);
}

// the slip [µm/s] of ACCEPTANCE C6: every law has a line, soft ones MuJoCo's figures, the others their closed forms
static void test_incline(void **state) {
    static const struct {
        const char *start;
        double slip, error;
    } LINES[] = {{"\nsoft  ", 1851, 37},
                 {"\nsoft_elliptic   ", 874, 17},
                 {"\nsoft_elliptic  impratio 10", 87, 2},
                 {"\nsap            near-rigid", 4.385, 0.01},
                 {"\nsimilar ", 39.08, 0.4},
                 {"\nlagged ", 39.08, 0.4}};
    char folder[] = "/tmp/test_cli.XXXXXX", path[96], text[64] = "";
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/i.svg", folder);
    assert_int_equal(run("demo incline --svg %s", path), 0);
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        const char *line = strstr(result.out, LINES[i].start);
        if (!line) fail_msg("no line '%s' in\n%s", LINES[i].start + 1, result.out);
        assert_near(strtod(line + 28, NULL), LINES[i].slip, LINES[i].error);
    }
    for (int law = 0; tx_law_name(law); law++) {
        snprintf(text, sizeof text, "\n%s ", tx_law_name(law));
        if (!strstr(result.out, text)) fail_msg("no line of law %s in\n%s", tx_law_name(law), result.out);
    }
    slurp(path, text, sizeof text);
    assert_int_equal(strncmp(text, "<svg", 4), 0);
    if (!SANITIZED) { // all laws once more
        assert_int_equal(run("demo incline --svg %s/none/i.svg", folder), 1);
        assert_non_null(strstr(result.err, "cannot be written"));
    }
    unlink(path), rmdir(folder);
}

// frames at 0, 0.1, 0.2 and 0.25 s, the last of them the end; a film where ffmpeg is installed
static void test_film(void **state) {
    char folder[] = "/tmp/test_cli.XXXXXX", path[96];
    assert_non_null(mkdtemp(folder));
    assert_int_equal(run("record %s --time 0.25 --fps 10 --width 64 --height 36 --frames %s", HUMANOID, folder), 0);
    for (int i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/frame_%05d.png", folder, i);
        assert_int_equal(access(path, R_OK) == 0, i < 4);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/film.mp4", folder);
    bool installed = system("command -v ffmpeg >/dev/null 2>&1") == 0;
    int code = run("record %s --time 0.25 --fps 10 --width 63 --height 37 --mp4 %s", HUMANOID, path);
    if (installed) {
        char head[12] = "";
        FILE *file = fopen(path, "rb");
        assert_int_equal(code, 0);
        assert_non_null(file);
        assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
        fclose(file);
        assert_memory_equal(head + 4, "ftyp", 4);
        assert_int_equal(run("record %s --time 0.1 --width 64 --height 36 --mp4 /nothing/here.mp4", HUMANOID), 1);
        assert_non_null(strstr(result.err, "ffmpeg did not finish /nothing/here.mp4"));
    } else {
        printf("SKIPPED: ffmpeg is not here\n");
        assert_int_equal(code, 1);
        assert_non_null(strstr(result.err, "films need ffmpeg"));
    }
    unlink(path), rmdir(folder);
}

static uint32_t little(const unsigned char *at, int bytes) {
    uint32_t value = 0;
    for (int i = bytes - 1; i >= 0; i--) value = value << 8 | at[i];
    return value;
}

// the logged states: every tenth and the last, the same numbers in both forms, the last of them those of the report
static void test_log(void **state) {
    char folder[] = "/tmp/test_cli.XXXXXX", path[96];
    static char text[1 << 18];
    static unsigned char bytes[1 << 18];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/s.csv", folder);
    assert_int_equal(run("run %s --steps 25 --every 10 --log %s --json", PENDULUM, path), 0);
    json_t *report = json_loads(result.out, 0, NULL);
    assert_non_null(report);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    unlink(path);
    int lines = 0;
    for (const char *c = text; *c; c++) lines += *c == '\n';
    assert_int_equal(lines, 1 + 4);
    assert_memory_equal(text, "time,qpos_", 10);
    text[strlen(text) - 1] = 0;
    double time, first;
    assert_int_equal(sscanf(strrchr(text, '\n'), "\n%lf,%lf", &time, &first), 2);
    assert_true(time == json_number_value(json_object_get(report, "time")));
    assert_true(first == json_number_value(json_array_get(json_object_get(report, "qpos"), 0)));
    json_decref(report);

    // stored members of a zip archive: local header, name, the header of .npy, numbers
    snprintf(path, sizeof path, "%s/s.npz", folder);
    assert_int_equal(run("run %s --steps 25 --every 10 --log %s --quiet", PENDULUM, path), 0);
    file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    unlink(path), rmdir(folder);
    assert_true(size > 400 && little(bytes, 4) == 0x04034b50);
    assert_memory_equal(bytes + 30, "time.npy", 8);
    assert_memory_equal(bytes + 38, "\x93NUMPY\x01", 7);
    assert_non_null(strstr((const char *)bytes + 48, "'shape': (4,)"));
    double last;
    memcpy(&last, bytes + 38 + 10 + little(bytes + 46, 2) + 3 * sizeof last, sizeof last);
    assert_true(last == time);
    // the end of the archive names five members
    const unsigned char *end = bytes + size - 22;
    assert_true(little(end, 4) == 0x06054b50 && little(end + 10, 2) == 5);
    assert_true(little(bytes + little(end + 16, 4), 4) == 0x02014b50);
}

// the same problems by several solvers: a row for each pair that exists, models of rigid contact apart, a report that
// names its command and needs nothing else
static void test_compare(void **state) {
    static const char SLIDING[] = TX_SOURCE_DIR "/scenes/contact/painleve.xml";
    static const char *const FIELDS[][2] = {
        {"scene", "s"},        {"law", "s"},           {"solver", "s"}, {"model", "s"},
        {"problems", "i"},     {"products", "r"},      {"us", "r"},     {"iterations", "r"},
        {"residual", "r"},     {"residual_ncp", "r"},  {"slip", "r"},   {"approach", "r"},
        {"residual_ccp", "r"}, {"not_converged", "i"}, {"excess", "r"}, {"dissipation", "r"},
        {"penetration", "r"},
    };
    assert_int_equal(run("compare %s --laws hard,sap --solvers newton,nsgs,bb --steps 100 --every 50 --json", SLIDING),
                     0);
    assert_non_null(strstr(result.err, "newton cannot solve law hard"));
    json_t *root = parse_output();
    const json_t *rows = json_object_get(root, "rows");
    assert_int_equal(json_array_size(rows), 2 * 2 + 3);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        expect_fields(row, FIELDS, COUNT(FIELDS));
        assert_int_equal(json_integer_value(json_object_get(row, "problems")), 3);
        assert_int_equal(json_integer_value(json_object_get(row, "not_converged")), 0);
        const double residual = json_number_value(json_object_get(row, "residual"));
        assert_true(residual >= 0 && residual <= 1e-6);
        // a rigid contact's own error is that of its model, and the rod slides, so the other model says something else
        const char *model = json_string_value(json_object_get(row, "model"));
        const double ncp = json_number_value(json_object_get(row, "residual_ncp")),
                     ccp = json_number_value(json_object_get(row, "residual_ccp"));
        if (strcmp(model, "ncp") == 0) assert_true(ncp == residual && ccp > 1e-2);
        if (strcmp(model, "ccp") == 0) assert_true(ccp == residual && ncp > 1e-2);
    }
    json_decref(root);

    static char text[1 << 20];
    char folder[] = "/tmp/test_cli.XXXXXX", html[64], svg[128];
    assert_non_null(mkdtemp(folder));
    snprintf(html, sizeof html, "%s/r.html", folder);
    assert_int_equal(
        run("compare %s --laws hard --solvers nsgs,bb --steps 50 --report %s --figures %s/f", SLIDING, html, folder),
        0);
    slurp(html, text, sizeof text);
    assert_non_null(strstr(text, "--laws hard --solvers nsgs,bb --steps 50"));
    assert_non_null(strstr(text, "data:image/png;base64,"));
    // nothing is loaded, and each plot is a file too
    assert_null(strstr(text, "src=\"http"));
    assert_null(strstr(text, "<link"));
    static const char *const PLOTS[] = {"profile-hard-ncp", "profile-hard-ccp", "painleve-hard-ncp-time",
                                        "painleve-hard-ccp-iterations"};
    for (int k = 0; k < COUNT(PLOTS); k++) {
        static char plot[1 << 16];
        snprintf(svg, sizeof svg, "%s/f/%s.svg", folder, PLOTS[k]);
        slurp(svg, plot, sizeof plot);
        assert_memory_equal(plot, "<svg ", 5);
        assert_non_null(strstr(text, plot));
    }
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    expect(2, "--figures are those of --report", "compare " PENDULUM " --figures x");
    expect(1, "cannot make the folder", "compare " PENDULUM " --report x --figures /proc/none");
    expect(1, "cannot write /proc/none", "compare " PENDULUM " --steps 1 --report /proc/none");
    expect(2, "there is no solver 'nothing'", "compare " PENDULUM " --solvers newton,nothing");
    expect(2, "there is no law 'soft_'", "compare " PENDULUM " --laws soft_,soft");
    expect(2, "there is no model of rigid contact 'lcp'", "compare " PENDULUM " --models ncp,lcp");
    expect(1, "law sap does not go with", "compare " PENDULUM " --laws sap --set integrator=RK4");
}

// the diagrams that bench/run draws: well-formed elements, one line per series, wrong input refused
static void test_plot(void **state) {
    static char text[1 << 16];
    char folder[] = "/tmp/test_cli.XXXXXX", path[64];
    const double x[] = {1, 2, 4, 8}, y[] = {3, NAN, 5, 9}, zero[] = {0, 1, 2, 3};
    const char *const names[] = {"a<b", "c", "d", "e"};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/p.svg", folder);
    tx_plot_series series[2] = {{"first & last", x, y, 4}, {"second", x, x, 4}};
    tx_plot plot = {.title = "t", .series = series, .series_count = 2, .log_x = true};
    assert_int_equal(tx_plot_write_svg(&plot, path), TX_OK);
    slurp(path, text, sizeof text);
    assert_true(strncmp(text, "<svg ", 5) == 0 && strstr(text, "</svg>"));
    assert_non_null(strstr(text, "first &amp; last"));
    int circles = 0;
    for (const char *c = text; (c = strstr(c, "<circle")); c++) circles++;
    assert_int_equal(circles, 7); // the point that is no number is left out
    assert_null(strstr(text, "nan"));
    // bars: one rectangle per layer and category, the background and the two of the legend
    plot = (tx_plot){.series = series, .series_count = 2, .categories = names, .category_count = 4};
    assert_int_equal(tx_plot_write_svg(&plot, path), TX_OK);
    slurp(path, text, sizeof text);
    int boxes = 0;
    for (const char *c = text; (c = strstr(c, "<rect")); c++) boxes++;
    assert_int_equal(boxes, 1 + 8 + 2);
    assert_non_null(strstr(text, "a&lt;b"));
    // zero has no logarithm; nothing to draw; no such folder
    tx_plot_series bad = {"zero", zero, x, 4};
    plot = (tx_plot){.series = &bad, .series_count = 1, .log_x = true};
    assert_int_equal(tx_plot_write_svg(&plot, path), TX_ERROR_ARGUMENT);
    plot.log_x = false;
    assert_int_equal(tx_plot_write_svg(&plot, "/nothing/here.svg"), TX_ERROR_FILE);
    // what cannot be drawn
    const double none[] = {NAN, INFINITY, -INFINITY, NAN};
    tx_plot_series whole = {"s", x, x, 4}, backwards = {"s", x, x, -1}, no_x = {"s", NULL, x, 4},
                   no_y = {"s", x, NULL, 4}, nothing = {"s", x, none, 4};
    const tx_plot WRONG[] = {
        {.series_count = 1},
        {.series = &whole, .series_count = 0},
        {.series = &whole, .series_count = TX_PLOT_SERIES_MAX + 1},
        {.series = &whole, .series_count = 1, .width = -1},
        {.series = &whole, .series_count = 1, .height = -1},
        {.series = &whole, .series_count = 1, .width = 60},
        {.series = &whole, .series_count = 1, .height = 60},
        {.series = &whole, .series_count = 1, .categories = names},
        {.series = &backwards, .series_count = 1},
        {.series = &no_x, .series_count = 1},
        {.series = &no_y, .series_count = 1},
        {.series = &nothing, .series_count = 1},
        {.series = &nothing, .series_count = 1, .categories = names, .category_count = 4},
        {.series = &bad, .series_count = 1, .log_x = true},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
        if (tx_plot_write_svg(&WRONG[i], path) != TX_ERROR_ARGUMENT) fail_msg("plot %zu is drawn", i);
    assert_int_equal(tx_plot_write_svg(&(tx_plot){.series = &whole, .series_count = 1}, NULL), TX_ERROR_ARGUMENT);
    // what stands at the axes: thousands and millions, zero where it is asked for, room about one value
    const double large[] = {1e6, 2e6, 3e6, 4e6}, same[] = {5, 5, 5, 5};
    static const struct {
        bool of_large, from_zero, log_y;
        const char *there, *missing;
    } AXES[] = {{true, true, false, ">500k<", ">4.5M<"}, {true, false, false, ">1M<", ">0<"},
                {true, true, false, ">0<", NULL},        {false, false, false, ">5<", ">0<"},
                {false, true, false, ">0<", NULL},       {false, true, true, ">4<", ">0<"}};
    for (size_t i = 0; i < sizeof AXES / sizeof *AXES; i++) {
        tx_plot_series line = {NULL, x, AXES[i].of_large ? large : same, 4};
        plot = (tx_plot){.title = "a > b",
                         .series = &line,
                         .series_count = 1,
                         .width = 400,
                         .height = 300,
                         .from_zero = AXES[i].from_zero,
                         .log_y = AXES[i].log_y};
        assert_int_equal(tx_plot_write_svg(&plot, path), TX_OK);
        slurp(path, text, sizeof text);
        assert_non_null(strstr(text, "width=\"400\" height=\"300\""));
        assert_non_null(strstr(text, "a &gt; b"));
        if (!strstr(text, AXES[i].there)) fail_msg("axis %zu has no %s", i, AXES[i].there);
        if (AXES[i].missing && strstr(text, AXES[i].missing)) fail_msg("axis %zu has %s", i, AXES[i].missing);
    }
    unlink(path), rmdir(folder);
}

// first step < 50 ms after program start
// Ctrl-C leaves the report of what was done; on a busy machine the program may not have come to its steps yet
static void test_interrupt(void **state) {
    char folder[] = "/tmp/test_cli.XXXXXX", out[64], command[1024];
    assert_non_null(mkdtemp(folder));
    snprintf(out, sizeof out, "%s/report.json", folder);
    json_t *report = NULL;
    for (int wait = 1; wait <= 16 && !report; wait *= 4) {
        snprintf(command, sizeof command,
                 "timeout --preserve-status -s INT %d '%s' run '%s' --steps 1000000000 --json --out %s 2>/dev/null",
                 wait, TX_COMMAND, PENDULUM, out);
        int status = system(command);
        report = json_load_file(out, 0, NULL);
        if (report) assert_int_equal(WEXITSTATUS(status), 130);
    }
    assert_non_null(report);
    assert_string_equal(json_string_value(json_object_get(report, "status")), "stopped");
    const double steps = json_number_value(json_object_get(report, "steps")),
                 time = json_number_value(json_object_get(report, "time")),
                 dt = json_number_value(json_object_get(report, "dt"));
    assert_true(steps > 0 && steps < 1e9 && fabs(time - steps * dt) < 1e-6 * time);
    json_decref(report);
    remove(out), rmdir(folder);
}

static void test_startup(void **state) {
    double best = 1e9;
    for (int i = 0; i < 5; i++) {
        double start = tx_clock();
        assert_int_equal(system("'" TX_COMMAND "' run '" HUMANOID "' --steps 1 --quiet"), 0);
        double took = tx_clock() - start;
        if (took < best) best = took;
    }
    printf("start, load, one step, end: %.1f ms\n", 1e3 * best);
    if (OPTIMISED) assert_true(best < 0.05);
}

static void test_readme_program(void **state) {
    static char readme[1 << 16], program[1 << 14];
    slurp(TX_SOURCE_DIR "/README.md", readme, sizeof readme);
    slurp(TX_SOURCE_DIR "/examples/first.c", program, sizeof program);
    if (!strstr(readme, program)) fail_msg("README.md does not contain examples/first.c as it is");
}

// the floor below the humanoid, and what is between
static void test_query(void **state) {
    assert_int_equal(run("query %s --ray 0,0,5,0,0,-2 --ray 5,0,5,0,0,-1 --ray 5,0,5,0,0,1 --distance floor,head "
                         "--distance 1,0 --json",
                         HUMANOID),
                     0);
    json_t *root = parse_output(), *rays = json_object_get(root, "rays"),
           *distances = json_object_get(root, "distances");
    assert_int_equal(json_array_size(rays), 3);
    assert_int_equal(json_array_size(distances), 2);
    const json_t *body = json_array_get(rays, 0), *floor = json_array_get(rays, 1), *sky = json_array_get(rays, 2);
    assert_string_not_equal(json_string_value(json_object_get(body, "geom")), "floor");
    assert_string_equal(json_string_value(json_object_get(floor, "geom")), "floor");
    assert_true(json_number_value(json_object_get(floor, "distance")) == 5);
    assert_true(json_is_null(json_object_get(sky, "geom")) && json_is_null(json_object_get(sky, "point")));
    assert_true(json_number_value(json_object_get(json_array_get(distances, 0), "distance")) > 1);
    json_decref(root);
    expect(0, NULL, "query " HUMANOID " --ray 0,0,5,0,0,-1 --moving --exclude head --steps 3 --keyframe none");
    assert_non_null(strstr(result.out, "normal"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run_json),  cmocka_unit_test(test_problem_files), cmocka_unit_test(test_query),
        cmocka_unit_test(test_info_json), cmocka_unit_test(test_wrong_usage),   cmocka_unit_test(test_success),
        cmocka_unit_test(test_failures),  cmocka_unit_test(test_packages),      cmocka_unit_test(test_broken_files),
        cmocka_unit_test(test_same_bits), cmocka_unit_test(test_record),        cmocka_unit_test(test_film),
        cmocka_unit_test(test_incline),   cmocka_unit_test(test_violations),    cmocka_unit_test(test_log),
        cmocka_unit_test(test_interrupt), cmocka_unit_test(test_startup),       cmocka_unit_test(test_readme_program),
        cmocka_unit_test(test_dump_json), cmocka_unit_test(test_bench),         cmocka_unit_test(test_plot),
        cmocka_unit_test(test_compare),
    };
    // the demo looks for its scenes here too
    if (chdir(TX_SOURCE_DIR) != 0) return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
