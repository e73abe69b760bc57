// A cylinder in the frame of a pair: its features, and the contacts of a rim or cap that is almost flat.
#pragma once

#include "carom/geometry/closest.h"
#include "carom/geometry/pairs/pair.h"

namespace carom::geometry {

struct CylinderView {
  double radius, half_length;
  Pose pose;  // in the pair

  Vector3 axis() const { return pose.R.col(2); }
  Vector3 cap_centre(int end) const { return pose.x + (end > 0 ? half_length : -half_length) * axis(); }
  Vector3 cap_normal(int end) const { return end > 0 ? Vector3(axis()) : Vector3(-axis()); }
  Ring ring(int end) const {  // its angle counts as that of the feature
    Vector3 e1, e2;
    ring_frame(Vector3::UnitZ(), e1, e2);
    return {cap_centre(end), pose.direction(e1), pose.direction(e2), radius};
  }
  double support(const Vector3& d) const {  // max d.x
    const double along = d.dot(axis());
    return d.dot(pose.x) + half_length * std::abs(along) + radius * (d - along * axis()).norm();
  }

  // Features in the cylinder's own frame, and their ids: rim and face 0 at the lower end, 1 at the upper.
  Feature side_feature() const;
  Feature rim_feature(int end, double angle) const;
  Feature cap_feature(int end) const;
  static FeatureId rim_id(int end) { return feature_id(Element::rim, end > 0); }
  static FeatureId cap_id(int end) { return feature_id(Element::face, end > 0); }
  static FeatureId side_id() { return feature_id(Element::side); }
  static FeatureId rim_point_id(int end, int quarter) {
    return feature_id(Element::rim_point, static_cast<std::uint32_t>((end > 0 ? 4 : 0) + quarter));
  }

  // The angle of the rim's lowest point against a plane with normal m, from which its quarters count; the body's own
  // axis if it is nearly flat, so that a cylinder at rest keeps its four points.
  double lowest_angle(int end, const Vector3& m) const;
  // Whether a rim that is tilted by `sine` against a plane and lies `gap` above it may become flat within the margin.
  // Its lowest point then runs round as it likes, so that points fixed in the rim must stand for it.
  bool nearly_flat(double sine, double gap, double margin) const {
    constexpr double always = 1e-7, never = 0.05;
    return sine <= always || (sine < never && gap + 2.0 * radius * sine <= margin);
  }

  // `direction` points out of the cylinder, in its own frame.
  void set_window(FeatureId id, const Vector3& direction, Window& window) const;
};

// The angles at which a line crosses the cylinder that a ring bounds, seen along its axis; returns how many there are.
// A line over a cap is closest to the rim there.
int crossing_angles(const Ring& ring, const Vector3& p, const Vector3& d, double angles[2]);

}  // namespace carom::geometry
