// site_volume.c - the volume of a site in one environment.
#include "step/site_volume.h"

#include "geometry/vec3.h"

static void gather(const tx_block *b, const void *array, int first, int count, int lane, double *out) {
    for (int i = 0; i < count; i++) out[i] = tx_lane(b, array, first + i, lane);
}

tx_site_volume tx_site_volume_of(const tx_block *b, int lane, int i) {
    tx_site_volume s = {.body = b->m->site_body[i]};
    gather(b, b->param.site_size, 3 * i, 3, lane, s.size);
    gather(b, b->site_xpos, 3 * i, 3, lane, s.pos);
    gather(b, b->site_xmat, 9 * i, 9, lane, s.mat);
    return s;
}

// the surface is outside, as in MuJoCo
bool tx_site_contains(int type, const tx_site_volume *s, const double point[3]) {
    double offset[3], p[3], r = s->size[0], square;
    v3_sub(offset, point, s->pos);
    m3_mul_transposed(p, s->mat, offset);
    double above = fabs(p[2]) - s->size[1];
    switch (type) {
    case TX_GEOM_SPHERE: return v3_dot(p, p) < r * r;
    case TX_GEOM_CAPSULE: above = above > 0 ? above : 0; return p[0] * p[0] + p[1] * p[1] + above * above < r * r;
    case TX_GEOM_CYLINDER: return above < 0 && p[0] * p[0] + p[1] * p[1] < r * r;
    case TX_GEOM_ELLIPSOID:
        square = 0;
        for (int k = 0; k < 3; k++) square += p[k] / s->size[k] * (p[k] / s->size[k]);
        return square < 1;
    default: return fabs(p[0]) < s->size[0] && fabs(p[1]) < s->size[1] && fabs(p[2]) < s->size[2];
    }
}
