// Sparse LU factorisation of a matrix of small dense blocks whose pattern is symmetric: what joints and contacts of a
// model couple. Blocks are eliminated by minimum degree, so that chains and trees cost and hold O(n); rows are
// exchanged within a diagonal block only. That is enough for the matrices of inclusions: their diagonal blocks stay
// regular unless the rows are redundant, and that is seen: pivots that vanish are counted and left out, and the caller
// regularises.
//
// Pattern and memory stay from one factorisation to the next; nothing is analysed again while the pattern is the same.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "carom/base/buffer.h"
#include "carom/base/types.h"

namespace carom::inline base {

class BlockLu {
 public:
  static constexpr Index largest_block = 6;

  // Block b has sizes[b] rows; its entries stand in the columns [begin[b], begin[b + 1]) of `columns`. What is missing
  // for a symmetric pattern with a full diagonal is added.
  void set_pattern(std::span<const Index> sizes, std::span<const std::size_t> begin, std::span<const Index> columns);
  // Before entries are added. Only this makes their memory: who asks for the work of a factorisation may find it too
  // much.
  void set_zero();
  // The entry number k of the pattern, column-major, to be added to.
  double* block(std::size_t k) { return values_.data() + places_[k]; }
  double* diagonal(Index b) {
    return values_.data() + diagonal_[static_cast<std::size_t>(position_[static_cast<std::size_t>(b)])];
  }

  // Destroys the entries. Returns how many pivots vanished: at most `rank_tolerance` times the largest entry of their
  // diagonal block before elimination.
  Index factor(double rank_tolerance);
  // x := A^-1 x, rows in the order of the blocks.
  void solve(double* x);

  Index rows() const { return rows_; }
  // Multiplications of a factorisation and of a solve.
  double factor_work() const { return factor_work_; }
  double solve_work() const { return static_cast<double>(entries_); }
  std::size_t bytes() const;
  // How often a pattern was analysed: tests count the work that was saved.
  long analyses() const { return analyses_; }

 private:
  struct Link {
    Index to;                  // position of the later block
    std::size_t upper, lower;  // where A(p, to) and A(to, p) stand
  };

  bool same_pattern(std::span<const Index> sizes, std::span<const std::size_t> begin,
                    std::span<const Index> columns) const;
  void order();
  void lay_out();

  // The pattern as given.
  std::vector<Index> sizes_, columns_;
  std::vector<std::size_t> begin_;
  // By position in the order of elimination: the number of a block, its size, diagonal, first row; links to later ones.
  std::vector<Index> number_, position_, size_, row_;
  std::vector<std::size_t> diagonal_, link_begin_;
  std::vector<Link> links_;
  std::vector<std::size_t> places_;
  Buffer values_, scale_;
  Index rows_ = 0, entries_ = 0;
  double factor_work_ = 0.0;
  long analyses_ = 0;

  // Scratch of the ordering.
  std::vector<std::vector<Index>> graph_, buckets_;
  std::vector<Index> degree_, mark_;
  std::vector<char> gone_;
};

}  // namespace carom::inline base
