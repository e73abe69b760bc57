// Piles of solids that must rest, and solids that move, against closed forms and conservation laws.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "assembled/scene.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

using testing::Scene;
constexpr double g = testing::gravity;

// The largest change of any coordinate over ten seconds of steps of a hundredth.
double drift(const Model& model, const char* scheme = "moreau_jean") {
  double largest = 0.0;
  carom::testing::run(*model.system, model.initial, scheme, {}, 1e-2, 1000, [&](const StepResult& r) {
    largest = std::max(largest, (r.next.q - model.initial.q).cwiseAbs().maxCoeff());
  });
  return largest;
}

TEST(RestingScenes, TenBoxes) {
  Scene scene({.friction = 0.5});
  for (int k = 0; k < 10; ++k) scene.add_box("box" + std::to_string(k), {0.4, 0.3, 0.2}, {0, 0, 0.2 * k + 0.1});
  EXPECT_LT(drift(scene.m.build()), 1e-6);
}

// Bricks in running bond, with half ones at the ends of every second course.
TEST(RestingScenes, AWall) {
  Scene scene({.friction = 0.6});
  const double length = 0.2, width = 0.1, height = 0.06;
  for (int row = 0; row < 4; ++row) {
    const bool shifted = row % 2 == 1;
    double x = 0.0;
    for (int k = 0; x < 3 * length - 1e-9; ++k) {
      const double own = shifted && (k == 0 || x > 2.4 * length) ? 0.5 * length : length;
      scene.add_box("brick" + std::to_string(row) + "_" + std::to_string(k), {own, width, height},
                    {x + 0.5 * own, 0, height * (row + 0.5)});
      x += own;
    }
  }
  EXPECT_LT(drift(scene.m.build()), 1e-6);
}

TEST(RestingScenes, APyramidOf55) {
  Scene scene({.friction = 0.5});
  const double size = 0.1, gap = 0.02;
  for (int row = 0, n = 0; row < 10; ++row)
    for (int k = 0; k < 10 - row; ++k)
      scene.add_box("box" + std::to_string(n++), Vector3::Constant(size),
                    {(k + 0.5 * row) * (size + gap), 0, size * (row + 0.5)});
  EXPECT_LT(drift(scene.m.build()), 1e-6);
}

// A half circle of wedges between two blocks that cannot slide: thick enough to stand (thickness over radius 0.107 is
// the least).
TEST(RestingScenes, AnArchOfWedges) {
  Scene scene({.friction = 0.8});
  const int count = 11;
  const double inner = 0.9, outer = 1.1, depth = 0.2, angle = std::numbers::pi / count;
  for (int k = 0; k < count; ++k) {
    std::vector<Vector3> corners;
    for (const double a : {k * angle, (k + 1) * angle})
      for (const double r : {inner, outer})
        for (const double y : {-depth, depth}) corners.emplace_back(r * std::cos(a), y, r * std::sin(a));
    scene.add("wedge" + std::to_string(k), geometry::ConvexPolyhedron(corners), Vector3::Zero());
  }
  EXPECT_LT(drift(scene.m.build()), 1e-6);
}

// The first is pushed, the last falls; energy only falls.
TEST(MovingScenes, DominoesFallOneAfterAnother) {
  Scene scene({.friction = 0.3});
  const int count = 8;
  const double height = 0.2, spacing = 0.08;
  for (int k = 0; k < count; ++k)
    scene.add_box("domino" + std::to_string(k), {0.02, 0.1, height}, {spacing * k, 0, height / 2});
  Model model = scene.m.build();
  model.initial.v.segment<3>(0) = Vector3(0.25, 0, 0);  // turns about its lower edge
  model.initial.v.segment<3>(3) = Vector3(0, 0.25 / (height / 2), 0);
  const Energetics& energy = *model.system->energetics();
  double before =
             energy.kinetic_energy(0, model.initial.q, model.initial.v) + energy.potential_energy(0, model.initial.q),
         rise = 0.0;
  const double start = before;
  std::vector<double> fell(count, -1.0);
  carom::testing::run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 2500, [&](const StepResult& r) {
    const double now = energy.kinetic_energy(0, r.next.q, r.next.v) + energy.potential_energy(0, r.next.q);
    rise = std::max(rise, now - before);
    before = now;
    for (int k = 0; k < count; ++k)
      if (fell[static_cast<std::size_t>(k)] < 0.0 && r.next.q[7 * k + 2] < 0.85 * height / 2)
        fell[static_cast<std::size_t>(k)] = r.next.t;
  });
  for (int k = 0; k < count; ++k)
    EXPECT_GT(fell[static_cast<std::size_t>(k)], k > 0 ? fell[static_cast<std::size_t>(k - 1)] : 0.0) << k;
  EXPECT_LT(rise, 1e-4 * start);
}

// The upper box brakes by mu g and drags the lower one along, which slides without friction below it; then both go on
// together.
TEST(MovingScenes, ABoxSlidesOnABox) {
  const double mu = 0.3, v0 = 1.5;
  Scene scene({.friction = 0.0});
  const auto box = [&](const char* name, const Vector3& size, double z, double velocity) {
    scene.m.add_solid({.name = name,
                       .shape = geometry::Box(0.5 * size),
                       .position = {0, 0, z},
                       .velocity = {velocity, 0, 0},
                       .material = name});
  };
  box("lower", {2.0, 0.6, 0.2}, 0.1, 0.0);
  box("upper", {0.3, 0.3, 0.2}, 0.3, v0);
  scene.m.add_contact({.a = "lower", .b = "upper", .law = ContactParameters{.friction = mu}});
  const Model model = scene.m.build();
  const double M = 1000 * 2.0 * 0.6 * 0.2, m = 1000 * 0.3 * 0.3 * 0.2, common = m * v0 / (m + M);
  const double together = (v0 - common) / (mu * g), dt = 1e-3, T = 0.8;
  ASSERT_LT(together, T - 0.1);
  double momentum = 0.0, tilt = 0.0, drift = 0.0;
  State sliding;
  const State end = carom::testing::run(
      *model.system, model.initial, "moreau_jean", {}, dt, static_cast<int>(T / dt), [&](const StepResult& r) {
        momentum = std::max(momentum, std::abs(M * r.next.v[0] + m * r.next.v[6] - m * v0));
        tilt = std::max({tilt, (r.next.q.segment<4>(3) - Quaternion(1, 0, 0, 0)).norm(),
                         (r.next.q.segment<4>(10) - Quaternion(1, 0, 0, 0)).norm()});
        drift = std::max({drift, std::abs(r.next.q[2] - 0.1), std::abs(r.next.q[9] - 0.3)});
        if (r.next.t < 0.5 * together) sliding = r.next;
      });
  EXPECT_LT(momentum, 1e-8 * m * v0);
  EXPECT_LT(tilt, 1e-8);
  EXPECT_LT(drift, 1e-8);
  EXPECT_NEAR(sliding.v[6], v0 - mu * g * sliding.t, 1e-8);
  EXPECT_NEAR(sliding.v[0], mu * m * g / M * sliding.t, 1e-8);
  EXPECT_NEAR(end.v[0], common, 1e-8);
  EXPECT_NEAR(end.v[6], common, 1e-8);
  // The way on each other: v0^2 / (2 mu g (1 + m/M)).
  EXPECT_NEAR(end.q[7] - end.q[0], v0 * v0 / (2 * mu * g * (1 + m / M)), 2 * v0 * dt);
}

// Five pendulums in a row, all but touching: blows run through, the last one rises as high as the first fell, and back.
// With Newton's law and with Poisson's; in joint coordinates, so that nothing is lost in the hinges.
TEST(MovingScenes, NewtonsCradle) {
  for (const ImpactLaw law : {ImpactLaw::newton, ImpactLaw::poisson}) {
    const int count = 5;
    const double radius = 0.05, length = 1.0, gap = 1e-4, mass = 1.0, lifted = 0.4;
    ModelBuilder m(Space::planar);
    m.set_coordinates(Coordinates::joint);
    m.set_gravity({0, -g, 0});
    m.set_default_contact(ContactParameters{.restitution = 1.0, .impact = law});
    for (int k = 0; k < count; ++k) {
      const std::string name = "ball" + std::to_string(k);
      const double x = k * (2 * radius + gap);
      const BodyRef ball = m.add_body({.name = name,
                                       .mass = mass,
                                       .inertia = 0.5 * mass * radius * radius * Matrix3::Identity(),
                                       .position = {x, -length, 0}});
      m.add_surface({.body = ball.number, .shape = geometry::Disc(radius)});
      m.add_joint({.name = "hook" + std::to_string(k),
                   .kind = "revolute",
                   .a = m.ground().at({x, 0, 0}),
                   .b = ball.at({0, length, 0}),
                   .start = CoordinateStart{k == 0 ? -lifted : 0.0, 0.0}});
    }
    const Model model = m.build();
    ASSERT_EQ(model.system->nv(), count);
    const Energetics& energy = *model.system->energetics();
    const double start = energy.potential_energy(0, model.initial.q);
    double last_high = 0.0, first_high = 0.0, worst = 0.0, others = 0.0;
    const double dt = 2e-5;
    carom::testing::run(*model.system, model.initial, "moreau_jean", {}, dt, 110000,
                        [&](const StepResult& r) {  // 2.2 s: over and back
                          last_high = std::max(last_high, r.next.q[count - 1]);
                          if (r.next.t > 1.5) first_high = std::max(first_high, -r.next.q[0]);
                          if (r.next.t < 1.0)
                            for (int k = 1; k + 1 < count; ++k) others = std::max(others, std::abs(r.next.q[k]));
                          worst = std::max(worst, std::abs(energy.kinetic_energy(0, r.next.q, r.next.v) +
                                                           energy.potential_energy(0, r.next.q) - start));
                        });
    const double scale = mass * g * length * (1 - std::cos(lifted));
    EXPECT_NEAR(last_high, lifted, 2e-3) << "law " << static_cast<int>(law);
    EXPECT_NEAR(first_high, lifted, 1e-2);
    EXPECT_LT(others, 0.01);
    EXPECT_LT(worst, 1e-3 * scale);
  }
}

// Sliding without turning at first, it rolls with two thirds of its speed after v0 / (3 mu g).
TEST(MovingScenes, ACylinderBeginsToRoll) {
  const double mu = 0.3, v0 = 2.0, radius = 0.1;
  Scene scene({.friction = mu});
  const Quaternion lying = quaternion_exp(Vector3(-std::numbers::pi / 2, 0, 0));  // its axis along y
  scene.add("cylinder", geometry::Cylinder(radius, 0.15), {0, 0, radius}, {v0, 0, 0}, lying);
  const Model model = scene.m.build();
  const double dt = 1e-3, rolls = v0 / (3 * mu * g), T = 1.0;
  const State end = carom::testing::run(*model.system, model.initial, "moreau_jean", {}, dt, static_cast<int>(T / dt));
  EXPECT_NEAR(end.v[0], 2.0 / 3.0 * v0, 1e-6);
  const Vector3 spin = rotation_matrix(Quaternion(end.q.segment<4>(3))) * end.v.segment<3>(3);
  EXPECT_NEAR(spin.y() * radius, 2.0 / 3.0 * v0, 1e-6);
  EXPECT_NEAR(end.q[0], v0 * rolls - 0.5 * mu * g * rolls * rolls + 2.0 / 3.0 * v0 * (T - rolls), 3 * dt);
  EXPECT_NEAR(end.q[2], radius, 1e-6);
  EXPECT_NEAR(end.q[1], 0.0, 1e-6);
}

// In the air momentum and spin stay; on the floor it comes to rest lying.
TEST(MovingScenes, ACapsuleTumblesAndLiesDown) {
  const double radius = 0.05;
  Scene scene({.restitution = 0.4, .friction = 0.5});
  scene.add("capsule", geometry::Capsule(radius, 0.15), {0, 0, 1.0}, {0.5, 0.2, 0},
            quaternion_exp(Vector3(0.3, 0.4, 0.1)), {3, 1, 2});
  const Model model = scene.m.build();
  const Energetics& energy = *model.system->energetics();
  double before =
             energy.kinetic_energy(0, model.initial.q, model.initial.v) + energy.potential_energy(0, model.initial.q),
         rise = 0.0;
  const double start = before;
  const State end =
      carom::testing::run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 6000, [&](const StepResult& r) {
        const double now = energy.kinetic_energy(0, r.next.q, r.next.v) + energy.potential_energy(0, r.next.q);
        rise = std::max(rise, now - before);
        before = now;
      });
  EXPECT_LT(rise, 2e-4 * start);
  EXPECT_NEAR(end.q[2], radius, 2e-3);
  const Vector3 axis = rotation_matrix(Quaternion(end.q.segment<4>(3))).col(2);
  EXPECT_NEAR(axis.z(), 0.0, 0.02);
}

}  // namespace
}  // namespace carom::model
