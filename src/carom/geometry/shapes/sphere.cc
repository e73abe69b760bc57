#include "carom/geometry/shapes/sphere.h"

#include <numbers>

#include "carom/geometry/shapes/shape_check.h"

namespace carom::geometry {

Sphere::Sphere(double r) : radius(positive(r, "sphere", "radius")) {}

Bounds Sphere::bounds(const Pose& pose) const { return Bounds{pose.x, pose.x}.grown(radius); }

MassProperties Sphere::mass_properties() const {
  const double volume = 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
  return {volume, Vector3::Zero(), 0.4 * volume * radius * radius * Matrix3::Identity()};
}

}  // namespace carom::geometry
