// Two profiles: local minima of the signed distance of one curve from the other, found on the samples and refined by
// Newton's method.
#include <cmath>
#include <limits>

#include "carom/geometry/closest.h"
#include "carom/geometry/pairs/pairs.h"
#include "carom/geometry/pairs/planar.h"

namespace carom::geometry {

void profile_profile(const PairCall& call) {
  const double apart = call.margin + call.a.radius() + call.b.radius();
  if ((call.pose_a.x - call.pose_b.x).squaredNorm() > apart * apart) return;
  const Profile &profile_a = call.a.as<Profile>(), &profile_b = call.b.as<Profile>();
  const Curve &a = *profile_a.curve, &b = *profile_b.curve;
  const Matrix3 R = call.pose_b.R.transpose() * call.pose_a.R;
  const PlaneFrame a_in_b{call.pose_b.local(call.pose_a.x).head<2>(), R(0, 0), R(1, 0)};
  const PlaneFrame b_in_a{call.pose_a.local(call.pose_b.x).head<2>(), R(0, 0), -R(1, 0)};

  auto& candidates = call.scratch.candidates;
  auto& found = call.scratch.curve_distances;
  candidates.clear();
  const auto &on_a = a.samples(), &on_b = b.samples();
  // Signed distance of every sample of a from the nearest sample of b, and which that is. Samples seen from behind by
  // the whole of b (the far side of a convex pair) have opposite signs of their own normal and are left out by the
  // condition on the normals below.
  found.resize(on_a.size());
  const double reach = call.margin + a.sample_spacing() + b.sample_spacing();
  for (std::size_t i = 0; i < on_a.size(); ++i) {
    const Vector2 x = a_in_b.point(on_a[i].x), normal = a_in_b.turn(on_a[i].normal);
    found[i] = {std::numeric_limits<double>::infinity(), 0};
    if (x.norm() > b.reach() + reach) continue;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < on_b.size(); ++j) {
      if (normal.dot(on_b[j].normal) > 0.0) continue;
      const double square = (x - on_b[j].x).squaredNorm();
      if (square < nearest) nearest = square, found[i].sample = j;
    }
    if (nearest < std::numeric_limits<double>::infinity())
      found[i].value = on_b[found[i].sample].normal.dot(x - on_b[found[i].sample].x);
  }
  for (std::size_t i = 0; i < on_a.size(); ++i) {
    const std::size_t left = (i + on_a.size() - 1) % on_a.size(), right = (i + 1) % on_a.size();
    const bool end = !a.closed() && (i == 0 || i + 1 == on_a.size());
    if (end || !(found[i].value < found[left].value && found[i].value <= found[right].value)) continue;
    double u = on_a[i].u, w = on_b[found[i].sample].u;
    if (!closest_curve_curve(a, b, b_in_a, u, w)) continue;
    const CurvePoint p = a.at(u), q = b.at(w);
    const Vector2 n = outer_normal(q), x = a_in_b.point(p.x);
    if (a_in_b.turn(outer_normal(p)).dot(n) > -0.5) continue;
    const double gap = n.dot(x - q.x);
    if (!(gap <= call.margin) || gap < -0.5 * std::min(a.reach(), b.reach())) continue;
    bool known = false;
    for (const Candidate& c : candidates) known = known || (c.place.head<2>() - q.x).norm() < 0.5 * b.sample_spacing();
    if (known) continue;
    Candidate& c = candidates.emplace_back();
    c.kind = PrimitiveKind::curve_curve;
    c.first = curve_feature(profile_a, u);
    c.second = curve_feature(profile_b, w);
    c.normal << n.x(), n.y(), 0.0;
    c.place << q.x.x(), q.x.y(), 0.0;
    c.gap = gap;
  }
  number_curve_contacts(candidates);
  reduce_to_four(candidates, Vector3::UnitZ(), std::min(a.reach(), b.reach()));
  for (const Candidate& c : candidates) append(c, call.pose_b, call.contacts);
}

}  // namespace carom::geometry
