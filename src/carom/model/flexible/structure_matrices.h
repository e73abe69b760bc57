// The matrices of a linear structure, and damping after Rayleigh: C = alpha M + beta K gives a mode of
// frequency w the damping ratio (alpha / w + beta w) / 2.
#pragma once

#include <Eigen/SparseCore>

namespace carom {

struct StructureMatrices {
  Eigen::SparseMatrix<double> M, C, K;  // C without entries: undamped
};

inline Eigen::SparseMatrix<double> rayleigh_damping(const Eigen::SparseMatrix<double>& M,
                                                    const Eigen::SparseMatrix<double>& K, double alpha, double beta) {
  Eigen::SparseMatrix<double> C(M.rows(), M.cols());
  if (alpha != 0.0) C += alpha * M;
  if (beta != 0.0) C += beta * K;
  return C;
}

}  // namespace carom
