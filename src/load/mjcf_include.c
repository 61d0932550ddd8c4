// mjcf_include.c - <include>: the content of another file in the place of the element (MuJoCo's rules: each file once,
// sought beside the main file, then beside the file that includes it).
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "load/file.h"
#include "load/mjcf.h"

typedef struct includer {
    tx_stash *stash;
    tx_diag *diag;
    const char *folder;
    tx_names files; // that have been read, by plain_path()
    bool failed;
} includer;

static void report(includer *inc, const tx_xml_element *at, const char *hint, const char *text, const char *name) {
    tx_diag_add(inc->diag, TX_SEVERITY_ERROR, at->file, at->line, at->column, hint, text, name);
}

static char *join(tx_stash *stash, const char *folder, size_t folder_length, const char *name) {
    if (name[0] == '/') folder_length = 0;
    size_t size = strlen(name);
    char *path = tx_stash_take(stash, folder_length + size + 1);
    if (!path) return NULL;
    memcpy(path, folder, folder_length);
    memcpy(path + folder_length, name, size);
    return path;
}

// the bytes of the file; *path is where it was found, or where it was sought last
static char *find_file(includer *inc, const tx_xml_element *at, const char *name, char **path, size_t *length,
                       const char **why) {
    *path = join(inc->stash, inc->folder, strlen(inc->folder), name);
    char *text = *path ? tx_read_file(*path, TX_XML_FILE_MAX, length, why) : NULL;
    const char *slash = strrchr(at->file, '/');
    if (text || *why == tx_file_no_memory || !slash) return text;
    char *beside = join(inc->stash, at->file, (size_t)(slash + 1 - at->file), name);
    text = beside ? tx_read_file(beside, TX_XML_FILE_MAX, length, why) : NULL;
    if (text) *path = beside;
    return text;
}

// how many bytes of a path are the folder that `length` bytes are in, with its slash
static size_t folder_of(const char *path, size_t length) {
    while (length > 0 && path[length - 1] == '/') length--;
    while (length > 0 && path[length - 1] != '/') length--;
    return length;
}

// the same file by one name: from the root, without "." and "..". Links are files of their own, as in MuJoCo
static char *plain_path(tx_stash *stash, const char *path) {
    char here[4096] = "";
    if (path[0] != '/' && !getcwd(here, sizeof here)) here[0] = 0;
    char *plain = tx_stash_take(stash, strlen(here) + strlen(path) + 3);
    if (!plain) return NULL;
    size_t length = strlen(here);
    memcpy(plain, here, length);
    plain[length++] = '/';
    for (const char *word = path; *word;) {
        size_t size = strcspn(word, "/");
        bool up = size == 2 && word[0] == '.' && word[1] == '.', stay = size == 0 || (size == 1 && word[0] == '.');
        if (up) length = folder_of(plain, length);
        if (up && length == 0) length = 1;
        if (!up && !stay) {
            memcpy(plain + length, word, size);
            length += size;
            plain[length++] = '/';
        }
        word += size + (word[size] == '/');
    }
    plain[length] = 0;
    return plain;
}

// the root of the included file, or null with a message
static tx_xml_element *load(includer *inc, const tx_xml_element *at) {
    const tx_xml_attribute *file = tx_xml_find(at, "file");
    if (!inc->folder) {
        report(inc, at, "load the model from a file", "<include> works only in a file%s", "");
        return NULL;
    }
    if (!file || at->attribute_count != 1 || at->first) {
        report(inc, at, "<include file=\"...\"/>", "<include> takes the attribute 'file' and nothing else%s", "");
        return NULL;
    }
    char *path = NULL;
    size_t length = 0;
    const char *why = tx_file_no_memory;
    char *text = find_file(inc, at, file->value, &path, &length, &why);
    if (!text) {
        report(inc, at, why, "cannot include '%.200s'", file->value);
        return NULL;
    }
    tx_xml_element *root = NULL;
    const char *plain = plain_path(inc->stash, path);
    if (plain && tx_names_find(&inc->files, plain)) {
        report(inc, at, "a file can be included only once", "'%.200s' is already included", file->value);
    } else if (plain && tx_names_add(&inc->files, inc->stash, plain, path)) {
        tx_diag_included(inc->diag, path, at->file, at->line, at->column);
        root = tx_xml_parse(inc->stash, text, length, path, at->depth - 1, inc->diag);
    } else {
        report(inc, at, "", "out of memory%s", "");
    }
    tx_free(text);
    if (!root) return NULL;
    if (strcmp(root->name, "mujoco") != 0 && strcmp(root->name, "mujocoinclude") != 0) {
        report(inc, root, "an included file starts with <mujocoinclude>", "<%.60s> cannot be included", root->name);
        return NULL;
    }
    for (int i = 0; i < root->attribute_count; i++) {
        const tx_xml_attribute *a = &root->attributes[i];
        if (strcmp(a->name, "model") == 0) continue;
        tx_diag_add(inc->diag, TX_SEVERITY_WARNING, root->file, a->line, a->column, "",
                    "attribute '%.60s' of an included <%s> is ignored", a->name, root->name);
    }
    return root;
}

// walks over the children; what an include brings is walked over next, so chains need no recursion
static void expand(includer *inc, tx_xml_element *parent) {
    tx_xml_element **link = &parent->first;
    parent->last = NULL;
    while (*link) {
        tx_xml_element *child = *link;
        if (strcmp(child->name, "include") != 0) {
            child->parent = parent;
            expand(inc, child);
            parent->last = child;
            link = &child->next;
            continue;
        }
        tx_xml_element *root = load(inc, child);
        if (root && root->first) {
            root->last->next = child->next;
            *link = root->first;
        } else {
            *link = child->next;
        }
        if (!root) inc->failed = true;
    }
}

bool tx_mjcf_include(tx_stash *stash, tx_xml_element *root, const char *folder, tx_diag *diag) {
    includer inc = {.stash = stash, .diag = diag, .folder = folder};
    char *main_file = plain_path(stash, root->file);
    if (main_file) tx_names_add(&inc.files, stash, main_file, main_file);
    expand(&inc, root);
    return !inc.failed;
}
