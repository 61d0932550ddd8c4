// mesh_obj.c - Wavefront OBJ as MuJoCo reads it: all vertices, and the faces of the first object. Texture
// coordinates where they are asked for. Normals, materials, lines and everything unknown are passed over.
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
    int coord;  // texture coordinates, -1: none
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
    // texture coordinates: pairs, and which of them the corners of the faces have
    double *coords;
    int coord_count, coord_room;
    int *face_coords, face_coord_room;
} obj;

// moves behind the digits that begin at *at; more than ten of them end above INT_MAX
static long long read_digits(const char **at, const char *end) {
    long long value = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at) value = value <= INT_MAX ? 10 * value + (**at - '0') : value;
    return value;
}

// the number behind the first slash; a wrong one is none: it concerns pictures
static int read_coord(const obj *o, const char *at, const char *end) {
    bool negative = ++at < end && *at == '-';
    at += negative;
    long long value = read_digits(&at, end);
    long long index = negative ? o->coord_count - value : value - 1;
    return value > 0 && index >= 0 && index < o->coord_count ? (int)index : -1;
}

// "7", "7/1", "7//3" or "7/1/3": normals do not count; negative numbers count backwards from the last one
static bool read_corner(obj *o, corner *c) {
    int *index = &c->vertex;
    const char *at = o->text.word, *end = at + o->text.length;
    bool negative = at < end && *at == '-';
    if (negative) at++;
    const char *digits = at;
    long long value = read_digits(&at, end);
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
    c->coord = o->coord_count > 0 && at < end ? read_coord(o, at, end) : -1;
    // a face may stand before its vertices, so the upper bound is checked at the end
    if (*index > o->highest) {
        o->highest = *index;
        o->highest_at = o->text;
    }
    return true;
}

// which texture coordinates the corners of the last face have
static bool note_coords(obj *o, int a, int b, int c) {
    const int face = o->mesh->face_count - 1;
    if (face >= o->face_coord_room) {
        int wanted = o->mesh->face_room;
        int *grown = tx_grow(o->face_coords, sizeof(int) * 3 * (size_t)face, sizeof(int) * 3 * (size_t)wanted);
        if (!grown) return false;
        // faces from before the first coordinates have none
        for (int i = 3 * o->face_coord_room; i < 3 * wanted; i++) grown[i] = -1;
        o->face_coords = grown, o->face_coord_room = wanted;
    }
    o->face_coords[3 * face] = o->corners[a].coord;
    o->face_coords[3 * face + 1] = o->corners[b].coord;
    o->face_coords[3 * face + 2] = o->corners[c].coord;
    return true;
}

static bool add(obj *o, int a, int b, int c) {
    tx_mesh_added added = tx_mesh_add_face(o->mesh, o->corners[a].vertex, o->corners[b].vertex, o->corners[c].vertex);
    if (!added && o->coord_count > 0 && !note_coords(o, a, b, c)) added = TX_MESH_NO_MEMORY;
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

// two numbers; what is no number is 0
static bool read_coords(obj *o) {
    if (o->coord_count == o->coord_room) {
        int wanted = o->coord_room ? 2 * o->coord_room : 256;
        if (wanted > 2 * TX_MESH_MAX) return tx_mesh_problem(&o->text, "", "%s", tx_mesh_why(TX_MESH_FULL));
        double *grown =
            tx_grow(o->coords, sizeof(double) * 2 * (size_t)o->coord_count, sizeof(double) * 2 * (size_t)wanted);
        if (!grown) return tx_mesh_problem(&o->text, "", "%s", tx_mesh_why(TX_MESH_NO_MEMORY));
        o->coords = grown, o->coord_room = wanted;
    }
    double *at = o->coords + 2 * o->coord_count++;
    at[0] = at[1] = 0;
    for (int k = 0; k < 2 && tx_mesh_next_word(&o->text); k++) at[k] = tx_mesh_number(&o->text);
    at[1] = 1 - at[1];
    return true;
}

// corners without texture coordinates have those of the first corner of the picture
static bool keep_coords(obj *o) {
    tx_mesh_data *mesh = o->mesh;
    if (o->face_coord_room == 0) return true;
    mesh->coords = tx_alloc(sizeof(double) * (6 * (size_t)mesh->face_count + 1));
    for (int i = 0; mesh->coords && i < 3 * mesh->face_count; i++) {
        int from = i < 3 * o->face_coord_room ? o->face_coords[i] : -1;
        for (int k = 0; k < 2; k++) mesh->coords[2 * (size_t)i + (size_t)k] = from < 0 ? 0 : o->coords[2 * from + k];
    }
    return mesh->coords || tx_mesh_problem(&o->text, "", "%s", tx_mesh_why(TX_MESH_NO_MEMORY));
}

static bool read_lines(obj *o) {
    do {
        if (!tx_mesh_next_word(&o->text)) continue;
        bool good = true;
        if (tx_mesh_word_is(&o->text, "v")) {
            good = read_vertex(o);
        } else if (tx_mesh_word_is(&o->text, "f")) {
            good = read_face(o);
        } else if (o->mesh->wants_coords && tx_mesh_word_is(&o->text, "vt")) {
            good = read_coords(o);
        } else if (tx_mesh_word_is(&o->text, "o") || tx_mesh_word_is(&o->text, "g")) {
            o->first_done = o->mesh->face_count > 0;
        }
        if (!good) return false;
    } while (tx_mesh_next_line(&o->text));
    return true;
}

bool tx_mesh_read_obj(const char *bytes, size_t length, const char *file, tx_mesh_data *mesh, tx_diag *diag) {
    obj o = {.text = tx_mesh_text_start(bytes, length, file, diag), .mesh = mesh, .highest = -1};
    bool good = read_lines(&o) && keep_coords(&o);
    tx_free(o.corners), tx_free(o.coords), tx_free(o.face_coords);
    if (!good) return false;
    if (o.highest >= mesh->vertex_count) {
        return tx_mesh_problem(&o.highest_at, "", "there is no vertex %d: the file has %d", o.highest + 1,
                               mesh->vertex_count);
    }
    if (mesh->vertex_count) return true;
    tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, "", "the file has no vertices");
    return false;
}
