// The driver: steps a scheme from start to end, decides what happens when a step fails, keeps the
// energy and constraint audit, and shows every accepted step to a recorder. It opens no file and
// prints nothing.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "carom/schemes/scheme.h"
#include "carom/simulation/audit.h"

namespace carom {

enum class FailurePolicy {
  halve,    // repeat with half the step, down to max_halvings, then stop
  stop,     // end the run at the last good state
  proceed   // keep the best result, count it and go on
};

struct SimulationOptions {
  double t_end = 1.0;
  double dt = 1e-3;
  FailurePolicy on_failure = FailurePolicy::halve;
  int max_halvings = 10;
  bool audit = true;                             // energy and constraint audit of every step
  const std::atomic<bool>* interrupt = nullptr;  // set from outside: the run ends after this step
};

enum class Outcome { finished, interrupted, failed };

// What a recorder sees of an accepted step.
struct StepView {
  long step = 0;  // 1 for the first
  const State& before;
  const StepResult& result;
  const StepAudit& audit;  // of this step; energies are zero when the audit is off
};

class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void begin(const System&, const State&) {}
  virtual void step(const System&, const StepView&) {}
  virtual void end(const System&, const State&) {}
};

struct SimulationSummary {
  Outcome outcome = Outcome::finished;
  StepStatus failure = StepStatus::ok;  // why, if outcome is failed
  std::string advice;                   // one sentence for the reader, if something went wrong
  State last;                           // the last good state
  long steps = 0, failed_steps = 0, halvings = 0, proceeded_steps = 0;
  long newton_iterations = 0, solver_iterations = 0, projection_iterations = 0, index_set_iterations = 0;
  int max_newton_iterations = 0, max_solver_iterations = 0, max_projection_iterations = 0,
      max_index_set_iterations = 0;
  double worst_solver_residual = 0.0;
  double cpu_seconds = 0.0;  // inside Scheme::step
  Audit audit;
};

SimulationSummary simulate(const System& system, const Scheme& scheme, const InclusionSolver& solver,
                           const State& start, const SimulationOptions& options,
                           Recorder* recorder = nullptr);

}  // namespace carom
