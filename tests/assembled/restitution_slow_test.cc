// What a dropped sphere and a dropped box rebound with is what the law says, for any height and step: the largest
// relative speed after the first impact over that just before it.
#include <gtest/gtest.h>

#include <cmath>

#include "assembled/scene.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

// Runs until the first rebound; the speed after over the speed before.
double rebound(const Model& model, double dt) {
  double before = 0.0, ratio = NAN;
  const auto scheme = make_scheme("moreau_jean", {});
  const auto solver = make_solver("automatic");
  StepWorkspace workspace;
  StepResult result;
  State state = model.initial;
  scheme->start(*model.system, dt, state);
  for (int k = 0; k < 200000 && std::isnan(ratio); ++k) {
    before = state.v[2];
    scheme->step(*model.system, *solver, state, dt, workspace, result);
    EXPECT_EQ(result.status, StepStatus::ok);
    state = result.next;
    if (!result.impulse.empty() && state.v[2] > before) ratio = -state.v[2] / before;
  }
  return ratio;
}

TEST(Restitution, OfSphereAndBoxIsThatOfTheLaw) {
  for (const double dt : {1e-2, 1e-3, 1e-4})
    for (int k = 0; k < 50; ++k) {
      const double height = 0.02 + 0.037 * k, e = 0.5;
      for (const bool box : {false, true}) {
        testing::Scene scene({.restitution = e, .friction = 0.3});
        if (box)
          scene.add_box("box", {0.1, 0.1, 0.1}, {0, 0, 0.05 + height});
        else
          scene.add("ball", geometry::Sphere(0.05), {0, 0, 0.05 + height});
        EXPECT_NEAR(rebound(scene.m.build(), dt), e, 1e-9)
            << (box ? "box" : "sphere") << " from " << height << " m, step " << dt;
      }
    }
}

// Started 1 mm inside the floor: the start is brought out of it, and what is gained is the height alone; nothing hops.
TEST(Restitution, ABodyTakenOutOfTheFloorGainsNoEnergy) {
  testing::Scene scene({.restitution = 0.5, .friction = 0.3});
  scene.add("ball", geometry::Sphere(0.05), {0, 0, 0.049});
  scene.m.remove_overlaps(2e-3);
  const Model model = scene.m.build();
  EXPECT_NEAR(model.initial.q[2], 0.05, 1e-9);
  double highest = 0.0, fastest = 0.0;
  carom::testing::run(*model.system, model.initial, "moreau_jean", {}, 1e-3, 1000, [&](const StepResult& result) {
    highest = std::max(highest, result.next.q[2]);
    fastest = std::max(fastest, result.next.v.cwiseAbs().maxCoeff());
  });
  EXPECT_NEAR(highest, 0.05, 1e-9);
  EXPECT_LT(fastest, 1e-9);
}

}  // namespace
}  // namespace carom::model
