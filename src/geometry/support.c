// support.c - support maps of the convex shapes, and of the difference of two.
#include "geometry/support.h"

#include <stddef.h>

#include "geometry/ring.h"
#include "geometry/vec3.h"

void tx_convex_points(tx_convex *shape, const double *points, int count, const int *vertex, const int *first,
                      const int *neighbour) {
    shape->core = TX_CORE_POINTS;
    shape->points = points;
    shape->point_count = count;
    shape->vertex = vertex;
    shape->first = first;
    shape->neighbour = neighbour;
    shape->edge_count = first ? first[count] : 0;
    v3_zero(shape->centre);
    for (int i = 0; i < count; i++) v3_along(shape->centre, shape->centre, tx_convex_corner(shape, i), 1.0 / count);
}

// the first of the farthest points
static int search_all(const tx_convex *s, const double dir[3]) {
    int best = 0;
    double most = v3_dot(tx_convex_corner(s, 0), dir);
    for (int i = 1; i < s->point_count; i++) {
        double reach = v3_dot(tx_convex_corner(s, i), dir);
        if (reach > most) {
            most = reach;
            best = i;
        }
    }
    return best;
}

// from corner to the best neighbour; on a convex shape where that ends is the farthest
static int climb(const tx_convex *s, const double dir[3], int from) {
    int best = from;
    double most = v3_dot(tx_convex_corner(s, from), dir);
    if (s->ring) return tx_ring_climb(s, dir, from, most);
    for (int here = -1; here != best;) {
        here = best;
        const int end = tx_convex_edges_end(s, here);
        for (int k = s->first[here]; k < end; k++) {
            const double reach = v3_dot(tx_convex_corner(s, s->neighbour[k]), dir);
            // no branch: which neighbour is better cannot be guessed
            const bool better = reach > most;
            most = better ? reach : most;
            best = better ? s->neighbour[k] : best;
        }
    }
    return best;
}

// place of a number between -1 and 1 in the grid; whatever is no number comes first
static int grid_place(double x) {
    double place = (x + 1) * (TX_START_GRID / 2);
    return place > 0 ? (place < TX_START_GRID - 1 ? (int)place : TX_START_GRID - 1) : 0;
}

// which cell of the cube a direction passes
static int cell_of(const double dir[3]) {
    double x = fabs(dir[0]), y = fabs(dir[1]), z = fabs(dir[2]);
    int axis = x >= y ? (x >= z ? 0 : 2) : (y >= z ? 1 : 2), face = 2 * axis + (dir[axis] < 0);
    double scale = 1 / fabs(dir[axis]);
    int row = grid_place(dir[(axis + 1) % 3] * scale), column = grid_place(dir[(axis + 2) % 3] * scale);
    return (face * TX_START_GRID + row) * TX_START_GRID + column;
}

void tx_start_fill(const tx_convex *s, int *start) {
    for (int cell = 0; cell < TX_START_CELLS; cell++) {
        int column = cell % TX_START_GRID, row = cell / TX_START_GRID % TX_START_GRID;
        int face = cell / (TX_START_GRID * TX_START_GRID), axis = face / 2;
        double dir[3];
        dir[axis] = face % 2 ? -1 : 1;
        dir[(axis + 1) % 3] = (row + 0.5) / (TX_START_GRID / 2) - 1;
        dir[(axis + 2) % 3] = (column + 0.5) / (TX_START_GRID / 2) - 1;
        start[cell] = search_all(s, dir);
    }
}

static bool is_climbed(const tx_convex *s) {
    return !s->fours && s->first && s->neighbour && s->point_count >= TX_CLIMB_FROM;
}

static int start_of(const tx_convex *s, const double dir[3]) { return s->start ? s->start[cell_of(dir)] : 0; }

int tx_convex_farthest(const tx_convex *s, const double dir[3]) {
    if (s->fours) return tx_fours_farthest(s->fours, s->point_count, dir);
    if (!is_climbed(s)) return search_all(s, dir);
    return climb(s, dir, start_of(s, dir));
}

int tx_convex_farthest_from(const tx_convex *s, const double dir[3], int corner) {
    return is_climbed(s) ? climb(s, dir, corner) : tx_convex_farthest(s, dir);
}

static void cylinder_support(const double size[3], const double dir[3], double out[3]) {
    double across = sqrt(dir[0] * dir[0] + dir[1] * dir[1]);
    double x = across > 0 ? dir[0] / across : 1, y = across > 0 ? dir[1] / across : 0;
    v3_set(out, size[0] * x, size[0] * y, dir[2] >= 0 ? size[1] : -size[1]);
}

// S^2 d / |S d| with S = diag(size)
static void ellipsoid_support(const double size[3], const double dir[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = size[i] * dir[i];
    double length = v3_length(out);
    if (!(length > 0)) v3_set(out, 1, 0, 0);
    for (int i = 0; i < 3; i++) out[i] *= length > 0 ? size[i] / length : size[i];
}

#define ROLLS 0.99 // of the least radius of curvature

double tx_ellipsoid_ball(const double size[3]) {
    const double most = fmax(size[0], fmax(size[1], size[2])), least = fmin(size[0], fmin(size[1], size[2]));
    return least > 0 ? ROLLS * (least / most) * least : 0;
}

void tx_core_support(const tx_convex *shape, const double dir[3], double out[3]) {
    const double *s = shape->size;
    switch (shape->core) {
    case TX_CORE_POINT: v3_zero(out); break;
    case TX_CORE_SEGMENT: v3_set(out, 0, 0, dir[2] >= 0 ? s[0] : -s[0]); break;
    case TX_CORE_BOX:
        for (int i = 0; i < 3; i++) out[i] = dir[i] >= 0 ? s[i] : -s[i];
        break;
    case TX_CORE_CYLINDER: cylinder_support(s, dir, out); break;
    case TX_CORE_ELLIPSOID:
        ellipsoid_support(s, dir, out);
        if (shape->eroded > 0) v3_along(out, out, dir, -shape->eroded / v3_length(dir));
        break;
    case TX_CORE_POINTS: v3_copy(out, tx_convex_corner(shape, tx_convex_farthest(shape, dir))); break;
    }
}

double tx_convex_radius(const tx_convex *s) {
    double square = 0;
    if (s->extent > 0) return s->extent;
    if (s->core == TX_CORE_POINTS) {
        // the widest of three directions will do as a length
        for (int k = 0; k < 3; k++) {
            double dir[3] = {0}, at[3];
            dir[k] = 1;
            tx_core_support(s, dir, at);
            square += at[k] * at[k];
        }
    } else if (s->core == TX_CORE_SEGMENT) {
        square = s->size[0] * s->size[0];
    } else if (s->core == TX_CORE_CYLINDER) {
        square = s->size[0] * s->size[0] + s->size[1] * s->size[1];
    } else if (s->core != TX_CORE_POINT) {
        square = v3_dot(s->size, s->size);
    }
    return sqrt(square) + s->radius;
}

void tx_ellipsoid_bend(const double size[3], const double dir[3], const double tangent[3], double out[3]) {
    double u[3];
    for (int i = 0; i < 3; i++) u[i] = size[i] * dir[i], out[i] = size[i] * tangent[i];
    double length = v3_normalise(u);
    v3_along(out, out, u, -v3_dot(u, out));
    for (int i = 0; i < 3; i++) out[i] *= length > 0 ? size[i] / length : 0;
}

tx_difference tx_difference_of(const tx_convex *a, const tx_convex *b) {
    tx_difference d = {.a = a, .b = b, .radius = a->radius + b->radius};
    double apart[3];
    v3_sub(apart, b->pos, a->pos);
    m3_mul_transposed(d.offset, a->mat, apart);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            d.rot[3 * i + j] = a->mat[i] * b->mat[j] + a->mat[3 + i] * b->mat[3 + j] + a->mat[6 + i] * b->mat[6 + j];
    return d;
}

static bool is_hull(const tx_convex *s) { return s->core == TX_CORE_POINTS && is_climbed(s); }

static void fetch_neighbours(const tx_convex *s, int corner) {
    if (!s->ring) return;
    const double *ring = s->ring + 12 * (size_t)tx_ring_begin(s, corner);
    for (int line = 0; line < 4; line++) __builtin_prefetch(ring + 8 * line);
}

void tx_difference_support(const tx_difference *d, const double dir[3], double w[3], double on_a[3]) {
    double back[3], local[3], on_b[3], at[3];
    v3_scale(back, dir, -1);
    m3_mul_transposed(local, d->rot, back);
    if (is_hull(d->a) && is_hull(d->b)) {
        // where the climbs begin is looked up for both at once: one does not wait for the other's memory
        const int from_a = start_of(d->a, dir), from_b = start_of(d->b, local);
        fetch_neighbours(d->a, from_a);
        fetch_neighbours(d->b, from_b);
        v3_copy(on_a, tx_convex_corner(d->a, climb(d->a, dir, from_a)));
        v3_copy(at, tx_convex_corner(d->b, climb(d->b, local, from_b)));
    } else {
        tx_core_support(d->a, dir, on_a);
        tx_core_support(d->b, local, at);
    }
    m3_mul(on_b, d->rot, at);
    // the offset first: two near surfaces cancel best
    for (int i = 0; i < 3; i++) w[i] = on_a[i] - (on_b[i] + d->offset[i]);
}
