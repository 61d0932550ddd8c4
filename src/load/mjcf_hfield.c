// mjcf_hfield.c - <hfield>: heights from a file, from the attributes, or none: flat.
#include "base/memory.h"
#include "load/hfield_file.h"
#include "load/mjcf.h"

const tx_mjcf_attr tx_mjcf_hfield_attrs[] = {
    {"name", TX_MJCF_STRING(tx_mjcf_hfield, def.name)},
    {"file", TX_MJCF_STRING(tx_mjcf_hfield, file)},
    {"size", TX_MJCF_REALS(tx_mjcf_hfield, def.size, 4, 4), .flags = TX_MJCF_REQUIRED},
    {"nrow", TX_MJCF_INTS(tx_mjcf_hfield, def.nrow, 1, 1)},
    {"ncol", TX_MJCF_INTS(tx_mjcf_hfield, def.ncol, 1, 1)},
    {"elevation", .kind = TX_MJCF_LIST, TX_MJCF_AT(tx_mjcf_hfield, elevation)},
    // the ending of the file says what it is
    {"content_type", TX_MJCF_IGNORE},
    {0},
};

static bool read_file(tx_mjcf *m, tx_xml_element *element, const char *name, tx_hfield_data *data) {
    size_t length = 0;
    char *path = NULL, *bytes = tx_mjcf_read_file(m, element, "height field", "elevation", name, &path, &length);
    bool good = bytes && tx_hfield_read(bytes, length, path, data, m->diag);
    tx_free(bytes);
    return good;
}

// elevation="..." reads like the picture: the first row is the one with the largest y
static bool read_elevation(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_hfield *h, tx_hfield_data *data) {
    const int nrow = h->def.nrow, ncol = h->def.ncol, given = h->elevation.count;
    if (nrow < 2 || ncol < 2 || nrow > TX_HFIELD_POINTS / ncol) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, nrow < 2 ? "nrow" : "ncol"),
                        "without a file both are needed: at least 2, together at most 16777216 points",
                        "<hfield> has %d x %d grid points", nrow, ncol);
        return false;
    }
    *data = (tx_hfield_data){nrow, ncol, NULL};
    const tx_xml_attribute *attribute = tx_xml_find(element, "elevation");
    if (!attribute || given == 0) return true;
    if (given != nrow * ncol) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, attribute, "", "<hfield> has %d heights, %d rows of %d need %d",
                        given, nrow, ncol, nrow * ncol);
        return false;
    }
    data->height = tx_alloc(sizeof(double) * (size_t)given);
    if (!data->height) {
        m->out_of_memory = true;
        return false;
    }
    for (int i = 0; i < given; i++) data->height[(nrow - 1 - i / ncol) * ncol + i % ncol] = h->elevation.values[i];
    return true;
}

static bool check_size(tx_mjcf *m, tx_xml_element *element, const double size[4]) {
    for (int k = 0; k < 4; k++) {
        if (size[k] > 0) continue;
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "size"), "half x, half y, height, base",
                        "the four sizes of <hfield> must be positive");
        return false;
    }
    return true;
}

void tx_mjcf_hfield_element(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    tx_mjcf_hfield h = {0};
    tx_hfield_data data = {0};
    bool good = tx_mjcf_read(m, element, tx_mjcf_hfield_attrs, &h);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    if (!h.def.name && h.file) h.def.name = tx_mjcf_name_of_file(m, h.file);
    if (!h.def.name || !h.def.name[0]) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "", "<hfield> needs attribute 'name'");
        m->incomplete = true;
        return;
    }
    // the name is known even when the field is broken, so that geoms do not complain again
    if (tx_names_find(&m->hfields, h.def.name)) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "name"), "",
                        "there are two height fields '%.60s'", h.def.name);
    } else if (!tx_names_add(&m->hfields, m->stash, h.def.name, element)) {
        m->out_of_memory = true;
    }
    good = good && check_size(m, element, h.def.size);
    good = good && (h.file ? read_file(m, element, h.file, &data) : read_elevation(m, element, &h, &data));
    if (good) {
        h.def.nrow = data.nrow, h.def.ncol = data.ncol, h.def.elevation = data.height;
        h.def.source = tx_mjcf_source(element);
        tx_mjcf_check_index(m, tx_builder_hfield(m->builder, &h.def));
    } else {
        m->incomplete = true;
    }
    tx_hfield_release(&data);
}
