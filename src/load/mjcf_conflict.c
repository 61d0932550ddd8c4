// mjcf_conflict.c - the options of an attached model against those of the model it is attached to. <compiler conflict>
// says what happens (MuJoCo's rules): "warning", the default, keeps those of the tree; "error" refuses values that both
// give; "merge" takes what only the model gives, and of two the more careful one.
#include <string.h>

#include "base/diag.h"
#include "load/mjcf_tree.h"
#include "load/text.h"

typedef enum mode { WARNING, MERGE, ERROR } mode;

// of two values the smaller or the larger is the more careful one; NEITHER: they do not mix
typedef enum choice { NEITHER, SMALLER, LARGER } choice;

typedef struct setting {
    const char *name, *usual; // what it is where nobody says anything
    choice better;
} setting;

static const setting settings[] = {
    {"timestep", "0.002", SMALLER},
    {"tolerance", "1e-8", SMALLER},
    {"ls_tolerance", "0.01", SMALLER},
    {"noslip_tolerance", "1e-6", SMALLER},
    {"ccd_tolerance", "1e-6", SMALLER},
    {"sleep_tolerance", "1e-3", SMALLER},
    {"iterations", "100", LARGER},
    {"ls_iterations", "50", LARGER},
    {"noslip_iterations", "0", LARGER},
    {"ccd_iterations", "35", LARGER},
    {"sdf_iterations", "10", LARGER},
    {"sdf_initpoints", "40", LARGER},
    {"impratio", "1", NEITHER},
    {"density", "0", NEITHER},
    {"viscosity", "0", NEITHER},
    {"o_margin", "0", NEITHER},
    {"integrator", "Euler", NEITHER},
    {"cone", "pyramidal", NEITHER},
    {"jacobian", "auto", NEITHER},
    {"solver", "Newton", NEITHER},
    {"gravity", "0 0 -9.81", NEITHER},
    {"wind", "0 0 0", NEITHER},
    {"magnetic", "0 -0.5 0", NEITHER},
    {"o_solref", "0.02 1", NEITHER},
    {"o_solimp", "0.9 0.95 0.001 0.5 2", NEITHER},
    {"o_friction", "1 1 0.005 0.0001 0.0001", NEITHER},
    {"actuatorgroupdisable", "", NEITHER},
};

// flags that are off where nobody says anything; the others are on
static bool usually_off(const char *flag) {
    static const char *const off[] = {"override", "energy",    "fwdinv",     "invdiscrete",
                                      "sleep",    "diagexact", "speculative"};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        if (strcmp(off[i], flag) == 0) return true;
    return false;
}

// the last word of a document on an option or on a flag; taken: it took that from a model that is attached to it
typedef struct word {
    const tx_xml_attribute *attribute; // null: there is none
    bool taken;
} word;

static word find_word(const tx_tree *tree, const char *name, bool flag) {
    word found = {0};
    for (const tx_xml_element *e = tree->root->first; e; e = e->next) {
        if (strcmp(e->name, "option") != 0) continue;
        const tx_xml_attribute *here = flag ? NULL : tx_xml_find(e, name);
        for (const tx_xml_element *f = e->first; flag && f; f = f->next)
            if (tx_xml_find(f, name)) here = tx_xml_find(f, name);
        // what was taken over a value of the document itself counts as its own
        if (here) found = (word){here, e->taken && (found.taken || !found.attribute)};
    }
    return found;
}

static mode mode_of(const tx_tree *tree) {
    const char *policy = "warning";
    for (const tx_xml_element *e = tree->root->first; e; e = e->next) {
        const tx_xml_attribute *here = strcmp(e->name, "compiler") == 0 ? tx_xml_find(e, "conflict") : NULL;
        if (here && e->part == tree->own) policy = here->value;
    }
    return strcmp(policy, "merge") == 0 ? MERGE : strcmp(policy, "error") == 0 ? ERROR : WARNING;
}

enum { MOST_NUMBERS = 8 };

// negative, zero or positive as a is smaller, equal or larger; words and lists are equal or "larger"
static int compare(const char *a, const char *b) {
    double x[MOST_NUMBERS], y[MOST_NUMBERS];
    tx_number_problem problem;
    int nx = tx_read_reals(a, x, MOST_NUMBERS, &problem), ny = tx_read_reals(b, y, MOST_NUMBERS, &problem);
    if (nx < 0 || ny < 0 || nx > MOST_NUMBERS || ny > MOST_NUMBERS) return strcmp(a, b) != 0;
    if (nx == 1 && ny == 1) return (x[0] > y[0]) - (x[0] < y[0]);
    // numbers that are not given are not compared
    for (int i = 0; i < nx && i < ny; i++)
        if (x[i] != y[i]) return 1;
    return (nx == 0) != (ny == 0);
}

typedef struct conflict {
    tx_tree *tree;
    const tx_xml_element *at;
    word theirs, ours; // ours may have no attribute
    const char *usual;
    bool repeated; // it has been said
} conflict;

static const char *our_value(const conflict *c) { return c->ours.attribute ? c->ours.attribute->value : c->usual; }

static void say(const conflict *c, tx_severity severity, const char *hint, const char *format) {
    const tx_xml_attribute *a = c->theirs.attribute;
    if (!c->repeated)
        tx_diag_add(c->tree->load->diag, severity, c->at->file, a->line, a->column, hint, format, a->name, a->value,
                    our_value(c));
    if (severity == TX_SEVERITY_ERROR) c->tree->reported = true;
}

// an <option> of its own behind those of the tree
static void take(const conflict *c) {
    tx_stash *stash = c->tree->load->stash;
    bool flag = strcmp(c->at->name, "flag") == 0;
    tx_xml_element *option = tx_stash_take(stash, 2 * sizeof *option), *holder = option ? option + flag : NULL;
    tx_xml_attribute *attribute = tx_stash_take(stash, sizeof *attribute);
    if (!option || !attribute) {
        say(c, TX_SEVERITY_ERROR, "", "out of memory");
        return;
    }
    *attribute = *c->theirs.attribute;
    option[0] = (tx_xml_element){.name = "option", .file = c->at->file, .line = c->at->line, .depth = 2};
    option[1] = (tx_xml_element){.name = "flag", .file = c->at->file, .line = c->at->line, .depth = 3};
    holder->attributes = attribute;
    holder->attribute_count = 1;
    if (flag) tx_tree_append(&option[0], &option[1]);
    option[0].part = option[1].part = c->tree->own;
    option[0].taken = true;
    tx_tree_append(c->tree->root, option);
}

#define KEPT "'%s' of an attached model is not used: it says %s, the model %s"

// Who gives a value? Where neither document does but for what it took, what is not usual counts as given.
static void settle(const conflict *c, mode how, choice better) {
    const char *theirs = c->theirs.attribute->value;
    int order = compare(theirs, our_value(c));
    bool given = !c->theirs.taken, ours_given = c->ours.attribute && !c->ours.taken;
    if (!given && !ours_given) {
        given = compare(theirs, c->usual) != 0;
        ours_given = compare(our_value(c), c->usual) != 0;
    }
    if (order == 0 || !given) return;
    if (how == WARNING || (how == ERROR && !ours_given)) {
        say(c, TX_SEVERITY_WARNING, "conflict=\"merge\" in <compiler> of the model takes it", KEPT);
    } else if (how == ERROR || (ours_given && better == NEITHER)) {
        say(c, TX_SEVERITY_ERROR, "both models give it", "'%s' of an attached model is %s, that of the model is %s");
    } else if (!ours_given || (better == SMALLER ? order < 0 : order > 0)) {
        take(c);
    }
}

// a flag counts only where it changes something
static void settle_flag(const conflict *c, mode how) {
    const char *theirs = c->theirs.attribute->value;
    if (strcmp(theirs, our_value(c)) == 0) return;
    bool unusual = strcmp(theirs, c->usual) != 0;
    if (how == MERGE && unusual) take(c);
    else if (how == ERROR && c->ours.attribute)
        say(c, TX_SEVERITY_ERROR, "both models give it",
            "flag '%s' of an attached model is %s, that of the model is %s");
    else if (how != MERGE)
        say(c, TX_SEVERITY_WARNING, "conflict=\"merge\" in <compiler> of the model takes it", "flag " KEPT);
}

void tx_tree_merge_options(tx_tree *tree, const tx_tree *model) {
    mode how = mode_of(tree);
    for (const tx_xml_element *e = model->root->first; e; e = e->next) {
        if (strcmp(e->name, "option") != 0) continue;
        for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
            const setting *s = &settings[i];
            word theirs = find_word(model, s->name, false);
            if (!theirs.attribute || theirs.attribute != tx_xml_find(e, s->name)) continue;
            conflict c = {tree, e, theirs, find_word(tree, s->name, false), s->usual, model->attached > 0};
            settle(&c, how, s->better);
        }
        for (const tx_xml_element *flag = e->first; flag; flag = flag->next)
            for (int i = 0; i < flag->attribute_count; i++) {
                const char *name = flag->attributes[i].name;
                word theirs = find_word(model, name, true);
                if (theirs.attribute != &flag->attributes[i]) continue;
                conflict c = {tree,
                              flag,
                              theirs,
                              find_word(tree, name, true),
                              usually_off(name) ? "disable" : "enable",
                              model->attached > 0};
                settle_flag(&c, how);
            }
    }
}
