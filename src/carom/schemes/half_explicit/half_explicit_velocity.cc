// Half-explicit trapezoidal rule on velocity level: forces between impacts, impulses at impacts, told
// apart in every step. The equations are in half_explicit_trapezoid.h. The first stage acts on the contacts
// closed at q_0; a contact open at q_0 and closed at q_1 makes the step an impact.
//
// Second order between impacts, velocity constraints at step ends, stable for dt < 2 / omega.
//
// Reference: Schindler, Rezaei, Kursawe, Acary (2015), section 4 and appendix A.

#include "carom/schemes/half_explicit/half_explicit_trapezoid.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

class HalfExplicitVelocity final : public SchemeWith<TrapezoidMemory> {
 public:
  explicit HalfExplicitVelocity(const Parameters& p) : activation_tolerance_(p.number("activation_tolerance")) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    HalfExplicitTrapezoid step(system, solver, state, dt, activation_tolerance_, ws, memory_in(ws), result);
    if (!step.first_stage(step.closed_at_start()) || !step.look_at_end()) return;
    if (step.some_contact_closed())
      step.end_with_impact();
    else
      step.end_smoothly();
    step.finish();
  }

 private:
  double activation_tolerance_;
};

}  // namespace

extern const SchemeEntry half_explicit_velocity_entry;
const SchemeEntry half_explicit_velocity_entry{
    .name = "half_explicit_velocity",
    .title = "half-explicit trapezoidal rule on velocity level: order 2 between impacts",
    .reference = "Schindler, Rezaei, Kursawe, Acary 2015",
    .treats = {Feature::contacts, Feature::joints, Feature::friction, Feature::inelastic, Feature::quaternions,
               Feature::variable_inertia, Feature::spin_friction, Feature::exact_reservoir, Feature::two_phases,
               Feature::joint_friction, Feature::rheonomic},
    .promises = {.orders = {2, 2, 1}, .velocity_level = true, .yields = true},
    .parameters = {activation_tolerance_spec(rounding_activation)},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> { return std::make_unique<HalfExplicitVelocity>(p); }};

}  // namespace carom::inline schemes
