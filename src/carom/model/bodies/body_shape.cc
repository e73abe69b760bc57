#include "carom/model/bodies/body_shape.h"

#include <cmath>

#include "carom/base/errors.h"

namespace carom {

bool Shape::possible() const {
  const auto positive = [](double x) { return x > 0.0 && std::isfinite(x); };
  switch (type) {
    case ShapeType::none: return true;
    case ShapeType::sphere: return positive(radius);
    case ShapeType::box: return half_size.minCoeff() > 0.0 && half_size.allFinite();
    case ShapeType::capsule:
    case ShapeType::cylinder: return positive(radius) && positive(half_length);
  }
  return false;
}

geometry::Shape Shape::solid() const {
  switch (type) {
    case ShapeType::sphere: return geometry::Sphere(radius);
    case ShapeType::box: return geometry::Box(half_size);
    case ShapeType::capsule: return geometry::Capsule(radius, half_length);
    case ShapeType::cylinder: return geometry::Cylinder(radius, half_length);
    case ShapeType::none: break;
  }
  throw LogicError("a body without shape has no solid");
}

MassProperties solid(const Shape& shape, double density) {
  if (shape.type == ShapeType::none || !shape.possible()) return {};
  const geometry::MassProperties unit = shape.solid().mass_properties();
  return {density * unit.volume, density * unit.inertia.diagonal()};
}

}  // namespace carom
