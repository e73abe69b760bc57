#include "carom/model/assembly/start.h"

#include <algorithm>
#include <cmath>

#include "carom/base/dense_solve.h"
#include "carom/base/saddle_point.h"

namespace carom::model {

namespace {

constexpr int most_iterations = 60;
constexpr double closed = 1e-13;   // of the length scale
constexpr Index dense_limit = 48;  // rows up to which the joints are one dense matrix

// The rows of a block behind the first `kept` become zero.
void keep_leading_rows(ConstraintJacobian& W, Index block_number, Index kept) {
  const ConstraintJacobian::Block& block = W.block(block_number);
  for (Index s = block.segment_begin; s < block.segment_end; ++s) {
    const ConstraintJacobian::Segment& segment = W.segment(s);
    std::fill_n(W.entries(segment) + kept * segment.size, (block.rows - kept) * segment.size, 0.0);
  }
}

// The joints of a system at a state, and what else is held like them.
struct Joints {
  ContactSet contacts;
  ActiveSet active;
  Evaluation at;
  Vector g, scale;  // on the rows that exist on position level; zero and one elsewhere
  Vector gamma;     // W'v + chi

  Joints(const System& system, const State& state) {
    system.detect(state.t, state.q, state.v, 0.0, contacts);
    active.reset(contacts);
    for (Index k = 0; k < contacts.size(); ++k)
      if (contacts[k].bilateral) active.add(k);
  }
  // With the contacts that overlap, but not by more than `largest`.
  Joints(const System& system, const State& state, double largest) {
    system.detect(state.t, state.q, state.v, 0.0, contacts);
    ActiveSet all;
    all.reset(contacts);
    all.add_all();
    system.evaluate(state.t, state.q, state.v, Need::gap, all, at);
    active.reset(contacts);
    Index row = 0;
    for (Index k = 0; k < contacts.size(); ++k) {
      const Constraint& c = contacts[k];
      const bool overlaps = c.position_rows > 0 && at.g[row] < -closed * c.length_scale && at.g[row] >= -largest;
      row += c.law->dim();
      if (c.bilateral || overlaps) active.add(k);
      if (!c.bilateral && overlaps) ++overlapping;
    }
  }
  Index overlapping = 0;
  void evaluate(const System& system, const State& state) {
    system.evaluate(state.t, state.q, state.v, Need::gap | Need::jacobian, active, at);
    const Index rows = active.rows();
    g.setZero(rows);
    scale.setOnes(rows);
    gamma.resize(rows);
    // Joints of another law hold in the rows of positions only; those behind them rub.
    for (Index i = 0; i < active.size(); ++i)
      if (active.constraint(i).law->kind() != LawKind::bilateral)
        keep_leading_rows(at.W, i, active.constraint(i).position_rows);
    at.W.transpose_multiply(state.v.data(), gamma.data());
    gamma += at.chi.vec();
    Index row = 0;
    for (Index i = 0; i < active.size(); ++i) {
      const Constraint& c = active.constraint(i);
      for (Index r = 0; r < c.law->dim(); ++r, ++row) {
        scale[row] = c.length_scale;
        if (r < c.position_rows) g[row] = at.g[row];
      }
    }
  }
  double error() const { return g.size() == 0 ? 0.0 : (g.array() / scale.array()).abs().maxCoeff(); }
  // W with rows that have no g left empty, so that they keep out of the position problem.
  ConstraintJacobian position_directions() const {
    ConstraintJacobian W = at.W;
    for (Index i = 0; i < active.size(); ++i) keep_leading_rows(W, i, active.constraint(i).position_rows);
    return W;
  }
};

// The shortest x with W'x = b; redundant rows do no harm.
struct ShortestMotion {
  Index nv, rank = 0;
  IterationMatrix identity;
  SaddlePoint saddle;

  explicit ShortestMotion(Index n) : nv(n) {
    Inertia one;
    if (n % 3 == 0)
      std::fill_n(one.block_diagonal(n), n / 3, Matrix3::Identity());
    else
      one.sparse(n).setIdentity();
    identity.factor(one);
  }
  Vector solve(const ConstraintJacobian& W, const Vector& b) {
    if (W.rows() <= dense_limit) {
      Buffer columns;
      W.to_columns(nv, columns);
      const LeastNormSolution shortest =
          least_norm_solution(ConstMatrixMap(columns.data(), nv, W.rows()).transpose(), b);
      rank = shortest.rank;
      return shortest.X;
    }
    Vector lambda(W.rows()), x = Vector::Zero(nv);
    saddle.set(W, identity);
    saddle.solve(b.data(), lambda.data());
    rank = saddle.rank();
    W.multiply_add(lambda.data(), x.data());
    return x;
  }
};

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
  ShortestMotion shortest(system.nv());
  for (; report.iterations < most_iterations && error > closed; ++report.iterations) {
    const Vector dq = shortest.solve(joints.position_directions(), -joints.g);
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

  report.rows = joints.active.rows();
  const double fastest = joints.gamma.cwiseAbs().maxCoeff();
  state.v -= shortest.solve(joints.at.W, joints.gamma);
  report.rank = shortest.rank;
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

void push_apart(const System& system, double largest, State& state) {
  ShortestMotion shortest(system.nv());
  State trial = state;
  for (int round = 0; round < most_iterations; ++round) {
    Joints held(system, state, largest);
    held.evaluate(system, state);
    if (held.overlapping == 0 && held.error() <= closed) return;
    const Vector dq = shortest.solve(held.position_directions(), -held.g);
    system.move(state.q, dq, trial.q);
    state.q = trial.q;
  }
}

}  // namespace carom::model
