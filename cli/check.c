// check.c - thixis check: all problems of model files.
#include "command.h"
#include "setup.h"

typedef struct check_args {
    bool quiet;
    load_args load;
} check_args;

static const arg_option options[] = {
    {"quiet", ARG_FLAG, NULL, offsetof(check_args, quiet), 0, 0, NULL, "no line for files without problems"},
    LOAD_OPTIONS(check_args, load),
};

const arg_command check_command = {
    .name = "check",
    .summary = "prints all problems of model files with line, column and hint",
    .operands = "MODEL...",
    .least = 1,
    .most = 1 << 20,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .notes = "Exit code 1 when a file has errors; warnings alone do not count.",
};

int check_main(int argc, char **argv) {
    check_args a = {0};
    int operands, code = EXIT_OK;
    arg_outcome outcome = args_parse(&check_command, argc, argv, &a, &operands);
    if (outcome != ARGS_RUN) return outcome == ARGS_HELP ? EXIT_OK : EXIT_USAGE;
    tx_load_options how;
    if (!load_options(&check_command, &a.load, &how)) return EXIT_USAGE;
    for (int i = 0; i < operands; i++) {
        tx_diag diag = {0};
        tx_model *model = tx_load_file_with(argv[i], &how, &diag);
        print_diagnostics(&diag);
        if (!model) code = EXIT_FAILED;
        if (!a.quiet || diag.count)
            printf("%s: %d error%s, %d warning%s\n", argv[i], diag.errors, diag.errors == 1 ? "" : "s", diag.warnings,
                   diag.warnings == 1 ? "" : "s");
        tx_model_destroy(model);
        tx_diag_free(&diag);
    }
    return code;
}
