// Balls against planes, balls and lines; a corner is a ball of radius zero, a disc in the plane a ball with z = 0.
//
//   ball_plane   g = n.(x - p) - r                                  n fixed in the second body
//   ball_ball    g = |d| - r_1 - r_2,   d = x_1 - x_2, n = d/|d|     inner: g = r_2 - r_1 - |d|, n = -d/|d|
//   ball_line    the same with d the part of x_1 - p across the line
//   ball_ring    the same with d from the nearest point of the ring
//
// Concentric: the normal of detection, and the clearance as gap.
#pragma once

#include "carom/model/contacts/primitives/touch.h"

namespace carom::model {

template <class S>
Touch<S> ball_plane(const geometry::ContactPrimitive& p, const PoseOf<S>& A, const PoseOf<S>& B) {
  const Vector3Of<S> x = A.point(p.first.point), n = B.direction(p.second.direction);
  const S r = S(p.first.radius), height = n.dot(Vector3Of<S>(x - B.point(p.second.point)));
  return {height - r, n, x - r * n, x - height * n};
}

// A ball around x of radius r_1 against one around `centre` of radius r_2, outside or inside it.
template <class S>
Touch<S> ball_at(const geometry::ContactPrimitive& p, const Vector3Of<S>& x, const Vector3Of<S>& centre, double r_2,
                 bool inner) {
  const S r1 = S(p.first.radius), r2 = S(r_2);
  const double sign = inner ? -1.0 : 1.0;
  S distance;
  const Vector3Of<S> out = unit_or(Vector3Of<S>(x - centre), Vector3(sign * p.normal), distance);
  const Vector3Of<S> n = S(sign) * out;
  return {inner ? r2 - r1 - distance : distance - r1 - r2, n, x - r1 * n, centre + r2 * out};
}

template <class S>
Touch<S> ball_ball(const geometry::ContactPrimitive& p, const PoseOf<S>& A, const PoseOf<S>& B, bool inner) {
  return ball_at(p, A.point(p.first.point), B.point(p.second.point), p.second.radius, inner);
}

template <class S>
Touch<S> ball_line(const geometry::ContactPrimitive& p, const PoseOf<S>& A, const PoseOf<S>& B, bool inner) {
  const Vector3Of<S> x = A.point(p.first.point), o = B.point(p.second.point), t = B.direction(p.second.direction);
  const S along = t.dot(Vector3Of<S>(x - o));
  return ball_at(p, x, Vector3Of<S>(o + along * t), p.second.radius, inner);
}

template <class S>
Touch<S> ball_ring(const geometry::ContactPrimitive& p, const PoseOf<S>& A, const PoseOf<S>& B) {
  const Vector3Of<S> x = A.point(p.first.point), c = B.point(p.second.point), a = B.direction(p.second.direction);
  const Vector3Of<S> w = x - c;
  S distance;
  const Vector3Of<S> e = unit_or(Vector3Of<S>(w - a.dot(w) * a), p.normal, distance);
  return ball_at(p, x, Vector3Of<S>(c + S(p.second.radius) * e), 0.0, false);
}

}  // namespace carom::model
