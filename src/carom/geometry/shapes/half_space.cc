#include "carom/geometry/shapes/half_space.h"

#include <cmath>

#include "carom/geometry/shapes/shape_check.h"

namespace carom::geometry {

HalfSpace::HalfSpace(const Vector3& outer_normal, double plane_offset) : normal(outer_normal), offset(plane_offset) {
  const double length = normal.norm();
  if (!(length > 0.0) || !std::isfinite(length) || !std::isfinite(offset))
    bad_shape("half_space", "the normal has no direction", "give a vector that points out of the solid");
  if (length != 1.0) normal /= length;
}

// A plane along two axes bounds its solid on one side, any other on none.
Bounds HalfSpace::bounds(const Pose& pose) const {
  Bounds box = unbounded();
  const Vector3 n = pose.direction(normal);
  for (int axis = 0; axis < 3; ++axis) {
    if (std::abs(n[axis]) != 1.0) continue;
    if (n[(axis + 1) % 3] != 0.0 || n[(axis + 2) % 3] != 0.0) continue;
    const double end = pose.x[axis] + n[axis] * offset;
    (n[axis] > 0.0 ? box.upper : box.lower)[axis] = end;
  }
  return box;
}

MassProperties HalfSpace::mass_properties() const { throw LogicError("a half space has no mass properties"); }

}  // namespace carom::geometry
