// search.c - the places where a mesh file of a URDF may be, in their order.
//
// package://NAME/PATH  1. --package NAME=DIR: DIR/PATH
//                      2. each folder of ROS_PACKAGE_PATH: FOLDER/NAME/PATH, or FOLDER/PATH where FOLDER is called
//                      NAME;
//                         each of AMENT_PREFIX_PATH: FOLDER/share/NAME/PATH
//                      3. the folder of the model and its parents: FOLDER/NAME/PATH, then FOLDER/PATH, because a
//                         package's folder need not have the package's name
// relative PATH        the folder of the model with its meshdir, then the parents
// absolute PATH        as it is
// The first one that can be read is taken.
#include "load/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "load/file.h"

typedef struct tx_tried {
    struct tx_tried *next;
    const char *path, *why;
} tx_tried;

// a part of a text
typedef struct piece {
    const char *at;
    size_t length;
} piece;

static piece whole(const char *text) { return (piece){text, strlen(text)}; }

static char *join(tx_search *s, const piece *pieces, int count) {
    size_t size = 0, at = 0;
    for (int i = 0; i < count; i++) size += pieces[i].length;
    char *text = tx_stash_take(s->stash, size + 1);
    if (!text) {
        s->out_of_memory = true;
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        memcpy(text + at, pieces[i].at, pieces[i].length);
        at += pieces[i].length;
    }
    return text;
}

// ---- one place ---------------------------------------------------------------------------------------------------

typedef struct request {
    tx_search *search;
    size_t limit, *length;
    char *bytes; // not null: found
} request;

static void remember(tx_search *s, const char *path, const char *why) {
    tx_tried *tried = tx_stash_take(s->stash, sizeof *tried);
    if (!tried) {
        s->out_of_memory = true;
        return;
    }
    *tried = (tx_tried){NULL, path, why};
    *(s->last ? &s->last->next : &s->first) = tried;
    s->last = tried;
}

static bool was_tried(const tx_search *s, const char *path) {
    for (const tx_tried *t = s->first; t; t = t->next)
        if (strcmp(t->path, path) == 0) return true;
    return false;
}

// FOLDER/INNER/NAME; the slashes are added where they are missing, empty parts are left out
static bool look(request *r, piece folder, piece inner, const char *name) {
    tx_search *s = r->search;
    if (r->bytes || s->out_of_memory) return r->bytes != NULL;
    piece slash = {"/", 1}, none = {"", 0};
    bool after_folder = folder.length && folder.at[folder.length - 1] != '/';
    bool after_inner = inner.length && inner.at[inner.length - 1] != '/';
    piece pieces[] = {folder, after_folder ? slash : none, inner, after_inner ? slash : none, whole(name)};
    char *path = join(s, pieces, 5);
    if (!path || was_tried(s, path)) return false;
    const char *why = tx_file_no_memory;
    r->bytes = tx_read_file(path, r->limit, r->length, &why);
    if (r->bytes) s->path = path;
    else if (why == tx_file_no_memory) s->out_of_memory = true;
    else remember(s, path, why);
    return r->bytes != NULL;
}

// ---- lists of places ---------------------------------------------------------------------------------------------

// the folder of the model (from = 0) and its parents
static void look_in_parents(request *r, int from, piece inner, const char *name) {
    tx_search *s = r->search;
    bool absolute = s->folder[0] == '/';
    int deep = 0;
    for (const char *at = s->folder; *at; at++) deep += *at == '/';
    int most = absolute && deep - 1 < TX_SEARCH_PARENTS ? deep - 1 : TX_SEARCH_PARENTS;
    static const char up[] = "../../../../../../";
    for (int level = from; level <= most; level++) {
        piece pieces[] = {whole(s->folder), {up, 3 * (size_t)level}};
        char *folder = join(s, pieces, 2);
        if (!folder || look(r, whole(folder), inner, name)) return;
    }
}

static void look_in_packages(request *r, piece package, const char *name) {
    const tx_load_options *o = r->search->options;
    for (int i = 0; o && i < o->package_count; i++) {
        const char *entry = o->packages[i], *equals = entry ? strchr(entry, '=') : NULL;
        if (!equals || (size_t)(equals - entry) != package.length) continue;
        if (memcmp(entry, package.at, package.length) == 0) look(r, whole(equals + 1), (piece){"", 0}, name);
    }
}

static bool ends_with_folder(piece path, piece name) {
    while (path.length && path.at[path.length - 1] == '/') path.length--;
    if (path.length < name.length) return false;
    size_t start = path.length - name.length;
    return memcmp(path.at + start, name.at, name.length) == 0 && (start == 0 || path.at[start - 1] == '/');
}

// a list with colons between, as the shell keeps it; `share`: packages stand below share/
static void look_in_variable(request *r, const char *variable, bool share, piece package, const char *name) {
    const tx_load_options *o = r->search->options;
    const char *list = o && o->ignore_environment ? NULL : getenv(variable);
    while (list && *list) {
        piece folder = {list, strcspn(list, ":")};
        piece inner[] = {whole(share ? "share/" : ""), package};
        char *below = join(r->search, inner, 2);
        if (!below) return;
        if (folder.length) look(r, folder, whole(below), name);
        if (folder.length && !share && ends_with_folder(folder, package)) look(r, folder, (piece){"", 0}, name);
        list += folder.length + (list[folder.length] == ':');
    }
}

static void look_for_package(request *r, const char *rest) {
    piece package = {rest, strcspn(rest, "/")};
    const char *name = rest + package.length + (rest[package.length] == '/');
    look_in_packages(r, package, name);
    look_in_variable(r, "ROS_PACKAGE_PATH", false, package, name);
    look_in_variable(r, "AMENT_PREFIX_PATH", true, package, name);
    look_in_parents(r, 0, package, name);
    look_in_parents(r, 0, (piece){"", 0}, name);
}

static void look_for_path(request *r, const char *name) {
    tx_search *s = r->search;
    piece none = {"", 0};
    if (name[0] == '/') {
        look(r, none, none, name);
        return;
    }
    look(r, s->meshdir[0] == '/' ? none : whole(s->folder), whole(s->meshdir), name);
    look_in_parents(r, s->meshdir[0] ? 0 : 1, none, name);
}

static const char *after(const char *name, const char *start) {
    size_t size = strlen(start);
    return strncmp(name, start, size) == 0 ? name + size : NULL;
}

static const char *without_folders(const char *name) {
    const char *last = name;
    for (; *name; name++) last = *name == '/' || *name == '\\' ? name + 1 : last;
    return last;
}

char *tx_search_read(tx_search *s, const char *name, size_t limit, size_t *length) {
    request r = {s, limit, length, NULL};
    const char *package = after(name, "package://"), *model = after(name, "model://"), *file = after(name, "file://");
    s->path = NULL;
    s->first = s->last = NULL;
    if (strlen(name) > TX_SEARCH_NAME_MAX) return NULL;
    if (s->strippath) look_for_path(&r, without_folders(name));
    else if (package || model) look_for_package(&r, package ? package : model);
    else look_for_path(&r, file ? file : name);
    return r.bytes;
}

const char *tx_search_tried(tx_search *s) {
    int count = 0;
    for (const tx_tried *t = s->first; t; t = t->next) count++;
    piece *pieces = tx_stash_take(s->stash, (5 * (size_t)count + 1) * sizeof *pieces);
    if (!pieces) {
        s->out_of_memory = true;
        return NULL;
    }
    int used = 0;
    for (const tx_tried *t = s->first; t; t = t->next) {
        // that a file is not there goes without saying
        bool missing = strcmp(t->why, "there is no such file") == 0;
        pieces[used++] = whole(t == s->first ? "tried " : ", ");
        pieces[used++] = whole(t->path);
        if (missing) continue;
        pieces[used++] = whole(" (");
        pieces[used++] = whole(t->why);
        pieces[used++] = whole(")");
    }
    return join(s, pieces, used);
}
