// The convex hull of points in space, with coplanar facets merged into one face.
#pragma once

#include <vector>

#include "carom/geometry/polytope.h"

namespace carom::geometry {

// Null if the points enclose no volume or are not finite. Points closer to a face than 1e-10 times the size of the set
// count as on it; points inside a face or in the middle of an edge are no vertices. Vertices keep the order of the
// points.
SharedPolytope convex_hull(const std::vector<Vector3>& points);

}  // namespace carom::geometry
