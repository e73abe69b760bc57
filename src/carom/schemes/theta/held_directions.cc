#include "carom/schemes/theta/held_directions.h"

#include <algorithm>

#include "carom/base/at.h"

namespace carom::inline schemes {

namespace {

constexpr double share = 0.1;
constexpr Index three = StructuredMatrix::block_size;

}  // namespace

void HeldDirections::remember(const Evaluation& at) {
  W_ = at.W;
  chi_ = at.chi;
  known_ = true;
}

void HeldDirections::restore(Evaluation& at) const {
  for (std::size_t b = 0; b < held_.size(); ++b)
    if (held_[b] != 0) restore(static_cast<Index>(b), at);
}

void HeldDirections::restore(Index b, Evaluation& at) const {
  const ConstraintJacobian::Block& block = W_.block(b);
  for (Index s = block.segment_begin; s < block.segment_end; ++s) {
    const ConstraintJacobian::Segment& segment = W_.segment(s);
    std::copy_n(W_.entries(segment), block.rows * segment.size, at.W.entries(at.W.segment(s)));
  }
  std::copy_n(chi_.data() + block.row, block.rows, at.chi.data() + block.row);
}

// x' A^-1 x with x = (W_b - W_b of the pass before) Lambda_b.
double HeldDirections::change(Index b, const Matrix3* inverse_blocks, const Buffer& lambda,
                              const Evaluation& at) const {
  const ConstraintJacobian::Block& block = W_.block(b);
  double square = 0.0;
  for (Index s = block.segment_begin; s < block.segment_end; ++s) {
    const ConstraintJacobian::Segment& segment = W_.segment(s);
    if (segment.offset % three != 0 || segment.size % three != 0) return 0.0;
    const double *before = W_.entries(segment), *now = at.W.entries(at.W.segment(s));
    for (Index k = 0; k < segment.size; k += three) {
      Vector3 x = Vector3::Zero();
      for (Index r = 0; r < block.rows; ++r)
        for (Index i = 0; i < three; ++i)
          x[i] += (now[r * segment.size + k + i] - before[r * segment.size + k + i]) * lambda[block.row + r];
      square += x.dot(inverse_blocks[(segment.offset + k) / three] * x);
    }
  }
  return square;
}

bool HeldDirections::hold(const ActiveSet& active, const IterationMatrix& A, const Buffer& lambda, Evaluation& to) {
  if (!known_ || A.structure() != Structure::block_diagonal) return false;
  changes_.assign(active.size(), 0.0);
  double largest = 0.0;
  for (Index b = 0; b < active.size(); ++b) {
    if (active.constraint(b).bilateral) continue;
    changes_[b] = change(b, A.inverse_blocks(), lambda, to);
    largest = std::max(largest, changes_[b]);
  }
  if (!(largest > 0.0)) return false;
  held_.resize(at(active.size()), 0);
  for (Index b = 0; b < active.size(); ++b)
    if (changes_[b] >= share * share * largest) {
      held_[at(b)] = 1;
      restore(b, to);
    }
  return true;
}

}  // namespace carom::inline schemes
