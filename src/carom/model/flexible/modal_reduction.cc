#include "carom/model/flexible/modal_reduction.h"

#include <Spectra/SymGEigsShiftSolver.h>
#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "carom/base/dense_solve.h"
#include "carom/base/errors.h"
#include "carom/base/sparse_factor.h"

namespace carom {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Cholesky = Eigen::SimplicialLDLT<Sparse>;

[[noreturn]] void refuse(const char* key, std::string message, std::string hint) {
  throw InputError({"E0151", std::move(message), key, std::move(hint), {}, 0, 0, {}});
}

void require_symmetric(const Sparse& A, const char* key) {
  const Sparse transposed = A.transpose();
  if (!((A - transposed).norm() <= 1e-10 * A.norm()))
    refuse(key, fmt::format("the {} matrix is not symmetric", key), "write it with the word 'symmetric', or fix it");
}

bool positive_definite(const Cholesky& factor) {
  return factor.info() == Eigen::Success && factor.vectorD().minCoeff() > 0.0;
}

// Below all wanted eigenvalues, and 0 unless K is singular to working accuracy.
double shift_for(const Sparse& M, const Sparse& K) {
  const Cholesky factor(K);
  const double largest = factor.info() == Eigen::Success ? factor.vectorD().maxCoeff() : 0.0;
  if (factor.info() == Eigen::Success && factor.vectorD().minCoeff() > 1e-12 * largest) return 0.0;
  return -1e-8 * K.diagonal().sum() / M.diagonal().sum();
}

// All modes of a small problem, mass-normalised, ascending.
ModalBasis dense_modes(const Matrix& M, const Matrix& K) {
  const SymmetricEigen modes(K, M);
  if (!modes.found) refuse("modes", "the modes of the structure could not be found", "");
  return {modes.vectors, modes.values.cwiseMax(0.0).cwiseSqrt()};
}

// The two products the solver asks for. Our own factorisation serves, so that no second one is compiled.
struct ShiftInvert {
  using Scalar = double;
  const Sparse &K, &M;
  SparseFactor factor{true};

  Eigen::Index rows() const { return K.rows(); }
  Eigen::Index cols() const { return K.cols(); }
  void set_shift(double sigma) {
    const SparseTerm terms[] = {{1.0, &K, nullptr}, {-sigma, &M, nullptr}};
    if (!factor.factor(terms, static_cast<Index>(K.rows()))) refuse("modes", "the shifted stiffness is singular", "");
  }
  void perform_op(const double* x, double* y) const {
    std::copy(x, x + rows(), y);
    factor.solve(y, 1);
  }
};

struct MassProduct {
  using Scalar = double;
  const Sparse& M;

  Eigen::Index rows() const { return M.rows(); }
  Eigen::Index cols() const { return M.cols(); }
  void perform_op(const double* x, double* y) const {
    VectorMap(y, M.rows()).noalias() = M * ConstVectorMap(x, M.cols());
  }
};

ModalBasis lanczos_modes(const Sparse& M, const Sparse& K, Index count, double sigma) {
  const Index size = static_cast<Index>(M.rows()), subspace = std::min(size, std::max(2 * count + 1, 20));
  ShiftInvert invert{K, M};
  MassProduct product{M};
  Spectra::SymGEigsShiftSolver<ShiftInvert, MassProduct, Spectra::GEigsMode::ShiftInvert> solver(invert, product, count,
                                                                                                 subspace, sigma);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-12, Spectra::SortRule::SmallestAlge);
  if (solver.info() != Spectra::CompInfo::Successful)
    refuse("modes", fmt::format("the {} lowest modes of the structure could not be found", count),
           "ask for fewer modes, or for none: the structure is then used as it is");
  ModalBasis basis{solver.eigenvectors(count), solver.eigenvalues().cwiseMax(0.0).cwiseSqrt()};
  for (Index k = 0; k < count; ++k) basis.Phi.col(k) /= std::sqrt(basis.Phi.col(k).dot(M * basis.Phi.col(k)));
  return basis;
}

}  // namespace

ModalBasis modal_basis(const Sparse& M, const Sparse& K, Index modes, const std::vector<Vector>& directions) {
  require_symmetric(M, "mass");
  require_symmetric(K, "stiffness");
  if (!positive_definite(Cholesky(M)))
    refuse("mass", "the mass matrix is not positive definite", "every degree of freedom needs a mass");
  const Index size = static_cast<Index>(M.rows());
  if (modes < 1 || modes > size)
    refuse("modes", fmt::format("{} modes of {} degrees of freedom", modes, size), fmt::format("1 to {}", size));
  const double sigma = shift_for(M, K);
  ModalBasis basis;
  if (2 * modes + 1 >= size) {
    basis = dense_modes(Matrix(M), Matrix(K));
    basis.Phi.conservativeResize(size, modes);
    basis.frequencies.conservativeResize(modes);
  } else {
    basis = lanczos_modes(M, K, modes, sigma);
  }
  if (directions.empty() || modes == size) return basis;

  const Sparse A = K - sigma * M;
  const Cholesky factor(A);
  if (!positive_definite(factor))
    refuse("stiffness", "the stiffness matrix has negative eigenvalues", "leave out static_correction");
  Matrix joined = basis.Phi;
  const auto orthogonal = [&](Vector r) {  // to all before, in the metric of M
    for (int pass = 0; pass < 2; ++pass) r -= joined * (joined.transpose() * (M * r));
    return r;
  };
  for (const Vector& f : directions) {
    const Vector deflection = factor.solve(f), r = orthogonal(deflection);
    const double norm = std::sqrt(r.dot(M * r));
    if (norm <= 1e-9 * std::sqrt(deflection.dot(M * deflection))) continue;  // the modes show it already
    joined.conservativeResize(size, joined.cols() + 1);
    joined.rightCols(1) = r / norm;
  }
  const ModalBasis small = dense_modes(joined.transpose() * (M * joined), joined.transpose() * (K * joined));
  return {joined * small.Phi, small.frequencies};
}

}  // namespace carom
