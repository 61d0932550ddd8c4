// test_mesh_bad.c - meshes that are refused, and why; random soup; wrong uses of good ones.
#include "base/diag.h"
#include "meshes.h"
#include "random.h"
#include "thixis/model.h"

static uint64_t seed = 1;
static double noise(void) { return random_between(&seed, -1, 1); }

static int refuses(tx_mesh_def mesh, const char *words, const char *what) {
    tx_geom_def geom = tx_default_geom_def();
    tx_diag diag = {0};
    char line[1024] = "accepted";
    geom.type = TX_GEOM_MESH, geom.mesh = "m";
    mesh.source = (tx_source){"shapes.xml", 7, 3};
    tx_model *m = body_with(&mesh, &geom, &diag);
    if (!m) tx_diag_format(&diag, 0, line, sizeof line);
    bool good = !m && strstr(line, words) && strncmp(line, "shapes.xml:7:3: error: mesh 'm': ", 33) == 0;
    if (!good) printf("%s: expected \"%s\", got: %s\n", what, words, line);
    tx_model_destroy(m);
    tx_diag_free(&diag);
    return !good;
}

static void bad_meshes_say_why_and_where(void **state) {
    static const double FLAT[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, LINE[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3},
                        POINT[12] = {0};
    static const int FLAT_FACES[] = {0, 1, 2, 1, 3, 2}, TURNED[] = {0, 2, 1, 0, 1, 3, 1, 3, 2, 0, 3, 2},
                     OUT[] = {0, 1, 9, 0, 1, 2}, BELOW[] = {0, -1, 2};
    static const int INWARD[] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 0, 2, 3}, SLIVERS[] = {0, 0, 0, 1, 1, 1};
    double odd[12];
    int misses = 0;
    tx_mesh_def d;
#define TRY(words, points, triangles, ...) \
    d = MESH(points, triangles);           \
    __VA_ARGS__;                           \
    misses += refuses(d, words, #points " " #triangles " " #__VA_ARGS__)
    TRY("at least 4", TET, TET_FACES, d.vertex_count = 3; d.face_count = 1);
    TRY("at least 4", TET, TET_FACES, d.vertex_count = d.face_count = 0);
    TRY("in a plane", FLAT, FLAT_FACES, );
    TRY("in a plane", FLAT, FLAT_FACES, d.face_count = 0);
    TRY("on a line", LINE, FLAT_FACES, d.face_count = 0);
    TRY("one point", POINT, FLAT_FACES, d.face_count = 0);
    TRY("no vertex 9", TET, OUT, );
    TRY("no vertex -1", TET, BELOW, );
    TRY("same way", TET, TURNED, d.inertia = TX_MESH_INERTIA_EXACT);
    TRY("negative", TET, INWARD, d.inertia = TX_MESH_INERTIA_EXACT);
    TRY("surface", TET, SLIVERS, );
    TRY("volume", TET, TET_FACES, d.scale[0] = d.scale[1] = d.scale[2] = 1e-6);
    TRY("volume", TET, TET_FACES, d.scale[1] = 0);
    TRY("not usable", TET, TET_FACES, d.scale[1] = NAN);
    TRY("not usable", TET, TET_FACES, d.refpos[1] = INFINITY);
    TRY("refquat", TET, TET_FACES, d.refquat[0] = 0);
    TRY("inertia", TET, TET_FACES, d.inertia = (tx_mesh_inertia)9);
    memcpy(odd, TET, sizeof odd);
    odd[7] = NAN;
    TRY("vertex 2 is not usable", odd, TET_FACES, );
    odd[7] = 1e30;
    TRY("vertex 2 is not usable", odd, TET_FACES, );
    assert_int_equal(misses, 0);
    // what only looks wrong
    tx_mesh_def fine = MESH(TET, TURNED);
    tx_mesh m = built(&fine, true);
    near(m.volume, 1 / 6.0, 1e-15);
    tx_mesh_free(&m);
    fine = MESH(FLAT, FLAT_FACES), fine.inertia = TX_MESH_INERTIA_SHELL;
    m = built(&fine, false);
    near(m.volume, 1, 1e-15), near(m.box[0], 0, 1e-8);
    tx_mesh_free(&m);
}

// random soup, thin and repeated and huge: an answer or a message, never a crash and never a number that is none
static void any_soup_has_an_answer(void **state) {
    int made = 0;
    for (int trial = 0; trial < 3000; trial++) {
        double v[3 * 30];
        int f[3 * 30], vertices = 1 + (int)((noise() + 1) * 14.5), faces = (int)((noise() + 1) * 15);
        double size = pow(10, 4 * noise()), thin = trial % 3 ? 1 : pow(10, -8 * fabs(noise()));
        for (int i = 0; i < 3 * vertices; i++)
            v[i] = size * (trial % 5 ? noise() : round(2 * noise())) * (i % 3 ? 1 : thin);
        for (int i = 0; i < 3 * faces; i++) f[i] = (int)((noise() + 1) / 2 * vertices);
        tx_mesh_def def = {.name = "m",
                           .vertices = v,
                           .faces = f,
                           .vertex_count = vertices,
                           .face_count = faces,
                           .scale = {1, 1, trial % 7 ? 1 : -1},
                           .refquat = {1},
                           .inertia = (tx_mesh_inertia)(trial % 4)};
        tx_mesh m;
        tx_mesh_problem problem = {0};
        if (!tx_mesh_build(&m, &def, trial % 2, &problem)) {
            assert_true(problem.text[0] && problem.hint && !m.vertex && !m.hull.face);
            continue;
        }
        made++;
        assert_true(isfinite(m.volume) && m.volume > 0);
        for (int k = 0; k < 3; k++)
            assert_true(isfinite(m.pos[k]) && isfinite(m.box[k]) && isfinite(m.lowest[k]) && isfinite(m.highest[k]));
        tx_mesh_free(&m);
    }
    assert_true(made > 500);
}

static void bad_uses_say_why(void **state) {
    tx_mesh_def mesh = MESH(TET, TET_FACES);
    const struct {
        const char *words, *mesh;
        int type;
        bool shell, fromto;
        double fitscale;
    } cases[] = {{"there is no mesh 'n'", "n", TX_GEOM_MESH, false, false, 1},
                 {"there is no mesh", "", TX_GEOM_MESH, false, false, 1},
                 {"the mesh says where", "m", TX_GEOM_MESH, true, false, 1},
                 {"plane cannot be fitted", "m", TX_GEOM_PLANE, false, false, 1},
                 {"fromto", "m", TX_GEOM_CAPSULE, false, true, 1},
                 {"no size", "m", TX_GEOM_BOX, false, false, 0}};
    for (int i = 0; i < COUNT(cases); i++) {
        tx_geom_def geom = tx_default_geom_def();
        tx_diag diag = {0};
        geom.type = (tx_geom_type)cases[i].type, geom.mesh = cases[i].mesh, geom.shell = cases[i].shell,
        geom.fitscale = cases[i].fitscale;
        geom.has_fromto = cases[i].fromto, geom.fromto[5] = 1, geom.size[0] = 0.1;
        assert_null(body_with(&mesh, &geom, &diag));
        bool found = false;
        for (int k = 0; k < diag.count; k++) found = found || strstr(diag.messages[k].text, cases[i].words);
        if (!found) fail_msg("expected \"%s\", got: %s", cases[i].words, diag.messages[0].text);
        tx_diag_free(&diag);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_meshes_say_why_and_where),
        cmocka_unit_test(any_soup_has_an_answer),
        cmocka_unit_test(bad_uses_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
