// mjcf_read.c - attributes and children by table, with a message for everything that does not fit.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "load/mjcf.h"
#include "load/text.h"

const tx_mjcf_keyword tx_mjcf_bool[] = {{"false", .value = 0}, {"true", .value = 1}, {0}};
const tx_mjcf_keyword tx_mjcf_switch[] = {
    {"false", .value = TX_SWITCH_OFF}, {"true", .value = TX_SWITCH_ON}, {"auto", .value = TX_SWITCH_AUTO}, {0}};
const tx_mjcf_keyword tx_mjcf_flag[] = {{"disable", .value = 0}, {"enable", .value = 1}, {0}};

// ---- problems ----------------------------------------------------------------------------------------------------

// remembers that an element and those around it have an error
static void mark_faulty(tx_mjcf *m, tx_xml_element *element) {
    for (; element && !element->faulty; element = element->parent) {
        element->faulty = true;
        tx_mjcf_place *place = tx_stash_take(m->stash, sizeof *place);
        if (!place) {
            m->out_of_memory = true;
            return;
        }
        *place = (tx_mjcf_place){m->faulty, element};
        m->faulty = place;
    }
}

void tx_mjcf_problem(tx_mjcf *m, tx_severity severity, tx_xml_element *element, const tx_xml_attribute *attribute,
                     const char *hint, const char *format, ...) {
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    int line = attribute ? attribute->line : element->line, column = attribute ? attribute->column : element->column;
    bool said = element->repeated && tx_diag_has(m->diag, element->file, line, column, text);
    if (!said) tx_diag_add(m->diag, severity, element->file, line, column, hint ? hint : "", "%s", text);
    if (severity == TX_SEVERITY_ERROR) mark_faulty(m, element);
}

static void tell(tx_mjcf *m, const tx_xml_element *element, tx_mjcf_treatment how, const tx_mjcf_attr *attrs) {
    if (m->survey) m->survey->seen(m->survey, element, how, attrs);
}

void tx_mjcf_pass_over(tx_mjcf *m, const tx_xml_element *element) { tell(m, element, TX_MJCF_PASSED_OVER, NULL); }

// what does without a plugin what one of MuJoCo's does
static const char *instead_of_plugin(const char *name) {
    static const struct {
        const char *begins, *hint;
    } KNOWN[] = {
        {"mujoco.pid", "<pid> is nearly the same: kd is its kv, imax is of the integral"},
        {"mujoco.sdf.", "a mesh of <geom type=\"sdf\"> becomes a field of distances"},
        {"mujoco.sensor.", "<contact> and <touch> sense contacts"},
    };
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (strncmp(name, KNOWN[i].begins, strlen(KNOWN[i].begins)) == 0) return KNOWN[i].hint;
    return "";
}

void tx_mjcf_waiting(tx_mjcf *m, tx_xml_element *element, const char *hint) {
    const tx_xml_attribute *plugin = strcmp(element->name, "plugin") == 0 ? tx_xml_find(element, "plugin") : NULL;
    tell(m, element, TX_MJCF_WAITS, NULL);
    m->incomplete = true;
    if (plugin)
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, plugin, instead_of_plugin(plugin->value),
                        "plugin '%.60s' cannot be loaded: plugins are compiled for MuJoCo", plugin->value);
    else tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, hint, "<%s> is not supported yet", element->name);
}

tx_source tx_mjcf_source(const tx_xml_element *element) {
    return (tx_source){element->file, element->line, element->column};
}

void tx_mjcf_check_index(tx_mjcf *m, int index) {
    if (index < 0) m->out_of_memory = true;
}

// ---- one attribute -----------------------------------------------------------------------------------------------

// where a problem stands: shared by the readers below
typedef struct place {
    tx_mjcf *m;
    tx_xml_element *element;
    const tx_xml_attribute *attribute;
} place;

static bool bad_number(place at, const tx_number_problem *problem, bool whole) {
    static const char *const what[] = {"", "not a number", "not a finite number", "too large for a whole number"};
    bool comma = memchr(problem->word, ',', (size_t)problem->length) != NULL;
    bool not_whole = whole && problem->error == TX_NUMBER_BAD;
    tx_mjcf_problem(at.m, TX_SEVERITY_ERROR, at.element, at.attribute, comma ? "separate numbers by spaces" : "",
                    "'%.*s' in attribute '%s' of <%s> is %s", problem->length, problem->word, at.attribute->name,
                    at.element->name, not_whole ? "not a whole number" : what[problem->error]);
    return false;
}

static bool not_yet(place at, tx_severity severity, const char *hint) {
    tx_mjcf_problem(at.m, severity, at.element, at.attribute, hint, "attribute '%s' of <%s> is not supported yet",
                    at.attribute->name, at.element->name);
    return severity != TX_SEVERITY_ERROR;
}

// compares how many numbers there are with how many there may be
static bool check_count(place at, const tx_mjcf_attr *attr, int count) {
    if (count >= attr->min && count <= attr->max) return true;
    char range[32];
    if (attr->min == attr->max) {
        snprintf(range, sizeof range, "%d", attr->max);
    } else {
        snprintf(range, sizeof range, "%d to %d", attr->min, attr->max);
    }
    // the first ones of too many can be used
    bool usable = count > attr->max && at.m->lenient && !at.m->strict;
    tx_mjcf_problem(at.m, usable ? TX_SEVERITY_WARNING : TX_SEVERITY_ERROR, at.element, at.attribute,
                    usable ? "the first ones count" : "", "attribute '%s' of <%s> has %d number%s; it takes %s",
                    at.attribute->name, at.element->name, count, count == 1 ? "" : "s", range);
    return usable;
}

#define NUMBERS_MAX 16

static bool read_numbers(place at, const tx_mjcf_attr *attr, void *value, int *given) {
    double reals[NUMBERS_MAX];
    int ints[NUMBERS_MAX];
    tx_number_problem problem;
    const char *text = at.attribute->value;
    int count = attr->kind == TX_MJCF_INT ? tx_read_ints(text, ints, attr->max, &problem)
                                          : tx_read_reals(text, reals, attr->max, &problem);
    if (count < 0) return bad_number(at, &problem, attr->kind == TX_MJCF_INT);
    *given = count;
    if (!count) return true; // an empty value says nothing, as in MuJoCo
    if (!check_count(at, attr, count)) return false;
    for (int i = 0; i < count && i < attr->max; i++) {
        if (attr->kind == TX_MJCF_INT) {
            ((int *)value)[i] = ints[i];
        } else if (attr->kind == TX_MJCF_REAL) {
            ((double *)value)[i] = reals[i];
        } else {
            ((float *)value)[i] = (float)reals[i];
        }
    }
    return true;
}

static bool read_list(place at, tx_mjcf_list *list) {
    tx_number_problem problem;
    int count = tx_read_reals(at.attribute->value, NULL, 0, &problem);
    if (count < 0) return bad_number(at, &problem, false);
    double *values = tx_stash_take(at.m->stash, ((size_t)count + 1) * sizeof *values);
    if (!values) {
        at.m->out_of_memory = true;
        return false;
    }
    tx_read_reals(at.attribute->value, values, count, &problem);
    *list = (tx_mjcf_list){values, count};
    return true;
}

static bool read_intlist(place at, tx_mjcf_intlist *list) {
    tx_number_problem problem;
    int count = tx_read_ints(at.attribute->value, NULL, 0, &problem);
    if (count < 0) return bad_number(at, &problem, true);
    int *values = tx_stash_take(at.m->stash, ((size_t)count + 1) * sizeof *values);
    if (!values) {
        at.m->out_of_memory = true;
        return false;
    }
    tx_read_ints(at.attribute->value, values, count, &problem);
    *list = (tx_mjcf_intlist){values, count};
    return true;
}

static bool read_word(place at, const tx_mjcf_attr *attr, const char *word, int *value) {
    for (const tx_mjcf_keyword *k = attr->keywords; k->name; k++) {
        if (strcmp(word, k->name) != 0) continue;
        *value = k->value;
        if (!k->waiting) return true;
        tx_mjcf_problem(at.m, TX_SEVERITY_ERROR, at.element, at.attribute, k->hint,
                        "%s '%s' of <%s> is not supported yet", attr->name, word, at.element->name);
        return false;
    }
    tx_nearest nearest = tx_nearest_start(word);
    char all[128] = "one of";
    size_t used = strlen(all);
    for (const tx_mjcf_keyword *k = attr->keywords; k->name && !at.element->repeated; k++) {
        tx_nearest_offer(&nearest, k->name, strlen(k->name));
        if (!k->waiting) used += (size_t)snprintf(all + used, sizeof all - used, " '%s'", k->name);
        if (used >= sizeof all) used = sizeof all - 1;
    }
    char hint[160];
    if (nearest.best[0]) {
        snprintf(hint, sizeof hint, "did you mean '%s'?", nearest.best);
    } else {
        snprintf(hint, sizeof hint, "%s", all);
    }
    tx_mjcf_problem(at.m, TX_SEVERITY_ERROR, at.element, at.attribute, hint,
                    "'%.60s' is not a value of attribute '%s' of <%s>", word, attr->name, at.element->name);
    return false;
}

static bool read_keyword(place at, const tx_mjcf_attr *attr, int *value) {
    return read_word(at, attr, at.attribute->value, value);
}

// words in the order of the list, each once at most
static bool read_words(place at, const tx_mjcf_attr *attr, int *bits) {
    int last = -1, value = 0, found = 0;
    for (const char *text = at.attribute->value; *(text += strspn(text, " \t\n\r"));) {
        char word[64];
        size_t length = strcspn(text, " \t\n\r");
        snprintf(word, sizeof word, "%.*s", (int)(length < 63 ? length : 63), text);
        text += length;
        if (!read_word(at, attr, word, &value)) return false;
        if (value <= last) {
            tx_mjcf_problem(at.m, TX_SEVERITY_ERROR, at.element, at.attribute, "",
                            "'%s' stands too late in attribute '%s' of <%s>", word, attr->name, at.element->name);
            return false;
        }
        last = value;
        found |= 1 << value;
    }
    if (found) *bits = found;
    return true;
}

// whether a value is one that changes nothing
static bool is_neutral(const char *value, const char *neutral) {
    if ((neutral[0] >= '0' && neutral[0] <= '9') || neutral[0] == '-') {
        double allowed[NUMBERS_MAX], values[NUMBERS_MAX];
        tx_number_problem problem;
        int known = tx_read_reals(neutral, allowed, NUMBERS_MAX, &problem);
        int count = tx_read_reals(value, values, NUMBERS_MAX, &problem);
        bool same = count >= 0 && count <= NUMBERS_MAX;
        for (int i = 0; same && i < count; i++) same = values[i] == allowed[i < known ? i : known - 1];
        return same;
    }
    return tx_has_word(neutral, value);
}

static bool read_attribute(place at, const tx_mjcf_attr *attr, char *target) {
    void *value = target + attr->offset;
    int given = 1, word = 0;
    bool good = true;
    switch (attr->kind) {
    case TX_MJCF_REAL:
    case TX_MJCF_FLOAT:
    case TX_MJCF_INT: good = read_numbers(at, attr, value, &given); break;
    case TX_MJCF_LIST: good = read_list(at, value); break;
    case TX_MJCF_INTLIST: good = read_intlist(at, value); break;
    case TX_MJCF_KEYWORD:
        word = *(int *)value;
        good = read_keyword(at, attr, &word);
        *(int *)value = word;
        break;
    case TX_MJCF_BOOL:
        word = *(bool *)value;
        good = read_keyword(at, attr, &word);
        *(bool *)value = word != 0;
        break;
    case TX_MJCF_WORDS: good = read_words(at, attr, value); break;
    case TX_MJCF_TEXT: *(const char **)value = at.attribute->value; break;
    case TX_MJCF_IGNORED: break;
    case TX_MJCF_NEUTRAL:
        if (!is_neutral(at.attribute->value, attr->neutral)) {
            good = not_yet(at, attr->flags & TX_MJCF_WARNING ? TX_SEVERITY_WARNING : TX_SEVERITY_ERROR, attr->hint);
        }
        break;
    }
    if (good && attr->given) {
        // a default may have given more numbers than the element that changes the first ones
        int *most = (int *)(target + attr->given);
        if (given > *most) *most = given;
    }
    return good;
}

// ---- all attributes of an element --------------------------------------------------------------------------------

// an attribute that no line of the element's table reads: valid MJCF that waits, or a typing error
// returns false when that is an error
static bool report_attribute(place at, const tx_mjcf_attr *attrs, const tx_mjcf_known *known) {
    if (tx_mjcf_known_attribute(known, at.attribute->name)) return not_yet(at, TX_SEVERITY_ERROR, "");
    // xmlns and its like
    if (at.m->lenient && (strchr(at.attribute->name, ':') || strcmp(at.attribute->name, "xmlns") == 0)) return true;
    tx_nearest nearest = tx_nearest_start(at.attribute->name);
    const bool said = at.element->repeated; // in a million copies the search would be what takes the time
    for (const tx_mjcf_attr *a = attrs; a && a->name && !said; a++)
        tx_nearest_offer(&nearest, a->name, strlen(a->name));
    if (known && !said) tx_nearest_offer_all(&nearest, known->attributes);
    char hint[80] = "";
    if (nearest.best[0]) snprintf(hint, sizeof hint, "did you mean '%s'?", nearest.best);
    tx_mjcf_problem(at.m, at.m->lenient ? TX_SEVERITY_WARNING : TX_SEVERITY_ERROR, at.element, at.attribute, hint,
                    "unknown attribute '%.60s' in <%s>", at.attribute->name, at.element->name);
    return at.m->lenient;
}

static const tx_mjcf_attr *find_attr(const tx_mjcf_attr *attrs, const char *name) {
    for (; attrs->name; attrs++) {
        if (strcmp(attrs->name, name) == 0) return attrs;
    }
    return NULL;
}

static bool read_all(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_attr *attrs, void *target, bool in_default) {
    bool good = true;
    char unused = 0;
    tell(m, element, TX_MJCF_BY_TABLE, attrs);
    if (!target) target = &unused; // a table that keeps nothing
    for (int i = 0; i < element->attribute_count; i++) {
        place at = {m, element, &element->attributes[i]};
        const tx_mjcf_attr *attr = find_attr(attrs, at.attribute->name);
        if (attr && !(in_default && (attr->flags & TX_MJCF_NOT_IN_DEFAULT))) {
            good &= read_attribute(at, attr, target);
        } else {
            good &= report_attribute(at, attr ? NULL : attrs, m->lenient ? NULL : tx_mjcf_known_find(element));
        }
    }
    for (const tx_mjcf_attr *attr = attrs; attr->name; attr++) {
        if (!(attr->flags & TX_MJCF_REQUIRED) || in_default || tx_xml_find(element, attr->name)) continue;
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, "", "<%s> needs attribute '%s'", element->name,
                        attr->name);
        good = false;
    }
    return good;
}

bool tx_mjcf_read(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_attr *attrs, void *target) {
    return read_all(m, element, attrs, target, false);
}

bool tx_mjcf_read_default(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_attr *attrs, void *target) {
    return read_all(m, element, attrs, target, true);
}

void tx_mjcf_no_attributes(tx_mjcf *m, tx_xml_element *element) {
    static const tx_mjcf_attr none[] = {{0}};
    read_all(m, element, none, NULL, false);
}

// ---- children ----------------------------------------------------------------------------------------------------

static void report_text(tx_mjcf *m, const tx_xml_element *element) {
    if (!element->text_line) return;
    tx_diag_add(m->diag, TX_SEVERITY_WARNING, element->file, element->text_line, element->text_column,
                "values stand in attributes, comments in <!-- -->", "text inside <%s> is ignored", element->name);
}

// a child that no line of the parent's table reads, where other programs may have left something of theirs
static void report_foreign(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_child *table) {
    tx_nearest nearest = tx_nearest_start(element->name);
    for (; table->name; table++) tx_nearest_offer(&nearest, table->name, strlen(table->name));
    char hint[80] = "it is ignored";
    if (nearest.best[0]) snprintf(hint, sizeof hint, "did you mean <%s>?", nearest.best);
    tx_mjcf_problem(m, TX_SEVERITY_WARNING, element, NULL, hint, "unknown element <%.60s> in <%s>", element->name,
                    element->parent->name);
}

static bool is_deformable(const tx_xml_element *element) {
    static const char *const words[] = {"flexcomp", "deformable", "flex", "flexvert", "flexstrain"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(element->name, words[i]) == 0) return true;
    return false;
}

static void check_names(tx_mjcf *m, tx_xml_element *element, bool pass_over);

// the same in MJCF
static void report_element(tx_mjcf *m, tx_xml_element *element) {
    if (tx_mjcf_known_find(element)) {
        bool empty_section = element->depth == 2 && !element->first && !element->attribute_count;
        const bool soft = is_deformable(element);
        if (!empty_section)
            tx_mjcf_waiting(m, element,
                            soft ? "deformables are not simulated, and the others would move without them" : "");
        // what is wrong in it is said all the same
        if (soft) check_names(m, element, false);
        return;
    }
    char best[48], hint[96] = "";
    tx_mjcf_nearest_element(element, best);
    const char *home = tx_mjcf_known_parent(element->name);
    if (best[0]) {
        snprintf(hint, sizeof hint, "did you mean <%s>?", best);
    } else if (home && home[0]) {
        snprintf(hint, sizeof hint, "<%s> belongs in <%s>", element->name, home);
    }
    tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, NULL, hint, "unknown element <%.60s> in <%s>", element->name,
                    element->parent->name);
    m->incomplete = true;
}

// that an element and all below it have only names that MJCF knows
static void check_names(tx_mjcf *m, tx_xml_element *element, bool pass_over) {
    const tx_mjcf_known *known = tx_mjcf_known_find(element);
    if (pass_over) tx_mjcf_pass_over(m, element);
    for (int i = 0; i < element->attribute_count; i++) {
        place at = {m, element, &element->attributes[i]};
        if (!tx_mjcf_known_attribute(known, at.attribute->name)) report_attribute(at, NULL, known);
    }
    report_text(m, element);
    for (tx_xml_element *child = element->first; child; child = child->next) {
        if (tx_mjcf_known_find(child)) {
            check_names(m, child, pass_over);
        } else {
            report_element(m, child);
        }
    }
}

void tx_mjcf_accept(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    check_names(m, element, true);
}

#define TABLE_MAX 64

void tx_mjcf_children(tx_mjcf *m, tx_xml_element *parent, const tx_mjcf_child *table, int phase, void *context) {
    if (phase == 0) report_text(m, parent);
    const tx_mjcf_child none[] = {{0}};
    if (!table) table = none;
    bool seen[TABLE_MAX] = {0};
    for (tx_xml_element *child = parent->first; child && !m->out_of_memory; child = child->next) {
        bool known = false;
        for (int i = 0; i < TABLE_MAX && table[i].name; i++) {
            if (strcmp(table[i].name, child->name) != 0) continue;
            known = true;
            if (table[i].phase != phase) continue;
            if (table[i].once && seen[i]) {
                tx_mjcf_problem(m, tx_mjcf_mended(m), child, NULL, m->lenient ? "the first one counts" : "",
                                "<%s> may stand only once in <%s>", child->name, parent->name);
            } else {
                tx_mjcf_part *outer = m->part;
                m->part = child->part ? child->part : &m->main;
                table[i].read(m, child, context);
                m->part = outer;
            }
            seen[i] = true;
        }
        if (known || phase != 0) continue;
        if (m->lenient) {
            report_foreign(m, child, table);
        } else {
            report_element(m, child);
        }
    }
}
