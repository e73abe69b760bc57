// Combined activation and projection: the active set grows from the joints alone until no inactive
// contact is closed at the end of the step, and every projected contact has obeyed the impact law.
//
//   I = joints                          (first_set = pushing: and closed contacts that pushed last)
//   repeat
//     velocity:  as moreau_jean on I                                             -> Lambda
//     position:  q_1 = q_0 (+) (dt v_theta + N W(q_1) tau)
//                joints and contacts of I with Lambda_N > 0:   g = 0, tau free
//                other contacts of I:                          0 <= g _|_ tau >= 0
//     I <- I + { contacts with g(q_1) <= 0 }
//   until I no longer grows            (at most one pass per contact, plus one)
//
// The equality pulls a rebounding contact back to g = 0 in the step of its impact: no chatter, some
// dissipation. equality_set = all projects every contact of I as an equality. Where the equalities
// cannot be met together, the step falls back to inequalities.
//
// energy_guard: a step whose contacts and position correction would bring in energy is solved with less restitution
// (energy_guard.h); false is the published step, in which impacts may gain energy of the order of dt.
//
// Models of many velocities leave a set as soon as contacts close that are not in it, and solve only the last one to
// the end (theta_step.h). Of piles the first sets are found from velocities alone.
//
// In a pile most of the set is the same from step to step; first_set = pushing starts from it. A contact
// too many does no harm: it gets no impulse and no correction unless it would close.
//
// Reference: V. Acary, RR-8029 (2012), algorithm 2. Departures: two-sided stop and kinetic metric.

#include <algorithm>

#include "carom/schemes/step_contacts.h"
#include "carom/schemes/theta/theta_step.h"

namespace carom::inline schemes {

namespace {

// Over a pile; most contacts that close do so whatever the correction.
constexpr int passes_without_correction = 3;

class ProjectionCombined final : public SchemeWith<ThetaMemory> {
 public:
  explicit ProjectionCombined(const Parameters& p)
      : options_(ThetaOptions::from(p)),
        projection_(p),
        all_equalities_(p.word("equality_set") == "all"),
        start_from_pushing_(p.word("first_set") == "pushing"),
        guard_(p.flag("energy_guard")) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    ThetaStep step(options_, system, solver, state, dt, ws, memory_in(ws), result);
    step.begin();
    step.activate_bilateral();
    if (start_from_pushing_) add_pushing(state, ws, ws.look);
    if (step.is_long() && step.is_pile()) grow_without_correction(step, result);
    bool again = true;
    while (again) {
      ++result.index_set_iterations;
      if (step.is_long()) {  // sets that grow are left before they are solved to the end
        step.solve_roughly(true);
        solve_on_active_set(step, ws, result);
        step.solve_roughly(false);
        if (result.status == StepStatus::ok && step.grow_active_set()) continue;
      }
      if (!step.is_long() || !step.is_precise()) solve_on_active_set(step, ws, result);
      again = result.status == StepStatus::ok &&
              (step.grow_active_set() || (guard_ && step.restrain(projection_.tolerance())));
    }
    step.finish();
  }

 private:
  static void grow_without_correction(ThetaStep& step, StepResult& result) {
    step.solve_roughly(true);
    bool grows = true;
    for (int pass = 0; pass < passes_without_correction && grows; ++pass) {
      ++result.index_set_iterations;
      step.solve_velocities();
      grows = result.status == StepStatus::ok && step.grow_active_set();
    }
    step.solve_roughly(false);
  }

  // A gap the last projection left counts as closed.
  double closed_gap() const { return std::max(1e-10, projection_.tolerance()); }

  void add_pushing(const State& state, StepWorkspace& ws, const Evaluation& at_0) const {
    ws.active.reset(ws.contacts);
    std::size_t hint = 0;
    Index row = 0;
    for (Index k = 0; k < ws.all.size(); ++k) {
      const Constraint& constraint = ws.all.constraint(k);
      const Index dim = constraint.law->dim();
      const double* impulse = state.impulses.find(constraint.id, dim, hint);
      const bool closed = at_0.g[row] <= closed_gap() * constraint.length_scale;
      if (always_acts(constraint) || (closed && impulse != nullptr && impulse[0] > 0.0)) ws.active.add(k);
      row += dim;
    }
  }

  void solve_on_active_set(ThetaStep& step, StepWorkspace& ws, StepResult& result) const {
    if (ws.active.empty()) {  // free motion: nothing to project
      step.solve_velocities();
      return;
    }
    const ProjectionRule equalities =
        all_equalities_ ? ProjectionRule::active_equalities : ProjectionRule::active_impacting;
    step.solve_projected(projection_, equalities);
    if (result.status == StepStatus::projection_failed)
      step.solve_projected(projection_, ProjectionRule::active_contacts);
  }

  ThetaOptions options_;
  PositionProjection projection_;
  bool all_equalities_;
  bool start_from_pushing_;
  bool guard_;
};

std::vector<ParameterSpec> parameters() {
  std::vector<ParameterSpec> specs = ThetaOptions::parameters();
  for (ParameterSpec& spec : PositionProjection::parameters()) specs.push_back(std::move(spec));
  specs.push_back(
      {"equality_set", std::string("impacting"), "which contacts are projected to g = 0", 0, 0, {"impacting", "all"}});
  specs.push_back({"first_set", std::string("joints"), "from where the active set grows", 0, 0, {"joints", "pushing"}});
  specs.push_back(PositionProjection::energy_guard_spec());
  return specs;
}

}  // namespace

extern const SchemeEntry projection_combined_entry;
const SchemeEntry projection_combined_entry{
    .name = "projection_combined",
    .title = "Moreau-Jean with active set and projection found together; no chatter",
    .reference = "Acary 2012, algorithm 2",
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
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> { return std::make_unique<ProjectionCombined>(p); },
    .orders_with = ThetaOptions::orders};

}  // namespace carom::inline schemes
