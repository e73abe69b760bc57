// Half-explicit trapezoidal rule on velocity level: forces between impacts, impulses at impacts, told
// apart in every step.
//
//   stage 1, on the contacts closed at q_0:
//     v_s = v_0 + dt M(q_0)^-1 ( h(t_0, q_0, v_0) + W(q_0) lambda_plus )
//     -( W(q_p)' v_s + chi ) in N_C(lambda_plus),       q_p = q_0 (+) dt v_0 only inside this W
//     q_1 = q_0 (+) dt/2 (v_0 + v_s)
//
//   no contact closes between q_0 and q_1:
//     v_1 = v_0 + 1/2 (v_s - v_0) + dt/2 M(q_1)^-1 ( h(t_1, q_1, v_s) + W(q_1) lambda_minus )
//     -( W(q_1)' v_1 + chi ) in N_C(lambda_minus)       on the contacts closed at q_1
//
//   some contact closes (impact step): forces are forgotten,
//     v_- = v_0 + dt/2 ( M(q_0)^-1 h(t_0, q_0, v_0) + M(q_1)^-1 h(t_1, q_1, v_s) )
//     v_1 = v_- + M(q_1)^-1 W(q_1) Lambda,   xi = W(q_1)' v_1 + chi + e (W(q_1)' v_- + chi)
//
// The force of stage 1 pushes along W(q_0) and is asked to keep W(q_p)' v_s: its operator is not
// symmetric, and using W(q_p) for both would cost an order in persistent contact.
//
// Second order between impacts, velocity constraints at step ends, stable for dt < 2 / omega.
//
// Reference: Schindler, Rezaei, Kursawe, Acary (2015), section 4 and appendix A.

#include "carom/base/vector_kernels.h"
#include "carom/schemes/impulse_problem.h"
#include "carom/schemes/scheme.h"
#include "carom/schemes/step_contacts.h"

namespace carom {

namespace {

class HalfExplicitVelocity final : public Scheme {
 public:
  explicit HalfExplicitVelocity(const Parameters& p) : activation_tolerance_(p.number("activation_tolerance")) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt,
            StepWorkspace& ws, StepResult& result) const override {
    begin_result(state, dt, result);
    find_contacts(system, state, dt, ws);
    const double t_1 = result.next.t;
    Vector& q_1 = result.next.q;
    Vector& v_1 = result.next.v;
    Vector &a_0 = ws.force, &v_s = ws.v_theta, &a_1 = ws.dq;
    bool solved = true;

    // Stage 1.
    system.evaluate(state.t, state.q, state.v, Need::inertia | Need::force, ws.none, ws.at_mid);
    if (!ws.M_factor.factor(ws.at_mid.M)) return fail(StepStatus::singular, result);
    scale(1.0, ws.at_mid.h, a_0);
    ws.M_factor.solve(a_0.data());
    combine(1.0, state.v, dt, a_0, v_s);
    ws.active.reset(ws.contacts);
    ws.stage_impulse.assign(ws.all.rows(), 0.0);
    if (!ws.all.empty()) {
      system.evaluate(state.t, state.q, state.v, Need::gap, ws.all, ws.at_0);
      activate_closed(ws.all, ws.at_0, activation_tolerance_, ws.active);
    }
    if (!ws.active.empty()) {
      scale(dt, state.v, ws.increment);
      system.move(state.q, ws.increment, ws.q_theta);
      system.evaluate(state.t, state.q, state.v, Need::jacobian, ws.active, ws.at_mid);
      system.evaluate(t_1, ws.q_theta, state.v, Need::jacobian, ws.active, ws.at_1);
      solved = solve_impulses({ws.active, ws.at_1, ws.at_mid, ws.M_factor}, solver, state.impulses, 1.0, ws,
                              result, v_s);
      keep_stage_impulse(ws);
    }
    combine(0.5 * dt, state.v, 0.5 * dt, v_s, ws.increment);
    system.move(state.q, ws.increment, q_1);

    // The end of the step: closed contacts, inertia and force there.
    bool impact = false;
    ws.active.reset(ws.contacts);
    if (!ws.all.empty()) {
      system.evaluate(t_1, q_1, v_s, Need::gap, ws.all, ws.at_q);
      impact = some_contact_closed(ws.all, ws.at_0, ws.at_q, activation_tolerance_);
      activate_closed(ws.all, ws.at_q, activation_tolerance_, ws.active);
    }
    system.evaluate(t_1, q_1, v_s, Need::inertia | Need::force | Need::jacobian, ws.active, ws.at_1);
    if (!ws.M_factor.factor(ws.at_1.M)) return fail(StepStatus::singular, result);
    scale(1.0, ws.at_1.h, a_1);
    ws.M_factor.solve(a_1.data());

    if (impact) {
      combine(0.5 * dt, a_0, 0.5 * dt, a_1, ws.increment);
    } else {
      combine(0.5, v_s, -0.5, state.v, ws.increment);
      combine(1.0, ws.increment, 0.5 * dt, a_1, ws.increment);
    }
    add(ws.increment, v_1);
    scale(1.0, impact ? v_1 : state.v, ws.dq);  // before the last impulses, for the report
    if (!ws.active.empty()) {
      local_velocity(ws.at_1, v_1, ws.gamma_minus);
      solved &= solve_impulses({ws.active, ws.at_1, ws.at_1, ws.M_factor, impact ? &ws.gamma_minus : nullptr},
                               solver, state.impulses, impact ? 1.0 : 0.5, ws, result, v_1);
    }
    report(system, !impact, ws, result);
    if (!solved) result.status = StepStatus::solver_failed;
    check_finite(result);
  }

 private:
  // Impulses of stage 1 by rows of all contacts; half of them reaches the velocity.
  static void keep_stage_impulse(StepWorkspace& ws) {
    Index row = 0, source = 0, next = 0;
    for (Index k = 0; k < ws.all.size(); ++k) {
      const Index dim = ws.all.constraint(k).law->dim();
      if (next < ws.active.size() && ws.active[next] == k) {
        for (Index r = 0; r < dim; ++r) ws.stage_impulse[row + r] = 0.5 * ws.velocity.result.lambda[source + r];
        source += dim;
        ++next;
      }
      row += dim;
    }
  }

  // Everyone who pushed in stage 1 or at the end, with the sum of both; velocities seen from q_1.
  static void report(const System& system, bool with_stage, StepWorkspace& ws, StepResult& result) {
    ActiveSet& reported = ws.projected;
    reported.reset(ws.contacts);
    ws.gamma.clear();  // summed impulses
    Index row = 0, source = 0, next = 0;
    for (Index k = 0; k < ws.all.size(); ++k) {
      const Index dim = ws.all.constraint(k).law->dim();
      const bool at_end = next < ws.active.size() && ws.active[next] == k;
      const bool in_stage = with_stage && ws.stage_impulse[row] != 0.0;
      if (at_end || in_stage) {
        reported.add(k);
        const Index target = ws.gamma.size();
        ws.gamma.resize(target + dim);
        for (Index r = 0; r < dim; ++r)
          ws.gamma[target + r] = (at_end ? ws.velocity.result.lambda[source + r] : 0.0) +
                                 (with_stage ? ws.stage_impulse[row + r] : 0.0);
      }
      if (at_end) {
        source += dim;
        ++next;
      }
      row += dim;
    }
    if (reported.empty()) return report_no_contacts(result);
    if (reported.size() != ws.active.size())
      system.evaluate(result.next.t, result.next.q, result.next.v, Need::jacobian, reported, ws.at_1);
    local_velocity(ws.at_1, ws.dq, ws.gamma_minus);
    local_velocity(ws.at_1, result.next.v, ws.velocity.result.xi);
    ws.shift.assign(reported.rows(), 0.0);
    report_contacts(reported, ws.gamma, ws.gamma_minus, ws.velocity.result.xi, ws.shift, result);
  }

  static void fail(StepStatus status, StepResult& result) { result.status = status; }

  double activation_tolerance_;
};

}  // namespace

extern const SchemeEntry half_explicit_velocity_entry;
const SchemeEntry half_explicit_velocity_entry{
    .name = "half_explicit_velocity",
    .title = "half-explicit trapezoidal rule on velocity level: order 2 between impacts",
    .reference = "Schindler, Rezaei, Kursawe, Acary 2015",
    .orders = {2, 2, 1},
    .velocity_level = true,
    .impact_law = false,
    .friction = true,
    .parameters = {activation_tolerance_spec(0.0)},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> { return std::make_unique<HalfExplicitVelocity>(p); }};

}  // namespace carom
