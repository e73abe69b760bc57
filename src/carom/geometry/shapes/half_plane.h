#pragma once

#include "carom/geometry/bounds.h"
#include "carom/geometry/mass_properties.h"

namespace carom::geometry {

// In the plane: all points with normal . x <= offset.
struct HalfPlane {
  explicit HalfPlane(const Eigen::Vector2d& outer_normal = Eigen::Vector2d::UnitY(), double line_offset = 0.0);
  Vector3 normal;  // unit, z = 0
  double offset;

  Bounds bounds(const Pose& pose) const;
  double reach() const { return std::numeric_limits<double>::infinity(); }
  MassProperties mass_properties() const;  // has none
};

}  // namespace carom::geometry
