#include "carom/inclusion/contact_states.h"

#include <algorithm>
#include <cmath>

#include "carom/base/scalar_code.h"
#include "carom/base/small_lu.h"

namespace carom::inline inclusion {

int state_count(LawKind kind) {
  switch (kind) {
    case LawKind::bilateral: return 1;
    case LawKind::unilateral: return 2;
    case LawKind::planar_coulomb: return 4;
    case LawKind::other: return 0;
  }
  return 0;
}

bool states_of(const InclusionProblem& problem, const Buffer& lambda, std::vector<BlockState>& states) {
  const std::size_t blocks = problem.laws.size();
  states.resize(blocks);
  for (std::size_t b = 0; b < blocks; ++b) {
    const Law& law = *problem.laws[b];
    const double* l = lambda.data() + problem.G->block(static_cast<Index>(b)).row;
    if (law.kind() == LawKind::other) return false;
    const ContactState state = law.state(l, nullptr);
    states[b] = state == ContactState::open                                             ? BlockState::open
                : state == ContactState::stick || law.kind() != LawKind::planar_coulomb ? BlockState::closed_or_stick
                : l[1] > 0.0                                                            ? BlockState::slip_minus
                                                                                        : BlockState::slip_plus;
  }
  return true;
}

namespace {

constexpr double rank_tolerance = 1e-12;

// A row that carries an own impulse; a slipping normal carries its friction row along.
struct Unknown {
  Index row;
  double friction_factor;  // lambda[row + 1] = friction_factor lambda[row], 0 if it carries none
  double rho;
};

// Pivots are stored inverted.
bool clearly_regular(const double* lu, Index n) {
  double least = std::abs(lu[0]), most = least;
  for (Index i = 1; i < n; ++i) {
    least = std::min(least, std::abs(lu[i + i * n]));
    most = std::max(most, std::abs(lu[i + i * n]));
  }
  return least > rank_tolerance * most;
}

}  // namespace

CAROM_SCALAR_CODE void solve_states(const InclusionProblem& problem, const double* G,
                                    const std::vector<BlockState>& states, SolverWorkspace& w, Buffer& lambda) {
  const Index rows = problem.rows();
  Unknown unknowns[max_state_rows];
  Index n = 0;
  for (std::size_t b = 0; b < states.size(); ++b) {
    const double rho = problem.G->rho(static_cast<Index>(b));
    if (states[b] == BlockState::open || !(rho > 0.0)) continue;
    const RowRange& range = problem.G->block(static_cast<Index>(b));
    if (states[b] == BlockState::closed_or_stick) {
      for (Index i = 0; i < range.rows; ++i) unknowns[n++] = {range.row + i, 0.0, rho};
    } else {
      const double mu = problem.laws[b]->friction();
      unknowns[n++] = {range.row, states[b] == BlockState::slip_plus ? -mu : mu, rho};
    }
  }
  std::fill(lambda.begin(), lambda.end(), 0.0);
  if (n == 0) return;

  const bool all_rows =
      n == rows && std::none_of(unknowns, unknowns + n, [](const Unknown& u) { return u.friction_factor != 0.0; });
  const auto assemble = [&](double* A, double* right_side) {
    if (all_rows) {  // joints, and contacts that stick
      std::copy_n(G, n * n, A);
      for (Index q = 0; q < n; ++q) right_side[q] = -problem.c[q];
      return;
    }
    for (Index q = 0; q < n; ++q) {
      const Unknown& from = unknowns[q];
      const double* column = G + from.row * rows;
      for (Index p = 0; p < n; ++p) A[p + q * n] = column[unknowns[p].row];
      if (from.friction_factor != 0.0)
        for (Index p = 0; p < n; ++p) A[p + q * n] += from.friction_factor * column[unknowns[p].row + rows];
      right_side[q] = -problem.c[from.row];
    }
  };
  double A[max_state_rows * max_state_rows], x[max_state_rows];
  int pivots[max_state_rows];
  assemble(A, x);
  if (lu_factor(A, pivots, n) && clearly_regular(A, n)) {
    lu_solve(A, pivots, n, x, 1);
  } else {
    assemble(A, x);
    for (Index q = 0; q < n; ++q) {
      const double root = std::sqrt(unknowns[q].rho);
      x[q] /= root;
      for (Index p = 0; p < n; ++p) A[p + q * n] /= root * std::sqrt(unknowns[p].rho);
    }
    solve_or_minimum_norm(A, n, rank_tolerance, x, w.minimum_norm);
    for (Index q = 0; q < n; ++q) x[q] /= std::sqrt(unknowns[q].rho);
  }
  for (Index q = 0; q < n; ++q) {
    const Unknown& unknown = unknowns[q];
    lambda[unknown.row] = x[q];
    if (unknown.friction_factor != 0.0) lambda[unknown.row + 1] = unknown.friction_factor * x[q];
  }
}

}  // namespace carom::inline inclusion
