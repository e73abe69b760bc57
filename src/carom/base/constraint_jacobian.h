// The force directions W of a list of constraints, kept as the blocks they are made of: one block per
// constraint, and in it one dense segment per group of velocities it touches (all of them for a
// mechanism in minimal coordinates, six per rigid body, the node's for a flexible body).
//
// Storage is by rows of W': row r of a segment holds d gamma_r / d v[offset .. offset + size).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "carom/base/buffer.h"
#include "carom/base/make_room.h"
#include "carom/base/types.h"

namespace carom::inline base {

class ConstraintJacobian {
 public:
  struct Block {
    Index row;  // first row
    Index rows;
    Index segment_begin, segment_end;
    bool operator==(const Block&) const = default;
  };
  struct Segment {
    Index offset;  // first velocity
    Index size;
    Index data;  // first entry; rows x size, row after row
    bool operator==(const Segment&) const = default;
  };

  void clear() {
    blocks_.clear();
    segments_.clear();
    used_ = 0;
    rows_ = 0;
  }

  // Appends a constraint of `rows` rows; its segments follow.
  void add_block(Index rows) {
    const Index next = static_cast<Index>(segments_.size());
    make_room_behind(blocks_);
    blocks_.push_back({rows_, rows, next, next});
    rows_ += rows;
  }
  // Appends a segment to the last block and hands out its rows x size entries, zero, to fill. The
  // pointer is good until the next call.
  double* add_segment(Index offset, Index size) {
    const Index count = blocks_.back().rows * size;
    make_room_behind(segments_);
    segments_.push_back({offset, size, used_});
    ++blocks_.back().segment_end;
    if (used_ + count > entries_.size()) grow(used_ + count);
    double* entries = entries_.data() + used_;
    for (Index i = 0; i < count; ++i) entries[i] = 0.0;
    used_ += count;
    return entries;
  }

  // The same blocks with the same entries.
  bool operator==(const ConstraintJacobian& other) const;

  Index rows() const { return rows_; }
  Index block_count() const { return static_cast<Index>(blocks_.size()); }
  const Block& block(Index b) const { return blocks_[static_cast<std::size_t>(b)]; }
  const Segment& segment(Index s) const { return segments_[static_cast<std::size_t>(s)]; }
  const double* entries(const Segment& segment) const { return entries_.data() + segment.data; }
  double* entries(const Segment& segment) { return entries_.data() + segment.data; }

  // gamma[row..] = W_b' v of one block, and of all.
  void transpose_multiply(Index b, const double* v, double* gamma) const;
  void transpose_multiply(const double* v, double* gamma) const;
  // Y = W' X for several columns: those of X `stride` apart, Y is rows() x columns.
  void transpose_multiply(const double* X, Index stride, Index columns, double* Y) const;
  // The same of one block, columns of Y `ld` apart.
  void transpose_multiply(const Block& block, const double* X, Index stride, Index columns, double* Y, Index ld) const;
  // y += W_b lambda_b of one block, and of all.
  void multiply_add(Index b, const double* lambda, double* y) const;
  void multiply_add(const double* lambda, double* y) const;
  // W as a dense matrix, nv x rows(), column after column.
  void to_columns(Index nv, Buffer& columns) const;
  // Appends the first `rows` rows of a block of another, and all its blocks.
  void append_leading_rows(const ConstraintJacobian& other, Index b, Index rows);
  void append(const ConstraintJacobian& other);
  // The first `rows` rows of every listed block: what exists on position level.
  void assign_leading_rows(const ConstraintJacobian& other, std::span<const Index> blocks, std::span<const Index> rows);

 private:
  // A little ahead: what is written becomes memory in use, what is only reserved does not.
  void grow(Index least) {
    constexpr Index most_ahead = 4096;
    entries_.resize(least + std::min(least, most_ahead));
  }

  Index rows_ = 0;
  std::vector<Block> blocks_;
  std::vector<Segment> segments_;
  Buffer entries_;  // grows ahead of what is used
  Index used_ = 0;
};

}  // namespace carom::inline base
