#include "carom/base/gram_blocks.h"

#include <algorithm>

namespace carom::inline base {

namespace {

constexpr Index size = StructuredMatrix::block_size;

// The part of G_bj that goes through common 3-blocks of velocities of one segment of each.
void add_product(const ConstraintJacobian& Wc, const ConstraintJacobian::Segment& sb, Index rows_b,
                 const Matrix3* inverse, const ComponentFactor* components, const ConstraintJacobian& Wf,
                 const ConstraintJacobian::Segment& sj, Index rows_j, double* G) {
  const Index begin = std::max(sb.offset, sj.offset);
  const Index end = std::min(sb.offset + sb.size, sj.offset + sj.size);
  for (Index k = begin; k < end; k += size) {
    if (components != nullptr && components->component_of(k) >= 0) continue;
    for (Index c = 0; c < rows_j; ++c) {
      const double* w = Wf.entries(sj) + c * sj.size + (k - sj.offset);
      const Vector3 velocity = inverse[k / size] * Eigen::Map<const Vector3>(w);
      for (Index r = 0; r < rows_b; ++r)
        G[r + c * rows_b] += velocity.dot(Eigen::Map<const Vector3>(Wc.entries(sb) + r * sb.size + (k - sb.offset)));
    }
  }
}

// What a segment touches, by number: its 3-blocks, or the components they belong to.
template <class Act>
void each_touched(const ConstraintJacobian::Segment& segment, const ComponentFactor* components, Index blocks,
                  Act act) {
  for (Index v = segment.offset; v < segment.offset + segment.size; v = size * (v / size) + size) {
    const Index component = components != nullptr ? components->component_of(v) : -1;
    act(static_cast<std::size_t>(component >= 0 ? blocks + component : v / size));
  }
}

}  // namespace

void GramBlocks::begin(const ConstraintJacobian& Wc, const IterationMatrix& A, const ConstraintJacobian& Wf) {
  Wc_ = &Wc;
  Wf_ = &Wf;
  A_ = &A;
  components_ = A.components();
  if (components_ != nullptr)
    columns_.build(Wf, *components_, true);
  else
    columns_.clear();
  blocks_ = (A.size() + size - 1) / size;
  const std::size_t coupled = components_ != nullptr ? components_->coupled().size() : 0;
  touching_.resize(std::max(touching_.size(), static_cast<std::size_t>(blocks_) + coupled));
  for (auto& list : touching_) list.clear();
  for (Index j = 0; j < Wf.block_count(); ++j)
    for (Index s = Wf.block(j).segment_begin; s < Wf.block(j).segment_end; ++s)
      each_touched(Wf.segment(s), components_, blocks_, [&](std::size_t k) {
        if (touching_[k].empty() || touching_[k].back() != j) touching_[k].push_back(j);
      });
}

std::span<const Index> GramBlocks::row(Index b) {
  const ConstraintJacobian::Block& at = Wc_->block(b);
  neighbours_.clear();
  for (Index s = at.segment_begin; s < at.segment_end; ++s)
    each_touched(Wc_->segment(s), components_, blocks_, [&](std::size_t k) {
      neighbours_.insert(neighbours_.end(), touching_[k].begin(), touching_[k].end());
    });
  std::sort(neighbours_.begin(), neighbours_.end());
  neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
  return neighbours_;
}

void GramBlocks::add(Index b, Index j, double* G) const {
  const ConstraintJacobian::Block &at = Wc_->block(b), &to = Wf_->block(j);
  for (Index s = at.segment_begin; s < at.segment_end; ++s)
    for (Index t = to.segment_begin; t < to.segment_end; ++t)
      add_product(*Wc_, Wc_->segment(s), at.rows, A_->inverse_blocks(), components_, *Wf_, Wf_->segment(t), to.rows, G);
  for (const ComponentColumns::Part& part : columns_.parts(j))
    add_component_product(*Wc_, b, *components_, part.component, columns_.columns(part), to.rows, G);
}

}  // namespace carom::inline base
