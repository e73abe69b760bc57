// A run taken step by step: for controllers, co-simulation, and whoever must look or act between two steps.
//
//   Stepper stepper(system, scheme, solver, start, {.t_end = 1.0, .dt = 1e-3});
//   while (stepper.step()) look_at(stepper.state());
//   const Checkpoint here = stepper.save();      // a value; restore() goes back, also in another stepper
//
// simulate() is this loop. A step that fails is halved, given up or kept as the options say; what cannot be gone on
// from ends the run. Inputs are numbers that forces of the model read (SimulationOptions::inputs): they change between
// steps only.
#pragma once

#include "carom/simulation/checkpoint.h"
#include "carom/simulation/simulate.h"
#include "carom/simulation/time_grid.h"

namespace carom::inline system {
class DiscreteState;
}

namespace carom::inline simulation {

class Stepper {
 public:
  Stepper(const System& system, const Scheme& scheme, const InclusionSolver& solver, const State& start,
          const SimulationOptions& options);
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  const State& state() const { return state_; }
  double t() const { return state_.t; }
  Outcome outcome() const { return summary_.outcome; }  // finished: nothing went wrong so far
  const SimulationSummary& so_far() const { return summary_; }
  const Auditor& auditor() const { return auditor_; }
  const StepAudit& step_audit() const { return step_audit_; }  // of the last step, or of the start
  // Of the last step made; null before the first and after restore().
  const StepResult* last_step() const { return stepped_ ? &result_ : nullptr; }

  // One step towards the end, or towards `until` if that is earlier: then the last step is shortened to end there.
  // Whoever is shown the step sees it before it becomes the state. False if none was made: the time is reached, or the
  // run failed or was interrupted.
  bool step(Recorder* recorder = nullptr);
  bool step_towards(double until, Recorder* recorder = nullptr);
  // Steps until the time is reached; false if it was not.
  bool advance(double until, Recorder* recorder = nullptr);

  // An input by its number in the options, from the next step on; what a scheme keeps of the force before stays.
  void set_input(std::size_t number, double value);

  Checkpoint save() const;
  void restore(const Checkpoint& checkpoint);

  // The summary of all that was done, judged.
  SimulationSummary summary() const;

 private:
  bool interrupted();
  bool take_step(const TimeGrid& grid);
  void attempt(double dt);
  const MissedContacts& look(const TimeGrid& grid);
  bool missed_a_contact(const TimeGrid& grid, bool can_halve);
  bool usable() const;
  bool accept(Recorder* recorder);
  void fail(double dt);
  void keep_problem(double dt);

  const System& system_;
  const Scheme& scheme_;
  const InclusionSolver& solver_;
  SimulationOptions options_;
  const DiscreteState* discrete_;  // null: nothing changes between steps
  TimeGrid grid_;
  State state_;
  StepWorkspace workspace_;
  StepResult result_;
  bool stepped_ = false;
  Auditor auditor_;
  StepAudit step_audit_;
  SimulationSummary summary_;
};

}  // namespace carom::inline simulation
