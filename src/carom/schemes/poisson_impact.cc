#include "carom/schemes/poisson_impact.h"

#include <algorithm>

#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

bool PoissonImpact::needed(const InclusionProblem& problem) {
  return std::any_of(problem.laws.begin(), problem.laws.end(), [](const Law* law) { return law->expansion() > 0.0; });
}

bool PoissonImpact::solve(const InclusionSolver& solver, const Buffer& gamma_minus, InclusionWork& work,
                          StepResult& result) {
  InclusionProblem& problem = work.problem;
  Buffer& lambda = work.result.lambda;
  const Index rows = gamma_minus.size();
  c_ = problem.c;
  guess_ = lambda;
  // The rounding of all three right-hand sides is that of velocities of one size.
  const auto solve_one = [&, directions = problem.c_directions, velocity = problem.c_velocity] {
    problem.c_directions = directions;
    problem.c_velocity = velocity;
    return solve_and_count(solver, work, result);
  };

  problem.c = gamma_minus;
  lambda.assign(rows, 0.0);
  bool solved = solve_one();
  impulse_ = lambda;

  own_laws_ = problem.laws;
  expansions_.clear();
  expansions_.reserve(own_laws_.size());  // their addresses are handed out
  Index row = 0;
  for (std::size_t i = 0; i < own_laws_.size(); ++i) {
    const Law& law = *own_laws_[i];
    const double least = law.is_contact() ? law.expansion() * lambda[row] : 0.0;
    if (least > 0.0) problem.laws[i] = &expansions_.emplace_back(law, least);
    for (Index r = 0; r < law.dim(); ++r) lambda[row + r] *= law.expansion();
    row += law.dim();
  }
  if (!expansions_.empty()) {
    problem.c = work.result.xi;
    solved = solve_one() && solved;
    for (Index r = 0; r < rows; ++r) impulse_[r] += lambda[r];
  }
  problem.laws = own_laws_;

  for (Index r = 0; r < rows; ++r) {
    problem.c[r] = c_[r] + (work.result.xi[r] - gamma_minus[r]);
    lambda[r] = expansions_.empty() ? guess_[r] : 0.0;
  }
  solved = solve_one() && solved;
  for (Index r = 0; r < rows; ++r) lambda[r] += impulse_[r];
  return solved;
}

}  // namespace carom::inline schemes
