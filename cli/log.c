// log.c - rows of states: time, qpos, qvel, act, ctrl. CSV names every column by its joint or actuator; .npz holds an
// array each.
#include "log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load/text.h"

static const struct {
    const char *name;
    tx_array array;
} LOGGED[] = {{"time", TX_ARRAY_TIME},
              {"qpos", TX_ARRAY_QPOS},
              {"qvel", TX_ARRAY_QVEL},
              {"act", TX_ARRAY_ACT},
              {"ctrl", TX_ARRAY_CTRL}};
enum { ARRAYS = sizeof LOGGED / sizeof LOGGED[0] };

bool log_named(const char *path) { return tx_ends_with(path, ".csv") || tx_ends_with(path, ".npz"); }

static int row_width(const tx_sim *sim) {
    int width = 0;
    for (int a = 0; a < ARRAYS; a++) width += tx_sim_array_width(sim, LOGGED[a].array);
    return width;
}

bool log_state(state_log *log, tx_sim *sim) {
    const size_t width = (size_t)row_width(sim);
    if (log->count == log->room) {
        int room = log->room ? 2 * log->room : 256;
        double *grown = realloc(log->rows, sizeof *grown * width * (size_t)room);
        if (!grown) return !(log->failed = true);
        log->rows = grown, log->room = room;
    }
    double *row = log->rows + width * (size_t)log->count++;
    for (int a = 0; a < ARRAYS; a++) {
        size_t n = (size_t)tx_sim_array_width(sim, LOGGED[a].array);
        if (n) memcpy(row, tx_sim_array(sim, LOGGED[a].array) + n * (size_t)log->env, sizeof *row * n);
        row += n;
    }
    return true;
}

// ---- CSV -----------------------------------------------------------------------------------------------------------

// qpos_NAME, or qpos_NAME_0 ... where the joint has several numbers; an element without a name has its index
static void write_names(FILE *out, const char *array, const tx_model *model, tx_element element, int index, int count) {
    const char *name = tx_element_name(model, element, index);
    for (int k = 0; k < count; k++) {
        fprintf(out, ",%s_", array);
        // a comma or quote in a name would start another column
        for (const char *c = name ? name : ""; *c; c++) fputc(strchr(",\"\n\r", *c) ? '_' : *c, out);
        if (!name || !name[0]) fprintf(out, "%d", index);
        if (count > 1) fprintf(out, "_%d", k);
    }
}

static void write_header(FILE *out, const tx_sim *sim) {
    static const int positions[] = {7, 4, 1, 1}, dofs[] = {6, 3, 1, 1}; // by tx_joint_type
    const tx_model *model = tx_sim_model(sim);
    const int joints = tx_model_size(model, TX_SIZE_NJNT), *type = tx_model_ints(model, TX_INT_JNT_TYPE, NULL);
    fprintf(out, "time");
    for (int j = 0; j < joints; j++) write_names(out, "qpos", model, TX_ELEMENT_JOINT, j, positions[type[j]]);
    for (int j = 0; j < joints; j++) write_names(out, "qvel", model, TX_ELEMENT_JOINT, j, dofs[type[j]]);
    for (int k = 0; k < tx_sim_array_width(sim, TX_ARRAY_ACT); k++) fprintf(out, ",act_%d", k);
    for (int i = 0; i < tx_sim_array_width(sim, TX_ARRAY_CTRL); i++)
        write_names(out, "ctrl", model, TX_ELEMENT_ACTUATOR, i, 1);
    fprintf(out, "\n");
}

static void write_csv(const state_log *log, const tx_sim *sim, FILE *out) {
    const int width = row_width(sim);
    write_header(out, sim);
    for (int i = 0; i < log->count; i++)
        for (int k = 0; k < width; k++)
            fprintf(out, "%.17g%c", log->rows[(size_t)i * (size_t)width + (size_t)k], k + 1 < width ? ',' : '\n');
}

// ---- npz: a zip archive of .npy files, not compressed --------------------------------------------------------------

typedef struct member {
    char name[16], head[256];
    int width, first; // columns of the rows
    uint32_t head_size, size, crc, offset;
} member;

static uint32_t crc32_of(uint32_t crc, const void *bytes, size_t size) {
    crc = ~crc;
    for (const unsigned char *b = bytes; size > 0; b++, size--) {
        crc ^= *b;
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (0xEDB88320u & -(crc & 1));
    }
    return ~crc;
}

// little-endian, as zip wants it
static void put(FILE *out, uint32_t value, int bytes) {
    for (int i = 0; i < bytes; i++) fputc((int)(value >> 8 * i & 255), out);
}

// the header of an .npy file, version 1.0, a multiple of 64 bytes long
static void describe(member *m, int rows) {
    char shape[64];
    snprintf(shape, sizeof shape, m->width == 1 && strcmp(m->name, "time.npy") == 0 ? "(%d,)" : "(%d, %d)", rows,
             m->width);
    int length =
        snprintf(m->head + 10, sizeof m->head - 10, "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }", shape);
    int padded = (10 + length + 1 + 63) / 64 * 64;
    memcpy(m->head, "\x93NUMPY\x01\x00", 8);
    m->head[8] = (char)((padded - 10) & 255), m->head[9] = (char)((padded - 10) >> 8);
    memset(m->head + 10 + length, ' ', (size_t)(padded - 11 - length));
    m->head[padded - 1] = '\n';
    m->head_size = (uint32_t)padded;
}

static void put_entry(FILE *out, const member *m, bool central) {
    uint32_t length = (uint32_t)strlen(m->name);
    put(out, central ? 0x02014b50 : 0x04034b50, 4);
    if (central) put(out, 20, 2);
    put(out, 20, 2), put(out, 0, 2), put(out, 0, 2); // version, flags, stored
    put(out, 0, 2), put(out, 0x21, 2);               // 1 January 1980: the same bytes from every run
    put(out, m->crc, 4), put(out, m->size, 4), put(out, m->size, 4);
    put(out, length, 2), put(out, 0, 2);
    if (central) put(out, 0, 2), put(out, 0, 2), put(out, 0, 2), put(out, 0, 4), put(out, m->offset, 4);
    fwrite(m->name, 1, length, out);
}

// the columns of one array, row by row
static void each_row(const state_log *log, int width, const member *m, FILE *out, uint32_t *crc) {
    for (int i = 0; i < log->count; i++) {
        const double *at = log->rows + (size_t)i * (size_t)width + (size_t)m->first;
        if (crc) *crc = crc32_of(*crc, at, sizeof *at * (size_t)m->width);
        if (out) fwrite(at, sizeof *at, (size_t)m->width, out);
    }
}

// false: beyond the 4 GB of plain zip files
static bool write_npz(const state_log *log, const tx_sim *sim, FILE *out) {
    const int width = row_width(sim);
    if ((double)width * 8 * log->count > 4e9) return false;
    member members[ARRAYS];
    uint32_t offset = 0, directory = 0;
    int first = 0;
    for (int a = 0; a < ARRAYS; a++) {
        member *m = &members[a];
        *m = (member){.width = tx_sim_array_width(sim, LOGGED[a].array), .first = first, .offset = offset};
        first += m->width;
        snprintf(m->name, sizeof m->name, "%s.npy", LOGGED[a].name);
        describe(m, log->count);
        m->size = m->head_size + 8 * (uint32_t)m->width * (uint32_t)log->count;
        m->crc = crc32_of(0, m->head, m->head_size);
        each_row(log, width, m, NULL, &m->crc);
        put_entry(out, m, false);
        fwrite(m->head, 1, m->head_size, out);
        each_row(log, width, m, out, NULL);
        offset += 30 + (uint32_t)strlen(m->name) + m->size;
    }
    for (int a = 0; a < ARRAYS; a++) {
        put_entry(out, &members[a], true);
        directory += 46 + (uint32_t)strlen(members[a].name);
    }
    put(out, 0x06054b50, 4), put(out, 0, 4), put(out, ARRAYS, 2), put(out, ARRAYS, 2);
    put(out, directory, 4), put(out, offset, 4), put(out, 0, 2);
    return true;
}

bool log_write(state_log *log, tx_sim *sim) {
    bool npz = tx_ends_with(log->path, ".npz"), ok = !log->failed;
    FILE *out = ok ? fopen(log->path, "wb") : NULL;
    int why = errno;
    if (out) {
        if (npz) ok = write_npz(log, sim, out);
        else write_csv(log, sim, out);
        bool written = !ferror(out);
        ok = fclose(out) == 0 && written && ok;
        why = errno;
    }
    ok = ok && out;
    if (!ok)
        fprintf(stderr, "thixis run: %s cannot be written: %s\n", log->path,
                log->failed ? "out of memory" : strerror(why));
    free(log->rows);
    *log = (state_log){0};
    return ok;
}
