// Sticking contacts that contradict each other: what the generalized-alpha schemes share between them is counted in the
// summary, with the worst case, above 1e-9. A block that rocks on both corners with restitution has such steps; without
// restitution nothing contradicts, and the other schemes share nothing.
#include "batteries/battery.h"

namespace carom::batteries {
namespace {

SimulationSummary rocking_block(const char* scheme, double e) {
  const Model model = make_analytic_model("rocking_block", {{"y", 0.76}, {"angle", 0.01}, {"rate", 0.0}},
                                          {.restitution = e, .friction = 0.4});
  return simulate(*model.system, *make_scheme(scheme), solver(), model.initial,
                  SimulationOptions{.t_end = 1.0, .dt = 1e-3});
}

TEST(Contradictions, OfStickingContactsAreCounted) {
  const SimulationSummary summary = rocking_block("nonsmooth_generalized_alpha", 0.8);
  EXPECT_EQ(summary.outcome, Outcome::finished);
  EXPECT_GT(summary.contradicting_steps, 0);
  EXPECT_LT(summary.contradicting_steps, 100);
  EXPECT_GT(summary.worst_contradiction, told_contradiction);
  EXPECT_LE(summary.worst_contradiction, 1e-3);  // more is no solution
  EXPECT_GT(summary.worst_contradiction_time, 0.0);
}

TEST(Contradictions, AreNotCountedWhereThereAreNone) {
  for (const auto& summary : {rocking_block("nonsmooth_generalized_alpha", 0.0), rocking_block("moreau_jean", 0.8)}) {
    EXPECT_EQ(summary.outcome, Outcome::finished);
    EXPECT_EQ(summary.contradicting_steps, 0);
    EXPECT_EQ(summary.worst_contradiction, 0.0);
  }
}

}  // namespace
}  // namespace carom::batteries
