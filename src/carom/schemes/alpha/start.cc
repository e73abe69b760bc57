// What a step begins with: the past, or where there is none the accelerations of the constrained system,
//
//   M a = h + W lambda,   -(W'a + zeta) in N_C(lambda)      on joints and contacts at rest,
//
// an inclusion problem. A sliding contact keeps its friction: gamma_T / dt is
// added to its tangential rows, which decides the direction and is zero where it sticks.
#include <algorithm>
#include <cmath>

#include "carom/base/errors.h"
#include "carom/base/vector_kernels.h"
#include "carom/schemes/alpha/step.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes::alpha {

bool Step::begin() {
  Work& w = work_;
  const Index m = rows();
  w.first_row.resize(static_cast<std::size_t>(ws_.all.size()));
  w.activity.resize(static_cast<std::size_t>(ws_.all.size()));
  Index row = 0;
  for (Index k = 0; k < ws_.all.size(); ++k) {
    w.first_row[static_cast<std::size_t>(k)] = row;
    row += constraint(k).law->dim();
    if (!constraint(k).bilateral && !constraint(k).law->is_contact())
      throw LogicError("generalized-alpha schemes know joints and contacts only");
    if (options_.levels.velocity && !constraint(k).law->friction_in_ball())
      throw LogicError("the sets of generalized-alpha schemes know friction within a ball only");
  }

  w.gamma_minus.assign(m, 0.0);
  w.shift.assign(m, 0.0);
  fit(nv_, w.column);
  if (m > 0) {
    system_.evaluate(state_.t, state_.q, state_.v, Need::jacobian, ws_.all, w.end);
    local_velocity(w.end, state_.v, w.gamma_minus);
    for (Index k = 0; k < ws_.all.size(); ++k)
      constraint(k).law->impact_shift(w.gamma_minus.data() + row_of(k), w.shift.data() + row_of(k));
    if (options_.levels.original_correction) w.W_0 = w.end.W;
  }
  if (recall(state_, ws_.all, c_.dt, nv_, w.past)) return true;

  Past& past = w.past;
  if (options_.start == StartRule::zero) {
    set_zero(nv_, past.a);
    set_zero(nv_, past.a_bar);
    return true;
  }
  bool solved = accelerate(state_.t, state_.q, state_.v, past.a, past.lambda);
  past.a_bar = past.a;
  past.eta = past.lambda;
  if (solved && options_.start == StartRule::shifted) {
    combine(c_.dt, state_.v, 0.5 * c_.dt * c_.dt, past.a, w.increment);
    system_.move(state_.q, w.increment, result_.next.q);
    combine(1.0, state_.v, c_.dt, past.a, result_.next.v);
    solved = accelerate(state_.t + c_.dt, result_.next.q, result_.next.v, w.next.a, w.next.lambda);
    const double shift = c_.alpha_m - c_.alpha_f;
    past.a_bar += shift * (w.next.a - past.a);
    for (Index i = 0; i < m; ++i) past.eta[i] += shift * (w.next.lambda[i] - past.lambda[i]);
  }
  if (!solved && result_.status == StepStatus::ok) result_.status = StepStatus::solver_failed;
  return solved;
}

bool Step::accelerate(double t, const Vector& q, const Vector& v, Vector& a, Buffer& lambda) {
  const Index m = rows();
  lambda.assign(m, 0.0);
  Evaluation& at = work_.at_0;
  Need need = Need::inertia | Need::force;
  if (m > 0) need = need | Need::gap | Need::jacobian;
  system_.evaluate(t, q, v, need, ws_.all, at);
  if (!work_.M_0_factor.factor(at.M)) {
    result_.status = StepStatus::singular;
    return false;
  }
  a = at.h;
  work_.M_0_factor.solve(a.data());

  ActiveSet& resting = ws_.active;
  resting.reset(ws_.contacts);
  if (m > 0) local_velocity(at, v, work_.gamma);
  for (Index k = 0; k < ws_.all.size(); ++k) {
    const Constraint& c = constraint(k);
    const double still = rounding_activation * c.length_scale;
    const bool rests = at.g[m > 0 ? row_of(k) : 0] <= still && std::abs(c_.dt * work_.gamma[row_of(k)]) <= still;
    if (c.bilateral ? options_.levels.joints != SmoothRow::none : options_.levels.contacts && rests) resting.add(k);
  }
  if (resting.empty()) return true;

  Need rest = Need::jacobian;
  if (!constancy_.jacobian) rest = rest | Need::convective;
  system_.evaluate(t, q, v, rest, resting, at);
  InclusionWork& problem = ws_.velocity;
  set_laws(resting, 1.0, problem.problem);
  Buffer& c = problem.problem.c;
  at.W.transpose_multiply(a.data(), c.resized(resting.rows()));
  Index row = 0;
  for (Index i = 0; i < resting.size(); ++i)
    for (Index r = 0; r < resting.constraint(i).law->dim(); ++r, ++row) {
      if (!constancy_.jacobian) c[row] += at.zeta[row];
      if (!resting.constraint(i).bilateral && r > 0) c[row] += work_.gamma[row_of(resting[i]) + r] / c_.dt;
    }
  problem.problem.G = &problem.factory.build(at.W, work_.M_0_factor);
  problem.result.lambda.assign(resting.rows(), 0.0);
  const bool solved = solve_and_count(solver_, problem, result_);
  set_zero(nv_, work_.column);
  at.W.multiply_add(problem.result.lambda.data(), work_.column.data());
  work_.M_0_factor.solve(work_.column.data());
  a += work_.column;
  row = 0;
  for (Index i = 0; i < resting.size(); ++i)
    for (Index r = 0; r < resting.constraint(i).law->dim(); ++r, ++row)
      lambda[row_of(resting[i]) + r] = problem.result.lambda[row];
  return solved;
}

}  // namespace carom::inline schemes::alpha
