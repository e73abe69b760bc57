// Threads change no bit of a run: a shaken pile ends in the same state for 1, 2, 4 and 8, and in the one that is stored
// (end_states.h; the same command renews it).
#include <random>

#include "batteries/end_states.h"
#include "carom/model/multibody_scenes.h"
#include "carom/schemes/scheme.h"
#include "carom/simulation/simulate.h"

namespace carom::batteries {
namespace {

// Touching spheres, each with a velocity of its own.
Model shaken_pile(std::array<Index, 3> counts) {
  constexpr double radius = 0.05;
  std::mt19937 random(5);
  const auto speed = [&] { return 0.2 * (static_cast<double>(random()) / 4294967296.0 - 0.5); };
  const MassProperties sphere = solid(Shape::sphere(radius), 1000.0);
  Multibody scene;
  scene.set_gravity({0.0, 0.0, -9.81});
  for (Index k = 0; k < counts[2]; ++k)
    for (Index j = 0; j < counts[1]; ++j)
      for (Index i = 0; i < counts[0]; ++i) {
        const double x = speed(), y = speed(), z = speed();
        scene.add_body({.name = fmt::format("ball_{}_{}_{}", i, j, k),
                        .mass = sphere.mass,
                        .inertia = sphere.inertia,
                        .position = radius * Vector3(2.0 * i + 1.0, 2.0 * j + 1.0, 2.0 * k + 1.0),
                        .velocity = {x, y, z},
                        .shape = Shape::sphere(radius)});
      }
  scene.add_plane({.name = "floor"});
  scene.add_plane({.name = "left", .normal = {1, 0, 0}});
  scene.add_plane({.name = "right", .point = {2.0 * radius * counts[0], 0, 0}, .normal = {-1, 0, 0}});
  scene.add_plane({.name = "front", .normal = {0, 1, 0}});
  scene.add_plane({.name = "back", .point = {0, 2.0 * radius * counts[1], 0}, .normal = {0, -1, 0}});
  scene.set_default_contact(ContactParameters{.restitution = 0.0, .friction = 0.5});
  return scene.build();
}

TEST(ShippedScenariosThreads, SameBitsForAnyNumber) {
  const Model pile = shaken_pile({7, 7, 6});
  const auto scheme = make_scheme("moreau_jean", {{"newton_tolerance", 1e-6}});
  EndStates stored;
  std::uint64_t of_one = 0;
  for (const double threads : {1.0, 2.0, 4.0, 8.0}) {
    const auto solver = make_solver("automatic", {{"tolerance", 1e-6}, {"threads", threads}});
    const SimulationSummary run = simulate(*pile.system, *scheme, *solver, pile.initial, {.t_end = 3e-3, .dt = 1e-3});
    ASSERT_EQ(run.outcome, Outcome::finished);
    EXPECT_GT(run.last.impulses.entries().size(), 450u);  // threads are used from 400 contacts on
    EXPECT_GT(run.solver_iterations, 100);
    if (threads == 1.0) of_one = hash_of(run.last);
    EXPECT_EQ(hash_of(run.last), of_one) << threads << " threads";
    stored.compare("threads_on_a_shaken_pile", run.last);
  }
}

}  // namespace
}  // namespace carom::batteries
