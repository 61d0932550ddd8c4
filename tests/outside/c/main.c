// main.c - what a C program does with the installed library: a model from code, a batch, contacts, state, a picture.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <thixis/thixis.h>

#define NEED(condition) \
    if (!(condition)) return fprintf(stderr, "main.c:%d: %s\n", __LINE__, #condition), 1

static tx_model *ball_on_floor(tx_diag *diag) {
    tx_builder *builder = tx_builder_create();
    tx_geom_def floor, ball;
    tx_body_def body = tx_default_body_def();
    tx_joint_def joint = tx_default_joint_def();
    if (tx_geom_def_init(&floor, sizeof floor) != TX_OK || tx_geom_def_init(&ball, sizeof ball) != TX_OK) return NULL;
    floor.type = TX_GEOM_PLANE;
    body.name = "ball", body.pos[2] = 0.0995, joint.type = TX_JOINT_FREE, ball.size[0] = 0.1;
    tx_builder_geom(builder, 0, &floor);
    int index = tx_builder_body(builder, 0, &body);
    tx_builder_joint(builder, index, &joint);
    tx_builder_geom(builder, index, &ball);
    tx_model *model = tx_builder_compile(builder, diag);
    tx_builder_destroy(builder);
    return model;
}

int main(void) {
    enum { ENVS = 9 };
    NEED(strcmp(tx_version(), TX_VERSION) == 0 && tx_version_number() == TX_VERSION_NUMBER);
    tx_diag diag = {0};
    tx_model *model = ball_on_floor(&diag);
    NEED(model && diag.errors == 0);

    // why a simulation cannot be
    tx_sim_def def = tx_default_sim_def();
    def.envs = -3, def.diag = &diag;
    NEED(!tx_sim_create(model, &def) && diag.errors == 1);
    char line[256];
    tx_diag_format(&diag, 0, line, sizeof line);
    NEED(strstr(line, "-3 environments"));
    tx_diag_free(&diag);

    def.envs = ENVS, def.threads = 2;
    tx_sim *sim = tx_sim_create(model, &def);
    NEED(sim);
    NEED(tx_sim_step_n(sim, 50) == TX_OK);
    const double *qpos = tx_sim_array(sim, TX_ARRAY_QPOS);
    for (int e = 0; e < ENVS; e++) NEED(qpos[7 * e + 2] > 0.099 && qpos[7 * e + 2] < 0.1);

    long long offsets[ENVS + 1], count = tx_sim_all_contacts(sim, offsets, NULL, 0);
    NEED(count == ENVS && offsets[ENVS] == ENVS);
    tx_contact *contacts = malloc(sizeof *contacts * (size_t)count);
    NEED(tx_sim_all_contacts(sim, offsets, contacts, count) == count && contacts[ENVS - 1].force[0] > 0);
    free(contacts);

    // a copy goes the same way
    tx_sim *copy = tx_sim_clone(sim);
    NEED(copy && tx_sim_hash(copy) == tx_sim_hash(sim));
    tx_sim_step(copy), tx_sim_step(sim);
    NEED(tx_sim_hash(copy) == tx_sim_hash(sim));
    tx_sim_destroy(copy), tx_sim_destroy(sim), tx_model_destroy(model);
    printf("thixis %s from C\n", tx_version());
    return 0;
}
