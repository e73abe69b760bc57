// Sums element matrices into one sparse matrix whose pattern is made once: every entry of every element
// matrix knows the place it is added to, so that a step neither searches nor allocates.
#pragma once

#include <vector>

#include "carom/base/structured_matrix.h"
#include "carom/base/types.h"

namespace carom {

// The unknown behind a component of an element, or `removed` if it is held fixed.
inline constexpr Index removed = -1;

class ElementAssembly {
 public:
  using Sparse = StructuredMatrix::Sparse;

  ElementAssembly() = default;
  // `unknowns` lists, element after element, the unknowns of its `width` components. couple(i, j) says
  // whether an element matrix may have an entry there.
  template <class Couple>
  ElementAssembly(Index size, Index width, std::vector<Index> unknowns, Couple couple)
      : size_(size), width_(width), unknowns_(std::move(unknowns)) {
    std::vector<bool> coupled(static_cast<std::size_t>(width * width));
    for (Index j = 0; j < width; ++j)
      for (Index i = 0; i < width; ++i) coupled[static_cast<std::size_t>(i + j * width)] = couple(i, j);
    make_pattern(coupled);
  }
  ElementAssembly(Index size, Index width, std::vector<Index> unknowns)
      : ElementAssembly(size, width, std::move(unknowns), [](Index, Index) { return true; }) {}

  Index element_count() const { return static_cast<Index>(unknowns_.size()) / width_; }
  const Index* unknowns(Index element) const { return unknowns_.data() + element * width_; }
  const Sparse& pattern() const { return pattern_; }

  // Gives `matrix` the pattern, all entries zero, and hands out its entries.
  double* begin(StructuredMatrix& matrix) const;
  // entries += E, the element's width x width matrix, column-major.
  void add(Index element, const double* E, double* entries) const;

 private:
  void make_pattern(const std::vector<bool>& coupled);

  Index size_ = 0, width_ = 0;
  std::vector<Index> unknowns_;
  Sparse pattern_;
  std::vector<Index> places_;  // of the entries of each element matrix; removed: nowhere
};

}  // namespace carom
