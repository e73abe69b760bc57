// A square matrix that knows its structure, so that nothing above has to assume one: the inertia and
// the force derivatives of a system.
//
//   zero            no entries                        constant forces
//   dense           column-major, small               mechanisms in minimal coordinates
//   block_diagonal  3x3 blocks along the diagonal     free rigid bodies (translation, rotation)
//   sparse          compressed columns                flexible bodies, coupled springs
#pragma once

#include <Eigen/SparseCore>
#include <memory>
#include <vector>

#include "carom/base/buffer.h"
#include "carom/base/constant_matrix.h"
#include "carom/base/types.h"

namespace carom::inline base {

enum class Structure { zero, dense, block_diagonal, sparse };

class StructuredMatrix {
 public:
  using Sparse = Eigen::SparseMatrix<double>;
  static constexpr Index block_size = 3;

  Index size() const { return size_; }
  Structure structure() const { return structure_; }

  // Each of these fixes structure and size and hands out the entries to fill. Entries keep their old
  // values when neither changes: what is constant need not be filled again.
  void set_zero(Index n) {
    structure_ = Structure::zero;
    size_ = n;
  }
  double* dense(Index n) {
    structure_ = Structure::dense;
    size_ = n;
    dense_.resize(n * n);
    return dense_.data();
  }
  Matrix3* block_diagonal(Index n) {
    structure_ = Structure::block_diagonal;
    size_ = n;
    blocks_.resize(static_cast<std::size_t>(n / block_size));
    return blocks_.data();
  }
  Sparse& sparse(Index n) {
    structure_ = Structure::sparse;
    size_ = n;
    constant_.reset();
    if (sparse_.rows() != n) sparse_.resize(n, n);
    return sparse_;
  }
  // Sparse and constant: nothing is copied, and who has factored it recognises it.
  void share(const std::shared_ptr<const ConstantMatrix>& constant) {
    structure_ = Structure::sparse;
    size_ = constant->size();
    if (constant_ != constant) constant_ = constant;
  }

  const double* dense_data() const { return dense_.data(); }
  const Matrix3* blocks() const { return blocks_.data(); }
  // sparse only:
  const Sparse& sparse_matrix() const { return constant_ ? constant_->sparse() : sparse_; }
  const std::shared_ptr<const ConstantMatrix>& constant() const { return constant_; }  // null: may change

  // y += factor A x
  void multiply_add(double factor, const double* x, double* y) const;

 private:
  Structure structure_ = Structure::zero;
  Index size_ = 0;
  Buffer dense_;
  std::vector<Matrix3> blocks_;
  Sparse sparse_;
  std::shared_ptr<const ConstantMatrix> constant_;
};

using Inertia = StructuredMatrix;
using ForceJacobian = StructuredMatrix;

}  // namespace carom::inline base
