// test_terrain.c - height fields: files as MuJoCo reads them, contact with every shape, motion over cell edges (B6).
#include "reference.h"

#include "collide/asset.h"
#include "collide/convex.h"
#include "collide/frame.h"
#include "geometry/heights.h"
#include "geometry/quat.h"
#include "geometry/vec3.h"
#include "load/hfield_file.h"
#include "non_finite.h"
#include "random.h"

static const double PI = 3.14159265358979323846;

static double uniform(uint64_t *seed) { return random_between(seed, 0, 1); }

// ---- files ---------------------------------------------------------------------------------------------------------

// every kind of picture gives its first channel in 8 bits, the lowest row first; a grid stands as it is
static void files_give_the_heights_mujoco_reads(void **state) {
    static const struct {
        const char *file;
        double height[6];
    } FILES[] = {{"gray.png", {30, 40, 255, 0, 10, 20}},   {"color.png", {30, 40, 255, 0, 10, 20}},
                 {"gray16.png", {30, 40, 255, 0, 10, 21}}, // 20 and 255/256: the lower byte carries over in the file
                 {"alpha.png", {30, 40, 255, 0, 10, 20}},  {"palette.png", {30, 40, 255, 0, 10, 20}},
                 {"bits.png", {170, 255, 0, 0, 85, 170}},  {"grid.bin", {0, 10, 20, 30, 40, 255}}};
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/tests/data/hfield/%s", TX_SOURCE_DIR, FILES[i].file);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        static char bytes[4096];
        size_t length = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        tx_hfield_data data = {0};
        tx_diag diag = {0};
        assert_true(tx_hfield_read(bytes, length, path, &data, &diag));
        assert_int_equal(data.nrow, 2);
        assert_int_equal(data.ncol, 3);
        for (int k = 0; k < 6; k++) assert_true(data.height[k] == FILES[i].height[k]);
        tx_hfield_release(&data);
        // cut anywhere: an error, never a crash (the chunk behind the last row may be missing)
        for (size_t cut = 0; cut + 13 < length; cut++) {
            assert_false(tx_hfield_read(bytes, cut, path, &data, &diag));
            tx_hfield_release(&data);
        }
        tx_diag_free(&diag);
    }
}

// ---- the compiled model --------------------------------------------------------------------------------------------

// scenes/terrain.xml: heights to the last bit, sizes, masses, bounds; contacts are our own and not compared
static void compiled_terrain_equals_mujoco(void **state) {
    tx_model *model = load_scene("terrain");
    json_t *ref = load_reference("terrain");
    static const struct {
        const char *name;
        int field; // tx_model_int, tx_param or tx_model_data
        int kind;
        double bound;
    } FIELDS[] = {{"hfield_nrow", TX_INT_HFIELD_NROW, 0, 0},
                  {"hfield_ncol", TX_INT_HFIELD_NCOL, 0, 0},
                  {"geom_type", TX_INT_GEOM_TYPE, 0, 0},
                  {"hfield_size", TX_DATA_HFIELD_SIZE, 2, 0},
                  {"hfield_data", TX_DATA_HFIELD_DATA, 2, 0},
                  {"geom_rbound", TX_DATA_GEOM_RBOUND, 2, 1e-12},
                  {"geom_size", TX_PARAM_GEOM_SIZE, 1, 1e-10},
                  {"geom_pos", TX_PARAM_GEOM_POS, 1, 1e-10},
                  {"geom_quat", TX_PARAM_GEOM_QUAT, 1, 1e-10},
                  {"body_mass", TX_PARAM_BODY_MASS, 1, 1e-10},
                  {"body_inertia", TX_PARAM_BODY_INERTIA, 1, 1e-10},
                  {"body_invweight0", TX_PARAM_BODY_INVWEIGHT0, 1, 1e-10}};
    for (size_t i = 0; i < sizeof FIELDS / sizeof FIELDS[0]; i++) {
        static double numbers[1 << 14];
        int count = 0, field = FIELDS[i].field;
        const int *ints = FIELDS[i].kind == 0 ? tx_model_ints(model, (tx_model_int)field, &count) : NULL;
        const double *reals = FIELDS[i].kind == 1   ? tx_model_params(model, (tx_param)field, &count)
                              : FIELDS[i].kind == 2 ? tx_model_data_array(model, (tx_model_data)field, &count)
                                                    : NULL;
        for (int k = 0; k < count; k++) numbers[k] = ints ? ints[k] : reals[k];
        double error = relative_error(json_object_get(ref, FIELDS[i].name), numbers, count, 1);
        if (error > FIELDS[i].bound) fail_msg("%s is off by %g", FIELDS[i].name, error);
    }
    // written and read again it is the same model; a field that leads outside its array is refused
    size_t size;
    const void *bytes = tx_model_bytes(model, &size);
    tx_model *again = tx_model_from_bytes(bytes, size, NULL);
    assert_non_null(again);
    tx_model_destroy(again);
    tx_model_destroy(model);
    json_decref(ref);
}

// ---- fields of our own
// -----------------------------------------------------------------------------------------------

enum { ROWS = 41, COLUMNS = 41 };

typedef struct field {
    double heights[ROWS * COLUMNS], size[4], place[3], mat[9];
    tx_asset asset;
    tx_shape shape;
} field;

// z(x, y) over 2 m x 2 m, 5 cm a cell
static void make_field(field *f, double (*z)(double, double)) {
    *f = (field){.size = {1, 1, 1, 0.5}, .mat = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            f->heights[r * COLUMNS + c] = z(-1 + 2.0 * c / (COLUMNS - 1), -1 + 2.0 * r / (ROWS - 1));
    f->asset.heights = (tx_heights){ROWS, COLUMNS, f->size, f->heights};
    f->shape = (tx_shape){TX_GEOM_HFIELD, f->size, f->place, f->mat, &f->asset};
}

static double slope_of(double x, double y) { return 0.5 + x * tan(15 * PI / 180) + 0 * y; }
static double tilted(double x, double y) { return 0.5 + 0.2 * x - 0.15 * y; }
static double bumpy(double x, double y) { return 0.3 + 0.08 * sin(5 * x) * cos(4 * y) + 0.03 * sin(13 * x + 7 * y); }
static double ridge(double x, double y) { return 0.5 - fabs(x) + 0 * y; }
static double valley(double x, double y) { return 0.1 + 0.5 * fabs(x) + 0 * y; }

static int collide(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    return tx_pair_function(a->type, b->type)(a, b, margin, hits);
}

// B6: a ball anywhere on a flat field has exactly the plane's contact, also on cell edges and grid points
static void flat_field_is_a_plane_for_balls(void **state) {
    static field f;
    uint64_t seed = 1;
    double (*const kinds[])(double, double) = {slope_of, tilted};
    double worst = 0;
    for (int kind = 0; kind < 2; kind++) {
        make_field(&f, kinds[kind]);
        double normal[3] = {-(kinds[kind](1, 0) - kinds[kind](0, 0)), -(kinds[kind](0, 1) - kinds[kind](0, 0)), 1};
        double z0 = kinds[kind](0, 0), frame[9], plane_mat[9], plane_pos[3] = {0, 0, z0};
        v3_normalise(normal);
        tx_frame_make(normal, (double[3]){0}, frame);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) plane_mat[3 * i + k] = frame[3 * ((k + 1) % 3) + i];
        tx_shape plane = {TX_GEOM_PLANE, f.size, plane_pos, plane_mat, NULL};
        for (int n = 0; n < 10000; n++) {
            double radius = 0.02 + 0.2 * uniform(&seed), x = 1.2 * (uniform(&seed) - 0.5),
                   y = 1.2 * (uniform(&seed) - 0.5);
            // every third on a grid line, every ninth on a grid point
            if (n % 3 == 0) x = 0.05 * floor(x / 0.05);
            if (n % 9 == 0) y = 0.05 * floor(y / 0.05);
            double height = radius * (1.02 - 0.1 * uniform(&seed)), centre[3];
            double foot[3] = {x, y, kinds[kind](x, y)};
            v3_along(centre, foot, normal, height);
            tx_shape ball = {TX_GEOM_SPHERE, &radius, centre, f.mat, NULL};
            tx_hit ours[TX_MAX_HITS], theirs[TX_MAX_HITS];
            assert_int_equal(collide(&plane, &ball, 0.03 * radius, theirs), 1);
            assert_int_equal(collide(&f.shape, &ball, 0.03 * radius, ours), 1);
            worst = fmax(worst, fabs(ours[0].dist - theirs[0].dist));
            for (int k = 0; k < 3; k++) {
                worst = fmax(worst, fabs(ours[0].normal[k] - theirs[0].normal[k]));
                worst = fmax(worst, fabs(ours[0].pos[k] - theirs[0].pos[k]));
            }
        }
    }
    printf("ball on a flat field against the plane: %.2g\n", worst);
    assert_true(worst < 1e-12);
}

// every shape on a flat field: only the plane's normal, and the plane's depth
static void flat_field_is_a_plane_for_all(void **state) {
    static field f;
    static const double cube[24] = {-.1, -.1, -.1, .1, -.1, -.1, -.1, .1, -.1, .1, .1, -.1,
                                    -.1, -.1, .1,  .1, -.1, .1,  -.1, .1, .1,  .1, .1, .1};
    static const int corners[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const tx_asset mesh = {.vertex = cube, .corner = corners, .corner_count = 8};
    const int types[] = {TX_GEOM_CAPSULE, TX_GEOM_ELLIPSOID, TX_GEOM_CYLINDER, TX_GEOM_BOX, TX_GEOM_MESH};
    make_field(&f, tilted);
    double normal[3] = {-0.2, 0.15, 1};
    v3_normalise(normal);
    uint64_t seed = 3;
    double worst = 0, worst_depth = 0;
    for (int n = 0; n < 4000; n++) {
        int type = types[n % 5];
        double size[3] = {0.05 + 0.1 * uniform(&seed), 0.05 + 0.1 * uniform(&seed), 0.05 + 0.1 * uniform(&seed)};
        if (type == TX_GEOM_MESH) size[0] = size[1] = size[2] = 0.1;
        double q[4], mat[9], pos[3], local[3], lowest[3], back[3];
        for (int k = 0; k < 4; k++) q[k] = uniform(&seed) - 0.5;
        tx_quat_normalize(q);
        tx_quat_to_mat(q, mat);
        v3_set(pos, 0.8 * (uniform(&seed) - 0.5), 0.8 * (uniform(&seed) - 0.5), 0);
        tx_shape shape = {type, size, pos, mat, type == TX_GEOM_MESH ? &mesh : NULL};
        tx_convex convex;
        assert_true(tx_convex_from_shape(&convex, &shape));
        v3_scale(back, normal, -1);
        m3_mul_transposed(local, mat, back);
        tx_core_support(&convex, local, lowest);
        m3_mul(local, mat, lowest);
        double reach = v3_dot(local, normal) - convex.radius, depth = 0.02 * uniform(&seed);
        // as high over the plane as its lowest point needs
        pos[2] = 0.5 + (-depth - reach - normal[0] * pos[0] - normal[1] * pos[1]) / normal[2];
        tx_hit hits[TX_MAX_HITS];
        int count = collide(&f.shape, &shape, 0, hits);
        assert_true(count > 0);
        double deepest = 0;
        for (int i = 0; i < count; i++) {
            deepest = fmin(deepest, hits[i].dist);
            for (int k = 0; k < 3; k++) worst = fmax(worst, fabs(hits[i].normal[k] - normal[k]));
        }
        if (fabs(deepest + depth) > 1e-6)
            printf("%s %d: %d hits, depth %g, wanted %g\n", tx_shape_name(type), n, count, -deepest, depth);
        worst_depth = fmax(worst_depth, fabs(deepest + depth));
    }
    printf("shapes on a flat field against the plane: normal %.2g, depth %.2g\n", worst, worst_depth);
    assert_true(worst < 1e-9);
    assert_true(worst_depth < 1e-6);
}

static void ridges_and_valleys_have_their_own_normals(void **state) {
    static field f;
    double radius = 0.1, centre[3] = {0, 0.013, 0.59}, half[3] = {0.2, 0.2, 0.1};
    tx_hit hits[TX_MAX_HITS];
    tx_shape ball = {TX_GEOM_SPHERE, &radius, centre, f.mat, NULL}, box = {TX_GEOM_BOX, half, centre, f.mat, NULL};

    // on a ridge: one contact, straight up
    make_field(&f, ridge);
    assert_int_equal(collide(&f.shape, &ball, 0, hits), 1);
    assert_true(fabs(hits[0].dist + 0.01) < 1e-12 && fabs(hits[0].normal[2] - 1) < 1e-12);
    // a box flat on it: contacts along the ridge, straight up
    int count = collide(&f.shape, &box, 0, hits);
    double low = 1, high = -1;
    assert_true(count >= 2);
    for (int i = 0; i < count; i++) {
        assert_true(fabs(hits[i].dist + 0.01) < 1e-9 && fabs(hits[i].normal[2] - 1) < 1e-9);
        low = fmin(low, hits[i].pos[1]), high = fmax(high, hits[i].pos[1]);
    }
    assert_true(high - low > 0.3);

    // in a valley: one contact on each side, nothing at the bottom
    make_field(&f, valley);
    double tilt = 0.5 / sqrt(1.25);
    centre[2] = 0.1 + radius * sqrt(1.25) - 0.002;
    assert_int_equal(collide(&f.shape, &ball, 0, hits), 2);
    for (int i = 0; i < 2; i++)
        assert_true(fabs(fabs(hits[i].normal[0]) - tilt) < 1e-12 && fabs(hits[i].dist + 0.002 / sqrt(1.25)) < 1e-12);
}

// nothing enters from the side or from below either
static void field_is_solid(void **state) {
    static field f;
    make_field(&f, tilted);
    double radius = 0.1, size[3] = {0.1, 0.1, 0.1};
    const double places[][6] = {{1.05, 0.2, 0.1, 1, 0, 0},
                                {-1.08, 0, -0.2, -1, 0, 0},
                                {0.3, 1.04, 0, 0, 1, 0},
                                {0.1, -1.06, 0, 0, -1, 0},
                                {0.2, 0.3, -0.57, 0, 0, -1}};
    for (int i = 0; i < 5; i++) {
        tx_hit hits[TX_MAX_HITS];
        tx_shape ball = {TX_GEOM_SPHERE, &radius, places[i], f.mat, NULL},
                 box = {TX_GEOM_BOX, size, places[i], f.mat, NULL};
        double beyond = fmax(fabs(places[i][0]) - 1, fmax(fabs(places[i][1]) - 1, -0.5 - places[i][2]));
        assert_int_equal(collide(&f.shape, &ball, 0, hits), 1);
        assert_true(fabs(hits[0].dist - (beyond - radius)) < 1e-12);
        assert_true(fabs(v3_dot(hits[0].normal, places[i] + 3) - 1) < 1e-12);
        int count = collide(&f.shape, &box, 0, hits);
        assert_true(count > 0);
        for (int k = 0; k < count; k++) assert_true(v3_dot(hits[k].normal, places[i] + 3) > 0.99);
    }
    // deep inside: out by the shortest way, which is up here
    double deep[3] = {0, 0, 0.3};
    tx_hit hits[TX_MAX_HITS];
    tx_shape ball = {TX_GEOM_SPHERE, &radius, deep, f.mat, NULL};
    assert_int_equal(collide(&f.shape, &ball, 0, hits), 1);
    assert_true(hits[0].normal[2] > 0.9 && hits[0].dist < -0.2);
}

static void non_finite_numbers_give_no_hits(void **state) {
    static field f;
    static const double cube[24] = {-.05, -.05, -.05, .05, -.05, -.05, -.05, .05, -.05, .05, .05, -.05,
                                    -.05, -.05, .05,  .05, -.05, .05,  -.05, .05, .05,  .05, .05, .05};
    static const int corners[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const tx_asset mesh = {.vertex = cube, .corner = corners, .corner_count = 8};
    make_field(&f, tilted);
    // vertices too, which a file may bring: once they were read outside the grid
    assert_true(isnan(tx_heights_above(&f.asset.heights, NAN, 0)));
    assert_true(isnan(tx_heights_above(&f.asset.heights, 0, NAN)));
    check_non_finite(&f.shape, &mesh, (double[]){0.1, 0.1, 0.5 + 0.2 * 0.1 - 0.15 * 0.1 + 0.03});
}

// random shapes anywhere: finite numbers, unit normals, never beyond the margin, no nonsense under it
static void any_pose_gives_sound_hits(void **state) {
    static field f;
    make_field(&f, bumpy);
    uint64_t seed = 9;
    const int types[] = {TX_GEOM_SPHERE, TX_GEOM_CAPSULE, TX_GEOM_ELLIPSOID, TX_GEOM_CYLINDER, TX_GEOM_BOX};
    for (int n = 0; n < 20000; n++) {
        double size[3], q[4], mat[9], pos[3], margin = n % 2 ? 0.02 : 0;
        for (int k = 0; k < 3; k++) size[k] = 0.002 + 0.15 * uniform(&seed) * uniform(&seed);
        for (int k = 0; k < 4; k++) q[k] = uniform(&seed) - 0.5;
        for (int k = 0; k < 3; k++) pos[k] = (k < 2 ? 2.4 : 1.2) * (uniform(&seed) - 0.5) + (k == 2 ? 0.2 : 0);
        tx_quat_normalize(q);
        tx_quat_to_mat(q, mat);
        tx_shape shape = {types[n % 5], size, pos, mat, NULL};
        tx_hit hits[TX_MAX_HITS];
        int count = collide(&f.shape, &shape, margin, hits);
        assert_in_range(count, 0, TX_MAX_HITS);
        for (int i = 0; i < count; i++) {
            assert_true(isfinite(hits[i].dist) && hits[i].dist < margin);
            assert_true(fabs(v3_length(hits[i].normal) - 1) < 1e-9);
            assert_true(v_finite(hits[i].pos, 3));
        }
        // a shape with its centre in the solid touches
        bool inside = fabs(pos[0]) < 1 && fabs(pos[1]) < 1 && pos[2] > -0.5 &&
                      pos[2] < tx_heights_above(&f.asset.heights, pos[0], pos[1]);
        if (inside) assert_true(count > 0);
    }
}

// ---- motion --------------------------------------------------------------------------------------------------------

static tx_model *compile(tx_builder *b) {
    tx_diag diag = {0};
    tx_model *m = tx_builder_compile(b, &diag);
    tx_builder_destroy(b);
    return must_have(m, &diag);
}

static void add_field(tx_builder *b, double (*z)(double, double), double low, double height) {
    static double heights[ROWS * COLUMNS];
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            heights[r * COLUMNS + c] = z(-1 + 2.0 * c / (COLUMNS - 1), -1 + 2.0 * r / (ROWS - 1));
    tx_hfield_def h = tx_default_hfield_def();
    h.name = "ground", h.nrow = ROWS, h.ncol = COLUMNS, h.elevation = heights;
    h.size[0] = h.size[1] = 1, h.size[2] = height, h.size[3] = 0.2;
    assert_int_equal(tx_builder_hfield(b, &h), 0);
    tx_geom_def g = tx_default_geom_def();
    g.type = TX_GEOM_HFIELD, g.hfield = "ground", g.pos[2] = low;
    tx_builder_geom(b, 0, &g);
}

static int add_free(tx_builder *b, tx_geom_type type, double x, double y, double z, double a, double c, double d) {
    tx_body_def body = tx_default_body_def();
    v3_set(body.pos, x, y, z);
    int index = tx_builder_body(b, 0, &body);
    tx_joint_def joint = tx_default_joint_def();
    joint.type = TX_JOINT_FREE;
    tx_builder_joint(b, index, &joint);
    tx_geom_def g = tx_default_geom_def();
    g.type = type;
    v3_set(g.size, a, c, d);
    if (type == TX_GEOM_MESH) g.mesh = "stone";
    // they touch the ground alone; friction against turning and rolling brings round ones to rest
    g.conaffinity = 0;
    if (type != TX_GEOM_SPHERE) g.condim = 6, v3_set(g.friction, 1, 0.02, 0.02);
    tx_builder_geom(b, index, &g);
    return index;
}

static void set_law(tx_options *o, const char *law) {
    for (o->law = 0; strcmp(tx_law_name(o->law), law) != 0; o->law++) assert_non_null(tx_law_name(o->law + 1));
}

// B6: a ball rolling down a 15 degree field moves as on the plane: s = g sin(a) t² / 2 · 5/7
static void ball_rolls(const char *law) {
    tx_builder *b = tx_builder_create();
    const double angle = 15 * PI / 180, radius = 0.05;
    add_field(b, slope_of, 0.5 - tan(angle), 2 * tan(angle));
    double x0 = 0.9, along[3] = {-cos(angle), 0, -sin(angle)};
    add_free(b, TX_GEOM_SPHERE, x0 - radius * sin(angle), 0.012, slope_of(x0, 0) + radius * cos(angle), radius, 0, 0);
    tx_model *m = compile(b);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(m, &def);
    tx_options options = tx_sim_options(sim);
    options.timestep = 0.001;
    set_law(&options, law);
    assert_int_equal(tx_sim_set_options(sim, &options), TX_OK);
    const double *q = tx_sim_array(sim, TX_ARRAY_QPOS), g = 9.81;
    double start[3] = {q[0], q[1], q[2]}, worst = 0, side = 0;
    for (int step = 1; step <= 1400; step++) {
        assert_int_equal(tx_sim_step(sim), TX_OK);
        q = tx_sim_array(sim, TX_ARRAY_QPOS);
        double way[3] = {q[0] - start[0], q[1] - start[1], q[2] - start[2]}, t = step * 0.001;
        double wanted = 0.5 * g * sin(angle) * t * t * 5 / 7;
        side = fmax(side, fabs(way[1]));
        if (t > 0.3) worst = fmax(worst, fabs(v3_dot(way, along) / wanted - 1));
    }
    printf("%s: ball on a field of 15 degrees: %.3g %% off the plane after 0.3 s, %.2g m sideways, moved %.3g m\n", law,
           100 * worst, side, start[0] - q[0]);
    assert_true(worst < 0.01);
    assert_true(side < 1e-6);
    tx_sim_destroy(sim);
    tx_model_destroy(m);
}

static void ball_rolls_as_on_a_plane(void **state) {
    ball_rolls("soft");
    ball_rolls("lagged");
}

static void shapes_rest(const char *law) {
    static const double stone[] = {.1, 0, 0, -.1, 0, 0, 0, .09, 0, 0, -.09, 0, 0, 0, .07, 0, 0, -.07, .07, .06, .04};
    tx_builder *b = tx_builder_create();
    add_field(b, bumpy, 0.3 - 0.11, 0.22);
    tx_mesh_def mesh = tx_default_mesh_def();
    mesh.name = "stone", mesh.vertices = stone, mesh.vertex_count = 7;
    tx_builder_mesh(b, &mesh);
    add_free(b, TX_GEOM_BOX, 0.3, 0.3, 0.6, 0.12, 0.1, 0.06);
    add_free(b, TX_GEOM_CAPSULE, -0.35, 0.3, 0.6, 0.06, 0.12, 0);
    add_free(b, TX_GEOM_MESH, 0.3, -0.4, 0.6, 0, 0, 0);
    add_free(b, TX_GEOM_CYLINDER, -0.35, -0.4, 0.6, 0.1, 0.05, 0);
    add_free(b, TX_GEOM_ELLIPSOID, 0, 0, 0.6, 0.12, 0.1, 0.05);
    tx_model *m = compile(b);
    tx_sim_def def = tx_default_sim_def();
    tx_sim *sim = tx_sim_create(m, &def);
    tx_options options = tx_sim_options(sim);
    options.timestep = 0.005, options.impratio = 100;
    set_law(&options, law);
    assert_int_equal(tx_sim_set_options(sim, &options), TX_OK);
    double *qvel = tx_sim_array(sim, TX_ARRAY_QVEL);
    for (int step = 0; step < 1200; step++) { assert_int_equal(tx_sim_step(sim), TX_OK); }
    const double *q = tx_sim_array(sim, TX_ARRAY_QPOS);
    bool good = true;
    for (int body = 0; body < 5; body++) {
        double fastest = 0;
        for (int k = 0; k < 6; k++) fastest = fmax(fastest, fabs(qvel[6 * body + k]));
        double height = q[7 * body + 2] - bumpy(q[7 * body], q[7 * body + 1]);
        printf("%s: body %d at %.3f %.3f, %.3f over the ground, speed %.2g\n", law, body, q[7 * body], q[7 * body + 1],
               height, fastest);
        good = good && fastest < 0.02 && height > 0.03 && height < 0.2;
    }
    assert_true(good);
    tx_sim_destroy(sim);
    tx_model_destroy(m);
}

static void shapes_rest_on_bumps(void **state) {
    shapes_rest("soft");
    shapes_rest("lagged");
}

// a corner of the rim faces up and not down, one inside faces what no neighbour rises against
static void corners_face_away_from_what_rises(void **state) {
    static const double SIZE[4] = {1, 1, 1, 0.1}, FLAT[9] = {0}, PEAK[9] = {[4] = 0.5};
    const double up[3] = {0, 0, 1}, down[3] = {0, 0, -1}, aside[3] = {0.28, 0, 0.96}, beside[3] = {0.6, 0, 0.8};
    for (int peak = 0; peak < 2; peak++) {
        const tx_heights h = {3, 3, SIZE, peak ? PEAK : FLAT};
        for (int row = 0; row < 2; row++)
            for (int column = 0; column < 2; column++)
                for (int half = 0; half < 2; half++) {
                    tx_heights_triangle t;
                    tx_heights_triangle_at(&h, row, column, half, &t);
                    for (int k = 0; k < 3; k++) {
                        const bool middle = t.row[k] == 1 && t.column[k] == 1;
                        // over the rim stands the peak, if it is a neighbour: those at (0, 0) and (2, 2) are not
                        const bool level = !peak || middle || t.row[k] == t.column[k];
                        assert_int_equal(tx_heights_faces(&h, &t, 3 + k, up, 1e-9), level);
                        assert_int_equal(tx_heights_faces(&h, &t, 3 + k, down, 1e-9), middle && !peak);
                        // the peak falls by 1 in 2: it is seen from aside, as long as that is not too far
                        if (middle) assert_int_equal(tx_heights_faces(&h, &t, 3 + k, aside, 1e-9), peak);
                        if (middle) assert_false(tx_heights_faces(&h, &t, 3 + k, beside, 1e-9));
                    }
                }
    }
}

// a ball that is near one corner of its cell only, on the slope below it or right above it, is not taken to be above
// the field; beyond the margin there is nothing
static void small_balls_on_slopes_are_found(void **state) {
    static const double SIZE[4] = {1, 1, 0.5, 0.1}, ORIGIN[3] = {0}, MAT[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    uint64_t seed = 3;
    for (int round = 0; round < 4000; round++) {
        double heights[9] = {0}, normal[3], centre[3], radius = 0.01, margin = 0.02 * uniform(&seed);
        heights[round % 9] = 1;
        tx_asset asset = {.heights = {3, 3, SIZE, heights}};
        const tx_shape ground = {TX_GEOM_HFIELD, SIZE, ORIGIN, MAT, &asset};
        tx_heights_triangle t;
        tx_heights_triangle_at(&asset.heights, round / 9 % 2, round / 18 % 2, round / 36 % 2, &t);
        // anywhere on the triangle but near its edges
        double share[3] = {0.1 + uniform(&seed), 0.1 + uniform(&seed), 0.1 + uniform(&seed)};
        const double sum = share[0] + share[1] + share[2];
        v3_copy(normal, t.normal);
        v3_zero(centre);
        for (int k = 0; k < 3; k++) v3_along(centre, centre, t.corner[k], share[k] / sum);
        const double gap = margin * (round % 2 ? 1 - 1e-9 : 1 + 1e-9);
        v3_along(centre, centre, normal, radius + gap);
        const tx_shape ball = {TX_GEOM_SPHERE, &radius, centre, MAT, NULL};
        tx_hit hits[TX_MAX_HITS];
        const int count = collide(&ground, &ball, margin, hits);
        bool found = false;
        for (int i = 0; i < count; i++) found = found || fabs(hits[i].dist - gap) < 1e-12;
        assert_int_equal(found, round % 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_give_the_heights_mujoco_reads),
        cmocka_unit_test(compiled_terrain_equals_mujoco),
        cmocka_unit_test(flat_field_is_a_plane_for_balls),
        cmocka_unit_test(flat_field_is_a_plane_for_all),
        cmocka_unit_test(ridges_and_valleys_have_their_own_normals),
        cmocka_unit_test(field_is_solid),
        cmocka_unit_test(corners_face_away_from_what_rises),
        cmocka_unit_test(small_balls_on_slopes_are_found),
        cmocka_unit_test(any_pose_gives_sound_hits),
        cmocka_unit_test(non_finite_numbers_give_no_hits),
        cmocka_unit_test(ball_rolls_as_on_a_plane),
        cmocka_unit_test(shapes_rest_on_bumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
