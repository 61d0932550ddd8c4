// mjcf_replicate.c - <replicate>: copies of a part of the tree, each in its place and with its own names, and copies of
// the tendons, actuators, sensors ... that refer to it (MuJoCo's rules); keyframes go to the first copy.
//
// Copy k of a <replicate> stays in the tree as a <replicate> with the number k; the reader of bodies takes it for a
// frame. The innermost are copied first, so that names get the suffixes from the inside to the outside.
#include <stdio.h>
#include <string.h>

#include "load/mjcf_tree.h"
#include "load/text.h"

#define MOST_COPIES 1000000

typedef struct plan {
    tx_tree *tree;
    tx_xml_element *element;
    int count, digits;
    const char *separator;
    tx_copier copier;
    char suffix[TX_MJCF_SUFFIX_MAX + 16];
} plan;

static void report(plan *p, const tx_xml_element *at, const char *hint, const char *text, const char *name) {
    tx_tree_report(p->tree, at, hint, text, name);
}

// how many names an element and its children refer to, and how many of those are being copied
static void count_references(const plan *p, const tx_xml_element *element, int *all, int *copied) {
    for (int i = 0; i < element->attribute_count; i++) {
        *all += tx_tree_reference(element, &element->attributes[i]) != TX_TREE_NONE;
        *copied += tx_copier_has(&p->copier, element, &element->attributes[i]);
    }
    for (const tx_xml_element *child = element->first; child; child = child->next)
        count_references(p, child, all, copied);
}

// copy k of an element at the end of a parent, or null with a message
static tx_xml_element *make_copy(plan *p, int k, tx_xml_element *from, tx_xml_element *parent) {
    snprintf(p->suffix, sizeof p->suffix, "%s%0*d", p->separator, p->digits, k);
    p->copier.repeated = k > 0;
    tx_xml_element *to = tx_tree_copy(&p->copier, from, parent);
    if (!to)
        report(p, p->element, "make it smaller", "<replicate>: %s",
               p->tree->load->stash->out_of_memory ? "out of memory" : "it makes too many elements");
    return to;
}

// takes the elements that refer to the copied part out of all sections of a name, and puts their copies behind the last
static void copy_section(plan *p, const char *section, tx_tree_kind made) {
    tx_xml_element list = {0}, *last_section = NULL;
    bool joins = strcmp(section, "equality") == 0 || strcmp(section, "actuator") == 0;
    for (tx_xml_element *s = p->tree->root->first; s; s = s->next) {
        if (strcmp(s->name, section) != 0) continue;
        last_section = s;
        tx_xml_element *next = s->first;
        s->first = s->last = NULL;
        for (tx_xml_element *e = next; e; e = next) {
            int all = 0, copied = 0;
            next = e->next;
            e->next = NULL;
            count_references(p, e, &all, &copied);
            if (copied && copied < all && joins)
                report(p, e, "name the copies that are meant, with their suffixes",
                       "<%s> joins something in <replicate> with something outside", e->name);
            tx_tree_append(copied ? &list : s, e);
            if (copied && !tx_copier_add(&p->copier, made, e)) report(p, e, "", "out of memory%s", "");
        }
    }
    for (int k = 0; list.first && k < p->count && !p->tree->reported; k++)
        for (tx_xml_element *e = list.first; e && !p->tree->reported; e = e->next) make_copy(p, k, e, last_section);
}

// reads count and sep; false: nothing can be copied
static bool make_plan(plan *p, const tx_xml_element *element) {
    const tx_xml_attribute *count = tx_xml_find(element, "count"), *separator = tx_xml_find(element, "sep");
    tx_number_problem problem;
    p->separator = separator ? separator->value : "";
    if (!count || tx_read_ints(count->value, &p->count, 1, &problem) != 1) {
        report(p, element, "<replicate count=\"3\" offset=\"1 0 0\">",
               "<replicate> needs attribute 'count', one whole number%s", "");
    } else if (p->count < 0) {
        report(p, element, "0 or more", "count of <replicate> is negative%s", "");
    } else if (p->count > MOST_COPIES) {
        report(p, element, "at most 1000000 elements are made", "count '%.20s' of <replicate> is too large",
               count->value);
    } else if (strlen(p->separator) > TX_MJCF_SUFFIX_MAX) {
        report(p, element, "", "sep of <replicate> is too long%s", "");
    } else {
        for (int n = p->count; n > 0; n /= 10) p->digits++;
        return true;
    }
    return false;
}

// keyframes of attached models are those of the first copy
static void move_keys(tx_tree *tree) {
    for (tx_xml_element *section = tree->root->first; section; section = section->next) {
        if (strcmp(section->name, "keyframe") != 0) continue;
        for (tx_xml_element *key = section->first; key; key = key->next) {
            tx_mjcf_holders *holders = key->extra;
            for (int i = 0; holders && i < holders->count; i++) {
                tx_mjcf_holder *holder = &holders->items[i];
                if (!holder->left_out && holder->element->twin) holder->element = holder->element->twin;
            }
        }
    }
}

tx_xml_element *tx_tree_replicate(tx_tree *tree, tx_xml_element *element) {
    // tendons make names for actuators and equalities, actuators for sensors
    static const struct {
        const char *name;
        tx_tree_kind made;
    } sections[] = {{"tendon", TX_TREE_TENDON},
                    {"equality", TX_TREE_NONE},
                    {"actuator", TX_TREE_ACTUATOR},
                    {"contact", TX_TREE_NONE},
                    {"sensor", TX_TREE_NONE}};
    tx_xml_element row = {.depth = element->depth - 1};
    plan p = {.tree = tree, .element = element, .copier = {.load = tree->load, .before = ""}};
    p.copier.after = p.suffix;
    if (!make_plan(&p, element)) return NULL;
    if (!tx_copier_add_below(&p.copier, element)) report(&p, element, "", "out of memory%s", "");
    for (int k = 0; k < p.count && !tree->reported; k++) {
        tx_xml_element *made = make_copy(&p, k, element, &row);
        if (made) made->copy = k;
    }
    for (int s = 0; s < 5; s++) copy_section(&p, sections[s].name, sections[s].made);
    move_keys(tree);
    return row.first;
}
