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
inline MassProperties moved(const MassProperties& m, const Pose& pose) {
  return {m.volume, pose.point(m.centre), pose.R * m.inertia * pose.R.transpose()};
}

// Inertia of a point mass at r from the point it is taken about.
inline Matrix3 point_inertia(double mass, const Vector3& r) {
  return mass * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose());
}

// Two bodies as one, by parallel axes.
inline MassProperties operator+(const MassProperties& a, const MassProperties& b) {
  const double volume = a.volume + b.volume;
  if (volume == 0.0) return {};
  const Vector3 centre = (a.volume * a.centre + b.volume * b.centre) / volume;
  return {
      volume, centre,
      a.inertia + b.inertia + point_inertia(a.volume, a.centre - centre) + point_inertia(b.volume, b.centre - centre)};
}

}  // namespace carom::geometry
