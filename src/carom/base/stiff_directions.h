// K M^-1 W by blocks: what constraints do to the forces of springs and dampers when they move bodies. K couples few
// bodies, M has 3x3 blocks; a constraint then has a segment for every body that K couples with one of its own.
#pragma once

#include "carom/base/constraint_jacobian.h"
#include "carom/base/iteration_matrix.h"

namespace carom::inline base {

class StiffDirections {
 public:
  // Nothing where K vanishes. M is factored and block-diagonal, K zero, block-diagonal or sparse.
  void set(const StructuredMatrix& K, const IterationMatrix& M, const ConstraintJacobian& W);
  bool empty() const { return empty_; }
  const ConstraintJacobian& directions() const { return directions_; }

 private:
  bool empty_ = true;
  ConstraintJacobian directions_;
  std::vector<Index> touched_;  // 3-blocks of the constraint under way
  std::vector<char> is_touched_;
  Buffer load_;  // its rows, nv each
};

}  // namespace carom::inline base
