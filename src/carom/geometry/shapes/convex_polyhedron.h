#pragma once

#include <vector>

#include "carom/geometry/bounds.h"
#include "carom/geometry/mass_properties.h"
#include "carom/geometry/polytope.h"

namespace carom::geometry {

// The convex hull of points in space.
struct ConvexPolyhedron {
  explicit ConvexPolyhedron(const std::vector<Vector3>& points);
  SharedPolytope core;

  Bounds bounds(const Pose& pose) const;
  double reach() const { return core->size; }
  MassProperties mass_properties() const;
};

}  // namespace carom::geometry
