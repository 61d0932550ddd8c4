// record.c - thixis record: simulates, then draws.
#include "command.h"
#include "picture.h"
#include "setup.h"

#include <math.h>

typedef struct record_args {
    sim_args sim;
    const char *png;
    int width, height;
    double azimuth, elevation, distance, lookat[3];
    int forces;
} record_args;

static const arg_option options[] = {
    {"png", ARG_TEXT, "FILE", offsetof(record_args, png), 0, 0, NULL, "the picture to write (required)"},
    SIM_OPTIONS(record_args, sim),
    {"width", ARG_INT, "N", offsetof(record_args, width), 16, 8192, NULL, "pixels (1280)"},
    {"height", ARG_INT, "N", offsetof(record_args, height), 16, 8192, NULL, "pixels (720)"},
    {"azimuth", ARG_REAL, "A", offsetof(record_args, azimuth), -3600, 3600, NULL,
     "direction of view about the vertical, from +x [degree] (130)"},
    {"elevation", ARG_REAL, "E", offsetof(record_args, elevation), -90, 90, NULL, "negative looks down [degree] (-22)"},
    {"distance", ARG_REAL, "D", offsetof(record_args, distance), 1e-3, 1e6, NULL, "of the camera [m]; else all fits"},
    {"lookat", ARG_VEC3, "x,y,z", offsetof(record_args, lookat), 0, 0, NULL, "point in the middle [m]; else all fits"},
    {"forces", ARG_CHOICE, "on|off", offsetof(record_args, forces), 0, 0, "off on", "contact points and forces (on)"},
};

const arg_command record_command = {
    .name = "record",
    .summary = "simulates and writes a picture with contact points and forces",
    .operands = "MODEL",
    .least = 1,
    .most = 1,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .notes = "Without --steps and --time the start is drawn. Arrows are forces on the bodies that move.\n\n"
             "example: thixis record scenes/balls.xml --time 2 --png balls.png",
};

int record_main(int argc, char **argv) {
    record_args a = {.sim = sim_args_default(),
                     .width = 1280,
                     .height = 720,
                     .azimuth = 130,
                     .elevation = -22,
                     .lookat = {NAN, NAN, NAN},
                     .forces = 1};
    int operands, code = EXIT_FAILED;
    arg_outcome outcome = args_parse(&record_command, argc, argv, &a, &operands);
    if (outcome != ARGS_RUN) return outcome == ARGS_HELP ? EXIT_OK : EXIT_USAGE;
    if (!a.png) return args_error(&record_command, "--png FILE is missing");

    tx_model *model = load_model(&record_command, argv[0], &a.sim.packages, &code);
    tx_sim *sim = model ? make_sim(&record_command, &a.sim, model, &code) : NULL;
    int steps = sim ? wanted_steps(&record_command, &a.sim, sim, 0) : 0;
    if (sim && steps < 0) code = EXIT_USAGE;
    else if (sim) {
        stop_gently();
        drive_result run = drive(sim, &(drive_def){.steps = steps, .progress = true});
        picture_def picture = {.width = a.width,
                               .height = a.height,
                               .azimuth = a.azimuth,
                               .elevation = a.elevation,
                               .distance = a.distance,
                               .lookat = {a.lookat[0], a.lookat[1], a.lookat[2]},
                               .has_lookat = isfinite(a.lookat[0]),
                               .forces = a.forces == 1,
                               .title = model_title(model, argv[0])};
        if (run.result != TX_OK) fprintf(stderr, "thixis record: %s\n", tx_result_text(run.result));
        else if (picture_write(sim, &run, &picture, a.png)) {
            printf("%s\n", a.png);
            code = run.stopped ? EXIT_STOPPED : run.info.diverged ? EXIT_FAILED : EXIT_OK;
        }
        warn_not_converged("record", sim, &run.info);
        char text[512];
        if (tx_sim_status(sim, 0) != TX_OK && tx_sim_status_text(sim, 0, text, sizeof text) > 0)
            fprintf(stderr, "thixis record: %s\n", text);
    }
    tx_sim_destroy(sim);
    tx_model_destroy(model);
    return code;
}
