#include "carom/inclusion/delassus.h"

#include <algorithm>
#include <limits>

namespace carom::inline inclusion {

void Delassus::finish_partition() {
  rows_ = 0;
  diagonal_begin_.clear();
  Index begin = 0;
  for (const RowRange& range : partition_) {
    diagonal_begin_.push_back(begin);
    begin += range.rows * range.rows;
    rows_ += range.rows;
  }
  diagonal_.assign(begin, 0.0);
}

void Delassus::finish_diagonal() {
  rho_.assign(block_count(), 0.0);
  for (Index b = 0; b < block_count(); ++b) {
    const Index n = block(b).rows;
    const double* G = diagonal_block(b);
    for (Index i = 0; i < n; ++i) rho_[b] = std::max(rho_[b], G[i + i * n]);
    if (rho_[b] < std::numeric_limits<double>::min()) rho_[b] = 0.0;  // denormal: nothing moves it
  }
}

}  // namespace carom::inline inclusion
