// Block projected Gauss-Seidel: one block after the other, the others held at their latest values,
//
//   exact:       lambda_b := solution of  -(G_bb lambda_b + d_b) in N_{C_b}(lambda_b),
//                            d_b = c_b + sum_{j != b} G_bj lambda_j
//   projection:  lambda_b := P_b(lambda_b - alpha xi_b / rho_b)       (or the recovered Jacobi step)
//
// and relaxation lambda_b := lambda_b + omega (new - lambda_b), omega 1, 0.5, 0.25 as progress stops
// (the sets are convex cones or fixed sets: a mean of two feasible impulses is feasible).
//
// The stopping rule is the residual. Since it costs about a sweep, it is asked only when the changes of
// a sweep, weighed as the residual would weigh them, are of the order of the tolerance, and every
// `check_interval` sweeps anyway; an increment alone is no residual.
//
// Large piles of bodies are swept by body_sweeps.cc.
//
// Reference: Moeller 2011, equations (2.63) and (2.67).
#include <algorithm>
#include <cmath>

#include "carom/inclusion/sweeps.h"

namespace carom::inline inclusion {

void projection_step(const Law& law, Index rows, const double* G_bb, double rho, const double* lambda, const double* xi,
                     double alpha, bool recover, double* y) {
  double z[Law::max_dim] = {}, projected[Law::max_dim] = {};
  for (Index i = 0; i < rows; ++i) z[i] = lambda[i] - alpha * xi[i] / rho;
  law.project(z, projected);
  if (!recover || !std::equal(z, z + rows, projected)) {
    std::copy_n(projected, rows, y);
    return;
  }
  for (Index i = 0; i < rows; ++i) {
    const double diagonal = G_bb[i + i * rows];
    if (diagonal > 0.0) z[i] = lambda[i] - alpha * xi[i] / diagonal;
  }
  // Plain Jacobi may leave the set; the projection brings it back and has the same fixed points.
  law.project(z, y);
}

namespace {

constexpr int check_interval = 20;
constexpr double smallest_relaxation = 0.25;

// One block; the number of rows is known to the compiler where N > 0. Returns the square of the change,
// weighed by rho_b / scale_b.
template <int N>
double update_block(const InclusionProblem& problem, Index b, const SweepOptions& options, double omega,
                    const Buffer& scale, Buffer& running, Buffer& lambda) {
  const Delassus& G = *problem.G;
  const RowRange& range = G.block(b);
  const Index rows = N > 0 ? N : range.rows;
  const double rho = G.rho(b);
  const Law& law = *problem.laws[static_cast<std::size_t>(b)];
  const double* G_bb = G.diagonal_block(b);
  const double* c = problem.c.data() + range.row;
  double* l = lambda.data() + range.row;
  double xi[N > 0 ? N : Law::max_dim], d[N > 0 ? N : Law::max_dim], y[N > 0 ? N : Law::max_dim];
  G.sweep_product(b, running, xi);
  for (Index i = 0; i < rows; ++i) xi[i] += c[i];

  bool done = false;
  if (options.exact) {
    for (Index i = 0; i < rows; ++i) {
      double own = 0.0;
      for (Index k = 0; k < rows; ++k) own += G_bb[i + k * rows] * l[k];
      d[i] = xi[i] - own;
      y[i] = l[i];
    }
    done = law.solve_local(G_bb, d, y);
  }
  if (!done) projection_step(law, rows, G_bb, rho, l, xi, 1.0, options.recover_jacobi_rate, y);

  double square = 0.0;
  for (Index i = 0; i < rows; ++i) {
    y[i] = omega * (y[i] - l[i]);
    square += y[i] * y[i];
  }
  if (square == 0.0) return 0.0;
  for (Index i = 0; i < rows; ++i) l[i] += y[i];
  G.sweep_update(b, y, running);
  const double weight = rho / (omega * scale[b]);
  return weight * weight * square;
}

// Returns the largest change of the sweep, weighed by rho_b / scale_b.
double sweep(const InclusionProblem& problem, const SweepOptions& options, double omega, const Buffer& scale,
             Buffer& running, Buffer& lambda) {
  double largest = 0.0;
  for (Index b = 0; b < problem.G->block_count(); ++b) {
    if (!(problem.G->rho(b) > 0.0)) continue;
    const double change = sweep_block(problem, b, options, omega, scale, running, lambda);
    if (!(change <= largest)) largest = change;
  }
  return std::sqrt(largest);
}

}  // namespace

double sweep_block(const InclusionProblem& problem, Index b, const SweepOptions& options, double omega,
                   const Buffer& scale, Buffer& running, Buffer& lambda) {
  switch (problem.G->block(b).rows) {
    case 1: return update_block<1>(problem, b, options, omega, scale, running, lambda);
    case 3: return update_block<3>(problem, b, options, omega, scale, running, lambda);
    default: return update_block<0>(problem, b, options, omega, scale, running, lambda);
  }
}

bool gauss_seidel(const InclusionProblem& problem, const SweepOptions& options, SolverWorkspace& w,
                  InclusionResult& result) {
  if (options.exact && problem.G->factors() != nullptr) return body_sweeps(problem, options, w, result);
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  if (solves(problem, result.residual, options.tolerance, w.residual)) return true;
  BestIterate best(w.best_lambda, result.residual, result.lambda);
  double omega = options.relaxation;
  int last_progress = 0, last_check = 0;
  problem.G->sweep_begin(result.lambda.data(), w.running);
  for (int k = 1; k <= options.max_iterations; ++k) {
    const double change = sweep(problem, options, omega, w.residual.scale, w.running, result.lambda);
    ++result.iterations;
    const bool near = change <= 2.0 * options.tolerance && k - last_check >= 2;
    if (!near && k - last_check < check_interval && k < options.max_iterations) continue;
    last_check = k;
    result.residual = residual(problem, result.lambda, result.xi, w.residual);
    if (best.offer(result.lambda, result.residual)) last_progress = k;
    if (best.residual() <= options.tolerance) break;
    if (solves(problem, result.residual, options.tolerance, w.residual)) return true;
    if (k - last_progress >= options.patience) {
      omega *= 0.5;
      if (omega < smallest_relaxation) break;
      last_progress = k;
      result.lambda = best.lambda();
    }
    problem.G->sweep_begin(result.lambda.data(), w.running);  // forget accumulated rounding
  }
  result.lambda = best.lambda();
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  return solves(problem, result.residual, options.tolerance, w.residual);
}

namespace {

class ProjectedGaussSeidel : public InclusionSolver {
 public:
  explicit ProjectedGaussSeidel(const Parameters& p) {
    options_.tolerance = p.number("tolerance");
    options_.max_iterations = static_cast<int>(p.number("max_iterations"));
    options_.exact = p.word("local") == "exact";
    options_.relaxation = p.number("relaxation");
    options_.recover_jacobi_rate = p.flag("recover_jacobi_rate");
    options_.patience = 2000;  // chosen by name: sweeps may crawl
  }

  void solve(const InclusionProblem& problem, SolverWorkspace& workspace, InclusionResult& result) const override {
    result.lambda.resize(problem.rows());
    result.iterations = 0;
    measure_noise(problem, workspace.residual);
    const bool solved = gauss_seidel(problem, options_, workspace, result);
    conclude(problem, solved, options_.tolerance, workspace.residual, result);
  }

 private:
  SweepOptions options_;
};

}  // namespace

extern const SolverEntry projected_gauss_seidel_entry;
const SolverEntry projected_gauss_seidel_entry{
    "projected_gauss_seidel",
    "one block after the other, solved exactly or by projection",
    "all laws; all representations of G; needs positive diagonal blocks",
    {{"tolerance", 1e-12, "residual to reach", 0.0, 1.0},
     {"max_iterations", 100000.0, "sweeps", 1.0, 1e9},
     {"local", std::string("exact"), "how one block is solved", 0.0, 0.0, {"exact", "projection"}},
     {"relaxation", 1.0, "omega of the first sweeps", 0.0, 2.0, {}, true},
     {"recover_jacobi_rate", true, "plain Jacobi step where the projection does nothing"}},
    [](const Parameters& parameters) -> std::unique_ptr<InclusionSolver> {
      return std::make_unique<ProjectedGaussSeidel>(parameters);
    }};

}  // namespace carom::inline inclusion
