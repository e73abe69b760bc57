#include "carom/base/saddle_point.h"

#include <cmath>

namespace carom::inline base {

void SaddlePoint::set(const ConstraintJacobian& W, const IterationMatrix& A) {
  gram_.begin(W, A, W);
  sizes_.clear();
  columns_.clear();
  row_begin_.assign(1, 0);
  for (Index b = 0; b < W.block_count(); ++b) {
    sizes_.push_back(W.block(b).rows);
    for (const Index j : gram_.row(b)) columns_.push_back(j);
    row_begin_.push_back(columns_.size());
  }
  S_.set_pattern(sizes_, row_begin_, columns_);
  root_.assign(W.rows(), 1.0);
  for (Index b = 0; b < W.block_count(); ++b)
    for (std::size_t k = S_.row_begin(b); k < S_.row_end(b); ++k) {
      double* S = S_.block(k);
      gram_.add(b, S_.column(k), S);
      if (S_.column(k) != b) continue;
      for (Index i = 0; i < S_.size(b); ++i)
        if (const double own = S[i + i * S_.size(b)]; own > 0.0) root_[S_.row(b) + i] = std::sqrt(own);
    }
  S_.scale(root_);
}

}  // namespace carom::inline base
