// heights.h - a height field as a surface: its grid points, its triangles, and which directions its edges and corners
// really face.
//
// Point (row, column) stands at x = -X + 2 X column / (ncol - 1), y likewise by rows, z = height * data. Cell (r, c)
// has the triangles 2 k and 2 k + 1, k = r (ncol - 1) + c, cut from (r + 1, c) to (r, c + 1); both have x to y to x
// order, so that their normals point up. Everything below the surface down to the base is solid.
#pragma once
#include <stdbool.h>

typedef struct tx_heights {
    int nrow, ncol;
    const double *size; // half x, half y, height, base [m]
    const double *data; // nrow * ncol heights, 0 to 1
} tx_heights;

/// One triangle: its corners, their places in the grid, and its unit normal.
typedef struct tx_heights_triangle {
    double corner[3][3];
    int row[3], column[3];
    double normal[3];
} tx_heights_triangle;

/// Cells first to last in both directions; empty when a first is behind its last.
typedef struct tx_heights_range {
    int row[2], column[2];
} tx_heights_range;

void tx_heights_point(const tx_heights *h, int row, int column, double out[3]);
/// Triangle `half` (0 or 1) of a cell.
void tx_heights_triangle_at(const tx_heights *h, int row, int column, int half, tx_heights_triangle *out);
/// Height of the surface above (x, y), which is first moved into the rectangle.
double tx_heights_above(const tx_heights *h, double x, double y);
/// The cells that have a part in the rectangle low to high (x, y).
tx_heights_range tx_heights_cells(const tx_heights *h, const double low[2], const double high[2]);

/// Whether the surface falls away, or stays level, on all sides of a part of a triangle when one looks along
/// -direction: the part is the edge opposite to corner k (part = k), or corner k (part = 3 + k). Seen along a direction
/// that is not so, another triangle is nearer: it is an inner edge on which nothing can get caught. slack: rise per
/// length that still counts as level.
bool tx_heights_faces(const tx_heights *h, const tx_heights_triangle *t, int part, const double direction[3],
                      double slack);

/// Point of a triangle (three corners) nearest to p, and on which part it lies: -1 inside, else as above.
int tx_triangle_nearest(const double (*corner)[3], const double p[3], double out[3]);
