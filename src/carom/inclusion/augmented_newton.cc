// Redundant contacts with friction. Four corners of a box have twelve rows for six velocities. Where the laws of the
// corners contradict each other by a little (restitution asks the ends of a slightly tilted edge for velocities that no
// rigid body has), the solution is one corner that slides, with a speed of 1e-10 of what is going on, while its impulse
// has left the middle of the cone for the rim. On the map lambda = P(lambda - xi / rho) such a speed is invisible
// beside lambda, and Newton's method on it (semismooth_newton.cc) stands still at the least-squares mean of the
// contradiction.
//
// The remedy is that of plasticity. The problem regularised around a centre lambda_k,
//
//   xi = G lambda + c,      -(xi + alpha R (lambda - lambda_k)) in N_C(lambda),      R_b = rho_b I,
//
// says  lambda = P(lambda_k - xi / (alpha rho)):  an elastic trial value, brought back to the cone. Newton's method on
// the velocities xi,
//
//   H(xi) = xi - c - G P(lambda_k - xi / (alpha rho)) = 0,      H' = I + G D / (alpha rho),      D in dP,
//
// has a regular matrix for every redundancy, and with alpha of the size of the residual a speed as small as the error
// moves lambda by as much as lambda. Then lambda_{k+1} = lambda is the next centre (the proximal point iteration, or
// the method of multipliers). alpha falls with the residual, so that the last iterations are Newton's own.
//
// H is the error of the solution in xi, and lambda is in the cone: the regularised problem is solved when |H_b| is
// below a tenth of the tolerance; what is left then, alpha rho |lambda - lambda_k|, the next centre removes.
//
// Large problems factor H' with the bodies as nodes (contact_dampers.h).
#include "carom/inclusion/augmented_newton.h"

#include <algorithm>
#include <cmath>

#include "carom/base/small_lu.h"
#include "carom/inclusion/large_memory.h"

namespace carom::inline inclusion {

namespace {

constexpr Index max_dense_rows = 120;
constexpr int refinements = 1;
constexpr int max_centres = 60, max_failures = 8;  // failures: regularised problems unsolved in a row
constexpr int max_steps = 40, max_halvings = 12;   // of one regularised problem
constexpr double smallest_alpha = 1e-13, largest_alpha = 1.0;
// alpha as a share of the residual: less after a success, more after a failure.
constexpr double less = 0.1, more = 30.0, smallest_share = 1e-4;

class RegularisedProblem {
 public:
  RegularisedProblem(const InclusionProblem& problem, double alpha, SolverWorkspace& w)
      : problem_(problem), alpha_(alpha), dampers_(kept(w.automatic).dampers), m_(kept(w.augmented)) {}

  // From m.xi: m.lambda with its xi. Whether |H_b| <= tolerance scale_b. `steps`: how many may be taken; were taken.
  bool solve(double tolerance, int& steps) {
    const int most = steps;
    double value = evaluate(m_.xi);
    for (steps = 0; !solved(tolerance);) {
      if (steps == most || !newton_step()) return false;
      ++steps;
      double t = 1.0, next = value;
      bool accepted = false;
      for (int halving = 0; halving <= max_halvings && !accepted; ++halving, t *= 0.5) {
        for (Index i = 0; i < problem_.rows(); ++i) m_.trial[i] = m_.xi[i] + t * m_.step[i];
        next = evaluate(m_.trial);
        accepted = next <= (1.0 - 1e-4 * t) * value;
      }
      if (!accepted) {
        evaluate(m_.xi);
        return solved(10.0 * tolerance);  // rounding may forbid more
      }
      std::swap(m_.xi, m_.trial);
      value = next;
    }
    return true;
  }

 private:
  // lambda_k - xi / (alpha rho) of one block that something moves.
  void elastic(Index b, const Buffer& xi, double* x) const {
    const RowRange& range = problem_.G->block(b);
    const double r = 1.0 / (alpha_ * problem_.G->rho(b));
    for (Index i = 0; i < range.rows; ++i) x[i] = m_.centre[range.row + i] - r * xi[range.row + i];
  }

  // lambda and H at xi; sum_b |H_b|^2 / rho_b.
  double evaluate(const Buffer& xi) {
    const Delassus& G = *problem_.G;
    std::fill(m_.lambda.begin(), m_.lambda.end(), 0.0);
    for (Index b = 0; b < problem_.block_count(); ++b) {
      if (!(G.rho(b) > 0.0)) continue;
      double x[Law::max_dim];
      elastic(b, xi, x);
      problem_.laws[static_cast<std::size_t>(b)]->project(x, m_.lambda.data() + G.block(b).row);
    }
    G.multiply(m_.lambda.data(), m_.H.data());
    double sum = 0.0;
    for (Index b = 0; b < problem_.block_count(); ++b) {
      double square = 0.0;
      for (Index i = G.block(b).row; i < G.block(b).row + G.block(b).rows; ++i) {
        m_.H[i] = xi[i] - problem_.c[i] - m_.H[i];
        square += m_.H[i] * m_.H[i];
      }
      if (G.rho(b) > 0.0) sum += square / G.rho(b);
    }
    return sum;
  }

  // step = -(I + G D / (alpha rho))^-1 H
  bool newton_step() {
    const bool found = problem_.rows() <= max_dense_rows ? dense_step() : sparse_step();
    return found && std::all_of(m_.step.begin(), m_.step.end(), [](double s) { return std::isfinite(s); });
  }

  // B = D / (alpha rho).
  bool sparse_step() {
    for (Index b = 0; b < problem_.block_count(); ++b) {
      const Index rows = problem_.G->block(b).rows;
      const double rho = problem_.G->rho(b);
      double x[Law::max_dim];
      double* B = dampers_.damper(b);
      if (rho > 0.0) {
        elastic(b, m_.xi, x);
        problem_.laws[static_cast<std::size_t>(b)]->project_derivative(x, B);
      }
      for (Index i = 0; i < rows * rows; ++i) B[i] = rho > 0.0 ? B[i] / (alpha_ * rho) : 0.0;
    }
    dampers_.factor();
    for (Index i = 0; i < problem_.rows(); ++i) m_.H[i] = -m_.H[i];
    dampers_.solve(m_.H.data(), m_.step.data(), refinements);
    return true;
  }

  bool dense_step() {
    const Index rows = problem_.rows();
    m_.J.assign(rows * rows, 0.0);
    for (Index j = 0; j < problem_.block_count(); ++j) {
      const RowRange& from = problem_.G->block(j);
      const double rho = problem_.G->rho(j);
      if (!(rho > 0.0)) continue;
      double x[Law::max_dim], D[Law::max_dim * Law::max_dim];
      elastic(j, m_.xi, x);
      problem_.laws[static_cast<std::size_t>(j)]->project_derivative(x, D);
      for (Index c = 0; c < from.rows; ++c) {
        double* out = m_.J.data() + (from.row + c) * rows;
        for (Index k = 0; k < from.rows; ++k) {
          const double d = D[k + c * from.rows] / (alpha_ * rho);
          if (d == 0.0) continue;
          const double* column = m_.G.data() + (from.row + k) * rows;
          for (Index i = 0; i < rows; ++i) out[i] += column[i] * d;
        }
      }
    }
    for (Index i = 0; i < rows; ++i) m_.J[i + i * rows] += 1.0;
    if (!lu_factor(m_.J.data(), m_.pivots.data(), static_cast<int>(rows))) return false;
    for (Index i = 0; i < rows; ++i) m_.step[i] = -m_.H[i];
    lu_solve(m_.J.data(), m_.pivots.data(), static_cast<int>(rows), m_.step.data(), 1);
    return true;
  }

  bool solved(double tolerance) const {
    for (Index b = 0; b < problem_.block_count(); ++b) {
      const RowRange& range = problem_.G->block(b);
      double square = 0.0;
      for (Index i = range.row; i < range.row + range.rows; ++i) square += m_.H[i] * m_.H[i];
      if (!(std::sqrt(square) <= tolerance * m_.scale[b])) return false;
    }
    return true;
  }

  const InclusionProblem& problem_;
  const double alpha_;
  ContactDampers& dampers_;  // of large problems
  AugmentedMemory& m_;
};

}  // namespace

bool augmented_newton(const InclusionProblem& problem, const AugmentedOptions& options, SolverWorkspace& w,
                      InclusionResult& result) {
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  if (solves(problem, result.residual, options.tolerance, w.residual)) return true;
  const Index rows = problem.rows();
  if (!std::isfinite(result.residual)) return false;
  AugmentedMemory& m = kept(w.augmented);
  if (rows <= max_dense_rows) {
    m.G.resize(rows * rows);
    problem.G->to_dense(m.G.data());
  } else {
    kept(w.automatic).dampers.begin(*problem.G);
  }
  for (Buffer* buffer : {&m.lambda, &m.H, &m.step, &m.trial}) buffer->resize(rows);
  m.pivots.resize(static_cast<std::size_t>(rows));

  m.centre = m.best = result.lambda;
  m.scale = w.residual.scale;
  double best = result.residual, current = result.residual, share = 1.0;
  bool solved = false;
  int spent = 0, failures = 0;
  for (int k = 0; k < max_centres && failures < max_failures && spent < options.max_iterations && !solved; ++k) {
    m.xi = result.xi;
    int steps = std::min(max_steps, options.max_iterations - spent);
    const double alpha = std::clamp(share * current, smallest_alpha, largest_alpha);
    const bool regular = RegularisedProblem(problem, alpha, w).solve(0.1 * options.tolerance, steps);
    spent += steps;
    const double value = residual(problem, m.lambda, m.trial, w.residual);
    solved = solves(problem, value, options.tolerance, w.residual);
    if (solved || value < best) {
      best = value;
      m.best = m.lambda;
    }
    failures = regular ? 0 : failures + 1;
    share = regular ? std::max(less * share, smallest_share) : more * share;
    if (!regular) continue;
    m.centre = m.lambda;
    result.xi = m.trial;
    m.scale = w.residual.scale;
    current = value;
  }
  result.iterations += spent;
  result.lambda = m.best;
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  return solves(problem, result.residual, options.tolerance, w.residual);
}

}  // namespace carom::inline inclusion
