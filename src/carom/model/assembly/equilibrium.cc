#include "carom/model/assembly/equilibrium.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "carom/base/dense_solve.h"
#include "carom/system/curvature.h"

namespace carom::model {

namespace {

constexpr int most_iterations = 400, most_sets = 60;
constexpr double balanced = 1e-11, closed = 1e-11, largest_step = 0.2;
constexpr double nearly_balanced = 1e-6,
                 only_rounding = 1e-13;  // of forces, of a step that Newton's method would still take
constexpr double looking_ahead = 0.2;    // s: a fall of a step's length

Matrix dense(const StructuredMatrix& A, Index n) {
  Matrix out = Matrix::Zero(n, n);
  for (Index k = 0; k < n; ++k) {
    const Vector unit = Vector::Unit(n, k);
    A.multiply_add(1.0, unit.data(), out.col(k).data());
  }
  return out;
}

// What holds or may touch at a position, by the rows that exist on position level.
struct Rows {
  ContactSet contacts;
  ActiveSet active;
  Evaluation at;
  Matrix W;  // nv x rows
  Vector g;
  std::vector<char> inequality;  // by row
  std::vector<Index> full_row;   // its number among all rows of the active set
  std::vector<std::string> names;

  void find(const System& system, const State& state) {
    system.detect(state.t, state.q, state.v, looking_ahead, contacts);
    active.reset(contacts);
    active.add_all();
    system.evaluate(state.t, state.q, state.v,
                    Need::inertia | Need::force | Need::force_jacobian | Need::gap | Need::jacobian, active, at);
    inequality.clear();
    full_row.clear();
    names.clear();
    Index row = 0;
    for (Index i = 0; i < active.size(); ++i) {
      const Constraint& c = active.constraint(i);
      for (Index r = 0; r < c.position_rows; ++r) {
        inequality.push_back(!c.bilateral);
        full_row.push_back(row + r);
        names.push_back(system.constraint_name(c) + std::to_string(r));
      }
      row += c.law->dim();
    }
    Buffer columns;
    at.W.to_columns(system.nv(), columns);
    const ConstMatrixMap all(columns.data(), system.nv(), active.rows());
    W.resize(system.nv(), static_cast<Index>(full_row.size()));
    g.resize(W.cols());
    for (Index k = 0; k < W.cols(); ++k) {
      W.col(k) = all.col(full_row[static_cast<std::size_t>(k)]);
      g[k] = at.g[full_row[static_cast<std::size_t>(k)]];
    }
  }
};

// min 1/2 x'A x - h'x with g + W'x = 0, or >= 0 where it is an inequality: the set of rows that act is repeated until
// it stays.
void shortest(const Matrix& A, const Vector& h, const Rows& rows, Vector& x, Vector& lambda) {
  const Index n = static_cast<Index>(h.size()), m = static_cast<Index>(rows.g.size());
  std::vector<char> acts(static_cast<std::size_t>(m));
  for (Index k = 0; k < m; ++k)
    acts[static_cast<std::size_t>(k)] =
        !rows.inequality[static_cast<std::size_t>(k)] || lambda[k] > 0.0 || rows.g[k] <= 0.0;
  const double scale = A.diagonal().cwiseAbs().maxCoeff();
  for (int set = 0; set < most_sets; ++set) {
    std::vector<Index> list;
    for (Index k = 0; k < m; ++k)
      if (acts[static_cast<std::size_t>(k)]) list.push_back(k);
    const Index a = static_cast<Index>(list.size());
    Matrix K = Matrix::Zero(n + a, n + a);
    Vector b(n + a);
    K.topLeftCorner(n, n) = A;
    b.head(n) = h;
    for (Index i = 0; i < a; ++i) {
      const Index k = list[static_cast<std::size_t>(i)];
      K.col(n + i).head(n) = -scale * rows.W.col(k);
      K.row(n + i).head(n) = -scale * rows.W.col(k).transpose();
      b[n + i] = scale * rows.g[k];
    }
    const Vector solution = least_norm_solution(K, b).X;  // redundant rows share
    x = solution.head(n);
    lambda.setZero(m);
    for (Index i = 0; i < a; ++i) lambda[list[static_cast<std::size_t>(i)]] = scale * solution[n + i];
    bool changed = false;
    const Vector ahead = rows.g + rows.W.transpose() * x;
    for (Index k = 0; k < m; ++k) {
      if (!rows.inequality[static_cast<std::size_t>(k)]) continue;
      const char now = acts[static_cast<std::size_t>(k)] ? lambda[k] > 0.0 : ahead[k] < -closed;
      changed = changed || now != acts[static_cast<std::size_t>(k)];
      acts[static_cast<std::size_t>(k)] = now;
    }
    if (!changed) return;
  }
}

}  // namespace

EquilibriumReport find_equilibrium(const System& system, State& state) {
  EquilibriumReport report;
  const Index n = system.nv();
  state.v.setZero(n);
  if (n == 0 || n > most_velocities_at_rest) {
    report.found = n == 0;
    return report;
  }
  Rows rows;
  DifferencedCurvature differences;
  const Curvature& curvature = curvature_of(system, differences);
  Vector lambda, x = Vector::Zero(n), next;
  std::map<std::string, double> carried;  // by row: contacts come and go
  double tau = 0.0, last = 0.0;
  double acting = 0.0;  // the largest force met on the way: at rest springs and weights cancel
  for (; report.iterations < most_iterations; ++report.iterations) {
    rows.find(system, state);
    const Index m = static_cast<Index>(rows.g.size());
    lambda.setZero(m);
    for (Index k = 0; k < m; ++k)
      if (const auto found = carried.find(rows.names[static_cast<std::size_t>(k)]); found != carried.end())
        lambda[k] = found->second;
    // What is left of the forces, with the reactions of the step before, and of the gaps.
    const Vector reaction = rows.W * lambda, rest = rows.at.h + reaction;
    acting = std::max({acting, rows.at.h.cwiseAbs().maxCoeff(), reaction.cwiseAbs().maxCoeff()});
    report.unbalanced = acting > 0.0 ? rest.cwiseAbs().maxCoeff() / acting : 0.0;
    double open = 0.0;
    for (Index k = 0; k < m; ++k)
      open = std::max(open, rows.inequality[static_cast<std::size_t>(k)]
                                ? std::max(-rows.g[k], lambda[k] > 0.0 ? rows.g[k] : 0.0)
                                : std::abs(rows.g[k]));
    if (report.iterations > 0 && report.unbalanced <= balanced && open <= closed) {
      report.found = true;
      return report;
    }
    const Matrix M = dense(rows.at.M, n);
    if (tau == 0.0) {
      const double fastest = ldlt_solution(M, rows.at.h).cwiseAbs().maxCoeff();
      tau = fastest > 0.0 ? 0.1 * largest_step / fastest : 1.0;
    } else if (last > 0.0) {
      tau *= std::clamp(last / std::max(rest.norm(), 1e-300), 0.5, 10.0);
    }
    last = rest.norm();
    Matrix A = M / tau - dense(rows.at.dh_dq, n);
    if (m > 0) {
      Vector by_row = Vector::Zero(rows.active.rows());
      for (Index k = 0; k < m; ++k) by_row[rows.full_row[static_cast<std::size_t>(k)]] = lambda[k];
      Buffer bent;
      if (curvature.directions(state.t, state.q, rows.active, by_row.data(), bent))
        A -= ConstMatrixMap(bent.data(), n, n);
    }
    shortest(A, rows.at.h, rows, x, lambda);
    carried.clear();
    for (Index k = 0; k < m; ++k) carried[rows.names[static_cast<std::size_t>(k)]] = lambda[k];
    const double longest = x.cwiseAbs().maxCoeff();
    if (report.unbalanced <= nearly_balanced && open <= closed &&
        longest <= only_rounding) {  // stiff springs round the forces
      report.found = true;
      return report;
    }
    system.move(state.q, longest > largest_step ? Vector(x * (largest_step / longest)) : x, next);
    if (!next.allFinite()) return report;
    state.q = next;
  }
  return report;
}

}  // namespace carom::model
