// spread.c - choose points of contact: the deepest first, then one after the other what adds most area.
#include "collide/spread.h"

#include <stdbool.h>

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
        if (twin == kept) spots[kept++] = spots[i];
        else if (spots[i].dist < spots[twin].dist) spots[twin] = spots[i];
    }
    return kept;
}

static void swap(tx_spot *spots, int i, int j) {
    tx_spot kept = spots[i];
    spots[i] = spots[j];
    spots[j] = kept;
}

// what a spot adds to the area of a counter-clockwise polygon, and before which corner it belongs
static double gain(const tx_spot *polygon, int corners, const tx_spot *spot, int *place) {
    double sum = 0, most = 0;
    for (int i = 0; i < corners; i++) {
        double outside = -area(&polygon[i], &polygon[(i + 1) % corners], spot);
        if (outside > 0) sum += outside;
        if (outside > most) most = outside, *place = i + 1;
    }
    return sum;
}

// brings the deepest, the farthest from it and the farthest from their line to the front, counter-clockwise
static void begin(tx_spot *spots, int count) {
    for (int i = 1; i < count; i++)
        if (spots[i].dist < spots[0].dist) swap(spots, 0, i);
    for (int i = 2; i < count; i++)
        if (apart_sq(&spots[0], &spots[i]) > apart_sq(&spots[0], &spots[1])) swap(spots, 1, i);
    for (int i = 3; i < count; i++)
        if (square(area(&spots[0], &spots[1], &spots[i])) > square(area(&spots[0], &spots[1], &spots[2])))
            swap(spots, 2, i);
    if (area(&spots[0], &spots[1], &spots[2]) < 0) swap(spots, 1, 2);
}

int tx_spread(tx_spot *spots, int count, int most, double same) {
    count = merge(spots, count, same);
    if (count <= most) return count;
    begin(spots, count);
    for (int kept = 3; kept < most; kept++) {
        int best = kept, place = kept, best_place = kept;
        double best_gain = 0;
        for (int i = kept; i < count; i++) {
            double more = gain(spots, kept, &spots[i], &place);
            if (more > best_gain) best_gain = more, best = i, best_place = place;
        }
        tx_spot chosen = spots[best];
        spots[best] = spots[kept];
        for (int i = kept; i > best_place; i--) spots[i] = spots[i - 1];
        spots[best_place] = chosen;
    }
    return most;
}
