// convex.c - signed distance of two convex shapes.
#include "collide/convex.h"

#include "collide/cylinder_way.h"
#include "collide/epa.h"
#include "collide/face_way.h"
#include "geometry/facets.h"
#include "geometry/point.h"
#include "geometry/vec3.h"

void tx_convex_take_asset(tx_convex *out, const tx_asset *mesh) {
    bool hull = mesh->corner_count > 0;
    out->core = TX_CORE_POINTS;
    out->points = mesh->vertex;
    out->point_count = hull ? mesh->corner_count : mesh->vertex_count;
    if (!hull) return;
    if (mesh->packed) out->points = mesh->packed;
    else out->vertex = mesh->corner;
    out->first = mesh->edge_first;
    out->neighbour = mesh->edge;
    out->edge_count = mesh->edge_count;
    out->fours = mesh->fours;
    out->ring = mesh->ring;
    out->facets = mesh->facets;
    out->start = mesh->start;
    out->extent = mesh->extent;
}

bool tx_convex_from_shape(tx_convex *out, const tx_shape *shape) {
    *out = (tx_convex){0};
    v3_copy(out->pos, shape->pos);
    for (int i = 0; i < 9; i++) out->mat[i] = shape->mat[i];
    switch (shape->type) {
    case TX_GEOM_SPHERE:
        out->core = TX_CORE_POINT;
        out->radius = shape->size[0];
        return true;
    case TX_GEOM_CAPSULE:
        out->core = TX_CORE_SEGMENT;
        out->radius = shape->size[0];
        out->size[0] = shape->size[1];
        return true;
    case TX_GEOM_CYLINDER:
        out->core = TX_CORE_CYLINDER;
        out->size[0] = shape->size[0];
        out->size[1] = shape->size[1];
        return true;
    case TX_GEOM_ELLIPSOID:
    case TX_GEOM_BOX:
        out->core = shape->type == TX_GEOM_BOX ? TX_CORE_BOX : TX_CORE_ELLIPSOID;
        v3_copy(out->size, shape->size);
        return true;
    case TX_GEOM_MESH:
        // the frame of a mesh is its centre of mass: inside the hull
        if (!shape->asset || !shape->asset->corner_count) return false;
        tx_convex_take_asset(out, shape->asset);
        return v_below(shape->size, 3, TX_LONGEST);
    default: return false;
    }
}

bool tx_convex_usable(const tx_convex *s) {
    return v_below(s->size, 3, TX_LONGEST) && v_below(&s->radius, 1, TX_LONGEST) && v_below(s->pos, 3, TX_LONGEST) &&
           v_below(s->mat, 9, TX_LONGEST) && (s->core != TX_CORE_POINTS || s->point_count > 0);
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

// what was found on the cores, in A's frame
typedef struct finding {
    double normal[3], on_a[3], on_b[3];
} finding;

// what is known of a point and a core, in the core's frame
static void keep_point(const tx_difference *d, bool point_is_a, const double nearest[3], const double normal[3],
                       finding *f) {
    if (!point_is_a) {
        v3_copy(f->on_b, d->offset);
        v3_copy(f->on_a, nearest);
        v3_copy(f->normal, normal);
        return;
    }
    m3_mul(f->normal, d->rot, normal);
    v3_scale(f->normal, f->normal, -1);
    m3_mul(f->on_b, d->rot, nearest);
    v3_add(f->on_b, f->on_b, d->offset);
    v3_zero(f->on_a);
}

// a point against a box, cylinder or ellipsoid, and inside of a hull, needs no search
static bool by_closed_form(const tx_difference *d, finding *f, tx_convex_result *out) {
    bool point_is_a = d->a->core == TX_CORE_POINT;
    const tx_convex *core = point_is_a ? d->b : d->a, *point = point_is_a ? d->a : d->b;
    const bool in_planes = core->core == TX_CORE_POINTS && core->facets && core->facets->planes > 0;
    if (point->core != TX_CORE_POINT || !(in_planes || tx_point_knows(core->core))) return false;
    double x[3], nearest[3], normal[3], dist;
    for (int i = 0; i < 3; i++) {
        if (core->core == TX_CORE_ELLIPSOID && !(core->size[i] > 0)) return false;
    }
    v3_copy(x, d->offset);
    if (point_is_a) {
        // the point is the origin: in B's frame
        m3_mul_transposed(x, d->rot, d->offset);
        v3_scale(x, x, -1);
    }
    if (in_planes) {
        dist = tx_facets_depth(core->facets, x, normal);
        if (!(dist < 0)) return false;
        v3_along(nearest, x, normal, -dist);
    } else {
        dist = tx_point_distance(core, x, nearest, normal);
    }
    out->dist = dist - d->radius;
    keep_point(d, point_is_a, nearest, normal, f);
    return true;
}

#define WELL_APART 0.1 // of what is taken off: less is left to EPA, because a short line has no good direction

// Overlap of up to the balls that roll inside of ellipsoids is a distance of what is left of them without these: GJK
// finds it, and no other way out is shorter
static bool by_erosion(const tx_difference *d, const double ball[2], double limit, finding *f, tx_convex_result *out) {
    const double both = ball[0] + ball[1];
    if (!(both > 0)) return false;
    tx_convex left[2];
    tx_difference smaller = *d;
    for (int k = 0; k < 2; k++) {
        if (!(ball[k] > 0)) continue;
        left[k] = k ? *d->b : *d->a;
        left[k].eroded = ball[k];
        *(k ? &smaller.b : &smaller.a) = &left[k];
    }
    tx_gjk g;
    const tx_gjk_result result = tx_gjk_run(&g, &smaller, (double[3]){0}, limit + d->radius + both);
    out->gjk = g.iterations;
    out->beyond = result == TX_GJK_BEYOND;
    if (result == TX_GJK_TOUCH || (!out->beyond && !(g.dist > WELL_APART * both))) return false;
    out->dist = (out->beyond ? g.lower : g.dist) - both - d->radius;
    out->gap = g.dist - g.lower;
    v3_scale(f->normal, g.v, -1 / (out->beyond ? v3_length(g.v) : g.dist));
    if (out->beyond) return true;
    tx_gjk_points(&g, f->on_a, f->on_b);
    v3_along(f->on_a, f->on_a, f->normal, ball[0]);
    v3_along(f->on_b, f->on_b, f->normal, -ball[1]);
    return true;
}

static bool by_face(const tx_difference *d, double ball, double limit, finding *f, tx_convex_result *out) {
    tx_face_way way;
    if (!tx_face_way_find(d, ball, limit + d->radius, &way)) return false;
    out->dist = way.gap - d->radius;
    out->beyond = way.beyond;
    v3_copy(f->normal, way.normal);
    if (way.beyond) return true;
    v3_copy(f->on_a, way.on_a);
    v3_copy(f->on_b, way.on_b);
    return true;
}

static double ball_of(const tx_convex *s) { return s->core == TX_CORE_ELLIPSOID ? tx_ellipsoid_ball(s->size) : 0; }

static void by_search(const tx_difference *d, double limit, finding *f, tx_convex_result *out) {
    tx_gjk g;
    const double ball[2] = {ball_of(d->a), ball_of(d->b)};
    if (by_face(d, ball[0] + ball[1], limit, f, out) || by_erosion(d, ball, limit, f, out)) return;
    tx_gjk_result result = tx_gjk_run(&g, d, (double[3]){0}, limit + d->radius);
    out->gjk = g.iterations;
    if (result == TX_GJK_TOUCH) {
        tx_epa e;
        if (!tx_cylinder_way_find(&e, d)) tx_epa_run(&e, d, &g);
        out->epa = e.iterations;
        out->dist = -e.depth - d->radius;
        out->gap = e.depth - e.lower;
        v3_copy(f->normal, e.normal);
        v3_copy(f->on_a, e.on_a);
        v3_copy(f->on_b, e.on_b);
        return;
    }
    out->beyond = result == TX_GJK_BEYOND;
    out->dist = (out->beyond ? g.lower : g.dist) - d->radius;
    out->gap = g.dist - g.lower;
    v3_scale(f->normal, g.v, -1 / (out->beyond ? v3_length(g.v) : g.dist));
    if (out->beyond) return;
    tx_gjk_points(&g, f->on_a, f->on_b);
}

bool tx_convex_distance(const tx_convex *a, const tx_convex *b, double limit, tx_convex_result *out) {
    *out = (tx_convex_result){0};
    if (!tx_convex_usable(a) || !tx_convex_usable(b)) return false;
    tx_difference d = tx_difference_of(a, b);
    finding f;
    if (by_closed_form(&d, &f, out)) out->beyond = out->dist > limit;
    else by_search(&d, limit, &f, out);
    bool good = v_finite(&out->dist, 1);
    if (out->beyond) {
        m3_mul(out->normal, a->mat, f.normal);
    } else {
        finish(&d, f.normal, f.on_a, f.on_b, out);
        good = good && v_finite(out->normal, 3) && v_finite(out->on_a, 3) && v_finite(out->on_b, 3);
    }
    if (!good) *out = (tx_convex_result){0};
    return good;
}
