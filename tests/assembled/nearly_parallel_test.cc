// Two round bars that meet nearly parallel: where they touch runs along them by many times what they move, and the
// passes of a theta step, which ask for the directions at its end, circle (schemes/theta/held_directions.h).
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>

#include "assembled/scene.h"
#include "carom/base/rotation.h"
#include "carom/simulation/simulate.h"

namespace carom::testing {
namespace {

// 60 pairs at random, angles from 0.003 to 0.3 rad, at rest against each other and spinning. Without held directions 34
// steps of Moreau and Jean's scheme in 1,800 fail and are halved.
TEST(NearlyParallelBars, MeetWithoutAFailedStepAndWithoutGainOfEnergy) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> share(-1.0, 1.0);
  const auto vector = [&](double size) -> Vector3 {
    return size * Vector3(share(random), share(random), share(random));
  };
  for (int pair = 0; pair < 60; ++pair) {
    carom::testing::Scene scene({.friction = 0.4});
    const double angle = std::pow(10.0, -1.5 + share(random)), height = 0.3, spin = pair % 3 == 0 ? 0.0 : 20.0;
    const Eigen::Quaterniond lying(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3::UnitY()));
    const Eigen::Quaterniond turned = Eigen::AngleAxisd(angle, Vector3::UnitZ()) * lying;
    const auto turn = [](const Eigen::Quaterniond& q) { return Quaternion(q.w(), q.x(), q.y(), q.z()); };
    scene.add("under", geometry::Cylinder(0.028, 0.045), {0, 0, height}, {0, 0, 1.0 + share(random)}, turn(lying),
              vector(0.15 * spin));
    scene.add("over", geometry::Capsule(0.025, 0.03), {0.01 * share(random), 0.005 * share(random), height + 0.056},
              {0.2 * share(random), 0.2 * share(random), -2.0}, turn(turned), vector(spin));
    const Model model = scene.m.build();
    SimulationOptions options;
    options.dt = 1e-3;
    options.t_end = 0.03;
    const SimulationSummary summary =
        simulate(*model.system, *make_scheme("moreau_jean"), *make_solver("automatic", {{"tolerance", 1e-10}}),
                 model.initial, options);
    EXPECT_EQ(summary.outcome, Outcome::finished) << pair << ' ' << summary.advice;
    EXPECT_EQ(summary.failed_steps, 0) << pair << " at " << angle << " rad";
    // Rounding, and what W at the end in place of the middle of a step leaves: a hundredth of what is turned over.
    EXPECT_LT(summary.audit.largest_rise, 1e-2 * summary.audit.energy_scale) << pair << " at " << angle << " rad";
    EXPECT_LT(summary.audit.end_energy, summary.audit.start_energy) << pair;
  }
}

}  // namespace
}  // namespace carom::testing
