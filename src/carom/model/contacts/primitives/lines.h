// Two lines (edges, axes of capsules), crossing at the side frozen at detection:
//
//   n = side t_1 x t_2 / |.|      g = n.(p_1 - p_2) - r_1 - r_2
//
// The same formula serves rings, with the tangents and points where they are closest (rings.h).
#pragma once

#include "carom/model/contacts/primitives/touch.h"

namespace carom::model {

template <class S>
Touch<S> crossing(const geometry::ContactPrimitive& p, const Vector3Of<S>& c1, const Vector3Of<S>& t1,
                  const Vector3Of<S>& c2, const Vector3Of<S>& t2, double r_1, double r_2) {
  S length;
  const Vector3Of<S> n = unit_or(Vector3Of<S>(S(p.side) * t1.cross(t2)), p.normal, length);
  const Vector3Of<S> w = c1 - c2;
  const S r1 = S(r_1), r2 = S(r_2);
  return {n.dot(w) - r1 - r2, n, c1 - r1 * n, c2 + r2 * n};
}

template <class S>
Touch<S> line_line(const geometry::ContactPrimitive& p, const PoseOf<S>& A, const PoseOf<S>& B) {
  const Vector3Of<S> p1 = A.point(p.first.point), t1 = A.direction(p.first.direction);
  const Vector3Of<S> p2 = B.point(p.second.point), t2 = B.direction(p.second.direction);
  const Vector3Of<S> w = p1 - p2;
  const S b = t1.dot(t2), along_1 = t1.dot(w), along_2 = t2.dot(w);
  const S across = S(1.0) - b * b;
  const S u1 = (b * along_2 - along_1) / across, u2 = (along_2 - b * along_1) / across;
  return crossing(p, Vector3Of<S>(p1 + u1 * t1), t1, Vector3Of<S>(p2 + u2 * t2), t2, p.first.radius, p.second.radius);
}

}  // namespace carom::model
