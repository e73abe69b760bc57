// The rim of a cylinder: against a plane, in a bore, against a line or another rim.
//
//   rim_plane        the lowest point of the rim: g = n.(c - p) - r sqrt(1 - (n.a)^2)
//   rim_line_inner   the point of the rim farthest from the bore's axis
//   line_ring, ring_ring   the closest points, then two tangents that cross (lines.h)
//
// Points that have no formula are found by Newton in plain numbers, from the angle frozen at detection; one more Newton
// step in the scalar S carries the derivatives (the implicit function theorem).
#pragma once

#include "carom/model/contacts/primitives/lines.h"

namespace carom::model {

// A ring in the world: x(u) = c + r (cos u e1 + sin u e2).
template <class S>
struct Ring {
  Vector3Of<S> c, e1, e2;
  double r;

  Ring(const geometry::Feature& ring, const PoseOf<S>& pose) : c(pose.point(ring.point)), r(ring.radius) {
    Vector3 local_1, local_2;
    geometry::ring_frame(ring.direction, local_1, local_2);
    e1 = pose.direction(local_1);
    e2 = pose.direction(local_2);
  }
  Vector3Of<S> out(const S& u) const {
    using std::cos;
    using std::sin;
    return cos(u) * e1 + sin(u) * e2;
  }
  Vector3Of<S> tangent(const S& u) const {
    using std::cos;
    using std::sin;
    return -sin(u) * e1 + cos(u) * e2;
  }
  Vector3Of<S> point(const S& u) const { return c + S(r) * out(u); }
};

template <class S>
PoseOf<double> values(const PoseOf<S>& pose) {
  Pose result;
  for (int i = 0; i < 3; ++i) {
    result.x[i] = value_of(pose.x[i]);
    for (int k = 0; k < 3; ++k) result.R(i, k) = value_of(pose.R(i, k));
  }
  return result;
}

template <class S>
Touch<S> rim_plane(const geometry::ContactPrimitive& p, const PoseOf<S>& A, const PoseOf<S>& B) {
  const Vector3Of<S> c = A.point(p.first.point), a = A.direction(p.first.direction),
                     n = B.direction(p.second.direction);
  S sine;
  const Vector3Of<S> down = unit_or(Vector3Of<S>(n.dot(a) * a - n), Vector3(-p.normal), sine);
  const Vector3Of<S> x = c + S(p.first.radius) * down;
  const S gap = n.dot(Vector3Of<S>(x - B.point(p.second.point)));
  return {gap, n, x, x - gap * n};
}

inline constexpr int most_newton_steps = 30;

// The angle at which the squared distance of the ring from an axis (o, t) is stationary, from u on: F(u) = y.y' = 0
// with y the part of x(u) - o across the axis.
template <class S>
S stationary_from_axis(const Ring<S>& ring, const Vector3Of<S>& o, const Vector3Of<S>& t, double start) {
  const auto across = [&](const Vector3Of<S>& d) { return Vector3Of<S>(d - t.dot(d) * t); };
  S u = S(start);
  for (int k = 0; k <= most_newton_steps; ++k) {
    const Vector3Of<S> y = across(Vector3Of<S>(ring.point(u) - o));
    const Vector3Of<S> first = S(ring.r) * across(ring.tangent(u)), second = S(-ring.r) * across(ring.out(u));
    const S F = y.dot(first), slope = first.dot(first) + y.dot(second);
    if (value_of(slope) == 0.0) break;
    const S step = F / slope;
    u = u - step;
    if (std::abs(value_of(step)) < 1e-15) break;
  }
  return u;
}

template <class S>
Touch<S> rim_line_inner(const geometry::ContactPrimitive& p, const PoseOf<S>& A, const PoseOf<S>& B) {
  const Pose a = values(A), b = values(B);
  const double start = stationary_from_axis<double>(Ring<double>(p.first, a), b.point(p.second.point),
                                                    b.direction(p.second.direction), p.first.parameter);
  const Ring<S> ring(p.first, A);
  const Vector3Of<S> o = B.point(p.second.point), t = B.direction(p.second.direction);
  const Vector3Of<S> x = ring.point(stationary_from_axis<S>(ring, o, t, start));
  const S along = t.dot(Vector3Of<S>(x - o));
  const Vector3Of<S> centre = o + along * t;
  S distance;
  const Vector3Of<S> out = unit_or(Vector3Of<S>(x - centre), Vector3(-p.normal), distance);
  return {S(p.second.radius) - distance, -out, x, centre + S(p.second.radius) * out};
}

// Closest to a line: the squared distance across it is stationary.
template <class S>
Touch<S> line_ring(const geometry::ContactPrimitive& p, const PoseOf<S>& A, const PoseOf<S>& B) {
  const Pose a = values(A), b = values(B);
  const double start = stationary_from_axis<double>(Ring<double>(p.second, b), a.point(p.first.point),
                                                    a.direction(p.first.direction), p.second.parameter);
  const Ring<S> ring(p.second, B);
  const Vector3Of<S> o = A.point(p.first.point), t = A.direction(p.first.direction);
  const S u = stationary_from_axis<S>(ring, o, t, start);
  const Vector3Of<S> x = ring.point(u);
  const S along = t.dot(Vector3Of<S>(x - o));
  return crossing(p, Vector3Of<S>(o + along * t), t, x, ring.tangent(u), p.first.radius, 0.0);
}

// Both angles by Newton on the gradient of the squared distance.
template <class S>
void closest_angles(const Ring<S>& one, const Ring<S>& two, double start_1, double start_2, S& u1, S& u2) {
  u1 = S(start_1);
  u2 = S(start_2);
  for (int k = 0; k <= most_newton_steps; ++k) {
    const Vector3Of<S> w = one.point(u1) - two.point(u2), t1 = S(one.r) * one.tangent(u1),
                       t2 = S(two.r) * two.tangent(u2);
    const S F1 = w.dot(t1), F2 = -w.dot(t2);
    const S a11 = t1.dot(t1) - S(one.r) * w.dot(one.out(u1)), a22 = t2.dot(t2) + S(two.r) * w.dot(two.out(u2)),
            a12 = -t1.dot(t2);
    const S determinant = a11 * a22 - a12 * a12;
    if (value_of(determinant) == 0.0) break;
    const S d1 = (F1 * a22 - F2 * a12) / determinant, d2 = (F2 * a11 - F1 * a12) / determinant;
    u1 = u1 - d1;
    u2 = u2 - d2;
    if (std::abs(value_of(d1)) + std::abs(value_of(d2)) < 1e-15) break;
  }
}

template <class S>
Touch<S> ring_ring(const geometry::ContactPrimitive& p, const PoseOf<S>& A, const PoseOf<S>& B) {
  double start_1, start_2;
  closest_angles<double>(Ring<double>(p.first, values(A)), Ring<double>(p.second, values(B)), p.first.parameter,
                         p.second.parameter, start_1, start_2);
  const Ring<S> one(p.first, A), two(p.second, B);
  S u1, u2;
  closest_angles<S>(one, two, start_1, start_2, u1, u2);
  return crossing(p, one.point(u1), one.tangent(u1), two.point(u2), two.tangent(u2), 0.0, 0.0);
}

}  // namespace carom::model
