#include "carom/base/matrix_assembly.h"

#include <algorithm>

namespace carom::inline base {

namespace {

constexpr Index side = StructuredMatrix::block_size;

bool same_pattern(const StructuredMatrix::Sparse& a, const StructuredMatrix::Sparse& b) {
  return a.cols() == b.cols() && a.nonZeros() == b.nonZeros() && a.isCompressed() &&
         std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.cols() + 1, b.outerIndexPtr()) &&
         std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), b.innerIndexPtr());
}

}  // namespace

bool MatrixAssembly::block_diagonal() const {
  if (size_ % side != 0) return false;
  return std::all_of(blocks_.begin(), blocks_.end(), [](const Block& b) {
    const Index place = b.row / side;
    return b.column / side == place && (b.row + b.rows - 1) / side == place &&
           (b.column + b.columns - 1) / side == place;
  });
}

void MatrixAssembly::finish(Index size, Index dense_limit) {
  size_ = size;
  slots_.clear();
  if (blocks_.empty())
    structure_ = Structure::zero;
  else if (block_diagonal())
    structure_ = Structure::block_diagonal;
  else if (size <= dense_limit)
    structure_ = Structure::dense;
  else
    structure_ = Structure::sparse;
  one_block_ = blocks_.size() == 1 && blocks_[0].rows == size && blocks_[0].columns == size &&
               (structure_ == Structure::dense || (structure_ == Structure::block_diagonal && size == side));
  if (structure_ != Structure::sparse) return;

  std::vector<Eigen::Triplet<double>> entries;
  for (const Block& b : blocks_)
    for (Index j = 0; j < b.columns; ++j)
      for (Index i = 0; i < b.rows; ++i) entries.emplace_back(b.row + i, b.column + j, 0.0);
  pattern_.resize(size, size);
  pattern_.setFromTriplets(entries.begin(), entries.end());
  pattern_.makeCompressed();
  slots_.reserve(entries.size());
  for (const auto& entry : entries) {
    const int* begin = pattern_.innerIndexPtr() + pattern_.outerIndexPtr()[entry.col()];
    const int* end = pattern_.innerIndexPtr() + pattern_.outerIndexPtr()[entry.col() + 1];
    slots_.push_back(static_cast<int>(std::lower_bound(begin, end, entry.row()) - pattern_.innerIndexPtr()));
  }
}

void MatrixAssembly::Writer::begin() {
  const Index n = assembly_.size_;
  switch (assembly_.structure_) {
    case Structure::zero: out_.set_zero(n); break;
    case Structure::block_diagonal:
      blocks_ = out_.block_diagonal(n);
      std::fill_n(blocks_, n / side, Matrix3::Zero());
      break;
    case Structure::dense:
      values_ = out_.dense(n);
      std::fill_n(values_, n * n, 0.0);
      break;
    case Structure::sparse: {
      StructuredMatrix::Sparse& sparse = out_.sparse(n);
      if (!same_pattern(sparse, assembly_.pattern_)) sparse = assembly_.pattern_;
      values_ = sparse.valuePtr();
      std::fill_n(values_, sparse.nonZeros(), 0.0);
      break;
    }
  }
}

void MatrixAssembly::Writer::add(const double* entries) {
  if (double* whole = take()) {
    std::copy_n(entries, assembly_.size_ * assembly_.size_, whole);
    return;
  }
  const Block& b = assembly_.blocks_[next_++];
  switch (assembly_.structure_) {
    case Structure::zero: break;
    case Structure::block_diagonal: {
      Matrix3& block = blocks_[b.row / side];
      if (b.rows == side && b.columns == side) {  // the whole of it
        double* values = block.data();
        for (Index k = 0; k < side * side; ++k) values[k] += entries[k];
        break;
      }
      for (Index j = 0; j < b.columns; ++j)
        for (Index i = 0; i < b.rows; ++i) block(b.row % side + i, b.column % side + j) += entries[j * b.rows + i];
      break;
    }
    case Structure::dense:
      if (b.rows == assembly_.size_ && b.columns == assembly_.size_) {
        for (Index k = 0; k < b.rows * b.columns; ++k) values_[k] += entries[k];
        break;
      }
      for (Index j = 0; j < b.columns; ++j)
        for (Index i = 0; i < b.rows; ++i)
          values_[(b.column + j) * assembly_.size_ + b.row + i] += entries[j * b.rows + i];
      break;
    case Structure::sparse: {
      const Index count = b.rows * b.columns;
      for (Index k = 0; k < count; ++k) values_[assembly_.slots_[slot_ + static_cast<std::size_t>(k)]] += entries[k];
      slot_ += static_cast<std::size_t>(count);
      break;
    }
  }
}

}  // namespace carom::inline base
