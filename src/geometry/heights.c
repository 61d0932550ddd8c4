// heights.c - the triangles of a height field and their neighbours.
#include "geometry/heights.h"

#include "geometry/vec3.h"

void tx_heights_point(const tx_heights *h, int row, int column, double out[3]) {
    out[0] = h->size[0] * (2.0 * column / (h->ncol - 1) - 1);
    out[1] = h->size[1] * (2.0 * row / (h->nrow - 1) - 1);
    out[2] = h->size[2] * h->data[row * h->ncol + column];
}

void tx_heights_triangle_at(const tx_heights *h, int row, int column, int half, tx_heights_triangle *t) {
    // counter-clockwise seen from above: (0,0) (0,1) (1,0) and (1,1) (1,0) (0,1), as (row, column)
    static const int ROW[2][3] = {{0, 0, 1}, {1, 1, 0}}, COLUMN[2][3] = {{0, 1, 0}, {1, 0, 1}};
    for (int k = 0; k < 3; k++) {
        t->row[k] = row + ROW[half][k];
        t->column[k] = column + COLUMN[half][k];
        tx_heights_point(h, t->row[k], t->column[k], t->corner[k]);
    }
    // the two legs run along x and y, so the normal follows from the slopes alone
    double dx = t->corner[1][0] - t->corner[0][0], dy = t->corner[2][1] - t->corner[0][1];
    v3_set(t->normal, -(t->corner[1][2] - t->corner[0][2]) / dx, -(t->corner[2][2] - t->corner[0][2]) / dy, 1);
    v3_normalise(t->normal);
}

// where x stands among n grid points between -half and half: the cell, and the part of it; the first when x is no
// number
static int cell_of(double x, double half, int n, double *part) {
    double at = v3_clamp((x / half + 1) / 2 * (n - 1), 0, n - 1);
    int cell = at > 0 ? (int)at : 0;
    if (cell > n - 2) cell = n - 2;
    *part = at - cell;
    return cell;
}

double tx_heights_above(const tx_heights *h, double x, double y) {
    double u, v;
    int column = cell_of(x, h->size[0], h->ncol, &u), row = cell_of(y, h->size[1], h->nrow, &v);
    const double *z = h->data + row * h->ncol + column;
    double z00 = z[0], z01 = z[1], z10 = z[h->ncol], z11 = z[h->ncol + 1];
    double z_here =
        u + v <= 1 ? z00 + u * (z01 - z00) + v * (z10 - z00) : z11 + (1 - u) * (z10 - z11) + (1 - v) * (z01 - z11);
    return h->size[2] * z_here;
}

tx_heights_range tx_heights_cells(const tx_heights *h, const double low[2], const double high[2]) {
    static const tx_heights_range none = {{0, -1}, {0, -1}};
    tx_heights_range range;
    double part;
    for (int k = 0; k < 2; k++) {
        if (!(high[k] >= -h->size[k]) || !(low[k] <= h->size[k])) return none;
        int n = k == 0 ? h->ncol : h->nrow, *cells = k == 0 ? range.column : range.row;
        cells[0] = cell_of(low[k], h->size[k], n, &part);
        // a box that ends on a grid line also sees the cell before it
        if (part <= 0 && cells[0] > 0) cells[0]--;
        cells[1] = cell_of(high[k], h->size[k], n, &part);
    }
    return range;
}

// the rise of another grid point over corner k along a direction, per length; none beyond the rim
static double rise(const tx_heights *h, const tx_heights_triangle *t, int k, int row, int column,
                   const double direction[3]) {
    if (row < 0 || row >= h->nrow || column < 0 || column >= h->ncol) return -1;
    double other[3], way[3];
    tx_heights_point(h, row, column, other);
    v3_sub(way, other, t->corner[k]);
    return v3_dot(way, direction) / v3_length(way);
}

static bool on_rim(const tx_heights *h, int row, int column) {
    return row == 0 || row == h->nrow - 1 || column == 0 || column == h->ncol - 1;
}

bool tx_heights_faces(const tx_heights *h, const tx_heights_triangle *t, int part, const double direction[3],
                      double slack) {
    if (part < 0) return true;
    if (part < 3) {
        // the neighbour's third corner mirrors this one's on the other side of the edge
        int a = (part + 1) % 3, b = (part + 2) % 3;
        int row = t->row[a] + t->row[b] - t->row[part], column = t->column[a] + t->column[b] - t->column[part];
        bool rim = row < 0 || row >= h->nrow || column < 0 || column >= h->ncol;
        if (rim) return direction[2] >= -slack;
        // only what stands across the edge counts
        double other[3], edge[3], way[3];
        tx_heights_point(h, row, column, other);
        v3_sub(edge, t->corner[b], t->corner[a]);
        v3_sub(way, other, t->corner[a]);
        v3_along(way, way, edge, -v3_dot(way, edge) / v3_dot(edge, edge));
        return v3_dot(way, direction) <= slack * v3_length(way);
    }
    static const int ROW[6] = {0, 0, 1, -1, 1, -1}, COLUMN[6] = {1, -1, 0, 0, -1, 1};
    int k = part - 3;
    if (on_rim(h, t->row[k], t->column[k]) && direction[2] < -slack) return false;
    for (int i = 0; i < 6; i++)
        if (rise(h, t, k, t->row[k] + ROW[i], t->column[k] + COLUMN[i], direction) > slack) return false;
    return true;
}

// ---- nearest points ------------------------------------------------------------------------------------------------

// where the foot of p on the line a b lies, 0 at a, 1 at b
static double foot(const double a[3], const double b[3], const double p[3]) {
    double ab[3], ap[3];
    v3_sub(ab, b, a);
    v3_sub(ap, p, a);
    double square = v3_dot(ab, ab);
    return square > 0 ? v3_dot(ap, ab) / square : 0;
}

// by the regions of the plane: corners first, then edges, then the inside
int tx_triangle_nearest(const double (*corner)[3], const double p[3], double out[3]) {
    double ab[3], ac[3], ap[3], normal[3];
    v3_sub(ab, corner[1], corner[0]);
    v3_sub(ac, corner[2], corner[0]);
    v3_sub(ap, p, corner[0]);
    v3_cross(normal, ab, ac);
    double square = v3_dot(normal, normal);

    // barycentric weights of the foot of p on the plane
    double weight[3] = {-1, -1, -1}, cross[3];
    if (square > 0) {
        v3_cross(cross, ap, ac);
        weight[1] = v3_dot(cross, normal) / square;
        v3_cross(cross, ab, ap);
        weight[2] = v3_dot(cross, normal) / square;
        weight[0] = 1 - weight[1] - weight[2];
    }
    if (weight[0] >= 0 && weight[1] >= 0 && weight[2] >= 0) {
        for (int k = 0; k < 3; k++) out[k] = corner[0][k] + weight[1] * ab[k] + weight[2] * ac[k];
        return -1;
    }
    // otherwise the nearest of the edges that p lies behind
    double best = INFINITY;
    int part = 3;
    for (int k = 0; k < 3; k++) {
        if (weight[k] >= 0) continue;
        const double *a = corner[(k + 1) % 3], *b = corner[(k + 2) % 3];
        double t = foot(a, b, p), at[3], way[3];
        for (int i = 0; i < 3; i++) at[i] = a[i] + v3_clamp(t, 0, 1) * (b[i] - a[i]);
        v3_sub(way, p, at);
        double distance = v3_dot(way, way);
        if (!(distance < best)) continue;
        best = distance;
        part = t <= 0 ? 3 + (k + 1) % 3 : t >= 1 ? 3 + (k + 2) % 3 : k;
        v3_copy(out, at);
    }
    return part;
}
