// target_box_box.c - two boxes in the instructions of the machine. A row of four is one register with AVX2, and most of
// the time of a heap's pairs goes there.
#include "collide/box_box.h"

tx_pair_fn tx_pair_box_box;

#if defined(__x86_64__)
__attribute__((target("avx2"))) static int box_box_avx2(const tx_shape *a, const tx_shape *b, double margin,
                                                        tx_hit *hits) {
    return box_box(a, b, margin, hits);
}
#endif

int tx_pair_box_box_plain(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    return box_box(a, b, margin, hits);
}

int tx_pair_box_box(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return box_box_avx2(a, b, margin, hits);
#endif
    return tx_pair_box_box_plain(a, b, margin, hits);
}
