// The impact laws beside each other, against closed forms (docs/theory/impact_laws.md).
#include <gtest/gtest.h>

#include <cmath>

#include "assembled/scene.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

using carom::testing::run;
using testing::Scene;
constexpr double g = testing::gravity;

class BothLaws : public ::testing::TestWithParam<const char*> {};

Model ball(ImpactLaw law, double e, double speed) {
  Scene scene({.restitution = e, .impact = law});
  scene.m.set_gravity(Vector3::Zero());
  scene.add("ball", geometry::Sphere(0.1), {0, 0, 0.1}, {0, 0, -speed});
  return scene.m.build();
}

// One ball on a floor: the two laws are the same.
TEST_P(BothLaws, OneContactReboundsAlike) {
  for (const double e : {0.0, 0.3, 0.8, 1.0})
    for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson}) {
      const Model model = ball(law, e, 2.0);
      EXPECT_NEAR(run(*model.system, model.initial, GetParam(), {}, 1e-3, 1).v[2], 2.0 * e, 1e-12) << e;
    }
}

// It falls, bounces, and comes to rest; then it is carried without hopping.
TEST_P(BothLaws, ABallWithPoissonsLawComesToRest) {
  Scene scene({.restitution = 0.5, .impact = ImpactLaw::poisson});
  scene.add("ball", geometry::Sphere(0.1), {0, 0, 0.15});
  const Model model = scene.m.build();
  double pressure = 0.0;
  const State end = run(*model.system, model.initial, GetParam(), {}, 1e-3, 1500,
                        [&](const StepResult& r) { pressure = r.contacts.empty() ? 0.0 : r.impulse[0] / r.dt_taken; });
  const double weight = 1000.0 * 4.0 / 3.0 * M_PI * 1e-3 * g;
  EXPECT_NEAR(end.v[2], 0.0, 1e-9);
  EXPECT_NEAR(pressure, weight, 1e-6 * weight);
}

// A box comes down flat on one end: the corners at the other end touch but do not approach. Compression stops the whole
// box's edge; with Newton's law the resting corners stay, with Poisson's those that took an impulse are thrown up as
// well. For a thin rod of mass m with a contact at each end, the left one touching with gamma_minus = 0 and the right
// one arriving with -v, compression leaves both at rest. Its impulses follow from
//   M^-1 seen at the ends: G = 1/m [4 -2; -2 4]   ->   Lambda_c = m v [1/6, 1/3]
// so that expansion gives gamma_plus = e v [0, 1] + ...: G e Lambda_c = e v [0, 1].
TEST_P(BothLaws, ARodOnTwoEnds) {
  const double e = 0.5, v = 1.0, half = 0.5;
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson}) {
    ModelBuilder m(Space::planar);
    const double mass = 2.0;
    const BodyRef rod = m.add_body({.name = "rod",
                                    .mass = mass,
                                    .inertia = mass * 4 * half * half / 12 * Matrix3::Identity(),
                                    .velocity = {0, -v / 2, 0},
                                    .spin = {0, 0, -v / (2 * half)}});
    m.set_default_contact(ContactParameters{.restitution = e, .impact = law});
    m.add_surface({.name = "floor", .shape = geometry::HalfPlane(Eigen::Vector2d::UnitY(), -0.01)});
    for (const double x : {-half, +half})
      m.add_surface({.name = x < 0 ? "left" : "right",
                     .body = rod.number,
                     .shape = geometry::Disc(0.01),
                     .pose = {Vector3(x, 0, 0), Matrix3::Identity()}});
    const Model model = m.build();
    const State end = run(*model.system, model.initial, GetParam(), {}, 1e-4, 1);
    const double left = end.v[1] - end.v[2] * half, right = end.v[1] + end.v[2] * half;
    EXPECT_NEAR(right, e * v, 1e-8);  // the rod turns within the step: of the order of its square
    EXPECT_NEAR(left, 0.0, 1e-8);
  }
}

// Three equal balls in a row, the last two touching. Both laws take the contacts at once, and agree: the first
// rebounds. Apart by next to nothing the blows come one after the other, and the last ball leaves alone.
TEST_P(BothLaws, NewtonsCradle) {
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson})
    for (const double apart : {0.0, 1e-4}) {
      Scene scene({.restitution = 1.0, .impact = law});
      scene.m.set_gravity(Vector3::Zero());
      double x = 0.0;
      for (int k = 0; k < 3; ++k, x += 0.2 + apart)
        scene.add("ball" + std::to_string(k), geometry::Sphere(0.1), {x, 0, 1}, {k == 0 ? 1.0 : 0.0, 0, 0});
      const Model model = scene.m.build();
      const State end = run(*model.system, model.initial, GetParam(), {}, 1e-5, apart > 0.0 ? 100 : 1);
      const double expected[2][3] = {{-1.0 / 3, 2.0 / 3, 2.0 / 3}, {0, 0, 1}};
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(end.v[6 * k], expected[apart > 0.0][k], 1e-9) << k << " apart " << apart;
    }
}

struct Blow {
  double before, after;  // kinetic energy
  Vector v;
};

// The tip of a slender rod strikes the floor obliquely.
Blow oblique_blow(const char* scheme, ImpactLaw law, double angle, double sideways, double e, double mu) {
  ModelBuilder m(Space::planar);
  const double mass = 1.0, half = 0.5;
  const BodyRef rod = m.add_body({.name = "rod",
                                  .mass = mass,
                                  .inertia = mass * half * half / 3 * Matrix3::Identity(),
                                  .position = {half * std::cos(angle), half * std::sin(angle), 0},
                                  .velocity = {sideways, -3.0, 0}});
  m.set_default_contact(ContactParameters{.restitution = e, .friction = mu, .impact = law});
  m.add_surface({.name = "floor", .shape = geometry::HalfPlane(Eigen::Vector2d::UnitY(), -0.001)});
  m.add_surface({.name = "tip",
                 .body = rod.number,
                 .shape = geometry::Disc(0.001),
                 .pose = {Vector3(-half * std::cos(angle), -half * std::sin(angle), 0), Matrix3::Identity()}});
  const Model model = m.build();
  const Energetics& energy = *model.system->energetics();
  const State end = run(*model.system, model.initial, scheme, {}, 1e-6, 1);
  return {energy.kinetic_energy(0, model.initial.q, model.initial.v), energy.kinetic_energy(0, end.q, end.v), end.v};
}

// It can reverse the tip's sliding; friction then opposes the new way, and with Newton's law, which asks for the full
// rebound, the blow gives energy. Poisson's law never does here. With passive restitution exactly as much comes back as
// there is energy for, and where Newton's law takes energy it is the same to the last bit.
TEST_P(BothLaws, OnlyNewtonsLawGivesEnergy) {
  int newton_gains = 0;
  for (int k = 0; k < 40; ++k) {
    const double angle = 0.1 + 0.07 * (k / 2), sideways = k % 2 ? 1.0 : -1.0;
    for (const double e : {0.6, 0.98, 1.0})
      for (const double mu : {0.0, 0.3, 1.0}) {
        SCOPED_TRACE(::testing::Message() << "angle " << angle << " e " << e << " mu " << mu);
        const auto blow = [&](ImpactLaw law) { return oblique_blow(GetParam(), law, angle, sideways, e, mu); };
        const Blow newton = blow(ImpactLaw::newton), poisson = blow(ImpactLaw::poisson),
                   passive = blow(ImpactLaw::passive);
        EXPECT_LE(poisson.after, poisson.before * (1 + 1e-9));
        if (newton.after > newton.before * (1 + 1e-6)) {
          ++newton_gains;
          EXPECT_GT(mu, 0.0);
          EXPECT_NEAR(passive.after, passive.before, 1e-7 * passive.before);  // it turns by 1e-5 within the step
        } else if (newton.after < newton.before * (1 - 1e-6)) {
          EXPECT_EQ(passive.v, newton.v);
        }
      }
  }
  EXPECT_GT(newton_gains, 20);
}

// Two rods strike in one step, far from each other: each has a factor of its own, as if it were alone.
TEST_P(BothLaws, BodiesThatDoNotTouchHaveTheirOwnFactors) {
  const auto two = [&](ImpactLaw law) {
    ModelBuilder m(Space::planar);
    const double half = 0.5, angles[] = {0.8, 1.5};
    m.set_gravity(Vector3::Zero());
    m.set_default_contact(ContactParameters{.restitution = 0.98, .friction = 0.6, .impact = law});
    m.add_surface({.name = "floor", .shape = geometry::HalfPlane(Eigen::Vector2d::UnitY(), -0.001)});
    for (int k = 0; k < 2; ++k) {
      const Vector3 arm(half * std::cos(angles[k]), half * std::sin(angles[k]), 0);
      const BodyRef rod = m.add_body({.name = "rod" + std::to_string(k),
                                      .mass = 1.0,
                                      .inertia = half * half / 3 * Matrix3::Identity(),
                                      .position = arm + Vector3(10.0 * k, 0, 0),
                                      .velocity = {1, -3.0, 0}});
      m.add_surface({.name = "tip" + std::to_string(k),
                     .body = rod.number,
                     .shape = geometry::Disc(0.001),
                     .pose = {-arm, Matrix3::Identity()}});
    }
    const Model model = m.build();
    return run(*model.system, model.initial, GetParam(), {}, 1e-6, 1).v;
  };
  const Vector newton = two(ImpactLaw::newton), passive = two(ImpactLaw::passive);
  const auto energy = [](const Vector& v, int k) {
    return 0.5 * v.segment<2>(3 * k).squaredNorm() + 0.5 * 0.25 / 3 * v[3 * k + 2] * v[3 * k + 2];
  };
  EXPECT_GT(energy(newton, 0), 5.0 * (1 + 1e-3)) << "the first rod must gain, or nothing is shown";
  EXPECT_NEAR(energy(passive, 0), 5.0, 1e-8);
  EXPECT_LT(energy(newton, 1), 5.0);
  EXPECT_TRUE(passive.tail(3).isApprox(newton.tail(3), 1e-14));
}

INSTANTIATE_TEST_SUITE_P(Schemes, BothLaws,
                         ::testing::Values("moreau_jean", "projection_combined", "moreau_jean_explicit",
                                           "moreau_midpoint"),
                         [](const auto& scheme) { return std::string(scheme.param); });

}  // namespace
}  // namespace carom::model
