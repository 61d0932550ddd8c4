// fuzz_hfield.c - any bytes as the file of a height field: no crash, no leak, bounded, and a model or an error.
// The first byte chooses the kind of file; what can be read becomes ground under a ball, and takes a step.
#include <math.h>
#include <stdlib.h>

#include "load/hfield_file.h"
#include "thixis/sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void step_on(const tx_hfield_data *heights) {
    tx_builder *builder = tx_builder_create();
    if (!builder) return;
    tx_hfield_def def = tx_default_hfield_def();
    def.name = "ground", def.nrow = heights->nrow, def.ncol = heights->ncol, def.elevation = heights->height;
    tx_geom_def ground = tx_default_geom_def(), box = ground;
    ground.type = TX_GEOM_HFIELD, ground.hfield = "ground";
    box.type = TX_GEOM_BOX, box.size[0] = box.size[1] = box.size[2] = 0.1;
    tx_body_def body = tx_default_body_def();
    body.pos[2] = 0.15;
    tx_joint_def joint = tx_default_joint_def();
    joint.type = TX_JOINT_FREE;
    tx_builder_hfield(builder, &def);
    tx_builder_geom(builder, 0, &ground);
    int index = tx_builder_body(builder, 0, &body);
    tx_builder_joint(builder, index, &joint);
    tx_builder_geom(builder, index, &box);
    tx_diag diag = {0};
    tx_model *model = tx_builder_compile(builder, &diag);
    if ((model == NULL) != (diag.errors > 0)) abort();
    // large fields take too long here
    tx_sim_def sim_def = tx_default_sim_def();
    tx_sim *sim = model && heights->nrow * heights->ncol < 1 << 12 ? tx_sim_create(model, &sim_def) : NULL;
    if (sim && tx_sim_step(sim) != TX_OK) abort();
    tx_sim_destroy(sim);
    tx_model_destroy(model);
    tx_diag_free(&diag);
    tx_builder_destroy(builder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    tx_hfield_data heights = {0};
    tx_diag diag = {0};
    bool good =
        tx_hfield_read((const char *)data + 1, size - 1, data[0] & 1 ? "fuzz.png" : "fuzz.bin", &heights, &diag);
    if (good != (diag.errors == 0)) abort();
    for (int i = 0; good && i < heights.nrow * heights.ncol; i++)
        if (!isfinite(heights.height[i])) abort();
    if (good) step_on(&heights);
    tx_hfield_release(&heights);
    tx_diag_free(&diag);
    return 0;
}
