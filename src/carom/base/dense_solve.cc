#include "carom/base/dense_solve.h"

#include <Eigen/Dense>

namespace carom::inline base {

LeastNormSolution least_norm_solution(const Matrix& A, const Matrix& B, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<Matrix> cod;
  if (threshold > 0.0) cod.setThreshold(threshold);
  cod.compute(A);
  return {cod.solve(B), static_cast<Index>(cod.rank())};
}

Matrix lu_solution(const Matrix& A, const Matrix& B) { return Eigen::PartialPivLU<Matrix>(A).solve(B); }

Vector lu_solution(const Matrix& A, const Vector& b) { return Eigen::PartialPivLU<Matrix>(A).solve(b); }

Vector ldlt_solution(const Matrix& A, const Vector& b) { return Eigen::LDLT<Matrix>(A).solve(b); }

SymmetricEigen::SymmetricEigen(const Matrix& A) { take(Eigen::SelfAdjointEigenSolver<Matrix>(A)); }

SymmetricEigen::SymmetricEigen(const Matrix& A, const Matrix& M) {
  take(Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>(A, M));
}

template <class Solver>
void SymmetricEigen::take(const Solver& solver) {
  found = solver.info() == Eigen::Success;
  values = solver.eigenvalues();
  vectors = solver.eigenvectors();
}

}  // namespace carom::inline base
