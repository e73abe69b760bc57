// The spatial beam against closed forms: cantilever in two planes, twist, elastica, roll-up, eigenfrequencies; and
// no locking.
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

constexpr double L = 1.3;

// Along an oblique direction, so that no axis of the world is special.
SpatialBeamSpec cantilever(Index elements) {
  SpatialBeamSpec spec;
  spec.elements = elements;
  spec.length = L;
  spec.section = {.EA = 1e4,
                  .GA_2 = 40.0,
                  .GA_3 = 60.0,
                  .GJ = 1.5,
                  .EI_2 = 4.0,
                  .EI_3 = 2.5,
                  .rho_A = 0.6,
                  .rho_J = {1e-3, 1e-3, 1e-3}};
  spec.orientation = quaternion_exp({0.3, -0.5, 0.9});
  spec.supports = {SpatialSupport::clamped(0)};
  return spec;
}
Matrix3 frame() { return rotation_matrix(quaternion_exp({0.3, -0.5, 0.9})); }

TEST(SpatialBeamStatics, SmallDeflectionInBothPlanesAndTwist) {
  const Index n = 6;
  const double P = 1e-4, M = 1e-4;
  SpatialBeamSpec spec = cantilever(n);
  spec.loads = {{n, frame() * Vector3(0.0, P, 2.0 * P), frame() * Vector3(M, 0.0, 0.0)}};
  const SpatialBeamModel beam(spec);
  Vector q = beam.start().q;
  ASSERT_TRUE(find_equilibrium(beam, q));
  const Vector3 tip = frame().transpose() * beam.node_position(q, n);
  const double bent = L * L * L / 3.0 * (1.0 - 0.25 / (n * n));
  EXPECT_NEAR(tip.y(), P * (bent / 2.5 + L / 40.0), 1e-4 * tip.y());
  EXPECT_NEAR(tip.z(), 2.0 * P * (bent / 4.0 + L / 60.0), 1e-4 * tip.z());
  const Vector3 turn =
      quaternion_log(quaternion_product(quaternion_conjugate(spec.orientation), beam.node_orientation(q, n)));
  EXPECT_NEAR(turn.x(), M * L / 1.5, 1e-4 * turn.x());
}

TEST(SpatialBeamStatics, ThinElementsDoNotLock) {
  const Index n = 4;
  SpatialBeamSpec spec = cantilever(n);
  spec.section.EA = spec.section.GA_2 = spec.section.GA_3 = 12.0 * 2.5 / (1e-4 * L * 1e-4 * L);
  spec.loads = {{n, frame() * Vector3(0.0, 1e-4, 0.0), Vector3::Zero()}};
  const SpatialBeamModel beam(spec);
  Vector q = beam.start().q;
  ASSERT_TRUE(find_equilibrium(beam, q));
  const double expected = 1e-4 * L * L * L / (3.0 * 2.5) * (1.0 - 0.25 / (n * n));
  EXPECT_NEAR((frame().transpose() * beam.node_position(q, n)).y(), expected, 1e-5 * expected);
}

TEST(SpatialBeamStatics, LargeTipLoadApproachesTheElasticaWithSecondOrder) {
  const double alpha = 10.0;
  const Elastica exact = elastica(alpha);
  double last = 0.0;
  for (const Index n : {10, 20, 40}) {
    Vector q;
    for (int step = 1; step <= 4; ++step) {
      SpatialBeamSpec spec = cantilever(n);
      spec.section.EA = spec.section.GA_2 = spec.section.GA_3 = 1e8;
      spec.loads = {{n, frame() * Vector3(0.0, 0.25 * step * alpha * 2.5 / (L * L), 0.0), Vector3::Zero()}};
      const SpatialBeamModel beam(spec);
      if (step == 1) q = beam.start().q;
      ASSERT_TRUE(find_equilibrium(beam, q));
      if (step < 4) continue;
      const Vector3 tip = frame().transpose() * beam.node_position(q, n) / L;
      const double error = (tip - Vector3(exact.reach, exact.deflection, 0.0)).norm();
      if (n > 10) {
        EXPECT_NEAR(std::log2(last / error), 2.0, 0.1) << n;
      }
      last = error;
    }
  }
  EXPECT_LE(last, 1.5e-3);
}

// Two full turns of an end moment about an oblique axis of the section plane: for equal
// stiffnesses in all its directions.
TEST(SpatialBeamStatics, RollsUpIntoAFullCircle) {
  const Index n = 12;
  const Vector3 axis = frame() * Vector3(0.0, 0.6, 0.8);
  Vector q;
  for (int step = 1; step <= 32; ++step) {
    SpatialBeamSpec spec = cantilever(n);
    spec.section.EI_2 = spec.section.EI_3 = 2.5;
    spec.section.GA_2 = spec.section.GA_3 = 40.0;
    spec.loads = {{n, Vector3::Zero(), step / 16.0 * 2.0 * pi * 2.5 / L * axis}};
    const SpatialBeamModel beam(spec);
    if (step == 1) q = beam.start().q;
    ASSERT_TRUE(find_equilibrium(beam, q)) << step;
    if (step % 16 != 0) continue;
    EXPECT_LE(beam.node_position(q, n).norm(), 1e-9 * L);
    const Matrix3 R = rotation_matrix(beam.node_orientation(q, n));
    EXPECT_LE((R - frame()).norm(), 1e-9);
  }
}

// Bending in both planes, torsion and stretch of a free-clamped rod, each against its own closed form.
TEST(SpatialBeamStatics, EigenfrequenciesOfACantilever) {
  const double root = 1.8751040687;
  SpatialBeamSpec spec = cantilever(40);
  spec.section.EA = spec.section.GA_2 = spec.section.GA_3 = 1e5;
  spec.section.GJ = 0.08;
  spec.section.rho_J = {1e-3, 1e-5, 1e-5};
  const SpatialBeamModel beam(spec);
  const Vector w = frequencies(beam, beam.start().q);
  const auto bending = [&](double EI) { return root * root / (L * L) * std::sqrt(EI / 0.6); };
  const auto nearest = [&](double exact) { return (w.array() - exact).abs().minCoeff() / exact; };
  EXPECT_LE(nearest(bending(2.5)), 1e-3);
  EXPECT_LE(nearest(bending(4.0)), 1e-3);
  EXPECT_LE(nearest(0.5 * pi / L * std::sqrt(0.08 / 1e-3)), 1e-3);  // torsion
  EXPECT_LE(nearest(0.5 * pi / L * std::sqrt(1e5 / 0.6)), 1e-3);    // stretch
}

}  // namespace
}  // namespace carom
