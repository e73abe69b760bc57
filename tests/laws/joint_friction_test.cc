// Friction in joints by a load, by a preload and by a constant: the map, its derivative and the block by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "carom/base/errors.h"
#include "carom/laws/contact_law.h"
#include "carom/laws/timed_laws.h"

namespace carom {
namespace {

struct Random {
  std::mt19937 engine{7};
  double operator()(double from, double to) { return std::uniform_real_distribution<>(from, to)(engine); }
};

TEST(JointFrictionLaw, TheBoundGrowsWithTheTimeForcesAct) {
  Random random;
  for (int round = 0; round < 200; ++round) {
    const Index holding = round % 6, pressing = holding == 0 ? 0 : 1 + round % holding;
    const double mu = holding == 0 ? 0.0 : random(0.0, 1.0), force = random(0.0, 5.0), duration = random(0.0, 2.0);
    const JointFrictionLaw law(holding, pressing, mu, force), timed = law.over(duration);
    double x[Law::max_dim], y[Law::max_dim], pressed = 0.0;
    for (Index i = 0; i <= holding; ++i) x[i] = random(-8.0, 8.0);
    for (Index i = 0; i < pressing; ++i) pressed = std::hypot(pressed, x[i]);
    timed.project(x, y);
    for (Index i = 0; i < holding; ++i) EXPECT_EQ(y[i], x[i]);
    const double bound = mu * pressed + duration * force;
    EXPECT_NEAR(y[holding], std::clamp(x[holding], -bound, bound), 1e-12);
    // Without a duration, as in a pure impact, the load alone counts; and a law over a duration can be asked again.
    law.project(x, y);
    EXPECT_NEAR(y[holding], std::clamp(x[holding], -mu * pressed, mu * pressed), 1e-12);
    timed.over(0.0).project(x, y);
    EXPECT_NEAR(y[holding], std::clamp(x[holding], -mu * pressed, mu * pressed), 1e-12);
  }
}

TEST(JointFrictionLaw, ItsDerivativeIsThatOfTheMap) {
  Random random;
  for (int round = 0; round < 200; ++round) {
    const Index holding = round % 6, pressing = holding == 0 ? 0 : 1 + round % holding, n = holding + 1;
    const JointFrictionLaw law = JointFrictionLaw(holding, pressing, holding == 0 ? 0.0 : 0.4, 2.0).over(0.5);
    double x[Law::max_dim], D[Law::max_dim * Law::max_dim];
    for (Index i = 0; i < n; ++i) x[i] = random(-4.0, 4.0);
    law.project_derivative(x, D);
    constexpr double h = 1e-6;
    for (Index j = 0; j < n; ++j) {
      double up[Law::max_dim], down[Law::max_dim];
      std::copy_n(x, n, up);
      std::copy_n(x, n, down);
      up[j] += h;
      down[j] -= h;
      law.project(up, up);
      law.project(down, down);
      for (Index i = 0; i < n; ++i) EXPECT_NEAR(D[i + j * n], (up[i] - down[i]) / (2.0 * h), 1e-8) << round;
    }
  }
}

TEST(JointFrictionLaw, OneBlockIsSolved) {
  Random random;
  for (int round = 0; round < 300; ++round) {
    const Index holding = round % 4, pressing = holding == 0 ? 0 : 1, n = holding + 1;
    const JointFrictionLaw law = JointFrictionLaw(holding, pressing, holding == 0 ? 0.0 : 0.3, 4.0).over(0.25);
    Matrix root = Matrix::NullaryExpr(n, n, [&] { return random(-1.0, 1.0); });
    const Matrix G = root * root.transpose() + Matrix::Identity(n, n);
    const Vector c = Vector::NullaryExpr(n, [&] { return random(-6.0, 6.0); });
    Vector lambda = Vector::Zero(n);
    ASSERT_TRUE(law.solve_local(G.data(), c.data(), lambda.data())) << round;
    const Vector xi = G * lambda + c;
    Vector x = lambda - xi / G.diagonal().maxCoeff();
    law.project(x.data(), x.data());
    EXPECT_LT((x - lambda).norm(), 1e-9) << round;
    EXPECT_EQ(law.state(lambda.data(), xi.data()),
              std::abs(xi[holding]) > 1e-8 ? ContactState::slip : ContactState::stick);
  }
}

TEST(TimedLaws, OnlyBoundsThatAreForcesAreMadeAnew) {
  const auto contact = make_contact_law(Space::planar, {.friction = 0.3});
  const JointFrictionLaw by_load(2, 2, 0.3), constant(0, 0, 0.0, 3.0);
  TimedLaws timed;
  EXPECT_EQ(timed.over(0.5, contact.get()), contact.get());
  EXPECT_EQ(timed.over(0.5, &by_load), &by_load);
  const Law* first = timed.over(0.5, &constant);
  const Law* second = timed.over(0.25, &constant);
  double x = 10.0, y = 0.0;
  first->project(&x, &y);
  EXPECT_EQ(y, 1.5);
  second->project(&x, &y);
  EXPECT_EQ(y, 0.75);
  timed.clear();
  EXPECT_EQ(timed.over(1.0, &constant), first);  // its memory is used again
  const auto copy = remade(*first);              // of a problem kept for later
  copy->project(&x, &y);
  EXPECT_EQ(y, 3.0);
}

TEST(JointFrictionLaw, ForcesAreNotNegative) {
  EXPECT_THROW(JointFrictionLaw(0, 0, 0.0, -1.0), InputError);
  EXPECT_THROW(JointFrictionLaw(0, 0, 0.0, std::nan("")), InputError);
}

}  // namespace
}  // namespace carom
