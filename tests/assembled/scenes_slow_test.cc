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
      scene.add_box("brick" + std::to_string(row) + "_" + std::to_string(k), {own, width, height}, {x + 0.5 * own, 0, height * (row + 0.5)});
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
      scene.add_box("box" + std::to_string(n++), Vector3::Constant(size), {(k + 0.5 * row) * (size + gap), 0, size * (row + 0.5)});
  EXPECT_LT(drift(scene.m.build()), 1e-6);
}

// A half circle of wedges between two blocks that cannot slide: thick enough to stand (thickness over radius 0.107 is the least).
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
  for (int k = 0; k < count; ++k) scene.add_box("domino" + std::to_string(k), {0.02, 0.1, height}, {spacing * k, 0, height / 2});
  Model model = scene.m.build();
  model.initial.v.segment<3>(0) = Vector3(0.25, 0, 0);    // turns about its lower edge
  model.initial.v.segment<3>(3) = Vector3(0, 0.25 / (height / 2), 0);
  const Energetics& energy = *model.system->energetics();
  double before = energy.kinetic_energy(0, model.initial.q, model.initial.v) + energy.potential_energy(0, model.initial.q), rise = 0.0;
  const double start = before;
  std::vector<double> fell(count, -1.0);
  carom::testing::run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 2500, [&](const StepResult& r) {
    const double now = energy.kinetic_energy(0, r.next.q, r.next.v) + energy.potential_energy(0, r.next.q);
    rise = std::max(rise, now - before);
    before = now;
    for (int k = 0; k < count; ++k)
      if (fell[static_cast<std::size_t>(k)] < 0.0 && r.next.q[7 * k + 2] < 0.85 * height / 2) fell[static_cast<std::size_t>(k)] = r.next.t;
  });
  for (int k = 0; k < count; ++k) EXPECT_GT(fell[static_cast<std::size_t>(k)], k > 0 ? fell[static_cast<std::size_t>(k - 1)] : 0.0) << k;
  EXPECT_LT(rise, 1e-4 * start);
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
  scene.add("capsule", geometry::Capsule(radius, 0.15), {0, 0, 1.0}, {0.5, 0.2, 0}, quaternion_exp(Vector3(0.3, 0.4, 0.1)), {3, 1, 2});
  const Model model = scene.m.build();
  const Energetics& energy = *model.system->energetics();
  double before = energy.kinetic_energy(0, model.initial.q, model.initial.v) + energy.potential_energy(0, model.initial.q), rise = 0.0;
  const double start = before;
  const State end = carom::testing::run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 6000, [&](const StepResult& r) {
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
