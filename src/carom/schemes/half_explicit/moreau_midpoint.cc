// Moreau's midpoint rule.
//
//   q_mid = q_0 (+) dt/2 v_0,   t_mid = t_0 + dt/2
//   active: bilateral constraints, and contacts with g(q_mid) <= 0
//   M(q_mid) (v_1 - v_0) - dt h(t_mid, q_mid, v_0) = W(q_mid) Lambda
//   xi = gamma_1 + e gamma_0,   -xi in N_C(Lambda)
//   q_1 = q_mid (+) dt/2 v_1
//
// gap_rate = midpoint:    gamma_0 = W(q_mid)' v_0 + chi,   gamma_1 = W(q_mid)' v_1 + chi
//            linearised:  gamma_0 = W(q_0)' v_0 + chi_0,   gamma_1 = gamma_0 + W(q_mid)' (v_1 - v_0)
//
// Reference: J. J. Moreau (1988); the linearised gap rate after Schoeder, Ulbrich, Schindler (2013).
// Departure: contacts with g = 0 are closed (a body at rest on the floor stays there).
//
// Gaps drift: W(q_mid)' v_0 differs from the last step's W(q_mid)' v_1 by dt zeta.

#include "carom/schemes/ggl/midpoint_step.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

struct MoreauMidpointMemory final : SchemeMemory {
  MidpointMemory midpoint;
};

class MoreauMidpoint final : public SchemeWith<MoreauMidpointMemory> {
 public:
  explicit MoreauMidpoint(const Parameters& p)
      : linearised_(p.word("gap_rate") == "linearised"), activation_tolerance_(p.number("activation_tolerance")) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    const MidpointStep step{system, solver, state, dt, ws, memory_in(ws).midpoint, result};
    if (!step.move_freely()) return;
    step.activate(activation_tolerance_);
    step.apply_impulses(linearised_);
    step.place_end(result.next.q);
    check_finite(result);
  }

 private:
  bool linearised_;
  double activation_tolerance_;
};

}  // namespace

extern const SchemeEntry moreau_midpoint_entry;
const SchemeEntry moreau_midpoint_entry{
    .name = "moreau_midpoint",
    .title = "Moreau's midpoint rule: explicit, one inclusion a step; gaps drift",
    .reference = "Moreau 1988; Moeller 2011, algorithm 0; Schoeder, Ulbrich, Schindler 2013",
    .treats = {Feature::contacts, Feature::joints, Feature::friction, Feature::inelastic, Feature::quaternions,
               Feature::variable_inertia, Feature::spin_friction, Feature::exact_reservoir, Feature::two_phases,
               Feature::joint_friction, Feature::rheonomic},
    .promises = {.orders = {1, 1, 1, 1}, .impact_law = true, .yields = true},
    .parameters =
        {{"gap_rate", std::string("midpoint"), "how contact velocities are formed", 0, 0, {"midpoint", "linearised"}},
         activation_tolerance_spec(rounding_activation)},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> { return std::make_unique<MoreauMidpoint>(p); }};

}  // namespace carom::inline schemes
