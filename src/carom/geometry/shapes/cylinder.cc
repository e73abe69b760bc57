#include "carom/geometry/shapes/cylinder.h"

#include <cmath>
#include <numbers>

#include "carom/geometry/shapes/shape_check.h"

namespace carom::geometry {

Cylinder::Cylinder(double r, double half)
    : radius(positive(r, "cylinder", "radius")), half_length(positive(half, "cylinder", "half_length")) {}

// A ring with axis a reaches r sqrt(1 - a_i^2) along the axis i.
Bounds Cylinder::bounds(const Pose& pose) const {
  const Vector3 axis = pose.R.col(2);
  const Vector3 reach = half_length * axis.cwiseAbs() + radius * (1.0 - axis.array().square()).max(0.0).sqrt().matrix();
  return {pose.x - reach, pose.x + reach};
}

double Cylinder::reach() const { return std::hypot(radius, half_length); }

MassProperties Cylinder::mass_properties() const {
  const double r = radius, l = half_length, volume = 2.0 * std::numbers::pi * r * r * l;
  const double across = volume * (r * r / 4.0 + l * l / 3.0);
  return {volume, Vector3::Zero(), Vector3(across, across, 0.5 * volume * r * r).asDiagonal()};
}

}  // namespace carom::geometry
