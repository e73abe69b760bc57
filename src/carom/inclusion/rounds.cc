// Which method suits a large problem is not known before: sweeps on piles in motion, splitting on walls and towers,
// interior points and Newton's method where contacts are redundant and slide. So they take turns, each from the best
// iterate so far, each with the same budget of work, and the budget grows by `growth` from round to round:
//
//   sweeps  ->  splitting  ->  interior point and augmented Newton      1, 4, 16, ... times `first_sweeps` sweeps
//
// Piles of spheres, whose sweeps cost a fifth, have an order of their own (sphere_rounds.cc).
//
// A method that would need the work T alone is given it, with what it starts from, in the round whose budget first
// exceeds T. All before and beside it cost no more than 3 methods x (1 + 1/4 + ...) x 4 T: `automatic` takes at most 16
// times what the best of its methods would take, and one of the first round costs nothing more. Work is counted in
// multiplications, never measured: the same problem is solved the same way everywhere.
//
// Faces that meet have several contacts on the same two bodies. Along walls and towers of such sweeps crawl and
// splitting does not: there sweeps are few at first, enough for what has hardly changed since the step before, and come
// again when all others have been tried.
#include "carom/inclusion/rounds.h"

#include <algorithm>

#include "carom/base/constraint_jacobian.h"
#include "carom/inclusion/admm.h"
#include "carom/inclusion/augmented_newton.h"
#include "carom/inclusion/interior_point.h"
#include "carom/inclusion/large_memory.h"
#include "carom/inclusion/sphere_rounds.h"
#include "carom/inclusion/sweeps.h"

namespace carom::inline inclusion {

namespace {

constexpr double growth = 4.0;
constexpr int first_sweeps = 400, few_sweeps = 40, most_rounds = 8;
constexpr double nearly = 1e-6;           // residual of a guess of which sweeps only take away what has changed
constexpr int first_round_sweeps = 3000;  // over piles of spheres: of 100 hard ones in falls none took 3,000
// Two sweeps over bodies of any shape count as one iteration: four contacts at a time, 45 ns a contact against 87.
constexpr double shaped_sweeps_of_iteration = 2.0;
// Too few iterations to be worth a beginning.
constexpr int least_splitting = 20, least_interior = 25, least_newton = 5;
constexpr int most_interior = 80;
// Work beside the products with G: the one-contact solves and Anderson's sums, per row.
constexpr double work_per_row = 20.0, window_work_per_row = 40.0;

// Whether most contacts have another beside them on the same bodies.
bool faces_meet(const InclusionProblem& problem) {
  const DelassusFactors* factors = problem.G->factors();
  if (factors == nullptr) return false;
  const ConstraintJacobian& W = *factors->W;
  const auto same_bodies = [&](const ConstraintJacobian::Block& a, const ConstraintJacobian::Block& b) {
    const Index count = a.segment_end - a.segment_begin;
    if (count != b.segment_end - b.segment_begin) return false;
    for (Index s = 0; s < count; ++s)
      if (W.segment(a.segment_begin + s).offset != W.segment(b.segment_begin + s).offset) return false;
    return true;
  };
  Index beside = 0;
  for (Index b = 1; b < W.block_count(); ++b) beside += same_bodies(W.block(b - 1), W.block(b)) ? 1 : 0;
  return 2 * beside > W.block_count();
}

int times(double budget, double work) { return static_cast<int>(std::min(1e9, budget / work)); }

}  // namespace

bool interior_and_newton(const InclusionProblem& problem, double tolerance, int interior_steps, int newton_steps,
                         SolverWorkspace& w, InclusionResult& result) {
  Buffer& before = kept(w.automatic).best;
  before = result.lambda;
  const double best = result.residual;
  if (interior_point(problem, {tolerance, interior_steps}, w, result) ||
      augmented_newton(problem, {tolerance, newton_steps}, w, result))
    return true;
  if (!(result.residual < best)) {
    result.lambda = before;
    result.residual = best;
  }
  return false;
}

bool rounds(const InclusionProblem& problem, const RoundsOptions& options, SolverWorkspace& w,
            InclusionResult& result) {
  const int begin = result.iterations;
  int max_iterations = options.max_iterations;
  const auto left = [&](int most) { return std::min(most, max_iterations - (result.iterations - begin)); };
  SweepOptions sweeps;
  sweeps.tolerance = options.tolerance;
  sweeps.threads = options.threads;
  sweeps.patience = options.max_iterations;  // the budget ends them
  const bool faces = faces_meet(problem);
  const bool far = faces && !(residual(problem, result.lambda, result.xi, w.residual) <= nearly);
  sweeps.max_iterations = left(far ? few_sweeps : first_sweeps);
  if (far) kept(w.automatic).best = result.lambda;
  sweeps.max_round_iterations = left(first_round_sweeps);
  const bool warm = std::any_of(result.lambda.begin(), result.lambda.end(), [](double x) { return x != 0.0; });
  if (body_sweeps(problem, sweeps, w, result)) return true;
  if (left(1) <= 0) return false;  // no memory for factors that nobody will use
  if (kept(w.body_sweeps).pile == BodySweepMemory::Pile::round)
    return sphere_rounds(problem, options, result.iterations - begin, warm, w, result);
  if (kept(w.body_sweeps).pile == BodySweepMemory::Pile::shaped) {
    max_iterations = static_cast<int>(std::min(1e9, shaped_sweeps_of_iteration * max_iterations));
    sweeps.patience = max_iterations;
  }
  // Sweeps wedge bodies between each other: among the many solutions they head for those with large impulses, where
  // splitting crawls too.
  if (far) result.lambda = kept(w.automatic).best;

  ContactDampers& dampers = kept(w.automatic).dampers;
  dampers.begin(*problem.G);
  const double rows = problem.rows();
  const double sweep = dampers.product_work() + work_per_row * rows;
  const double splitting = dampers.solve_work() + dampers.product_work() + window_work_per_row * rows;
  const double step = dampers.factor_work() + 4.0 * dampers.solve_work() + 6.0 * dampers.product_work();
  double budget = (faces ? growth * growth : 1.0) * first_sweeps * sweep;
  // Heaps of bodies that meet at points: splitting stands still at 1e-4, and its time is better spent on sweeps.
  const bool splits = faces || kept(w.body_sweeps).pile == BodySweepMemory::Pile::mixed;
  AdmmOptions admm_options{options.tolerance, 0};
  bool interior_tried = !interior_point_accepts(problem);
  for (int round = 0; round < most_rounds && left(1) > 0; ++round, budget *= growth) {
    if (round > 0 && (!faces || interior_tried)) {
      sweeps.max_single = 0;
      sweeps.max_iterations = left(times(budget, sweep));
      if (body_sweeps(problem, sweeps, w, result)) return true;
    }
    const double after_factors = budget - 3.0 * dampers.factor_work();
    if (splits && times(after_factors, splitting) >= least_splitting) {
      admm_options.max_iterations = left(times(after_factors, splitting));
      if (admm(problem, admm_options, w, result)) return true;
    }
    const int steps = times(budget, step);
    if (steps >= least_interior && !interior_tried) {
      interior_tried = true;
      if (interior_and_newton(problem, options.tolerance, left(std::min(steps, most_interior)), left(steps), w, result))
        return true;
    } else if (steps >= least_newton && augmented_newton(problem, {options.tolerance, left(steps)}, w, result)) {
      return true;
    }
  }
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  return solves(problem, result.residual, options.tolerance, w.residual);
}

}  // namespace carom::inline inclusion
