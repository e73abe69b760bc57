// A cylinder on a half space: its rims against the plane. A rim that lies within the margin all round may be flat
// before the step is over; a rim against a parallel plane has no lowest point, so it comes as four of its points.
#include <Eigen/Geometry>
#include <cmath>

#include "carom/geometry/pairs/cylinder.h"
#include "carom/geometry/pairs/pairs.h"

namespace carom::geometry {

void cylinder_half_space(const PairCall& call) {
  const Cylinder& shape = call.a.as<Cylinder>();
  const HalfSpace& half_space = call.b.as<HalfSpace>();
  const CylinderView cylinder{shape.radius, shape.half_length, {}};  // the pair lives in the frame of the cylinder
  const Vector3 world_normal = call.pose_b.direction(half_space.normal);
  const Vector3 n = call.pose_a.local_direction(world_normal);
  const double height = world_normal.dot(call.pose_a.x - call.pose_b.x) - half_space.offset;
  const double drop = shape.radius * std::hypot(n.x(), n.y());
  const int low = n.z() > 0.0 ? -1 : 1;

  auto& candidates = call.scratch.candidates;
  candidates.clear();
  const auto add = [&](double gap, Feature feature, FeatureId id, PrimitiveKind kind) {
    if (!(gap <= call.margin)) return;
    Candidate& c = candidates.emplace_back();
    c.kind = kind;
    c.first = feature;
    c.first_id = id;
    c.second.point = half_space.offset * half_space.normal;
    c.second.direction = half_space.normal;
    c.second_id = feature_id(Element::face);
    c.gap = gap;
    c.normal = world_normal;
  };
  const auto centre_height = [&](int end) { return height + n.dot(cylinder.cap_centre(end)); };
  if (cylinder.nearly_flat(drop / shape.radius, centre_height(low) - drop, call.margin)) {
    const Ring ring = cylinder.ring(low);
    const double start = cylinder.lowest_angle(low, n);
    for (int quarter = 0; quarter < 4; ++quarter) {
      Feature point;
      point.point = ring.point(start + quarter * 0.5 * M_PI);
      add(height + n.dot(point.point), point, CylinderView::rim_point_id(low, quarter), PrimitiveKind::ball_plane);
    }
  } else {
    for (const int end : {low, -low})
      add(centre_height(end) - drop, cylinder.rim_feature(end, cylinder.lowest_angle(end, n)),
          CylinderView::rim_id(end), PrimitiveKind::rim_plane);
  }
  reduce_to_four(candidates, n, shape.radius);
  // No windows: a rim over a plane holds wherever it is, and which of the two is lower is for both gaps to say.
  for (const Candidate& c : candidates) append(c, Pose{}, call.contacts);
}

}  // namespace carom::geometry
