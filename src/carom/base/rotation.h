// Unit quaternions (scalar first) and rotations. R_WB takes body components to world components;
// angular velocities are in the body frame: p' = 1/2 p (0, Omega).
#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "carom/base/types.h"

namespace carom::inline base {

using Quaternion = Eigen::Vector4d;  // (p0, p1, p2, p3)

inline Matrix3 skew(const Vector3& a) {
  Matrix3 s;
  s << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return s;
}

inline Matrix3 rotation_matrix(const Quaternion& p) {
  const double w = p[0], x = p[1], y = p[2], z = p[3];
  Matrix3 R;
  R << w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y),  //
      2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x),   //
      2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z;
  return R;
}

inline Quaternion quaternion_product(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

inline Quaternion quaternion_conjugate(const Quaternion& p) { return {p[0], -p[1], -p[2], -p[3]}; }

// The rotation by the vector phi (axis times angle): (cos |phi|/2, sin(|phi|/2) phi/|phi|).
inline Quaternion quaternion_exp(const Vector3& phi) {
  const double angle = phi.norm();
  const double half = 0.5 * angle;
  const double scale = angle > 1e-8 ? std::sin(half) / angle : 0.5 - angle * angle / 48.0;
  return {std::cos(half), scale * phi[0], scale * phi[1], scale * phi[2]};
}

// Cayley's twin of quaternion_exp: with c = phi/4, (1 + c)^2 / (1 + |c|^2). Then p_1 = p_0 cayley(phi) has
// p_1 - p_0 = 1/2 (p_0 + p_1)/2 (0, phi) exactly: the rate map at the mean quaternion.
inline Quaternion quaternion_cayley(const Vector3& phi) {
  const Vector3 c = 0.25 * phi;
  const double square = c.squaredNorm(), scale = 1.0 / (1.0 + square);
  return {(1.0 - square) * scale, 2.0 * scale * c[0], 2.0 * scale * c[1], 2.0 * scale * c[2]};
}

// The factor that takes a quaternion back to unit length where only rounding has moved it: of the size of rounding
// itself, but without it a million products gather 1e-11.
inline double unit_correction(const Quaternion& p) { return 1.5 - 0.5 * p.squaredNorm(); }

// Inverse of quaternion_exp, with |phi| <= pi.
inline Vector3 quaternion_log(const Quaternion& p) {
  const Vector3 s = p[0] < 0.0 ? Vector3(-p.tail<3>()) : Vector3(p.tail<3>());
  const double sine = s.norm();
  const double angle = 2.0 * std::atan2(sine, std::abs(p[0]));
  return sine > 1e-12 ? Vector3(s * (angle / sine)) : Vector3(2.0 * s);
}

// T_p(p): p' = T_p Omega.
inline Eigen::Matrix<double, 4, 3> quaternion_rate_map(const Quaternion& p) {
  Eigen::Matrix<double, 4, 3> T;
  T << -p[1], -p[2], -p[3], p[0], -p[3], p[2], p[3], p[0], -p[1], -p[2], p[1], p[0];
  return 0.5 * T;
}

// A fixed axis well away from n, which the tangents start from.
inline Vector3 tangent_axis(const Vector3& n) { return std::abs(n.x()) < 0.6 ? Vector3::UnitX() : Vector3::UnitY(); }

// Two unit vectors that complete n to a right-handed frame; depends on n alone and continuously
// except across one plane.
inline void tangents(const Vector3& n, Vector3& t1, Vector3& t2) {
  const Vector3 axis = tangent_axis(n);
  t1 = (axis - axis.dot(n) * n).normalized();
  t2 = n.cross(t1);
}

// How the tangents turn when n turns with the rate n_rate: with u = axis - (axis.n) n, t1 = u / |u|,
// t1' = (I - t1 t1') u' / |u|.
inline void tangent_rates(const Vector3& n, const Vector3& n_rate, const Vector3& t1, Vector3& t1_rate,
                          Vector3& t2_rate) {
  const Vector3 axis = tangent_axis(n);
  const double along = axis.dot(n);
  const Vector3 u_rate = -axis.dot(n_rate) * n - along * n_rate;
  t1_rate = (u_rate - t1.dot(u_rate) * t1) / (axis - along * n).norm();
  t2_rate = n_rate.cross(t1) + n.cross(t1_rate);
}

}  // namespace carom::inline base
