// test_flex.c - soft bodies as MJCF says them: the meshes that MuJoCo 4.0.0 makes (tests/data/flex.json, written by
// tools/flex_fixture), facts of meshes, defaults and values of every attribute.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/diag.h"
#include "load/mjcf_flex.h"
#include "load/stash.h"
#include "load/xml.h"

#define FOLDER TX_SOURCE_DIR "/tests/data/flex/"

// ---- reading -------------------------------------------------------------------------------------------------------

// what is compared, copied out of the loader
typedef struct seen {
    tx_mjcf_survey survey; // first: it is given back by the loader
    int count;
    tx_mjcf_flex values;
    tx_flex_mesh mesh;
    double mass;
} seen;

static void ignore(tx_mjcf_survey *survey, const tx_xml_element *element, tx_mjcf_treatment how,
                   const tx_mjcf_attr *attrs) {
    (void)survey, (void)element, (void)how, (void)attrs;
}

static void *copy_of(const void *from, size_t size) {
    void *to = malloc(size + 1);
    assert_non_null(to);
    memcpy(to, from, size);
    return to;
}

static void take(tx_mjcf_survey *survey, const tx_mjcf_flex_result *flex) {
    seen *s = (seen *)survey;
    tx_flex_mesh *m = &s->mesh;
    if (s->count++) return;
    s->values = *flex->values, s->mass = flex->vertex_mass, *m = *flex->mesh;
    m->vertices = copy_of(m->vertices, sizeof(double) * 3 * (size_t)m->vertex_count);
    m->unit = copy_of(m->unit, sizeof(double) * 3 * (size_t)m->vertex_count);
    m->pinned = copy_of(m->pinned, (size_t)m->vertex_count);
    m->elements = copy_of(m->elements, sizeof(int) * (size_t)((m->dim + 1) * m->element_count));
    m->edges = copy_of(m->edges, sizeof(int) * 2 * (size_t)m->edge_count);
    m->shells = copy_of(m->shells, sizeof(int) * (size_t)(m->dim * m->shell_count));
}

// the first soft body of a text; how many there are, and one error for each (deformables are not simulated)
static seen read_text(const char *text) {
    seen s = {.survey = {.seen = ignore, .flex = take}};
    tx_diag diag = {0};
    tx_stash stash = {.limit = TX_XML_MEMORY_MAX};
    tx_builder *builder = tx_builder_create();
    tx_xml_element *root = tx_xml_parse(&stash, text, strlen(text), "text", 1, &diag);
    assert_non_null(root);
    const tx_mjcf_outcome outcome = tx_mjcf_parse(&stash, root, FOLDER, NULL, false, builder, &diag, &s.survey);
    for (int i = 0; i < diag.count && diag.errors != s.count; i++)
        printf("%s — %s\n", diag.messages[i].text, diag.messages[i].hint);
    assert_true(!outcome.good && diag.errors == s.count && s.count > 0);
    tx_builder_destroy(builder), tx_stash_free(&stash), tx_diag_free(&diag);
    return s;
}

static void forget(seen *s) {
    tx_flex_mesh *m = &s->mesh;
    free(m->vertices), free(m->unit), free(m->pinned), free(m->elements), free(m->edges), free(m->shells);
}

// ---- MuJoCo's meshes -----------------------------------------------------------------------------------------------

static void expect_ints(const json_t *one, const char *name, const int *values, int count) {
    const json_t *list = json_object_get(one, name);
    assert_int_equal(json_array_size(list), count);
    for (int i = 0; i < count; i++) assert_int_equal(json_integer_value(json_array_get(list, (size_t)i)), values[i]);
}

static double farthest(const json_t *one, const char *name, const double *values, int count) {
    const json_t *list = json_object_get(one, name);
    double most = 0;
    assert_int_equal(json_array_size(list), count);
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(json_number_value(json_array_get(list, (size_t)i)) - values[i]));
    return most;
}

// vertices, elements, edges, shells and pins by number, places to rounding (files of meshes: of single precision)
static void meshes_are_mujocos(void **state) {
    json_t *cases = json_load_file(TX_SOURCE_DIR "/tests/data/flex.json", 0, NULL);
    assert_true(json_array_size(cases) >= 30);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *one = json_array_get(cases, i);
        seen s = read_text(json_string_value(json_object_get(one, "xml")));
        const tx_flex_mesh *m = &s.mesh;
        assert_int_equal(json_integer_value(json_object_get(one, "dim")), m->dim);
        expect_ints(one, "elements", m->elements, (m->dim + 1) * m->element_count);
        expect_ints(one, "edges", m->edges, 2 * m->edge_count);
        expect_ints(one, "shells", m->shells, m->dim * m->shell_count);
        const double far = farthest(one, "points", m->vertices, 3 * m->vertex_count);
        const double unit = farthest(one, "unit", m->unit, 3 * m->vertex_count);
        assert_true(far < (s.values.type == TX_MJCF_FLEX_MESH ? 1e-7 : 1e-13) && unit < 1e-7);
        int pinned[100], count = 0;
        for (int v = 0; v < m->vertex_count; v++)
            if (m->pinned[v]) pinned[count++] = v;
        expect_ints(one, "pinned", pinned, count);
        const double mass = json_number_value(json_object_get(one, "mass"));
        if (count < m->vertex_count) assert_true(fabs(s.mass - mass) <= 1e-15);
        forget(&s);
    }
    json_decref(cases);
}

// ---- facts of meshes -----------------------------------------------------------------------------------------------

// length, area or volume of all elements
static double size_of(const tx_flex_mesh *m) {
    double sum = 0;
    for (int e = 0; e < m->element_count; e++) {
        const int *v = m->elements + (m->dim + 1) * e;
        double s[3][3] = {{0}};
        for (int i = 0; i < m->dim; i++)
            for (int k = 0; k < 3; k++) s[i][k] = m->vertices[3 * v[i + 1] + k] - m->vertices[3 * v[0] + k];
        const double n[3] = {s[0][1] * s[1][2] - s[0][2] * s[1][1], s[0][2] * s[1][0] - s[0][0] * s[1][2],
                             s[0][0] * s[1][1] - s[0][1] * s[1][0]};
        if (m->dim == 1) sum += sqrt(s[0][0] * s[0][0] + s[0][1] * s[0][1] + s[0][2] * s[0][2]);
        if (m->dim == 2) sum += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        // all turned the same way round
        const double volume = -(n[0] * s[2][0] + n[1] * s[2][1] + n[2] * s[2][2]) / 6;
        if (m->dim == 3) assert_true(volume >= 0), sum += volume;
    }
    return sum;
}

// boxes and grids fill their box; what is round fills it ever better: within 0.5 % at 40 points a side. A closed
// surface has V - E + F = 2, a solid one more element than that: V - E + F - T = 1
static void meshes_fill_their_shape(void **state) {
    static const double PI = 3.14159265358979323846;
    const struct {
        tx_flex_shape shape;
        int dim, count[3], euler;
        double size, within;
    } cases[] = {
        {TX_FLEX_GRID, 3, {3, 4, 5}, 1, 24, 1e-12},
        {TX_FLEX_GRID, 2, {3, 4, 7}, 1, 6, 1e-12},
        {TX_FLEX_GRID, 1, {5, 4, 7}, 1, 4, 1e-12},
        {TX_FLEX_BOX, 3, {3, 4, 5}, 1, 24, 1e-12},
        {TX_FLEX_CYLINDER, 3, {41, 41, 3}, 1, PI * 400 * 2, 0.005 * PI * 800},
        {TX_FLEX_ELLIPSOID, 3, {41, 41, 41}, 1, 4 * PI / 3 * 8000, 0.005 * 4 * PI / 3 * 8000},
        {TX_FLEX_CIRCLE, 1, {361, 1, 1}, 0, 360, 1e-9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tx_flex_mesh m = {.dim = cases[i].dim};
        const double one[3] = {1, 1, 1};
        assert_int_equal(tx_flex_make(&m, cases[i].shape, cases[i].count, one), TX_FLEX_ADDED);
        assert_true(tx_flex_connect(&m));
        assert_true(fabs(size_of(&m) - cases[i].size) <= cases[i].within);
        // faces of tetrahedra: each has four, two share one but for the shell
        const int faces = m.dim == 3 ? (4 * m.element_count + m.shell_count) / 2 : m.dim == 2 ? m.element_count : 0;
        const int euler = m.vertex_count - m.edge_count + faces - (m.dim == 3 ? m.element_count : 0);
        assert_int_equal(euler, cases[i].euler);
        tx_flex_release(&m);
    }
}

// the bound on vertices and elements holds, and nothing is lost before it
static void meshes_have_a_bound(void **state) {
    tx_flex_mesh m = {.dim = 3};
    const int count[3] = {101, 101, 103};
    const double one[3] = {1, 1, 1}, point[3] = {0, 0, 0};
    assert_int_equal(tx_flex_make(&m, TX_FLEX_GRID, count, one), TX_FLEX_FULL);
    tx_flex_release(&m);
    for (int i = 0; i < TX_FLEX_MAX; i++) assert_int_equal(tx_flex_add_vertex(&m, point), TX_FLEX_ADDED);
    assert_int_equal(tx_flex_add_vertex(&m, point), TX_FLEX_FULL);
    assert_int_equal(m.vertex_count, TX_FLEX_MAX);
    assert_true(tx_flex_weld(&m) && m.vertex_count == 1);
    tx_flex_release(&m);
}

// ---- values --------------------------------------------------------------------------------------------------------

// every attribute of <flexcomp>, each unlike its default
static void values_are_read(void **state) {
    seen s = read_text(
        "<mujoco><asset><material name='m'/></asset><worldbody><flexcomp name='a' type='grid' count='3 1 1' dim='1' "
        "spacing='.5 .6 .7' scale='2 3 4' origin='1 2 3' mass='4' inertiabox='.1' radius='.01' dof='2d' group='3' "
        "rgba='.1 .2 .3 .4' material='m' flatskin='true' cellcount='2 3 4' texcoord='0 0 1 0 1 1'>"
        "<edge equality='true' solref='.1 2' solimp='.1 .2 .3 .4 5' stiffness='7' damping='8'/>"
        "<elasticity young='9' poisson='.2' damping='.3' thickness='.4' shear='5' yield='6 7' sectionsize='8 9' "
        "elastic2d='both' section='box'/>"
        "<contact contype='2' conaffinity='3' condim='6' priority='4' friction='.5 .6 .7' solmix='8' solref='.9 1' "
        "solimp='.5 .6 .7 .8 3' margin='.001' gap='.002' selfcollide='sap' activelayers='3' passive='true'/>"
        "</flexcomp></worldbody></mujoco>");
    const tx_mjcf_flex *f = &s.values;
    assert_true(s.count == 1 && f->type == TX_FLEX_GRID && f->dim == 1 && f->count[0] == 3 && f->count[2] == 1);
    assert_true(f->spacing[2] == 0.7 && f->scale[1] == 3 && f->origin[2] == 3 && f->mass == 4 && f->inertiabox == 0.1);
    assert_true(f->radius == 0.01 && f->dof == TX_MJCF_FLEX_DOF_2D && f->group == 3 && f->rgba[3] == 0.4F);
    assert_true(f->flatskin && !f->rigid && f->cellcount[2] == 4 && f->texcoord.count == 6);
    assert_true(f->edge.equality == 1 && f->edge.solref[1] == 2 && f->edge.solimp[4] == 5);
    assert_true(f->edge.stiffness == 7 && f->edge.damping == 8);
    const struct tx_mjcf_flex_elasticity *e = &f->elasticity;
    assert_true(e->young == 9 && e->poisson == 0.2 && e->damping == 0.3 && e->thickness == 0.4 && e->shear == 5);
    assert_true(e->yield[1] == 7 && e->sectionsize[1] == 9 && e->elastic2d == 3 && e->section == 1);
    const struct tx_mjcf_flex_contact *c = &f->contact;
    assert_true(c->contype == 2 && c->conaffinity == 3 && c->condim == 6 && c->priority == 4 && c->friction[2] == 0.7);
    assert_true(c->solmix == 8 && c->solref[0] == 0.9 && c->solimp[4] == 3 && c->margin == 0.001 && c->gap == 0.002);
    assert_true(c->selfcollide == 3 && c->activelayers == 3 && c->passive);
    forget(&s);
}

// the defaults of MuJoCo 4.0.0 (measured: flex_* of a model that says nothing)
static void defaults_are_mujocos(void **state) {
    seen s = read_text("<mujoco><worldbody><flexcomp name='a' count='10 10 1'/></worldbody></mujoco>");
    const tx_mjcf_flex *f = &s.values;
    assert_true(f->type == TX_FLEX_GRID && f->dim == 2 && s.mesh.vertex_count == 100 && f->spacing[0] == 0.02);
    assert_true(s.mass == 0.01 && f->radius == 0.005 && f->inertiabox == 0.005 && f->scale[0] == 1 && f->group == 0);
    assert_true(f->rgba[0] == 0.5F && f->rgba[3] == 1 && !f->rigid && !f->flatskin && f->cellcount[0] == 1);
    assert_true(f->contact.condim == 3 && f->contact.contype == 1 && f->contact.selfcollide == 4);
    assert_true(f->contact.activelayers == 1 && f->contact.solmix == 1 && f->contact.friction[1] == 0.005);
    assert_true(f->edge.equality == 0 && f->edge.stiffness == 0 && f->elasticity.elastic2d == 0);
    forget(&s);
}

// <deformable><flex>: vertices in their bodies, elements as they are written
static void flexes_are_read(void **state) {
    seen s = read_text("<mujoco><worldbody><body name='a'/><body name='b'/><body name='c'/></worldbody><deformable>"
                       "<flex name='f' dim='2' body='a b c' vertex='0 0 0 1 0 0 0 1 0' element='0 1 2' radius='.1'>"
                       "<edge damping='3'/><elasticity young='2'/><contact margin='1'/></flex></deformable></mujoco>");
    assert_true(s.mesh.vertex_count == 3 && s.mesh.element_count == 1 && s.mesh.edge_count == 3);
    assert_true(s.mesh.shell_count == 3 && s.mesh.vertices[3] == 1 && s.mass == 0);
    assert_true(s.values.radius == 0.1 && s.values.edge.damping == 3 && s.values.elasticity.young == 2);
    assert_true(s.values.contact.margin == 1);
    forget(&s);
}

// a triangle as GMSH writes it, in both of its formats
static const char *const NEW_FILE[] = {
    "$MeshFormat", "4.1 0 8", "$EndMeshFormat", "$Nodes",       "1 3 7 9", "2 1 0 3",   "7",
    "8",           "9",       "0 0 0",          "1 0 0",        "0 1 0",   "$EndNodes", "$Elements",
    "1 1 1 1",     "2 1 2 1", "1 7 8 9",        "$EndElements", NULL};
static const char *const OLD_FILE[] = {"$MeshFormat", "2.2 0 8",         "$EndMeshFormat", "$Nodes",    "3",
                                       "1 0 0 0",     "2 1 0 0",         "3 0 1 0",        "$EndNodes", "$Elements",
                                       "1",           "1 2 2 4 4 1 2 3", "$EndElements",   NULL};

// with line `at`, counted from 1, as it is given; @return what is said, or "" where the file is good
static const char *read_gmsh(const char *const *lines, int at, const char *line, tx_flex_mesh *mesh, int *where) {
    static char said[256];
    char text[512] = "", *to = text;
    tx_diag diag = {0};
    for (int i = 0; lines[i]; i++) to += sprintf(to, "%s\n", i + 1 == at ? line : lines[i]);
    *mesh = (tx_flex_mesh){.dim = 2};
    const bool good = tx_flex_read_gmsh(text, strlen(text), "x.msh", mesh, &diag);
    assert_int_equal(diag.count, !good);
    snprintf(said, sizeof said, "%s", good ? "" : diag.messages[0].text);
    *where = good ? 0 : diag.messages[0].line;
    tx_diag_free(&diag);
    return said;
}

// whatever is wrong with a line of a file is said, and which line it is
static void files_of_gmsh_are_checked(void **state) {
    static const struct {
        const char *const *file;
        int at;
        const char *line, *said;
    } BAD[] = {
        {NEW_FILE, 1, "$Format", "the file has no $MeshFormat"},
        {NEW_FILE, 2, "4.1", "the line has 1 numbers, it needs 2"},
        {NEW_FILE, 2, "4.1 1 8", "binary files of GMSH are not supported yet"},
        {NEW_FILE, 2, "4 0 8", "version 4 of GMSH's format is not supported"},
        {NEW_FILE, 4, "$Points", "the file has no $Nodes"},
        {NEW_FILE, 5, "1 3 7 8", "nodes are in one block, numbered without gaps"},
        {NEW_FILE, 5, "2 3 7 9", "nodes are in one block, numbered without gaps"},
        {NEW_FILE, 5, "1 3 7", "the line has 3 numbers, it needs 4"},
        {NEW_FILE, 5, "1 3.5 7 9", "this is no whole number"},
        {NEW_FILE, 5, "1 3 7 2e9", "this is no whole number"},
        {NEW_FILE, 6, "2 1 1 3", "a block of nodes has another number of them"},
        {NEW_FILE, 6, "2 1 0 4", "a block of nodes has another number of them"},
        {NEW_FILE, 8, "9", "nodes are numbered in their order"},
        {NEW_FILE, 8, "x", "this is no whole number"},
        {NEW_FILE, 11, "1 0", "the line has 2 numbers, it needs 3"},
        {NEW_FILE, 11, "1 0 nan", "this is no number"},
        {NEW_FILE, 11, "-1.1e10 0 0", "a coordinate is too large"},
        {NEW_FILE, 11,
         "1 0 "
         "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
         "0",
         "this is no number"},
        {NEW_FILE, 14, "$EndAll", "the file has no $Elements"},
        {NEW_FILE, 15, "2 1 1 1", "elements are in one block"},
        {NEW_FILE, 16, "2 1 4 1", "an element of type 4 is none of dim 2"},
        {NEW_FILE, 16, "2 1 2 2", "this is no whole number"}, // the end in place of the second one
        {NEW_FILE, 17, "1 7 8", "the line has 3 numbers, it needs 4"},
        {NEW_FILE, 17, "1 6 8 9", "there is no node 6"},
        {NEW_FILE, 17, "1 7 8 10", "there is no node 10"},
        {OLD_FILE, 5, "3.1", "this is no whole number"},
        {OLD_FILE, 7, "3 1 0 0", "nodes are numbered from 1 without gaps"},
        {OLD_FILE, 7, "2 1 0", "the line has 3 numbers, it needs 4"},
        {OLD_FILE, 7, "2 1 0 1e11", "a coordinate is too large"},
        {OLD_FILE, 10, "$Faces", "the file has no $Elements"},
        {OLD_FILE, 12, "1 2", "the line has 2 numbers, it needs 3"},
        {OLD_FILE, 12, "1 1 2 4 4 1 2", "an element of type 1 is none of dim 2"},
        {OLD_FILE, 12, "1 2 -1 1 2 3", "an element has an impossible number of tags"},
        {OLD_FILE, 12, "1 2 17 1 2 3", "an element has an impossible number of tags"},
        {OLD_FILE, 12, "1 2 2 4 4 1 2", "an element has too few corners"},
        {OLD_FILE, 12, "1 2 2 4 4 1 2 4", "there is no node 4"},
        {OLD_FILE, 12, "1 2 2 4 4 1 2 0", "there is no node 0"},
        {OLD_FILE, 12, "1 2 2 4 4 1 2 x", "this is no whole number"},
        {OLD_FILE, 12, "1 2 2 4 4 1 2 2.5", "this is no whole number"},
    };
    tx_flex_mesh mesh;
    int where;
    for (int k = 0; k < 2; k++) {
        assert_string_equal(read_gmsh(k ? OLD_FILE : NEW_FILE, 0, "", &mesh, &where), "");
        assert_true(mesh.vertex_count == 3 && mesh.element_count == 1 && mesh.vertices[3] == 1);
        for (int i = 0; i < 3; i++) assert_int_equal(mesh.elements[i], i);
        tx_flex_release(&mesh);
    }
    for (size_t k = 0; k < sizeof BAD / sizeof BAD[0]; k++) {
        const char *said = read_gmsh(BAD[k].file, BAD[k].at, BAD[k].line, &mesh, &where);
        if (!strstr(said, BAD[k].said)) fail_msg("'%s': '%s' is not in '%s'", BAD[k].line, BAD[k].said, said);
        // a section that is missing is known at the end of the file
        if (!strstr(said, "has no $") && BAD[k].line[0] != '2') assert_int_equal(where, BAD[k].at);
        tx_flex_release(&mesh);
    }
    // a file that ends anywhere before its last element is not whole
    for (int last = 1; last < 17; last++) {
        const char *cut[20] = {NULL};
        for (int i = 0; i < last; i++) cut[i] = NEW_FILE[i];
        assert_true(read_gmsh(cut, 0, "", &mesh, &where)[0] != 0);
        tx_flex_release(&mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_are_mujocos),        cmocka_unit_test(meshes_fill_their_shape),
        cmocka_unit_test(meshes_have_a_bound),       cmocka_unit_test(values_are_read),
        cmocka_unit_test(defaults_are_mujocos),      cmocka_unit_test(flexes_are_read),
        cmocka_unit_test(files_of_gmsh_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
