// mjcf_file.c - the files of assets: where they are, and their bytes.
#include <stdio.h>
#include <string.h>

#include "load/file.h"
#include "load/mesh_file.h"
#include "load/mjcf.h"

static char *join(tx_mjcf *m, const char *a, size_t a_length, const char *b, const char *c) {
    size_t b_length = strlen(b), c_length = strlen(c);
    bool slash = b_length && b[b_length - 1] != '/';
    char *path = tx_stash_take(m->stash, a_length + b_length + slash + c_length + 1);
    if (!path) {
        m->out_of_memory = true;
        return NULL;
    }
    memcpy(path, a, a_length);
    memcpy(path + a_length, b, b_length);
    if (slash) path[a_length + b_length] = '/';
    memcpy(path + a_length + b_length + slash, c, c_length);
    return path;
}

static const char *after_slash(const char *path) {
    const char *last = path;
    for (; *path; path++) last = *path == '/' || *path == '\\' ? path + 1 : last;
    return last;
}

// the bytes of a file: sought in the folder of the main file and `dir`, then beside the file that names it
char *tx_mjcf_find_file(tx_mjcf *m, const tx_xml_element *element, const char *dir, const char *name, char **path,
                        size_t *length, const char **why) {
    if (m->part->strippath) name = after_slash(name);
    if (name[0] == '/') dir = "";
    size_t folder = name[0] == '/' || dir[0] == '/' ? 0 : strlen(m->part->folder);
    *path = join(m, m->part->folder, folder, dir, name);
    char *bytes = *path ? tx_read_file(*path, TX_MESH_FILE_MAX, length, why) : NULL;
    const char *slash = strrchr(element->file, '/');
    if (bytes || *why == tx_file_no_memory || !slash || name[0] == '/' || strcmp(element->file, m->part->file) == 0)
        return bytes;
    char *beside = join(m, element->file, (size_t)(slash + 1 - element->file), "", name);
    const char *other = NULL;
    bytes = beside ? tx_read_file(beside, TX_MESH_FILE_MAX, length, &other) : NULL;
    if (bytes) *path = beside;
    else if (!beside || other == tx_file_no_memory) *why = tx_file_no_memory;
    return bytes;
}

// without a name of its own an asset is called like its file, without folder and ending
const char *tx_mjcf_name_of_file(tx_mjcf *m, const char *file) {
    const char *start = after_slash(file), *dot = strrchr(start, '.');
    char *plain = tx_stash_text(m->stash, start, dot ? (size_t)(dot - start) : strlen(start));
    char *name = plain ? tx_stash_join(m->stash, m->part->prefix, plain) : NULL;
    if (!name) m->out_of_memory = true;
    return name;
}

char *tx_mjcf_read_file(tx_mjcf *m, tx_xml_element *element, const char *what, const char *instead, const char *name,
                        char **path, size_t *length) {
    const tx_xml_attribute *attribute = tx_xml_find(element, "file");
    char text[300];
    if (!m->part->folder) {
        snprintf(text, sizeof text, "load the model from a file, or give %s=\"...\"", instead);
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, attribute, text,
                        "a %s file can be read only for a model in a file", what);
        return NULL;
    }
    if (m->part->strippath) name = after_slash(name);
    const char *why = tx_file_no_memory;
    char *bytes = tx_mjcf_find_file(m, element, m->part->meshdir, name, path, length, &why);
    if (!bytes) {
        snprintf(text, sizeof text, "%s: %.200s", why, *path ? *path : name);
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, attribute, text, "cannot read the %s '%.200s'", what, name);
    }
    return bytes;
}
