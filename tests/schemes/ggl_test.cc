// The Gear-Gupta-Leimkuhler schemes: their equations against finite differences, what they keep on which level,
// redundant contacts, friction, and stiff forces with contact.
#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/multibody.h"
#include "carom/schemes/ggl/ggl_equations.h"
#include "carom/schemes/step_contacts.h"
#include "schemes/elastic_pendulum.h"
#include "schemes/run_scheme.h"
#include "schemes/spring_chain.h"

namespace carom::testing {
namespace {

double energy(const System& system, const State& state) {
  const Energetics& e = *system.energetics();
  return e.kinetic_energy(state.t, state.q, state.v) + e.potential_energy(state.t, state.q);
}

// Gaps of all constraints, by constraint.
std::vector<double> gaps(const System& system, const State& state) {
  ContactSet contacts;
  ActiveSet all;
  Evaluation evaluation;
  system.detect(state.t, state.q, state.v, 0.0, contacts);
  all.reset(contacts);
  all.add_all();
  system.evaluate(state.t, state.q, state.v, Need::gap, all, evaluation);
  std::vector<double> out;
  Index row = 0;
  for (Index k = 0; k < all.size(); ++k) {
    out.push_back(evaluation.g[row]);
    row += all.constraint(k).law->dim();
  }
  return out;
}

// ---------------------------------------------------------------------------------------------------
// The Newton matrix.

struct Residual {
  Vector phi1, phi2, xi, g;
  double difference(const Residual& o) const {
    const auto relative = [](const Vector& a, const Vector& b) {
      return (a - b).norm() / (1e-300 + std::max(a.norm(), b.norm()));
    };
    return std::max({relative(phi1, o.phi1), relative(phi2, o.phi2), relative(xi, o.xi), relative(g, o.g)});
  }
};

Residual residual_of(const GglEquations& e) { return {e.phi1, e.phi2, e.xi.vec(), e.g.vec()}; }

// The derivative along (dd, dv, dLambda, dPsi) from the matrices, as the table in ggl_equations.h has them.
Residual derivative(const GglEquations& e, double dt, const Vector& dd, const Vector& dv, const Vector& dLambda,
                    const Vector& dPsi) {
  const Index n = e.nv(), rows_v = e.velocity_rows(), rows_p = e.position_rows();
  Residual r{dd - 0.5 * dt * dv, Vector::Zero(n), Vector::Zero(rows_v), Vector::Zero(rows_p)};
  Vector shift = Vector::Zero(n);
  e.W_p.multiply_add(dPsi.data(), shift.data());
  if (!e.B_Psi.empty()) shift += ConstMatrixMap(e.B_Psi.data(), n, n) * dd;
  e.N().solve(shift.data());
  r.phi1 -= shift;
  e.M().multiply_add(1.0, dv.data(), r.phi2.data());
  e.mid.dh_dv.multiply_add(-0.5 * dt, dv.data(), r.phi2.data());
  e.mid.dh_dq.multiply_add(-0.5 * dt, dd.data(), r.phi2.data());
  if (!e.B_Lambda.empty()) r.phi2 -= ConstMatrixMap(e.B_Lambda.data(), n, n) * dd;
  Vector force = Vector::Zero(n);
  e.mid.W.multiply_add(dLambda.data(), force.data());
  r.phi2 -= force;
  e.Wc().transpose_multiply(dv.data(), r.xi.data());
  if (!e.C.empty()) r.xi += ConstMatrixMap(e.C.data(), rows_v, n) * dd;
  e.Pc().transpose_multiply(dd.data(), r.g.data());
  if (!e.P.empty()) r.g += ConstMatrixMap(e.P.data(), rows_p, n) * dd;
  return r;
}

struct Variant {
  bool exact;
  PositionProjection::Metric metric;
  double friction;
};

class GglJacobian : public ::testing::TestWithParam<Variant> {};

TEST_P(GglJacobian, AgreesWithDifferencesOfTheResidual) {
  const Variant variant = GetParam();
  const Model model =
      make_analytic_model("slider_crank", {{"clearance", 1e-4}}, {.restitution = 0.4, .friction = variant.friction});
  State state = model.initial;
  state.q << 0.7, -0.31, 0.02;
  state.v << 140.0, -60.0, 12.0;
  const double dt = 1e-3;
  const auto solver = make_solver("automatic");
  StepWorkspace ws;
  StepResult result;
  MidpointMemory memory;
  const MidpointStep midpoint{*model.system, *solver, state, dt, ws, memory, result};
  ASSERT_TRUE(midpoint.move_freely());
  midpoint.activate(1e9);  // everybody
  ASSERT_EQ(ws.active.size(), 4);

  GglEquations equations;
  const PositionProjection projection(variant.metric, 1e-12);
  IterationMatrix identity;
  equations.begin({.exact = variant.exact}, midpoint, projection.metric_matrix(memory.M_factor, identity));
  const Index rows_v = equations.velocity_rows(), rows_p = equations.position_rows();
  ASSERT_EQ(rows_v, variant.friction > 0 ? 8 : 4);
  ASSERT_EQ(rows_p, 4);
  // Multipliers large enough for every entry to show.
  Vector d(3), v(3), Lambda(rows_v), Psi(rows_p);
  d << 0.13, -0.07, 0.02;
  v << 120.0, -70.0, 30.0;
  for (Index i = 0; i < rows_v; ++i) Lambda[i] = 0.02 + 0.013 * i;
  for (Index i = 0; i < rows_p; ++i) Psi[i] = 1e-5 * (1.0 + 0.7 * i);
  const auto unknowns = [&](double s, const Vector& dd, const Vector& dv, const Vector& dL, const Vector& dP) {
    GglUnknowns x;
    x.d = d + s * dd;
    x.v = v + s * dv;
    x.Lambda.resize(rows_v);
    x.Psi.resize(rows_p);
    x.Lambda.vec() = Lambda + s * dL;
    x.Psi.vec() = Psi + s * dP;
    return x;
  };
  const Vector zero_n = Vector::Zero(3), zero_v = Vector::Zero(rows_v), zero_p = Vector::Zero(rows_p);
  const GglUnknowns at = unknowns(0.0, zero_n, zero_n, zero_v, zero_p);
  const auto compare = [&](const Vector& dd, const Vector& dv, const Vector& dL, const Vector& dP) {
    const double s = 1e-5;
    equations.evaluate(unknowns(s, dd, dv, dL, dP), false);
    const Residual plus = residual_of(equations);
    equations.evaluate(unknowns(-s, dd, dv, dL, dP), false);
    const Residual minus = residual_of(equations);
    equations.evaluate(at, false);
    equations.linearise(at);
    const Residual exact = derivative(equations, dt, dd, dv, dL, dP);
    const Residual differenced{(plus.phi1 - minus.phi1) / (2 * s), (plus.phi2 - minus.phi2) / (2 * s),
                               (plus.xi - minus.xi) / (2 * s), (plus.g - minus.g) / (2 * s)};
    EXPECT_LE(exact.difference(differenced), 2e-8);
  };
  for (Index i = 0; i < 3; ++i) {
    SCOPED_TRACE(fmt::format("displacement {}", i));
    compare(Vector::Unit(3, i), zero_n, zero_v, zero_p);
  }
  for (Index i = 0; i < 3; ++i) {
    SCOPED_TRACE(fmt::format("velocity {}", i));
    compare(Vector::Unit(3, i) * 1e-3, Vector::Unit(3, i) * 1e2, zero_v, zero_p);
  }
  compare(Vector::Unit(3, 0), zero_n, Vector::Ones(rows_v), zero_p);
  compare(Vector::Unit(3, 1), zero_n, zero_v, 1e-3 * Vector::Ones(rows_p));
}

constexpr auto kinetic = PositionProjection::Metric::kinetic;
constexpr auto euclidean = PositionProjection::Metric::euclidean;
INSTANTIATE_TEST_SUITE_P(Variants, GglJacobian,
                         ::testing::Values(Variant{true, kinetic, 0.3}, Variant{true, euclidean, 0.0},
                                           Variant{false, kinetic, 0.0}, Variant{false, euclidean, 0.3}));

// ---------------------------------------------------------------------------------------------------
// Joints on five levels, dt = 1e-4 s: y is the height of the slider.

std::vector<double> heights(const char* level, const std::vector<double>& times) {
  const Model model = make_analytic_model("slider_crank_bilateral", {}, {});
  std::vector<double> out(times.size()), largest(1, 0.0);
  run(*model.system, model.initial, "midpoint_constraint_level",
      {{"level", std::string(level)}, {"position_tolerance", 1e-14}}, 1e-4,
      static_cast<int>(std::lround(times.back() / 1e-4)), [&](const StepResult& result) {
        const double y = gaps(*model.system, result.next)[0];
        largest[0] = std::max(largest[0], std::abs(y));
        for (std::size_t i = 0; i < times.size(); ++i)
          if (std::abs(result.next.t - times[i]) < 0.5e-4) out[i] = y;
      });
  out.push_back(largest[0]);
  return out;
}

TEST(MidpointConstraintLevel, PositionsStayOnPositionLevel) {
  EXPECT_LE(heights("position", {0.5}).back(), 3e-15);
  EXPECT_LE(heights("position_velocity", {0.5}).back(), 3e-15);
}

// 1.7e-6, 3.7e-6 and 6.4e-6 m at 0.1, 0.5 and 1 s: linear, about 5e-6 m/s.
TEST(MidpointConstraintLevel, VelocitiesAtTheEndDriftLinearly) {
  const std::vector<double> y = heights("velocity_end", {0.1, 0.5, 1.0});
  EXPECT_NEAR(std::abs(y[0]), 1.7e-6, 0.1e-6);
  EXPECT_NEAR(std::abs(y[1]), 3.7e-6, 0.1e-6);
  EXPECT_NEAR(std::abs(y[2]), 6.4e-6, 0.1e-6);
}

TEST(MidpointConstraintLevel, VelocitiesInTheMiddleOscillate) {
  const std::vector<double> y = heights("velocity_mid", {1.0});
  EXPECT_GT(y.back(), 1e-4);
  EXPECT_LE(y.back(), 1.5e-3);
}

// -4.3e-3, -2.0e-2, -1.2e-1 m at 0.1, 0.2, 0.5 s.
TEST(MidpointConstraintLevel, AccelerationsDriftQuadratically) {
  const std::vector<double> y = heights("acceleration", {0.1, 0.2, 0.5});
  EXPECT_NEAR(y[0], -4.3e-3, 0.1e-3);
  EXPECT_NEAR(y[1], -2.0e-2, 0.05e-2);
  EXPECT_NEAR(y[2], -1.2e-1, 0.05e-1);
}

TEST(MidpointConstraintLevel, RefusesContacts) {
  const Model loose = make_analytic_model("slider_crank", {}, {});
  const Model ideal = make_analytic_model("slider_crank_bilateral", {}, {});
  const SchemeEntry& entry = scheme_registry().find("midpoint_constraint_level");
  const auto why = refusal(entry, *loose.system);
  ASSERT_TRUE(why);
  EXPECT_NE(why->find("does not treat contacts; schemes that can: moreau_midpoint"), std::string::npos) << *why;
  EXPECT_FALSE(refusal(entry, *ideal.system));
}

// ---------------------------------------------------------------------------------------------------
// Drift in persistent contact: how far the gap moves while a contact pushes for longer than 2 ms (an
// interruption by one step does not count), T = 0.2 s, frictionless.

double drift(const char* scheme, const Given& given, double restitution, double dt) {
  const Model model = make_analytic_model("slider_crank", {}, {.restitution = restitution});
  struct Phase {
    int steps = 0, open = 0;
    double low = 0, high = 0;
  };
  std::array<Phase, 4> phases;
  double worst = 0;
  run(*model.system, model.initial, scheme, given, dt, static_cast<int>(std::lround(0.2 / dt)),
      [&](const StepResult& result) {
        std::array<bool, 4> pushing{};
        for (const StepContact& contact : result.contacts)
          pushing[contact.constraint.id.pair - 1] = result.impulse[contact.row] > 0.0;
        const std::vector<double> g = gaps(*model.system, result.next);
        for (std::size_t k = 0; k < 4; ++k) {
          Phase& phase = phases[k];
          if (!pushing[k]) {
            if (++phase.open > 1) phase = {};
            continue;
          }
          if (phase.steps == 0) phase.low = phase.high = g[k];
          phase.steps += 1 + phase.open;
          phase.open = 0;
          phase.low = std::min(phase.low, g[k]);
          phase.high = std::max(phase.high, g[k]);
          if (phase.steps * dt > 2e-3) worst = std::max(worst, phase.high - phase.low);
        }
      });
  return worst;
}

TEST(GglDrift, MoreauDriftsWithTheStepAndTheUnifiedSchemeDoesNot) {
  struct Row {
    double e, dt, moreau, linearised, exact;
  };
  for (const Row& row : {Row{0.1, 1e-4, 5.0e-4, 3e-7, 1.7e-6}, Row{0.4, 1e-4, 1.4e-4, 3e-7, 1.7e-6},
                         Row{0.1, 1e-5, 4.1e-5, 1.4e-9, 1.7e-8}, Row{0.4, 1e-5, 8.8e-6, 1.4e-9, 1.7e-8}}) {
    SCOPED_TRACE(fmt::format("e {} dt {}", row.e, row.dt));
    const double moreau = drift("moreau_midpoint", {}, row.e, row.dt);
    EXPECT_GE(moreau, 0.7 * row.moreau);
    EXPECT_LE(moreau, 1.1 * row.moreau);
    EXPECT_LE(drift("ggl_unified", {}, row.e, row.dt), row.exact);
    EXPECT_LE(drift("ggl_unified", {{"gap_evaluation", std::string("linearised")}}, row.e, row.dt), row.linearised);
  }
}

// Without the position constraint the unified scheme's gap drifts too, over a joint and an ideal guide.
TEST(GglUnified, KeepsAnEqualityOnBothLevels) {
  const Model model = make_analytic_model("slider_crank_bilateral", {}, {});
  double largest = 0, largest_without = 0, rate = 0;
  run(*model.system, model.initial, "ggl_unified", {}, 1e-4, 2000, [&](const StepResult& r) {
    largest = std::max(largest, std::abs(gaps(*model.system, r.next)[0]));
    Evaluation evaluation;
    ContactSet contacts;
    ActiveSet all;
    model.system->detect(0, r.next.q, r.next.v, 0, contacts);
    all.reset(contacts);
    all.add_all();
    model.system->evaluate(0, r.next.q, r.next.v, Need::jacobian, all, evaluation);
    Buffer gamma;
    local_velocity(evaluation, r.next.v, gamma);
    rate = std::max(rate, std::abs(gamma[0]));
  });
  run(*model.system, model.initial, "ggl_unified", {{"position_constraint", false}}, 1e-4, 2000,
      [&](const StepResult& r) {
        largest_without = std::max(largest_without, std::abs(gaps(*model.system, r.next)[0]));
      });
  EXPECT_LE(largest, 1.6e-13);  // 1e-12 of the crank
  EXPECT_LE(rate, 3e-9);        // 1e-10 of the crank pin's 23 m/s
  EXPECT_GT(largest_without, 1e-7);
}

// Energy of the ideal guide over 2 s at 1e-4 s: the implicit midpoint rule keeps it, the rule with explicit
// velocity in h loses more than half.
TEST(GglUnified, KeepsTheEnergyOfTheIdealGuide) {
  const Model model = make_analytic_model("slider_crank_bilateral", {}, {});
  const double start = energy(*model.system, model.initial);
  EXPECT_NEAR(start, 7.49554875, 1e-8);
  const State implicit_end = run(*model.system, model.initial, "ggl_unified", {}, 1e-4, 20000);
  EXPECT_NEAR(energy(*model.system, implicit_end), start, 2e-3);
  const State explicit_end = run(*model.system, model.initial, "moreau_midpoint", {}, 1e-4, 20000);
  EXPECT_NEAR(energy(*model.system, explicit_end), 0.46 * start, 0.02 * start);
}

// ---------------------------------------------------------------------------------------------------
// Redundant contacts: without clearance four dependent contacts are closed all the time.

TEST(GglUnified, RedundantContactsNeverFail) {
  for (const double mu : {0.0, 0.01, 0.3})
    for (const double e : {0.0, 0.4})
      for (const double dt : {1e-3, 1e-4, 1e-5}) {
        SCOPED_TRACE(fmt::format("mu {} e {} dt {}", mu, e, dt));
        const Model model =
            make_analytic_model("slider_crank", {{"clearance", 0.0}}, {.restitution = e, .friction = mu});
        int most = 0;
        double angle = 0;
        const State end = run(*model.system, model.initial, "ggl_unified", {}, dt,
                              static_cast<int>(std::lround(0.02 / dt)), [&](const StepResult& r) {
                                most = std::max(most, r.newton_iterations);
                                angle = std::max(angle, std::abs(r.next.q[2]));
                              });
        EXPECT_LE(most, 24);      // of all passes; steps that are solved once more without curvature count twice
        EXPECT_LE(angle, 1e-12);  // minimum-norm steps keep what is symmetric
        if (mu > 0 || dt > 1e-4) continue;
        // The ideal guide.
        const Model ideal = make_analytic_model("slider_crank_bilateral", {}, {});
        const State other =
            run(*ideal.system, ideal.initial, "ggl_unified", {}, dt, static_cast<int>(std::lround(0.02 / dt)));
        EXPECT_NEAR(end.q[0], other.q[0], 2e4 * dt * dt);
      }
}

// The start is tilted: the motion is wild, every step is solved.
TEST(GglUnified, ATiltedSliderNeverFails) {
  for (const double mu : {0.0, 0.01, 0.3})
    for (const double dt : {1e-3, 1e-4, 1e-5}) {
      const Model model =
          make_analytic_model("slider_crank", {{"slider_angle", 1e-3}}, {.restitution = 0.4, .friction = mu});
      int most = 0;
      run(*model.system, model.initial, "ggl_unified", {}, dt, static_cast<int>(std::lround(0.05 / dt)),
          [&](const StepResult& r) { most = std::max(most, r.newton_iterations); });
      EXPECT_LE(most, 30) << "mu " << mu << " dt " << dt;  // of all passes
    }
}

// ---------------------------------------------------------------------------------------------------
// Friction, against an independent scheme: they meet with first order.

TEST(GglUnified, FrictionAgreesWithTheHalfExplicitScheme) {
  const Model model = make_analytic_model("slider_crank", {}, {.restitution = 0.4, .friction = 0.1});
  const State reference = run(*model.system, model.initial, "half_explicit_velocity", {}, 1e-6, 50000);
  double previous = INFINITY;
  for (const double dt : {1e-4, 2e-5, 4e-6}) {
    const State end =
        run(*model.system, model.initial, "ggl_unified", {}, dt, static_cast<int>(std::lround(0.05 / dt)));
    const double error = (end.q - reference.q).norm();
    EXPECT_LE(error, 30.0 * dt) << dt;
    EXPECT_LT(error, previous) << dt;
    previous = error;
  }
}

// E_1 - E_0 = work of the contacts at mean velocities + what the position correction brings: the rest falls
// with the step, and so, with its square, do the rises of single steps. Friction takes energy out.
TEST(GglUnified, TheEnergyBalanceClosesWithTheStep) {
  for (const double mu : {0.01, 0.3})
    for (const double dt : {1e-4, 1e-5}) {
      SCOPED_TRACE(fmt::format("mu {} dt {}", mu, dt));
      const Model model = make_analytic_model("slider_crank", {}, {.restitution = 0.4, .friction = mu});
      const double start = energy(*model.system, model.initial);
      double normal = 0, tangential = 0, last = start, rises = 0;
      run(*model.system, model.initial, "ggl_unified", {}, dt, static_cast<int>(std::lround(0.1 / dt)),
          [&](const StepResult& r) {
            for (Index i = 0; i < r.impulse.size(); ++i)
              (i % 2 == 0 ? normal : tangential) += 0.5 * r.impulse[i] * (r.gamma_minus[i] + r.gamma_plus[i]);
            const double now = energy(*model.system, r.next);
            rises += std::max(0.0, now - last);
            last = now;
          });
      EXPECT_LT(normal, -0.1);
      EXPECT_LT(tangential, -5.0 * mu);
      EXPECT_LE(std::abs(last - start - normal - tangential), 50.0 * dt);
      EXPECT_LE(rises, 1.5e5 * dt * dt);
    }
}

// Without damping the energy of a linear oscillator changes only in steps with an impulse.
TEST(GglUnified, KeepsTheEnergyOfALinearSystemBetweenImpacts) {
  const Model model = make_analytic_model("impact_oscillator", {{"damping", 0.0}}, {.restitution = 0.8});
  double last = energy(*model.system, model.initial);
  const double scale = std::abs(last);
  int impacts = 0;
  run(*model.system, model.initial, "ggl_unified", {}, 1e-2, 2000, [&](const StepResult& r) {
    const double now = energy(*model.system, r.next);
    const bool impact = !r.impulse.empty() && r.impulse[0] > 0.0;
    impacts += impact;
    if (!impact) {
      EXPECT_NEAR(now, last, 1e-13 * scale);
    }
    last = now;
  });
  EXPECT_GE(impacts, 3);
}

// ---------------------------------------------------------------------------------------------------
// Contacts found by touching: exact bounces, rest, no penetration; and what the published forecast does instead.

const Given forecast = {{"activation", std::string("forecast")}};

Model ball(double height, double e) {
  return make_analytic_model("bouncing_ball", {{"height", height}, {"force", -9.81}}, {.restitution = e});
}

class GglTouch : public ::testing::TestWithParam<const char*> {};

// Every bounce leaves e^2 of the energy, whatever the step: the velocity of the impact law is that of the touch.
TEST_P(GglTouch, BouncesLoseWhatAnImpactLoses) {
  for (const double e : {0.5, 0.8, 1.0})
    for (const double dt : {1.3e-3, 7.1e-3, 2.3e-2}) {
      SCOPED_TRACE(fmt::format("e {} dt {}", e, dt));
      const Model model = ball(1.0, e);
      double expected = 9.81;
      int bounces = 0;
      run(*model.system, model.initial, GetParam(), {}, dt, static_cast<int>(2.0 / dt), [&](const StepResult& r) {
        if (!r.impulse.empty() && r.impulse[0] > 0.0) {
          expected *= e * e;
          ++bounces;
        }
        if (expected > 0.5 * 9.81 * 9.81 * dt * dt) {
          EXPECT_NEAR(energy(*model.system, r.next), expected, 1e-11);
        }
        EXPECT_GE(r.next.q[0], -1e-12);
      });
      EXPECT_GE(bounces, 2);
    }
}

// At rest every step carries the weight; with the forecast the ball never rests: n steps without force, one with (n +
// 1) F, n = 1 up to e = 1/2, and about up to 1/(1 - e).
TEST_P(GglTouch, ABallComesToRestAsWithTheForecastItDoesNot) {
  for (const double e : {0.3, 0.5, 0.8}) {
    const double dt = 1.3e-3;
    const int steps = 4000;
    const auto forces = [&](const Given& given) {
      const Model model = ball(0.1, e);
      std::vector<double> out;
      run(*model.system, model.initial, GetParam(), given, dt, steps,
          [&](const StepResult& r) { out.push_back(r.impulse.empty() ? 0.0 : r.impulse[0] / dt); });
      return std::vector<double>(out.end() - 24, out.end());
    };
    for (const double force : forces({})) EXPECT_NEAR(force, 9.81, 1e-11) << "e " << e;
    const std::vector<double> rattling = forces(forecast);
    const auto [least, most] = std::minmax_element(rattling.begin(), rattling.end());
    EXPECT_EQ(*least, 0.0) << "e " << e;
    EXPECT_GE(*most, 2.0 * 9.81 - 1e-9) << "e " << e;
  }
}

// Two spheres, the upper one heavier, fall on a floor. By 3 s the light one carries the heavy one, at any mass ratio
// and without a rise of energy. With the forecast it was pushed to and fro between floor and heavy sphere, which sank.
Model two_spheres(double ratio, double e) {
  Multibody scene;
  scene.set_gravity({0, 0, -9.81});
  scene.add_plane({.name = "floor"});
  for (const bool heavy : {false, true}) {
    const double mass = heavy ? ratio : 1.0;
    scene.add_body({.name = heavy ? "heavy" : "light",
                    .mass = mass,
                    .inertia = Vector3::Constant(4e-3 * mass),
                    .position = {0, 0, heavy ? 0.4 : 0.15},
                    .shape = Shape::sphere(0.1)});
  }
  scene.set_default_contact(ContactParameters{.restitution = e});
  return scene.build();
}

TEST_P(GglTouch, AHeavySphereRestsOnALightOne) {
  for (const double ratio : {1.0, 100.0, 1e4})
    for (const double e : {0.0, 0.5}) {
      SCOPED_TRACE(fmt::format("ratio {} e {}", ratio, e));
      const Model model = two_spheres(ratio, e);
      const double start = energy(*model.system, model.initial), dt = 1e-3;
      double last = start, rise = 0, deepest = 0, force = 0;
      const State end = run(*model.system, model.initial, GetParam(), {}, dt, 1500, [&](const StepResult& r) {
        const double now = energy(*model.system, r.next);
        rise = std::max(rise, now - last);
        last = now;
        for (const double g : gaps(*model.system, r.next)) deepest = std::min(deepest, g);
        force = 0;
        for (const StepContact& contact : r.contacts) force = std::max(force, r.impulse[contact.row] / dt);
      });
      EXPECT_LE(rise, 1e-10 * start);
      EXPECT_GE(deepest, -1e-12);
      EXPECT_NEAR(end.q[2], 0.1, 1e-9);
      EXPECT_NEAR(end.q[9], 0.3, 1e-9);
      EXPECT_NEAR(force / (9.81 * (1.0 + ratio)), 1.0,
                  1e-4);  // the light one's velocity is all rounding of the heavy one's
    }
}

INSTANTIATE_TEST_SUITE_P(Schemes, GglTouch, ::testing::Values("ggl_unified", "ggl_decoupled"),
                         [](const auto& scheme) { return std::string(scheme.param); });

// The roller is driven with half of what friction can hold: once the mass rests on it, it does not slip any more.
TEST(GglUnified, TheRollerIsHeld) {
  const Model model = make_analytic_model("slider_roller", {}, {.restitution = 0.5, .friction = 0.3});
  const State settled = run(*model.system, model.initial, "ggl_unified", {}, 5e-3, 300);
  const State end = run(*model.system, settled, "ggl_unified", {}, 5e-3, 1700);
  EXPECT_LE(std::abs(end.q[1] - settled.q[1]), 1e-12);
}

// ---------------------------------------------------------------------------------------------------
// Stiff forces.

// omega dt = 100: the spring is a rod to the implicit scheme. It runs through impacts against the wall with and
// without friction in at most four iterations; explicit schemes are gone within ten steps.
TEST(GglUnified, AStiffPendulumHitsTheWall) {
  const double dt = 1e-2;
  for (const double mu : {0.0, 0.3}) {
    const Model model = elastic_pendulum({}, {.restitution = 0.5, .friction = mu});
    const double start = energy(*model.system, model.initial);
    double stretch = 0, rise = 0, deepest = 0, speed = 0;
    int most = 0, impacts = 0;
    run(*model.system, model.initial, "ggl_unified", {}, dt, 300, [&](const StepResult& r) {
      stretch = std::max(stretch, std::abs(r.next.q.norm() - 1.0));
      rise = std::max(rise, energy(*model.system, r.next) - start);
      deepest = std::min(deepest, r.next.q[0] + 0.2);
      speed = std::max(speed, r.next.v.norm());
      most = std::max(most, r.newton_iterations);
      impacts += !r.impulse.empty() && r.impulse[0] > 0.0;
    });
    EXPECT_GE(impacts, 2);
    EXPECT_LE(most, 8);                     // of two passes
    EXPECT_LE(stretch, 2e-4);               // sqrt(2 E / k)
    EXPECT_LE(rise, 0.3);                   // of a swing of 2.9 J; falls with dt^2
    EXPECT_GE(deepest, -0.5 * dt * speed);  // the first touch
    for (const char* scheme : {"moreau_midpoint", "moreau_jean_symplectic", "half_explicit_velocity"}) {
      const auto method = make_scheme(scheme);
      const auto solver = make_solver("automatic");
      StepWorkspace ws;
      StepResult result;
      State state = model.initial;
      int steps = 0;
      for (; steps < 10 && state.q.norm() < 1e3; ++steps) {
        method->step(*model.system, *solver, state, dt, ws, result);
        if (result.status != StepStatus::ok) break;
        state = result.next;
      }
      EXPECT_LT(steps, 10) << scheme << " should have exploded";
    }
  }
}

// A chain of masses falls on the floor with omega dt = 14, dense or sparse alike; e = 0 keeps it there.
TEST(GglUnified, AStiffChainLandsDenseAndSparseAlike) {
  const SpringChain dense(5, false, 0.0), sparse(5, true, 0.0);
  const double dt = 0.1;
  const State a = run(dense, dense.start(), "ggl_unified", {}, dt, 3000);
  const State b = run(sparse, sparse.start(), "ggl_unified", {}, dt, 3000);
  EXPECT_LE((a.q - b.q).norm(), 1e-9);
  EXPECT_LE(std::abs(a.q[0]), 1e-12);
  // Springs under the weight above them: q_{i+1} - q_i = -(4 - i) m g / k.
  for (Index i = 0; i < 4; ++i) EXPECT_NEAR(a.q[i + 1] - a.q[i], -(4 - i) * 2.0 * 9.81 / 1e4, 1e-5);
}

}  // namespace
}  // namespace carom::testing
