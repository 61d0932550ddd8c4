// urdf_tree.c - links and joints made into a tree, or what stands against it.
#include <stdio.h>
#include <string.h>

#include "load/text.h"
#include "load/urdf.h"

static tx_xml_element *child_element(const tx_xml_element *element, const char *name) {
    for (tx_xml_element *child = element->first; child; child = child->next)
        if (strcmp(child->name, name) == 0) return child;
    return NULL;
}

// the link that <parent> or <child> of a joint names; null with a message
static tx_urdf_link *find_link(tx_urdf *u, const tx_urdf_joint *joint, const char *role, const char *name) {
    if (!name) return NULL;
    tx_urdf_link *link = tx_names_find(&u->links, name);
    if (link) return link;
    tx_nearest nearest = tx_nearest_start(name);
    for (const tx_urdf_link *other = u->first_link; other; other = other->next)
        if (other->def.name) tx_nearest_offer(&nearest, other->def.name, strlen(other->def.name));
    char hint[80] = "";
    if (nearest.best[0]) snprintf(hint, sizeof hint, "did you mean '%s'?", nearest.best);
    tx_xml_element *element = child_element(joint->element, role);
    tx_mjcf_problem(&u->m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "link"), hint, "there is no link '%.60s'",
                    name);
    u->m.incomplete = true;
    return NULL;
}

static void connect(tx_urdf *u, tx_urdf_joint *joint) {
    joint->parent = find_link(u, joint, "parent", joint->parent_name);
    joint->child = find_link(u, joint, "child", joint->child_name);
    if (!joint->child) return;
    tx_xml_element *place = child_element(joint->element, "child");
    if (strcmp(joint->child_name, "world") == 0) {
        tx_mjcf_problem(&u->m, TX_SEVERITY_ERROR, place, NULL, "turn the joint round",
                        "the link 'world' is the world itself: it cannot be a child");
        u->m.incomplete = true;
    }
    if (joint->child->joint) {
        const tx_urdf_joint *other = joint->child->joint;
        tx_mjcf_problem(&u->m, TX_SEVERITY_ERROR, place, NULL, "a link has one parent",
                        "link '%.60s' is already the child of joint '%.60s' in line %d", joint->child_name,
                        other->name ? other->name : "", other->element->line);
        u->m.incomplete = true;
        return;
    }
    joint->child->joint = joint;
    if (!joint->parent) return;
    *(joint->parent->last ? &joint->parent->last->sibling : &joint->parent->first) = joint;
    joint->parent->last = joint;
}

// walking up from every link ends at a root, at a link that was seen before, or in a circle
static void find_circles(tx_urdf *u) {
    int mark = 0;
    for (tx_urdf_link *start = u->first_link; start; start = start->next) {
        mark++;
        tx_urdf_link *link = start;
        while (link && !link->body) {
            link->body = mark;
            link = link->joint ? link->joint->parent : NULL;
        }
        if (!link || link->body != mark) continue;
        tx_mjcf_problem(&u->m, TX_SEVERITY_ERROR, link->joint->element, NULL, "links and joints must be a tree",
                        link->joint->parent == link ? "joint '%.60s' has link '%.60s' as parent and as child"
                                                    : "joint '%.60s' closes a circle: link '%.60s' is its own ancestor",
                        link->joint->name ? link->joint->name : "", link->def.name);
        u->m.incomplete = true;
    }
    for (tx_urdf_link *link = u->first_link; link; link = link->next) link->body = 0;
}

void tx_urdf_connect(tx_urdf *u) {
    for (tx_urdf_joint *joint = u->first_joint; joint; joint = joint->next) connect(u, joint);
    find_circles(u);
}
