// coverage.c - thixis coverage: what the loader does with every element and attribute, as docs/coverage.md.
#include "load/coverage.h"

#include "command.h"

const arg_command coverage_command = {
    .name = "coverage",
    .summary = "prints what is read of MJCF and URDF, for docs/coverage.md",
    .operands = "",
};

int coverage_main(int argc, char **argv) {
    int operands;
    arg_outcome outcome = args_parse(&coverage_command, argc, argv, NULL, &operands);
    if (outcome != ARGS_RUN) return outcome == ARGS_HELP ? EXIT_OK : EXIT_USAGE;
    return tx_coverage_write(stdout) ? EXIT_OK : EXIT_FAILED;
}
