// A sphere thrown about between rough walls comes to a corner of two of them. There it can be pressed against both
// without moving: impulses along this direction mean nothing, and no scheme may let them grow from step to step.
// Tangential restitution makes both walls ask for other velocities until it has come to rest.
#include "batteries/battery.h"
#include "carom/model/multibody.h"

namespace carom::batteries {
namespace {

class Wedge : public EveryScheme {};

Model corner() {
  Multibody scene;
  scene.set_gravity({0, 0, -9.81});
  constexpr double wall = 0.810587317, radius = 0.102969021, mass = 2.28658;
  scene.add_plane({"front", {0, -wall, 0}, {0, 1, 0}});
  scene.add_plane({"right", {wall, 0, 0}, {-1, 0, 0}});
  scene.add_plane({"back", {0, wall, 0}, {0, -1, 0}});
  scene.set_default_contact(ContactParameters{.restitution = 0.0, .friction = 10.0, .tangential_restitution = 0.5});
  scene.add_body({.name = "ball",
                  .mass = mass,
                  .inertia = Vector3::Constant(0.4 * mass * radius * radius),
                  .position = {0.541082332, 0.562904524, 0.914763715},
                  .velocity = {6.33428422, 18.8587981, 2.05489133},
                  .spin = {-21.2410221, 42.9086078, 14.4107723},
                  .shape = Shape::sphere(radius)});
  return scene.build();
}

TEST_P(Wedge, HoldsNoImpulsesThatGrow) {
  CAROM_NEEDS_CONTACTS();
  const Model model = corner();
  if (untreated(entry(), *model.system)) GTEST_SKIP();
  SimulationOptions options{.t_end = 0.6, .dt = 1e-3};
  const SimulationSummary summary = simulate(*model.system, *scheme(), solver(), model.initial, options);
  EXPECT_EQ(summary.outcome, Outcome::finished) << summary.advice;
  EXPECT_LT(summary.audit.largest_normal_impulse, 100.0);  // the momentum it comes with is 46 N s
}

CAROM_FOR_EVERY_SCHEME(Wedge);

}  // namespace
}  // namespace carom::batteries
