// sparse.inl - left-looking block Cholesky H = L Lᵀ on the pattern of sparse.h: docs/sparse.md. lanes: 1
//
// A panel is column-major over its rows. All work runs down neighbouring rows, so that a compiler can use vectors
// without changing an order: every number of L takes its subtractions one at a time, earlier columns first, whatever
// the vectors, the blocking here, the range asked for and what was recomputed.
#pragma once
#include "lane/row.h"
#if TX_LANES == 1
#include "linalg/sparse.h"

#include <string.h>

// ---- kernels: C -= A Bᵀ, rows x columns, over a number of earlier columns, `depth`, which is a constant where they
// are called ----------------------------------------------------------------------------------------------------------

// six rows of A stay in registers; then four, two or one
FN void subtract_rows6(num *c, size_t ldc, const num *a, size_t lda, const num *b, size_t ldb, int columns,
                       const int depth) {
    num4 a4[6];
    num2 a2[6];
    UNROLL
    for (int k = 0; k < depth; k++) a4[k] = CAT4(a, (size_t)k * lda), a2[k] = CAT2(a, (size_t)k * lda + 4);
    for (int j = 0; j < columns; j++, c += ldc, b++) {
        num4 x = CAT4(c, 0);
        num2 y = CAT2(c, 4);
        UNROLL
        for (int k = 0; k < depth; k++) {
            const num t = b[(size_t)k * ldb];
            x = x - t * a4[k];
            y = y - t * a2[k];
        }
        AT4(c, 0) = x, AT2(c, 4) = y;
    }
}
#define SUBTRACT_ROWS(name, type, at, cat)                                                            \
    FN void name(num *c, size_t ldc, const num *a, size_t lda, const num *b, size_t ldb, int columns, \
                 const int depth) {                                                                   \
        type v[6];                                                                                    \
        UNROLL                                                                                        \
        for (int k = 0; k < depth; k++) v[k] = cat(a, (size_t)k * lda);                               \
        for (int j = 0; j < columns; j++, c += ldc, b++) {                                            \
            type x = cat(c, 0);                                                                       \
            UNROLL                                                                                    \
            for (int k = 0; k < depth; k++) x = x - b[(size_t)k * ldb] * v[k];                        \
            at(c, 0) = x;                                                                             \
        }                                                                                             \
    }
SUBTRACT_ROWS(subtract_rows4, num4, AT4, CAT4)
SUBTRACT_ROWS(subtract_rows2, num2, AT2, CAT2)
SUBTRACT_ROWS(subtract_rows1, num, AT1, AT1)

FN void subtract_columns(num *c, size_t ldc, const num *a, size_t lda, const num *b, size_t ldb, int rows, int columns,
                         const int depth) {
    for (; rows >= 6; rows -= 6, c += 6, a += 6) subtract_rows6(c, ldc, a, lda, b, ldb, columns, depth);
    if (rows >= 4) {
        subtract_rows4(c, ldc, a, lda, b, ldb, columns, depth);
        rows -= 4, c += 4, a += 4;
    }
    if (rows >= 2) {
        subtract_rows2(c, ldc, a, lda, b, ldb, columns, depth);
        rows -= 2, c += 2, a += 2;
    }
    if (rows) subtract_rows1(c, ldc, a, lda, b, ldb, columns, depth);
}
STAGE void subtract_product(num *c, size_t ldc, const num *a, size_t lda, const num *b, size_t ldb, int rows,
                            int columns, int depth) {
    for (; depth >= 6; depth -= 6, a += 6 * lda, b += 6 * ldb)
        subtract_columns(c, ldc, a, lda, b, ldb, rows, columns, 6);
    if (depth >= 3) {
        subtract_columns(c, ldc, a, lda, b, ldb, rows, columns, 3);
        depth -= 3, a += 3 * lda, b += 3 * ldb;
    }
    if (depth == 2) subtract_columns(c, ldc, a, lda, b, ldb, rows, columns, 2);
    if (depth == 1) subtract_columns(c, ldc, a, lda, b, ldb, rows, columns, 1);
}

// ---- one panel ------------------------------------------------------------------------------------------------------

// the triangle at the top of a strip of at most six columns; returns the one whose pivot is not a positive finite
// number, or -1. A pivot waits for one division of the last one and not for its root: all roots are drawn at the end.
// Above the diagonal stands L with a unit diagonal, transposed: solves with it wait for less (solve_lower_few)
FN int factor_triangle(num *x, size_t ld, num *inv, const int columns) {
    UNROLL_CONSTANT
    for (int j = 0; j < columns; j++) {
        const num *column = x + (size_t)j * ld, pivot = column[j];
        if (!(pivot > 0 && pivot - pivot == 0)) return j;
        const num over = R(1) / pivot;
        UNROLL_CONSTANT
        for (int k = j + 1; k < columns; k++) {
            num *later = x + (size_t)k * ld, unit = column[k] * over;
            later[k] = later[k] - column[k] * column[k] * over;
            UNROLL_CONSTANT
            for (int r = k + 1; r < columns; r++) later[r] = later[r] - column[r] * unit;
            later[j] = unit;
        }
    }
    UNROLL_CONSTANT
    for (int j = 0; j < columns; j++) {
        num *column = x + (size_t)j * ld, root = vsqrt(column[j]), scale = R(1) / root;
        inv[j] = scale;
        column[j] = root;
        UNROLL_CONSTANT
        for (int r = j + 1; r < columns; r++) column[r] = column[r] * scale;
    }
    return -1;
}

// the rows below it, x the first of them: four, two or one at a time; top: the triangle
#define FACTOR_ROWS(name, type, at, cat)                                                      \
    FN void name(num *x, size_t ld, const num *top, const num *inv, const int columns) {      \
        type v[6];                                                                            \
        UNROLL_CONSTANT                                                                       \
        for (int j = 0; j < columns; j++) {                                                   \
            v[j] = cat(x, (size_t)j * ld);                                                    \
            UNROLL_CONSTANT                                                                   \
            for (int k = 0; k < j; k++) v[j] = v[j] - top[(size_t)k * ld + (size_t)j] * v[k]; \
            v[j] = v[j] * inv[j];                                                             \
            at(x, (size_t)j *ld) = v[j];                                                      \
        }                                                                                     \
    }
FACTOR_ROWS(factor_rows4, num4, AT4, CAT4)
FACTOR_ROWS(factor_rows2, num2, AT2, CAT2)
FACTOR_ROWS(factor_rows1, num, AT1, AT1)

FN int factor_strip(num *x, size_t ld, num *inv, int rows, const int columns) {
    const int bad = factor_triangle(x, ld, inv, columns);
    int r = columns;
    for (; bad < 0 && r + 4 <= rows; r += 4) factor_rows4(x + r, ld, x, inv, columns);
    if (bad < 0 && r + 2 <= rows) {
        factor_rows2(x + r, ld, x, inv, columns);
        r += 2;
    }
    if (bad < 0 && r < rows) factor_rows1(x + r, ld, x, inv, columns);
    return bad;
}

// the factor of a panel from which earlier panels are subtracted; six columns at a time
STAGE int factor_panel(num *x, size_t ld, num *inv, int width) {
    for (int j = 0; j < width; j += 6) {
        num *corner = x + (size_t)j * ld + (size_t)j;
        int columns = width - j < 6 ? width - j : 6, rows = (int)ld - j;
        if (j > 0) subtract_product(corner, ld, x + j, ld, x + j, ld, rows, columns, j);
        const int bad = columns == 6   ? factor_strip(corner, ld, inv + j, rows, 6)
                        : columns == 3 ? factor_strip(corner, ld, inv + j, rows, 3)
                                       : factor_strip(corner, ld, inv + j, rows, columns);
        if (bad >= 0) return j + bad;
    }
    return -1;
}

// the numbers of a block, too few for a call of memcpy
FN void copy_few(num *to, const num *from, int n) {
    IN_CHUNKS(k, n, AT4(to, k) = CAT4(from, k), AT2(to, k) = CAT2(from, k), to[k] = from[k]);
}
FN void copy_unknowns(num *to, const num *from, int n) {
    if (n == 6) copy_few(to, from, 6);
    else if (n == 3) copy_few(to, from, 3);
    else copy_few(to, from, n);
}
FN void copy_block(num *to, size_t ld, const num *from, const int rows, const int columns) {
    UNROLL_CONSTANT
    for (int j = 0; j < columns; j++) copy_few(to + (size_t)j * ld, from + j * rows, rows);
}

// a block of H into a panel, or zeros where it fills in; e: the block of its column that comes next, counted on
FN void gather_block(const tx_sparse *s, const num *H, int row, const int columns, int *e, int end, num *to,
                     size_t ld) {
    const int rows = s->width[s->block[row]];
    if (*e < end && s->h_row[*e] == row) {
        const num *from = H + s->h_at[(*e)++];
        if (rows == 6 && columns == 6) copy_block(to, ld, from, 6, 6);
        else if (rows == 6) copy_block(to, ld, from, 6, columns);
        else if (rows == 3) copy_block(to, ld, from, 3, columns);
        else copy_block(to, ld, from, rows, columns);
    } else if (rows == 6) {
        for (int j = 0; j < columns; j++) row_zero(to + (size_t)j * ld, 6);
    } else
        for (int j = 0; j < columns; j++) row_zero(to + (size_t)j * ld, rows);
}

// the numbers of H into a panel; above its diagonal stand zeros
FN void gather_panel(const tx_sparse *s, int p, const num *H, num *x, size_t ld) {
    for (int c = s->panel_column[p]; c < s->panel_column[p + 1]; c++) {
        const int columns = s->width[s->block[c]], end = s->h_start[c + 1];
        num *corner = x + (size_t)s->column_offset[c] * ld;
        int e = s->h_start[c];
        for (int row = s->panel_column[p]; row < s->panel_column[p + 1]; row++)
            gather_block(s, H, row, columns, &e, end, corner + s->column_offset[row], ld);
        for (int k = s->row_start[p]; k < s->row_start[p + 1]; k++)
            gather_block(s, H, s->row[k], columns, &e, end, corner + s->row_offset[k], ld);
    }
}

// panel q, whose rows from entry e on stand in panel p or below it, out of panel p
FN void subtract_panel(const tx_sparse *s, int q, int e, const num *L, int p, num *x, size_t ld, const int *offset) {
    const int end = s->row_start[q + 1], stop = s->panel_column[p + 1], *at = s->row_offset;
    const size_t lda = (size_t)s->panel_height[q];
    const num *a = L + s->panel_at[q];
    // rows that are neighbours in both panels go together
    for (int run = e; run < end;) {
        int next = run + 1, gap = offset[s->row[run]] - at[run];
        while (next < end && offset[s->row[next]] - at[next] == gap) next++;
        int rows = (next < end ? at[next] : (int)lda) - at[run];
        // by columns of p up to this run's rows
        for (int k = e; k < next && s->row[k] < stop; k++) {
            int skip = k > run ? at[k] - at[run] : 0, columns = s->width[s->block[s->row[k]]];
            num *to = x + (size_t)s->column_offset[s->row[k]] * ld + (size_t)(at[run] + gap + skip);
            subtract_product(to, ld, a + at[run] + skip, lda, a + at[k], lda, rows - skip, columns, s->panel_width[q]);
        }
        run = next;
    }
}

// the factor's panel p; returns the block whose pivot is bad, or -1
STAGE int sparse_panel(const tx_sparse *s, int p, const num *H, num *L, num *inv, int *offset) {
    const size_t ld = (size_t)s->panel_height[p];
    num *x = L + s->panel_at[p];
    for (int c = s->panel_column[p]; c < s->panel_column[p + 1]; c++) offset[c] = s->column_offset[c];
    for (int e = s->row_start[p]; e < s->row_start[p + 1]; e++) offset[s->row[e]] = s->row_offset[e];
    gather_panel(s, p, H, x, ld);
    for (int k = s->below_start[p]; k < s->below_start[p + 1]; k++)
        subtract_panel(s, s->below[k], s->below_row[k], L, p, x, ld, offset);
    int bad = factor_panel(x, ld, inv + s->panel_pivot[p], s->panel_width[p]);
    if (bad < 0) return -1;
    int c = s->panel_column[p];
    while (c + 1 < s->panel_column[p + 1] && s->column_offset[c + 1] <= bad) c++;
    return s->block[c];
}

// ---- all of them: described in sparse.h -----------------------------------------------------------------------------

STAGE int sparse_factor(const tx_sparse *s, const num *H, num *L, num *inv, int from, int to, int *work) {
    for (int p = from; p < to; p++) {
        int bad = sparse_panel(s, p, H, L, inv, work);
        if (bad >= 0) return bad;
    }
    return -1;
}

STAGE int sparse_refactor(const tx_sparse *s, const num *H, num *L, num *inv, int from, int to, int *stale,
                          int *panels_done, int *work) {
    int done = 0, bad = -1;
    for (int p = from; p < to && bad < 0; p++) {
        if (!stale[p]) continue;
        bad = sparse_panel(s, p, H, L, inv, work);
        done++;
        if (s->panel_parent[p] >= 0) stale[s->panel_parent[p]] = 1;
    }
    for (int p = from; p < to; p++) stale[p] = 0;
    *panels_done = done;
    return bad;
}

// x -= A t, a block of `rows` rows; columns in the order of elimination
#define SUBTRACT_TERMS(type, at, cat, r)                                                             \
    do {                                                                                             \
        type sum_ = cat(x, r);                                                                       \
        UNROLL_CONSTANT                                                                              \
        for (int k = 0; k < columns; k++) sum_ = sum_ - cat(a, (size_t)k * ld + (size_t)(r)) * t[k]; \
        at(x, r) = sum_;                                                                             \
    } while (0)
FN void subtract_block(num *x, const num *a, size_t ld, const num *t, int rows, int columns) {
    IN_CHUNKS(r, rows, SUBTRACT_TERMS(num4, AT4, CAT4, r), SUBTRACT_TERMS(num2, AT2, CAT2, r),
              SUBTRACT_TERMS(num, AT1, AT1, r));
}

// t -= Aᵀ x: every number of t has its own sum; at most six columns, rows from `begin` on, or back from there
FN void subtract_transposed(num *t, const num *a, size_t ld, const num *x, int rows, const int columns, bool back) {
    num sum[6] = {0};
    UNROLL_CONSTANT
    for (int k = 0; k < columns; k++) sum[k] = t[k];
    for (int i = 0; i < rows; i++) {
        const int r = back ? rows - 1 - i : i;
        UNROLL_CONSTANT
        for (int k = 0; k < columns; k++) sum[k] = sum[k] - a[(size_t)k * ld + (size_t)r] * x[r];
    }
    UNROLL_CONSTANT
    for (int k = 0; k < columns; k++) t[k] = sum[k];
}

// t = L⁻¹ t and t = L⁻ᵀ t with the triangle of a strip; few unknowns stay in registers
FN void solve_lower_few(const num *panel, size_t ld, const num *scale, num *t, const int width) {
    UNROLL_CONSTANT
    for (int k = 0; k < width; k++) {
        UNROLL_CONSTANT
        for (int r = k + 1; r < width; r++) t[r] = t[r] - panel[(size_t)r * ld + (size_t)k] * t[k];
        t[k] = t[k] * scale[k];
    }
}
FN void solve_upper_few(const num *panel, size_t ld, const num *scale, num *t, const int width) {
    UNROLL_CONSTANT
    for (int k = width - 1; k >= 0; k--) {
        t[k] = t[k] * scale[k];
        UNROLL_CONSTANT
        for (int r = width - 1; r > k; r--) t[k] = t[k] - panel[(size_t)r * ld + (size_t)k] * t[r];
    }
}

// a panel's strips have six columns; what is left over comes last. `work` is done with constants where they are common
enum { STRIP = 6 };
#define OF_WIDTH(n, work) ((n) == 6 ? (work(6)) : (n) == 3 ? (work(3)) : (work(n)))

FN void solve_lower(const num *panel, size_t ld, const num *scale, num *t, int width) {
    for (int j = 0; j < width; j += STRIP) {
        const int n = width - j < STRIP ? width - j : STRIP, rest = width - j - n;
        const num *corner = panel + (size_t)j * ld + (size_t)j;
#define LOWER(n) \
    solve_lower_few(corner, ld, scale + j, t + j, n), subtract_block(t + j + n, corner + n, ld, t + j, rest, n)
        OF_WIDTH(n, LOWER);
    }
}
FN void solve_upper(const num *panel, size_t ld, const num *scale, num *t, int width) {
    for (int j = (width - 1) / STRIP * STRIP; j >= 0; j -= STRIP) {
        const int n = width - j < STRIP ? width - j : STRIP, rest = width - j - n;
        const num *corner = panel + (size_t)j * ld + (size_t)j;
#define UPPER(n)                                                          \
    subtract_transposed(t + j, corner + n, ld, t + j + n, rest, n, true), \
        solve_upper_few(corner, ld, scale + j, t + j, n)
        OF_WIDTH(n, UPPER);
    }
}
// t -= Aᵀ x, any number of columns
FN void subtract_strips(num *t, const num *a, size_t ld, const num *x, int rows, int width) {
    for (int j = 0; j < width; j += STRIP) {
        const int n = width - j < STRIP ? width - j : STRIP;
        const num *column = a + (size_t)j * ld;
#define STRIPS(n) subtract_transposed(t + j, column, ld, x, rows, n, false)
        OF_WIDTH(n, STRIPS);
    }
}

// the unknowns of columns c to end, out of the caller's vector and back into it
FN void take_unknowns(const tx_sparse *s, int c, int end, const int *first, const num *x, num *t) {
    for (; c < end; c++) copy_unknowns(t, x + first[s->block[c]], s->width[s->block[c]]), t += s->width[s->block[c]];
}
FN void put_unknowns(const tx_sparse *s, int c, int end, const int *first, num *x, const num *t) {
    for (; c < end; c++) copy_unknowns(x + first[s->block[c]], t, s->width[s->block[c]]), t += s->width[s->block[c]];
}

// forwards: the unknowns t of panel p, which is `width` wide, and its part of those below; width is a constant where
// it is 6
FN void solve_forwards(const tx_sparse *s, int p, const num *L, const num *inv, const int *first, num *x, num *t,
                       const int width) {
    const size_t ld = (size_t)s->panel_height[p];
    const num *panel = L + s->panel_at[p];
    if (width == 6) solve_lower_few(panel, ld, inv + s->panel_pivot[p], t, 6);
    else solve_lower(panel, ld, inv + s->panel_pivot[p], t, width);
    for (int e = s->row_start[p]; e < s->row_start[p + 1]; e++) {
        const int block = s->block[s->row[e]], rows = s->width[block];
        const num *a = panel + s->row_offset[e];
        if (rows == 6) subtract_block(x + first[block], a, ld, t, 6, width);
        else subtract_block(x + first[block], a, ld, t, rows, width);
    }
}

// backwards: out of the unknowns below
FN void solve_backwards(const tx_sparse *s, int p, const num *L, const num *inv, const int *first, const num *x, num *t,
                        const int width) {
    const size_t ld = (size_t)s->panel_height[p];
    const num *panel = L + s->panel_at[p];
    for (int e = s->row_start[p]; e < s->row_start[p + 1]; e++) {
        const int block = s->block[s->row[e]], rows = s->width[block];
        const num *a = panel + s->row_offset[e];
        if (rows == 6) subtract_strips(t, a, ld, x + first[block], 6, width);
        else subtract_strips(t, a, ld, x + first[block], rows, width);
    }
    if (width == 6) solve_upper_few(panel, ld, inv + s->panel_pivot[p], t, 6);
    else solve_upper(panel, ld, inv + s->panel_pivot[p], t, width);
}

// one panel, forwards or backwards; most are one free body
FN void solve_panel(const tx_sparse *s, int p, const num *L, const num *inv, const int *first, num *x, bool forwards) {
    const int c = s->panel_column[p], end = s->panel_column[p + 1], width = s->panel_width[p];
    if (width == 6 && end - c == 1) {
        num t[6], *own = x + first[s->block[c]];
        UNROLL
        for (int k = 0; k < 6; k++) t[k] = own[k];
        if (forwards) solve_forwards(s, p, L, inv, first, x, t, 6);
        else solve_backwards(s, p, L, inv, first, x, t, 6);
        UNROLL
        for (int k = 0; k < 6; k++) own[k] = t[k];
    } else {
        num t[TX_SPARSE_PANEL];
        take_unknowns(s, c, end, first, x, t);
        if (forwards) solve_forwards(s, p, L, inv, first, x, t, width);
        else solve_backwards(s, p, L, inv, first, x, t, width);
        put_unknowns(s, c, end, first, x, t);
    }
}

STAGE void sparse_solve(const tx_sparse *s, const num *L, const num *inv, const int *first, num *x, int from, int to) {
    for (int p = from; p < to; p++) solve_panel(s, p, L, inv, first, x, true);
    for (int p = to - 1; p >= from; p--) solve_panel(s, p, L, inv, first, x, false);
}
#endif
