#include "carom/inclusion/delassus.h"

#include <algorithm>
#include <limits>

namespace carom::inline inclusion {

void Delassus::finish_partition(bool with_diagonal) {
  rows_ = 0;
  make_room(diagonal_begin_, partition_.size());
  diagonal_begin_.clear();
  diagonal_size_ = 0;
  for (const RowRange& range : partition_) {
    diagonal_begin_.push_back(diagonal_size_);
    diagonal_size_ += range.rows * range.rows;
    rows_ += range.rows;
  }
  rho_.assign(block_count(), 0.0);
  diagonal_.clear();
  if (with_diagonal) clear_diagonal();
}

void Delassus::finish_diagonal() {
  for (Index b = 0; b < block_count(); ++b) set_rho(b, diagonal_block(b));
}

void Delassus::set_rho(Index b, const double* G_bb) {
  const Index n = block(b).rows;
  rho_[b] = 0.0;
  for (Index i = 0; i < n; ++i) rho_[b] = std::max(rho_[b], G_bb[i + i * n]);
  if (rho_[b] < std::numeric_limits<double>::min()) rho_[b] = 0.0;  // denormal: nothing moves it
}

}  // namespace carom::inline inclusion
