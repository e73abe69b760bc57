#pragma once

#include "carom/geometry/bounds.h"
#include "carom/geometry/mass_properties.h"

namespace carom::geometry {

struct Sphere {
  explicit Sphere(double r);
  double radius;

  Bounds bounds(const Pose& pose) const;
  double reach() const { return radius; }
  MassProperties mass_properties() const;
};

}  // namespace carom::geometry
