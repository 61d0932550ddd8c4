// file.c - writes and reads problem files: a header, then arrays in the order of FILE_INTS and FILE_NUMBERS.
//
// Only what nothing else tells is stored: parents of dofs, widths of blocks, kernel and dim of constraints, dof and
// width of pieces. Places of rows, pieces and numbers of J follow when it is read, and so does the factor of A.
#include "problem/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/whole_file.h"
#include "problem/kernel_list.h"

typedef struct header {
    char magic[8];
    uint32_t version, byte_order;
    uint64_t size, hash; // of the whole file; of everything from `law` on
    char law[32];
    int32_t unit, large;
    int32_t dofs, blocks, entries, cons, rows, pieces, jacobian;
    int32_t iterations, ls_iterations, warmstart; // 2: from forces
    double tolerance, ls_tolerance, y_floor, time, momentum_tolerance;
} header;

static const char MAGIC[8] = "txprobl";
enum { VERSION = 4, BYTE_ORDER_MARK = 0x01020304, HASHED_FROM = offsetof(header, law) };
_Static_assert(sizeof(header) == 152, "no gap in it, and the same on every machine");

enum { CON_INTS = 5, PIECE_INTS = 2 };

// X(name, how many)
#define FILE_INTS(X)            \
    X(parent, h->dofs)          \
    X(width, h->blocks)         \
    X(cons, CON_INTS * h->cons) \
    X(pieces, PIECE_INTS * h->pieces)
#define FILE_NUMBERS(X)                     \
    X(A, h->entries)                        \
    X(x_star, h->dofs)                      \
    X(warm, h->dofs)                        \
    X(numbers, TX_KERNEL_NUMBERS * h->cons) \
    X(J, h->jacobian)                       \
    X(guess, h->rows)

// where the arrays stand in the bytes of a file
typedef struct sections {
#define X(name, count) int32_t *name;
    FILE_INTS(X)
#undef X
#define X(name, count) double *name;
    FILE_NUMBERS(X)
#undef X
} sections;

// sets the pointers; returns the bytes of the file
static size_t lay_out(sections *s, const header *h, char *bytes) {
    size_t at = sizeof *h;
#define X(name, count) \
    s->name = bytes ? (int32_t *)(bytes + at) : NULL, at += (sizeof(int32_t) * (size_t)(count) + 7u) & ~(size_t)7u;
    FILE_INTS(X)
#undef X
#define X(name, count) s->name = bytes ? (double *)(bytes + at) : NULL, at += sizeof(double) * (size_t)(count);
    FILE_NUMBERS(X)
#undef X
    return at;
}

// ---- writing ------------------------------------------------------------------------------------------------------

static double number(const tx_problem *p, const void *array, size_t i, int lane) {
    const size_t at = i * (size_t)p->lanes + (size_t)lane;
    return p->number_size == 8 ? ((const double *)array)[at] : (double)((const float *)array)[at];
}

// among several lanes a constraint may be there for the others
static bool is_there(const tx_problem *p, int i, int lane) {
    const size_t at = TX_KERNEL_NUMBERS * (size_t)i;
    if (p->lanes == 1 || number(p, p->numbers, at + TX_NUMBER_D, lane) != 0) return true;
    return p->cons[i].kernel == KERNEL_quadratic && p->cons[i].dim > 3 &&
           number(p, p->numbers, at + TX_NUMBER_D2, lane) != 0;
}

static header make_header(const tx_problem *p, int lane, const tx_problem_note *note) {
    const tx_solve_options *o = &p->opt;
    header h = {.version = VERSION, .byte_order = BYTE_ORDER_MARK, .unit = (int32_t)p->unit, .large = note->large};
    memcpy(h.magic, MAGIC, sizeof MAGIC);
    if (note->law) strncpy(h.law, note->law, sizeof h.law - 1);
    h.dofs = p->nv, h.blocks = p->nblocks;
    h.entries = p->nv ? p->tree.first[p->nv - 1] + p->tree.count[p->nv - 1] : 0;
    for (int i = 0; i < p->ncons; i++) {
        if (!is_there(p, i, lane)) continue;
        const tx_constraint *c = &p->cons[i];
        h.cons++, h.rows += c->dim, h.pieces += c->pieces;
        for (int k = c->piece; k < c->piece + c->pieces; k++) h.jacobian += c->dim * p->pieces[k].width;
    }
    h.iterations = o->iterations, h.ls_iterations = o->ls_iterations, h.warmstart = o->warmstart ? 1 + p->guessed : 0;
    h.tolerance = o->tolerance, h.ls_tolerance = o->ls_tolerance, h.y_floor = p->y_floor, h.time = p->time;
    h.momentum_tolerance = o->momentum_tolerance;
    return h;
}

static void copy_numbers(const tx_problem *p, const void *from, int count, int lane, double *to) {
    for (int i = 0; i < count; i++) to[i] = number(p, from, (size_t)i, lane);
}

static void write_constraints(const tx_problem *p, int lane, sections s) {
    for (int i = 0; i < p->ncons; i++) {
        if (!is_there(p, i, lane)) continue;
        const tx_constraint *c = &p->cons[i];
        const int32_t con[CON_INTS] = {c->kernel, c->dim, c->pieces, c->type, c->id};
        memcpy(s.cons, con, sizeof con), s.cons += CON_INTS;
        for (size_t k = 0; k < TX_KERNEL_NUMBERS; k++)
            *s.numbers++ = number(p, p->numbers, TX_KERNEL_NUMBERS * (size_t)i + k, lane);
        for (int r = c->row; r < c->row + c->dim; r++)
            *s.guess++ = p->guessed ? number(p, p->guess, (size_t)r, lane) : 0;
        for (int k = c->piece; k < c->piece + c->pieces; k++) {
            const tx_piece *e = &p->pieces[k];
            *s.pieces++ = e->dof, *s.pieces++ = e->width;
            for (int j = 0; j < c->dim * e->width; j++) *s.J++ = number(p, p->J, (size_t)(e->at + j), lane);
        }
    }
}

void *tx_problem_bytes(const tx_problem *p, int lane, const tx_problem_note *note, size_t *size) {
    header h = make_header(p, lane, note);
    sections s;
    *size = lay_out(&s, &h, NULL);
    char *bytes = tx_alloc(*size);
    if (!bytes) return NULL;
    lay_out(&s, &h, bytes);
    for (int d = 0; d < p->nv; d++) s.parent[d] = p->tree.parent[d];
    for (int i = 0; i < p->nblocks; i++) s.width[i] = p->blocks[i].width;
    copy_numbers(p, p->A, h.entries, lane, s.A);
    copy_numbers(p, p->x_star, h.dofs, lane, s.x_star);
    copy_numbers(p, p->warm, h.dofs, lane, s.warm);
    write_constraints(p, lane, s);
    h.size = *size;
    memcpy(bytes, &h, sizeof h);
    h.hash = tx_hash(TX_HASH_START, bytes + HASHED_FROM, *size - HASHED_FROM);
    memcpy(bytes + offsetof(header, hash), &h.hash, sizeof h.hash);
    return bytes;
}

tx_result tx_problem_write(const tx_problem *p, int lane, const tx_problem_note *note, const char *path) {
    size_t size;
    void *bytes = tx_problem_bytes(p, lane, note, &size);
    if (!bytes) return TX_ERROR_MEMORY;
    tx_result result = tx_write_whole(path, bytes, size);
    const int why = errno;
    tx_free(bytes);
    errno = why;
    return result;
}

// ---- reading ------------------------------------------------------------------------------------------------------

static const char *check_header(const header *h, const void *bytes, size_t size) {
    enum { MOST = 1 << 25 };
    sections s;
    if (memcmp(h->magic, MAGIC, sizeof MAGIC) != 0) return "this is not a problem file";
    if (h->byte_order != BYTE_ORDER_MARK) return "it was written by a machine with another order of bytes";
    if (h->version != VERSION) return "it was written by another version";
    if (h->size != size) return "the file was cut or extended";
    if (h->hash != tx_hash(TX_HASH_START, (const char *)bytes + HASHED_FROM, size - HASHED_FROM))
        return "the content does not match its checksum";
    const int32_t counts[] = {h->dofs, h->blocks, h->entries, h->cons, h->rows, h->pieces, h->jacobian};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i] < 0 || counts[i] > MOST) return "a size is out of range";
    // every row has a constraint in the file
    if (h->rows > 6ll * h->cons || lay_out(&s, h, NULL) != size) return "the sizes do not match the file";
    if (h->unit != TX_UNIT_ACCELERATION && h->unit != TX_UNIT_VELOCITY) return "its unit is unknown";
    if (h->large != 0 && h->large != 1) return "it says neither dense nor island by island";
    if (h->warmstart < 0 || h->warmstart > 2) return "an option of the solver is out of range";
    if (h->law[sizeof h->law - 1] != 0) return "the name of its law has no end";
    return NULL;
}

static void read_structure(tx_bare *b, const sections *s) {
    tx_problem *p = &b->problem;
    for (int d = 0; d < p->nv; d++) b->parent[d] = s->parent[d];
    for (int i = 0; i < p->nblocks; i++) b->width[i] = s->width[i];
    for (int i = 0; i < p->ncons; i++) {
        const int32_t *c = s->cons + CON_INTS * (size_t)i;
        p->cons[i] = (tx_constraint){.kernel = c[0], .dim = c[1], .pieces = c[2], .type = c[3], .id = c[4]};
    }
    for (int i = 0; i < p->npieces; i++)
        p->pieces[i] =
            (tx_piece){.dof = s->pieces[PIECE_INTS * (size_t)i], .width = s->pieces[PIECE_INTS * (size_t)i + 1]};
}

static void read_numbers(tx_bare *b, const header *h, const sections *s) {
    tx_problem *p = &b->problem;
#define X(name, count) memcpy((double *)p->name, s->name, sizeof(double) * (size_t)(count));
    FILE_NUMBERS(X)
#undef X
    p->unit = (tx_unit)h->unit, p->y_floor = h->y_floor, p->time = h->time;
    p->opt = (tx_solve_options){.tolerance = h->tolerance,
                                .momentum_tolerance = h->momentum_tolerance,
                                .ls_tolerance = h->ls_tolerance,
                                .iterations = h->iterations,
                                .ls_iterations = h->ls_iterations,
                                .warmstart = h->warmstart != 0};
    p->guessed = h->warmstart == 2;
    memcpy(b->law, h->law, sizeof b->law);
}

// null: it is read
static const char *read_problem(tx_bare *b, const void *bytes, size_t size) {
    header h;
    sections s;
    if (tx_friction_looks_like(bytes, size)) return tx_friction_read(b, bytes, size);
    if (size < sizeof h) return "the file is too short";
    memcpy(&h, bytes, sizeof h);
    const char *why = check_header(&h, bytes, size);
    if (why) return why;
    const tx_bare_size sizes = {h.dofs, h.blocks, h.entries, h.cons, h.rows, h.pieces, h.jacobian};
    if (!tx_bare_create(b, &sizes)) return "there is not enough memory for it";
    b->large = h.large != 0;
    lay_out(&s, &h, (char *)bytes);
    read_structure(b, &s);
    read_numbers(b, &h, &s);
    if (!tx_bare_link(b, &why)) return why;
    tx_bare_check(b, &why);
    return why;
}

int tx_problem_set_kernel(tx_problem *p, int kernel) {
    int count = 0;
    for (int i = 0; i < p->ncons; i++)
        if (tx_kernel_is_hard(p->cons[i].kernel)) p->cons[i].kernel = kernel, count++;
    return count;
}

bool tx_problem_from_bytes(tx_bare *b, const void *bytes, size_t size, const char *file, tx_diag *diag) {
    *b = (tx_bare){0};
    const char *why = read_problem(b, bytes, size);
    if (!why) return true;
    tx_diag_add(diag, TX_SEVERITY_ERROR, file, 0, 0, "write it again by 'thixis run --problems'", "problem file: %s",
                why);
    tx_bare_destroy(b);
    return false;
}

bool tx_problem_read(tx_bare *b, const char *path, tx_diag *diag) {
    *b = (tx_bare){0};
    FILE *file = fopen(path, "rb");
    if (!file) {
        tx_diag_add(diag, TX_SEVERITY_ERROR, path, 0, 0, strerror(errno), "cannot open the file");
        return false;
    }
    bool good = false;
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    rewind(file);
    char *bytes = size >= 0 && size < 1ll << 40 ? tx_alloc((size_t)size) : NULL;
    if (bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size)
        good = tx_problem_from_bytes(b, bytes, (size_t)size, path, diag);
    else tx_diag_add(diag, TX_SEVERITY_ERROR, path, 0, 0, "", "cannot read the file");
    tx_free(bytes);
    fclose(file);
    return good;
}
