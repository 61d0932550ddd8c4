// mjcf_replicate.c - <replicate>: copies of a part of the tree, each in its place and with its own names, and copies of
// the tendons, actuators, sensors ... that refer to it (MuJoCo's rules).
//
// Copy k of a <replicate> stays in the tree as a <replicate> with the number k; the reader of bodies takes it for a
// frame. The innermost are copied first, so that names get the suffixes from the inside to the outside.
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "load/mjcf.h"
#include "load/text.h"

// elements that all copies of a file may have together
#define MOST_ELEMENTS 1000000

typedef enum kind { BODY, JOINT, GEOM, SITE, CAMERA, TENDON, ACTUATOR, KINDS, NO_KIND = KINDS } kind;

typedef struct replicator {
    tx_stash *stash;
    tx_diag *diag;
    tx_xml_element *root;
    tx_names names[KINDS]; // of the part that is being copied
    int made;              // elements of all copies so far
    bool failed;
} replicator;

static void report(replicator *r, const tx_xml_element *at, const char *hint, const char *text, const char *name) {
    if (!at->repeated) tx_diag_add(r->diag, TX_ERROR, at->file, at->line, at->column, hint, text, name);
    r->failed = true;
}

// ---- what refers to what -------------------------------------------------------------------------------------------

typedef struct word_kind {
    const char *word;
    kind kind;
} word_kind;

static const word_kind elements[] = {
    {"body", BODY}, {"joint", JOINT}, {"freejoint", JOINT}, {"geom", GEOM}, {"site", SITE}, {"camera", CAMERA}, {0}};
static const word_kind attributes[] = {
    {"body", BODY},       {"body1", BODY},          {"body2", BODY},        {"target", BODY},
    {"joint", JOINT},     {"jointinparent", JOINT}, {"joint1", JOINT},      {"joint2", JOINT},
    {"geom", GEOM},       {"geom1", GEOM},          {"geom2", GEOM},        {"site", SITE},
    {"site1", SITE},      {"site2", SITE},          {"refsite", SITE},      {"cranksite", SITE},
    {"slidersite", SITE}, {"sidesite", SITE},       {"camera", CAMERA},     {"tendon", TENDON},
    {"tendon1", TENDON},  {"tendon2", TENDON},      {"actuator", ACTUATOR}, {0},
};
// values of objtype and reftype
static const word_kind objects[] = {{"body", BODY},     {"xbody", BODY},        {"joint", JOINT},
                                    {"geom", GEOM},     {"site", SITE},         {"camera", CAMERA},
                                    {"tendon", TENDON}, {"actuator", ACTUATOR}, {0}};

static kind kind_of(const word_kind *list, const char *word) {
    for (; list->word; list++)
        if (strcmp(list->word, word) == 0) return list->kind;
    return NO_KIND;
}

// what an attribute names: NO_KIND where it is no reference
static kind reference_kind(const tx_xml_element *element, const tx_xml_attribute *attribute) {
    bool object = strcmp(attribute->name, "objname") == 0;
    if (!object && strcmp(attribute->name, "refname") != 0) return kind_of(attributes, attribute->name);
    const tx_xml_attribute *type = tx_xml_find(element, object ? "objtype" : "reftype");
    return type ? kind_of(objects, type->value) : NO_KIND;
}

static bool is_copied(const replicator *r, const tx_xml_element *element, const tx_xml_attribute *attribute) {
    kind k = reference_kind(element, attribute);
    return k != NO_KIND && tx_names_find(&r->names[k], attribute->value);
}

// how many names an element and its children refer to, and how many of those are being copied
static void count_references(const replicator *r, const tx_xml_element *element, int *all, int *copied) {
    for (int i = 0; i < element->attribute_count; i++) {
        *all += reference_kind(element, &element->attributes[i]) != NO_KIND;
        *copied += is_copied(r, element, &element->attributes[i]);
    }
    for (const tx_xml_element *child = element->first; child; child = child->next)
        count_references(r, child, all, copied);
}

static void add_name(replicator *r, kind k, const tx_xml_element *element) {
    const tx_xml_attribute *name = tx_xml_find(element, "name");
    if (k == NO_KIND || !name || !name->value[0]) return;
    if (!tx_names_add(&r->names[k], r->stash, name->value, (void *)element))
        report(r, element, "", "out of memory%s", "");
}

static void collect_names(replicator *r, const tx_xml_element *parent) {
    for (const tx_xml_element *child = parent->first; child; child = child->next) {
        add_name(r, kind_of(elements, child->name), child);
        collect_names(r, child);
    }
}

// ---- copies --------------------------------------------------------------------------------------------------------

static bool has_suffix(const replicator *r, const tx_xml_element *element, const tx_xml_attribute *attribute) {
    if (strcmp(attribute->name, "name") == 0) return attribute->value[0] != 0;
    return is_copied(r, element, attribute);
}

// attributes of a copy: shared where no name changes
static bool copy_attributes(replicator *r, const tx_xml_element *from, const char *suffix, tx_xml_element *to) {
    bool changes = false;
    for (int i = 0; i < from->attribute_count; i++) changes |= has_suffix(r, from, &from->attributes[i]);
    if (!changes) return true;
    to->attributes = tx_stash_take(r->stash, sizeof *to->attributes * (size_t)from->attribute_count);
    for (int i = 0; to->attributes && i < from->attribute_count; i++) {
        tx_xml_attribute *a = &to->attributes[i];
        *a = from->attributes[i];
        if (!has_suffix(r, from, &from->attributes[i])) continue;
        size_t length = strlen(a->value), more = strlen(suffix);
        char *text = tx_stash_take(r->stash, length + more + 1);
        if (!text) return false;
        memcpy(text, a->value, length);
        memcpy(text + length, suffix, more);
        a->value = text;
    }
    return to->attributes != NULL;
}

// a copy of an element with all below it, or null; repeated: not the first copy, so that it need not be complained
// about again
static tx_xml_element *copy(replicator *r, const tx_xml_element *from, const char *suffix, bool repeated) {
    tx_xml_element *to = r->made < MOST_ELEMENTS ? tx_stash_take(r->stash, sizeof *to) : NULL;
    if (!to) return NULL;
    r->made++;
    *to = *from;
    to->first = to->last = to->next = NULL;
    to->repeated = from->repeated || repeated;
    if (repeated) to->text_line = 0;
    if (!copy_attributes(r, from, suffix, to)) return NULL;
    for (const tx_xml_element *child = from->first; child; child = child->next) {
        tx_xml_element *below = copy(r, child, suffix, repeated);
        if (!below) return NULL;
        below->parent = to;
        *(to->last ? &to->last->next : &to->first) = below;
        to->last = below;
    }
    return to;
}

static void append(tx_xml_element *parent, tx_xml_element *child) {
    child->parent = parent;
    *(parent->last ? &parent->last->next : &parent->first) = child;
    parent->last = child;
}

// ---- one <replicate> -----------------------------------------------------------------------------------------------

typedef struct plan {
    const tx_xml_element *element;
    int count, digits;
    const char *separator;
} plan;

static void write_suffix(const plan *p, int k, char *suffix, size_t size) {
    snprintf(suffix, size, "%s%0*d", p->separator, p->digits, k);
}

// takes the elements that refer to the copied part out of all sections of a name, and puts their copies behind the last
static void copy_section(replicator *r, const plan *p, const char *section, kind made) {
    tx_xml_element list = {0}, *last_section = NULL;
    bool joins = strcmp(section, "equality") == 0 || strcmp(section, "actuator") == 0;
    for (tx_xml_element *s = r->root->first; s; s = s->next) {
        if (strcmp(s->name, section) != 0) continue;
        last_section = s;
        tx_xml_element *next = s->first;
        s->first = s->last = NULL;
        for (tx_xml_element *e = next; e; e = next) {
            int all = 0, copied = 0;
            next = e->next;
            e->next = NULL;
            count_references(r, e, &all, &copied);
            if (copied && copied < all && joins)
                report(r, e, "name the copies that are meant, with their suffixes",
                       "<%s> joins something in <replicate> with something outside", e->name);
            append(copied ? &list : s, e);
            if (copied) add_name(r, made, e);
        }
    }
    for (int k = 0; list.first && k < p->count && !r->failed; k++) {
        char suffix[TX_MJCF_SUFFIX_MAX + 16];
        write_suffix(p, k, suffix, sizeof suffix);
        for (const tx_xml_element *e = list.first; e && !r->failed; e = e->next) {
            tx_xml_element *made_element = copy(r, e, suffix, k > 0);
            if (made_element) append(last_section, made_element);
            else report(r, p->element, "make it smaller", "<replicate>%s makes too many elements", "");
        }
    }
}

// reads count and sep; false: nothing can be copied
static bool make_plan(replicator *r, const tx_xml_element *element, plan *p) {
    const tx_xml_attribute *count = tx_xml_find(element, "count"), *separator = tx_xml_find(element, "sep");
    tx_number_problem problem;
    *p = (plan){.element = element, .separator = separator ? separator->value : ""};
    if (!count || tx_read_ints(count->value, &p->count, 1, &problem) != 1) {
        report(r, element, "<replicate count=\"3\" offset=\"1 0 0\">",
               "<replicate> needs attribute 'count', one whole number%s", "");
    } else if (p->count < 0) {
        report(r, element, "0 or more", "count of <replicate> is negative%s", "");
    } else if (p->count > MOST_ELEMENTS) {
        report(r, element, "at most 1000000 elements are made", "count '%.20s' of <replicate> is too large",
               count->value);
    } else if (strlen(p->separator) > TX_MJCF_SUFFIX_MAX) {
        report(r, element, "", "sep of <replicate> is too long%s", "");
    } else {
        for (int n = p->count; n > 0; n /= 10) p->digits++;
        return true;
    }
    return false;
}

// the copies of one <replicate> in a row, or null
static tx_xml_element *replicate(replicator *r, tx_xml_element *element) {
    // tendons make names for actuators and equalities, actuators for sensors
    static const struct {
        const char *name;
        kind made;
    } sections[] = {
        {"tendon", TENDON}, {"equality", NO_KIND}, {"actuator", ACTUATOR}, {"contact", NO_KIND}, {"sensor", NO_KIND}};
    tx_xml_element row = {0};
    plan p;
    if (!make_plan(r, element, &p)) return NULL;
    memset(r->names, 0, sizeof r->names);
    collect_names(r, element);
    for (int k = 0; k < p.count && !r->failed; k++) {
        char suffix[TX_MJCF_SUFFIX_MAX + 16];
        write_suffix(&p, k, suffix, sizeof suffix);
        tx_xml_element *made = copy(r, element, suffix, k > 0);
        if (made) {
            made->copy = k;
            append(&row, made);
        } else {
            report(r, element, "make it smaller", "<replicate>%s makes too many elements", "");
        }
    }
    for (int s = 0; p.count > 0 && s < 5; s++) copy_section(r, &p, sections[s].name, sections[s].made);
    return row.first;
}

// walks over the children, the innermost first
static void expand(replicator *r, tx_xml_element *parent) {
    tx_xml_element *next = parent->first;
    parent->first = parent->last = NULL;
    for (tx_xml_element *child = next; child; child = next) {
        next = child->next;
        child->next = NULL;
        expand(r, child);
        tx_xml_element *row = strcmp(child->name, "replicate") == 0 ? replicate(r, child) : child;
        while (row) {
            tx_xml_element *following = row->next;
            row->next = NULL;
            append(parent, row);
            row = following;
        }
    }
}

bool tx_mjcf_replicate(tx_stash *stash, tx_xml_element *root, tx_diag *diag) {
    replicator r = {.stash = stash, .diag = diag, .root = root};
    for (tx_xml_element *section = root->first; section; section = section->next)
        if (strcmp(section->name, "worldbody") == 0) expand(&r, section);
    return !r.failed;
}
