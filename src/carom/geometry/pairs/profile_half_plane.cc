// A profile on a half plane: every place where the curve is lowest locally.
#include "carom/geometry/closest.h"
#include "carom/geometry/pairs/pairs.h"
#include "carom/geometry/pairs/planar.h"

namespace carom::geometry {

void profile_half_plane(const PairCall& call) {
  const Profile& profile = call.a.as<Profile>();
  const HalfPlane& half_plane = call.b.as<HalfPlane>();
  const Curve& curve = *profile.curve;
  const Vector3 world_normal = call.pose_b.direction(half_plane.normal);
  const Vector2 n = call.pose_a.local_direction(world_normal).head<2>();
  const double height = world_normal.dot(call.pose_a.x - call.pose_b.x) - half_plane.offset;
  if (height - curve.reach() > call.margin) return;

  auto& candidates = call.scratch.candidates;
  candidates.clear();
  const auto& samples = curve.samples();
  const std::size_t count = samples.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (!curve.closed() && (k == 0 || k + 1 == count)) continue;
    const double here = n.dot(samples[k].x);
    const double left = n.dot(samples[(k + count - 1) % count].x), right = n.dot(samples[(k + 1) % count].x);
    if (!(here < left && here <= right)) continue;
    double u = samples[k].u;
    if (!closest_curve_line(curve, n, u)) continue;
    const CurvePoint p = curve.at(u);
    if (outer_normal(p).dot(n) > 0.0) continue;  // the far side
    const double gap = height + n.dot(p.x);
    if (!(gap <= call.margin)) continue;
    Candidate& c = candidates.emplace_back();
    c.kind = PrimitiveKind::curve_line;
    c.first = curve_feature(profile, u);
    c.second.point = half_plane.offset * half_plane.normal;
    c.second.direction = half_plane.normal;
    c.second_id = side_id(0);
    c.normal = world_normal;
    c.place << p.x.x(), p.x.y(), 0.0;
    c.gap = gap;
  }
  number_curve_contacts(candidates);
  reduce_to_four(candidates, Vector3::UnitZ(), curve.reach());
  for (const Candidate& c : candidates) append(c, Pose{}, call.contacts);
}

}  // namespace carom::geometry
