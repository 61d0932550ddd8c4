// cameras.c - cameras of a builder: checks, and their arrays of the model.
#include "compile/cameras.h"

#include <math.h>
#include <string.h>

#include "compile/check.h"

#define W(field) tx_writable(m->field)

enum { MOST_PIXELS = 1 << 20 };

static void check_camera(const tx_catalog *c, const tx_camera_def *d, int i, tx_diag *diag) {
    const char *name = NAME_OF(d, i);
    bool usable =
        CHECK_NUMBERS("camera", name, NUMBERS(pos), NUMBERS(quat), NUMBERS(fovy), NUMBERS(ipd), NUMBERS(sensorsize),
                      NUMBERS(focal), NUMBERS(focalpixel), NUMBERS(principal), NUMBERS(principalpixel));
    if ((int)d->mode < TX_CAMERA_FIXED || d->mode > TX_CAMERA_TARGETBODYCOM) {
        FAIL(d->source, "see tx_camera_mode", "camera '%s': there is no mode %d", name, (int)d->mode);
        return;
    }
    bool looks = d->mode >= TX_CAMERA_TARGETBODY;
    if (looks && !d->target[0]) FAIL(d->source, "name a body", "camera '%s': it has no target to look at", name);
    if (d->target[0] && tx_name_find(&c->body, d->target) < 0)
        FAIL(d->source, "names are case sensitive", "camera '%s': there is no body '%s'", name, d->target);
    if (!usable) return;
    if (!(d->quat[0] || d->quat[1] || d->quat[2] || d->quat[3]))
        FAIL(d->source, "give four numbers w x y z, not all zero", "camera '%s': quat is zero", name);
    if (!(d->fovy > 0) || (!d->orthographic && d->fovy >= 180))
        FAIL(d->source, "between 0 and 180 degrees", "camera '%s': fovy cannot be %g", name, d->fovy);
    for (int k = 0; k < 2; k++) {
        if (d->resolution[k] < 0 || d->resolution[k] > MOST_PIXELS)
            FAIL(d->source, "0 to 1048576 pixels", "camera '%s': resolution cannot be %d", name, d->resolution[k]);
        if (d->sensorsize[k] < 0 || (d->sensorsize[k] > 0) != (d->sensorsize[0] > 0))
            FAIL(d->source, "two positive numbers", "camera '%s': sensorsize cannot be %g", name, d->sensorsize[k]);
        if (d->sensorsize[k] > 0 && !(d->resolution[k] > 0))
            FAIL(d->source, "give resolution", "camera '%s': its sensor has no pixels", name);
        else if (k == 1 && d->sensorsize[k] > 0 && !(d->focal[k] > 0) && !(d->focalpixel[k] > 0))
            FAIL(d->source, "give focal or focalpixel", "camera '%s': with a sensor it needs its focal lengths", name);
    }
}

void tx_check_cameras(const tx_builder *b, const tx_catalog *c, tx_diag *diag) {
    for (int i = 0; i < b->camera.count; i++) check_camera(c, &b->camera.items[i].def, i, diag);
}

// in single precision, as MuJoCo keeps them
static void fill_lens(const tx_camera_def *d, double intrinsic[4], double size[2], double *fovy) {
    *fovy = d->fovy;
    if (!(d->sensorsize[0] > 0)) return;
    for (int k = 0; k < 2; k++) {
        float length = (float)d->sensorsize[k], density = (float)d->resolution[k] / length;
        size[k] = (double)length;
        float focal = d->focalpixel[k] != 0 ? (float)d->focalpixel[k] / density : (float)d->focal[k];
        float centre = d->principalpixel[k] != 0 ? (float)d->principalpixel[k] / density : (float)d->principal[k];
        intrinsic[k] = (double)focal, intrinsic[2 + k] = (double)centre;
    }
    *fovy = atan2(size[1] / 2, intrinsic[1]) * 360 / 3.14159265358979323846;
}

void tx_fill_cameras(const tx_draft *draft, tx_model *m) {
    for (int i = 0; i < m->ncam; i++) {
        const tx_draft_site *place = &draft->camera[draft->camera_def[i]];
        const tx_camera_def *d = &draft->b->camera.items[draft->camera_def[i]].def;
        int target = tx_name_find(&draft->catalog->body, d->target);
        W(cam_body)[i] = draft->body[place->body].number;
        W(cam_mode)[i] = (int)d->mode, W(cam_orthographic)[i] = d->orthographic;
        W(cam_target)[i] = d->mode >= TX_CAMERA_TARGETBODY ? draft->body[target].number : -1;
        W(cam_width)[i] = d->resolution[0], W(cam_height)[i] = d->resolution[1], W(cam_ipd)[i] = d->ipd;
        memcpy(W(cam_pos) + 3 * i, place->pos, sizeof place->pos);
        memcpy(W(cam_quat) + 4 * i, place->quat, sizeof place->quat);
        fill_lens(d, W(cam_intrinsic) + 4 * i, W(cam_sensorsize) + 2 * i, W(cam_fovy) + i);
    }
}
