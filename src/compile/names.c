// names.c - sorted lists of names, so that looking one up costs a few comparisons.
#include "compile/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static int by_name(const void *a, const void *b) {
    const tx_named *x = a, *y = b;
    int c = strcmp(x->name, y->name);
    return c ? c : (x->index > y->index) - (x->index < y->index);
}

#define LIST(kind, field)                                                                   \
    catalog->kind = (tx_names){at, b->kind.count};                                          \
    for (int i = 0; i < b->kind.count; i++)                                                 \
        at[i] = (tx_named){b->kind.items[i].field name, &b->kind.items[i].field source, i}; \
    if (b->kind.count) qsort(at, (size_t)b->kind.count, sizeof *at, by_name);               \
    at += b->kind.count;

bool tx_catalog_create(tx_catalog *catalog, const tx_builder *b) {
    size_t bodies = (size_t)b->body.count;
    size_t names = bodies + (size_t)b->joint.count + (size_t)b->geom.count + (size_t)b->actuator.count +
                   (size_t)b->tendon.count + (size_t)b->equality.count + (size_t)b->mesh.count + (size_t)b->key.count +
                   (size_t)b->hfield.count + (size_t)b->site.count + (size_t)b->camera.count + (size_t)b->sensor.count;
    tx_named *at = tx_alloc(names * sizeof *at + bodies * (sizeof(int) + sizeof(bool)));
    *catalog = (tx_catalog){.memory = at};
    if (!at) return false;
    catalog->joint_count = (int *)(at + names);
    catalog->moves = (bool *)(catalog->joint_count + bodies);
    LIST(body, def.)
    LIST(joint, def.)
    LIST(geom, def.)
    LIST(site, def.)
    LIST(camera, def.)
    LIST(sensor, )
    LIST(actuator, )
    LIST(tendon, )
    LIST(equality, )
    LIST(mesh, )
    LIST(hfield, )
    LIST(key, )
    for (int i = 0; i < b->joint.count; i++) catalog->joint_count[b->joint.items[i].body]++;
    for (int i = 1; i < b->body.count; i++)
        catalog->moves[i] = catalog->joint_count[i] > 0 || catalog->moves[b->body.items[i].parent];
    return true;
}

void tx_catalog_free(tx_catalog *catalog) {
    tx_free(catalog->memory);
    *catalog = (tx_catalog){0};
}

int tx_name_find(const tx_names *names, const char *name) {
    int low = 0, high = names->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(names->sorted[middle].name, name) < 0) low = middle + 1;
        else high = middle;
    }
    return name[0] && low < names->count && strcmp(names->sorted[low].name, name) == 0 ? names->sorted[low].index : -1;
}
