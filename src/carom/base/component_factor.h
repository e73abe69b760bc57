// The factored sum A = sum_k c_k A_k of sparse matrices that fall apart: a pile of bodies with a few springs, a beam
// among spheres. The velocities are taken in threes, as bodies have them; blocks that no entry couples with others are
// inverted as 3x3 matrices, coupled ones are factored together, densely up to `dense_limit` velocities and sparsely
// above. So one spring costs what it couples, not what it stands in.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "carom/base/sparse_factor.h"
#include "carom/base/types.h"

namespace carom::inline base {

class ComponentFactor {
 public:
  static constexpr Index dense_limit = 48;

  // Blocks that belong together, ascending; velocities of the component by its own numbers.
  class Component {
   public:
    Index size() const { return static_cast<Index>(velocities_.size()); }
    const std::vector<Index>& velocities() const { return velocities_; }
    // x := A_c^-1 x, velocities in the component's own numbers.
    void solve(double* x) const;

   private:
    friend class ComponentFactor;
    bool factor(const double* values, bool& symmetric);

    std::vector<Index> velocities_;
    Index data_ = 0;  // of its entries among all values
    Buffer lu_;       // dense
    std::vector<int> pivots_;
    SparseFactor::Sparse matrix_;  // sparse
    std::unique_ptr<SparseFactor> sparse_;
  };

  // False if all is one component, and nothing was done; regular() says what became of the rest.
  bool factor(std::span<const SparseTerm> terms, Index n);
  bool regular() const { return regular_; }
  bool symmetric() const { return symmetric_; }

  // Of the 3x3 blocks; zero where a block is coupled.
  const std::vector<Matrix3>& inverse_blocks() const { return inverse_blocks_; }
  const std::vector<Component>& coupled() const { return coupled_; }
  // The coupled component of a velocity, -1: its 3-block is alone; and its number there.
  Index component_of(Index velocity) const { return component_[static_cast<std::size_t>(velocity / 3)]; }
  Index number_of(Index velocity) const { return number_[static_cast<std::size_t>(velocity)]; }

  // x := A^-1 x
  void solve(double* x, Index columns) const;

  std::size_t bytes() const;
  long analyses() const { return analyses_; }

 private:
  struct Known {
    std::vector<int> outer, inner;
    std::vector<Index> places;  // of each entry among all values
  };

  bool same_patterns(std::span<const SparseTerm> terms, Index n) const;
  void learn(std::span<const SparseTerm> terms, Index n);

  Index size_ = 0;
  bool falls_apart_ = false, regular_ = false, symmetric_ = true;
  std::vector<Known> known_;
  Buffer values_;  // 3x3 blocks one after the other, then the coupled components
  std::vector<Matrix3> inverse_blocks_;
  std::vector<Component> coupled_;
  std::vector<Index> component_, number_;
  mutable Buffer scratch_;
  long analyses_ = 0;
};

}  // namespace carom::inline base
