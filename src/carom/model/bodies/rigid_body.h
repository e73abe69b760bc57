// A rigid body:  q_b = (x, p), 7 numbers, x the centre of mass in the world, p the unit quaternion
// (scalar first) that takes body components to world components;  v_b = (x', Omega), 6 numbers,
// Omega the angular velocity in the body frame.
//
//   M_b = diag(m I, J)      x' = x'      p' = 1/2 p (0, Omega)      omega = R(p) Omega (world)
#pragma once

#include <string>

#include "carom/base/pose.h"
#include "carom/base/rotation.h"
#include "carom/base/types.h"

namespace carom {

enum class ShapeType { none, sphere, box };

struct Shape {
  ShapeType type = ShapeType::none;
  double radius = 0.0;                  // of a sphere
  Vector3 half_size = Vector3::Zero();  // of a box

  static Shape sphere(double radius) { return {ShapeType::sphere, radius, Vector3::Zero()}; }
  static Shape box(const Vector3& size) { return {ShapeType::box, 0.0, 0.5 * size}; }

  // Radius of the smallest ball around the centre that holds the shape.
  double reach() const { return type == ShapeType::sphere ? radius : half_size.norm(); }
};

struct RigidBody {
  std::string name;
  double mass = 1.0;
  Vector3 inertia =
      Vector3::Ones();  // principal moments; the body frame lies in the principal axes
  Shape shape;
  Index surface = 0;  // which contact laws apply

  // The gyroscopic force and its derivative vanish identically.
  bool spherical_inertia() const {
    return inertia.x() == inertia.y() && inertia.y() == inertia.z();
  }
};

inline constexpr Index body_q = 7;        // coordinates of a body
inline constexpr Index body_v = 6;        // velocities of a body
inline constexpr Index ground_body = -1;  // the body that does not move

using Vector3Map = Eigen::Map<const Vector3>;
using QuaternionMap = Eigen::Map<const Quaternion>;

// Views into the coordinates q and velocities v of all bodies.
inline Vector3Map body_position(const double* q, Index b) { return Vector3Map(q + body_q * b); }
inline QuaternionMap body_orientation(const double* q, Index b) {
  return QuaternionMap(q + body_q * b + 3);
}
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
