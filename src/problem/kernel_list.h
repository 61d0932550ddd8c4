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
    X(lagged, true, dim)

enum {
#define X(name, primal, duals) KERNEL_##name,
    KERNELS(X)
#undef X
        KERNEL_COUNT
};

/// Whether there is such a kernel and it takes a constraint of so many rows.
static inline bool tx_kernel_takes(int kernel, int dim) {
    if (kernel < 0 || kernel >= KERNEL_COUNT || dim < 1 || dim > 6) return false;
    if (kernel == KERNEL_quadratic || kernel == KERNEL_similar || kernel == KERNEL_lagged) return true;
    return kernel == KERNEL_one_sided || kernel == KERNEL_clamped ? dim == 1 : dim > 1;
}
