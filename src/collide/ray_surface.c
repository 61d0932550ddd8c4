// ray_surface.c - a ray against triangles: down the tree of a mesh, or strip by strip over the grid of a height field.
#include "collide/ray_surface.h"

#include "geometry/vec3.h"

// d . (a x b) tells on which side the ray passes the edge a b. Two triangles compute the same number, up to its sign,
// for the edge they share: no ray slips between them.
static bool meet_triangle(const tx_ray *r, const double *v0, const double *v1, const double *v2, double *t) {
    double a[3], b[3], c[3], n[3];
    v3_sub(a, v0, r->p);
    v3_sub(b, v1, r->p);
    v3_sub(c, v2, r->p);
    v3_cross(n, b, c);
    double u = v3_dot(r->d, n);
    v3_cross(n, c, a);
    double v = v3_dot(r->d, n);
    v3_cross(n, a, b);
    double w = v3_dot(r->d, n), sum = u + v + w;
    bool from_outside = u <= 0 && v <= 0 && w <= 0, from_inside = u >= 0 && v >= 0 && w >= 0;
    if (!(from_outside || from_inside) || !(fabs(sum) > 0)) return false;
    *t = (u * v3_dot(a, r->d) + v * v3_dot(b, r->d) + w * v3_dot(c, r->d)) / sum;
    return true;
}

// keeps the nearest triangle met; of equally near ones the first
typedef struct nearest {
    double t;
    int triangle; // -1: none yet
} nearest;

static void try_triangle(const tx_ray *r, const double *v0, const double *v1, const double *v2, int number,
                         nearest *best) {
    double t;
    if (!meet_triangle(r, v0, v1, v2, &t) || !(t >= r->low) || t > best->t) return;
    if (t == best->t && number > best->triangle && best->triangle >= 0) return;
    *best = (nearest){t, number};
}

// the normal of a triangle, any length
static void across(double out[3], const double *v0, const double *v1, const double *v2) {
    double e[3], f[3];
    v3_sub(e, v1, v0);
    v3_sub(f, v2, v0);
    v3_cross(out, e, f);
}

// ---- meshes ---------------------------------------------------------------------------------------------------------

// whether the ray passes the box (low and high corner) between r->low and t
static bool passes(const tx_ray *r, const double *box, double t) {
    double from = r->low, to = t;
    for (int k = 0; k < 3; k++) {
        if (r->d[k] == 0) {
            if (!(box[k] <= r->p[k] && r->p[k] <= box[3 + k])) return false;
            continue;
        }
        double t1 = (box[k] - r->p[k]) / r->d[k], t2 = (box[3 + k] - r->p[k]) / r->d[k];
        from = fmax(from, fmin(t1, t2)), to = fmin(to, fmax(t1, t2));
    }
    return from <= to;
}

static void try_leaf(const tx_ray *r, const tx_asset *mesh, int leaf, nearest *best) {
    for (int i = TX_TREE_FACES * leaf; i < mesh->surface_count && i < TX_TREE_FACES * (leaf + 1); i++) {
        int number = mesh->tree.order[i];
        const int *c = mesh->surface + 3 * number;
        try_triangle(r, mesh->vertex + 3 * c[0], mesh->vertex + 3 * c[1], mesh->vertex + 3 * c[2], number, best);
    }
}

bool tx_ray_triangles(const tx_ray *r, const tx_asset *mesh, double *t, double normal[3]) {
    const tx_face_tree *tree = &mesh->tree;
    nearest best = {INFINITY, -1};
    for (int i = 0; i < tree->node_count;) {
        bool near = passes(r, tree->box + 6 * i, best.t);
        if (near && tree->leaf[i] >= 0) try_leaf(r, mesh, tree->leaf[i], &best);
        i = near ? i + 1 : tree->end[i];
    }
    if (best.triangle < 0) return false;
    const int *c = mesh->surface + 3 * best.triangle;
    across(normal, mesh->vertex + 3 * c[0], mesh->vertex + 3 * c[1], mesh->vertex + 3 * c[2]);
    *t = best.t;
    return true;
}

// ---- height fields --------------------------------------------------------------------------------------------------

#define SPARE 1e-9 // of the field's size: a hit on the border between two strips belongs to both

// the part of the ray between two planes across an axis
static void clip(const tx_ray *r, int axis, double low, double high, double range[2]) {
    if (r->d[axis] == 0) {
        if (!(low <= r->p[axis] && r->p[axis] <= high)) range[1] = -INFINITY;
        return;
    }
    double t1 = (low - r->p[axis]) / r->d[axis], t2 = (high - r->p[axis]) / r->d[axis];
    range[0] = fmax(range[0], fmin(t1, t2)), range[1] = fmin(range[1], fmax(t1, t2));
}

// Triangle 2 cell + half. Cut from (r, c) to (r + 1, c + 1) as MuJoCo's rays see a field, not as its contacts and ours
// do: docs/terrain-and-sdf.md
static void triangle_of(const tx_heights *h, int number, double corner[3][3]) {
    int cell = number / 2, half = number % 2, row = cell / (h->ncol - 1), column = cell % (h->ncol - 1);
    tx_heights_point(h, row, column, corner[0]);
    tx_heights_point(h, row + half, column + 1 - half, corner[half ? 2 : 1]);
    tx_heights_point(h, row + 1, column + 1, corner[half ? 1 : 2]);
}

// whether all four corners of a cell are higher, or all lower
static bool is_beside(const tx_heights *h, int row, int column, double low, double high) {
    const double *near = h->data + row * h->ncol + column, *far = near + h->ncol, up = h->size[2];
    const double z[4] = {up * near[0], up * near[1], up * far[0], up * far[1]};
    const bool over = z[0] > high && z[1] > high && z[2] > high && z[3] > high;
    return over || (z[0] < low && z[1] < low && z[2] < low && z[3] < low);
}

static void try_cells(const tx_ray *r, const tx_heights *h, const double range[2], double spare, nearest *best) {
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        double a = r->p[k] + range[0] * r->d[k], b = r->p[k] + range[1] * r->d[k];
        low[k] = fmin(a, b) - spare, high[k] = fmax(a, b) + spare;
    }
    tx_heights_range cells = tx_heights_cells(h, low, high);
    for (int row = cells.row[0]; row <= cells.row[1]; row++)
        for (int column = cells.column[0]; column <= cells.column[1]; column++)
            for (int half = 0; half < 2 && !is_beside(h, row, column, low[2], high[2]); half++) {
                double corner[3][3];
                int number = 2 * (row * (h->ncol - 1) + column) + half;
                triangle_of(h, number, corner);
                try_triangle(r, corner[0], corner[1], corner[2], number, best);
            }
}

// strips of cells one behind the other along the axis on which the ray passes more of them; the first hit ends it
static nearest meet_surface(const tx_ray *r, const tx_heights *h, double spare) {
    double range[2] = {r->low, INFINITY};
    nearest best = {INFINITY, -1};
    for (int k = 0; k < 2; k++) clip(r, k, -h->size[k] - spare, h->size[k] + spare, range);
    clip(r, 2, -spare, h->size[2] + spare, range);
    int cells[2] = {h->ncol - 1, h->nrow - 1};
    int axis = fabs(r->d[0]) * cells[0] / h->size[0] < fabs(r->d[1]) * cells[1] / h->size[1];
    double width = 2 * h->size[axis] / cells[axis], speed = fabs(r->d[axis]);
    // a steep ray stays in one strip
    double step = speed * (range[1] - range[0]) > width ? width / speed : range[1] - range[0];
    // and where a step is lost in the rounding of a far ray there is only one
    double last = -INFINITY;
    for (double from = range[0]; from > last && from <= range[1] && !(best.t < from); from += fmax(step, spare)) {
        double strip[2] = {from, fmin(from + step, range[1])};
        try_cells(r, h, strip, spare, &best);
        last = from;
    }
    return best;
}

// a wall at one end of an axis, or the base: met where the solid reaches
static void try_side(const tx_ray *r, const tx_heights *h, int axis, double at, double outward, double spare, double *t,
                     double normal[3]) {
    double here = (at - r->p[axis]) / r->d[axis], p[3];
    if (r->d[axis] == 0 || !(here >= r->low) || !(here < *t)) return;
    v3_along(p, r->p, r->d, here);
    bool over = axis == 2 || (p[2] >= -h->size[3] && p[2] <= tx_heights_above(h, p[0], p[1]));
    for (int k = 0; k < 2; k++) over = over && (k == axis || fabs(p[k]) <= h->size[k] + spare);
    if (!over) return;
    *t = here;
    v3_zero(normal);
    normal[axis] = outward;
}

bool tx_ray_heights(const tx_ray *r, const tx_heights *h, double *t, double normal[3]) {
    double spare = SPARE * (h->size[0] + h->size[1] + h->size[2]);
    nearest best = meet_surface(r, h, spare);
    *t = best.t;
    if (best.triangle >= 0) {
        double corner[3][3];
        triangle_of(h, best.triangle, corner);
        across(normal, corner[0], corner[1], corner[2]);
    }
    for (int k = 0; k < 2; k++)
        for (int side = -1; side <= 1; side += 2) try_side(r, h, k, side * h->size[k], side, spare, t, normal);
    try_side(r, h, 2, -h->size[3], -1, spare, t, normal);
    return *t < INFINITY;
}
