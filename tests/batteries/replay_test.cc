// The same run twice, and a run continued from a copied State with fresh memory, give the same bits.
#include "batteries/battery.h"
#include "carom/model/multibody_scenes.h"

namespace carom::batteries {
namespace {

class Replay : public EveryScheme {
 protected:
  struct Case {
    std::string name;
    Model model;
    double dt;
    long steps;
  };
  // Contacts open and close.
  Case crank() const {
    Rattling run = rattling(entry());
    // Integrators that begin anew in every step are slow in short ones.
    if (entry().promises.event_driven) return {run.name, std::move(run.model), 2e-4, 200};
    return {run.name, std::move(run.model), run.dt, 4000};
  }
  // Also with contacts that come and go, and quaternions.
  std::vector<Case> cases() const {
    std::vector<Case> all = {crank()};
    if (entry().promises.event_driven) return all;  // dense Jacobians: for mechanisms, not for heaps
    Model box = spheres_in_box({2, 2, 2}, {.restitution = 0.3, .friction = 0.5}).build();
    if (!refusal(entry(), *box.system)) all.push_back({"spheres", std::move(box), 2e-3, 200});
    return all;
  }
};

TEST_P(Replay, TheSameRunTwiceIsBitEqual) {
  const Case c = crank();
  long opened = 0;
  std::size_t contacts = 0;
  const State first = take_steps(c.model, *scheme(), c.dt, c.steps, [&](const State&, const StepResult& result) {
    if (result.contacts.size() != contacts) ++opened;
    contacts = result.contacts.size();
  });
  EXPECT_GE(opened, entry().treats.contains(Feature::contacts) ? 4 : 0) << c.name << ": contacts should open and close";
  EXPECT_TRUE(identical(first, take_steps(c.model, *scheme(), c.dt, c.steps))) << c.name;
}

TEST_P(Replay, ARunFromACopiedStateIsBitEqual) {
  const Case c = crank();
  const auto method = scheme();
  const System& system = *c.model.system;
  std::vector<State> checkpoints;
  long k = 0;
  const State end = take_steps(c.model, *method, c.dt, c.steps, [&](const State& before, const StepResult&) {
    if (k++ % (c.steps / 5) == 0) checkpoints.push_back(before);
  });
  for (std::size_t i = 1; i < checkpoints.size(); ++i) {
    State state = checkpoints[i];
    StepWorkspace workspace;
    StepResult result;
    for (long n = static_cast<long>(i) * (c.steps / 5); n < c.steps; ++n) {
      method->step(system, solver(), state, c.dt, workspace, result);
      std::swap(state, result.next);
    }
    EXPECT_TRUE(identical(state, end)) << c.name << " from checkpoint " << i;
  }
}

// Through the driver, with the audit on.
TEST_P(Replay, TheDriverContinuesBitEqual) {
  for (const Case& c : cases()) {
    SimulationOptions options;
    options.dt = c.dt;
    options.t_end = c.dt * static_cast<double>(c.steps);
    const SimulationSummary whole = simulate(*c.model.system, *scheme(), solver(), c.model.initial, options);
    ASSERT_EQ(whole.outcome, Outcome::finished) << whole.advice;
    SimulationOptions half = options;
    half.t_end = c.dt * static_cast<double>(c.steps / 3);
    const SimulationSummary first = simulate(*c.model.system, *scheme(), solver(), c.model.initial, half);
    const SimulationSummary second = simulate(*c.model.system, *scheme(), solver(), first.last, options);
    EXPECT_TRUE(identical(whole.last, second.last)) << c.name;
    EXPECT_EQ(whole.steps, first.steps + second.steps) << c.name;
  }
}

CAROM_FOR_EVERY_SCHEME(Replay);

}  // namespace
}  // namespace carom::batteries
