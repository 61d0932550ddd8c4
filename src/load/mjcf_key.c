// mjcf_key.c - <keyframe>: stored states. A keyframe of an attached model has numbers for the joints, actuators and
// mocap bodies of that model in its own order; they go to where those are in the whole model, and the rest is as at
// the start.
#include <string.h>

#include "geometry/vec3.h"
#include "load/mjcf_scale.h"

// ---- who has numbers in a keyframe ---------------------------------------------------------------------------------

static tx_mjcf_slot *new_slot(tx_mjcf *m) {
    tx_mjcf_slot *slot = tx_stash_take(m->stash, sizeof *slot);
    if (!slot) m->out_of_memory = true;
    return slot;
}

static void count_joint(tx_mjcf_slot *slot, tx_joint_type type) {
    static const int POSITIONS[] = {7, 4, 1, 1}, VELOCITIES[] = {6, 3, 1, 1};
    slot->count[TX_MJCF_QPOS] = POSITIONS[type];
    slot->count[TX_MJCF_QVEL] = VELOCITIES[type];
}
static void count_actuator(tx_mjcf_slot *slot, int controls, int activations) {
    slot->count[TX_MJCF_CTRL] = controls;
    slot->count[TX_MJCF_ACT] = activations;
}
static void count_mocap(tx_mjcf_slot *slot) {
    slot->count[TX_MJCF_MPOS] = 3;
    slot->count[TX_MJCF_MQUAT] = 4;
}

// gives a slot its place behind all others
static void add_slot(tx_mjcf *m, tx_xml_element *element, tx_mjcf_slot *slot) {
    for (int s = 0; s < TX_MJCF_STATES; s++) {
        slot->at[s] = m->sizes[s];
        m->sizes[s] += slot->count[s];
    }
    slot->next = m->slots;
    m->slots = slot;
    if (element) element->extra = slot;
}

tx_mjcf_slot *tx_mjcf_spring_slot(tx_mjcf *m, int numbers) {
    tx_mjcf_slot *slot = new_slot(m);
    if (!slot) return NULL;
    slot->count[TX_MJCF_PLASTIC] = numbers;
    add_slot(m, NULL, slot);
    return slot;
}

tx_mjcf_slot *tx_mjcf_joint_slot(tx_mjcf *m, tx_xml_element *element, tx_joint_type type) {
    tx_mjcf_slot *slot = new_slot(m);
    if (!slot) return NULL;
    count_joint(slot, type);
    add_slot(m, element, slot);
    return slot;
}

tx_mjcf_slot *tx_mjcf_actuator_slot(tx_mjcf *m, tx_xml_element *element, int controls, int activations) {
    tx_mjcf_slot *slot = new_slot(m);
    if (!slot) return NULL;
    count_actuator(slot, controls, activations);
    add_slot(m, element, slot);
    return slot;
}

tx_mjcf_slot *tx_mjcf_mocap_slot(tx_mjcf *m, tx_xml_element *element, const double pos[3], const double quat[4]) {
    tx_mjcf_slot *slot = new_slot(m);
    if (!slot) return NULL;
    count_mocap(slot);
    v3_copy(slot->pose, pos);
    memcpy(slot->pose + 3, quat, 4 * sizeof *quat);
    add_slot(m, element, slot);
    return slot;
}

void tx_mjcf_slot_factors(tx_mjcf *m, tx_mjcf_slot *slot, tx_mjcf_state state, const double *factors) {
    const size_t size = sizeof *factors * (size_t)slot->count[state];
    double *copy = tx_stash_take(m->stash, size + 1);
    if (copy) slot->factors[state] = memcpy(copy, factors, size);
    else m->out_of_memory = true;
}

// ---- what was left out of the model --------------------------------------------------------------------------------

// a class under the name that it has in the whole model
static const tx_mjcf_class *find_class(const tx_mjcf *m, const char *prefix, const char *name) {
    char *full = tx_stash_join(m->stash, prefix, name);
    return full ? tx_names_find(&m->classes, full) : NULL;
}

// the class that an element starts from: its own, or that of the bodies around it, or the main one
static const tx_mjcf_class *class_of_left_out(const tx_mjcf *m, const tx_mjcf_holder *holder) {
    const tx_mjcf_class *class = NULL;
    const char *word = "class";
    for (const tx_xml_element *e = holder->element; e && !class; e = e->parent, word = "childclass") {
        const tx_xml_attribute *attribute = tx_xml_find(e, word);
        if (attribute) class = find_class(m, holder->left_out, attribute->value);
    }
    if (class) return class;
    const tx_mjcf_part *part = holder->element->part;
    char *prefix = tx_stash_join(m->stash, holder->left_out, part ? part->prefix : "");
    class = prefix ? find_class(m, prefix, "main") : NULL;
    return class ? class : m->main.main_class;
}

// how many numbers an element has that is not in the model, but in the keyframes of the model it comes from
static tx_mjcf_slot *measure(tx_mjcf *m, const tx_mjcf_holder *holder) {
    tx_mjcf_slot *slot = new_slot(m);
    if (!slot) return NULL;
    tx_xml_element *e = holder->element;
    const tx_mjcf_class *class = class_of_left_out(m, holder);
    if (strcmp(e->name, "body") == 0) {
        count_mocap(slot);
    } else if (strcmp(e->name, "freejoint") == 0) {
        count_joint(slot, TX_JOINT_FREE);
    } else if (strcmp(e->name, "joint") == 0) {
        tx_mjcf_joint joint = class->joint;
        tx_mjcf_read(m, e, tx_mjcf_joint_attrs, &joint);
        count_joint(slot, joint.def.type);
    } else {
        int controls, activations;
        tx_mjcf_measure_actuator(m, e, class, &controls, &activations);
        count_actuator(slot, controls, activations);
    }
    return slot;
}

// ---- key -----------------------------------------------------------------------------------------------------------

#define LIST(state) .kind = TX_MJCF_LIST, TX_MJCF_AT(tx_mjcf_key, numbers[state])
const tx_mjcf_attr tx_mjcf_key_attrs[] = {
    {"name", TX_MJCF_STRING(tx_mjcf_key, name)},
    {"time", TX_MJCF_REALS(tx_mjcf_key, time, 1, 1)},
    {"qpos", LIST(TX_MJCF_QPOS)},
    {"qvel", LIST(TX_MJCF_QVEL)},
    {"ctrl", LIST(TX_MJCF_CTRL)},
    {"mpos", LIST(TX_MJCF_MPOS)},
    {"mquat", LIST(TX_MJCF_MQUAT)},
    {"act", LIST(TX_MJCF_ACT)},
    {"plastic", LIST(TX_MJCF_PLASTIC)},
    {0},
};
static const char *const state_names[TX_MJCF_STATES] = {"qpos", "qvel", "act", "ctrl", "mpos", "mquat", "plastic"};

// how many numbers the holders have, all of them or those of the keyframe's own model
static int count_numbers(const tx_mjcf_holders *holders, tx_mjcf_slot *const *slots, tx_mjcf_state state, bool own) {
    int count = 0;
    for (int i = 0; i < holders->count; i++)
        if (holders->items[i].own || !own) count += slots[i]->count[state];
    return count;
}

// the numbers of one kind as the whole model has them
static bool spread(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_holders *holders, tx_mjcf_slot *const *slots,
                   tx_mjcf_state state, tx_mjcf_key *k) {
    tx_mjcf_list *list = &k->numbers[state];
    int all = count_numbers(holders, slots, state, false), own = count_numbers(holders, slots, state, true);
    if (list->count != all && list->count != own) {
        tx_mjcf_problem(m, TX_SEVERITY_ERROR, element, tx_xml_find(element, state_names[state]), "",
                        "key '%.60s': %s has %d numbers, its model needs %d", k->name ? k->name : "",
                        state_names[state], list->count, all);
        return false;
    }
    double *values = tx_stash_take(m->stash, sizeof *values * (size_t)(m->sizes[state] + 1));
    bool *given = tx_stash_take(m->stash, sizeof *given * (size_t)(m->sizes[state] + 1));
    if (!values || !given) {
        m->out_of_memory = true;
        return false;
    }
    for (const tx_mjcf_slot *s = m->slots; s; s = s->next) {
        const double *start = state == TX_MJCF_MPOS ? s->pose : s->pose + 3;
        bool mocap = state == TX_MJCF_MPOS || state == TX_MJCF_MQUAT;
        if (mocap) memcpy(values + s->at[state], start, sizeof *values * (size_t)s->count[state]);
    }
    const double *next = list->values;
    for (int i = 0; i < holders->count; i++) {
        const tx_mjcf_holder *holder = &holders->items[i];
        if (!holder->own && list->count != all) continue;
        for (int j = 0; j < slots[i]->count[state]; j++, next++) {
            if (holder->left_out) continue;
            values[slots[i]->at[state] + j] = *next;
            given[slots[i]->at[state] + j] = true;
        }
    }
    *list = (tx_mjcf_list){values, m->sizes[state]};
    if (state == TX_MJCF_QPOS) k->qpos_given = given;
    return true;
}

// a keyframe of an attached model, or of one that others are attached to; false: it cannot be used
static bool spread_key(tx_mjcf *m, tx_xml_element *element, const tx_mjcf_holders *holders, tx_mjcf_key *k) {
    tx_mjcf_slot **slots = tx_stash_take(m->stash, sizeof(tx_mjcf_slot *) * ((size_t)holders->count + 1));
    if (!slots) m->out_of_memory = true;
    for (int i = 0; slots && i < holders->count; i++) {
        const tx_mjcf_holder *holder = &holders->items[i];
        slots[i] = holder->left_out ? measure(m, holder) : holder->element->extra;
        if (slots[i]) continue;
        if (!m->out_of_memory && !m->incomplete)
            tx_mjcf_problem(m, TX_SEVERITY_WARNING, element, NULL, "its <replicate> makes no copies",
                            "key '%.60s' is left out: its model is not there", k->name ? k->name : "");
        return false;
    }
    bool good = slots != NULL;
    if (k->numbers[TX_MJCF_PLASTIC].count) {
        tx_mjcf_problem(m, TX_SEVERITY_WARNING, element, tx_xml_find(element, "plastic"),
                        "springs that yield rest as at the start", "plastic of an attached key is not read");
        k->numbers[TX_MJCF_PLASTIC].count = 0;
    }
    for (int s = 0; good && s < TX_MJCF_STATES; s++)
        if (k->numbers[s].count) good = spread(m, element, holders, slots, s, k);
    return good;
}

// what stands in resized frames
static bool scale_key(tx_mjcf *m, tx_mjcf_key *k) {
    for (int state = 0; m->scaled && state < TX_MJCF_STATES; state++) {
        tx_mjcf_list *list = &k->numbers[state];
        if (list->count != m->sizes[state]) continue; // none, or compile says what is wrong
        double *values = tx_stash_take(m->stash, sizeof *values * (size_t)(list->count + 1));
        if (!values) return false;
        if (list->count) memcpy(values, list->values, sizeof *values * (size_t)list->count);
        for (const tx_mjcf_slot *s = m->slots; s; s = s->next) {
            double *own = values + s->at[state], old[3], moved[3];
            const bool given =
                !(state == TX_MJCF_QPOS && k->qpos_given) || (s->count[state] && k->qpos_given[s->at[state]]);
            for (int i = 0; s->factors[state] && i < s->count[state] && given; i++) own[i] *= s->factors[state][i];
            if (!s->move || !given || !s->count[state] || state == TX_MJCF_MQUAT) continue;
            v3_copy(old, own);
            if (state != TX_MJCF_QVEL) v3_sub(old, own, s->move->from);
            m3_mul(moved, s->move->map, old);
            v3_copy(own, moved);
            if (state != TX_MJCF_QVEL) v3_add(own, moved, s->move->to);
        }
        list->values = values;
    }
    return true;
}

static void read_key(tx_mjcf *m, tx_xml_element *element, void *context) {
    (void)context;
    tx_mjcf_key k = {0};
    tx_mjcf_read(m, element, tx_mjcf_key_attrs, &k);
    tx_mjcf_children(m, element, NULL, 0, NULL);
    if (element->extra && !spread_key(m, element, element->extra, &k)) return;
    if (!scale_key(m, &k)) {
        m->out_of_memory = true;
        return;
    }
    tx_key_def def = {.name = k.name, .time = k.time, .source = tx_mjcf_source(element)};
    const struct {
        const double **values;
        int *count;
    } to[TX_MJCF_STATES] = {{&def.qpos, &def.qpos_count},      {&def.qvel, &def.qvel_count},
                            {&def.act, &def.act_count},        {&def.ctrl, &def.ctrl_count},
                            {&def.mpos, &def.mpos_count},      {&def.mquat, &def.mquat_count},
                            {&def.plastic, &def.plastic_count}};
    for (int s = 0; s < TX_MJCF_STATES; s++)
        // an empty list is the same as none
        if (k.numbers[s].count) *to[s].values = k.numbers[s].values, *to[s].count = k.numbers[s].count;
    def.qpos_given = k.qpos_given;
    tx_mjcf_check_index(m, tx_builder_key(m->builder, &def));
}

static const tx_mjcf_child keyframe_children[] = {{"key", .read = read_key}, {0}};

void tx_mjcf_keyframe(tx_mjcf *m, tx_xml_element *element, void *context) {
    tx_mjcf_no_attributes(m, element);
    tx_mjcf_children(m, element, keyframe_children, 0, context);
}
