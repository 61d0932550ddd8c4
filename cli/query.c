// query.c - thixis query: rays and distances among the geoms of a model.
#include <math.h>
#include <string.h>

#include "command.h"
#include "load/text.h"
#include "report.h"
#include "setup.h"
#include "thixis/query.h"

typedef struct query_args {
    bool json, moving;
    const char *exclude;
    arg_list rays, distances;
    sim_args sim;
} query_args;

static const arg_option options[] = {
    {"ray", ARG_LIST, "x,y,z,dx,dy,dz", offsetof(query_args, rays), 0, 0, NULL,
     "nearest geom from x,y,z [m] along dx,dy,dz; may be repeated"},
    {"distance", ARG_LIST, "G,G", offsetof(query_args, distances), 0, 0, NULL,
     "distance of two geoms, names or indices; may be repeated"},
    {"exclude", ARG_TEXT, "BODY", offsetof(query_args, exclude), 0, 0, NULL, "rays pass this body: its name or index"},
    {"moving", ARG_FLAG, NULL, offsetof(query_args, moving), 0, 0, NULL, "rays pass geoms that no joint moves"},
    LOAD_OPTIONS(query_args, sim.load),
    {"steps", ARG_INT, "N", offsetof(query_args, sim.steps), 0, 1e9, NULL, "steps before the questions (0)"},
    {"keyframe", ARG_TEXT, "K", offsetof(query_args, sim.keyframe), 0, 0, NULL,
     "start: index or name of a keyframe, or 'none' (keyframe 0 if there is one)"},
    {"json", ARG_FLAG, NULL, offsetof(query_args, json), 0, 0, NULL, "print as JSON"},
};

const arg_command query_command = {
    .name = "query",
    .summary = "what a ray meets, how far two geoms are apart",
    .operands = "MODEL",
    .least = 1,
    .most = 1,
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .notes =
        "Geoms that cannot be seen (alpha 0) are passed. Meshes are met at their triangles, but are as far apart as\n"
        "their convex hulls.\n\nexamples:\n"
        "  thixis query scenes/humanoid.xml --ray 0,0,5,0,0,-1\n"
        "  thixis query scenes/humanoid.xml --distance floor,head --json",
};

// index of a named element, or of a number; -1: neither
static int find_element(const tx_model *model, tx_element kind, const char *text, int count) {
    tx_number_problem problem;
    int index = tx_element_find(model, kind, text);
    if (index >= 0) return index;
    return tx_read_ints(text, &index, 1, &problem) == 1 && index >= 0 && index < count ? index : -1;
}

// ---- rays -----------------------------------------------------------------------------------------------------------

static json_t *ray_json(const tx_model *model, const double ray[6], const tx_ray_hit *hit) {
    json_t *o = json_object();
    json_object_set_new(o, "origin", json_numbers(ray, 3));
    json_object_set_new(o, "direction", json_numbers(ray + 3, 3));
    bool met = hit->geom >= 0;
    json_object_set_new(o, "geom",
                        met ? json_name(tx_element_name(model, TX_ELEMENT_GEOM, hit->geom), hit->geom) : json_null());
    json_object_set_new(o, "distance", met ? json_number(hit->distance) : json_null());
    json_object_set_new(o, "point", met ? json_numbers(hit->point, 3) : json_null());
    json_object_set_new(o, "normal", met ? json_numbers(hit->normal, 3) : json_null());
    return o;
}

static void print_ray(const tx_model *model, const char *text, const tx_ray_hit *hit) {
    char name[128];
    if (hit->geom < 0) {
        printf("ray %s: nothing\n", text);
        return;
    }
    geom_title(model, hit->geom, name, sizeof name);
    printf("ray %s: %s after %g m at %g,%g,%g, normal %g,%g,%g\n", text, name, hit->distance, hit->point[0],
           hit->point[1], hit->point[2], hit->normal[0], hit->normal[1], hit->normal[2]);
}

// false after a message
static bool ask_rays(const query_args *a, tx_sim *sim, json_t *list) {
    const tx_model *model = tx_sim_model(sim);
    tx_query_filter filter = tx_default_query_filter();
    filter.fixed = !a->moving;
    if (a->exclude) {
        filter.exclude_body = find_element(model, TX_ELEMENT_BODY, a->exclude, tx_model_size(model, TX_SIZE_NBODY));
        if (filter.exclude_body < 0) {
            args_error(&query_command, "no body '%s'", a->exclude);
            return false;
        }
    }
    for (int i = 0; i < a->rays.count; i++) {
        double ray[6];
        tx_ray_hit hit;
        if (!args_reals(a->rays.items[i], ray, 6) || tx_sim_ray(sim, 0, ray, ray + 3, &filter, &hit) != TX_OK) {
            args_error(&query_command, "--ray wants a point and a direction such as 0,0,5,0,0,-1, not '%s'",
                       a->rays.items[i]);
            return false;
        }
        if (list) json_array_append_new(list, ray_json(model, ray, &hit));
        else print_ray(model, a->rays.items[i], &hit);
    }
    return true;
}

// ---- distances ------------------------------------------------------------------------------------------------------

static json_t *distance_json(const tx_model *model, const int geom[2], const tx_distance *d) {
    json_t *o = json_object(), *names = json_array();
    for (int i = 0; i < 2; i++)
        json_array_append_new(names, json_name(tx_element_name(model, TX_ELEMENT_GEOM, geom[i]), geom[i]));
    json_object_set_new(o, "geoms", names);
    json_object_set_new(o, "distance", json_number(d->distance));
    json_object_set_new(o, "from", json_numbers(d->point[0], 3));
    json_object_set_new(o, "to", json_numbers(d->point[1], 3));
    json_object_set_new(o, "normal", json_numbers(d->normal, 3));
    return o;
}

// two geoms with a comma between; false after a message
static bool find_geoms(const tx_model *model, const char *text, int geom[2]) {
    int count = tx_model_size(model, TX_SIZE_NGEOM);
    const char *comma = strchr(text, ',');
    char name[2][128] = {"", ""};
    if (comma) {
        snprintf(name[0], sizeof name[0], "%.*s", (int)(comma - text), text);
        snprintf(name[1], sizeof name[1], "%s", comma + 1);
    }
    for (int i = 0; i < 2; i++) geom[i] = find_element(model, TX_ELEMENT_GEOM, name[i], count);
    if (geom[0] >= 0 && geom[1] >= 0 && geom[0] != geom[1]) return true;
    args_error(&query_command, "--distance wants two geoms such as floor,head or 0,3 (of %d), not '%s'", count, text);
    return false;
}

// false after a message
static bool ask_distances(const query_args *a, tx_sim *sim, json_t *list) {
    const tx_model *model = tx_sim_model(sim);
    for (int i = 0; i < a->distances.count; i++) {
        const char *text = a->distances.items[i];
        int geom[2];
        tx_distance d;
        if (!find_geoms(model, text, geom)) return false;
        if (tx_sim_distance(sim, 0, geom[0], geom[1], INFINITY, &d) != TX_OK) {
            args_error(&query_command, "there is no distance between %s", text);
            return false;
        }
        if (list) json_array_append_new(list, distance_json(model, geom, &d));
        else
            printf("distance %s: %g m from %g,%g,%g to %g,%g,%g\n", text, d.distance, d.point[0][0], d.point[0][1],
                   d.point[0][2], d.point[1][0], d.point[1][1], d.point[1][2]);
    }
    return true;
}

// ---- command --------------------------------------------------------------------------------------------------------

static int ask(const query_args *a, tx_sim *sim) {
    int steps = a->sim.steps > 0 ? a->sim.steps : 0;
    if (tx_sim_step_n(sim, steps) != TX_OK || tx_sim_forward(sim) != TX_OK || tx_sim_status(sim, 0) != TX_OK) {
        char why[512];
        tx_sim_status_text(sim, 0, why, sizeof why);
        fprintf(stderr, "thixis query: %s\n", why);
        return EXIT_FAILED;
    }
    json_t *rays = a->json ? json_array() : NULL, *distances = a->json ? json_array() : NULL;
    bool ok = ask_rays(a, sim, rays) && ask_distances(a, sim, distances);
    if (!a->json) return ok ? EXIT_OK : EXIT_USAGE;
    json_t *root = json_pack("{s:o, s:o, s:o}", "time", json_number(tx_sim_array(sim, TX_ARRAY_TIME)[0]), "rays", rays,
                             "distances", distances);
    if (ok) return write_json(root, stdout) ? EXIT_OK : EXIT_FAILED;
    json_decref(root);
    return EXIT_USAGE;
}

int query_main(int argc, char **argv) {
    query_args a = {.sim = sim_args_default()};
    int operands, code = EXIT_FAILED;
    arg_outcome outcome = args_parse(&query_command, argc, argv, &a, &operands);
    if (outcome != ARGS_RUN) return outcome == ARGS_HELP ? EXIT_OK : EXIT_USAGE;
    if (a.rays.count + a.distances.count == 0) return args_error(&query_command, "--ray or --distance is missing");
    tx_model *model = load_model(&query_command, argv[0], &a.sim.load, &code);
    tx_sim *sim = model ? make_sim(&query_command, &a.sim, model, &code) : NULL;
    if (sim) code = ask(&a, sim);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
    return code;
}
