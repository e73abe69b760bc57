// Mass and principal moments of homogeneous solids.
//
//   sphere   m = 4/3 pi r^3 rho      J = 2/5 m r^2
//   box      m = a b c rho           J_x = m (b^2 + c^2) / 12, and in turn
#pragma once

#include <numbers>

#include "carom/base/types.h"
#include "carom/model/bodies/rigid_body.h"

namespace carom {

struct MassProperties {
  double mass = 0.0;
  Vector3 inertia = Vector3::Zero();
};

inline MassProperties solid_sphere(double radius, double density) {
  const double mass = 4.0 / 3.0 * std::numbers::pi * radius * radius * radius * density;
  return {mass, Vector3::Constant(0.4 * mass * radius * radius)};
}

inline MassProperties solid_box(const Vector3& size, double density) {
  const double mass = size.x() * size.y() * size.z() * density;
  const Vector3 s = size.cwiseProduct(size);
  return {mass, mass / 12.0 * Vector3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y())};
}

// Nothing for a body without shape.
inline MassProperties solid(const Shape& shape, double density) {
  switch (shape.type) {
    case ShapeType::sphere:
      return solid_sphere(shape.radius, density);
    case ShapeType::box:
      return solid_box(2.0 * shape.half_size, density);
    case ShapeType::none:
      break;
  }
  return {};
}

}  // namespace carom
