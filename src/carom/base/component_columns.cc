#include "carom/base/component_columns.h"

#include <algorithm>

#include "carom/base/at.h"
#include "carom/base/block_lu.h"

namespace carom::inline base {

namespace {

// force += W_bc lambda in the component's own numbers.
void add_force(const ConstraintJacobian& W, Index b, const ComponentFactor& A, Index component, const double* lambda,
               double* force) {
  const ConstraintJacobian::Block& block = W.block(b);
  for (Index s = block.segment_begin; s < block.segment_end; ++s) {
    const ConstraintJacobian::Segment& segment = W.segment(s);
    const double* w = W.entries(segment);
    for (Index i = 0; i < segment.size; ++i) {
      const Index velocity = segment.offset + i;
      if (A.component_of(velocity) != component) continue;
      double& sum = force[A.number_of(velocity)];
      for (Index r = 0; r < block.rows; ++r) sum += w[i + r * segment.size] * lambda[r];
    }
  }
}

}  // namespace

void ComponentColumns::build(const ConstraintJacobian& W, const ComponentFactor& A, bool keep_all) {
  W_ = &W;
  A_ = &A;
  part_begin_.assign(1, 0);
  parts_.clear();
  rows_.assign(A.coupled().size(), 0);
  for (Index b = 0; b < W.block_count(); ++b) {
    const ConstraintJacobian::Block& block = W.block(b);
    const std::size_t first = parts_.size();
    for (Index s = block.segment_begin; s < block.segment_end; ++s) {
      const ConstraintJacobian::Segment& segment = W.segment(s);
      for (Index v = segment.offset; v < segment.offset + segment.size; v = 3 * (v / 3) + 3) {
        const Index c = A.component_of(v);
        const auto known = [c](const Part& part) { return part.component == c; };
        if (c < 0 || std::any_of(parts_.begin() + static_cast<std::ptrdiff_t>(first), parts_.end(), known)) continue;
        parts_.push_back({c, -1});
        rows_[at(c)] += block.rows;
      }
    }
    part_begin_.push_back(parts_.size());
  }

  Index used = 0;
  for (Index b = 0; b < W.block_count(); ++b)
    for (std::size_t p = part_begin_[at(b)]; p < part_begin_[at(b) + 1]; ++p) {
      const Index size = A.coupled()[at(parts_[p].component)].size();
      if (!keep_all && size > ComponentFactor::dense_limit && rows_[at(parts_[p].component)] > kept_rows) continue;
      parts_[p].data = used;
      used += size * W.block(b).rows;
    }
  columns_.assign(used, 0.0);
  for (Index b = 0; b < W.block_count(); ++b)
    for (const Part& part : parts(b)) {
      if (part.data < 0) continue;
      const ComponentFactor::Component& component = A.coupled()[at(part.component)];
      double* column = columns_.data() + part.data;
      for (Index r = 0; r < W.block(b).rows; ++r, column += component.size()) {
        double unit[BlockLu::largest_block] = {};
        unit[r] = 1.0;
        add_force(W, b, A, part.component, unit, column);
        component.solve(column);
      }
    }
}

const double* ComponentColumns::response(Index b, const Part& part, const double* lambda) const {
  const ComponentFactor::Component& component = A_->coupled()[at(part.component)];
  const Index n = component.size();
  scratch_.assign(n, 0.0);
  if (part.data < 0) {
    add_force(*W_, b, *A_, part.component, lambda, scratch_.data());
    component.solve(scratch_.data());
    return scratch_.data();
  }
  const double* column = columns_.data() + part.data;
  for (Index r = 0; r < W_->block(b).rows; ++r, column += n)
    for (Index i = 0; i < n; ++i) scratch_[i] += column[i] * lambda[r];
  return scratch_.data();
}

void ComponentColumns::add_response(Index b, const Part& part, const double* lambda, double* velocity) const {
  const double* u = response(b, part, lambda);
  const std::vector<Index>& velocities = A_->coupled()[at(part.component)].velocities();
  for (std::size_t i = 0; i < velocities.size(); ++i) velocity[velocities[i]] += u[i];
}

std::size_t ComponentColumns::bytes() const {
  return at(columns_.size() + scratch_.size()) * sizeof(double) + parts_.size() * sizeof(Part) +
         part_begin_.size() * sizeof(std::size_t) + rows_.size() * sizeof(Index);
}

void add_component_product(const ConstraintJacobian& W, Index b, const ComponentFactor& A, Index component,
                           const double* u, Index columns, double* G) {
  const ConstraintJacobian::Block& block = W.block(b);
  const Index n = A.coupled()[at(component)].size();
  for (Index s = block.segment_begin; s < block.segment_end; ++s) {
    const ConstraintJacobian::Segment& segment = W.segment(s);
    const double* w = W.entries(segment);
    for (Index i = 0; i < segment.size; ++i) {
      const Index velocity = segment.offset + i;
      if (A.component_of(velocity) != component) continue;
      const double* own = u + A.number_of(velocity);
      for (Index c = 0; c < columns; ++c)
        for (Index r = 0; r < block.rows; ++r) G[r + c * block.rows] += w[i + r * segment.size] * own[c * n];
    }
  }
}

}  // namespace carom::inline base
