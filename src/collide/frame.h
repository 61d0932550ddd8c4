// frame.h - the contact frame.
#pragma once

/// Writes the rows normal, first tangent, second tangent of a right-handed orthonormal frame (MuJoCo's rule: the
/// friction pyramid stands on these tangents). The first tangent is `tangent` without its part along the normal; a
/// tangent shorter than 1/2 is no wish, then world y is taken, or world z where the normal is within 60 degrees of y.
/// `normal` need not have unit length; a zero one becomes the x axis.
void tx_frame_make(const double normal[3], const double tangent[3], double frame[9]);
