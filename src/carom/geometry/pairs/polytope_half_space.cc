// Sphere, capsule, box or polyhedron on a half space: its corners against the plane. Up to eight all count that lie
// within the margin. Of more, those of the face that looks at the plane, up to four: the others cannot be reached
// before them.
#include <algorithm>

#include "carom/geometry/pairs/pairs.h"

namespace carom::geometry {

void polytope_half_space(const PairCall& call) {
  double radius;
  const Polytope& p = *core_of(call.a, radius);
  const HalfSpace& half_space = call.b.as<HalfSpace>();
  // In the frame of the polytope.
  const Vector3 n = call.pose_a.local_direction(call.pose_b.direction(half_space.normal));
  const Vector3 world_normal = call.pose_b.direction(half_space.normal);
  const double height = world_normal.dot(call.pose_a.x - call.pose_b.x) - half_space.offset - radius;
  if (height - p.size > call.margin) return;

  auto& candidates = call.scratch.candidates;
  candidates.clear();
  const auto add = [&](Index v) {
    const double gap = height + n.dot(p.vertex(v));
    if (!(gap <= call.margin)) return;
    Candidate& c = candidates.emplace_back();
    c.kind = PrimitiveKind::ball_plane;
    c.first = vertex_feature(p, v, radius);
    c.first_id = feature_id(Element::vertex, static_cast<std::uint32_t>(v));
    c.second.point = half_space.offset * half_space.normal;
    c.second.direction = half_space.normal;
    c.second_id = feature_id(Element::face);
    c.gap = gap;
    c.normal = n;
    c.place = p.vertex(v);
  };
  const bool few = p.vertices.size() <= 8;
  if (few) {
    for (Index v = 0; v < static_cast<Index>(p.vertices.size()); ++v) add(v);
  } else {
    const Index lowest = p.support(-n);
    Index incident = -1;  // of the faces at the lowest corner, the one that looks down most
    double best = 2.0;
    for (const Index e : p.edges_at(lowest))
      for (const Index f : {p.edge(e).left, p.edge(e).right}) {
        const double along = p.face(f).normal.dot(n);
        if (along < best - 1e-9) best = along, incident = f;
      }
    for (const Index v : p.loop(incident)) add(v);
  }
  if (few)
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& x, const Candidate& y) {
      return x.gap != y.gap ? x.gap < y.gap : element_number(x.first_id) < element_number(y.first_id);
    });
  else
    reduce_to_four(candidates, n, p.size);
  for (const Candidate& c : candidates) {
    Candidate world = c;
    world.normal = world_normal;
    ContactWindows& windows = append(world, Pose{}, call.contacts);
    set_window(p, c.first_id, c.first.point, -n, windows.first);
  }
}

}  // namespace carom::geometry
