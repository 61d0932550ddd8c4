// mesh_builtin.c - MuJoCo's builtin meshes: surfaces from a few parameters.
#include "load/mesh_builtin.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

#define PI 3.14159265358979323846

// a mesh being made; the first failure stays
typedef struct maker {
    tx_mesh_data *mesh;
    const double *params;
    int count; // of parameters
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

// the vertex halfway between two, on the sphere, in single precision as MuJoCo's; the same for both faces at an edge
static int halfway(maker *k, int a, int b) {
    const double *all = k->mesh->vertices;
    float middle[3];
    for (int i = 0; i < 3; i++) middle[i] = ((float)all[3 * a + i] + (float)all[3 * b + i]) * 0.5f;
    const float norm = sqrtf(middle[0] * middle[0] + middle[1] * middle[1] + middle[2] * middle[2]);
    for (int i = 0; i < 3; i++) middle[i] /= norm;
    for (int i = 0; i < k->mesh->vertex_count; i++) {
        const double *v = all + 3 * i;
        if (fabs(v[0] - middle[0]) + fabs(v[1] - middle[1]) + fabs(v[2] - middle[2]) < 1e-6) return i;
    }
    vertex(k, middle[0], middle[1], middle[2]);
    return k->mesh->vertex_count - 1;
}

// an icosahedron whose faces are cut into four again and again
static void make_sphere(maker *k) {
    static const int FACES[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    const double golden = (1 + sqrt(5)) / 2, a = 1 / sqrt(1 + golden * golden), b = golden * a;
    // three golden rectangles
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 4; i++) {
            const double small = i % 2 ? a : -a, large = i < 2 ? b : -b;
            double v[3];
            v[(axis + 0) % 3] = small, v[(axis + 1) % 3] = large, v[(axis + 2) % 3] = 0;
            vertex(k, v[0], v[1], v[2]);
        }
    for (int i = 0; i < 20; i++) face(k, FACES[i][0], FACES[i][1], FACES[i][2]);
    for (int round = 0; round < (int)k->params[0]; round++) {
        const int count = k->mesh->face_count;
        for (int i = 0; i < count && !k->added; i++) {
            int f[3], m[3];
            memcpy(f, k->mesh->faces + 3 * i, sizeof f);
            for (int e = 0; e < 3; e++) m[e] = halfway(k, f[e], f[(e + 1) % 3]);
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

// ---- for sensors of touch: points in the middle of cells ------------------------------------------------------------

static void make_plate(maker *k) {
    const int nx = (int)k->params[0], ny = (int)k->params[1];
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++) vertex(k, (2 * i + 1.0) / nx - 1, (2 * j + 1.0) / ny - 1, -1);
    for (int i = 0; i + 1 < nx; i++)
        for (int j = 0; j + 1 < ny; j++) {
            const int a = ny * i + j, b = a + ny;
            face(k, a, b, a + 1);
            face(k, b + 1, a + 1, b);
        }
}

static double fifth(double x) { return x * x * x * x * x; }

// middle of cell i of n between -1 and 1, whose borders have moved towards zero
static double fovea(int i, int n, double gamma) {
    const double low = 2.0 * i / n - 1, high = 2.0 * (i + 1) / n - 1;
    return ((1 - gamma) * (low + high) + gamma * (fifth(low) + fifth(high))) / 2;
}

// a part of a sphere around -z; its faces are those of the hull
static void make_wedge(maker *k) {
    const int across = (int)k->params[0], up = (int)k->params[1];
    for (int i = 0; i < across; i++)
        for (int j = 0; j < up; j++) {
            const double turn = PI / 180 * k->params[2] * fovea(i, across, k->params[4]);
            const double lift = PI / 180 * k->params[3] * fovea(j, up, k->params[4]);
            vertex(k, sin(turn) * cos(lift), sin(lift), -cos(turn) * cos(lift));
        }
}

// ---- grids: three counts, three distances, and perhaps whether they are surfaces (2) or solid (3)
// --------------------

typedef struct grid {
    int n[3];
    double half[3]; // from the middle to the border
    int shape;      // how many coordinates are rounded: 0 a box, 2 a cylinder, 3 an ellipsoid
    bool closed;
} grid;

static grid grid_of(const maker *k, int shape) {
    grid g = {.shape = shape, .closed = k->count < 7 || k->params[6] == 3};
    for (int i = 0; i < 3; i++) g.n[i] = (int)k->params[i], g.half[i] = 0.5 * k->params[3 + i] * (g.n[i] - 1);
    return g;
}

// squares of one size around the middle become circles, cubes spheres
static void grid_vertex(maker *k, const grid *g, const int at[3]) {
    double unit[3], size = 0, most = 0;
    for (int i = 0; i < 3; i++) {
        unit[i] = g->n[i] > 1 ? 2.0 * at[i] / (g->n[i] - 1) - 1 : 0;
        if (i < g->shape) size += unit[i] * unit[i], most = fmax(most, fabs(unit[i]));
    }
    for (int i = 0; i < g->shape && size > 0; i++) unit[i] *= most / sqrt(size);
    vertex(k, unit[0] * g->half[0], unit[1] * g->half[1], unit[2] * g->half[2]);
}

// two triangles of a cell, along one diagonal or the other; a, b: neighbours, c, d: behind them
static void cell(maker *k, int a, int b, int c, int d, bool other) {
    if (other) {
        face(k, a, c, b);
        face(k, c, d, b);
    } else {
        face(k, a, c, d);
        face(k, a, d, b);
    }
}

// all points; a surface of cells where there is one layer, else the faces are those of the hull
static void make_grid(maker *k) {
    const grid g = grid_of(k, 0);
    for (int i = 0; i < g.n[0]; i++)
        for (int j = 0; j < g.n[1]; j++)
            for (int l = 0; l < g.n[2]; l++) grid_vertex(k, &g, (int[]){i, j, l});
    for (int i = 0; !g.closed && i + 1 < g.n[0]; i++)
        for (int j = 0; j + 1 < g.n[1]; j++) {
            const int a = g.n[1] * i + j;
            cell(k, a, a + 1, a + g.n[1], a + g.n[1] + 1, false);
        }
}

// the cells of one layer; of a disc they fold towards the middle
static void make_layer(maker *k, bool disc) {
    const grid g = grid_of(k, 0);
    for (int i = 0; i < g.n[0]; i++)
        for (int j = 0; j < g.n[1]; j++) {
            double x = (2.0 * i / fmax(g.n[0] - 1, 1) - 1) * g.half[0],
                   y = (2.0 * j / fmax(g.n[1] - 1, 1) - 1) * g.half[1];
            if (g.n[0] == 1) x = 0;
            if (g.n[1] == 1) y = 0;
            const double far = sqrt(x * x + y * y), most = fmax(fabs(x), fabs(y));
            // MuJoCo's circles have the units of an area
            if (disc && far > 0) x *= fabs(g.half[0]) * most / far, y *= fabs(g.half[1]) * most / far;
            vertex(k, x, y, 0);
        }
    for (int i = 0; i + 1 < g.n[0]; i++)
        for (int j = 0; j + 1 < g.n[1]; j++) {
            const int a = g.n[1] * i + j;
            const bool other = disc && (i < g.n[0] / 2) != (j < g.n[1] / 2);
            cell(k, a, a + 1, a + g.n[1], a + g.n[1] + 1, other);
        }
}
static void make_square(maker *k) { make_layer(k, false); }
static void make_disc(maker *k) { make_layer(k, true); }

// number of the vertex of a surface, or -1 where none has been made: below, above, then the sides by y and by x
typedef struct shell {
    const grid *g;
    int *made; // per point of the whole grid
} shell;

static int shell_vertex(maker *k, const shell *s, const int at[3]) {
    int *known = &s->made[(at[0] * s->g->n[1] + at[1]) * s->g->n[2] + at[2]];
    if (*known < 0) {
        *known = k->mesh->vertex_count;
        grid_vertex(k, s->g, at);
    }
    return *known;
}

// one side of the box: coordinate `fixed` at `value`, cells over the other two
static void shell_side(maker *k, const shell *s, int fixed, int value) {
    const int u = fixed == 0 ? 1 : 0, v = fixed == 2 ? 1 : 2;
    const int *n = s->g->n;
    int at[3];
    at[fixed] = value;
    for (at[u] = 0; at[u] < n[u]; at[u]++)
        for (at[v] = 0; at[v] < n[v]; at[v]++) shell_vertex(k, s, at);
    for (int i = 0; !s->g->closed && i + 1 < n[u]; i++)
        for (int j = 0; j + 1 < n[v]; j++) {
            int corner[4];
            for (int c = 0; c < 4; c++) {
                at[u] = i + c / 2, at[v] = j + c % 2;
                corner[c] = shell_vertex(k, s, at);
            }
            const int a = corner[0], up = corner[1], b = corner[2], far = corner[3];
            if (fixed == 2) face(k, a, far, b), face(k, a, up, far);
            else if ((fixed == 1) == (value == 0)) face(k, a, b, far), face(k, a, far, up);
            else face(k, b, a, up), face(k, b, up, far);
        }
}

// the surface alone: solid, with a point in the middle and the faces of the hull; or open above, of cells
static void make_shell(maker *k, int shape) {
    const grid g = grid_of(k, shape);
    const size_t points = (size_t)g.n[0] * (size_t)g.n[1] * (size_t)g.n[2];
    shell s = {&g, tx_alloc(points * sizeof(int))};
    if (!s.made) {
        k->added = TX_MESH_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < points; i++) s.made[i] = -1;
    if (g.closed) vertex(k, 0, 0, 0);
    shell_side(k, &s, 2, 0);
    if (g.closed) shell_side(k, &s, 2, g.n[2] - 1);
    for (int fixed = 1; fixed >= 0; fixed--) {
        shell_side(k, &s, fixed, 0);
        shell_side(k, &s, fixed, g.n[fixed] - 1);
    }
    tx_free(s.made);
}
static void make_box(maker *k) { make_shell(k, 0); }
static void make_cylinder(maker *k) { make_shell(k, 2); }
static void make_ellipsoid(maker *k) { make_shell(k, 3); }

// ---- table ----------------------------------------------------------------------------------------------------------

enum { MOST = 1000, GRID_POINTS = 1000000 }; // of a resolution; of a grid
#define FAR  1e6
#define GRID "three counts, "
#define DIM  "three distances, and perhaps 2 (a surface) or 3 (solid)"
#define GRID_MOST \
    { MOST, MOST, MOST, FAR, FAR, FAR, 3 }
#define FLAT \
    { MOST, MOST, 1, FAR, FAR, FAR }

static const struct {
    const char *name, *takes;
    int params, integers, optional;
    double low[7], high[7];
    void (*make)(maker *k);
} KINDS[] = {
    {"sphere", "subdivisions, 0 to 4", 1, 1, 0, {0}, {4}, make_sphere},
    {"hemisphere", "a resolution, 0 to 10", 1, 1, 0, {0}, {10}, make_hemisphere},
    {"cone", "corners, 3 or more, and the radius of the top, 0 to 1", 2, 1, 0, {3, 0}, {MOST, 1}, make_cone},
    {"supersphere",
     "a resolution, 3 or more, and two exponents, 0 or more",
     3,
     1,
     0,
     {3, 0, 0},
     {MOST, 100, 100},
     make_supersphere},
    {"supertorus",
     "a resolution, 3 or more, a radius up to 1, and two exponents, all positive",
     4,
     1,
     0,
     {3, 1e-6, 1e-6, 1e-6},
     {MOST, 1, 100, 100},
     make_supertorus},
    {"wedge",
     "two resolutions, 1 or more, angles up to 180 and 90 degrees, and a share 0 to 1",
     5,
     2,
     0,
     {1, 1, 1e-6, 1e-6, 0},
     {MOST, MOST, 180, 90, 1},
     make_wedge},
    {"plate", "two resolutions, 1 or more", 2, 2, 0, {1, 1}, {MOST, MOST}, make_plate},
    {"grid", GRID "1 or more, " DIM, 6, 3, 1, {1, 1, 1, -FAR, -FAR, -FAR, 2}, GRID_MOST, make_grid},
    {"box", GRID "2 or more, " DIM, 6, 3, 1, {2, 2, 2, -FAR, -FAR, -FAR, 2}, GRID_MOST, make_box},
    {"cylinder", GRID "2 or more, " DIM, 6, 3, 1, {2, 2, 2, -FAR, -FAR, -FAR, 2}, GRID_MOST, make_cylinder},
    {"ellipsoid", GRID "2 or more, " DIM, 6, 3, 1, {2, 2, 2, -FAR, -FAR, -FAR, 2}, GRID_MOST, make_ellipsoid},
    {"square", GRID "the last of them 1, and three distances", 6, 3, 0, {1, 1, 1, -FAR, -FAR, -FAR}, FLAT, make_square},
    {"disc", GRID "the last of them 1, and three distances", 6, 3, 0, {1, 1, 1, -FAR, -FAR, -FAR}, FLAT, make_disc},
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

static int find(const char *name) {
    for (int i = 0; i < KIND_COUNT; i++)
        if (strcmp(KINDS[i].name, name) == 0) return i;
    return -1;
}

bool tx_mesh_builtin_known(const char *name) { return find(name) >= 0; }

bool tx_mesh_builtin_flat(const char *name, const double *params, int count) {
    if (strcmp(name, "square") == 0 || strcmp(name, "disc") == 0 || strcmp(name, "plate") == 0) return true;
    const int kind = find(name);
    return kind >= 0 && KINDS[kind].optional && count == 7 && params[6] == 2;
}

// whole numbers where they must be; grids of a size that can be
static bool whole(int kind, const double *params, int count) {
    for (int i = 0; i < KINDS[kind].integers; i++)
        if (params[i] != floor(params[i])) return false;
    if (KINDS[kind].integers < 3) return true;
    const bool surface = count == 7 && params[6] == 2;
    if (count == 7 && params[6] != floor(params[6])) return false;
    if (surface && strcmp(KINDS[kind].name, "grid") == 0 && params[2] != 1) return false;
    return params[0] * params[1] * params[2] <= GRID_POINTS;
}

const char *tx_mesh_builtin(const char *name, const double *params, int count, tx_mesh_data *mesh) {
    const int kind = find(name);
    if (kind < 0) return "there is no such mesh";
    bool good = count == KINDS[kind].params || (KINDS[kind].optional && count == KINDS[kind].params + 1);
    for (int i = 0; good && i < count; i++) good = params[i] >= KINDS[kind].low[i] && params[i] <= KINDS[kind].high[i];
    if (!good || !whole(kind, params, count)) return KINDS[kind].takes;
    maker k = {mesh, params, count, TX_MESH_ADDED};
    KINDS[kind].make(&k);
    return k.added ? tx_mesh_why(k.added) : NULL;
}
