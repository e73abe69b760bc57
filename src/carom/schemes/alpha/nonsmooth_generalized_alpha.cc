// The nonsmooth generalized-alpha method: the smooth part of the motion by generalized-alpha, what contacts and
// joints add to it by corrections of position and velocity. Unknowns of a step: a, lambda | u, nu | w, Lambda,
//
//   a_bar by the filter of alpha/coefficients.h,  eta likewise from lambda
//   q = q_0 (+) ( dt v_0 + dt^2 (1/2 - beta) a_bar_0 + dt^2 beta a_bar + u )
//   v = v_0 + dt (1 - gamma) a_bar_0 + dt gamma a_bar + w
//
//   M a - W lambda = h                 smooth rows below,          lambda = 0 off C
//   M u - W nu = 0                     g = 0 on A,                 nu* = 0 off A
//   M w - W Lambda = 0                 gamma + e gamma_0 = 0 on B,  Lambda* = 0 off B
//
//   strategy       smooth rows
//   pva            W'a + zeta = 0 on joints and on the contacts of C: all three levels hold at step ends, and
//                  the corrections vanish where nothing impacts
//   pvv            W'v_smooth = 0 on joints; contacts push through the corrections only
//   unconstrained  none; joints too push through the corrections only
//
// nu* and Lambda* are the totals of alpha/step.h; Lambda* is the impulse reported. With inactive = relative
// nu and Lambda vanish off the sets instead, as printed: an opened contact then pulls for some steps by what the
// filter eta still holds.
//
// The active sets A > B > C are found in the Newton iteration itself, by augmented multipliers (alpha/activity.cc). The
// inclusion solver finds the accelerations the first step starts from, and takes a step whose sets are not found, with
// contacts in the corrections only (alpha/inclusions.cc).
// Friction (pva): Coulomb's law for the impulse Lambda* and for the smooth force, always solved monolithically.
// Rotations move by the exponential of the whole increment.
//
// Departures from the publication: 1/2 - beta for the printed 1 - beta; totals by default; B is a part of A for
// every strategy (printed for pvv: gap of the motion without u; the same runs).
//
// Reference: Bruels, Acary, Cardona (2018); friction after Capobianco, Harsch, Eugster, Leine (2021).

#include "carom/base/errors.h"
#include "carom/schemes/alpha/parameters.h"
#include "carom/schemes/alpha/step.h"

namespace carom::inline schemes {

namespace {

class NonsmoothGeneralizedAlpha final : public SchemeWith<alpha::Work> {
 public:
  explicit NonsmoothGeneralizedAlpha(const Parameters& p) : strategy_(p.word("strategy")) {
    options_.spectral_radius = p.number("spectral_radius");
    options_.levels.joints = strategy_ == "pva"   ? alpha::SmoothRow::acceleration
                             : strategy_ == "pvv" ? alpha::SmoothRow::smooth_velocity
                                                  : alpha::SmoothRow::none;
    options_.levels.contacts = strategy_ == "pva";
    options_.inactive = p.word("inactive") == "total" ? alpha::Inactive::total : alpha::Inactive::relative;
    options_.solution = p.word("solution") == "monolithic" ? alpha::Solution::monolithic : alpha::Solution::sequential;
    options_.tolerance = p.number("newton_tolerance");
  }

  void start(const System& system, double dt, State& state) const override { Scheme::start(system, dt, state); }

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    alpha::Step(system, solver, state, dt, options_, ws, memory_in(ws), result).run();
  }

 private:
  std::string strategy_;
  alpha::Options options_;
};

}  // namespace

extern const SchemeEntry nonsmooth_generalized_alpha_entry;
const SchemeEntry nonsmooth_generalized_alpha_entry{
    .name = "nonsmooth_generalized_alpha",
    .title = "generalized-alpha with impacts: constraints on position, velocity and acceleration level at once",
    .reference = "Bruels, Acary, Cardona 2018",
    .treats = {Feature::contacts, Feature::joints, Feature::friction, Feature::inelastic, Feature::quaternions,
               Feature::variable_inertia, Feature::spin_friction, Feature::rheonomic},
    .promises = {.orders = {2, 2, 1},
                 .position_level = true,
                 .velocity_level = true,
                 .impact_law = true,
                 .implicit_force = true},
    .parameters =
        {{"strategy",
          std::string("pva"),
          "what the smooth motion knows of constraints",
          0,
          0,
          {"pva", "pvv", "unconstrained"}},
         {"inactive", std::string("total"), "which multipliers vanish on open contacts", 0, 0, {"total", "relative"}},
         {"solution",
          std::string("sequential"),
          "the three levels one after the other in an iteration, or all at once (always with friction)",
          0,
          0,
          {"sequential", "monolithic"}},
         alpha::spectral_radius_spec(),
         alpha::newton_tolerance_spec()},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> {
      return std::make_unique<NonsmoothGeneralizedAlpha>(p);
    },
    .treats_with =
        [](const Parameters& p) {
          const FeatureSet all = nonsmooth_generalized_alpha_entry.treats;
          return p.word("strategy") == "pva" ? all : all.without({Feature::friction, Feature::spin_friction});
        },
    // A smooth motion that does not know of the contacts' forces is of first order while they act.
    .orders_with = [](const Parameters& p) -> Orders {
      return {2, p.word("strategy") == "pva" ? 2.0 : 1.0, 1};
    }};

}  // namespace carom::inline schemes
