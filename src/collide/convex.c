// convex.c - signed distance of two convex shapes.
#include "collide/convex.h"

#include "collide/epa.h"
#include "geometry/vec3.h"

bool tx_convex_from_shape(tx_convex *out, const tx_shape *shape) {
    *out = (tx_convex){0};
    v3_copy(out->pos, shape->pos);
    for (int i = 0; i < 9; i++) out->mat[i] = shape->mat[i];
    switch (shape->type) {
    case TX_SPHERE:
        out->core = TX_CORE_POINT;
        out->radius = shape->size[0];
        return true;
    case TX_CAPSULE:
        out->core = TX_CORE_SEGMENT;
        out->radius = shape->size[0];
        out->size[0] = shape->size[1];
        return true;
    case TX_CYLINDER:
        out->core = TX_CORE_CYLINDER;
        out->size[0] = shape->size[0];
        out->size[1] = shape->size[1];
        return true;
    case TX_ELLIPSOID:
    case TX_BOX:
        out->core = shape->type == TX_BOX ? TX_CORE_BOX : TX_CORE_ELLIPSOID;
        v3_copy(out->size, shape->size);
        return true;
    case TX_MESH:
        if (!shape->asset || shape->asset->corner_count < 1) return false;
        tx_convex_points(out, shape->asset->vertex, shape->asset->corner_count, shape->asset->corner,
                         shape->asset->edge_first, shape->asset->edge);
        return true;
    default: return false;
    }
}

static bool small(const double *v, int n) {
    bool good = true;
    for (int i = 0; i < n; i++) good = good && fabs(v[i]) < 1e30;
    return good;
}

bool tx_convex_usable(const tx_convex *s) {
    return small(s->size, 3) && small(&s->radius, 1) && small(s->pos, 3) && small(s->mat, 9) &&
           (s->core != TX_CORE_POINTS || s->point_count > 0);
}

// from A's frame to the world, the radii added: out points agree with distance and normal to the last bits
static void finish(const tx_difference *d, const double normal[3], const double on_a[3], const double on_b[3],
                   tx_convex_result *out) {
    double mid[3], core = out->dist + d->radius;
    m3_mul(out->normal, d->a->mat, normal);
    v3_normalise(out->normal);
    for (int i = 0; i < 3; i++) mid[i] = (on_a[i] + on_b[i]) / 2;
    double world[3];
    m3_mul(world, d->a->mat, mid);
    v3_add(world, world, d->a->pos);
    v3_along(out->on_a, world, out->normal, d->a->radius - core / 2);
    v3_along(out->on_b, world, out->normal, core / 2 - d->b->radius);
}

bool tx_convex_distance(const tx_convex *a, const tx_convex *b, double limit, tx_convex_cache *cache,
                        tx_convex_result *out) {
    static const double nowhere[3] = {0, 0, 0};
    *out = (tx_convex_result){0};
    if (!tx_convex_usable(a) || !tx_convex_usable(b)) return false;
    tx_difference d = tx_difference_of(a, b);
    if (cache) {
        d.hint[0] = cache->hint[0];
        d.hint[1] = cache->hint[1];
    }
    bool warm = cache && v_finite(cache->v, 3);
    tx_gjk g;
    tx_gjk_result result = tx_gjk_run(&g, &d, warm ? cache->v : nowhere, limit + d.radius);
    out->gjk = g.iterations;

    double normal[3], on_a[3] = {0}, on_b[3] = {0};
    if (result == TX_GJK_TOUCH) {
        tx_epa e;
        tx_epa_run(&e, &d, &g);
        out->epa = e.iterations;
        out->dist = -e.depth - d.radius;
        out->gap = e.depth - e.lower;
        v3_copy(normal, e.normal);
        v3_copy(on_a, e.on_a);
        v3_copy(on_b, e.on_b);
    } else {
        out->beyond = result == TX_GJK_BEYOND;
        out->dist = (out->beyond ? g.lower : g.dist) - d.radius;
        out->gap = g.dist - g.lower;
        v3_scale(normal, g.v, -1 / g.dist);
        for (int i = 0; i < g.count; i++) {
            v3_along(on_a, on_a, g.on_a[i], g.lambda[i]);
            v3_along(on_b, on_b, g.on_a[i], g.lambda[i]);
            v3_along(on_b, on_b, g.w[i], -g.lambda[i]);
        }
    }
    finish(&d, normal, on_a, on_b, out);
    bool good = v_finite(&out->dist, 1) && v_finite(out->normal, 3) && v_finite(out->on_a, 3) && v_finite(out->on_b, 3);
    if (!good) *out = (tx_convex_result){0};
    if (cache) {
        *cache = (tx_convex_cache){{0}, {d.hint[0], d.hint[1]}};
        // the vector from B to A; when they overlap, the direction in which they would part
        if (good) v3_scale(cache->v, normal, -1);
    }
    return good;
}
