#pragma once

#include <memory>
#include <vector>

#include "carom/geometry/bounds.h"
#include "carom/geometry/mass_properties.h"

namespace carom::geometry {

// The convex hull of points in the plane; vertices counterclockwise from the lowest of the leftmost, none in the middle
// of a side. Side k runs from vertex k to the next.
struct Polygon {
  explicit Polygon(const std::vector<Eigen::Vector2d>& points);
  struct Sides {
    std::vector<Vector3> vertices;  // z = 0
    std::vector<Vector3> normals;   // of side k, outward
    double reach = 0.0;
  };
  std::shared_ptr<const Sides> sides;

  Bounds bounds(const Pose& pose) const;
  double reach() const { return sides->reach; }
  MassProperties mass_properties() const;
};

}  // namespace carom::geometry
