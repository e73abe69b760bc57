#include "carom/schemes/ggl/midpoint_step.h"

#include "carom/schemes/impulse_problem.h"
#include "carom/schemes/step_contacts.h"
#include "carom/schemes/touching_contacts.h"

namespace carom::inline schemes {

bool MidpointStep::move_freely() const {
  begin_result(state, dt, result);
  find_contacts(system, state, dt, ws);
  ws.dq = 0.5 * dt * state.v;
  system.move(state.q, ws.dq, ws.q_theta);
  system.evaluate(t_mid, ws.q_theta, state.v, Need::inertia | Need::force, ws.none, ws.at_mid);
  if (!ws.M_factor.factor(ws.at_mid.M)) {
    result.status = StepStatus::singular;
    return false;
  }
  ws.dv = dt * ws.at_mid.h;
  ws.M_factor.solve(ws.dv.data());
  result.next.v = state.v + ws.dv;
  return true;
}

void MidpointStep::activate(double tolerance) const {
  ws.active.reset(ws.contacts);
  if (ws.all.empty()) return;
  system.evaluate(t_mid, ws.q_theta, state.v, Need::gap, ws.all, ws.at_1);
  activate_closed(ws.all, ws.at_1, tolerance, ws.active);
}

void MidpointStep::apply_impulses(bool linearised, const TouchingContacts* touching) const {
  if (ws.active.empty()) {
    report_no_contacts(result);
    return;
  }
  Evaluation& mid = ws.at_mid;
  system.evaluate(t_mid, ws.q_theta, state.v, Need::jacobian, ws.active, mid);
  local_velocity(mid, state.v, ws.gamma_minus);
  if (linearised) {
    ws.gamma = ws.gamma_minus;
    system.evaluate(state.t, state.q, state.v, Need::jacobian, ws.active, ws.at_0);
    local_velocity(ws.at_0, state.v, ws.gamma_minus);
    for (Index i = 0; i < ws.gamma.size(); ++i) ws.gamma[i] = ws.gamma_minus[i] - ws.gamma[i];
  }
  if (touching != nullptr) touching->impact_velocities(ws.active, ws.gamma_minus, ws.gamma_minus_all);
  const Buffer& gamma_minus = touching != nullptr ? ws.gamma_minus_all : ws.gamma_minus;
  apply_impact({ws.active, mid, mid, ws.M_factor, dt, &gamma_minus, linearised ? &ws.gamma : nullptr}, solver,
               state.impulses, ws, result);
  if (touching != nullptr) result.gamma_minus = ws.gamma_minus;
}

void MidpointStep::place_end(Vector& q_1) const {
  ws.dq = 0.5 * dt * result.next.v;
  system.move(ws.q_theta, ws.dq, q_1);
}

}  // namespace carom::inline schemes
