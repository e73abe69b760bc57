// The force on a free rigid body under gravity, and its derivative by the velocity:
//
//   h_b = ( m a_g ,  -Omega x J Omega )
//   d(-Omega x J Omega)/dOmega = skew(J Omega) - skew(Omega) J
#pragma once

#include "carom/model/bodies/rigid_body.h"

namespace carom {

inline Vector3 gyroscopic_torque(const Vector3& inertia, const Vector3& Omega) {
  return inertia.cwiseProduct(Omega).cross(Omega);
}

inline Matrix3 gyroscopic_derivative(const Vector3& inertia, const Vector3& Omega) {
  return skew(inertia.cwiseProduct(Omega)) - skew(Omega) * inertia.asDiagonal();
}

}  // namespace carom
