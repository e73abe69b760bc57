// The unit quaternion of a rotation matrix: the inverse of rotation_matrix (base/rotation.h), up to the sign.
#pragma once

#include <Eigen/Geometry>

#include "carom/base/rotation.h"

namespace carom::inline base {

inline Quaternion quaternion_of(const Matrix3& R) {
  const Eigen::Quaterniond p(R);
  return Quaternion(p.w(), p.x(), p.y(), p.z()).normalized();
}

}  // namespace carom::inline base
