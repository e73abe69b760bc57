// Infinite and undefined numbers at the start, and masses beyond all measure, end with a status: never with a crash,
// never with a run that claims to have finished.
#include <limits>

#include "batteries/battery.h"
#include "carom/model/multibody_scenes.h"

namespace carom::batteries {
namespace {

class BrokenNumbers : public EveryScheme {};

SimulationSummary run(const Model& model, const SchemeEntry& entry, const State& start, double dt) {
  SimulationOptions options;
  options.dt = dt;
  options.t_end = 5.0 * dt;
  return simulate(*model.system, *make_scheme(entry.name), solver(), start, options);
}

TEST_P(BrokenNumbers, EndWithAStatus) {
  CAROM_NEEDS_ORDER();
  const Rattling r = rattling(entry());
  for (const double broken :
       {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(), std::nan("")})
    for (const bool velocity : {true, false}) {
      State start = r.model.initial;
      (velocity ? start.v : start.q)[0] = broken;
      EXPECT_EQ(run(r.model, entry(), start, r.dt).outcome, Outcome::failed)
          << broken << (velocity ? " in v" : " in q");
    }
}

// Bodies whose masses differ by 300 decades, linked and on the floor: singular to any arithmetic. Failed or not, the
// last state is made of numbers, and near where it began: five steps of gravity move nothing by a millimetre.
TEST_P(BrokenNumbers, MassesBeyondMeasureDoNoHarm) {
  CAROM_NEEDS_ORDER();
  for (const double mass : {1e-300, 1e300}) {
    Multibody scene;
    scene.set_gravity({0, 0, -9.81});
    scene.add_plane({.name = "floor"});
    scene.set_default_contact(treatable(entry(), {.restitution = 0.5, .friction = 0.3}));
    scene.add_body({.name = "a",
                    .mass = 1,
                    .inertia = Vector3::Constant(4e-3),
                    .position = {0, 0, 0.1},
                    .shape = Shape::sphere(0.1)});
    scene.add_body({.name = "b",
                    .mass = mass,
                    .inertia = Vector3::Constant(4e-3),
                    .position = {0.3, 0, 0.1},
                    .shape = Shape::sphere(0.1)});
    scene.add_joint({.name = "link", .a = "a", .b = "b", .point = Vector3(0.15, 0, 0.1)});
    const Model model = scene.build();
    CAROM_SKIP_IF_REFUSED(model);
    const SimulationSummary summary = run(model, entry(), model.initial, 1e-3);
    EXPECT_TRUE(summary.last.q.allFinite() && summary.last.v.allFinite()) << mass;
    if (summary.outcome == Outcome::failed) continue;
    EXPECT_LT((summary.last.q - model.initial.q).cwiseAbs().maxCoeff(), 1e-3) << mass;
  }
}

CAROM_FOR_EVERY_SCHEME(BrokenNumbers);

}  // namespace
}  // namespace carom::batteries
