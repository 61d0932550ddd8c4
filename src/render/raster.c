// raster.c - triangles to image samples: near clipping, perspective, eight-sample z-buffer
#include "render_internal.h"

#include <stdlib.h>

// the eight places in a pixel, nearest to its centre first, in sixteenths from the centre; every
// row and every column of the sixteenths grid is used at most once
static const signed char pattern[SAMPLES][2] = {
    {1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7},
};

void tx_raster_sample(int s, float *x, float *y) {
    *x = 0.5f + (float)pattern[s][0] / 16;
    *y = 0.5f + (float)pattern[s][1] / 16;
}

static double lowest(const double a[3]) {
    double ab = a[0] < a[1] ? a[0] : a[1];
    return ab < a[2] ? ab : a[2];
}

static double highest(const double a[3]) {
    double ab = a[0] > a[1] ? a[0] : a[1];
    return ab > a[2] ? ab : a[2];
}

typedef struct {
    double x, y, depth; // along right, up, forward
} eye_point;

static eye_point to_eye(const tx_view *v, vec3 p) {
    vec3 d = sub3(p, v->eye);
    return (eye_point){dot3(d, v->right), dot3(d, v->up), dot3(d, v->forward)};
}

// cuts a polygon by the near plane (Sutherland & Hodgman); at most one point more comes out
static int clip_near(const eye_point *in, int count, double near_depth, eye_point *out) {
    int n = 0;
    for (int i = 0; i < count; i++) {
        eye_point a = in[i], b = in[(i + 1) % count];
        bool a_in = a.depth >= near_depth, b_in = b.depth >= near_depth;
        if (a_in) out[n++] = a;
        if (a_in == b_in) continue;
        // from inside to outside, so that neighbours cut a shared edge at the same point
        eye_point from = a_in ? a : b, to = a_in ? b : a;
        double t = (from.depth - near_depth) / (from.depth - to.depth);
        out[n++] = (eye_point){from.x + t * (to.x - from.x), from.y + t * (to.y - from.y), near_depth};
    }
    return n;
}

static int clamp_pixel(double x, int size) { return x < 0 ? 0 : x > size - 1 ? size - 1 : (int)x; }

// false if the triangle shows its back or misses the image
static bool project(const tx_view *view, const eye_point p[3], tx_projected *out) {
    for (int i = 0; i < 3; i++) {
        out->w[i] = 1 / p[i].depth;
        out->x[i] = 0.5 * view->width + p[i].x * out->w[i] / view->pixel;
        out->y[i] = 0.5 * view->height - p[i].y * out->w[i] / view->pixel;
    }
    // counter-clockwise from outside is negative with y down
    double area = (out->x[1] - out->x[0]) * (out->y[2] - out->y[0]) - (out->x[2] - out->x[0]) * (out->y[1] - out->y[0]);
    if (!(area < -1e-9)) return false;
    double x0 = lowest(out->x), x1 = highest(out->x);
    double y0 = lowest(out->y), y1 = highest(out->y);
    if (!(x1 >= 0 && y1 >= 0 && x0 <= view->width && y0 <= view->height)) return false;
    out->x0 = clamp_pixel(x0, view->width);
    out->x1 = clamp_pixel(x1, view->width);
    out->y0 = clamp_pixel(y0, view->height);
    out->y1 = clamp_pixel(y1, view->height);
    return true;
}

bool tx_raster_project(const tx_view *view, const tx_tris *tris, tx_projected **out, int *count) {
    int capacity = 0;
    *out = NULL;
    *count = 0;
    for (int i = 0; i < tris->triangle_count; i++) {
        const tx_triangle *t = &tris->triangles[i];
        eye_point corner[3], cut[4];
        for (int k = 0; k < 3; k++) corner[k] = to_eye(view, tris->vertices[t->vertex[k]].pos);
        int n = clip_near(corner, 3, view->near_depth, cut);
        // a fan over what is left
        for (int k = 2; k < n; k++) {
            void *array = *out;
            bool room = tx_render_grow(&array, &capacity, *count + 1, sizeof **out);
            *out = (tx_projected *)array;
            if (!room) return false;
            tx_projected *p = &(*out)[*count];
            if (project(view, (eye_point[3]){cut[0], cut[k - 1], cut[k]}, p)) {
                p->triangle = i;
                p->layer = tris->surfaces[t->surface].layer;
                ++*count;
            }
        }
    }
    return true;
}

void tx_raster_clear(tx_zbuffer *z) {
    int n = z->width * z->rows * SAMPLES;
    for (int i = 0; i < n; i++) {
        z->w[i] = 0;
        z->triangle[i] = -1;
    }
}

// a x + b y + c, positive inside; computed the same way, negated, for the triangle on the other
// side of the edge, so that no sample is lost or drawn twice
typedef struct {
    double a, b, c;
} line;

static line edge(const tx_projected *p, int i, int j) {
    return (line){p->y[j] - p->y[i], p->x[i] - p->x[j], p->x[j] * p->y[i] - p->x[i] * p->y[j]};
}

void tx_raster_draw(const tx_projected *p, tx_zbuffer *z) {
    line e[3] = {edge(p, 0, 1), edge(p, 1, 2), edge(p, 2, 0)};
    double off[3][SAMPLES], slack[3], floor_of[3];
    for (int k = 0; k < 3; k++) {
        for (int s = 0; s < SAMPLES; s++) off[k][s] = e[k].a * (pattern[s][0] / 16.0) + e[k].b * (pattern[s][1] / 16.0);
        slack[k] = 0.5 * (fabs(e[k].a) + fabs(e[k].b));
        // a sample exactly on an edge belongs to one of its two triangles
        bool owns = e[k].a > 0 || (e[k].a == 0 && e[k].b > 0);
        floor_of[k] = owns ? -1e-300 : 0;
    }
    // 1/depth is linear on the image
    double dx1 = p->x[1] - p->x[0], dy1 = p->y[1] - p->y[0], dw1 = p->w[1] - p->w[0];
    double dx2 = p->x[2] - p->x[0], dy2 = p->y[2] - p->y[0], dw2 = p->w[2] - p->w[0];
    double det = dx1 * dy2 - dx2 * dy1;
    double wx = (dw1 * dy2 - dw2 * dy1) / det, wy = (dw2 * dx1 - dw1 * dx2) / det;
    float w_low = (float)lowest(p->w), w_high = (float)highest(p->w);

    int y0 = p->y0 > z->row0 ? p->y0 : z->row0;
    int y1 = p->y1 < z->row0 + z->rows - 1 ? p->y1 : z->row0 + z->rows - 1;
    for (int y = y0; y <= y1; y++)
        for (int x = p->x0; x <= p->x1; x++) {
            double cx = x + 0.5, cy = y + 0.5, at[3];
            bool outside = false;
            for (int k = 0; k < 3; k++) {
                at[k] = e[k].a * cx + e[k].b * cy + e[k].c;
                outside = outside || at[k] < -slack[k];
            }
            if (outside) continue;
            double w = p->w[0] + wx * (cx - p->x[0]) + wy * (cy - p->y[0]);
            size_t first = ((size_t)(y - z->row0) * (size_t)z->width + (size_t)x) * SAMPLES;
            for (int s = 0; s < SAMPLES; s++) {
                bool inside = at[0] + off[0][s] > floor_of[0] && at[1] + off[1][s] > floor_of[1] &&
                              at[2] + off[2][s] > floor_of[2];
                if (!inside) continue;
                double ws = w + wx * (pattern[s][0] / 16.0) + wy * (pattern[s][1] / 16.0);
                float nearness = clampf((float)ws, w_low, w_high);
                if (nearness > z->w[first + (size_t)s]) {
                    z->w[first + (size_t)s] = nearness;
                    z->triangle[first + (size_t)s] = p->triangle;
                }
            }
        }
}
