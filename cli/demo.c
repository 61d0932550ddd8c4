// demo.c - thixis demo: a scene of our own until it rests, as a picture; the incline as a table and a figure.
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "incline.h"
#include "load/text.h"
#include "picture.h"
#include "setup.h"

enum { PATH_SIZE = 4096, NAME_SIZE = 128, SCENES_MAX = 256 };

typedef struct demo_args {
    bool list;
    const char *png, *camera, *svg;
} demo_args;

static const arg_option options[] = {
    {"list", ARG_FLAG, NULL, offsetof(demo_args, list), 0, 0, NULL, "list the scenes"},
    {"png", ARG_TEXT, "FILE", offsetof(demo_args, png), 0, 0, NULL, "the picture to write (thixis-demo.png)"},
    {"camera", ARG_TEXT, "C", offsetof(demo_args, camera), 0, 0, NULL, "name or index of a camera of the scene"},
    {"svg", ARG_TEXT, "FILE", offsetof(demo_args, svg), 0, 0, NULL,
     "incline: the figure to write (thixis-incline.svg)"},
};

const arg_command demo_command = {
    .name = "demo",
    .summary = "a picture of a scene at rest, with contact forces",
    .operands = "[NAME]",
    .least = 0,
    .most = 1,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .notes =
        "Without a name: humanoid. Scenes are sought beside the program (../scenes, ../share/thixis/scenes) and in "
        "./scenes.\n"
        "'thixis demo incline' draws no picture: a cube creeps down an incline under every law, in a table beside "
        "MuJoCo's figures and closed forms, and as a figure of distance over time.",
};

// how a scene looks best; the others take the first row
static const struct view {
    const char *scene, *keyframe;
    double time, azimuth, elevation;
} views[] = {
    {"", NULL, 4, 130, -22},         {"humanoid", "drop", 4, 255, -26},  {"balls", NULL, 2, 40, -30},
    {"arm", "reach", 0.3, 150, -22}, {"quadruped", "drop", 2, 130, -22},
};

static const struct view *view_of(const char *scene) {
    for (size_t i = 1; i < sizeof views / sizeof views[0]; i++)
        if (strcmp(views[i].scene, scene) == 0) return &views[i];
    return &views[0];
}

// ---- scenes --------------------------------------------------------------------------------------------------------

static bool is_folder_of_scenes(const char *path) {
    char file[PATH_SIZE + NAME_SIZE];
    snprintf(file, sizeof file, "%s/humanoid.xml", path);
    return access(file, R_OK) == 0;
}

// ../scenes and ../share/thixis/scenes from the program, then ./scenes
static bool find_scenes(char *out) {
    static const char *const beside[] = {"../scenes", "../share/thixis/scenes", "scenes"};
    char program[PATH_SIZE];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    char *slash = NULL;
    if (length > 0) program[length] = 0, slash = strrchr(program, '/');
    for (size_t i = 0; slash && i < sizeof beside / sizeof beside[0]; i++) {
        int written = snprintf(out, PATH_SIZE, "%.*s/%s", (int)(slash - program), program, beside[i]);
        if (written < PATH_SIZE && is_folder_of_scenes(out)) return true;
    }
    snprintf(out, PATH_SIZE, "scenes");
    return is_folder_of_scenes(out);
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

// names of the .xml files, sorted
static int list_names(const char *folder, char (*names)[NAME_SIZE]) {
    DIR *directory = opendir(folder);
    int count = 0;
    for (struct dirent *e; directory && count < SCENES_MAX && (e = readdir(directory));) {
        size_t length = strlen(e->d_name);
        if (length <= 4 || length >= NAME_SIZE || strcmp(e->d_name + length - 4, ".xml") != 0) continue;
        snprintf(names[count++], NAME_SIZE, "%.*s", (int)(length - 4), e->d_name);
    }
    if (directory) closedir(directory);
    qsort(names, (size_t)count, NAME_SIZE, by_name);
    return count;
}

// the first line of a scene's opening comment, without the file's name and the comment's end
static void print_scene(const char *folder, const char *name) {
    char path[PATH_SIZE + 2 * NAME_SIZE], start[512] = "", own[2 * NAME_SIZE];
    snprintf(path, sizeof path, "%s/%s.xml", folder, name);
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(start, 1, sizeof start - 1, file) : 0;
    if (file) fclose(file);
    start[length] = 0;
    char *text = strstr(start, "<!--");
    text = text ? text + 4 + strspn(text + 4, " \n") : start + length;
    text[strcspn(text, "\n")] = 0;
    char *end = strstr(text, "-->");
    if (end) *end = 0;
    snprintf(own, sizeof own, "%s.xml - ", name);
    printf("  %-26s %s\n", name, strncmp(text, own, strlen(own)) == 0 ? text + strlen(own) : text);
}

static int list_scenes(const char *folder) {
    char(*names)[NAME_SIZE] = malloc(sizeof *names * SCENES_MAX);
    int count = names ? list_names(folder, names) : 0;
    printf("scenes in %s:\n", folder);
    for (int i = 0; i < count; i++) print_scene(folder, names[i]);
    free(names);
    return EXIT_OK;
}

static int unknown_scene(const char *folder, const char *name) {
    char(*names)[NAME_SIZE] = malloc(sizeof *names * SCENES_MAX);
    int count = names ? list_names(folder, names) : 0;
    tx_nearest nearest = tx_nearest_start(name);
    for (int i = 0; i < count; i++) tx_nearest_offer(&nearest, names[i], strlen(names[i]));
    free(names);
    if (nearest.best[0]) return args_error(&demo_command, "no scene '%s' — did you mean '%s'?", name, nearest.best);
    return args_error(&demo_command, "no scene '%s' — 'thixis demo --list' shows them", name);
}

// ---- command -------------------------------------------------------------------------------------------------------

static int show(const char *path, const char *scene, const demo_args *a) {
    const struct view *view = view_of(scene);
    sim_args args = sim_args_default();
    args.time = view->time, args.keyframe = view->keyframe;
    int code = EXIT_FAILED;
    tx_model *model = load_model(&demo_command, path, &args.load, &code);
    tx_sim *sim = model ? make_sim(&demo_command, &args, model, &code) : NULL;
    int camera = sim ? model_camera(&demo_command, model, a->camera) : 0;
    if (camera < 0) code = EXIT_USAGE;
    else if (sim) {
        int steps = wanted_steps(&demo_command, &args, sim, 0);
        drive_result run = drive(sim, &(drive_def){.steps = steps, .progress = true});
        picture_def picture = {.width = 1280,
                               .height = 720,
                               .azimuth = view->azimuth,
                               .elevation = view->elevation,
                               .forces = true,
                               .model_camera = camera,
                               .title = model_title(model, scene)};
        if (run.result == TX_OK && picture_write(sim, &run, &picture, a->png)) {
            printf("%s: %d steps of %g s, picture in %s\n", scene, steps, tx_sim_options(sim).timestep, a->png);
            printf("%.0f steps/s, solve error %.1e\n", drive_rate(&run), run.info.worst_solve_error);
            code = run.info.diverged ? EXIT_FAILED : EXIT_OK;
        }
    }
    tx_sim_destroy(sim);
    tx_model_destroy(model);
    return code;
}

static int incline(const char *path, const char *svg) {
    int code = EXIT_FAILED;
    const load_args load = {0};
    tx_model *model = load_model(&demo_command, path, &load, &code);
    if (model) code = incline_demo(model, svg);
    tx_model_destroy(model);
    return code;
}

int demo_main(int argc, char **argv) {
    demo_args a = {.png = "thixis-demo.png", .svg = "thixis-incline.svg"};
    int operands;
    arg_outcome outcome = args_parse(&demo_command, argc, argv, &a, &operands);
    if (outcome != ARGS_RUN) return outcome == ARGS_HELP ? EXIT_OK : EXIT_USAGE;
    char folder[PATH_SIZE], path[PATH_SIZE + 2 * NAME_SIZE];
    if (!find_scenes(folder)) {
        fprintf(stderr, "thixis demo: no scenes beside the program nor in ./scenes\n");
        return EXIT_FAILED;
    }
    if (a.list) return list_scenes(folder);
    const char *scene = operands ? argv[0] : "humanoid";
    if (strlen(scene) >= NAME_SIZE || strchr(scene, '/')) return unknown_scene(folder, scene);
    snprintf(path, sizeof path, "%s/%s.xml", folder, scene);
    if (access(path, R_OK) != 0) return unknown_scene(folder, scene);
    return strcmp(scene, "incline") == 0 ? incline(path, a.svg) : show(path, scene, &a);
}
