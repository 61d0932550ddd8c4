// test_mesh.c - meshes: volumes and inertias in closed form, hulls, fits, MuJoCo's numbers.
#include "geometry/mass.h"
#include "geometry/quat.h"
#include "geometry/sdf.h"
#include "meshes.h"
#include "random.h"
#include "thixis/model.h"

static const double PI = 3.14159265358979323846;

// ---- shapes -------------------------------------------------------------------------------------------------------

static const double CUBE[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
static const int CUBE_FACES[] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

// an L, 0.08 thick: not convex, not symmetric
static const double ELL[] = {0, 0, 0,   .3, 0, 0,   .3, .1, 0,   .1, .1, 0,   .1, .25, 0,   0, .25, 0,
                             0, 0, .08, .3, 0, .08, .3, .1, .08, .1, .1, .08, .1, .25, .08, 0, .25, .08};
static const int ELL_FACES[] = {0,  2, 1,  0,  3,  2, 0,  4, 3, 0, 5,  4, 6,  7,  8, 6, 8, 9, 6, 9,
                                10, 6, 10, 11, 0,  1, 7,  0, 7, 6, 1,  2, 8,  1,  8, 7, 2, 3, 9, 2,
                                9,  8, 3,  4,  10, 3, 10, 9, 4, 5, 11, 4, 11, 10, 5, 0, 6, 5, 6, 11};

static uint64_t seed = 1;
static double noise(void) { return random_between(&seed, -1, 1); }

// a sphere of radius r: an icosahedron whose triangles are divided n times; returns vertices, sets faces
static double *icosphere(double r, int times, int **faces, int *vertex_count, int *face_count) {
    const double g = (1 + sqrt(5)) / 2;
    const double start[] = {-1, g,  0,  1, g, 0,  -1, -g, 0,  1, -g, 0, 0,  -1, g,  0,  1, g,
                            0,  -1, -g, 0, 1, -g, g,  0,  -1, g, 0,  1, -g, 0,  -1, -g, 0, 1};
    const int first[] = {0, 11, 5,  0, 5,  1, 0, 1, 7, 0, 7,  10, 0, 10, 11, 1, 5, 9, 5, 11,
                         4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3,  9,  4, 3,  4,  2, 3, 2, 6, 3,
                         6, 8,  3,  8, 9,  4, 9, 5, 2, 4, 11, 6,  2, 10, 8,  6, 7, 9, 8, 1};
    int f = 20, v = 12;
    double *x = malloc(sizeof(double) * 3 * 200000);
    int *t = malloc(sizeof(int) * 3 * 20 * (1u << (2 * times)));
    memcpy(x, start, sizeof start);
    memcpy(t, first, sizeof first);
    for (int k = 0; k < times; k++, f *= 4) {
        // middles are not shared: a repeated vertex must not matter
        int *old = malloc(sizeof(int) * 3 * (size_t)f);
        memcpy(old, t, sizeof(int) * 3 * (size_t)f);
        for (int i = 0; i < f; i++) {
            const int *c = old + 3 * i;
            for (int e = 0; e < 3; e++)
                for (int j = 0; j < 3; j++) x[3 * (v + e) + j] = (x[3 * c[e] + j] + x[3 * c[(e + 1) % 3] + j]) / 2;
            int four[12] = {c[0], v, v + 2, v, c[1], v + 1, v + 2, v + 1, c[2], v, v + 1, v + 2};
            memcpy(t + 12 * i, four, sizeof four);
            v += 3;
        }
        free(old);
    }
    for (int i = 0; i < v; i++) {
        double n = sqrt(x[3 * i] * x[3 * i] + x[3 * i + 1] * x[3 * i + 1] + x[3 * i + 2] * x[3 * i + 2]);
        for (int j = 0; j < 3; j++) x[3 * i + j] *= r / n;
    }
    *faces = t, *vertex_count = v, *face_count = f;
    return x;
}

// ---- closed forms -------------------------------------------------------------------------------------------------

// a box of 2 x 4 x 6 m about (2, -1, 4): volume 48, moments m (b2 + c2) / 12, in every mode with volume
static void boxes(void **state) {
    for (int mode = TX_MESH_INERTIA_LEGACY; mode <= TX_MESH_INERTIA_CONVEX; mode++)
        for (int faces = 0; faces < 2; faces++) {
            tx_mesh_def def = MESH(CUBE, CUBE_FACES);
            if (!faces) def.face_count = 0;
            def.inertia = (tx_mesh_inertia)mode;
            memcpy(def.scale, (double[]){2, 4, 6}, sizeof def.scale);
            memcpy(def.refpos, (double[]){-0.5, 0.75, -1 / 6.0}, sizeof def.refpos);
            tx_mesh m = built(&def, true);
            near(m.volume, 48, 1e-13);
            double moments[3], centre[3] = {2, -1, 4};
            tx_mesh_moments(&m, 48, moments);
            near(moments[0], 48 * (16 + 36) / 12.0, 1e-11), near(moments[1], 48 * (4 + 36) / 12.0, 1e-11),
                near(moments[2], 48 * (4 + 16) / 12.0, 1e-11);
            for (int k = 0; k < 3; k++) {
                near(m.pos[k], centre[k], 1e-13);
                near(m.box[k], k + 1, 1e-13);
                near(m.highest[k], k + 1, 1e-13), near(m.lowest[k], -k - 1, 1e-13);
            }
            assert_int_equal(m.hull.vertex_count, 8), assert_int_equal(m.hull.face_count, 12);
            tx_mesh_free(&m);
        }
    // hollow: each pair of faces carries its share of 88 m2
    tx_mesh_def def = MESH(CUBE, CUBE_FACES);
    def.inertia = TX_MESH_INERTIA_SHELL;
    memcpy(def.scale, (double[]){2, 4, 6}, sizeof def.scale);
    tx_mesh m = built(&def, false);
    double moments[3], shape[3];
    near(m.volume, 88, 1e-12);
    tx_mesh_moments(&m, 88, moments);
    tx_shell_inertia(TX_GEOM_BOX, (double[]){1, 2, 3}, 88, shape);
    for (int k = 0; k < 3; k++) near(moments[k], shape[k], 1e-10);
    near(shape[0], 2 * (8 * 9 + 12 * 4 + 8 * 16 / 12.0 + 12 * 36 / 12.0 + 24 * 52 / 12.0), 1e-10);
    assert_int_equal(m.hull.vertex_count, 0);
    tx_mesh_free(&m);
}

// the corner of a unit cube: volume 1/6, centre (1, 1, 1)/4, moments 1/60 about (1, 1, 1) and 1/96 across it
static void tetrahedra(void **state) {
    tx_mesh_def def = MESH(TET, TET_FACES);
    for (int mode = TX_MESH_INERTIA_LEGACY; mode <= TX_MESH_INERTIA_CONVEX; mode++) {
        def.inertia = (tx_mesh_inertia)mode;
        tx_mesh m = built(&def, true);
        near(m.volume, 1 / 6.0, 1e-15);
        for (int k = 0; k < 3; k++) near(m.pos[k], 0.25, 1e-15);
        double moments[3], axis[9];
        tx_mesh_moments(&m, m.volume, moments);
        near(moments[0], 1 / 60.0, 1e-14), near(moments[1], 1 / 96.0, 1e-14), near(moments[2], 1 / 96.0, 1e-14);
        tx_quat_to_mat(m.quat, axis);
        near(fabs(axis[0] + axis[3] + axis[6]), sqrt(3), 1e-12);
        tx_mesh_free(&m);
    }
}

// an inscribed polyhedron comes near the ball and the sphere with the square of the triangles' size
static void spheres(void **state) {
    double last = 0;
    for (int times = 1; times < 5; times++) {
        int vertices, faces, *f;
        double *v = icosphere(0.7, times, &f, &vertices, &faces);
        tx_mesh_def def = {.name = "s",
                           .vertices = v,
                           .faces = f,
                           .vertex_count = vertices,
                           .face_count = faces,
                           .scale = {1, 1, 1},
                           .refquat = {1},
                           .inertia = TX_MESH_INERTIA_EXACT};
        tx_mesh m = built(&def, true);
        double error = 1 - m.volume / (4 / 3.0 * PI * 0.343), moments[3];
        assert_true(error > 0 && (times == 1 || fabs(last / error - 4) < 0.3));
        last = error;
        tx_mesh_moments(&m, 1, moments);
        for (int k = 0; k < 3; k++) near(moments[k], 0.4 * 0.49, 0.4 * 0.49 * 1.2 * error);
        assert_true(m.hull.vertex_count <= vertices && m.hull.face_count == 2 * m.hull.vertex_count - 4);
        tx_mesh_free(&m);
        def.inertia = TX_MESH_INERTIA_SHELL;
        m = built(&def, false);
        near(m.volume, 4 * PI * 0.49, 4 * PI * 0.49 * error);
        tx_mesh_moments(&m, 1, moments);
        for (int k = 0; k < 3; k++) near(moments[k], 2 / 3.0 * 0.49, 2 / 3.0 * 0.49 * 1.2 * error);
        tx_mesh_free(&m);
        free(v), free(f);
    }
}

// mass on the surface: a sphere 2/3 m r2; a long capsule or cylinder is a tube; an ellipsoid near a sphere is a sphere
static void shells_of_primitives(void **state) {
    double i[3];
    tx_shell_inertia(TX_GEOM_SPHERE, (double[]){0.5, 0, 0}, 3, i);
    near(i[2], 0.5, 1e-15);
    near(tx_shape_area(TX_GEOM_CAPSULE, (double[]){0.5, 0, 0}), tx_shape_area(TX_GEOM_SPHERE, (double[]){0.5, 0, 0}),
         1e-15);
    tx_shell_inertia(TX_GEOM_CAPSULE, (double[]){0.5, 0, 0}, 3, i);
    for (int k = 0; k < 3; k++) near(i[k], 0.5, 1e-15);
    tx_shell_inertia(TX_GEOM_ELLIPSOID, (double[]){0.5, 0.5, 0.5}, 3, i);
    for (int k = 0; k < 3; k++) near(i[k], 0.5, 3e-6);
    near(tx_shape_area(TX_GEOM_ELLIPSOID, (double[]){0.5, 0.5, 0.5}), PI, 1e-14);
    tx_shell_inertia(TX_GEOM_CYLINDER, (double[]){0.1, 100, 0}, 3, i);
    near(i[2], 0.03, 3e-5), near(i[0], 10000, 20);
    tx_shell_inertia(TX_GEOM_CYLINDER, (double[]){2, 0, 0}, 3, i); // two discs on each other
    near(i[2], 6, 1e-15), near(i[0], 3, 1e-15);
    tx_shell_inertia(TX_GEOM_BOX, (double[]){1, 1, 1}, 6, i); // a cube's faces: 5/18 m a2
    near(i[1], 5 / 18.0 * 6 * 4, 1e-13);
}

// ---- MuJoCo -------------------------------------------------------------------------------------------------------

typedef struct golden {
    double mass, inertia[3], pos[3], quat[4], size[3];
    int mode, type;
    bool changed, bounds;
} golden;

// python, mujoco 4.0.0, V = ELL, F = ELL_FACES; the changed ones with scale=".5 -2 1" refpos=".1 .2 -.3" refquat=".5
// .1 -.7 .2", the primitives with fitscale="1.25" and, bounds, <compiler fitaabb="true"/>:
//   m = mujoco.MjModel.from_xml_string(f'<mujoco><asset><mesh name="m" vertex="{V}" face="{F}"
//   inertia="{mode}"/></asset><worldbody>'
//       '<body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>')
//   m.body_mass[1], m.body_inertia[1], m.geom_pos[0], m.geom_quat[0], m.geom_size[0]
static const golden GOLDEN[] = {
    {3.7293976946479352,
     {0.044447437935166097, 0.035372047001238874, 0.01299820530729818},
     {0.11617470676527084, 0.094314653560735665, 0.039999999105930335},
     {0.19670060246721865, 0.67919722687083717, -0.19670060246721865, 0.67919722687083717},
     {0.039999999105930516, 0.14180116057667538, 0.20577685861540079},
     TX_MESH_INERTIA_LEGACY,
     TX_GEOM_MESH,
     false,
     false},
    {3.6000000566244106,
     {0.043750002881926042, 0.035031800294608735, 0.012558202476055302},
     {0.11666667199245208, 0.091666666031987587, 0.039999999105930328},
     {0.1915360372453338, 0.68067168769999253, -0.1915360372453338, 0.68067168769999253},
     {0.039999999105930495, 0.13905592286848112, 0.20423372384964603},
     TX_MESH_INERTIA_EXACT,
     TX_GEOM_MESH,
     false,
     false},
    {4.8000000804662664,
     {0.053229170118445725, 0.039086836807033717, 0.01926233316836086},
     {0.12916667194157427, 0.10624999981761604, 0.039999999105930342},
     {0.17603774472918926, 0.68484356785375655, -0.17603774472918926, 0.68484356785375655},
     {0.039999999105930509, 0.15536801904191222, 0.20089461069553849},
     TX_MESH_INERTIA_CONVEX,
     TX_GEOM_MESH,
     false,
     false},
    {178.00000336766243,
     {2.7044430532109138, 2.1632634510131798, 0.92304626269730639},
     {0.1196629266521385, 0.094662920691674049, 0.039999999105930335},
     {0.19272617394765956, 0.68033566853098237, -0.19272617394765956, 0.68033566853098237},
     {0.039999999105930516, 0.14335860725722177, 0.20319200810706511},
     TX_MESH_INERTIA_SHELL,
     TX_GEOM_MESH,
     false,
     false},
    {3.7298212380783977,
     {0.11973465451175687, 0.10785388792360812, 0.012965872235979515},
     {0.15243739871506864, 0.35428609156679336, -0.052890004544628312},
     {0.76400451616256915, 0.64129278825779557, 0.068245178851900207, -0.019576888803237387},
     {0.023084688963158895, 0.15720089610450244, 0.39022843235001908},
     TX_MESH_INERTIA_LEGACY,
     TX_GEOM_MESH,
     true,
     false},
    {3.6000000566244101,
     {0.11723830549297581, 0.10565670266942513, 0.012643864990055454},
     {0.15227847965971242, 0.3585232120365307, -0.052194096733441747},
     {0.7667647161703115, 0.63797534991087024, 0.0684447352382027, -0.019355649318438192},
     {0.023035820170355537, 0.15591239716298508, 0.39394414488548291},
     TX_MESH_INERTIA_EXACT,
     TX_GEOM_MESH,
     true,
     false},
    {246.6579719402923,
     {9.2717249852942043, 8.3292963840976419, 1.1147775881101605},
     {0.15249605592030646, 0.35153814051553234, -0.053654304215397505},
     {0.76660083134172841, 0.63876762815246735, 0.063319497143671549, -0.017021277628784297},
     {0.025062036979856085, 0.15877111958419832, 0.38747385340565976},
     TX_MESH_INERTIA_SHELL,
     TX_GEOM_MESH,
     true,
     false},
    {8.2030887302981128,
     {0.05136058169768689, 0.05136058169768689, 0.05136058169768689},
     {0.11666667199245208, 0.091666666031987587, 0.039999999105930328},
     {0.1915360372453338, 0.68067168769999253, -0.1915360372453338, 0.68067168769999253},
     {0.1251112221825382, 0, 0},
     TX_MESH_INERTIA_EXACT,
     TX_GEOM_SPHERE,
     false,
     false},
    {58.975425923372441,
     {1.3754750864836316, 1.3754750864836316, 1.3754750864836316},
     {0.12280454813291385, 0.08050333722468217, 0.039999999105930287},
     {0.1915360372453338, 0.68067168769999253, -0.1915360372453338, 0.68067168769999253},
     {0.24146868976398611, 0, 0},
     TX_MESH_INERTIA_EXACT,
     TX_GEOM_SPHERE,
     false,
     true},
    {9.7893013551531496,
     {0.18035704233893654, 0.18035704233893654, 0.032674972388688939},
     {0.11666667199245208, 0.091666666031987587, 0.039999999105930328},
     {0.1915360372453338, 0.68067168769999253, -0.1915360372453338, 0.68067168769999253},
     {0.083846889748294476, 0.16571644217687839, 0},
     TX_MESH_INERTIA_EXACT,
     TX_GEOM_CAPSULE,
     false,
     false},
    {32.199116035404856,
     {0.6145262121738001, 0.6145262121738001, 0.39051898738083779},
     {0.12280454813291385, 0.08050333722468217, 0.039999999105930287},
     {0.1915360372453338, 0.68067168769999253, -0.1915360372453338, 0.68067168769999253},
     {0.16591450644018732, 0.07555418332379879, 0},
     TX_MESH_INERTIA_EXACT,
     TX_GEOM_CAPSULE,
     false,
     true},
    {9.1720110019876735,
     {0.14793551338003383, 0.14793551338003383, 0.032240998694883741},
     {0.11666667199245208, 0.091666666031987587, 0.039999999105930328},
     {0.1915360372453338, 0.68067168769999253, -0.1915360372453338, 0.68067168769999253},
     {0.083846889748294476, 0.20763988705102565, 0},
     TX_MESH_INERTIA_EXACT,
     TX_GEOM_CYLINDER,
     false,
     false},
    {41.764704488604849,
     {1.0991474233685232, 1.0991474233685232, 0.57484152927484844},
     {0.12280454813291385, 0.08050333722468217, 0.039999999105930287},
     {0.1915360372453338, 0.68067168769999253, -0.1915360372453338, 0.68067168769999253},
     {0.16591450644018732, 0.24146868976398611, 0},
     TX_MESH_INERTIA_EXACT,
     TX_GEOM_CYLINDER,
     false,
     true},
    {5.118266575608903,
     {0.05831358695605502, 0.046693252528921592, 0.016738600773937982},
     {0.11666667199245208, 0.091666666031987587, 0.039999999105930328},
     {0.1915360372453338, 0.68067168769999253, -0.1915360372453338, 0.68067168769999253},
     {0.049999998882412897, 0.11769378061417604, 0.20763988705102565},
     TX_MESH_INERTIA_EXACT,
     TX_GEOM_ELLIPSOID,
     false,
     false},
    {8.3908081037602411,
     {0.14404458583442914, 0.10204418851900224, 0.050391205044088859},
     {0.12280454813291385, 0.08050333722468217, 0.039999999105930287},
     {0.1915360372453338, 0.68067168769999253, -0.1915360372453338, 0.68067168769999253},
     {0.049999998882413119, 0.16591450644018732, 0.24146868976398611},
     TX_MESH_INERTIA_EXACT,
     TX_GEOM_ELLIPSOID,
     false,
     true},
    {9.7751691068422186,
     {0.18561791226950453, 0.14862923898032027, 0.053280621072281091},
     {0.11666667199245208, 0.091666666031987587, 0.039999999105930328},
     {0.1915360372453338, 0.68067168769999253, -0.1915360372453338, 0.68067168769999253},
     {0.049999998882412897, 0.11769378061417604, 0.20763988705102565},
     TX_MESH_INERTIA_EXACT,
     TX_GEOM_BOX,
     false,
     false},
    {16.025263034987706,
     {0.45850815722348415, 0.32481674033200886, 0.16040018742247986},
     {0.12280454813291385, 0.08050333722468217, 0.039999999105930287},
     {0.1915360372453338, 0.68067168769999253, -0.1915360372453338, 0.68067168769999253},
     {0.049999998882413119, 0.16591450644018732, 0.24146868976398611},
     TX_MESH_INERTIA_EXACT,
     TX_GEOM_BOX,
     false,
     true},
};

static void all_near(const double *ours, const double *theirs, int n, double scale) {
    for (int i = 0; i < n; i++) near(ours[i], theirs[i], 1e-12 * scale);
}

static void mujoco_says_the_same(void **state) {
    for (int i = 0; i < COUNT(GOLDEN); i++) {
        const golden *g = &GOLDEN[i];
        tx_mesh_def mesh = MESH(ELL, ELL_FACES);
        mesh.inertia = (tx_mesh_inertia)g->mode;
        if (g->changed) {
            memcpy(mesh.scale, (double[]){.5, -2, 1}, sizeof mesh.scale);
            memcpy(mesh.refpos, (double[]){.1, .2, -.3}, sizeof mesh.refpos);
            memcpy(mesh.refquat, (double[]){.5, .1, -.7, .2}, sizeof mesh.refquat);
        }
        tx_geom_def geom = tx_default_geom_def();
        geom.type = (tx_geom_type)g->type, geom.mesh = "m", geom.fitaabb = g->bounds, geom.sizes_given = 0;
        if (g->type != TX_GEOM_MESH) geom.fitscale = 1.25;
        tx_model *m = body_with(&mesh, &geom, NULL);
        assert_non_null(m);
        all_near(tx_model_params(m, TX_PARAM_BODY_MASS, NULL) + 1, &g->mass, 1, g->mass);
        all_near(tx_model_params(m, TX_PARAM_BODY_INERTIA, NULL) + 3, g->inertia, 3, g->inertia[0]);
        all_near(tx_model_params(m, TX_PARAM_GEOM_POS, NULL), g->pos, 3, 1);
        all_near(tx_model_params(m, TX_PARAM_GEOM_QUAT, NULL), g->quat, 4, 1);
        all_near(tx_model_params(m, TX_PARAM_GEOM_SIZE, NULL), g->size, 3, 1);
        assert_int_equal(*tx_model_ints(m, TX_INT_GEOM_MESH, NULL), g->type == TX_GEOM_MESH ? 0 : -1);
        tx_model_destroy(m);
    }
}

// ---- hulls --------------------------------------------------------------------------------------------------------

// every point is on or below every face; every edge has two faces, once each way; Euler's V - E + F = 2; neighbours are
// mutual
static void check_hull(const tx_hull *h, const double *points, int count, double slack) {
    for (int f = 0; f < h->face_count; f++) {
        const double *a = points + 3 * h->vertex[h->face[3 * f]], *b = points + 3 * h->vertex[h->face[3 * f + 1]],
                     *c = points + 3 * h->vertex[h->face[3 * f + 2]];
        double n[3] = {(b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]),
                       (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]),
                       (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])};
        double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int i = 0; i < count; i++) {
            double above = 0;
            for (int k = 0; k < 3; k++) above += n[k] * (points[3 * i + k] - a[k]);
            if (!(above <= slack * length)) fail_msg("point %d is %g outside", i, above / length);
        }
    }
    assert_int_equal(h->face_count, 2 * h->vertex_count - 4);
    assert_int_equal(h->first[h->vertex_count], 3 * h->face_count);
    for (int v = 0; v < h->vertex_count; v++)
        for (int e = h->first[v]; e < h->first[v + 1]; e++) {
            int other = h->neighbour[e], back = 0;
            for (int o = h->first[other]; o < h->first[other + 1]; o++) back += h->neighbour[o] == v;
            assert_int_equal(back, 1);
        }
}

static void hulls_contain_all_points(void **state) {
    for (int trial = 0; trial < 200; trial++) {
        int count = 4 + trial * 3;
        double *points = malloc(sizeof(double) * 3 * (size_t)count);
        for (int i = 0; i < 3 * count; i++) points[i] = noise() * (i % 3 == 2 ? pow(10, -trial / 50.0) : 1);
        tx_hull h;
        assert_int_equal(tx_hull_build(&h, points, count, 0), TX_HULL_OK);
        check_hull(&h, points, count, 1e-12);
        tx_hull_free(&h);
        free(points);
    }
}

// grids, repeated points and points on edges and faces: all on the hull's planes
static void hulls_of_hard_points(void **state) {
    double points[3 * 250];
    for (int i = 0; i < 125; i++) {
        points[3 * i] = i % 5, points[3 * i + 1] = i / 5 % 5, points[3 * i + 2] = i / 25;
        memcpy(points + 3 * (125 + i), points + 3 * i, 3 * sizeof(double));
    }
    tx_hull h;
    assert_int_equal(tx_hull_build(&h, points, 250, 0), TX_HULL_OK);
    check_hull(&h, points, 250, 1e-12);
    assert_int_equal(h.vertex_count, 8);
    tx_hull_free(&h);
}

static void flat_points_have_no_hull(void **state) {
    double points[60];
    tx_hull h;
    for (int turn = 0; turn < 50; turn++) {
        double a[3] = {noise(), noise(), noise()}, b[3] = {noise(), noise(), noise()};
        for (int i = 0; i < 20; i++)
            for (int k = 0, s = (int)(noise() * 1000), t = (int)(noise() * 1000); k < 3; k++)
                points[3 * i + k] = a[k] * s + b[k] * t;
        assert_int_equal(tx_hull_build(&h, points, 20, 0), TX_HULL_FLAT);
        for (int i = 0; i < 20; i++)
            for (int k = 0; k < 3; k++) points[3 * i + k] = a[k] * i + b[k];
        assert_int_equal(tx_hull_build(&h, points, 20, 0), TX_HULL_LINE);
        for (int i = 0; i < 20; i++) memcpy(points + 3 * i, a, sizeof a);
        assert_int_equal(tx_hull_build(&h, points, 20, 0), TX_HULL_POINT);
        assert_null(h.vertex);
    }
    assert_int_equal(tx_hull_build(&h, points, 3, 0), TX_HULL_FLAT);
}

// the arrays of the model are those of the mesh, and hold the geom's frame
static void models_keep_meshes_and_hulls(void **state) {
    tx_mesh_def mesh = MESH(ELL, ELL_FACES);
    tx_geom_def geom = tx_default_geom_def();
    geom.type = TX_GEOM_MESH, geom.mesh = "m", geom.pos[0] = 1;
    tx_model *m = body_with(&mesh, &geom, NULL);
    assert_non_null(m);
    assert_int_equal(tx_model_size(m, TX_SIZE_NMESH), 1);
    assert_int_equal(tx_model_size(m, TX_SIZE_NMESHVERT), 12);
    assert_int_equal(tx_model_size(m, TX_SIZE_NMESHCORNER), 60);
    assert_int_equal(tx_model_size(m, TX_SIZE_NHULLVERT), 10); // the inner corner is not on the hull
    assert_int_equal(tx_model_size(m, TX_SIZE_NHULLCORNER), 3 * 16);
    // vertices come back through the geom's pose, to single precision
    const double *vert = tx_model_data_array(m, TX_DATA_MESH_VERT, NULL),
                 *pos = tx_model_params(m, TX_PARAM_GEOM_POS, NULL);
    double mat[9];
    tx_quat_to_mat(tx_model_params(m, TX_PARAM_GEOM_QUAT, NULL), mat);
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 3; k++) {
            double back =
                pos[k] + mat[3 * k] * vert[3 * i] + mat[3 * k + 1] * vert[3 * i + 1] + mat[3 * k + 2] * vert[3 * i + 2];
            near(back, ELL[3 * i + k] + (k == 0), 3e-8);
        }
    const int *hull_vert = tx_model_ints(m, TX_INT_HULL_VERT, NULL),
              *first = tx_model_ints(m, TX_INT_HULL_EDGEADR, NULL),
              *number = tx_model_ints(m, TX_INT_HULL_EDGENUM, NULL);
    for (int i = 0; i < 10; i++) assert_true(hull_vert[i] != 3 && hull_vert[i] != 9);
    assert_int_equal(first[9] + number[9], 48);
    // a mesh that cannot collide needs no hull
    geom.contype = geom.conaffinity = 0;
    tx_model_destroy(m);
    m = body_with(&mesh, &geom, NULL);
    assert_non_null(m);
    assert_int_equal(tx_model_size(m, TX_SIZE_NHULLVERT), 0);
    tx_model_destroy(m);
}

// a grid is about the vertices that there are, and has no more points than are allowed however small its cells are
static void grids_keep_to_their_points(void **state) {
    const double vertex[12] = {-1, -0.5, -0.25, 1, 0.5, 0.25, 0, 0, 0, 1e6, 1e6, 1e6}; // the last one is not meant
    for (double cell = 1; cell > 1e-4; cell *= 0.97) {
        const tx_sdf grid = tx_sdf_grid(vertex, 3, cell);
        double points = 1;
        for (int k = 0; k < 3; k++) {
            points *= grid.n[k];
            assert_true(fabs(grid.low[k] + 0.5 * (grid.n[k] - 1) * grid.cell) < 1e-9); // centred
            assert_true(grid.low[k] < vertex[k]);
        }
        assert_true(points <= TX_SDF_POINTS && grid.cell >= cell);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes),
        cmocka_unit_test(tetrahedra),
        cmocka_unit_test(spheres),
        cmocka_unit_test(shells_of_primitives),
        cmocka_unit_test(mujoco_says_the_same),
        cmocka_unit_test(hulls_contain_all_points),
        cmocka_unit_test(hulls_of_hard_points),
        cmocka_unit_test(flat_points_have_no_hull),
        cmocka_unit_test(models_keep_meshes_and_hulls),
        cmocka_unit_test(grids_keep_to_their_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
