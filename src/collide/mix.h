// mix.h - contact parameters from two surfaces, by MuJoCo's rules.
#pragma once

#define TX_LEAST_FRICTION 1e-5

typedef struct tx_surface {
    int condim, priority;
    double friction[3], solmix, solref[2], solimp[5];
} tx_surface;

/// The higher priority decides alone; equal ones are mixed: largest condim and friction, weighted solref and solimp.
void tx_mix_surfaces(const tx_surface *a, const tx_surface *b, int *dim, double friction[5], double solref[2],
                     double solimp[5]);
