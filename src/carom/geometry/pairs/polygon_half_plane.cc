// A disc, or the two lowest neighbouring corners of a polygon, on a half plane.
#include "carom/geometry/pairs/pairs.h"
#include "carom/geometry/pairs/planar.h"

namespace carom::geometry {

void polygon_half_plane(const PairCall& call) {
  const HalfPlane& half_plane = call.b.as<HalfPlane>();
  PolygonView& p = call.scratch.polygon_a;
  p.place(call.a, {});
  const Vector3 world_normal = call.pose_b.direction(half_plane.normal), n = call.pose_a.local_direction(world_normal);
  const double height = world_normal.dot(call.pose_a.x - call.pose_b.x) - half_plane.offset - p.radius;

  auto& candidates = call.scratch.candidates;
  candidates.clear();
  const auto add = [&](std::size_t corner) {
    const double gap = height + n.dot(p.corners[corner]);
    if (!(gap <= call.margin)) return;
    Candidate& c = candidates.emplace_back();
    c.kind = PrimitiveKind::disc_line;
    c.first = corner_feature(p, corner);
    c.first_id = c.first_bound = corner_id(corner);
    c.second.point = half_plane.offset * half_plane.normal;
    c.second.direction = half_plane.normal;
    c.second_id = side_id(0);
    c.normal = world_normal;
    c.place = p.corners[corner];
    c.gap = gap;
  };
  if (p.has_sides()) {
    std::size_t incident = 0;
    for (std::size_t k = 1; k < p.count(); ++k)
      if (n.dot(p.normals[k]) < n.dot(p.normals[incident]) - 1e-9) incident = k;
    add(incident);
    add(p.next(incident));
  } else {
    add(0);
  }
  reduce_to_four(candidates, Vector3::UnitZ(), p.size);
  for (const Candidate& c : candidates) set_planar_window(p, c.first_bound, append(c, Pose{}, call.contacts).first);
}

}  // namespace carom::geometry
