// Semismooth Newton on the natural map of the inclusion problem xi = G lambda + c:
//
//   F_b(lambda) = lambda_b - P_b(x_b),   x_b = lambda_b - xi_b / rho_b,   rho_b = max diag G_bb
//   J = I - D (I - rho^-1 G),            D_b in dP_b(x_b)
//   J d = -F,                            lambda := lambda + t d
//
// in the power-conjugate variables sqrt(rho_b) lambda_b, in which the matrix has unit diagonal scale,
// J_bj = (I - D_b) delta_bj + D_b G_bj / sqrt(rho_b rho_j), and neither units nor the mixture of metres
// and radians matter. Blocks with D_b = 0 (open contacts) drop out: d_b = -F_b.
//
// Redundant contacts make J singular: the step is then the minimum-norm least-squares one, which
// spreads impulses evenly and keeps what is symmetric symmetric.
//
// Globalisation: t is halved, at most 8 times, while the merit sum_b rho_b |F_b|^2 is not below the
// largest of the last few iterates. If that fails, sweeps of projected Gauss-Seidel take over.
//
// Reference: the kernel K1 of half-explicit timestepping (Schindler et al. 2015, section 2.4).
#include "carom/inclusion/semismooth_newton.h"

#include <algorithm>
#include <cmath>

#include "carom/inclusion/sweeps.h"

namespace carom::inline inclusion {

namespace {

constexpr double rank_tolerance = 1e-12;
constexpr int newton_steps = 60;  // of the solver of this name, before sweeps take over
constexpr int max_halvings = 8;
constexpr std::size_t memory_length = 5;  // iterates the merit may look back at

// d = -J^-1 F at lambda, whose xi and defect F are known.
void dense_newton_step(const InclusionProblem& problem, const double* G, const Buffer& lambda, const Buffer& xi,
                       SolverWorkspace& w) {
  const Index rows = problem.rows();
  const Index blocks = problem.block_count();
  const Buffer& F = w.residual.defect;
  constexpr Index stride = Law::max_dim * Law::max_dim;
  w.derivative.resize(blocks * stride);
  w.direction.resize(rows);
  w.active.clear();
  w.integers.clear();  // row of each active block in the reduced system
  Index n = 0;
  bool open_moves = false;
  for (Index b = 0; b < blocks; ++b) {
    const RowRange& range = problem.G->block(b);
    const double rho = problem.G->rho(b);
    bool open = true;
    if (rho > 0.0) {
      double x[Law::max_dim];
      for (Index i = 0; i < range.rows; ++i) x[i] = lambda[range.row + i] - xi[range.row + i] / rho;
      double* D = w.derivative.data() + b * stride;
      problem.laws[static_cast<std::size_t>(b)]->project_derivative(x, D);
      for (Index i = 0; i < range.rows * range.rows; ++i) open = open && D[i] == 0.0;
    }
    if (open) {
      for (Index i = 0; i < range.rows; ++i) {
        w.direction[range.row + i] = -F[range.row + i];
        open_moves = open_moves || F[range.row + i] != 0.0;
      }
    } else {
      for (Index i = 0; i < range.rows; ++i) w.direction[range.row + i] = 0.0;
      w.active.push_back(b);
      w.integers.push_back(n);
      n += range.rows;
    }
  }
  if (n == 0) return;

  // What the open blocks' steps do to the active rows.
  w.right_side.resize(rows);
  if (open_moves) problem.G->multiply(w.direction.data(), w.right_side.data());

  w.matrix.resize(n * n);
  w.scratch.resize(n);
  double* J = w.matrix.data();
  const std::size_t count = w.active.size();
  for (std::size_t p = 0; p < count; ++p) {
    const Index b = w.active[p];
    const RowRange& to = problem.G->block(b);
    const double rho = problem.G->rho(b);
    const double* D = w.derivative.data() + b * stride;
    const Index row = w.integers[p];
    const double root = std::sqrt(rho);
    for (Index i = 0; i < to.rows; ++i) {
      double shifted = 0.0;
      if (open_moves)
        for (Index k = 0; k < to.rows; ++k) shifted += D[i + k * to.rows] * w.right_side[to.row + k];
      w.scratch[row + i] = -root * F[to.row + i] - shifted / root;
    }
    for (std::size_t q = 0; q < count; ++q) {
      const Index j = w.active[q];
      const RowRange& from = problem.G->block(j);
      const double scale = p == q ? 1.0 / rho : 1.0 / (root * std::sqrt(problem.G->rho(j)));
      for (Index c = 0; c < from.rows; ++c) {
        const double* column = G + static_cast<std::ptrdiff_t>(from.row + c) * rows + to.row;
        double* out = J + row + (w.integers[q] + c) * n;
        for (Index i = 0; i < to.rows; ++i) {
          double sum = 0.0;
          for (Index k = 0; k < to.rows; ++k) sum += D[i + k * to.rows] * column[k];
          out[i] = scale * sum;
        }
      }
    }
    for (Index c = 0; c < to.rows; ++c) {
      double* out = J + row + (row + c) * n;
      for (Index i = 0; i < to.rows; ++i) out[i] += (i == c ? 1.0 : 0.0) - D[i + c * to.rows];
    }
  }

  solve_or_minimum_norm(J, n, rank_tolerance, w.scratch.data(), w.minimum_norm);
  for (std::size_t p = 0; p < count; ++p) {
    const RowRange& range = problem.G->block(w.active[p]);
    const double root = std::sqrt(problem.G->rho(w.active[p]));
    for (Index i = 0; i < range.rows; ++i) w.direction[range.row + i] = w.scratch[w.integers[p] + i] / root;
  }
}

}  // namespace

bool has_joints(const InclusionProblem& problem) {
  return std::any_of(problem.laws.begin(), problem.laws.end(),
                     [](const Law* law) { return law->kind() == LawKind::bilateral; });
}

bool newton(const InclusionProblem& problem, const NewtonOptions& options, SolverWorkspace& w,
            InclusionResult& result) {
  const Index rows = problem.rows();
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  if (solves(problem, result.residual, options.tolerance, w.residual)) return true;

  const double* G = problem.G->dense();
  const bool sparse = rows > dense_newton_limit || (G == nullptr && has_joints(problem));
  if (sparse) {
    begin_sparse_newton(problem, w);
  } else if (G == nullptr) {
    w.dense_G.resize(rows * rows);
    problem.G->to_dense(w.dense_G.data());
    G = w.dense_G.data();
  }
  w.trial = result.lambda;
  w.best_lambda = result.lambda;
  double best = result.residual;
  w.history.assign(1, merit(problem, w.residual));
  for (int iteration = 0; iteration < options.max_iterations; ++iteration) {
    if (sparse)
      sparse_newton_step(problem, w.trial, result.xi, w);
    else
      dense_newton_step(problem, G, w.trial, result.xi, w);
    ++result.iterations;
    const double reference = *std::max_element(w.history.begin(), w.history.end());
    double t = 1.0, value = 0.0;
    bool accepted = false;
    result.lambda = w.trial;
    for (int halving = 0; halving <= max_halvings && !accepted; ++halving, t *= 0.5) {
      for (Index i = 0; i < rows; ++i) w.trial[i] = result.lambda[i] + t * w.direction[i];
      result.residual = residual(problem, w.trial, result.xi, w.residual);
      if (result.residual < best) {
        best = result.residual;
        w.best_lambda = w.trial;
        if (solves(problem, best, options.tolerance, w.residual)) {
          result.lambda = w.trial;
          return true;
        }
      }
      value = merit(problem, w.residual);
      accepted = value <= (1.0 - 1e-4 * t) * reference;
    }
    if (!accepted) break;
    if (w.history.size() == memory_length) w.history.erase(w.history.begin());
    w.history.push_back(value);
  }
  result.lambda = w.best_lambda;
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  return solves(problem, result.residual, options.tolerance, w.residual);
}

namespace {

class SemismoothNewton : public InclusionSolver {
 public:
  explicit SemismoothNewton(const Parameters& parameters)
      : options_{parameters.number("tolerance"), static_cast<int>(parameters.number("max_iterations"))} {}

  void solve(const InclusionProblem& problem, SolverWorkspace& workspace, InclusionResult& result) const override {
    result.lambda.resize(problem.rows());
    result.iterations = 0;
    measure_noise(problem, workspace.residual);
    bool solved =
        newton(problem, {options_.tolerance, std::min(newton_steps, options_.max_iterations)}, workspace, result);
    if (!solved) {
      SweepOptions sweeps;
      sweeps.tolerance = options_.tolerance;
      sweeps.max_iterations = options_.max_iterations - result.iterations;
      solved = gauss_seidel(problem, sweeps, workspace, result);
    }
    conclude(problem, solved, options_.tolerance, workspace.residual, result);
  }

 private:
  NewtonOptions options_;
};

}  // namespace

extern const SolverEntry semismooth_newton_entry;
const SolverEntry semismooth_newton_entry{
    "semismooth_newton",
    "Newton on the natural map, minimum-norm steps for redundant contacts",
    "all laws; symmetric or not",
    {{"tolerance", 1e-12, "residual to reach", 0.0, 1.0},
     {"max_iterations", 100000.0, "Newton steps, and sweeps that take over after 60 of them", 1.0, 1e9}},
    [](const Parameters& parameters) -> std::unique_ptr<InclusionSolver> {
      return std::make_unique<SemismoothNewton>(parameters);
    }};

}  // namespace carom::inline inclusion
