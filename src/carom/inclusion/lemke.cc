// Lemke's complementary pivoting for the linear complementarity problem
//
//   w = M z + q,   0 <= w _|_ z >= 0
//
// that an inclusion problem with bilateral, unilateral and planar Coulomb blocks becomes:
//
//   bilateral     eliminated:  lambda_B = -G_BB^+ (G_BU lambda_U + c_B)       (minimum norm)
//   unilateral    z = lambda,  w = xi
//   planar        lambda_T = beta_plus - beta_minus,  z = (lambda_N, beta_plus, beta_minus, sigma)
//                 w = (xi_N,  sigma + xi_T,  sigma - xi_T,  mu lambda_N - beta_plus - beta_minus)
//
// sigma is the sliding speed. Rows and columns are scaled by sqrt(rho_b). The artificial variable z_0
// enters with covering vector 1; ties of the ratio test are broken lexicographically, so that the
// method ends also for degenerate problems: at a solution (always, when G is positive semidefinite and
// the problem solvable) or on a ray. What pivoting leaves of rounding, a Newton step removes.
//
// Reference: Cottle, Pang, Stone, The Linear Complementarity Problem, section 4.4.
#include <algorithm>
#include <cmath>
#include <vector>

#include "carom/base/dense_solve.h"
#include "carom/inclusion/semismooth_newton.h"

namespace carom::inline inclusion {

namespace {

// z with w = M z + q complementary, or nothing on ray termination. Tableau [I, -M, -1 | q].
bool pivot(const Matrix& M, const Vector& q, int max_pivots, Vector& z, int& pivots) {
  const Index n = static_cast<Index>(q.size());
  z.setZero(n);
  if (n == 0 || q.minCoeff() >= 0.0) return true;
  const Index artificial = 2 * n;  // columns: w 0..n-1, z n..2n-1, z_0, right-hand side
  Matrix T(n, 2 * n + 2);
  T << Matrix::Identity(n, n), -M, -Vector::Ones(n), q;
  std::vector<Index> basis(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) basis[static_cast<std::size_t>(i)] = i;

  const auto exchange = [&](Index row, Index column) {
    T.row(row) /= T(row, column);
    for (Index i = 0; i < n; ++i)
      if (i != row && T(i, column) != 0.0) T.row(i) -= T(i, column) * T.row(row);
    std::swap(basis[static_cast<std::size_t>(row)], column);
    ++pivots;
    return column;  // the variable that left
  };
  // Row with the lexicographically smallest (right-hand side, w-columns) / pivot entry.
  const auto ratio_test = [&](Index column) {
    const double smallest_pivot = 1e-11 * std::max(1.0, T.col(column).cwiseAbs().maxCoeff());
    Index best = -1;
    for (Index i = 0; i < n; ++i) {
      if (!(T(i, column) > smallest_pivot)) continue;
      if (best < 0) {
        best = i;
        continue;
      }
      for (Index k = -1; k < n; ++k) {
        const Index at = k < 0 ? 2 * n + 1 : k;
        const double a = T(i, at) / T(i, column), b = T(best, at) / T(best, column);
        if (std::abs(a - b) <= 1e-13 * std::max(std::abs(a), std::abs(b))) {
          // A tie; among tied ratios the artificial variable leaves first: that ends the method.
          if (k < 0 && basis[static_cast<std::size_t>(best)] == artificial) break;
          if (k < 0 && basis[static_cast<std::size_t>(i)] == artificial) {
            best = i;
            break;
          }
          continue;
        }
        if (a < b) best = i;
        break;
      }
    }
    return best;
  };

  Index row;
  q.minCoeff(&row);
  Index leaving = exchange(row, artificial);
  while (leaving != artificial) {
    if (pivots >= max_pivots) return false;
    const Index entering = leaving < n ? leaving + n : leaving - n;
    row = ratio_test(entering);
    if (row < 0) return false;  // a ray
    leaving = exchange(row, entering);
  }
  for (Index i = 0; i < n; ++i)
    if (basis[static_cast<std::size_t>(i)] >= n) z[basis[static_cast<std::size_t>(i)] - n] = T(i, 2 * n + 1);
  return true;
}

// lambda = E z + f with everything the elimination and the splitting need.
struct Formulation {
  Matrix M;
  Vector q;
  Matrix E;  // rows x n
  Vector f;
};

Formulation formulate(const InclusionProblem& problem) {
  const Index rows = problem.rows();
  Matrix G(rows, rows);
  problem.G->to_dense(G.data());
  const ConstVectorMap c = problem.c.vec();
  std::vector<Index> bilateral, unknowns_of_block;
  Index n = 0;
  for (Index b = 0; b < problem.block_count(); ++b) {
    const RowRange& range = problem.G->block(b);
    const LawKind kind = problem.laws[static_cast<std::size_t>(b)]->kind();
    if (kind == LawKind::bilateral)
      for (Index i = 0; i < range.rows; ++i) bilateral.push_back(range.row + i);
    n += kind == LawKind::unilateral ? 1 : kind == LawKind::planar_coulomb ? 4 : 0;
  }

  // Directions of z in lambda (E) and of the w-rows: w = R xi + S z.
  Formulation out;
  out.E = Matrix::Zero(rows, n);
  out.f = Vector::Zero(rows);
  Matrix R = Matrix::Zero(n, rows), S = Matrix::Zero(n, n);
  Index k = 0;
  for (Index b = 0; b < problem.block_count(); ++b) {
    const RowRange& range = problem.G->block(b);
    const Law& law = *problem.laws[static_cast<std::size_t>(b)];
    if (law.kind() == LawKind::bilateral) continue;
    const double rho = problem.G->rho(b);
    const double s = rho > 0.0 ? 1.0 / std::sqrt(rho) : 1.0;
    out.E(range.row, k) = s;
    R(k, range.row) = s;
    if (law.kind() == LawKind::planar_coulomb) {
      out.E(range.row + 1, k + 1) = s;
      out.E(range.row + 1, k + 2) = -s;
      R(k + 1, range.row + 1) = s;
      R(k + 2, range.row + 1) = -s;
      S(k + 1, k + 3) = S(k + 2, k + 3) = 1.0;
      S(k + 3, k) = law.friction();
      S(k + 3, k + 1) = S(k + 3, k + 2) = -1.0;
      k += 3;
    }
    ++k;
  }
  if (!bilateral.empty()) {
    // Scaled like the rest, so that the pseudo-inverse does not mix units.
    Vector root(static_cast<Index>(bilateral.size()));
    for (Index b = 0, at = 0; b < problem.block_count(); ++b)
      if (problem.laws[static_cast<std::size_t>(b)]->kind() == LawKind::bilateral)
        for (Index i = 0; i < problem.G->block(b).rows; ++i, ++at)
          root[at] = problem.G->rho(b) > 0.0 ? 1.0 / std::sqrt(problem.G->rho(b)) : 1.0;
    const Matrix A = root.asDiagonal() * Matrix(G(bilateral, bilateral)) * root.asDiagonal();
    Matrix right(root.size(), n + 1);
    right << Matrix(G(bilateral, Eigen::all)) * out.E, Vector(c(bilateral));
    const Matrix solution = root.asDiagonal() * least_norm_solution(A, root.asDiagonal() * right, 1e-12).X;
    for (std::size_t i = 0; i < bilateral.size(); ++i) {
      out.E.row(bilateral[i]) = -solution.row(static_cast<Index>(i)).head(n);
      out.f[bilateral[i]] = -solution(static_cast<Index>(i), n);
    }
  }
  out.M = R * G * out.E + S;
  out.q = R * (G * out.f + c);
  return out;
}

class Lemke : public InclusionSolver {
 public:
  explicit Lemke(const Parameters& parameters)
      : tolerance_(parameters.number("tolerance")),
        max_iterations_(static_cast<int>(parameters.number("max_iterations"))) {}

  void solve(const InclusionProblem& problem, SolverWorkspace& workspace, InclusionResult& result) const override {
    result.lambda.resize(problem.rows());
    result.iterations = 0;
    measure_noise(problem, workspace.residual);
    result.residual = residual(problem, result.lambda, result.xi, workspace.residual);
    bool accepted = problem.rows() <= max_rows;
    for (const Law* law : problem.laws) accepted = accepted && law->kind() != LawKind::other;
    if (!accepted) {
      result.status = SolveStatus::unsuitable;
      return;
    }
    bool solved = solves(problem, result.residual, tolerance_, workspace.residual);
    if (!solved) {
      const Formulation lcp = formulate(problem);
      Vector z;
      if (pivot(lcp.M, lcp.q, max_iterations_, z, result.iterations)) result.lambda.vec() = lcp.E * z + lcp.f;
      solved = newton(problem, {tolerance_, std::min(60, max_iterations_ - result.iterations)}, workspace, result);
    }
    conclude(problem, solved, tolerance_, workspace.residual, result);
  }

 private:
  static constexpr Index max_rows = 500;  // the tableau is dense
  double tolerance_;
  int max_iterations_;
};

}  // namespace

extern const SolverEntry lemke_entry;
const SolverEntry lemke_entry{"lemke",
                              "complementary pivoting, bilateral rows eliminated first",
                              "bilateral, unilateral and planar Coulomb blocks, up to 500 rows",
                              {{"tolerance", 1e-12, "residual to reach", 0.0, 1.0},
                               {"max_iterations", 10000.0, "pivots, and Newton steps that polish", 1.0, 1e9}},
                              [](const Parameters& parameters) -> std::unique_ptr<InclusionSolver> {
                                return std::make_unique<Lemke>(parameters);
                              }};

}  // namespace carom::inline inclusion
