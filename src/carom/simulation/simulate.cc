#include "carom/simulation/simulate.h"

#include "carom/simulation/stepper.h"

namespace carom::inline simulation {

namespace {

SimulationSummary run_to_the_end(Stepper& stepper, const System& system, Recorder* recorder) {
  while (stepper.step(recorder)) {
  }
  if (recorder) recorder->end(system, stepper.state());
  return stepper.summary();
}

}  // namespace

SimulationSummary simulate(const System& system, const Scheme& scheme, const InclusionSolver& solver,
                           const State& start, const SimulationOptions& options, Recorder* recorder) {
  Stepper stepper(system, scheme, solver, start, options);
  if (recorder) recorder->begin(system, stepper.state());
  return run_to_the_end(stepper, system, recorder);
}

SimulationSummary resume(const System& system, const Scheme& scheme, const InclusionSolver& solver,
                         const Checkpoint& checkpoint, const SimulationOptions& options, Recorder* recorder) {
  Stepper stepper(system, scheme, solver, checkpoint.state, options);
  stepper.restore(checkpoint);
  if (recorder) recorder->resume(system, checkpoint, stepper.auditor());
  return run_to_the_end(stepper, system, recorder);
}

}  // namespace carom::inline simulation
