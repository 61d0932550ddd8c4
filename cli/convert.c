// convert.c - thixis convert: a model in another form, by the ending of the new file.
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "load/text.h"
#include "setup.h"

typedef struct convert_args {
    bool force;
    load_args load;
} convert_args;

static const arg_option options[] = {
    {"force", ARG_FLAG, NULL, offsetof(convert_args, force), 0, 0, NULL, "replace OUT if it is there"},
    LOAD_OPTIONS(convert_args, load),
};

const arg_command convert_command = {
    .name = "convert",
    .summary = "writes a model as a compiled file or as MJCF",
    .operands = "IN OUT",
    .least = 2,
    .most = 2,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .notes = "IN: MJCF, URDF or a compiled model. The ending of OUT says what it becomes:\n"
             "  .txm   compiled: loads without parsing, hulls or fields; for the version that wrote it\n"
             "  .xml   MJCF, as MuJoCo 4.0 reads it: masses, frames and meshes as they were compiled\n"
             "  .mjz   the same in a Zip archive\n"
             "Either way the dynamics are the same. OUT is there as a whole or not at all.",
};

// what a file becomes; -1: the ending says nothing
enum { COMPILED, MJCF };
static int form_of(const char *path) {
    if (tx_ends_with(path, ".txm")) return COMPILED;
    return tx_ends_with(path, ".xml") || tx_ends_with(path, ".mjz") ? MJCF : -1;
}

static tx_result save(const tx_model *model, const char *path, int form) {
    tx_diag diag = {0};
    tx_result result = form == MJCF ? tx_save_mjcf(model, path, &diag) : tx_model_write(model, path);
    print_diagnostics(&diag);
    if (result != TX_OK && !diag.count) fprintf(stderr, "%s: error: cannot be written — %s\n", path, strerror(errno));
    tx_diag_free(&diag);
    return result;
}

int convert_main(int argc, char **argv) {
    convert_args a = {0};
    int operands, code = EXIT_FAILED;
    arg_outcome outcome = args_parse(&convert_command, argc, argv, &a, &operands);
    if (outcome != ARGS_RUN) return outcome == ARGS_HELP ? EXIT_OK : EXIT_USAGE;
    const char *path = argv[1];
    int form = form_of(path);
    if (form < 0) return args_error(&convert_command, "'%s' ends neither in .txm nor in .xml or .mjz", path);
    struct stat there;
    if (!a.force && stat(path, &there) == 0) {
        fprintf(stderr, "%s: error: the file is there already — --force replaces it\n", path);
        return EXIT_FAILED;
    }
    tx_model *model = load_model(&convert_command, argv[0], &a.load, &code);
    if (!model) return code;
    tx_result result = save(model, path, form);
    tx_model_destroy(model);
    return result == TX_OK ? EXIT_OK : EXIT_FAILED;
}
