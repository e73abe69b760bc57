// A rigid body:  q_b = (x, p), 7 numbers, x the centre of mass in the world, p the unit quaternion
// (scalar first) that takes body components to world components;  v_b = (x', Omega), 6 numbers,
// Omega the angular velocity in the body frame.
//
//   M_b = diag(m I, J)      x' = x'      p' = 1/2 p (0, Omega)      omega = R(p) Omega (world)
#pragma once

#include "carom/base/pose.h"
#include "carom/base/rotation.h"
#include "carom/base/types.h"

namespace carom {

inline constexpr Index body_q = 7;        // coordinates of a body
inline constexpr Index body_v = 6;        // velocities of a body
inline constexpr Index ground_body = -1;  // the body that does not move

using Vector3Map = Eigen::Map<const Vector3>;
using QuaternionMap = Eigen::Map<const Quaternion>;

// Views into the coordinates q and velocities v of all bodies.
inline Vector3Map body_position(const double* q, Index b) { return Vector3Map(q + body_q * b); }
inline QuaternionMap body_orientation(const double* q, Index b) { return QuaternionMap(q + body_q * b + 3); }
inline Vector3Map body_velocity(const double* v, Index b) { return Vector3Map(v + body_v * b); }
inline Vector3Map body_spin(const double* v, Index b) { return Vector3Map(v + body_v * b + 3); }

inline Pose body_pose(const double* q, Index b) {
  if (b == ground_body) return {};
  return {body_position(q, b), rotation_matrix(body_orientation(q, b))};
}

inline Twist body_twist(const double* v, Index b, const Matrix3& R) {
  if (b == ground_body) return {};
  return {body_velocity(v, b), R * body_spin(v, b)};
}

}  // namespace carom
