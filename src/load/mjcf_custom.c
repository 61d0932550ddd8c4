// mjcf_custom.c - <custom>: texts, numbers and tuples named "thixis.*" say what MJCF cannot; all the rest belongs to
// the user.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "load/mjcf.h"
#include "thixis/sim.h"

static const char *integrator_name(int index) { return tx_list_name(TX_LIST_INTEGRATOR, index); }

// the index of a name in a list, or -1 with a message that gives the whole list
static int choose(tx_mjcf *m, tx_xml_element *element, const char *what, const char *(*name_of)(int index)) {
    const tx_xml_attribute *data = tx_xml_find(element, "data");
    char all[160] = "one of";
    size_t used = strlen(all);
    for (int i = 0; name_of(i); i++) {
        if (data && strcmp(data->value, name_of(i)) == 0) return i;
        if (used < sizeof all) used += (size_t)snprintf(all + used, sizeof all - used, " '%s'", name_of(i));
    }
    tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, data, all, "'%.60s' is not the name of %s", data ? data->value : "",
                    what);
    return -1;
}

// numbers by the names of their options
#define NUMBER(NUMBERS, field)                                                                               \
    {                                                                                                        \
        "thixis." #field, {                                                                                  \
            {"data", NUMBERS(tx_options, field, 1, 1), .flags = TX_MJCF_REQUIRED}, {"name", TX_MJCF_IGNORE}, \
                {"size", TX_MJCF_IGNORE},                                                                    \
        }                                                                                                    \
    }
const tx_mjcf_custom_number tx_mjcf_custom_numbers[] = {
    NUMBER(TX_MJCF_REALS, momentum_tolerance),
    NUMBER(TX_MJCF_REALS, gain_tolerance),
    NUMBER(TX_MJCF_REALS, stiffness),
    NUMBER(TX_MJCF_REALS, relaxation),
    NUMBER(TX_MJCF_REALS, dissipation),
    NUMBER(TX_MJCF_REALS, beta),
    NUMBER(TX_MJCF_REALS, sigma),
    NUMBER(TX_MJCF_REALS, stiction),
    NUMBER(TX_MJCF_REALS, recovery),
    NUMBER(TX_MJCF_REALS, recovery_share),
    NUMBER(TX_MJCF_REALS, restitution),
    NUMBER(TX_MJCF_REALS, bounce_speed),
    NUMBER(TX_MJCF_REALS, mpr_to_gjk_overlap_ratio),
    NUMBER(TX_MJCF_REALS, mc_perturbation),
    NUMBER(TX_MJCF_REALS, mc_tolerance),
    NUMBER(TX_MJCF_INTS, contacts_per_pair),
    {0},
};

#define TEXT(option_name, words, name_of, place, mjcf_says) \
    { "thixis." #option_name, words, name_of, offsetof(tx_mjcf, place), offsetof(tx_options, option_name), mjcf_says }
const tx_mjcf_custom_text tx_mjcf_custom_texts[] = {
    TEXT(integrator, "an integrator", integrator_name, integrator, TX_INTEGRATOR_MIDPOINT),
    TEXT(law, "a contact law", tx_law_name, law, 2),
    TEXT(solver, "a solver", tx_solver_name, solver, 1),
    TEXT(narrowphase, "a narrow phase", tx_narrowphase_name, options.narrowphase, 1),
    TEXT(broadphase, "a broad phase", tx_broadphase_name, options.broadphase, 1),
    {0},
};

// false: there is no such option
static bool read_number(tx_mjcf *m, tx_xml_element *element, const char *name) {
    for (const tx_mjcf_custom_number *n = tx_mjcf_custom_numbers; n->name; n++)
        if (strcmp(n->name, name) == 0) {
            tx_mjcf_read(m, element, n->attrs, &m->options);
            return true;
        }
    return false;
}

static bool read_text(tx_mjcf *m, tx_xml_element *element, const char *name) {
    for (const tx_mjcf_custom_text *t = tx_mjcf_custom_texts; t->name; t++)
        if (strcmp(t->name, name) == 0) {
            int chosen = choose(m, element, t->what, t->name_of);
            if (chosen >= 0) *(int *)((char *)m + t->offset) = chosen;
            return true;
        }
    return false;
}

// joints as they are, or as equalities between free bodies
static bool read_coordinates(tx_mjcf *m, tx_xml_element *element, const char *name) {
    if (strcmp(name, "thixis.coordinates") != 0) return false;
    int chosen = choose(m, element, "coordinates", tx_coordinates_name);
    if (chosen >= 0) m->main.compiler.coordinates = (tx_coordinates)chosen;
    return true;
}

static void read_custom(tx_mjcf *m, tx_xml_element *element, void *context) {
    const tx_xml_attribute *name = tx_xml_find(element, "name");
    // names of an attached model have a prefix: of its options nothing counts, of its geoms all
    const size_t prefix = name ? strlen(m->part->prefix) : 0;
    if (name && strcmp(element->name, "tuple") == 0 && strncmp(name->value, m->part->prefix, prefix) == 0 &&
        tx_mjcf_geom_tuple(m, element, name->value + prefix))
        return;
    bool ours = name && strncmp(name->value, "thixis.", 7) == 0;
    if (ours && strcmp(element->name, "numeric") == 0 && read_number(m, element, name->value)) return;
    tx_mjcf_accept(m, element, context);
    if (!ours) return;
    if (strcmp(element->name, "text") == 0 &&
        (read_text(m, element, name->value) || read_coordinates(m, element, name->value)))
        return;
    tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, name,
                    "names that start with 'thixis.' are options of Thixis, or of geoms: docs/laws.md",
                    "%s '%.60s' is not supported yet", element->name, name->value);
}

static const tx_mjcf_child custom_children[] = {
    {"numeric", .read = read_custom}, {"text", .read = read_custom}, {"tuple", .read = read_custom}, {0}};

void tx_mjcf_custom(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_no_attributes(m, element);
    tx_mjcf_children(m, element, custom_children, 0, context);
}
