// Fixed-point sweeps over the blocks; see projected_gauss_seidel.cc and projected_jacobi.cc for the
// equations. Other solvers use them to leave a place where Newton is stuck.
#pragma once

#include "carom/inclusion/inclusion_solver.h"

namespace carom::inline inclusion {

struct SweepOptions {
  double tolerance = 1e-12;
  int max_iterations = 100000;
  int max_round_iterations = 0;  // of body_sweeps on piles of spheres; 0: the same
  int max_single = 400;          // of body_sweeps on other piles: accelerated one by one, before they take turns
  int first_turn = 300;          // of accelerations in body_sweeps, in sweeps
  bool exact = true;             // exact one-block solves; otherwise one projection a block
  double relaxation = 1.0;
  bool recover_jacobi_rate = true;  // of projections: plain Jacobi where the projection does nothing
  int patience = 200;               // sweeps without progress before the relaxation is halved
  int threads = 1;                  // of body_sweeps on round contacts; the same bits for any number
};

// All start from result.lambda, leave the best iterate with its xi and residual in `result`, add
// their sweeps to result.iterations and return whether the residual is at or below the tolerance.
bool gauss_seidel(const InclusionProblem& problem, const SweepOptions& options, SolverWorkspace& workspace,
                  InclusionResult& result);
bool body_sweeps(const InclusionProblem& problem, const SweepOptions& options, SolverWorkspace& workspace,
                 InclusionResult& result);
// Sweeps over contacts without friction and equalities of one row, between bodies; false at once for other problems.
bool frictionless_sweeps(const InclusionProblem& problem, const SweepOptions& options, SolverWorkspace& workspace,
                         InclusionResult& result);
bool jacobi(const InclusionProblem& problem, const SweepOptions& options, SolverWorkspace& workspace,
            InclusionResult& result);

// One block with the others held, `running` and lambda kept up to date; the square of its change, weighed by rho_b /
// scale_b.
double sweep_block(const InclusionProblem& problem, Index b, const SweepOptions& options, double omega,
                   const Buffer& scale, Buffer& running, Buffer& lambda);

// One projection step of a block from lambda_b with its xi_b:
//   y = P_b(lambda_b - alpha xi_b / rho_b),   or where the projection does nothing and
//   recovery is wanted   y = P_b(lambda_b - alpha diag(G_bb)^-1 xi_b).
// y may be lambda.
void projection_step(const Law& law, Index rows, const double* G_bb, double rho, const double* lambda, const double* xi,
                     double alpha, bool recover, double* y);

// The best iterate so far, and how long ago it was found.
class BestIterate {
 public:
  BestIterate(Buffer& lambda, double residual, const Buffer& start) : lambda_(lambda), residual_(residual) {
    lambda_ = start;
  }
  // Progress is a residual at least 1 % below the last one that was progress.
  bool offer(const Buffer& lambda, double residual) {
    const bool progress = residual < 0.99 * reference_;
    if (progress) reference_ = residual;
    if (residual < residual_) {
      residual_ = residual;
      lambda_ = lambda;
    }
    return progress;
  }
  const Buffer& lambda() const { return lambda_; }
  double residual() const { return residual_; }

 private:
  Buffer& lambda_;
  double residual_;
  double reference_ = residual_;
};

}  // namespace carom::inline inclusion
