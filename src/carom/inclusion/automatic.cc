// The solver for those who do not want to choose. Each stage starts from the best iterate so far and the
// first whose residual is at or below the tolerance ends the solve; if none is, the status says so.
//
//   0  the law's own solution          a single block
//   1  contact states of the guess     up to 24 rows, finite states: in persistent contact nothing else
//                                      is needed, at the cost of one small linear system
//      sweeps                          large problems without friction or joints, contacts are equalities
//   2  semismooth Newton               up to 60 rows, and whatever their number where there are joints
//      joints eliminated               where a large problem has joints and few contacts: contacts alone by this solver
//   3  enumeration                     if there are few enough combinations of states
//   4  augmented Newton                redundant contacts, up to 120 rows
//   5  sweeps and Newton in turn       everything, and first for large problems: projected Gauss-Seidel
//                                      finds the neighbourhood, Newton the solution
//      interior points                 after Newton where there are joints only, those that are nearly redundant, and
//                                      where large problems have joints, with augmented Newton for the last digits;
//                                      before it where many constraints meet at one body; after all where up to
//                                      40 contacts got stuck
//   6  proximal point iteration        many redundant contacts with friction, where both get stuck; before
//                                      the sweeps where there are joints, along which sweeps crawl
//
// Large problems without joints (more than 120 rows) go through rounds.cc instead of 2 to 6.
#include <algorithm>

#include "carom/base/constraint_jacobian.h"
#include "carom/inclusion/augmented_newton.h"
#include "carom/inclusion/contact_states.h"
#include "carom/inclusion/enumeration.h"
#include "carom/inclusion/interior_point.h"
#include "carom/inclusion/joint_elimination.h"
#include "carom/inclusion/large_memory.h"
#include "carom/inclusion/proximal_point.h"
#include "carom/inclusion/rounds.h"
#include "carom/inclusion/semismooth_newton.h"
#include "carom/inclusion/sweeps.h"

namespace carom::inline inclusion {

namespace {

constexpr Index newton_first_limit = 60;
constexpr int sweep_rounds = 2, newton_steps = 60, augmented_steps = 600, interior_steps = 80, last_steps = 120,
              steps_before_elimination = 20, elimination_steps = 2000, frictionless_steps = 400;

bool only_joints(const InclusionProblem& problem) {
  return std::all_of(problem.laws.begin(), problem.laws.end(),
                     [](const Law* law) { return law->kind() == LawKind::bilateral; });
}

// Whether many constraints meet at one body: they are coupled all with all, and a factorisation with constraints as
// nodes (Newton's, that of proximal points) is dense, while with bodies as nodes it is as sparse as before.
bool crowded(const InclusionProblem& problem, std::vector<Index>& count) {
  constexpr Index most = 60;
  const DelassusFactors* factors = problem.G->factors();
  if (factors == nullptr) return false;
  const ConstraintJacobian& W = *factors->W;
  count.assign(static_cast<std::size_t>(factors->velocities), 0);
  for (Index b = 0; b < W.block_count(); ++b)
    for (Index s = W.block(b).segment_begin; s < W.block(b).segment_end; ++s)
      if (++count[static_cast<std::size_t>(W.segment(s).offset)] > most) return true;
  return false;
}

class Automatic : public InclusionSolver {
 public:
  explicit Automatic(const Parameters& parameters)
      : tolerance_(parameters.number("tolerance")),
        max_iterations_(static_cast<int>(parameters.number("max_iterations"))),
        threads_(static_cast<int>(parameters.number("threads"))) {}

  void solve(const InclusionProblem& problem, SolverWorkspace& workspace, InclusionResult& result) const override {
    Automatic asked = *this;
    asked.tolerance_ = std::max(tolerance_, problem.enough);
    asked.solve_as_asked(problem, workspace, result);
  }

 private:
  void solve_as_asked(const InclusionProblem& problem, SolverWorkspace& workspace, InclusionResult& result) const {
    result.lambda.resize(problem.rows());
    result.iterations = 0;
    workspace.residual.noise.clear();
    const bool solved = solve_single_block(problem, workspace, result) || repeat_states(problem, workspace, result) ||
                        chain(problem, workspace, result);
    conclude(problem, solved, tolerance_, workspace.residual, result);
  }

  bool solve_single_block(const InclusionProblem& problem, SolverWorkspace& w, InclusionResult& result) const {
    if (problem.block_count() != 1) return false;
    ++result.iterations;
    if (!problem.laws[0]->solve_local(problem.G->diagonal_block(0), problem.c.data(), result.lambda.data()))
      return false;
    result.residual = residual(problem, result.lambda, result.xi, w.residual);
    return solves(problem, result.residual, tolerance_, w.residual);
  }

  bool repeat_states(const InclusionProblem& problem, SolverWorkspace& w, InclusionResult& result) const {
    const double* G = problem.G->dense();
    if (G == nullptr || problem.rows() > max_state_rows || !states_of(problem, result.lambda, w.states)) return false;
    w.trial = result.lambda;
    ++result.iterations;
    solve_states(problem, G, w.states, w, result.lambda);
    result.residual = residual(problem, result.lambda, result.xi, w.residual);
    if (solves(problem, result.residual, tolerance_, w.residual)) return true;
    result.lambda = w.trial;
    return false;
  }

  bool chain(const InclusionProblem& problem, SolverWorkspace& w, InclusionResult& result) const {
    measure_noise(problem, w.residual);
    const auto left = [&](int most) { return std::min(most, max_iterations_ - result.iterations); };
    const bool small = problem.rows() <= newton_first_limit;
    const bool joints = has_joints(problem), large = problem.rows() > dense_newton_limit;
    if (large && !joints) return rounds(problem, {tolerance_, left(max_iterations_), threads_}, w, result);
    if (large && problem.without_joints && frictionless(problem, w, result)) return true;
    const bool eliminates = large && can_eliminate_joints(problem);
    const int first_steps = eliminates ? steps_before_elimination : newton_steps;
    if (large && joints && crowded(problem, w.integers) &&
        (interior_point(problem, {tolerance_, left(interior_steps)}, w, result) ||
         augmented_newton(problem, {tolerance_, left(newton_steps)}, w, result)))
      return true;
    if ((small || joints) && newton(problem, {tolerance_, left(first_steps)}, w, result)) return true;
    if (eliminates && eliminate_joints(problem, {tolerance_, left(elimination_steps)}, contact_solver(), w, result))
      return true;
    if ((large || only_joints(problem)) && interior_point(problem, {tolerance_, left(interior_steps)}, w, result))
      return true;
    if (large && augmented_newton(problem, {tolerance_, left(last_steps)}, w, result)) return true;
    if (large && joints && proximal_point(problem, {tolerance_, left(max_iterations_ / 10)}, w, result)) return true;
    if (can_enumerate(problem) && enumerate(problem, tolerance_, left(max_iterations_), w, result)) return true;
    if (small && augmented_newton(problem, {tolerance_, left(augmented_steps)}, w, result)) return true;
    SweepOptions sweeps;
    sweeps.tolerance = tolerance_;
    int most_sweeps = small ? 50 : 200;
    for (int round = 0; round < sweep_rounds; ++round, most_sweeps *= 2) {
      sweeps.max_iterations = left(most_sweeps);
      if (gauss_seidel(problem, sweeps, w, result) || newton(problem, {tolerance_, left(newton_steps)}, w, result))
        return true;
    }
    if (augmented_newton(problem, {tolerance_, left(augmented_steps)}, w, result)) return true;
    if (!joints && from_interior(problem, w, result)) return true;
    return proximal_point(problem, {tolerance_, left(max_iterations_)}, w, result);
  }

  // Position corrections of piles.
  bool frictionless(const InclusionProblem& problem, SolverWorkspace& w, InclusionResult& result) const {
    SweepOptions sweeps;
    sweeps.tolerance = tolerance_;
    sweeps.threads = threads_;
    sweeps.max_iterations = sweeps.patience = std::min(frictionless_steps, max_iterations_ - result.iterations);
    sweeps.max_single = 0;
    return frictionless_sweeps(problem, sweeps, w, result);
  }

  // From the middle of the cones, where the methods before may stand at a wrong face: 23 contacts of dominoes that all
  // of them left at 8e-11. What it does not solve is left as it was: the last method may do better from there.
  bool from_interior(const InclusionProblem& problem, SolverWorkspace& w, InclusionResult& result) const {
    const auto left = [&](int most) { return std::min(most, max_iterations_ - result.iterations); };
    if (left(1) <= 0 || !interior_point_accepts(problem)) return false;
    Buffer& before = kept(w.automatic).best;
    before = result.lambda;
    if (interior_point(problem, {tolerance_, left(interior_steps)}, w, result) ||
        augmented_newton(problem, {tolerance_, left(augmented_steps)}, w, result))
      return true;
    result.lambda = before;
    return false;
  }

  // The contacts of a problem whose joints are eliminated: this solver again.
  ContactSolver contact_solver() const {
    return [this](const InclusionProblem& problem, int max_iterations, SolverWorkspace& w, InclusionResult& result) {
      Automatic limited = *this;
      limited.max_iterations_ = max_iterations;
      w.residual.noise.clear();
      const auto left = [&](int most) { return std::min(most, max_iterations - result.iterations); };
      return limited.solve_single_block(problem, w, result) || limited.repeat_states(problem, w, result) ||
             newton(problem, {tolerance_, left(newton_steps)}, w, result) ||
             interior_point(problem, {tolerance_, left(interior_steps)}, w, result) ||
             augmented_newton(problem, {tolerance_, left(last_steps)}, w, result) || limited.chain(problem, w, result);
    };
  }

  double tolerance_;
  int max_iterations_;
  int threads_;
};

}  // namespace

extern const SolverEntry automatic_entry;
const SolverEntry automatic_entry{
    "automatic",
    "chooses by size and structure, and falls back from one solver to the next",
    "everything",
    {{"tolerance", 1e-12, "residual to reach", 0.0, 1.0},
     {"max_iterations", 10000.0,
      "sweeps (over spheres five, over other bodies two as one), Newton steps and combinations together", 1.0, 1e9},
     {"threads", 1.0, "of sweeps over piles of spheres; the same bits for any number", 1.0, 256.0}},
    [](const Parameters& parameters) -> std::unique_ptr<InclusionSolver> {
      return std::make_unique<Automatic>(parameters);
    }};

}  // namespace carom::inline inclusion
