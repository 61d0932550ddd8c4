// mesh_stl.c - STL, binary or text: triangles that repeat their corners; equal corners become one vertex.
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/diag.h"
#include "base/hash.h"
#include "base/memory.h"
#include "load/mesh_file.h"

#define HEADER   84 // a comment of 80 bytes and the number of triangles
#define TRIANGLE 50 // normal, three corners, two spare bytes
#define FARTHEST 1073741824.0

// ---- corners -----------------------------------------------------------------------------------------------------

// vertices by their place; slots hold an index + 1
typedef struct corners {
    tx_mesh_data *mesh;
    int *slots;
    size_t slot_count;
} corners;

static size_t slot_of(const corners *c, const double point[3]) {
    // adding zero makes -0 and 0 the same
    double key[3] = {(float)point[0] + 0.0, (float)point[1] + 0.0, (float)point[2] + 0.0};
    size_t slot = (size_t)tx_hash(TX_HASH_START, key, sizeof key) & (c->slot_count - 1);
    for (; c->slots[slot]; slot = (slot + 1) & (c->slot_count - 1)) {
        const double *v = c->mesh->vertices + 3 * (c->slots[slot] - 1);
        if (v[0] == key[0] && v[1] == key[1] && v[2] == key[2]) break;
    }
    return slot;
}

static bool grow_slots(corners *c) {
    size_t wanted = c->slot_count ? 2 * c->slot_count : 1024;
    int *slots = tx_alloc(wanted * sizeof *slots);
    if (!slots) return false;
    tx_free(c->slots);
    c->slots = slots;
    c->slot_count = wanted;
    for (int i = 0; i < c->mesh->vertex_count; i++) c->slots[slot_of(c, c->mesh->vertices + 3 * i)] = i + 1;
    return true;
}

static tx_mesh_added find_or_add(corners *c, const double point[3], int *index) {
    if (2 * (size_t)c->mesh->vertex_count >= c->slot_count && !grow_slots(c)) return TX_MESH_NO_MEMORY;
    size_t slot = slot_of(c, point);
    if (!c->slots[slot]) {
        tx_mesh_added added = tx_mesh_add_vertex(c->mesh, point);
        if (added) return added;
        c->slots[slot] = c->mesh->vertex_count;
    }
    *index = c->slots[slot] - 1;
    return TX_MESH_ADDED;
}

static tx_mesh_added add_triangle(corners *c, const double points[9]) {
    int face[3] = {0};
    for (int i = 0; i < 3; i++) {
        tx_mesh_added added = find_or_add(c, points + 3 * i, &face[i]);
        if (added) return added;
    }
    return tx_mesh_add_face(c->mesh, face[0], face[1], face[2]);
}

// ---- binary ------------------------------------------------------------------------------------------------------

static uint32_t read_u32(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool fail(const char *file, tx_diag *diag, const char *text) {
    tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, "", "%s", text);
    return false;
}

static bool read_binary(const char *bytes, uint32_t count, const char *file, corners *c, tx_diag *diag) {
    if (count > TX_MESH_MAX) return fail(file, diag, tx_mesh_why(TX_MESH_FULL));
    for (uint32_t i = 0; i < count; i++) {
        double points[9];
        for (int k = 0; k < 9; k++) {
            uint32_t bits = read_u32(bytes + HEADER + (size_t)TRIANGLE * i + 12 + 4 * (size_t)k);
            float value;
            memcpy(&value, &bits, sizeof value);
            points[k] = value;
            if (fabs(points[k]) <= FARTHEST) continue;
            tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, "", "triangle %u has a corner that is %s", i + 1,
                        isfinite(points[k]) ? "too far away" : "not finite");
            return false;
        }
        tx_mesh_added added = add_triangle(c, points);
        if (added) return fail(file, diag, tx_mesh_why(added));
    }
    return true;
}

// ---- text --------------------------------------------------------------------------------------------------------

static bool unexpected(const tx_mesh_text *t, const char *wanted) {
    return tx_mesh_problem(t, "", "'%.*s' stands where '%s' is expected", t->length < 40 ? t->length : 40, t->word,
                           wanted);
}

// the words of a line, separated by spaces; the rest of the line is left
static bool expect(tx_mesh_text *t, const char *first, const char *second) {
    if (!tx_mesh_word_is(t, first)) return unexpected(t, first);
    if (!second) return true;
    tx_mesh_next_word(t);
    return tx_mesh_word_is(t, second) ? true : unexpected(t, second);
}

// the first word of the next line that has one; false at the end of the file
static bool next_statement(tx_mesh_text *t) {
    while (tx_mesh_next_line(t)) {
        if (tx_mesh_next_word(t)) return true;
    }
    return false;
}

static bool ended(const tx_mesh_text *t, const char *wanted) {
    tx_diag_add(t->diag, TX_SEVERITY_ERROR, t->file, 0, 0, "", "the file ends where '%s' is expected", wanted);
    return false;
}

static bool read_facet(tx_mesh_text *t, corners *c) {
    double points[9];
    if (!next_statement(t)) return ended(t, "outer loop");
    if (!expect(t, "outer", "loop")) return false;
    for (int i = 0; i < 3; i++) {
        if (!next_statement(t)) return ended(t, "vertex");
        if (!expect(t, "vertex", NULL) || !tx_mesh_point(t, points + 3 * i)) return false;
        for (int k = 0; k < 3; k++) {
            if (fabs(points[3 * i + k]) > FARTHEST) return tx_mesh_problem(t, "", "this corner is too far away");
        }
    }
    static const char *const closing[] = {"endloop", "endfacet"};
    for (int i = 0; i < 2; i++) {
        if (!next_statement(t)) return ended(t, closing[i]);
        if (!expect(t, closing[i], NULL)) return false;
    }
    tx_mesh_added added = add_triangle(c, points);
    return added ? tx_mesh_problem(t, "", "%s", tx_mesh_why(added)) : true;
}

static bool read_text(const char *bytes, size_t length, const char *file, corners *c, tx_diag *diag) {
    tx_mesh_text t = tx_mesh_text_start(bytes, length, file, diag);
    // the first line is "solid" and a name
    bool closed = false;
    while (next_statement(&t)) {
        closed = tx_mesh_word_is(&t, "endsolid");
        if (closed || tx_mesh_word_is(&t, "solid")) continue;
        if (!expect(&t, "facet", NULL) || !read_facet(&t, c)) return false;
    }
    return closed ? true : ended(&t, "endsolid");
}

bool tx_mesh_read_stl(const char *bytes, size_t length, const char *file, tx_mesh_data *mesh, tx_diag *diag) {
    corners c = {.mesh = mesh};
    uint32_t count = length >= HEADER ? read_u32(bytes + 80) : 0;
    uint64_t needed = HEADER + (uint64_t)TRIANGLE * count;
    bool good;
    // binary files may start with "solid" too: the size tells
    if (length >= HEADER && length == needed) {
        good = read_binary(bytes, count, file, &c, diag);
    } else if (length >= 6 && memcmp(bytes, "solid", 5) == 0) {
        good = read_text(bytes, length, file, &c, diag);
    } else if (length < HEADER) {
        good = fail(file, diag, "the file is too short to be STL");
    } else {
        tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, "the file may be cut off",
                    "the file has %zu bytes, but its %u triangles need %llu", length, count,
                    (unsigned long long)needed);
        good = false;
    }
    if (good && !mesh->face_count) good = fail(file, diag, "the file has no triangles");
    tx_free(c.slots);
    return good;
}
