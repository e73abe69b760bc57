// A moment of a run with all that was summed up on the way there. A copy is a checkpoint: a Stepper restored from it
// makes the bits of the run that was not interrupted.
#pragma once

#include <vector>

#include "carom/simulation/audit.h"
#include "carom/simulation/simulate.h"

namespace carom::inline simulation {

struct Checkpoint {
  State state;
  SimulationSummary so_far;    // its counts and events
  AuditMemory audit;           // empty if the run has none
  std::vector<double> inputs;  // in the order of SimulationOptions::inputs
};

// What a recorder was shown, as a checkpoint of the end of this step. The run must have an audit.
Checkpoint checkpoint_of(const StepView& view);

}  // namespace carom::inline simulation
