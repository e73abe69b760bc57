// Closed forms and conserved quantities of rigid bodies and joints.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "carom/model/multibody.h"
#include "carom/model/multibody_scenes.h"
#include "model/multibody_test_scene.h"

namespace carom {
namespace {

using testing::Random;
using testing::random_quaternion;
using testing::random_vector;

// Accelerations and joint forces by one dense solve:  M v' - W lambda = h,  W' v' = -zeta.
struct Accelerations {
  Vector v_dot, lambda;
};
Accelerations accelerations(const System& system, const Vector& q, const Vector& v) {
  const testing::DenseView d = testing::view(system, q, v);
  const Index n = system.nv(), m = static_cast<Index>(d.Wt.rows());
  Matrix K = Matrix::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = d.M;
  K.topRightCorner(n, m) = -d.Wt.transpose();
  K.bottomLeftCorner(m, n) = d.Wt;
  Vector rhs(n + m);
  rhs << d.h, -d.zeta;
  const Vector x = K.fullPivLu().solve(rhs);
  return {x.head(n), x.tail(m)};
}

Model free_body(const Vector3& spin) {
  Multibody scene;
  scene.add_body({.name = "top",
                  .mass = 2.0,
                  .inertia = {0.2, 0.3, 0.4},
                  .position = {1, 2, 3},
                  .orientation = orientation_from_axis({1, 2, 3}, 0.7),
                  .velocity = {0.5, -1, 2},
                  .spin = spin});
  return scene.build();
}

// The implicit midpoint rule, by fixed-point iteration.
void midpoint_step(const System& system, double dt, Vector& q, Vector& v) {
  ContactSet none;
  ActiveSet nobody;
  nobody.reset(none);
  Evaluation at_mid;
  const Vector v_0 = v;
  Vector mid = v;
  for (int k = 0; k < 60; ++k) {
    system.evaluate(0.0, q, mid, Need::force | Need::inertia, nobody, at_mid);
    const Vector force = at_mid.h;
    v = v_0 + dt * testing::to_dense(at_mid.M).diagonal().cwiseInverse().cwiseProduct(force);
    mid = 0.5 * (v_0 + v);
  }
  system.move(q, dt * mid, q);
}

Vector3 angular_momentum(const System& system, const Vector& q, const Vector& v) {
  ContactSet none;
  ActiveSet nobody;
  nobody.reset(none);
  Evaluation at;
  system.evaluate(0.0, q, v, Need::inertia, nobody, at);
  return body_pose(q.data(), 0).R * (at.M.blocks()[1] * body_spin(v.data(), 0));
}

TEST(MultibodyMotion, FreeBodyKeepsEnergyMomentumAndUnitQuaternion) {
  const Model model = free_body({0.3, 4.0, -0.05});  // near the unstable middle axis: it tumbles
  const System& system = *model.system;
  const Energetics& energy = *system.energetics();
  std::vector<double> drift;
  for (const double dt : {2e-2, 1e-2, 5e-3}) {
    Vector q = model.initial.q, v = model.initial.v;
    const Vector3 L = angular_momentum(system, q, v);
    const double T = energy.kinetic_energy(0, q, v);
    double tumbled = 0.0;
    for (double t = 0; t < 4.0; t += dt) {
      midpoint_step(system, dt, q, v);
      tumbled = std::max(tumbled, -v[4]);
      ASSERT_NEAR(q.segment<4>(3).norm(), 1.0, 1e-14);
    }
    EXPECT_GT(tumbled, 3.0);  // the middle axis did turn over
    EXPECT_NEAR(energy.kinetic_energy(0, q, v), T, 1e-12 * T);
    EXPECT_LT((v.head<3>() - model.initial.v.head<3>()).norm(), 1e-12);
    drift.push_back((angular_momentum(system, q, v) - L).norm() / L.norm());
  }
  EXPECT_LT(drift[2], 2e-3);
  EXPECT_NEAR(std::log2(drift[0] / drift[1]), 2.0, 0.25);
  EXPECT_NEAR(std::log2(drift[1] / drift[2]), 2.0, 0.25);
}

TEST(MultibodyMotion, UnitQuaternionAfterManyMoves) {
  const Model model = free_body({0, 0, 0});
  Random random(5);
  Vector q = model.initial.q;
  for (int k = 0; k < 100000; ++k) {
    Vector dq = Vector::Zero(6);
    dq.tail<3>() = random_vector(random);
    model.system->move(q, dq, q);
  }
  EXPECT_NEAR(q.segment<4>(3).norm(), 1.0, 1e-14);
}

// Rod of length L and mass m on a hinge at its end, at the angle phi from hanging, rate w:
//   phi'' = -(3 g / 2 L) sin phi
//   pull along the rod  m g cos phi + m w^2 L / 2,  across it  (m g / 4) sin phi
TEST(MultibodyMotion, HingedRodAcceleratesAndPullsAsItShould) {
  const double L = 0.8, m = 1.3, g = 9.81;
  for (const double phi : {0.0, 0.4, 1.5707963267948966, 2.5})
    for (const double w : {0.0, 2.0, -3.5}) {
      // Along the rod (down when hanging), and across it in the direction of growing phi.
      const Vector3 along(std::sin(phi), 0, -std::cos(phi)), across(std::cos(phi), 0, std::sin(phi));
      const Vector3 hinge(0.3, -0.2, 1.0);
      Multibody scene;
      scene.set_gravity({0, 0, -g});
      scene.add_body({.name = "rod",
                      .mass = m,
                      .inertia = {m * L * L / 12, m * L * L / 12, 1e-4},
                      .position = hinge + 0.5 * L * along,
                      .orientation = orientation_from_axis({0, -1, 0}, phi),
                      .velocity = 0.5 * L * w * across,
                      .spin = {0, -w, 0}});
      scene.add_joint({.name = "hinge", .type = "revolute", .b = "rod", .point = hinge, .axis = {0, 2, 0}});
      const Model model = scene.build();
      const auto [v_dot, lambda] = accelerations(*model.system, model.initial.q, model.initial.v);
      const double phi_ddot = -1.5 * g / L * std::sin(phi);
      EXPECT_NEAR(v_dot[4], -phi_ddot, 1e-10);
      const Vector3 expected = 0.5 * L * (phi_ddot * across - w * w * along);
      EXPECT_LT((v_dot.head<3>() - expected).norm(), 1e-10);
      // lambda acts on a = ground as +, on the rod as -: the force on the rod is -lambda.
      const Vector3 on_rod = -lambda.head<3>();
      EXPECT_NEAR(-on_rod.dot(along), m * g * std::cos(phi) + 0.5 * m * L * w * w, 1e-9);
      EXPECT_NEAR(on_rod.dot(across), 0.25 * m * g * std::sin(phi), 1e-9);
      EXPECT_LT(lambda.tail<2>().norm(), 1e-9);  // a planar motion needs no bearing moment
    }
}

// A sphere held from rolling keeps its orientation; a force on its rim is answered by a moment.
TEST(MultibodyMotion, HeldSphereDoesNotTurn) {
  const Model model = sliding_sphere();
  ContactSet contacts;
  model.system->detect(0, model.initial.q, model.initial.v, 1e-3, contacts);
  ASSERT_EQ(contacts.size(), 2);
  EXPECT_TRUE(contacts[0].bilateral);
  EXPECT_EQ(model.system->constraint_name(contacts[0]), "guide");
  EXPECT_EQ(model.system->constraint_name(contacts[1]), "ball-floor");
  const testing::DenseView d = testing::view(*model.system, model.initial.q, model.initial.v);
  const Matrix rotation_rows = d.Wt.block(0, 3, 3, 3);
  EXPECT_NEAR(std::abs(rotation_rows.determinant()), std::pow(contacts[0].length_scale, 3), 1e-12);
  EXPECT_EQ(d.Wt.block(0, 0, 3, 3).norm(), 0.0);
}

// Along a motion that a joint allows, g stays zero, gamma stays zero, and gamma' = W' v' + zeta:
// each body turns about the common point with its own spin, carried by a moving point.
TEST(MultibodyMotion, JointsAllowTheirMotions) {
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const Vector3 axis = random_vector(random).normalized();
    const Quaternion pa = random_quaternion(random), pb = random_quaternion(random);
    const Vector3 point = random_vector(random);
    const bool revolute = trial % 2 == 0;
    // A common angular velocity, and what the joint leaves free.
    const Vector3 omega_a = random_vector(random);
    const Vector3 omega_b = omega_a + (revolute ? Vector3(1.7 * axis) : random_vector(random));
    const Vector3 point_velocity = random_vector(random);
    const Vector3 xa = point + random_vector(random), xb = point + random_vector(random);
    Multibody scene;
    scene.add_body({.name = "a",
                    .mass = 1,
                    .inertia = {1, 1.2, 1.4},
                    .position = xa,
                    .orientation = pa,
                    .velocity = point_velocity + omega_a.cross(xa - point),
                    .spin = rotation_matrix(pa).transpose() * omega_a});
    scene.add_body({.name = "b",
                    .mass = 2,
                    .inertia = {1, 1.2, 1.4},
                    .position = xb,
                    .orientation = pb,
                    .velocity = point_velocity + omega_b.cross(xb - point),
                    .spin = rotation_matrix(pb).transpose() * omega_b});
    scene.add_joint(
        {.name = "j", .type = revolute ? "revolute" : "spherical", .a = "a", .b = "b", .point = point, .axis = axis});
    const Model model = scene.build();  // throws if the joint would be torn apart
    const testing::DenseView d = testing::view(*model.system, model.initial.q, model.initial.v);
    EXPECT_EQ(d.Wt.rows(), revolute ? 5 : 3);
    EXPECT_LT(d.g.norm(), 1e-14);
    EXPECT_LT((d.Wt * model.initial.v).norm(), 1e-13);
    // Constrained motion: after a short step with the constrained acceleration g is of third order.
    const auto [v_dot, lambda] = accelerations(*model.system, model.initial.q, model.initial.v);
    std::vector<double> gap;
    for (const double s : {2e-2, 1e-2}) {
      Vector q;
      model.system->move(model.initial.q, s * model.initial.v + 0.5 * s * s * v_dot, q);
      gap.push_back(testing::view(*model.system, q, model.initial.v).g.norm());
    }
    EXPECT_GT(gap[0] / gap[1], 6.5);
  }
}

TEST(MultibodyMotion, ChainFallsWithoutGainingPower) {
  Multibody scene = pendulum_chain(5);
  const Model model = scene.build();
  const auto [v_dot, lambda] = accelerations(*model.system, model.initial.q, model.initial.v);
  // Horizontal chain at rest: the momentum balance gives the hang of the ground pin.
  double total = 0.0;
  for (Index b = 0; b < 5; ++b) total += 1.0 * (v_dot[6 * b + 2] + 9.81);
  EXPECT_NEAR(-lambda[2], total, 1e-10);
  EXPECT_LT(v_dot[2], 0.0);
  const testing::DenseView d = testing::view(*model.system, model.initial.q, model.initial.v);
  EXPECT_LT((d.Wt * v_dot + d.zeta).norm(), 1e-10);
}

}  // namespace
}  // namespace carom
