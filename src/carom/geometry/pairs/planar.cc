#include "carom/geometry/pairs/planar.h"

#include <algorithm>

namespace carom::geometry {

void PolygonView::place(const Shape& shape, const Pose& in_pair) {
  pose = in_pair;
  if (shape.kind() == ShapeKind::disc) {
    radius = size = shape.as<Disc>().radius;
    corners.assign(1, pose.x);
    normals.clear();
    return;
  }
  const auto& sides = *shape.as<Polygon>().sides;
  radius = 0.0;
  size = sides.reach;
  corners.resize(sides.vertices.size());
  normals.resize(sides.vertices.size());
  for (std::size_t k = 0; k < corners.size(); ++k) {
    corners[k] = pose.point(sides.vertices[k]);
    normals[k] = pose.direction(sides.normals[k]);
  }
}

Feature corner_feature(const PolygonView& p, std::size_t corner) {
  Feature f;
  f.point = p.pose.local(p.corners[corner]);
  f.radius = p.radius;
  return f;
}

Feature side_feature(const PolygonView& p, std::size_t side) {
  Feature f;
  f.point = p.pose.local(p.corners[side]);
  f.direction = p.pose.local_direction(p.normals[side]);
  return f;
}

FeatureId corner_id(std::size_t corner) { return feature_id(Element::vertex, static_cast<std::uint32_t>(corner)); }
FeatureId side_id(std::size_t side) { return feature_id(Element::face, static_cast<std::uint32_t>(side)); }

void set_planar_window(const PolygonView& p, FeatureId id, Window& window) {
  if (!p.has_sides()) return;
  const std::size_t k = element_number(id);
  if (element_kind(id) == Element::vertex) {
    window.directions[window.direction_count++] = p.pose.local_direction(p.along(k));
    window.directions[window.direction_count++] = p.pose.local_direction(-p.along(p.before(k)));
  } else if (element_kind(id) == Element::face) {
    const Vector3 along = p.pose.local_direction(p.along(k)), start = p.pose.local(p.corners[k]),
                  end = p.pose.local(p.corners[p.next(k)]);
    window.points[window.point_count++] = {along, along.dot(end)};
    window.points[window.point_count++] = {-along, -along.dot(start)};
  }
}

Feature curve_feature(const Profile& profile, double u) {
  Feature f;
  f.direction = Vector3::UnitX();
  f.curve = profile.curve.get();
  f.parameter = profile.curve->wrapped(u);
  return f;
}

void number_curve_contacts(std::vector<Candidate>& candidates) {
  const auto key = [](const Candidate& c) { return c.first.curve ? c.first.parameter : c.second.parameter; };
  for (Candidate& c : candidates) {
    std::uint32_t order = 0;
    for (const Candidate& other : candidates) order += key(other) < key(c);
    if (c.first.curve) c.first_id = feature_id(Element::span, order);
    if (c.second.curve) c.second_id = feature_id(Element::span, order);
  }
}

}  // namespace carom::geometry
