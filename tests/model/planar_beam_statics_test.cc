// The planar beam against closed forms: cantilever, elastica, roll-up, eigenfrequencies; and no locking.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "model/beam_model.h"
#include "model/elastica.h"
#include "model/flexible_tools.h"

namespace carom {
namespace {

using namespace model;
using testing::PlanarBeamModel;
using testing::SpatialBeamModel;

using std::numbers::pi;
using testing::elastica;
using testing::Elastica;
using testing::find_equilibrium;
using testing::frequencies;

constexpr double L = 1.3, EI = 2.5, rho_A = 0.6;

PlanarBeamSpec cantilever(Index elements, double EA, double GA) {
  PlanarBeamSpec spec;
  spec.elements = elements;
  spec.length = L;
  spec.section = {.EA = EA, .GA = GA, .EI = EI, .rho_A = rho_A, .rho_I = 1e-5};
  spec.supports = {PlanarSupport::clamped(0)};
  return spec;
}

// Midpoint curvatures of a linear moment are exact, the deflection is their trapezoidal sum:
// w = P L^3 / (3 EI) (1 - 1 / (4 n^2)) + P L / GA.
TEST(PlanarBeamStatics, SmallDeflectionOfACantileverWithShear) {
  const double P = 1e-4, GA = 40.0;
  for (const Index n : {1, 3, 10}) {
    PlanarBeamSpec spec = cantilever(n, 1e3, GA);
    spec.loads = {{n, {0.0, P}, 0.0}};
    const PlanarBeamModel beam(spec);
    Vector q = beam.start().q;
    ASSERT_TRUE(find_equilibrium(beam, q));
    const double expected = P * L * L * L / (3.0 * EI) * (1.0 - 0.25 / (n * n)) + P * L / GA;
    EXPECT_NEAR(beam.node_position(q, n).y(), expected, 1e-7 * expected) << n;
  }
}

// Slenderness 10^4: with full integration the shear stiffness would hold such elements straight.
TEST(PlanarBeamStatics, ThinElementsDoNotLock) {
  const double thin = 12.0 * EI / (1e-4 * L * 1e-4 * L);
  const Index n = 4;
  PlanarBeamSpec spec = cantilever(n, thin, 0.4 * thin);
  spec.loads = {{n, {0.0, 1e-4}, 0.0}};
  const PlanarBeamModel beam(spec);
  Vector q = beam.start().q;
  ASSERT_TRUE(find_equilibrium(beam, q));
  const double expected = 1e-4 * L * L * L / (3.0 * EI) * (1.0 - 0.25 / (n * n));
  EXPECT_NEAR(beam.node_position(q, n).y(), expected, 1e-6 * expected);
}

TEST(PlanarBeamStatics, LargeTipLoadApproachesTheElasticaWithSecondOrder) {
  const double alpha = 10.0;  // P L^2 / EI
  const Elastica exact = elastica(alpha);
  EXPECT_NEAR(exact.deflection, 0.81061, 1e-5);  // Mattiasson 1981
  EXPECT_NEAR(1.0 - exact.reach, 0.55500, 1e-5);
  EXPECT_NEAR(exact.angle, 1.43029, 1e-5);
  double last = 0.0;
  for (const Index n : {10, 20, 40}) {
    Vector q;
    for (int step = 1; step <= 4; ++step) {
      PlanarBeamSpec spec = cantilever(n, 1e8, 1e8);
      spec.loads = {{n, {0.0, 0.25 * step * alpha * EI / (L * L)}, 0.0}};
      const PlanarBeamModel beam(spec);
      if (step == 1) q = beam.start().q;
      ASSERT_TRUE(find_equilibrium(beam, q));
      if (step < 4) continue;
      const Vector3 tip = beam.node_position(q, n) / L;
      const double error = std::hypot(tip.x() - exact.reach, tip.y() - exact.deflection);
      if (n > 10) {
        EXPECT_NEAR(std::log2(last / error), 2.0, 0.1) << n;
      }
      last = error;
    }
  }
  EXPECT_LE(last, 1.5e-3);
}

// An end moment 2 pi EI / L bends the beam into a full circle; its polygon closes for any number of elements.
TEST(PlanarBeamStatics, RollsUpIntoAFullCircle) {
  for (const Index n : {5, 16}) {
    Vector q;
    for (int step = 1; step <= 8; ++step) {
      PlanarBeamSpec spec = cantilever(n, 1e4, 5e3);
      spec.loads = {{n, {0.0, 0.0}, step / 8.0 * 2.0 * pi * EI / L}};
      const PlanarBeamModel beam(spec);
      if (step == 1) q = beam.start().q;
      ASSERT_TRUE(find_equilibrium(beam, q));
      if (step < 8) continue;
      EXPECT_LE(beam.node_position(q, n).norm(), 1e-10 * L);
      EXPECT_NEAR(beam.node_angle(q, n), 2.0 * pi, 1e-11);
      // Half way round lies the opposite corner of the polygon.
      if (n % 2 == 0) {
        EXPECT_NEAR(beam.node_position(q, n / 2).y(), L / n / std::sin(pi / n), 1e-10);
      }
    }
  }
}

// Hinged at both ends (one sliding): [GA k^2 - rho_A w^2, -GA k; -GA k, EI k^2 + GA - rho_I w^2] is singular
// with k = m pi / L.
TEST(PlanarBeamStatics, EigenfrequenciesOfAHingedTimoshenkoBeam) {
  PlanarBeamSpec spec = cantilever(1, 1e5, 200.0);
  spec.section.rho_I = 0.01;
  const auto exact = [&](int m) {
    const PlanarSection& s = spec.section;
    const double k = m * pi / L, a = s.rho_A * s.rho_I, b = s.rho_A * (s.EI * k * k + s.GA) + s.rho_I * s.GA * k * k,
                 c = s.GA * s.EI * k * k * k * k;
    return std::sqrt((b - std::sqrt(b * b - 4.0 * a * c)) / (2.0 * a));
  };
  Vector last;
  for (const Index n : {20, 40, 80}) {
    spec.elements = n;
    spec.supports = {PlanarSupport::hinged(0), {n, false, true, false}};
    const PlanarBeamModel beam(spec);
    const Vector w = frequencies(beam, beam.start().q);
    Vector error(3);
    for (int m = 1; m <= 3; ++m) error[m - 1] = w[m - 1] / exact(m) - 1.0;
    if (n > 20) {
      for (int m = 0; m < 3; ++m) EXPECT_NEAR(std::log2(std::abs(last[m] / error[m])), 2.0, 0.05);
    }
    last = error;
  }
  EXPECT_LE(last.cwiseAbs().maxCoeff(), 2e-3);
}

// cosh x cos x = -1: the first roots of a thin cantilever.
TEST(PlanarBeamStatics, EigenfrequenciesOfAThinCantilever) {
  const double roots[] = {1.8751040687, 4.6940911330, 7.8547574382};
  std::vector<Vector> w;
  for (const Index n : {20, 40, 80}) {
    PlanarBeamSpec spec = cantilever(n, 1e6, 1e6);
    spec.section.rho_I = 1e-6;
    const PlanarBeamModel beam(spec);
    w.push_back(frequencies(beam, beam.start().q).head(3));
  }
  for (int m = 0; m < 3; ++m) {
    const double exact = roots[m] * roots[m] / (L * L) * std::sqrt(EI / rho_A);
    EXPECT_NEAR(std::log2((w[0][m] - w[1][m]) / (w[1][m] - w[2][m])), 2.0, 0.1);
    EXPECT_NEAR(w[2][m], exact, 2e-3 * exact);
    EXPECT_NEAR(w[2][m] - (w[1][m] - w[2][m]) / 3.0, exact, 3e-4 * exact);  // extrapolated
  }
}

}  // namespace
}  // namespace carom
