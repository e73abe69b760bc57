// Gear-Gupta-Leimkuhler after Moreau's midpoint rule: velocities first, then positions are brought back.
//
//   M(q_mid) (v_1 - v_0) - dt h(t_mid, q_mid, v_0) = W(q_mid) Lambda      as moreau_midpoint
//   xi = gamma_1 + e gamma_minus,   -xi in N_C(Lambda)
//   q_1 = q_mid (+) dt/2 v_1 (+) N W(q_mid) Psi,   0 <= g(q_1) _|_ Psi >= 0     (joints: g(q_1) = 0)
//
// with N = M(q_mid)^-1 (metric = kinetic) or the identity (euclidean).
//
// activation = touch: active set and gamma_minus as touching_contacts.h says, pushing contacts are brought to g = 0.
// activation = forecast, as published: impulses at contacts with g(q_mid) <= 0, gamma_minus = gamma_0; projection_set =
// all brings back every contact, active only those. Then positions move after the velocities are known, the shift
// does work against the potential, the energy fluctuates, and bodies do not come to rest (docs/theory/ggl.md).
//
// Reference: Schoeder, Ulbrich, Schindler (2013), equations 29 to 35. Departures: closed is g <= 0, the
// kinetic metric and contacts found by touching by default; friction acts on velocities as in moreau_midpoint.

#include "carom/schemes/ggl/midpoint_step.h"
#include "carom/schemes/projection/position_projection.h"
#include "carom/schemes/step_contacts.h"
#include "carom/schemes/touching_contacts.h"

namespace carom::inline schemes {

namespace {

struct GglDecoupledMemory final : SchemeMemory {
  MidpointMemory midpoint;
  TouchingContacts touching;
  ProjectionMemory projection;

  const InclusionWork* position_problem() const override { return &projection.position; }
};

class GglDecoupled final : public SchemeWith<GglDecoupledMemory> {
 public:
  explicit GglDecoupled(const Parameters& p)
      : projection_(PositionProjection::metric_of(p), p.number("position_tolerance")),
        touch_(p.word("activation") == "touch"),
        rule_(p.word("projection_set") == "all" ? ProjectionRule::all_contacts : ProjectionRule::active_contacts),
        activation_tolerance_(p.number("activation_tolerance")) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    GglDecoupledMemory& memory = memory_in(ws);
    const MidpointStep step{system, solver, state, dt, ws, memory.midpoint, result};
    if (!step.move_freely()) return;
    if (touch_) {
      solve_touching(step, memory);
    } else {
      step.activate(activation_tolerance_);
      step.apply_impulses(false);
      if (!project(step, rule_, memory.projection)) result.status = StepStatus::projection_failed;
    }
    check_finite(result);
  }

 private:
  void solve_touching(const MidpointStep& step, GglDecoupledMemory& memory) const {
    TouchingContacts& touching = memory.touching;
    StepResult& result = step.result;
    touching.begin(step, activation_tolerance_);
    do {
      result.status = StepStatus::ok;
      result.next.v = touching.v_free();
      step.apply_impulses(false, &touching);
      // Where pushing contacts cannot all be held at g = 0, inequalities alone.
      if (result.status == StepStatus::ok && !project(step, ProjectionRule::active_impacting, memory.projection) &&
          !project(step, ProjectionRule::active_contacts, memory.projection))
        result.status = StepStatus::projection_failed;
    } while (result.status == StepStatus::ok
                 ? touching.grow(step, projection_.tolerance()) ||
                       touching.restrain(step, step.memory.at_mid, step.ws.velocity.result.lambda,
                                         memory.projection.delta, projection_.tolerance())
                 : touching.relent(step.ws.active));
  }

  bool project(const MidpointStep& step, ProjectionRule rule, ProjectionMemory& memory) const {
    step.place_end(memory.q_bar);
    assign_roles(rule, step.ws, memory.roles);
    const FixedDirections mid{step.t_mid, step.memory.q_mid};
    return projection_.project(step.system, step.solver, step.result.next.t, memory.q_bar, step.result.next.v,
                               step.memory.M_factor, step.ws, memory, step.result, step.result.next.q, &mid);
  }

  PositionProjection projection_;
  bool touch_;
  ProjectionRule rule_;
  double activation_tolerance_;
};

}  // namespace

extern const SchemeEntry ggl_decoupled_entry;
const SchemeEntry ggl_decoupled_entry{
    .name = "ggl_decoupled",
    .title = "Moreau's midpoint rule, then positions are projected: no drift; explicit in the forces",
    .reference = "Schoeder, Ulbrich, Schindler 2013",
    .treats = {Feature::contacts, Feature::joints, Feature::friction, Feature::inelastic, Feature::quaternions,
               Feature::variable_inertia, Feature::spin_friction, Feature::exact_reservoir, Feature::two_phases,
               Feature::joint_friction, Feature::rheonomic},
    .promises = {.orders = {1, 1, 1, 1}, .position_level = true, .impact_law = true, .yields = true, .passive = true},
    .parameters = {PositionProjection::metric_spec(),
                   {"projection_set",
                    std::string("all"),
                    "which contacts the published form brings back",
                    0,
                    0,
                    {"all", "active"}},
                   {"activation",
                    std::string("touch"),
                    "contacts that touch within the step, or those the published "
                    "forecast sees",
                    0,
                    0,
                    {"touch", "forecast"}},
                   PositionProjection::tolerance_spec(),
                   activation_tolerance_spec(rounding_activation)},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> { return std::make_unique<GglDecoupled>(p); }};

}  // namespace carom::inline schemes
