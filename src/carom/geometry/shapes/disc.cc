#include "carom/geometry/shapes/disc.h"

#include <numbers>

#include "carom/geometry/shapes/shape_check.h"

namespace carom::geometry {

Disc::Disc(double r) : radius(positive(r, "disc", "radius")) {}

Bounds Disc::bounds(const Pose& pose) const {
  const Vector3 reach(radius, radius, 0.0);
  return {pose.x - reach, pose.x + reach};
}

MassProperties Disc::mass_properties() const {
  const double area = std::numbers::pi * radius * radius, moment = 0.25 * area * radius * radius;
  return {area, Vector3::Zero(), Vector3(moment, moment, 2.0 * moment).asDiagonal()};
}

}  // namespace carom::geometry
