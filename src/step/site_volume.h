// site_volume.h - the volume of a site in one environment.
#pragma once
#include "model/block.h"

typedef struct tx_site_volume {
    double size[3], pos[3], mat[9];
    int body;
} tx_site_volume;

tx_site_volume tx_site_volume_of(const tx_block *b, int lane, int site);
/// Whether a point is inside it; type: of the site.
bool tx_site_contains(int type, const tx_site_volume *volume, const double point[3]);
