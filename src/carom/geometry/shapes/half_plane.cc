#include "carom/geometry/shapes/half_plane.h"

#include "carom/geometry/shapes/shape_check.h"

namespace carom::geometry {

HalfPlane::HalfPlane(const Eigen::Vector2d& outer_normal, double line_offset)
    : normal(outer_normal.x(), outer_normal.y(), 0.0), offset(line_offset) {
  const double length = normal.norm();
  if (!(length > 0.0) || !std::isfinite(length) || !std::isfinite(offset))
    bad_shape("half_plane", "the normal has no direction", "give a vector that points out of the solid");
  if (length != 1.0) normal /= length;
}

Bounds HalfPlane::bounds(const Pose&) const { return unbounded(); }

MassProperties HalfPlane::mass_properties() const { throw LogicError("a half plane has no mass properties"); }

}  // namespace carom::geometry
