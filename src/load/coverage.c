// coverage.c - see coverage.h. The loader reads a file that has every element once and tells by which table.
#include "load/coverage.h"

#include <string.h>

#include "load/mjcf.h"
#include "load/text.h"
#include "load/urdf.h"

// ---- reasons -------------------------------------------------------------------------------------------------------

typedef struct reason {
    const char *elements; // with blanks between; "": any
    const char *names;    // of attributes
    const char *why;      // null: it is used, elsewhere than by the table
} reason;

// attributes that the tables ignore; the first line that fits counts
static const reason ATTRIBUTES[] = {
    {"", "class childclass", NULL},
    {"replicate", "count sep", NULL},
    {"attach", "model body frame prefix", NULL},
    {"model", "name file", NULL},
    {"numeric", "name size", NULL},
    {"link", "type", "of other programs"},
    {"visual collision", "group concave", "of other programs"},
    {"", "version", "of other programs"},
    {"", "user nuserdata nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor",
     "numbers of the user are not kept"},
    {"", "name", "nothing refers to it"},
    {"joint freejoint fixed spatial", "group", "pictures"},
    {"", "rgba material width emission specular shininess reflectance metallic roughness", "pictures"},
    {"", "normal smoothnormal", "pictures"},
    {"texture", "colorspace embed", "pictures"},
    {"", "content_type", "the ending of the file says it"},
    {"", "memory njmax nconmax nstack usethread jacobian midphase island", "memory and speed"},
    {"", "ccd_iterations ccd_tolerance sdf_iterations sdf_initpoints", "numbers of MuJoCo's own collision search"},
    {"", "simple", "the motion is the same either way"},
    {"", "energy fwdinv autoreset", "the motion is the same either way"},
    {"", "meanmass meansize extent center", "pictures"},
    {"", "saveinertial savecanonical savecompiled passthrough conflict", "of MuJoCo's own tools"},
    {"geom", "castshadow", "pictures"},
    {"camera", "output", "pictures"},
    {"user", "datatype needstage objtype objname", "nothing is measured"},
    {"", "acceleration deceleration jerk", "nothing enforces them"},
};

// elements that are passed over, by themselves or by what is around them
static const reason ELEMENTS[] = {
    {"plugin instance", "instance config", "**reported** with its plugin"},
    {"sensor", "plugin", "**reported**: left out with a warning, `sensordata` lacks them"},
    {"asset", "skin", "**reported**: not drawn"},
    {"mujoco", "visual", "pictures"},
    {"visual skin default body asset", "global quality headlight map scale rgba bone light", "pictures"},
    {"custom tuple", "numeric text tuple element",
     "the user's own; names `thixis.*` are options or numbers of geoms (laws.md), others of that kind errors"},
    {"robot", "transmission gazebo ros2_control sensor plugin", "of other programs"},
    {"material", "texture", "pictures"},
    {"visual collision", "verbose contact_coefficients", "of other programs"},
    {"joint", "safety_controller calibration", "of other programs"},
};

static const char UNEXPLAINED[] = "NOBODY HAS SAID WHY: src/load/coverage.c";

// what the tables do not say
static const reason NOTES[] = {
    {"compiler", "coordinate", "local"},
    {"option", "solver", "PGS stops by what a sweep gains, like MuJoCo's"},
    {"flexcomp flex", "name", "read and checked; **reported**, for nothing simulates it"},
    {"general", "dyntype", "not user"},
    {"general", "gaintype biastype", "user with a warning: 1 and 0"},
    {"general", "actdim", "what its dynamics have"},
    {"limit", "velocity", "reported: nothing enforces it"},
};

static bool fits(const reason *r, const char *element, const char *name) {
    return (!r->elements[0] || tx_has_word(r->elements, element)) && tx_has_word(r->names, name);
}

static const reason *find(const reason *list, size_t count, const char *element, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (fits(&list[i], element, name)) return &list[i];
    return NULL;
}
#define FIND(list, element, name) find(list, sizeof list / sizeof *list, element, name)

// ---- what the loader does ------------------------------------------------------------------------------------------

enum { ENTRIES_MAX = 320 };

typedef struct entry {
    const char *parent, *name;
    const tx_mjcf_known *known; // null in a URDF
    tx_mjcf_treatment how;
    const tx_mjcf_attr *attrs;
} entry;

typedef struct coverage {
    tx_mjcf_survey survey; // first: it is given back by the loader
    entry entries[ENTRIES_MAX];
    int count;
    bool mjcf, unexplained;
    FILE *out;
} coverage;

// of an element that is read more than once the strongest treatment counts
static void note(tx_mjcf_survey *survey, const tx_xml_element *element, tx_mjcf_treatment how,
                 const tx_mjcf_attr *attrs) {
    coverage *c = (coverage *)survey;
    const tx_mjcf_known *known = c->mjcf ? tx_mjcf_known_find(element) : NULL;
    const char *parent = known ? known->parent : element->parent ? element->parent->name : "";
    int i = 0;
    while (i < c->count &&
           (strcmp(c->entries[i].name, element->name) != 0 || strcmp(c->entries[i].parent, parent) != 0))
        i++;
    if (i == ENTRIES_MAX) return;
    if (i == c->count) c->entries[c->count++] = (entry){parent, element->name, known, TX_MJCF_UNSEEN, NULL};
    if (c->entries[i].how == TX_MJCF_BY_TABLE) return;
    c->entries[i].how = how, c->entries[i].attrs = attrs;
}

static tx_xml_element *add_element(tx_stash *stash, tx_xml_element *parent, const char *name) {
    tx_xml_element *element = tx_stash_take(stash, sizeof *element);
    if (!element) return NULL;
    *element = (tx_xml_element){.name = name, .file = "", .depth = parent ? parent->depth + 1 : 1, .parent = parent};
    if (!parent) return element;
    *(parent->last ? &parent->last->next : &parent->first) = element;
    parent->last = element;
    return element;
}

static bool inside(const tx_xml_element *element, const char *name) {
    for (; element; element = element->parent)
        if (strcmp(element->name, name) == 0) return true;
    return false;
}

// everything that may stand in an element, once: what a body has stands in a body, not in the world or in frames
static bool add_all(tx_stash *stash, tx_xml_element *element) {
    bool world = strcmp(element->name, "worldbody") == 0;
    for (int i = 0; tx_mjcf_known_row(i); i++) {
        const tx_mjcf_known *row = tx_mjcf_known_row(i);
        if (strcmp(row->parent, world ? "body" : element->name) != 0 || inside(element, row->name)) continue;
        if (world && strcmp(row->name, "body") != 0) continue;
        tx_xml_element *child = add_element(stash, element, row->name);
        if (!child || !add_all(stash, child)) return false;
    }
    return true;
}

static bool survey_mjcf(coverage *c, tx_stash *stash, tx_builder *builder, tx_diag *diag) {
    tx_xml_element *root = add_element(stash, NULL, "mujoco");
    if (!root || !add_all(stash, root)) return false;
    tx_mjcf_parse(stash, root, NULL, NULL, false, builder, diag, &c->survey);
    return true;
}

static bool survey_urdf(coverage *c, tx_stash *stash, tx_builder *builder, tx_diag *diag) {
    static const char robot[] =
        "<robot name='r'><transmission/><gazebo/><ros2_control/><sensor/><plugin/>"
        "<material name='m'><color rgba='1 1 1 1'/><texture/></material>"
        "<link name='a'><inertial><origin/><mass value='1'/>"
        "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
        "<visual><origin/><geometry><box size='1 1 1'/></geometry><material name='m'/><verbose/></visual>"
        "<collision><geometry><cylinder radius='1' length='1'/></geometry><contact_coefficients/></collision>"
        "<collision><geometry><sphere radius='1'/></geometry></collision>"
        "<collision><geometry><capsule radius='1' length='1'/></geometry></collision>"
        "<collision><geometry><mesh filename='x.stl'/></geometry></collision></link>"
        "<link name='b'/><joint name='j' type='revolute'><origin/><parent link='a'/><child link='b'/><axis/><limit/>"
        "<dynamics/><mimic joint='j'/><safety_controller/><calibration/></joint></robot>";
    tx_xml_element *root = tx_xml_parse(stash, robot, sizeof robot - 1, "", 1, diag);
    if (!root) return false;
    tx_urdf_parse(stash, root, NULL, NULL, builder, diag, &c->survey);
    return true;
}

// ---- text ----------------------------------------------------------------------------------------------------------

static const tx_mjcf_attr *find_attr(const entry *e, const char *name, size_t length) {
    for (const tx_mjcf_attr *a = e->attrs; a && a->name; a++)
        if (strlen(a->name) == length && memcmp(a->name, name, length) == 0) return a;
    return NULL;
}

static void write_read(coverage *c, const entry *e) {
    for (const tx_mjcf_attr *a = e->attrs; a->name; a++) {
        const reason *elsewhere = a->kind == TX_MJCF_IGNORED ? FIND(ATTRIBUTES, e->name, a->name) : NULL;
        bool read = a->kind != TX_MJCF_IGNORED && a->kind != TX_MJCF_NEUTRAL;
        if (!read && !(elsewhere && !elsewhere->why)) continue;
        fprintf(c->out, " `%s`", a->name);
        const reason *but = FIND(NOTES, e->name, a->name);
        if (but) fprintf(c->out, " (%s)", but->why);
    }
}

static const char *why_ignored(const entry *e, const tx_mjcf_attr *a) {
    const reason *r = FIND(ATTRIBUTES, e->name, a->name);
    return r ? r->why : UNEXPLAINED;
}

// attributes that are ignored, each reason once
static void write_ignored(coverage *c, const entry *e) {
    const char *between = " ";
    for (const tx_mjcf_attr *first = e->attrs; first->name; first++) {
        const char *why = first->kind == TX_MJCF_IGNORED ? why_ignored(e, first) : NULL;
        bool said = !why;
        for (const tx_mjcf_attr *a = e->attrs; !said && a < first; a++)
            said = a->kind == TX_MJCF_IGNORED && why_ignored(e, a) && strcmp(why_ignored(e, a), why) == 0;
        if (said) continue;
        fprintf(c->out, "%s", between);
        for (const tx_mjcf_attr *a = first; a->name; a++)
            if (a->kind == TX_MJCF_IGNORED && why_ignored(e, a) && strcmp(why_ignored(e, a), why) == 0)
                fprintf(c->out, "`%s` ", a->name);
        fprintf(c->out, "(%s)", why);
        between = " · ";
        c->unexplained = c->unexplained || strcmp(why, UNEXPLAINED) == 0;
    }
}

// an element in a hint would be taken for HTML
static void write_warning(coverage *c, const char *hint) {
    fprintf(c->out, hint ? " (warning: " : " (warning");
    for (; hint && *hint; hint++) fprintf(c->out, *hint == '<' ? "&lt;" : "%c", *hint);
    fprintf(c->out, ")");
}

// attributes of which only some values are supported, and those that are not
static void write_limited(coverage *c, const entry *e) {
    const char *between = " ";
    for (const tx_mjcf_attr *a = e->attrs; a->name; a++) {
        if (a->kind != TX_MJCF_NEUTRAL) continue;
        fprintf(c->out, "%s`%s`", between, a->name);
        if (a->neutral[0]) fprintf(c->out, " other than %s", a->neutral);
        if (a->flags & TX_MJCF_WARNING) write_warning(c, a->hint);
        between = " · ";
    }
    const char *word = e->known ? e->known->attributes : "";
    for (size_t length; (length = strcspn(word, " ")) > 0; word += length, word += strspn(word, " ")) {
        if (find_attr(e, word, length)) continue;
        fprintf(c->out, "%s`%.*s`", between, (int)length, word);
        between = " · ";
    }
}

static void write_row(coverage *c, const entry *e) {
    bool holds_only = e->how == TX_MJCF_BY_TABLE && !e->attrs->name && !(e->known && e->known->attributes[0]);
    if (holds_only) return;
    fprintf(c->out, "| `%s` |", e->name);
    if (e->how == TX_MJCF_BY_TABLE) {
        write_read(c, e);
        fprintf(c->out, " |");
        write_ignored(c, e);
        fprintf(c->out, " |");
        write_limited(c, e);
    } else if (e->how == TX_MJCF_PASSED_OVER) {
        const reason *why = FIND(ELEMENTS, e->parent, e->name);
        c->unexplained = c->unexplained || !why;
        fprintf(c->out, " | all of it (%s) |", why ? why->why : UNEXPLAINED);
    } else fprintf(c->out, " | | all of it");
    fprintf(c->out, " |\n");
}

static void write_heading(coverage *c, const char *parent) {
    fprintf(c->out, "\n### In `<%s>`\n| element | supported | read and ignored | reported |\n|---|---|---|---|\n",
            parent);
}

static const entry *entry_of(const coverage *c, const char *parent, const char *name) {
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->entries[i].parent, parent) == 0 && strcmp(c->entries[i].name, name) == 0) return &c->entries[i];
    return NULL;
}

// in the order of the list of names; elements inside one that waits wait with it
static void write_mjcf(coverage *c) {
    const char *parent = "";
    for (int i = 1; tx_mjcf_known_row(i); i++) {
        const tx_mjcf_known *row = tx_mjcf_known_row(i);
        const entry *e = entry_of(c, row->parent, row->name);
        if (!e || strcmp(row->parent, "default") == 0) continue;
        // one table for each parent, where its first element stands
        bool first = true;
        for (int k = 1; k < i; k++) first = first && strcmp(tx_mjcf_known_row(k)->parent, row->parent) != 0;
        if (!first) continue;
        write_heading(c, parent = row->parent);
        for (int k = i; tx_mjcf_known_row(k); k++) {
            const entry *other = entry_of(c, parent, tx_mjcf_known_row(k)->name);
            if (strcmp(tx_mjcf_known_row(k)->parent, parent) == 0 && other) write_row(c, other);
        }
    }
}

static void write_urdf(coverage *c) {
    for (int i = 0; i < c->count; i++) {
        bool first = true;
        for (int k = 0; k < i; k++) first = first && strcmp(c->entries[k].parent, c->entries[i].parent) != 0;
        if (!first || !c->entries[i].parent[0]) continue;
        write_heading(c, c->entries[i].parent);
        for (int k = i; k < c->count; k++)
            if (strcmp(c->entries[k].parent, c->entries[i].parent) == 0) write_row(c, &c->entries[k]);
    }
}

// reads one of each and writes what was seen, while the names of the elements are there
static bool cover(bool mjcf, FILE *out) {
    coverage c = {.survey = {.seen = note}, .mjcf = mjcf, .out = out};
    tx_stash stash = {.limit = TX_XML_MEMORY_MAX};
    tx_diag diag = {0};
    tx_builder *builder = tx_builder_create();
    bool good = builder && (mjcf ? survey_mjcf : survey_urdf)(&c, &stash, builder, &diag);
    if (good) (mjcf ? write_mjcf : write_urdf)(&c);
    tx_builder_destroy(builder);
    tx_diag_free(&diag);
    tx_stash_free(&stash);
    return good && !c.unexplained;
}

bool tx_coverage_write(FILE *out) {
    fprintf(
        out,
        "# What is read of MJCF and URDF\n\n"
        "Made by `build/thixis coverage > docs/coverage.md` from the tables that the loader reads by; a test fails\n"
        "when it is stale. *Reported* is an error with file, line and column unless it says warning; nothing is\n"
        "dropped in silence. Elements in `<default>` take what they take in their own place.\n\n"
        "## MJCF (MuJoCo 4.0)\n");
    bool mjcf = cover(true, out);
    fprintf(out,
            "\n## URDF\nOther elements and attributes are warned about. `<mujoco>` in a robot may hold `<compiler>`,\n"
            "`<option>` and `<size>`. How links and joints become bodies: [urdf.md](urdf.md).\n");
    return cover(false, out) && mjcf;
}
