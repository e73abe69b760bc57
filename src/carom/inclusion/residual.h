// The one judge of all solvers: the blockwise backward error
//
//   max_b  rho_b | lambda_b - P_b(lambda_b - xi_b / rho_b) |  /  ( |c_b| + sum_j |G_bj lambda_j| )
//
// with rho_b the largest diagonal entry of G_bb and 0/0 = 0. It vanishes exactly at solutions, is at
// most 1 for feasible lambda, does not change with units, with power-conjugate scaling of a block or
// with unrelated parts of the scene, and its floor is rounding.
#pragma once

#include "carom/inclusion/inclusion_problem.h"

namespace carom::inline inclusion {

struct ResidualWorkspace {
  Buffer scale;   // |c_b| + sum_j |G_bj lambda_j|, per block
  Buffer defect;  // F_b = lambda_b - P_b(lambda_b - xi_b / rho_b), per row
  Buffer noise;   // how exactly c_b is known, per block; empty: exactly
};

// Fills the noise of a problem that says what its c was summed from:  16 epsilon |(|W|'|u|)_b|, which bounds the
// rounding of the products and of W and u themselves. Costs as much as forming c: asked for only where a first attempt
// has failed.
void measure_noise(const InclusionProblem& problem, ResidualWorkspace& workspace);

// Computes xi = G lambda + c on the way, and leaves scale and defect in the workspace. A block with rho_b = 0 counts 0
// if c_b obeys the law at lambda_b = 0 and 1 otherwise.
double residual(const InclusionProblem& problem, const Buffer& lambda, Buffer& xi, ResidualWorkspace& workspace);

// sum_b rho_b |F_b|^2 of the defect the last residual() left behind: an absolute measure in units of
// energy, for descent tests. (The residual is relative to |G lambda|: a diverging lambda can lower it.)
double merit(const InclusionProblem& problem, const ResidualWorkspace& workspace);

// Whether the lambda that residual() was just asked about counts as a solution: every block's error is at or
// below tolerance scale_b + noise_b, and the merit, with that of the errors which rounding hides in cancelling terms,
// sum_b (epsilon scale_b)^2 / rho_b, at or below tolerance sum_b |c_b|^2 / rho_b + sum_b noise_b^2 / rho_b.
// The second asks little (its square root, with the square root of the tolerance), but it rejects an unsolvable problem
// whose lambda grows without bound: relative to ever larger impulses any error becomes small, and in the end invisible.
bool solves(const InclusionProblem& problem, double residual_value, double tolerance,
            const ResidualWorkspace& workspace);

// The end of a solve: status, and where impulses grew until their own size hid the error, the error by what was given,
// sqrt(merit / sum_b |c_b|^2 / rho_b), for the residual.
void conclude(const InclusionProblem& problem, bool solved, double tolerance, ResidualWorkspace& workspace,
              InclusionResult& result);

}  // namespace carom::inline inclusion
