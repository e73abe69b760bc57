// Moreau-Jean: the implicit theta method with the impact law on velocity level.
//
//   M(q_theta) (v_1 - v_0) - dt h(t_theta, q_theta, v_theta) = W(q_1) Lambda
//   q_1 = q_0 (+) dt v_theta,    v_theta = theta v_1 + (1 - theta) v_0
//   active contacts: those whose forecast gap is <= 0,
//       explicit: g_0 + activation_gamma dt gamma_0
//       free:     the gap at the end of the step without contact forces
//   -xi in N_C(Lambda),   xi = W(q_1)' v_1 + chi + e (W(q_0)' v_0 + chi)
//
// law_level = position puts 0 <= g(q_1) _|_ Lambda >= 0 on all contacts instead: the trapezoidal rule
// with a position constraint, whose contact velocities flip from step to step (a negative example).
//
// Reference: M. Jean, J. J. Moreau (1987); V. Acary, RR-8029 (2012).

#include "carom/schemes/scheme.h"
#include "carom/schemes/theta/contact_forecast.h"

namespace carom::inline schemes {

namespace {

class MoreauJean final : public SchemeWith<ThetaMemory> {
 public:
  explicit MoreauJean(const Parameters& p) : options_(ThetaOptions::from(p)), forecast_(p) {
    options_.position_law = p.word("law_level") == "position";
  }

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    ThetaStep step(options_, system, solver, state, dt, ws, memory_in(ws), result);
    step.begin();
    if (options_.position_law)
      step.activate_all();
    else
      forecast_.activate(step);
    step.solve_velocities();
    step.finish();
  }

 private:
  ThetaOptions options_;
  ContactForecast forecast_;
};

std::vector<ParameterSpec> parameters() {
  std::vector<ParameterSpec> specs = ThetaOptions::parameters();
  ContactForecast::add_parameters("explicit", 0.5, rounding_activation, specs);
  specs.push_back({"law_level", std::string("velocity"), "level of the contact law", 0, 0, {"velocity", "position"}});
  return specs;
}

}  // namespace

extern const SchemeEntry moreau_jean_entry;
const SchemeEntry moreau_jean_entry{
    .name = "moreau_jean",
    .title = "Moreau-Jean: implicit theta method, impact law on velocity level",
    .reference = "Jean, Moreau 1987; Acary 2012",
    .treats = {Feature::contacts, Feature::joints, Feature::friction, Feature::inelastic, Feature::quaternions,
               Feature::variable_inertia, Feature::spin_friction, Feature::exact_reservoir, Feature::two_phases,
               Feature::joint_friction, Feature::rheonomic},
    .promises =
        {.orders = {2, 1, 1, 1}, .velocity_level = true, .impact_law = true, .yields = true, .implicit_force = true},
    .parameters = parameters(),
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> { return std::make_unique<MoreauJean>(p); },
    .orders_with = ThetaOptions::orders};

}  // namespace carom::inline schemes
