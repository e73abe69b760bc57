// Where a frame is and how it moves, in world components. Written for any scalar, so that a formula of poses can be
// followed along a motion or differentiated (dual.h).
#pragma once

#include <Eigen/Geometry>

#include "carom/base/dual.h"
#include "carom/base/types.h"

namespace carom::inline base {

template <class S>
struct PoseOf {
  Vector3Of<S> x = Vector3Of<S>::Zero();      // of the frame's origin
  Matrix3Of<S> R = Matrix3Of<S>::Identity();  // takes components in the frame to world components

  Vector3Of<S> point(const Vector3& p) const { return x + R * p.template cast<S>(); }
  Vector3Of<S> direction(const Vector3& d) const { return R * d.template cast<S>(); }
  // From the world.
  Vector3Of<S> local(const Vector3Of<S>& p) const { return R.transpose() * (p - x); }
  Vector3Of<S> local_direction(const Vector3Of<S>& d) const { return R.transpose() * d; }
  // `inner` is given in this frame.
  PoseOf operator*(const PoseOf& inner) const { return {x + R * inner.x, R * inner.R}; }
};

using Pose = PoseOf<double>;

struct Twist {
  Vector3 velocity = Vector3::Zero();  // of the frame's origin
  Vector3 omega = Vector3::Zero();
};

// The pose followed along its twist: x + v s, R + (omega x R) s.
inline PoseOf<Dual<1>> moving(const Pose& pose, const Twist& twist) {
  PoseOf<Dual<1>> result;
  for (int i = 0; i < 3; ++i) {
    result.x[i] = {pose.x[i], {twist.velocity[i]}};
    const Vector3 turned = twist.omega.cross(pose.R.col(i));
    for (int k = 0; k < 3; ++k) result.R(k, i) = {pose.R(k, i), {turned[k]}};
  }
  return result;
}

// The same pose shifted and turned in the six directions from `first` on: derivatives by x and by rotations exp(phi) R.
template <int N>
PoseOf<Dual<N>> shifted(const Pose& pose, int first) {
  PoseOf<Dual<N>> result;
  for (int i = 0; i < 3; ++i) {
    result.x[i] = pose.x[i];
    result.x[i].d[static_cast<std::size_t>(first + i)] = 1.0;
    for (int k = 0; k < 3; ++k) {
      result.R(k, i) = pose.R(k, i);
      for (int a = 0; a < 3; ++a)
        result.R(k, i).d[static_cast<std::size_t>(first + 3 + a)] = Vector3(Vector3::Unit(a).cross(pose.R.col(i)))[k];
    }
  }
  return result;
}

}  // namespace carom::inline base
