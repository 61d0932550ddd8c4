// mjcf_flex_mesh.c - vertices and elements of a <flexcomp>: by shape, from a file, or as they are written.
#include <string.h>

#include "base/memory.h"
#include "load/mesh_file.h"
#include "load/mjcf_flex.h"

bool tx_mjcf_flex_added(tx_mjcf *m, tx_xml_element *element, const char *attribute, tx_flex_added added) {
    if (added == TX_FLEX_NO_MEMORY) m->out_of_memory = true;
    if (added == TX_FLEX_FULL)
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, attribute), "",
                        "<%s> has more than %d vertices or elements", element->name, TX_FLEX_MAX);
    return added == TX_FLEX_ADDED;
}

static bool complain(tx_mjcf *m, tx_xml_element *element, const char *attribute, const char *hint, const char *what) {
    tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, attribute), hint, "%s", what);
    return false;
}

// ---- shapes --------------------------------------------------------------------------------------------------------

static bool make_shape(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_flex *f, tx_flex_mesh *mesh) {
    const tx_flex_shape shape = (tx_flex_shape)f->type;
    const bool solid = shape == TX_FLEX_BOX || shape == TX_FLEX_CYLINDER || shape == TX_FLEX_ELLIPSOID;
    const double apart = 2 * (f->radius > f->contact.margin ? f->radius : f->contact.margin);
    for (int k = 0; k < 3; k++)
        if (f->spacing[k] < apart)
            return complain(m, element, "spacing", "at least twice the radius, and the margin of its contacts",
                            "vertices of <flexcomp> are closer than they are large");
    if (f->file || f->mesh || f->point.count || f->element.count)
        return complain(m, element, "type", "they are for mesh, gmsh and direct",
                        "a <flexcomp> that is made by shape has no file, mesh, point or element");
    if (solid && f->dim != 3)
        return complain(m, element, "dim", "write dim=\"3\"", "a box, cylinder or ellipsoid is made of tetrahedra");
    if (shape == TX_FLEX_CIRCLE && f->dim != 1)
        return complain(m, element, "dim", "write dim=\"1\"", "a circle is made of lines");
    if (shape == TX_FLEX_CIRCLE && f->count[0] < 4)
        return complain(m, element, "count", "three lines and more", "a circle needs 4 points");
    const int axes = solid ? 3 : shape == TX_FLEX_CIRCLE ? 1 : shape == TX_FLEX_GRID ? f->dim : 2;
    double points = 1;
    for (int k = 0; k < 3; k++) {
        if (k < axes) points *= f->count[k];
        if (k < axes && f->count[k] < 2)
            return complain(m, element, "count", "at least 2 along each axis", "a <flexcomp> has no elements");
        if (k >= axes && axes == 2 && f->count[k] > 1)
            return complain(m, element, "count", "a surface is one point high", "count of <flexcomp> takes 1 along z");
    }
    if (points > 8.0 * TX_FLEX_MAX) return tx_mjcf_flex_added(m, element, "count", TX_FLEX_FULL);
    return tx_mjcf_flex_added(m, element, "count", tx_flex_make(mesh, shape, f->count, f->spacing));
}

// ---- as it is written ----------------------------------------------------------------------------------------------

static bool make_direct(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_flex *f, tx_flex_mesh *mesh) {
    const int corners = f->dim + 1, points = f->point.count / 3;
    if (!f->point.count || !f->element.count)
        return complain(m, element, "type", "", "a direct <flexcomp> needs attributes 'point' and 'element'");
    if (f->point.count % 3) return complain(m, element, "point", "", "numbers of points are not a multiple of 3");
    if (f->element.count % corners)
        return complain(m, element, "element", "dim + 1 vertices each",
                        "numbers of elements are not a multiple of dim + 1");
    tx_flex_added added = TX_FLEX_ADDED;
    for (int i = 0; i < points && added == TX_FLEX_ADDED; i++)
        added = tx_flex_add_vertex(mesh, f->point.values + 3 * (size_t)i);
    for (int i = 0; i < f->element.count && added == TX_FLEX_ADDED; i++) {
        const int v = f->element.values[i];
        if (v < 0 || v >= points) {
            tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "element"), "the first one is 0",
                            "an element of <flexcomp> has vertex %d, but there are %d", v, points);
            return false;
        }
        if (i % corners == f->dim) added = tx_flex_add_element(mesh, f->element.values + i - f->dim);
    }
    return tx_mjcf_flex_added(m, element, "element", added);
}

// ---- files ---------------------------------------------------------------------------------------------------------

// triangles; dim 3: tetrahedra between them and the origin, which becomes the first vertex
static bool make_surface(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_flex *f, const tx_mesh_data *data,
                         tx_flex_mesh *mesh) {
    const int solid = f->dim == 3;
    tx_flex_added added = solid ? tx_flex_add_vertex(mesh, f->origin) : TX_FLEX_ADDED;
    for (int i = 0; i < data->vertex_count && added == TX_FLEX_ADDED; i++)
        added = tx_flex_add_vertex(mesh, data->vertices + 3 * (size_t)i);
    for (int i = 0; i < data->face_count && added == TX_FLEX_ADDED; i++) {
        const int *face = data->faces + 3 * (size_t)i;
        const int corners[4] = {0, face[0] + 1, face[1] + 1, face[2] + 1};
        added = tx_flex_add_element(mesh, solid ? corners : face);
    }
    if (added == TX_FLEX_ADDED && !tx_flex_weld(mesh)) added = TX_FLEX_NO_MEMORY;
    return tx_mjcf_flex_added(m, element, "file", added);
}

static bool make_from_file(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_flex *f, tx_flex_mesh *mesh) {
    const bool gmsh = f->type == TX_MJCF_FLEX_GMSH;
    size_t length = 0;
    char *path = NULL;
    if (f->point.count || f->element.count)
        return complain(m, element, f->point.count ? "point" : "element", "they are for type=\"direct\"",
                        "a <flexcomp> has a file and points or elements");
    if (f->mesh)
        return complain(m, element, "mesh", "name the file by attribute 'file'",
                        "attribute 'mesh' of <flexcomp> is not supported yet");
    if (!f->file) return complain(m, element, "type", "", "a <flexcomp> of this type needs attribute 'file'");
    if (!gmsh && f->dim == 1)
        return complain(m, element, "dim", "2: triangles, 3: tetrahedra between them and the origin",
                        "a mesh has no lines");
    if (!gmsh && f->dim == 3 && !f->origin_given)
        return complain(m, element, "dim", "a point inside the surface",
                        "a <flexcomp> of tetrahedra from a mesh needs attribute 'origin'");
    char *bytes = tx_mjcf_read_file(m, element, "flexcomp", "point", f->file, &path, &length);
    bool good = bytes != NULL;
    if (good && gmsh) good = tx_flex_read_gmsh(bytes, length, path, mesh, m->diag);
    else if (good) {
        tx_mesh_data data = {0};
        good = tx_mesh_read(bytes, length, path, &data, m->diag) && make_surface(m, element, f, &data, mesh);
        tx_mesh_release(&data);
    }
    tx_free(bytes);
    return good;
}

// ---- all -----------------------------------------------------------------------------------------------------------

static bool has_repeated_corner(const tx_flex_mesh *mesh) {
    const int corners = mesh->dim + 1;
    for (int e = 0; e < mesh->element_count; e++)
        for (int i = 1; i < corners; i++)
            for (int k = 0; k < i; k++)
                if (mesh->elements[corners * e + i] == mesh->elements[corners * e + k]) return true;
    return false;
}

bool tx_mjcf_flex_make(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_flex *f, tx_flex_mesh *mesh) {
    mesh->dim = f->dim;
    if (f->type < TX_FLEX_SHAPES) return make_shape(m, element, f, mesh);
    if (!(f->type == TX_MJCF_FLEX_DIRECT ? make_direct : make_from_file)(m, element, f, mesh)) return false;
    if (mesh->element_count == 0) return complain(m, element, "file", "", "<flexcomp> has no elements");
    if (has_repeated_corner(mesh))
        return complain(m, element, "element", "", "an element of <flexcomp> has the same vertex twice");
    for (int i = 0; i < 3 * mesh->vertex_count; i++) mesh->vertices[i] *= f->scale[i % 3];
    return true;
}
