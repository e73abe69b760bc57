// Which balls overlap: every pair i < j with |x_i - x_j| <= r_i + r_j, in ascending order, in time
// proportional to their number for balls of similar size.
//
// Space is cut into cubes as wide as the largest ball; overlapping balls then lie in the same or in
// neighbouring cubes. Cubes are found through a hash table that is rebuilt by counting. A few balls
// much larger than the usual one would make the cubes useless: those are held against all others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/base/types.h"

namespace carom {

struct Ball {
  Vector3 centre;
  double radius;
};

struct IndexPair {
  Index first, second;
  bool operator==(const IndexPair&) const = default;
};

// Holds the memory of the search, which only ever grows.
class BroadPhase {
 public:
  void find(std::span<const Ball> balls, std::vector<IndexPair>& pairs);
  std::size_t overlap_tests() const { return overlap_tests_; }  // of the last search

 private:
  using Cell = std::array<std::int32_t, 3>;

  double cell_width(std::span<const Ball> balls);
  std::size_t bucket(const Cell& cell) const;
  void fill_table(std::span<const Ball> balls);
  void gather_small(std::span<const Ball> balls, Index i);
  void gather_large(std::span<const Ball> balls, Index i);

  double width_ = 1.0;
  std::size_t overlap_tests_ = 0;
  std::vector<double> radii_;
  std::vector<Cell> cells_;   // of every ball
  std::vector<Index> large_;  // balls wider than a cell, ascending
  std::vector<char> is_large_;
  std::size_t bucket_mask_ = 0;
  std::vector<Index> begin_;    // bucket b holds members_[begin_[b + 1] .. begin_[b + 2])
  std::vector<Index> members_;  // ascending within a bucket
  std::vector<Index> found_;    // partners of one ball
};

}  // namespace carom
