// Discs and polygons with each other: the plane's version of polytope_polytope. Separation over the normals of sides;
// the incident side is clipped to the reference side; what no side separates is closest at two corners.
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/geometry/closest.h"
#include "carom/geometry/pairs/pairs.h"
#include "carom/geometry/pairs/planar.h"

namespace carom::geometry {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double flat_cosine = 0.966, certain = 1e-11, preference = 1e-10;  // as for polytopes

struct SideAxis {
  std::size_t side = 0;
  double s = -infinity;
};

class PolygonPair {
 public:
  PolygonPair(const PairCall& call, PolygonView& a, PolygonView& b)
      : call_(call),
        candidates_(call.scratch.candidates),
        a_(a),
        b_(b),
        radii_(a.radius + b.radius),
        size_(std::min(a.size, b.size)) {
    candidates_.clear();
  }

  void find() {
    if (!a_.has_sides())
      disc(a_, b_, false);
    else if (!b_.has_sides())
      disc(b_, a_, true);
    else
      polygons();
  }

  void emit() {
    std::erase_if(candidates_, [&](const Candidate& c) { return !(c.gap <= call_.margin); });
    reduce_to_four(candidates_, Vector3::UnitZ(), size_);
    for (const Candidate& c : candidates_) {
      ContactWindows& windows = append(c, call_.pose_b, call_.contacts);
      set_planar_window(c.first_is_b ? b_ : a_, c.first_bound, windows.first);
      set_planar_window(c.first_is_b ? a_ : b_, c.second_bound, windows.second);
    }
  }

 private:
  Candidate& add(PrimitiveKind kind, bool first_is_b) {
    Candidate& c = candidates_.emplace_back();
    c.kind = kind;
    c.first_is_b = first_is_b;
    return c;
  }

  void corner_side(const PolygonView& x, std::size_t corner, const PolygonView& y, std::size_t side, bool x_is_b) {
    Candidate& c = add(PrimitiveKind::disc_line, x_is_b);
    c.first = corner_feature(x, corner);
    c.second = side_feature(y, side);
    c.first_id = c.first_bound = corner_id(corner);
    c.second_id = c.second_bound = side_id(side);
    c.normal = y.normals[side];
    c.place = x.corners[corner];
    c.gap = y.height(side, c.place) - radii_;
  }

  // Two corners: discs keep their distance, sharp corners a frozen normal.
  void corner_corner(const PolygonView& x, std::size_t i, const PolygonView& y, std::size_t j, bool x_is_b) {
    const Vector3 d = x.corners[i] - y.corners[j];
    const double distance = d.norm();
    Candidate& c = add(radii_ > 0.0 ? PrimitiveKind::disc_disc : PrimitiveKind::disc_line, x_is_b);
    c.first = corner_feature(x, i);
    c.second = corner_feature(y, j);
    c.first_id = c.first_bound = corner_id(i);
    c.second_id = c.second_bound = corner_id(j);
    c.normal = distance > 0.0 ? Vector3(d / distance) : Vector3(Vector3::UnitX());
    if (!(radii_ > 0.0)) c.second.direction = y.pose.local_direction(c.normal);
    c.place = y.corners[j];
    c.gap = distance - radii_;
  }

  void disc(const PolygonView& x, const PolygonView& y, bool x_is_b) {
    if (!y.has_sides()) return corner_corner(x, 0, y, 0, x_is_b);
    const Vector3& centre = x.corners[0];
    SideAxis best;
    for (std::size_t k = 0; k < y.count(); ++k)
      if (y.height(k, centre) > best.s) best = {k, y.height(k, centre)};
    const double t = y.along(best.side).dot(centre - y.corners[best.side]);
    if (best.s <= 0.0 || (t >= 0.0 && t <= y.length(best.side))) return corner_side(x, 0, y, best.side, x_is_b);
    // Outside the strip over that side the nearest point is a corner, or lies on the neighbouring side.
    std::size_t nearest = 0;
    for (std::size_t k = 0; k < y.count(); ++k) {
      const double along = y.along(k).dot(centre - y.corners[k]);
      if (y.height(k, centre) > 0.0 && along >= 0.0 && along <= y.length(k)) return corner_side(x, 0, y, k, x_is_b);
      if ((y.corners[k] - centre).squaredNorm() < (y.corners[nearest] - centre).squaredNorm()) nearest = k;
    }
    corner_corner(x, 0, y, nearest, x_is_b);
  }

  SideAxis best_side(const PolygonView& x, const PolygonView& y) const {
    SideAxis best;
    for (std::size_t k = 0; k < x.count(); ++k) {
      double least = infinity;
      for (const Vector3& corner : y.corners) least = std::min(least, x.height(k, corner));
      if (least > best.s + 1e-12 * size_) best = {k, least};
    }
    return best;
  }

  // What lies of y over the side of x: corners of y, and corners of x under the incident side.
  void side_contacts(const PolygonView& x, std::size_t side, const PolygonView& y, bool x_is_b, double proved) {
    const Vector3 &n = x.normals[side], along = x.along(side);
    std::size_t incident = 0;
    for (std::size_t k = 1; k < y.count(); ++k)
      if (n.dot(y.normals[k]) < n.dot(y.normals[incident]) - 1e-9) incident = k;
    const double length = x.length(side), slop = 1e-12 * size_;
    const auto position = [&](const Vector3& p) { return along.dot(p - x.corners[side]); };
    for (const std::size_t corner : {incident, y.next(incident)}) {
      const double t = position(y.corners[corner]);
      if (t >= -slop && t <= length + slop) corner_side(y, corner, x, side, !x_is_b);
    }
    const double t0 = position(y.corners[incident]), t1 = position(y.corners[y.next(incident)]);
    for (const std::size_t corner : {side, x.next(side)}) {
      const double t = position(x.corners[corner]);
      if (!(t > std::min(t0, t1) + slop && t < std::max(t0, t1) - slop)) continue;
      if (n.dot(y.normals[incident]) < -flat_cosine &&
          y.height(incident, x.corners[corner]) >= proved - certain * size_) {
        corner_side(x, corner, y, incident, x_is_b);
      } else {  // the point of y over the corner, frozen
        const Vector3 point =
            y.corners[incident] + (t - t0) / (t1 - t0) * (y.corners[y.next(incident)] - y.corners[incident]);
        Candidate& c = add(PrimitiveKind::disc_line, !x_is_b);
        c.first.point = y.pose.local(point);
        c.second = side_feature(x, side);
        c.first_id = side_id(incident);
        c.second_id = corner_id(corner);
        c.normal = n;
        c.place = point;
        c.gap = x.height(side, point);
      }
    }
  }

  void polygons() {
    const SideAxis on_a = best_side(a_, b_), on_b = best_side(b_, a_);
    if (std::max(on_a.s, on_b.s) > call_.margin) return;
    const bool b_refers = on_b.s >= on_a.s - preference * size_;
    const SideAxis best = b_refers ? on_b : on_a;
    const PolygonView &x = b_refers ? b_ : a_, &y = b_refers ? a_ : b_;
    side_contacts(x, best.side, y, b_refers, best.s);
    double least = infinity;
    for (const Candidate& c : candidates_) least = std::min(least, c.gap);
    if (least <= best.s + certain * size_) return;
    if (best.s <= 0.0) {  // solids inside each other
      if (least <= best.s + 10.0 * preference * size_) return;
      std::size_t lowest = 0;
      for (std::size_t k = 1; k < y.count(); ++k)
        if (x.height(best.side, y.corners[k]) < x.height(best.side, y.corners[lowest])) lowest = k;
      return corner_side(y, lowest, x, best.side, !b_refers);
    }
    // Two corners.
    std::size_t i = 0, j = 0;
    double nearest = infinity;
    for (std::size_t k = 0; k < a_.count(); ++k)
      for (std::size_t l = 0; l < b_.count(); ++l) {
        const double square = (a_.corners[k] - b_.corners[l]).squaredNorm();
        if (square < nearest) nearest = square, i = k, j = l;
      }
    std::erase_if(candidates_, [&](const Candidate& c) { return c.gap < std::sqrt(nearest) - certain * size_; });
    corner_corner(a_, i, b_, j, false);
    candidates_.back().closest = true;
  }

  const PairCall& call_;
  std::vector<Candidate>& candidates_;
  PolygonView &a_, &b_;
  double radii_, size_;
};

}  // namespace

void polygon_polygon(const PairCall& call) {
  const double apart = call.margin + call.a.radius() + call.b.radius();
  if ((call.pose_a.x - call.pose_b.x).squaredNorm() > apart * apart) return;
  call.scratch.polygon_a.place(call.a, {call.pose_b.local(call.pose_a.x), call.pose_b.R.transpose() * call.pose_a.R});
  call.scratch.polygon_b.place(call.b, {});
  PolygonPair pair(call, call.scratch.polygon_a, call.scratch.polygon_b);
  pair.find();
  pair.emit();
}

}  // namespace carom::geometry
