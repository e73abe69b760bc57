// The memory of a step, kept from step to step so that nothing is allocated once it has grown.
#pragma once

#include "carom/base/iteration_matrix.h"
#include "carom/inclusion/delassus_factory.h"
#include "carom/inclusion/inclusion_solver.h"
#include "carom/system/system.h"

namespace carom {

// One inclusion problem with everything it is solved with.
struct InclusionWork {
  DelassusFactory factory;
  InclusionProblem problem;
  InclusionResult result;
  SolverWorkspace solver;
};

struct StepWorkspace {
  ContactSet contacts;
  ActiveSet all, active, none;
  Evaluation at_0, at_theta, at_1;
  IterationMatrix A;   // of the velocity problem
  IterationMatrix N;   // metric of the position projection
  InclusionWork velocity, position;
  Vector v_theta, q_theta, residual_force, dv, dq, q_bar;
  Buffer gamma, gamma_minus, forecast;
  std::vector<Index> indices, row_counts;
  std::vector<char> flags;
};

}  // namespace carom
