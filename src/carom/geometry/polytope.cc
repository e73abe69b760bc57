#include "carom/geometry/polytope.h"

#include <algorithm>
#include <map>

#include "carom/base/errors.h"

namespace carom::geometry {

namespace {

// Newell's normal: twice the vector area of the loop, right also where the vertices are not quite coplanar.
Vector3 loop_area(const std::vector<Vector3>& vertices, const std::vector<Index>& loop) {
  Vector3 area = Vector3::Zero();
  const Vector3& origin = vertices[static_cast<std::size_t>(loop[0])];
  for (std::size_t k = 1; k + 1 < loop.size(); ++k)
    area += (vertices[static_cast<std::size_t>(loop[k])] - origin)
                .cross(vertices[static_cast<std::size_t>(loop[k + 1])] - origin);
  return area;
}

void list_edges_at_vertices(Polytope& p) {
  p.fan_begin.assign(p.vertices.size() + 1, 0);
  for (const auto& edge : p.edges) {
    ++p.fan_begin[static_cast<std::size_t>(edge.start) + 1];
    ++p.fan_begin[static_cast<std::size_t>(edge.end) + 1];
  }
  for (std::size_t v = 1; v < p.fan_begin.size(); ++v) p.fan_begin[v] += p.fan_begin[v - 1];
  p.fan.resize(2 * p.edges.size());
  std::vector<Index> next(p.fan_begin.begin(), p.fan_begin.end() - 1);
  for (Index e = 0; e < static_cast<Index>(p.edges.size()); ++e)
    for (const Index v : {p.edge(e).start, p.edge(e).end})
      p.fan[static_cast<std::size_t>(next[static_cast<std::size_t>(v)]++)] = e;
}

void measure(Polytope& p) {
  for (const Vector3& v : p.vertices) p.size = std::max(p.size, v.norm());
  for (auto& edge : p.edges) {
    const Vector3 d = p.vertex(edge.end) - p.vertex(edge.start);
    edge.length = d.norm();
    edge.direction = d / edge.length;
  }
  list_edges_at_vertices(p);
}

}  // namespace

SharedPolytope polytope(std::vector<Vector3> vertices, const std::vector<std::vector<Index>>& faces) {
  auto p = std::make_shared<Polytope>();
  p->vertices = std::move(vertices);
  std::map<std::pair<Index, Index>, Index> numbers;  // of the edge between two vertices
  for (Index f = 0; f < static_cast<Index>(faces.size()); ++f) {
    const auto& loop = faces[static_cast<std::size_t>(f)];
    Polytope::Face face;
    face.normal = loop_area(p->vertices, loop).normalized();
    face.first = static_cast<Index>(p->loops.size());
    face.count = static_cast<Index>(loop.size());
    face.offset = 0.0;
    for (const Index v : loop) face.offset += face.normal.dot(p->vertex(v)) / face.count;
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const Index start = loop[k], end = loop[(k + 1) % loop.size()];
      const auto [entry, is_new] = numbers.try_emplace(std::minmax(start, end), static_cast<Index>(p->edges.size()));
      if (is_new)
        p->edges.push_back({start, end, f, -1, Vector3::Zero(), 0.0});
      else
        p->edges[static_cast<std::size_t>(entry->second)].right = f;
      p->loops.push_back(start);
      p->loop_edges.push_back(entry->second);
    }
    p->faces.push_back(face);
  }
  for (const auto& edge : p->edges)
    if (edge.right < 0) throw LogicError("the faces of a polytope do not close");
  measure(*p);
  return p;
}

SharedPolytope point_polytope() {
  static const SharedPolytope point = [] {
    auto p = std::make_shared<Polytope>();
    p->vertices = {Vector3::Zero()};
    measure(*p);
    return p;
  }();
  return point;
}

SharedPolytope segment_polytope(double half_length) {
  auto p = std::make_shared<Polytope>();
  p->vertices = {Vector3(0, 0, -half_length), Vector3(0, 0, half_length)};
  p->edges = {{0, 1, -1, -1, Vector3::UnitZ(), 2.0 * half_length}};
  measure(*p);
  return p;
}

// Vertex k has the signs of the bits of k in x, y, z; faces are -x, +x, -y, +y, -z, +z.
SharedPolytope box_polytope(const Vector3& half_size) {
  std::vector<Vector3> corners;
  for (int k = 0; k < 8; ++k)
    corners.emplace_back((k & 1 ? 1 : -1) * half_size.x(), (k & 2 ? 1 : -1) * half_size.y(),
                         (k & 4 ? 1 : -1) * half_size.z());
  return polytope(std::move(corners),
                  {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}});
}

}  // namespace carom::geometry
