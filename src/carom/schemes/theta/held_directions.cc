#include "carom/schemes/theta/held_directions.h"

#include <algorithm>

#include "carom/base/at.h"

namespace carom::inline schemes {

namespace {

constexpr double share = 0.1;
constexpr Index three = StructuredMatrix::block_size;
constexpr Index piece_size = 1024;

}  // namespace

void HeldDirections::restore(Evaluation& at) const {
  for (Index b = 0; b < static_cast<Index>(held_.size()); ++b)
    if (is_held(b)) restore(b, at);
}

void HeldDirections::restore(Index b, Evaluation& at) const {
  const ConstraintJacobian::Block &kept = W_.block(held_[base::at(b)]), &block = at.W.block(b);
  for (Index k = 0; k < kept.segment_end - kept.segment_begin; ++k) {
    const ConstraintJacobian::Segment& segment = W_.segment(kept.segment_begin + k);
    std::copy_n(W_.entries(segment), kept.rows * segment.size, at.W.entries(at.W.segment(block.segment_begin + k)));
  }
  std::copy_n(chi_.data() + kept.row, kept.rows, at.chi.data() + block.row);
}

void HeldDirections::keep(Index b, Index in_piece, const ActiveSet& active) {
  const ConstraintJacobian::Block& block = before_.W.block(in_piece);
  held_.resize(base::at(active.size()), nobody);
  held_[base::at(b)] = W_.block_count();
  const Index row = W_.rows();
  W_.append_leading_rows(before_.W, in_piece, block.rows);
  chi_.resize(W_.rows());
  std::copy_n(before_.chi.data() + block.row, block.rows, chi_.data() + row);
}

// x' A^-1 x with x = (W_b - W_b of the pass before) Lambda_b.
double HeldDirections::change(Index in_piece, Index b, const Matrix3* inverse_blocks, const Buffer& lambda,
                              const Evaluation& at) const {
  const ConstraintJacobian::Block &old = before_.W.block(in_piece), &block = at.W.block(b);
  double square = 0.0;
  for (Index n = 0; n < old.segment_end - old.segment_begin; ++n) {
    const ConstraintJacobian::Segment& segment = before_.W.segment(old.segment_begin + n);
    if (segment.offset % three != 0 || segment.size % three != 0) return 0.0;
    const double *before = before_.W.entries(segment), *now = at.W.entries(at.W.segment(block.segment_begin + n));
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

bool HeldDirections::hold(const System& system, double t, const Vector& v, const ActiveSet& active,
                          const IterationMatrix& A, const Buffer& lambda, Evaluation& to) {
  if (!known_ || A.structure() != Structure::block_diagonal) return false;
  // Contacts that may turn and are wanted, a piece at a time: act(block, its number in the piece).
  const auto each = [&](const auto& wanted, const auto& act) {
    for (Index begin = 0; begin < active.size();) {
      piece_.reset(active.contacts());
      Index b = begin;
      for (; b < active.size() && piece_.size() < piece_size; ++b)
        if (!active.constraint(b).bilateral && !is_held(b) && wanted(b)) piece_.add(active[b]);
      if (!piece_.empty()) system.evaluate(t, q_before_, v, Need::jacobian, piece_, before_);
      for (Index i = begin, k = 0; k < piece_.size(); ++i)
        if (active[i] == piece_[k]) act(i, k++);
      begin = b;
    }
  };
  before_.intermediates = to.intermediates;  // places are found for one position at a time
  changes_.assign(active.size(), 0.0);
  double largest = 0.0;
  each([](Index) { return true; },
       [&](Index b, Index in_piece) {
         changes_[b] = change(in_piece, b, A.inverse_blocks(), lambda, to);
         largest = std::max(largest, changes_[b]);
       });
  if (!(largest > 0.0)) return false;
  each([&](Index b) { return changes_[b] >= share * share * largest; },
       [&](Index b, Index in_piece) {
         keep(b, in_piece, active);
         restore(b, to);
       });
  return true;
}

}  // namespace carom::inline schemes
