// mesh_gmsh.c - meshes of soft bodies out of GMSH's text files, versions 2.2 and 4.1: one block of nodes, one kind of
// elements.
#include <math.h>
#include <string.h>

#include "load/mesh_file.h"
#include "load/mjcf_flex.h"
#include "load/text.h"

// goes to the line behind `$name`; false with a message when there is none
static bool find_section(tx_mesh_text *text, const char *name) {
    do
        if (tx_mesh_next_word(text) && tx_mesh_word_is(text, name)) return true;
    while (tx_mesh_next_line(text));
    return tx_mesh_problem(text, "the file may be cut off", "the file has no %s", name);
}

// the last word as a number; not finite: it is none
static double read_number(const tx_mesh_text *text) {
    char word[80];
    double value;
    tx_number_problem problem;
    if ((size_t)text->length >= sizeof word) return NAN;
    memcpy(word, text->word, (size_t)text->length);
    word[text->length] = 0;
    return tx_read_reals(word, &value, 1, &problem) == 1 ? value : NAN;
}

// of the last word: a number, finite; of the size that a count or an index can have if `whole`
static bool check_number(tx_mesh_text *text, double number, bool whole) {
    if (isfinite(number) && (!whole || (number == floor(number) && fabs(number) <= 1e9))) return true;
    return tx_mesh_problem(text, "", "this is no %s", whole ? "whole number" : "number");
}

// the next line has at least `count` such numbers
static bool read_line(tx_mesh_text *text, int count, bool whole, double *numbers) {
    if (!tx_mesh_next_line(text)) return tx_mesh_problem(text, "the file may be cut off", "a line is missing");
    for (int k = 0; k < count; k++) {
        if (!tx_mesh_next_word(text))
            return tx_mesh_problem(text, "", "the line has %d numbers, it needs %d", k, count);
        numbers[k] = read_number(text);
        if (!check_number(text, numbers[k], whole)) return false;
    }
    return true;
}

static bool added_to(tx_mesh_text *text, tx_flex_added added) {
    if (added == TX_FLEX_ADDED) return true;
    return tx_mesh_problem(text, "",
                           added == TX_FLEX_FULL ? "the mesh has too many vertices or elements" : "out of memory");
}

static bool add_point(tx_mesh_text *text, const double *point, tx_flex_mesh *mesh) {
    for (int k = 0; k < 3; k++)
        if (fabs(point[k]) > 1e10) return tx_mesh_problem(text, "", "a coordinate is too large");
    return added_to(text, tx_flex_add_vertex(mesh, point));
}

// an element whose corners count from `first`
static bool add_element(tx_mesh_text *text, const double *corners, double first, tx_flex_mesh *mesh) {
    int vertices[4];
    for (int k = 0; k <= mesh->dim; k++) {
        const double v = corners[k] - first;
        if (!(v >= 0 && v < mesh->vertex_count)) return tx_mesh_problem(text, "", "there is no node %g", corners[k]);
        vertices[k] = (int)v;
    }
    return added_to(text, tx_flex_add_element(mesh, vertices));
}

// GMSH's numbers of lines, triangles and tetrahedra
static bool check_type(tx_mesh_text *text, double type, int dim) {
    if (type == (dim == 1 ? 1 : dim == 2 ? 2 : 4)) return true;
    return tx_mesh_problem(text, "save elements of one kind only", "an element of type %g is none of dim %d", type,
                           dim);
}

static bool read_old(tx_mesh_text *text, tx_flex_mesh *mesh) {
    double n[12];
    if (!find_section(text, "$Nodes") || !read_line(text, 1, true, n)) return false;
    const double nodes = n[0];
    for (double i = 0; i < nodes; i++) {
        if (!read_line(text, 4, false, n)) return false;
        if (n[0] != i + 1) return tx_mesh_problem(text, "", "nodes are numbered from 1 without gaps");
        if (!add_point(text, n + 1, mesh)) return false;
    }
    if (!find_section(text, "$Elements") || !read_line(text, 1, true, n)) return false;
    for (double i = 0, elements = n[0]; i < elements; i++) {
        // number, type, how many tags, tags, corners
        if (!read_line(text, 3, true, n) || !check_type(text, n[1], mesh->dim)) return false;
        if (!(n[2] >= 0 && n[2] <= 16)) return tx_mesh_problem(text, "", "an element has an impossible number of tags");
        for (int k = (int)n[2] + mesh->dim; k >= 0; k--) {
            if (!tx_mesh_next_word(text)) return tx_mesh_problem(text, "", "an element has too few corners");
            if (k > mesh->dim) continue;
            n[mesh->dim - k] = read_number(text);
            if (!check_number(text, n[mesh->dim - k], true)) return false;
        }
        if (!add_element(text, n, 1, mesh)) return false;
    }
    return true;
}

static bool read_new(tx_mesh_text *text, tx_flex_mesh *mesh) {
    double n[12];
    // blocks, nodes, least and greatest number; of the block: dim, entity, with coordinates on it, nodes
    if (!find_section(text, "$Nodes") || !read_line(text, 4, true, n)) return false;
    const double nodes = n[1], first = n[2];
    if (n[0] != 1 || n[3] - first + 1 != nodes)
        return tx_mesh_problem(text, "save one volume, surface or curve alone",
                               "nodes are in one block, numbered without gaps");
    if (!read_line(text, 4, true, n)) return false;
    if (n[2] != 0 || n[3] != nodes) return tx_mesh_problem(text, "", "a block of nodes has another number of them");
    for (double i = 0; i < nodes; i++) {
        double number;
        if (!read_line(text, 1, true, &number)) return false;
        if (number != first + i) return tx_mesh_problem(text, "", "nodes are numbered in their order");
    }
    for (double i = 0; i < nodes; i++)
        if (!read_line(text, 3, false, n) || !add_point(text, n, mesh)) return false;
    // blocks, elements, least and greatest number; of the block: dim, entity, type, elements
    if (!find_section(text, "$Elements") || !read_line(text, 4, true, n)) return false;
    if (n[0] != 1) return tx_mesh_problem(text, "save elements of one kind only", "elements are in one block");
    if (!read_line(text, 4, true, n) || !check_type(text, n[2], mesh->dim)) return false;
    for (double i = 0, elements = n[3]; i < elements; i++)
        if (!read_line(text, mesh->dim + 2, true, n) || !add_element(text, n + 1, first, mesh)) return false;
    return true;
}

bool tx_flex_read_gmsh(const char *bytes, size_t length, const char *file, tx_flex_mesh *mesh, tx_diag *diag) {
    tx_mesh_text text = tx_mesh_text_start(bytes, length, file, diag);
    double format[2];
    if (!find_section(&text, "$MeshFormat") || !read_line(&text, 2, false, format)) return false;
    if (format[1] != 0)
        return tx_mesh_problem(&text, "save it as text (ASCII)", "binary files of GMSH are not supported yet");
    if (format[0] == 2.2) return read_old(&text, mesh);
    if (format[0] == 4.1) return read_new(&text, mesh);
    return tx_mesh_problem(&text, "save it as 4.1 or 2.2", "version %g of GMSH's format is not supported", format[0]);
}
