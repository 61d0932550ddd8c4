// args.h - options of a command: one table row gives an option's parsing and its line of help.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/// What the process returns.
enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_STOPPED = 130 }; // 130: by Ctrl-C, as shells say

/// Kinds of options and the type of the field each one fills.
typedef enum arg_kind {
    ARG_FLAG,   ///< bool
    ARG_INT,    ///< int
    ARG_REAL,   ///< double
    ARG_TEXT,   ///< const char *
    ARG_VEC3,   ///< double[3]; "x,y,z"
    ARG_CHOICE, ///< int: index into the words of `choices`
    ARG_LIST,   ///< arg_list; the option may be given several times
} arg_kind;

enum { ARG_LIST_MAX = 64 };
typedef struct arg_list {
    const char *items[ARG_LIST_MAX];
    int count;
} arg_list;

typedef struct arg_option {
    const char *name; ///< without the dashes
    arg_kind kind;
    const char *value;   ///< what stands for the value in the help; null for a flag
    size_t at;           ///< offset of the field in the command's struct
    double low, high;    ///< range of a number, both ends included
    const char *choices; ///< words with a blank between, for ARG_CHOICE
    const char *help;
} arg_option;

typedef struct arg_command {
    const char *name;
    const char *summary;  ///< one line, for the list of commands
    const char *operands; ///< as in the usage line, such as "MODEL..."
    int least, most;      ///< how many operands
    const arg_option *options;
    int option_count;
    const char *notes; ///< below the options: details and examples; may be null
} arg_command;

typedef enum arg_outcome { ARGS_RUN, ARGS_HELP, ARGS_WRONG } arg_outcome;

/// Reads argv[0 .. argc) into the struct at `into`; operands are moved to the front of argv.
/// @return ARGS_HELP when help was asked for and printed, ARGS_WRONG when a message was printed
arg_outcome args_parse(const arg_command *command, int argc, char **argv, void *into, int *operands);

/// The help of a command.
void args_help(const arg_command *command, FILE *out);

/// Prints "thixis NAME: what" and where to find help, to stderr. @return EXIT_USAGE
int args_error(const arg_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Reads exactly `count` numbers with commas or blanks between.
bool args_reals(const char *text, double *out, int count);
/// Reads integers with commas or blanks between. @return how many, -1: not integers, or more than max
int args_ints(const char *text, int *out, int max);
