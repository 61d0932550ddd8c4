// implicit.c - signed distances of the shapes.
#include "collide/implicit.h"

#include "geometry/vec3.h"

static double to_ball(const double p[3], double radius, double gradient[3]) {
    v3_copy(gradient, p);
    return v3_normalise(gradient) - radius;
}

static double to_capsule(const double p[3], double radius, double half, double gradient[3]) {
    double from[3] = {p[0], p[1], p[2] - v3_clamp(p[2], -half, half)};
    return to_ball(from, radius, gradient);
}

static double to_box(const double p[3], const double half[3], double gradient[3]) {
    double over[3], most = -INFINITY;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        double d = fabs(p[k]) - half[k];
        if (d > most) most = d, axis = k;
        over[k] = d > 0 ? (p[k] < 0 ? -d : d) : 0;
    }
    if (most > 0) {
        v3_copy(gradient, over);
        return v3_normalise(gradient);
    }
    v3_zero(gradient);
    gradient[axis] = p[axis] < 0 ? -1 : 1;
    return most;
}

// a box in the plane of axis and radius
static double to_cylinder(const double p[3], double radius, double half, double gradient[3]) {
    double across = sqrt(p[0] * p[0] + p[1] * p[1]), x = 1, y = 0;
    if (across > V3_TINY) x = p[0] / across, y = p[1] / across;
    double flat[3] = {across, 0, p[2]}, sizes[3] = {radius, INFINITY, half}, g[3];
    double distance = to_box(flat, sizes, g);
    v3_set(gradient, x * g[0], y * g[0], g[2]);
    return distance;
}

// |p/s| (|p/s| - 1) / |p/s²|: zero and of slope one on the surface
static double to_ellipsoid(const double p[3], const double s[3], double gradient[3]) {
    double q[3];
    for (int k = 0; k < 3; k++) {
        q[k] = p[k] / s[k];
        gradient[k] = q[k] / s[k];
    }
    double k0 = v3_length(q), k1 = v3_length(gradient);
    if (!(k1 * fmax(s[0], fmax(s[1], s[2])) > V3_TINY)) {
        v3_set(gradient, 1, 0, 0);
        return -fmin(s[0], fmin(s[1], s[2]));
    }
    v3_scale(gradient, gradient, 1 / k1);
    return k0 * (k0 - 1) / k1;
}

static double to_hull(const double p[3], const tx_asset *hull, double gradient[3]) {
    double most = -INFINITY;
    for (int i = 0; i < hull->face_count; i++) {
        const double *a = hull->vertex + 3 * hull->corner[hull->face[3 * i]],
                     *b = hull->vertex + 3 * hull->corner[hull->face[3 * i + 1]],
                     *c = hull->vertex + 3 * hull->corner[hull->face[3 * i + 2]];
        double ab[3], ac[3], ap[3], normal[3];
        v3_sub(ab, b, a);
        v3_sub(ac, c, a);
        v3_sub(ap, p, a);
        v3_cross(normal, ab, ac);
        if (v3_normalise(normal) < V3_TINY) continue;
        double height = v3_dot(ap, normal);
        if (!(height > most)) continue;
        most = height;
        v3_copy(gradient, normal);
    }
    return most > -INFINITY ? most : INFINITY;
}

double tx_implicit(const tx_shape *shape, const double p[3], double out[3]) {
    const double *s = shape->size;
    // a field is asked most often, and saves the work
    if (shape->type == TX_GEOM_SDF && !out)
        return shape->asset && shape->asset->sdf.value ? tx_sdf_value(&shape->asset->sdf, p, NULL) : INFINITY;
    double unused[3], *gradient = out ? out : unused;
    v3_zero(gradient);
    switch (shape->type) {
    case TX_GEOM_SPHERE: return to_ball(p, s[0], gradient);
    case TX_GEOM_CAPSULE: return to_capsule(p, s[0], s[1], gradient);
    case TX_GEOM_ELLIPSOID: return to_ellipsoid(p, s, gradient);
    case TX_GEOM_CYLINDER: return to_cylinder(p, s[0], s[1], gradient);
    case TX_GEOM_BOX: return to_box(p, s, gradient);
    case TX_GEOM_MESH: return shape->asset ? to_hull(p, shape->asset, gradient) : INFINITY;
    case TX_GEOM_SDF:
        return shape->asset && shape->asset->sdf.value ? tx_sdf_value(&shape->asset->sdf, p, gradient) : INFINITY;
    default: return INFINITY;
    }
}
