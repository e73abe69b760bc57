// Moreau-Jean, half-explicit: positions first, then everything at the new positions.
//
//   q_1 = q_0 (+) dt v_0
//   active: joints, and contacts with g(q_1) <= 0
//   M(q_1) (v_1 - v_0) - dt h(t_1, q_1, v_0) = W(q_1) Lambda
//   xi = W(q_1)' (v_1 + e v_0) + (1 + e) chi,    -xi in N_C(Lambda)
//
// Symplectic Euler between impacts: stable for dt < 2 / omega.
//
// Reference: the form used for large models in Schindler, Rezaei, Kursawe, Acary (2015), section 6.

#include "carom/base/vector_kernels.h"
#include "carom/schemes/half_explicit/explicit_memory.h"
#include "carom/schemes/impulse_problem.h"
#include "carom/schemes/scheme.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

class MoreauJeanSymplectic final : public SchemeWith<ExplicitMemory> {
 public:
  explicit MoreauJeanSymplectic(const Parameters& p) : activation_tolerance_(p.number("activation_tolerance")) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    ExplicitMemory& m = memory_in(ws);
    begin_result(state, dt, result);
    find_contacts(system, state, dt, ws);
    const double t_1 = result.next.t;
    Vector& q_1 = result.next.q;
    Vector& v_1 = result.next.v;

    scale(dt, state.v, m.increment);
    system.move(state.q, m.increment, q_1);
    system.evaluate(t_1, q_1, state.v, Need::inertia | Need::force, ws.none, m.at_1);
    if (!m.M_factor.factor(m.at_1.M)) {
      result.status = StepStatus::singular;
      return;
    }
    scale(dt, m.at_1.h, m.dv);
    m.M_factor.solve(m.dv.data());
    add(m.dv, v_1);

    ws.active.reset(ws.contacts);
    if (!ws.all.empty()) {
      system.evaluate(t_1, q_1, state.v, Need::gap, ws.all, m.at_0);
      activate_closed(ws.all, m.at_0, activation_tolerance_, ws.active);
    }
    if (ws.active.empty()) {
      report_no_contacts(result);
    } else {
      system.evaluate(t_1, q_1, state.v, Need::jacobian, ws.active, m.at_1);
      local_velocity(m.at_1, state.v, m.gamma_minus);
      apply_impact({ws.active, m.at_1, m.at_1, m.M_factor, dt, &m.gamma_minus}, solver, state.impulses, ws, result);
    }
    check_finite(result);
  }

 private:
  double activation_tolerance_;
};

}  // namespace

extern const SchemeEntry moreau_jean_symplectic_entry;
const SchemeEntry moreau_jean_symplectic_entry{
    .name = "moreau_jean_symplectic",
    .title = "Moreau-Jean, half-explicit: symplectic Euler, everything at the new positions",
    .reference = "Schindler, Rezaei, Kursawe, Acary 2015, section 6",
    .treats = {Feature::contacts, Feature::joints, Feature::friction, Feature::inelastic, Feature::quaternions,
               Feature::variable_inertia, Feature::spin_friction, Feature::exact_reservoir, Feature::two_phases,
               Feature::joint_friction, Feature::rheonomic},
    .promises = {.orders = {1, 1, 1, 1}, .velocity_level = true, .impact_law = true, .yields = true},
    .parameters = {activation_tolerance_spec(1e-8)},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> { return std::make_unique<MoreauJeanSymplectic>(p); }};

}  // namespace carom::inline schemes
