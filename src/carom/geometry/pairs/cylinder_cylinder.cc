// Two cylinders, in the frame of the second. The closest features are found by climbing the separation (ascent.h): cap
// and rim, side and side, side and rim, rim and rim. Flat positions have company: cap on cap, side on cap, side along
// side.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "carom/geometry/pairs/ascent.h"
#include "carom/geometry/pairs/cylinder.h"
#include "carom/geometry/pairs/pairs.h"

namespace carom::geometry {

namespace {

constexpr double flat_cosine = 0.966, flat_sine = 0.26, parallel_sine = 0.1;

class CylinderPair {
 public:
  CylinderPair(const PairCall& call, const CylinderView& a, const CylinderView& b)
      : call_(call), scratch_(call.scratch), a_(a), b_(b) {
    size_ = std::min(std::min(a.radius, a.half_length), std::min(b.radius, b.half_length));
    sine_ = a_.axis().cross(b_.axis()).norm();
    scratch_.candidates.clear();
  }

  void find() {
    const Proposal best = ascend(*this, a_.pose.x, call_.margin);
    if (!best.found) return;
    const bool tight =
        std::abs(best.candidate.gap - best.s) < 1e-9 * size_;  // otherwise no features stand for the separation
    Candidate closest = tight ? best.candidate : frozen(direction_of(best.candidate));
    if (closest.gap > call_.margin) return;
    closest.closest = true;
    auto& candidates = scratch_.candidates;
    strays_ = best.stray > 1e-9 * size_ || !tight;
    candidates.push_back(closest);
    flat_contacts(direction_of(closest), closest.gap);
    if (strays_)  // the contact lies beyond its features: the company stands for it
      for (std::size_t k = 1; k < candidates.size(); ++k)
        if (candidates[k].gap <= closest.gap + 1e-10 * size_) {
          candidates.erase(candidates.begin());
          break;
        }
  }

  void emit() {
    auto& candidates = scratch_.candidates;
    if (candidates.empty()) return;
    reduce_to_four(candidates, direction_of(candidates.front()), size_);
    for (const Candidate& c : candidates) {
      ContactWindows& windows = append(c, call_.pose_b, call_.contacts);
      const CylinderView &first = c.first_is_b ? b_ : a_, &second = c.first_is_b ? a_ : b_;
      first.set_window(c.first_bound, first.pose.local_direction(-c.normal), windows.first);
      second.set_window(c.second_bound, second.pose.local_direction(c.normal), windows.second);
    }
  }

  // --- what the ascent asks for

  double size() const { return size_; }
  double separation(const Vector3& n) const { return -a_.support(-n) - b_.support(n); }

  void support(int which, double rounding, const Vector3& d, Vector3& x) const {
    const CylinderView& c = which == 0 ? a_ : b_;
    const Vector3 axis = c.axis();
    const double along = d.dot(axis);
    const Vector3 radial = d - along * axis;
    const double across = radial.norm();
    x = c.pose.x + (along < 0.0 ? -1.0 : 1.0) * (c.half_length - rounding) * axis;
    if (across > 1e-12 * d.norm()) x += (c.radius - rounding) / across * radial;
  }

  template <class Visit>
  void list_directions(const Visit& visit) const {
    for (const double sign : {1.0, -1.0}) {
      visit(sign * b_.axis());
      visit(sign * a_.axis());
      if (sine_ > 1e-6) visit(sign / sine_ * a_.axis().cross(b_.axis()));
    }
    for (const Vector3& axis : {a_.axis(), b_.axis()}) {
      const Vector3 d = a_.pose.x - b_.pose.x, radial = d - axis.dot(d) * axis;
      if (radial.norm() > 1e-9 * size_) visit(radial.normalized());
    }
  }

  void propose(const Vector3& n, Proposal& best) const {
    const auto take = [&](const Candidate& c, double stray) {
      if (c.normal.allFinite() && c.normal.squaredNorm() > 0.5)
        best.offer(c, separation(direction_of(c)), stray, size_);
    };
    const int end_a = n.dot(a_.axis()) > 0.0 ? -1 : 1, end_b = n.dot(b_.axis()) < 0.0 ? -1 : 1;
    for (const int rim : {-1, 1}) {
      rim_on_cap(a_, rim, b_, end_b, false, take);
      rim_on_cap(b_, rim, a_, end_a, true, take);
    }
    if (sine_ > 1e-6)
      side_side(n, take);
    else
      side_beside_side(take);
    for (const int rim : {-1, 1}) {
      side_rim(a_, b_, rim, n, false, take);
      side_rim(b_, a_, rim, n, true, take);
    }
    for (const int rim_a : {end_a, -end_a})
      for (const int rim_b : {end_b, -end_b}) rim_rim(rim_a, rim_b, n, take);
  }

 private:
  // --- proposals. x holds the first feature, y the second.

  template <class Take>
  void rim_on_cap(const CylinderView& x, int rim, const CylinderView& y, int cap, bool x_is_b, const Take& take) const {
    const Vector3 m = y.cap_normal(cap);
    if (m.dot(x.cap_normal(rim)) > 1e-6) return;  // the rim at the far end
    Candidate c;
    c.first_is_b = x_is_b;
    const double angle = x.lowest_angle(rim, m);
    c.place = x.ring(rim).point(angle);
    c.second = y.cap_feature(cap);
    c.second_id = c.second_bound = CylinderView::cap_id(cap);
    c.normal = m;
    c.gap = m.dot(c.place - y.cap_centre(cap));
    if (sine_ > 1e-7) {
      c.kind = PrimitiveKind::rim_plane;
      c.first = x.rim_feature(rim, angle);
      c.first_id = c.first_bound = CylinderView::rim_id(rim);
    } else {
      c.kind = PrimitiveKind::ball_plane;
      c.first.point = x.pose.local(c.place);
      c.first_id = CylinderView::rim_point_id(rim, 0);
    }
    take(c, from_axis(y, c.place) - y.radius);
  }

  template <class Take>
  void side_side(const Vector3& n, const Take& take) const {
    Candidate c;
    c.kind = PrimitiveKind::line_line;
    c.first = a_.side_feature();
    c.second = b_.side_feature();
    c.first_id = c.second_id = c.first_bound = c.second_bound = CylinderView::side_id();
    double s, t;
    closest_of_lines(a_.pose.x, a_.axis(), b_.pose.x, b_.axis(), s, t);
    c.first.parameter = s;
    c.second.parameter = t;
    const Vector3 cross = a_.axis().cross(b_.axis()) / sine_;
    c.side = cross.dot(n) >= 0.0 ? 1.0 : -1.0;
    c.normal = c.side * cross;
    const Vector3 on_b = b_.pose.x + t * b_.axis();
    c.place = on_b + b_.radius * c.normal;
    c.gap = c.normal.dot(a_.pose.x + s * a_.axis() - on_b) - a_.radius - b_.radius;
    take(c, std::max(std::abs(s) - a_.half_length, std::abs(t) - b_.half_length));
  }

  // Parallel: the middle of the common stretch stands for it, as a ball on the axis of a.
  template <class Take>
  void side_beside_side(const Take& take) const {
    const double along = b_.axis().dot(a_.pose.x - b_.pose.x);
    const double lower = std::max(along - a_.half_length, -b_.half_length),
                 upper = std::min(along + a_.half_length, b_.half_length);
    const double t = 0.5 * (lower + upper);
    const double s = (t - along) * (a_.axis().dot(b_.axis()) > 0.0 ? 1.0 : -1.0);
    take(axis_point_side(a_, s, b_, false, feature_id(Element::span, 2)),
         std::max(0.5 * (lower - upper), 2e-9 * size_));  // the ends of the stretch do better
  }

  Candidate axis_point_side(const CylinderView& x, double s, const CylinderView& y, bool x_is_b, FeatureId id) const {
    Candidate c;
    c.kind = PrimitiveKind::ball_line;
    c.first_is_b = x_is_b;
    c.first.point = s * Vector3::UnitZ();
    c.first.radius = x.radius;
    c.first_id = id;
    c.second = y.side_feature();
    c.second_id = c.second_bound = CylinderView::side_id();
    const Vector3 point = x.pose.x + s * x.axis();
    c.second.parameter = y.axis().dot(point - y.pose.x);
    const Vector3 foot = y.pose.x + c.second.parameter * y.axis(), d = point - foot;
    const double distance = d.norm();
    if (!(distance > 1e-9 * size_)) return c;
    c.normal = d / distance;
    c.place = foot + y.radius * c.normal;
    c.gap = distance - x.radius - y.radius;
    return c;
  }

  template <class Take>
  void side_rim(const CylinderView& x, const CylinderView& y, int rim, const Vector3& n, bool x_is_b,
                const Take& take) const {
    const Ring ring = y.ring(rim);
    const Vector3 towards_x = x_is_b ? Vector3(-n) : n;
    double starts[3] = {ring.angle_of(towards_x), 0.0, 0.0};
    const int count = 1 + crossing_angles(ring, x.pose.x, x.axis(), starts + 1);
    for (int k = 0; k < count; ++k) side_rim_from(x, y, rim, ring, towards_x, starts[k], x_is_b, take);
  }

  template <class Take>
  void side_rim_from(const CylinderView& x, const CylinderView& y, int rim, const Ring& ring, const Vector3& towards_x,
                     double start, bool x_is_b, const Take& take) const {
    Candidate c;
    c.kind = PrimitiveKind::line_ring;
    c.first_is_b = x_is_b;
    const double angle = closest_ring_line(ring, x.pose.x, x.axis(), start);
    const Vector3 on_rim = ring.point(angle);
    const double s = x.axis().dot(on_rim - x.pose.x);
    const Vector3 cross = x.axis().cross(ring.tangent(angle));
    if (cross.norm() < 1e-4) {  // along the tangent of the rim: the tangents make no normal, the connection does
      const Vector3 d = x.pose.x + s * x.axis() - on_rim;
      const double distance = d.norm();
      if (!(distance > 1e-9 * size_)) return;
      c.kind = PrimitiveKind::ball_ring;
      c.first.point = s * Vector3::UnitZ();
      c.first.radius = x.radius;
      c.first_id = feature_id(Element::span, 3);
      c.second = y.rim_feature(rim, angle);
      c.second_id = c.second_bound = CylinderView::rim_id(rim);
      c.normal = d / distance;
      c.place = on_rim;
      c.gap = distance - x.radius;
      return take(c, std::abs(s) - x.half_length);
    }
    c.first = x.side_feature();
    c.first.parameter = s;
    c.second = y.rim_feature(rim, angle);
    c.first_id = c.first_bound = CylinderView::side_id();
    c.second_id = c.second_bound = CylinderView::rim_id(rim);
    c.side = cross.dot(towards_x) >= 0.0 ? 1.0 : -1.0;
    c.normal = c.side * cross.normalized();
    c.place = on_rim;
    c.gap = c.normal.dot(x.pose.x + s * x.axis() - on_rim) - x.radius;
    take(c, std::abs(s) - x.half_length);
  }

  template <class Take>
  void rim_rim(int rim_a, int rim_b, const Vector3& n, const Take& take) const {
    const Ring ra = a_.ring(rim_a), rb = b_.ring(rim_b);
    double u = ra.angle_of(-n), w = rb.angle_of(n);
    closest_ring_ring(ra, rb, u, w);
    const Vector3 cross = ra.tangent(u).cross(rb.tangent(w));
    Candidate c;
    if (cross.norm() < 1e-4) {  // parallel tangents: points and normal are frozen
      const Vector3 xa = ra.point(u), xb = rb.point(w), d = xa - xb;
      const double distance = d.norm();
      if (!(distance > 1e-9 * size_)) return;
      c.kind = PrimitiveKind::ball_plane;
      c.first.point = a_.pose.local(xa);
      c.second.point = b_.pose.local(xb);
      c.normal = d / distance;
      c.second.direction = b_.pose.local_direction(c.normal);
      c.first_id = CylinderView::rim_id(rim_a);
      c.second_id = CylinderView::rim_id(rim_b);
      c.place = xb;
      c.gap = distance;
      return take(c, 0.0);
    }
    c.kind = PrimitiveKind::ring_ring;
    c.first = a_.rim_feature(rim_a, u);
    c.second = b_.rim_feature(rim_b, w);
    c.first_id = c.first_bound = CylinderView::rim_id(rim_a);
    c.second_id = c.second_bound = CylinderView::rim_id(rim_b);
    c.side = cross.dot(n) >= 0.0 ? 1.0 : -1.0;
    c.normal = c.side * cross.normalized();
    c.place = rb.point(w);
    c.gap = c.normal.dot(ra.point(u) - c.place);
    take(c, 0.0);
  }

  Candidate frozen(const Vector3& n) const {
    Candidate c;
    Vector3 xa, xb;
    support(0, 0.0, -n, xa);
    support(1, 0.0, n, xb);
    c.kind = PrimitiveKind::ball_plane;
    c.first.point = a_.pose.local(xa);
    c.first_id = c.second_id = feature_id(Element::body);
    c.second.point = b_.pose.local(xb);
    c.second.direction = b_.pose.local_direction(n);
    c.normal = n;
    c.place = xb;
    c.gap = n.dot(xa - xb);
    return c;
  }

  // --- company in flat positions

  static double from_axis(const CylinderView& y, const Vector3& x) {
    const Vector3 d = x - y.pose.x;
    return (d - y.axis().dot(d) * y.axis()).norm();
  }

  void add(const Candidate& c, double closest) {
    if (!(c.gap <= call_.margin) || c.gap < closest - 1e-11 * size_ || c.normal.squaredNorm() < 0.5) return;
    for (std::size_t k = strays_ ? 1 : 0; k < scratch_.candidates.size(); ++k) {
      const Candidate& other = scratch_.candidates[k];
      if ((other.place - c.place).norm() < 0.02 * size_) return;
      if (other.first_is_b == c.first_is_b && other.first_id == c.first_id && other.second_id == c.second_id) return;
    }
    scratch_.candidates.push_back(c);
  }

  Candidate point_on_cap(const CylinderView& x, const Vector3& point, FeatureId id, const CylinderView& y, int cap,
                         bool x_is_b) const {
    Candidate c;
    c.kind = PrimitiveKind::ball_plane;
    c.first_is_b = x_is_b;
    c.first.point = x.pose.local(point);
    c.first_id = id;
    c.second = y.cap_feature(cap);
    c.second_id = CylinderView::cap_id(cap);
    c.normal = y.cap_normal(cap);
    c.place = point;
    c.gap = c.normal.dot(point - y.cap_centre(cap));
    return c;
  }

  void flat_contacts(const Vector3& n, double closest) {
    const double on_a = std::abs(n.dot(a_.axis())), on_b = std::abs(n.dot(b_.axis()));
    const int end_a = n.dot(a_.axis()) > 0.0 ? -1 : 1, end_b = n.dot(b_.axis()) < 0.0 ? -1 : 1;
    if (on_a > flat_cosine && on_b > flat_cosine) {
      cap_on_cap(a_, end_a, b_, end_b, false, closest);
      cap_on_cap(b_, end_b, a_, end_a, true, closest);
    } else if (on_a < flat_sine && on_b > flat_cosine) {
      side_on_cap(a_, b_, end_b, false, closest);
    } else if (on_b < flat_sine && on_a > flat_cosine) {
      side_on_cap(b_, a_, end_a, true, closest);
    } else if (on_a < flat_sine && on_b < flat_sine && sine_ < parallel_sine) {
      side_along_side(a_, b_, false, closest);
      side_along_side(b_, a_, true, closest);
    }
  }

  // Quarters of one rim over the other cap, and where the circles cross (once, from the side of a).
  void cap_on_cap(const CylinderView& x, int rim, const CylinderView& y, int cap, bool x_is_b, double closest) {
    const Ring ring = x.ring(rim);
    const double start = x.lowest_angle(rim, y.cap_normal(cap));
    for (int quarter = 0; quarter < 4; ++quarter) {
      const Vector3 point = ring.point(start + quarter * 0.5 * M_PI);
      if (from_axis(y, point) <= y.radius)
        add(point_on_cap(x, point, CylinderView::rim_point_id(rim, quarter), y, cap, x_is_b), closest);
    }
    if (x_is_b) return;
    const Vector3 d = y.cap_centre(cap) - ring.centre;
    const double dx = ring.e1.dot(d), dy = ring.e2.dot(d), distance = std::hypot(dx, dy);
    const double cosine =
        (distance * distance + x.radius * x.radius - y.radius * y.radius) / (2.0 * distance * x.radius);
    if (!(std::abs(cosine) < 1.0)) return;
    for (const int sign : {-1, 1}) {
      const Vector3 point = ring.point(std::atan2(dy, dx) + sign * std::acos(cosine));
      add(point_on_cap(x, point, feature_id(Element::rim_point, sign > 0 ? 9 : 8), y, cap, x_is_b), closest);
    }
  }

  // The line of the side nearest to the cap: the rims at its ends where they lie over the cap, balls on the axis where
  // it leaves it.
  void side_on_cap(const CylinderView& x, const CylinderView& y, int cap, bool x_is_b, double closest) {
    const Vector3 m = y.cap_normal(cap), axis = x.axis();
    const Vector3 radial = m - axis.dot(m) * axis;
    const double across = radial.norm();
    const Vector3 low = x.pose.x - x.radius / across * radial;  // middle of the lowest line
    const auto height = [&](const Vector3& point) { return m.dot(point - y.cap_centre(cap)); };
    for (const int end : {-1, 1}) {
      const Vector3 point = low + end * x.half_length * axis;
      if (from_axis(y, point) > y.radius) continue;
      Candidate c = point_on_cap(x, point, CylinderView::rim_id(end), y, cap, x_is_b);
      c.kind = PrimitiveKind::rim_plane;
      c.first = x.rim_feature(end, x.lowest_angle(end, m));
      c.second_bound = c.second_id;
      add(c, closest);
    }
    const Vector3 along = axis - axis.dot(m) * m, from = low - y.pose.x - m.dot(low - y.pose.x) * m;
    const double aa = along.squaredNorm(), ab = along.dot(from),
                 root = ab * ab - aa * (from.squaredNorm() - y.radius * y.radius);
    if (!(root > 0.0)) return;
    for (const int sign : {-1, 1}) {
      const double s = (-ab + sign * std::sqrt(root)) / aa;
      if (std::abs(s) >= x.half_length) continue;
      const Vector3 point = low + s * axis;
      const double r = x.radius * across;
      Candidate c = point_on_cap(x, point + r * m, feature_id(Element::span, sign > 0), y, cap, x_is_b);
      c.first.radius = r;
      c.place = point;
      c.gap = height(point);
      add(c, closest);
    }
  }

  void side_along_side(const CylinderView& x, const CylinderView& y, bool x_is_b, double closest) {
    for (const int end : {-1, 1}) {
      const Candidate c = axis_point_side(x, end * x.half_length, y, x_is_b, feature_id(Element::span, end > 0));
      if (std::abs(c.second.parameter) <= y.half_length * (1.0 + 1e-9)) add(c, closest);
    }
  }

  const PairCall& call_;
  PairScratch& scratch_;
  const CylinderView &a_, &b_;
  double size_, sine_;
  bool strays_ = false;  // the first candidate lies beyond its features
};

}  // namespace

void cylinder_cylinder(const PairCall& call) {
  const Cylinder &a = call.a.as<Cylinder>(), &b = call.b.as<Cylinder>();
  const double apart = call.margin + a.reach() + b.reach();
  if ((call.pose_a.x - call.pose_b.x).squaredNorm() > apart * apart) return;
  const CylinderView view_a{
      a.radius, a.half_length, {call.pose_b.local(call.pose_a.x), call.pose_b.R.transpose() * call.pose_a.R}};
  const CylinderView view_b{b.radius, b.half_length, {}};
  CylinderPair pair(call, view_a, view_b);
  pair.find();
  pair.emit();
}

}  // namespace carom::geometry
