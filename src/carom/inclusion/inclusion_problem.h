// One inclusion problem: find lambda with  xi = G lambda + c,  -xi_b in N_{C_b(lambda)}(lambda_b).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "carom/base/buffer.h"
#include "carom/base/constraint_jacobian.h"
#include "carom/inclusion/delassus.h"
#include "carom/laws/timed_laws.h"

namespace carom::inline inclusion {

// Block b of the problem is block b of G.
struct InclusionProblem {
  const Delassus* G = nullptr;
  Buffer c;
  std::vector<const Law*> laws;
  TimedLaws timed;  // those of `laws` that belong to this problem's duration
  // What c was summed from, c = W'u + ...: where the sum cancels, c is known to the rounding of its terms only. Valid
  // during the solve; null where c is as exact as its digits.
  const ConstraintJacobian* c_directions = nullptr;
  const double* c_velocity = nullptr;
  // A residual that is enough where it is above the solver's tolerance: the problem will be asked again, changed by
  // more. `automatic` stops there; valid during the solve.
  double enough = 0.0;
  // Equalities among the laws are contacts that carry load, none of them a joint: sweeps take few, as over contacts.
  bool without_joints = false;

  Index rows() const { return G->rows(); }
  Index block_count() const { return static_cast<Index>(laws.size()); }
};

enum class SolveStatus {
  solved,         // the residual is at or below the tolerance, or what is left of it is rounding
  not_converged,  // lambda is the best iterate found
  unsuitable      // the solver does not accept this problem; lambda is the guess
};
std::string_view to_text(SolveStatus status);

// lambda enters a solve as the guess (zero, or warm).
struct InclusionResult {
  Buffer lambda;
  Buffer xi;
  SolveStatus status = SolveStatus::not_converged;
  int iterations = 0;
  double residual = 0.0;
};

}  // namespace carom::inline inclusion
