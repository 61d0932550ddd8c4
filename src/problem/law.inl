// law.inl - what a law is, and the loops over constraints that every law shares. lanes: any
//
// A law is a convex cost ℓ(y) of y = J x per constraint, with force γ = -∂ℓ/∂y and Hessian G = -∂γ/∂y >= 0.
// A law file gives four functions of one constraint and ends with LAW(name); laws.inl lists it.
// - prepare: numbers of the law (TX_LAW_NUMBERS per constraint) from its record; zero where it does not act
// - force: γ and, unless G is null, G (dim x dim, row-major)
// - cost: ℓ(y)
// - defect: adds the squared natural-map defect and its scale, see docs/residual.md
#pragma once
#include "problem/rows.inl"

typedef struct law {
    const char *name;
    void (*prepare)(const tx_block *b);
    void (*force)(const tx_block *b, const real *y, real *gamma, real *G);
    void (*cost)(const tx_block *b, const real *y, real *sum);
    void (*slope)(const tx_block *b, const real *alpha, real *first, real *second);
    void (*defect)(const tx_block *b, const real *y, const real *y_again, const real *y_free, real *defect,
                   real *scale);
} law;

FN real *law_numbers(const tx_block *b, int i) { return &AT(b->law, TX_LAW_NUMBERS * i); }

#define LAW(name)                                                                                                   \
    STAGE void name##_prepare_all(const tx_block *b) {                                                              \
        for (int i = 0; i < b->ncons; i++) name##_prepare(b, &b->cons[i], law_numbers(b, i));                       \
    }                                                                                                               \
    STAGE void name##_force_all(const tx_block *b, const real *y, real *gamma, real *G) {                           \
        for (int i = 0; i < b->ncons; i++) {                                                                        \
            const tx_constraint *c = &b->cons[i];                                                                   \
            name##_force(c, law_numbers(b, i), y + c->row, gamma + c->row, G ? G + 36 * i : NULL);                  \
        }                                                                                                           \
    }                                                                                                               \
    STAGE void name##_cost_all(const tx_block *b, const real *y, real *sum) {                                       \
        real t = splat(0);                                                                                          \
        for (int i = 0; i < b->ncons; i++) t = t + name##_cost(&b->cons[i], law_numbers(b, i), y + b->cons[i].row); \
        *sum = t;                                                                                                   \
    }                                                                                                               \
    /* first and second derivative of Σ ℓ(y + α J s) along the search direction */                              \
    STAGE void name##_slope_all(const tx_block *b, const real *alpha, real *first, real *second) {                  \
        real d1 = splat(0), d2 = splat(0), at = *alpha;                                                             \
        for (int i = 0; i < b->ncons; i++) {                                                                        \
            const tx_constraint *c = &b->cons[i];                                                                   \
            const real *y = &AT(b->y, c->row), *s = &AT(b->Jsearch, c->row);                                        \
            real moved[6] = {d1}, gamma[6], G[36];                                                                  \
            for (int r = 0; r < c->dim; r++) moved[r] = y[r] + at * s[r];                                           \
            name##_force(c, law_numbers(b, i), moved, gamma, G);                                                    \
            for (int r = 0; r < c->dim; r++) {                                                                      \
                real t = splat(0);                                                                                  \
                for (int k = 0; k < c->dim; k++) t = t + G[r * c->dim + k] * s[k];                                  \
                d1 = d1 - gamma[r] * s[r];                                                                          \
                d2 = d2 + s[r] * t;                                                                                 \
            }                                                                                                       \
        }                                                                                                           \
        *first = d1, *second = d2;                                                                                  \
    }                                                                                                               \
    STAGE void name##_defect_all(const tx_block *b, const real *y, const real *y_again, const real *y_free,         \
                                 real *defect, real *scale) {                                                       \
        for (int i = 0; i < b->ncons; i++) {                                                                        \
            const tx_constraint *c = &b->cons[i];                                                                   \
            name##_defect(c, law_numbers(b, i), y + c->row, y_again + c->row, y_free + c->row, defect, scale);      \
        }                                                                                                           \
    }
#define LAW_ENTRY(name) \
    {#name, name##_prepare_all, name##_force_all, name##_cost_all, name##_slope_all, name##_defect_all},
