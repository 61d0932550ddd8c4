// mesh_builtin.c - MuJoCo's builtin meshes: surfaces from a few parameters.
#include "load/mesh_builtin.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

// a mesh being made; the first failure stays
typedef struct maker {
    tx_mesh_data *mesh;
    const double *params;
    tx_mesh_added added;
} maker;

static void vertex(maker *k, double x, double y, double z) {
    const double point[3] = {x, y, z};
    if (!k->added) k->added = tx_mesh_add_vertex(k->mesh, point);
}

static void face(maker *k, int a, int b, int c) {
    if (!k->added) k->added = tx_mesh_add_face(k->mesh, a, b, c);
}

// two triangles: a and b along one line, c and d along the next
static void quad(maker *k, int a, int b, int c, int d) {
    face(k, a, b, c);
    face(k, b, d, c);
}

// |x|^power with the sign of x
static double power_of(double x, double power) { return copysign(pow(fabs(x), power), x); }

// ---- round ones -----------------------------------------------------------------------------------------------------

enum { SPHERE_VERTICES = 2 + 10 * 256 }; // after four rounds

// the vertex halfway between two, on the sphere; the same for both faces at an edge
static int halfway(maker *k, double (*exact)[3], int a, int b) {
    double middle[3], norm = 0;
    for (int i = 0; i < 3; i++) middle[i] = (exact[a][i] + exact[b][i]) / 2, norm += middle[i] * middle[i];
    norm = sqrt(norm);
    for (int i = 0; i < 3; i++) middle[i] /= norm;
    for (int i = 0; i < k->mesh->vertex_count; i++) {
        const double *v = exact[i];
        if (fabs(v[0] - middle[0]) + fabs(v[1] - middle[1]) + fabs(v[2] - middle[2]) < 1e-6) return i;
    }
    if (k->mesh->vertex_count == SPHERE_VERTICES) return 0;
    memcpy(exact[k->mesh->vertex_count], middle, sizeof middle);
    vertex(k, middle[0], middle[1], middle[2]);
    return k->mesh->vertex_count - 1;
}

// an icosahedron whose faces are cut into four again and again
static void make_sphere(maker *k) {
    static const int FACES[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    double exact[SPHERE_VERTICES][3]; // before they are rounded to single precision
    const double golden = (1 + sqrt(5)) / 2, a = 1 / sqrt(1 + golden * golden), b = golden * a;
    // three golden rectangles
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 4; i++) {
            const double small = i % 2 ? a : -a, large = i < 2 ? b : -b;
            double *v = exact[4 * axis + i];
            v[(axis + 0) % 3] = small, v[(axis + 1) % 3] = large, v[(axis + 2) % 3] = 0;
            vertex(k, v[0], v[1], v[2]);
        }
    for (int i = 0; i < 20; i++) face(k, FACES[i][0], FACES[i][1], FACES[i][2]);
    for (int round = 0; round < (int)k->params[0]; round++) {
        const int count = k->mesh->face_count;
        for (int i = 0; i < count && !k->added; i++) {
            int f[3], m[3];
            memcpy(f, k->mesh->faces + 3 * i, sizeof f);
            for (int e = 0; e < 3; e++) m[e] = halfway(k, exact, f[e], f[(e + 1) % 3]);
            memcpy(k->mesh->faces + 3 * i, m, sizeof m);
            for (int e = 0; e < 3; e++) face(k, f[e], m[e], m[(e + 2) % 3]);
        }
    }
}

// half an octahedron cut into rings of 4, 8, 12 ... vertices, blown up to a sphere, and a flat bottom
static void make_hemisphere(maker *k) {
    const int rings = (int)k->params[0] + 1;
    vertex(k, 0, 0, 1);
    for (int r = 1; r <= rings; r++)
        for (int i = 0; i < 4 * r; i++) {
            // in the first quadrant, then turned by right angles
            const double x = r - i % r, y = i % r, z = rings - r, norm = sqrt(x * x + y * y + z * z);
            const double turned[4][2] = {{x, y}, {-y, x}, {-x, -y}, {y, -x}};
            vertex(k, turned[i / r][0] / norm, turned[i / r][1] / norm, z / norm);
        }
    vertex(k, 0, 0, 0);
    for (int i = 0; i < 4; i++) face(k, 0, 1 + i, 1 + (i + 1) % 4);
    int inner = 1;
    for (int r = 1; r < rings; r++) {
        const int outer = inner + 4 * r, n = 4 * r, more = 4 * (r + 1);
        for (int q = 0; q < 4; q++)
            for (int i = 0; i <= r; i++) {
                const int a = inner + (q * r + i) % n, next = inner + (q * r + i + 1) % n;
                const int b = outer + (q * (r + 1) + i) % more, c = outer + (q * (r + 1) + i + 1) % more;
                face(k, a, b, c);
                if (i < r) face(k, a, c, next);
            }
        inner = outer;
    }
    for (int i = 0; i < 4 * rings; i++) face(k, inner + i, inner + 4 * rings, inner + (i + 1) % (4 * rings));
}

// latitudes and longitudes; sines and cosines to a power of their own each
static void make_supersphere(maker *k) {
    const int n = (int)k->params[0];
    const double around = k->params[1], along = k->params[2];
    vertex(k, 0, 0, -1);
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double up = PI * i / n - PI / 2, round = 2 * PI * j / n - PI, ring = power_of(cos(up), along);
            vertex(k, ring * power_of(cos(round), around), ring * power_of(sin(round), around),
                   power_of(sin(up), along));
        }
    vertex(k, 0, 0, 1);
    const int top = 1 + n * (n - 1);
    for (int j = 0; j < n; j++) face(k, 0, 1 + (j + 1) % n, 1 + j);
    for (int i = 0; i + 2 < n; i++)
        for (int j = 0; j < n; j++) {
            const int a = 1 + n * i + j, b = 1 + n * i + (j + 1) % n;
            quad(k, a, b, a + n, b + n);
        }
    for (int j = 0; j < n; j++) face(k, top - n + j, top - n + (j + 1) % n, top);
}

static void make_supertorus(maker *k) {
    const int n = (int)k->params[0];
    const double radius = k->params[1], minor = k->params[2], major = k->params[3];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double u = 2 * PI * i / n, v = 2 * PI * j / n, ring = 1 + radius * power_of(cos(v), minor);
            vertex(k, ring * power_of(cos(u), major), ring * power_of(sin(u), major), radius * power_of(sin(v), minor));
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const int next = (i + 1) % n, up = (j + 1) % n;
            quad(k, n * i + j, n * next + j, n * i + up, n * next + up);
        }
}

// two polygons, or a polygon and a point; its faces are those of the hull
static void make_cone(maker *k) {
    const int n = (int)k->params[0];
    const double radius = k->params[1];
    for (int i = 0; i < n; i++) vertex(k, cos(2 * PI * i / n), sin(2 * PI * i / n), -1);
    if (radius == 0) vertex(k, 0, 0, 1);
    for (int i = 0; radius > 0 && i < n; i++) vertex(k, radius * cos(2 * PI * i / n), radius * sin(2 * PI * i / n), 1);
}

// ---- table ----------------------------------------------------------------------------------------------------------

enum { MOST = 1000 }; // of a resolution

static const struct {
    const char *name, *takes;
    int params;
    double low[4], high[4];
    void (*make)(maker *k);
} KINDS[] = {
    {"sphere", "subdivisions, 0 to 4", 1, {0}, {4}, make_sphere},
    {"hemisphere", "a resolution, 0 to 10", 1, {0}, {10}, make_hemisphere},
    {"cone", "corners, 3 or more, and the radius of the top, 0 to 1", 2, {3, 0}, {MOST, 1}, make_cone},
    {"supersphere",
     "a resolution, 3 or more, and two exponents, 0 or more",
     3,
     {3, 0, 0},
     {MOST, 100, 100},
     make_supersphere},
    {"supertorus",
     "a resolution, 3 or more, a radius up to 1, and two exponents, all positive",
     4,
     {3, 1e-6, 1e-6, 1e-6},
     {MOST, 1, 100, 100},
     make_supertorus},
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

static int find(const char *name) {
    for (int i = 0; i < KIND_COUNT; i++)
        if (strcmp(KINDS[i].name, name) == 0) return i;
    return -1;
}

bool tx_mesh_builtin_known(const char *name) { return find(name) >= 0; }

const char *tx_mesh_builtin(const char *name, const double *params, int count, tx_mesh_data *mesh) {
    const int kind = find(name);
    if (kind < 0) return "there is no such mesh";
    bool good = count == KINDS[kind].params;
    for (int i = 0; good && i < count; i++) good = params[i] >= KINDS[kind].low[i] && params[i] <= KINDS[kind].high[i];
    if (!good || params[0] != floor(params[0])) return KINDS[kind].takes;
    maker k = {mesh, params, TX_MESH_ADDED};
    KINDS[kind].make(&k);
    return k.added ? tx_mesh_why(k.added) : NULL;
}
