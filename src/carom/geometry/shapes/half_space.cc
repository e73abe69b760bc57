#include "carom/geometry/shapes/half_space.h"

#include "carom/geometry/shapes/shape_check.h"

namespace carom::geometry {

HalfSpace::HalfSpace(const Vector3& outer_normal, double plane_offset) : normal(outer_normal), offset(plane_offset) {
  const double length = normal.norm();
  if (!(length > 0.0) || !std::isfinite(length) || !std::isfinite(offset))
    bad_shape("half_space", "the normal has no direction", "give a vector that points out of the solid");
  if (length != 1.0) normal /= length;
}

Bounds HalfSpace::bounds(const Pose&) const { return unbounded(); }

MassProperties HalfSpace::mass_properties() const { throw LogicError("a half space has no mass properties"); }

}  // namespace carom::geometry
