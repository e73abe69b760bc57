// Sweeps over spheres cost a fifth of others, and are the best there is for nearly all piles of them. What the first
// ones have not solved goes on so:
//
//   interior points and Newton's method   where they cost no more than the sweeps before: small piles
//   sweeps from zero                      if they were not begun there
//   interior points and Newton's method   in larger piles, where they cost no more than 20,000 sweeps
//   sweeps from the better end            in long turns, until iterations run out
//   interior points and Newton's method   as a last resort, where a factorisation is not too large: masses over
//                                         decades
//
// Sweeps from zero, because among the many solutions of a jam a guess may lead to one with large impulses, wedged and
// circling: in a fall of 16,000 spheres 30,000 sweeps from the impulses of the step before ended at 1e-4, 8,700 from
// zero at 1e-6; another problem took 6,800 and 2,100.
//
// Splitting is not tried: no pile of the collection (study/problem_collection.h) needs it.
#include "carom/inclusion/sphere_rounds.h"

#include <algorithm>

#include "carom/inclusion/interior_point.h"
#include "carom/inclusion/large_memory.h"
#include "carom/inclusion/sweeps.h"

namespace carom::inline inclusion {

namespace {

// Five sweeps over spheres count as one iteration: four contacts at a time and a third of the bytes, 20 ns a contact
// against 100. Lattices with random velocities take 10,000 to 40,000 of them.
constexpr double sweeps_of_iteration = 5.0;
constexpr int from_zero = 4000, long_turn = 600;
constexpr int least_interior = 25, most_interior = 80, last_newton = 120;
// Multiplications that take as long as a contact in a sweep: 0.4 ns each in the dense blocks of a factorisation.
constexpr double contact_work = 20.0 / 0.4;
constexpr double first_budget = 8000.0, second_budget = 20000.0;  // sweeps
// A factorisation of a last resort: 0.4 s, so that it ends within a minute. Larger piles are not even analysed.
constexpr double last_resort_factor = 1e9;
constexpr Index most_bodies = 4000;

}  // namespace

bool sphere_rounds(const InclusionProblem& problem, const RoundsOptions& options, int spent, bool warm,
                   SolverWorkspace& w, InclusionResult& result) {
  const double all_sweeps = sweeps_of_iteration * (options.max_iterations - most_interior - last_newton);
  int sweeps_left = static_cast<int>(std::min(1e9, all_sweeps - spent));
  SweepOptions sweeps;
  sweeps.tolerance = options.tolerance;
  sweeps.threads = options.threads;
  const auto sweep = [&](int most) {
    sweeps.max_iterations = sweeps.patience = std::min(most, sweeps_left);
    if (sweeps.max_iterations <= 0) return false;
    sweeps_left -= sweeps.max_iterations;
    return body_sweeps(problem, sweeps, w, result);
  };
  ContactDampers& dampers = kept(w.automatic).dampers;
  const bool small = problem.G->factors()->velocities <= 6 * most_bodies && interior_point_accepts(problem);
  // Of large piles the memory of sweeps and that of factors are not kept beside each other.
  const bool large = is_large(problem);
  const auto forget_sweeps = [&] {
    if (large) w.body_sweeps.reset();
  };
  const auto forget_factors = [&] {
    if (!large) return;
    dampers = {};
    w.interior.reset();
    w.augmented.reset();
  };
  double step_work = 0.0, factor_work = 0.0;
  if (small) {
    forget_sweeps();
    dampers.begin(*problem.G);
    factor_work = dampers.factor_work();
    step_work = factor_work + 4.0 * dampers.solve_work() + 6.0 * dampers.product_work();
    forget_factors();
  }
  const auto interior = [&](int most_newton) {
    forget_sweeps();
    const bool solved = interior_and_newton(problem, options.tolerance, most_interior, most_newton, w, result);
    forget_factors();
    return solved;
  };
  // Only once: it begins in the middle of the cones, whatever came before.
  bool tried = !small;
  const auto interior_within = [&](double sweeps_worth) {
    const double budget = sweeps_worth * contact_work * static_cast<double>(problem.block_count());
    if (tried || budget < least_interior * step_work) return false;
    tried = true;
    return interior(std::max(static_cast<int>(std::min(1e6, budget / step_work)), last_newton));
  };
  if (interior_within(first_budget)) return true;

  Buffer& before = kept(w.automatic).best;
  if (warm) {
    before = result.lambda;
    const double reached = result.residual;
    result.lambda.assign(problem.rows(), 0.0);
    if (sweep(from_zero)) return true;
    if (!(result.residual < reached)) result.lambda = before;
  }
  if (interior_within(second_budget)) return true;
  sweeps.first_turn = long_turn;
  if (sweep(sweeps_left)) return true;
  if (!tried && factor_work <= last_resort_factor && interior(last_newton)) return true;
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  return solves(problem, result.residual, options.tolerance, w.residual);
}

}  // namespace carom::inline inclusion
