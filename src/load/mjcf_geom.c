// mjcf_geom.c - <geom>: shapes, their mass and their contact parameters.
#include <string.h>

#include "load/mjcf_scale.h"

static const tx_mjcf_keyword geom_types[] = {
    {"plane", .value = TX_GEOM_PLANE},       {"sphere", .value = TX_GEOM_SPHERE},
    {"capsule", .value = TX_GEOM_CAPSULE},   {"ellipsoid", .value = TX_GEOM_ELLIPSOID},
    {"cylinder", .value = TX_GEOM_CYLINDER}, {"box", .value = TX_GEOM_BOX},
    {"mesh", .value = TX_GEOM_MESH},         {"hfield", .value = TX_GEOM_HFIELD},
    {"sdf", .value = TX_GEOM_SDF},           {0},
};
static const tx_mjcf_keyword fluid_shapes[] = {{"none", .value = 0}, {"ellipsoid", .value = 1}, {0}};

const tx_mjcf_attr tx_mjcf_geom_attrs[] = {
    {"name", TX_MJCF_STRING(tx_mjcf_geom, def.name), .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"class", TX_MJCF_IGNORE, .flags = TX_MJCF_NOT_IN_DEFAULT},
    {"type", TX_MJCF_WORD(tx_mjcf_geom, def.type, geom_types)},
    {"size", TX_MJCF_REALS(tx_mjcf_geom, def.size, 1, 3), TX_MJCF_GIVEN(tx_mjcf_geom, size_given)},
    {"fromto", TX_MJCF_REALS(tx_mjcf_geom, def.fromto, 6, 6), TX_MJCF_GIVEN(tx_mjcf_geom, fromto_given)},
    {"pos", TX_MJCF_REALS(tx_mjcf_geom, def.pos, 3, 3), TX_MJCF_GIVEN(tx_mjcf_geom, pos_given)},
    TX_MJCF_ORIENTATION_ATTRS(tx_mjcf_geom, orientation),
    {"density", TX_MJCF_REALS(tx_mjcf_geom, def.density, 1, 1)},
    {"mass", TX_MJCF_REALS(tx_mjcf_geom, def.mass, 1, 1), TX_MJCF_GIVEN(tx_mjcf_geom, mass_given)},
    {"friction", TX_MJCF_REALS(tx_mjcf_geom, def.friction, 1, 3)},
    {"condim", TX_MJCF_INTS(tx_mjcf_geom, def.condim, 1, 1)},
    {"contype", TX_MJCF_INTS(tx_mjcf_geom, def.contype, 1, 1)},
    {"conaffinity", TX_MJCF_INTS(tx_mjcf_geom, def.conaffinity, 1, 1)},
    {"priority", TX_MJCF_INTS(tx_mjcf_geom, def.priority, 1, 1)},
    {"group", TX_MJCF_INTS(tx_mjcf_geom, def.group, 1, 1)},
    {"margin", TX_MJCF_REALS(tx_mjcf_geom, def.margin, 1, 1)},
    {"gap", TX_MJCF_REALS(tx_mjcf_geom, def.gap, 1, 1)},
    {"solmix", TX_MJCF_REALS(tx_mjcf_geom, def.solmix, 1, 1)},
    {"solref", TX_MJCF_REALS(tx_mjcf_geom, def.solref, 1, 2)},
    {"solimp", TX_MJCF_REALS(tx_mjcf_geom, def.solimp, 1, 5)},
    {"rgba", .kind = TX_MJCF_FLOAT, TX_MJCF_AT(tx_mjcf_geom, def.rgba), .min = 4, .max = 4},
    {"material", TX_MJCF_STRING(tx_mjcf_geom, material)},
    {"mesh", TX_MJCF_STRING(tx_mjcf_geom, def.mesh)},
    {"hfield", TX_MJCF_STRING(tx_mjcf_geom, def.hfield)},
    {"fitscale", TX_MJCF_REALS(tx_mjcf_geom, def.fitscale, 1, 1)},
    {"shellinertia", TX_MJCF_YESNO(tx_mjcf_geom, def.shell, tx_mjcf_bool)},
    {"adhesion", TX_MJCF_ONLY("0")},
    {"surfacevel", TX_MJCF_REALS(tx_mjcf_geom, def.surfacevel, 6, 6)},
    {"fluidshape", TX_MJCF_YESNO(tx_mjcf_geom, def.fluid_ellipsoid, fluid_shapes)},
    {"fluidcoef", TX_MJCF_REALS(tx_mjcf_geom, def.fluidcoef, 1, 5)},
    {"castshadow", TX_MJCF_IGNORE},
    {"user", TX_MJCF_IGNORE},
    {0},
};

// the material's colour shows where the geom's own is the default (MuJoCo's rule)
static void apply_material(tx_mjcf *m, tx_xml_element *element, tx_mjcf_geom *geom) {
    if (!geom->material) return;
    const tx_mjcf_material *material = tx_names_find(&m->materials, geom->material);
    if (!material) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "material"), "define it in <asset>",
                        "there is no material '%.60s'", geom->material);
        return;
    }
    tx_geom_def plain = tx_default_geom_def();
    if (memcmp(geom->def.rgba, plain.rgba, sizeof plain.rgba) == 0) {
        memcpy(geom->def.rgba, material->rgba, sizeof plain.rgba);
    }
    if (!material->texture) return;
    if (!tx_names_find(&m->textures, material->texture)) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "material"), "define it in <asset>",
                        "there is no texture '%.60s' of material '%.60s'", material->texture, material->name);
        return;
    }
    geom->def.texture = tx_mjcf_use_texture(m, material->texture);
    geom->def.texuniform = material->texuniform;
    memcpy(geom->def.texrepeat, material->texrepeat, sizeof material->texrepeat);
}

// a geom that names a mesh: the mesh must exist, and some values do not go with it
static bool check_mesh(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_geom *geom) {
    const tx_geom_def *def = &geom->def;
    bool surface = def->type == TX_GEOM_MESH || def->type == TX_GEOM_SDF;
    const char *type = def->type == TX_GEOM_SDF ? "sdf" : "mesh";
    if (!def->mesh) {
        if (!surface) return true;
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "", "<geom> of type %s needs attribute 'mesh'", type);
        return false;
    }
    const tx_xml_attribute *attribute = tx_xml_find(element, "mesh");
    if (!tx_names_find(&m->meshes, def->mesh)) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, attribute, "define it in <asset>", "there is no mesh '%.60s'",
                        def->mesh);
        return false;
    }
    if (def->type == TX_GEOM_PLANE || def->type == TX_GEOM_HFIELD) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, attribute, "", "a %s cannot be fitted to a mesh",
                        def->type == TX_GEOM_PLANE ? "plane" : "height field");
        return false;
    }
    if (geom->fromto_given) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "fromto"),
                        "the mesh gives the place and the size", "<geom> has both 'mesh' and 'fromto'");
        return false;
    }
    if (surface && def->shell) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "shellinertia"),
                        "use inertia=\"shell\" of <mesh>", "<geom> of type %s cannot have shellinertia", type);
    }
    return true;
}

// a geom of type hfield names a height field that exists; no other geom names one
static bool check_hfield(tx_mjcf *m, tx_xml_element *element, const tx_geom_def *def) {
    const tx_xml_attribute *attribute = tx_xml_find(element, "hfield");
    if (def->type == TX_GEOM_HFIELD && !def->hfield) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "", "<geom> of type hfield needs attribute 'hfield'");
        return false;
    }
    if (!def->hfield) return true;
    if (def->type != TX_GEOM_HFIELD) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, attribute, "use type=\"hfield\"",
                        "only a <geom> of type hfield has attribute 'hfield'");
        return false;
    }
    if (tx_names_find(&m->hfields, def->hfield)) return true;
    tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, attribute, "define it in <asset>",
                    "there is no height field '%.60s'", def->hfield);
    return false;
}

// end points in a frame become a pose in the body
static void resolve_fromto(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_scope *scope, tx_geom_def *def) {
    tx_mjcf_scope place = *scope;
    place.scale = NULL; // the end points have it
    tx_mjcf_scale_point(scope->scale, def->fromto);
    tx_mjcf_scale_point(scope->scale, def->fromto + 3);
    if (!tx_fromto(def->type, def->fromto, def->size, def->pos, def->quat)) return; // compile says why
    if (def->sizes_given) def->sizes_given = 3;
    def->has_fromto = false;
    tx_mjcf_scale_geom(m, element, scope, def, true);
    tx_mjcf_leave_frame(&place, def->pos, def->quat, NULL);
}

void tx_mjcf_geom_element(tx_mjcf *m, tx_xml_element *element, void *context) {
    const tx_mjcf_scope *scope = context;
    tx_mjcf_geom geom = tx_mjcf_class_of(m, element, "class", scope->childclass)->geom;
    tx_geom_def *def = &geom.def;
    tx_mjcf_read(m, element, tx_mjcf_geom_attrs, &geom);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    tx_mjcf_geom_says(m, def);
    tx_mjcf_choose_orientation(m, element, &geom.orientation);
    apply_material(m, element, &geom);
    if (!check_mesh(m, element, &geom) || !check_hfield(m, element, def)) {
        m->incomplete = true; // the reason was reported where it stands
        return;
    }

    if (geom.mass_given && def->mass < 0) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "mass"), "", "mass of <geom> is negative");
    }
    if (geom.fromto_given && geom.pos_given) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "pos"), "fromto gives the position too",
                        "<geom> has both 'fromto' and 'pos'");
    }
    def->has_fromto = geom.fromto_given > 0;
    def->sizes_given = geom.size_given;
    def->fitaabb = m->part->fitaabb;
    tx_mjcf_quaternion(m, element, &geom.orientation, def->quat);
    if (def->has_fromto && (scope->framed || scope->scale)) {
        resolve_fromto(m, element, scope, def);
    } else {
        tx_mjcf_scale_geom(m, element, scope, def, false);
        tx_mjcf_leave_frame(scope, def->pos, def->quat, NULL);
    }
    def->source = tx_mjcf_source(element);
    tx_mjcf_check_index(m, tx_builder_geom(m->builder, scope->body->index, def));
}
