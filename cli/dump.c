// dump.c - thixis dump: every quantity of a step under MuJoCo's field names, for comparing two JSON files.
//
// A field that MuJoCo has and we do not is null, and its neighbour `<field>_reason` says why.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "report.h"
#include "settings.h"
#include "setup.h"

enum { STEPS_MAX = 64, DENSE_MAX = 1 << 20 };

typedef struct dump_args {
    bool json, converged;
    const char *steps, *at;
    sim_args sim;
} dump_args;

static const arg_option options[] = {
    {"json", ARG_FLAG, NULL, offsetof(dump_args, json), 0, 0, NULL, "print as JSON (there is no other form)"},
    {"steps", ARG_TEXT, "N,N,...", offsetof(dump_args, steps), 0, 0, NULL, "states after these steps (1,10,100,1000)"},
    {"keyframe", ARG_TEXT, "K", offsetof(dump_args, sim.keyframe), 0, 0, NULL,
     "start: index or name of a keyframe, or 'none' (keyframe 0 if there is one)"},
    {"converged", ARG_FLAG, NULL, offsetof(dump_args, converged), 0, 0, NULL,
     "solver run to rounding: tolerance 0, ls_tolerance 1e-6, iterations 2000"},
    {"at", ARG_TEXT, "FILE", offsetof(dump_args, at), 0, 0, NULL,
     "everything at these states too: qpos, qvel and act of each, as text"},
    LOAD_OPTIONS(dump_args, sim.load),
    {"set", ARG_LIST, "key=value", offsetof(dump_args, sim.set), 0, 0, NULL,
     "any option, see 'thixis help options'; may be repeated"},
};

const arg_command dump_command = {
    .name = "dump",
    .summary = "every quantity of a step under MuJoCo's field names",
    .operands = "MODEL",
    .least = 1,
    .most = 1,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .notes = "Controls are zero. What does not exist here is null, and the member '<field>_reason' says why.\n\n"
             "example:\n  thixis dump scenes/humanoid.xml --json --steps 1,10 > humanoid.json",
};

#define COUNT(table) ((int)(sizeof table / sizeof table[0]))

static void put(json_t *object, const char *name, json_t *value) { json_object_set_new(object, name, value); }

// null, and beside it why
static void put_missing(json_t *object, const char *name, const char *reason) {
    char key[64];
    snprintf(key, sizeof key, "%s_reason", name);
    put(object, name, json_null());
    put(object, key, json_string(reason));
}

// ---- the compiled model --------------------------------------------------------------------------------------------

static json_t *json_ints(const int *values, int count) {
    json_t *array = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(array, json_integer(values[i]));
    return array;
}

// a size or array of the model by our name for it; null: there is none
static json_t *model_field(const tx_model *model, const char *name) {
    int count, i;
    if ((i = tx_list_find(TX_LIST_SIZE, name)) >= 0) return json_integer(tx_model_size(model, (tx_size)i));
    if ((i = tx_list_find(TX_LIST_INT, name)) >= 0) {
        const int *values = tx_model_ints(model, (tx_model_int)i, &count);
        return json_ints(values, count);
    }
    if ((i = tx_list_find(TX_LIST_PARAM, name)) >= 0) {
        const double *values = tx_model_params(model, (tx_param)i, &count);
        return json_numbers(values, count);
    }
    return NULL;
}

// MuJoCo's name and ours; null: made below, or there is none and 0 is printed
static const struct {
    const char *theirs, *ours;
} fields[] = {
    {"nq", "nq"},
    {"nv", "nv"},
    {"nu", "nu"},
    {"na", "na"},
    {"nbody", "nbody"},
    {"njnt", "njnt"},
    {"ngeom", "ngeom"},
    {"nsite", "nsite"},
    {"nmesh", "nmesh"},
    {"nflex", NULL},
    {"ntendon", "ntendon"},
    {"neq", "neq"},
    {"nsensor", "nsensor"},
    {"option", NULL},
    {"stat", NULL},
    {"body_mass", "body_mass"},
    {"body_inertia", "body_inertia"},
    {"body_ipos", "body_ipos"},
    {"body_iquat", "body_iquat"},
    {"body_pos", "body_pos"},
    {"body_quat", "body_quat"},
    {"body_parentid", "body_parent"},
    {"body_invweight0", "body_invweight0"},
    {"dof_invweight0", "dof_invweight0"},
    {"dof_armature", "dof_armature"},
    {"dof_damping", "dof_damping"},
    {"body_names", NULL},
    {"geom_type", "geom_type"},
    {"geom_bodyid", "geom_body"},
    {"geom_size", "geom_size"},
    {"geom_pos", "geom_pos"},
    {"geom_quat", "geom_quat"},
    {"geom_contype", "geom_contype"},
    {"geom_conaffinity", "geom_conaffinity"},
    {"jnt_names", NULL},
    {"jnt_type", "jnt_type"},
    {"jnt_range", "jnt_range"},
    {"qpos0", "qpos0"},
};

static json_t *names_of(const tx_model *model, tx_element element, tx_size size) {
    json_t *names = json_array();
    for (int i = 0; i < tx_model_size(model, size); i++)
        json_array_append_new(names, json_string(tx_element_name(model, element, i)));
    return names;
}

// MuJoCo's disable flags: one bit for each switch that is off (mjtDisableBit of 3.12)
static int disable_flags(const tx_options *o) {
    const struct {
        int bit;
        bool on;
    } flags[] = {{0, o->constraint}, {2, o->frictionloss}, {3, o->limit},     {4, o->contact},   {5, o->spring},
                 {6, o->damper},     {7, o->gravity},      {8, o->clampctrl}, {9, o->warmstart}, {10, o->filterparent},
                 {11, o->actuation}, {12, o->refsafe},     {13, o->sensor},   {15, o->eulerdamp}};
    int bits = 0;
    for (int i = 0; i < COUNT(flags); i++) bits |= flags[i].on ? 0 : 1 << flags[i].bit;
    return bits;
}

static json_t *option_json(const tx_model *model, const tx_options *o) {
    json_t *option = json_object();
    put(option, "timestep", json_number(o->timestep));
    put(option, "integrator", json_string(integrator_name(o->integrator)));
    const char *solver = tx_solver_name(o->solver);
    if (strcmp(solver, "newton") == 0) solver = "Newton";
    if (strcmp(solver, "cg") == 0) solver = "CG";
    put(option, "solver", json_string(solver));
    const char *law = tx_law_name(o->law);
    bool soft = strcmp(law, "soft") == 0, elliptic = strcmp(law, "soft_elliptic") == 0;
    put(option, "cone", json_string(soft ? "pyramidal" : elliptic ? "elliptic" : law));
    put(option, "iterations", json_integer(o->iterations > 0 ? o->iterations : tx_law_iterations(o->law)));
    put(option, "ls_iterations", json_integer(o->ls_iterations));
    put(option, "tolerance", json_number(o->tolerance >= 0 ? o->tolerance : tx_law_tolerance(o->law)));
    put(option, "ls_tolerance", json_number(o->ls_tolerance));
    put(option, "impratio", json_number(o->impratio));
    put(option, "noslip_iterations", json_integer(o->noslip_iterations));
    put(option, "disableflags", json_integer(disable_flags(o)));
    put(option, "enableflags", json_integer(o->override ? 1 : 0)); // mjENBL_OVERRIDE; the others do not exist here
    put(option, "gravity", json_numbers(tx_model_params(model, TX_PARAM_GRAVITY, NULL), 3));
    put(option, "density", json_number(tx_model_params(model, TX_PARAM_DENSITY, NULL)[0]));
    put(option, "viscosity", json_number(tx_model_params(model, TX_PARAM_VISCOSITY, NULL)[0]));
    put(option, "wind", json_numbers(tx_model_params(model, TX_PARAM_WIND, NULL), 3));
    return option;
}

static json_t *stat_json(const tx_model *model) {
    const double *mass = tx_model_params(model, TX_PARAM_BODY_MASS, NULL);
    const int bodies = tx_model_size(model, TX_SIZE_NBODY) - 1;
    double sum = 0;
    for (int i = 1; i <= bodies; i++) sum += mass[i];
    json_t *stat = json_object();
    put(stat, "meaninertia", json_number(tx_model_params(model, TX_PARAM_MEANINERTIA, NULL)[0]));
    put(stat, "meanmass", json_number(bodies > 0 ? sum / bodies : 0));
    return stat;
}

static void put_model(json_t *root, const tx_model *model, const tx_options *o) {
    for (int i = 0; i < COUNT(fields); i++) {
        const char *name = fields[i].theirs;
        json_t *value = fields[i].ours ? model_field(model, fields[i].ours) : NULL;
        if (strcmp(name, "option") == 0) value = option_json(model, o);
        if (strcmp(name, "stat") == 0) value = stat_json(model);
        if (strcmp(name, "body_names") == 0) value = names_of(model, TX_ELEMENT_BODY, TX_SIZE_NBODY);
        else if (strcmp(name, "jnt_names") == 0) value = names_of(model, TX_ELEMENT_JOINT, TX_SIZE_NJNT);
        put(root, name, value ? value : json_integer(0));
    }
}

// ---- one state -----------------------------------------------------------------------------------------------------

static json_t *array_json(tx_sim *sim, tx_array array) {
    const double *values = tx_sim_array(sim, array);
    return json_numbers(values, values ? tx_sim_array_width(sim, array) : 0);
}

typedef struct row_table {
    tx_row *rows;
    double *J; // count x nv
    int count;
} row_table;

static bool take_rows(tx_sim *sim, row_table *t) {
    const int nv = tx_model_size(tx_sim_model(sim), TX_SIZE_NV);
    t->count = tx_sim_rows(sim, 0, NULL, NULL, 0);
    if (t->count < 0) return false;
    t->rows = malloc(sizeof *t->rows * (size_t)(t->count + 1));
    t->J = malloc(sizeof *t->J * ((size_t)t->count * (size_t)nv + 1));
    return t->rows && t->J && tx_sim_rows(sim, 0, t->rows, t->J, t->count) == t->count;
}

static int first_row_of(const row_table *t, int contact) {
    for (int r = 0; r < t->count; r++)
        if (t->rows[r].type >= TX_ROW_FRICTIONLESS && t->rows[r].id == contact) return r;
    return -1;
}

static json_t *contact_json(const tx_sim *sim, const tx_contact *c, int address) {
    const tx_model *model = tx_sim_model(sim);
    double mu = address >= 0 && c->dim > 1 ? c->friction[0] / sqrt(tx_sim_options(sim).impratio) : 0;
    const char *name[2];
    for (int s = 0; s < 2; s++) name[s] = tx_element_name(model, TX_ELEMENT_GEOM, c->geom[s]);
    json_t *o = json_object();
    put(o, "geom", json_ints(c->geom, 2));
    put(o, "names", json_pack("[s, s]", name[0], name[1]));
    static const char *const soft[] = {"flex", "elem", "vert"};
    for (int i = 0; i < COUNT(soft); i++) put(o, soft[i], json_pack("[i, i]", -1, -1));
    put(o, "dim", json_integer(c->dim));
    put(o, "dist", json_number(c->dist));
    put(o, "exclude", json_integer(address < 0));
    put(o, "efc_address", json_integer(address));
    put(o, "includemargin", json_number(c->includemargin));
    put(o, "mu", json_number(mu));
    put(o, "pos", json_numbers(c->pos, 3));
    put(o, "frame", json_numbers(c->frame, 9));
    put(o, "friction", json_numbers(c->friction, 5));
    put(o, "solref", json_numbers(c->solref, 2));
    put(o, "solimp", json_numbers(c->solimp, 5));
    put(o, "force", json_numbers(c->force, 6));
    return o;
}

static void put_contacts(json_t *o, tx_sim *sim, const row_table *t) {
    int count = 0;
    const tx_contact *contacts = tx_sim_contacts(sim, 0, &count);
    json_t *list = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(list, contact_json(sim, &contacts[i], first_row_of(t, i)));
    put(o, "contacts", list);
}

// where a row stands: 0 satisfied, 1 quadratic, 2 and 3 dry friction at its upper and lower bound
static int row_state(const tx_model *model, const tx_row *row) {
    if (row->type == TX_ROW_EQUALITY) return 1;
    bool tendon = row->type == TX_ROW_TENDON_FRICTION;
    if (row->type != TX_ROW_FRICTION && !tendon) return row->force > 0;
    const double *frictionloss =
        tx_model_params(model, tendon ? TX_PARAM_TENDON_FRICTIONLOSS : TX_PARAM_DOF_FRICTIONLOSS, NULL);
    return row->force >= frictionloss[row->id] ? 2 : row->force <= -frictionloss[row->id] ? 3 : 1;
}

static int rows_of_type(const row_table *t, int type) {
    int count = 0;
    for (int r = 0; r < t->count; r++) count += t->rows[r].type == type;
    return count;
}

static void put_rows(json_t *o, tx_sim *sim, const row_table *t) {
    const tx_model *model = tx_sim_model(sim);
    const int nv = tx_model_size(model, TX_SIZE_NV);
    const double *qvel = tx_sim_array(sim, TX_ARRAY_QVEL);
    put(o, "nefc", json_integer(t->count));
    put(o, "ne", json_integer(rows_of_type(t, TX_ROW_EQUALITY)));
    put(o, "nf", json_integer(rows_of_type(t, TX_ROW_FRICTION) + rows_of_type(t, TX_ROW_TENDON_FRICTION)));
    put(o, "nl", json_integer(rows_of_type(t, TX_ROW_LIMIT) + rows_of_type(t, TX_ROW_TENDON_LIMIT)));
    put_missing(o, "nisland", "the dense solver has no islands");
    put(o, "solver_niter", json_integer((json_int_t)tx_sim_array(sim, TX_ARRAY_ITERATIONS)[0]));
    json_t *type = json_array(), *id = json_array(), *state = json_array(), *vel = json_array();
    json_t *pos = json_array(), *margin = json_array(), *R = json_array(), *D = json_array(), *aref = json_array(),
           *force = json_array();
    for (int r = 0; r < t->count; r++) {
        const tx_row *row = &t->rows[r];
        double v = 0;
        for (int d = 0; d < nv; d++) v += t->J[(size_t)r * (size_t)nv + (size_t)d] * qvel[d];
        json_array_append_new(type, json_integer(row->type)), json_array_append_new(id, json_integer(row->id));
        json_array_append_new(state, json_integer(row_state(model, row)));
        json_array_append_new(pos, json_number(row->pos)), json_array_append_new(margin, json_number(row->margin));
        json_array_append_new(R, json_number(1 / row->D)), json_array_append_new(D, json_number(row->D));
        json_array_append_new(vel, json_number(v)), json_array_append_new(aref, json_number(row->aref));
        json_array_append_new(force, json_number(row->force));
    }
    put(o, "efc_type", type), put(o, "efc_id", id), put(o, "efc_state", state);
    put(o, "efc_pos", pos), put(o, "efc_margin", margin);
    put_missing(o, "efc_diagA", "not kept: the law keeps D alone");
    put(o, "efc_R", R), put(o, "efc_D", D);
    put_missing(o, "efc_KBIP", "not kept: the law keeps D and aref alone");
    put(o, "efc_vel", vel), put(o, "efc_aref", aref), put(o, "efc_force", force);
    size_t size = (size_t)t->count * (size_t)nv;
    if (size <= DENSE_MAX) put(o, "efc_J_dense", json_numbers(t->J, (int)size));
    else put_missing(o, "efc_J_dense", "more than a million numbers");
}

// everything of a step at the present state; forward() has been called
static bool put_state(json_t *o, tx_sim *sim) {
    const size_t nv = (size_t)tx_model_size(tx_sim_model(sim), TX_SIZE_NV);
    row_table t = {0};
    double *M = malloc(sizeof *M * (nv * nv + 1));
    bool ok = M && tx_sim_mass_matrix(sim, 0, M) == TX_OK && take_rows(sim, &t);
    if (ok) {
        put(o, "qpos", array_json(sim, TX_ARRAY_QPOS)), put(o, "qvel", array_json(sim, TX_ARRAY_QVEL));
        put(o, "M", json_numbers(M, (int)(nv * nv)));
        put(o, "qfrc_bias", array_json(sim, TX_ARRAY_QFRC_BIAS));
        put(o, "qfrc_passive", array_json(sim, TX_ARRAY_QFRC_PASSIVE));
        put(o, "qfrc_actuator", array_json(sim, TX_ARRAY_QFRC_ACTUATOR));
        put(o, "qfrc_constraint", array_json(sim, TX_ARRAY_QFRC_CONSTRAINT));
        put(o, "qacc_smooth", array_json(sim, TX_ARRAY_QACC_SMOOTH)), put(o, "qacc", array_json(sim, TX_ARRAY_QACC));
        put_contacts(o, sim, &t);
        put_rows(o, sim, &t);
    }
    free(M), free(t.rows), free(t.J);
    return ok;
}

// ---- the run -------------------------------------------------------------------------------------------------------

typedef struct run_state {
    tx_sim *sim;
    json_t *states, *first_contact;
    void *blob; // the state before the step
    size_t blob_size;
    double ncon, nefc, niter; // sums
    int first_row;            // first step with a row, 0: none yet
} run_state;

static bool is_acting(tx_sim *sim) {
    int count = 0;
    const tx_contact *contacts = tx_sim_contacts(sim, 0, &count);
    for (int i = 0; i < count; i++)
        if (contacts[i].acts) return true;
    return false;
}

// the full dump of the step just made, at its start
static bool dump_first_contact(run_state *r, int step) {
    size_t size = r->blob_size;
    char *after = malloc(size);
    bool ok = after && tx_sim_save(r->sim, after, size) == TX_OK && tx_sim_restore(r->sim, r->blob, size) == TX_OK &&
              tx_sim_forward(r->sim) == TX_OK;
    r->first_contact = json_object();
    put(r->first_contact, "step", json_integer(step));
    put(r->first_contact, "time", json_number(tx_sim_array(r->sim, TX_ARRAY_TIME)[0]));
    ok = ok && put_state(r->first_contact, r->sim) && tx_sim_restore(r->sim, after, size) == TX_OK;
    free(after);
    return ok;
}

// energy, contacts and xpos are those of the step just made, so of the state before its integration, as in MuJoCo
static void put_step(run_state *r, int step, const double energy[2], bool staged) {
    char name[16];
    int ncon = 0;
    json_t *o = json_object();
    tx_sim_contacts(r->sim, 0, &ncon);
    put(o, "time", json_number(tx_sim_array(r->sim, TX_ARRAY_TIME)[0]));
    put(o, "ncon", json_integer(ncon));
    put(o, "nefc", json_integer(tx_sim_rows(r->sim, 0, NULL, NULL, 0)));
    if (staged) put_missing(o, "energy", "MuJoCo's is that of the last stage; ours is computed by forward() alone");
    else put(o, "energy", json_numbers(energy, 2));
    put(o, "qpos", array_json(r->sim, TX_ARRAY_QPOS)), put(o, "qvel", array_json(r->sim, TX_ARRAY_QVEL));
    put(o, "xpos", array_json(r->sim, TX_ARRAY_XPOS));
    put(o, "sensordata", array_json(r->sim, TX_ARRAY_SENSORDATA));
    snprintf(name, sizeof name, "%d", step);
    put(r->states, name, o);
}

static bool one_step(run_state *r, int step, bool wanted) {
    int ncon = 0, integrator = tx_sim_options(r->sim).integrator;
    double energy[2] = {0};
    bool staged = integrator == TX_INTEGRATOR_RK4 || integrator == TX_INTEGRATOR_MIDPOINT;
    if (wanted && !staged) {
        if (tx_sim_forward(r->sim) != TX_OK) return false;
        memcpy(energy, tx_sim_array(r->sim, TX_ARRAY_ENERGY), sizeof energy);
    }
    if (!r->first_contact && tx_sim_save(r->sim, r->blob, r->blob_size) != TX_OK) return false;
    if (tx_sim_step(r->sim) != TX_OK || tx_sim_status(r->sim, 0) != TX_OK) return false;
    tx_sim_contacts(r->sim, 0, &ncon);
    int nefc = tx_sim_rows(r->sim, 0, NULL, NULL, 0);
    r->ncon += ncon, r->nefc += nefc, r->niter += tx_sim_array(r->sim, TX_ARRAY_ITERATIONS)[0];
    if (nefc > 0 && r->first_row == 0) r->first_row = step;
    if (wanted) put_step(r, step, energy, staged);
    return r->first_contact || !is_acting(r->sim) || dump_first_contact(r, step);
}

static bool put_run(json_t *root, tx_sim *sim, const int *steps, int count) {
    run_state r = {.sim = sim, .states = json_object(), .blob_size = tx_sim_state_size(sim)};
    r.blob = malloc(r.blob_size);
    int last = count ? steps[count - 1] : 0, done = 0;
    bool ok = r.blob != NULL;
    for (int next = 0; ok && done < last; done++) {
        bool wanted = steps[next] == done + 1;
        ok = one_step(&r, done + 1, wanted);
        next += wanted;
    }
    put(root, "states", r.states);
    char why[128];
    snprintf(why, sizeof why, "no contact acts in %d steps", done);
    if (r.first_contact) put(root, "first_contact", r.first_contact);
    else put_missing(root, "first_contact", why);
    put(root, "first_row", r.first_row ? json_integer(r.first_row) : json_null());
    double n = done ? done : 1;
    put(root, "mean",
        json_pack("{s:o, s:o, s:o}", "ncon", json_number(r.ncon / n), "nefc", json_number(r.nefc / n), "niter",
                  json_number(r.niter / n)));
    char status[512] = "ok";
    if (!ok) tx_sim_status_text(sim, 0, status, sizeof status);
    put(root, "status", json_string(status));
    if (!ok) fprintf(stderr, "thixis dump: stopped after %d steps: %s\n", done, status);
    free(r.blob);
    return ok;
}

// ---- given states --------------------------------------------------------------------------------------------------

// the numbers of a text file; null with a message when it holds none, or others than whole states of `size` numbers
static double *read_numbers(const char *path, int size, int *count) {
    FILE *file = fopen(path, "r");
    double *numbers = NULL, value;
    int room = 0, read = 0;
    for (*count = 0; file && (read = fscanf(file, "%lf%*[, \t\r\n]", &value)) == 1; numbers[(*count)++] = value) {
        if (*count < room) continue;
        room = 2 * room + 256;
        double *grown = realloc(numbers, sizeof *grown * (size_t)room);
        if (!grown) break;
        numbers = grown;
    }
    if (file) fclose(file);
    if (read == EOF && *count > 0 && size > 0 && *count % size == 0) return numbers;
    fprintf(stderr, "thixis dump: %s: states of %d numbers are wanted: qpos, qvel, act\n", path, size);
    free(numbers);
    return NULL;
}

static bool put_given_states(json_t *root, tx_sim *sim, const char *path) {
    static const tx_array PARTS[] = {TX_ARRAY_QPOS, TX_ARRAY_QVEL, TX_ARRAY_ACT};
    int count = 0, size = 0;
    for (int k = 0; k < COUNT(PARTS); k++) size += tx_sim_array_width(sim, PARTS[k]);
    double *numbers = read_numbers(path, size, &count), *from = numbers;
    json_t *list = json_array();
    bool ok = numbers != NULL;
    for (int i = 0; ok && i < count; i += size) {
        for (int k = 0; k < COUNT(PARTS); from += tx_sim_array_width(sim, PARTS[k++]))
            memcpy(tx_sim_array(sim, PARTS[k]), from, sizeof *from * (size_t)tx_sim_array_width(sim, PARTS[k]));
        json_t *o = json_object();
        ok = tx_sim_forward(sim) == TX_OK && put_state(o, sim);
        json_array_append_new(list, o);
    }
    put(root, "at", list);
    free(numbers);
    return ok;
}

// ---- command -------------------------------------------------------------------------------------------------------

static int dump(const char *path, tx_sim *sim, int key, const int *steps, int count, const char *at) {
    const tx_model *model = tx_sim_model(sim);
    tx_options o = tx_sim_options(sim);
    double *ctrl = tx_sim_array(sim, TX_ARRAY_CTRL);
    for (int i = 0; i < tx_model_size(model, TX_SIZE_NU); i++) ctrl[i] = 0;
    json_t *root = json_object(), *initial = json_object();
    put(root, "thixis_version", json_string(TX_VERSION));
    put_missing(root, "mujoco_version", "these numbers are not MuJoCo's");
    put(root, "model", json_string(path));
    put(root, "keyframe", json_integer(key));
    put(root, "keyname", json_string(key >= 0 ? tx_element_name(model, TX_ELEMENT_KEY, key) : ""));
    put(root, "ctrl", json_string("zero"));
    put_model(root, model, &o);
    bool ok = tx_sim_forward(sim) == TX_OK && put_state(initial, sim);
    if (ok) put(initial, "energy", array_json(sim, TX_ARRAY_ENERGY));
    put(initial, "sensordata", array_json(sim, TX_ARRAY_SENSORDATA));
    put(root, "initial", initial);
    ok = ok && put_run(root, sim, steps, count) && (!at || put_given_states(root, sim, at));
    put_missing(root, "warnings", "MuJoCo's own counters");
    ok = write_json(root, stdout) && ok;
    return ok ? EXIT_OK : EXIT_FAILED;
}

int dump_main(int argc, char **argv) {
    dump_args a = {.steps = "1,10,100,1000", .sim = sim_args_default()};
    int operands, code = EXIT_FAILED, steps[STEPS_MAX];
    arg_outcome outcome = args_parse(&dump_command, argc, argv, &a, &operands);
    if (outcome != ARGS_RUN) return outcome == ARGS_HELP ? EXIT_OK : EXIT_USAGE;
    int count = args_ints(a.steps, steps, STEPS_MAX);
    bool rising = count > 0 && steps[0] >= 0;
    for (int i = 1; i < count; i++) rising = rising && steps[i] > steps[i - 1];
    if (count == 1 && steps[0] == 0) count = 0;
    else if (!rising || steps[0] == 0)
        return args_error(&dump_command, "--steps wants rising counts such as 1,10,100, not '%s'", a.steps);
    if (a.converged) {
        static const char *const exact[] = {"tolerance=0", "ls_tolerance=1e-6", "iterations=2000", "ls_iterations=200"};
        if (a.sim.set.count + COUNT(exact) > ARG_LIST_MAX) return args_error(&dump_command, "too many --set");
        for (int i = 0; i < COUNT(exact); i++) a.sim.set.items[a.sim.set.count++] = exact[i];
    }
    tx_model *model = load_model(&dump_command, argv[0], &a.sim.load, &code);
    tx_sim *sim = model ? make_sim(&dump_command, &a.sim, model, &code) : NULL;
    if (sim) code = dump(argv[0], sim, start_key(&a.sim, model), steps, count, a.at);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
    return code;
}
