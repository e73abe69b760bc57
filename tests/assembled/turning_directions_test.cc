// What the turning of bodies does to the torques of their joints, against differences of W.
#include "carom/system/turning_directions.h"

#include <gtest/gtest.h>

#include "assembled/random_trees.h"

namespace carom::model {
namespace {

using testing::Random;
using testing::random_quaternion;
using testing::random_vector;

// Bodies held together by joints that hold points together only, some on the ground.
Model held_bodies(Space space, unsigned seed) {
  Random random(seed);
  ModelBuilder m(space);
  const auto point = [&] {
    const Vector3 x = random_vector(random);
    return space == Space::planar ? Vector3(x.x(), x.y(), 0.0) : x;
  };
  std::vector<BodyRef> bodies;
  for (int i = 0; i < 4; ++i) {
    BodySpec spec{.name = "body" + std::to_string(i), .position = point()};
    spec.orientation = random_quaternion(random);
    spec.angle = random(-3.0, 3.0);
    bodies.push_back(m.add_body(spec));
    const BodyRef other = i == 0 || i == 2 ? m.ground() : bodies[static_cast<std::size_t>(i - 1)];
    SiteSpec a = other.at(point()), b = bodies.back().at(point());
    if (i % 2 == 1) std::swap(a, b);
    m.add_joint({.name = "joint" + std::to_string(i),
                 .kind = space == Space::planar ? "revolute" : "spherical",
                 .a = a,
                 .b = b});
  }
  return m.build();
}

class TurningTest : public ::testing::TestWithParam<Space> {};

TEST_P(TurningTest, IsTheDifferenceOfTheDirections) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Model model = held_bodies(GetParam(), seed);
    const System& system = *model.system;
    const Vector& q = model.initial.q;
    const Index n = system.nv();
    ContactSet contacts;
    system.detect(0.0, q, model.initial.v, 1e-3, contacts);
    ActiveSet joints;
    joints.reset(contacts);
    joints.add_all();
    ASSERT_EQ(joints.size(), 4);
    Random random(seed + 50);
    const Vector x = random.vector(joints.rows(), 2.0);
    const auto load = [&](const Vector& where) {
      Evaluation at;
      Vector sum = Vector::Zero(n);
      system.evaluate(0.0, where, model.initial.v, Need::jacobian, joints, at);
      at.W.multiply_add(x.data(), sum.data());
      return sum;
    };
    const TurningDirections* turning = system.turning_directions();
    ASSERT_NE(turning, nullptr);
    std::vector<Matrix3> blocks(static_cast<std::size_t>(n / 3), Matrix3::Ones());
    Intermediates intermediates;
    turning->add_turning(-3.0, 0.0, q, joints, x.data(), intermediates, blocks.data());
    constexpr double step = 1e-5;
    double largest = 0.0;
    for (Index b = 0; b < n / 3; ++b) {
      Matrix3 expected;
      for (Index j = 0; j < 3; ++j) {
        Vector plus, minus;
        system.move(q, step * Vector::Unit(n, 3 * b + j), plus);
        system.move(q, -step * Vector::Unit(n, 3 * b + j), minus);
        expected.col(j) = (load(plus) - load(minus)).segment<3>(3 * b) / (2.0 * step);
      }
      const Matrix3 symmetric = Matrix3::Ones() - 1.5 * (expected + expected.transpose());
      largest = std::max(largest, (expected + expected.transpose()).cwiseAbs().maxCoeff());
      EXPECT_LE((blocks[static_cast<std::size_t>(b)] - symmetric).cwiseAbs().maxCoeff(), 1e-8) << "block " << b;
    }
    EXPECT_GT(largest, 0.1);
  }
}

INSTANTIATE_TEST_SUITE_P(Spaces, TurningTest, ::testing::Values(Space::planar, Space::spatial),
                         [](const auto& c) { return c.param == Space::planar ? "Planar" : "Spatial"; });

}  // namespace
}  // namespace carom::model
