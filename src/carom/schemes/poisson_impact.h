// Poisson's impact law in a step (laws/poisson_law.h), for any scheme whose contacts are one inclusion xi = G Lambda +
// c with the velocities gamma_minus before it. The impact comes first, without forces, in its two phases,
//
//   gamma_minus + G Lambda_c,      gamma_minus + G (Lambda_c + Lambda_e),
//
// then the step's own problem without restitution from there: xi = G Lambda_2 + (c + G Lambda_c + G Lambda_e). Contacts
// at rest feel nothing of the first two, so that they stay at rest. The impulse of the step is the sum.
#pragma once

#include <vector>

#include "carom/laws/expansion_law.h"
#include "carom/schemes/scheme.h"

namespace carom::inline schemes {

class PoissonImpact {
 public:
  // Whether a law of the problem has two phases.
  static bool needed(const InclusionProblem& problem);
  // Solves the problem in `work`, whose G, c (without restitution of these laws) and guess are set, and counts it in
  // the result.
  bool solve(const InclusionSolver& solver, const Buffer& gamma_minus, InclusionWork& work, StepResult& result);

 private:
  std::vector<ExpansionLaw> expansions_;
  std::vector<const Law*> own_laws_;
  Buffer c_, guess_, impulse_;
};

}  // namespace carom::inline schemes
