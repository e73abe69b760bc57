// Closest points of the simple features, in one frame. Those of rings and curves are found by Newton's method from a
// given parameter.
#pragma once

#include <algorithm>
#include <cmath>

#include "carom/geometry/curve.h"
#include "carom/geometry/pose.h"

namespace carom::geometry {

// Parameters of the closest points p + s d and q + t e of two lines (d, e unit). False if they are parallel to
// rounding; then s belongs to t = 0.
inline bool closest_of_lines(const Vector3& p, const Vector3& d, const Vector3& q, const Vector3& e, double& s,
                             double& t) {
  const Vector3 r = p - q;
  const double b = d.dot(e), c = d.dot(r), f = e.dot(r);
  const Vector3 cross = d.cross(e);
  const double square = cross.squaredNorm();  // 1 - b^2 without cancellation
  if (square < 1e-28) {
    s = -c;
    t = 0.0;
    return false;
  }
  s = (b * f - c) / square;
  t = (f - b * c) / square;
  return true;
}

// The parameter in [0, length] of the point of a segment closest to x.
inline double closest_on_segment(const Vector3& start, const Vector3& direction, double length, const Vector3& x) {
  return std::clamp(direction.dot(x - start), 0.0, length);
}

// A ring with its frame: x(angle) = centre + radius (cos e1 + sin e2).
struct Ring {
  Vector3 centre, e1, e2;
  double radius;
  Vector3 point(double angle) const { return centre + radius * (std::cos(angle) * e1 + std::sin(angle) * e2); }
  Vector3 tangent(double angle) const { return -std::sin(angle) * e1 + std::cos(angle) * e2; }  // unit
  double angle_of(const Vector3& d) const { return std::atan2(e2.dot(d), e1.dot(d)); }  // of the part of d in its plane
};

// The angle near `angle` where the distance of the ring from a line (d unit) is stationary: a minimum for sign = 1, a
// maximum for -1.
double closest_ring_line(const Ring& ring, const Vector3& p, const Vector3& d, double angle, double sign = 1.0);
// The same for two rings; both angles are improved.
void closest_ring_ring(const Ring& a, const Ring& b, double& angle_a, double& angle_b);

// The parameter near u where the curve is closest to x, or furthest along -n, or the pair nearest to u and w where two
// curves are closest (b is moved by offset and turned by c, s into the frame of a). False if there is no such point
// inside the ends of an open curve.
bool closest_curve_point(const Curve& curve, const Vector2& x, double& u);
bool closest_curve_line(const Curve& curve, const Vector2& n, double& u);
struct PlaneFrame {
  Vector2 x = Vector2::Zero();
  double c = 1.0, s = 0.0;
  Vector2 turn(const Vector2& v) const { return {c * v.x() - s * v.y(), s * v.x() + c * v.y()}; }
  Vector2 back(const Vector2& v) const { return {c * v.x() + s * v.y(), c * v.y() - s * v.x()}; }
  Vector2 point(const Vector2& v) const { return x + turn(v); }
  Vector2 local(const Vector2& v) const { return back(v - x); }
};
bool closest_curve_curve(const Curve& a, const Curve& b, const PlaneFrame& b_in_a, double& u, double& w);

}  // namespace carom::geometry
