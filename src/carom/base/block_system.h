// A x = b, A of small dense blocks, sparse: filled block by block, scaled, solved (least_norm_solve.h). Chains and
// trees cost O(n).
#pragma once

#include "carom/base/least_norm_solve.h"

namespace carom::inline base {

class BlockSystem {
 public:
  // Block row b has sizes[b] rows and zero blocks in the columns [begin[b], begin[b + 1]) of `columns`.
  void set_pattern(std::span<const Index> sizes, std::span<const std::size_t> begin, std::span<const Index> columns);
  std::size_t row_begin(Index b) const { return row_begin_[static_cast<std::size_t>(b)]; }
  std::size_t row_end(Index b) const { return row_begin_[static_cast<std::size_t>(b) + 1]; }
  Index column(std::size_t k) const { return columns_[k]; }
  // Block number k, column-major, to be filled.
  double* block(std::size_t k) { return entries_.data() + data_[k]; }

  Index rows() const { return rows_; }
  Index row(Index b) const { return row_[static_cast<std::size_t>(b)]; }
  Index size(Index b) const { return sizes_[static_cast<std::size_t>(b)]; }

  // A_ij becomes A_ij / (root_i root_j), of order one.
  void scale(const Buffer& root);
  // In the units before scaling. Redundant rows: the solution of least norm in the scaled ones. False if the rows
  // contradict each other.
  bool solve(const double* b, double* x);
  // As the last solve found it.
  Index rank() const { return rows_ - solve_.missing; }

 private:
  void fill(double delta);
  double remaining();

  Index rows_ = 0;
  std::vector<Index> sizes_, row_, columns_, data_;
  std::vector<std::size_t> row_begin_;
  Buffer entries_, root_;
  LeastNormSolve solve_;
};

}  // namespace carom::inline base
