// A convex polytope by its vertices, edges and faces. Points (one vertex) and segments (two vertices, one edge) count
// too: a sphere is a point and a capsule a segment with a radius around it, so that both go through the code of
// polyhedra.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "carom/base/types.h"

namespace carom::geometry {

struct Polytope {
  struct Edge {
    Index start, end;   // vertices
    Index left, right;  // faces, -1 for a segment; left has the edge in its loop as start -> end
    Vector3 direction;  // unit, start -> end
    double length;
  };
  struct Face {
    Vector3 normal;  // unit, outward
    double offset;   // normal . x = offset on the face
    Index first, count;
  };

  std::vector<Vector3> vertices;
  std::vector<Edge> edges;
  std::vector<Face> faces;
  std::vector<Index> loops;       // vertices of face f, counterclockwise from outside: loops[first .. first + count)
  std::vector<Index> loop_edges;  // loop_edges[first + k] runs from vertex k of the loop to the next
  std::vector<Index> fan_begin;   // edges at vertex v: fan[fan_begin[v] .. fan_begin[v + 1])
  std::vector<Index> fan;
  double size = 0.0;  // largest distance of a vertex from the origin

  std::span<const Index> loop(Index face) const { return part(loops, faces[static_cast<std::size_t>(face)]); }
  std::span<const Index> loop_of_edges(Index face) const {
    return part(loop_edges, faces[static_cast<std::size_t>(face)]);
  }
  std::span<const Index> edges_at(Index vertex) const {
    const auto v = static_cast<std::size_t>(vertex);
    return {fan.data() + fan_begin[v], static_cast<std::size_t>(fan_begin[v + 1] - fan_begin[v])};
  }
  const Vector3& vertex(Index v) const { return vertices[static_cast<std::size_t>(v)]; }
  const Edge& edge(Index e) const { return edges[static_cast<std::size_t>(e)]; }
  const Face& face(Index f) const { return faces[static_cast<std::size_t>(f)]; }

  // The vertex furthest along d; of equally far ones the first.
  Index support(const Vector3& d) const {
    Index best = 0;
    double furthest = d.dot(vertices[0]);
    for (Index v = 1; v < static_cast<Index>(vertices.size()); ++v) {
      const double along = d.dot(vertex(v));
      if (along > furthest) best = v, furthest = along;
    }
    return best;
  }

 private:
  static std::span<const Index> part(const std::vector<Index>& all, const Face& face) {
    return {all.data() + face.first, static_cast<std::size_t>(face.count)};
  }
};

using SharedPolytope = std::shared_ptr<const Polytope>;

SharedPolytope point_polytope();                      // the origin
SharedPolytope segment_polytope(double half_length);  // along z
SharedPolytope box_polytope(const Vector3& half_size);

// From vertices and faces as loops of vertices, counterclockwise from outside.
SharedPolytope polytope(std::vector<Vector3> vertices, const std::vector<std::vector<Index>>& faces);

}  // namespace carom::geometry
