// test_load.c - what the MJCF reader accepts, refuses and says, message by message.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "load/text.h"
#include "load/xml.h"
#include "thixis/load.h"

#define BAD TX_SOURCE_DIR "/tests/data/bad/"

// ---- broken files ------------------------------------------------------------------------------------------------

// the messages that are expected stand in a file: "# name" and then those about that file
static void without_folder(char *text) {
    for (char *at; (at = strstr(text, BAD));) memmove(at, at + strlen(BAD), strlen(at + strlen(BAD)) + 1);
}

// loads a file that must fail and compares its messages with the next lines; leaves the line after them in `line`
static bool expect_messages(FILE *expected, const char *name, char *line, int size) {
    char path[512], message[1024];
    snprintf(path, sizeof path, "%s%s", BAD, name);
    tx_diag diag = {0};
    assert_null(tx_load_file(path, &diag));
    assert_true(diag.errors > 0);
    bool more = fgets(line, size, expected) != NULL;
    for (int i = 0; i < diag.count; i++) {
        tx_diag_format(&diag, i, message, sizeof message);
        without_folder(message);
        assert_true(more);
        line[strcspn(line, "\n")] = 0;
        assert_string_equal(message, line);
        more = fgets(line, size, expected) != NULL;
    }
    assert_true(!more || line[0] == '\n');
    tx_diag_free(&diag);
    return more;
}

static void broken_files_say_everything_that_is_wrong(void **state) {
    FILE *expected = fopen(BAD "messages.txt", "r");
    assert_non_null(expected);
    char line[1024], name[256];
    int files = 0;
    // the first line says what the file is
    bool more = fgets(line, sizeof line, expected) && fgets(line, sizeof line, expected);
    while (more && fgets(line, sizeof line, expected)) {
        assert_int_equal(sscanf(line, "# %255[^\n]", name), 1);
        more = expect_messages(expected, name, line, sizeof line);
        files++;
    }
    assert_true(files >= 20);
    fclose(expected);
}

// ---- hostile texts -----------------------------------------------------------------------------------------------

// the first message about a text that must not load
static void expect_message(const char *text, size_t length, const char *expected) {
    tx_diag diag = {0};
    char line[1024];
    assert_null(tx_load_string(text, length, "text", &diag));
    assert_true(diag.errors >= 1);
    tx_diag_format(&diag, 0, line, sizeof line);
    assert_string_equal(line, expected);
    tx_diag_free(&diag);
}
static void expect(const char *text, const char *expected) { expect_message(text, strlen(text), expected); }

// text made of a head, n times a piece, and a tail; the caller frees it
static char *repeated(const char *head, const char *piece, size_t n, const char *tail) {
    size_t size = strlen(piece), start = strlen(head);
    char *text = malloc(start + n * size + strlen(tail) + 1);
    assert_non_null(text);
    memcpy(text, head, start);
    for (size_t i = 0; i < n; i++) memcpy(text + start + i * size, piece, size);
    memcpy(text + start + n * size, tail, strlen(tail) + 1);
    return text;
}

static void missing_files_are_reported(void **state) {
    tx_diag diag = {0};
    char line[1024];
    assert_null(tx_load_file("/nowhere/model.xml", &diag));
    assert_null(tx_load_file(TX_SOURCE_DIR, &diag));
    assert_null(tx_load_file(NULL, &diag));
    assert_null(tx_load_string(NULL, 0, NULL, &diag));
    assert_int_equal(diag.errors, 4);
    tx_diag_format(&diag, 0, line, sizeof line);
    assert_string_equal(line, "/nowhere/model.xml: error: there is no such file");
    tx_diag_format(&diag, 1, line, sizeof line);
    assert_string_equal(line, TX_SOURCE_DIR ": error: this is a folder, not a file");
    tx_diag_free(&diag);
    // a caller that wants no messages
    assert_null(tx_load_file("/nowhere/model.xml", NULL));
    assert_null(tx_load_string("<mujoco", 7, NULL, NULL));
    assert_null(tx_load_string("<mujoco a=''/>", 14, NULL, NULL));
}

static void deep_nesting_is_bounded(void **state) {
    char *text = repeated("<mujoco><worldbody>\n", "<body>", 10000, "");
    expect(text, "text:2:2989: error: elements are nested deeper than 500");
    free(text);
    // the innermost of these stands at the bound
    char *open = repeated("<mujoco><worldbody>", "<body>", 497, "<goem/>");
    text = repeated(open, "</body>", 497, "</worldbody></mujoco>");
    expect(text, "text:1:3002: error: unknown element <goem> in <body> — did you mean <geom>?");
    free(text);
    free(open);
}

static void long_values_are_bounded(void **state) {
    // a megabyte of numbers is too many for size, and a megabyte of name is a name
    char *text = repeated("<mujoco><worldbody><geom size='", "1 ", 500000, "'/></worldbody></mujoco>");
    expect(text, "text:1:26: error: attribute 'size' of <geom> has 500000 numbers; it takes 1 to 3");
    free(text);
    text = repeated("<mujoco><worldbody><geom name='", "x", 1000000, "' size='y'/></worldbody></mujoco>");
    expect(text, "text:1:1000034: error: 'y' in attribute 'size' of <geom> is not a number");
    free(text);
    // unknown names of that length are shortened in the message
    text = repeated("<mujoco><", "x", 1000000, "/></mujoco>");
    tx_diag diag = {0};
    assert_null(tx_load_string(text, strlen(text), "text", &diag));
    assert_true(strlen(diag.messages[0].text) < 200);
    tx_diag_free(&diag);
    free(text);
    // 17 MiB are beyond the bound of one value
    text = repeated("<mujoco model='", "0123456789abcdef", (size_t)17 << 16, "'/>");
    expect(text, "text:1:1: error: the value of an attribute is too long — an attribute may hold 16 MiB");
    free(text);
}

static void a_number_of_a_thousand_digits_is_no_number(void **state) {
    char *text = repeated("<mujoco><option timestep='", "1", 1000, "'/></mujoco>");
    tx_diag diag = {0};
    assert_null(tx_load_string(text, strlen(text), "text", &diag));
    assert_int_equal(diag.errors, 1);
    tx_diag_free(&diag);
    free(text);
}

static void every_prefix_of_a_file_is_refused(void **state) {
    const char text[] = "<?xml version='1.0'?><mujoco><worldbody><geom size='1'/></worldbody></mujoco>";
    for (size_t length = 0; length < sizeof text - 1; length++) {
        tx_diag diag = {0};
        char *exact = malloc(length + 1); // no terminator: a sanitizer sees what is read beyond the end
        char *copy = realloc(exact, length ? length : 1);
        memcpy(copy, text, length);
        assert_null(tx_load_string(copy, length, "text", &diag));
        assert_int_equal(diag.errors, 1);
        tx_diag_free(&diag);
        free(copy);
    }
}

static void a_thousand_errors_are_counted(void **state) {
    char *text = repeated("<mujoco><worldbody>", "<geom szie='1'/>", 1000, "</worldbody></mujoco>");
    tx_diag diag = {0};
    assert_null(tx_load_string(text, strlen(text), "text", &diag));
    assert_int_equal(diag.errors, 1000);
    assert_int_equal(diag.count, TX_DIAG_MAX);
    tx_diag_free(&diag);
    free(text);
}

static void a_text_has_no_files(void **state) {
    expect("<mujoco>\n <include file='a.xml'/></mujoco>",
           "text:2:2: error: <include> works only in a file — load the model from a file");
    expect("<mujoco>\n <asset><mesh file='/a.obj'/></asset></mujoco>",
           "text:2:15: error: a mesh file can be read only for a model in a file — load the model from a file, or give "
           "vertex=\"...\"");
}

// a value of a gigabyte: what is read of the file stays below the bound
static void a_gigabyte_is_refused(void **state) {
    char path[] = "/tmp/test_load_XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, "<mujoco model='", 15), 15);
    assert_int_equal(ftruncate(descriptor, (off_t)1 << 30), 0);
    close(descriptor);
    tx_diag diag = {0};
    assert_null(tx_load_file(path, &diag));
    assert_int_equal(diag.count, 1);
    assert_string_equal(diag.messages[0].text, "the file is too large");
    tx_diag_free(&diag);
    unlink(path);
}

static void other_encodings_are_read(void **state) {
    // UTF-16 with its mark, which counts as a column; attributes take the place of their element there
    const char ascii[] = "<mujoco modle='x'/>";
    char wide[2 + 2 * sizeof ascii] = {(char)0xFF, (char)0xFE};
    for (size_t i = 0; i < sizeof ascii - 1; i++) wide[2 + 2 * i] = ascii[i];
    expect_message(wide, 2 + 2 * (sizeof ascii - 1),
                   "text:1:2: error: unknown attribute 'modle' in <mujoco> — did you mean 'model'?");
}

static void messages_are_in_the_order_of_the_file(void **state) {
    // sections are read in another order than they stand
    const char *text = "<mujoco>\n<keyframe a='1'/>\n<worldbody b='1'/>\n<default c='1'/>\n<option d='1'/>\n</mujoco>";
    tx_diag diag = {0};
    assert_null(tx_load_string(text, strlen(text), "text", &diag));
    assert_int_equal(diag.count, 4);
    for (int i = 0; i < 4; i++) assert_int_equal(diag.messages[i].line, i + 2);
    tx_diag_free(&diag);
}

static void compile_is_not_asked_about_what_is_wrong_already(void **state) {
    // the radius could not be read: that it is zero, and the body without mass, is not said again
    const char *text = "<mujoco><worldbody>\n<body><freejoint/>\n<geom size='x'/></body>\n</worldbody></mujoco>";
    tx_diag diag = {0};
    assert_null(tx_load_string(text, strlen(text), "text", &diag));
    assert_int_equal(diag.count, 1);
    assert_int_equal(diag.messages[0].line, 3);
    tx_diag_free(&diag);
    // but the other geom's radius is
    text = "<mujoco><worldbody>\n<body><freejoint/>\n<geom size='x'/></body>\n<geom size='-1'/></worldbody></mujoco>";
    assert_null(tx_load_string(text, strlen(text), "text", &diag));
    assert_int_equal(diag.count, 2);
    assert_int_equal(diag.messages[1].line, 4);
    tx_diag_free(&diag);
}

// ---- parts -------------------------------------------------------------------------------------------------------

static void xml_knows_where_everything_stands(void **state) {
    const char text[] = "<?xml version='1.0'?>\r\n"
                        "<a\n"
                        "\tb = '1\n2' c=\"&lt;=\"\r"
                        "  d='\xc3\xa4'  e=''><!-- x -->\n"
                        "  <f g='\xc3\xa4\xc3\xb6' h='2'/>text</a>";
    tx_stash stash = {.limit = 1 << 20};
    tx_diag diag = {0};
    tx_xml_element *root = tx_xml_parse(&stash, text, sizeof text - 1, "name", 1, &diag);
    assert_non_null(root);
    assert_int_equal(diag.count, 0);
    static const struct {
        const char *name, *value;
        int line, column;
    } expected[] = {{"b", "1 2", 3, 2}, {"c", "<=", 4, 4}, {"d", "\xc3\xa4", 5, 3}, {"e", "", 5, 10}};
    assert_int_equal(root->line, 2);
    assert_int_equal(root->column, 1);
    assert_int_equal(root->attribute_count, 4);
    for (int i = 0; i < 4; i++) {
        assert_string_equal(root->attributes[i].name, expected[i].name);
        assert_string_equal(root->attributes[i].value, expected[i].value);
        assert_int_equal(root->attributes[i].line, expected[i].line);
        assert_int_equal(root->attributes[i].column, expected[i].column);
    }
    const tx_xml_element *child = root->first;
    assert_ptr_equal(child, root->last);
    assert_ptr_equal(child->parent, root);
    assert_int_equal(child->line, 6);
    assert_int_equal(child->column, 3);
    assert_int_equal(child->depth, 2);
    assert_int_equal(tx_xml_find(child, "h")->column, 13);
    assert_null(tx_xml_find(child, "i"));
    assert_int_equal(root->text_line, 6);
    assert_int_equal(root->text_column, 20);
    tx_stash_free(&stash);
}

static void xml_keeps_its_memory_bounded(void **state) {
    char *text = repeated("<a>", "<b/>", 10000, "</a>");
    tx_stash stash = {.limit = 1 << 18};
    tx_diag diag = {0};
    assert_null(tx_xml_parse(&stash, text, strlen(text), "name", 1, &diag));
    assert_string_equal(diag.messages[0].text, "the file needs too much memory");
    assert_true(stash.taken <= stash.limit);
    tx_diag_free(&diag);
    tx_stash_free(&stash);
    free(text);
}

// xorshift (Marsaglia 2003)
static uint64_t random_bits(uint64_t *s) {
    *s ^= *s << 13;
    *s ^= *s >> 7;
    return *s ^= *s << 17;
}

static void numbers_are_those_of_strtod(void **state) {
    static const char *const formats[] = {"%.17g", "%.15g", "%.6f", "%.3g", "%g", "%+.1e", "%.30f"};
    uint64_t seed = 88172645463325252ull;
    tx_number_problem problem;
    char text[512];
    for (int i = 0; i < 200000; i++) {
        uint64_t bits = random_bits(&seed);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (i % 2) x = (double)(int64_t)random_bits(&seed) * pow(10, (int)(bits % 40) - 36);
        if (!isfinite(x) || (fabs(x) > 1e100)) continue;
        snprintf(text, sizeof text, formats[i % 7], x);
        double value = 1;
        assert_int_equal(tx_read_reals(text, &value, 1, &problem), 1);
        double expected = strtod(text, NULL);
        assert_memory_equal(&value, &expected, sizeof value);
    }
    double three[3] = {0};
    assert_int_equal(tx_read_reals("\t1. \n-.5  +2E+3 ", three, 3, &problem), 3);
    assert_true(three[0] == 1 && three[1] == -0.5 && three[2] == 2000);
    assert_int_equal(tx_read_reals("1 2 3 4", three, 3, &problem), 4);
    assert_int_equal(tx_read_reals("  ", three, 3, &problem), 0);
    static const char *const bad[] = {".", "-", "+", "e5", "1e", "1e+", "1.2.3", "0x1", "--1", "1f", "1_0", "\xc3\xa4"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(tx_read_reals(bad[i], three, 3, &problem), -1);
        assert_int_equal(problem.error, TX_NUMBER_BAD);
    }
    static const char *const endless[] = {"nan", "-NaN", "inf", "+Infinity", "1e309", "-1e99999999999"};
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
        assert_int_equal(tx_read_reals(endless[i], three, 3, &problem), -1);
        assert_int_equal(problem.error, TX_NUMBER_NOT_FINITE);
    }
}

static void numbers_do_not_depend_on_the_locale(void **state) {
    static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"};
    for (int i = 0; i < 3 && strcmp(localeconv()->decimal_point, ",") != 0; i++) setlocale(LC_NUMERIC, names[i]);
    double values[2];
    tx_number_problem problem;
    assert_int_equal(tx_read_reals("2.5 0.1234567890123456789", values, 2, &problem), 2);
    assert_true(values[0] == 2.5 && values[1] == 0.1234567890123456789);
    setlocale(LC_NUMERIC, "C");
}

static void nearest_names_are_found(void **state) {
    static const struct {
        const char *word, *best;
    } cases[] = {{"szie", "size"}, {"frictoin", "friction"}, {"Size", "size"}, {"siz", "size"}, {"xyzzy", ""},
                 {"frict", ""},    {"condimm", "condim"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tx_nearest nearest = tx_nearest_start(cases[i].word);
        tx_nearest_offer_all(&nearest, "size friction condim fromto");
        assert_string_equal(nearest.best, cases[i].best);
    }
}

// ---- a good file -------------------------------------------------------------------------------------------------

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

// the numbers are those of MuJoCo 3.12.0 for the same text
static void a_good_file_means_what_it_means_in_mujoco(void **state) {
    tx_diag diag = {0};
    tx_model *model = tx_load_string(good, sizeof good - 1, "good", &diag);
    assert_int_equal(diag.count, 0);
    assert_non_null(model);
    assert_string_equal(tx_model_name(model), "good");
    static const int sizes[][2] = {{TX_NQ, 9},   {TX_NV, 8},    {TX_NU, 2},  {TX_NBODY, 5},
                                   {TX_NJNT, 3}, {TX_NGEOM, 8}, {TX_NKEY, 1}};
    for (int i = 0; i < 7; i++) assert_int_equal(tx_model_size(model, (tx_size)sizes[i][0]), sizes[i][1]);

    const tx_options *options = tx_model_options(model);
    assert_true(options->timestep == 0.005 && !options->contact && options->limit);
    assert_true(tx_model_params(model, TX_GRAVITY, NULL)[2] == -1);

    // bodies are numbered depth first, a body's geoms stand together
    static const char *const bodies[] = {"world", "x", "y", "z", "w"};
    for (int i = 1; i < 5; i++) assert_string_equal(tx_element_name(model, TX_ELEMENT_BODY, i), bodies[i]);
    static const int geom_body[] = {0, 0, 0, 1, 2, 2, 3, 4};
    assert_memory_equal(tx_model_ints(model, TX_GEOM_BODY, NULL), geom_body, sizeof geom_body);
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
    expect_numbers(tx_model_params(model, TX_BODY_QUAT, NULL), body_quat, 16);
    // a default euler wins over a later quat; axisangle, xyaxes and zaxis of the element win over it
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
                                       h,
                                       0,
                                       0,
                                       h,
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
    expect_numbers(tx_model_params(model, TX_GEOM_QUAT, NULL), geom_quat, 28);

    // a class changes the first numbers of a list; a later main section does not change classes made before
    const double *friction = tx_model_params(model, TX_GEOM_FRICTION, NULL);
    static const double floor_friction[] = {0.6, 0.1, 1e-4}, class_friction[] = {0.7, 0.005, 1e-4};
    expect_numbers(friction, floor_friction, 3);
    expect_numbers(friction + 9, class_friction, 3);
    static const double capsule[] = {0.3, 0.2};
    expect_numbers(tx_model_params(model, TX_GEOM_SIZE, NULL) + 12, capsule, 2);
    assert_true(tx_model_params(model, TX_GEOM_SOLIMP, NULL)[20] == 0.8);
    static const double red[] = {1, 0, 0, 0.5};
    expect_numbers(tx_model_data_array(model, TX_GEOM_RGBA, NULL) + 12, red, 4);

    // degrees for the hinge, metres for the slide, no defaults for the free joint
    static const double range[] = {-1.5707963267948966, 0.7853981633974483, -90, 45};
    expect_numbers(tx_model_params(model, TX_JNT_RANGE, NULL) + 2, range, 4);
    static const double armature[] = {0, 0, 0, 0, 0, 0, 1, 1}, damping[] = {0, 0, 0, 0, 0, 0, 0, 3};
    expect_numbers(tx_model_params(model, TX_DOF_ARMATURE, NULL), armature, 8);
    expect_numbers(tx_model_params(model, TX_DOF_DAMPING, NULL), damping, 8);
    assert_true(fabs(tx_model_params(model, TX_QPOS0, NULL)[7] - 0.5235987755982988) <= 1e-15);
    assert_true(fabs(tx_model_params(model, TX_QPOS_SPRING, NULL)[7] - 0.2617993877991494) <= 1e-15);

    static const double gear[] = {5, 2};
    for (int i = 0; i < 2; i++) expect_numbers(tx_model_params(model, TX_ACTUATOR_GEAR, NULL) + 6 * i, gear + i, 1);
    static const int ctrl_limited[] = {1, 0}, force_limited[] = {0, 1};
    assert_memory_equal(tx_model_ints(model, TX_ACTUATOR_CTRLLIMITED, NULL), ctrl_limited, sizeof ctrl_limited);
    assert_memory_equal(tx_model_ints(model, TX_ACTUATOR_FORCELIMITED, NULL), force_limited, sizeof force_limited);
    assert_true(tx_model_data_array(model, TX_KEY_TIME, NULL)[0] == 2);
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
    expect_numbers(tx_model_params(model, TX_JNT_RANGE, NULL), (double[]){-60, 60, -60, 60, -third, third}, 6);
    expect_numbers(tx_model_params(model, TX_ACTUATOR_CTRLRANGE, NULL), (double[]){-60, 60, -third, third}, 4);
    assert_memory_equal(tx_model_ints(model, TX_JNT_LIMITED, NULL), ((int[]){0, 0, 1}), 3 * sizeof(int));
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

// the numbers are those of MuJoCo 3.12.0 for the same text
// clang-format off
static void the_core_means_what_it_means_in_mujoco(void **state) {
    tx_diag diag = {0};
    tx_model *model = tx_load_string(core, sizeof core - 1, "core", &diag);
    assert_int_equal(diag.count, 0);
    assert_non_null(model);
    const tx_options *options = tx_model_options(model);
    assert_int_equal(options->integrator, TX_MIDPOINT); // <custom> wins over <option>
    assert_true(!options->frictionloss && options->limit);

    // frames are gone: what stood in them stands in the body, turned and moved
    static const double h = 0.7071067811865476;
    static const double body_pos[] = {-0.2499999999999998, 2.75, 2.387627564304205, 1, 0, 2};
    static const double body_quat[] = {0.4330127018922193, 0.4330127018922193, 0.7865660924854929, 0.07945931129894557,
                                       h, 0, h, 0};
    expect_numbers(param(model, TX_BODY_POS) + 3, body_pos, 6);
    expect_numbers(param(model, TX_BODY_QUAT) + 4, body_quat, 8);
    static const double geom_pos[] = {1, 2.5, 3, 0, 1, 2, 0.5, 0.5, 2};
    static const double geom_quat[] = {0.5, 0.5, -0.5, 0.5, h, 0, h, 0,
                                       0.2705980500730986, 0.6532814824381883, 0.2705980500730985, -0.6532814824381882};
    static const double geom_size[] = {0.1, 0.5, 0, 0.1, 0.2, 0.3, 0.1, 0.1, h};
    expect_numbers(param(model, TX_GEOM_POS), geom_pos, 9);
    expect_numbers(param(model, TX_GEOM_QUAT), geom_quat, 12);
    expect_numbers(param(model, TX_GEOM_SIZE), geom_size, 9);
    static const double jnt_pos[] = {0, 0, 0, 0, 0, 1, 0, 0, 0}, jnt_axis[] = {0, 0, 1, 0, 0, -1, 0, 0, 1};
    expect_numbers(param(model, TX_JNT_POS), jnt_pos, 9);
    expect_numbers(param(model, TX_JNT_AXIS), jnt_axis, 9);
    // a frame's class reaches through it into the bodies below
    static const double red[] = {1, 0, 0, 1};
    for (int g = 0; g < 4; g++) expect_numbers(tx_model_data_array(model, TX_GEOM_RGBA, NULL) + 4 * g, red, 4);

    static const double forces[] = {-5, 5, 0, 0, 0, 0}, loss[] = {0.2, 0.2, 0.2}, gravcomp[] = {0, 0, 0.5, 0, 0};
    static const int force_limited[] = {1, 0, 0}, act_gravcomp[] = {1, 0, 0}, mocap[] = {-1, -1, -1, 0, -1};
    expect_numbers(param(model, TX_JNT_ACTFRCRANGE), forces, 6);
    expect_numbers(param(model, TX_DOF_FRICTIONLOSS), loss, 3);
    expect_numbers(param(model, TX_BODY_GRAVCOMP), gravcomp, 5);
    assert_memory_equal(tx_model_ints(model, TX_JNT_ACTFRCLIMITED, NULL), force_limited, sizeof force_limited);
    assert_memory_equal(tx_model_ints(model, TX_JNT_ACTGRAVCOMP, NULL), act_gravcomp, sizeof act_gravcomp);
    assert_memory_equal(tx_model_ints(model, TX_BODY_MOCAP, NULL), mocap, sizeof mocap);

    // every kind of actuator starts from the same values; what a kind does not use is zero here
    static const double gain[] = {7, 0, 0, 4, 0, 0, 7, 0, 0, 1, 2, 3, 5, 0, 0, 1, 0, 0};
    static const double bias[] = {0, -7, -3, 0, -4, -3, 0, 0, -7, 1, -7, -3, 0, -5, -5, 0, 0, 0};
    static const double gears[] = {1, 1, 1, 2, 1, 1}, ctrl[] = {0, 0, 0.5, 1.5, 0, 0, -1, 1};
    static const int limited[] = {0, 1, 0, 1, 0, 0};
    for (int i = 0; i < 6; i++) {
        expect_numbers(param(model, TX_ACTUATOR_GAIN) + TX_ACTUATOR_NUMBERS * i, gain + 3 * i, 3);
        expect_numbers(param(model, TX_ACTUATOR_BIAS) + TX_ACTUATOR_NUMBERS * i, bias + 3 * i, 3);
        expect_numbers(param(model, TX_ACTUATOR_GEAR) + 6 * i, gears + i, 1);
    }
    expect_numbers(param(model, TX_ACTUATOR_CTRLRANGE), ctrl, 8);
    assert_memory_equal(tx_model_ints(model, TX_ACTUATOR_CTRLLIMITED, NULL), limited, sizeof limited);

    // a pair takes nothing from its geoms
    assert_int_equal(tx_model_size(model, TX_NSPECIAL), 2);
    const int *dim = tx_model_ints(model, TX_SPECIAL_DIM, NULL);
    int plain = dim[0] == 3 ? 0 : 1, twist = 1 - plain;
    assert_true(dim[plain] == 3 && dim[twist] == 4);
    static const double friction[] = {0.3, 0.4, 0.5, 1e-4, 1e-4}, default_friction[] = {0.9, 1, 0.005, 1e-4, 1e-4};
    static const double solref[] = {0.1, 1}, margin[] = {0.01, 0.01}, gap[] = {0.02};
    expect_numbers(param(model, TX_SPECIAL_FRICTION) + 5 * plain, friction, 5);
    expect_numbers(param(model, TX_SPECIAL_FRICTION) + 5 * twist, default_friction, 5);
    expect_numbers(param(model, TX_SPECIAL_SOLREF) + 2 * plain, solref, 2);
    expect_numbers(param(model, TX_SPECIAL_MARGIN), margin, 2);
    expect_numbers(param(model, TX_SPECIAL_GAP) + plain, gap, 1);

    static const double mpos[] = {1, 2, 3}, mquat[] = {0, 1, 0, 0};
    expect_numbers(tx_model_data_array(model, TX_KEY_MPOS, NULL), mpos, 3);
    expect_numbers(tx_model_data_array(model, TX_KEY_MQUAT, NULL), mquat, 4);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_files_say_everything_that_is_wrong),
        cmocka_unit_test(missing_files_are_reported),
        cmocka_unit_test(deep_nesting_is_bounded),
        cmocka_unit_test(long_values_are_bounded),
        cmocka_unit_test(a_number_of_a_thousand_digits_is_no_number),
        cmocka_unit_test(every_prefix_of_a_file_is_refused),
        cmocka_unit_test(a_thousand_errors_are_counted),
        cmocka_unit_test(a_text_has_no_files),
        cmocka_unit_test(a_gigabyte_is_refused),
        cmocka_unit_test(other_encodings_are_read),
        cmocka_unit_test(messages_are_in_the_order_of_the_file),
        cmocka_unit_test(compile_is_not_asked_about_what_is_wrong_already),
        cmocka_unit_test(xml_knows_where_everything_stands),
        cmocka_unit_test(xml_keeps_its_memory_bounded),
        cmocka_unit_test(numbers_are_those_of_strtod),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(nearest_names_are_found),
        cmocka_unit_test(a_good_file_means_what_it_means_in_mujoco),
        cmocka_unit_test(ranges_that_do_not_count_stay_as_written),
        cmocka_unit_test(the_core_means_what_it_means_in_mujoco),
        cmocka_unit_test(mesh_files_are_found),
        cmocka_unit_test(harmless_things_are_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
