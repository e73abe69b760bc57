// Motions and loads of a rigid body about one fixed point O, in world components: with D = 6 in space, with D = 3 in
// the x-y plane.
//
//   motion  (omega, velocity of the body's point at O)      load  (moment about O, force)      power = motion . load
//
// motion x motion is the change of the second when it is carried along by the first, motion x* load likewise; both
// leave the power of a pair unchanged: (a x b) . f + b . (a x* f) = 0.
#pragma once

#include "carom/base/pose.h"
#include "carom/base/rotation.h"
#include "carom/base/types.h"

namespace carom::model {

template <int D>
using Screw = Eigen::Matrix<double, D, 1>;
template <int D>
using ScrewMatrix = Eigen::Matrix<double, D, D>;

inline Screw<3> cross(const Screw<3>& a, const Screw<3>& b) {
  return {0.0, a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Screw<6> cross(const Screw<6>& a, const Screw<6>& b) {
  const Vector3 omega = a.head<3>(), velocity = a.tail<3>(), omega_b = b.head<3>();
  Screw<6> out;
  out << omega.cross(omega_b), omega.cross(b.tail<3>()) + velocity.cross(omega_b);
  return out;
}

inline Screw<3> cross_load(const Screw<3>& a, const Screw<3>& f) {
  return {a[1] * f[2] - a[2] * f[1], -a[0] * f[2], a[0] * f[1]};
}
inline Screw<6> cross_load(const Screw<6>& a, const Screw<6>& f) {
  const Vector3 omega = a.head<3>(), velocity = a.tail<3>(), force = f.tail<3>();
  Screw<6> out;
  out << omega.cross(f.head<3>()) + velocity.cross(force), omega.cross(force);
  return out;
}

// b -> a x b as a matrix; that of a x* is minus its transpose.
inline ScrewMatrix<3> cross_matrix(const Screw<3>& a) {
  ScrewMatrix<3> out;
  out << 0.0, 0.0, 0.0, a[2], 0.0, -a[0], -a[1], a[0], 0.0;
  return out;
}
inline ScrewMatrix<6> cross_matrix(const Screw<6>& a) {
  ScrewMatrix<6> out = ScrewMatrix<6>::Zero();
  out.topLeftCorner<3, 3>() = out.bottomRightCorner<3, 3>() = skew(a.head<3>());
  out.bottomLeftCorner<3, 3>() = skew(a.tail<3>());
  return out;
}

// a -> a x* f as a matrix.
inline ScrewMatrix<3> carried_load_matrix(const Screw<3>& f) {
  ScrewMatrix<3> out;
  out << 0.0, f[2], -f[1], -f[2], 0.0, 0.0, f[1], 0.0, 0.0;
  return out;
}
inline ScrewMatrix<6> carried_load_matrix(const Screw<6>& f) {
  ScrewMatrix<6> out = ScrewMatrix<6>::Zero();
  out.topLeftCorner<3, 3>() = -skew(f.head<3>());
  out.topRightCorner<3, 3>() = out.bottomLeftCorner<3, 3>() = -skew(f.tail<3>());
  return out;
}

// Both ways between screws about O and what happens at a point x away from O.
inline Twist twist_at(const Screw<3>& a, const Vector3& x) {
  return {{a[1] - a[0] * x.y(), a[2] + a[0] * x.x(), 0.0}, {0.0, 0.0, a[0]}};
}
inline Twist twist_at(const Screw<6>& a, const Vector3& x) {
  const Vector3 omega = a.head<3>();
  return {a.tail<3>() + omega.cross(x), omega};
}
template <int D>
Screw<D> load_at(const Vector3& x, const Vector3& force, const Vector3& torque) {
  if constexpr (D == 3) return {torque.z() + x.x() * force.y() - x.y() * force.x(), force.x(), force.y()};
  Screw<D> out;
  if constexpr (D == 6) out << torque + x.cross(force), force;
  return out;
}

// A place in the plane, or in space.
template <int D>
struct Place;

template <>
struct Place<3> {
  double c = 1.0, s = 0.0, x = 0.0, y = 0.0;

  static Place of(const Pose& pose) { return {pose.R(0, 0), pose.R(1, 0), pose.x.x(), pose.x.y()}; }
  Vector3 position() const { return {x, y, 0.0}; }
  Vector3 point(const Vector3& p) const { return {x + c * p.x() - s * p.y(), y + s * p.x() + c * p.y(), 0.0}; }
  Pose pose() const {
    Pose out;
    out.x << x, y, 0.0;
    out.R << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
    return out;
  }
  // A place given relative to this one.
  Place operator*(const Place& b) const {
    return {c * b.c - s * b.s, s * b.c + c * b.s, x + c * b.x - s * b.y, y + s * b.x + c * b.y};
  }
  void turn(int, double angle) {
    const double ca = std::cos(angle), sa = std::sin(angle), c0 = c;
    c = c0 * ca - s * sa;
    s = s * ca + c0 * sa;
  }
  void slide(int axis, double way) {
    x += way * (axis == 0 ? c : -s);
    y += way * (axis == 0 ? s : c);
  }
  // The screws of turning about and sliding along an axis of this place.
  Screw<3> turning(int, const Vector3& O) const { return {1.0, y - O.y(), O.x() - x}; }
  Screw<3> sliding(int axis) const { return axis == 0 ? Screw<3>(0.0, c, s) : Screw<3>(0.0, -s, c); }
};

template <>
struct Place<6> {
  Vector3 x = Vector3::Zero();
  Matrix3 R = Matrix3::Identity();

  static Place of(const Pose& pose) { return {pose.x, pose.R}; }
  const Vector3& position() const { return x; }
  Vector3 point(const Vector3& p) const { return x + R * p; }
  Pose pose() const { return {x, R}; }
  Place operator*(const Place& b) const { return {x + R * b.x, R * b.R}; }
  void turn(int axis, double angle) {
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const double ca = std::cos(angle), sa = std::sin(angle);
    const Vector3 first = R.col(i);
    R.col(i) = ca * first + sa * R.col(j);
    R.col(j) = ca * R.col(j) - sa * first;
  }
  void slide(int axis, double way) { x += way * R.col(axis); }
  Screw<6> turning(int axis, const Vector3& O) const {
    const Vector3 e = R.col(axis);
    Screw<6> out;
    out << e, Vector3(x - O).cross(e);
    return out;
  }
  Screw<6> sliding(int axis) const {
    Screw<6> out;
    out << Vector3::Zero(), R.col(axis);
    return out;
  }
};

// Inertia about O of a mass with its centre at x from O; J about the centre, in world components.
inline ScrewMatrix<3> inertia_about(double mass, const Vector3& x, double J) {
  const double mx = mass * x.x(), my = mass * x.y();
  ScrewMatrix<3> out;
  out << J + mx * x.x() + my * x.y(), -my, mx, -my, mass, 0.0, mx, 0.0, mass;
  return out;
}
inline ScrewMatrix<6> inertia_about(double mass, const Vector3& x, const Matrix3& J) {
  const Matrix3 lever = mass * skew(x);
  ScrewMatrix<6> out;
  out.topLeftCorner<3, 3>() = J - lever * skew(x);
  out.topRightCorner<3, 3>() = lever;
  out.bottomLeftCorner<3, 3>() = -lever;
  out.bottomRightCorner<3, 3>() = mass * Matrix3::Identity();
  return out;
}

}  // namespace carom::model
