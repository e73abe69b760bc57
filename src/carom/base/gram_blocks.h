// The blocks of Wc' A^-1 Wf, A block-diagonal or by components: which there are, and their entries. Block (b, j) exists
// where the constraints b and j touch a common body, or bodies of one component.
#pragma once

#include <span>
#include <vector>

#include "carom/base/component_columns.h"
#include "carom/base/iteration_matrix.h"

namespace carom::inline base {

class GramBlocks {
 public:
  // The operands must outlive this.
  void begin(const ConstraintJacobian& Wc, const IterationMatrix& A, const ConstraintJacobian& Wf);
  // The j of row b, ascending; good until the next call.
  std::span<const Index> row(Index b);
  // Adds block (b, j) to G, rows of b x rows of j, column-major.
  void add(Index b, Index j, double* G) const;

  std::size_t bytes() const { return columns_.bytes(); }

 private:
  const ConstraintJacobian *Wc_ = nullptr, *Wf_ = nullptr;
  const IterationMatrix* A_ = nullptr;
  const ComponentFactor* components_ = nullptr;
  Index blocks_ = 0;
  // Constraints by what they touch: a 3-block of velocities or, behind these, a component.
  std::vector<std::vector<Index>> touching_;
  std::vector<Index> neighbours_;
  ComponentColumns columns_;
};

}  // namespace carom::inline base
