// test_archive.c - models in a Zip archive: the same model as from the folder, and what is said of archives that are
// broken. The files of tests/data/archive were written by Python's zipfile.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "load/archive.h"
#include "load/file.h"
#include "thixis/load.h"

#define FOLDER TX_SOURCE_DIR "/tests/data/archive/"

// includes, attached models and meshes come out of the archive too
static void an_archive_is_the_folder(void **state) {
    static const char *const PAIRS[][2] = {{"robot.mjz", "core_attach"}, {"core_mesh.mjz", "core_mesh"}};
    for (int i = 0; i < 2; i++) {
        char path[2][512];
        snprintf(path[0], sizeof path[0], FOLDER "%s", PAIRS[i][0]);
        snprintf(path[1], sizeof path[1], TX_SOURCE_DIR "/scenes/%s.xml", PAIRS[i][1]);
        tx_model *model[2];
        const char *bytes[2];
        size_t size[2];
        for (int k = 0; k < 2; k++) {
            model[k] = tx_load_file(path[k], NULL);
            assert_non_null(model[k]);
            bytes[k] = tx_model_bytes(model[k], &size[k]);
        }
        assert_int_equal(size[0], size[1]);
        assert_memory_equal(bytes[0], bytes[1], size[0]);
        for (int k = 0; k < 2; k++) tx_model_destroy(model[k]);
    }
}

// a saved archive is the saved text
static void a_model_goes_into_an_archive(void **state) {
    char path[2][64];
    tx_model *model = tx_load_file(TX_SOURCE_DIR "/scenes/core_mesh.xml", NULL), *again[2];
    const char *bytes[2];
    size_t size[2];
    assert_non_null(model);
    for (int k = 0; k < 2; k++) {
        snprintf(path[k], sizeof path[k], "archive_%ld.%s", (long)getpid(), k ? "xml" : "mjz");
        assert_int_equal(tx_save_mjcf(model, path[k], NULL), TX_OK);
        again[k] = tx_load_file(path[k], NULL);
        assert_non_null(again[k]);
        bytes[k] = tx_model_bytes(again[k], &size[k]);
    }
    assert_true(tx_archive_is(path[0]) && !tx_archive_is(path[1]));
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    for (int k = 0; k < 2; k++) unlink(path[k]), tx_model_destroy(again[k]);
    tx_model_destroy(model);
}

typedef struct bytes {
    const char *data;
    size_t size;
} bytes;

static bool read_bytes(void *context, size_t offset, void *to, size_t size) {
    const bytes *b = context;
    if (offset > b->size || size > b->size - offset) return false;
    memcpy(to, b->data + offset, size);
    return true;
}

static void broken_archives_are_named(void **state) {
    static const struct {
        const char *file, *text;
    } CASES[] = {{"none.mjz", "the archive has no model"},
                 {"lzma.mjz", "the archive has no model"},
                 {"damaged.mjz", "the archive has no model"},
                 {"small.mjz/other.xml", "there is no such file in the archive"},
                 {"small.mjz/../small.mjz", "there is no such file in the archive"},
                 {"lzma.mjz/model.xml", "stored and deflated files can be read"},
                 {"damaged.mjz/model.xml", "the archive is damaged"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char path[512];
        snprintf(path, sizeof path, FOLDER "%s", CASES[i].file);
        tx_diag diag = {0};
        assert_null(tx_load_file(path, &diag));
        assert_int_equal(diag.errors, 1);
        assert_non_null(strstr(diag.messages[0].text, CASES[i].text));
        tx_diag_free(&diag);
    }
    static const char *const SAME[] = {"./x/../model.xml", "/model.xml", "a/b/../../model.xml", ".//./model.xml"};
    for (int i = 0; i < 4; i++) {
        char path[512];
        snprintf(path, sizeof path, FOLDER "small.mjz/%s", SAME[i]);
        tx_model *model = tx_load_file(path, NULL);
        assert_non_null(model);
        tx_model_destroy(model);
    }
}

// what the directory of an archive says of a file: whether it is encrypted, how it is packed
static void files_that_cannot_be_read_say_why(void **state) {
    static const struct {
        int at, value; // of the entry in the directory
        const char *why;
    } CASES[] = {{8, 1, "the file is encrypted"},
                 {10, 99, "the file is packed in a way that is not known"},
                 {45, 0x7f, "the archive is damaged"}, // where it begins
                 {0, 0, "the archive is damaged"}};
    size_t size = 0, length = 0;
    const char *why = NULL;
    char *content = tx_read_file(FOLDER "small.mjz", 1 << 20, &size, &why), name[6000];
    assert_non_null(content);
    bytes b = {content, size};
    const tx_archive a = {read_bytes, &b, size};
    size_t entry = 0;
    while (entry + 4 < size && memcmp(content + entry, "PK\1\2", 4) != 0) entry++;
    for (int i = 0; i < 4; i++) {
        const char was = content[entry + (size_t)CASES[i].at];
        content[entry + (size_t)CASES[i].at] = (char)CASES[i].value;
        assert_null(tx_archive_read(&a, "model.xml", 1000, &length, &why));
        if (!strstr(why, CASES[i].why)) fail_msg("'%s' is not in '%s'", CASES[i].why, why);
        content[entry + (size_t)CASES[i].at] = was;
    }
    // names that no file can have
    memset(name, 'x', sizeof name - 1), name[sizeof name - 1] = 0;
    const char *const NONE[] = {name, "", "..", "a/..", "../model.xml", "model.xml/", ".model.xml", "..model.xml"};
    for (int i = 0; i < 8; i++) {
        char *read = tx_archive_read(&a, NONE[i], 1000, &length, &why);
        if (read && strcmp(NONE[i], "model.xml/") != 0) fail_msg("there is a file '%.20s'", NONE[i]);
        tx_free(read);
    }
    tx_free(content);
}

// a changed bit is noticed or changes nothing that is read; nothing is read beyond the end
static void every_bit_matters(void **state) {
    size_t size = 0, length = 0;
    const char *why = NULL;
    char *good = tx_read_file(FOLDER "small.mjz", 1 << 20, &size, &why), *bad = malloc(size);
    assert_true(good && bad);
    bytes b = {good, size};
    tx_archive a = {read_bytes, &b, size};
    char *whole = tx_archive_read(&a, "model.xml", 1000, &length, &why);
    assert_non_null(whole);
    assert_null(tx_archive_read(&a, "model.xml", length - 1, &length, &why));
    assert_string_equal(why, "the file is too large");
    int noticed = 0;
    b.data = bad;
    for (size_t bit = 0; bit < 8 * size; bit++) {
        memcpy(bad, good, size);
        bad[bit / 8] ^= (char)(1 << bit % 8);
        size_t now = 0;
        char *read = tx_archive_read(&a, "model.xml", 1000, &now, &why);
        if (read) assert_true(now == length && memcmp(read, whole, length) == 0);
        noticed += !read;
        tx_free(read);
    }
    assert_true(noticed > 300);
    for (b.size = a.length = 0; b.size < size; a.length = ++b.size) {
        memcpy(bad, good, size);
        assert_null(tx_archive_read(&a, "model.xml", 1000, &length, &why));
    }
    tx_free(whole), tx_free(good), free(bad);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_archive_is_the_folder), cmocka_unit_test(a_model_goes_into_an_archive),
        cmocka_unit_test(broken_archives_are_named), cmocka_unit_test(files_that_cannot_be_read_say_why),
        cmocka_unit_test(every_bit_matters)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
