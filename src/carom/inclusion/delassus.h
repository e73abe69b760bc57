// The operator G of an inclusion problem xi = G lambda + c, usually G = Wc' A^-1 Wf. Rows are grouped
// in blocks, one per constraint. Three representations stand behind this interface:
//
//   DenseDelassus        all entries; small problems, and operators assembled by a scheme
//   BlockSparseDelassus  the nonzero blocks; problems from files, repeated products
//   MatrixFreeDelassus   W and the 3x3 blocks of A^-1; piles of bodies, nothing grows but the contacts
//
// Wc != Wf and a non-symmetric G are legal; symmetric() says which, each solver says what it needs.
#pragma once

#include <vector>

#include "carom/base/buffer.h"
#include "carom/base/types.h"

namespace carom {

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

  // y = G lambda
  virtual void multiply(const double* lambda, double* y) const = 0;
  // The diagonal block G_bb, rows x rows, column-major.
  virtual const double* diagonal_block(Index b) const = 0;
  // scale[b] = sum_j |G_bj lambda_j|, or an upper bound of that order: what rounding acts on.
  virtual void magnitude(const double* lambda, double* scale) const = 0;
  // All entries, rows x rows column-major, or null where they are not stored.
  virtual const double* dense() const { return nullptr; }
  // Writes all entries, rows x rows column-major (tests, small problems, files).
  virtual void to_dense(double* G) const;

  // Access for sweeps over the blocks. `running` holds what makes one block's product cheap (the
  // product itself, or the velocity A^-1 Wf lambda) and is kept up to date as single blocks change.
  virtual void sweep_begin(const double* lambda, Buffer& running) const = 0;
  virtual void sweep_product(Index b, const Buffer& running, double* y_b) const = 0;  // (G lambda)_b
  virtual void sweep_update(Index b, const double* change, Buffer& running) const = 0;

 protected:
  Index rows_ = 0;
  bool symmetric_ = true;
  std::vector<RowRange> partition_;
};

}  // namespace carom
