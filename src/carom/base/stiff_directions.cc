#include "carom/base/stiff_directions.h"

#include <algorithm>

#include "carom/base/errors.h"

namespace carom::inline base {

void StiffDirections::set(const StructuredMatrix& K, const IterationMatrix& M, const ConstraintJacobian& W) {
  constexpr Index size = StructuredMatrix::block_size;
  directions_.clear();
  empty_ = K.structure() == Structure::zero;
  if (empty_) return;
  if (M.structure() != Structure::block_diagonal || K.structure() == Structure::dense)
    throw LogicError("directions of stiffness need bodies in blocks");
  const Index n = M.size();
  is_touched_.resize(static_cast<std::size_t>(n / size), 0);
  const auto touch = [&](Index block) {
    if (is_touched_[static_cast<std::size_t>(block)]) return;
    is_touched_[static_cast<std::size_t>(block)] = 1;
    touched_.push_back(block);
  };
  for (Index b = 0; b < W.block_count(); ++b) {
    const ConstraintJacobian::Block& block = W.block(b);
    if (load_.size() < n * block.rows) load_.resize(n * block.rows);
    for (Index s = block.segment_begin; s < block.segment_end; ++s) {
      const ConstraintJacobian::Segment& segment = W.segment(s);
      for (Index r = 0; r < block.rows; ++r) {
        double* load = load_.data() + r * n;
        for (Index i = 0; i < segment.size; i += size) {
          const Index k = (segment.offset + i) / size;
          const Vector3 velocity =
              M.inverse_blocks()[k] * Eigen::Map<const Vector3>(W.entries(segment) + r * segment.size + i);
          if (K.structure() == Structure::block_diagonal) {
            Eigen::Map<Vector3>(load + size * k) += K.blocks()[k] * velocity;
            touch(k);
            continue;
          }
          for (Index c = 0; c < size; ++c)
            for (StructuredMatrix::Sparse::InnerIterator entry(K.sparse_matrix(), size * k + c); entry; ++entry) {
              load[entry.row()] += entry.value() * velocity[c];
              touch(static_cast<Index>(entry.row()) / size);
            }
        }
      }
    }
    directions_.add_block(block.rows);
    std::sort(touched_.begin(), touched_.end());
    for (const Index k : touched_) {
      double* entries = directions_.add_segment(size * k, size);
      for (Index r = 0; r < block.rows; ++r)
        for (Index i = 0; i < size; ++i) {
          entries[r * size + i] = load_[r * n + size * k + i];
          load_[r * n + size * k + i] = 0.0;
        }
      is_touched_[static_cast<std::size_t>(k)] = 0;
    }
    touched_.clear();
  }
}

}  // namespace carom::inline base
