#include "carom/model/flexible/element_assembly.h"

#include <algorithm>

namespace carom {

void ElementAssembly::make_pattern(const std::vector<bool>& coupled) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index e = 0; e < element_count(); ++e)
    for (Index j = 0; j < width_; ++j)
      for (Index i = 0; i < width_; ++i)
        if (coupled[static_cast<std::size_t>(i + j * width_)] && unknowns(e)[i] != removed &&
            unknowns(e)[j] != removed)
          entries.emplace_back(unknowns(e)[i], unknowns(e)[j], 0.0);
  pattern_.resize(size_, size_);
  pattern_.setFromTriplets(entries.begin(), entries.end());
  pattern_.makeCompressed();

  const auto* outer = pattern_.outerIndexPtr();
  const auto* inner = pattern_.innerIndexPtr();
  for (Index e = 0; e < element_count(); ++e)
    for (Index j = 0; j < width_; ++j)
      for (Index i = 0; i < width_; ++i) {
        const Index row = unknowns(e)[i], column = unknowns(e)[j];
        if (!coupled[static_cast<std::size_t>(i + j * width_)] || row == removed || column == removed) {
          places_.push_back(removed);
          continue;
        }
        const auto* place = std::lower_bound(inner + outer[column], inner + outer[column + 1], row);
        places_.push_back(static_cast<Index>(place - inner));
      }
}

double* ElementAssembly::begin(StructuredMatrix& matrix) const {
  Sparse& sparse = matrix.sparse(size_);
  const Eigen::Index count = pattern_.nonZeros();
  const bool known = sparse.isCompressed() && sparse.nonZeros() == count &&
                     std::equal(pattern_.outerIndexPtr(), pattern_.outerIndexPtr() + size_ + 1,
                                sparse.outerIndexPtr()) &&
                     std::equal(pattern_.innerIndexPtr(), pattern_.innerIndexPtr() + count,
                                sparse.innerIndexPtr());
  if (known)
    std::fill_n(sparse.valuePtr(), count, 0.0);
  else
    sparse = pattern_;
  return sparse.valuePtr();
}

void ElementAssembly::add(Index element, const double* E, double* entries) const {
  const Index count = width_ * width_;
  const Index* place = places_.data() + element * count;
  for (Index k = 0; k < count; ++k)
    if (place[k] != removed) entries[place[k]] += E[k];
}

}  // namespace carom
