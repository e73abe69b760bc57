// A joint between bodies a and b (either may be the ground), made of two kinds of rows:
//
//   coincident points        g = X_a - X_b = 0                  3 rows   X = x + R s
//   perpendicular directions g = A . B = 0, A = R_a a, B = R_b b  1 row each
//
//   dg/dv:   X: ( I , -R skew(s) )          A.B: R_a' (A x B) on Omega_a, -R_b' (A x B) on Omega_b
//   g':      X: x' + omega x R s              A.B: (omega_a - omega_b) . (A x B)
//   zeta:    X: omega x (omega x R s)       A.B: (omega_a - omega_b) . (A' x B + A x B')
//
//   spherical          points
//   revolute           points, axis perpendicular to two directions of the other body
//   fixed_orientation  three perpendicular pairs of one frame: the bodies may shift, not turn
//   fixed              points and the three pairs
//
// a is scaled by a length, so that every row is a length and every multiplier a force.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "carom/base/constraint_jacobian.h"
#include "carom/laws/law.h"
#include "carom/model/bodies/rigid_body.h"

namespace carom {

enum class JointType { spherical, revolute, fixed_orientation, fixed };

struct Joint {
  std::string name;
  Index a = ground_body, b = ground_body;
  bool coincident = false;
  Vector3 point_a = Vector3::Zero(), point_b = Vector3::Zero();  // in the bodies' frames
  Index perpendicular = 0;                                       // how many pairs
  std::array<Vector3, 3> direction_a, direction_b;               // in the bodies' frames
  double length = 1.0;
  std::shared_ptr<const Law> law;

  Index rows() const { return (coincident ? 3 : 0) + perpendicular; }
};

// The directions of a joint whose axis (in the world) is common to both bodies as they stand now.
void set_directions(JointType type, const Vector3& axis, double length, const Matrix3& R_a,
                    const Matrix3& R_b, Joint& joint);

void joint_gap(const Joint& joint, const Pose& a, const Pose& b, double* g);
void add_joint_block(const Joint& joint, const Pose& a, const Pose& b, ConstraintJacobian& W);
void joint_gap_rate(const Joint& joint, const Pose& a, const Pose& b, const Twist& twist_a,
                    const Twist& twist_b, double* rate);
void joint_convective(const Joint& joint, const Pose& a, const Pose& b, const Twist& twist_a,
                      const Twist& twist_b, double* zeta);

}  // namespace carom
