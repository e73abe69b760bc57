#include "carom/base/iteration_matrix.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "carom/base/block_product.h"
#include "carom/base/component_factor.h"
#include "carom/base/scalar_code.h"
#include "carom/base/small_lu.h"
#include "carom/base/sparse_factor.h"

namespace carom::inline base {

IterationMatrix::IterationMatrix() = default;
IterationMatrix::~IterationMatrix() = default;
IterationMatrix::IterationMatrix(IterationMatrix&&) noexcept = default;
IterationMatrix& IterationMatrix::operator=(IterationMatrix&&) noexcept = default;

namespace {

Structure richer(Structure a, Structure b) {
  // dense wins over block_diagonal (both small enough to hold), sparse wins over all but dense.
  if (a == Structure::dense || b == Structure::dense) return Structure::dense;
  return std::max(a, b);
}

void add_to_dense(const StructuredMatrix& A, double factor, double* out) {
  const Index n = A.size();
  switch (A.structure()) {
    case Structure::zero: return;
    case Structure::dense: {
      const double* entries = A.dense_data();
      for (Index i = 0; i < n * n; ++i) out[i] += factor * entries[i];
      return;
    }
    case Structure::block_diagonal:
      for (Index b = 0; b < n / 3; ++b) MatrixMap(out, n, n).block<3, 3>(3 * b, 3 * b) += factor * A.blocks()[b];
      return;
    case Structure::sparse: MatrixMap(out, n, n) += factor * A.sparse_matrix(); return;
  }
}

bool is_dense(const StructuredMatrix* A) { return A != nullptr && A->structure() == Structure::dense; }

// out = M - a dh_dv - b dh_dq, absent parts null. Dense ones alone are the mechanism's case: one loop.
void fill_dense(const Inertia& M, const ForceJacobian* dh_dv, double a, const ForceJacobian* dh_dq, double b,
                Buffer& out) {
  const Index count = M.size() * M.size();
  out.resize(count);
  double* A = out.data();
  if (is_dense(&M) && is_dense(dh_dv) && is_dense(dh_dq)) {
    const double *m = M.dense_data(), *d = dh_dv->dense_data(), *k = dh_dq->dense_data();
    for (Index i = 0; i < count; ++i) A[i] = m[i] - a * d[i] - b * k[i];
    return;
  }
  if (is_dense(&M)) {
    std::copy_n(M.dense_data(), count, A);
  } else {
    std::fill_n(A, count, 0.0);
    add_to_dense(M, 1.0, A);
  }
  if (dh_dv != nullptr) add_to_dense(*dh_dv, -a, A);
  if (dh_dq != nullptr) add_to_dense(*dh_dq, -b, A);
}

// The diagonal blocks, or null where there are none.
const Matrix3* blocks_of(const StructuredMatrix* A) {
  return A != nullptr && A->structure() == Structure::block_diagonal ? A->blocks() : nullptr;
}

CAROM_SCALAR_CODE void solve_blocks(const std::vector<Matrix3>& inverses, double* x) {
  for (const Matrix3& inverse : inverses) {
    const BlockProduct product(inverse, x);
    x[0] = product.x;
    x[1] = product.y;
    x[2] = product.z;
    x += 3;
  }
}

// A part of a sparse sum; what is not sparse and compressed itself is brought into that form in `converted`.
SparseFactor::Term as_term(const StructuredMatrix& A, double factor, StructuredMatrix::Sparse& converted) {
  if (A.structure() == Structure::sparse && A.sparse_matrix().isCompressed())
    return {factor, &A.sparse_matrix(), A.constant()};
  if (A.structure() == Structure::sparse) {
    converted = A.sparse_matrix();
    converted.makeCompressed();
    return {factor, &converted, nullptr};
  }
  if (converted.rows() != A.size() || converted.nonZeros() != 3 * A.size()) {
    std::vector<Eigen::Triplet<double>> entries;
    for (Index j = 0; j < A.size(); ++j)
      for (int i = 0; i < 3; ++i) entries.emplace_back(j / 3 * 3 + i, j, 0.0);
    converted.resize(A.size(), A.size());
    converted.setFromTriplets(entries.begin(), entries.end());
  }
  double* values = converted.valuePtr();
  for (Index b = 0; b < A.size() / 3; ++b) MatrixMap(values + 9 * b, 3, 3) = A.blocks()[b];
  return {factor, &converted, nullptr};
}

}  // namespace

Matrix3* IterationMatrix::set_inverse_blocks(Index n, bool symmetric) {
  structure_ = Structure::block_diagonal;
  size_ = n;
  symmetric_ = symmetric;
  inverse_blocks_.resize(static_cast<std::size_t>(n / 3));
  return inverse_blocks_.data();
}

bool IterationMatrix::factor(const Inertia& M) { return factor_sum(M, 0.0, nullptr, 0.0, nullptr); }

bool IterationMatrix::factor(const Inertia& M, double a, const ForceJacobian& dh_dv, double b,
                             const ForceJacobian& dh_dq) {
  const bool with_v = a != 0.0 && dh_dv.structure() != Structure::zero;
  const bool with_q = b != 0.0 && dh_dq.structure() != Structure::zero;
  return factor_sum(M, a, with_v ? &dh_dv : nullptr, b, with_q ? &dh_dq : nullptr);
}

bool IterationMatrix::factor_sum(const Inertia& M, double a, const ForceJacobian* dh_dv, double b,
                                 const ForceJacobian* dh_dq) {
  size_ = M.size();
  structure_ = M.structure();
  if (dh_dv != nullptr) structure_ = richer(structure_, dh_dv->structure());
  if (dh_dq != nullptr) structure_ = richer(structure_, dh_dq->structure());
  symmetric_ = dh_dv == nullptr && dh_dq == nullptr;

  switch (structure_) {
    case Structure::zero: return size_ == 0;
    case Structure::dense: fill_dense(M, dh_dv, a, dh_dq, b, lu_); return factor_dense();
    case Structure::block_diagonal: {
      inverse_blocks_.resize(static_cast<std::size_t>(size_ / 3));
      const Matrix3 *m = blocks_of(&M), *d = blocks_of(dh_dv), *k = blocks_of(dh_dq);
      bool regular = true;
      for (std::size_t i = 0; i < inverse_blocks_.size(); ++i) {
        Matrix3 block = Matrix3::Zero();
        if (m != nullptr) block = m[i];
        if (d != nullptr) block -= a * d[i];
        if (k != nullptr) block -= b * k[i];
        inverse_blocks_[i] = block.inverse();
        regular = regular && std::isfinite(inverse_blocks_[i].sum());
      }
      return regular;
    }
    case Structure::sparse: return factor_sparse(M, a, dh_dv, b, dh_dq);
  }
  return false;
}

bool IterationMatrix::factor_dense() {
  pivots_.resize(static_cast<std::size_t>(size_));
  return lu_factor(lu_.data(), pivots_.data(), size_);
}

bool IterationMatrix::factor_sparse(const Inertia& M, double a, const ForceJacobian* dh_dv, double b,
                                    const ForceJacobian* dh_dq) {
  SparseFactor::Term terms[3];
  std::size_t count = 0;
  terms[count++] = as_term(M, 1.0, converted_[0]);
  if (dh_dv != nullptr) terms[count++] = as_term(*dh_dv, -a, converted_[1]);
  if (dh_dq != nullptr) terms[count++] = as_term(*dh_dq, -b, converted_[2]);
  last_sparse_ = count > 1 ? 1 : 0;
  std::unique_ptr<SparseFactor>& factor = sparse_[last_sparse_];
  if (!factor) factor = std::make_unique<SparseFactor>();
  const bool regular = factor->factor({terms, count}, size_);
  symmetric_ = factor->symmetric();
  if (const ComponentFactor* components = factor->components()) {
    inverse_blocks_.assign(components->inverse_blocks().begin(), components->inverse_blocks().end());
    if (components->coupled().empty()) structure_ = Structure::block_diagonal;
  }
  return regular;
}

const ComponentFactor* IterationMatrix::components() const {
  return structure_ == Structure::sparse ? sparse_[last_sparse_]->components() : nullptr;
}

std::uint64_t IterationMatrix::stamp() const {
  return structure_ == Structure::sparse ? sparse_[last_sparse_]->stamp() : 0;
}

void IterationMatrix::solve(double* x, Index columns) const {
  switch (structure_) {
    case Structure::zero: return;
    case Structure::dense: lu_solve(lu_.data(), pivots_.data(), size_, x, columns); return;
    case Structure::block_diagonal:
      for (Index c = 0; c < columns; ++c, x += size_) solve_blocks(inverse_blocks_, x);
      return;
    case Structure::sparse: sparse_[last_sparse_]->solve(x, columns); return;
  }
}

}  // namespace carom::inline base
