// detect_mujoco.c - detection of one environment, ours and MuJoCo's, at the same pose. bench/collide compiles it.
//
//   detect_mujoco LIBRARY REPEATS CHECK OUT.csv PREFIX FILE SECONDS...     the pose after that many seconds of ours
//
// One thread, thread CPU time, in turns; geom poses are made before. Ours is tx_detect(), from poses to contact
// records; MuJoCo's is mj_collision(), which also makes records. The median of the ratios of the repeats counts. The
// contacts of both are compared, so that a speed is never quoted for other contacts.
#define _GNU_SOURCE
#include <math.h>
#include <mujoco/mujoco.h>

#include "base/fpenv.h"
#include "collide/detect.h"
#include "measure.h"
#include "sim/internal.h"
#include "thixis/load.h"

enum { REPEATS_MAX = 1001, CALLS = 200 };
static const double WANTED = 0.5;

static double now(void) { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

typedef struct peer {
    mjModel *(*load)(const char *file, const void *vfs, char *error, int size);
    mjData *(*make_data)(const mjModel *m);
    void (*kinematics)(const mjModel *m, mjData *d);
    void (*com)(const mjModel *m, mjData *d);
    void (*collision)(const mjModel *m, mjData *d);
} peer;

static bool open_peer(const char *path, peer *p) {
    const mujoco_symbol symbols[] = {{&p->load, "mj_loadXML"},
                                     {&p->make_data, "mj_makeData"},
                                     {&p->kinematics, "mj_kinematics"},
                                     {&p->com, "mj_comPos"},
                                     {&p->collision, "mj_collision"}};
    return open_mujoco(path, symbols, sizeof symbols / sizeof symbols[0]);
}

// largest difference of the distances and positions of the contacts, pair by pair; infinite when the sets differ
static double contact_error(const tx_block *b, const mjData *d) {
    double error = b->ncontact[0] == d->ncon ? 0 : INFINITY;
    for (int i = 0; i < b->ncontact[0]; i++) {
        double nearest = INFINITY;
        const tx_contact *c = &b->contacts[i];
        for (int k = 0; k < d->ncon; k++) {
            const mjContact *other = &d->contact[k];
            if (other->geom[0] != c->geom[0] || other->geom[1] != c->geom[1]) continue;
            double apart = fabs(other->dist - c->dist);
            for (int x = 0; x < 3; x++) apart = fmax(apart, fabs(other->pos[x] - c->pos[x]));
            nearest = fmin(nearest, apart);
        }
        error = fmax(error, nearest);
    }
    return error;
}

typedef struct scene {
    const peer *mj;
    mjModel *model;
    mjData *data;
    tx_sim *sim;
    tx_block *block;
} scene;

static double time_ours(const scene *s) {
    tx_fpenv env = tx_fpenv_enter();
    double start = now();
    for (int i = 0; i < CALLS; i++) tx_detect(s->block, 0);
    double took = (now() - start) / CALLS;
    tx_fpenv_leave(env);
    return took;
}

static double time_peer(const scene *s) {
    double start = now();
    for (int i = 0; i < CALLS; i++) s->mj->collision(s->model, s->data);
    return (now() - start) / CALLS;
}

// the pose `seconds` after the start, in both; gravity makes things fall and lie
static void take_pose(scene *s, double seconds) {
    const tx_model *m = tx_sim_model(s->sim);
    double dt = tx_sim_options(s->sim).timestep;
    tx_sim_reset(s->sim, -1, NULL);
    tx_sim_step_n(s->sim, (int)(seconds / dt + 0.5));
    tx_sim_forward(s->sim);
    memcpy(s->data->qpos, tx_sim_array(s->sim, TX_ARRAY_QPOS), sizeof(double) * (size_t)m->nq);
    s->mj->kinematics(s->model, s->data);
    s->mj->com(s->model, s->data);
    s->mj->collision(s->model, s->data);
}

static double measure(scene *s, double seconds, int repeats, FILE *csv, const char *prefix, const char *name) {
    static double ours[REPEATS_MAX], peers[REPEATS_MAX], ratio[REPEATS_MAX];
    take_pose(s, seconds);
    double error = contact_error(s->block, s->data);
    for (int r = 0; r < repeats; r++) {
        for (int turn = 0; turn < 2; turn++)
            if ((r + turn) & 1) ours[r] = time_ours(s);
            else peers[r] = time_peer(s);
        ratio[r] = ours[r] / peers[r];
    }
    double middle = median(ratio, repeats), us = 1e6 * median(ours, repeats), us_peer = 1e6 * median(peers, repeats);
    fprintf(csv, "%s,%s,%g,%d,%d,%d,%.4f,%.4f,%.4f,%.4f,%.4f,%.1e\n", prefix, name, seconds, s->block->ncontact[0],
            s->data->ncon, repeats, us, us_peer, middle, ratio[0], ratio[repeats - 1], error);
    printf("%s after %g s: %d contacts (MuJoCo %d, largest difference %.1e): ours %.3f us, MuJoCo %.3f us, ratio %.3f "
           "(%.3f to %.3f)\n",
           name, seconds, s->block->ncontact[0], s->data->ncon, error, us, us_peer, middle, ratio[0],
           ratio[repeats - 1]);
    return error < 1e-6 ? middle : INFINITY;
}

int main(int argc, char **argv) {
    peer mj;
    int repeats = argc > 2 ? atoi(argv[2]) : 0;
    if (argc < 8 || repeats < 1 || repeats > REPEATS_MAX || !open_peer(argv[1], &mj)) {
        fprintf(stderr, "usage: detect_mujoco LIBRARY REPEATS CHECK OUT.csv PREFIX FILE SECONDS...\n");
        return 2;
    }
    char error[500] = "";
    const char *file = argv[6], *slash = strrchr(file, '/');
    tx_model *model = tx_load_file(file, NULL);
    scene s = {.mj = &mj, .model = mj.load(file, NULL, error, sizeof error)};
    FILE *csv = fopen(argv[4], "a");
    if (!model || !s.model || !csv) {
        fprintf(stderr, "%s: %s\n", file, error);
        return 1;
    }
    tx_sim_def def = tx_default_sim_def();
    s.data = mj.make_data(s.model), s.sim = tx_sim_create(model, &def), s.block = s.sim->blocks[0];
    fprintf(csv, "commit,model,seconds,contacts_ours,contacts_mujoco,repeats,us_ours,us_mujoco,ratio,ratio_least,"
                 "ratio_most,difference\n");
    int missed = 0;
    for (int i = 7; i < argc; i++)
        missed += !(measure(&s, atof(argv[i]), repeats, csv, argv[5], slash ? slash + 1 : file) <= WANTED);
    fclose(csv);
    bool check = atoi(argv[3]) != 0;
    if (check) printf("%s: %d ratios above %g\n", missed ? "FAILED" : "PASSED", missed, WANTED);
    return check && missed ? 3 : 0;
}
