// Motions and loads of a rigid body in space about one fixed point O, in world components.
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

using Screw = Eigen::Matrix<double, 6, 1>;
using ScrewMatrix = Eigen::Matrix<double, 6, 6>;

inline Screw cross(const Screw& a, const Screw& b) {
  const Vector3 omega = a.head<3>(), velocity = a.tail<3>(), omega_b = b.head<3>();
  Screw out;
  out << omega.cross(omega_b), omega.cross(b.tail<3>()) + velocity.cross(omega_b);
  return out;
}

inline Screw cross_load(const Screw& a, const Screw& f) {
  const Vector3 omega = a.head<3>(), velocity = a.tail<3>(), force = f.tail<3>();
  Screw out;
  out << omega.cross(f.head<3>()) + velocity.cross(force), omega.cross(force);
  return out;
}

// b -> a x b as a matrix; that of a x* is minus its transpose.
inline ScrewMatrix cross_matrix(const Screw& a) {
  ScrewMatrix out = ScrewMatrix::Zero();
  out.topLeftCorner<3, 3>() = out.bottomRightCorner<3, 3>() = skew(a.head<3>());
  out.bottomLeftCorner<3, 3>() = skew(a.tail<3>());
  return out;
}

// a -> a x* f as a matrix.
inline ScrewMatrix carried_load_matrix(const Screw& f) {
  ScrewMatrix out = ScrewMatrix::Zero();
  out.topLeftCorner<3, 3>() = -skew(f.head<3>());
  out.topRightCorner<3, 3>() = out.bottomLeftCorner<3, 3>() = -skew(f.tail<3>());
  return out;
}

// Both ways between screws about O and what happens at a point x away from O.
inline Twist twist_at(const Screw& a, const Vector3& x) {
  const Vector3 omega = a.head<3>();
  return {a.tail<3>() + omega.cross(x), omega};
}
inline Screw load_at(const Vector3& x, const Vector3& force, const Vector3& torque) {
  Screw out;
  out << torque + x.cross(force), force;
  return out;
}

struct Place {
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
  Screw turning(int axis, const Vector3& O) const {
    const Vector3 e = R.col(axis);
    Screw out;
    out << e, Vector3(x - O).cross(e);
    return out;
  }
  Screw sliding(int axis) const {
    Screw out;
    out << Vector3::Zero(), R.col(axis);
    return out;
  }
};

// Inertia about O of a mass with its centre at x from O; J about the centre, in world components.
inline ScrewMatrix inertia_about(double mass, const Vector3& x, const Matrix3& J) {
  const Matrix3 lever = mass * skew(x);
  ScrewMatrix out;
  out.topLeftCorner<3, 3>() = J - lever * skew(x);
  out.topRightCorner<3, 3>() = lever;
  out.bottomLeftCorner<3, 3>() = -lever;
  out.bottomRightCorner<3, 3>() = mass * Matrix3::Identity();
  return out;
}

}  // namespace carom::model
