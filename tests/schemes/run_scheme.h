// Runs a scheme on a model for a test: every step accepted must be ok.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "carom/schemes/scheme.h"

namespace carom::testing {

using Given = std::map<std::string, ParameterValue>;

inline State run(const System& system, const State& start, const std::string& scheme_name, const Given& given,
                 double dt, int steps, const std::function<void(const StepResult&)>& look = {}) {
  const std::unique_ptr<Scheme> scheme = make_scheme(scheme_name, given);
  const std::unique_ptr<InclusionSolver> solver = make_solver("automatic");
  StepWorkspace workspace;
  StepResult result;
  State state = start;
  scheme->start(system, dt, state);
  for (int k = 0; k < steps; ++k) {
    scheme->step(system, *solver, state, dt, workspace, result);
    EXPECT_EQ(result.status, StepStatus::ok)
        << scheme_name << " step " << k << ": " << to_text(result.status) << ", residual " << result.solver_residual
        << " of " << workspace.velocity.problem.rows() << " rows";
    if (look) look(result);
    state = result.next;
  }
  return state;
}

}  // namespace carom::testing
