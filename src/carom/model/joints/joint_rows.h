// The rows joints are made of. A row is a scalar g of the poses of two frames a and b, and the directions in which its
// multiplier acts:
//
//   g' = f . (v_a - v_b) + tau_a . omega_a + tau_b . omega_b   force f on a, -f on b, torques about the frames' origins
//
// With X = x + R s the points of the two sites, D = R d a direction, r = X_b - X_a:
//
//   coincide    g = e . (X_a - X_b), e fixed in the world       f = e,   tau_a = R_a s_a x e,      tau_b = -R_b s_b x e
//   along       g = D . r, D fixed in a                         f = -D,  tau_a = D x (X_b - x_a),  tau_b = R_b s_b x D
//   across      g = L A . B, A fixed in a, B in b               f = 0,   tau_a = L A x B,          tau_b = -tau_a
//   distance    g = |r| - l,  n = r/|r|                         f = -n,  tau_a = -R_a s_a x n,     tau_b = R_b s_b x n
//   angle       g = L atan2(s, c),  c = B.X,  s = B.Y           f = 0,   tau_b = -tau_a,
//               X, Y fixed in a, B in b                         tau_a = L (c Y x B - s X x B)/(c^2 + s^2)
//               the branch is that of the angle remembered in q
//
// One formula for every scalar (base/dual.h): followed along a motion it gives zeta, differentiated the curvature.
#pragma once

#include <cmath>

#include "carom/base/pose.h"
#include "carom/model/assembly/placement.h"

namespace carom::model {

enum class RowKind { coincide, along, across, distance, angle };

struct JointRow {
  RowKind kind = RowKind::coincide;
  Vector3 d = Vector3::UnitX();  // coincide: in the world; along, across, angle: in frame a
  Vector3 e = Vector3::UnitY();  // across: in frame b; angle: the second direction Y, in frame a
  Vector3 b = Vector3::UnitX();  // angle: in frame b
  double length = 1.0;           // L: makes angles lengths and their multipliers forces
  double rest = 0.0;             // l, or what is subtracted from g
};

template <class S>
struct RowOf {
  S g;
  Vector3Of<S> f, tau_a, tau_b;
};

// Of a row that holds two points together: X_a - X_b and the levers are those of all such rows of a joint.
template <class S>
RowOf<S> coincide(const JointRow& row, const Vector3Of<S>& apart, const Vector3Of<S>& lever_a,
                  const Vector3Of<S>& lever_b) {
  using V = Vector3Of<S>;
  const V e = row.d.cast<S>();
  return {e.dot(apart) - S(row.rest), e, V(lever_a.cross(e)), V(-lever_b.cross(e))};
}

template <class S>
RowOf<S> evaluate(const JointRow& row, const PoseOf<S>& a, const Vector3& s_a, const PoseOf<S>& b, const Vector3& s_b) {
  using std::atan2;
  using std::sqrt;
  using V = Vector3Of<S>;
  const V zero = V::Zero();
  RowOf<S> out{S(0.0), zero, zero, zero};
  switch (row.kind) {
    case RowKind::coincide: {
      const V lever_a = a.direction(s_a), lever_b = b.direction(s_b);
      return coincide<S>(row, V(a.x + lever_a - b.x - lever_b), lever_a, lever_b);
    }
    case RowKind::along: {
      const V D = a.direction(row.d), lever_b = b.direction(s_b);
      const V from_a = b.x + lever_b - a.x;
      out.g = D.dot(V(from_a - a.direction(s_a))) - S(row.rest);
      out.f = -D;
      out.tau_a = D.cross(from_a);
      out.tau_b = lever_b.cross(D);
      break;
    }
    case RowKind::across: {
      const V A = a.direction(row.d), B = b.direction(row.e);
      out.g = S(row.length) * A.dot(B) - S(row.rest);
      out.tau_a = S(row.length) * V(A.cross(B));
      out.tau_b = -out.tau_a;
      break;
    }
    case RowKind::distance: {
      const V lever_a = a.direction(s_a), lever_b = b.direction(s_b);
      const V r = b.x + lever_b - a.x - lever_a;
      const S distance = sqrt(r.dot(r));
      const V n = r / distance;
      out.g = distance - S(row.rest);
      out.f = -n;
      out.tau_a = -lever_a.cross(n);
      out.tau_b = lever_b.cross(n);
      break;
    }
    case RowKind::angle: {
      const V X = a.direction(row.d), Y = a.direction(row.e), B = b.direction(row.b);
      const S c = B.dot(X), s = B.dot(Y);
      out.g = S(row.length) * atan2(s, c) - S(row.rest);
      const S scale = S(row.length) / (c * c + s * s);
      out.tau_a = scale * V(c * V(Y.cross(B)) - s * V(X.cross(B)));
      out.tau_b = -out.tau_a;
      break;
    }
  }
  return out;
}

}  // namespace carom::model
