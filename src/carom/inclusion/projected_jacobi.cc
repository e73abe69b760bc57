// Projected Jacobi: all blocks at once from the same xi = G lambda + c,
//
//   z_b = lambda_b - alpha xi_b / rho_b
//   lambda_b := P_b(z_b),   or where z_b lies in the set already
//   lambda_b := lambda_b - alpha diag(G_bb)^-1 xi_b       (recovered rate: one factor rho_b makes rows
//                                                          with a small diagonal crawl)
//
// Contracts for diagonally dominant G; many coupled contacts need a smaller alpha. It is halved when the
// merit grows or the residual stays, down to 1/64; then projected Gauss-Seidel takes over from the best iterate.
//
// Reference: Moeller 2011, equations (2.45) and (2.63).
#include <algorithm>

#include "carom/inclusion/sweeps.h"

namespace carom::inline inclusion {

namespace {

constexpr double smallest_relaxation = 1.0 / 64.0;

}  // namespace

bool jacobi(const InclusionProblem& problem, const SweepOptions& options, SolverWorkspace& w, InclusionResult& result) {
  const Delassus& G = *problem.G;
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  if (solves(problem, result.residual, options.tolerance, w.residual)) return true;
  BestIterate best(w.best_lambda, result.residual, result.lambda);
  double alpha = options.relaxation;
  double least_merit = merit(problem, w.residual);
  int last_progress = 0;
  for (int k = 1; k <= options.max_iterations; ++k) {
    for (Index b = 0; b < G.block_count(); ++b) {
      if (!(G.rho(b) > 0.0)) continue;
      const RowRange& range = G.block(b);
      double* lambda = result.lambda.data() + range.row;
      projection_step(*problem.laws[static_cast<std::size_t>(b)], range.rows, G.diagonal_block(b), G.rho(b), lambda,
                      result.xi.data() + range.row, alpha, options.recover_jacobi_rate, lambda);
    }
    ++result.iterations;
    result.residual = residual(problem, result.lambda, result.xi, w.residual);
    const double value = merit(problem, w.residual);
    const bool diverges = !(value <= 10.0 * least_merit);
    least_merit = std::min(least_merit, value);
    if (!diverges && best.offer(result.lambda, result.residual)) last_progress = k;
    if (!diverges && solves(problem, result.residual, options.tolerance, w.residual)) return true;
    if (diverges || k - last_progress >= options.patience) {
      alpha *= 0.5;
      if (alpha < smallest_relaxation) break;
      last_progress = k;
      result.lambda = best.lambda();
      result.residual = residual(problem, result.lambda, result.xi, w.residual);
      least_merit = merit(problem, w.residual);
    }
  }
  result.lambda = best.lambda();
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  return solves(problem, result.residual, options.tolerance, w.residual);
}

namespace {

class ProjectedJacobi : public InclusionSolver {
 public:
  explicit ProjectedJacobi(const Parameters& p) {
    options_.tolerance = p.number("tolerance");
    options_.max_iterations = static_cast<int>(p.number("max_iterations"));
    options_.relaxation = p.number("relaxation");
    options_.recover_jacobi_rate = p.flag("recover_jacobi_rate");
  }

  void solve(const InclusionProblem& problem, SolverWorkspace& workspace, InclusionResult& result) const override {
    result.lambda.resize(problem.rows());
    result.iterations = 0;
    measure_noise(problem, workspace.residual);
    bool solved = jacobi(problem, options_, workspace, result);
    if (!solved && result.iterations < options_.max_iterations) {
      SweepOptions rest;
      rest.tolerance = options_.tolerance;
      rest.max_iterations = options_.max_iterations - result.iterations;
      rest.patience = 2000;
      solved = gauss_seidel(problem, rest, workspace, result);
    }
    conclude(problem, solved, options_.tolerance, workspace.residual, result);
  }

 private:
  SweepOptions options_;
};

}  // namespace

extern const SolverEntry projected_jacobi_entry;
const SolverEntry projected_jacobi_entry{
    "projected_jacobi",
    "all blocks at once by projection, with the recovered diagonal rate",
    "all laws; all representations of G; needs positive diagonal blocks",
    {{"tolerance", 1e-12, "residual to reach", 0.0, 1.0},
     {"max_iterations", 1000000.0, "sweeps", 1.0, 1e9},
     {"relaxation", 1.0, "alpha of the first sweeps", 0.0, 2.0, {}, true},
     {"recover_jacobi_rate", true, "plain Jacobi step where the projection does nothing"}},
    [](const Parameters& parameters) -> std::unique_ptr<InclusionSolver> {
      return std::make_unique<ProjectedJacobi>(parameters);
    }};

}  // namespace carom::inline inclusion
