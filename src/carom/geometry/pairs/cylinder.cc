#include "carom/geometry/pairs/cylinder.h"

#include <Eigen/Geometry>

namespace carom::geometry {

Feature CylinderView::side_feature() const {
  Feature f;
  f.direction = Vector3::UnitZ();
  f.radius = radius;
  f.half_length = half_length;
  return f;
}

Feature CylinderView::rim_feature(int end, double angle) const {
  Feature f;
  f.point << 0.0, 0.0, end > 0 ? half_length : -half_length;
  f.direction = Vector3::UnitZ();
  f.radius = radius;
  f.parameter = angle;
  return f;
}

Feature CylinderView::cap_feature(int end) const {
  Feature f;
  f.point << 0.0, 0.0, end > 0 ? half_length : -half_length;
  f.direction << 0.0, 0.0, end > 0 ? 1.0 : -1.0;
  return f;
}

double CylinderView::lowest_angle(int end, const Vector3& m) const {
  const double along = m.dot(axis());
  const Vector3 flat = m - along * axis();
  return flat.norm() > 1e-11 ? ring(end).angle_of(-flat) : 0.0;
}

int crossing_angles(const Ring& ring, const Vector3& p, const Vector3& d, double angles[2]) {
  const Vector3 from = p - ring.centre;
  const double px = ring.e1.dot(from), py = ring.e2.dot(from), dx = ring.e1.dot(d), dy = ring.e2.dot(d);
  const double aa = dx * dx + dy * dy, ab = px * dx + py * dy,
               root = ab * ab - aa * (px * px + py * py - ring.radius * ring.radius);
  if (!(root > 0.0) || aa < 1e-12) return 0;
  for (const int k : {0, 1}) {
    const double t = (-ab + (k == 0 ? -1.0 : 1.0) * std::sqrt(root)) / aa;
    angles[k] = std::atan2(py + t * dy, px + t * dx);
  }
  return 2;
}

void CylinderView::set_window(FeatureId id, const Vector3& direction, Window& window) const {
  const bool upper = element_number(id) == 1;
  switch (element_kind(id)) {
    case Element::rim:  // the direction out lies between the cap's normal and the radius
      window.directions[window.direction_count++] << 0.0, 0.0, upper ? -1.0 : 1.0;
      // The radius turns with the point of contact: half the room there is now.
      window.axis = direction;
      window.turn = 0.5 * std::hypot(direction.x(), direction.y());
      break;
    case Element::side:
      window.points[window.point_count++] = {Vector3::UnitZ(), half_length};
      window.points[window.point_count++] = {-Vector3::UnitZ(), half_length};
      break;
    case Element::face:
      window.centre << 0.0, 0.0, upper ? half_length : -half_length;
      window.reach = radius;
      break;
    default: break;
  }
}

}  // namespace carom::geometry
