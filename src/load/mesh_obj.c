// mesh_obj.c - Wavefront OBJ as MuJoCo reads it: all vertices, and the faces of the first object. Normals, texture
// coordinates, materials, lines and everything unknown are passed over.
#include <float.h>
#include <limits.h>
#include <math.h>

#include "base/diag.h"
#include "base/memory.h"
#include "load/mesh_file.h"

#define CUTTING_MAX (1 << 30) // points looked at to cut one face: more corners than anybody draws

// a corner of a face
typedef struct corner {
    int vertex;
    float x, y; // seen along one axis
    int left;   // at place i: the corner that is the i-th of those not cut off yet
} corner;

typedef struct obj {
    tx_mesh_text text;
    tx_mesh_data *mesh;
    bool first_done, skipped; // the first object is complete; faces of others have been passed over
    int highest;              // largest vertex index so far
    tx_mesh_text highest_at;  // where it stands
    corner *corners;          // of the present face
    int count, room;
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
    tx_mesh_added added = tx_mesh_add_face(o->mesh, o->corners[a].vertex, o->corners[b].vertex, o->corners[c].vertex);
    return added ? tx_mesh_problem(&o->text, "", "%s", tx_mesh_why(added)) : true;
}

// ---- polygons ----------------------------------------------------------------------------------------------------

// A polygon that is not quite flat bounds another volume with other diagonals, so these are MuJoCo 4.0's: a quad is cut
// along the shorter one, of more corners ears are cut off (Meisters 1975), in its order and single precision.
typedef struct polygon {
    corner *c;
    int count;        // corners that are not cut off yet
    long long looked; // at how many points so far
} polygon;

static float coordinate(const obj *o, int i, int axis) {
    return (float)o->mesh->vertices[3 * o->corners[i % o->count].vertex + axis];
}

// the two axes across the one along which the first bend of the outline is seen best
static void choose_axes(const obj *o, int axes[2]) {
    axes[0] = 1, axes[1] = 2;
    for (int i = 0; i < o->count; i++) {
        float e[3], f[3], n[3];
        for (int k = 0; k < 3; k++) {
            e[k] = coordinate(o, i + 1, k) - coordinate(o, i, k);
            f[k] = coordinate(o, i + 2, k) - coordinate(o, i + 1, k);
        }
        for (int k = 0; k < 3; k++) n[k] = fabsf(e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3]);
        if (!(n[0] > FLT_EPSILON || n[1] > FLT_EPSILON || n[2] > FLT_EPSILON)) continue;
        if (n[0] > n[1] && n[0] > n[2]) return;
        axes[0] = 0;
        if (n[2] > n[0] && n[2] > n[1]) axes[1] = 1;
        return;
    }
}

static void flatten(const obj *o, polygon *p) {
    int axes[2];
    choose_axes(o, axes);
    *p = (polygon){.c = o->corners, .count = o->count};
    for (int i = 0; i < p->count; i++) {
        p->c[i].left = i;
        p->c[i].x = coordinate(o, i, axes[0]), p->c[i].y = coordinate(o, i, axes[1]);
    }
}

// whether a line from the point to one side crosses the outline an odd number of times
static bool inside(const polygon *p, const int triangle[3], int point) {
    bool odd = false;
    float x = p->c[point].x, y = p->c[point].y;
    for (int i = 0; i < 3; i++) {
        const corner *a = &p->c[triangle[i]], *b = &p->c[triangle[(i + 2) % 3]];
        if ((a->y > y) == (b->y > y)) continue;
        if (x < (b->x - a->x) * (y - a->y) / (b->y - a->y) + a->x) odd = !odd;
    }
    return odd;
}

// the corner at `place` and the two behind it
static bool is_ear(polygon *p, int place, int triangle[3]) {
    for (int i = 0; i < 3; i++) triangle[i] = p->c[(place + i) % p->count].left;
    const corner *a = &p->c[triangle[0]], *b = &p->c[triangle[1]], *c = &p->c[triangle[2]];
    float turn = (b->x - a->x) * (c->y - b->y) - (b->y - a->y) * (c->x - b->x);
    // which way the outline runs is judged by its first side, seen from the origin (MuJoCo 4.0)
    if (turn * (a->x * b->y - a->y * b->x) < 0) return false;
    p->looked += p->count;
    for (int i = 3; i < p->count; i++)
        if (inside(p, triangle, p->c[(place + i) % p->count].left)) return false;
    return true;
}

static void cut_off(polygon *p, int place) {
    p->count--;
    for (int i = place; i < p->count; i++) p->c[i].left = p->c[i + 1].left;
}

// the search goes on where the last ear was; a whole round without one ends it
static bool add_polygon(obj *o) {
    polygon p;
    flatten(o, &p);
    int triangle[3], place = 0, turns = p.count;
    while (p.count > 3 && turns-- > 0) {
        if (p.looked > CUTTING_MAX)
            return tx_mesh_problem(&o->text, "let the program that wrote the file make triangles",
                                   "a face of %d corners takes too long to be cut into triangles", o->count);
        if (is_ear(&p, place, triangle)) {
            if (!add(o, triangle[0], triangle[1], triangle[2])) return false;
            cut_off(&p, (place + 1) % p.count);
            // MuJoCo stops when the last corner of the first round is the ear
            if (turns > 0) turns = p.count + 1;
        } else {
            place++;
        }
        place %= p.count;
    }
    if (p.count == 3) return add(o, p.c[0].left, p.c[1].left, p.c[2].left);
    tx_diag_add(o->text.diag, TX_SEVERITY_WARNING, o->text.file, o->text.line, o->text.column,
                "MuJoCo does the same; let the program that wrote the file make triangles",
                "a face of %d corners cannot be cut into triangles: %d of them are left over", o->count, p.count);
    return true;
}

static float square_distance(const obj *o, int i, int j) {
    float d[3];
    for (int k = 0; k < 3; k++) d[k] = coordinate(o, j, k) - coordinate(o, i, k);
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

static bool add_quad(obj *o) {
    if (square_distance(o, 0, 2) < square_distance(o, 1, 3)) return add(o, 0, 1, 2) && add(o, 0, 2, 3);
    return add(o, 0, 1, 3) && add(o, 1, 2, 3);
}

static bool add_face(obj *o) {
    if (o->count < 3) return true; // a line or a point
    if (o->count == 3) return add(o, 0, 1, 2);
    // shapes of polygons are known only when their vertices are
    for (int i = 0; i < o->count; i++) {
        if (o->corners[i].vertex >= o->mesh->vertex_count) {
            return tx_mesh_problem(&o->text, "", "there is no vertex %d", o->corners[i].vertex + 1);
        }
    }
    return o->count > 4 ? add_polygon(o) : add_quad(o);
}

// ---- lines -------------------------------------------------------------------------------------------------------

// room for more corners of a face
static bool grow(obj *o) {
    size_t size = sizeof *o->corners * (size_t)o->room;
    corner *larger = o->room ? tx_grow(o->corners, size, 2 * size) : tx_alloc(64 * sizeof *larger);
    if (!larger) return false;
    o->corners = larger, o->room = o->room ? 2 * o->room : 64;
    return true;
}

static bool read_face(obj *o) {
    if (o->first_done) {
        if (!o->skipped) {
            tx_diag_add(o->text.diag, TX_SEVERITY_WARNING, o->text.file, o->text.line, o->text.column,
                        "MuJoCo does the same; put every object into a file of its own",
                        "only the faces of the first object are read");
        }
        o->skipped = true;
        return true;
    }
    o->count = 0;
    while (tx_mesh_next_word(&o->text)) {
        if (o->text.word[0] == '#') break;
        if (o->count == o->room && !grow(o)) return tx_mesh_problem(&o->text, "", "%s", tx_mesh_why(TX_MESH_NO_MEMORY));
        if (!read_corner(o, &o->corners[o->count].vertex)) return false;
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

static bool read_lines(obj *o) {
    do {
        if (!tx_mesh_next_word(&o->text)) continue;
        bool good = true;
        if (tx_mesh_word_is(&o->text, "v")) {
            good = read_vertex(o);
        } else if (tx_mesh_word_is(&o->text, "f")) {
            good = read_face(o);
        } else if (tx_mesh_word_is(&o->text, "o") || tx_mesh_word_is(&o->text, "g")) {
            o->first_done = o->mesh->face_count > 0;
        }
        if (!good) return false;
    } while (tx_mesh_next_line(&o->text));
    return true;
}

bool tx_mesh_read_obj(const char *bytes, size_t length, const char *file, tx_mesh_data *mesh, tx_diag *diag) {
    obj o = {.text = tx_mesh_text_start(bytes, length, file, diag), .mesh = mesh, .highest = -1};
    bool good = read_lines(&o);
    tx_free(o.corners);
    if (!good) return false;
    if (o.highest >= mesh->vertex_count) {
        return tx_mesh_problem(&o.highest_at, "", "there is no vertex %d: the file has %d", o.highest + 1,
                               mesh->vertex_count);
    }
    if (mesh->vertex_count) return true;
    tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, "", "the file has no vertices");
    return false;
}
