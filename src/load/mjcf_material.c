// mjcf_material.c - <tuple name="thixis.stiffness"> and its like: what geoms say of their contacts (TX_GEOM_MATERIALS).
//
//     <custom><tuple name="thixis.stiffness"><element objtype="geom" objname="ball" prm="1e4"/></tuple></custom>
//
// MuJoCo reads such a file and passes the numbers over. They are noted by the names of the geoms, which are read later.
#include <stddef.h>
#include <string.h>

#include "load/mjcf.h"

const tx_mjcf_geom_number tx_mjcf_geom_numbers[] = {
#define X(NAME, name, highest, meaning) {"thixis." #name, offsetof(tx_geom_def, name), highest, "0 to " #highest},
    TX_GEOM_MATERIALS(X)
#undef X
        {0},
};

// a number for a geom, from one <element>
struct tx_mjcf_note {
    tx_mjcf_note *next, *same; // of all; of those for the same geom
    const tx_mjcf_geom_number *what;
    tx_xml_element *element;
    int type;
    const char *geom;
    double value;
    bool found; // there is such a geom
};

static const tx_mjcf_keyword objects[] = {{"geom", .value = 0}, {0}};
static const tx_mjcf_attr element_attrs[] = {
    {"objtype", TX_MJCF_WORD(tx_mjcf_note, type, objects), .flags = TX_MJCF_REQUIRED},
    {"objname", TX_MJCF_STRING(tx_mjcf_note, geom), .flags = TX_MJCF_REQUIRED},
    {"prm", TX_MJCF_REALS(tx_mjcf_note, value, 1, 1), .flags = TX_MJCF_REQUIRED},
    {0},
};
static const tx_mjcf_attr tuple_attrs[] = {{"name", TX_MJCF_IGNORE}, {0}};

// in the list of its geom, unless that has such a number
static void keep(tx_mjcf *m, tx_mjcf_note *note) {
    tx_mjcf_note *first = tx_names_find(&m->geom_notes, note->geom);
    for (const tx_mjcf_note *n = first; n; n = n->same)
        if (n->what == note->what) {
            tx_mjcf_problem(m, TX_SEVERITY_ERROR, note->element, tx_xml_find(note->element, "objname"), "",
                            "geom '%.60s' has its '%s' twice", note->geom, note->what->name);
            return;
        }
    if (first) note->same = first->same, first->same = note;
    else if (!tx_names_add(&m->geom_notes, m->stash, note->geom, note)) m->out_of_memory = true;
    note->next = m->notes;
    m->notes = note;
}

static void read_element(tx_mjcf *m, tx_xml_element *element, void *context) {
    const char *prefix = m->part->prefix;
    tx_mjcf_note *note = tx_stash_take(m->stash, sizeof *note);
    if (!note) {
        m->out_of_memory = true;
        return;
    }
    *note = (tx_mjcf_note){.what = context, .element = element};
    bool good = tx_mjcf_read(m, element, element_attrs, note);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    // of an attached model, a geom that does not come along
    if (!good || strncmp(note->geom, prefix, strlen(prefix)) != 0) return;
    if (note->value >= 0 && note->value <= note->what->most) keep(m, note);
    else
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "prm"), note->what->takes,
                        "'%s' of geom '%.60s' cannot be %g", note->what->name, note->geom, note->value);
}

bool tx_mjcf_geom_tuple(tx_mjcf *m, tx_xml_element *element, const char *name) {
    static const tx_mjcf_child children[] = {{"element", .read = read_element}, {0}};
    for (const tx_mjcf_geom_number *n = tx_mjcf_geom_numbers; n->name; n++) {
        if (strcmp(n->name, name) != 0) continue;
        tx_mjcf_read(m, element, tuple_attrs, NULL);
        tx_mjcf_children(m, element, children, 0, (void *)n);
        return true;
    }
    return false;
}

void tx_mjcf_geom_says(tx_mjcf *m, tx_geom_def *def) {
    tx_mjcf_note *note = def->name && def->name[0] ? tx_names_find(&m->geom_notes, def->name) : NULL;
    for (; note; note = note->same) {
        *(double *)((char *)def + note->what->offset) = note->value;
        note->found = true;
    }
}

void tx_mjcf_check_notes(tx_mjcf *m) {
    for (const tx_mjcf_note *n = m->notes; n; n = n->next)
        if (!n->found)
            tx_mjcf_problem(m, TX_SEVERITY_ERROR, n->element, tx_xml_find(n->element, "objname"),
                            "copies by <replicate> have names with their numbers", "there is no geom '%.60s'", n->geom);
}
