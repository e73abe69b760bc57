// Moreau-Jean, explicit: forward Euler with the impact law at the end of the step.
//
//   active: joints, and contacts with g(q_0) + dt/2 gamma_N(q_0, v_0) <= 0
//   q_1 = q_0 (+) dt v_0
//   v_free = v_0 + dt M(q_0)^-1 h(t_0, q_0, v_0)
//   v_1 = v_free + M(q_1)^-1 W(q_1) Lambda
//   xi  = W(q_1)' v_1 + chi + e (W(q_0)' v_0 + chi_0),    -xi in N_C(Lambda)
//
// It is not the theta method at theta = 0: the impulse acts through M(q_1) and W(q_1). With impulse_at = start
// they are M(q_0) and W(q_0), another reading of the reference. Unstable without damping on elastic bodies.
//
// Reference: Schindler, Rezaei, Kursawe, Acary (2015), equations (29) to (33).

#include "carom/base/vector_kernels.h"
#include "carom/schemes/half_explicit/explicit_memory.h"
#include "carom/schemes/impulse_problem.h"
#include "carom/schemes/scheme.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

class MoreauJeanExplicit final : public SchemeWith<ExplicitMemory> {
 public:
  explicit MoreauJeanExplicit(const Parameters& p)
      : impulse_at_start_(p.word("impulse_at") == "start"), activation_tolerance_(p.number("activation_tolerance")) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    ExplicitMemory& m = memory_in(ws);
    begin_result(state, dt, result);
    find_contacts(system, state, dt, ws);
    Vector& q_1 = result.next.q;
    Vector& v_1 = result.next.v;

    scale(dt, state.v, m.increment);
    system.move(state.q, m.increment, q_1);
    constexpr Need of_all = Need::inertia | Need::force | Need::gap | Need::gap_rate;
    system.evaluate(state.t, state.q, state.v, ws.all.empty() ? Need::inertia | Need::force : of_all, ws.all, m.at_0);
    if (!m.M_factor.factor(m.at_0.M)) {
      result.status = StepStatus::singular;
      return;
    }
    scale(dt, m.at_0.h, m.dv);
    m.M_factor.solve(m.dv.data());
    add(m.dv, v_1);

    activate(dt, m.at_0, ws);
    if (ws.active.empty()) {
      report_no_contacts(result);
    } else {
      system.evaluate(state.t, state.q, state.v, Need::jacobian, ws.active, m.at_0);
      local_velocity(m.at_0, state.v, m.gamma_minus);
      const Evaluation& at = impulse_at_start_ ? m.at_0 : m.at_1;
      if (!impulse_at_start_) {
        system.evaluate(result.next.t, q_1, v_1, Need::inertia | Need::jacobian, ws.active, m.at_1);
        if (!m.M_factor.factor(m.at_1.M)) {
          result.status = StepStatus::singular;
          return;
        }
      }
      apply_impact({ws.active, at, at, m.M_factor, dt, &m.gamma_minus}, solver, state.impulses, ws, result);
    }
    check_finite(result);
  }

 private:
  // g_0 + dt/2 gamma_0, put where the gaps are looked for.
  void activate(double dt, Evaluation& at_0, StepWorkspace& ws) const {
    ws.active.reset(ws.contacts);
    if (ws.all.empty()) return;
    for (Index i = 0; i < at_0.g.size(); ++i) at_0.g[i] += 0.5 * dt * at_0.g_rate[i];
    activate_closed(ws.all, at_0, activation_tolerance_, ws.active);
  }

  bool impulse_at_start_;
  double activation_tolerance_;
};

}  // namespace

extern const SchemeEntry moreau_jean_explicit_entry;
const SchemeEntry moreau_jean_explicit_entry{
    .name = "moreau_jean_explicit",
    .title = "Moreau-Jean, explicit: forward Euler with the impact law at the end of the step",
    .reference = "Schindler, Rezaei, Kursawe, Acary 2015",
    .treats = {Feature::contacts, Feature::joints, Feature::friction, Feature::inelastic, Feature::quaternions,
               Feature::variable_inertia, Feature::spin_friction, Feature::exact_reservoir, Feature::two_phases,
               Feature::joint_friction, Feature::rheonomic},
    .promises = {.orders = {1, 1, 1, 1}, .velocity_level = true, .impact_law = true, .yields = true},
    .parameters = {{"impulse_at", std::string("end"), "where M and W of the impulse are taken", 0, 0, {"end", "start"}},
                   activation_tolerance_spec(rounding_activation)},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> { return std::make_unique<MoreauJeanExplicit>(p); }};

}  // namespace carom::inline schemes
