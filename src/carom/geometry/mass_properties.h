// Volume, centre and inertia at density one. For planar shapes the volume is the area, and inertia(2, 2) the polar
// moment; the other entries are those of a thin plate.
#pragma once

#include "carom/geometry/pose.h"

namespace carom::geometry {

struct MassProperties {
  double volume = 0.0;
  Vector3 centre = Vector3::Zero();
  Matrix3 inertia = Matrix3::Zero();  // about the centre, in the axes of the shape
};

// The same body seen from the frame in which the shape's own frame is `pose`.
MassProperties moved(const MassProperties& m, const Pose& pose);

// Inertia of a point mass at r from the point it is taken about.
Matrix3 point_inertia(double mass, const Vector3& r);

// Two bodies as one, by parallel axes.
MassProperties operator+(const MassProperties& a, const MassProperties& b);

}  // namespace carom::geometry
