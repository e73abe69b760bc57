// Scenes of solids on a floor, for tests.
#pragma once

#include <string>
#include <vector>

#include "carom/model/assembly/builder.h"

namespace carom::testing {

using namespace model;

constexpr double gravity = 9.81;

struct Scene {
  ModelBuilder m{Space::spatial};
  double density = 1000.0;

  explicit Scene(const ContactParameters& law) {
    m.set_gravity({0, 0, -gravity});
    m.set_default_contact(law);
    m.add_surface({.name = "floor", .shape = geometry::HalfSpace()});
  }

  // A homogeneous solid. Its shape is given in a frame at `position`; the body frame is that of the shape, moved into
  // the centre of mass.
  BodyRef add(const std::string& name, const geometry::Shape& shape, const Vector3& position,
              const Vector3& velocity = Vector3::Zero(), const Quaternion& orientation = {1, 0, 0, 0},
              const Vector3& spin = Vector3::Zero()) {
    const geometry::MassProperties unit = shape.mass_properties();
    const Matrix3 R = rotation_matrix(orientation);
    const BodyRef body = m.add_body({.name = name,
                                     .mass = density * unit.volume,
                                     .inertia = density * unit.inertia,
                                     .position = position + R * unit.centre,
                                     .orientation = orientation,
                                     .velocity = velocity,
                                     .spin = spin});
    m.add_surface({.body = body.number, .shape = shape, .pose = {-unit.centre, Matrix3::Identity()}});
    return body;
  }
  BodyRef add_box(const std::string& name, const Vector3& size, const Vector3& centre,
                  const Vector3& velocity = Vector3::Zero()) {
    return add(name, geometry::Box(0.5 * size), centre, velocity);
  }
};

}  // namespace carom::testing
