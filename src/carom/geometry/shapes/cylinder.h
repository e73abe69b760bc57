#pragma once

#include "carom/geometry/bounds.h"
#include "carom/geometry/mass_properties.h"

namespace carom::geometry {

// A circular cylinder from -half_length to half_length along z.
struct Cylinder {
  Cylinder(double r, double half);
  double radius, half_length;

  Bounds bounds(const Pose& pose) const;
  double reach() const;
  MassProperties mass_properties() const;
};

}  // namespace carom::geometry
