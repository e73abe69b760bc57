// Enumeration: every block is in one of finitely many states, and for each combination of states the
// solution solves a linear system; the combination whose solution has residual() <= tolerance wins.
//
//   bilateral        xi = 0
//   unilateral       closed: xi = 0                 open: lambda = 0
//   planar Coulomb   stick:  xi_N = 0, xi_T = 0
//                    slip+:  xi_N = 0, lambda_T = -mu lambda_N      (xi_T >= 0)
//                    slip-:  xi_N = 0, lambda_T = +mu lambda_N      (xi_T <= 0)
//                    open:   lambda = 0
//
// Singular systems (redundant contacts) take the minimum-norm solution, in the variables
// sqrt(rho_b) lambda_b. Combinations start from "all closed, all sticking", so that redundant contacts
// share evenly where they can. A single block of any law is its own closed form (Law::solve_local).
#include <cmath>

#include "carom/inclusion/enumeration.h"

namespace carom {

namespace {

constexpr double rank_tolerance = 1e-12;
constexpr double max_combinations = 4096;  // 12 frictionless contacts, 6 with planar friction
constexpr Index max_rows = 24;

// States in the order they are tried.
enum State { closed_or_stick = 0, slip_plus = 1, slip_minus = 2, open = 3 };

int state_count(LawKind kind) {
  switch (kind) {
    case LawKind::bilateral: return 1;
    case LawKind::unilateral: return 2;
    case LawKind::planar_coulomb: return 4;
    case LawKind::other: return 0;
  }
  return 0;
}

State state(LawKind kind, int digit) {
  return kind == LawKind::unilateral && digit == 1 ? open : static_cast<State>(digit);
}

// lambda of one combination. Unknowns are the rows that carry an own impulse; a slipping contact's
// normal carries its friction along.
void solve_combination(const InclusionProblem& problem, const double* G, SolverWorkspace& w, Buffer& lambda) {
  const Index rows = problem.rows();
  const Index blocks = problem.block_count();
  // Column of the friction row that follows a slipping normal, with its factor: row k+1 += factor.
  w.active.clear();
  w.trial.resize(rows);      // friction factor of an unknown's own next row
  w.direction.resize(rows);  // sqrt(rho)
  for (Index b = 0; b < blocks; ++b) {
    const RowRange& range = problem.G->block(b);
    const Law& law = *problem.laws[static_cast<std::size_t>(b)];
    const State s = state(law.kind(), w.integers[static_cast<std::size_t>(b)]);
    const double root = std::sqrt(problem.G->rho(b));
    if (s == open || !(root > 0.0)) continue;
    const Index unknowns = s == closed_or_stick ? range.rows : 1;
    for (Index i = 0; i < unknowns; ++i) {
      w.active.push_back(range.row + i);
      w.trial[range.row + i] = s == slip_plus ? -law.friction() : s == slip_minus ? law.friction() : 0.0;
      w.direction[range.row + i] = root;
    }
  }
  const Index n = static_cast<Index>(w.active.size());
  w.matrix.resize(n * n);
  w.scratch.resize(n);
  for (Index q = 0; q < n; ++q) {
    const Index j = w.active[static_cast<std::size_t>(q)];
    const double* column = G + j * rows;
    const double factor = w.trial[j];
    for (Index p = 0; p < n; ++p) {
      const Index i = w.active[static_cast<std::size_t>(p)];
      const double value = factor == 0.0 ? column[i] : column[i] + factor * column[i + rows];
      w.matrix[p + q * n] = value / (w.direction[i] * w.direction[j]);
    }
    w.scratch[q] = -problem.c[j] / w.direction[j];
  }
  solve_or_minimum_norm(w.matrix.data(), n, rank_tolerance, w.scratch.data(), w.minimum_norm);
  lambda.assign(rows, 0.0);
  for (Index q = 0; q < n; ++q) {
    const Index j = w.active[static_cast<std::size_t>(q)];
    lambda[j] = w.scratch[q] / w.direction[j];
    if (w.trial[j] != 0.0) lambda[j + 1] = w.trial[j] * lambda[j];
  }
}

}  // namespace

bool can_enumerate(const InclusionProblem& problem) {
  if (problem.block_count() <= 1) return true;
  if (problem.rows() > max_rows) return false;
  double combinations = 1.0;
  for (const Law* law : problem.laws) combinations *= state_count(law->kind());
  return combinations >= 1.0 && combinations <= max_combinations;
}

bool enumerate(const InclusionProblem& problem, double tolerance, SolverWorkspace& w, InclusionResult& result) {
  const Index rows = problem.rows();
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  if (result.residual <= tolerance) return true;
  w.best_lambda = result.lambda;
  double best = result.residual;
  const auto better = [&] {
    ++result.iterations;
    result.residual = residual(problem, result.lambda, result.xi, w.residual);
    if (result.residual < best) {
      best = result.residual;
      w.best_lambda = result.lambda;
    }
    return best <= tolerance;
  };

  if (problem.block_count() == 1 &&
      problem.laws[0]->solve_local(problem.G->diagonal_block(0), problem.c.data(), result.lambda.data()) &&
      better())
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
    for (bool more = true; more;) {
      solve_combination(problem, G, w, result.lambda);
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
  return result.residual <= tolerance;
}

namespace {

class Enumeration : public InclusionSolver {
 public:
  explicit Enumeration(const Parameters& parameters) : tolerance_(parameters.number("tolerance")) {}

  void solve(const InclusionProblem& problem, SolverWorkspace& workspace, InclusionResult& result) const override {
    result.lambda.resize(problem.rows());
    result.iterations = 0;
    if (!can_enumerate(problem)) {
      result.residual = residual(problem, result.lambda, result.xi, workspace.residual);
      result.status = SolveStatus::unsuitable;
      return;
    }
    const bool solved = enumerate(problem, tolerance_, workspace, result);
    result.status = solved ? SolveStatus::solved : SolveStatus::not_converged;
  }

 private:
  double tolerance_;
};

}  // namespace

extern const SolverEntry enumeration_entry;
const SolverEntry enumeration_entry{
    "enumeration",
    "tries every combination of open, closed, sticking and sliding",
    "bilateral, unilateral and planar Coulomb blocks, at most 4096 combinations; one block of any law",
    {{"tolerance", 1e-12, "residual to reach", 0.0, 1.0}},
    [](const Parameters& parameters) -> std::unique_ptr<InclusionSolver> {
      return std::make_unique<Enumeration>(parameters);
    }};

}  // namespace carom
