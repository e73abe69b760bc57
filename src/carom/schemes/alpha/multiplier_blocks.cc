#include "carom/schemes/alpha/multiplier_blocks.h"

#include <algorithm>
#include <cmath>

#include "carom/base/at.h"
#include "carom/schemes/alpha/step.h"

namespace carom::inline schemes::alpha {

void MultiplierBlocks::set_pattern(std::span<const Unknown> unknowns, const ConstraintJacobian& W,
                                   const IterationMatrix& M, const IterationMatrix& S, const ForceJacobian& K,
                                   const ForceJacobian& D) {
  W_ = &W;
  gram_M_.begin(W, M, W);
  gram_S_.begin(W, S, W);
  springs_.set(K, M, W);
  if (!springs_.empty()) gram_K_.begin(W, S, springs_.directions());
  dampers_.set(D, M, W);
  if (!dampers_.empty()) gram_D_.begin(W, S, dampers_.directions());
  const std::size_t constraints = at(W.block_count());

  // They come by constraint; within one, by level.
  order_.clear();
  block_of_.assign(unknowns.size(), 0);
  place_.assign(unknowns.size(), 0);
  row_of_.assign(unknowns.size(), 0);
  constraint_begin_.assign(1, 0);
  first_block_.assign(1, 0);
  sizes_.clear();
  std::size_t next = 0;
  for (std::size_t k = 0; k < constraints; ++k) {
    const std::size_t begin = next;
    while (next < unknowns.size() && at(unknowns[next].k) == k) ++next;
    for (const CorrectionLevel level : {smooth_level, position_level, velocity_level}) {
      Index size = 0;
      for (std::size_t j = begin; j < next; ++j) {
        if (unknowns[j].level != level) continue;
        order_.push_back(static_cast<Index>(j));
        row_of_[j] = unknowns[j].row;
        block_of_[j] = static_cast<Index>(sizes_.size());
        place_[j] = size++;
      }
      if (size > 0) sizes_.push_back(size);
    }
    constraint_begin_.push_back(order_.size());
    first_block_.push_back(static_cast<Index>(sizes_.size()));
  }

  neighbours_.clear();
  neighbours_begin_.assign(1, 0);
  columns_.clear();
  row_begin_.assign(1, 0);
  for (std::size_t k = 0; k < constraints; ++k) {
    if (first_block_[k] < first_block_[k + 1])
      for (const Index j : gram_S_.row(static_cast<Index>(k)))
        if (first_block_[at(j)] < first_block_[at(j) + 1]) neighbours_.push_back(j);
    neighbours_begin_.push_back(neighbours_.size());
    for (Index b = first_block_[k]; b < first_block_[k + 1]; ++b) {
      for (std::size_t l = neighbours_begin_[k]; l < neighbours_begin_[k + 1]; ++l)
        for (Index c = first_block_[at(neighbours_[l])]; c < first_block_[at(neighbours_[l]) + 1]; ++c)
          columns_.push_back(c);
      row_begin_.push_back(columns_.size());
    }
  }
  system_.set_pattern(sizes_, row_begin_, columns_);
  offset_.assign(sizes_.size(), 0);
  unknown_root_.assign(static_cast<Index>(unknowns.size()), 1.0);
}

void MultiplierBlocks::begin_constraint(Index k) {
  constraint_ = k;
  now_.clear();
  const Index rows = W_->block(k).rows;
  Index offset = 0, used = 0;
  for (std::size_t l = neighbours_begin_[at(k)]; l < neighbours_begin_[at(k) + 1]; ++l) {
    const Index j = neighbours_[l], data = used;
    now_.push_back({j, data});
    used += rows * W_->block(j).rows;
    const auto product = [&](const GramBlocks& gram, bool there, Buffer& G) {
      if (G.size() < used) G.resize(used);
      std::fill(G.data() + data, G.data() + used, 0.0);
      if (there) gram.add(k, j, G.data() + data);
    };
    product(gram_M_, true, G_M_);
    product(gram_S_, true, G_S_);
    product(gram_K_, !springs_.empty(), G_K_);
    product(gram_D_, !dampers_.empty(), G_D_);
    for (Index b = first_block_[at(j)]; b < first_block_[at(j) + 1]; ++b) offset_[at(b)] = offset++;
    if (j != k) continue;
    for (const Index c : unknowns_of(k)) {
      const Index r = row_of_[at(c)] - W_->block(k).row;
      if (const double own = G_M_[data + r + r * rows]; own > 0.0) unknown_root_[c] = std::sqrt(own);
    }
  }
}

void MultiplierBlocks::add(Index j, Index c, double value) {
  const Index row_block = block_of_[at(j)], column_block = block_of_[at(c)];
  double* block = system_.block(system_.row_begin(row_block) + at(offset_[at(column_block)]));
  block[place_[at(j)] + place_[at(c)] * system_.size(row_block)] += value;
}

bool MultiplierBlocks::solve(Buffer& x) {
  const Index n = system_.rows();
  root_.resize(n);
  right_side_.resize(n);
  solution_.resize(n);
  const auto row = [&](Index j) { return system_.row(block_of_[at(j)]) + place_[at(j)]; };
  for (Index j = 0; j < n; ++j) {
    root_[row(j)] = unknown_root_[j];
    right_side_[row(j)] = x[j];
  }
  system_.scale(root_);
  const bool solved = system_.solve(right_side_.data(), solution_.data());
  for (Index j = 0; j < n; ++j) x[j] = solution_[row(j)];
  return solved;
}

}  // namespace carom::inline schemes::alpha
