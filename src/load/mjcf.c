// mjcf.c - a whole MJCF document into a builder.
#include <string.h>

#include "base/diag.h"
#include "load/mjcf.h"

typedef struct root_values {
    const char *model;
} root_values;

static const tx_mjcf_attr root_attrs[] = {{"model", TX_MJCF_STRING(root_values, model)}, {0}};

static void report_root(const tx_xml_element *root, tx_diag *diag) {
    bool urdf = strcmp(root->name, "robot") == 0;
    tx_diag_add(diag, TX_ERROR, root->file, root->line, root->column,
                urdf ? "URDF is not supported yet" : "an MJCF file starts with <mujoco>",
                "the root element is <%.60s>, not <mujoco>", root->name);
}

tx_mjcf_outcome tx_mjcf_parse(tx_stash *stash, tx_xml_element *root, const char *folder, tx_builder *builder,
                              tx_diag *diag) {
    if (strcmp(root->name, "mujoco") != 0) {
        report_root(root, diag);
        return (tx_mjcf_outcome){0};
    }
    int errors = diag->errors;
    tx_mjcf m = {.stash = stash, .diag = diag, .builder = builder, .folder = folder, .file = root->file};
    m.compiler = tx_default_compiler_def();
    m.autolimits = true;
    m.eulerseq = "xyz";
    m.meshdir = "";
    m.integrator = m.law = m.solver = -1;
    m.options = tx_default_options();
    m.gravity[2] = -9.81;
    m.out_of_memory = !tx_mjcf_create_main_class(&m);

    root_values values = {"MuJoCo Model"};
    if (!m.out_of_memory) tx_mjcf_read(&m, root, root_attrs, &values);
    for (int phase = 0; phase < TX_MJCF_PHASES; phase++) tx_mjcf_children(&m, root, tx_mjcf_sections, phase, NULL);
    tx_builder_name(builder, values.model);
    // what <custom> says wins over <option>
    if (m.integrator >= 0) m.options.integrator = m.integrator;
    if (m.law >= 0) m.options.law = m.law;
    if (m.solver >= 0) m.options.solver = m.solver;
    tx_builder_options(builder, &m.options);
    tx_builder_compiler(builder, &m.compiler);
    tx_builder_gravity(builder, m.gravity);

    if (m.out_of_memory) tx_diag_add(diag, TX_ERROR, root->file, 0, 0, "", "out of memory");
    bool good = diag->errors == errors;
    return (tx_mjcf_outcome){good, !m.incomplete && !m.out_of_memory, m.faulty};
}
