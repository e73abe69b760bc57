// Moreau's midpoint rule.
//
//   q_mid = q_0 (+) dt/2 v_0,   t_mid = t_0 + dt/2
//   active: bilateral constraints, and contacts with g(q_mid) <= 0
//   M(q_mid) (v_1 - v_0) - dt h(t_mid, q_mid, v_0) = W(q_mid) Lambda
//   xi = gamma_1 + e gamma_0,   -xi in N_C(Lambda)
//   q_1 = q_mid (+) dt/2 v_1
//
// gap_rate = midpoint:    gamma_0 = W(q_mid)' v_0 + chi,   gamma_1 = W(q_mid)' v_1 + chi
//            linearised:  gamma_0 = W(q_0)' v_0 + chi_0,   gamma_1 = gamma_0 + W(q_mid)' (v_1 - v_0)
//
// Reference: J. J. Moreau (1988); the linearised gap rate after Schoeder, Ulbrich, Schindler (2013).
// Departure: contacts with g = 0 are closed (a body at rest on the floor stays there).
//
// Gaps drift: W(q_mid)' v_0 differs from the last step's W(q_mid)' v_1 by dt zeta.

#include "carom/schemes/impulse_problem.h"
#include "carom/schemes/scheme.h"
#include "carom/schemes/step_contacts.h"

namespace carom {

namespace {

class MoreauMidpoint final : public Scheme {
 public:
  explicit MoreauMidpoint(const Parameters& p)
      : linearised_(p.word("gap_rate") == "linearised"),
        activation_tolerance_(p.number("activation_tolerance")) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt,
            StepWorkspace& ws, StepResult& result) const override {
    begin_result(state, dt, result);
    find_contacts(system, state, dt, ws);
    const double t_mid = state.t + 0.5 * dt;

    ws.dq = 0.5 * dt * state.v;
    system.move(state.q, ws.dq, ws.q_theta);
    Evaluation& mid = ws.at_mid;
    system.evaluate(t_mid, ws.q_theta, state.v, Need::inertia | Need::force, ws.none, mid);
    if (!ws.M_factor.factor(mid.M)) {
      result.status = StepStatus::singular;
      return;
    }
    Vector& v_1 = result.next.v;
    ws.dv = dt * mid.h;
    ws.M_factor.solve(ws.dv.data());
    v_1 = state.v + ws.dv;  // v_free

    ws.active.reset(ws.contacts);
    if (!ws.all.empty()) {
      system.evaluate(t_mid, ws.q_theta, state.v, Need::gap, ws.all, ws.at_1);
      activate_closed(ws.all, ws.at_1, activation_tolerance_, ws.active);
    }
    if (ws.active.empty())
      report_no_contacts(result);
    else
      add_impulses(system, solver, state, t_mid, ws, result);

    ws.dq = 0.5 * dt * v_1;
    system.move(ws.q_theta, ws.dq, result.next.q);
    check_finite(result);
  }

 private:
  void add_impulses(const System& system, const InclusionSolver& solver, const State& state, double t_mid,
                    StepWorkspace& ws, StepResult& result) const {
    Evaluation& mid = ws.at_mid;
    system.evaluate(t_mid, ws.q_theta, state.v, Need::jacobian, ws.active, mid);
    local_velocity(mid, state.v, ws.gamma_minus);
    if (linearised_) {  // gamma_1 = gamma_0 + W(q_mid)' (v_1 - v_0)
      ws.gamma = ws.gamma_minus;
      system.evaluate(state.t, state.q, state.v, Need::jacobian, ws.active, ws.at_0);
      local_velocity(ws.at_0, state.v, ws.gamma_minus);
      for (Index i = 0; i < ws.gamma.size(); ++i) ws.gamma[i] = ws.gamma_minus[i] - ws.gamma[i];
    }
    apply_impact({ws.active, mid, mid, ws.M_factor, &ws.gamma_minus, linearised_ ? &ws.gamma : nullptr}, solver,
                 state.impulses, ws, result);
  }

  bool linearised_;
  double activation_tolerance_;
};

}  // namespace

extern const SchemeEntry moreau_midpoint_entry;
const SchemeEntry moreau_midpoint_entry{
    .name = "moreau_midpoint",
    .title = "Moreau's midpoint rule: explicit, one inclusion a step; gaps drift",
    .reference = "Moreau 1988; Moeller 2011, algorithm 0; Schoeder, Ulbrich, Schindler 2013",
    .orders = {1, 1, 1},
    .impact_law = true,
    .friction = true,
    .quaternions = true,
    .parameters = {{"gap_rate", std::string("midpoint"), "how contact velocities are formed", 0, 0,
                    {"midpoint", "linearised"}},
                   activation_tolerance_spec(rounding_activation)},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> {
      return std::make_unique<MoreauMidpoint>(p);
    }};

}  // namespace carom
