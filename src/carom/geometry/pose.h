// Where a body or the frame of a shape is (base/pose.h). Planar bodies live in the plane z = 0 and turn about z; one
// pose type serves both.
#pragma once

#include <cmath>

#include "carom/base/pose.h"

namespace carom::geometry {

using carom::Pose;

inline Pose planar_pose(double x, double y, double angle) {
  Pose pose;
  const double c = std::cos(angle), s = std::sin(angle);
  pose.x << x, y, 0.0;
  pose.R << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
  return pose;
}

}  // namespace carom::geometry
