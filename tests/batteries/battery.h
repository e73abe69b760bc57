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

inline std::string name_of(const ::testing::TestParamInfo<const SchemeEntry*>& info) { return info.param->name; }

#define CAROM_FOR_EVERY_SCHEME(fixture) \
  INSTANTIATE_TEST_SUITE_P(Schemes, fixture, ::testing::ValuesIn(scheme_registry().entries()), name_of)

inline const InclusionSolver& solver() {
  static const std::unique_ptr<InclusionSolver> automatic = make_solver("automatic");
  return *automatic;
}

// Steps of one length from the model's start; `look` sees every step. Fails the test if a step fails.
using Look = std::function<void(const State& before, const StepResult& result)>;
inline State take_steps(const Model& model, const Scheme& scheme, double dt, long steps, const Look& look = nullptr,
                        const InclusionSolver& contact_solver = solver()) {
  State state = model.initial;
  scheme.start(*model.system, dt, state);
  StepWorkspace workspace;
  StepResult result;
  for (long k = 0; k < steps; ++k) {
    scheme.step(*model.system, contact_solver, state, dt, workspace, result);
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
  if (!entry().treats.contains(Feature::contacts)) GTEST_SKIP() << "a scheme for joints only"

// Why batteries about steps leave event-driven schemes out; tests/schemes/event_driven*_test.cc holds them to their
// tolerances instead.
#define CAROM_NEEDS_ORDER() \
  if (entry().promises.event_driven) GTEST_SKIP() << "its error is set by tolerances, not by the step"

// What the scheme refuses, it is not tested on.
#define CAROM_SKIP_IF_REFUSED(model) \
  if (const auto why = refusal(entry(), *(model).system)) GTEST_SKIP() << *why

#define CAROM_SKIP_IF_IT_SINKS() \
  if (entry().promises.sinks) GTEST_SKIP() << "resting contacts sink, as its entry says"

#define CAROM_SKIP_IF_IT_ALTERNATES() \
  if (entry().promises.alternates)    \
  GTEST_SKIP() << "sticking velocities may alternate, as its entry says; see ConsistentEnergy"

// Contact parameters as near to the wanted ones as the scheme can treat.
inline ContactParameters treatable(const SchemeEntry& scheme, ContactParameters contact) {
  if (!scheme.treats.contains(Feature::friction)) contact.friction = 0.0;
  if (!scheme.treats.contains(Feature::inelastic)) contact.restitution = 1.0;
  return contact;
}

// A run in which contacts open and close, of a model the scheme can treat: the slider-crank in its guide; in an
// ideal guide for schemes that know joints only; a ball in a box for those that want a constant inertia.
struct Rattling {
  std::string name;
  Model model;
  double dt;
};
inline Rattling rattling(const SchemeEntry& scheme) {
  const ContactParameters contact = treatable(scheme, {.restitution = 0.4, .friction = 0.01});
  if (!scheme.treats.contains(Feature::contacts))
    return {"slider_crank_bilateral", make_analytic_model("slider_crank_bilateral", {}, {}), 1e-5};
  if (!scheme.treats.contains(Feature::variable_inertia))
    return {"ball_in_box", make_analytic_model("ball_in_box", {{"vx", 7.0}, {"gravity_angle", 0.7}}, contact), 1e-3};
  return {"slider_crank", make_analytic_model("slider_crank", {}, contact), 1e-5};
}

// The fitted order; errors at the level of rounding do not take part.
inline OrderFit order(const std::vector<double>& steps, const std::vector<double>& errors, double rounding = 1e-13) {
  return fit_order(steps, errors, std::vector<double>(steps.size(), rounding), 1.0);
}

}  // namespace carom::batteries
