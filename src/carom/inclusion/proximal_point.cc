// Proximal point iteration: lambda_{k+1} solves the problem regularised around lambda_k,
//
//   xi = G lambda + c + alpha R (lambda - lambda_k),     R_b = rho_b I,
//
// whose solutions lambda = lambda_k are the solutions of the problem itself. The regularised operator
// G + alpha R has no null space and its condition number is about 1/alpha, so that Newton's matrix is
// regular and sweeps contract, while redundant contacts stop both on G alone. alpha falls while the
// inner problems are solved easily and rises when one is not.
//
// Joints of large problems keep R = 0: along a chain G alone is worse conditioned than any alpha, every outer iteration
// would move its impulses by little, and Newton's step copes with redundant joints.
#include "carom/inclusion/proximal_point.h"

#include <algorithm>

#include "carom/inclusion/block_sparse_delassus.h"
#include "carom/inclusion/semismooth_newton.h"
#include "carom/inclusion/sweeps.h"

namespace carom::inline inclusion {

// What is kept from solve to solve.
struct ProximalMemory {
  BlockSparseDelassus G, regularised;  // G and G + alpha R
  InclusionProblem around;
  InclusionResult inner;
  Buffer centre, best;
};

namespace {

constexpr double first_alpha = 1e-2, smallest_alpha = 1e-9, largest_alpha = 10.0;
constexpr int max_outer = 200, max_failures = 8;  // failures: inner problems unsolved in a row

// The problem around m.centre.
const InclusionProblem& regularise(const InclusionProblem& problem, double alpha, ProximalMemory& m) {
  m.regularised.begin(m.G.partition(), m.G.symmetric());
  m.around.c = problem.c;
  m.around.laws = problem.laws;
  const bool large = problem.rows() > dense_newton_limit;
  for (Index b = 0; b < m.G.block_count(); ++b) {
    const RowRange& range = m.G.block(b);
    const bool joint = problem.laws[static_cast<std::size_t>(b)]->kind() == LawKind::bilateral;
    const double shift = large && joint ? 0.0 : alpha * m.G.rho(b);
    for (const BlockSparseDelassus::Block& block : m.G.row(b)) {
      double* entries = m.regularised.add_block(b, block.column);
      std::copy_n(m.G.entries(block), range.rows * m.G.block(block.column).rows, entries);
      if (block.column == b)
        for (Index i = 0; i < range.rows; ++i) entries[i + i * range.rows] += shift;
    }
    for (Index i = 0; i < range.rows; ++i) m.around.c[range.row + i] -= shift * m.centre[range.row + i];
  }
  m.regularised.finish();
  m.around.G = &m.regularised;
  return m.around;
}

}  // namespace

bool proximal_point(const InclusionProblem& problem, const ProximalOptions& options, SolverWorkspace& w,
                    InclusionResult& result) {
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  if (solves(problem, result.residual, options.tolerance, w.residual)) return true;
  if (!w.proximal) w.proximal = std::make_shared<ProximalMemory>();
  ProximalMemory& m = *w.proximal;
  problem.G->to_block_sparse(m.G);
  m.centre = result.lambda;
  m.best = result.lambda;
  InclusionResult& inner = m.inner;
  double best_residual = result.residual, best_merit = merit(problem, w.residual), alpha = first_alpha;
  int spent = 0, failures = 0;
  for (int k = 0; k < max_outer && spent < options.max_iterations; ++k) {
    const InclusionProblem& around = regularise(problem, alpha, m);
    inner.lambda = m.centre;
    inner.iterations = 0;
    const double tolerance = std::max(0.1 * options.tolerance, 1e-15);
    const auto left = [&](int most) { return std::min(most, options.max_iterations - spent - inner.iterations); };
    bool solved = newton(around, {tolerance, left(30)}, w, inner);
    if (!solved) {
      SweepOptions sweeps;
      sweeps.tolerance = tolerance;
      sweeps.max_iterations = left(100);
      solved = gauss_seidel(around, sweeps, w, inner) || newton(around, {tolerance, left(30)}, w, inner);
    }
    result.iterations += inner.iterations;
    spent += inner.iterations;
    const double value = residual(problem, inner.lambda, result.xi, w.residual);
    const double value_merit = merit(problem, w.residual);
    if (value < best_residual && value_merit <= best_merit) {
      best_residual = value;
      best_merit = value_merit;
      m.best = inner.lambda;
    }
    // At the tolerance it ends: solved, or impulses that grow without bound.
    if (solves(problem, value, options.tolerance, w.residual)) m.best = inner.lambda;
    if (value <= options.tolerance) break;
    m.centre = inner.lambda;
    failures = solved ? 0 : failures + 1;
    if (failures == max_failures) break;
    alpha = solved ? std::max(0.3 * alpha, smallest_alpha) : std::min(10.0 * alpha, largest_alpha);
  }
  result.lambda = m.best;
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  return solves(problem, result.residual, options.tolerance, w.residual);
}

}  // namespace carom::inline inclusion
