// mjcf_attach.c - <attach>: a part of another model in the place of the element (MuJoCo's rules). All names of that
// model get a prefix; its defaults and assets come along, and of its tendons, actuators, sensors ... those that refer
// to nothing else. It keeps its own settings of <compiler>; docs/attach.md has the rules.
//
// The copy of the model stays in the tree inside of the <attach>, which the reader of bodies takes for a frame. Its
// sections stand behind those of the tree; the part of an element says which model it comes from.
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "load/file.h"
#include "load/mjcf_tree.h"

// files that may be read for <model>: each may name others twice, so that few files can mean many
#define MOST_MODELS 1000

// ---- models --------------------------------------------------------------------------------------------------------

static void set_part(tx_xml_element *element, tx_mjcf_part *part) {
    element->part = part;
    for (tx_xml_element *child = element->first; child; child = child->next) set_part(child, part);
}

static bool is_open(const tx_tree *tree, const char *path) {
    for (; tree; tree = tree->user)
        if (strcmp(tree->path, path) == 0) return true;
    return false;
}

// the root of a model's file, or null with a message
static tx_xml_element *read_model(tx_tree *user, const tx_xml_element *at, const char *file, tx_tree *model) {
    tx_tree_load *load = user->load;
    const char *why = "out of memory";
    size_t length = 0;
    char *text = tx_read_file(model->path, TX_XML_FILE_MAX, &length, &why);
    if (!text) {
        tx_tree_report(user, at, why, "cannot read the model '%.200s'", file);
        return NULL;
    }
    tx_diag_included(load->diag, model->path, at->file, at->line, at->column);
    tx_xml_element *root = tx_xml_parse(load->stash, text, length, model->path, 1, load->diag);
    tx_free(text);
    if (root && strcmp(root->name, "mujoco") != 0) {
        tx_tree_report(user, root, "an MJCF file starts with <mujoco>", "<%.60s> cannot be attached", root->name);
        return NULL;
    }
    if (!root) user->reported = true;
    return root;
}

// a model with all that it is made of; the list of its user gets it even when it is broken, so that <attach> does not
// complain again
static void load_model(tx_tree *user, const tx_xml_element *at) {
    const tx_xml_attribute *file = tx_xml_find(at, "file"), *name = tx_xml_find(at, "name");
    if (!file) return; // the reader says so
    if (!user->folder) {
        tx_tree_report(user, at, "load the model from a file", "<model> works only in a file%s", "");
        return;
    }
    tx_stash *stash = user->load->stash;
    tx_tree *model = tx_stash_take(stash, sizeof *model);
    char *path = file->value[0] == '/' ? tx_stash_text(stash, file->value, strlen(file->value))
                                       : tx_stash_join(stash, user->folder, file->value);
    tx_mjcf_part *part = tx_stash_take(stash, sizeof *part);
    const char *slash = path ? strrchr(path, '/') : NULL;
    const char *folder = path ? tx_stash_text(stash, path, slash ? (size_t)(slash + 1 - path) : 0) : NULL;
    if (!model || !part || !folder) {
        tx_tree_report(user, at, "", "out of memory%s", "");
        return;
    }
    *model = (tx_tree){.load = user->load, .folder = folder, .name = "", .path = path, .user = user, .broken = true};
    if (name) model->name = name->value;
    model->next = user->models;
    user->models = model;
    if (is_open(user, path)) {
        tx_tree_report(user, at, "a model cannot be a part of itself", "'%.200s' is attached to itself", file->value);
        return;
    }
    if (++user->load->models > MOST_MODELS) {
        tx_tree_report(user, at, "at most 1000 are read, each as often as it is named", "there are too many models%s",
                       "");
        return;
    }
    model->root = read_model(user, at, file->value, model);
    if (!model->root) return;
    const tx_xml_attribute *own_name = tx_xml_find(model->root, "model");
    if (!name) model->name = own_name ? own_name->value : "MuJoCo Model";
    *part = (tx_mjcf_part){.prefix = "", .folder = folder, .file = path};
    model->parts = model->own = part;
    model->broken = false;
    tx_tree_expand(model);
    if (model->broken) user->reported = true;
}

void tx_tree_load_models(tx_tree *tree) {
    if (tree->own) set_part(tree->root, tree->own);
    for (tx_xml_element *section = tree->root->first; section; section = section->next) {
        if (strcmp(section->name, "asset") != 0) continue;
        for (tx_xml_element *asset = section->first; asset; asset = asset->next)
            if (strcmp(asset->name, "model") == 0) load_model(tree, asset);
    }
}

// ---- keyframes -----------------------------------------------------------------------------------------------------

// room for those who have numbers in keyframes: counted first, then filled
static void add_holder(const tx_tree *tree, tx_mjcf_holders *all, tx_xml_element *element) {
    if (all->items) all->items[all->count] = (tx_mjcf_holder){element, NULL, element->part == tree->own};
    all->count++;
}

static bool is_body(const tx_xml_element *element) { return strcmp(element->name, "body") == 0; }

static void add_joints(const tx_tree *tree, tx_mjcf_holders *all, tx_xml_element *parent) {
    for (tx_xml_element *e = parent->first; e; e = e->next) {
        if (strcmp(e->name, "joint") == 0 || strcmp(e->name, "freejoint") == 0) add_holder(tree, all, e);
        else if (!is_body(e)) add_joints(tree, all, e);
    }
}

// in the order of the model: a body's own joints before those of the bodies in it
static void add_bodies(const tx_tree *tree, tx_mjcf_holders *all, tx_xml_element *parent) {
    for (tx_xml_element *e = parent->first; e; e = e->next) {
        const tx_xml_attribute *mocap = tx_xml_find(e, "mocap");
        if (is_body(e) && mocap && strcmp(mocap->value, "true") == 0) add_holder(tree, all, e);
        if (is_body(e)) add_joints(tree, all, e);
        add_bodies(tree, all, e);
    }
}

static void add_all(const tx_tree *tree, tx_mjcf_holders *all) {
    all->count = 0;
    for (tx_xml_element *section = tree->root->first; section; section = section->next) {
        if (strcmp(section->name, "worldbody") == 0) add_bodies(tree, all, section);
        if (strcmp(section->name, "actuator") != 0) continue;
        for (tx_xml_element *e = section->first; e; e = e->next) add_holder(tree, all, e);
    }
}

void tx_tree_mark_keys(tx_tree *tree) {
    if (!tree->joins && !tree->own) return;
    tx_mjcf_holders *all = tx_stash_take(tree->load->stash, sizeof *all);
    if (all) add_all(tree, all);
    if (all) all->items = tx_stash_take(tree->load->stash, sizeof *all->items * ((size_t)all->count + 1));
    if (!all || !all->items) {
        tx_tree_report(tree, tree->root, "", "out of memory%s", "");
        return;
    }
    add_all(tree, all);
    for (tx_xml_element *section = tree->root->first; section; section = section->next) {
        if (strcmp(section->name, "keyframe") != 0) continue;
        for (tx_xml_element *key = section->first; key; key = key->next)
            if (!key->extra) key->extra = all;
    }
}

// whose numbers a keyframe has after its model was attached; null: no memory
static tx_mjcf_holders *move_holders(const tx_copier *c, const tx_mjcf_holders *from) {
    tx_stash *stash = c->load->stash;
    tx_mjcf_holders *to = tx_stash_take(stash, sizeof *to);
    tx_mjcf_holder *items = tx_stash_take(stash, sizeof *items * ((size_t)from->count + 1));
    if (!to || !items) return NULL;
    *to = (tx_mjcf_holders){items, from->count};
    for (int i = 0; i < from->count; i++) {
        items[i] = from->items[i];
        if (items[i].left_out) items[i].left_out = tx_stash_join(stash, c->before, items[i].left_out);
        else if (items[i].element->twin) items[i].element = items[i].element->twin;
        else items[i].left_out = c->before;
    }
    return to;
}

// ---- what comes along ----------------------------------------------------------------------------------------------

typedef enum policy { ALL, NOTHING, REFERRING, KEYS } policy;

// sections that are in none of these lists come as they are
static policy policy_of(const char *section) {
    static const struct {
        const char *name;
        policy policy;
    } sections[] = {{"worldbody", NOTHING},  {"option", NOTHING},   {"size", NOTHING},      {"statistic", NOTHING},
                    {"visual", NOTHING},     {"tendon", REFERRING}, {"contact", REFERRING}, {"equality", REFERRING},
                    {"actuator", REFERRING}, {"sensor", REFERRING}, {"keyframe", KEYS}};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (strcmp(sections[i].name, section) == 0) return sections[i].policy;
    return ALL;
}

// The world has no prefix. MuJoCo finds it only for <exclude> and as a reference frame.
static bool finds_world(const tx_copier *c, const tx_xml_element *element, const tx_xml_attribute *attribute) {
    return !c->before[0] || strcmp(element->name, "exclude") == 0 || strcmp(attribute->name, "refname") == 0;
}

// how many names an element and those in it refer to that do not come along, the world and others
static void count_missing(const tx_copier *c, const tx_xml_element *element, int *world, int *others) {
    for (int i = 0; i < element->attribute_count; i++) {
        const tx_xml_attribute *a = &element->attributes[i];
        tx_tree_kind kind = tx_tree_reference(element, a);
        if (kind == TX_TREE_NONE || !a->value[0] || tx_copier_has(c, element, a)) continue;
        if (kind != TX_TREE_BODY || strcmp(a->value, "world") != 0) ++*others;
        else if (!finds_world(c, element, a)) ++*world;
    }
    for (const tx_xml_element *child = element->first; child; child = child->next)
        count_missing(c, child, world, others);
}

static bool comes_along(const tx_copier *c, const tx_xml_element *element) {
    int world = 0, others = 0;
    count_missing(c, element, &world, &others);
    if (world && !others && !c->repeated)
        tx_diag_add(c->load->diag, TX_SEVERITY_WARNING, element->file, element->line, element->column,
                    "MuJoCo does the same; leave the world out where that means the same, or use a body of the model",
                    "<%s> is left out: in an attached model it cannot refer to the world", element->name);
    return !world && !others;
}

// tendons and actuators that come along can be referred to
static bool add_names(tx_copier *c, const tx_tree *model, const char *name, tx_tree_kind kind) {
    for (const tx_xml_element *section = model->root->first; section; section = section->next) {
        if (strcmp(section->name, name) != 0) continue;
        for (const tx_xml_element *e = section->first; e; e = e->next) {
            int world = 0, others = 0;
            count_missing(c, e, &world, &others);
            if (!world && !others && !tx_copier_add(c, kind, e)) return false;
        }
    }
    return true;
}

static bool copy_section(const tx_copier *c, tx_xml_element *section, tx_tree *tree) {
    policy what = policy_of(section->name);
    if (what == NOTHING) return true;
    if (what == ALL) return tx_tree_copy(c, section, tree->root) != NULL;
    tx_xml_element *to = tx_tree_copy_alone(c, section, tree->root);
    for (tx_xml_element *e = section->first; to && e; e = e->next) {
        if (what == REFERRING && !comes_along(c, e)) continue;
        tx_xml_element *copy = tx_tree_copy(c, e, to);
        if (!copy) return false;
        if (what == KEYS) copy->extra = move_holders(c, e->extra);
        if (what == KEYS && !copy->extra) return false;
    }
    return to != NULL;
}

// ---- one <attach> --------------------------------------------------------------------------------------------------

static tx_xml_element *find_named(tx_xml_element *parent, const char *kind, const char *name) {
    for (tx_xml_element *e = parent->first; e; e = e->next) {
        const tx_xml_attribute *own = tx_xml_find(e, "name");
        if (own && strcmp(e->name, kind) == 0 && strcmp(own->value, name) == 0) return e;
        tx_xml_element *below = find_named(e, kind, name);
        if (below) return below;
    }
    return NULL;
}

static tx_tree *find_model(tx_tree *tree, const char *name) {
    tx_tree *found = NULL;
    for (tx_tree *model = tree->models; model; model = model->next)
        if (strcmp(model->name, name) == 0) found = model; // the first of the file
    return found;
}

static void forget_twins(tx_xml_element *element) {
    element->twin = NULL;
    for (tx_xml_element *child = element->first; child; child = child->next) forget_twins(child);
}

// parts of their own for all that the model is made of
static bool add_parts(tx_tree *tree, const tx_tree *model, const char *prefix) {
    for (tx_mjcf_part *part = model->parts; part; part = part->next) {
        tx_mjcf_part *instance = tx_stash_take(tree->load->stash, sizeof *instance);
        if (!instance) return false;
        *instance = (tx_mjcf_part){.folder = part->folder, .file = part->file};
        instance->prefix = tx_stash_join(tree->load->stash, prefix, part->prefix);
        if (!instance->prefix) return false;
        part->instance = instance;
        tx_mjcf_part **last = &tree->parts;
        while (*last) last = &(*last)->next;
        *last = instance;
    }
    return true;
}

// a frame in which the copies have the defaults that they had in the model
static tx_xml_element *add_frame(const tx_copier *c, tx_tree *model, tx_xml_element *top, tx_xml_element *attach) {
    const tx_xml_attribute *childclass = NULL;
    for (const tx_xml_element *e = top->parent; e && !childclass; e = e->parent)
        childclass = tx_xml_find(e, "childclass");
    tx_xml_element *frame = tx_stash_take(c->load->stash, sizeof *frame);
    tx_xml_attribute *attribute = tx_stash_take(c->load->stash, sizeof *attribute);
    char *name = tx_stash_join(c->load->stash, c->before, childclass ? childclass->value : "main");
    if (!frame || !attribute || !name) return NULL;
    *attribute = (tx_xml_attribute){"childclass", name, attach->line, attach->column};
    *frame = (tx_xml_element){.name = "frame", .file = attach->file, .line = attach->line, .column = attach->column};
    frame->depth = attach->depth + 1;
    frame->repeated = attach->repeated;
    frame->attributes = attribute;
    frame->attribute_count = 1;
    frame->part = model->own->instance;
    tx_tree_append(attach, frame);
    return frame;
}

// the bodies below `top` into the <attach>, or `top` itself, and what belongs to them into the tree
static bool copy_model(tx_tree *tree, tx_tree *model, tx_xml_element *top, const char *prefix, tx_xml_element *attach) {
    tx_copier c = {.load = tree->load, .before = prefix, .after = "", .assets = true};
    c.repeated = attach->repeated || model->attached > 0;
    bool whole = strcmp(top->name, "worldbody") == 0;
    forget_twins(model->root);
    if (!add_parts(tree, model, prefix)) return false;
    for (tx_xml_element *section = model->root->first; section; section = section->next) {
        bool chosen = whole && strcmp(section->name, "worldbody") == 0;
        if (chosen && !tx_copier_add_below(&c, section)) return false;
    }
    if (!whole && (!tx_copier_add_below(&c, top) || !tx_copier_add(&c, TX_TREE_BODY, top))) return false;
    if (!add_names(&c, model, "tendon", TX_TREE_TENDON) || !add_names(&c, model, "actuator", TX_TREE_ACTUATOR))
        return false;

    tx_xml_element *frame = add_frame(&c, model, top, attach);
    if (!frame || (!whole && !tx_tree_copy(&c, top, frame))) return false;
    for (tx_xml_element *section = model->root->first; section; section = section->next) {
        bool chosen = whole && strcmp(section->name, "worldbody") == 0;
        for (tx_xml_element *e = chosen ? section->first : NULL; e; e = e->next)
            if (!tx_tree_copy(&c, e, frame)) return false;
    }
    // keyframes last: whose numbers they have is known by copies
    for (int keys = 0; keys < 2; keys++)
        for (tx_xml_element *section = model->root->first; section; section = section->next)
            if ((policy_of(section->name) == KEYS) == keys && !copy_section(&c, section, tree)) return false;
    return true;
}

// what an <attach> names: a body, a frame or the whole world; null with a message
static tx_xml_element *find_top(tx_tree *tree, const tx_tree *model, const tx_xml_element *attach) {
    const tx_xml_attribute *body = tx_xml_find(attach, "body"), *frame = tx_xml_find(attach, "frame");
    if (body && frame) {
        tx_tree_report(tree, attach, "keep one of them", "<attach> has both 'body' and 'frame'%s", "");
        return NULL;
    }
    const tx_xml_attribute *wanted = body ? body : frame;
    for (tx_xml_element *section = model->root->first; section; section = section->next) {
        if (strcmp(section->name, "worldbody") != 0) continue;
        tx_xml_element *found = wanted ? find_named(section, wanted->name, wanted->value) : section;
        if (found) return found;
    }
    bool world = body && strcmp(body->value, "world") == 0;
    if (!wanted) tx_tree_report(tree, attach, "", "the model '%.200s' has no bodies", model->path);
    else
        tx_tree_report(tree, attach, world ? "leave 'body' out to attach all of a model" : model->path,
                       frame ? "there is no frame '%.60s' in the model" : "there is no body '%.60s' in the model",
                       wanted->value);
    return NULL;
}

void tx_tree_attach(tx_tree *tree, tx_xml_element *attach) {
    const tx_xml_attribute *name = tx_xml_find(attach, "model"), *prefix = tx_xml_find(attach, "prefix");
    if (attach->first) {
        tx_tree_report(tree, attach->first, "put it beside", "<attach> is empty, <%.60s> cannot stand in it",
                       attach->first->name);
        attach->first = attach->last = NULL;
        return;
    }
    if (!prefix) return; // the reader says so
    if (!name) {
        tx_tree_report(tree, attach, "use <replicate>, or name a model of <asset>",
                       "<attach> of a part of the same model is not supported yet%s", "");
        return;
    }
    tx_tree *model = find_model(tree, name->value);
    if (!model) {
        tx_tree_report(tree, attach, "name it in <asset>: <model name=... file=.../>", "there is no model '%.60s'",
                       name->value);
        return;
    }
    tx_xml_element *top = model->broken ? NULL : find_top(tree, model, attach);
    if (!top) return;
    tree->joins = true;
    tx_tree_merge_options(tree, model);
    if (!copy_model(tree, model, top, prefix->value, attach))
        tx_tree_report(tree, attach, "make it smaller", "<attach>: %s",
                       tree->load->stash->out_of_memory ? "out of memory" : "it makes too many elements");
    model->attached++;
}
