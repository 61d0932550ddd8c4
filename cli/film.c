// film.c - frames at even times; raw pixels through a pipe to ffmpeg, or PNG files.
#include "film.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// ---- ffmpeg --------------------------------------------------------------------------------------------------------

typedef struct encoder {
    pid_t process;
    FILE *pipe;
} encoder;

static bool start_encoder(const film_def *def, encoder *e) {
    char size[32], rate[32];
    snprintf(size, sizeof size, "%dx%d", def->picture.width, def->picture.height);
    snprintf(rate, sizeof rate, "%g", def->rate);
    // a name that starts with a dash is no option
    char *file = malloc(strlen(def->mp4) + 8);
    int ends[2];
    if (!file || pipe(ends) != 0) {
        free(file);
        return false;
    }
    sprintf(file, "file:%s", def->mp4);
    // even sizes: the usual players want every second pixel's colour
    char *words[] = {
        "ffmpeg", "-y",      "-loglevel", "error", "-f",       "rawvideo", "-pix_fmt",  "rgb24",
        "-s",     size,      "-r",        rate,    "-i",       "-",        "-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2",
        "-c:v",   "libx264", "-crf",      "20",    "-pix_fmt", "yuv420p",  "-movflags", "+faststart",
        "-f",     "mp4",     file,        NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    int failed = posix_spawnp(&e->process, "ffmpeg", &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    free(file);
    close(ends[0]);
    e->pipe = failed ? NULL : fdopen(ends[1], "wb");
    if (!e->pipe) close(ends[1]);
    if (failed == ENOENT)
        fprintf(stderr,
                "thixis: films need ffmpeg (Debian: package ffmpeg); --frames DIR writes PNG files without it\n");
    else if (!e->pipe) fprintf(stderr, "thixis: ffmpeg cannot be started: %s\n", strerror(failed ? failed : errno));
    return e->pipe != NULL;
}

// false with a message where the film is not whole
static bool end_encoder(encoder *e, const char *path) {
    if (!e->pipe) return true;
    bool sent = fclose(e->pipe) == 0;
    int status = 0;
    while (waitpid(e->process, &status, 0) < 0 && errno == EINTR) continue;
    bool good = sent && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!good) fprintf(stderr, "thixis: ffmpeg did not finish %s\n", path);
    return good;
}

// ---- frames --------------------------------------------------------------------------------------------------------

// the step whose state frame `i` shows
static int step_of(const tx_sim *sim, const film_def *def, int i) {
    double step = i * def->speed / (def->rate * tx_sim_options(sim).timestep);
    return step < def->steps ? (int)lround(step) : def->steps;
}

static int frame_count(const tx_sim *sim, const film_def *def) {
    int count = 1;
    while (step_of(sim, def, count - 1) < def->steps && count < 1 << 20) count++;
    return count;
}

// from one frame to the next
static bool advance(tx_sim *sim, const film_def *def, int i, drive_result *run) {
    int steps = i > 0 ? step_of(sim, def, i) - step_of(sim, def, i - 1) : 0;
    drive_result part = drive(sim, &(drive_def){.steps = steps});
    run->seconds += part.seconds, run->result = part.result;
    run->info.env_steps += part.info.env_steps, run->info.not_converged += part.info.not_converged;
    run->info.worst_solve_error = fmax(run->info.worst_solve_error, part.info.worst_solve_error);
    run->info.diverged = part.info.diverged;
    return part.result == TX_OK;
}

// one camera for the whole film: it frames the bodies at nine of its times, then the state is as before
static bool find_camera(tx_sim *sim, const film_def *def, tx_camera *camera) {
    enum { TIMES = 8 };
    const int count = frame_count(sim, def);
    picture_def look = def->picture;
    look.forces = false;
    size_t size = tx_sim_state_size(sim);
    void *start = malloc(size);
    tx_scene *scene = tx_scene_create();
    drive_result run = {0};
    bool ok = start && scene && tx_sim_save(sim, start, size) == TX_OK;
    for (int i = 0, next = 0; ok && i < count; i++) {
        ok = advance(sim, def, i, &run);
        if (!ok || (i < next * (count - 1) / TIMES && i + 1 < count)) continue;
        look.plain = next > 0 || def->picture.plain;
        next++;
        ok = picture_scene(sim, NULL, &look, scene);
    }
    ok = ok && picture_camera(sim, scene, &def->picture, camera);
    ok = ok && tx_sim_restore(sim, start, size) == TX_OK;
    tx_scene_destroy(scene);
    free(start);
    return ok;
}

static bool write_frame(const film_def *def, const encoder *e, const tx_image *image, int i) {
    char path[4096];
    if (def->folder) {
        bool named = snprintf(path, sizeof path, "%s/frame_%05d.png", def->folder, i) < (int)sizeof path;
        tx_diag diag = {0};
        const bool written = named && tx_image_write_png(image, path, &diag) == TX_OK;
        const char *why = !named ? "the name is too long" : diag.count > 0 ? diag.messages[0].text : "out of memory";
        if (!written) fprintf(stderr, "thixis: a frame cannot be written: %s\n", why);
        tx_diag_free(&diag);
        if (!written) return false;
    }
    size_t bytes = 3 * (size_t)image->width * (size_t)image->height;
    return !e->pipe || fwrite(image->rgb, 1, bytes, e->pipe) == bytes;
}

static bool draw_frames(tx_sim *sim, const film_def *def, const encoder *e, drive_result *run) {
    const int count = frame_count(sim, def);
    picture_def look = def->picture;
    tx_scene *scene = tx_scene_create();
    tx_image image = {0};
    bool ok = scene && tx_image_alloc(&image, def->picture.width, def->picture.height) == TX_OK, drawn = ok;
    for (int i = 0; ok && i < count; i++) {
        tx_scene_clear(scene);
        tx_camera camera;
        drawn = advance(sim, def, i, run) && picture_scene(sim, NULL, &look, scene) &&
                picture_camera(sim, scene, &look, &camera) && tx_scene_render(scene, &camera, &image) == TX_OK;
        // floor and haze stay as they are in the first frame, wherever a camera of the model goes
        if (drawn && i == 0) look.model_distance = camera.distance;
        ok = drawn && write_frame(def, e, &image, i);
    }
    if (!drawn) fprintf(stderr, "thixis: the film cannot be drawn: camera out of range or out of memory\n");
    tx_image_free(&image);
    tx_scene_destroy(scene);
    return ok;
}

bool film_write(tx_sim *sim, const film_def *given, drive_result *run) {
    film_def def = *given;
    tx_camera camera;
    encoder e = {0};
    *run = (drive_result){.result = TX_OK};
    if (def.folder && mkdir(def.folder, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "thixis: %s: %s\n", def.folder, strerror(errno));
        return false;
    }
    if (!def.picture.camera && !def.picture.model_camera) {
        if (!find_camera(sim, &def, &camera)) {
            fprintf(stderr, "thixis: the film cannot be simulated\n");
            return false;
        }
        def.picture.camera = &camera;
    }
    // an encoder that ends early closes the pipe: that is told by what it returns
    signal(SIGPIPE, SIG_IGN);
    bool ok = (!def.mp4 || start_encoder(&def, &e)) && draw_frames(sim, &def, &e, run);
    return end_encoder(&e, def.mp4) && ok;
}
