// Modes and reduced bodies against the dense eigenproblem and closed forms.
#include "carom/model/flexible/modal_reduction.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>

#include "carom/base/errors.h"
#include "carom/model/model.h"
#include "carom/model/parts/linear_body_spec.h"
#include "model/dense_view.h"

namespace carom {
namespace {

using namespace model;

using Sparse = Eigen::SparseMatrix<double>;
using testing::DenseView;
using testing::view;

// A rod of n elements, unit length and material, consistent mass; both ends free, or the last one held.
struct Rod {
  Sparse M, K;

  Rod(Index n, bool held) {
    const double l = 1.0 / n;
    const Index size = held ? n : n + 1;
    std::vector<Eigen::Triplet<double>> m, k;
    for (Index e = 0; e < n; ++e)
      for (const Index i : {e, e + 1})
        for (const Index j : {e, e + 1})
          if (i < size && j < size) {
            m.emplace_back(i, j, (i == j ? 2.0 : 1.0) * l / 6.0);
            k.emplace_back(i, j, (i == j ? 1.0 : -1.0) / l);
          }
    M.resize(size, size);
    K.resize(size, size);
    M.setFromTriplets(m.begin(), m.end());
    K.setFromTriplets(k.begin(), k.end());
  }
};

TEST(ModalReduction, ModesAreThoseOfTheDenseProblem) {
  for (const bool held : {true, false}) {
    const Rod rod(60, held);
    const Index modes = 8;
    const ModalBasis basis = modal_basis(rod.M, rod.K, modes);
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> dense{Matrix(rod.K), Matrix(rod.M)};
    ASSERT_EQ(basis.Phi.cols(), modes);
    for (Index k = 0; k < modes; ++k) {
      const double exact = std::max(0.0, dense.eigenvalues()[k]);
      EXPECT_NEAR(basis.frequencies[k] * basis.frequencies[k], exact, 1e-9 * (1.0 + exact)) << held << k;
    }
    const Matrix identity = basis.Phi.transpose() * (rod.M * basis.Phi);
    EXPECT_LE((identity - Matrix::Identity(modes, modes)).norm(), 1e-9);
  }
}

// Held at one end: w_k = (k - 1/2) pi.
TEST(ModalReduction, FrequenciesOfALongRodApproachTheContinuum) {
  const Rod rod(2000, true);
  const ModalBasis basis = modal_basis(rod.M, rod.K, 5);
  for (Index k = 0; k < 5; ++k) {
    const double exact = (k + 0.5) * std::numbers::pi;
    EXPECT_NEAR(basis.frequencies[k], exact, 3e-5 * exact);
  }
}

// With the correction the static deflection at the contact is exact: 1 / (EA / L) = 1 at the free end.
TEST(ModalReduction, StaticCorrectionMakesTheComplianceExact) {
  const Rod rod(60, true);
  const Vector f = Vector::Unit(60, 0);
  const auto compliance = [&](const ModalBasis& basis) {
    double sum = 0.0;
    for (Index k = 0; k < basis.Phi.cols(); ++k) sum += std::pow(basis.Phi.col(k).dot(f) / basis.frequencies[k], 2);
    return sum;
  };
  EXPECT_LE(compliance(modal_basis(rod.M, rod.K, 4)), 0.96);
  const ModalBasis corrected = modal_basis(rod.M, rod.K, 4, {f});
  ASSERT_EQ(corrected.Phi.cols(), 5);
  EXPECT_NEAR(compliance(corrected), 1.0, 1e-10);
  EXPECT_LE((corrected.Phi.transpose() * (rod.M * corrected.Phi) - Matrix::Identity(5, 5)).norm(), 1e-10);
  // The same direction twice adds one mode, not two.
  EXPECT_EQ(modal_basis(rod.M, rod.K, 4, {f, f}).Phi.cols(), 5);
}

TEST(ModalReduction, AllModesAreTheBodyItself) {
  const Rod rod(6, false);
  LinearBodySpec spec;
  spec.M = rod.M;
  spec.K = rod.K;
  spec.velocity = Vector::LinSpaced(7, -1.0, 0.5);
  spec.force = Vector::LinSpaced(7, 0.2, -0.1);
  spec.damping = {0.3, 0.01};
  spec.contacts = {{"wall", 2, -1.0, 0.1, {}, {}}};
  const Model full = make_linear_body(spec);
  spec.modes = 7;
  const Model modal = make_linear_body(spec);
  const auto energy = [](const Model& m) {
    return m.system->energetics()->kinetic_energy(0, m.initial.q, m.initial.v);
  };
  EXPECT_NEAR(energy(modal), energy(full), 1e-12 * energy(full));
  const DenseView a = view(*full.system, full.initial.q, full.initial.v);
  const DenseView b = view(*modal.system, modal.initial.q, modal.initial.v);
  EXPECT_NEAR((b.Wt * modal.initial.v)[0], (a.Wt * full.initial.v)[0], 1e-12);
  EXPECT_NEAR((a.Wt * a.M.ldlt().solve(a.h))[0], (b.Wt * b.M.ldlt().solve(b.h))[0], 1e-10);
  EXPECT_NEAR((a.Wt * a.M.ldlt().solve(a.Wt.transpose()))(0, 0), (b.Wt * b.M.ldlt().solve(b.Wt.transpose()))(0, 0),
              1e-10);
  EXPECT_EQ(a.g[0], b.g[0]);
}

TEST(ModalReduction, RefusesMatricesThatAreNone) {
  Rod rod(4, true);
  EXPECT_THROW(modal_basis(rod.M, rod.K, 9), InputError);
  EXPECT_THROW(modal_basis(-rod.M, rod.K, 2), InputError);
  Sparse skewed = rod.K;
  skewed.coeffRef(0, 1) += 1.0;
  EXPECT_THROW(modal_basis(rod.M, skewed, 2), InputError);
}

}  // namespace
}  // namespace carom
