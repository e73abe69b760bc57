// The generalized-alpha method for mechanisms with joints and without contacts: a family by the level on which
// the joints are imposed. Equations and unknowns in alpha/levels.h, the Newton iteration in alpha/step.h.
//
//   position                        P     g = 0                   index 3; lambda oscillates at first
//   velocity                        V     gamma = 0               index 2; g drifts
//   acceleration                    A     gamma' = 0              index 1; g and gamma drift
//   baumgarte                             gamma' + 2 damping gamma + stiffness^2 g = 0
//   position_velocity               PV    g = gamma = 0           correction M u = W(q_1) nu
//   position_velocity_original      PV    the same                correction u = W(q_0) nu
//   position_velocity_acceleration  PVA   g = gamma = gamma' = 0  corrections of position and velocity
//
// Second order in q, v and lambda. With start = consistent the filtered acceleration starts from a(t_0), which
// excites a transient of order dt in the constraints that are not imposed; `shifted` starts it from
// a(t_0 + (alpha_m - alpha_f) dt), of order dt^2; `zero` is the start an impact leaves.
//
// Reference: Bruels, Acary, Cardona (2018), section 5; Arnold, Bruels (2007).

#include "carom/schemes/alpha/parameters.h"
#include "carom/schemes/alpha/step.h"

namespace carom::inline schemes {

namespace {

using alpha::SmoothRow;

alpha::Levels levels_of(const Parameters& p) {
  const std::string& level = p.word("constraint_level");
  alpha::Levels levels;
  levels.contacts = false;
  levels.position = levels.velocity = false;
  if (level == "position") {
    levels.joints = SmoothRow::position;
  } else if (level == "velocity") {
    levels.joints = SmoothRow::velocity;
  } else if (level == "acceleration") {
    levels.joints = SmoothRow::acceleration;
  } else if (level == "baumgarte") {
    levels.joints = SmoothRow::baumgarte;
    levels.baumgarte_damping = p.number("baumgarte_damping");
    levels.baumgarte_stiffness = p.number("baumgarte_stiffness");
  } else if (level == "position_velocity" || level == "position_velocity_original") {
    levels.joints = SmoothRow::velocity;
    levels.position = true;
    levels.original_correction = level == "position_velocity_original";
  } else {
    levels.joints = SmoothRow::acceleration;
    levels.position = levels.velocity = true;
  }
  return levels;
}

class GeneralizedAlpha final : public SchemeWith<alpha::Work> {
 public:
  explicit GeneralizedAlpha(const Parameters& p) {
    options_.spectral_radius = p.number("spectral_radius");
    options_.levels = levels_of(p);
    options_.solution = alpha::Solution::monolithic;
    const std::string& start = p.word("start");
    options_.start = start == "shifted" ? alpha::StartRule::shifted
                     : start == "zero"  ? alpha::StartRule::zero
                                        : alpha::StartRule::consistent;
    options_.tolerance = p.number("newton_tolerance");
  }

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    alpha::Step(system, solver, state, dt, options_, ws, memory_in(ws), result).run();
  }

 private:
  alpha::Options options_;
};

}  // namespace

extern const SchemeEntry generalized_alpha_entry;
const SchemeEntry generalized_alpha_entry{
    .name = "generalized_alpha",
    .title = "generalized-alpha for joints on position, velocity and acceleration level; no contacts",
    .reference = "Bruels, Acary, Cardona 2018",
    .treats = {Feature::joints, Feature::quaternions, Feature::variable_inertia, Feature::rheonomic},
    .promises = {.orders = {2, 2, 1}, .position_level = true, .velocity_level = true, .implicit_force = true},
    .parameters = {{"constraint_level",
                    std::string("position_velocity_acceleration"),
                    "where joints are imposed",
                    0,
                    0,
                    {"position_velocity_acceleration", "position", "velocity", "acceleration", "baumgarte",
                     "position_velocity", "position_velocity_original"}},
                   alpha::spectral_radius_spec(),
                   {"start",
                    std::string("consistent"),
                    "what the acceleration filter starts from",
                    0,
                    0,
                    {"consistent", "shifted", "zero"}},
                   {"baumgarte_damping", 5.0, "of the level baumgarte, 1/s", 0.0},
                   {"baumgarte_stiffness", 5.0, "of the level baumgarte, 1/s", 0.0},
                   alpha::newton_tolerance_spec()},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> { return std::make_unique<GeneralizedAlpha>(p); }};

}  // namespace carom::inline schemes
