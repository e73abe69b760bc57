// The driver: steps a scheme from start to end (stepper.h), decides what happens when a step fails, keeps the
// energy and constraint audit, and shows every accepted step to a recorder. It opens no file and
// prints nothing.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "carom/schemes/scheme.h"
#include "carom/simulation/audit.h"
#include "carom/simulation/judgement.h"
#include "carom/simulation/unsolved_problem.h"
#include "carom/system/input.h"

namespace carom::inline simulation {

enum class FailurePolicy {
  halve,   // repeat with half the step, down to max_halvings, then stop
  stop,    // end the run at the last good state
  proceed  // keep the best result, count it and go on
};

// What to do about a contact that a step passed unseen (missed_contacts.h).
enum class MissedPolicy {
  halve,  // repeat with half the step, down to max_halvings, then report it
  report
};

struct SimulationOptions {
  double t_end = 1.0;
  double dt = 1e-3;
  double grid_origin = 0.0;  // full steps end at grid_origin + k dt, see time_grid.h
  FailurePolicy on_failure = FailurePolicy::halve;
  int max_halvings = 10;                         // of the full step; at most 18
  bool audit = true;                             // energy and constraint audit of every step
  MissedPolicy on_missed = MissedPolicy::halve;  // with the audit only
  JudgementLimits limits = {};
  const std::atomic<bool>* interrupt = nullptr;  // set from outside: the run ends after this step
  std::vector<Input> inputs = {};                // of the model; a checkpoint keeps their values
};

// Contradictions of sticking contacts up to this are rounding and not counted.
inline constexpr double told_contradiction = 1e-9;

enum class Outcome { finished, interrupted, failed };

struct Checkpoint;  // checkpoint.h
struct SimulationSummary;

// What a recorder sees of an accepted step.
struct StepView {
  long step = 0;  // 1 for the first
  const State& before;
  const StepResult& result;
  const StepAudit& audit;           // of this step; energies are zero when the audit is off
  const Auditor* auditor;           // knows the gaps at the end of the step; null when the audit is off
  const SimulationSummary& so_far;  // its counts, this step included
};

class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void begin(const System&, const State&) {}
  // Instead of begin(), if the run goes on from a checkpoint.
  virtual void resume(const System&, const Checkpoint&, const Auditor&) {}
  virtual void step(const System&, const StepView&) {}
  virtual void end(const System&, const State&) {}
};

// What an event-driven scheme located, and at which constraint.
struct LocatedEvent {
  double t = 0.0;
  EventKind kind = EventKind::impact;
  std::string name;
};

// Names and values: it may outlive the system.
struct SimulationSummary {
  Outcome outcome = Outcome::finished;
  StepStatus failure = StepStatus::ok;              // why, if outcome is failed
  std::string advice;                               // what happened and what to try, if something went wrong
  double failure_dt = 0.0;                          // the shortest step that failed, if outcome is failed
  std::shared_ptr<const UnsolvedProblem> unsolved;  // if it was why
  State last;                                       // the last good state
  long steps = 0, impact_steps = 0;                 // impact_steps: of schemes that tell forces from impulses
  long failed_steps = 0, halvings = 0, proceeded_steps = 0;
  long newton_iterations = 0, solver_iterations = 0, projection_iterations = 0, index_set_iterations = 0;
  int max_newton_iterations = 0, max_solver_iterations = 0, max_projection_iterations = 0, max_index_set_iterations = 0;
  double worst_solver_residual = 0.0;
  // Steps whose sticking contacts contradicted each other visibly (StepResult::contradiction above told_contradiction).
  long contradicting_steps = 0;
  double worst_contradiction = 0.0, worst_contradiction_time = 0.0;
  double step_seconds = 0.0;         // wall time inside Scheme::step
  std::vector<LocatedEvent> events;  // all that were located, in order of time; of event-driven schemes
  long missed_halvings = 0;          // of the halvings, those for contacts a step would have passed unseen
  Audit audit;
  Judgement judgement;
};

// `start` is a fresh state or a copy of one made by an earlier run with the same scheme: with a filled
// memory the scheme goes on where it was, and the bits are those of the uninterrupted run.
SimulationSummary simulate(const System& system, const Scheme& scheme, const InclusionSolver& solver,
                           const State& start, const SimulationOptions& options, Recorder* recorder = nullptr);

// Goes on from a checkpoint of a run with the same system, scheme, solver and options; t_end may be later.
SimulationSummary resume(const System& system, const Scheme& scheme, const InclusionSolver& solver,
                         const Checkpoint& checkpoint, const SimulationOptions& options, Recorder* recorder = nullptr);

}  // namespace carom::inline simulation
