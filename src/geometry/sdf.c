// sdf.c - baking and reading of signed distance fields.
#include "geometry/sdf.h"

#include "base/memory.h"
#include "geometry/triangles.h"
#include "geometry/vec3.h"

// grid points beyond the surface on every side
enum { PADDING = 3 };

// ---- the grid ------------------------------------------------------------------------------------------------------

double tx_sdf_cell(const double low[3], const double high[3]) {
    double longest = 0, shortest = INFINITY;
    for (int k = 0; k < 3; k++) {
        longest = fmax(longest, high[k] - low[k]);
        shortest = fmin(shortest, high[k] - low[k]);
    }
    double cell = fmin(fmax(0.005, longest / 127), shortest / 31);
    // a flat surface has no shortest side
    return cell > longest / 1000 ? cell : longest / 127;
}

tx_sdf tx_sdf_grid(const double *vertex, int vertex_count, double cell) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < vertex_count; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], vertex[3 * i + k]);
            high[k] = fmax(high[k], vertex[3 * i + k]);
        }
    tx_sdf sdf = {.cell = cell > 0 ? cell : tx_sdf_cell(low, high)};
    for (double points = INFINITY; points > TX_SDF_POINTS; sdf.cell *= points > TX_SDF_POINTS ? 1.05 : 1) {
        points = 1;
        for (int k = 0; k < 3; k++) {
            double steps = ceil((high[k] - low[k]) / sdf.cell) + 2 * PADDING;
            points *= steps + 1;
            sdf.n[k] = steps < 1000 ? (int)steps + 1 : 1000;
            if (steps >= 1000) points = INFINITY;
            // centred, so that a symmetric surface has a symmetric field
            sdf.low[k] = (low[k] + high[k] - steps * sdf.cell) / 2;
        }
    }
    return sdf;
}

// ---- baking --------------------------------------------------------------------------------------------------------

// A point nearer to its neighbour than that one is to a closed surface lies on the same side of it; else, and always
// for surfaces with holes, the winding number decides. Surfaces turned inside out count as well.
static double sign_at(const tx_triangle_tree *tree, const double p[3], bool closed, double before, double cell) {
    if (closed && fabs(before) > cell) return before < 0 ? -1 : 1;
    return fabs(tx_triangle_tree_winding(tree, p)) > 0.5 ? -1 : 1;
}

// nearest: room for one layer, the triangles nearest to its points
static void fill(const tx_sdf *sdf, double *value, const tx_triangle_tree *tree, bool closed, int *nearest) {
    for (int z = 0; z < sdf->n[2]; z++)
        for (int y = 0; y < sdf->n[1]; y++) {
            double before = 0;
            for (int x = 0; x < sdf->n[0]; x++) {
                double p[3] = {sdf->low[0] + x * sdf->cell, sdf->low[1] + y * sdf->cell, sdf->low[2] + z * sdf->cell};
                // what is nearest to the points before this one in x, y and z is near to it too
                int *here = nearest + y * sdf->n[0] + x;
                int guess[3] = {x > 0 ? here[-1] : -1, y > 0 ? here[-sdf->n[0]] : -1, z > 0 ? here[0] : -1};
                double distance = tx_triangle_tree_distance(tree, p, guess, here);
                before = distance * sign_at(tree, p, closed, before, sdf->cell);
                *value++ = before;
            }
        }
}

bool tx_sdf_bake(tx_sdf *sdf, const double *vertex, int vertex_count, const int *face, int face_count, double cell) {
    *sdf = tx_sdf_grid(vertex, vertex_count, cell);
    tx_triangle_tree *tree = sdf->cell > 0 ? tx_triangle_tree_create(vertex, face, face_count) : NULL;
    size_t layer = (size_t)sdf->n[0] * (size_t)sdf->n[1];
    int *nearest = tree ? tx_alloc(sizeof *nearest * layer) : NULL;
    double *value = nearest ? tx_alloc(sizeof *value * layer * (size_t)sdf->n[2]) : NULL;
    if (value) fill(sdf, value, tree, tx_triangle_tree_closed(face, face_count), nearest);
    tx_triangle_tree_destroy(tree);
    tx_free(nearest);
    sdf->value = value;
    return value != NULL;
}

// ---- reading -------------------------------------------------------------------------------------------------------

static double mix(double a, double b, double t) { return a + t * (b - a); }

double tx_sdf_value(const tx_sdf *sdf, const double p[3], double gradient[3]) {
    double part[3], beyond[3];
    int at[3];
    for (int k = 0; k < 3; k++) {
        double place = (p[k] - sdf->low[k]) / sdf->cell, inside = v3_clamp(place, 0, sdf->n[k] - 1);
        at[k] = inside > 0 ? (int)inside : 0; // also when p is no number
        if (at[k] > sdf->n[k] - 2) at[k] = sdf->n[k] - 2;
        part[k] = inside - at[k];
        beyond[k] = (place - inside) * sdf->cell;
    }
    const size_t row = (size_t)sdf->n[0], layer = row * (size_t)sdf->n[1];
    const double *v = sdf->value + (size_t)at[2] * layer + (size_t)at[1] * row + (size_t)at[0];
    const double x = part[0], y = part[1], z = part[2];

    // along x, then y, then z
    double v00 = mix(v[0], v[1], x), v10 = mix(v[row], v[row + 1], x);
    double v01 = mix(v[layer], v[layer + 1], x), v11 = mix(v[layer + row], v[layer + row + 1], x);
    double v0 = mix(v00, v10, y), v1 = mix(v01, v11, y), value = mix(v0, v1, z);
    double away = v3_length(beyond);
    if (gradient) {
        double dx0 = mix(v[1] - v[0], v[row + 1] - v[row], y);
        double dx1 = mix(v[layer + 1] - v[layer], v[layer + row + 1] - v[layer + row], y);
        v3_set(gradient, mix(dx0, dx1, z), mix(v10 - v00, v11 - v01, z), v1 - v0);
        for (int k = 0; k < 3; k++) {
            gradient[k] /= sdf->cell;
            if (beyond[k] != 0) gradient[k] = beyond[k] / away;
        }
    }
    return value + away;
}
