#include "carom/geometry/closest.h"

#include <numbers>

// All searches minimise half the squared distance f by Newton's method. Where the second derivative has the wrong sign
// it is replaced by its part that has not, and steps are cut, so that a start on the right side of a hill ends in the
// nearest valley.

namespace carom::geometry {

namespace {

constexpr int most_steps = 60;
constexpr double longest_turn = 0.5;  // of an angle in one step

// Steps are taken until they no longer change the parameter, which then is exact to rounding.
bool settled(double step, double scale) { return std::abs(step) <= 4e-16 * scale; }

}  // namespace

double closest_ring_line(const Ring& ring, const Vector3& p, const Vector3& d, double angle, double sign) {
  for (int k = 0; k < most_steps; ++k) {
    const Vector3 radial = std::cos(angle) * ring.e1 + std::sin(angle) * ring.e2, along = ring.tangent(angle);
    Vector3 away = ring.centre + ring.radius * radial - p;
    away -= d.dot(away) * d;
    const double slope = ring.radius * away.dot(along);
    const Vector3 across = along - d.dot(along) * d;
    const double steady = ring.radius * ring.radius * across.squaredNorm();
    double bend = steady - ring.radius * away.dot(radial);
    if (sign > 0.0 ? bend < 0.1 * steady : bend > -0.1 * steady)
      bend = sign * std::max(steady, 1e-3 * ring.radius * ring.radius);
    const double step = std::clamp(-slope / bend, -longest_turn, longest_turn);
    angle += step;
    if (settled(step, std::numbers::pi)) break;
  }
  return angle;
}

void closest_ring_ring(const Ring& a, const Ring& b, double& angle_a, double& angle_b) {
  for (int k = 0; k < most_steps; ++k) {
    const Vector3 ra = std::cos(angle_a) * a.e1 + std::sin(angle_a) * a.e2, ta = a.tangent(angle_a);
    const Vector3 rb = std::cos(angle_b) * b.e1 + std::sin(angle_b) * b.e2, tb = b.tangent(angle_b);
    const Vector3 away = a.centre + a.radius * ra - b.centre - b.radius * rb;
    const double ga = a.radius * away.dot(ta), gb = -b.radius * away.dot(tb);
    const double off = -a.radius * b.radius * ta.dot(tb);
    double haa = a.radius * a.radius - a.radius * away.dot(ra), hbb = b.radius * b.radius + b.radius * away.dot(rb);
    double det = haa * hbb - off * off;
    if (!(haa > 0.0 && det > 1e-3 * haa * hbb)) {  // the part that is never indefinite, and a little more than it
      haa = 1.1 * a.radius * a.radius, hbb = 1.1 * b.radius * b.radius;
      det = haa * hbb - off * off;
    }
    double da = -(hbb * ga - off * gb) / det, db = -(haa * gb - off * ga) / det;
    const double cut = std::min(1.0, longest_turn / std::max({std::abs(da), std::abs(db), 1e-300}));
    angle_a += cut * da;
    angle_b += cut * db;
    if (settled(da, std::numbers::pi) && settled(db, std::numbers::pi)) break;
  }
}

namespace {

double span(const Curve& curve) { return curve.upper() - curve.lower(); }

// Keeps an open curve's parameter inside; tells when a search wants to leave for good.
bool leave(const Curve& curve, double& u, double step) {
  if (curve.closed()) return false;
  const bool out = (u >= curve.upper() && step > 0.0) || (u <= curve.lower() && step < 0.0);
  u = std::clamp(u + step, curve.lower(), curve.upper());
  return out;
}

bool advance(const Curve& curve, double& u, double step) {
  if (curve.closed()) {
    u += step;
    return true;
  }
  return !leave(curve, u, step);
}

}  // namespace

bool closest_curve_point(const Curve& curve, const Vector2& x, double& u) {
  const double longest = 0.05 * span(curve);
  for (int k = 0; k < most_steps; ++k) {
    const CurvePoint p = curve.at(u);
    const double steady = p.d1.squaredNorm(), slope = (p.x - x).dot(p.d1);
    double bend = steady + (p.x - x).dot(p.d2);
    if (bend < 0.1 * steady) bend = steady;
    const double step = std::clamp(-slope / bend, -longest, longest);
    if (!advance(curve, u, step)) return false;
    if (settled(step, span(curve))) break;
  }
  return true;
}

bool closest_curve_line(const Curve& curve, const Vector2& n, double& u) {
  const double longest = 0.05 * span(curve);
  for (int k = 0; k < most_steps; ++k) {
    const CurvePoint p = curve.at(u);
    const double slope = n.dot(p.d1), bend = n.dot(p.d2);
    const double newton = bend > 0.0 ? -slope / bend : (slope > 0.0 ? -longest : longest);
    const double step = std::clamp(newton, -longest, longest);
    if (!advance(curve, u, step)) return false;
    if (settled(step, span(curve))) break;
  }
  return true;
}

bool closest_curve_curve(const Curve& a, const Curve& b, const PlaneFrame& b_in_a, double& u, double& w) {
  const double longest_u = 0.05 * span(a), longest_w = 0.05 * span(b);
  for (int k = 0; k < most_steps; ++k) {
    const CurvePoint p = a.at(u), q = b.at(w);
    const Vector2 away = p.x - b_in_a.point(q.x), q1 = b_in_a.turn(q.d1), q2 = b_in_a.turn(q.d2);
    const double gu = away.dot(p.d1), gw = -away.dot(q1), off = -p.d1.dot(q1);
    double huu = p.d1.squaredNorm() + away.dot(p.d2), hww = q1.squaredNorm() - away.dot(q2);
    double det = huu * hww - off * off;
    // For curves that touch, the squared distance is nearly flat along the common tangent. The conditions themselves
    // stay regular: the angle delta by which the tangent of b is ahead of minus that of a vanishes, and so does the
    // part of the connection along the tangent.
    const double speed = p.d1.norm();
    const Vector2 tp = p.d1 / speed, tq = q1.normalized(), left(-tp.y(), tp.x());
    const double delta = std::atan2(tp.y() * tq.x() - tp.x() * tq.y(), -tp.dot(tq)), along = away.dot(tp);
    const double turn_p = curvature(p) * speed, turn_q = curvature(q) * q1.norm();
    const double along_u = speed + turn_p * away.dot(left), along_w = -q1.dot(tp);
    // -turn_p du + turn_q dw = -delta,  along_u du + along_w dw = -along
    const double determinant = -turn_p * along_w - turn_q * along_u;
    double du, dw;
    if (std::abs(determinant) > 1e-10 * (std::abs(turn_p * along_w) + std::abs(turn_q * along_u)) &&
        std::abs(delta) < 0.7) {
      du = (turn_q * along - along_w * delta) / determinant;
      dw = (turn_p * along + along_u * delta) / determinant;
    } else {  // far away: down the slope of the squared distance
      if (!(huu > 0.0 && det > 1e-3 * huu * hww)) {
        huu = 1.1 * p.d1.squaredNorm(), hww = 1.1 * q1.squaredNorm();
        det = huu * hww - off * off;
      }
      du = -(hww * gu - off * gw) / det;
      dw = -(huu * gw - off * gu) / det;
    }
    const double cut =
        std::min({1.0, longest_u / std::max(std::abs(du), 1e-300), longest_w / std::max(std::abs(dw), 1e-300)});
    const bool inside_a = advance(a, u, cut * du), inside_b = advance(b, w, cut * dw);
    if (!inside_a || !inside_b) return false;
    if (settled(du, span(a)) && settled(dw, span(b))) break;
  }
  return true;
}

}  // namespace carom::geometry
