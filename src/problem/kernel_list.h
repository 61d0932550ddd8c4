// kernel_list.h - the kernels by name and number.
#pragma once
#include <stdbool.h>

// X(name, most rows of a constraint)
#define SOFT_KERNELS(X) \
    X(quadratic, 6)     \
    X(one_sided, 1)     \
    X(clamped, 1)       \
    X(pyramid, 6)       \
    X(cone, 6)
#define HUNT_KERNELS(X) \
    X(similar, 6)       \
    X(lagged, 6)
#define HARD_KERNELS(X) \
    X(coulomb, 6)       \
    X(ccp, 6)           \
    X(box, 6)
// contacts whose friction is one vector
#define ROUND_KERNELS(X) X(cone, 6) HUNT_KERNELS(X)
// those with a cost of y; those with forces that a solver can seek; all
#define PRIMAL_KERNELS(X) SOFT_KERNELS(X) HUNT_KERNELS(X)
#define DUAL_KERNELS(X)   SOFT_KERNELS(X) HARD_KERNELS(X)
#define KERNELS(X)        SOFT_KERNELS(X) HUNT_KERNELS(X) HARD_KERNELS(X)

enum {
#define X(name, rows) KERNEL_##name,
    KERNELS(X)
#undef X
        KERNEL_COUNT
};
enum {
#define X(name, rows) KERNEL_ROWS_##name = rows,
    KERNELS(X)
#undef X
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
