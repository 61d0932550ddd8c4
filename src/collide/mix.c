// mix.c - contact parameters from two surfaces.
#include "collide/mix.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double TINY = 1e-15;

// weight of the first surface
static double mix_weight(double mix1, double mix2) {
    if (mix1 >= TINY && mix2 >= TINY) return mix1 / (mix1 + mix2);
    if (mix1 < TINY && mix2 < TINY) return 0.5;
    return mix1 < TINY ? 0 : 1;
}

void tx_mix_surfaces(const tx_surface *a, const tx_surface *b, int *dim, double friction[5], double solref[2],
                     double solimp[5]) {
    double slide[3];
    if (a->priority != b->priority) {
        const tx_surface *s = a->priority > b->priority ? a : b;
        *dim = s->condim;
        memcpy(slide, s->friction, sizeof slide);
        memcpy(solref, s->solref, sizeof s->solref);
        memcpy(solimp, s->solimp, sizeof s->solimp);
    } else {
        double w = mix_weight(a->solmix, b->solmix);
        bool standard = a->solref[0] > 0 && b->solref[0] > 0;
        *dim = a->condim > b->condim ? a->condim : b->condim;
        for (int k = 0; k < 3; k++) slide[k] = fmax(a->friction[k], b->friction[k]);
        for (int k = 0; k < 2; k++)
            solref[k] = standard ? w * a->solref[k] + (1 - w) * b->solref[k] : fmin(a->solref[k], b->solref[k]);
        for (int k = 0; k < 5; k++) solimp[k] = w * a->solimp[k] + (1 - w) * b->solimp[k];
    }
    const double unpacked[5] = {slide[0], slide[0], slide[1], slide[2], slide[2]};
    for (int k = 0; k < 5; k++) friction[k] = fmax(TX_LEAST_FRICTION, unpacked[k]);
}
