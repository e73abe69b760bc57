#include "carom/simulation/stepper.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "carom/base/errors.h"
#include "carom/simulation/step_failure.h"
#include "carom/system/discrete_state.h"

namespace carom::inline simulation {

namespace {

using Clock = std::chrono::steady_clock;

// 2^-18 of a step is still well above TimeGrid::tolerance.
constexpr int most_halvings = 18;

void count(int value, long& sum, int& largest) {
  sum += value;
  largest = std::max(largest, value);
}

}  // namespace

Stepper::Stepper(const System& system, const Scheme& scheme, const InclusionSolver& solver, const State& start,
                 const SimulationOptions& options)
    : system_(system),
      scheme_(scheme),
      solver_(solver),
      options_(options),
      discrete_(system.discrete_state()),
      grid_{options.grid_origin, options.dt, options.t_end},
      state_(start) {
  if (!(options.dt > 0.0)) throw LogicError("simulate: dt must be positive");
  if (options.max_halvings < 0 || options.max_halvings > most_halvings)
    throw LogicError(fmt::format("simulate: max_halvings must be 0 to {}", most_halvings));
  workspace_.interrupt.flag = options_.interrupt;
  auditor_.share(workspace_.look);
  if (state_.memory.empty()) scheme_.start(system_, options_.dt, state_);
  if (options_.audit) auditor_.begin(system_, state_, step_audit_);
}

bool Stepper::step(Recorder* recorder) { return step_towards(grid_.t_end, recorder); }

bool Stepper::step_towards(double until, Recorder* recorder) {
  const TimeGrid grid{grid_.origin, grid_.dt, std::min(until, grid_.t_end)};
  if (summary_.outcome == Outcome::failed || grid.reached(state_.t) || interrupted()) return false;
  return take_step(grid) && accept(recorder);
}

bool Stepper::advance(double until, Recorder* recorder) {
  const TimeGrid grid{grid_.origin, grid_.dt, std::min(until, grid_.t_end)};
  while (!grid.reached(state_.t))
    if (!step_towards(until, recorder)) return false;
  return true;
}

void Stepper::set_input(std::size_t number, double value) { *options_.inputs.at(number).value = value; }

Checkpoint Stepper::save() const {
  Checkpoint checkpoint{state_, summary_, options_.audit ? auditor_.memory() : AuditMemory{}, {}};
  for (const Input& input : options_.inputs) checkpoint.inputs.push_back(*input.value);
  return checkpoint;
}

void Stepper::restore(const Checkpoint& checkpoint) {
  state_ = checkpoint.state;
  summary_ = checkpoint.so_far;
  summary_.outcome = Outcome::finished;  // what stopped the run is gone, or will be met again
  summary_.advice.clear();
  summary_.unsolved = nullptr;
  stepped_ = false;
  workspace_.foreseen = {};
  for (std::size_t i = 0; i < std::min(checkpoint.inputs.size(), options_.inputs.size()); ++i)
    *options_.inputs[i].value = checkpoint.inputs[i];
  if (options_.audit) auditor_.resume(system_, state_, checkpoint.audit, step_audit_);
}

SimulationSummary Stepper::summary() const {
  SimulationSummary summary = summary_;
  summary.audit = auditor_.audit();
  if (options_.audit) summary.judgement = judge(summary.audit, options_.limits);
  summary.last = state_;
  return summary;
}

bool Stepper::interrupted() {
  if (!options_.interrupt || !options_.interrupt->load(std::memory_order_relaxed)) return false;
  summary_.outcome = Outcome::interrupted;
  summary_.advice = "interrupted from outside; the state is that of the last complete step";
  return true;
}

// result_ holds an acceptable step from the state, or the run has failed.
bool Stepper::take_step(const TimeGrid& grid) {
  const TimeGrid::Step full = grid.next(state_.t);
  const double shortest = std::ldexp(options_.dt, -options_.max_halvings);
  double dt = full.dt;
  while (true) {
    attempt(dt);
    // A step that was taken as asked ends on the grid, whatever t + dt rounds to.
    if (dt == full.dt && result_.dt_taken == dt) result_.next.t = full.t_next;
    if (result_.status == StepStatus::ok) {
      if (!missed_a_contact(grid, 0.5 * dt >= shortest)) break;
      dt *= 0.5;
      ++summary_.halvings;
      ++summary_.missed_halvings;
      continue;
    }
    if (interrupted()) return false;  // a long step may have ended for this
    ++summary_.failed_steps;
    if (options_.on_failure == FailurePolicy::proceed && usable()) {
      ++summary_.proceeded_steps;
      if (options_.audit) look(grid);
      break;
    }
    if (options_.on_failure != FailurePolicy::halve || 0.5 * dt < shortest) {
      fail(dt);
      return false;
    }
    dt *= 0.5;
    ++summary_.halvings;
  }
  return true;
}

void Stepper::attempt(double dt) {
  const Clock::time_point begin = Clock::now();
  scheme_.step(system_, solver_, state_, dt, workspace_, result_);
  summary_.step_seconds += std::chrono::duration<double>(Clock::now() - begin).count();
  if (!discrete_ || result_.status != StepStatus::ok) return;
  for (const StepContact& contact : result_.contacts)
    if (contact.constraint.bilateral)
      discrete_->carried(contact.constraint, result_.impulse.data() + contact.row, result_.dt_taken, result_.next.q);
}

// At the end of the attempted step, as far ahead as the next one will look there: it need not look again.
const MissedContacts& Stepper::look(const TimeGrid& grid) {
  const double ahead = std::max(result_.dt_taken, grid.next(result_.next.t).dt);
  return auditor_.look(system_, state_, result_, ahead, options_.limits.penetration);
}

// Whether the step is to be repeated with half its length because it passed a contact unseen.
bool Stepper::missed_a_contact(const TimeGrid& grid, bool can_halve) {
  if (!options_.audit) return false;
  const MissedContacts& missed = look(grid);
  if (options_.on_missed == MissedPolicy::report || missed.found().empty() || !missed.worth_another_look())
    return false;
  if (!can_halve) auditor_.give_up_missed();
  return can_halve;
}

// A failed step may be kept if it made a complete state: singular matrices do not.
bool Stepper::usable() const {
  return result_.status != StepStatus::singular && result_.status != StepStatus::not_finite &&
         result_.next.q.size() == system_.nq() && result_.next.q.allFinite() && result_.next.v.size() == system_.nv() &&
         result_.next.v.allFinite() && result_.dt_taken > 0.0;
}

// False if the step, though its state is finite, has an energy that is not.
bool Stepper::accept(Recorder* recorder) {
  if (options_.audit && !auditor_.step(system_, state_, result_, step_audit_)) {
    result_.status = StepStatus::not_finite;
    fail(result_.dt_taken);
    return false;
  }
  ++summary_.steps;
  summary_.impact_steps += result_.impact;
  count(result_.newton_iterations, summary_.newton_iterations, summary_.max_newton_iterations);
  count(result_.solver_iterations, summary_.solver_iterations, summary_.max_solver_iterations);
  count(result_.projection_iterations, summary_.projection_iterations, summary_.max_projection_iterations);
  count(result_.index_set_iterations, summary_.index_set_iterations, summary_.max_index_set_iterations);
  summary_.worst_solver_residual = std::max(summary_.worst_solver_residual, result_.solver_residual);
  if (result_.contradiction > told_contradiction) {
    ++summary_.contradicting_steps;
    if (result_.contradiction > summary_.worst_contradiction) {
      summary_.worst_contradiction = result_.contradiction;
      summary_.worst_contradiction_time = result_.next.t;
    }
  }
  for (const StepEvent& event : result_.events)
    summary_.events.push_back({event.t, event.kind, system_.constraint_name(event.constraint)});
  if (recorder)
    recorder->step(system_,
                   {summary_.steps, state_, result_, step_audit_, options_.audit ? &auditor_ : nullptr, summary_});
  std::swap(state_, result_.next);  // the old state's memory serves the next step
  stepped_ = true;
  if (options_.audit) workspace_.foreseen = {&auditor_.contacts(), &state_, auditor_.ahead()};
  return true;
}

void Stepper::fail(double dt) {
  summary_.outcome = Outcome::failed;
  summary_.failure = result_.status;
  summary_.failure_dt = dt;
  summary_.advice = failure_advice(system_, solver_, state_, dt, result_, options_.on_failure, auditor_.audit());
  keep_problem(dt);
}

// Repeats the failed step and keeps its last contact problem, if that was not solved.
void Stepper::keep_problem(double dt) {
  // A scheme without a velocity problem has velocities and positions in one.
  const bool position = result_.status == StepStatus::projection_failed || !workspace_.velocity.problem.G;
  const InclusionWork* of_positions = workspace_.memory ? workspace_.memory->position_problem() : nullptr;
  const InclusionWork* work = position ? of_positions : &workspace_.velocity;
  if (!work || !work->problem.G) return;
  const auto unsolved = std::make_shared<UnsolvedProblem>();
  scheme_.step(system_, KeepingSolver(solver_, work->problem, *unsolved), state_, dt, workspace_, result_);
  if (!unsolved->empty()) summary_.unsolved = unsolved;
}

Checkpoint checkpoint_of(const StepView& view) {
  return {view.result.next, view.so_far, view.auditor ? view.auditor->memory() : AuditMemory{}, {}};
}

}  // namespace carom::inline simulation
