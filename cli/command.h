// command.h - the commands of thixis.
#pragma once
#include "args.h"

/// Each is one file; argv holds what follows the command's name. Returns the exit code.
extern const arg_command run_command, info_command, record_command, demo_command, check_command, dump_command,
    bench_command, query_command, convert_command, solve_command, compare_command, coverage_command;
int run_main(int argc, char **argv);
int info_main(int argc, char **argv);
int record_main(int argc, char **argv);
int demo_main(int argc, char **argv);
int check_main(int argc, char **argv);
int dump_main(int argc, char **argv);
int bench_main(int argc, char **argv);
int query_main(int argc, char **argv);
int convert_main(int argc, char **argv);
int solve_main(int argc, char **argv);
int compare_main(int argc, char **argv);
int coverage_main(int argc, char **argv);
