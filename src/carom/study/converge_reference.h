// The motion a convergence study measures against: the exact solution where the model has one, else a
// run with a step well below the finest of the study.
#pragma once

#include <atomic>
#include <string>

#include "carom/io/scenario.h"
#include "carom/study/norms.h"

namespace carom::inline study {

struct StudyReference {
  Motion motion;
  std::string description;  // "exact solution", "moreau_jean with step 1e-08 s"
  bool exact = false;
  bool complete = true;  // false: the reference run failed; the description says why
};

// From the time of `start` to t_end.
StudyReference exact_reference(const Scenario& scenario, const State& start, double t_end, const Vector& weights);
StudyReference run_reference(const Scenario& scenario, const State& start, const std::string& scheme, double dt,
                             double t_end, const Vector& weights, const std::atomic<bool>* interrupt);

// Where a run from the scenario's start is at time t, as the start of another.
struct ReachedState {
  State state;
  std::string trouble;  // why there is none
};
ReachedState run_to(const Scenario& scenario, const std::string& scheme, double dt, double t,
                    const std::atomic<bool>* interrupt);

}  // namespace carom::inline study
