// record.c - thixis record: simulates and draws: a picture of the end, or a film.
#include "command.h"
#include "film.h"
#include "setup.h"

#include <math.h>
#include <string.h>

typedef struct record_args {
    sim_args sim;
    const char *png, *mp4, *frames, *groups, *camera;
    int width, height;
    double azimuth, elevation, distance, lookat[3], rate, speed;
    int forces, caption;
} record_args;

static const arg_option options[] = {
    {"png", ARG_TEXT, "FILE", offsetof(record_args, png), 0, 0, NULL, "picture of the end"},
    {"mp4", ARG_TEXT, "FILE", offsetof(record_args, mp4), 0, 0, NULL, "film of the run, by ffmpeg"},
    {"frames", ARG_TEXT, "DIR", offsetof(record_args, frames), 0, 0, NULL, "film as frame_00000.png ... in a folder"},
    {"fps", ARG_REAL, "N", offsetof(record_args, rate), 1, 1000, NULL, "pictures a second of the film (30)"},
    {"speed", ARG_REAL, "X", offsetof(record_args, speed), 1e-4, 1e4, NULL, "simulated seconds a second of film (1)"},
    SIM_OPTIONS(record_args, sim),
    {"groups", ARG_TEXT, "G,G,...", offsetof(record_args, groups), 0, 0, NULL,
     "geom groups that are drawn, 0 to 5, or 'all' (0,1,2)"},
    {"width", ARG_INT, "N", offsetof(record_args, width), 16, 8192, NULL, "pixels (1280)"},
    {"height", ARG_INT, "N", offsetof(record_args, height), 16, 8192, NULL, "pixels (720)"},
    {"camera", ARG_TEXT, "C", offsetof(record_args, camera), 0, 0, NULL,
     "name or index of a camera of the model; else everything fits"},
    {"azimuth", ARG_REAL, "A", offsetof(record_args, azimuth), -3600, 3600, NULL,
     "direction of view about the vertical, from +x [degree] (130)"},
    {"elevation", ARG_REAL, "E", offsetof(record_args, elevation), -90, 90, NULL, "negative looks down [degree] (-22)"},
    {"distance", ARG_REAL, "D", offsetof(record_args, distance), 1e-3, 1e6, NULL, "of the camera [m]; else all fits"},
    {"lookat", ARG_VEC3, "x,y,z", offsetof(record_args, lookat), 0, 0, NULL, "point in the middle [m]; else all fits"},
    {"forces", ARG_CHOICE, "on|off", offsetof(record_args, forces), 0, 0, "off on", "contact points and forces (on)"},
    {"caption", ARG_CHOICE, "on|off", offsetof(record_args, caption), 0, 0, "off on", "text in the corners (on)"},
};

const arg_command record_command = {
    .name = "record",
    .summary = "simulates and writes a picture or a film with contact points and forces",
    .operands = "MODEL",
    .least = 1,
    .most = 1,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .notes = "One of --png, --mp4 and --frames is needed. Without --steps and --time the start is drawn.\n"
             "Arrows are forces on the bodies that move. Geoms of groups 3 to 5, by custom collision hulls, are not "
             "drawn.\n\n"
             "examples:\n"
             "  thixis record scenes/balls.xml --time 2 --png balls.png\n"
             "  thixis record scenes/humanoid.xml --time 4 --mp4 humanoid.mp4 --forces off\n"
             "  thixis record scenes/core_cameras.xml --camera watch --png watch.png\n"
             "  thixis record robot.urdf --visuals --png robot.png",
};

// bit g for each group; 0 with a message when the text is no list of groups
static unsigned groups_of(const char *text) {
    int groups[16];
    unsigned bits = 0;
    if (!text) return TX_DRAWN_GROUPS;
    if (strcmp(text, "all") == 0) return 63;
    int count = args_ints(text, groups, 16);
    bool good = count > 0;
    for (int i = 0; i < count; i++) {
        good = good && groups[i] >= 0 && groups[i] <= 5;
        if (good) bits |= 1u << groups[i];
    }
    if (!good) args_error(&record_command, "--groups wants numbers from 0 to 5 such as 0,2, or 'all', not '%s'", text);
    return good ? bits : 0;
}

static bool write_all(const record_args *a, const picture_def *picture, tx_sim *sim, int steps, drive_result *run) {
    bool film = a->mp4 || a->frames;
    film_def def = {*picture, steps, a->rate, a->speed, a->frames, a->mp4};
    if (!film) stop_gently(); // a film ends where it was stopped, without a report
    if (!film) *run = drive(sim, &(drive_def){.steps = steps, .progress = true});
    bool ok = film ? film_write(sim, &def, run) : run->result == TX_OK;
    if (run->result != TX_OK) fprintf(stderr, "thixis record: %s\n", tx_result_text(run->result));
    ok = ok && (!a->png || picture_write(sim, run, picture, a->png));
    const char *written[] = {a->mp4, a->frames, a->png};
    for (int i = 0; ok && i < 3; i++)
        if (written[i]) printf("%s\n", written[i]);
    return ok;
}

int record_main(int argc, char **argv) {
    record_args a = {.sim = sim_args_default(),
                     .width = 1280,
                     .height = 720,
                     .azimuth = NAN,
                     .elevation = NAN,
                     .lookat = {NAN, NAN, NAN},
                     .rate = 30,
                     .speed = 1,
                     .forces = 1,
                     .caption = 1};
    int operands, code = EXIT_FAILED;
    arg_outcome outcome = args_parse(&record_command, argc, argv, &a, &operands);
    if (outcome != ARGS_RUN) return outcome == ARGS_HELP ? EXIT_OK : EXIT_USAGE;
    if (!a.png && !a.mp4 && !a.frames) return args_error(&record_command, "--png FILE is missing (or --mp4, --frames)");
    const bool aimed = isfinite(a.azimuth) || isfinite(a.elevation) || a.distance > 0 || isfinite(a.lookat[0]);
    if (a.camera && aimed)
        return args_error(&record_command, "--camera excludes --azimuth, --elevation, --distance and --lookat");
    const unsigned groups = groups_of(a.groups);
    if (!groups) return EXIT_USAGE;

    tx_model *model = load_model(&record_command, argv[0], &a.sim.load, &code);
    tx_sim *sim = model ? make_sim(&record_command, &a.sim, model, &code) : NULL;
    int steps = sim ? wanted_steps(&record_command, &a.sim, sim, 0) : 0;
    int camera = sim ? model_camera(&record_command, model, a.camera) : 0;
    if (sim && (steps < 0 || camera < 0)) code = EXIT_USAGE;
    else if (sim) {
        drive_result run = {.result = TX_OK};
        picture_def picture = {.width = a.width,
                               .height = a.height,
                               .azimuth = isfinite(a.azimuth) ? a.azimuth : 130,
                               .elevation = isfinite(a.elevation) ? a.elevation : -22,
                               .distance = a.distance,
                               .lookat = {a.lookat[0], a.lookat[1], a.lookat[2]},
                               .has_lookat = isfinite(a.lookat[0]),
                               .forces = a.forces == 1,
                               .plain = a.caption == 0,
                               .groups = groups,
                               .model_camera = camera,
                               .title = model_title(model, argv[0])};
        if (write_all(&a, &picture, sim, steps, &run))
            code = run.stopped ? EXIT_STOPPED : run.info.diverged ? EXIT_FAILED : EXIT_OK;
        warn_not_converged("record", sim, &run.info);
        char text[512];
        if (tx_sim_status(sim, 0) != TX_OK && tx_sim_status_text(sim, 0, text, sizeof text) > 0)
            fprintf(stderr, "thixis record: %s\n", text);
    }
    tx_sim_destroy(sim);
    tx_model_destroy(model);
    return code;
}
