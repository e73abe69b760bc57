// The event-driven reference against closed forms: events at their times, motion to its tolerances, and what a step
// reports about them.
#include <cmath>
#include <numbers>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/lagrangian_system.h"
#include "carom/model/multibody_scenes.h"
#include "schemes/run_scheme.h"

namespace carom::testing {
namespace {

#define CAROM_NEEDS_EVENT_DRIVEN()                                          \
  if (const auto names = scheme_registry().names();                         \
      std::find(names.begin(), names.end(), "event_driven") == names.end()) \
  GTEST_SKIP() << "this build is without SUNDIALS"

struct Outcome {
  State end;
  std::vector<StepEvent> events;
  double position_error = 0, velocity_error = 0;  // against the exact solution, at step ends
  std::vector<double> times(EventKind kind) const {
    std::vector<double> list;
    for (const StepEvent& event : events)
      if (event.kind == kind && (list.empty() || list.back() != event.t)) list.push_back(event.t);
    return list;
  }
};

Outcome follow(const Model& model, double dt, int steps, const Given& given = {},
               const std::function<void(const StepResult&)>& look = {}) {
  Outcome outcome;
  Vector q, v;
  outcome.end = run(*model.system, model.initial, "event_driven", given, dt, steps, [&](const StepResult& result) {
    outcome.events.insert(outcome.events.end(), result.events.begin(), result.events.end());
    if (model.exact) {
      model.exact(result.next.t, q, v);
      outcome.position_error = std::max(outcome.position_error, (result.next.q - q).norm());
      outcome.velocity_error = std::max(outcome.velocity_error, (result.next.v - v).norm());
    }
    if (look) look(result);
  });
  return outcome;
}

// Height 1 m, acceleration -2 m/s^2, e = 1/2: impacts at 1, 2, 2.5, 2.75 ... s, rest from 3 s on. No step ends at an
// impact.
TEST(EventDriven, BouncingBallThroughItsAccumulationPoint) {
  CAROM_NEEDS_EVENT_DRIVEN();
  const Model model = make_analytic_model("bouncing_ball", {}, {.restitution = 0.5});
  double impulse = 0;
  const Outcome outcome = follow(model, 0.0937, 42, {}, [&](const StepResult& result) {
    if (!result.impulse.empty()) impulse += result.impulse[0];
  });
  EXPECT_LE(outcome.position_error, 1e-10);
  EXPECT_LE(outcome.velocity_error, 1e-10);
  const auto impacts = outcome.times(EventKind::impact);
  ASSERT_GE(impacts.size(), 15u);
  for (std::size_t k = 0; k < impacts.size(); ++k)
    EXPECT_NEAR(impacts[k], k == 0 ? 1.0 : 3.0 - 2.0 * std::pow(0.5, static_cast<double>(k)), 1e-10) << k;
  const auto accumulations = outcome.times(EventKind::accumulation);
  ASSERT_EQ(accumulations.size(), 1u);
  EXPECT_NEAR(accumulations[0], 3.0, 5e-6);  // the last height is below 1e-13 m: 2e-6 s from the end
  EXPECT_LE(std::abs(outcome.end.q[0]), 1e-13);
  EXPECT_EQ(outcome.end.v[0], 0.0);
  // Impacts and forces together have stopped the fall: m v + m a t.
  EXPECT_NEAR(impulse, 2.0 * outcome.end.t, 1e-10);
}

TEST(EventDriven, OneLongStepIsAsGoodAsManyShortOnes) {
  CAROM_NEEDS_EVENT_DRIVEN();
  const Model model = make_analytic_model("bouncing_ball", {}, {.restitution = 0.5});
  EXPECT_LE(follow(model, 3.5, 1).position_error, 1e-12);
  EXPECT_LE(follow(model, 2.3, 1).position_error, 1e-10);
  EXPECT_LE(follow(model, 1.3e-2, 200).position_error, 1e-10);
}

TEST(EventDriven, ImpactOscillator) {
  CAROM_NEEDS_EVENT_DRIVEN();
  const Model model = make_analytic_model("impact_oscillator", {}, {.restitution = 0.5});
  for (const char* method : {"adams", "backward_differences"}) {
    const Outcome outcome = follow(model, 0.0997, 30, {{"unconstrained_method", std::string(method)}});
    EXPECT_LE(outcome.position_error, 1e-10) << method;
    EXPECT_LE(outcome.velocity_error, 1e-9) << method;
    const auto impacts = outcome.times(EventKind::impact);
    ASSERT_EQ(impacts.size(), 6u) << method;
    const double wd = std::sqrt(4.0 * std::numbers::pi * std::numbers::pi - 0.0625);
    for (std::size_t k = 1; k < impacts.size(); ++k)
      EXPECT_NEAR(impacts[k] - impacts[k - 1], std::numbers::pi / wd, 1e-10) << method;
  }
}

// v0 = 2 m/s, mu = 0.3: stops at v0 / (mu g) and stays.
TEST(EventDriven, SlidingMassStopsAndStays) {
  CAROM_NEEDS_EVENT_DRIVEN();
  const Model model = make_analytic_model("sliding_mass", {}, {.friction = 0.3});
  double work = 0;
  const Outcome outcome = follow(model, 0.1, 20, {}, [&](const StepResult& r) {
    if (!r.work.empty()) work += r.work[1];
  });
  EXPECT_LE(outcome.position_error, 1e-11);
  EXPECT_LE(outcome.velocity_error, 1e-11);
  const auto stops = outcome.times(EventKind::stick);
  ASSERT_EQ(stops.size(), 1u);
  EXPECT_NEAR(stops[0], 2.0 / (0.3 * 9.81), 1e-11);
  EXPECT_TRUE(outcome.times(EventKind::slip).empty());
  EXPECT_NEAR(work, -0.5 * 4.0, 1e-10);  // all of its energy, although the stop lies within a step
}

// Uphill on a slope too steep to hold it: it stops and turns round.
TEST(EventDriven, SlidingMassTurnsOnASteepSlope) {
  CAROM_NEEDS_EVENT_DRIVEN();
  const Model model = make_analytic_model("sliding_mass", {{"incline", 0.5}, {"velocity", -2.0}}, {.friction = 0.3});
  const Outcome outcome = follow(model, 0.1, 20);
  EXPECT_LE(outcome.position_error, 1e-10);
  EXPECT_LE(outcome.velocity_error, 1e-10);
  const auto turns = outcome.times(EventKind::slip);
  ASSERT_EQ(turns.size(), 1u);
  EXPECT_NEAR(turns[0], 2.0 / (9.81 * (std::sin(0.5) + 0.3 * std::cos(0.5))), 1e-11);
}

// Against the angle in minimal coordinates, computed independently; positions and velocities keep the guide.
TEST(EventDriven, BilateralSliderCrank) {
  CAROM_NEEDS_EVENT_DRIVEN();
  const Model model = make_analytic_model("slider_crank_bilateral", {}, {});
  Evaluation at;
  ContactSet contacts;
  ActiveSet all;
  for (const int steps : {1, 10, 100}) {
    const Outcome outcome = follow(model, 0.1 / steps, steps, {}, [&](const StepResult& result) {
      const State& s = result.next;
      model.system->detect(s.t, s.q, s.v, 0.0, contacts);
      all.reset(contacts);
      all.add_all();
      model.system->evaluate(s.t, s.q, s.v, Need::gap | Need::jacobian | Need::gap_rate, all, at);
      EXPECT_LE(std::abs(at.g[0]), 2e-15);
      EXPECT_LE(std::abs(at.g_rate[0]), 1e-13);
    });
    EXPECT_NEAR(outcome.end.q[0], 9.1401524169, 2e-10) << steps;
  }
}

// The same motion in a guide without clearance: four corners for two freedoms, and the load changes from one pair to
// the other without an impact.
TEST(EventDriven, RedundantContactsWithoutClearanceAreAGuide) {
  CAROM_NEEDS_EVENT_DRIVEN();
  const Model model = make_analytic_model("slider_crank", {{"clearance", 0.0}}, {.restitution = 0.4});
  const Outcome outcome = follow(model, 1e-3, 100);
  EXPECT_NEAR(outcome.end.q[0], 9.1401524169, 2e-10);
  EXPECT_TRUE(outcome.times(EventKind::impact).empty());
  EXPECT_GE(outcome.times(EventKind::release).size(), 5u);
}

// Of two corners that meet the guide together, at the times half_explicit_velocity tends to for dt -> 0.
TEST(EventDriven, SliderCrankWithFriction) {
  CAROM_NEEDS_EVENT_DRIVEN();
  const Model model = make_analytic_model("slider_crank", {}, {.restitution = 0.4, .friction = 0.01});
  const Outcome outcome = follow(model, 1e-3, 100);
  const auto impacts = outcome.times(EventKind::impact);
  ASSERT_GE(impacts.size(), 20u);
  EXPECT_NEAR(impacts[0], 2.6925e-3, 1e-7);
  EXPECT_NEAR(impacts[1], 5.6124e-3, 1e-7);
  EXPECT_NEAR(impacts[2], 7.4751e-3, 1e-7);
  EXPECT_NEAR(impacts[3], 8.4218e-3, 1e-7);
  const auto accumulations = outcome.times(EventKind::accumulation);
  ASSERT_EQ(accumulations.size(), 4u);
  EXPECT_NEAR(accumulations[0], 9.1456e-3, 1e-6);
  // half_explicit_velocity with dt 1e-7 is 2e-6 away.
  EXPECT_NEAR(outcome.end.q[0], 9.00063787, 3e-6);
  EXPECT_NEAR(outcome.end.q[1], -0.21058968, 3e-6);
  EXPECT_NEAR(outcome.end.q[2], 0.0, 1e-14);
  // Steps only look at the motion.
  EXPECT_LE((follow(model, 1e-2, 10).end.q - outcome.end.q).norm(), 1e-10);
}

// A point on a smooth round hill, pushed off with v0 at the top: it leaves the ground where its weight no longer bends
// its path enough, at the height R (2/3 + v0^2 / (3 gravity R)).
struct RoundHill {
  static constexpr Index n = 2;
  static constexpr std::array<ConstraintFormula, 1> constraints = {{{"hill"}}};
  static constexpr std::array<const char*, n> coordinate_names = {"x", "y"};
  static constexpr std::array<const char*, n> velocity_names = {"vx", "vy"};
  static constexpr bool constant_inertia = true, affine_force = true, constant_jacobian = false, has_tangents = false;
  static constexpr double R = 2.0, mass = 0.7, gravity = 9.81;

  double length_scale() const { return R; }
  struct Kinematics {
    double x, y, r;
  };
  Kinematics kinematics(const double* q, Need) const { return {q[0], q[1], std::hypot(q[0], q[1])}; }
  void inertia(const Kinematics&, double* M) const {
    M[0] = M[3] = mass;
    M[1] = M[2] = 0.0;
  }
  void force(const Kinematics&, const double*, double* h) const {
    h[0] = 0.0;
    h[1] = -mass * gravity;
  }
  void gaps(const Kinematics& k, Index, double* g) const { g[0] = k.r - R; }
  void rows(const Kinematics& k, Index, Index, double* W) const {
    W[0] = k.x / k.r;
    W[1] = k.y / k.r;
  }
  void convective(const Kinematics& k, Index, Index, const double* v, double* zeta) const {
    const double across = (k.x * v[1] - k.y * v[0]) / k.r;
    zeta[0] = across * across / k.r;
  }
  double kinetic_energy(const double*, const double* v) const { return 0.5 * mass * (v[0] * v[0] + v[1] * v[1]); }
  double potential_energy(const double* q) const { return mass * gravity * q[1]; }
};

TEST(EventDriven, ReleaseFromARoundHill) {
  CAROM_NEEDS_EVENT_DRIVEN();
  const double v0 = 1.3;
  Model model;
  model.system = std::make_shared<LagrangianSystem<RoundHill>>(RoundHill{}, ContactParameters{.restitution = 0.5});
  model.initial.q = Vector{{0.0, RoundHill::R}};
  model.initial.v = Vector{{v0, 0.0}};
  const auto releases = follow(model, 0.09, 10).times(EventKind::release);
  ASSERT_EQ(releases.size(), 1u);
  const State leaving = follow(model, releases[0], 1).end;
  const double height = 2.0 / 3.0 * RoundHill::R + v0 * v0 / (3.0 * RoundHill::gravity);
  EXPECT_NEAR(leaving.q[1], height, 1e-9);
  EXPECT_NEAR(leaving.v.squaredNorm(), v0 * v0 + 2.0 * RoundHill::gravity * (RoundHill::R - height), 1e-9);
  // Beyond it, free fall.
  const double fall = 0.03;
  const State later = follow(model, releases[0] + fall, 1).end;
  EXPECT_NEAR(later.v[0], leaving.v[0], 1e-9);
  EXPECT_NEAR(later.v[1], leaving.v[1] - RoundHill::gravity * fall, 1e-9);
}

// Its corners take turns, ever faster.
TEST(EventDriven, RockingBlockComesToRest) {
  CAROM_NEEDS_EVENT_DRIVEN();
  const Model model = make_analytic_model("rocking_block", {}, {.restitution = 0.4, .friction = 0.3});
  const Outcome outcome = follow(model, 1e-2, 100);
  EXPECT_GE(outcome.times(EventKind::accumulation).size(), 1u);
  EXPECT_LE(outcome.end.v.norm(), 1e-12);
}

// Its modes know one or two tangential rows.
TEST(EventDriven, RefusesFrictionThatMeetsSpin) {
  CAROM_NEEDS_EVENT_DRIVEN();
  for (const SpinReservoir reservoir : {SpinReservoir::ellipsoid, SpinReservoir::exact}) {
    const Model top =
        make_analytic_model("tippe_top", {}, {.friction = 0.3, .spin_radius = 2.945e-4, .spin_reservoir = reservoir});
    const auto why = refusal(scheme_registry().find("event_driven"), *top.system);
    ASSERT_TRUE(why);
    EXPECT_NE(why->find("spin_radius"), std::string::npos);
    EXPECT_NE(why->find("moreau_midpoint"), std::string::npos);
    EXPECT_EQ(why->find("nonsmooth_generalized_alpha") == std::string::npos, reservoir == SpinReservoir::exact);
  }
  const Model plain = make_analytic_model("tippe_top", {}, {.friction = 0.3});
  EXPECT_FALSE(refusal(scheme_registry().find("event_driven"), *plain.system));
}

TEST(EventDriven, SaysWhatIsMissingInABuildWithoutIt) {
  const auto names = scheme_registry().names();
  if (std::find(names.begin(), names.end(), "event_driven") != names.end()) GTEST_SKIP() << "this build has SUNDIALS";
  try {
    make_scheme("event-driven");
    FAIL() << "found";
  } catch (const InputError& error) {
    EXPECT_NE(error.problems()[0].hint.find("libsundials-dev"), std::string::npos);
  }
}

// Four rows a contact: sliding has no single direction in a plane.
TEST(EventDriven, RefusesSpinFriction) {
  CAROM_NEEDS_EVENT_DRIVEN();
  Multibody scene = spheres_in_box({1, 1, 1}, {.friction = 0.3, .spin_radius = 1e-3});
  const Model model = scene.build();
  EXPECT_TRUE(refusal(scheme_registry().find("event_driven"), *model.system));
}

}  // namespace
}  // namespace carom::testing
