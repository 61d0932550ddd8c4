// sense_rays.c - rangefinders of one environment: the rays of a site or of a camera's pixels, and what is told of them.
#include "step/sense_rays.h"

#include <math.h>
#include <string.h>

#define TX_LANES 2 // for sines, the narrowest vector

#include "collide/query.h"
#include "collide/ray.h"
#include "geometry/vec3.h"
#include "lane/trig.h"
#include "model/sensor.h"
#include "step/site_volume.h"

static void gather(const tx_block *b, const void *array, int first, int count, int lane, double *out) {
    for (int i = 0; i < count; i++) out[i] = tx_lane(b, array, first + i, lane);
}

// what rays leave from: a site along its z axis, or a camera through its pixels
typedef struct eye {
    int body, camera; // camera: -1: a site
    double pos[3], mat[9];
    double half[2]; // of an orthographic camera its extent [m], of others where the picture ends in front of it at 1 m
} eye;

static eye eye_of(const tx_block *b, int lane, int object, int i) {
    const tx_model *m = b->m;
    eye e = {.camera = object == TX_OBJECT_CAMERA ? i : -1};
    if (e.camera < 0) {
        tx_site_volume s = tx_site_volume_of(b, lane, i);
        e.body = s.body;
        v3_copy(e.pos, s.pos);
        memcpy(e.mat, s.mat, sizeof e.mat);
        return e;
    }
    e.body = m->cam_body[i];
    gather(b, b->cam_xpos, 3 * i, 3, lane, e.pos);
    gather(b, b->cam_xmat, 9 * i, 9, lane, e.mat);
    const double fovy = tx_lane(b, b->param.cam_fovy, i, lane);
    if (m->cam_orthographic[i]) e.half[0] = e.half[1] = fovy / 2;
    else {
        real s, c;
        lane_sincos(splat(fovy * (3.14159265358979323846 / 360)), &s, &c);
        e.half[1] = s[0] / c[0], e.half[0] = e.half[1] * m->cam_width[i] / m->cam_height[i];
    }
    return e;
}

// a length of a lens in pixels: in single precision, as MuJoCo has it
static double in_pixels(double length, double sensor, int pixels) {
    return (float)length / (float)sensor * (float)pixels;
}

// the ray of a pixel
static void ray_of(const tx_model *m, const eye *e, int pixel, double origin[3], double direction[3]) {
    const int c = e->camera;
    double local[3] = {0, 0, 1}, start[3] = {0};
    if (c >= 0) {
        const int size[2] = {m->cam_width[c], m->cam_height[c]}, place[2] = {pixel % size[0], pixel / size[0]};
        const double *lens = m->cam_intrinsic + 4 * c, *sensor = m->cam_sensorsize + 2 * c;
        local[2] = -1;
        for (int k = 0; k < 2; k++) {
            double at = place[k] + 0.5, sign = k == 0 ? 1 : -1;
            double across = sign * e->half[k] * (2 * at / size[k] - 1);
            if (m->cam_orthographic[c]) start[k] = across;
            else if (!(sensor[0] > 0)) local[k] = across;
            else
                local[k] =
                    sign * (at - in_pixels(lens[2 + k], sensor[k], size[k])) / in_pixels(lens[k], sensor[k], size[k]);
        }
    }
    m3_mul(direction, e->mat, local);
    v3_normalise(direction);
    m3_mul(origin, e->mat, start);
    v3_add(origin, origin, e->pos);
}

// past the body that they leave from
void tx_sense_rays(tx_block *b, int lane, int sensor) {
    const tx_model *m = b->m;
    const eye e = eye_of(b, lane, m->sensor_objtype[sensor], m->sensor_obj[sensor]);
    const tx_query_filter filter = {.groups = ~0u, .exclude_body = e.body, .fixed = true};
    const int data = m->sensor_data[sensor], size = tx_ray_data_size(data), count = m->sensor_dim[sensor] / size;
    int at = m->sensor_adr[sensor];
    for (int i = 0; i < count; i++) {
        double origin[3], direction[3], axis[3], none[3] = {0}, far = -1, depth = -1;
        tx_ray_hit hit;
        ray_of(m, &e, i, origin, direction);
        tx_query_rays(b, lane, &filter, 1, origin, direction, &hit);
        const bool hits = hit.geom >= 0;
        m3_column(axis, e.mat, 2);
        if (hits) far = hit.distance, depth = far * fabs(v3_dot(direction, axis));
        const double *told[TX_RAY_DATA_COUNT] = {
            &far, hits ? direction : none, origin, hits ? hit.point : none, hits ? hit.normal : none, &depth};
        for (int k = 0; k < TX_RAY_DATA_COUNT; k++) {
            const int numbers = tx_ray_data_size(data & 1 << k);
            for (int n = 0; n < numbers; n++) tx_lane_set(b, b->sensordata, at++, lane, told[k][n]);
        }
    }
}
