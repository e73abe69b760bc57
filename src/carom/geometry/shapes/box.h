#pragma once

#include "carom/geometry/bounds.h"
#include "carom/geometry/mass_properties.h"
#include "carom/geometry/polytope.h"

namespace carom::geometry {

struct Box {
  explicit Box(const Vector3& half);
  Vector3 half_size;
  SharedPolytope core;

  Bounds bounds(const Pose& pose) const;
  double reach() const { return half_size.norm(); }
  MassProperties mass_properties() const;
};

}  // namespace carom::geometry
