// test_coverage.c - docs/coverage.md says what the loader does: it is the text that the loader's tables give.
#include "reference.h"

#include "load/coverage.h"

static char *text_of(FILE *file, size_t *size) {
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*size + 1);
    assert_int_equal(fread(text, 1, *size, file), *size);
    text[*size] = 0;
    fclose(file);
    return text;
}

static void the_page_is_fresh(void **state) {
    FILE *now = tmpfile();
    assert_non_null(now);
    // false: something is ignored and nobody has said why
    assert_true(tx_coverage_write(now));
    size_t made, there;
    char *text = text_of(now, &made), *page = text_of(fopen(TX_SOURCE_DIR "/docs/coverage.md", "r"), &there);
    if (made != there || memcmp(text, page, made) != 0)
        fail_msg("docs/coverage.md is stale: build/thixis coverage > docs/coverage.md");
    free(text), free(page);
}

// the attributes that a word stands before on a line that begins so
static bool says(const char *text, const char *line, const char *words) {
    const char *at = strstr(text, line), *end = at ? strchr(at, '\n') : NULL;
    const char *found = at ? strstr(at, words) : NULL;
    return found && found < end;
}

// spot checks against what the tests of the loader show: a supported, an ignored, a limited and a waiting attribute
static void it_says_what_the_loader_does(void **state) {
    FILE *now = tmpfile();
    tx_coverage_write(now);
    size_t size;
    char *text = text_of(now, &size);
    assert_true(says(text, "| `geom` | `name`", "`fluidcoef`"));
    assert_true(says(text, "| `geom` | `name`", "`user` (numbers of the user are not kept) |"));
    assert_true(says(text, "| `geom` | `name`", "`adhesion` other than 0"));
    assert_true(says(text, "| `connect` |", "`site1` `site2`"));
    assert_true(says(text, "| `attach` |", "| `model` `body` `frame` `prefix` | | |"));
    assert_true(says(text, "| `composite` |", "all of it"));
    assert_true(says(text, "| `flexcomp` |", "nothing simulates it"));
    assert_true(says(text, "| `freejoint` |", "`align`"));
    assert_true(says(text, "| `dynamics` |", "`damping` `friction`"));
    assert_true(says(text, "| `gazebo` |", "of other programs"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_page_is_fresh),
                                       cmocka_unit_test(it_says_what_the_loader_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
