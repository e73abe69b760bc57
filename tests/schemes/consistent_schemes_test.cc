// The energy-consistent schemes on the examples they were published with, against closed forms and an independent
// implementation; energy, joints on the levels declared, closed gaps that do not shrink, order in smooth motion.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "carom/schemes/scheme.h"

namespace carom {
namespace {

struct Extremes {
  double deviation = 0.0, rise = 0.0;        // of the energy
  double joint_gap = 0.0, joint_rate = 0.0;  // largest |g|, |gamma| of joints
  double sinking = 0.0;                      // largest shrinking of a closed gap in a step
  double unbooked = 0.0;                     // largest change of the energy less the work of constraints in a step
  State end;
};

using Words = std::map<std::string, ParameterValue>;

Extremes run(const Model& model, const std::string& scheme_name, double dt, double t_end, const Words& words = {}) {
  const auto scheme = make_scheme(scheme_name, words);
  const auto solver = make_solver("automatic");
  const System& system = *model.system;
  const Energetics& energetics = *system.energetics();
  const auto energy = [&](const State& s) {
    return energetics.kinetic_energy(s.t, s.q, s.v) + energetics.potential_energy(s.t, s.q);
  };
  EXPECT_FALSE(refusal(scheme_registry().find(scheme_name), system)) << scheme_name;
  Extremes x;
  State state = model.initial;
  scheme->start(system, dt, state);
  StepWorkspace workspace;
  StepResult result;
  ContactSet contacts;
  system.detect(0.0, state.q, state.v, dt, contacts);
  ActiveSet all;
  all.reset(contacts);
  all.add_all();
  Evaluation before, after;
  const double start = energy(state);
  for (long k = std::lround(t_end / dt); k > 0; --k) {
    scheme->step(system, *solver, state, dt, workspace, result);
    EXPECT_EQ(result.status, StepStatus::ok) << scheme_name << " at " << state.t;
    if (result.status != StepStatus::ok) break;
    system.evaluate(state.t, state.q, state.v, Need::gap, all, before);
    system.evaluate(result.next.t, result.next.q, result.next.v, Need::gap | Need::gap_rate, all, after);
    Index row = 0;
    for (Index i = 0; i < all.size(); ++i) {
      for (Index r = 0; r < all.constraint(i).position_rows; ++r) {
        if (all.constraint(i).bilateral) {
          x.joint_gap = std::max(x.joint_gap, std::abs(after.g[row + r]));
          x.joint_rate = std::max(x.joint_rate, std::abs(after.g_rate[row + r]));
        } else if (before.g[row] <= 0.0) {
          x.sinking = std::max(x.sinking, before.g[row] - after.g[row]);
        }
      }
      row += all.constraint(i).law->dim();
    }
    double change = energy(result.next) - energy(state);
    for (const double work : result.work) change -= work;
    x.unbooked = std::max(x.unbooked, std::abs(change));
    x.rise = std::max(x.rise, energy(result.next) - energy(state));
    x.deviation = std::max(x.deviation, std::abs(energy(result.next) - start));
    std::swap(state, result.next);
  }
  x.end = state;
  return x;
}

Model pendulum() { return make_analytic_model("double_pendulum", {}, {.restitution = 1.0}); }

TEST(Consistent, DoublePendulumKeepsEnergyAndBothLevelsThroughImpacts) {
  for (const char* scheme :
       {"consistent_two_step", "consistent_elastic", "consistent_constant_mass", "consistent_decomposed"}) {
    SCOPED_TRACE(scheme);
    const Extremes x = run(pendulum(), scheme, 0.01, 10.0);
    EXPECT_LE(x.deviation, 1e-13 * 3.125);
    EXPECT_LE(x.unbooked, 1e-13);
    EXPECT_LE(x.joint_gap, 1e-13);
    EXPECT_LE(x.joint_rate, 1e-13);
    EXPECT_LE(x.sinking, 1e-13);
  }
}

TEST(Consistent, DisplacementLevelAloneLetsVelocitiesFlip) {
  const Extremes x = run(pendulum(), "consistent_displacement", 0.01, 10.0);
  EXPECT_LE(x.deviation, 1e-12);
  EXPECT_LE(x.joint_gap, 1e-13);
  EXPECT_GT(x.joint_rate, 0.05);
}

TEST(Consistent, DoublePendulumAgreesWithAnIndependentImplementation) {
  const State end = run(pendulum(), "consistent_two_step", 0.01, 1.0).end;
  EXPECT_NEAR(std::atan2(end.q[0], end.q[1]), 0.36024, 1e-5);
  EXPECT_NEAR(std::atan2(end.q[2] - end.q[0], end.q[3] - end.q[1]), 0.82628, 1e-5);
}

TEST(Consistent, VariableMassKeepsEnergyAndIsOfFirstOrder) {
  const Model model = make_analytic_model("double_pendulum_minimal", {}, {.restitution = 1.0});
  std::vector<double> errors;
  const Vector fine = run(model, "consistent_variable_mass", 2.5e-4, 0.5).end.q;
  for (const double dt : {0.01, 0.005}) {
    const Extremes x = run(model, "consistent_variable_mass", dt, 0.5);
    EXPECT_LE(x.deviation, 1e-13 * 3.125);
    errors.push_back((x.end.q - fine).norm());
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 1.0, 0.15);
}

TEST(Consistent, OscillatorNeverGainsEnergyAtAnyStep) {
  for (const double dt : {1e-2, 1e-3, 1e-4}) {
    const Extremes x = run(make_analytic_model("two_mass_oscillator", {}, {}), "consistent_two_step", dt, 0.3);
    EXPECT_LE(x.rise, 1e-13) << dt;
  }
  const State end = run(make_analytic_model("two_mass_oscillator", {}, {}), "consistent_two_step", 1e-3, 0.2).end;
  EXPECT_NEAR(end.q[0], 0.1083461, 1e-7);  // an independent implementation
}

TEST(Consistent, WheelKeepsItsEnergyWithElasticStopsAndLosesItWithPlasticOnes) {
  for (const double e : {0.0, 1.0}) {
    const Extremes x =
        run(make_analytic_model("overbalanced_wheel", {}, {.restitution = e}), "consistent_two_step", 1e-3, 1.5);
    EXPECT_LE(x.rise, 1e-13) << e;
    EXPECT_LE(x.unbooked, 1e-13) << e;
    if (e == 1.0) {
      EXPECT_LE(x.deviation, 1e-12);
    }
    EXPECT_LE(x.joint_gap, 1e-13);
    EXPECT_LE(x.joint_rate, 1e-12);
    EXPECT_LE(x.sinking, 1e-13);
  }
}

// Contacts projected once in every pass come to the same step as contacts solved in every pass.
TEST(Consistent, SimultaneousPassesFindTheNestedStep) {
  const Model wheel = make_analytic_model("overbalanced_wheel", {}, {});
  const Extremes nested = run(wheel, "consistent_two_step", 1e-3, 0.1);
  const Extremes simultaneous =
      run(wheel, "consistent_two_step", 1e-3, 0.1, {{"nonlinear", std::string("simultaneous")}});
  EXPECT_LE((nested.end.q - simultaneous.end.q).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_LE((nested.end.v - simultaneous.end.v).lpNorm<Eigen::Infinity>(), 1e-7);
  EXPECT_LE(simultaneous.rise, 1e-12);
}

// Normals of the step's start keep the energy from rising too, but let closed gaps drift where they turn.
TEST(Consistent, NormalsOfTheStartLetClosedGapsDrift) {
  const Model top = make_analytic_model("tippe_top", {}, {.friction = 0.3, .spin_radius = 2.945e-4});
  const Extremes x = run(top, "consistent_quaternion_two_step", 1e-3, 0.5, {{"direction", std::string("start")}});
  EXPECT_LE(x.rise, 1e-17);
  EXPECT_GT(x.sinking, 1e-10);
}

// A body about its middle axis, in all formulations: the exact angular velocity after 1 s by an independent
// integration; second order, energy exact.
TEST(Consistent, FreeBodyInEveryFormulation) {
  const Vector3 exact(0.272852, 4.002915, -0.166008);
  struct Case {
    const char *formulation, *scheme;
    double order;
    Words words;
  };
  for (const Case& c :
       {Case{"quaternion", "consistent_quaternion_two_step", 2, {}},
        Case{"quaternion", "consistent_quaternion_one_step", 2, {}}, Case{"scalable", "consistent_decomposed", 2, {}},
        Case{"scalable", "consistent_two_step", 2, {}},
        Case{"scalable", "consistent_decomposed", 1, {{"inertia_at", std::string("start")}}},
        Case{"affine", "consistent_constant_mass", 2, {}}}) {
    SCOPED_TRACE(std::string(c.formulation) + " " + c.scheme);
    const Model model = make_analytic_model("free_body", {{"formulation", std::string(c.formulation)}}, {});
    std::vector<double> errors;
    for (const double dt : {0.02, 0.01}) {
      const Extremes x = run(model, c.scheme, dt, 1.0, c.words);
      EXPECT_LE(x.deviation, 1e-12);
      EXPECT_LE(x.joint_gap, 1e-13);
      EXPECT_LE(x.joint_rate, 1e-13);
      const Vector &q = x.end.q, &v = x.end.v;
      const auto across = [&](Index a, Index b) { return q.segment<3>(3 + 3 * a).dot(v.segment<3>(3 + 3 * b)); };
      const Vector3 spin =
          model.system->nv() == 12 ? Vector3(across(2, 1), across(0, 2), across(1, 0)) : Vector3(v.tail<3>());
      errors.push_back((spin - exact).norm());
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), c.order, 0.2);
  }
}

TEST(Consistent, TippeTopTurnsOverWithoutEnergyOrDrift) {
  const Model model = make_analytic_model("tippe_top", {}, {.friction = 0.3, .spin_radius = 2.945e-4});
  const Extremes x = run(model, "consistent_quaternion_two_step", 1e-3, 2.0);
  EXPECT_LE(x.rise, 1e-17);
  EXPECT_LE(x.unbooked, 1e-16);
  EXPECT_LE(x.sinking, 1e-14);
  const Vector p = x.end.q.tail<4>();
  EXPECT_NEAR(p.norm(), 1.0, 1e-13);
  EXPECT_GT(std::acos(p[0] * p[0] + p[3] * p[3] - p[1] * p[1] - p[2] * p[2]), 2.9);  // on its handle
}

// In one step a resting contact with e < 1 sinks at delta g dt/2; with e = 1 it does not.
TEST(Consistent, OneStepSchemeSinksAsDerived) {
  const Words at_rest = {{"height", 0.0}};
  for (const double e : {0.0, 0.5, 1.0}) {
    const Model model = make_analytic_model("bouncing_ball", at_rest, {.restitution = e});
    const double dt = 1e-3, g = 2.0, delta = (1.0 - e) / (1.0 + e);
    const State end = run(model, "consistent_quaternion_one_step", dt, 1.0).end;
    EXPECT_NEAR(end.v[0], -0.5 * delta * g * dt, 1e-2 * g * dt) << e;
  }
}

TEST(Consistent, SchemesRefuseWhatTheyCannotTreat) {
  const auto refuses = [](const char* scheme, const Model& model) {
    return refusal(scheme_registry().find(scheme), *model.system).has_value();
  };
  EXPECT_TRUE(refuses("consistent_two_step", make_analytic_model("slider_crank", {}, {})));  // M(q)
  EXPECT_TRUE(refuses("consistent_elastic", make_analytic_model("double_pendulum", {}, {.restitution = 0.5})));
  EXPECT_TRUE(refuses("consistent_quaternion_two_step", pendulum()));                                    // joints
  EXPECT_TRUE(refuses("consistent_two_step", make_analytic_model("tippe_top", {}, {.friction = 0.3})));  // quaternions
  EXPECT_FALSE(refuses("consistent_variable_mass", make_analytic_model("slider_crank", {}, {.restitution = 1.0})));
}

}  // namespace
}  // namespace carom
