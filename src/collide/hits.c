// hits.c - a list of hits without duplicates, thinned out by depth and spread.
#include "collide/hits.h"

#include "geometry/vec3.h"

static double square_between(const tx_hit *a, const tx_hit *b) {
    double way[3];
    v3_sub(way, a->pos, b->pos);
    return v3_dot(way, way);
}

void tx_hits_add(tx_hits *hits, const tx_hit *hit, double same) {
    for (int i = 0; i < hits->count; i++) {
        tx_hit *other = &hits->item[i];
        if (!(square_between(hit, other) <= same * same) || !(v3_dot(hit->normal, other->normal) > 0.999)) continue;
        if (hit->dist < other->dist) *other = *hit;
        return;
    }
    if (hits->count == TX_HITS_ROOM) tx_hits_keep(hits, TX_HITS_ROOM / 2);
    hits->item[hits->count++] = *hit;
}

// the candidate farthest from all chosen ones; touching: only those. -1: none is left
static int farthest(const tx_hit *hits, int count, const bool *chosen, const double *nearest, bool touching) {
    int best = -1;
    for (int i = 0; i < count; i++) {
        if (chosen[i] || (touching && hits[i].dist > 0)) continue;
        if (best < 0 || nearest[i] > nearest[best]) best = i;
    }
    return best;
}

int tx_hits_thin(tx_hit *hits, int count, int most) {
    if (count <= most) return count;
    bool chosen[TX_HITS_ROOM] = {false};
    double nearest[TX_HITS_ROOM];
    int next = 0;
    for (int i = 0; i < count; i++) {
        nearest[i] = INFINITY;
        if (hits[i].dist < hits[next].dist) next = i;
    }
    for (int k = 0; k < most; k++) {
        chosen[next] = true;
        for (int i = 0; i < count; i++) nearest[i] = fmin(nearest[i], square_between(&hits[i], &hits[next]));
        int touching = farthest(hits, count, chosen, nearest, true);
        next = touching >= 0 ? touching : farthest(hits, count, chosen, nearest, false);
    }
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (chosen[i]) hits[kept++] = hits[i];
    return kept;
}
