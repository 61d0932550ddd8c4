// mesh_obj.c - Wavefront OBJ as MuJoCo reads it: all vertices, and the faces of the first object. Normals, texture
// coordinates, materials, lines and everything unknown are passed over.
#include <limits.h>
#include <math.h>

#include "base/diag.h"
#include "load/mesh_file.h"

#define CORNERS_MAX 64

typedef struct obj {
    tx_mesh_text text;
    tx_mesh_data *mesh;
    bool first_done, skipped; // the first object is complete; faces of others have been passed over
    int highest;              // largest vertex index so far
    tx_mesh_text highest_at;  // where it stands
    int corners[CORNERS_MAX], count;
} obj;

// "7", "7/1", "7//3" or "7/1/3": only the vertex counts; negative numbers count backwards from the last vertex
static bool read_corner(obj *o, int *index) {
    const char *at = o->text.word, *end = at + o->text.length;
    bool negative = at < end && *at == '-';
    if (negative) at++;
    const char *digits = at;
    long long value = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++) value = value <= INT_MAX ? 10 * value + (*at - '0') : value;
    if (at == digits || (at < end && *at != '/')) {
        return tx_mesh_problem(&o->text, "the first vertex is 1", "'%.*s' is not a corner of a face",
                               o->text.length < 40 ? o->text.length : 40, o->text.word);
    }
    long long vertex = negative ? o->mesh->vertex_count - value : value - 1;
    if (vertex < 0 || vertex >= TX_MESH_MAX) {
        return tx_mesh_problem(&o->text, "the first vertex is 1", "there is no vertex %s%lld", negative ? "-" : "",
                               value);
    }
    *index = (int)vertex;
    // a face may stand before its vertices, so the upper bound is checked at the end
    if (*index > o->highest) {
        o->highest = *index;
        o->highest_at = o->text;
    }
    return true;
}

static bool add(obj *o, int a, int b, int c) {
    tx_mesh_added added = tx_mesh_add_face(o->mesh, o->corners[a], o->corners[b], o->corners[c]);
    return added ? tx_mesh_problem(&o->text, "", "%s", tx_mesh_why(added)) : true;
}

// ---- polygons ----------------------------------------------------------------------------------------------------

static const double *corner(const obj *o, int i) { return o->mesh->vertices + 3 * o->corners[i]; }

static double square_distance(const double a[3], const double b[3]) {
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

// twice the signed area of a triangle in the plane of axes x and y
static double area(const double *a, const double *b, const double *c, int x, int y) {
    return (b[x] - a[x]) * (c[y] - a[y]) - (b[y] - a[y]) * (c[x] - a[x]);
}

// cuts ears off until a triangle is left (Meisters 1975); what has no ear left is cut as a fan
static bool add_polygon(obj *o) {
    // look along the axis in which the polygon has the largest area
    double sums[3] = {0};
    for (int i = 0; i < o->count; i++) {
        const double *a = corner(o, i), *b = corner(o, (i + 1) % o->count);
        for (int k = 0; k < 3; k++) sums[k] += a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    }
    int axis = 0;
    for (int k = 1; k < 3; k++) axis = fabs(sums[k]) > fabs(sums[axis]) ? k : axis;
    int x = (axis + 1) % 3, y = (axis + 2) % 3;
    double sign = sums[axis] < 0 ? -1 : 1;

    int left[CORNERS_MAX], n = o->count;
    for (int i = 0; i < n; i++) left[i] = i;
    while (n > 3) {
        int ear = 1;
        for (int i = 1; i <= n; i++) {
            int p = left[i - 1], q = left[i % n], r = left[(i + 1) % n];
            const double *a = corner(o, p), *b = corner(o, q), *c = corner(o, r);
            bool is_ear = sign * area(a, b, c, x, y) > 0;
            for (int j = 0; j < n && is_ear; j++) {
                if (left[j] == p || left[j] == q || left[j] == r) continue;
                const double *d = corner(o, left[j]);
                bool inside = sign * area(a, b, d, x, y) >= 0 && sign * area(b, c, d, x, y) >= 0 &&
                              sign * area(c, a, d, x, y) >= 0;
                is_ear = !inside;
            }
            if (!is_ear) continue;
            ear = i % n;
            break;
        }
        if (!add(o, left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n])) return false;
        for (int i = ear; i + 1 < n; i++) left[i] = left[i + 1];
        n--;
    }
    return add(o, left[0], left[1], left[2]);
}

static bool add_face(obj *o) {
    if (o->count < 3) return true; // a line or a point
    if (o->count == 3) return add(o, 0, 1, 2);
    // shapes of polygons are known only when their vertices are
    for (int i = 0; i < o->count; i++) {
        if (o->corners[i] >= o->mesh->vertex_count) {
            return tx_mesh_problem(&o->text, "", "there is no vertex %d", o->corners[i] + 1);
        }
    }
    if (o->count > 4) return add_polygon(o);
    // a quad is cut along its shorter diagonal
    double first = square_distance(corner(o, 0), corner(o, 2)), second = square_distance(corner(o, 1), corner(o, 3));
    if (second < first) return add(o, 3, 0, 1) && add(o, 3, 1, 2);
    return add(o, 0, 1, 2) && add(o, 0, 2, 3);
}

// ---- lines -------------------------------------------------------------------------------------------------------

static bool read_face(obj *o) {
    if (o->first_done) {
        if (!o->skipped) {
            tx_diag_add(o->text.diag, TX_WARNING, o->text.file, o->text.line, o->text.column,
                        "MuJoCo does the same; put every object into a file of its own",
                        "only the faces of the first object are read");
        }
        o->skipped = true;
        return true;
    }
    o->count = 0;
    while (tx_mesh_next_word(&o->text)) {
        if (o->text.word[0] == '#') break;
        if (o->count == CORNERS_MAX) return tx_mesh_problem(&o->text, "", "a face may have %d corners", CORNERS_MAX);
        if (!read_corner(o, &o->corners[o->count])) return false;
        o->count++;
    }
    return add_face(o);
}

static bool read_vertex(obj *o) {
    double point[3];
    if (!tx_mesh_point(&o->text, point)) return false;
    tx_mesh_added added = tx_mesh_add_vertex(o->mesh, point);
    return added ? tx_mesh_problem(&o->text, "", "%s", tx_mesh_why(added)) : true;
}

bool tx_mesh_read_obj(const char *bytes, size_t length, const char *file, tx_mesh_data *mesh, tx_diag *diag) {
    obj o = {.text = tx_mesh_text_start(bytes, length, file, diag), .mesh = mesh, .highest = -1};
    do {
        if (!tx_mesh_next_word(&o.text)) continue;
        bool good = true;
        if (tx_mesh_word_is(&o.text, "v")) {
            good = read_vertex(&o);
        } else if (tx_mesh_word_is(&o.text, "f")) {
            good = read_face(&o);
        } else if (tx_mesh_word_is(&o.text, "o") || tx_mesh_word_is(&o.text, "g")) {
            o.first_done = mesh->face_count > 0;
        }
        if (!good) return false;
    } while (tx_mesh_next_line(&o.text));
    if (o.highest >= mesh->vertex_count) {
        return tx_mesh_problem(&o.highest_at, "", "there is no vertex %d: the file has %d", o.highest + 1,
                               mesh->vertex_count);
    }
    if (mesh->vertex_count) return true;
    tx_diag_add(diag, TX_ERROR, file, 0, 0, "", "the file has no vertices");
    return false;
}
