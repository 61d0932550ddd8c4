// test_mesh_file.c - what the readers of OBJ and STL make of good, strange and broken files.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/hfield_file.h"
#include "load/mesh_builtin.h"
#include "load/mesh_file.h"

#define TETRAHEDRON "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
#define U_SHAPE     "v 0 0 0\nv 3 0 0\nv 3 3 0\nv 2 3 0\nv 2 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\n"

static void expect_mesh(const char *name, const char *bytes, size_t length, int vertices, const int *faces, int count) {
    tx_mesh_data mesh = {0};
    tx_diag diag = {0};
    assert_true(tx_mesh_read(bytes, length, name, &mesh, &diag));
    assert_int_equal(diag.count, 0);
    assert_int_equal(mesh.vertex_count, vertices);
    assert_int_equal(mesh.face_count, count);
    assert_memory_equal(mesh.faces, faces, sizeof *faces * 3 * (size_t)count);
    tx_mesh_release(&mesh);
}

// the triangles are those of MuJoCo 4.0.0 for the same files
static void polygons_become_mujocos_triangles(void **state) {
    static const struct {
        const char *text;
        int vertices, count, faces[18];
    } cases[] = {
        {TETRAHEDRON "f -4 -2 -3\nf 1/1 2//5 4/6/7 # three ways\nf 1 2\n", 4, 2, {0, 2, 1, 0, 1, 3}},
        // a face may stand before its vertices
        {"f 1 2 3\n" TETRAHEDRON, 4, 1, {0, 1, 2}},
        {"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 4 3 2 1\n", 4, 2, {3, 2, 0, 2, 1, 0}},
        {"v 0 0 0\nv 1 0 0\nv 2 2 0\nv 0 1 0\nf 3 2 1 4\n", 4, 2, {2, 1, 3, 1, 0, 3}},
        {"v 0 0 0\nv 2 0 0\nv 3 1 0\nv 2 2 0\nv 0 2 0\nf 5 4 3 2 1\n", 5, 3, {4, 3, 2, 4, 2, 1, 4, 1, 0}},
        {"v 0 0 0\nv 2 0 0\nv .5 1 0\nv 2 2 0\nv 0 2 0\nf 5 4 3 2 1\n", 5, 3, {4, 3, 2, 2, 1, 0, 4, 2, 0}},
        {"v 1 1 0\nv 2 1 0\nv 0 2 0\nv 3 2 0\nv 2 2 0\nf 1 2 3 4 5\n", 5, 3, {2, 3, 4, 2, 4, 0, 0, 1, 2}},
        {U_SHAPE "f 1 2 3 4 5 6 7 8\n", 8, 6, {1, 2, 3, 1, 3, 4, 1, 4, 5, 5, 6, 7, 5, 7, 0, 0, 1, 5}},
        {U_SHAPE "f 5 6 7 8 1 2 3 4\n", 8, 6, {5, 6, 7, 5, 7, 0, 5, 0, 1, 1, 2, 3, 1, 3, 4, 4, 5, 1}},
        {"\tv 0 0 0 1 1 1\r\nv 1 0 0\r\nvn 0 0 1\r\ng a\r\nusemtl b\r\nf 1 2 2\r\n", 2, 1, {0, 1, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_mesh("a.OBJ", cases[i].text, strlen(cases[i].text), cases[i].vertices, cases[i].faces, cases[i].count);
    }
}

// MuJoCo's own binary format: what is wrong with the counts, the size, the numbers and the indices is said
static void msh_files_are_read_and_checked(void **state) {
    static const float POINTS[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int32_t FACES[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    char bytes[16 + 48 + 48 + 32 + 48];
    const int32_t count[4] = {4, 4, 4, 4};
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, count, 16), memcpy(bytes + 16, POINTS, 48), memcpy(bytes + 144, FACES, 48);
    expect_mesh("a.msh", bytes, sizeof bytes, 4, FACES, 4);
    static const struct {
        int at;
        int32_t value;
        size_t length;
        const char *says;
    } WRONG[] = {{0, 4, 15, "too short"},          {0, 4, 191, "191 bytes"},        {0, -1, 192, "impossible count"},
                 {12, 1 << 30, 192, "impossible"}, {4, 3, 192, "one for each"},     {16, 0x7f800000, 192, "not finite"},
                 {144, 4, 192, "has vertex 4"},    {188, -1, 192, "has vertex -1"}, {0, 5, 192, "one for each"}};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        char broken[sizeof bytes];
        tx_mesh_data mesh = {0};
        tx_diag diag = {0};
        memcpy(broken, bytes, sizeof bytes);
        memcpy(broken + WRONG[i].at, &WRONG[i].value, 4);
        assert_false(tx_mesh_read(broken, WRONG[i].length, "a.MSH", &mesh, &diag));
        assert_int_equal(diag.errors, 1);
        if (!strstr(diag.messages[0].text, WRONG[i].says)) fail_msg("%s", diag.messages[0].text);
        tx_mesh_release(&mesh), tx_diag_free(&diag);
    }
}

// six times the volume that the faces enclose; the surface is closed when it does not depend on where it stands
static double volume_from(const tx_mesh_data *mesh, double x) {
    double sum = 0;
    for (int i = 0; i < mesh->face_count; i++) {
        double v[3][3];
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++) v[k][c] = mesh->vertices[3 * mesh->faces[3 * i + k] + c] + x;
        sum += v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) + v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
               v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    }
    return sum;
}

static double area_of(const tx_mesh_data *mesh) {
    double sum = 0;
    for (int i = 0; i < mesh->face_count; i++) {
        const int *f = mesh->faces + 3 * i;
        double u[3], v[3];
        for (int c = 0; c < 3; c++) {
            u[c] = mesh->vertices[3 * f[1] + c] - mesh->vertices[3 * f[0] + c];
            v[c] = mesh->vertices[3 * f[2] + c] - mesh->vertices[3 * f[0] + c];
        }
        const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
        sum += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
    }
    return sum;
}

// MuJoCo 4.0's counts and volumes (mesh_vertnum, mesh_facenum, body_mass / 1000 with density 1000)
static void builtin_meshes_are_closed_surfaces(void **state) {
    static const struct {
        const char *name;
        double params[7];
        int count, vertices, faces;
        double low, high; // of the volume
    } CASES[] = {{"sphere", {0}, 1, 12, 20, 2.53, 2.54},
                 {"sphere", {3}, 1, 642, 1280, 4.15, 4.1888},
                 {"hemisphere", {0}, 1, 6, 8, 0.6666, 0.6667},
                 {"hemisphere", {4}, 1, 62, 120, 1.9, 2.0944},
                 {"supersphere", {40, 1, 1}, 3, 1562, 3120, 4.15, 4.1888},
                 {"supertorus", {60, 0.25, 1, 1}, 4, 3600, 7200, 1.22, 1.2338},
                 {"cone", {5, 0.5}, 2, 10, 0, 0, 0},
                 {"wedge", {5, 4, 60, 40, 0.3}, 5, 20, 0, 0, 0},
                 {"grid", {3, 2, 4, 1, 1, 1}, 6, 24, 0, 0, 0},
                 {"box", {3, 4, 2, 1, 1, 1}, 6, 25, 0, 0, 0},
                 {"ellipsoid", {5, 4, 6, 1, 1, 1, 3}, 7, 97, 0, 0, 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        tx_mesh_data mesh = {0};
        assert_null(tx_mesh_builtin(CASES[i].name, CASES[i].params, CASES[i].count, &mesh));
        assert_int_equal(mesh.vertex_count, CASES[i].vertices);
        assert_int_equal(mesh.face_count, CASES[i].faces);
        double here = volume_from(&mesh, 0) / 6, there = volume_from(&mesh, 3) / 6;
        if (here < CASES[i].low || here > CASES[i].high) fail_msg("%s: volume %g", CASES[i].name, here);
        if (here - there > 1e-4 || there - here > 1e-4) fail_msg("%s is open", CASES[i].name);
        tx_mesh_release(&mesh);
    }
    // surfaces: vertices, triangles, area
    static const struct {
        const char *name;
        double params[7];
        int count, vertices, faces;
        double area;
    } FLAT[] = {{"plate", {3, 4}, 2, 12, 12, 4.0 / 3 * 1.5},
                {"square", {3, 2, 1, 0.5, 2, 1}, 6, 6, 4, 2},
                {"disc", {5, 5, 1, 1, 1, 1}, 6, 25, 32, 0},
                {"grid", {3, 4, 1, 1, 1, 1, 2}, 7, 12, 12, 6},
                {"box", {3, 4, 5, 1, 1, 1, 2}, 7, 12 + 4 * 10, 12 + 4 * 20, 6 + 2 * 4 * (2 + 3)},
                {"cylinder", {5, 4, 3, 1, 1, 1, 2}, 7, 20 + 2 * 14, 24 + 4 * 14, 0}};
    for (size_t i = 0; i < sizeof FLAT / sizeof *FLAT; i++) {
        tx_mesh_data mesh = {0};
        assert_null(tx_mesh_builtin(FLAT[i].name, FLAT[i].params, FLAT[i].count, &mesh));
        assert_int_equal(mesh.vertex_count, FLAT[i].vertices);
        assert_int_equal(mesh.face_count, FLAT[i].faces);
        assert_true(tx_mesh_builtin_flat(FLAT[i].name, FLAT[i].params, FLAT[i].count));
        if (FLAT[i].area > 0) assert_true(fabs(area_of(&mesh) - FLAT[i].area) < 1e-6);
        // the diagonals of a disc all point to its middle, where two triangles of each of the four cells meet
        int meet = 0;
        for (int k = 0; k < 3 * mesh.face_count; k++) meet += mesh.faces[k] == mesh.vertex_count / 2;
        if (strcmp(FLAT[i].name, "disc") == 0) assert_int_equal(meet, 8);
        tx_mesh_release(&mesh);
    }
    static const double FEW[] = {2}, WRONG[] = {-1, 0.5, 11}, HALF[] = {3.5, 1, 1};
    tx_mesh_data none = {0};
    for (int i = 0; i < 3; i++) assert_non_null(tx_mesh_builtin("sphere", &WRONG[i], 1, &none));
    assert_non_null(tx_mesh_builtin("cone", FEW, 1, &none));
    assert_non_null(tx_mesh_builtin("supersphere", HALF, 3, &none));
    assert_non_null(tx_mesh_builtin("pyramid", FEW, 1, &none));
    assert_int_equal(none.vertex_count, 0);
}

// faces may have any number of corners: a star of 200 has 198 triangles, and their area. Where a polygon seen from the
// origin turns decides about its ears in MuJoCo 4.0: this one goes around it
static void a_face_has_any_number_of_corners(void **state) {
    enum { CORNERS = 200 };
    static char text[16384];
    size_t used = 0;
    double x[CORNERS], y[CORNERS], area = 0, sum = 0;
    for (int i = 0; i < CORNERS; i++) {
        double r = i % 2 ? 1 : 2, angle = 2 * 3.14159265358979323846 * i / CORNERS;
        x[i] = r * cos(angle), y[i] = r * sin(angle);
        used += (size_t)snprintf(text + used, sizeof text - used, "v %.9g %.9g 0\n", x[i], y[i]);
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "f");
    for (int i = 0; i < CORNERS; i++) used += (size_t)snprintf(text + used, sizeof text - used, " %d", i + 1);
    tx_mesh_data mesh = {0};
    tx_diag diag = {0};
    assert_true(tx_mesh_read(text, used, "a.obj", &mesh, &diag));
    assert_int_equal(diag.count, 0);
    assert_int_equal(mesh.face_count, CORNERS - 2);
    for (int i = 0; i < CORNERS; i++) area += x[i] * y[(i + 1) % CORNERS] - y[i] * x[(i + 1) % CORNERS];
    for (int f = 0; f < mesh.face_count; f++) {
        const double *a = mesh.vertices + 3 * mesh.faces[3 * f], *b = mesh.vertices + 3 * mesh.faces[3 * f + 1],
                     *c = mesh.vertices + 3 * mesh.faces[3 * f + 2];
        double part = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        assert_true(part > 0);
        sum += part;
    }
    assert_true(fabs(sum - area) < 1e-5);
    tx_mesh_release(&mesh);
    tx_diag_free(&diag);
}

// MuJoCo 4.0.0 finds one ear in this one and leaves the rest out
static void a_folded_polygon_gives_what_can_be_cut(void **state) {
    const char *text = "v 0 0 0\nv 2 0 0\nv .5 1 0\nv 2 2 0\nv 0 2 0\nf 2 3 4 5 1\n";
    static const int face[3] = {0, 1, 2};
    tx_mesh_data mesh = {0};
    tx_diag diag = {0};
    assert_true(tx_mesh_read(text, strlen(text), "a.obj", &mesh, &diag));
    assert_int_equal(mesh.face_count, 1);
    assert_memory_equal(mesh.faces, face, sizeof face);
    assert_int_equal(diag.count, 1);
    assert_string_equal(diag.messages[0].text,
                        "a face of 5 corners cannot be cut into triangles: 4 of them are left over");
    tx_mesh_release(&mesh);
    tx_diag_free(&diag);
}

// a binary STL of triangles given by their corners; returns its size
static size_t make_stl(char *bytes, const float *corners, int count) {
    memset(bytes, 0, 84 + 50 * (size_t)count);
    memcpy(bytes, "solid, but binary", 17);
    bytes[80] = (char)count;
    for (int i = 0; i < count; i++) memcpy(bytes + 84 + 50 * i + 12, corners + 9 * i, 36);
    return 84 + 50 * (size_t)count;
}

static void equal_corners_become_one_vertex(void **state) {
    static const float corners[] = {0, 0, 0, 0, 1, 0, 1, 0, 0, -0.0f, 0, 0, 1, 0, 0, 0, 0, 1};
    static const int faces[] = {0, 1, 2, 0, 2, 3};
    char bytes[256];
    expect_mesh("a.stl", bytes, make_stl(bytes, corners, 2), 4, faces, 2);
    const char *text = "solid a name\n facet normal 0 0 -1\n  outer loop\n   vertex 0 0 0\n   vertex 0 1 0\n"
                       "   vertex 1 0 0\n  endloop\n endfacet\n\n facet normal 0 -1 0\n  outer loop\n   vertex -0 0 0\n"
                       "   vertex 1e0 0 0\n   vertex 0 0 1\n  endloop\n endfacet\nendsolid a name\n";
    expect_mesh("a.stl", text, strlen(text), 4, faces, 2);
}

static void numbers_of_meshes_are_single_precision(void **state) {
    const char *text = "v 0.1 0.123456789012 -3e-50\n";
    tx_mesh_data mesh = {0};
    tx_diag diag = {0};
    assert_true(tx_mesh_read(text, strlen(text), "a.obj", &mesh, &diag));
    assert_true(mesh.vertices[0] == 0.1f && mesh.vertices[1] == 0.123456789012f && mesh.vertices[2] == 0);
    tx_mesh_release(&mesh);
}

// xorshift (Marsaglia 2003)
static uint64_t random_bits(uint64_t *s) {
    *s ^= *s << 13;
    *s ^= *s >> 7;
    return *s ^= *s << 17;
}

// whatever is cut off or written over, the reader stays inside the file and either succeeds or says why
static void broken_meshes_are_survived(void **state) {
    static const float corners[] = {0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    char stl[256], obj[] = TETRAHEDRON "f 1 3 2\nf 1/2 2/3 4/5 3/6\no a\nf -1 -2 -3 -4 1\n";
    size_t stl_size = make_stl(stl, corners, 2);
    uint64_t seed = 88172645463325252ull;
    for (int i = 0; i < 4000; i++) {
        bool is_stl = i % 2;
        size_t size = is_stl ? stl_size : sizeof obj - 1, length = i < 600 ? (size_t)i / 2 % (size + 1) : size;
        char *copy = malloc(length ? length : 1); // no terminator: a sanitizer sees what is read beyond the end
        memcpy(copy, is_stl ? stl : obj, length);
        for (int k = 0; i >= 600 && k < 3; k++) copy[random_bits(&seed) % length] = (char)random_bits(&seed);
        tx_mesh_data mesh = {0};
        tx_diag diag = {0};
        bool read = tx_mesh_read(copy, length, is_stl ? "a.stl" : "a.obj", &mesh, &diag);
        assert_true(read == (diag.errors == 0));
        for (int k = 0; read && k < 3 * mesh.face_count; k++) {
            assert_true(mesh.faces[k] >= 0 && mesh.faces[k] < mesh.vertex_count);
        }
        tx_mesh_release(&mesh);
        tx_diag_free(&diag);
        free(copy);
    }
}

// a count in the header that the file cannot hold asks for no memory
// texture coordinates of the corners of faces: counted from 1, or backwards from the last one; a number that is none,
// or not there, is 0; corners without any have those of the first corner of the picture (MuJoCo 4.0.0)
static void corners_have_texture_coordinates(void **state) {
    static const char TEXT[] = TETRAHEDRON "vt .25 .75\nvt .5\nvt x .5\nf 1/1 2/-2 3/9\nf 1//1 2 4/3\n";
    static const double WANTED[12] = {.25, .25, .5, 1, 0, 0, 0, 0, 0, 0, 0, .5};
    for (int wanted = 0; wanted < 2; wanted++) {
        tx_mesh_data mesh = {.wants_coords = wanted};
        tx_diag diag = {0};
        assert_true(tx_mesh_read(TEXT, sizeof TEXT - 1, "a.obj", &mesh, &diag));
        assert_int_equal(mesh.face_count, 2);
        assert_true((mesh.coords != NULL) == (wanted == 1));
        for (int i = 0; i < 12 && wanted; i++) assert_true(mesh.coords[i] == WANTED[i]);
        tx_mesh_release(&mesh), tx_diag_free(&diag);
    }
}

// what stands where in a text of STL, and where something else does
static void texts_of_stl_are_checked(void **state) {
#define FACET    "solid a\nfacet normal 0 0 1\n"
#define CORNERS  FACET "outer loop\nvertex 0 0 0\nvertex 1 0 0\n"
#define TRIANGLE CORNERS "vertex 0 1 0\n"
    static const char *const CASES[][2] = {
        {"solid a\nbox\n", "'box' stands where 'facet' is expected"},
        {FACET, "the file ends where 'outer loop' is expected"},
        {FACET "inner loop\n", "'inner' stands where 'outer' is expected"},
        {FACET "outer circle\n", "'circle' stands where 'loop' is expected"},
        {CORNERS, "the file ends where 'vertex' is expected"},
        {CORNERS "endloop\n", "'endloop' stands where 'vertex' is expected"},
        {CORNERS "vertex 0 1\n", ""},
        {CORNERS "vertex 0 1 1e30\n", "this corner is too far away"},
        {TRIANGLE, "the file ends where 'endloop' is expected"},
        {TRIANGLE "endfacet\n", "'endfacet' stands where 'endloop' is expected"},
        {TRIANGLE "endloop\n", "the file ends where 'endfacet' is expected"},
        {TRIANGLE "endloop\nfacet\n", "'facet' stands where 'endfacet' is expected"},
        {TRIANGLE "endloop\nendfacet\n", "the file ends where 'endsolid' is expected"},
        {"solid a\nendsolid\n", "the file has no triangles"},
        {TRIANGLE "endloop\nendfacet\nendsolid a\nsolid b\nendsolid\n", NULL},
    };
    for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; k++) {
        tx_mesh_data mesh = {0};
        tx_diag diag = {0};
        const bool good = tx_mesh_read(CASES[k][0], strlen(CASES[k][0]), "a.stl", &mesh, &diag);
        assert_int_equal(good, !CASES[k][1]);
        if (good) assert_true(mesh.face_count == 1 && mesh.vertex_count == 3);
        else if (!strstr(diag.messages[0].text, CASES[k][1]))
            fail_msg("'%s' is not in '%s'", CASES[k][1], diag.messages[0].text);
        tx_mesh_release(&mesh), tx_diag_free(&diag);
    }
}

// a grid of heights: rows, columns and as many numbers
static void grids_have_their_size(void **state) {
    static const struct {
        uint32_t rows, columns;
        size_t bytes;
        float last;
        const char *text; // null: it is read
    } CASES[] = {{2, 2, 24, 3, NULL},
                 {3, 2, 32, 3, NULL},
                 {1, 2, 16, 3, "16 bytes are no grid of 1 x 2 heights"},
                 {2, 1, 16, 3, "16 bytes are no grid of 2 x 1 heights"},
                 {2, 2, 20, 3, "20 bytes are no grid of 2 x 2 heights"},
                 {0x80000000u, 0x80000000u, 24, 3, "24 bytes are no grid of 2147483648 x 2147483648 heights"},
                 {2, 2, 7, 3, "the file is too short for a grid of heights"},
                 {2, 2, 24, INFINITY, "a height is not finite"}};
    for (size_t k = 0; k < sizeof CASES / sizeof CASES[0]; k++) {
        char bytes[32] = {0};
        memcpy(bytes, &CASES[k].rows, 4), memcpy(bytes + 4, &CASES[k].columns, 4),
            memcpy(bytes + 20, &CASES[k].last, 4);
        tx_hfield_data data = {0};
        tx_diag diag = {0};
        assert_int_equal(tx_hfield_read(bytes, CASES[k].bytes, "a.bin", &data, &diag), !CASES[k].text);
        if (CASES[k].text) assert_string_equal(diag.messages[0].text, CASES[k].text);
        else assert_true(data.nrow == (int)CASES[k].rows && data.ncol == 2 && data.height[3] == 3);
        tx_hfield_release(&data), tx_diag_free(&diag);
    }
}

static void huge_counts_are_refused(void **state) {
    char bytes[84] = {0};
    memset(bytes + 80, 0xff, 4);
    tx_mesh_data mesh = {0};
    tx_diag diag = {0};
    assert_false(tx_mesh_read(bytes, sizeof bytes, "a.stl", &mesh, &diag));
    assert_string_equal(diag.messages[0].text, "the file has 84 bytes, but its 4294967295 triangles need 214748364834");
    tx_mesh_release(&mesh);
    tx_diag_free(&diag);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(msh_files_are_read_and_checked),
        cmocka_unit_test(builtin_meshes_are_closed_surfaces),
        cmocka_unit_test(polygons_become_mujocos_triangles),
        cmocka_unit_test(a_folded_polygon_gives_what_can_be_cut),
        cmocka_unit_test(a_face_has_any_number_of_corners),
        cmocka_unit_test(equal_corners_become_one_vertex),
        cmocka_unit_test(numbers_of_meshes_are_single_precision),
        cmocka_unit_test(broken_meshes_are_survived),
        cmocka_unit_test(huge_counts_are_refused),
        cmocka_unit_test(corners_have_texture_coordinates),
        cmocka_unit_test(texts_of_stl_are_checked),
        cmocka_unit_test(grids_have_their_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
