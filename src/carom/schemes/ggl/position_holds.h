// How contacts are kept on position level while a unified Gear-Gupta-Leimkuhler step looks for its solution:
// 0 <= g _|_ Psi >= 0, or g = 0 because the contact pushes, rho Lambda_N > xi_N.
#pragma once

#include <vector>

#include "carom/inclusion/inclusion_problem.h"
#include "carom/schemes/scheme.h"

namespace carom::inline schemes {

class PositionHolds {
 public:
  void reset(const ActiveSet& active) { holds_.assign(static_cast<std::size_t>(active.size()), Hold::inequality); }

  // Who pushed in the last step probably does in this one.
  void guess(const ActiveSet& active, const Buffer& Lambda) {
    Index row = 0;
    for (Index i = 0; i < active.size(); ++i) {
      if (unilateral(active.constraint(i)) && Lambda[row] > 0.0) of(i) = Hold::equality;
      row += active.constraint(i).law->dim();
    }
  }

  // Who pushes in the last solution is held. Whether anything changed.
  bool update(const ActiveSet& active, const Delassus& G, const InclusionResult& result) {
    bool changed = false;
    Index row = 0;
    for (Index i = 0; i < active.size(); ++i) {
      const Constraint& constraint = active.constraint(i);
      const bool pushes = G.rho(i) * result.lambda[row] > result.xi[row];
      if (unilateral(constraint) && of(i) != Hold::released && pushes != (of(i) == Hold::equality)) {
        of(i) = pushes ? Hold::equality : Hold::released;
        changed = true;
      }
      row += constraint.law->dim();
    }
    return changed;
  }

  bool held(const Constraint& constraint, Index i) const {
    return constraint.bilateral || holds_[static_cast<std::size_t>(i)] == Hold::equality;
  }

 private:
  // Who was found not to push after all stays released, so that the search ends.
  enum class Hold : char { inequality, equality, released };

  static bool unilateral(const Constraint& constraint) { return !constraint.bilateral && constraint.position_rows > 0; }
  Hold& of(Index i) { return holds_[static_cast<std::size_t>(i)]; }

  std::vector<Hold> holds_;  // by active constraint
};

}  // namespace carom::inline schemes
