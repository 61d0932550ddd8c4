// sdf_cache.c - fields by the hash of their surface; files appear by renaming, so that none is ever half there.
#include "compile/sdf_cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/memory.h"

enum { VERSION = 1 }; // of what is baked: another rule or another layout is another version

typedef struct header {
    char magic[8];
    uint64_t version, key, vertex_count, face_count, checksum; // checksum: of the values
    int64_t n[3];
    double low[3], cell;
} header;

static const char MAGIC[8] = "txsdf\n";

static header describe(const tx_sdf *grid, const double *vertex, int vertex_count, const int *face, int face_count) {
    header h = {.version = VERSION, .vertex_count = (uint64_t)vertex_count, .face_count = (uint64_t)face_count};
    memcpy(h.magic, MAGIC, sizeof MAGIC);
    for (int k = 0; k < 3; k++) h.n[k] = grid->n[k], h.low[k] = grid->low[k];
    h.cell = grid->cell;
    h.key = tx_hash(TX_HASH_START, vertex, sizeof(double) * 3 * (size_t)vertex_count);
    h.key = tx_hash(h.key, face, sizeof(int) * 3 * (size_t)face_count);
    h.key = tx_hash(h.key, &h.version, sizeof h.version);
    h.key = tx_hash(h.key, &h.cell, sizeof h.cell);
    return h;
}

static size_t points_of(const header *h) { return (size_t)(h->n[0] * h->n[1] * h->n[2]); }

// the folder of the cache, made where it is missing; false: there is none
static bool find_folder(char *path, size_t size) {
    const char *choice = getenv("THIXIS_CACHE"), *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    choice = "off"; // no files of surfaces that nobody means
#endif
    if (choice && strcmp(choice, "off") == 0) return false;
    bool given = base && base[0] == '/';
    if (!given && (!home || home[0] != '/')) return false;
    int length = given ? snprintf(path, size, "%s", base) : snprintf(path, size, "%s/.cache", home);
    if (length < 0 || (size_t)length + 8 >= size) return false;
    if (mkdir(path, 0755) != 0 && errno != EEXIST) return false;
    strcat(path, "/thixis");
    return mkdir(path, 0755) == 0 || errno == EEXIST;
}

// the values, when the file holds exactly what is described; else null
static double *read_values(const char *path, const header *wanted) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    header found;
    size_t points = points_of(wanted);
    double *value = NULL;
    bool good = fread(&found, sizeof found, 1, file) == 1;
    header same = *wanted;
    same.checksum = good ? found.checksum : 0;
    good = good && memcmp(&same, &found, sizeof found) == 0 && (value = tx_alloc(sizeof *value * points)) != NULL;
    good = good && fread(value, sizeof *value, points, file) == points && fgetc(file) == EOF;
    good = good && tx_hash(TX_HASH_START, value, sizeof *value * points) == found.checksum;
    fclose(file);
    if (good) return value;
    tx_free(value);
    return NULL;
}

// under a name of this process first: two that bake the same surface do not meet
static void write_values(const char *path, header h, const double *value) {
    char own[600];
    size_t points = points_of(&h);
    snprintf(own, sizeof own, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(own, "wb");
    if (!file) return;
    h.checksum = tx_hash(TX_HASH_START, value, sizeof *value * points);
    bool good = fwrite(&h, sizeof h, 1, file) == 1 && fwrite(value, sizeof *value, points, file) == points;
    good = fclose(file) == 0 && good;
    if (!good || rename(own, path) != 0) remove(own);
}

bool tx_sdf_bake_cached(tx_sdf *sdf, const double *vertex, int vertex_count, const int *face, int face_count,
                        double cell) {
    char folder[512], path[560];
    if (!find_folder(folder, sizeof folder)) return tx_sdf_bake(sdf, vertex, vertex_count, face, face_count, cell);
    *sdf = tx_sdf_grid(vertex, vertex_count, cell);
    header h = describe(sdf, vertex, vertex_count, face, face_count);
    snprintf(path, sizeof path, "%s/%016llx.sdf", folder, (unsigned long long)h.key);
    sdf->value = read_values(path, &h);
    if (sdf->value) return true;
    if (!tx_sdf_bake(sdf, vertex, vertex_count, face, face_count, cell)) return false;
    write_values(path, h, sdf->value);
    return true;
}
