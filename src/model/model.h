// model.h - what a model is inside: named pointers into one relocatable buffer.
#pragma once
#include "thixis/model.h"

struct tx_model {
#define X(NAME, name, meaning) int name;
    TX_SIZES(X)
#undef X
    int one; // 1, for fields that exist once

#define X(NAME, name, count, meaning) const int *name;
    TX_MODEL_INTS(X)
#undef X
#define X(NAME, name, count, width, meaning) const double *name;
    TX_MODEL_PARAMS(X)
    TX_MODEL_DATA(X)
#undef X

    const char *names;     // nname bytes; the first is the model's own name
    const tx_options *opt; // inside the buffer
    void *bytes;           // the buffer: header, options, names, arrays
    size_t size;
    uint64_t hash; // of everything behind the header
};

/// The next dof, from the highest, that moves only one of two bodies; -1: none is left. At the start dof[] is
/// body_lastdof of the two. side: which of them it moves.
static inline int tx_next_between(const tx_model *m, int dof[2], int *side) {
    if (dof[0] == dof[1]) return -1;
    *side = dof[1] > dof[0];
    int next = dof[*side];
    dof[*side] = m->dof_parent[next];
    return next;
}

/// Whether an element of a path is a coordinate of one site relative to another, or a constant.
static inline bool tx_is_coordinate(int path_kind) { return path_kind >= TX_PATH_HINGE; }

/// Rows of an equality by its tx_equality_type.
static const int tx_equality_rows[] = {3, 6, 1, 1, 5, 5};
enum { TX_EQUALITY_TYPES = sizeof tx_equality_rows / sizeof tx_equality_rows[0] };

/// The two bodies that an equality keeps together. @return false: it is one of joints or tendons
static inline bool tx_equality_bodies(const tx_model *m, int e, int body[2]) {
    const int type = m->eq_type[e], sites = type == TX_EQUALITY_HINGE || type == TX_EQUALITY_SLIDE;
    if (!sites && type != TX_EQUALITY_CONNECT && type != TX_EQUALITY_WELD) return false;
    body[0] = sites ? m->site_body[m->eq_obj1[e]] : m->eq_obj1[e];
    body[1] = sites ? m->site_body[m->eq_obj2[e]] : m->eq_obj2[e];
    return true;
}

/// How many numbers a field has, and where its pointer stands in the struct.
int tx_param_count(const tx_model *model, tx_param field);
const double *tx_param_array(const tx_model *model, tx_param field);
const char *tx_param_name(tx_param field);

/// A zeroed model with the sizes given in `sizes` (nq, nv … set there), arrays inside one new buffer; null: no memory.
/// While compiling, the arrays may be written through tx_writable().
tx_model *tx_model_create(const tx_model *sizes, const tx_options *options);
#define tx_writable(pointer) \
    _Generic((pointer), const int *: (int *)(pointer), const double *: (double *)(pointer), \
    const char *: (char *)(pointer), const tx_options *: (tx_options *)(pointer))

/// To be called once when all arrays are written.
void tx_model_seal(tx_model *model);

/// Whether bytes begin like a compiled model.
bool tx_model_recognised(const void *bytes, size_t size);

/// tx_model_from_bytes() for the content of a file, which the messages name.
tx_model *tx_model_from_file_bytes(const void *bytes, size_t size, const char *file, tx_diag *diag);
