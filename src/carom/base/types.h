// The handful of algebra types every layer speaks.
#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace carom::inline base {

using Index = int;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
using VectorMap = Eigen::Map<Vector>;
using ConstVectorMap = Eigen::Map<const Vector>;
using MatrixMap = Eigen::Map<Matrix>;
using ConstMatrixMap = Eigen::Map<const Matrix>;

}  // namespace carom::inline base
