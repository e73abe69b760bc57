// Two spheres: the one pair of shapes that piles are made of, so it goes without the views of polytope_polytope.
#include <cmath>

#include "carom/geometry/pairs/pairs.h"

namespace carom::geometry {

void sphere_sphere(const PairCall& call) {
  const double r_a = call.a.as<Sphere>().radius, r_b = call.b.as<Sphere>().radius;
  const Vector3 d = call.pose_a.x - call.pose_b.x;
  const double distance = std::sqrt(d.squaredNorm()), gap = distance - (r_a + r_b);
  if (!(gap <= call.margin)) return;
  Candidate c;
  c.kind = PrimitiveKind::ball_ball;
  c.first.radius = r_a;
  c.second.radius = r_b;
  c.first_id = c.second_id = feature_id(Element::vertex);
  c.gap = gap;
  if (distance > 0.0)
    c.normal = d / distance;
  else
    c.normal = call.pose_b.direction(Vector3::UnitZ());
  append(c, Pose{}, call.contacts);  // a sphere is round everywhere: no windows
}

}  // namespace carom::geometry
