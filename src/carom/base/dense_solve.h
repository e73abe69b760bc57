// Dense decompositions of any size, for work that is done once or seldom. They are compiled here and nowhere else:
// their templates are by far the costliest to compile.
#pragma once

#include "carom/base/types.h"

namespace carom::inline base {

// The X of least norm among those with least |A X - B|. Pivots below threshold times the largest count as zero; 0: the
// rounding of A.
struct LeastNormSolution {
  Matrix X;
  Index rank;
};
LeastNormSolution least_norm_solution(const Matrix& A, const Matrix& B, double threshold = 0.0);

// X = A^-1 B; A is regular.
Matrix lu_solution(const Matrix& A, const Matrix& B);
Vector lu_solution(const Matrix& A, const Vector& b);

// x = A^-1 b; A is symmetric and positive.
Vector ldlt_solution(const Matrix& A, const Vector& b);

// A vectors = vectors diag(values), or A vectors = M vectors diag(values), vectors' M vectors = I, with A symmetric and
// M symmetric and positive; values ascending.
struct SymmetricEigen {
  explicit SymmetricEigen(const Matrix& A);
  SymmetricEigen(const Matrix& A, const Matrix& M);
  bool found;
  Vector values;
  Matrix vectors;

 private:
  template <class Solver>
  void take(const Solver& solver);
};

}  // namespace carom::inline base
