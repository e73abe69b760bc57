#include "carom/schemes/alpha/step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/vector_kernels.h"
#include "carom/schemes/newton_stop.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes::alpha {

namespace {

constexpr int one_by_one_from = 15;  // monolithic
// One by one takes as many iterations as contacts change: with many of them the inclusion solver is asked at once.
constexpr Index one_by_one_limit = 100;
// The sequential solution converges linearly where contact forces sit in the corrections (pvv).
int newton_cap(Solution solution, Index constraints) {
  if (solution == Solution::sequential) return 120;
  return constraints > one_by_one_limit ? one_by_one_from : 200;
}
// Of sticking contacts, relative to the velocities and forces of the step: more is no solution.
constexpr double contradiction = 1e-3;

}  // namespace

Step::Step(const System& system, const InclusionSolver& solver, const State& state, double dt, const Options& options,
           StepWorkspace& ws, Work& work, StepResult& result)
    : system_(system),
      solver_(solver),
      state_(state),
      options_(options),
      c_(options.spectral_radius, dt),
      constancy_(system.constancy()),
      nv_(system.nv()),
      ws_(ws),
      work_(work),
      result_(result) {}

void Step::run() {
  begin_result(state_, c_.dt, result_);
  find_contacts(system_, state_, c_.dt, ws_);
  if (!begin()) return;
  inactive_ = options_.inactive;
  // Friction couples the levels: it is always solved at once.
  const Solution solution = system_.features().contains(Feature::friction) ? Solution::monolithic : options_.solution;
  bool converged = iterate(solution);
  if (!converged && solution == Solution::sequential && result_.status == StepStatus::newton_failed)
    converged = iterate(Solution::monolithic);
  if (!converged && inactive_ == Inactive::relative && result_.status == StepStatus::newton_failed) {
    inactive_ = Inactive::total;
    converged = iterate(Solution::monolithic);
  }
  if (!converged && result_.status == StepStatus::newton_failed) solve_inclusions();
  if (result_.status == StepStatus::singular) return;
  report();
  check_finite(result_);
}

bool Step::iterate(Solution solution) {
  predict();
  result_.status = StepStatus::ok;
  alternations_ = 0;
  last_move_ = std::numeric_limits<double>::infinity();
  work_.activity_before.clear();
  work_.activity_twice_before.clear();
  Residual before;
  before.force = std::numeric_limits<double>::infinity();
  for (int iteration = 0;; ++iteration) {
    update();
    evaluate(Need::force);
    const bool one_by_one = solution == Solution::monolithic && iteration >= one_by_one_from;
    if (iteration == 0 && !measure_masses()) {
      result_.status = StepStatus::singular;
      return false;
    }
    activate(one_by_one);
    const Residual now = residual();
    if (solved(before, now)) {
      if (now.others > options_.tolerance) result_.contradiction = now.sticking;
      return true;
    }
    if (iteration == newton_cap(solution, ws_.all.size()) || !std::isfinite(now.force + now.others) ||
        (solution == Solution::sequential && cycling())) {
      result_.status = StepStatus::newton_failed;
      return false;
    }
    before = now;
    ++result_.newton_iterations;
    last_move_ = 0.0;
    if (!linearise()) {
      result_.status = StepStatus::singular;
      return false;
    }
    if (solution == Solution::monolithic) {
      deactivate(all_levels);
      correct(all_levels);
      continue;
    }
    deactivate(smooth_level);
    correct(smooth_level);
    update();
    evaluate(Need::none);
    deactivate(position_level);
    correct(position_level);
    update();
    evaluate(Need::none);
    deactivate(velocity_level);
    correct(velocity_level);
  }
}

void Step::predict() {
  const Index m = rows();
  work_.next.a = work_.past.a;
  work_.next.lambda = work_.past.lambda;
  set_zero(nv_, work_.u);
  set_zero(nv_, work_.w);
  work_.nu.assign(m, 0.0);
  work_.Lambda.assign(m, 0.0);
}

void Step::update() {
  fit(nv_, work_.next.a_bar);
  fit(nv_, work_.v_smooth);
  fit(nv_, work_.increment);
  const Past &past = work_.past, &next = work_.next;
  for (Index i = 0; i < nv_; ++i) {
    work_.next.a_bar[i] = c_.filtered(past.a_bar[i], past.a[i], next.a[i]);
    work_.increment[i] = c_.dt * state_.v[i] + c_.twice(past.a_bar[i], next.a_bar[i]) + work_.u[i];
    work_.v_smooth[i] = state_.v[i] + c_.once(past.a_bar[i], next.a_bar[i]);
  }
  system_.move(state_.q, work_.increment, result_.next.q);
  combine(1.0, work_.v_smooth, 1.0, work_.w, result_.next.v);
  update_totals();
}

void Step::update_totals() {
  const Index m = rows();
  double* eta = work_.next.eta.resized(m);
  double* nu_total = work_.nu_total.resized(m);
  double* Lambda_total = work_.Lambda_total.resized(m);
  const Past& past = work_.past;
  for (Index i = 0; i < m; ++i) {
    eta[i] = c_.filtered(past.eta[i], past.lambda[i], work_.next.lambda[i]);
    nu_total[i] = work_.nu[i] + c_.twice(past.eta[i], eta[i]);
    Lambda_total[i] = work_.Lambda[i] + c_.once(past.eta[i], eta[i]);
  }
}

// M, h, W, g and the local velocities at the end of the step.
void Step::evaluate(Need extra) {
  Evaluation& end = work_.end;
  const Index m = rows();
  Need need = extra;
  const bool known = work_.constants_of == system_.serial();
  if (!(known && constancy_.inertia)) need = need | Need::inertia;
  if (has(extra, Need::force) && !(known && constancy_.affine_force)) need = need | Need::force_jacobian;
  if (m > 0) {
    need = need | Need::gap | Need::jacobian;
    if (!constancy_.jacobian) need = need | Need::convective;
  }
  system_.evaluate(result_.next.t, result_.next.q, result_.next.v, need, ws_.all, end);
  if (has(extra, Need::force)) work_.constants_of = system_.serial();
  if (constancy_.jacobian || m == 0) end.zeta.assign(m, 0.0);
  if (m == 0) {
    end.W.clear();
    return;
  }
  local_velocity(end, result_.next.v, work_.gamma);
  if (options_.levels.joints == SmoothRow::smooth_velocity) local_velocity(end, work_.v_smooth, work_.gamma_smooth);
  end.W.transpose_multiply(work_.next.a.data(), work_.gamma_rate.resized(m));
  for (Index i = 0; i < m; ++i) work_.gamma_rate[i] += end.zeta[i];
}

// R1 = M a - W lambda - h,  R3 = M u - W nu - dt/2 W_T Lambda_T,  R5 = M w - W Lambda.
void Step::residual_vectors() {
  const Evaluation& end = work_.end;
  const Index m = rows();
  set_zero(nv_, work_.W_lambda);
  end.W.multiply_add(work_.next.lambda.data(), work_.W_lambda.data());
  combine(-1.0, work_.W_lambda, -1.0, end.h, work_.R1);
  end.M.multiply_add(1.0, work_.next.a.data(), work_.R1.data());

  set_zero(nv_, work_.R5);
  end.M.multiply_add(1.0, work_.w.data(), work_.R5.data());
  set_zero(nv_, work_.column);
  end.W.multiply_add(work_.Lambda.data(), work_.column.data());
  combine(1.0, work_.R5, -1.0, work_.column, work_.R5);

  set_zero(nv_, work_.R3);
  set_zero(nv_, work_.column);
  double* multiplier = work_.rhs.resized(m);
  for (Index k = 0; k < ws_.all.size(); ++k)
    for (Index r = 0; r < constraint(k).law->dim(); ++r) {
      const Index row = row_of(k) + r;
      multiplier[row] = r < constraint(k).position_rows ? work_.nu[row] : 0.5 * c_.dt * work_.Lambda[row];
    }
  if (options_.levels.original_correction) {
    work_.W_0.multiply_add(multiplier, work_.column.data());
    work_.R3 = work_.u;
  } else {
    end.W.multiply_add(multiplier, work_.column.data());
    end.M.multiply_add(1.0, work_.u.data(), work_.R3.data());
  }
  combine(1.0, work_.R3, -1.0, work_.column, work_.R3);
}

// Where the last iteration has moved positions and velocities by rounding only, two things are excused:
//
//   R1, if it did not get smaller: forces of stiff bodies are differences of large numbers, and it is as exact as they
//   are;
//   small contradictions of contacts that stick, if the sets stay: a sphere that sticks to floor and wall has one
//   velocity for the normal of one and a tangent of the other, and restitution may ask for two values of it. The
//   multipliers of least norm then share the error.
//
// Nothing else is: a change of the sets may move no position at all, and an impact law that is broken does not show in
// R1.
bool Step::solved(const Residual& before, const Residual& now) const {
  const double tolerance = options_.tolerance;
  if (now.force <= tolerance && now.others <= tolerance) return true;
  if (!within_rounding(last_move_, result_.next.q)) return false;
  const bool force_holds = holds_as_rounding_allows(now.force, before.force, tolerance, last_move_, result_.next.q);
  const bool shared = !sets_changed_ && now.without_sticking <= tolerance && now.sticking <= contradiction;
  return force_holds && (now.others <= tolerance || shared);
}

bool Step::cycling() {
  Work& w = work_;
  const bool alternates = w.activity == w.activity_twice_before && w.activity != w.activity_before;
  alternations_ = alternates ? alternations_ + 1 : 0;
  std::swap(w.activity_twice_before, w.activity_before);
  w.activity_before = w.activity;
  return alternations_ > 10;
}

void Step::report() {
  result_.contacts.clear();
  result_.impulse.clear();
  result_.gamma_minus.clear();
  result_.gamma_plus.clear();
  for (Index k = 0; k < ws_.all.size(); ++k) {
    const Constraint& c = constraint(k);
    const Index row = row_of(k), dim = c.law->dim();
    bool acts = work_.activity[static_cast<std::size_t>(k)].velocity;
    for (Index r = 0; r < dim; ++r) {
      if (!acts && inactive_ == Inactive::total) work_.Lambda_total[row + r] = 0.0;  // rounding is left there
      acts = acts || work_.Lambda_total[row + r] != 0.0;
    }
    if (!acts) continue;
    const Index target = result_.impulse.size();
    result_.contacts.push_back({c, target});
    for (Buffer* buffer : {&result_.impulse, &result_.gamma_minus, &result_.gamma_plus}) buffer->resize(target + dim);
    for (Index r = 0; r < dim; ++r) {
      result_.impulse[target + r] = work_.Lambda_total[row + r];
      result_.gamma_minus[target + r] = work_.gamma_minus[row + r];
      result_.gamma_plus[target + r] = work_.gamma[row + r];
      result_.largest_position_multiplier = std::max(result_.largest_position_multiplier, std::abs(work_.nu[row + r]));
    }
  }
  remember(work_.next, ws_.all, work_.Lambda_total, c_.dt, result_.next);
}

}  // namespace carom::inline schemes::alpha
