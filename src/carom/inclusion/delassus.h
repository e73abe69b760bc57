// The operator G of an inclusion problem xi = G lambda + c, usually G = Wc' A^-1 Wf. Rows are grouped
// in blocks, one per constraint. Three representations stand behind this interface:
//
//   DenseDelassus        all entries; small problems, and operators assembled by a scheme
//   BlockSparseDelassus  the nonzero blocks; problems from files, repeated products
//   MatrixFreeDelassus   W and A^-1 by 3x3 blocks and coupled components; piles of bodies, memory by contacts
//
// Wc != Wf and a non-symmetric G are legal; symmetric() says which, each solver says what it needs.
// The diagonal blocks G_bb are kept by all three: every solver scales with them.
#pragma once

#include <vector>

#include "carom/base/buffer.h"
#include "carom/base/make_room.h"
#include "carom/base/types.h"

namespace carom::inline base {
class ConstraintJacobian;
}

namespace carom::inline inclusion {

class BlockSparseDelassus;

// G = W' A^-1 W with A block-diagonal by 3x3 blocks, and all segments of W in threes: what methods that work on the
// velocities of the bodies ask for. A need not be symmetric: derivatives of gyroscopic forces are not, so that of all
// bodies only spheres and cubes, and what does not turn, have symmetric blocks.
struct DelassusFactors {
  const ConstraintJacobian* W = nullptr;
  const Matrix3* inverse_blocks = nullptr;  // of A
  Index velocities = 0;
};

struct RowRange {
  Index row;
  Index rows;
};

class Delassus {
 public:
  virtual ~Delassus() = default;

  Index rows() const { return rows_; }
  bool symmetric() const { return symmetric_; }
  Index block_count() const { return static_cast<Index>(partition_.size()); }
  const RowRange& block(Index b) const { return partition_[static_cast<std::size_t>(b)]; }
  const std::vector<RowRange>& partition() const { return partition_; }
  // The diagonal block G_bb, rows x rows, column-major.
  const double* diagonal_block(Index b) const {
    if (diagonal_.empty()) find_diagonal();
    return diagonal_.data() + diagonal_begin_[static_cast<std::size_t>(b)];
  }
  // rho_b, the largest diagonal entry of G_bb, 0 if none is positive: the unit xi_b / lambda_b.
  double rho(Index b) const { return rho_[b]; }

  // y = G lambda
  virtual void multiply(const double* lambda, double* y) const = 0;
  // The same, and scale[b] = sum_j |G_bj lambda_j| (or an upper bound of that order): what rounding
  // acts on.
  virtual void multiply_with_magnitude(const double* lambda, double* y, double* scale) const = 0;
  // Null where G has no such factors, or they are not known.
  virtual const DelassusFactors* factors() const { return nullptr; }
  // All entries, rows x rows column-major, or null where they are not stored.
  virtual const double* dense() const { return nullptr; }
  // Writes all entries, rows x rows column-major (small problems, tests).
  virtual void to_dense(double* G) const = 0;
  // Writes the nonzero blocks (sparse factorisations, files).
  virtual void to_block_sparse(BlockSparseDelassus& out) const = 0;

  // Access for sweeps over the blocks. `running` holds what makes one block's product cheap (the
  // product itself, or the velocity A^-1 Wf lambda) and is kept up to date as single blocks change.
  virtual void sweep_begin(const double* lambda, Buffer& running) const = 0;
  virtual void sweep_product(Index b, const Buffer& running, double* y_b) const = 0;  // (G lambda)_b
  virtual void sweep_update(Index b, const double* change, Buffer& running) const = 0;

 protected:
  // Fixes the blocks and makes room for their diagonal blocks, zero, unless these are left until one is asked for.
  // `Blocks` has block_count() and block(b) with row and rows.
  template <class Blocks>
  void set_partition(const Blocks& blocks, bool with_diagonal = true) {
    make_room(partition_, static_cast<std::size_t>(blocks.block_count()));
    partition_.clear();
    for (Index b = 0; b < blocks.block_count(); ++b) partition_.push_back({blocks.block(b).row, blocks.block(b).rows});
    finish_partition(with_diagonal);
  }
  void finish_partition(bool with_diagonal = true);
  void clear_diagonal() const { diagonal_.assign(diagonal_size_, 0.0); }
  double* diagonal_entries(Index b) const { return diagonal_.data() + diagonal_begin_[static_cast<std::size_t>(b)]; }
  // Once the diagonal blocks are filled.
  void finish_diagonal();
  // Of operators that leave them.
  virtual void find_diagonal() const {}
  void set_rho(Index b, const double* G_bb);
  std::size_t own_bytes() const {
    return partition_.size() * (sizeof(RowRange) + sizeof(Index)) +
           static_cast<std::size_t>(diagonal_.size() + rho_.size()) * sizeof(double);
  }

  Index rows_ = 0;
  bool symmetric_ = true;
  std::vector<RowRange> partition_;

 private:
  std::vector<Index> diagonal_begin_;
  Index diagonal_size_ = 0;
  mutable Buffer diagonal_;
  Buffer rho_;
};

}  // namespace carom::inline inclusion
