// cylinder_way.c - see cylinder_way.h. A segment is a box without width. With half sizes s and axes e of the box, the
// cylinder's radius r, half height h and axis z, and m from its middle to that of the box, the depth is the least over
// unit n of
//     h(n) = r |n x z| + h |n.z| + sum s_i |n_i| - n.m
// At the nearest point of the sum's surface there is only one normal, so the surface is flat or ruled there and n is
// 1. z, an e_i or across z and an e_i: a flat side,
// 2. across z: then the corner p of the box that is deepest inside of the cylinder's side is nearest, n = p/|p| there,
// 3. across one e_i: the rim slides along an edge of the box. What is left is a plane figure, an ellipse at each of its
//    corners, whose surface is halved between normals until the chord of a piece shows that it has nothing nearer, or
//    the curvature there that it has no least depth inside, or just one, which Newton finds.
#include "collide/cylinder_way.h"

#include "geometry/vec3.h"

#define SLACK    1e-12 // of the depth: a piece that gains less is left
#define ALONG    1e-9  // sine: what is so nearly across or along is so
#define ON_BOTH  1e-7  // of the sizes: the points found are on the shapes
#define HALVINGS 40
#define NEWTONS  12
#define SETTLED  1e-8 // of the radius: what a last step moves

// in the frame of the box
typedef struct task {
    double half[3], radius, height, z[3], middle[3]; // sizes; axis; from the middle of the cylinder to that of the box
    double depth, n[3];                              // the least so far, and along what the box is moved out
    int halvings;                                    // of pieces, that are left
} task;

static double sine(const double a[3], const double b[3]) {
    double c[3];
    v3_cross(c, a, b);
    return v3_length(c);
}

// n or -n, whichever is shorter: h(n) + n.m is the same for both
static void try_way(task *t, const double n[3]) {
    const double along = v3_dot(n, t->middle), *s = t->half;
    const double depth = t->radius * sine(n, t->z) + t->height * fabs(v3_dot(n, t->z)) +
                         (s[0] * fabs(n[0]) + s[1] * fabs(n[1]) + s[2] * fabs(n[2])) - fabs(along);
    if (!(depth < t->depth)) return;
    t->depth = depth;
    v3_scale(t->n, n, along >= 0 ? 1 : -1);
}

static void try_sides(task *t) {
    try_way(t, t->z);
    for (int i = 0; i < 3; i++) {
        double e[3] = {0}, n[3];
        e[i] = 1;
        v3_cross(n, e, t->z);
        try_way(t, e);
        if (v3_normalise(n) > V3_TINY) try_way(t, n);
    }
}

static void try_corners(task *t) {
    for (int k = 0; k < 8; k++) {
        double p[3];
        for (int i = 0; i < 3; i++) p[i] = t->middle[i] + (k >> i & 1 ? t->half[i] : -t->half[i]);
        v3_along(p, p, t->z, -v3_dot(p, t->z));
        // the box must be on the other side of it
        const double near = ALONG * t->radius, square = v3_dot(p, p), enough = t->radius - t->depth;
        bool lowest = true;
        for (int i = 0; i < 3; i++) lowest &= k >> i & 1 ? p[i] <= near : p[i] >= -near;
        if (!lowest || (enough > 0 && !(square > enough * enough)) || !(square > 0)) continue;
        v3_scale(p, p, 1 / sqrt(square));
        try_way(t, p);
    }
}

//-------------------------------------------------------------------------------------------------- rim and edge

// The plane figure across an edge: the cylinder's rim is an ellipse with half axes r across z and r thin along u
typedef struct rim {
    int j, k;                  // the axes of the box in this plane
    double radius, u[2], thin; // thin: |z_i|
    double corner[2];          // what is added to the ellipse
} rim;

// what a normal of the figure touches; stretch: the ellipse reaches r times as far
typedef struct touch {
    double n[2], w[2], stretch;
} touch;

static double cross(const double a[2], const double b[2]) { return a[0] * b[1] - a[1] * b[0]; }
static double dot(const double a[2], const double b[2]) { return a[0] * b[0] + a[1] * b[1]; }

static touch touch_of(const rim *f, double x, double y) {
    touch t = {.n = {x, y}};
    const double c = dot(f->u, t.n), s = cross(f->u, t.n), flat = f->thin * f->thin;
    t.stretch = sqrt(s * s + flat * c * c);
    const double scale = t.stretch > 0 ? f->radius / t.stretch : 0;
    t.w[0] = f->corner[0] + scale * (flat * c * f->u[0] - s * f->u[1]);
    t.w[1] = f->corner[1] + scale * (flat * c * f->u[1] + s * f->u[0]);
    return t;
}

// radius of curvature
static double bend(const rim *f, const touch *t) {
    const double x = t->stretch;
    return x > 0 ? f->radius * f->thin * f->thin / (x * x * x) : 0;
}

static void try_normal(task *t, const rim *f, const double in_plane[2]) {
    double n[3] = {0};
    n[f->j] = in_plane[0], n[f->k] = in_plane[1];
    try_way(t, n);
}

// the normal of a chord
static touch between(const rim *f, const touch *a, const touch *b) {
    const double x = b->w[1] - a->w[1], y = a->w[0] - b->w[0], length = sqrt(x * x + y * y);
    return touch_of(f, x / length, y / length);
}

static bool is_between(const touch *t, const touch *a, const touch *b) {
    return cross(a->n, t->n) > 0 && cross(t->n, b->n) > 0;
}

// the one least depth of a piece where the reach is convex
static void try_inside(task *t, const rim *f, touch a, touch b) {
    if (!(cross(a.n, a.w) < 0) || !(cross(b.n, b.w) > 0)) return;
    touch at = between(f, &a, &b);
    for (int k = 0; k < NEWTONS; k++) {
        const double slope = cross(at.n, at.w), bent = bend(f, &at), step = -slope / (bent - dot(at.n, at.w));
        *(slope > 0 ? &b : &a) = at;
        const double x = at.n[0] - step * at.n[1], y = at.n[1] + step * at.n[0], length = sqrt(1 + step * step);
        at = touch_of(f, x / length, y / length);
        if (fmax(bent, f->radius) * fabs(step) < SETTLED * f->radius) break;
        if (!is_between(&at, &a, &b)) at = between(f, &a, &b);
    }
    try_normal(t, f, at.n);
}

// A piece of the figure counter-clockwise from a to b, no more than a right angle and in one quarter of the ellipse, so
// that its curvature is between those of its ends. false: too many pieces
static bool try_piece(task *t, const rim *f, const touch *a, const touch *b) {
    const double chord[2] = {b->w[0] - a->w[0], b->w[1] - a->w[1]}, square = dot(chord, chord);
    // no point is nearer than the chord or an end
    const double area = cross(a->w, b->w), below = area > 0 ? area * area : 0;
    if (!(below < (1 - SLACK) * t->depth * t->depth * square)) return true;
    // concave: an end is the least
    const double bends[2] = {bend(f, a), bend(f, b)}, most = fmax(bends[0], bends[1]), least = fmin(bends[0], bends[1]);
    if (most * most * square < below) return true;
    // convex: reach is at most that of the ends over the cosine of half of the angle
    const double reach = fmax(dot(a->n, a->w), dot(b->n, b->w));
    if (2 * reach * reach < least * least * (1 + dot(a->n, b->n))) {
        try_inside(t, f, *a, *b);
        return true;
    }
    const touch at = between(f, a, b);
    // flat, or short: rounding
    if (!is_between(&at, a, b)) return true;
    if (--t->halvings < 0) return false;
    try_normal(t, f, at.n);
    return try_piece(t, f, a, &at) && try_piece(t, f, &at, b);
}

// one corner of the box and one end of the cylinder, between two normals (counter-clockwise or not)
static bool try_arc(task *t, rim *f, touch a, touch b, const double side[2], double end) {
    f->corner[0] = side[0] * t->half[f->j] + end * t->height * t->z[f->j] - t->middle[f->j];
    f->corner[1] = side[1] * t->half[f->k] + end * t->height * t->z[f->k] - t->middle[f->k];
    for (int x = 0; x < 2; x++) a.w[x] += f->corner[x], b.w[x] += f->corner[x];
    return cross(a.n, b.n) < 0 ? try_piece(t, f, &b, &a) : try_piece(t, f, &a, &b);
}

static touch turned(const touch *t, double sign) {
    return (touch){{sign * t->n[0], sign * t->n[1]}, {sign * t->w[0], sign * t->w[1]}, t->stretch};
}

// the quarter of the figure whose normals lie between side[0] along j and side[1] along k: one of the ellipse's axes,
// with and across z, divides it. on: what j, k and these two touch
static bool try_quarter(task *t, rim *f, const touch on[4], const double side[2]) {
    const double y = side[0] * t->z[f->j], z = side[1] * t->z[f->k];
    const touch first = turned(&on[0], side[0]), second = turned(&on[1], side[1]);
    if (y * z >= 0) {
        const double end = y + z >= 0 ? 1 : -1;
        const touch with = turned(&on[2], end);
        try_normal(t, f, with.n);
        return try_arc(t, f, first, with, side, end) && try_arc(t, f, with, second, side, end);
    }
    const touch across = turned(&on[3], side[0] * t->z[f->k] < 0 ? 1 : -1);
    return try_arc(t, f, first, across, side, y > 0 ? 1 : -1) && try_arc(t, f, across, second, side, z > 0 ? 1 : -1);
}

static bool try_edges(task *t) {
    for (int i = 0; i < 3; i++) {
        rim f = {.j = (i + 1) % 3, .k = (i + 2) % 3, .radius = t->radius, .thin = fabs(t->z[i])};
        const double y = t->z[f.j], z = t->z[f.k], length = sqrt(y * y + z * z);
        // along the edge, all these normals are across z
        if (!(length > 0)) continue;
        f.u[0] = y / length, f.u[1] = z / length;
        const touch on[4] = {touch_of(&f, 1, 0), touch_of(&f, 0, 1), touch_of(&f, f.u[0], f.u[1]),
                             touch_of(&f, -f.u[1], f.u[0])};
        // of opposite normals the one that looks along m is better: one quarter has none of these
        const double j = t->middle[f.j] >= 0 ? 1 : -1, k = t->middle[f.k] >= 0 ? 1 : -1;
        const double sides[3][2] = {{j, k}, {j, -k}, {-j, k}};
        for (int q = 0; q < 3; q++)
            if (!try_quarter(t, &f, on, sides[q])) return false;
    }
    return true;
}

//-------------------------------------------------------------------------------------------------- points

static double outside(const double p[3], const double half[3]) {
    double most = 0;
    for (int i = 0; i < 3; i++) most = fmax(most, fabs(p[i]) - half[i]);
    return most;
}

// The points that meet once the box is moved out, in its frame: on the cap, where the box is nearest to the axis; else
// in the middle of what the box covers of the line (or of its end) that looks along n
static bool find_points(const task *t, double on_cylinder[3], double on_box[3]) {
    const double *n = t->n, *s = t->half, along = v3_dot(n, t->z);
    const double enough = ON_BOTH * (t->radius + t->height + s[0] + s[1] + s[2]);
    if (!(sine(n, t->z) > ALONG)) {
        double across[3];
        for (int i = 0; i < 3; i++)
            on_box[i] = fabs(n[i]) > ALONG ? (n[i] > 0 ? -s[i] : s[i]) : v3_clamp(-t->middle[i], -s[i], s[i]);
        v3_along(on_cylinder, on_box, n, t->depth);
        v3_add(across, on_cylinder, t->middle);
        return sine(across, t->z) <= t->radius + enough;
    }
    double line[3], from = -t->height, to = t->height;
    if (fabs(along) > ALONG) from = to = along > 0 ? to : from;
    v3_along(line, n, t->z, -along);
    v3_normalise(line);
    v3_scale(line, line, t->radius);
    v3_sub(line, line, t->middle);
    // of the line on the box
    double low = from, high = to, start[3];
    v3_along(start, line, n, -t->depth);
    for (int i = 0; i < 3; i++) {
        if (!(fabs(t->z[i]) > ALONG)) continue;
        const double a = (-s[i] - start[i]) / t->z[i], b = (s[i] - start[i]) / t->z[i];
        low = fmax(low, fmin(a, b)), high = fmin(high, fmax(a, b));
    }
    const double place = v3_clamp((low + high) / 2, from, to);
    v3_along(on_cylinder, line, t->z, place);
    v3_along(on_box, start, t->z, place);
    return outside(on_box, s) <= enough;
}

bool tx_cylinder_way_find(tx_epa *out, const tx_difference *d) {
    const bool turned = d->b->core == TX_CORE_CYLINDER; // A is the box
    const tx_convex *box = turned ? d->a : d->b, *cylinder = turned ? d->b : d->a;
    if (cylinder->core != TX_CORE_CYLINDER || (box->core != TX_CORE_BOX && box->core != TX_CORE_SEGMENT)) return false;
    task t = {.radius = cylinder->size[0], .height = cylinder->size[1], .depth = INFINITY, .halvings = HALVINGS};
    if (box->core == TX_CORE_BOX) v3_copy(t.half, box->size);
    else t.half[2] = box->size[0];
    if (turned) {
        m3_column(t.z, d->rot, 2);
        v3_scale(t.middle, d->offset, -1);
    } else {
        v3_copy(t.z, d->rot + 6);
        m3_mul_transposed(t.middle, d->rot, d->offset);
    }
    try_sides(&t);
    try_corners(&t);
    double on_cylinder[3], on_box[3];
    if (!(t.depth > 0) || !try_edges(&t) || !(t.depth > 0) || !find_points(&t, on_cylinder, on_box)) return false;
    *out = (tx_epa){.depth = t.depth, .lower = t.depth};
    if (turned) {
        v3_scale(out->normal, t.n, -1);
        v3_copy(out->on_a, on_box), v3_copy(out->on_b, on_cylinder);
        return true;
    }
    m3_mul(out->normal, d->rot, t.n);
    m3_mul(out->on_a, d->rot, on_cylinder), v3_add(out->on_a, out->on_a, d->offset);
    m3_mul(out->on_b, d->rot, on_box), v3_add(out->on_b, out->on_b, d->offset);
    return true;
}
