#include "carom/geometry/pairs/pair.h"

#include <algorithm>
#include <cmath>

namespace carom::geometry {

void PolytopeView::place(const Polytope& polytope, double r, const Pose& in_pair) {
  shape = &polytope;
  radius = r;
  pose = in_pair;
  vertices.resize(polytope.vertices.size());
  normals.resize(polytope.faces.size());
  directions.resize(polytope.edges.size());
  for (std::size_t k = 0; k < vertices.size(); ++k) vertices[k] = pose.point(polytope.vertices[k]);
  for (std::size_t k = 0; k < normals.size(); ++k) normals[k] = pose.direction(polytope.faces[k].normal);
  for (std::size_t k = 0; k < directions.size(); ++k) directions[k] = pose.direction(polytope.edges[k].direction);
}

Index PolytopeView::support(const Vector3& d) const {
  Index best = 0;
  double furthest = d.dot(vertices[0]);
  for (Index v = 1; v < vertex_count(); ++v) {
    const double along = d.dot(vertex(v));
    if (along > furthest) best = v, furthest = along;
  }
  return best;
}

Feature vertex_feature(const Polytope& p, Index v, double radius) {
  Feature f;
  f.point = p.vertex(v);
  f.radius = radius;
  return f;
}

Feature edge_feature(const Polytope& p, Index e, double radius) {
  const auto& edge = p.edge(e);
  Feature f;
  f.point = 0.5 * (p.vertex(edge.start) + p.vertex(edge.end));
  f.direction = edge.direction;
  f.radius = radius;
  f.half_length = 0.5 * edge.length;
  return f;
}

Feature face_feature(const Polytope& p, Index face, double radius) {
  Feature f;
  f.direction = p.face(face).normal;
  f.point = (p.face(face).offset + radius) * f.direction;
  return f;
}

namespace {

void bound_point(Window& window, const Vector3& normal, double offset) {
  window.points[window.point_count++] = {normal, offset};
}

// Puts a bound with this slack into a window that may be full: the tightest stay, the loosest is covered by the ball.
template <class Bounds, class Bound, class Slack>
void keep_tightest(Bounds& bounds, std::uint8_t& count, double& ball, const Bound& bound, const Slack& slack) {
  if (count < Window::capacity) {
    bounds[count++] = bound;
    return;
  }
  std::size_t loosest = 0;
  for (std::size_t k = 1; k < bounds.size(); ++k)
    if (slack(bounds[k]) > slack(bounds[loosest])) loosest = k;
  if (slack(bound) < slack(bounds[loosest])) {
    ball = std::min(ball, slack(bounds[loosest]));
    bounds[loosest] = bound;
  } else {
    ball = std::min(ball, slack(bound));
  }
}

}  // namespace

void set_vertex_window(const Polytope& p, Index v, const Vector3& direction, Window& window) {
  window.axis = direction;
  const auto slack = [&](const Vector3& e) { return -e.dot(direction); };
  for (const Index e : p.edges_at(v)) {
    const Vector3 away = p.edge(e).start == v ? p.edge(e).direction : Vector3(-p.edge(e).direction);
    keep_tightest(window.directions, window.direction_count, window.turn, away, slack);
  }
}

void set_edge_window(const Polytope& p, Index e, Window& window) {
  const auto& edge = p.edge(e);
  bound_point(window, edge.direction, edge.direction.dot(p.vertex(edge.end)));
  bound_point(window, -edge.direction, -edge.direction.dot(p.vertex(edge.start)));
  if (edge.left < 0) return;
  window.directions[window.direction_count++] = p.face(edge.left).normal.cross(edge.direction);  // into the faces
  window.directions[window.direction_count++] = edge.direction.cross(p.face(edge.right).normal);
}

void set_face_window(const Polytope& p, Index f, const Vector3& point, Window& window) {
  window.centre = point;
  const auto slack = [&](const Window::Bound& bound) { return bound.offset - bound.normal.dot(point); };
  const auto loop = p.loop(f), edges = p.loop_of_edges(f);
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const auto& edge = p.edge(edges[k]);
    const Vector3 along = edge.start == loop[k] ? edge.direction : Vector3(-edge.direction);
    const Vector3 out = along.cross(p.face(f).normal);
    keep_tightest(window.points, window.point_count, window.reach, Window::Bound{out, out.dot(p.vertex(loop[k]))},
                  slack);
  }
}

void set_window(const Polytope& p, FeatureId id, const Vector3& point, const Vector3& direction, Window& window) {
  const auto number = static_cast<Index>(element_number(id));
  switch (element_kind(id)) {
    case Element::vertex: set_vertex_window(p, number, direction, window); break;
    case Element::edge: set_edge_window(p, number, window); break;
    case Element::face: set_face_window(p, number, point, window); break;
    default: break;
  }
}

// Chosen by place, not by gap: gaps at rest differ by rounding only, and a choice that followed them would change from
// step to step.
void reduce_to_four(std::vector<Candidate>& candidates, const Vector3& normal, double size) {
  const std::size_t n = candidates.size();
  if (n > 4) {
    const double clearly = 1e-9 * size;
    std::size_t chosen[4] = {0, 0, 0, 0};
    const auto pick = [&](auto&& score) {  // the first of those that score highest
      std::size_t best = 0;
      double highest = score(candidates[0]);
      for (std::size_t k = 1; k < n; ++k) {
        const double s = score(candidates[k]);
        if (s > highest + clearly) best = k, highest = s;
      }
      return best;
    };
    Vector3 centre = Vector3::Zero();
    for (const Candidate& c : candidates) centre += c.place / static_cast<double>(n);
    const auto flat = [&](const Vector3& d) -> Vector3 { return d - normal.dot(d) * normal; };
    chosen[0] = pick([&](const Candidate& c) { return flat(c.place - centre).norm(); });
    const Vector3 p = candidates[chosen[0]].place;
    chosen[1] = pick([&](const Candidate& c) { return flat(c.place - p).norm(); });
    const Vector3 across = normal.cross(flat(candidates[chosen[1]].place - p)).normalized();
    chosen[2] = pick([&](const Candidate& c) { return across.dot(c.place - p); });
    chosen[3] = pick([&](const Candidate& c) { return -across.dot(c.place - p); });
    if (chosen[3] == chosen[0] || chosen[3] == chosen[1])  // all lie on one side: the one furthest from the three
      chosen[3] = pick([&](const Candidate& c) {
        double nearest = (c.place - candidates[chosen[0]].place).norm();
        for (const std::size_t k : {chosen[1], chosen[2]})
          nearest = std::min(nearest, (c.place - candidates[k].place).norm());
        return nearest;
      });
    // The smallest gap is the distance of the shapes: it stays, in place of its nearest neighbour.
    std::size_t must = 0;
    for (std::size_t k = 1; k < n; ++k)
      if (candidates[k].gap < candidates[must].gap) must = k;
    double least = candidates[chosen[0]].gap;
    for (const std::size_t k : chosen) least = std::min(least, candidates[k].gap);
    bool missing = candidates[must].gap < least - 1e-11 * size;
    for (std::size_t k = 0; k < n; ++k)
      if (candidates[k].closest) must = k, missing = std::find(chosen, chosen + 4, k) == chosen + 4;
    if (missing) {
      const auto distance = [&](std::size_t k) { return (candidates[k].place - candidates[must].place).norm(); };
      std::size_t nearest = 0;
      for (std::size_t k = 1; k < 4; ++k)
        if (distance(chosen[k]) < distance(chosen[nearest]) - clearly) nearest = k;
      chosen[nearest] = must;
    }
    std::sort(chosen, chosen + 4);
    const std::size_t kept = static_cast<std::size_t>(std::unique(chosen, chosen + 4) - chosen);
    for (std::size_t k = 0; k < kept; ++k)
      if (chosen[k] != k) candidates[k] = candidates[chosen[k]];
    candidates.resize(kept);
  }
  // Insertion sort: stable and without memory.
  for (std::size_t k = 1; k < candidates.size(); ++k)
    for (std::size_t j = k; j > 0 && candidates[j].gap < candidates[j - 1].gap; --j)
      std::swap(candidates[j], candidates[j - 1]);
}

ContactWindows& append(const Candidate& c, const Pose& pair, ContactList& contacts) {
  ContactPrimitive& p = contacts.primitives.emplace_back();
  p.kind = c.kind;
  p.swapped = c.first_is_b;
  p.first = c.first;
  p.second = c.second;
  p.first_id = c.first_id;
  p.second_id = c.second_id;
  p.gap = c.gap;
  p.normal = pair.direction(c.normal);
  p.side = c.side;
  return contacts.windows.emplace_back();
}

const Polytope* core_of(const Shape& shape, double& radius) {
  radius = 0.0;
  switch (shape.kind()) {
    case ShapeKind::sphere: {
      static const SharedPolytope point = point_polytope();
      radius = shape.as<Sphere>().radius;
      return point.get();
    }
    case ShapeKind::capsule: radius = shape.as<Capsule>().radius; return shape.as<Capsule>().core.get();
    case ShapeKind::box: return shape.as<Box>().core.get();
    case ShapeKind::convex_polyhedron: return shape.as<ConvexPolyhedron>().core.get();
    default: return nullptr;
  }
}

}  // namespace carom::geometry
