#include "carom/simulation/simulate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "carom/base/errors.h"
#include "carom/schemes/foreseen_contacts.h"
#include "carom/schemes/interrupt.h"
#include "carom/simulation/jammed_impact.h"
#include "carom/simulation/time_grid.h"
#include "carom/system/discrete_state.h"

namespace carom {

namespace {

using Clock = std::chrono::steady_clock;

// 2^-18 of a step is still well above TimeGrid::tolerance.
constexpr int kMostHalvings = 18;

class Driver {
 public:
  Driver(const System& system, const Scheme& scheme, const InclusionSolver& solver,
         const SimulationOptions& options, Recorder* recorder)
      : system_(system), scheme_(scheme), solver_(solver), options_(options), recorder_(recorder),
        discrete_(dynamic_cast<const DiscreteState*>(&system)), grid_{options.grid_origin, options.dt, options.t_end} {
    if (!(options.dt > 0.0)) throw LogicError("simulate: dt must be positive");
    if (options.max_halvings < 0 || options.max_halvings > kMostHalvings)
      throw LogicError(fmt::format("simulate: max_halvings must be 0 to {}", kMostHalvings));
  }

  SimulationSummary run(const State& start) {
    State state = start;
    workspace_.own<Interrupt>().flag = options_.interrupt;
    if (state.memory.empty()) scheme_.start(system_, options_.dt, state);
    if (options_.audit) auditor_.begin(system_, state, step_audit_);
    if (recorder_) recorder_->begin(system_, state);
    while (!grid_.reached(state.t) && !interrupted()) {
      if (!take_step(state) || !accept(state)) break;
    }
    if (recorder_) recorder_->end(system_, state);
    summary_.audit = auditor_.audit();
    if (options_.audit) summary_.judgement = judge(summary_.audit, options_.limits);
    summary_.last = std::move(state);
    return std::move(summary_);
  }

 private:
  bool interrupted() {
    if (!options_.interrupt || !options_.interrupt->load(std::memory_order_relaxed)) return false;
    summary_.outcome = Outcome::interrupted;
    summary_.advice = "interrupted from outside; the state is that of the last complete step";
    return true;
  }

  // result_ holds an acceptable step from `state`, or the run has failed.
  bool take_step(const State& state) {
    const TimeGrid::Step full = grid_.next(state.t);
    const double shortest = std::ldexp(options_.dt, -options_.max_halvings);
    double dt = full.dt;
    while (true) {
      attempt(state, dt);
      // A step that was taken as asked ends on the grid, whatever state.t + dt rounds to.
      if (dt == full.dt && result_.dt_taken == dt) result_.next.t = full.t_next;
      if (result_.status == StepStatus::ok) {
        if (!missed_a_contact(state, 0.5 * dt >= shortest)) break;
        dt *= 0.5;
        ++summary_.halvings;
        ++summary_.missed_halvings;
        continue;
      }
      if (interrupted()) return false;  // a long step may have ended for this
      ++summary_.failed_steps;
      if (options_.on_failure == FailurePolicy::proceed && usable()) {
        ++summary_.proceeded_steps;
        if (options_.audit) look(state);
        break;
      }
      if (options_.on_failure != FailurePolicy::halve || 0.5 * dt < shortest) {
        fail(state, dt);
        return false;
      }
      dt *= 0.5;
      ++summary_.halvings;
    }
    return true;
  }

  // At the end of the attempted step, as far ahead as the next one will look there: it need not look again.
  const MissedContacts& look(const State& state) {
    const double ahead = std::max(result_.dt_taken, grid_.next(result_.next.t).dt);
    return auditor_.look(system_, state, result_, ahead, options_.limits.penetration);
  }

  void attempt(const State& state, double dt) {
    const Clock::time_point begin = Clock::now();
    scheme_.step(system_, solver_, state, dt, workspace_, result_);
    summary_.step_seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    if (!discrete_ || !discrete_->any() || result_.status != StepStatus::ok) return;
    for (const StepContact& contact : result_.contacts)
      if (contact.constraint.bilateral)
        discrete_->carried(contact.constraint, result_.impulse.data() + contact.row, result_.dt_taken, result_.next.q);
  }

  // Whether the step is to be repeated with half its length because it passed a contact unseen.
  bool missed_a_contact(const State& state, bool can_halve) {
    if (!options_.audit) return false;
    const MissedContacts& missed = look(state);
    if (options_.on_missed == MissedPolicy::report || missed.found().empty() || !missed.worth_another_look()) return false;
    if (!can_halve) auditor_.give_up_missed();
    return can_halve;
  }

  // A failed step may be kept if it made a complete state: singular matrices do not.
  bool usable() const {
    return result_.status != StepStatus::singular && result_.status != StepStatus::not_finite &&
           result_.next.q.size() == system_.nq() && result_.next.q.allFinite() &&
           result_.next.v.size() == system_.nv() && result_.next.v.allFinite() && result_.dt_taken > 0.0;
  }

  // False if the step, though its state is finite, has an energy that is not.
  bool accept(State& state) {
    if (options_.audit && !auditor_.step(system_, state, result_, step_audit_)) {
      result_.status = StepStatus::not_finite;
      fail(state, result_.dt_taken);
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
    if (recorder_)
      recorder_->step(system_, {summary_.steps, state, result_, step_audit_,
                                options_.audit ? &auditor_ : nullptr});
    std::swap(state, result_.next);  // the old state's memory serves the next step
    if (options_.audit) workspace_.own<ForeseenContacts>() = {&auditor_.contacts(), &state, auditor_.ahead()};
    return true;
  }

  static void count(int value, long& sum, int& largest) {
    sum += value;
    largest = std::max(largest, value);
  }

  void fail(const State& state, double dt) {
    summary_.outcome = Outcome::failed;
    summary_.failure = result_.status;
    summary_.failure_dt = dt;
    const std::string jam = jam_of(state, dt);
    summary_.advice = fmt::format("{} at t = {:.9g} s with a step of {:.3g} s{}. {}", to_text(result_.status),
                                  state.t, dt, details(), jam.empty() ? remedy() : jam);
    keep_problem(state, dt);
  }

  // What no scheme and no step could have solved.
  std::string jam_of(const State& state, double dt) const {
    const bool possible = result_.status == StepStatus::solver_failed || result_.status == StepStatus::newton_failed ||
                          result_.status == StepStatus::projection_failed;
    return possible ? jammed_impact(system_, solver_, state, dt, result_) : "";
  }

  // Repeats the failed step and keeps its last contact problem, if that was not solved.
  void keep_problem(const State& state, double dt) {
    // A scheme without a velocity problem has velocities and positions in one.
    const bool position =
        result_.status == StepStatus::projection_failed || !workspace_.velocity.problem.G;
    const InclusionWork& work = position ? workspace_.position : workspace_.velocity;
    if (!work.problem.G) return;
    const auto unsolved = std::make_shared<UnsolvedProblem>();
    scheme_.step(system_, KeepingSolver(solver_, work.problem, *unsolved), state, dt, workspace_, result_);
    if (!unsolved->empty()) summary_.unsolved = unsolved;
  }

  // Who was involved, by name.
  std::string details() const {
    if (result_.status == StepStatus::integrator_failed && !result_.events.empty()) {
      std::vector<std::string> last;
      for (std::size_t k = result_.events.size() - std::min<std::size_t>(3, result_.events.size()); k < result_.events.size(); ++k)
        last.push_back(fmt::format("{} of {}", to_text(result_.events[k].kind),
                                   system_.constraint_name(result_.events[k].constraint)));
      return fmt::format(" ({} events in it, the last ones {})", result_.events.size(), fmt::join(last, ", "));
    }
    if (result_.status != StepStatus::solver_failed) return "";
    std::vector<std::string> names;
    for (const StepContact& contact : result_.contacts) {
      if (names.size() == 6) {
        names.push_back("...");
        break;
      }
      names.push_back(system_.constraint_name(contact.constraint));
    }
    return fmt::format(" (residual {:.2g} after {} iterations; {} active constraints{}{})",
                       result_.solver_residual, result_.solver_iterations, result_.contacts.size(),
                       names.empty() ? "" : ": ", fmt::join(names, ", "));
  }

  std::string remedy() const {
    const bool may_halve = options_.on_failure != FailurePolicy::halve;
    const std::string shorter =
        may_halve ? "Let failed steps be halved (on_failure = \"halve_step\"), or take a shorter step"
                  : "Halving the step did not help: take a shorter step from the start";
    switch (result_.status) {
      case StepStatus::solver_failed:
        return shorter + ", try another solver (carom list solvers), or allow a larger tolerance.";
      case StepStatus::projection_failed:
        return shorter + ", or use a scheme without position projection (carom list schemes).";
      case StepStatus::newton_failed:
        return shorter + "; stiff forces may also need theta = 1.";
      case StepStatus::singular:
        return "The mass or iteration matrix cannot be inverted in this configuration: look for massless "
               "parts, or for a mechanism at a dead point.";
      case StepStatus::integrator_failed:
        return "Larger tolerances may help, or an event-capturing scheme (carom list schemes): events may be too many to "
               "be followed one by one.";
      case StepStatus::not_finite: return unstable().value_or(shorter + "; look for forces or distances that divide by zero.");
      case StepStatus::ok: break;
    }
    return "";
  }

  // Numbers that overflow after the energy has grown without bound are the scheme's doing.
  std::optional<std::string> unstable() const {
    const Audit& audit = auditor_.audit();
    constexpr double out_of_bounds = 1e6;
    if (!audit.has_energy || !(std::abs(audit.end_energy) > out_of_bounds * std::abs(audit.start_energy))) return {};
    return fmt::format("The energy had grown from {:.3g} to {:.3g} J: the scheme is unstable with this step. Take a shorter "
                       "one, or a scheme that is implicit in the forces (carom list schemes).",
                       audit.start_energy, audit.end_energy);
  }

  const System& system_;
  const Scheme& scheme_;
  const InclusionSolver& solver_;
  const SimulationOptions& options_;
  Recorder* recorder_;
  const DiscreteState* discrete_;  // null: nothing changes between steps
  TimeGrid grid_;
  StepWorkspace workspace_;
  StepResult result_;
  Auditor auditor_;
  StepAudit step_audit_;
  SimulationSummary summary_;
};

}  // namespace

SimulationSummary simulate(const System& system, const Scheme& scheme, const InclusionSolver& solver,
                           const State& start, const SimulationOptions& options, Recorder* recorder) {
  return Driver(system, scheme, solver, options, recorder).run(start);
}

}  // namespace carom
