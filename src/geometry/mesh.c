// mesh.c - mass properties of triangle meshes and the change to the principal frame, by MuJoCo's rules.
#include "geometry/mesh.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/mass.h"
#include "geometry/quat.h"
#include "geometry/support.h"
#include "geometry/vec3.h"

// volumes [m3], surfaces [m2] and lengths of normals [m2] below this are nothing
static const double SMALLEST = 1e-15, LARGEST = 1e10;
static const double SINGLE = 1e-7; // vertices are of single precision: what of an inertia counts as zero

static bool fail(tx_mesh_problem *problem, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail(tx_mesh_problem *problem, const char *hint, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
    problem->hint = hint;
    return false;
}

void tx_mesh_free(tx_mesh *m) {
    tx_free(m->vertex), tx_free(m->face), tx_hull_free(&m->hull);
    *m = (tx_mesh){0};
}

// ---- the definition -----------------------------------------------------------------------------------------------

static bool usable(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) <= LARGEST)) return false;
    return true;
}

static bool check(const tx_mesh_def *d, tx_mesh_problem *problem) {
    const double *q = d->refquat;
    if (!usable(d->scale, 3) || !usable(d->refpos, 3) || !usable(q, 4))
        return fail(problem, "numbers must be finite and below 1e10", "a number is not usable");
    if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > SMALLEST))
        return fail(problem, "give four numbers w x y z", "refquat is zero");
    if ((int)d->inertia < TX_MESH_INERTIA_LEGACY || d->inertia > TX_MESH_INERTIA_SHELL)
        return fail(problem, "legacy, exact, convex or shell", "there is no such inertia");
    if (d->vertex_count < 4) return fail(problem, "", "%d vertices; a mesh has at least 4", d->vertex_count);
    for (int i = 0; i < d->vertex_count; i++)
        if (!usable(d->vertices + 3 * (size_t)i, 3))
            return fail(problem, "numbers must be finite and below 1e10", "vertex %d is not usable", i);
    for (size_t i = 0; i < 3 * (size_t)d->face_count; i++)
        if (d->faces[i] < 0 || d->faces[i] >= d->vertex_count)
            return fail(problem, "vertices are counted from 0", "face %d: there is no vertex %d", (int)(i / 3),
                        d->faces[i]);
    return true;
}

// vertices are single-precision numbers, as in mesh files
static bool copy_surface(tx_mesh *m, const tx_mesh_def *d, tx_mesh_problem *problem) {
    m->vertex_count = d->vertex_count, m->face_count = d->face_count;
    m->vertex = tx_alloc(sizeof(double) * 3 * (size_t)d->vertex_count);
    m->face = tx_alloc(sizeof(int) * 3 * (size_t)d->face_count);
    if (!m->vertex || !m->face) return fail(problem, "", "out of memory");
    for (size_t i = 0; i < 3 * (size_t)d->vertex_count; i++) m->vertex[i] = (double)(float)d->vertices[i];
    if (d->face_count) memcpy(m->face, d->faces, sizeof(int) * 3 * (size_t)d->face_count);
    return true;
}

static bool build_hull(tx_mesh *m, int most, tx_mesh_problem *problem) {
    switch (tx_hull_build(&m->hull, m->vertex, m->vertex_count, most < m->vertex_count ? most : 0)) {
    case TX_HULL_OK: break;
    case TX_HULL_POINT: return fail(problem, "use a small sphere", "all vertices are one point: it has no convex hull");
    case TX_HULL_LINE: return fail(problem, "use a thin capsule", "all vertices are on a line: it has no convex hull");
    case TX_HULL_FLAT:
        return fail(problem, "use a thin box, or contype=\"0\" conaffinity=\"0\" inertia=\"shell\"",
                    "all vertices are in a plane: it has no convex hull");
    case TX_HULL_MEMORY: return fail(problem, "", "out of memory");
    case TX_HULL_FAILED: return fail(problem, "it may be too thin", "qhull found no convex hull");
    }
    if (m->face_count > 0) return true;
    tx_free(m->face);
    m->face_count = m->hull.face_count;
    m->face = tx_alloc(sizeof(int) * 3 * (size_t)m->face_count);
    if (!m->face) return fail(problem, "", "out of memory");
    for (int i = 0; i < 3 * m->face_count; i++) m->face[i] = m->hull.vertex[m->hull.face[i]];
    return true;
}

// ---- orientation --------------------------------------------------------------------------------------------------

// area; the normal has length one, or is nothing when there is no area
static double triangle(const double a[3], const double b[3], const double c[3], double normal[3], double centre[3]) {
    double ab[3], ac[3];
    v3_sub(ab, b, a);
    v3_sub(ac, c, a);
    v3_cross(normal, ab, ac);
    for (int k = 0; k < 3; k++) centre[k] = (a[k] + b[k] + c[k]) / 3;
    double length = v3_length(normal);
    if (length < SMALLEST) {
        v3_zero(normal);
        return 0;
    }
    for (int k = 0; k < 3; k++) normal[k] /= length;
    return length / 2;
}

typedef struct half_edge {
    int from, to;
} half_edge;

static int by_ends(const void *a, const void *b) {
    const half_edge *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

// neighbours run along their common edge in opposite ways; slivers do not count
static bool check_orientation(const tx_mesh *m, tx_mesh_problem *problem) {
    half_edge *edges = tx_alloc(sizeof *edges * 3 * (size_t)m->face_count);
    if (!edges) return fail(problem, "", "out of memory");
    size_t count = 0;
    for (int i = 0; i < m->face_count; i++) {
        const int *f = m->face + 3 * (size_t)i;
        double normal[3], centre[3];
        if (!(triangle(m->vertex + 3 * f[0], m->vertex + 3 * f[1], m->vertex + 3 * f[2], normal, centre) >
              sqrt(SMALLEST)))
            continue;
        for (int k = 0; k < 3; k++) edges[count++] = (half_edge){f[k], f[(k + 1) % 3]};
    }
    qsort(edges, count, sizeof *edges, by_ends);
    bool good = true;
    for (size_t i = 1; i < count && good; i++)
        if (by_ends(&edges[i], &edges[i - 1]) == 0)
            good = fail(problem, "turn one of the faces, or choose another inertia",
                        "two faces run along the edge %d-%d in the same way", edges[i].from, edges[i].to);
    tx_free(edges);
    return good;
}

static void flip(int *faces, int count) {
    for (int i = 0; i < count; i++) {
        int swap = faces[3 * i + 1];
        faces[3 * i + 1] = faces[3 * i + 2], faces[3 * i + 2] = swap;
    }
}

// refpos, refquat, then scale
static void transform(tx_mesh *m, const tx_mesh_def *d) {
    double quat[4], mat[9];
    memcpy(quat, d->refquat, sizeof quat);
    bool turned = quat[0] != 1 || quat[1] != 0 || quat[2] != 0 || quat[3] != 0;
    tx_quat_normalize(quat);
    tx_quat_to_mat(quat, mat);
    for (int i = 0; i < m->vertex_count; i++) {
        double *v = m->vertex + 3 * (size_t)i, p[3];
        v3_sub(p, v, d->refpos);
        if (turned) m3_mul_transposed(v, mat, p);
        else v3_copy(v, p);
        for (int k = 0; k < 3; k++) v[k] *= d->scale[k];
    }
    // a reflection turns the surface inside out
    if (d->scale[0] * d->scale[1] * d->scale[2] < 0) {
        flip(m->face, m->face_count);
        flip(m->hull.face, m->hull.face_count);
    }
}

// ---- mass properties ----------------------------------------------------------------------------------------------

// the triangles that carry the mass: those of the hull, or the faces
typedef struct surface {
    const double *vertex;
    const int *face, *vertex_of; // vertex_of: corners of the hull
    int count;
    tx_mesh_inertia mode;
} surface;

static const double *corner(const surface *s, int i, int k) {
    int v = s->face[3 * (size_t)i + (size_t)k];
    return s->vertex + 3 * (size_t)(s->vertex_of ? s->vertex_of[v] : v);
}

// the share of one triangle: its area, or the volume of the pyramid over it with this apex
static double share(const surface *s, int i, const double apex[3], double centre[3]) {
    double normal[3], from[3];
    double area = triangle(corner(s, i, 0), corner(s, i, 1), corner(s, i, 2), normal, centre);
    if (s->mode == TX_MESH_INERTIA_SHELL) return area;
    v3_sub(from, centre, apex);
    double volume = v3_dot(from, normal) * area / 3;
    return s->mode == TX_MESH_INERTIA_LEGACY ? fabs(volume) : volume;
}

// centroid of the faces, whatever carries the mass
static bool face_centroid(const tx_mesh *m, double centroid[3], tx_mesh_problem *problem) {
    surface s = {m->vertex, m->face, NULL, m->face_count, TX_MESH_INERTIA_SHELL};
    double total = 0, sum[3] = {0}, centre[3];
    for (int i = 0; i < s.count; i++) {
        double area = share(&s, i, sum, centre);
        for (int k = 0; k < 3; k++) sum[k] += area * centre[k];
        total += area;
    }
    if (!(total >= SMALLEST)) return fail(problem, "is the scale right?", "its surface of %g m2 is too small", total);
    for (int k = 0; k < 3; k++) centroid[k] = sum[k] / total;
    return true;
}

// centre of mass: of the pyramids between the triangles and the centroid of the faces
static bool centre_of_mass(const surface *s, const double apex[3], double com[3], tx_mesh_problem *problem) {
    double total = 0, sum[3] = {0}, centre[3];
    for (int i = 0; i < s->count; i++) {
        double part = share(s, i, apex, centre);
        for (int k = 0; k < 3; k++) sum[k] += part * (centre[k] * 3 / 4 + apex[k] / 4);
        total += part;
    }
    if (total < 0)
        return fail(problem, "turn its faces around, or choose another inertia",
                    "its volume is negative: the faces look inwards");
    if (!(total >= SMALLEST))
        return fail(problem, "is the scale right? A surface without volume needs inertia=\"shell\"",
                    "its volume of %g m3 is too small", total);
    for (int k = 0; k < 3; k++) com[k] = sum[k] / total;
    return true;
}

// volume and inertia tensor at density one about the origin, exact for every tetrahedron (triangle) between the origin
// and a face
static double inertia(const surface *s, double tensor[6]) {
    static const int ROW[6] = {0, 1, 2, 0, 0, 1}, COLUMN[6] = {0, 1, 2, 1, 2, 2};
    const double origin[3] = {0}, divisor = s->mode == TX_MESH_INERTIA_SHELL ? 12 : 20;
    double total = 0, p[6] = {0}, centre[3];
    for (int i = 0; i < s->count; i++) {
        const double *d = corner(s, i, 0), *e = corner(s, i, 1), *f = corner(s, i, 2);
        double part = share(s, i, origin, centre);
        total += part;
        for (int k = 0; k < 6; k++) {
            int r = ROW[k], c = COLUMN[k];
            p[k] += part / divisor *
                    (2 * (d[r] * d[c] + e[r] * e[c] + f[r] * f[c]) + d[r] * e[c] + d[c] * e[r] + d[r] * f[c] +
                     d[c] * f[r] + e[r] * f[c] + e[c] * f[r]);
        }
    }
    // products to moments
    tensor[0] = p[1] + p[2], tensor[1] = p[0] + p[2], tensor[2] = p[0] + p[1];
    for (int k = 3; k < 6; k++) tensor[k] = -p[k];
    return total;
}

static bool find_box(tx_mesh *m, const double i[3], tx_mesh_problem *problem) {
    if (!(i[2] > 0) || !usable(i, 3)) return fail(problem, "check its faces", "its inertia has no positive moments");
    for (int k = 0; k < 3; k++) {
        double mine = i[k], others = i[(k + 1) % 3] + i[(k + 2) % 3];
        if (others < mine * (1 - 1e-6) - 1e-9)
            return fail(problem, "check its faces", "its moments of inertia violate A + B >= C");
        m->box[k] = 0.5 * sqrt(fmax(0, 6 * (others - mine) / m->volume));
    }
    return true;
}

// moves the vertices into the principal frame
static void settle(tx_mesh *m) {
    double mat[9];
    tx_quat_to_mat(m->quat, mat);
    for (int k = 0; k < 3; k++) m->lowest[k] = INFINITY, m->highest[k] = -INFINITY;
    for (int i = 0; i < m->vertex_count; i++) {
        double *v = m->vertex + 3 * (size_t)i, p[3];
        v3_copy(p, v);
        m3_mul_transposed(v, mat, p);
        for (int k = 0; k < 3; k++) m->lowest[k] = fmin(m->lowest[k], v[k]), m->highest[k] = fmax(m->highest[k], v[k]);
    }
}

static bool mass_properties(tx_mesh *m, tx_mesh_inertia mode, tx_mesh_problem *problem) {
    surface s = {m->vertex, m->face, NULL, m->face_count, mode};
    if (mode == TX_MESH_INERTIA_CONVEX)
        s.face = m->hull.face, s.vertex_of = m->hull.vertex, s.count = m->hull.face_count;
    double centroid[3], tensor[6], moments[3];
    if (!face_centroid(m, centroid, problem) || !centre_of_mass(&s, centroid, m->pos, problem)) return false;
    for (int i = 0; i < m->vertex_count; i++) v3_sub(m->vertex + 3 * (size_t)i, m->vertex + 3 * (size_t)i, m->pos);
    m->volume = inertia(&s, tensor);
    tx_principal_axes(tensor, SINGLE, moments, m->quat);
    if (!find_box(m, moments, problem)) return false;
    settle(m);
    return true;
}

// Rounding to single precision leaves dents in a hull, up to 1e-7 deep, in which climbing from corner to corner would
// end. A hull that is climbed is therefore made again, out of its corners as the model keeps them
static bool mend_hull(tx_mesh *m, tx_mesh_problem *problem) {
    const int count = m->hull.vertex_count;
    if (count < TX_CLIMB_FROM) return true;
    double *corner = tx_alloc(sizeof(double) * 3 * (size_t)count);
    if (!corner) return fail(problem, "", "out of memory");
    for (int i = 0; i < 3 * count; i++) corner[i] = (double)(float)m->vertex[3 * m->hull.vertex[i / 3] + i % 3];
    tx_hull mended;
    tx_hull_result result = tx_hull_build(&mended, corner, count, 0);
    tx_free(corner);
    if (result == TX_HULL_MEMORY) return fail(problem, "", "out of memory");
    // what has become flat stays as it was
    if (result != TX_HULL_OK) return true;
    for (int i = 0; i < mended.vertex_count; i++) mended.vertex[i] = m->hull.vertex[mended.vertex[i]];
    tx_hull_free(&m->hull);
    m->hull = mended;
    return true;
}

bool tx_mesh_build(tx_mesh *m, const tx_mesh_def *d, bool with_hull, tx_mesh_problem *problem) {
    *m = (tx_mesh){0};
    bool hull = with_hull || d->face_count == 0 || d->inertia == TX_MESH_INERTIA_CONVEX;
    bool good = check(d, problem) && copy_surface(m, d, problem) &&
                (d->inertia != TX_MESH_INERTIA_EXACT || check_orientation(m, problem)) &&
                (!hull || build_hull(m, d->hull_corners, problem));
    if (good) transform(m, d);
    good = good && mass_properties(m, d->inertia, problem) && mend_hull(m, problem);
    if (!good) tx_mesh_free(m);
    return good;
}

void tx_mesh_moments(const tx_mesh *m, double mass, double moments[3]) {
    for (int k = 0; k < 3; k++) {
        double a = m->box[(k + 1) % 3], b = m->box[(k + 2) % 3];
        moments[k] = mass * (a * a + b * b) / 3;
    }
}

// ---- fitting ------------------------------------------------------------------------------------------------------

bool tx_mesh_fit(const tx_mesh *m, int type, bool bounds, double size[3], double pos[3]) {
    if (type != TX_GEOM_SPHERE && type != TX_GEOM_CAPSULE && type != TX_GEOM_CYLINDER && type != TX_GEOM_BOX &&
        type != TX_GEOM_ELLIPSOID)
        return false;
    double box[3];
    v3_copy(box, m->box);
    v3_zero(pos);
    for (int k = 0; bounds && k < 3; k++) {
        pos[k] = (m->lowest[k] + m->highest[k]) / 2;
        box[k] = m->highest[k] - pos[k];
    }
    // MuJoCo's choices: means of the inertia box, the largest of the bounds; a capsule loses half its radius, or all of
    // it
    double radius = bounds ? fmax(box[0], box[1]) : (box[0] + box[1]) / 2;
    if (type == TX_GEOM_SPHERE) v3_set(size, bounds ? fmax(radius, box[2]) : (box[0] + box[1] + box[2]) / 3, 0, 0);
    else if (type == TX_GEOM_CAPSULE) v3_set(size, radius, fmax(0, box[2] - (bounds ? radius : radius / 2)), 0);
    else if (type == TX_GEOM_CYLINDER) v3_set(size, radius, box[2], 0);
    else v3_copy(size, box);
    return true;
}
