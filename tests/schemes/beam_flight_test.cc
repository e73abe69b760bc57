// A flexible beam thrown into free flight keeps its momenta. The midpoint rule (moreau_jean with theta = 1/2) keeps
// them to the accuracy of its Newton iteration in the plane, where they are quadratic in positions and
// velocities; in space the angular momentum is kept to second order in the step.
#include <gtest/gtest.h>

#include <cmath>

#include "model/beam_model.h"
#include "schemes/run_scheme.h"

namespace carom {
namespace {

using namespace model;
using testing::PlanarBeamModel;
using testing::SpatialBeamModel;

TEST(BeamFlight, InThePlaneTheMidpointRuleKeepsBothMomenta) {
  PlanarBeamSpec spec;
  spec.elements = 6;
  spec.section = {.EA = 2e3, .GA = 8e2, .EI = 1.0, .rho_A = 0.5, .rho_I = 1e-3};
  spec.velocity = {1.0, 2.0};
  spec.spin = 6.0;
  const PlanarBeamModel beam(spec);
  State start = beam.start();
  for (Index node = 0; node < beam.node_count(); ++node)  // bending sets in
    start.v[3 * node + 1] += 3.0 * std::sin(3.0 * node / beam.element_count());
  const PlanarBeam::Momentum before = beam.momentum(start.q, start.v);
  const State end = testing::run(beam, start, "moreau_jean", {{"newton_tolerance", 1e-13}}, 1e-3, 500);
  const PlanarBeam::Momentum after = beam.momentum(end.q, end.v);
  EXPECT_LE((after.linear - before.linear).norm(), 1e-11 * before.linear.norm());
  EXPECT_NEAR(after.angular, before.angular, 1e-11 * std::abs(before.angular));
  const double moved = std::abs(beam.node_angle(end.q, 0) - beam.node_angle(end.q, 6));
  EXPECT_GT(moved, 0.01);  // it did bend
}

TEST(BeamFlight, InSpaceAngularMomentumIsKeptToSecondOrder) {
  SpatialBeamSpec spec;
  spec.elements = 4;
  spec.section = {.EA = 2e3,
                  .GA_2 = 8e2,
                  .GA_3 = 8e2,
                  .GJ = 0.7,
                  .EI_2 = 1.0,
                  .EI_3 = 1.5,
                  .rho_A = 0.5,
                  .rho_J = {2e-3, 1e-3, 1e-3}};
  spec.velocity = {1.0, 2.0, -0.5};
  spec.spin = {1.0, 3.0, 4.0};
  const SpatialBeamModel beam(spec);
  State start = beam.start();
  for (Index node = 0; node < beam.node_count(); ++node) {
    start.v[6 * node + 1] += 2.0 * std::sin(3.0 * node / beam.element_count());
    start.v[6 * node + 3] += 4.0 * node;
  }
  const SpatialBeam::Momentum before = beam.momentum(start.q, start.v);
  double last = 0.0;
  for (const int steps : {200, 400, 800}) {
    const State end = testing::run(beam, start, "moreau_jean", {{"newton_tolerance", 1e-12}}, 0.2 / steps, steps);
    const SpatialBeam::Momentum after = beam.momentum(end.q, end.v);
    EXPECT_LE((after.linear - before.linear).norm(), 1e-9 * before.linear.norm());
    const double error = (after.angular - before.angular).norm() / before.angular.norm();
    if (last > 0.0) {
      EXPECT_NEAR(std::log2(last / error), 2.0, 0.15);
    }
    last = error;
    for (Index node = 0; node < beam.node_count(); ++node)
      EXPECT_NEAR(beam.node_orientation(end.q, node).norm(), 1.0, 1e-13);
  }
  EXPECT_LE(last, 1e-3);
}

// From rest nothing but rounding is left of the stiff forces of a steel beam: the Newton iteration must end there.
TEST(BeamFlight, StiffBeamStartsFromRest) {
  PlanarBeamSpec spec;
  spec.elements = 100;
  spec.section = {.EA = 2.1e7, .GA = 6.7e6, .EI = 175.0, .rho_A = 0.78, .rho_I = 6.5e-6};
  spec.gravity = {0.0, -10.0};
  spec.supports = {PlanarSupport::hinged(0)};
  const PlanarBeamModel beam(spec);
  int iterations = 0;
  testing::run(beam, beam.start(), "moreau_jean", {}, 1e-5, 50,
               [&](const StepResult& result) { iterations += result.newton_iterations; });
  EXPECT_LE(iterations, 3 * 50);
}

}  // namespace
}  // namespace carom
