// Half-explicit Runge-Kutta methods: stage after stage, the force of the stage before is found such that
// the velocity constraints hold at the stage's position. q_0, v_0 is stage 0; for l = 1 .. s, k = l - 1:
//
//   q_l = q_0 + dt sum_{j<l} a_lj v_j
//   A_k = M(q_k)^-1 ( h(t_k, q_k, v_k) + W(q_k) lambda_k )
//   v_l = v_0 + dt sum_{j<l} a_lj A_j,     -( W(q_l)' v_l + chi ) in N_C(lambda_k)
//
// on the contacts closed at q_0, and in stage s, which is the end of the step (a_sj = b_j), closed there too.
// If a contact open at q_0 is closed there, the step is an impact, with v_free = v_0 + dt sum b_k M(q_k)^-1 h_k.
//
// A departure: the reference takes the contacts closed at q_l. One that closes inside the step then gets a force
// instead of an impact, and runs with impacts do not converge; one that is closed at q_0 may be open at q_l by
// the O(dt^2) a stage is off, and the order drops to 2. Whether a closed contact lets go is decided by its law.
//
// Reference: Brasey, Hairer (1993); Schindler, Rezaei, Kursawe, Acary (2015), appendix B.

#include "carom/base/vector_kernels.h"
#include "carom/schemes/half_explicit/half_explicit_step.h"
#include "carom/schemes/half_explicit/half_explicit_tableaus.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

constexpr int max_stages = HalfExplicitTableau::max_stages;

struct RungeKuttaMemory final : HalfExplicitMemory {
  Vector v[max_stages];     // of the stages
  Vector free[max_stages];  // M^-1 h
  Vector A[max_stages];     // with contact forces
  Vector q_k, q_l, v_l;
};

class HalfExplicitRungeKutta final : public SchemeWith<RungeKuttaMemory> {
 public:
  explicit HalfExplicitRungeKutta(const Parameters& p)
      : tableau_(half_explicit_tableau(p.word("tableau"))), activation_tolerance_(p.number("activation_tolerance")) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    RungeKuttaMemory& m = memory_in(ws);
    HalfExplicitStep step(system, solver, state, dt, activation_tolerance_, ws, m, result);
    const int s = tableau_.stages;

    scale(1.0, state.q, m.q_k);
    scale(1.0, state.v, m.v[0]);
    for (int l = 1; l <= s; ++l) {
      const int k = l - 1;
      const double t_k = k == 0 ? state.t : state.t + tableau_.c(k) * dt;
      const double t_l = l == s ? result.next.t : state.t + tableau_.c(l) * dt;
      if (!step.free_acceleration(t_k, m.q_k, m.v[k], m.free[k])) return;
      scale(1.0, m.free[k], m.A[k]);

      weighted_sum(dt, tableau_.row(l), l, m.v, m.increment);
      system.move(state.q, m.increment, m.q_l);
      weighted_sum(dt, tableau_.row(l), l, m.A, m.v_l);
      add(state.v, m.v_l);
      if (l == s) step.look(t_l, m.q_l);
      const ActiveSet& active = l == s ? step.closed_throughout() : step.closed_at_start();
      if (!active.empty()) {
        const double share = tableau_.weight(l, k);
        system.evaluate(t_k, m.q_k, m.v[k], Need::jacobian, active, step.memory.force);
        system.evaluate(t_l, m.q_l, m.v[k], Need::jacobian, active, step.memory.constraint);
        step.push({active, step.memory.constraint, step.memory.force, step.M(), share * dt}, share, m.v_l);
        combine(1.0, m.A[k], 1.0 / (dt * share), ws.velocity.response, m.A[k]);
        step.book(active, tableau_.b(k) / share);
      }
      std::swap(m.q_k, m.q_l);
      if (l < s) std::swap(m.v[l], m.v_l);
    }
    scale(1.0, m.q_k, result.next.q);
    scale(1.0, m.v_l, result.next.v);

    if (step.some_contact_closed()) {
      weighted_sum(dt, tableau_.row(s), s, m.free, result.next.v);
      add(state.v, result.next.v);
      if (!step.free_acceleration(result.next.t, result.next.q, m.v_l, m.a)) return;  // for M(q_1)
      step.impact();
    }
    step.finish();
  }

 private:
  const HalfExplicitTableau& tableau_;
  double activation_tolerance_;
};

}  // namespace

extern const SchemeEntry half_explicit_runge_kutta_entry;
const SchemeEntry half_explicit_runge_kutta_entry{
    .name = "half_explicit_runge_kutta",
    .title = "half-explicit Runge-Kutta methods: order 4 (or 3, 2, 1) between impacts",
    .reference = "Brasey, Hairer 1993; Schindler, Rezaei, Kursawe, Acary 2015, appendix B",
    .treats = {Feature::contacts, Feature::joints, Feature::friction, Feature::inelastic, Feature::quaternions,
               Feature::variable_inertia, Feature::spin_friction, Feature::exact_reservoir, Feature::two_phases,
               Feature::joint_friction, Feature::rheonomic},
    .promises = {.orders = {4, 4, 1}, .velocity_level = true, .yields = true},
    .parameters = {{"tableau", std::string("hem4"), "coefficients; orders 4, 3, 2, 2, 1", 0, 0,
                    half_explicit_tableau_names()},
                   activation_tolerance_spec(rounding_activation)},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> { return std::make_unique<HalfExplicitRungeKutta>(p); },
    .orders_with = [](const Parameters& p) -> Orders {
      const double order = half_explicit_tableau(p.word("tableau")).order;
      return {order, order, 1};
    }};

}  // namespace carom::inline schemes
