// Direct projection: Moreau-Jean with every step's positions projected onto all constraints.
//
//   velocity:  as moreau_jean, on the contacts of the forecast
//   position:  q_1 = q_0 (+) (dt v_theta + N W(q_1) tau),   0 <= g(q_1) _|_ tau >= 0   (all contacts)
//
// coupling  in_loop: velocity and position problems alternate inside the Newton iteration, so that
//                    both hold at its end
//           post:    one projection after the velocities are known; gamma is then not exactly kept
//           coupled: one problem for Lambda and tau together
//
// energy_guard as in projection_combined.
//
// With the explicit forecast a projected contact may miss the impact law of its step and chatters;
// the free forecast does not. Contacts whose gap is below activation_tolerance count as closed: a
// projected gap is zero only up to the projection's tolerance.
//
// Reference: V. Acary, RR-8029 (2012), algorithm 1. Departures: two-sided stop and kinetic metric.

#include "carom/schemes/scheme.h"
#include "carom/schemes/theta/contact_forecast.h"

namespace carom::inline schemes {

namespace {

class ProjectionDirect final : public SchemeWith<ThetaMemory> {
 public:
  explicit ProjectionDirect(const Parameters& p)
      : options_(ThetaOptions::from(p)), projection_(p), forecast_(p), guard_(p.flag("energy_guard")) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    ThetaStep step(options_, system, solver, state, dt, ws, memory_in(ws), result);
    step.begin();
    forecast_.activate(step);
    do {
      step.solve_projected(projection_, ProjectionRule::all_contacts);
    } while (guard_ && step.restrain(projection_.tolerance()));
    step.finish();
  }

 private:
  ThetaOptions options_;
  PositionProjection projection_;
  ContactForecast forecast_;
  bool guard_;
};

std::vector<ParameterSpec> parameters() {
  std::vector<ParameterSpec> specs = ThetaOptions::parameters();
  for (ParameterSpec& spec : PositionProjection::parameters()) specs.push_back(std::move(spec));
  ContactForecast::add_parameters("free", 0.0, 1e-10, specs);
  specs.push_back(PositionProjection::energy_guard_spec());
  return specs;
}

}  // namespace

extern const SchemeEntry projection_direct_entry;
const SchemeEntry projection_direct_entry{
    .name = "projection_direct",
    .title = "Moreau-Jean with positions projected onto all contacts",
    .reference = "Acary 2012, algorithm 1",
    .treats = {Feature::contacts, Feature::joints, Feature::friction, Feature::inelastic, Feature::quaternions,
               Feature::variable_inertia, Feature::spin_friction, Feature::exact_reservoir, Feature::two_phases,
               Feature::joint_friction, Feature::rheonomic},
    .promises = {.orders = {2, 1, 1, 1},
                 .position_level = true,
                 .velocity_level = true,
                 .impact_law = true,
                 .yields = true,
                 .implicit_force = true},
    .parameters = parameters(),
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> { return std::make_unique<ProjectionDirect>(p); },
    .orders_with = ThetaOptions::orders};

}  // namespace carom::inline schemes
