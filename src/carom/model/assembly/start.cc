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
  Index first_row(Index i) const {
    Index row = 0;
    for (Index k = 0; k < i; ++k) row += active.constraint(k).law->dim();
    return row;
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

// The constraints of a mechanism that cannot be closed fall into those that are held and those that may stay open. A
// damped Gauss-Newton method makes the open ones as small as the held ones let them be.
class ClosestPose {
 public:
  static constexpr Index most_velocities = 300;  // its matrices are dense

  ClosestPose(const System& system, State& state)
      : system_(system),
        state_(state),
        joints_(system, state),
        open_(static_cast<std::size_t>(joints_.active.size())) {}

  // The last one that is open closes the loop; others follow only if one is not enough.
  void find() {
    joints_.evaluate(system_, state_);
    Index next = -1;
    for (Index i = 0; i < joints_.active.size(); ++i)
      if (amount(i) > accepted) next = i;
    for (; next >= 0; next = worst_held()) {
      open_[static_cast<std::size_t>(next)] = true;
      approach();
    }
  }
  bool stays_open(Index i) const { return open_[static_cast<std::size_t>(i)]; }

 private:
  static constexpr double weight = 1e3, accepted = 1e-4;

  // The opening of a constraint over its length.
  double amount(Index i) const {
    double largest = 0.0;
    for (Index r = joints_.first_row(i); r < joints_.first_row(i + 1); ++r)
      largest = std::max(largest, std::abs(joints_.g[r]) / joints_.scale[r]);
    return largest;
  }
  Index worst_held() const {
    Index worst = -1;
    for (Index i = 0; i < joints_.active.size(); ++i)
      if (!stays_open(i) && amount(i) > accepted && (worst < 0 || amount(i) > amount(worst))) worst = i;
    return worst;
  }
  double row_weight(Index i, Index row) const { return (stays_open(i) ? 1.0 : weight) / joints_.scale[row]; }
  Vector residual() const {
    Vector r = joints_.g;
    for (Index i = 0; i < joints_.active.size(); ++i)
      for (Index k = joints_.first_row(i); k < joints_.first_row(i + 1); ++k) r[k] *= row_weight(i, k);
    return r;
  }
  Matrix derivative() const {
    const ConstraintJacobian W = joints_.position_directions();
    Buffer columns;
    W.to_columns(system_.nv(), columns);
    Matrix J = ConstMatrixMap(columns.data(), system_.nv(), W.rows()).transpose();
    for (Index i = 0; i < joints_.active.size(); ++i)
      for (Index k = joints_.first_row(i); k < joints_.first_row(i + 1); ++k) J.row(k) *= row_weight(i, k);
    return J;
  }
  void approach() {
    State trial = state_;
    double damping = 1e-3;
    Vector r = residual();
    for (int iteration = 0; iteration < 300 && damping < 1e12; ++iteration) {
      const Matrix J = derivative();
      Matrix A = J.transpose() * J;
      const double size = A.diagonal().maxCoeff();
      A.diagonal().array() += damping * std::max(size, 1e-300) * 1e-6;
      const Vector dq = ldlt_solution(A, -(J.transpose() * r));
      system_.move(state_.q, dq, trial.q);
      joints_.evaluate(system_, trial);
      const Vector next = residual();
      if (!(next.squaredNorm() < r.squaredNorm())) {
        damping *= 10.0;
        joints_.evaluate(system_, state_);
        continue;
      }
      const bool done = next.squaredNorm() > (1.0 - 1e-14) * r.squaredNorm();
      state_.q = trial.q;
      r = next;
      damping *= 0.1;
      if (done) break;
    }
  }

  const System& system_;
  State& state_;
  Joints joints_;
  std::vector<bool> open_;
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
  constexpr double accepted = 1e-9;
  report.assembled = error <= accepted;
  std::vector<bool> shown(static_cast<std::size_t>(joints.active.size()), true);
  if (!report.assembled && system.nv() <= ClosestPose::most_velocities) {
    ClosestPose closest(system, state);
    closest.find();
    for (Index i = 0; i < joints.active.size(); ++i) shown[static_cast<std::size_t>(i)] = closest.stays_open(i);
    report.closest = true;
  }
  joints.evaluate(system, state);

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
    const double amount = joints.g.segment(row, dim).norm();
    if (shown[static_cast<std::size_t>(i)] && amount > accepted * c.length_scale)
      report.open.push_back({system.constraint_name(c), amount});
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
