#include "carom/schemes/ggl/midpoint_step.h"

#include "carom/schemes/impulse_problem.h"
#include "carom/schemes/step_contacts.h"
#include "carom/schemes/touching_contacts.h"

namespace carom::inline schemes {

bool MidpointStep::move_freely() const {
  begin_result(state, dt, result);
  find_contacts(system, state, dt, ws);
  memory.dq = 0.5 * dt * state.v;
  system.move(state.q, memory.dq, memory.q_mid);
  system.evaluate(t_mid, memory.q_mid, state.v, Need::inertia | Need::force, ws.none, memory.at_mid);
  if (!memory.M_factor.factor(memory.at_mid.M)) {
    result.status = StepStatus::singular;
    return false;
  }
  memory.dv = dt * memory.at_mid.h;
  memory.M_factor.solve(memory.dv.data());
  result.next.v = state.v + memory.dv;
  return true;
}

void MidpointStep::activate(double tolerance) const {
  ws.active.reset(ws.contacts);
  if (ws.all.empty()) return;
  system.evaluate(t_mid, memory.q_mid, state.v, Need::gap, ws.all, memory.gaps);
  activate_closed(ws.all, memory.gaps, tolerance, ws.active);
}

void MidpointStep::apply_impulses(bool linearised, const TouchingContacts* touching) const {
  if (ws.active.empty()) {
    report_no_contacts(result);
    return;
  }
  Evaluation& mid = memory.at_mid;
  system.evaluate(t_mid, memory.q_mid, state.v, Need::jacobian, ws.active, mid);
  local_velocity(mid, state.v, memory.gamma_0);
  if (linearised) {
    memory.extra = memory.gamma_0;
    system.evaluate(state.t, state.q, state.v, Need::jacobian, ws.active, memory.at_0);
    local_velocity(memory.at_0, state.v, memory.gamma_0);
    for (Index i = 0; i < memory.extra.size(); ++i) memory.extra[i] = memory.gamma_0[i] - memory.extra[i];
  }
  if (touching != nullptr) touching->impact_velocities(ws.active, memory.gamma_0, memory.gamma_touch);
  const Buffer& gamma_minus = touching != nullptr ? memory.gamma_touch : memory.gamma_0;
  apply_impact({ws.active, mid, mid, memory.M_factor, dt, &gamma_minus, linearised ? &memory.extra : nullptr}, solver,
               state.impulses, ws, result);
  if (touching != nullptr) result.gamma_minus = memory.gamma_0;
}

void MidpointStep::place_end(Vector& q_1) const {
  memory.dq = 0.5 * dt * result.next.v;
  system.move(memory.q_mid, memory.dq, q_1);
}

}  // namespace carom::inline schemes
