// pair_convex.c - any two convex shapes: signed distance by GJK and EPA, then the manifold.
#include "collide/manifold.h"
#include "collide/pair_input.h"

tx_pair_fn tx_pair_convex;

// Whether b comes before a: an order of the two shapes that does not depend on which is called first, so that
// exchanging them mirrors the contacts to the last bit
static bool in_reverse(const tx_shape *a, const tx_shape *b) {
    if (a->type != b->type) return a->type > b->type;
    const double *numbers[3][2] = {{a->pos, b->pos}, {a->size, b->size}, {a->mat, b->mat}};
    const int counts[3] = {3, 3, 9};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < counts[k]; i++)
            if (numbers[k][0][i] != numbers[k][1][i]) return numbers[k][0][i] > numbers[k][1][i];
    }
    return false;
}

int tx_pair_convex(const tx_shape *a, const tx_shape *b, double margin, tx_hit *hits) {
    bool reverse = in_reverse(a, b);
    tx_convex first, second;
    tx_convex_result result;
    if (!isfinite(margin) || !tx_convex_from_shape(&first, reverse ? b : a)) return 0;
    if (!tx_convex_from_shape(&second, reverse ? a : b)) return 0;
    if (!tx_convex_distance(&first, &second, margin, NULL, &result)) return 0;
    int count = tx_manifold(&first, &second, &result, margin, hits);
    for (int i = 0; reverse && i < count; i++) v3_scale(hits[i].normal, hits[i].normal, -1);
    return count;
}
