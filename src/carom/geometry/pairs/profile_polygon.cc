// A profile with a disc or polygon: corners (or the disc) at the places of the curve nearest to them, and sides where
// the curve is lowest over them. All in the frame of the profile.
#include <cmath>
#include <limits>

#include "carom/geometry/closest.h"
#include "carom/geometry/pairs/pairs.h"
#include "carom/geometry/pairs/planar.h"

namespace carom::geometry {

namespace {

Vector3 lifted(const Vector2& v) { return {v.x(), v.y(), 0.0}; }

class ProfilePolygon {
 public:
  explicit ProfilePolygon(const PairCall& call)
      : call_(call),
        candidates_(call.scratch.candidates),
        profile_(call.a.as<Profile>()),
        curve_(*profile_.curve),
        p_(call.scratch.polygon_b) {
    p_.place(call.b, {call.pose_a.local(call.pose_b.x), call.pose_a.R.transpose() * call.pose_b.R});
    candidates_.clear();
  }

  void find() {
    for (std::size_t k = 0; k < p_.count(); ++k) corner(k);
    for (std::size_t k = 0; k < p_.normals.size(); ++k) side(k);
  }

  void emit() {
    number_curve_contacts(candidates_);
    reduce_to_four(candidates_, Vector3::UnitZ(), std::min(p_.size, curve_.reach()));
    for (const Candidate& c : candidates_) {
      ContactWindows& windows = append(c, call_.pose_a, call_.contacts);
      set_planar_window(p_, c.first_is_b ? c.first_bound : c.second_bound,
                        c.first_is_b ? windows.first : windows.second);
    }
  }

 private:
  // Visits the samples at which f is smaller than at their neighbours; not the ends of open curves, which are no
  // features.
  template <class Value, class Visit>
  void local_minima(const Value& value, const Visit& visit) const {
    const auto& samples = curve_.samples();
    const std::size_t count = samples.size();
    double before = value(samples[count - 1]), here = value(samples[0]);
    for (std::size_t k = 0; k < count; ++k) {
      const double after = value(samples[(k + 1) % count]);
      const bool end = !curve_.closed() && (k == 0 || k + 1 == count);
      if (!end && here < before && here <= after) visit(samples[k]);
      before = here;
      here = after;
    }
  }

  bool in_corner(std::size_t k, const Vector3& out) const {
    return !p_.has_sides() || (p_.along(k).dot(out) <= 1e-9 && p_.along(p_.before(k)).dot(out) >= -1e-9);
  }

  void corner(std::size_t k) {
    const Vector2 centre = p_.corners[k].head<2>();
    if (centre.norm() > curve_.reach() + p_.radius + call_.margin) return;
    // Seen from inside, only the nearest wall counts; from outside, all walls that look at the centre.
    double nearest = std::numeric_limits<double>::infinity();
    bool inside = false;
    for (const auto& sample : curve_.samples()) {
      const double square = (sample.x - centre).squaredNorm();
      if (square < nearest) nearest = square, inside = sample.normal.dot(centre - sample.x) < 0.0;
    }
    const auto distance = [&](const Curve::Sample& sample) { return (sample.x - centre).squaredNorm(); };
    const std::size_t first = candidates_.size();
    local_minima(distance, [&](const Curve::Sample& sample) {
      double u = sample.u;
      if (!closest_curve_point(curve_, centre, u)) return;
      const CurvePoint q = curve_.at(u);
      const Vector2 n = outer_normal(q);
      const double height = n.dot(centre - q.x), gap = height - p_.radius;
      // A centre on the curve to rounding is neither inside nor outside.
      if (!(gap <= call_.margin) || (height < -1e-9 * curve_.reach() && !inside) ||
          (height > 1e-9 * curve_.reach() && inside))
        return;
      if (!in_corner(k, -lifted(n))) return;
      if (inside && candidates_.size() > first) {
        if (candidates_.back().gap >= gap) return;
        candidates_.pop_back();
      }
      Candidate& c = candidates_.emplace_back();
      c.kind = PrimitiveKind::disc_curve;
      c.first_is_b = true;
      c.first = corner_feature(p_, k);
      c.first_id = c.first_bound = corner_id(k);
      c.second = curve_feature(profile_, u);
      c.normal = lifted(n);
      c.place = lifted(q.x);
      c.gap = gap;
    });
  }

  void side(std::size_t k) {
    const Vector2 n = p_.normals[k].head<2>(), along = p_.along(k).head<2>(), start = p_.corners[k].head<2>();
    const double length = p_.length(k);
    local_minima([&](const Curve::Sample& sample) { return n.dot(sample.x); },
                 [&](const Curve::Sample& sample) {
                   double u = sample.u;
                   if (!closest_curve_line(curve_, n, u)) return;
                   const CurvePoint q = curve_.at(u);
                   const double t = along.dot(q.x - start), gap = n.dot(q.x - start);
                   if (outer_normal(q).dot(n) > 0.0 || t < 0.0 || t > length || !(gap <= call_.margin)) return;
                   if (gap < -p_.size) return;  // behind the polygon
                   Candidate& c = candidates_.emplace_back();
                   c.kind = PrimitiveKind::curve_line;
                   c.first = curve_feature(profile_, u);
                   c.second = side_feature(p_, k);
                   c.second_id = c.second_bound = side_id(k);
                   c.normal = p_.normals[k];
                   c.place = lifted(q.x);
                   c.gap = gap;
                 });
  }

  const PairCall& call_;
  std::vector<Candidate>& candidates_;
  const Profile& profile_;
  const Curve& curve_;
  PolygonView& p_;
};

}  // namespace

void profile_polygon(const PairCall& call) {
  const double apart = call.margin + call.a.radius() + call.b.radius();
  if ((call.pose_a.x - call.pose_b.x).squaredNorm() > apart * apart) return;
  ProfilePolygon pair(call);
  pair.find();
  pair.emit();
}

}  // namespace carom::geometry
