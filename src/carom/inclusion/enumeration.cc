// Enumeration: every block is in one of finitely many states (contact_states.h); for each combination
// of states the solution solves a linear system, and the first whose residual() <= tolerance wins.
//
// Combinations start from "all closed, all sticking", so that redundant contacts share evenly where they
// can. A single block of any law is its own closed form (Law::solve_local).
#include "carom/inclusion/enumeration.h"

#include "carom/inclusion/contact_states.h"

namespace carom::inline inclusion {

namespace {

constexpr double max_combinations = 4096;  // 12 frictionless contacts, 6 with planar friction

BlockState state(LawKind kind, int digit) {
  return kind == LawKind::unilateral && digit == 1 ? BlockState::open : static_cast<BlockState>(digit);
}

}  // namespace

bool can_enumerate(const InclusionProblem& problem) {
  if (problem.block_count() <= 1) return true;
  if (problem.rows() > max_state_rows) return false;
  double combinations = 1.0;
  for (const Law* law : problem.laws) combinations *= state_count(law->kind());
  return combinations >= 1.0 && combinations <= max_combinations;
}

bool enumerate(const InclusionProblem& problem, double tolerance, int most, SolverWorkspace& w,
               InclusionResult& result) {
  const Index rows = problem.rows();
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  if (solves(problem, result.residual, tolerance, w.residual)) return true;
  w.best_lambda = result.lambda;
  double best = result.residual;
  const int last = result.iterations + most;
  const auto better = [&] {
    ++result.iterations;
    result.residual = residual(problem, result.lambda, result.xi, w.residual);
    if (result.residual < best) {
      best = result.residual;
      w.best_lambda = result.lambda;
    }
    return solves(problem, result.residual, tolerance, w.residual);
  };

  if (problem.block_count() == 1 && most > 0 &&
      problem.laws[0]->solve_local(problem.G->diagonal_block(0), problem.c.data(), result.lambda.data()) && better())
    return true;

  bool finite = true;
  for (const Law* law : problem.laws) finite = finite && state_count(law->kind()) > 0;
  if (finite) {
    const double* G = problem.G->dense();
    if (G == nullptr) {
      w.dense_G.resize(rows * rows);
      problem.G->to_dense(w.dense_G.data());
      G = w.dense_G.data();
    }
    const std::size_t blocks = problem.laws.size();
    w.integers.assign(blocks, 0);
    w.states.resize(blocks);
    for (bool more = true; more && result.iterations < last;) {
      for (std::size_t k = 0; k < blocks; ++k) w.states[k] = state(problem.laws[k]->kind(), w.integers[k]);
      solve_states(problem, G, w.states, w, result.lambda);
      if (better()) return true;
      std::size_t b = 0;  // counts like an odometer
      for (; b < blocks; ++b) {
        if (++w.integers[b] < state_count(problem.laws[b]->kind())) break;
        w.integers[b] = 0;
      }
      more = b < blocks;
    }
  }
  result.lambda = w.best_lambda;
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  return solves(problem, result.residual, tolerance, w.residual);
}

namespace {

class Enumeration : public InclusionSolver {
 public:
  explicit Enumeration(const Parameters& parameters)
      : tolerance_(parameters.number("tolerance")),
        max_iterations_(static_cast<int>(parameters.number("max_iterations"))) {}

  void solve(const InclusionProblem& problem, SolverWorkspace& workspace, InclusionResult& result) const override {
    result.lambda.resize(problem.rows());
    result.iterations = 0;
    if (!can_enumerate(problem)) {
      result.residual = residual(problem, result.lambda, result.xi, workspace.residual);
      result.status = SolveStatus::unsuitable;
      return;
    }
    measure_noise(problem, workspace.residual);
    const bool solved = enumerate(problem, tolerance_, max_iterations_, workspace, result);
    conclude(problem, solved, tolerance_, workspace.residual, result);
  }

 private:
  double tolerance_;
  int max_iterations_;
};

}  // namespace

extern const SolverEntry enumeration_entry;
const SolverEntry enumeration_entry{
    "enumeration",
    "tries every combination of open, closed, sticking and sliding",
    "bilateral, unilateral and planar Coulomb blocks, at most 4096 combinations; one block of any law",
    {{"tolerance", 1e-12, "residual to reach", 0.0, 1.0},
     {"max_iterations", max_combinations, "combinations", 1.0, 1e9}},
    [](const Parameters& parameters) -> std::unique_ptr<InclusionSolver> {
      return std::make_unique<Enumeration>(parameters);
    }};

}  // namespace carom::inline inclusion
