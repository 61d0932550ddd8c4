// kernel_list.h - the kernels by name and number.
#pragma once
#include <stdbool.h>

// X(name, has a cost and a force of y, dual variables of a constraint with dim rows)
#define KERNELS(X)                \
    X(quadratic, true, dim)       \
    X(one_sided, true, 1)         \
    X(clamped, true, 1)           \
    X(pyramid, true, 2 * dim - 2) \
    X(cone, true, dim)            \
    X(similar, true, dim)         \
    X(lagged, true, dim)          \
    X(coulomb, false, dim)        \
    X(ccp, false, dim)            \
    X(box, false, dim)

enum {
#define X(name, primal, duals) KERNEL_##name,
    KERNELS(X)
#undef X
        KERNEL_COUNT
};

/// Rigid contacts (kernel_hard.inl).
static inline bool tx_kernel_is_hard(int kernel) {
    return kernel == KERNEL_coulomb || kernel == KERNEL_ccp || kernel == KERNEL_box;
}
/// Hunt & Crossley's contacts (kernel_hunt.inl): their set of forces depends on the motion, so there is no dual.
static inline bool tx_kernel_is_hunt(int kernel) { return kernel == KERNEL_similar || kernel == KERNEL_lagged; }
/// Whether its forces are a set with a softness, so that a solver can seek them (duals.inl).
static inline bool tx_kernel_is_dual(int kernel) { return !tx_kernel_is_hunt(kernel); }
/// Whether one constraint alone is solved exactly (local_cone.inl, or in closed form).
static inline bool tx_kernel_is_local(int kernel) {
    return tx_kernel_is_dual(kernel) && kernel != KERNEL_pyramid && kernel != KERNEL_box;
}
/// Whether the forces minimise something for a given De Saxcé shift, so that gradients can find them.
static inline bool tx_kernel_is_convex(int kernel) { return tx_kernel_is_dual(kernel) && kernel != KERNEL_box; }

/// Whether there is such a kernel and it takes a constraint of so many rows.
static inline bool tx_kernel_takes(int kernel, int dim) {
    if (kernel < 0 || kernel >= KERNEL_COUNT || dim < 1 || dim > 6) return false;
    if (kernel == KERNEL_quadratic || tx_kernel_is_hunt(kernel) || tx_kernel_is_hard(kernel)) return true;
    return kernel == KERNEL_one_sided || kernel == KERNEL_clamped ? dim == 1 : dim > 1;
}
