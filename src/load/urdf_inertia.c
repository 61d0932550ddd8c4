// urdf_inertia.c - <inertial>: mass and inertia of a link, and what becomes of those that no body can have.
#include <math.h>
#include <string.h>

#include "geometry/mass.h"
#include "geometry/quat.h"
#include "geometry/vec3.h"
#include "load/urdf.h"

// ---- inertial ----------------------------------------------------------------------------------------------------

typedef struct inertial {
    tx_urdf_pose pose;
    double mass, ixx, iyy, izz, ixy, ixz, iyz;
    bool has_mass, has_inertia, bad; // bad: there was an error in it
} inertial;

#define MOMENT(name) \
    { #name, TX_MJCF_REALS(inertial, name, 1, 1), .flags = TX_MJCF_REQUIRED }
static const tx_mjcf_attr mass_attrs[] = {{"value", TX_MJCF_REALS(inertial, mass, 1, 1), .flags = TX_MJCF_REQUIRED},
                                          {0}};
#define PRODUCT(name) \
    { #name, TX_MJCF_REALS(inertial, name, 1, 1) }
static const tx_mjcf_attr inertia_attrs[] = {MOMENT(ixx),  MOMENT(iyy),  MOMENT(izz), PRODUCT(ixy),
                                             PRODUCT(ixz), PRODUCT(iyz), {0}};

static void read_inertial_origin(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_urdf_origin(m, element, &((inertial *)context)->pose);
}

static void read_mass(tx_mjcf *m, tx_xml_element *element, void *context) {
    inertial *in = context;
    in->has_mass = true;
    in->bad = !tx_mjcf_read(m, element, mass_attrs, in) || in->bad;
    tx_mjcf_children(m, element, NULL, 0, NULL);
    if (in->mass < 0)
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, "value"), "", "the mass is negative");
}

static void read_inertia(tx_mjcf *m, tx_xml_element *element, void *context) {
    inertial *in = context;
    in->has_inertia = true;
    in->bad = !tx_mjcf_read(m, element, inertia_attrs, in) || in->bad;
    tx_mjcf_children(m, element, NULL, 0, NULL);
    static const char *const products[] = {"ixy", "ixz", "iyz"};
    for (int i = 0; i < 3; i++)
        if (!tx_xml_find(element, products[i]))
            tx_mjcf_problem(m, tx_mjcf_mended(m), element, NULL, "it counts as 0", "<inertia> has no '%s'",
                            products[i]);
}

static const tx_mjcf_child inertial_children[] = {{"origin", .read = read_inertial_origin, .once = true},
                                                  {"mass", .read = read_mass, .once = true},
                                                  {"inertia", .read = read_inertia, .once = true},
                                                  {0}};

// from the axes of <origin> to those of the link: R I Rᵀ. MuJoCo 3.12 forgets R, later versions do not (its issue 3559)
static void turn_tensor(const inertial *in, double tensor[6]) {
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const double I[9] = {in->ixx, in->ixy, in->ixz, in->ixy, in->iyy, in->iyz, in->ixz, in->iyz, in->izz};
    double R[9], product[9];
    tx_quat_to_mat(in->pose.quat, R);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) product[3 * r + c] = v3_dot(R + 3 * r, I + 3 * c);
    for (int k = 0; k < 6; k++) tensor[k] = v3_dot(product + 3 * row[k], R + 3 * column[k]);
}

// Second moments S = ½ tr(I) 1 − I of a distribution of mass are not negative: none of the principal moments is more
// than the sum of the other two. Where one is negative, or a moment is nothing, S is brought to at least LEAST_SHARE of
// its largest entry along its own axes, which is the nearest that a body can have. returns whether that was needed
static const double LEAST_SHARE = 1e-6, NOTHING = 1e-14;
static bool mend_tensor(double tensor[6], double moments[3]) {
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    double quat[4], second[3], R[9];
    tx_principal_axes(tensor, 0, moments, quat);
    double sum = fabs(moments[0]) + fabs(moments[1]) + fabs(moments[2]), most = 0;
    bool good = moments[2] >= NOTHING;
    for (int k = 0; k < 3; k++) {
        second[k] = (moments[(k + 1) % 3] + moments[(k + 2) % 3] - moments[k]) / 2;
        good = good && second[k] >= -4e-13 * sum;
        most = fmax(most, second[k]);
    }
    if (good) return false;
    double mended[3];
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        mended[k] = fmax(second[i], LEAST_SHARE * most) + fmax(second[j], LEAST_SHARE * most);
    }
    tx_quat_to_mat(quat, R);
    for (int e = 0; e < 6; e++) {
        tensor[e] = 0;
        for (int k = 0; k < 3; k++) tensor[e] += R[3 * row[e] + k] * mended[k] * R[3 * column[e] + k];
    }
    return true;
}

static bool is_nothing(const double tensor[6]) {
    for (int i = 0; i < 6; i++)
        if (!(fabs(tensor[i]) < NOTHING)) return false;
    return true;
}

void tx_urdf_inertial_element(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_urdf_link *link = context;
    tx_body_def *def = &link->def;
    inertial in = {.pose = TX_URDF_UPRIGHT};
    tx_mjcf_no_attributes(m, element);
    tx_mjcf_children(m, element, inertial_children, 0, &in);
    if (!in.has_mass) tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "", "<inertial> needs <mass>");
    if (!in.has_inertia) tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "", "<inertial> needs <inertia>");
    // what is missing or wrong was reported, and nothing follows from it
    link->heavy = in.bad || !in.has_mass || !in.has_inertia || in.mass < 0;
    def->has_inertial = true;
    def->mass = in.mass;
    memcpy(def->ipos, in.pose.pos, sizeof def->ipos);
    turn_tensor(&in, def->fullinertia);
    // no inertia at all is allowed where nothing moves, and for links that are fused with others
    def->has_fullinertia = !is_nothing(def->fullinertia);
    // numbers that no model takes are refused when it is compiled
    for (int i = 0; i < 6; i++) link->heavy = link->heavy || !(fabs(def->fullinertia[i]) <= TX_LARGEST);
    if (link->heavy) return;
    if (def->has_fullinertia && def->mass >= 0 && def->mass < NOTHING) {
        TX_URDF_MENDED(link->urdf, element, NULL, "its inertia is set to zero",
                       "link '%.60s': no body has inertia without mass", def->name ? def->name : "");
        def->has_fullinertia = false;
    }
    double moments[3];
    if (!def->has_fullinertia || m->part->compiler.balanceinertia || !mend_tensor(def->fullinertia, moments)) return;
    TX_URDF_MENDED(link->urdf, element, NULL, "the nearest that one has is taken, see docs/urdf.md",
                   "link '%.60s': no body has inertia %.6g %.6g %.6g", def->name ? def->name : "", moments[0],
                   moments[1], moments[2]);
    def->has_fullinertia = !is_nothing(def->fullinertia);
}

// ---- links without mass --------------------------------------------------------------------------------------------

static bool has_collision(const tx_urdf_link *link) {
    for (const tx_xml_element *child = link->element->first; child; child = child->next)
        if (strcmp(child->name, "collision") == 0) return true;
    return false;
}

// a link with mass and inertia lends them to those that it is fixed to
static void spread(tx_urdf_link *link) {
    while (link && !link->heavy) {
        link->heavy = true;
        link = link->joint && link->joint->type == TX_URDF_FIXED ? link->joint->parent : NULL;
    }
}

static void report_collision_masses(tx_urdf *u) {
    const tx_urdf_link *first = NULL;
    int count = 0;
    for (const tx_urdf_link *link = u->first_link; link; link = link->next) {
        if (link->def.has_inertial || !has_collision(link)) continue;
        if (!first) first = link;
        count++;
    }
    if (first)
        tx_mjcf_problem(&u->m, TX_SEVERITY_WARNING, first->element, NULL, "in URDF they have no mass",
                        "%d link%s without <inertial> weigh what their collision shapes do, the first is here", count,
                        count == 1 ? "" : "s");
}

void tx_urdf_mend_masses(tx_urdf *u) {
    static const double MASS = 1e-6, INERTIA = 1e-9;
    const tx_compiler_def *c = &u->m.part->compiler;
    const bool by_shapes = c->inertiafromgeom != TX_SWITCH_OFF;
    if (by_shapes) report_collision_masses(u);
    if (c->boundmass > 0 || c->boundinertia > 0) return;
    for (tx_urdf_link *link = u->first_link; link; link = link->next)
        if ((link->def.mass >= NOTHING && link->def.has_fullinertia) || (by_shapes && has_collision(link)))
            spread(link);
    for (tx_urdf_link *link = u->first_link; link; link = link->next) {
        tx_body_def *def = &link->def;
        if (link->heavy || !link->joint || link->joint->type == TX_URDF_FIXED || !def->name) continue;
        TX_URDF_MENDED(u, link->element, NULL, "it gets 1e-6 kg and 1e-9 kg m²", "link '%.60s' moves but has no %s",
                       def->name, def->mass >= NOTHING ? "inertia" : "mass");
        def->mass = fmax(def->mass, MASS);
        for (int k = 0; k < 3; k++) def->inertia[k] = fmax(def->inertia[k], INERTIA);
        def->has_inertial = true;
    }
}
