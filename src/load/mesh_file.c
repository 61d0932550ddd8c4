// mesh_file.c - what the mesh readers share: which reader a file needs, words and numbers, growing arrays.
#include "load/mesh_file.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "load/text.h"

// ---- kinds of files ----------------------------------------------------------------------------------------------

bool tx_mesh_read(const char *bytes, size_t length, const char *file, tx_mesh_data *mesh, tx_diag *diag) {
    if (tx_ends_with(file, ".obj")) return tx_mesh_read_obj(bytes, length, file, mesh, diag);
    if (tx_ends_with(file, ".stl")) return tx_mesh_read_stl(bytes, length, file, mesh, diag);
    if (tx_ends_with(file, ".msh")) return tx_mesh_read_msh(bytes, length, file, mesh, diag);
    static const char *const others[] = {".dae", ".ply", ".gltf", ".glb"};
    for (int i = 0; i < 4; i++)
        if (tx_ends_with(file, others[i])) return tx_mesh_read_assimp(bytes, length, file, mesh, diag);
    tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, "meshes are read from .obj, .stl and .msh",
                "this is no kind of mesh file that is known");
    return false;
}

void tx_mesh_release(tx_mesh_data *mesh) {
    tx_free(mesh->vertices);
    tx_free(mesh->faces);
    tx_free(mesh->coords);
    *mesh = (tx_mesh_data){0};
}

// ---- words -------------------------------------------------------------------------------------------------------

tx_mesh_text tx_mesh_text_start(const char *bytes, size_t length, const char *file, tx_diag *diag) {
    return (tx_mesh_text){
        .at = bytes, .end = bytes + length, .line_start = bytes, .word = bytes, .line = 1, .file = file, .diag = diag};
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

bool tx_mesh_next_word(tx_mesh_text *t) {
    while (t->at < t->end && is_blank(*t->at)) t->at++;
    t->word = t->at;
    t->column = (int)(t->at - t->line_start) + 1;
    while (t->at < t->end && !is_blank(*t->at) && *t->at != '\n') t->at++;
    t->length = (int)(t->at - t->word);
    return t->length > 0;
}

bool tx_mesh_next_line(tx_mesh_text *t) {
    const char *newline = t->at < t->end ? memchr(t->at, '\n', (size_t)(t->end - t->at)) : NULL;
    t->at = newline ? newline + 1 : t->end;
    t->line_start = t->at;
    t->line++;
    return t->at < t->end;
}

bool tx_mesh_word_is(const tx_mesh_text *t, const char *word) {
    return (size_t)t->length == strlen(word) && memcmp(t->word, word, (size_t)t->length) == 0;
}

bool tx_mesh_problem(const tx_mesh_text *t, const char *hint, const char *format, ...) {
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tx_diag_add(t->diag, TX_SEVERITY_ERROR, t->file, t->line, t->column, hint, "%s", text);
    return false;
}

double tx_mesh_number(const tx_mesh_text *t) {
    char word[80];
    size_t size = (size_t)t->length < sizeof word ? (size_t)t->length : 0;
    memcpy(word, t->word, size);
    word[size] = 0;
    double value = 0;
    tx_number_problem problem = {0};
    bool good = size > 0 && tx_read_reals(word, &value, 1, &problem) == 1;
    return good && fabs(value) <= 1e6 ? value : 0;
}

bool tx_mesh_point(tx_mesh_text *t, double point[3]) {
    for (int i = 0; i < 3; i++) {
        if (!tx_mesh_next_word(t)) return tx_mesh_problem(t, "", "a vertex has three numbers");
        char word[400];
        size_t size = (size_t)t->length < sizeof word ? (size_t)t->length : 0;
        memcpy(word, t->word, size);
        word[size] = 0;
        tx_number_problem problem = {0};
        bool good = size > 0 && strlen(word) == size && tx_read_reals(word, &point[i], 1, &problem) == 1;
        if (good && fabs(point[i]) > FLT_MAX) {
            problem.error = TX_NUMBER_NOT_FINITE;
            good = false;
        }
        if (good) continue;
        bool endless = problem.error == TX_NUMBER_NOT_FINITE;
        return tx_mesh_problem(t, "", "'%.*s' is not a %snumber", t->length < 40 ? t->length : 40, t->word,
                               endless ? "finite " : "");
    }
    return true;
}

// ---- arrays ------------------------------------------------------------------------------------------------------

static tx_mesh_added make_room(void **items, int count, int *room, size_t size) {
    if (count < *room) return TX_MESH_ADDED;
    if (count >= TX_MESH_MAX) return TX_MESH_FULL;
    int wanted = *room ? 2 * *room : 256;
    void *grown = tx_grow(*items, size * (size_t)count, size * (size_t)wanted);
    if (!grown) return TX_MESH_NO_MEMORY;
    *items = grown;
    *room = wanted;
    return TX_MESH_ADDED;
}

tx_mesh_added tx_mesh_add_vertex(tx_mesh_data *mesh, const double point[3]) {
    void *items = mesh->vertices;
    tx_mesh_added added = make_room(&items, mesh->vertex_count, &mesh->vertex_room, 3 * sizeof *mesh->vertices);
    mesh->vertices = items;
    if (added) return added;
    for (int i = 0; i < 3; i++) mesh->vertices[3 * mesh->vertex_count + i] = (float)point[i];
    mesh->vertex_count++;
    return TX_MESH_ADDED;
}

tx_mesh_added tx_mesh_add_face(tx_mesh_data *mesh, int a, int b, int c) {
    void *items = mesh->faces;
    tx_mesh_added added = make_room(&items, mesh->face_count, &mesh->face_room, 3 * sizeof *mesh->faces);
    mesh->faces = items;
    if (added) return added;
    int *face = mesh->faces + 3 * mesh->face_count++;
    face[0] = a;
    face[1] = b;
    face[2] = c;
    return TX_MESH_ADDED;
}

bool tx_mesh_spread_coords(tx_mesh_data *mesh, const double *of_vertices) {
    tx_free(mesh->coords);
    mesh->coords = tx_alloc(sizeof *mesh->coords * (6 * (size_t)mesh->face_count + 1));
    for (size_t i = 0; mesh->coords && i < 3 * (size_t)mesh->face_count; i++)
        memcpy(mesh->coords + 2 * i, of_vertices + 2 * (size_t)mesh->faces[i], 2 * sizeof *of_vertices);
    return mesh->coords != NULL;
}

const char *tx_mesh_why(tx_mesh_added added) {
    return added == TX_MESH_FULL ? "a mesh may have 4194304 vertices and as many triangles" : "out of memory";
}
