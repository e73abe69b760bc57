// Bodies sliding to rest on a plane: no lift, no hop, and the exact stop up to O(dt).
#pragma once

#include "batteries/battery.h"
#include "carom/model/multibody_scenes.h"

namespace carom::batteries {

struct SlidingOutcome {
  double largest_gap = 0;  // over all contacts and steps, either sign
  double stop_time = 0, distance = 0;
};

inline double largest_gap(const System& system, const State& state, ContactSet& contacts, Evaluation& evaluation) {
  system.detect(state.t, state.q, state.v, 0.0, contacts);
  ActiveSet all;
  all.reset(contacts);
  for (Index k = 0; k < contacts.size(); ++k)
    if (!contacts[k].bilateral) all.add(k);
  EXPECT_GT(all.size(), 0) << "the body left the floor";
  if (all.empty()) return INFINITY;
  system.evaluate(state.t, state.q, state.v, Need::gap, all, evaluation);
  double largest = 0;
  Index row = 0;
  for (Index k = 0; k < all.size(); ++k) {
    largest = std::max(largest, std::abs(evaluation.g[row]));
    row += all.constraint(k).law->dim();
  }
  return largest;
}

inline SlidingOutcome slide(const Model& model, const Scheme& scheme, double dt, double t_end) {
  SlidingOutcome outcome;
  ContactSet contacts;
  Evaluation evaluation;
  const State end = take_steps(model, scheme, dt, std::lround(t_end / dt), [&](const State&, const StepResult& result) {
    outcome.largest_gap = std::max(outcome.largest_gap, largest_gap(*model.system, result.next, contacts, evaluation));
    if (std::abs(result.next.v[0]) > 1e-9) outcome.stop_time = result.next.t;
  });
  outcome.distance = end.q[0] - model.initial.q[0];
  return outcome;
}

// For v0 = 2 m/s.
inline void expect_clean_slide(const Model& model, const Scheme& scheme, double mu, double dt) {
  SCOPED_TRACE(fmt::format("mu {} step {}", mu, dt));
  const double g = 9.81, v0 = 2.0;
  const double stop = v0 / (mu * g), distance = v0 * v0 / (2.0 * mu * g);
  const SlidingOutcome outcome = slide(model, scheme, dt, stop + 10.0 * dt);
  EXPECT_LE(outcome.largest_gap, 1e-12);
  EXPECT_NEAR(outcome.stop_time, stop, 1.5 * dt);
  EXPECT_NEAR(outcome.distance, distance, v0 * dt);
}

}  // namespace carom::batteries
