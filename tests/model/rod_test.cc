// The rod against closed forms: waves, eigenfrequencies, damping ratios.
#include "carom/model/flexible/rod.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <numbers>

#include "carom/model/assembly/assembled_system.h"
#include "carom/model/flexible/impacting_bar.h"
#include "carom/model/parts/linear_body.h"
#include "model/dense_view.h"

namespace carom {
namespace {

using testing::DenseView;
using testing::view;

// Squares of the frequencies of K x = w^2 M x, ascending.
Vector squared_frequencies(const StructureMatrices& m) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>(Matrix(m.K), Matrix(m.M)).eigenvalues();
}

TEST(Rod, HasItsMassAndNoStressInRigidMotion) {
  RodData rod;
  rod.elements = 13;
  rod.length = 2.5;
  const StructureMatrices m = rod_matrices(rod);
  const Vector ones = Vector::Ones(14);
  EXPECT_NEAR(ones.dot(m.M * ones), rod.density * rod.section * rod.length, 1e-12);
  EXPECT_EQ((m.K * ones).norm(), 0.0);
  EXPECT_EQ(m.C.nonZeros(), 0);
}

// A free rod vibrates with w_k = k pi c / L; of the discrete one, w^2 = 6 c^2/l^2 (1 - cos a)/(2 + cos a) with
// a = k pi / n: too high by a (k pi / n)^2 / 24 part.
TEST(Rod, EigenfrequenciesConvergeWithTheSquareOfTheElementLength) {
  RodData rod;
  const double c = wave_speed(rod);
  std::vector<double> error;
  for (const Index n : {10, 20, 40}) {
    rod.elements = n;
    const Vector w2 = squared_frequencies(rod_matrices(rod));
    for (Index k = 1; k <= n; ++k) {
      const double a = k * std::numbers::pi / n, l = rod.length / n;
      const double exact = 6.0 * c * c / (l * l) * (1.0 - std::cos(a)) / (2.0 + std::cos(a));
      EXPECT_NEAR(w2[k], exact, 1e-9 * exact) << n << ' ' << k;
    }
    const double third = 3.0 * std::numbers::pi * c / rod.length;
    error.push_back(std::sqrt(w2[3]) / third - 1.0);
    EXPECT_NEAR(error.back(), std::pow(3.0 * std::numbers::pi / n, 2) / 24.0, 0.1 * error.back());
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2.0, 0.1);
  EXPECT_NEAR(std::log2(error[1] / error[2]), 2.0, 0.05);
}

TEST(Rod, RayleighDampingHasItsRatios) {
  RodData rod;
  rod.elements = 9;
  rod.mass_damping = 40.0;
  rod.stiffness_damping = 3e-7;
  const StructureMatrices m = rod_matrices(rod);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes{Matrix(m.K), Matrix(m.M)};
  for (Index k = 1; k <= rod.elements; ++k) {
    const Vector x = modes.eigenvectors().col(k);  // x'Mx = 1
    const double w = std::sqrt(modes.eigenvalues()[k]);
    EXPECT_NEAR(x.dot(m.C * x) / (2.0 * w), 0.5 * (40.0 / w + 3e-7 * w), 1e-10);
  }
}

// The wave solution satisfies rho u'' = E u_xx at both sides of its fronts, the wall, the free end and the laws of
// momentum.
TEST(RodImpact, IsTheWaveSolution) {
  RodData rod;
  rod.length = 3.0;
  const double speed = 0.2, c = wave_speed(rod);
  const RodImpact impact(rod, speed);
  EXPECT_NEAR(impact.contact_time, 6.0 / c, 1e-15);
  // The impulse turns the momentum around.
  const double mass = rod.density * rod.section * rod.length;
  EXPECT_NEAR(impact.contact_force * impact.contact_time, 2.0 * mass * speed, 1e-12);
  const double d = 1e-7;
  for (const double t : {0.3, 0.9, 1.4, 1.9, 2.3})
    for (const double x : {0.1, 0.6, 1.7, 2.9}) {
      const double s = t * rod.length / c;
      const double rate = (impact.displacement(x, s + d) - impact.displacement(x, s - d)) / (2.0 * d);
      EXPECT_NEAR(rate, impact.velocity(x, s), 1e-6);
      EXPECT_GE(impact.displacement(x, s), impact.displacement(x + 0.05, s) - 1e-12) << "never pulled";
    }
  EXPECT_EQ(impact.displacement(0.0, 0.5 * impact.contact_time), 0.0);
  const double pull = (impact.displacement(3.0, 1e-4) - impact.displacement(3.0 - 1e-6, 1e-4)) / 1e-6;
  EXPECT_NEAR(pull, 0.0, 1e-9) << "the end is free";
}

TEST(SteelBar, HasTheNumbersOfTheLiterature) {
  const RodImpact impact(steel_rod(), 0.1);
  EXPECT_NEAR(impact.contact_time, 3.8545e-4, 5e-9);
  EXPECT_NEAR(impact.contact_force, 1271.47, 5e-3);
  const Model model = make_analytic_model("steel_bar", {{"elements", 4.0}}, {});
  const DenseView at = view(*model.system, model.initial.q, model.initial.v);
  EXPECT_EQ(at.g[0], 5e-5);
  EXPECT_EQ(at.Wt, Matrix(Vector::Unit(5, 0).transpose()));
  EXPECT_NEAR(at.M.sum(), 7800.0 * std::numbers::pi * 1e-4, 1e-12);
  EXPECT_THROW(make_analytic_model("steel_bar", {{"elements", 2.5}}, {}), InputError);
  EXPECT_THROW(make_analytic_model("steel_bar", {{"elements", 0.0}}, {}), InputError);
  EXPECT_THROW(make_analytic_model("steel_bar", {}, {.friction = 0.1}), InputError);
}

model::AssembledSystem linear_structure(LinearDynamics dynamics, std::vector<model::RowContact> contacts) {
  const Vector q = Vector::Zero(dynamics.size());
  const auto body = std::make_shared<model::LinearBody>("rod", std::move(dynamics), Pose(),
                                                        std::vector<model::LinearBody::Frame>(), std::move(contacts));
  return model::AssembledSystem({.parts = {body}}, q);
}

TEST(LinearBody, DampsAndIsLoadedAsItsMatricesSay) {
  RodData rod;
  rod.elements = 5;
  rod.length = 1.0;
  rod.section = rod.density = 1.0;
  rod.youngs_modulus = 7.0;
  rod.mass_damping = 0.3;
  rod.stiffness_damping = 0.02;
  const StructureMatrices m = rod_matrices(rod);
  testing::Random random(3);
  const Vector f = random.vector(6, 1.0), q = random.vector(6, 1.0), v = random.vector(6, 1.0);
  const model::AssembledSystem structure = linear_structure(LinearDynamics(m, f), {});
  const DenseView at = view(structure, q, v);
  EXPECT_LE((at.h - (f - m.C * v - m.K * q)).norm(), 1e-13);
  EXPECT_LE((at.dh_dq + Matrix(m.K)).norm() + (at.dh_dv + Matrix(m.C)).norm(), 1e-15);
  EXPECT_NEAR(structure.kinetic_energy(0, q, v), 0.5 * v.dot(m.M * v), 1e-13);
  EXPECT_NEAR(structure.potential_energy(0, q), 0.5 * q.dot(m.K * q) - f.dot(q), 1e-13);
  EXPECT_NEAR(structure.other_power(0, q, v), -v.dot(m.C * v), 1e-13);
  EXPECT_FALSE(structure.features().contains(Feature::contacts));
}

// Rows over scattered coordinates, with tangents.
TEST(LinearBody, ContactRowsTouchAnyCoordinates) {
  RodData rod;
  rod.elements = 7;
  model::RowContact contact;
  contact.name = "edge";
  contact.gap = 0.25;
  contact.rows = {{{1, 2.0}, {2, -1.0}, {6, 0.5}}, {{3, 1.0}}, {{6, 4.0}}};
  contact.law = {.restitution = 0.2, .friction = 0.5};
  const model::AssembledSystem structure = linear_structure(LinearDynamics(rod_matrices(rod)), {contact, contact});
  testing::Random random(5);
  const Vector q = random.vector(8, 1.0), v = random.vector(8, 1.0);
  const DenseView at = view(structure, q, v);
  ASSERT_EQ(at.Wt.rows(), 6);
  Matrix expected = Matrix::Zero(3, 8);
  expected.row(0) << 0, 2, -1, 0, 0, 0, 0.5, 0;
  expected(1, 3) = 1.0;
  expected(2, 6) = 4.0;
  EXPECT_EQ(at.Wt.topRows(3), expected);
  EXPECT_EQ(at.Wt.bottomRows(3), expected);
  EXPECT_NEAR(at.g[3], 0.25 + expected.row(0).dot(q), 1e-15);
  EXPECT_EQ(at.g[1], 0.0);
  contact.rows.resize(1);
  EXPECT_THROW(linear_structure(LinearDynamics(rod_matrices(rod)), {contact}), InputError);
}

}  // namespace
}  // namespace carom
