// filter.c - which geoms may collide at all.
#include "collide/filter.h"

// -1, 0, 1: the pair (low1, high1) stands before, at or behind (low2, high2)
static int compare(int low1, int high1, int low2, int high2) {
    if (low1 != low2) return low1 < low2 ? -1 : 1;
    return high1 < high2 ? -1 : high1 > high2;
}

static int lower(int a, int b) { return a < b ? a : b; }
static int higher(int a, int b) { return a < b ? b : a; }

// whether two indices in either order are in a sorted list of pairs; sorted: the order of the list, null: as it stands
static bool listed(const int *first, const int *second, const int *sorted, int count, int a, int b) {
    int begin = 0, end = count;
    while (begin < end) {
        int middle = begin + (end - begin) / 2, i = sorted ? sorted[middle] : middle;
        int side = compare(lower(first[i], second[i]), higher(first[i], second[i]), lower(a, b), higher(a, b));
        if (side == 0) return true;
        if (side < 0) begin = middle + 1;
        else end = middle;
    }
    return false;
}

bool tx_bodies_collide(const tx_model *m, int b1, int b2) {
    int w1 = m->body_weld[b1], w2 = m->body_weld[b2];
    if (w1 == w2 || (m->body_lastdof[b1] < 0 && m->body_lastdof[b2] < 0)) return false;
    if (m->opt->filterparent && w1 != 0 && w2 != 0 &&
        (w1 == m->body_weld[m->body_parent[w2]] || w2 == m->body_weld[m->body_parent[w1]]))
        return false;
    return !listed(m->exclude_body1, m->exclude_body2, NULL, m->nexclude, b1, b2);
}

bool tx_geoms_collide(const tx_model *m, int g1, int g2) {
    if (!tx_masks_agree(m->geom_contype[g1], m->geom_conaffinity[g1], m->geom_contype[g2], m->geom_conaffinity[g2]))
        return false;
    return !listed(m->special_geom1, m->special_geom2, m->special_sorted, m->nspecial, g1, g2);
}
