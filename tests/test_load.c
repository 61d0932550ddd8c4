// test_load.c - what the MJCF reader refuses and says, message by message, and the parts it is made of.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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
    assert_null(tx_load_file_with(path, &(tx_load_options){.pictures = true}, &diag));
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

// what is wrong or left out in one element, where it is and what to do
static void texts_say_what_is_wrong(void **state) {
    static const struct {
        const char *text, *message;
    } CASES[] = {
        {"<mujoco><asset><material name='m'/><material name='m'/></asset></mujoco>",
         "text:1:46: error: there are two materials 'm'"},
        {"<mujoco><asset><mesh name='m' builtin='sphere' params='1' vertex='0 0 0'/></asset></mujoco>",
         "text:1:31: error: <mesh> has 'builtin' and a file or vertices — keep one of them"},
        {"<mujoco><asset><mesh name='m' builtin='sphere' params='5'/></asset></mujoco>",
         "text:1:48: error: these are no params of a builtin sphere — subdivisions, 0 to 4"},
        {"<mujoco><asset><mesh name='m' builtin='sphere' params='-1'/></asset></mujoco>",
         "text:1:48: error: these are no params of a builtin sphere — subdivisions, 0 to 4"},
        {"<mujoco><asset><mesh name='m' builtin='hemisphere' params='11'/></asset></mujoco>",
         "text:1:52: error: these are no params of a builtin hemisphere — a resolution, 0 to 10"},
        {"<mujoco><asset><mesh name='m' builtin='cone' params='2 0'/></asset></mujoco>",
         "text:1:46: error: these are no params of a builtin cone — corners, 3 or more, and the radius of the top, 0 "
         "to 1"},
        {"<mujoco><asset><mesh name='m' builtin='cone' params='3 2'/></asset></mujoco>",
         "text:1:46: error: these are no params of a builtin cone — corners, 3 or more, and the radius of the top, 0 "
         "to 1"},
        {"<mujoco><asset><mesh name='m' builtin='supersphere' params='2 1 1'/></asset></mujoco>",
         "text:1:53: error: these are no params of a builtin supersphere — a resolution, 3 or more, and two exponents, "
         "0 or more"},
        {"<mujoco><asset><mesh name='m' builtin='supertorus' params='2 .5 1 1'/></asset></mujoco>",
         "text:1:52: error: these are no params of a builtin supertorus — a resolution, 3 or more, a radius up to 1, "
         "and two exponents, all positive"},
        {"<mujoco><asset><mesh name='m' builtin='supertorus' params='3 2 1 1'/></asset></mujoco>",
         "text:1:52: error: these are no params of a builtin supertorus — a resolution, 3 or more, a radius up to 1, "
         "and two exponents, all positive"},
        {"<mujoco><asset><mesh name='m' builtin='wedge' params='0 1 90 90 .1'/></asset></mujoco>",
         "text:1:47: error: these are no params of a builtin wedge — two resolutions, 1 or more, angles up to 180 and "
         "90 degrees, and a share 0 to 1"},
        {"<mujoco><asset><mesh name='m' builtin='wedge' params='3 3 200 20 .1'/></asset></mujoco>",
         "text:1:47: error: these are no params of a builtin wedge — two resolutions, 1 or more, angles up to 180 and "
         "90 degrees, and a share 0 to 1"},
        {"<mujoco><asset><mesh name='m' builtin='plate' params='0 1'/></asset></mujoco>",
         "text:1:47: error: these are no params of a builtin plate — two resolutions, 1 or more"},
        {"<mujoco><asset><mesh name='m' builtin='prism' params='2'/></asset></mujoco>",
         "text:1:31: error: 'prism' is not a builtin mesh — sphere, hemisphere, cone, supersphere, supertorus, wedge, "
         "plate, grid, box, cylinder, ellipsoid, square and disc exist"},
        {"<mujoco><worldbody><geom name='a' size='1'/></worldbody><sensor><distance geom1='a'/></sensor></mujoco>",
         "text:1:65: error: <distance> needs either a geom or a body: geom1 or body1, geom2 or body2 — for each of the "
         "two sides"},
        {"<mujoco><worldbody><geom name='a' size='1'/></worldbody><sensor><distance geom1='a' body1='world' "
         "geom2='a'/></sensor></mujoco>",
         "text:1:65: error: <distance> needs either a geom or a body: geom1 or body1, geom2 or body2 — for each of the "
         "two sides"},
        {"<mujoco><option iterations='0'/></mujoco>",
         "text:1:17: error: iterations is 0, it takes 1 to 100000 — leave it out for the law's own number"},
        {"<mujoco><option tolerance='-1'/></mujoco>",
         "text:1:17: error: tolerance is -1, it takes 0 to 1e+10 — leave it out for the law's own"},
        {"<mujoco><worldbody><body name='a'/><body name='b'/><body name='c'/></worldbody><deformable><flex name='f' "
         "dim='2' body='a b c' vertex='0 0 0 1 0 0 0 1 0' element='0 1 3'/></deformable></mujoco>",
         "text:1:155: error: an element of <flex> has vertex 3, but there are 3 — the first one is 0"},
        {"<mujoco><worldbody><body name='a'/><body name='b'/></worldbody><deformable><flex name='f' dim='1' body='a b' "
         "vertex='0 0 0 1 0 0 0 1 0' element='0 1'/></deformable></mujoco>",
         "text:1:110: error: <flex> has 3 vertices and 2 bodies — one for each, or one body for all"},
        {"<mujoco><worldbody><body name='a'/></worldbody><deformable><flex name='f' dim='1' body='a' vertex='0 0 0 1 "
         "0' element='0 1'/></deformable></mujoco>",
         "text:1:92: error: numbers of vertices are not a multiple of 3"},
        {"<mujoco><worldbody><body name='a'/></worldbody><deformable><flex name='f' dim='1' body='a' vertex='0 0 0 1 0 "
         "0' element='0 1 0'/></deformable></mujoco>",
         "text:1:113: error: <flex> needs attribute 'element' with a multiple of dim + 1 numbers — dim + 1 vertices "
         "each"},
        {"<mujoco><worldbody><body name='a'/></worldbody><deformable><flex name='f' dim='1' body='a' vertex='0 0 0 1 0 "
         "0'/></deformable></mujoco>",
         "text:1:60: error: <flex> needs attribute 'element' with a multiple of dim + 1 numbers — dim + 1 vertices "
         "each"},
        {"<model/>",
         "text:1:1: error: the root element is <model> — an MJCF file starts with <mujoco>, a URDF with <robot>"},
        {"<mujoco><worldbody><site name='s' type='mesh'/><site name='t' mesh='m'/><site name='u' type='mesh' "
         "mesh='m'/></worldbody></mujoco>",
         "text:1:20: error: <site> of type mesh needs attribute 'mesh'"},
        {"<mujoco><worldbody><site name='s' type='mesh'/><site name='t' mesh='m'/><site name='u' type='mesh' "
         "mesh='m'/></worldbody></mujoco>",
         "text:1:63: error: only a <site> of type mesh has attribute 'mesh' — use type=\"mesh\""},
        {"<mujoco><worldbody><site name='s' type='mesh'/><site name='t' mesh='m'/><site name='u' type='mesh' "
         "mesh='m'/></worldbody></mujoco>",
         "text:1:100: error: there is no mesh 'm' — define it in <asset>"},
        {"<mujoco><option actuatorgroupdisable='31 -1'/></mujoco>",
         "text:1:17: error: there is no group 31 to switch off — groups 0 to 30 can be switched off"},
        {"<mujoco><option actuatorgroupdisable='31 -1'/></mujoco>",
         "text:1:17: error: there is no group -1 to switch off — groups 0 to 30 can be switched off"},
        {"<mujoco><worldbody><site name='s'/></worldbody><sensor><rangefinder/></sensor></mujoco>",
         "text:1:56: error: <rangefinder> needs either 'site' or 'camera'"},
        {"<mujoco><worldbody><body name='a'/></worldbody><sensor><framepos objtype='body' objname='a' "
         "refname='a'/></sensor></mujoco>",
         "text:1:93: error: <framepos> has 'refname' without 'reftype' — say which kind of frame it names"},
        {"<robot name='r'><link name='a'><inertial><mass value='1'/></inertial></link></robot>",
         "text:1:32: error: <inertial> needs <inertia>"},
        {"<robot name='r'><link name='a'/><link name='b'/></robot>",
         "text:1:33: warning: link 'b' hangs on no joint, nor does 'a': both are fixed to the world — a joint should "
         "have it as child"},
        {"<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "
         "ixy='0' ixz='0' iyz='0'/></inertial><collision name='g'><geometry><sphere "
         "radius='1'/></geometry></collision><collision name='g'><geometry><sphere "
         "radius='1'/></geometry></collision></link><joint name='j' type='continuous'><parent link='a'/><child "
         "link='b'/><axis xyz='0 0 1'/><limit velocity='3' effort='1'/></joint></robot>",
         "text:1:228: warning: there are two geoms 'g' — this one has no name then"},
        {"<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "
         "ixy='0' ixz='0' iyz='0'/></inertial><collision name='g'><geometry><sphere "
         "radius='1'/></geometry></collision><collision name='g'><geometry><sphere "
         "radius='1'/></geometry></collision></link><joint name='j' type='continuous'><parent link='a'/><child "
         "link='b'/><axis xyz='0 0 1'/><limit velocity='3' effort='1'/></joint></robot>",
         "text:1:297: warning: velocity limits are not enforced: 1 joint has one, the first is here — the controller "
         "has to keep them"},
        {"<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='9' "
         "ixy='0' ixz='0' iyz='0'/></inertial></link><link name='c'><inertial><mass value='0'/><inertia ixx='1' "
         "iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' type='continuous'><parent "
         "link='a'/><child link='b'/><axis xyz='0 0 1'/></joint><joint name='k' type='continuous'><parent "
         "link='b'/><child link='c'/><axis xyz='0 0 1'/></joint></robot>",
         "text:1:48: warning: link 'b': no body has inertia 9 1 1 — the nearest that one has is taken, see "
         "docs/urdf.md"},
        {"<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='9' "
         "ixy='0' ixz='0' iyz='0'/></inertial></link><link name='c'><inertial><mass value='0'/><inertia ixx='1' "
         "iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' type='continuous'><parent "
         "link='a'/><child link='b'/><axis xyz='0 0 1'/></joint><joint name='k' type='continuous'><parent "
         "link='b'/><child link='c'/><axis xyz='0 0 1'/></joint></robot>",
         "text:1:151: warning: link 'c' moves but has no mass — it gets 1e-6 kg and 1e-9 kg m²"},
        {"<robot name='r'><link name='a'/><link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='9' "
         "ixy='0' ixz='0' iyz='0'/></inertial></link><link name='c'><inertial><mass value='0'/><inertia ixx='1' "
         "iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' type='continuous'><parent "
         "link='a'/><child link='b'/><axis xyz='0 0 1'/></joint><joint name='k' type='continuous'><parent "
         "link='b'/><child link='c'/><axis xyz='0 0 1'/></joint></robot>",
         "text:1:166: warning: link 'c': no body has inertia without mass — its inertia is set to zero"},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; k++) {
        tx_diag diag = {0};
        char line[1024] = "";
        bool said = false;
        tx_model_destroy(tx_load_string(CASES[k].text, strlen(CASES[k].text), "text", &diag));
        for (int i = 0; i < diag.count && !said; i++) {
            tx_diag_format(&diag, i, line, sizeof line);
            said = strcmp(line, CASES[k].message) == 0;
        }
        if (!said) fail_msg("%s\n'%s' and not '%s'", CASES[k].text, line, CASES[k].message);
        tx_diag_free(&diag);
    }
    // a separator of copies has up to 100 bytes
    for (size_t n = 100; n <= 101; n++) {
        char *text = repeated("<mujoco><worldbody><replicate count='2' sep='", "x", n,
                              "'><body name='b'/></replicate></worldbody></mujoco>");
        tx_diag diag = {0};
        tx_model *m = tx_load_string(text, strlen(text), "text", &diag);
        assert_true((m != NULL) == (n == 100));
        if (n > 100) assert_string_equal(diag.messages[0].text, "sep of <replicate> is too long");
        tx_diag_free(&diag), tx_model_destroy(m), free(text);
    }
}

// XML that is broken anywhere is broken XML, also in the tag of the root; what does not begin with one is none
static void broken_xml_is_said_to_be_that(void **state) {
#define BROKEN "this is not well-formed XML — look for a missing quote, '<' or '>' near this place"
    static const char *const CASES[][2] = {
        {"<mujoco/>x", "text:1:10: error: junk after document element"},
        {"<mujoco/><a/>", "text:1:10: error: junk after document element"},
        {"<mujoco><![CDATA[ x", "text:1:20: error: unclosed CDATA section"},
        {"<mujoco>&lt", "text:1:9: error: the file ends inside a tag — <mujoco> opened at line 1 is not closed"},
        {"<mujoco>&nothing;</mujoco>", "text:1:9: error: undefined entity"},
        {"<mujoco><!-- a -- b --></mujoco>", "text:1:18: error: " BROKEN},
        {"<mujoco a=1/>", "text:1:11: error: " BROKEN},
        {"\n <mujoco model='a<b'/>", "text:2:18: error: " BROKEN},
        {"<mujoco><1/></mujoco>", "text:1:10: error: " BROKEN},
        {"<mujoco>]]></mujoco>", "text:1:11: error: " BROKEN},
        {"<mujoco>\001</mujoco>", "text:1:9: error: " BROKEN},
        {"<", "text:1:1: error: the file ends inside a tag"},
        {"<mujoco", "text:1:1: error: the file ends inside a tag"},
        {" mujoco", "text:1:2: error: this is neither XML nor a compiled model"},
        {"\001\002", "text:1:1: error: this is neither XML nor a compiled model"},
        {"<?xml version='1.0' encoding='klingon'?><mujoco/>", "text:1:31: error: unknown encoding"},
    };
#undef BROKEN
    for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; k++) expect(CASES[k][0], CASES[k][1]);
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

// bytes that are no UTF-8 are told from those that only stand in the wrong place
static void bytes_that_are_not_utf8_are_named(void **state) {
    static const struct {
        const char *name;
        bool foreign;
    } NAMES[] = {
        {"\xe9", true},                                      // é of ISO-8859-1
        {"a\xc3", true},                                     // the second byte is missing
        {"\xc3\xa4 \xe2\x82\xac \xfc", true},                // after two that are sound
        {"\xe2\x82x", true},                                 // the third is missing
        {"\xf0\x9f\x98x", true},                             // the fourth
        {"\xff", true},                                      // never
        {"\xc0\x80", true},                                  // zero in two bytes
        {"\xc3\xa4 & \xe2\x82\xac \xf0\x9f\x98\x80", false}, // sound, but an entity without a name
        {"&", false},
    };
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        char text[200];
        tx_diag diag = {0};
        snprintf(text, sizeof text, "<mujoco>\n<worldbody>\n<body name='%s'/></worldbody></mujoco>", NAMES[i].name);
        assert_null(tx_load_string(text, strlen(text), "text", &diag));
        assert_int_equal(diag.errors, 1);
        assert_int_equal(diag.messages[0].line, 3);
        assert_string_equal(diag.messages[0].text,
                            NAMES[i].foreign ? "this byte is not UTF-8" : "this is not well-formed XML");
        assert_int_equal(strstr(diag.messages[0].hint, "UTF-8") != NULL, NAMES[i].foreign);
        tx_diag_free(&diag);
    }
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_files_say_everything_that_is_wrong),
        cmocka_unit_test(broken_xml_is_said_to_be_that),
        cmocka_unit_test(texts_say_what_is_wrong),
        cmocka_unit_test(missing_files_are_reported),
        cmocka_unit_test(deep_nesting_is_bounded),
        cmocka_unit_test(long_values_are_bounded),
        cmocka_unit_test(a_number_of_a_thousand_digits_is_no_number),
        cmocka_unit_test(every_prefix_of_a_file_is_refused),
        cmocka_unit_test(a_thousand_errors_are_counted),
        cmocka_unit_test(a_text_has_no_files),
        cmocka_unit_test(a_gigabyte_is_refused),
        cmocka_unit_test(other_encodings_are_read),
        cmocka_unit_test(bytes_that_are_not_utf8_are_named),
        cmocka_unit_test(messages_are_in_the_order_of_the_file),
        cmocka_unit_test(compile_is_not_asked_about_what_is_wrong_already),
        cmocka_unit_test(xml_knows_where_everything_stands),
        cmocka_unit_test(xml_keeps_its_memory_bounded),
        cmocka_unit_test(numbers_are_those_of_strtod),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(nearest_names_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
