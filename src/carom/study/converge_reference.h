// The motion a convergence study measures against: the exact solution where the model has one, else a
// run with a step well below the finest of the study.
#pragma once

#include <string>

#include "carom/io/scenario.h"
#include "carom/study/norms.h"

namespace carom {

struct StudyReference {
  Motion motion;
  std::string description;  // "exact solution", "moreau_jean with step 1e-08 s"
  bool exact = false;
  bool complete = true;     // false: the reference run failed; the description says why
};

StudyReference exact_reference(const Scenario& scenario, double t_end, const Vector& weights);
StudyReference run_reference(const Scenario& scenario, const std::string& scheme, double dt, double t_end,
                             const Vector& weights);

}  // namespace carom
