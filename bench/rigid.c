// rigid.c - steps of cubes in a heap by law hard and pgs, in turns with Bullet and ODE; what each makes of the scene is
// measured by one detector. Then two threads in turns with one.
//
//   rigid OUT.csv SCENE... with pyramid (45 rows) or pyramidROWS, pileCUBES with any cube number
//   CHECK=1: fails where a ratio to Bullet is above 0.8
#include "rigid.h"

#include "measure.h"
#include "thixis/load.h"
#include "thixis/sim.h"

// ---- scenes ---------------------------------------------------------------------------------------------------------

static double dice(uint64_t *state) {
    *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
    return (double)(*state >> 11) * 0x1p-53;
}

// each cube on two
static void make_pyramid(rigid_scene *s, int rows) {
    s->cubes = rows * (rows + 1) / 2;
    s->pose = calloc(7 * (size_t)s->cubes, sizeof(double));
    double *p = s->pose;
    for (int row = 0; row < rows; row++)
        for (int i = 0; i < rows - row; i++, p += 7)
            p[0] = 1.05 * (i - 0.5 * (rows - row - 1)), p[2] = 0.5 + row, p[3] = 1;
}

// side³ cubes turned at random, dropped between walls
static void make_pile(rigid_scene *s, int side) {
    uint64_t seed = 88172645463325252u;
    s->cubes = side * side * side, s->wall = 0.75 * side;
    s->pose = calloc(7 * (size_t)s->cubes, sizeof(double));
    for (int i = 0; i < s->cubes; i++) {
        double *p = s->pose + 7 * i, square = 0;
        const int at[3] = {i % side, i / side % side, i / side / side};
        for (int k = 0; k < 3; k++) p[k] = 1.45 * (at[k] - 0.5 * (side - 1)) * (k < 2) + (k == 2 ? 1 + 1.8 * at[k] : 0);
        while (square < 0.01 || square > 1) {
            square = 0;
            for (int k = 3; k < 7; k++) p[k] = 2 * dice(&seed) - 1, square += p[k] * p[k];
        }
        for (int k = 3; k < 7; k++) p[k] /= sqrt(square);
    }
}

// ---- Thixis ---------------------------------------------------------------------------------------------------------

static tx_model *make_model(const rigid_scene *s) {
    tx_builder *b = tx_builder_create();
    tx_options o = tx_default_options();
    o.timestep = RIGID_STEP;
    tx_builder_options(b, &o);
    tx_geom_def geom = tx_default_geom_def();
    geom.type = TX_GEOM_PLANE, geom.friction[0] = RIGID_FRICTION;
    tx_builder_geom(b, 0, &geom);
    // quaternions that turn z into the normals of the walls
    static const double TURN[4][4] = {{1, 0, 1, 0}, {1, 0, -1, 0}, {1, -1, 0, 0}, {1, 1, 0, 0}};
    for (int k = 0; k < 4 && s->wall > 0; k++) {
        geom.pos[0] = k == 0 ? -s->wall : k == 1 ? s->wall : 0, geom.pos[1] = k == 2 ? -s->wall : k == 3 ? s->wall : 0;
        for (int i = 0; i < 4; i++) geom.quat[i] = TURN[k][i];
        tx_builder_geom(b, 0, &geom);
    }
    geom = tx_default_geom_def();
    geom.type = TX_GEOM_BOX, geom.mass = 1, geom.friction[0] = RIGID_FRICTION;
    for (int k = 0; k < 3; k++) geom.size[k] = 0.5;
    for (int i = 0; i < s->cubes; i++) {
        tx_body_def body = tx_default_body_def();
        tx_joint_def joint = tx_default_joint_def();
        memcpy(body.pos, s->pose + 7 * i, sizeof body.pos), memcpy(body.quat, s->pose + 7 * i + 3, sizeof body.quat);
        joint.type = TX_JOINT_FREE;
        const int id = tx_builder_body(b, 0, &body);
        tx_builder_joint(b, id, &joint), tx_builder_geom(b, id, &geom);
    }
    tx_diag diag = {0};
    tx_model *m = tx_builder_compile(b, &diag);
    tx_diag_free(&diag);
    tx_builder_destroy(b);
    return m;
}

static int find(const char *(*name_of)(int), const char *name) {
    int i = 0;
    while (name_of(i) && strcmp(name_of(i), name) != 0) i++;
    return i;
}

typedef struct thixis {
    tx_model *m;
    tx_sim *sim;
} thixis;

static void *thixis_create_threads(const rigid_scene *s, int threads) {
    thixis *t = calloc(1, sizeof *t);
    t->m = make_model(s);
    tx_sim_def def = tx_default_sim_def();
    def.threads = threads;
    t->sim = t->m ? tx_sim_create(t->m, &def) : NULL;
    if (!t->sim) return NULL;
    tx_options o = tx_sim_options(t->sim);
    o.law = find(tx_law_name, "hard"), o.solver = find(tx_solver_name, "pgs");
    // so many sweeps, whatever their error; overlap is undone slowly, so that few sweeps stay calm (docs/laws.md)
    o.iterations = RIGID_SWEEPS, o.tolerance = 0, o.recovery_share = 0.05;
    return tx_sim_set_options(t->sim, &o) == TX_OK ? t : NULL;
}
static void *thixis_create(const rigid_scene *s) { return thixis_create_threads(s, 1); }
static void thixis_step(void *engine) { tx_sim_step(((thixis *)engine)->sim); }
static void thixis_read(void *engine, double *pose, double *velocity) {
    thixis *t = engine;
    const int cubes = tx_model_size(t->m, TX_SIZE_NV) / 6;
    const double *v = tx_sim_array(t->sim, TX_ARRAY_QVEL);
    memcpy(pose, tx_sim_array(t->sim, TX_ARRAY_QPOS), 7 * sizeof(double) * (size_t)cubes);
    for (int i = 0; i < cubes; i++) memcpy(velocity + 3 * i, v + 6 * i, 3 * sizeof(double));
}
static int thixis_points(void *engine) {
    int count = 0;
    tx_sim_contacts(((thixis *)engine)->sim, 0, &count);
    return count;
}
static void thixis_destroy(void *engine) {
    thixis *t = engine;
    tx_sim_destroy(t->sim), tx_model_destroy(t->m), free(t);
}
static const rigid_engine OWN = {"thixis", thixis_create, thixis_step, thixis_read, thixis_points, thixis_destroy};

// ---- what came of it ------------------------------------------------------------------------------------------------

typedef struct outcome {
    double deepest, mean_depth, speed, height; // overlap [m], rms of velocities [m/s], mean height [m]
    int points;
} outcome;

static outcome judge(const rigid_engine *e, void *engine, const rigid_scene *s, tx_sim *judges) {
    const size_t n = (size_t)s->cubes;
    double *velocity = calloc(3 * n, sizeof(double)), *pose = tx_sim_array(judges, TX_ARRAY_QPOS);
    outcome out = {.points = e->points(engine)};
    e->read(engine, pose, velocity);
    for (size_t i = 0; i < n; i++) out.height += pose[7 * i + 2] / (double)n;
    for (size_t i = 0; i < 3 * n; i++) out.speed += velocity[i] * velocity[i] / (double)n;
    out.speed = sqrt(out.speed);
    tx_sim_forward(judges);
    int count;
    const tx_contact *c = tx_sim_contacts(judges, 0, &count);
    int overlaps = 0;
    for (int i = 0; i < count; i++) {
        if (c[i].dist >= 0) continue;
        overlaps++;
        out.mean_depth -= c[i].dist;
        out.deepest = fmax(out.deepest, -c[i].dist);
    }
    out.mean_depth /= overlaps > 0 ? overlaps : 1;
    free(velocity);
    return out;
}

// ---- turns ----------------------------------------------------------------------------------------------------------

static const rigid_engine *const ALL[] = {&OWN, &rigid_bullet, &rigid_bullet_two, &rigid_ode,
#ifdef RIGID_BOX3D
                                          &rigid_box3d
#endif
};
enum { ENGINES = sizeof ALL / sizeof *ALL, SLICE = 3, MOST_SLICES = 64 };

static double slice(const rigid_engine *e, void *engine) {
    const double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < SLICE; i++) e->step(engine);
    return 1e3 * (seconds_of(CLOCK_THREAD_CPUTIME_ID) - start) / SLICE;
}

// settles, then times slices in turns; returns the median ratio to Bullet
static double compare(const rigid_scene *s, int settle, int slices, FILE *csv) {
    void *engine[ENGINES];
    static double ms[ENGINES][MOST_SLICES], ratio[MOST_SLICES];
    double against_bullet = NAN;
    thixis *judges = thixis_create(s);
    for (int k = 0; k < ENGINES; k++) {
        engine[k] = ALL[k]->create(s);
        if (!engine[k] || !judges) {
            fprintf(stderr, "%s: %s cannot\n", s->name, ALL[k]->name);
            exit(1);
        }
        for (int i = 0; i < settle; i++) ALL[k]->step(engine[k]);
    }
    for (int i = 0; i < slices; i++)
        for (int k = 0; k < ENGINES; k++) ms[k][i] = slice(ALL[k], engine[k]);
    for (int k = 0; k < ENGINES; k++) {
        for (int i = 0; i < slices; i++) ratio[i] = ms[0][i] / ms[k][i];
        const double against = median(ratio, slices);
        double own[MOST_SLICES];
        memcpy(own, ms[k], sizeof own);
        const outcome o = judge(ALL[k], engine[k], s, judges->sim);
        const double typical = median(own, slices);
        printf("%-9s %-22s %8.3f ms/step, thixis / it %.2f; %6d points, overlap %.2e m (mean %.1e), rms speed %.1e "
               "m/s, mean height %.2f m\n",
               s->name, ALL[k]->name, typical, against, o.points, o.deepest, o.mean_depth, o.speed, o.height);
        fprintf(csv, "%s,%s,%.4f,%.4f,%d,%.4g,%.4g,%.4g,%.4f\n", s->name, ALL[k]->name, typical, against, o.points,
                o.deepest, o.mean_depth, o.speed, o.height);
        if (k == 1) against_bullet = against;
    }
    for (int k = 0; k < ENGINES; k++) ALL[k]->destroy(engine[k]);
    thixis_destroy(judges);
    return against_bullet;
}

static double wall_slice(void *engine) {
    enum { STEPS = 10 };
    const double start = seconds_of(CLOCK_MONOTONIC);
    for (int i = 0; i < STEPS; i++) thixis_step(engine);
    return 1e3 * (seconds_of(CLOCK_MONOTONIC) - start) / STEPS;
}

// one thread and two in turns, by the wall clock; a turn counts where the machine has two cores to give
static void compare_threads(const rigid_scene *s, int settle, int slices, FILE *csv) {
    thixis *t[2];
    static double ms[2][MOST_SLICES], ratio[MOST_SLICES];
    const size_t state = 7 * sizeof(double) * (size_t)s->cubes;
    int free_turns = 0;
    for (int k = 0; k < 2; k++) {
        t[k] = thixis_create_threads(s, k + 1);
        if (!t[k]) exit(1);
        for (int i = 0; i < settle; i++) thixis_step(t[k]);
    }
    for (int i = 0; i < slices; i++) {
        double now[2];
        const bool before = core_contention() <= MOST_CONTENTION;
        for (int k = 0; k < 2; k++) now[(i + k) % 2] = wall_slice(t[(i + k) % 2]);
        if (!before || core_contention() > MOST_CONTENTION) continue;
        for (int k = 0; k < 2; k++) ms[k][free_turns] = now[k];
        ratio[free_turns++] = now[0] / now[1];
    }
    const bool same =
        memcmp(tx_sim_array(t[0]->sim, TX_ARRAY_QPOS), tx_sim_array(t[1]->sim, TX_ARRAY_QPOS), state) == 0;
    printf("%-9s two threads: ", s->name);
    if (free_turns == 0) printf("the machine never had two cores");
    else {
        const double typical = median(ms[1], free_turns), times = median(ratio, free_turns);
        printf("%8.3f ms/step, %.2f times as fast as one (%.2f to %.2f in %d of %d turns, wall clock)", typical, times,
               ratio[0], ratio[free_turns - 1], free_turns, slices);
        fprintf(csv, "%s,thixis on two threads,%.4f,%.4f,,,,,\n", s->name, typical, times);
    }
    printf("; %s\n", same ? "the same bits" : "OTHER BITS");
    for (int k = 0; k < 2; k++) thixis_destroy(t[k]);
    if (!same) exit(1);
}

// by its name; false: there is none of that name
static bool make_scene(rigid_scene *s) {
    int number = 45, side = 1;
    if (strcmp(s->name, "pyramid") == 0 || (sscanf(s->name, "pyramid%d", &number) == 1 && number > 0)) {
        make_pyramid(s, number);
        return true;
    }
    if (sscanf(s->name, "pile%d", &number) != 1) return false;
    while (side * side * side < number) side++;
    if (side * side * side != number) return false;
    make_pile(s, side);
    return true;
}

int main(int argc, char **argv) {
    FILE *csv = argc > 2 ? fopen(argv[1], "a") : NULL;
    if (!csv) {
        fprintf(stderr, "usage: rigid OUT.csv pyramid|pyramidROWS|pileCUBES ...\n");
        return 2;
    }
    fputs("scene,engine,ms_per_step,thixis_over_it,points,deepest,mean_depth,rms_speed,mean_height\n", csv);
    int status = 0;
    for (int i = 2; i < argc; i++) {
        rigid_scene s = {.name = argv[i]};
        if (!make_scene(&s)) {
            fprintf(stderr, "%s: no such scene\n", s.name);
            return 2;
        }
        const double ratio = compare(&s, 240, s.cubes > 4000 ? 6 : 20, csv);
        compare_threads(&s, 240, 20, csv);
        if (getenv("CHECK") && !(ratio <= 0.8)) status = 1;
        free(s.pose);
    }
    return fclose(csv) == 0 ? status : 1;
}
