// mesh_file.h - triangle meshes out of files: OBJ, STL (binary and text), MSH (MuJoCo's); with assimp also DAE, PLY,
// glTF. Every count is bounded, every index checked.
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "thixis/base.h"

#define TX_MESH_FILE_MAX ((size_t)256 << 20) // bytes of a file
#define TX_MESH_MAX      (1 << 22)           // vertices, and triangles, of a mesh

// Numbers are rounded to single precision, as MuJoCo keeps them.
typedef struct tx_mesh_data {
    double *vertices; // 3 each
    int *faces;       // 3 vertices each
    int vertex_count, face_count, vertex_room, face_room;
    bool wants_coords; // texture coordinates are kept
    double *coords;    // of each corner of each face: right and down; null: there are none
} tx_mesh_data;

// Reads the `length` bytes of a file; the ending of its name says what it is. Start with an empty mesh and release it
// in any case.
// returns false, with messages in diag, when the file is broken
bool tx_mesh_read(const char *bytes, size_t length, const char *file, tx_mesh_data *mesh, tx_diag *diag);
void tx_mesh_release(tx_mesh_data *mesh);

// ---- shared by the readers ---------------------------------------------------------------------------------------

// A place in a file that moves word by word.
typedef struct tx_mesh_text {
    const char *at, *end, *line_start;
    const char *word; // the last one, with its length and column
    int length, column, line;
    const char *file;
    tx_diag *diag;
} tx_mesh_text;

tx_mesh_text tx_mesh_text_start(const char *bytes, size_t length, const char *file, tx_diag *diag);
bool tx_mesh_next_word(tx_mesh_text *text); // false at the end of the line
bool tx_mesh_next_line(tx_mesh_text *text); // false at the end of the file
bool tx_mesh_word_is(const tx_mesh_text *text, const char *word);
// the last word as a number; 0: it is none
double tx_mesh_number(const tx_mesh_text *text);
// three numbers of this line; false with a message
bool tx_mesh_point(tx_mesh_text *text, double point[3]);
// says what is wrong at the last word; returns false
bool tx_mesh_problem(const tx_mesh_text *text, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

typedef enum tx_mesh_added { TX_MESH_ADDED, TX_MESH_FULL, TX_MESH_NO_MEMORY } tx_mesh_added;
tx_mesh_added tx_mesh_add_vertex(tx_mesh_data *mesh, const double point[3]);
tx_mesh_added tx_mesh_add_face(tx_mesh_data *mesh, int a, int b, int c);
const char *tx_mesh_why(tx_mesh_added added); // in words
// texture coordinates of all corners, out of those of the vertices; false: no memory
bool tx_mesh_spread_coords(tx_mesh_data *mesh, const double *of_vertices);

bool tx_mesh_read_obj(const char *bytes, size_t length, const char *file, tx_mesh_data *mesh, tx_diag *diag);
bool tx_mesh_read_stl(const char *bytes, size_t length, const char *file, tx_mesh_data *mesh, tx_diag *diag);
bool tx_mesh_read_msh(const char *bytes, size_t length, const char *file, tx_mesh_data *mesh, tx_diag *diag);
bool tx_mesh_read_assimp(const char *bytes, size_t length, const char *file, tx_mesh_data *mesh, tx_diag *diag);
