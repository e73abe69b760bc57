#include "carom/geometry/shapes/polygon.h"

#include <algorithm>

#include "carom/geometry/area_integrals.h"
#include "carom/geometry/shapes/shape_check.h"

namespace carom::geometry {

namespace {

double turn(const Vector3& a, const Vector3& b, const Vector3& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

// Andrew's chains: the points from left to right, then back, keeping left turns only.
std::vector<Vector3> hull(std::vector<Vector3> points) {
  std::sort(points.begin(), points.end(),
            [](const Vector3& a, const Vector3& b) { return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y(); });
  double size = 0.0;
  for (const Vector3& p : points) size = std::max(size, (p - points.front()).norm());
  const double straight = 1e-12 * size * size;  // what counts as the middle of a side
  std::vector<Vector3> chain;
  const auto extend = [&](const Vector3& p, std::size_t keep) {
    while (chain.size() > keep + 1 && turn(chain[chain.size() - 2], chain.back(), p) <= straight) chain.pop_back();
    chain.push_back(p);
  };
  for (const Vector3& p : points) extend(p, 0);
  const std::size_t lower = chain.size() - 1;
  for (std::size_t k = points.size() - 1; k-- > 0;) extend(points[k], lower);
  chain.pop_back();
  return chain;
}

}  // namespace

Polygon::Polygon(const std::vector<Eigen::Vector2d>& points) {
  std::vector<Vector3> flat;
  for (const auto& p : points) {
    if (!p.allFinite()) bad_shape("polygon", "a vertex is not finite", "give finite coordinates");
    flat.emplace_back(p.x(), p.y(), 0.0);
  }
  auto made = std::make_shared<Sides>();
  if (flat.size() >= 3) made->vertices = hull(std::move(flat));
  if (made->vertices.size() < 3)
    bad_shape("polygon", "the vertices enclose no area", "give at least three that are not on one line");
  for (std::size_t k = 0; k < made->vertices.size(); ++k) {
    const Vector3 d = (made->vertices[(k + 1) % made->vertices.size()] - made->vertices[k]).normalized();
    made->normals.emplace_back(d.y(), -d.x(), 0.0);
    made->reach = std::max(made->reach, made->vertices[k].norm());
  }
  sides = std::move(made);
}

Bounds Polygon::bounds(const Pose& pose) const {
  Bounds box;
  for (const Vector3& v : sides->vertices) box.add(pose.point(v));
  return box;
}

MassProperties Polygon::mass_properties() const {
  AreaIntegrals integrals;
  const auto& v = sides->vertices;
  for (std::size_t k = 0; k < v.size(); ++k) integrals.add_segment(v[k].head<2>(), v[(k + 1) % v.size()].head<2>());
  return integrals.mass_properties();
}

}  // namespace carom::geometry
