// main.c - the command thixis: finds the command in a table and runs it.
#include <string.h>

#include "command.h"
#include "load/text.h"
#include "settings.h"
#include "setup.h"
#include "thixis/base.h"

typedef struct entry {
    const arg_command *command;
    int (*run)(int argc, char **argv);
} entry;

static const entry commands[] = {
    {&demo_command, demo_main},       {&run_command, run_main},
    {&record_command, record_main},   {&info_command, info_main},
    {&check_command, check_main},     {&bench_command, bench_main},
    {&dump_command, dump_main},       {&query_command, query_main},
    {&convert_command, convert_main}, {&solve_command, solve_main},
    {&compare_command, compare_main}, {&coverage_command, coverage_main}, // for those who work on Thixis: not in the
                                                                          // overview
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const entry *find(const char *name) {
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].command->name, name) == 0) return &commands[i];
    return NULL;
}

static void overview(FILE *out) {
    fprintf(out, "thixis %s - simulates contact\n\nusage: thixis COMMAND [arguments]\n\ncommands:\n", TX_VERSION);
    for (int i = 0; i < COMMANDS; i++) {
        const arg_command *c = commands[i].command;
        if (c == &coverage_command) continue;
        fprintf(out, "  %-8s %-14s %s\n", c->name, c->operands, c->summary);
    }
    fprintf(out, "  %-8s %-14s %s\n", "help", "[COMMAND]",
            "help of a command; 'help options': keys of --set, 'help laws': laws and solvers");
    fprintf(
        out,
        "\n'thixis --version' prints the version. Exit codes: 0 done, 1 the model, the run or a file failed, 2 wrong "
        "usage.\n");
}

static int unknown(const char *name) {
    tx_nearest nearest = tx_nearest_start(name);
    for (int i = 0; i < COMMANDS; i++)
        tx_nearest_offer(&nearest, commands[i].command->name, strlen(commands[i].command->name));
    tx_nearest_offer_all(&nearest, "help options laws solvers");
    fprintf(stderr, "thixis: unknown command '%s'", name);
    if (nearest.best[0]) fprintf(stderr, " — did you mean '%s'?", nearest.best);
    fprintf(stderr, "\nsee 'thixis help'\n");
    return EXIT_USAGE;
}

static int help(int argc, char **argv) {
    if (argc == 0 || strncmp(argv[0], "-", 1) == 0) overview(stdout);
    else if (strcmp(argv[0], "options") == 0) settings_help(stdout);
    else if (strcmp(argv[0], "solvers") == 0 || strcmp(argv[0], "laws") == 0) list_pairs(stdout);
    else if (strcmp(argv[0], "help") == 0) overview(stdout);
    else if (find(argv[0])) args_help(find(argv[0])->command, stdout);
    else return unknown(argv[0]);
    return EXIT_OK;
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        overview(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        printf("thixis %s\n", TX_VERSION);
        return EXIT_OK;
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return help(argc - 2, argv + 2);
    const entry *e = find(name);
    return e ? e->run(argc - 2, argv + 2) : unknown(name);
}

int main(int argc, char **argv) {
    int code = dispatch(argc, argv);
    // a full disk or a closed pipe must not look like success
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == EXIT_OK) {
        fprintf(stderr, "thixis: standard output cannot be written\n");
        code = EXIT_FAILED;
    }
    return code;
}
