// The finitely many states of bilateral, unilateral and planar Coulomb blocks, and the solution that
// belongs to one combination of them:
//
//   bilateral        xi = 0
//   unilateral       closed: xi = 0                 open: lambda = 0
//   planar Coulomb   stick:  xi_N = 0, xi_T = 0
//                    slip+:  xi_N = 0, lambda_T = -mu lambda_N      (xi_T >= 0)
//                    slip-:  xi_N = 0, lambda_T = +mu lambda_N      (xi_T <= 0)
//                    open:   lambda = 0
//
// A linear system; where it is singular (redundant contacts) the solution of minimum norm in the
// variables sqrt(rho_b) lambda_b.
#pragma once

#include "carom/inclusion/inclusion_solver.h"

namespace carom::inline inclusion {

enum class BlockState : char { closed_or_stick, slip_plus, slip_minus, open };

// Number of states of a law in the order of BlockState (a unilateral block: closed, open), 0 if they
// are not finite.
int state_count(LawKind kind);

// The most rows solve_states() takes.
inline constexpr Index max_state_rows = 24;

// The states a solution lambda is in, read off lambda alone. False if a law has no finite states.
bool states_of(const InclusionProblem& problem, const Buffer& lambda, std::vector<BlockState>& states);

// lambda for given states; G is the dense matrix of the problem.
void solve_states(const InclusionProblem& problem, const double* G, const std::vector<BlockState>& states,
                  SolverWorkspace& workspace, Buffer& lambda);

}  // namespace carom::inline inclusion
