// The slider-crank in its three descriptions: published values, and one motion in all of them.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/consistency.h"
#include "model/dense_view.h"

namespace carom {
namespace {

using testing::DenseView;
using testing::Random;
using testing::view;

const ContactParameters steel{.restitution = 0.4, .friction = 0.01};

Vector vec(std::initializer_list<double> x) { return Vector::Map(x.begin(), static_cast<Eigen::Index>(x.size())); }

TEST(SliderCrank, ReproducesTheReferenceValues) {
  const Model model = make_analytic_model("slider_crank", {}, steel);
  const Vector q = vec({0.3, -0.2, 0.01}), v = vec({150, -75, 2});
  const DenseView at = view(*model.system, q, v);
  EXPECT_NEAR(at.M(0, 0), 2.9650115e-3, 1e-16);
  EXPECT_NEAR(at.M(0, 1), 3.903232736345e-3, 1e-15);
  EXPECT_NEAR(at.M(1, 1), 8.595878e-3, 1e-16);
  EXPECT_NEAR(at.M(2, 2), 2.7e-6, 1e-20);
  EXPECT_NEAR(at.h[0], -12.18515270812, 1e-11);
  EXPECT_NEAR(at.h[1], 47.69828749942, 1e-11);
  EXPECT_EQ(at.h[2], 0.0);
  const double gap[4] = {1.707946526040e-2, 1.607948192698e-2, -1.507696528123e-2, -1.407698194781e-2};
  const double convective[4] = {675.4667208340, 675.4707207674, -675.2667308340, -675.2707307673};
  for (int c = 0; c < 4; ++c) {
    EXPECT_NEAR(at.g[2 * c], gap[c], 1e-14);
    EXPECT_NEAR(at.zeta[2 * c], convective[c], 1e-9);
  }
  const Energetics& energy = *model.system->energetics();
  EXPECT_NEAR(energy.kinetic_energy(0, q, v) + energy.potential_energy(0, q), 13.62326033609, 1e-11);
  EXPECT_NEAR(energy.kinetic_energy(0, model.initial.q, model.initial.v), 7.49554875, 1e-12);
}

// One evaluation asked again and again, for more at the same angles, at other angles, of another mechanism: what it
// keeps must never show.
TEST(SliderCrank, AnEvaluationUsedAgainIsThatOfAFreshOne) {
  const Model model = make_analytic_model("slider_crank", {}, steel);
  const Model longer = make_analytic_model("slider_crank", {{"l2", 0.4}}, steel);
  const Need needs[] = {Need::force,      Need::gap | Need::inertia,    Need::force, Need::jacobian,
                        Need::convective, Need::force | Need::gap_rate, Need::gap};
  ContactSet contacts;
  model.system->detect(0, model.initial.q, model.initial.v, 1e-5, contacts);
  ActiveSet all;
  all.reset(contacts);
  all.add_all();
  Random random(5);
  const Vector places[] = {random.vector(3, 1.0), random.vector(3, 1.0)};
  Evaluation used;
  for (int round = 0; round < 200; ++round) {
    const System& system = round / 8 % 5 == 4 ? *longer.system : *model.system;
    const Need need = needs[round % 7];
    Vector q = places[round / 4 % 3 == 2];
    if (round % 11 == 10) q[round % 3] += 1e-15;
    const Vector v = random.vector(3, 10.0);
    Evaluation fresh;
    system.evaluate(0, q, v, need, all, used);
    system.evaluate(0, q, v, need, all, fresh);
    EXPECT_TRUE(!has(need, Need::force) || used.h == fresh.h) << round;
    EXPECT_TRUE(!has(need, Need::gap) || used.g == fresh.g) << round;
    EXPECT_TRUE(!has(need, Need::gap_rate) || used.g_rate == fresh.g_rate) << round;
    EXPECT_TRUE(!has(need, Need::jacobian) || used.W == fresh.W) << round;
    EXPECT_TRUE(!has(need, Need::convective) || used.zeta == fresh.zeta) << round;
    EXPECT_TRUE(!has(need, Need::inertia) ||
                std::equal(used.M.dense_data(), used.M.dense_data() + 9, fresh.M.dense_data()))
        << round;
  }
}

TEST(SliderCrank, TangentialVelocityIsThatOfTheCorner) {
  const Model model = make_analytic_model("slider_crank", {}, steel);
  const double sx[4] = {-1, 1, -1, 1}, sy[4] = {1, 1, -1, -1};
  Random random(3);
  const Vector q = random.vector(3, 1.0), v = random.vector(3, 10.0);
  const DenseView at = view(*model.system, q, v);
  for (int c = 0; c < 4; ++c) {
    const double rate = testing::scalar_derivative(
        [&](double s) {
          const Vector p = q + s * v;
          return 0.153 * std::cos(p[0]) + 0.306 * std::cos(p[1]) + sx[c] * 0.05 * std::cos(p[2]) -
                 sy[c] * 0.025 * std::sin(p[2]);
        },
        1e-4);
    EXPECT_NEAR((at.Wt.row(2 * c + 1) * v).value(), rate, 1e-10);
  }
}

std::map<std::string, ParameterValue> random_start(Random& random) {
  return {{"crank_angle", random(-3, 3)},
          {"rod_angle", random(-1, 1)},
          {"slider_angle", random(-1, 1)},
          {"crank_rate", random(-9, 9)},
          {"rod_rate", random(-9, 9)},
          {"slider_rate", random(-9, 9)},
          {"clearance", 3.0}};
}

// The same motion: gaps, contact velocities, energies, and the response to forces at the corners.
TEST(SliderCrankMaximal, IsTheSliderCrank) {
  Random random(11);
  for (int s = 0; s < 50; ++s) {
    const auto start = random_start(random);
    const Model minimal = make_analytic_model("slider_crank", start, steel);
    const Model maximal = make_analytic_model("slider_crank_maximal", start, steel);
    EXPECT_TRUE(check_start(*maximal.system, maximal.initial).empty());
    const DenseView a = view(*minimal.system, minimal.initial.q, minimal.initial.v);
    const DenseView b = view(*maximal.system, maximal.initial.q, maximal.initial.v);
    const Matrix joints = b.Wt.topRows(6), corners = b.Wt.bottomRows(8);

    EXPECT_LE((b.g.tail(8) - a.g).norm(), 1e-14);
    EXPECT_LE((corners * maximal.initial.v - a.Wt * minimal.initial.v).norm(), 1e-13);
    const Energetics &ea = *minimal.system->energetics(), &eb = *maximal.system->energetics();
    EXPECT_NEAR(eb.kinetic_energy(0, maximal.initial.q, maximal.initial.v),
                ea.kinetic_energy(0, minimal.initial.q, minimal.initial.v), 1e-12);
    EXPECT_NEAR(eb.potential_energy(0, maximal.initial.q), ea.potential_energy(0, minimal.initial.q), 1e-14);

    const Vector lambda = random.vector(8, 1.0);
    const Vector acceleration = a.M.fullPivLu().solve(a.h + a.Wt.transpose() * lambda);
    // [ M  -Wj ] [  v'   ]   [ h + W lambda ]
    // [ Wj'  0 ] [lambda_j] = [   -zeta_j    ]
    Matrix A = Matrix::Zero(15, 15);
    A.topLeftCorner(9, 9) = b.M;
    A.topRightCorner(9, 6) = -joints.transpose();
    A.bottomLeftCorner(6, 9) = joints;
    Vector rhs(15);
    rhs << b.h + corners.transpose() * lambda, -b.zeta.head(6);
    const Vector x = A.fullPivLu().solve(rhs);
    const double scale = 1.0 + acceleration.norm();
    for (int body = 0; body < 3; ++body) EXPECT_NEAR(x[3 * body + 2], acceleration[body], 1e-10 * scale);
    EXPECT_LE((corners * x.head(9) + b.zeta.tail(8) - a.Wt * acceleration - a.zeta).norm(), 1e-10 * scale);
  }
}

// One equality held on acceleration level, classical Runge-Kutta: the crank angle after 0.1 s.
TEST(SliderCrankBilateral, ReachesTheReferenceAngle) {
  const Model model = make_analytic_model("slider_crank_bilateral", {}, {});
  const System& system = *model.system;
  const auto slope = [&](const Vector& x) {
    const DenseView at = view(system, x.head(2), x.tail(2));
    Matrix A = Matrix::Zero(3, 3);
    A.topLeftCorner(2, 2) = at.M;
    A.topRightCorner(2, 1) = -at.Wt.transpose();
    A.bottomLeftCorner(1, 2) = at.Wt;
    const Vector y = A.partialPivLu().solve(vec({at.h[0], at.h[1], -at.zeta[0]}));
    return vec({x[2], x[3], y[0], y[1]});
  };
  Vector x(4);
  x << model.initial.q, model.initial.v;
  const int steps = 5000;
  const double dt = 0.1 / steps;
  for (int k = 0; k < steps; ++k) {
    const Vector k1 = slope(x), k2 = slope(x + 0.5 * dt * k1), k3 = slope(x + 0.5 * dt * k2), k4 = slope(x + dt * k3);
    x += dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  EXPECT_NEAR(x[0], 9.1401524169, 1e-8);
  EXPECT_NEAR(view(system, x.head(2), x.tail(2)).g[0], 0.0, 1e-9);
}

TEST(SliderCrankBilateral, TellsAnInconsistentStart) {
  const auto violations = [](std::map<std::string, ParameterValue> given) {
    const Model model = make_analytic_model("slider_crank_bilateral", given, {});
    return check_start(*model.system, model.initial);
  };
  const auto velocity = violations({{"rod_rate", -74.0}});
  ASSERT_EQ(velocity.size(), 1u);
  EXPECT_EQ(velocity[0].constraint, "guide");
  EXPECT_EQ(velocity[0].kind, StartViolation::Kind::joint_velocity);
  EXPECT_NEAR(velocity[0].amount, 0.306, 1e-12);
  const auto both = violations({{"crank_angle", 0.1}});
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0].kind, StartViolation::Kind::joint_position);
  EXPECT_NEAR(both[0].amount, 0.153 * std::sin(0.1), 1e-15);

  Model broken = make_analytic_model("slider_crank_bilateral", {}, {});
  broken.initial.v[0] = std::nan("");
  EXPECT_FALSE(check_start(*broken.system, broken.initial).empty());
}

TEST(SliderCrank, TellsAPenetratingStart) {
  const Model model = make_analytic_model("slider_crank", {{"crank_angle", 0.01}}, steel);
  const auto violations = check_start(*model.system, model.initial);
  ASSERT_EQ(violations.size(), 2u);  // both upper corners
  EXPECT_EQ(violations[0].constraint, "guide.c1");
  EXPECT_EQ(violations[1].constraint, "guide.c2");
  EXPECT_NEAR(violations[0].amount, 0.001 - 0.153 * std::sin(0.01), 1e-15);
  EXPECT_NE(describe(violations[0]).find("guide.c1"), std::string::npos);
}

// Known from another integration of the same coordinate.
TEST(SliderCrankBilateral, TheSolutionInOneCoordinate) {
  const Model model = make_analytic_model("slider_crank_bilateral", {}, {});
  Vector q, v;
  model.exact(0.1, q, v);
  EXPECT_NEAR(q[0], 9.1401524169, 1e-10);
  const Energetics& energetics = *model.system->energetics();
  const State& start = model.initial;
  EXPECT_NEAR(energetics.kinetic_energy(0, q, v) + energetics.potential_energy(0, q),
              energetics.kinetic_energy(0, start.q, start.v) + energetics.potential_energy(0, start.q), 1e-11);
  EXPECT_FALSE(make_analytic_model("slider_crank_bilateral", {{"rod_rate", -70.0}}, {}).exact) << "not a point of it";
}

}  // namespace
}  // namespace carom
