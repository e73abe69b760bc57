// What the batteries share. They run over the registry of schemes, so that a newcomer is held to what its
// entry declares without a line being written here.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "carom/model/analytic/analytic_model.h"
#include "carom/simulation/simulate.h"
#include "carom/study/norms_fit.h"

namespace carom::batteries {

// A test for every scheme of the registry; its name is the scheme's.
class EveryScheme : public ::testing::TestWithParam<const SchemeEntry*> {
 protected:
  const SchemeEntry& entry() const { return *GetParam(); }
  std::unique_ptr<Scheme> scheme() const { return make_scheme(entry().name); }
};

inline std::string name_of(const ::testing::TestParamInfo<const SchemeEntry*>& info) {
  return info.param->name;
}

#define CAROM_FOR_EVERY_SCHEME(fixture) \
  INSTANTIATE_TEST_SUITE_P(Schemes, fixture, ::testing::ValuesIn(schemes().entries()), name_of)

inline const InclusionSolver& solver() {
  static const std::unique_ptr<InclusionSolver> automatic = make_solver("automatic");
  return *automatic;
}

// Steps of one length from the model's start; `look` sees every step. Fails the test if a step fails.
using Look = std::function<void(const State& before, const StepResult& result)>;
inline State take_steps(const Model& model, const Scheme& scheme, double dt, long steps, const Look& look = nullptr) {
  State state = model.initial;
  scheme.start(*model.system, dt, state);
  StepWorkspace workspace;
  StepResult result;
  for (long k = 0; k < steps; ++k) {
    scheme.step(*model.system, solver(), state, dt, workspace, result);
    if (result.status != StepStatus::ok) {
      ADD_FAILURE() << "step " << k << ": " << to_text(result.status);
      return state;
    }
    if (look) look(state, result);
    std::swap(state, result.next);
  }
  return state;
}

// A scheme for joints only has no business in this test.
#define CAROM_NEEDS_CONTACTS() \
  if (!entry().contacts) GTEST_SKIP() << "a scheme for joints only"

// Why batteries about steps leave event-driven schemes out; tests/schemes/event_driven*_test.cc holds them to their
// tolerances instead.
#define CAROM_NEEDS_ORDER() \
  if (entry().event_driven) GTEST_SKIP() << "its error is set by tolerances, not by the step"

// The slider-crank in its guide; without friction for schemes that cannot treat it, and in an ideal guide for
// those that know joints only.
inline Model slider_crank(const SchemeEntry& scheme, double friction = 0.01) {
  if (!scheme.contacts) return make_analytic_model("slider_crank_bilateral", {}, {});
  return make_analytic_model("slider_crank", {},
                             {.restitution = 0.4, .friction = scheme.friction ? friction : 0.0});
}

// The fitted order; errors at the level of rounding do not take part.
inline OrderFit order(const std::vector<double>& steps, const std::vector<double>& errors, double rounding = 1e-13) {
  return fit_order(steps, errors, std::vector<double>(steps.size(), rounding), 1.0);
}

}  // namespace carom::batteries
