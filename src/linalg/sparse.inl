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

// ---- kernels: C -= A Bᵀ, rows x columns, over a number of earlier columns
// --------------------------------------------

// two columns of C and `depth` earlier columns, which is a constant where it is called
FN void subtract_two(num *__restrict c0, num *__restrict c1, const num *__restrict a, size_t lda, const num *b,
                     size_t ldb, int rows, const int depth) {
    num t[6], u[6];
    UNROLL
    for (int k = 0; k < depth; k++) t[k] = b[(size_t)k * ldb], u[k] = b[(size_t)k * ldb + 1];
    for (int r = 0; r < rows; r++) {
        num x = c0[r], y = c1[r];
        UNROLL
        for (int k = 0; k < depth; k++) {
            num v = a[(size_t)k * lda + (size_t)r];
            x = x - t[k] * v;
            y = y - u[k] * v;
        }
        c0[r] = x, c1[r] = y;
    }
}
FN void subtract_one(num *__restrict c0, const num *__restrict a, size_t lda, const num *b, size_t ldb, int rows,
                     const int depth) {
    num t[6];
    UNROLL
    for (int k = 0; k < depth; k++) t[k] = b[(size_t)k * ldb];
    for (int r = 0; r < rows; r++) {
        num x = c0[r];
        UNROLL
        for (int k = 0; k < depth; k++) x = x - t[k] * a[(size_t)k * lda + (size_t)r];
        c0[r] = x;
    }
}
FN void subtract_columns(num *c, size_t ldc, const num *a, size_t lda, const num *b, size_t ldb, int rows, int columns,
                         const int depth) {
    int j = 0;
    for (; j + 2 <= columns; j += 2)
        subtract_two(c + (size_t)j * ldc, c + (size_t)(j + 1) * ldc, a, lda, b + j, ldb, rows, depth);
    if (j < columns) subtract_one(c + (size_t)j * ldc, a, lda, b + j, ldb, rows, depth);
}
// six rows and six columns: the block of two free bodies
STAGE void subtract_six(num *c, size_t ldc, const num *a, size_t lda, const num *b, size_t ldb) {
    num4 a4[6];
    num2 a2[6];
    for (int k = 0; k < 6; k++) a4[k] = CAT4(a, (size_t)k * lda), a2[k] = CAT2(a, (size_t)k * lda + 4);
    for (int j = 0; j < 6; j++, c += ldc, b++) {
        num4 x = CAT4(c, 0);
        num2 y = CAT2(c, 4);
        UNROLL
        for (int k = 0; k < 6; k++) {
            num t = b[(size_t)k * ldb];
            x = x - t * a4[k];
            y = y - t * a2[k];
        }
        AT4(c, 0) = x, AT2(c, 4) = y;
    }
}
STAGE void subtract_product(num *c, size_t ldc, const num *a, size_t lda, const num *b, size_t ldb, int rows,
                            int columns, int depth) {
    for (; depth >= 6; depth -= 6, a += 6 * lda, b += 6 * ldb) {
        if (rows == 6 && columns == 6) subtract_six(c, ldc, a, lda, b, ldb);
        else subtract_columns(c, ldc, a, lda, b, ldb, rows, columns, 6);
    }
    if (depth >= 3) {
        subtract_columns(c, ldc, a, lda, b, ldb, rows, columns, 3);
        depth -= 3, a += 3 * lda, b += 3 * ldb;
    }
    if (depth == 2) subtract_columns(c, ldc, a, lda, b, ldb, rows, columns, 2);
    if (depth == 1) subtract_columns(c, ldc, a, lda, b, ldb, rows, columns, 1);
}

// ---- one panel ------------------------------------------------------------------------------------------------------

// column j of a strip whose earlier columns are done: at x the strip's diagonal, `rows` rows down to the panel's end;
// false where the pivot is not a positive finite number
FN bool factor_column(num *x, size_t ld, num *inv, int rows, const int j) {
    num *column = x + (size_t)j * ld + (size_t)j;
    subtract_one(column, x + j, ld, x + j, ld, rows - j, j);
    num pivot = column[0];
    if (!(pivot > 0 && pivot - pivot == 0)) return false;
    num root = vsqrt(pivot), scale = R(1) / root;
    inv[j] = scale;
    column[0] = root;
    for (int r = 1; r < rows - j; r++) column[r] = column[r] * scale;
    return true;
}

// at most six columns; returns the one whose pivot is bad, or -1
STAGE int factor_strip(num *x, size_t ld, num *inv, int rows, int columns) {
    if (!factor_column(x, ld, inv, rows, 0)) return 0;
    if (columns > 1 && !factor_column(x, ld, inv, rows, 1)) return 1;
    if (columns > 2 && !factor_column(x, ld, inv, rows, 2)) return 2;
    if (columns > 3 && !factor_column(x, ld, inv, rows, 3)) return 3;
    if (columns > 4 && !factor_column(x, ld, inv, rows, 4)) return 4;
    if (columns > 5 && !factor_column(x, ld, inv, rows, 5)) return 5;
    return -1;
}

// the factor of a panel from which earlier panels are subtracted; six columns at a time
STAGE int factor_panel(num *x, size_t ld, num *inv, int width) {
    for (int j = 0; j < width; j += 6) {
        num *corner = x + (size_t)j * ld + (size_t)j;
        int columns = width - j < 6 ? width - j : 6, rows = (int)ld - j;
        if (j > 0) subtract_product(corner, ld, x + j, ld, x + j, ld, rows, columns, j);
        int bad = factor_strip(corner, ld, inv + j, rows, columns);
        if (bad >= 0) return j + bad;
    }
    return -1;
}

FN void copy_block(num *__restrict to, size_t ld, const num *__restrict from, const int rows, const int columns) {
    for (int j = 0; j < columns; j++)
        for (int r = 0; r < rows; r++) to[(size_t)j * ld + (size_t)r] = from[j * rows + r];
}

// the numbers of H into an empty panel; offset: where a column's rows begin in it
FN void gather_panel(const tx_sparse *s, int p, const num *H, num *x, size_t ld, const int *offset) {
    memset(x, 0, sizeof(num) * ld * (size_t)s->panel_width[p]);
    for (int c = s->panel_column[p]; c < s->panel_column[p + 1]; c++) {
        const int columns = s->width[s->block[c]];
        num *corner = x + (size_t)s->column_offset[c] * ld;
        for (int e = s->h_start[c]; e < s->h_start[c + 1]; e++) {
            const int row = s->h_row[e], rows = s->width[s->block[row]];
            if (rows == 6 && columns == 6) copy_block(corner + offset[row], ld, H + s->h_at[e], 6, 6);
            else copy_block(corner + offset[row], ld, H + s->h_at[e], rows, columns);
        }
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
    gather_panel(s, p, H, x, ld, offset);
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
FN void subtract_block(num *__restrict x, const num *__restrict a, size_t ld, const num *__restrict t, int rows,
                       int columns) {
    int k = 0;
    for (; k + 6 <= columns; k += 6) {
        const num *v = a + (size_t)k * ld;
        num t0 = t[k], t1 = t[k + 1], t2 = t[k + 2], t3 = t[k + 3], t4 = t[k + 4], t5 = t[k + 5];
        for (int r = 0; r < rows; r++)
            x[r] = (((((x[r] - v[r] * t0) - v[ld + (size_t)r] * t1) - v[2 * ld + (size_t)r] * t2) -
                     v[3 * ld + (size_t)r] * t3) -
                    v[4 * ld + (size_t)r] * t4) -
                   v[5 * ld + (size_t)r] * t5;
    }
    for (; k < columns; k++)
        for (int r = 0; r < rows; r++) x[r] = x[r] - a[(size_t)k * ld + (size_t)r] * t[k];
}

// t -= Aᵀ x: every number of t has its own sum
FN void subtract_transposed(num *__restrict t, const num *__restrict a, size_t ld, const num *__restrict x, int rows,
                            int columns) {
    int k = 0;
    for (; k + 6 <= columns; k += 6) {
        const num *v = a + (size_t)k * ld;
        num t0 = t[k], t1 = t[k + 1], t2 = t[k + 2], t3 = t[k + 3], t4 = t[k + 4], t5 = t[k + 5];
        for (int r = 0; r < rows; r++, v++) {
            t0 = t0 - v[0] * x[r], t1 = t1 - v[ld] * x[r], t2 = t2 - v[2 * ld] * x[r];
            t3 = t3 - v[3 * ld] * x[r], t4 = t4 - v[4 * ld] * x[r], t5 = t5 - v[5 * ld] * x[r];
        }
        t[k] = t0, t[k + 1] = t1, t[k + 2] = t2, t[k + 3] = t3, t[k + 4] = t4, t[k + 5] = t5;
    }
    for (; k < columns; k++)
        for (int r = 0; r < rows; r++) t[k] = t[k] - a[(size_t)k * ld + (size_t)r] * x[r];
}

// t = L⁻¹ t and t = L⁻ᵀ t with the diagonal part of a panel; six unknowns stay in registers
FN void solve_lower_six(const num *panel, size_t ld, const num *scale, num *t) {
    UNROLL
    for (int k = 0; k < 6; k++) {
        t[k] = t[k] * scale[k];
        UNROLL
        for (int r = k + 1; r < 6; r++) t[r] = t[r] - panel[(size_t)k * ld + (size_t)r] * t[k];
    }
}
FN void solve_upper_six(const num *panel, size_t ld, const num *scale, num *t) {
    UNROLL
    for (int k = 5; k >= 0; k--) {
        UNROLL
        for (int r = 5; r > k; r--) t[k] = t[k] - panel[(size_t)k * ld + (size_t)r] * t[r];
        t[k] = t[k] * scale[k];
    }
}
FN void solve_lower(const num *panel, size_t ld, const num *scale, num *t, int width) {
    for (int k = 0; k < width; k++) {
        t[k] = t[k] * scale[k];
        for (int r = k + 1; r < width; r++) t[r] = t[r] - panel[(size_t)k * ld + (size_t)r] * t[k];
    }
}
FN void solve_upper(const num *panel, size_t ld, const num *scale, num *t, int width) {
    for (int k = width - 1; k >= 0; k--) {
        for (int r = width - 1; r > k; r--) t[k] = t[k] - panel[(size_t)k * ld + (size_t)r] * t[r];
        t[k] = t[k] * scale[k];
    }
}

// the unknowns of columns c to end, out of the caller's vector and back into it
FN void take_unknowns(const tx_sparse *s, int c, int end, const int *first, const num *x, num *t) {
    for (int k = 0; c < end; c++)
        for (int r = 0; r < s->width[s->block[c]]; r++) t[k++] = x[first[s->block[c]] + r];
}
FN void put_unknowns(const tx_sparse *s, int c, int end, const int *first, num *x, const num *t) {
    for (int k = 0; c < end; c++)
        for (int r = 0; r < s->width[s->block[c]]; r++) x[first[s->block[c]] + r] = t[k++];
}

// forwards: the unknowns t of panel p, which is `width` wide, and its part of those below; width is a constant where
// it is 6
FN void solve_forwards(const tx_sparse *s, int p, const num *L, const num *inv, const int *first, num *x, num *t,
                       const int width) {
    const size_t ld = (size_t)s->panel_height[p];
    const num *panel = L + s->panel_at[p];
    if (width == 6) solve_lower_six(panel, ld, inv + s->panel_pivot[p], t);
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
        if (rows == 6) subtract_transposed(t, a, ld, x + first[block], 6, width);
        else subtract_transposed(t, a, ld, x + first[block], rows, width);
    }
    if (width == 6) solve_upper_six(panel, ld, inv + s->panel_pivot[p], t);
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
        num t[TX_SPARSE_PANEL] = {0};
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
