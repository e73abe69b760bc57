#include "carom/geometry/pairs/clip.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace carom::geometry {

namespace {

ClipCorner between(const ClipCorner& from, const ClipCorner& to, double h_from, double h_to, Index side) {
  ClipCorner corner;
  // What counts as inside may lie a little outside: then it is the cut itself.
  corner.x = from.x + std::clamp(h_from / (h_from - h_to), 0.0, 1.0) * (to.x - from.x);
  corner.side = side;
  corner.edge = from.next_edge;        // an incident edge is cut, or
  corner.other_side = from.next_side;  // the way lay on another side already: a corner of the reference face
  return corner;
}

}  // namespace

void clip_to_face(const PolytopeView& reference, Index face, double beyond, PairScratch& scratch) {
  const auto loop = reference.shape->loop(face), edges = reference.shape->loop_of_edges(face);
  auto &polygon = scratch.polygon, &clipped = scratch.clipped;
  const Vector3& n = reference.normal(face);
  for (std::size_t side = 0; side < loop.size(); ++side) {
    const Index e = edges[side];
    const Vector3 along =
        reference.shape->edge(e).start == loop[side] ? reference.direction(e) : Vector3(-reference.direction(e));
    const Vector3 out = along.cross(n);
    const double offset = out.dot(reference.vertex(loop[side]));
    clipped.clear();
    const std::size_t count = polygon.size();
    const bool chain = count <= 2;  // a point or a segment: no way back from the last to the first
    for (std::size_t k = 0; k < count; ++k) {
      const ClipCorner& here = polygon[k];
      const double h = out.dot(here.x) - offset;
      if (h <= beyond) clipped.push_back(here);
      if (chain && k + 1 == count) break;
      const ClipCorner& next = polygon[(k + 1) % count];
      const double h_next = out.dot(next.x) - offset;
      if (h <= beyond && h_next > beyond) {
        ClipCorner cut = between(here, next, h, h_next, static_cast<Index>(side));
        cut.next_side = static_cast<Index>(side);
        if (chain) cut.next_side = -1, cut.next_edge = here.next_edge;
        clipped.push_back(cut);
      } else if (h > beyond && h_next <= beyond) {
        ClipCorner cut = between(here, next, h, h_next, static_cast<Index>(side));
        cut.next_edge = here.next_edge;
        cut.next_side = here.next_side;
        clipped.push_back(cut);
      }
    }
    std::swap(polygon, clipped);
    if (polygon.empty()) return;
  }
}

}  // namespace carom::geometry
