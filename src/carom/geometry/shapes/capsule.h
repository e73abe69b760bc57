#pragma once

#include "carom/geometry/bounds.h"
#include "carom/geometry/mass_properties.h"
#include "carom/geometry/polytope.h"

namespace carom::geometry {

// All points within `radius` of a segment from -half_length to half_length along z.
struct Capsule {
  Capsule(double r, double half);
  double radius, half_length;
  SharedPolytope core;

  Bounds bounds(const Pose& pose) const;
  double reach() const { return half_length + radius; }
  MassProperties mass_properties() const;
};

}  // namespace carom::geometry
