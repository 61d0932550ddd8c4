// patch.h - the part of a convex shape that looks along a contact normal: a corner, an edge or a flat face.
#pragma once
#include "collide/feature.h"
#include "geometry/support.h"

#define TX_PATCH_CORNERS 32

/// Rotations by the perturbation: about so many axes across the normal.
#define TX_PATCH_WAYS 8

/// In the frame of a contact: x and y across the normal, z along it [m].
typedef struct tx_patch {
    int count;                          // 1: a corner, 2: an edge, more: a face, convex and counter-clockwise in x, y
    double corner[TX_PATCH_CORNERS][3]; // on the surface: the shape's radius is added
    int number[TX_PATCH_CORNERS];       // which corners of the shape these are
    int face;                           // number of the face; 0 of hulls, where faces are many and small
    double normal[3], level;            // of a face: unit, outward, and how far along it the face is
    double facing;                      // of a face: cosine of its angle to the contact normal, -1 for the others
    bool sharp;                         // of a hull's face: beyond its rim the hull falls by more than the perturbation
    int farthest;                       // of a hull: its farthest corner along the normal
    bool curved;                        // it is made of what rotations bring up:
    double tip[TX_PATCH_WAYS][3];       // the farthest corners towards the normal turned each of these ways
} tx_patch;

/// A shape seen from a contact.
typedef struct tx_aspect {
    const tx_convex *shape;
    double turn[9], offset[3]; // pose in the frame of the contact
    double side;               // 1: the shape looks along the normal, -1: against it
    double perturbation;       // a face or edge within this of the normal is one that touches as a whole [rad]
} tx_aspect;

/// frame: rows x, y, z of the contact's frame in the world; origin: its place.
tx_aspect tx_aspect_of(const tx_convex *shape, const double frame[9], const double origin[3], double side,
                       double perturbation);

/// The face that looks most along the normal (also when tilted), or the edge or point of a shape without such.
void tx_patch_face(tx_patch *out, const tx_aspect *from);
/// Adds to the face of a hull, to be clipped by the other shape's, what a rotation by the perturbation would bring up.
void tx_patch_widen(tx_patch *face, const tx_aspect *from);
/// Whether it is a face that looks along the normal within the perturbation.
static inline bool tx_patch_faces(const tx_patch *p, double perturbation) {
    return p->facing >= 1 - perturbation * perturbation / 2;
}
/// What rotations by the perturbation bring up of a hull, as a polygon. @return whether that is more than the one flat
/// face: a finely cut curve
bool tx_patch_curve(tx_patch *around, const tx_patch *face, const tx_aspect *from);

/// Height of the surface at (x, y), never too low as seen from the shape: the least of what the planes of contact (at
/// the height `middle`), of the face and of the tips allow, or that of an edge.
double tx_patch_height(const tx_patch *p, const tx_aspect *from, double middle, double x, double y);
/// The edge that looks along the normal within the perturbation; count is 1 when there is none.
void tx_patch_edge(tx_patch *out, const tx_aspect *from);

/// The part (feature.h) of the shape where a patch has the point (x, y): a corner or an edge that is no farther than
/// near, the corner first, or the face.
uint32_t tx_patch_part(const tx_patch *p, double x, double y, double near);
