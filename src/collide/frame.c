// frame.c - the contact frame from a normal and a wish for the first tangent.
#include "collide/frame.h"

#include "geometry/vec3.h"

// t becomes the unit vector of its part across the unit vector n; returns how long that part was
static double straighten(double t[3], const double n[3]) {
    v3_along(t, t, n, -v3_dot(n, t));
    return v3_normalise(t);
}

// the world axis y, or z where y is near the normal
static void world_tangent(double t[3], const double n[3]) {
    v3_zero(t);
    t[fabs(n[1]) < 0.5 ? 1 : 2] = 1;
    straighten(t, n);
}

void tx_frame_make(const double normal[3], const double tangent[3], double frame[9]) {
    double *n = frame, *t1 = frame + 3, *t2 = frame + 6;
    v3_copy(n, normal);
    v3_normalise(n);
    v3_copy(t1, tangent);

    if (v3_dot(t1, t1) < 0.25) {
        world_tangent(t1, n);
    } else if (straighten(t1, n) < 1e-3 && straighten(t1, n) < 1e-3) {
        // a wish along the normal (a capsule standing on a plane) leaves rounding noise, or nothing and then world x.
        // MuJoCo takes that as it is, across the normal or not; the second pass turns it across, and if it was the
        // normal itself the world decides
        world_tangent(t1, n);
    }
    v3_cross(t2, n, t1);
}
