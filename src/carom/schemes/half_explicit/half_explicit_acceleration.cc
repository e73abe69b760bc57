// Half-explicit trapezoidal rule on acceleration level: forces keep the accelerations of closed contacts, so
// that velocities and gaps drift. It is here for comparison with half_explicit_velocity, and cheap.
//
//   force(q, v):  a = M^-1 ( h(t, q, v) + W lambda ),   -( W' a + zeta ) in N_C(lambda)
//                 on joints and on contacts with g(q) <= 0 and gamma_N(q, v) <= 0
//
//   a_0 = force(q_0, v_0)         v_s = v_0 + dt a_0         q_1 = q_0 (+) dt/2 (v_0 + v_s)
//   smooth:  a_1 = force(q_1, v_s),   v_1 = v_0 + dt/2 (a_0 + a_1)
//   impact:  a contact open at q_0 is closed at q_1: v_free = v_0 + dt/2 ( M_0^-1 h_0 + M_1^-1 h_1 ) and the
//            impact of half_explicit_step.h
//
// A contact counts as separating only if it moves by more than the activation tolerance in a step.
//
// Reference: Schindler, Rezaei, Kursawe, Acary (2015), section 3.

#include "carom/base/vector_kernels.h"
#include "carom/schemes/half_explicit/half_explicit_step.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

struct AccelerationMemory final : HalfExplicitMemory {
  Vector free_0, free_1;  // without contact forces, at both ends
  Vector a_0;             // with them, at the start
  Vector v_s;
};

class HalfExplicitAcceleration final : public SchemeWith<AccelerationMemory> {
 public:
  explicit HalfExplicitAcceleration(const Parameters& p) : activation_tolerance_(p.number("activation_tolerance")) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    AccelerationMemory& m = memory_in(ws);
    HalfExplicitStep step(system, solver, state, dt, activation_tolerance_, ws, m, result);
    const double t_1 = result.next.t;
    Vector &q_1 = result.next.q, &v_1 = result.next.v;
    Vector &free_0 = m.free_0, &free_1 = m.free_1, &a_0 = m.a_0, &v_s = m.v_s;

    if (!step.free_acceleration(state.t, state.q, state.v, free_0)) return;
    scale(1.0, free_0, a_0);
    add_force(step, step.closed_at_start(), state.t, state.q, state.v, a_0);
    combine(1.0, state.v, dt, a_0, v_s);
    combine(0.5 * dt, state.v, 0.5 * dt, v_s, m.increment);
    system.move(state.q, m.increment, q_1);

    if (!step.look(t_1, q_1, v_s, free_1)) return;
    if (step.some_contact_closed()) {
      combine(0.5 * dt, free_0, 0.5 * dt, free_1, m.increment);
      add(m.increment, v_1);
      step.impact();
    } else {
      Vector& a_1 = free_1;
      add_force(step, step.closed(), t_1, q_1, v_s, a_1);
      combine(0.5 * dt, a_0, 0.5 * dt, a_1, m.increment);
      add(m.increment, v_1);
    }
    step.finish();
  }

 private:
  // a += M^-1 W lambda
  void add_force(HalfExplicitStep& step, const ActiveSet& closed, double t, const Vector& q, const Vector& v,
                 Vector& a) const {
    if (closed.empty()) return;
    Evaluation& at = step.memory.force;
    step.system.evaluate(t, q, v, Need::gap_rate, closed, at);
    ActiveSet& active = step.memory.active;
    active.reset(closed.contacts());
    Index row = 0;
    for (Index i = 0; i < closed.size(); ++i) {
      const Constraint& constraint = closed.constraint(i);
      const double still = activation_tolerance_ * constraint.length_scale;
      if (constraint.bilateral || step.dt() * at.g_rate[row] <= still) active.add(closed[i]);
      row += constraint.law->dim();
    }
    if (active.empty()) return;
    step.system.evaluate(t, q, v, Need::jacobian | Need::convective, active, at);
    step.push(
        {.active = active, .constraint = at, .force = at, .A = step.M(), .duration = 1.0, .level = Level::acceleration},
        1.0 / step.dt(), a);
    step.book(active, 0.5 * step.dt());
  }

  double activation_tolerance_;
};

}  // namespace

extern const SchemeEntry half_explicit_acceleration_entry;
const SchemeEntry half_explicit_acceleration_entry{
    .name = "half_explicit_acceleration",
    .title = "half-explicit trapezoidal rule on acceleration level: drifts, for comparison",
    .reference = "Schindler, Rezaei, Kursawe, Acary 2015, section 3",
    .treats = {Feature::contacts, Feature::joints, Feature::inelastic, Feature::quaternions, Feature::variable_inertia,
               Feature::two_phases, Feature::rheonomic},
    .promises = {.orders = {2, 2, 1},
                 .yields = true,
                 .rests = false},  // a contact keeps the speed of the order of dt with which its last impact left it
    .parameters = {activation_tolerance_spec(rounding_activation)},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> {
      return std::make_unique<HalfExplicitAcceleration>(p);
    }};

}  // namespace carom::inline schemes
