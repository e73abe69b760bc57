#include "carom/geometry/shapes/capsule.h"

#include <numbers>

#include "carom/geometry/shapes/shape_check.h"

namespace carom::geometry {

Capsule::Capsule(double r, double half)
    : radius(positive(r, "capsule", "radius")),
      half_length(positive(half, "capsule", "half_length")),
      core(segment_polytope(half_length)) {}

Bounds Capsule::bounds(const Pose& pose) const {
  const Vector3 reach = (half_length * pose.R.col(2).cwiseAbs()).array() + radius;
  return {pose.x - reach, pose.x + reach};
}

// A cylinder and two half balls; a half ball's centre lies 3/8 r above its base.
MassProperties Capsule::mass_properties() const {
  const double r = radius, l = half_length;
  const double barrel = 2.0 * std::numbers::pi * r * r * l, caps = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  const double about_axis = 0.5 * barrel * r * r + 0.4 * caps * r * r;
  const double across = barrel * (r * r / 4.0 + l * l / 3.0) + caps * (0.4 * r * r + l * l + 0.75 * r * l);
  return {barrel + caps, Vector3::Zero(), Vector3(across, across, about_axis).asDiagonal()};
}

}  // namespace carom::geometry
