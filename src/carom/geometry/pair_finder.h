// Which shapes may touch during a step: pairs of boxes that overlap, in ascending order, in time proportional to their
// number also for sizes far apart.
//
//   items[k].bounds = swept_bounds(shape, pose, velocity, angular_velocity, dt, margin);
//   finder.find(items, excluded, pairs);
//
// Space is cut into cubes, once for every size of box that occurs (powers of two): a box lies in one cube of its own
// size and is looked for only from boxes of its size or smaller, so that each looks at 27 cubes a size, 14 of its
// own. Boxes without bounds (half spaces) are held against all.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/geometry/bounds.h"
#include "carom/geometry/shape.h"

namespace carom::geometry {

struct IndexPair {
  Index first, second;
  bool operator==(const IndexPair&) const = default;
};

// The box that a shape cannot leave while its frame moves with v and turns with omega (both in the world) for dt, with
// `margin` around it.
Bounds swept_bounds(const Shape& shape, const Pose& pose, const Vector3& v, const Vector3& omega, double dt,
                    double margin);

struct FinderItem {
  Bounds bounds;
  Index body = -1;            // items of one body do not meet; -1 is nobody's
  std::uint32_t groups = 1;   // collision groups it belongs to, as bits
  std::uint32_t meets = ~0u;  // groups it touches; both sides must agree
  bool fixed = false;         // two fixed items do not meet
};

// Pairs of bodies that do not touch: neighbours in a joint, or as the user says.
class ExcludedPairs {
 public:
  ExcludedPairs() = default;
  explicit ExcludedPairs(std::vector<IndexPair> bodies);
  bool contains(Index a, Index b) const;

 private:
  std::vector<IndexPair> sorted_;
};

// Holds the memory of the search, which only ever grows.
class PairFinder {
 public:
  void find(std::span<const FinderItem> items, const ExcludedPairs& excluded, std::vector<IndexPair>& pairs);
  std::size_t overlap_tests() const { return overlap_tests_; }  // of the last search

 private:
  struct Cell {
    std::int32_t level, x, y, z;
    bool operator==(const Cell&) const = default;
  };
  void fill_table(std::span<const FinderItem> items);
  std::size_t bucket(const Cell& cell) const;
  void consider(std::span<const FinderItem> items, const ExcludedPairs& excluded, std::size_t i, std::size_t j);
  void sort_into(std::vector<IndexPair>& pairs, std::size_t count);

  std::vector<Cell> cells_;  // of every item that has bounds
  std::vector<Index> unbounded_;
  std::vector<std::int32_t> levels_;  // that occur, ascending
  std::size_t bucket_mask_ = 0;
  std::vector<Index> begin_, members_;
  std::vector<IndexPair> found_;
  std::vector<Index> row_begin_;
  std::size_t overlap_tests_ = 0;
};

}  // namespace carom::geometry
