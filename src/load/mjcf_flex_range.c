// mjcf_flex_range.c - what the numbers of soft bodies may be: docs/ranges.md.
#include <string.h>

#include "load/mjcf_flex.h"

#define LARGE  TX_LARGEST
#define STIFF  TX_STIFFEST
#define LITTLE 1e-15

// numbers of an element (null: of <flexcomp> and <flex>) and what they may be
typedef struct range {
    const char *element, *attribute;
    size_t offset;
    int numbers;
    double low, high;
    const char *hint;
} range;
#define RANGE(element, attribute, member, numbers, low, high, hint) \
    { element, attribute, offsetof(tx_mjcf_flex, member), numbers, low, high, hint }
static const range ranges[] = {
    RANGE(NULL, "radius", radius, 1, 0, LARGE, "m"),
    RANGE("flexcomp", "spacing", spacing, 3, LITTLE, LARGE, "m"),
    RANGE("flexcomp", "scale", scale, 3, LITTLE, LARGE, "1"),
    RANGE("flexcomp", "mass", mass, 1, LITTLE, LARGE, "kg, of all vertices together"),
    RANGE("flexcomp", "inertiabox", inertiabox, 1, LITTLE, LARGE, "m, half the side of the box that a vertex is"),
    RANGE("edge", "stiffness", edge.stiffness, 1, 0, STIFF, "N/m"),
    RANGE("edge", "damping", edge.damping, 1, 0, STIFF, "N s/m"),
    RANGE("elasticity", "young", elasticity.young, 1, 0, STIFF, "Pa; 0: none"),
    RANGE("elasticity", "poisson", elasticity.poisson, 1, 0, 0.499, "volume is kept at a half"),
    RANGE("elasticity", "damping", elasticity.damping, 1, 0, LARGE, "s"),
    RANGE("elasticity", "thickness", elasticity.thickness, 1, -1, LARGE, "m; -1: not said"),
    RANGE("elasticity", "shear", elasticity.shear, 1, 0, STIFF, "Pa"),
    RANGE("elasticity", "yield", elasticity.yield, 2, 0, STIFF, ""),
    RANGE("elasticity", "sectionsize", elasticity.sectionsize, 2, 0, LARGE, "m"),
    RANGE("contact", "friction", contact.friction, 3, 0, LARGE, ""),
    RANGE("contact", "solmix", contact.solmix, 1, 0, LARGE, ""),
};
static const struct {
    const char *element, *attribute;
    size_t offset;
    int numbers, low, high;
    const char *hint;
} counts[] = {
    RANGE(NULL, "dim", dim, 1, 1, 3, "1: lines, 2: triangles, 3: tetrahedra"),
    RANGE(NULL, "cellcount", cellcount, 3, 1, 1000, ""),
    RANGE("flexcomp", "count", count, 3, 1, TX_FLEX_MAX, "of points along each axis"),
    RANGE("contact", "activelayers", contact.activelayers, 1, 1, 1000, ""),
};

static bool is_about(const char *place, const tx_xml_element *element) {
    return !place || strcmp(place, element->name) == 0;
}

bool tx_mjcf_flex_in_range(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_flex *flex) {
    bool good = true;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        const range *r = &ranges[i];
        const tx_xml_attribute *at = is_about(r->element, element) ? tx_xml_find(element, r->attribute) : NULL;
        const double *values = (const double *)((const char *)flex + r->offset);
        for (int k = 0; at && k < r->numbers; k++) {
            if (values[k] >= r->low && values[k] <= r->high) continue;
            tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, at, r->hint, "%s of <%s> is %g, it takes %g to %g",
                            r->attribute, element->name, values[k], r->low, r->high);
            good = false;
            break;
        }
    }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const char *place = counts[i].element;
        const tx_xml_attribute *at = is_about(place, element) ? tx_xml_find(element, counts[i].attribute) : NULL;
        const int *values = (const int *)((const char *)flex + counts[i].offset);
        for (int k = 0; at && k < counts[i].numbers; k++) {
            if (values[k] >= counts[i].low && values[k] <= counts[i].high) continue;
            tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, at, counts[i].hint, "%s of <%s> is %d, it takes %d to %d",
                            counts[i].attribute, element->name, values[k], counts[i].low, counts[i].high);
            good = false;
            break;
        }
    }
    return good;
}
