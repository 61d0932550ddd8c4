// setup.h - from the options that several commands share to a model and a simulation.
#pragma once
#include "args.h"
#include "thixis/load.h"
#include "thixis/sim.h"

/// How models are loaded.
typedef struct load_args {
    arg_list packages;
    bool strict, collision_mass, visuals;
    const char *coordinates; ///< null: as the file says
} load_args;

/// Rows of the option table for a struct `type` with a load_args `member`.
#define LOAD_OPTIONS(type, member)                                                                               \
    {"package", ARG_LIST, "NAME=DIR", offsetof(type, member.packages),                                           \
     0,         0,        NULL,       "where package://NAME/ of a URDF is; may be repeated (see docs/urdf.md)"}, \
        {"strict", ARG_FLAG, NULL, offsetof(type, member.strict),                                                \
         0,        0,        NULL, "URDF: repairs are errors; run: also steps that did not converge"},           \
        {"collision-mass",                                                                                       \
         ARG_FLAG,                                                                                               \
         NULL,                                                                                                   \
         offsetof(type, member.collision_mass),                                                                  \
         0,                                                                                                      \
         0,                                                                                                      \
         NULL,                                                                                                   \
         "URDF: links without <inertial> weigh what their collision shapes do"},                                 \
        {"visuals", ARG_FLAG, NULL, offsetof(type, member.visuals), 0, 0, NULL, "URDF: keep visual shapes"}, {   \
        "coordinates", ARG_TEXT, "C", offsetof(type, member.coordinates), 0, 0, NULL,                            \
            "reduced or maximal, whatever the file says (see docs/coordinates.md)"                               \
    }

/// Options of a simulation; start from sim_args_default().
typedef struct sim_args {
    int steps;   ///< -1: not given
    double time; ///< [s], < 0: not given
    double dt;   ///< [s], 0: the model's
    int envs, threads, target;
    const char *keyframe; ///< index or name; null: the first one if there is any
    const char *law, *solver;
    arg_list set;
    load_args load;
} sim_args;
sim_args sim_args_default(void);

/// Rows of the option table for a struct `type` with a sim_args `member`.
#define SIM_OPTIONS(type, member)                                                                                    \
    {"steps", ARG_INT, "N", offsetof(type, member.steps), 0, 1e9, NULL, "number of steps"},                          \
        {"time", ARG_REAL, "T", offsetof(type, member.time), 0, 1e9, NULL, "simulated time instead of --steps [s]"}, \
        {"dt", ARG_REAL, "H",  offsetof(type, member.dt),                                                            \
         1e-9, 1e3,      NULL, "length of a step [s]; the model's if not given"},                                    \
        {"envs", ARG_INT, "N", offsetof(type, member.envs), 1, 1e7, NULL, "environments that run together (1)"},     \
        {"threads", ARG_INT, "N",  offsetof(type, member.threads),                                                   \
         1,         1024,    NULL, "threads (1); results do not depend on it"},                                      \
        {"target",                                                                                                   \
         ARG_CHOICE,                                                                                                 \
         "T",                                                                                                        \
         offsetof(type, member.target),                                                                              \
         0,                                                                                                          \
         0,                                                                                                          \
         TARGET_CHOICES,                                                                                             \
         TARGET_CHOICES "; results do not depend on it"},                                                            \
        {"keyframe", ARG_TEXT, "K",  offsetof(type, member.keyframe),                                                \
         0,          0,        NULL, "start: index or name of a keyframe, or 'none' (keyframe 0 if there is one)"},  \
        {"law", ARG_TEXT, "L", offsetof(type, member.law), 0, 0, NULL, "contact law"},                               \
        {"solver", ARG_TEXT, "S", offsetof(type, member.solver), 0, 0, NULL, "solver"},                              \
        LOAD_OPTIONS(type, member.load), {                                                                           \
        "set", ARG_LIST, "key=value", offsetof(type, member.set), 0, 0, NULL,                                        \
            "any option, see 'thixis help options'; may be repeated"                                                 \
    }

/// In the order of tx_target_choice.
#define TARGET_CHOICES "auto scalar avx2 avx512"

/// Prints which solver can solve which law: 'thixis help solvers'.
void list_pairs(FILE *out);

/// The options of a load. @return false after a message when a --package is not NAME=DIR
bool load_options(const arg_command *command, const load_args *args, tx_load_options *options);
/// Loads a model and prints its diagnostics to stderr. @return null when it has errors; *code becomes EXIT_USAGE when
/// the packages are wrong
tx_model *load_model(const arg_command *command, const char *path, const load_args *args, int *code);
/// Prints every message to stderr, one a line.
void print_diagnostics(const tx_diag *diag);

/// Makes the simulation, sets its options and its start. On failure prints why, sets *code and returns null.
tx_sim *make_sim(const arg_command *command, const sim_args *args, const tx_model *model, int *code);

/// The keyframe the options start from: an index, -1: the initial pose, -2: there is no such keyframe.
int start_key(const sim_args *args, const tx_model *model);

/// How many steps --steps or --time ask for with the sim's time step; -1 after a message.
int wanted_steps(const arg_command *command, const sim_args *args, const tx_sim *sim, int default_steps);

/// Whether this machine can run a target, and its name ("scalar", ...).
bool target_exists(tx_target_choice choice);
const char *target_name(tx_target_choice choice);

/// The name of the model, or the file it came from when it has none.
const char *model_title(const tx_model *model, const char *path);
/// Writes the name of a geom, or "geom 7" when it has none.
void geom_title(const tx_model *model, int geom, char *out, size_t size);
