// first.c - 64 humanoids fall for two seconds: load, step, look. Run it in the repository's root.
#include <stdio.h>

#include "thixis/thixis.h"

int main(void) {
    // every problem of the file comes back with file:line:column and a hint
    tx_diag diag = {0};
    tx_model *model = tx_load_file("scenes/humanoid.xml", &diag);
    for (int i = 0; i < diag.count; i++) {
        char line[512];
        tx_diag_format(&diag, i, line, sizeof line);
        fprintf(stderr, "%s\n", line);
    }
    tx_diag_free(&diag);
    if (!model) return 1;

    // 64 environments; each starts a little higher than the last
    tx_sim_def def = tx_default_sim_def();
    def.envs = 64;
    tx_sim *sim = tx_sim_create(model, &def);
    if (!sim) return 1;
    int nq = tx_model_size(model, TX_SIZE_NQ);
    double *qpos = tx_sim_array(sim, TX_ARRAY_QPOS); // 64 rows of nq numbers
    for (int e = 0; e < def.envs; e++) qpos[e * nq + 2] += 0.01 * e;

    tx_sim_step_n(sim, 400);
    tx_sim_forward(sim); // contacts and forces of the state just reached

    for (int e = 0; e < def.envs; e += 21) {
        int count;
        const tx_contact *contacts = tx_sim_contacts(sim, e, &count);
        double normal = 0; // contact.force is in the contact's frame, the normal first [N]
        for (int i = 0; i < count; i++) normal += contacts[i].force[0];
        printf("environment %2d: pelvis at %.3f m, %d contacts, %.1f N, %s\n", e, qpos[e * nq + 2], count, normal,
               tx_result_text(tx_sim_status(sim, e)));
    }
    printf("solve error %.1e (worst of %lld steps)\n", tx_sim_info(sim).worst_solve_error, tx_sim_info(sim).env_steps);
    tx_sim_destroy(sim);
    tx_model_destroy(model);
    return 0;
}
