// Half-explicit trapezoidal rule that notices impacts ahead and takes them in short steps. The equations
// are in half_explicit_trapezoid.h, with q' = T(q) v through move. With q_p = q_0 (+) dt v_0:
//
//   impact:   a contact open at q_0 is closed at q_p. The step is impact_step_ratio times the full one,
//             its first stage acts on nobody, and it ends with an impact on the contacts closed at q_1:
//             maybe on none, then it has only come nearer.
//   smooth:   otherwise; the first stage acts on the contacts closed at q_p.
//
// A departure: a contact that is open at q_0 and q_p but closed at q_1, brought there by the acceleration
// within the step, makes an impact too, of the full step: its penetration is O(dt^2). In the reference it
// would get a force and lose its rebound.
//
// Penetration and the first-order error of an impact shrink with the ratio, at the cost of a full step for
// each short one.
//
// The full step is the one the run was started with (State::memory): if the driver asks for less, to come
// back to its grid after a short step, short steps do not shrink with it.
//
// Reference: Schindler, Rezaei, Kursawe, Acary (2015), equations (74) to (77).

#include <algorithm>

#include "carom/schemes/half_explicit/half_explicit_trapezoid.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

class HalfExplicitVelocityReduced final : public SchemeWith<TrapezoidMemory> {
 public:
  explicit HalfExplicitVelocityReduced(const Parameters& p)
      : ratio_(p.number("impact_step_ratio")), activation_tolerance_(p.number("activation_tolerance")) {}

  void start(const System&, double dt, State& state) const override {
    state.memory.resize(1);
    state.memory[0] = dt;
  }

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    TrapezoidMemory& m = memory_in(ws);
    HalfExplicitTrapezoid step(system, solver, state, dt, activation_tolerance_, ws, m, result);
    const double full = state.memory.empty() ? dt : std::max(dt, state.memory[0]);

    scale(dt, state.v, m.increment);
    system.move(state.q, m.increment, m.q_s);
    step.look(result.next.t, m.q_s);
    const bool impact = step.some_contact_closed();
    if (impact) step.shorten(std::min(dt, ratio_ * full));

    ActiveSet& active = step.memory.active;
    active = impact ? ws.none : step.closed();
    if (!step.first_stage(active) || !step.look_at_end()) return;
    if (impact || step.some_contact_closed())
      step.end_with_impact();
    else
      step.end_smoothly();
    step.finish();
  }

 private:
  double ratio_;
  double activation_tolerance_;
};

}  // namespace

extern const SchemeEntry half_explicit_velocity_reduced_entry;
const SchemeEntry half_explicit_velocity_reduced_entry{
    .name = "half_explicit_velocity_reduced",
    .title = "half-explicit trapezoidal rule on velocity level, impacts in shorter steps of its own",
    .reference = "Schindler, Rezaei, Kursawe, Acary 2015, section 6",
    .treats = {Feature::contacts, Feature::joints, Feature::friction, Feature::inelastic, Feature::quaternions,
               Feature::variable_inertia, Feature::spin_friction, Feature::exact_reservoir, Feature::two_phases,
               Feature::joint_friction, Feature::rheonomic},
    .promises = {.orders = {2, 2, 1}, .velocity_level = true, .yields = true},
    .parameters = {{"impact_step_ratio", 0.1, "length of an impact step, in full steps", 1e-4, 1},
                   activation_tolerance_spec(1e-8)},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> {
      return std::make_unique<HalfExplicitVelocityReduced>(p);
    }};

}  // namespace carom::inline schemes
