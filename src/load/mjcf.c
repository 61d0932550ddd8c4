// mjcf.c - a whole MJCF document into a builder.
#include <string.h>

#include "base/diag.h"
#include "compile/builder.h"
#include "load/mjcf.h"
#include "thixis/sim.h"

typedef struct root_values {
    const char *model;
} root_values;

static const tx_mjcf_attr root_attrs[] = {{"model", TX_MJCF_STRING(root_values, model)}, {0}};

static void report_root(const tx_xml_element *root, tx_diag *diag) {
    tx_diag_add(diag, TX_SEVERITY_ERROR, root->file, root->line, root->column,
                "an MJCF file starts with <mujoco>, a URDF with <robot>", "the root element is <%.60s>", root->name);
}

static void start_part(tx_mjcf_part *part) {
    part->compiler = tx_default_compiler_def();
    part->autolimits = true;
    part->eulerseq = "xyz";
    part->meshdir = part->texturedir = "";
}

void tx_mjcf_start(tx_mjcf *m, tx_stash *stash, const tx_xml_element *root, const char *folder, tx_builder *builder,
                   tx_diag *diag) {
    *m = (tx_mjcf){.stash = stash, .diag = diag, .builder = builder, .part = &m->main};
    m->main = (tx_mjcf_part){.prefix = "", .folder = folder, .file = root->file};
    start_part(&m->main);
    m->integrator = m->law = m->solver = -1;
    m->options = tx_default_options();
    m->gravity[2] = -9.81;
    m->magnetic[1] = -0.5;
}

tx_mjcf_outcome tx_mjcf_finish(tx_mjcf *m, const tx_xml_element *root, int errors) {
    tx_builder_options(m->builder, &m->options);
    tx_builder_compiler(m->builder, &m->main.compiler);
    tx_builder_gravity(m->builder, m->gravity);
    tx_builder_magnetic(m->builder, m->magnetic);
    tx_builder_medium(m->builder, m->density, m->viscosity, m->wind);
    // what the stash refused may be missing anywhere: there is no model without it
    if (m->stash->refused && m->diag->errors == errors) m->out_of_memory = true;
    if (m->out_of_memory) tx_diag_add(m->diag, TX_SEVERITY_ERROR, root->file, 0, 0, "", "out of memory");
    bool good = m->diag->errors == errors;
    return (tx_mjcf_outcome){good, !m->incomplete && !m->out_of_memory, m->faulty};
}

tx_mjcf_outcome tx_mjcf_parse(tx_stash *stash, tx_xml_element *root, const char *folder, tx_mjcf_part *parts,
                              bool pictures, tx_builder *builder, tx_diag *diag, tx_mjcf_survey *survey) {
    if (strcmp(root->name, "mujoco") != 0) {
        report_root(root, diag);
        return (tx_mjcf_outcome){0};
    }
    int errors = diag->errors;
    tx_mjcf m;
    tx_mjcf_start(&m, stash, root, folder, builder, diag);
    m.survey = survey, m.pictures = pictures;
    m.out_of_memory = !tx_mjcf_create_main_class(&m, &m.main);
    for (tx_mjcf_part *part = parts; part && !m.out_of_memory; part = part->next) {
        start_part(part);
        m.out_of_memory = !tx_mjcf_create_main_class(&m, part);
    }

    root_values values = {"MuJoCo Model"};
    if (!m.out_of_memory) tx_mjcf_read(&m, root, root_attrs, &values);
    for (int phase = 0; phase < TX_MJCF_PHASES; phase++) tx_mjcf_children(&m, root, tx_mjcf_sections, phase, NULL);
    tx_mjcf_check_notes(&m);
    const tx_key_def start = tx_default_key_def();
    for (int k = builder->key.count; k < m.nkey && !m.out_of_memory; k++)
        tx_mjcf_check_index(&m, tx_builder_key(builder, &start));
    if (tx_builder_name(builder, values.model) != TX_OK) m.out_of_memory = true;
    // what <custom> says wins over <option>
    if (m.integrator >= 0) m.options.integrator = m.integrator;
    if (m.law >= 0) m.options.law = m.law;
    if (m.solver >= 0) m.options.solver = m.solver;
    // MuJoCo's solvers do not know our laws
    else if (m.law >= 0 && !tx_solver_solves(m.options.solver, m.law)) m.options.solver = tx_law_solver(m.law);
    // nor do our laws know its stop rule
    if (m.solver < 0 && m.law < 0) tx_mjcf_stop_by_gain(&m.options);
    return tx_mjcf_finish(&m, root, errors);
}
