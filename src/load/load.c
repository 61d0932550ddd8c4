// load.c - a model from a file or a text: finds out what it is, reads it, compiles it, puts the messages in order.
#include "thixis/load.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "compile/builder.h"
#include "load/archive.h"
#include "load/file.h"
#include "load/mjcf.h"
#include "load/urdf.h"
#include "load/xml.h"
#include "model/model.h"

// ---- messages ----------------------------------------------------------------------------------------------------

static bool is_faulty(const tx_mjcf_place *place, const tx_message *message) {
    for (; place; place = place->next) {
        const tx_xml_element *e = place->element;
        if (e->line == message->line && e->column == message->column && strcmp(e->file, message->file) == 0)
            return true;
    }
    return false;
}

// problems for whose messages there was no memory
static void count_lost(tx_diag *diag, const tx_diag *found) {
    int lost = found->errors;
    for (int i = 0; i < found->count; i++) lost -= found->messages[i].severity == TX_SEVERITY_ERROR;
    if (diag && found->count < TX_DIAG_MAX) diag->errors += lost;
}

// takes over what compile found, but not what follows from errors that are known already
static void append(tx_diag *diag, const tx_diag *found, const tx_mjcf_place *faulty) {
    for (int i = 0; i < found->count; i++) {
        const tx_message *f = &found->messages[i];
        if (f->line > 0 && is_faulty(faulty, f)) continue;
        if (tx_diag_has(diag, f->file, f->line, f->column, f->text)) continue;
        tx_diag_add(diag, f->severity, f->file, f->line, f->column, f->hint, "%s", f->text);
    }
    count_lost(diag, found);
}

// the main file first, the others in the order in which they have been heard of
static int file_rank(const tx_diag *diag, int start, const char *main_file, const tx_message *message) {
    if (strcmp(message->file, main_file) == 0) return -1;
    int i = start;
    while (strcmp(diag->messages[i].file, message->file) != 0) i++;
    return i;
}

// puts the messages from `start` on into the order of the file; insertion keeps equal places as they are
static void sort_messages(tx_diag *diag, int start, const char *main_file) {
    int rank[TX_DIAG_MAX];
    for (int i = start; i < diag->count; i++) rank[i] = file_rank(diag, start, main_file, &diag->messages[i]);
    for (int i = start + 1; i < diag->count; i++) {
        tx_message moving = diag->messages[i];
        int moving_rank = rank[i], j = i;
        for (; j > start; j--) {
            const tx_message *before = &diag->messages[j - 1];
            int order = rank[j - 1] - moving_rank;
            if (!order) order = before->line - moving.line;
            if (!order) order = before->column - moving.column;
            if (order <= 0) break;
            diag->messages[j] = *before;
            rank[j] = rank[j - 1];
        }
        diag->messages[j] = moving;
        rank[j] = moving_rank;
    }
}

// ---- MJCF and URDF -----------------------------------------------------------------------------------------------

// where the files of a model are: folder with its slash, null when files are refused
typedef struct places {
    const char *folder;
    const tx_load_options *options;
} places;

// the root element says what the file is
static tx_mjcf_outcome read_tree(tx_stash *stash, tx_xml_element *root, places at, tx_builder *builder, tx_diag *diag) {
    if (strcmp(root->name, "robot") == 0) return tx_urdf_parse(stash, root, at.folder, at.options, builder, diag, NULL);
    tx_mjcf_part *parts = NULL;
    bool complete = tx_mjcf_expand(stash, root, at.folder, &parts, diag);
    tx_mjcf_outcome outcome =
        tx_mjcf_parse(stash, root, at.folder, parts, at.options && at.options->pictures, builder, diag, NULL);
    outcome.whole = outcome.whole && complete;
    return outcome;
}

// from the tree to the model, or null; compile also runs after errors to find more, but not when elements are missing
static tx_model *build(tx_stash *stash, tx_xml_element *root, places at, tx_diag *diag) {
    tx_builder *builder = tx_builder_create();
    if (!builder) {
        tx_diag_add(diag, TX_SEVERITY_ERROR, root->file, 0, 0, "", "out of memory");
        return NULL;
    }
    int errors = diag->errors;
    tx_mjcf_outcome outcome = read_tree(stash, root, at, builder, diag);
    tx_model *model = NULL;
    if (outcome.whole) {
        tx_diag found = {0};
        // a name that stands twice does not follow from anything else
        tx_builder_check_names(builder, diag);
        if (at.options && at.options->maximal) builder->compiler.coordinates = TX_COORDINATES_MAXIMAL;
        if (at.options && at.options->reduced) builder->compiler.coordinates = TX_COORDINATES_REDUCED;
        model = tx_builder_compile(builder, &found);
        append(diag, &found, outcome.faulty);
        tx_diag_free(&found);
        if (!model && diag->errors == errors) {
            tx_diag_add(diag, TX_SEVERITY_ERROR, root->file, 0, 0, "", "the model cannot be compiled");
        }
    }
    tx_builder_destroy(builder);
    return model;
}

static tx_model *load_xml(const char *text, size_t length, const char *name, places at, tx_diag *diag) {
    tx_diag own = {0}, *d = diag ? diag : &own;
    int errors = d->errors, start = d->count;
    tx_stash stash = {.limit = TX_XML_MEMORY_MAX};
    tx_xml_element *root = tx_xml_parse(&stash, text, length, name, 1, d);
    tx_model *model = root ? build(&stash, root, at, d) : NULL;
    tx_stash_free(&stash);
    sort_messages(d, start, name);
    tx_diag_forget_inclusions(d);
    if (d->errors > errors) {
        tx_model_destroy(model);
        model = NULL;
    }
    tx_diag_free(&own);
    return model;
}

// ---- what a file is ----------------------------------------------------------------------------------------------

// what is wrong with a compiled model is said about its file
static tx_model *load_compiled(const char *bytes, size_t length, const char *path, tx_diag *diag) {
    tx_diag found = {0};
    tx_model *model = tx_model_from_bytes(bytes, length, &found);
    for (int i = 0; i < found.count; i++) {
        const tx_message *f = &found.messages[i];
        bool named = f->file && f->file[0];
        tx_diag_add(diag, f->severity, named ? f->file : path, f->line, f->column, f->hint, "%s", f->text);
    }
    count_lost(diag, &found);
    tx_diag_free(&found);
    return model;
}

tx_load_options tx_default_load_options(void) { return (tx_load_options){0}; }

tx_model *tx_load_file(const char *path, tx_diag *diag) { return tx_load_file_with(path, NULL, diag); }

// the model of an archive: MuJoCo's names for it, in its order
static tx_model *load_archive(const char *path, const tx_load_options *options, tx_diag *diag) {
    enum { PLACES = 4 };
    const char *slash = strrchr(path, '/'), *stem = slash ? slash + 1 : path, *dot = strrchr(stem, '.');
    const int length = (int)(dot ? (size_t)(dot - stem) : strlen(stem));
    const size_t room = strlen(path) + 2 * (size_t)length + 16;
    char *inside = tx_alloc(room);
    for (size_t i = 0; inside && i < PLACES; i++) {
        size_t size = 0;
        const char *why = NULL;
        if (i == 0) snprintf(inside, room, "%s/model.xml", path);
        else if (i == 1) snprintf(inside, room, "%s/%.*s.xml", path, length, stem);
        else if (i == 2) snprintf(inside, room, "%s/%.*s/%.*s.xml", path, length, stem, length, stem);
        else snprintf(inside, room, "%s/%.*s/model.xml", path, length, stem);
        char *bytes = tx_archive_read_path(inside, TX_XML_FILE_MAX, &size, &why);
        if (!bytes) continue;
        tx_free(bytes);
        tx_model *model = tx_load_file_with(inside, options, diag);
        tx_free(inside);
        return model;
    }
    tx_diag_add(diag, TX_SEVERITY_ERROR, path, 0, 0, "model.xml, or NAME.xml in NAME.mjz", "the archive has no model");
    tx_free(inside);
    return NULL;
}

tx_model *tx_load_file_with(const char *path, const tx_load_options *options, tx_diag *diag) {
    if (path && tx_archive_is(path)) return load_archive(path, options, diag);
    size_t length = 0;
    const char *why = "no file is named";
    char *bytes = path ? tx_read_file(path, TX_XML_FILE_MAX, &length, &why) : NULL;
    if (!bytes) {
        tx_diag_add(diag, TX_SEVERITY_ERROR, path ? path : "", 0, 0, "", "%s", why);
        return NULL;
    }
    const char *slash = strrchr(path, '/');
    char *folder = tx_copy_text(path);
    tx_model *model = NULL;
    if (!folder) {
        tx_diag_add(diag, TX_SEVERITY_ERROR, path, 0, 0, "", "out of memory");
    } else if (tx_model_recognised(bytes, length)) {
        // everything else is taken for XML, which says best what is wrong
        model = load_compiled(bytes, length, path, diag);
    } else {
        folder[slash ? slash + 1 - path : 0] = 0;
        model = load_xml(bytes, length, path, (places){folder, options}, diag);
    }
    tx_free(folder);
    tx_free(bytes);
    return model;
}

tx_model *tx_load_string(const char *text, size_t length, const char *name, tx_diag *diag) {
    if (!text) {
        tx_diag_add(diag, TX_SEVERITY_ERROR, name ? name : "", 0, 0, "", "there is no text");
        return NULL;
    }
    return load_xml(text, length, name ? name : "", (places){0}, diag);
}
