// face_way.c - see face_way.h. Let n be the normal of a face of X, b the farthest point of Y along -n, and f its foot
// on the face's plane, inside of the face by rho.
//
// Apart: no two points are nearer than b and the plane, so b and f are the nearest ones.
//
// Overlap by depth: X - Y has a disc of radius rho about depth n, so h(n') = max (X - Y).n' is at least depth for all
// n' up to an angle of 2 atan(rho / depth) from n. A disc that is wider and nearly as high, about another point of Y,
// goes on from there. For the others, near -n, X - Y has a point on the other side: what lies opposite to f in X less a
// point inside of Y. If that is high enough at the first of them it is so for all, and no way out is shorter.
#include "collide/face_way.h"

#include "geometry/vec3.h"

#define SLACK 1e-9 // of the depth: a proof that rounding cannot undo

static bool has_faces(const tx_convex *s) { return s->core == TX_CORE_BOX || s->core == TX_CORE_CYLINDER; }

// the other shape seen from the one whose faces are tried
typedef struct view {
    const tx_convex *x, *y;
    double rot[9], pos[3]; // pose of y in the frame of x
} view;

static view view_of(const tx_difference *d, bool from_b) {
    view v = {.x = d->a, .y = d->b};
    if (!from_b) {
        for (int i = 0; i < 9; i++) v.rot[i] = d->rot[i];
        v3_copy(v.pos, d->offset);
        return v;
    }
    v.x = d->b, v.y = d->a;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) v.rot[3 * i + j] = d->rot[3 * j + i];
    m3_mul(v.pos, v.rot, d->offset);
    v3_scale(v.pos, v.pos, -1);
    return v;
}

// how far a core reaches along a direction
static double reach(const tx_convex *s, const double dir[3]) {
    const double *size = s->size;
    const double x = size[0] * dir[0], y = size[1] * dir[1], z = size[2] * dir[2];
    switch (s->core) {
    case TX_CORE_SEGMENT: return size[0] * fabs(dir[2]);
    case TX_CORE_BOX: return fabs(x) + fabs(y) + fabs(z);
    case TX_CORE_CYLINDER: return size[0] * sqrt(dir[0] * dir[0] + dir[1] * dir[1]) + size[1] * fabs(dir[2]);
    case TX_CORE_ELLIPSOID: return sqrt(x * x + y * y + z * z);
    default: return 0;
    }
}

static double height_of(const tx_convex *x, int axis) { return x->size[x->core == TX_CORE_CYLINDER ? 1 : axis]; }

// no disc of a face is wider
static double widest(const tx_convex *x, int axis) {
    return x->core == TX_CORE_CYLINDER ? x->size[0] : fmin(x->size[(axis + 1) % 3], x->size[(axis + 2) % 3]);
}

// how far a core reaches along any direction
static double least_reach(const tx_convex *s) {
    const double *size = s->size;
    switch (s->core) {
    case TX_CORE_BOX:
    case TX_CORE_ELLIPSOID: return fmin(size[0], fmin(size[1], size[2]));
    case TX_CORE_CYLINDER: return fmin(size[0], size[1]);
    default: return 0;
    }
}

// the face of x that y is farthest from, or least deep in, of those that its middle is in front of; -1: none. Where y
// is deeper than a face is wide nothing can be proved, which is mostly seen at once
static int best_face(const view *v, double ball, double *gap) {
    const double least = least_reach(v->y);
    int best = -1;
    *gap = -INFINITY;
    for (int k = v->x->core == TX_CORE_BOX ? 0 : 2; k < 3; k++) {
        const double in_front = fabs(v->pos[k]) - height_of(v->x, k), deepest = -fmax(ball, widest(v->x, k));
        if (!(in_front - least > deepest)) continue;
        const double here = in_front - reach(v->y, v->rot + 3 * k);
        if (here > *gap && here > deepest) best = k, *gap = here;
    }
    return best;
}

// how far inside of the rim of a face a point is
static double within(const tx_convex *x, int axis, const double p[3]) {
    if (x->core == TX_CORE_CYLINDER) return x->size[0] - sqrt(p[0] * p[0] + p[1] * p[1]);
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    return fmin(x->size[i] - fabs(p[i]), x->size[j] - fabs(p[j]));
}

// the point in the middle of the side of a core that looks along a direction, in its own frame
static void middle_of_side(const tx_convex *s, const double dir[3], double out[3]) {
    const int k = s->core == TX_CORE_CYLINDER || fabs(dir[2]) >= fmax(fabs(dir[0]), fabs(dir[1])) ? 2
                  : fabs(dir[0]) >= fabs(dir[1])                                                  ? 0
                                                                                                  : 1;
    v3_zero(out);
    if (has_faces(s)) out[k] = dir[k] >= 0 ? height_of(s, k) : -height_of(s, k);
}

// an angle between 0 and a half turn
typedef struct angle {
    double cosine, sine;
} angle;

// Whether a disc of a radius, so high along n, is `depth` high at an angle from n; then up to which larger one it is
static bool reaches_on(double height, double radius, double depth, angle *at) {
    if (!(radius > 0) || !(height * at->cosine + radius * at->sine > (1 + SLACK) * depth)) return false;
    const double square = height * height + radius * radius, rest = sqrt(fmax(square - depth * depth, 0));
    *at = (angle){(height * depth - radius * rest) / square, (radius * depth + height * rest) / square};
    return true;
}

// whether there is no shorter way out than through the face: b is the deepest point of y, inside the face's rim by rho
static bool is_least(const view *v, int axis, double side, double depth, double rho, const double dir[3],
                     const double b[3]) {
    double local[3], p[3];
    const double square = depth * depth + rho * rho;
    angle end = {(depth * depth - rho * rho) / square, 2 * depth * rho / square};
    // the middle of the side of y that looks at the face is hardly less deep, and farther inside
    middle_of_side(v->y, dir, local);
    m3_mul(p, v->rot, local);
    v3_add(p, p, v->pos);
    reaches_on(height_of(v->x, axis) - side * p[axis], within(v->x, axis, p), depth, &end);
    // from there on what is opposite
    const double i = v->pos[(axis + 1) % 3] - b[(axis + 1) % 3], j = v->pos[(axis + 2) % 3] - b[(axis + 2) % 3];
    const double opposite = fabs(v->pos[axis] - b[axis]) + 2 * height_of(v->x, axis) - depth;
    return end.cosine < 0 && -opposite * end.cosine - sqrt(i * i + j * j) * fmax(end.sine, 0) > (1 + SLACK) * depth;
}

static bool by_face_of(const tx_difference *d, bool from_b, double ball, double limit, tx_face_way *out) {
    const view v = view_of(d, from_b);
    const int axis = best_face(&v, ball, &out->gap);
    if (axis < 0) return false;
    const double side = v.pos[axis] >= 0 ? 1 : -1;
    double n[3] = {0}, dir[3], local[3], b[3], f[3];
    n[axis] = side;
    out->beyond = out->gap > limit;
    if (!out->beyond) {
        v3_scale(dir, v.rot + 3 * axis, -side);
        tx_core_support(v.y, dir, local);
        m3_mul(b, v.rot, local);
        v3_add(b, b, v.pos);
        const double rho = within(v.x, axis, b);
        out->gap = side * b[axis] - height_of(v.x, axis);
        if (!(rho > 0)) return false;
        if (!(out->gap > -ball) && !is_least(&v, axis, side, -out->gap, rho, dir, b)) return false;
        v3_copy(f, b);
        f[axis] = side * height_of(v.x, axis);
    }
    if (!from_b) {
        v3_copy(out->normal, n);
        if (!out->beyond) v3_copy(out->on_a, f), v3_copy(out->on_b, b);
        return true;
    }
    m3_mul(out->normal, d->rot, n);
    v3_scale(out->normal, out->normal, -1);
    if (out->beyond) return true;
    m3_mul(out->on_a, d->rot, b), v3_add(out->on_a, out->on_a, d->offset);
    m3_mul(out->on_b, d->rot, f), v3_add(out->on_b, out->on_b, d->offset);
    return true;
}

bool tx_face_way_find(const tx_difference *d, double ball, double limit, tx_face_way *out) {
    if (d->a->core == TX_CORE_POINTS || d->b->core == TX_CORE_POINTS) return false;
    return (has_faces(d->a) && by_face_of(d, false, ball, limit, out)) ||
           (has_faces(d->b) && by_face_of(d, true, ball, limit, out));
}
