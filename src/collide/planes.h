// planes.h - faces of EPA's polytope and their planes.
#pragma once

/// Edge 4 f + i is the side i of face f, from its corner i to the next, counter-clockwise seen from outside. Its twin
/// is the same side of the face beyond.
typedef struct tx_face {
    short corner[3], twin[3];
    double normal[3]; // unit, outwards; zero: it has no plane to grow from
} tx_face;

/// Sets the planes of `count` faces with corners w; dist: from the origin, INFINITY where a face has none. The same
/// bits in any company. tx_planes_set() takes the widest registers of the machine.
void tx_planes_set(const double (*w)[3], tx_face *faces, double *dist, const short *which, int count);
void tx_planes_set_avx2(const double (*w)[3], tx_face *faces, double *dist, const short *which, int count);
void tx_planes_set_plain(const double (*w)[3], tx_face *faces, double *dist, const short *which, int count);
