#pragma once

#include "carom/geometry/bounds.h"
#include "carom/geometry/curve.h"
#include "carom/geometry/mass_properties.h"

namespace carom::geometry {

// The solid to the left of a curve: the inside of a closed profile, one side of an open one.
struct Profile {
  explicit Profile(SharedCurve c);
  SharedCurve curve;

  Bounds bounds(const Pose& pose) const;
  double reach() const { return curve->reach(); }
  MassProperties mass_properties() const;  // throws LogicError for open profiles
};

}  // namespace carom::geometry
