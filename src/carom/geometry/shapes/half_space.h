#pragma once

#include "carom/geometry/bounds.h"
#include "carom/geometry/mass_properties.h"

namespace carom::geometry {

// All points with normal . x <= offset: the solid lies below its plane.
struct HalfSpace {
  explicit HalfSpace(const Vector3& outer_normal = Vector3::UnitZ(), double plane_offset = 0.0);
  Vector3 normal;  // unit
  double offset;

  Bounds bounds(const Pose& pose) const;
  double reach() const { return std::numeric_limits<double>::infinity(); }
  MassProperties mass_properties() const;  // has none
};

}  // namespace carom::geometry
