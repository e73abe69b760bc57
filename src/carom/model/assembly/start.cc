#include "carom/model/assembly/start.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace carom::model {

namespace {

constexpr int most_iterations = 60;
constexpr double closed = 1e-13;  // of the length scale

// The joints of a system at a state.
struct Joints {
  ContactSet contacts;
  ActiveSet active;
  Evaluation at;
  Vector g, scale;        // on the rows that exist on position level; zero and one elsewhere
  Matrix W_transposed;    // rows x nv
  Vector gamma;           // W'v + chi

  Joints(const System& system, const State& state) {
    system.detect(state.t, state.q, state.v, 0.0, contacts);
    active.reset(contacts);
    for (Index k = 0; k < contacts.size(); ++k)
      if (contacts[k].bilateral) active.add(k);
  }
  void evaluate(const System& system, const State& state) {
    system.evaluate(state.t, state.q, state.v, Need::gap | Need::jacobian, active, at);
    const Index rows = active.rows(), nv = system.nv();
    g.setZero(rows);
    scale.setOnes(rows);
    Buffer columns;
    at.W.to_columns(nv, columns);
    W_transposed = ConstMatrixMap(columns.data(), nv, rows).transpose();
    gamma = W_transposed * state.v + at.chi.vec();
    Index row = 0;
    for (Index i = 0; i < active.size(); ++i) {
      const Constraint& c = active.constraint(i);
      const bool holds = c.law->kind() == LawKind::bilateral;  // in all rows; else those behind the positions rub
      for (Index r = 0; r < c.law->dim(); ++r, ++row) {
        scale[row] = c.length_scale;
        if (r < c.position_rows) {
          g[row] = at.g[row];
        } else if (!holds) {
          W_transposed.row(row).setZero();
          gamma[row] = 0.0;
        }
      }
    }
  }
  double error() const { return g.size() == 0 ? 0.0 : (g.array() / scale.array()).abs().maxCoeff(); }
};

// Rows without g keep out of the position problem.
Matrix position_rows(const Joints& joints) {
  Matrix W = joints.W_transposed;
  Index row = 0;
  for (Index i = 0; i < joints.active.size(); ++i) {
    const Constraint& c = joints.active.constraint(i);
    for (Index r = 0; r < c.law->dim(); ++r, ++row)
      if (r >= c.position_rows) W.row(row).setZero();
  }
  return W;
}

}  // namespace

StartReport make_consistent(const System& system, State& state) {
  StartReport report;
  Joints joints(system, state);
  if (joints.active.empty()) {
    report.assembled = report.moving_along = true;
    return report;
  }
  joints.evaluate(system, state);
  double error = joints.error();
  State trial = state;
  for (; report.iterations < most_iterations && error > closed; ++report.iterations) {
    const Vector dq = position_rows(joints).completeOrthogonalDecomposition().solve(-joints.g);
    // The full step, or the first of its halves that comes closer.
    double factor = 1.0;
    bool better = false;
    for (int halving = 0; halving < 12 && !better; ++halving, factor *= 0.5) {
      system.move(state.q, factor * dq, trial.q);
      joints.evaluate(system, trial);
      better = joints.error() < error;
    }
    if (!better) break;
    state.q = trial.q;
    error = joints.error();
  }
  joints.evaluate(system, state);
  constexpr double accepted = 1e-9;
  report.assembled = error <= accepted;

  const auto factor = joints.W_transposed.completeOrthogonalDecomposition();
  report.rows = joints.active.rows();
  report.rank = static_cast<Index>(factor.rank());
  const double fastest = joints.gamma.cwiseAbs().maxCoeff();
  state.v -= factor.solve(joints.gamma);
  joints.evaluate(system, state);
  report.moving_along = joints.gamma.cwiseAbs().maxCoeff() <= accepted * std::max(1e-3, fastest);

  Index row = 0;
  for (Index i = 0; i < joints.active.size(); ++i) {
    const Constraint& c = joints.active.constraint(i);
    const Index dim = c.law->dim();
    const double amount = joints.g.segment(row, dim).cwiseAbs().maxCoeff();
    if (amount > accepted * c.length_scale) report.open.push_back({system.constraint_name(c), amount});
    row += dim;
  }
  std::sort(report.open.begin(), report.open.end(), [](const auto& a, const auto& b) { return a.amount > b.amount; });
  return report;
}

}  // namespace carom::model
