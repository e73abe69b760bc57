// G by its nonzero blocks, row after row (block CSR): problems from files, factorisations of large
// problems. A block is rows(b) x rows(j), column-major.
#pragma once

#include <span>
#include <vector>

#include "carom/base/gram_blocks.h"
#include "carom/inclusion/delassus.h"

namespace carom::inline inclusion {

class BlockSparseDelassus : public Delassus {
 public:
  struct Block {
    Index column;  // number of the block column
    Index data;    // first entry
  };

  // G = Wc' A^-1 Wf with A block-diagonal or by components.
  void build(const ConstraintJacobian& Wc, const IterationMatrix& A, const ConstraintJacobian& Wf);

  // G given block by block: begin, add_block in order of rows (columns in any order, each once, the
  // diagonal one may be missing), finish. add_block hands out the zero entries to fill.
  void begin(std::span<const RowRange> partition, bool symmetric);
  double* add_block(Index b, Index j);
  void finish();

  std::span<const Block> row(Index b) const {
    const auto k = static_cast<std::size_t>(b);
    return {blocks_.data() + row_begin_[k], blocks_.data() + row_begin_[k + 1]};
  }
  const double* entries(const Block& block) const { return entries_.data() + block.data; }
  std::span<const std::size_t> row_begin() const { return row_begin_; }
  std::size_t bytes() const {
    return own_bytes() + row_begin_.size() * sizeof(std::size_t) + blocks_.size() * sizeof(Block) +
           static_cast<std::size_t>(entries_.size()) * sizeof(double) + gram_.bytes();
  }

  void multiply(const double* lambda, double* y) const override;
  void multiply_with_magnitude(const double* lambda, double* y, double* scale) const override;
  void to_dense(double* G) const override;
  void to_block_sparse(BlockSparseDelassus& out) const override { out = *this; }

  // running = lambda itself: one block row is read per product.
  void sweep_begin(const double* lambda, Buffer& running) const override;
  void sweep_product(Index b, const Buffer& running, double* y_b) const override;
  void sweep_update(Index b, const double* change, Buffer& running) const override;

 private:
  void row_product(Index b, const double* lambda, double* y_b) const;

  std::vector<std::size_t> row_begin_;
  std::vector<Block> blocks_;
  Buffer entries_;
  GramBlocks gram_;  // of build
};

}  // namespace carom::inline inclusion
