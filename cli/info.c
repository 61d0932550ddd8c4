// info.c - thixis info: what a model holds and what this machine can run.
#include <string.h>

#include "command.h"
#include "report.h"
#include "settings.h"
#include "setup.h"

typedef struct info_args {
    bool json;
    load_args load;
} info_args;

static const arg_option options[] = {
    {"json", ARG_FLAG, NULL, offsetof(info_args, json), 0, 0, NULL, "print as JSON"},
    LOAD_OPTIONS(info_args, load),
};

const arg_command info_command = {
    .name = "info",
    .summary = "sizes, names, options and masses of a model; targets of this machine",
    .operands = "MODEL",
    .least = 1,
    .most = 1,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
};

static const struct {
    tx_size size;
    const char *name, *meaning;
} sizes[] = {
#define X(NAME, name, meaning) {TX_SIZE_##NAME, #name, meaning},
    TX_SIZES(X)
#undef X
};

static const struct {
    tx_element kind;
    tx_size size;
    const char *name;
} elements[] = {
    {TX_ELEMENT_BODY, TX_SIZE_NBODY, "bodies"},      {TX_ELEMENT_JOINT, TX_SIZE_NJNT, "joints"},
    {TX_ELEMENT_GEOM, TX_SIZE_NGEOM, "geoms"},       {TX_ELEMENT_ACTUATOR, TX_SIZE_NU, "controls"},
    {TX_ELEMENT_KEY, TX_SIZE_NKEY, "keyframes"},     {TX_ELEMENT_SITE, TX_SIZE_NSITE, "sites"},
    {TX_ELEMENT_SENSOR, TX_SIZE_NSENSOR, "sensors"},
};

#define COUNT(table) ((int)(sizeof table / sizeof table[0]))

static double total_mass(const tx_model *model) {
    int count;
    const double *mass = tx_model_params(model, TX_PARAM_BODY_MASS, &count);
    double sum = 0;
    for (int i = 0; i < count; i++) sum += mass[i];
    return sum;
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

static void add_option(void *object, const char *key, bool is_switch, double value) {
    bool flag = is_switch && strcmp(key, "gravity") == 0;
    json_object_set_new(object, flag ? "gravity_on" : key, is_switch ? json_boolean(value != 0) : json_number(value));
}

static json_t *names_json(const tx_model *model) {
    json_t *names = json_object();
    for (int k = 0; k < COUNT(elements); k++) {
        json_t *list = json_array();
        for (int i = 0; i < tx_model_size(model, elements[k].size); i++)
            json_array_append_new(list, json_string(tx_element_name(model, elements[k].kind, i)));
        json_object_set_new(names, elements[k].name, list);
    }
    return names;
}

static json_t *targets_json(void) {
    json_t *targets = json_array();
    for (int t = TX_TARGET_SCALAR; t <= TX_TARGET_AVX512; t++)
        if (target_exists((tx_target_choice)t))
            json_array_append_new(targets, json_string(target_name((tx_target_choice)t)));
    return targets;
}

// what the work of a step follows from: bench/count.py reads it
static json_t *topology_json(const tx_model *model) {
    static const struct {
        tx_model_int field;
        const char *name;
    } ints[] = {{TX_INT_BODY_PARENT, "body_parent"}, {TX_INT_JNT_TYPE, "jnt_type"},
                {TX_INT_JNT_BODY, "jnt_body"},       {TX_INT_DOF_PARENT, "dof_parent"},
                {TX_INT_DOF_BODY, "dof_body"},       {TX_INT_GEOM_TYPE, "geom_type"},
                {TX_INT_GEOM_BODY, "geom_body"},     {TX_INT_ACTUATOR_TRNID, "actuator_trnid"}};
    static const struct {
        tx_param field;
        const char *name;
    } params[] = {{TX_PARAM_JNT_POS, "jnt_pos"},
                  {TX_PARAM_JNT_STIFFNESS, "jnt_stiffness"},
                  {TX_PARAM_DOF_DAMPING, "dof_damping"}};
    json_t *o = json_object();
    int count;
    for (int i = 0; i < COUNT(ints); i++) {
        const int *values = tx_model_ints(model, ints[i].field, &count);
        json_t *list = json_array();
        for (int k = 0; k < count; k++) json_array_append_new(list, json_integer(values[k]));
        json_object_set_new(o, ints[i].name, list);
    }
    for (int i = 0; i < COUNT(params); i++) {
        const double *values = tx_model_params(model, params[i].field, &count);
        json_object_set_new(o, params[i].name, json_numbers(values, count));
    }
    return o;
}

static bool write_info_json(const tx_model *model, const char *title) {
    json_t *o = json_object(), *size = json_object(), *option = json_object();
    const tx_options *opt = tx_model_options(model);
    for (int i = 0; i < COUNT(sizes); i++)
        json_object_set_new(size, sizes[i].name, json_integer(tx_model_size(model, sizes[i].size)));
    settings_visit(opt, add_option, option);
    json_object_set_new(option, "gravity", json_numbers(tx_model_params(model, TX_PARAM_GRAVITY, NULL), 3));
    json_object_set_new(option, "integrator", json_string(integrator_name(opt->integrator)));
    json_object_set_new(option, "broadphase", json_string(tx_broadphase_name(opt->broadphase)));
    json_object_set_new(option, "narrowphase", json_string(tx_narrowphase_name(opt->narrowphase)));
    json_object_set_new(option, "law", json_string(tx_law_name(opt->law)));
    json_object_set_new(option, "solver", json_string(tx_solver_name(opt->solver)));
    json_object_set_new(o, "model", json_string(title));
    json_object_set_new(o, "sizes", size);
    json_object_set_new(o, "options", option);
    json_object_set_new(o, "total_mass", json_number(total_mass(model)));
    json_object_set_new(
        o, "body_mass",
        json_numbers(tx_model_params(model, TX_PARAM_BODY_MASS, NULL), tx_model_size(model, TX_SIZE_NBODY)));
    json_object_set_new(o, "names", names_json(model));
    json_object_set_new(o, "topology", topology_json(model));
    json_object_set_new(o, "targets", targets_json());
    return write_json(o, stdout);
}

// ---- text ----------------------------------------------------------------------------------------------------------

static void print_option(void *context, const char *key, bool is_switch, double value) {
    (void)context;
    bool flag = is_switch && strcmp(key, "gravity") == 0;
    if (is_switch) printf("  %-24s %s\n", flag ? "gravity_on" : key, value != 0 ? "on" : "off");
    else printf("  %-24s %g\n", key, value);
}

static void print_names(const tx_model *model) {
    for (int k = 0; k < COUNT(elements); k++) {
        int count = tx_model_size(model, elements[k].size), column = printf("  %-10s", elements[k].name);
        for (int i = 0; i < count; i++) {
            const char *name = tx_element_name(model, elements[k].kind, i);
            if (column > 100) column = printf("\n  %-10s", "") - 1;
            column += name[0] ? printf(" %s", name) : printf(" (%d)", i);
        }
        printf("%s\n", count ? "" : " -");
    }
}

static void print_masses(const tx_model *model) {
    const double *mass = tx_model_params(model, TX_PARAM_BODY_MASS, NULL);
    printf("masses [kg]: %g in all\n", total_mass(model));
    for (int i = 1; i < tx_model_size(model, TX_SIZE_NBODY); i++)
        printf("  %-24s %g\n", tx_element_name(model, TX_ELEMENT_BODY, i), mass[i]);
}

static void print_info(const tx_model *model, const char *title) {
    const tx_options *opt = tx_model_options(model);
    const double *g = tx_model_params(model, TX_PARAM_GRAVITY, NULL);
    printf("%s\nsizes:\n", title);
    for (int i = 0; i < COUNT(sizes); i++)
        printf("  %-8s %6d  %s\n", sizes[i].name, tx_model_size(model, sizes[i].size), sizes[i].meaning);
    printf("options:\n  %-24s %g %g %g\n", "gravity", g[0], g[1], g[2]);
    settings_visit(opt, print_option, NULL);
    printf("  %-24s %s\n", "integrator", integrator_name(opt->integrator));
    printf("  %-24s %s\n", "broadphase", tx_broadphase_name(opt->broadphase));
    printf("  %-24s %s\n", "narrowphase", tx_narrowphase_name(opt->narrowphase));
    printf("  %-24s %s\n  %-24s %s\nnames:\n", "law", tx_law_name(opt->law), "solver", tx_solver_name(opt->solver));
    print_names(model);
    print_masses(model);
    printf("targets of this machine:");
    for (int t = TX_TARGET_SCALAR; t <= TX_TARGET_AVX512; t++)
        if (target_exists((tx_target_choice)t)) printf(" %s", target_name((tx_target_choice)t));
    printf("\n");
}

int info_main(int argc, char **argv) {
    info_args a = {0};
    int operands, code = EXIT_FAILED;
    arg_outcome outcome = args_parse(&info_command, argc, argv, &a, &operands);
    if (outcome != ARGS_RUN) return outcome == ARGS_HELP ? EXIT_OK : EXIT_USAGE;
    tx_model *model = load_model(&info_command, argv[0], &a.load, &code);
    if (!model) return code;
    bool ok = true;
    if (a.json) ok = write_info_json(model, model_title(model, argv[0]));
    else print_info(model, model_title(model, argv[0]));
    tx_model_destroy(model);
    return ok ? EXIT_OK : EXIT_FAILED;
}
