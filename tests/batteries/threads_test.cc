// Threads change no bit of a run: a shaken pile ends in the same state for 1, 2, 4 and 8, and in the one that is stored
// (end_states.h; the same command renews it).
#include "batteries/end_states.h"
#include "carom/model/multibody_scenes.h"
#include "carom/schemes/scheme.h"
#include "carom/simulation/simulate.h"

namespace carom::batteries {
namespace {

TEST(ShippedScenariosThreads, SameBitsForAnyNumber) {
  SphereLattice lattice = touching_spheres({7, 7, 6});
  lattice.shaking = 0.1;
  const Model pile = spheres_in_box(lattice).build();
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
