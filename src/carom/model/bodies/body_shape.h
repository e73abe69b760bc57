// The shape of a body as scenes state it: plain numbers, right or wrong.
#pragma once

#include "carom/geometry/shape.h"

namespace carom {

enum class ShapeType { none, sphere, box, capsule, cylinder };

struct Shape {
  ShapeType type = ShapeType::none;
  double radius = 0.0;                  // of a sphere, capsule, cylinder
  Vector3 half_size = Vector3::Zero();  // of a box
  double half_length = 0.0;             // of a cylinder, and of a capsule between the centres of its ends; along z

  static Shape sphere(double radius) { return {ShapeType::sphere, radius, Vector3::Zero(), 0.0}; }
  static Shape box(const Vector3& size) { return {ShapeType::box, 0.0, 0.5 * size, 0.0}; }
  static Shape capsule(double radius, double length) {
    return {ShapeType::capsule, radius, Vector3::Zero(), 0.5 * length};
  }
  static Shape cylinder(double radius, double length) {
    return {ShapeType::cylinder, radius, Vector3::Zero(), 0.5 * length};
  }

  // Its numbers are positive and finite.
  bool possible() const;
  // Only of a shape that is possible.
  geometry::Shape solid() const;
};

struct MassProperties {
  double mass = 0.0;
  Vector3 inertia = Vector3::Zero();  // principal moments about the centre
};
// Of a homogeneous solid; nothing for a body without shape.
MassProperties solid(const Shape& shape, double density);

}  // namespace carom
