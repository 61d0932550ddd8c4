// mjcf_tree.c - copies of parts of a document with other names, and the walk that replaces <replicate> and <attach>.
#include "load/mjcf_tree.h"

#include <string.h>

#include "base/diag.h"

// elements that all copies of a file may have together
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
#define MOST_ELEMENTS 20000 // a million take ten seconds there, and one and a half else
#else
#define MOST_ELEMENTS 1000000
#endif

void tx_tree_report(tx_tree *tree, const tx_xml_element *at, const char *hint, const char *text, const char *name) {
    if (!at->repeated)
        tx_diag_add(tree->load->diag, TX_SEVERITY_ERROR, at->file, at->line, at->column, hint, text, name);
    tree->reported = true;
}

// ---- what refers to what -------------------------------------------------------------------------------------------

typedef struct word_kind {
    const char *word;
    tx_tree_kind kind;
} word_kind;

#define BODY     TX_TREE_BODY
#define JOINT    TX_TREE_JOINT
#define GEOM     TX_TREE_GEOM
#define SITE     TX_TREE_SITE
#define CAMERA   TX_TREE_CAMERA
#define TENDON   TX_TREE_TENDON
#define ACTUATOR TX_TREE_ACTUATOR
static const word_kind elements[] = {
    {"body", BODY}, {"joint", JOINT}, {"freejoint", JOINT}, {"geom", GEOM}, {"site", SITE}, {"camera", CAMERA}, {0}};
static const word_kind attributes[] = {
    {"body", BODY},         {"body1", BODY},
    {"body2", BODY},        {"target", BODY},
    {"subtree1", BODY},     {"subtree2", BODY},
    {"tendon", TENDON},     {"tendon1", TENDON},
    {"joint", JOINT},       {"jointinparent", JOINT},
    {"joint1", JOINT},      {"joint2", JOINT},
    {"geom", GEOM},         {"geom1", GEOM},
    {"geom2", GEOM},        {"site", SITE},
    {"site1", SITE},        {"site2", SITE},
    {"refsite", SITE},      {"cranksite", SITE},
    {"slidersite", SITE},   {"sidesite", SITE},
    {"camera", CAMERA},     {"tendon2", TENDON},
    {"actuator", ACTUATOR}, {0},
};
// values of objtype and reftype
static const word_kind objects[] = {{"body", BODY},     {"xbody", BODY},        {"joint", JOINT},
                                    {"geom", GEOM},     {"site", SITE},         {"camera", CAMERA},
                                    {"tendon", TENDON}, {"actuator", ACTUATOR}, {0}};

static tx_tree_kind kind_of(const word_kind *list, const char *word) {
    for (; list->word; list++)
        if (strcmp(list->word, word) == 0) return list->kind;
    return TX_TREE_NONE;
}

tx_tree_kind tx_tree_reference(const tx_xml_element *element, const tx_xml_attribute *attribute) {
    bool object = strcmp(attribute->name, "objname") == 0;
    if (!object && strcmp(attribute->name, "refname") != 0) return kind_of(attributes, attribute->name);
    const tx_xml_attribute *type = tx_xml_find(element, object ? "objtype" : "reftype");
    return type ? kind_of(objects, type->value) : TX_TREE_NONE;
}

bool tx_copier_has(const tx_copier *c, const tx_xml_element *element, const tx_xml_attribute *attribute) {
    tx_tree_kind kind = tx_tree_reference(element, attribute);
    return kind != TX_TREE_NONE && tx_names_find(&c->names[kind], attribute->value);
}

bool tx_copier_add(tx_copier *c, tx_tree_kind kind, const tx_xml_element *element) {
    const tx_xml_attribute *name = tx_xml_find(element, "name");
    if (kind == TX_TREE_NONE || !name || !name->value[0]) return true;
    return tx_names_add(&c->names[kind], c->load->stash, name->value, (void *)element);
}

bool tx_copier_add_below(tx_copier *c, const tx_xml_element *parent) {
    bool good = true;
    for (const tx_xml_element *child = parent->first; child && good; child = child->next)
        good = tx_copier_add(c, kind_of(elements, child->name), child) && tx_copier_add_below(c, child);
    return good;
}

// ---- copies --------------------------------------------------------------------------------------------------------

static bool is_asset(const char *attribute) {
    static const char *const words[] = {"class", "childclass", "mesh", "hfield", "material", "texture"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(attribute, words[i]) == 0) return true;
    return false;
}

static bool changes(const tx_copier *c, const tx_xml_element *element, const tx_xml_attribute *attribute) {
    if (!attribute->value[0]) return false;
    if (strcmp(attribute->name, "name") == 0) return true;
    return (c->assets && is_asset(attribute->name)) || tx_copier_has(c, element, attribute);
}

// attributes of a copy: shared where no name changes
static bool copy_attributes(const tx_copier *c, const tx_xml_element *from, tx_xml_element *to) {
    tx_stash *stash = c->load->stash;
    bool any = false;
    for (int i = 0; i < from->attribute_count; i++) any |= changes(c, from, &from->attributes[i]);
    if (!any) return true;
    to->attributes = tx_stash_take(stash, sizeof *to->attributes * (size_t)from->attribute_count);
    for (int i = 0; to->attributes && i < from->attribute_count; i++) {
        tx_xml_attribute *a = &to->attributes[i];
        *a = from->attributes[i];
        if (!changes(c, from, a)) continue;
        const char *front = tx_stash_join(stash, c->before, a->value);
        a->value = front ? tx_stash_join(stash, front, c->after) : NULL;
        if (!a->value) return false;
    }
    return to->attributes != NULL;
}

void tx_tree_append(tx_xml_element *parent, tx_xml_element *child) {
    child->parent = parent;
    *(parent->last ? &parent->last->next : &parent->first) = child;
    parent->last = child;
}

tx_xml_element *tx_tree_copy_alone(const tx_copier *c, tx_xml_element *from, tx_xml_element *parent) {
    if (c->load->made >= MOST_ELEMENTS || parent->depth >= TX_XML_DEPTH_MAX) return NULL;
    tx_xml_element *to = tx_stash_take(c->load->stash, sizeof *to);
    if (!to) return NULL;
    c->load->made++;
    *to = *from;
    to->first = to->last = to->next = NULL;
    to->depth = parent->depth + 1;
    to->twin = NULL;
    to->repeated = from->repeated || c->repeated;
    if (c->repeated) to->text_line = 0;
    if (c->assets) to->part = from->part->instance;
    if (c->assets || !c->repeated) from->twin = to;
    if (!copy_attributes(c, from, to)) return NULL;
    tx_tree_append(parent, to);
    return to;
}

tx_xml_element *tx_tree_copy(const tx_copier *c, tx_xml_element *from, tx_xml_element *parent) {
    tx_xml_element *to = tx_tree_copy_alone(c, from, parent);
    for (tx_xml_element *child = from->first; child && to; child = child->next)
        if (!tx_tree_copy(c, child, to)) return NULL;
    return to;
}

// ---- the whole document --------------------------------------------------------------------------------------------

// walks over the children, the innermost first
static void walk(tx_tree *tree, tx_xml_element *parent) {
    tx_xml_element *next = parent->first;
    parent->first = parent->last = NULL;
    for (tx_xml_element *child = next; child; child = next) {
        next = child->next;
        child->next = NULL;
        child->parent = parent; // what is around it counts for the depth of copies
        walk(tree, child);
        if (strcmp(child->name, "attach") == 0) tx_tree_attach(tree, child);
        tx_xml_element *row = strcmp(child->name, "replicate") == 0 ? tx_tree_replicate(tree, child) : child;
        while (row) {
            tx_xml_element *following = row->next;
            row->next = NULL;
            tx_tree_append(parent, row);
            row = following;
        }
    }
}

void tx_tree_expand(tx_tree *tree) {
    if (!tx_mjcf_include(tree->load->stash, tree->root, tree->folder, tree->load->diag)) tree->broken = true;
    if (tree->broken) return;
    tx_tree_load_models(tree);
    for (tx_xml_element *section = tree->root->first; section; section = section->next)
        if (strcmp(section->name, "worldbody") == 0) walk(tree, section);
    tx_tree_mark_keys(tree);
    tree->broken = tree->reported;
}

bool tx_mjcf_expand(tx_stash *stash, tx_xml_element *root, const char *folder, tx_mjcf_part **parts, tx_diag *diag) {
    tx_tree_load load = {.stash = stash, .diag = diag};
    tx_tree tree = {.load = &load, .root = root, .folder = folder, .name = "", .path = root->file};
    if (strcmp(root->name, "mujoco") == 0) tx_tree_expand(&tree);
    *parts = tree.parts;
    return !tree.broken;
}
