// mjcf_custom.c - <custom>: texts named "thixis.*" say what MJCF cannot; all the rest belongs to the user.
#include <stdio.h>
#include <string.h>

#include "load/mjcf.h"
#include "thixis/sim.h"

static const char *integrator_name(int index) {
    static const char *const names[TX_INTEGRATORS] = {"Euler", "implicitfast", "implicit", "RK4", "midpoint"};
    return index >= 0 && index < TX_INTEGRATORS ? names[index] : NULL;
}

// the index of a name in a list, or -1 with a message that gives the whole list
static int choose(tx_mjcf *m, tx_xml_element *element, const char *what, const char *(*name_of)(int index)) {
    const tx_xml_attribute *data = tx_xml_find(element, "data");
    char all[160] = "one of";
    size_t used = strlen(all);
    for (int i = 0; name_of(i); i++) {
        if (data && strcmp(data->value, name_of(i)) == 0) return i;
        if (used < sizeof all) used += (size_t)snprintf(all + used, sizeof all - used, " '%s'", name_of(i));
    }
    tx_mjcf_problem(m, TX_ERROR, element, data, all, "'%.60s' is not the name of %s", data ? data->value : "", what);
    return -1;
}

static void read_custom(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_accept(m, element, context);
    const tx_xml_attribute *name = tx_xml_find(element, "name");
    if (!name || strncmp(name->value, "thixis.", 7) != 0) return;
    bool text = strcmp(element->name, "text") == 0;
    if (text && strcmp(name->value, "thixis.integrator") == 0) {
        m->integrator = choose(m, element, "an integrator", integrator_name);
    } else if (text && strcmp(name->value, "thixis.law") == 0) {
        m->law = choose(m, element, "a contact law", tx_law_name);
    } else if (text && strcmp(name->value, "thixis.solver") == 0) {
        m->solver = choose(m, element, "a solver", tx_solver_name);
    } else {
        tx_mjcf_problem(m, TX_ERROR, element, name, "names that start with 'thixis.' set options of Thixis",
                        "%s '%.60s' is not supported yet", element->name, name->value);
    }
}

static const tx_mjcf_child custom_children[] = {
    {"numeric", .read = read_custom}, {"text", .read = read_custom}, {"tuple", .read = read_custom}, {0}};

void tx_mjcf_custom(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_no_attributes(m, element);
    tx_mjcf_children(m, element, custom_children, 0, context);
}
