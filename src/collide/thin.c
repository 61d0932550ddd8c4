// thin.c - choose points of contact: on a plane one after the other what adds most area, in space what is farthest; the
// deepest in any case.
#include "collide/thin.h"

#include "geometry/vec3.h"

// points nearer than this share of the merging distance are at one place: which is deeper is decided by rounding
#define ONE_PLACE 1e-3

// ---- on a plane -----------------------------------------------------------------------------------------------------

static double square(double x) { return x * x; }

static double apart_sq(const tx_spot *a, const tx_spot *b) { return square(a->x - b->x) + square(a->y - b->y); }

// twice the signed area of a triangle
static double area(const tx_spot *a, const tx_spot *b, const tx_spot *c) {
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

static int merge(tx_spot *spots, int count, double same) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        int twin = 0;
        while (twin < kept && apart_sq(&spots[i], &spots[twin]) > same * same) twin++;
        if (twin == kept) {
            spots[kept++] = spots[i];
            continue;
        }
        bool one_place = apart_sq(&spots[i], &spots[twin]) <= square(ONE_PLACE * same);
        uint64_t f = spots[i].feature, g = spots[twin].feature;
        if (spots[i].dist < spots[twin].dist) spots[twin] = spots[i];
        if (one_place) spots[twin].feature = f < g ? f : g;
    }
    return kept;
}

// Among equals the first is taken, up to this share: else rounding would choose, and a thing at rest would get other
// points in every step
#define CLEARLY 1.001
#define OBLIQUE 0.3718
// a point that is deeper than the chosen ones by less than this share of `same` is not deeper
#define DEEPER 0.1

static void swap(tx_spot *spots, int i, int j) {
    tx_spot kept = spots[i];
    spots[i] = spots[j];
    spots[j] = kept;
}

// what a spot adds to the area of a counter-clockwise polygon, and before which corner it belongs
static double gain(const tx_spot *polygon, int corners, const tx_spot *spot, int *place) {
    double sum = 0, most = 0;
    for (int i = 0; i < corners; i++) {
        double outside = -area(&polygon[i], &polygon[i + 1 < corners ? i + 1 : 0], spot);
        if (outside > 0) sum += outside;
        if (outside > most) most = outside, *place = i + 1;
    }
    return sum;
}

// an order that does not depend on how the spots were found: along a direction that is no axis of anything
static void sort(tx_spot *spots, int count) {
    for (int i = 1; i < count; i++) {
        tx_spot spot = spots[i];
        double key = spot.x + OBLIQUE * spot.y;
        int at = i;
        for (; at > 0 && spots[at - 1].x + OBLIQUE * spots[at - 1].y > key; at--) spots[at] = spots[at - 1];
        spots[at] = spot;
    }
}

// brings the first, the farthest from it and the farthest from their line to the front, counter-clockwise
static void begin(tx_spot *spots, int count) {
    int far = 1, wide = 2;
    for (int i = 2; i < count; i++)
        if (apart_sq(&spots[0], &spots[i]) > CLEARLY * apart_sq(&spots[0], &spots[far])) far = i;
    swap(spots, 1, far);
    for (int i = 3; i < count; i++)
        if (square(area(&spots[0], &spots[1], &spots[i])) > CLEARLY * square(area(&spots[0], &spots[1], &spots[wide])))
            wide = i;
    swap(spots, 2, wide);
    if (area(&spots[0], &spots[1], &spots[2]) < 0) swap(spots, 1, 2);
}

// puts the spot that adds most area into the polygon of the first ones
static void add_widest(tx_spot *spots, int corners, int count) {
    int best = corners, place = corners, best_place = corners;
    double best_gain = 0;
    for (int i = corners; i < count; i++) {
        double more = gain(spots, corners, &spots[i], &place);
        if (more > CLEARLY * best_gain) best_gain = more, best = i, best_place = place;
    }
    tx_spot chosen = spots[best];
    spots[best] = spots[corners];
    for (int i = corners; i > best_place; i--) spots[i] = spots[i - 1];
    spots[best_place] = chosen;
}

static int deepest(const tx_spot *spots, int count) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (spots[i].dist < spots[best].dist) best = i;
    return best;
}

// the deepest of all instead of the chosen one nearest to it
static void keep_deepest(tx_spot *spots, int kept, int count, double clearly) {
    int all = deepest(spots, count), chosen = deepest(spots, kept), near = 0;
    if (!(spots[all].dist < spots[chosen].dist - clearly)) return;
    for (int i = 1; i < kept; i++)
        if (apart_sq(&spots[i], &spots[all]) < apart_sq(&spots[near], &spots[all])) near = i;
    spots[near] = spots[all];
}

int tx_spread(tx_spot *spots, int count, int most, double same) {
    count = merge(spots, count, same);
    if (count <= most) return count;
    sort(spots, count);
    begin(spots, count);
    for (int corners = 3; corners < most; corners++) add_widest(spots, corners, count);
    keep_deepest(spots, most, count, DEEPER * same);
    return most;
}

// ---- in space -------------------------------------------------------------------------------------------------------

static double square_between(const tx_hit *a, const tx_hit *b) {
    double way[3];
    v3_sub(way, a->pos, b->pos);
    return v3_dot(way, way);
}

void tx_hits_add(tx_hits *hits, const tx_hit *hit, double same) {
    for (int i = 0; i < hits->count; i++) {
        tx_hit *other = &hits->item[i];
        double apart = square_between(hit, other);
        if (!(apart <= same * same) || !(v3_dot(hit->normal, other->normal) > 0.999)) continue;
        uint64_t lower = hit->feature < other->feature ? hit->feature : other->feature;
        if (hit->dist < other->dist) *other = *hit;
        if (apart <= square(ONE_PLACE * same)) other->feature = lower;
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
