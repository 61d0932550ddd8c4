// chord.c - a line cut by the faces of a box, a cylinder or a convex hull.
#include "collide/chord.h"

#include "geometry/vec3.h"

// keeps what lies below a plane: height(s) = height + s rate <= 0
static void cut(double height, double rate, double range[2]) {
    if (rate > 0) range[1] = fmin(range[1], -height / rate);
    else if (rate < 0) range[0] = fmax(range[0], -height / rate);
    else if (height > 0) range[1] = -INFINITY;
}

// between -half and half along one axis
static void cut_slab(const double p[3], const double d[3], int axis, double half, double range[2]) {
    cut(p[axis] - half, d[axis], range);
    cut(-p[axis] - half, -d[axis], range);
}

// (p + s d)² <= r² across the axis
static void cut_tube(const double p[3], const double d[3], double radius, double range[2]) {
    double a = d[0] * d[0] + d[1] * d[1], b = p[0] * d[0] + p[1] * d[1],
           c = p[0] * p[0] + p[1] * p[1] - radius * radius;
    double root = b * b - a * c;
    if (!(a > 0)) {
        if (c > 0) range[1] = -INFINITY;
    } else if (root < 0) {
        range[1] = -INFINITY;
    } else {
        range[0] = fmax(range[0], (-b - sqrt(root)) / a);
        range[1] = fmin(range[1], (-b + sqrt(root)) / a);
    }
}

static void cut_hull(const tx_asset *hull, const double p[3], const double d[3], double range[2]) {
    for (int i = 0; i < hull->face_count && range[0] <= range[1]; i++) {
        const double *a = hull->vertex + 3 * hull->corner[hull->face[3 * i]],
                     *b = hull->vertex + 3 * hull->corner[hull->face[3 * i + 1]],
                     *c = hull->vertex + 3 * hull->corner[hull->face[3 * i + 2]];
        double ab[3], ac[3], ap[3], normal[3];
        v3_sub(ab, b, a);
        v3_sub(ac, c, a);
        v3_sub(ap, p, a);
        v3_cross(normal, ab, ac);
        cut(v3_dot(ap, normal), v3_dot(d, normal), range);
    }
}

bool tx_chord(const tx_shape *shape, const double p[3], const double d[3], double range[2]) {
    range[0] = -INFINITY, range[1] = INFINITY;
    if (shape->type == TX_GEOM_BOX) {
        for (int k = 0; k < 3; k++) cut_slab(p, d, k, shape->size[k], range);
    } else if (shape->type == TX_GEOM_CYLINDER) {
        cut_slab(p, d, 2, shape->size[1], range);
        cut_tube(p, d, shape->size[0], range);
    } else if (shape->type == TX_GEOM_MESH && shape->asset) {
        cut_hull(shape->asset, p, d, range);
    } else {
        return false;
    }
    return range[0] <= range[1] && isfinite(range[0]) && isfinite(range[1]);
}
