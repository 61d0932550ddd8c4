// model.c - layout of the model buffer, accessors, names, and reading and writing the compiled file.
#include "model/model.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/whole_file.h"
#include "model/validate.h"
#include "thixis/sim.h"

// ---- layout -------------------------------------------------------------------------------------------------------

enum { NAME_ROOM = 32 };

typedef struct header {
    char magic[8];
    uint32_t version, byte_order;
    uint64_t size, hash;
    int32_t sizes[TX_SIZE_COUNT];
    tx_options options;
    char law[NAME_ROOM], solver[NAME_ROOM]; // by name: their numbers belong to one build of the library
} header;

static const char MAGIC[8] = "thixis\n";
enum { VERSION = 20, BYTE_ORDER_MARK = 0x01020304, MOST = 1 << 28 };

static size_t place(size_t *at, size_t size) {
    size_t here = (*at + 63u) & ~(size_t)63u;
    *at = here + size;
    return here;
}

// walks all arrays in their order; with a buffer it sets the pointers. Returns the bytes needed.
static size_t lay_out(tx_model *m, char *buffer) {
    size_t at = 0;
    size_t head = place(&at, sizeof(header));
    if (buffer) m->opt = &((header *)(buffer + head))->options;
    size_t names = place(&at, (size_t)m->nname);
    if (buffer) m->names = buffer + names;
#define X(NAME, name, count, meaning)                             \
    {                                                             \
        size_t here = place(&at, sizeof(int) * (size_t)m->count); \
        if (buffer) m->name = (const int *)(buffer + here);       \
    }
    TX_MODEL_INTS(X)
#undef X
    // width is a number or the name of a size, so it is looked up among the model's sizes
    const int nq = m->nq, nv = m->nv, na = m->na, nu = m->nu, nmocap = m->nmocap, nplastic = m->nplastic;
#define X(NAME, name, count, width, meaning)                                           \
    {                                                                                  \
        size_t here = place(&at, sizeof(double) * (size_t)m->count * (size_t)(width)); \
        if (buffer) m->name = (const double *)(buffer + here);                         \
    }
    TX_MODEL_PARAMS(X)
    TX_MODEL_DATA(X)
#undef X
    place(&at, 0);
    return (at + 63u) & ~(size_t)63u;
}

// field by field into zeroed memory: the bytes between the fields are not part of a model
static void copy_options(tx_options *to, const tx_options *from) {
#define X(name, ...) memcpy(&to->name, &from->name, sizeof to->name);
    TX_OPTION_NUMBERS(X)
    TX_OPTION_COUNTS(X)
    TX_OPTION_OVERRIDES(X)
    TX_OPTION_SWITCHES(X)
#undef X
}

tx_model *tx_model_create(const tx_model *sizes, const tx_options *options) {
    tx_model *m = tx_alloc(sizeof *m);
    if (!m) return NULL;
#define X(NAME, name, meaning) m->name = sizes->name;
    TX_SIZES(X)
#undef X
    m->one = 1;
    m->size = lay_out(m, NULL);
    m->bytes = tx_alloc(m->size);
    if (!m->bytes) {
        tx_free(m);
        return NULL;
    }
    lay_out(m, m->bytes);
    header *head = m->bytes;
    memcpy(head->magic, MAGIC, sizeof MAGIC);
    head->version = VERSION, head->byte_order = BYTE_ORDER_MARK, head->size = m->size;
#define X(NAME, name, meaning) head->sizes[TX_SIZE_##NAME] = m->name;
    TX_SIZES(X)
#undef X
    copy_options(&head->options, options);
    const char *law = tx_law_name(options->law), *solver = tx_solver_name(options->solver);
    snprintf(head->law, sizeof head->law, "%s", law ? law : "");
    snprintf(head->solver, sizeof head->solver, "%s", solver ? solver : "");
    return m;
}

void tx_model_seal(tx_model *m) {
    header *head = m->bytes;
    m->hash = tx_hash(TX_HASH_START, head->sizes, m->size - offsetof(header, sizes));
    head->hash = m->hash;
}

void tx_model_destroy(tx_model *model) {
    if (!model) return;
    tx_free(model->bytes);
    tx_free(model);
}

// ---- accessors ----------------------------------------------------------------------------------------------------

int tx_model_size(const tx_model *m, tx_size size) {
    if (!m) return -1;
    switch (size) {
#define X(NAME, name, meaning) \
    case TX_SIZE_##NAME: return m->name;
        TX_SIZES(X)
#undef X
    case TX_SIZE_COUNT: break;
    }
    return -1;
}

static void give(int *count, int value) {
    if (count) *count = value;
}

const int *tx_model_ints(const tx_model *m, tx_model_int field, int *count) {
    give(count, 0);
    if (!m) return NULL;
    switch (field) {
#define X(NAME, name, n, meaning) \
    case TX_INT_##NAME: give(count, m->n); return m->name;
        TX_MODEL_INTS(X)
#undef X
    case TX_INT_COUNT: break;
    }
    return NULL;
}

const double *tx_model_params(const tx_model *m, tx_param field, int *count) {
    give(count, 0);
    if (!m) return NULL;
    switch (field) {
#define X(NAME, name, n, width, meaning) \
    case TX_PARAM_##NAME: give(count, m->n *width); return m->name;
        TX_MODEL_PARAMS(X)
#undef X
    case TX_PARAM_COUNT: break;
    }
    return NULL;
}

int tx_param_count(const tx_model *m, tx_param field) {
    int count = 0;
    tx_model_params(m, field, &count);
    return count;
}

const double *tx_param_array(const tx_model *m, tx_param field) { return tx_model_params(m, field, NULL); }

const char *tx_param_name(tx_param field) {
    static const char *const text[] = {
#define X(NAME, name, n, width, meaning) [TX_PARAM_##NAME] = #name,
        TX_MODEL_PARAMS(X)
#undef X
    };
    return field < TX_PARAM_COUNT ? text[field] : NULL;
}

const double *tx_model_data_array(const tx_model *m, tx_model_data field, int *count) {
    give(count, 0);
    if (!m) return NULL;
    const int nq = m->nq, nv = m->nv, na = m->na, nu = m->nu, nmocap = m->nmocap, nplastic = m->nplastic;
    switch (field) {
#define X(NAME, name, n, width, meaning) \
    case TX_DATA_##NAME: give(count, m->n *(width)); return m->name;
        TX_MODEL_DATA(X)
#undef X
    case TX_DATA_COUNT: break;
    }
    return NULL;
}

const tx_options *tx_model_options(const tx_model *m) { return m ? m->opt : NULL; }
const char *tx_model_name(const tx_model *m) { return m ? m->names : NULL; }

static const int *name_offsets(const tx_model *m, tx_element kind, int *count) {
    *count = 0;
    if (!m) return NULL;
    switch (kind) {
    case TX_ELEMENT_BODY: *count = m->nbody; return m->body_name;
    case TX_ELEMENT_JOINT: *count = m->njnt; return m->jnt_name;
    case TX_ELEMENT_GEOM: *count = m->ngeom; return m->geom_name;
    case TX_ELEMENT_ACTUATOR: *count = m->nactuator; return m->actuator_name;
    case TX_ELEMENT_EQUALITY: *count = m->neq; return m->eq_name;
    case TX_ELEMENT_TENDON: *count = m->ntendon; return m->tendon_name;
    case TX_ELEMENT_KEY: *count = m->nkey; return m->key_name;
    case TX_ELEMENT_SITE: *count = m->nsite; return m->site_name;
    case TX_ELEMENT_SENSOR: *count = m->nsensor; return m->sensor_name;
    case TX_ELEMENT_MESH: *count = m->nmesh; return m->mesh_name;
    case TX_ELEMENT_HFIELD: *count = m->nhfield; return m->hfield_name;
    case TX_ELEMENT_CAMERA: *count = m->ncam; return m->cam_name;
    }
    return NULL;
}

const char *tx_element_name(const tx_model *m, tx_element kind, int index) {
    int count;
    const int *offset = name_offsets(m, kind, &count);
    return index >= 0 && index < count ? m->names + offset[index] : NULL;
}

int tx_element_find(const tx_model *m, tx_element kind, const char *name) {
    int count;
    const int *offset = name_offsets(m, kind, &count);
    for (int i = 0; name && name[0] && i < count; i++)
        if (strcmp(m->names + offset[i], name) == 0) return i;
    return -1;
}

// ---- files --------------------------------------------------------------------------------------------------------

const void *tx_model_bytes(const tx_model *m, size_t *size) {
    if (size) *size = m ? m->size : 0;
    return m ? m->bytes : NULL;
}

bool tx_model_recognised(const void *bytes, size_t size) {
    return size >= sizeof MAGIC && memcmp(bytes, MAGIC, sizeof MAGIC) == 0;
}

// number of a name that a file gave; -1: none
static int find_name(const char *(*name_of)(int), const char name[NAME_ROOM]) {
    int i = 0;
    while (name_of(i) && strncmp(name_of(i), name, NAME_ROOM) != 0) i++;
    return name_of(i) ? i : -1;
}

tx_model *tx_model_from_file_bytes(const void *bytes, size_t size, const char *file, tx_diag *diag) {
    header head;
    const char *wrong = NULL;
    if (!bytes || size < sizeof head) wrong = "the file is too short";
    if (!wrong) {
        memcpy(&head, bytes, sizeof head);
        if (!tx_model_recognised(bytes, size)) wrong = "this is not a compiled model";
        else if (head.version != VERSION || head.byte_order != BYTE_ORDER_MARK)
            wrong = "it was written by another version";
        else if (head.size != size) wrong = "the file was cut or extended";
        else if (head.hash !=
                 tx_hash(TX_HASH_START, (const char *)bytes + offsetof(header, sizes), size - offsetof(header, sizes)))
            wrong = "the content does not match its checksum";
    }
    char text[2 * NAME_ROOM + 64];
    int law = 0, solver = 0;
    if (!wrong) {
        head.law[NAME_ROOM - 1] = head.solver[NAME_ROOM - 1] = 0;
        law = find_name(tx_law_name, head.law), solver = find_name(tx_solver_name, head.solver);
        if (law < 0 || solver < 0) {
            snprintf(text, sizeof text, "this version has no %s '%s'", law < 0 ? "law" : "solver",
                     law < 0 ? head.law : head.solver);
            wrong = text;
        }
    }
    tx_model sizes = {0};
    if (!wrong) {
#define X(NAME, name, meaning)               \
    sizes.name = head.sizes[TX_SIZE_##NAME]; \
    if (sizes.name < 0 || sizes.name > MOST) wrong = "a size is out of range";
        TX_SIZES(X)
#undef X
        sizes.one = 1;
        if (!wrong && lay_out(&sizes, NULL) != size) wrong = "the sizes do not match the file";
    }
    if (wrong) {
        tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, "compile the model again from its source",
                    "compiled model: %s", wrong);
        return NULL;
    }
    tx_model *m =
        tx_model_create(&sizes, &(tx_options){0}); // the options come with the bytes, unread until they are checked
    if (!m) {
        tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, "", "out of memory for a model of %zu bytes", size);
        return NULL;
    }
    memcpy(m->bytes, bytes, size);
    m->hash = head.hash;
    // the checksum finds accidents; a file made on purpose must not lead outside its arrays either
    if (!tx_model_validate(m, &wrong)) {
        tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, "compile the model again from its source",
                    "compiled model: %s is out of range", wrong);
        tx_model_destroy(m);
        return NULL;
    }
    // numbers of another build
    tx_options *options = &((header *)m->bytes)->options;
    if (options->law != law || options->solver != solver) {
        options->law = law, options->solver = solver;
        tx_model_seal(m);
    }
    return m;
}

tx_model *tx_model_from_bytes(const void *bytes, size_t size, tx_diag *diag) {
    return tx_model_from_file_bytes(bytes, size, "", diag);
}

tx_result tx_model_write(const tx_model *m, const char *path) {
    return m && path ? tx_write_whole(path, m->bytes, m->size) : TX_ERROR_ARGUMENT;
}

tx_model *tx_model_read(const char *path, tx_diag *diag) {
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file) {
        tx_diag_add(diag, TX_SEVERITY_ERROR, path, 0, 0, strerror(errno), "cannot open the file");
        return NULL;
    }
    tx_model *m = NULL;
    char *bytes = NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    if (size > 0) bytes = tx_alloc((size_t)size);
    if (bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size)
        m = tx_model_from_file_bytes(bytes, (size_t)size, path, diag);
    else tx_diag_add(diag, TX_SEVERITY_ERROR, path, 0, 0, "", "cannot read the file");
    tx_free(bytes);
    fclose(file);
    return m;
}
