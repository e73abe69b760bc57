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
  return flat.norm() > 1e-8 ? ring(end).angle_of(-flat) : 0.0;
}

void CylinderView::set_window(FeatureId id, Window& window) const {
  const bool upper = element_number(id) == 1;
  switch (element_kind(id)) {
    case Element::rim:  // the direction out lies between the cap's normal and the radius
      window.directions[window.direction_count++] << 0.0, 0.0, upper ? -1.0 : 1.0;
      break;
    case Element::side:
      window.points[window.point_count++] = {Vector3::UnitZ(), half_length};
      window.points[window.point_count++] = {-Vector3::UnitZ(), half_length};
      break;
    case Element::face:
      window.centre << 0.0, 0.0, upper ? half_length : -half_length;
      window.reach = radius;
      break;
    default:
      break;
  }
}

}  // namespace carom::geometry
