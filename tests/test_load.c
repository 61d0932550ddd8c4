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

#include "load/text.h"
#include "load/xml.h"
#include "thixis/load.h"

#define BAD TX_SOURCE_DIR "/tests/data/bad/"

// ---- broken files ------------------------------------------------------------------------------------------------

// every message of a file, complete and in order; a path is the name of a file in tests/data/bad
static const struct {
    const char *file;
    const char *messages[24];
} broken[] = {
    // clang-format off
    {"mismatch.xml",
     {
         "mismatch.xml:4:5: error: the closing tag does not fit the open element — <body> opened at line 3 is not closed",
     }},
    {"truncated.xml",
     {
         "truncated.xml:3:5: error: the file ends inside a tag — <worldbody> opened at line 2 is not closed",
     }},
    {"early_end.xml",
     {
         "early_end.xml:3:1: error: the file ends too early — <worldbody> opened at line 2 is not closed",
     }},
    {"token.xml",
     {
         "token.xml:3:16: error: this is not well-formed XML — look for a missing quote, '<' or '>' near this place",
     }},
    {"duplicate.xml",
     {
         "duplicate.xml:3:20: error: duplicate attribute",
     }},
    {"empty.xml",
     {
         "empty.xml:1:1: error: the file has no XML in it",
     }},
    {"junk.xml",
     {
         "junk.xml:1:1: error: this is not XML",
     }},
    {"urdf.xml",
     {
         "urdf.xml:1:1: error: the root element is <robot>, not <mujoco> — URDF is not supported yet",
     }},
    {"entity.xml",
     {
         "entity.xml:3:14: error: external entities are not read",
     }},
    {"laughs.xml",
     {
         "laughs.xml:9:1: error: limit on input amplification factor (from DTD and entities) breached",
     }},
    {"text.xml",
     {
         "text.xml:2:3: warning: text inside <mujoco> is ignored — values stand in attributes, comments in <!-- -->",
         "text.xml:5:13: error: unknown attribute 'siz' in <geom> — did you mean 'size'?",
     }},
    {"names.xml",
     {
         "names.xml:1:23: error: unknown attribute 'modle' in <mujoco> — did you mean 'model'?",
         "names.xml:3:5: error: unknown element <goem> in <worldbody> — did you mean <geom>?",
         "names.xml:5:13: error: unknown attribute 'szie' in <geom> — did you mean 'size'?",
         "names.xml:6:13: error: 'shpere' is not a value of attribute 'type' of <geom> — did you mean 'sphere'?",
         "names.xml:7:13: error: 'blob' is not a value of attribute 'type' of <geom> — one of 'plane' 'sphere' 'capsule' 'box'",
         "names.xml:8:13: error: unknown attribute 'frictoin' in <geom> — did you mean 'friction'?",
         "names.xml:9:7: error: unknown element <motor> in <body> — <motor> belongs in <actuator>",
         "names.xml:10:7: error: unknown element <xyzzy> in <body>",
         "names.xml:11:14: error: unknown element <limit> in <joint>",
         "names.xml:13:11: error: unknown attribute 'nmae' in <site> — did you mean 'name'?",
         "names.xml:15:3: error: unknown element <wordlbody> in <mujoco> — did you mean <worldbody>?",
         "names.xml:16:16: error: unknown attribute 'znaer' in <map> — did you mean 'znear'?",
     }},
    {"numbers.xml",
     {
         "numbers.xml:2:11: error: '0.01x' in attribute 'timestep' of <option> is not a number",
         "numbers.xml:2:28: error: attribute 'gravity' of <option> has 2 numbers; it takes 3",
         "numbers.xml:2:42: error: '1.5' in attribute 'iterations' of <option> is not a whole number",
         "numbers.xml:5:13: error: 'nan' in attribute 'size' of <geom> is not a finite number",
         "numbers.xml:6:13: error: '-INF' in attribute 'size' of <geom> is not a finite number",
         "numbers.xml:7:13: error: '1e999' in attribute 'size' of <geom> is not a finite number",
         "numbers.xml:8:22: error: '1,2,3' in attribute 'pos' of <geom> is not a number — separate numbers by spaces",
         "numbers.xml:9:13: error: attribute 'size' of <geom> has 4 numbers; it takes 1 to 3",
         "numbers.xml:10:22: error: attribute 'quat' of <geom> has 3 numbers; it takes 4",
         "numbers.xml:11:22: error: '99999999999' in attribute 'condim' of <geom> is too large for a whole number",
         "numbers.xml:12:22: error: '0x10' in attribute 'density' of <geom> is not a number",
         "numbers.xml:13:22: error: '1e' in attribute 'mass' of <geom> is not a number",
         "numbers.xml:14:22: error: 'nan' in attribute 'rgba' of <geom> is not a finite number",
         "numbers.xml:15:14: error: attribute 'damping' of <joint> is not supported yet — only the first number is supported so far",
         "numbers.xml:19:10: error: 'inf' in attribute 'qpos' of <key> is not a finite number",
     }},
    {"defaults.xml",
     {
         "defaults.xml:2:12: error: the outermost <default> is class 'main', not 'base' — put it inside another <default>",
         "defaults.xml:4:5: error: <geom> may stand only once in <default>",
         "defaults.xml:5:5: error: a nested <default> needs attribute 'class' — <default class=\"...\">",
         "defaults.xml:7:14: error: unknown attribute 'name' in <joint>",
         "defaults.xml:9:14: error: there are two default classes 'a'",
         "defaults.xml:10:5: error: <position> is not supported yet",
         "defaults.xml:13:11: error: there is no default class 'b' — define it by <default class=...>",
         "defaults.xml:14:13: error: there is no default class 'c' — define it by <default class=...>",
     }},
    {"options.xml",
     {
         "options.xml:2:13: error: 'grad' is not a value of attribute 'angle' of <compiler> — one of 'degree' 'radian'",
         "options.xml:2:26: error: global coordinates are not supported — MuJoCo 2.3.3 or older can load and save the model in local coordinates",
         "options.xml:2:46: error: attribute 'eulerseq' of <compiler> takes three letters out of x y z X Y Z — such as \"xyz\" or \"ZYX\"",
         "options.xml:2:61: error: inertiafromgeom 'false' of <compiler> is not supported yet",
         "options.xml:3:13: error: attribute 'settotalmass' of <compiler> is not supported yet",
         "options.xml:3:30: warning: attribute 'discardvisual' of <compiler> is not supported yet — visual geoms are kept",
         "options.xml:4:11: error: cone 'elliptic' of <option> is not supported yet — use cone=\"pyramidal\" for now",
         "options.xml:4:27: error: integrator 'RK4' of <option> is not supported yet — use integrator=\"Euler\" for now",
         "options.xml:4:44: warning: solver 'PGS' is not here yet: newton is used — it finds the same answer",
         "options.xml:4:57: error: attribute 'density' of <option> is not supported yet — fluid forces come later",
         "options.xml:5:11: error: 'off' is not a value of attribute 'contact' of <flag> — one of 'disable' 'enable'",
         "options.xml:5:25: error: unknown attribute 'passive' in <flag>",
         "options.xml:5:43: warning: attribute 'sleep' of <flag> is not supported yet — everything stays awake",
         "options.xml:6:5: error: <flag> may stand only once in <option>",
         "options.xml:8:14: warning: attribute 'meaninertia' of <statistic> is not supported yet — the stop test uses the computed value",
         "options.xml:9:9: warning: attribute 'nkey' of <size> is not supported yet — keyframes are those in <keyframe>",
         "options.xml:12:14: error: 'thixis.beta' is not supported yet — names that start with 'thixis.' set options of Thixis",
     }},
    {"bodies.xml",
     {
         "bodies.xml:3:14: error: unknown attribute 'name' in <worldbody>",
         "bodies.xml:4:5: error: the world cannot have joints — put it in a <body>",
         "bodies.xml:5:5: error: the world cannot have joints — put it in a <body>",
         "bodies.xml:6:5: error: the world cannot have <inertial> — put it in a <body>",
         "bodies.xml:7:26: error: <body> gives its orientation twice: 'quat' and 'euler' — keep one of them",
         "bodies.xml:8:7: error: <geom> has no orientation: the axis of axisangle is zero",
         "bodies.xml:9:7: error: <geom> has no orientation: an axis of xyaxes is zero, or both are parallel",
         "bodies.xml:10:7: error: <geom> has no orientation: zaxis is zero",
         "bodies.xml:11:7: error: <geom> has no orientation: quat is zero",
         "bodies.xml:12:22: error: mass of <geom> is negative",
         "bodies.xml:13:58: error: <geom> has both 'fromto' and 'pos' — fromto gives the position too",
         "bodies.xml:14:22: error: there is no material 'steel' — define it in <asset>",
         "bodies.xml:15:14: error: <joint> has 'range' but not 'limited' — with autolimits=\"false\" say whether it counts",
         "bodies.xml:17:11: error: attribute 'mocap' of <body> is not supported yet",
         "bodies.xml:17:24: error: attribute 'gravcomp' of <body> is not supported yet",
         "bodies.xml:18:7: error: <inertial> needs attribute 'pos'",
         "bodies.xml:18:7: error: <inertial> needs attribute 'mass'",
         "bodies.xml:18:17: error: <inertial> has both 'fullinertia' and 'diaginertia' — keep one of them",
         "bodies.xml:18:63: error: <inertial> has both 'fullinertia' and 'euler' — fullinertia is about the body's axes",
         "bodies.xml:19:7: error: <inertial> may stand only once in <body>",
     }},
    {"waiting.xml",
     {
         "waiting.xml:4:5: error: <skin> is not supported yet",
         "waiting.xml:8:23: error: attribute 'frictionloss' of <joint> is not supported yet — dry friction in joints comes later",
         "waiting.xml:10:13: error: type 'cylinder' of <geom> is not supported yet — plane, sphere, capsule and box are",
         "waiting.xml:11:13: error: type 'mesh' of <geom> is not supported yet — plane, sphere, capsule and box are",
         "waiting.xml:11:25: error: attribute 'mesh' of <geom> is not supported yet",
         "waiting.xml:12:7: error: <frame> is not supported yet",
         "waiting.xml:15:3: error: <tendon> is not supported yet",
         "waiting.xml:18:12: error: attribute 'site' of <motor> is not supported yet",
         "waiting.xml:19:5: error: <motor> needs attribute 'joint'",
         "waiting.xml:20:5: error: <position> is not supported yet",
         "waiting.xml:22:12: error: <pair> is not supported yet",
         "waiting.xml:23:3: warning: 3 sensors are not supported yet — the motion does not depend on them",
         "waiting.xml:23:53: error: unknown element <jointpoz> in <sensor> — did you mean <jointpos>?",
         "waiting.xml:24:18: error: attribute 'act' of <key> is not supported yet",
     }},
    {"include.xml",
     {
         "include.xml:3:3: error: 'include_part.xml' is already included — a file can be included only once",
         "include.xml:4:3: error: cannot include 'include_missing.xml' — there is no such file",
         "include.xml:5:3: error: 'include.xml' is already included — a file can be included only once",
         "include.xml:6:3: error: <include> takes the attribute 'file' and nothing else — <include file=\"...\"/>",
         "include.xml:9:20: error: unknown attribute 'szie' in <geom> — did you mean 'size'?",
         "include_part.xml:1:29: warning: attribute 'extra' of an included <mujocoinclude> is ignored",
         "include_part.xml:3:11: error: 'x' in attribute 'size' of <geom> is not a number",
         "include_part.xml:5:3: error: 'include_part.xml' is already included — a file can be included only once",
         "mismatch.xml:4:5: error: the closing tag does not fit the open element — <body> opened at line 3 is not closed",
         "urdf.xml:1:1: error: <robot> cannot be included — an included file starts with <mujocoinclude>",
     }},
    // clang-format on
};

static void without_folder(char *text) {
    for (char *at; (at = strstr(text, BAD));) memmove(at, at + strlen(BAD), strlen(at + strlen(BAD)) + 1);
}

static void broken_files_say_everything_that_is_wrong(void **state) {
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        char path[512], line[1024];
        snprintf(path, sizeof path, "%s%s", BAD, broken[i].file);
        tx_diag diag = {0};
        assert_null(tx_load_file(path, &diag));
        for (int k = 0; k < diag.count; k++) {
            tx_diag_format(&diag, k, line, sizeof line);
            without_folder(line);
            assert_true(k < 24 && broken[i].messages[k]);
            assert_string_equal(line, broken[i].messages[k]);
        }
        assert_true(diag.count == 24 || !broken[i].messages[diag.count]);
        tx_diag_free(&diag);
    }
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

static void a_text_has_no_includes(void **state) {
    expect("<mujoco>\n <include file='a.xml'/></mujoco>",
           "text:2:2: error: <include> works only in a file — load the model from a file");
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
    tx_pool pool = {.limit = 1 << 20};
    tx_diag diag = {0};
    tx_xml_element *root = tx_xml_parse(&pool, text, sizeof text - 1, "name", 1, &diag);
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
    tx_pool_free(&pool);
}

static void xml_keeps_its_memory_bounded(void **state) {
    char *text = repeated("<a>", "<b/>", 10000, "</a>");
    tx_pool pool = {.limit = 1 << 18};
    tx_diag diag = {0};
    assert_null(tx_xml_parse(&pool, text, strlen(text), "name", 1, &diag));
    assert_string_equal(diag.messages[0].text, "the file needs too much memory");
    assert_true(pool.taken <= pool.limit);
    tx_diag_free(&diag);
    tx_pool_free(&pool);
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
    expect_numbers(tx_model_params(model, TX_ACTUATOR_GEAR, NULL), gear, 2);
    static const int ctrl_limited[] = {1, 0}, force_limited[] = {0, 1};
    assert_memory_equal(tx_model_ints(model, TX_ACTUATOR_CTRLLIMITED, NULL), ctrl_limited, sizeof ctrl_limited);
    assert_memory_equal(tx_model_ints(model, TX_ACTUATOR_FORCELIMITED, NULL), force_limited, sizeof force_limited);
    assert_true(tx_model_data_array(model, TX_KEY_TIME, NULL)[0] == 2);
    tx_model_destroy(model);
    tx_diag_free(&diag);
}

static void harmless_things_are_silent(void **state) {
    const char *text = "<mujoco><visual><map znear='0.1'/></visual><size njmax='10'/><tendon/>"
                       "<asset><texture name='t' type='2d' builtin='checker' width='8' height='8'/>"
                       "<material name='m' texture='t'/></asset>"
                       "<option jacobian='dense'><flag energy='enable' midphase='disable'/></option>"
                       "<worldbody><light pos='0 0 3'/><camera name='c'/><site name='s'/>"
                       "<geom type='plane' size='1 1 1' material='m' user='1 2'/>"
                       "<body gravcomp='0' mocap='false'><freejoint align='false'/>"
                       "<geom size='1' pos='' adhesion='0' fluidshape='none'/></body></worldbody></mujoco>";
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
        cmocka_unit_test(a_text_has_no_includes),
        cmocka_unit_test(other_encodings_are_read),
        cmocka_unit_test(messages_are_in_the_order_of_the_file),
        cmocka_unit_test(compile_is_not_asked_about_what_is_wrong_already),
        cmocka_unit_test(xml_knows_where_everything_stands),
        cmocka_unit_test(xml_keeps_its_memory_bounded),
        cmocka_unit_test(numbers_are_those_of_strtod),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(nearest_names_are_found),
        cmocka_unit_test(a_good_file_means_what_it_means_in_mujoco),
        cmocka_unit_test(harmless_things_are_silent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
