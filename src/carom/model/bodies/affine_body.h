// A rigid body in twelve coordinates: q = (r, d1, d2, d3), points r + [d1 d2 d3] rho, v = q', constant inertia
// (m I, and E_ij I between d_i and d_j with Binet's tensor E). Rigid by six joints,
//
//     g = ( d1.d1 - 1, d2.d2 - 1, d3.d3 - 1, d2.d3, d1.d3, d1.d2 ),
//
// quadratic in q. There are no gyroscopic terms: the joints' forces do their work.
#pragma once

#include <memory>

#include "carom/base/rotation.h"
#include "carom/system/system.h"

namespace carom {

struct AffineBodyData {
  double mass = 1.0;
  Matrix3 inertia = Matrix3::Identity();  // about the centre of mass, in body axes
  double gravity = 0.0;                   // along -e3
};

std::shared_ptr<const System> make_affine_body(const AffineBodyData& data);

// Its coordinates and velocities from those of Newton and Euler's form (position, unit quaternion; velocity,
// body angular velocity): d_i = R e_i, d_i' = R skew(Omega) e_i, and back.
void affine_from_quaternion(const Vector& q, const Vector& v, Vector& q_affine, Vector& v_affine);
Vector3 angular_velocity(const Vector& q_affine, const Vector& v_affine);  // in the body frame

}  // namespace carom
