#include "carom/simulation/step_failure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "carom/simulation/jammed_impact.h"

namespace carom::inline simulation {

namespace {

// What no scheme and no step could have solved.
std::string jam_of(const System& system, const InclusionSolver& solver, const State& state, double dt,
                   const StepResult& result) {
  const bool possible = result.status == StepStatus::solver_failed || result.status == StepStatus::newton_failed ||
                        result.status == StepStatus::projection_failed;
  return possible ? jammed_impact(system, solver, state, dt, result) : "";
}

// Who was involved, by name.
std::string details(const System& system, const StepResult& result) {
  if (result.status == StepStatus::integrator_failed && !result.events.empty()) {
    std::vector<std::string> last;
    for (std::size_t k = result.events.size() - std::min<std::size_t>(3, result.events.size());
         k < result.events.size(); ++k)
      last.push_back(
          fmt::format("{} of {}", to_text(result.events[k].kind), system.constraint_name(result.events[k].constraint)));
    return fmt::format(" ({} events in it, the last ones {})", result.events.size(), fmt::join(last, ", "));
  }
  if (result.status != StepStatus::solver_failed) return "";
  std::vector<std::string> names;
  for (const StepContact& contact : result.contacts) {
    if (names.size() == 6) {
      names.push_back("...");
      break;
    }
    names.push_back(system.constraint_name(contact.constraint));
  }
  return fmt::format(" (residual {:.2g} after {} iterations; {} active constraints{}{})", result.solver_residual,
                     result.solver_iterations, result.contacts.size(), names.empty() ? "" : ": ",
                     fmt::join(names, ", "));
}

// Steps that fail after the energy has grown without bound are the scheme's doing.
std::optional<std::string> unstable(const Audit& audit) {
  constexpr double out_of_bounds = 1e6;
  if (!audit.has_energy || !(std::abs(audit.end_energy) > out_of_bounds * std::abs(audit.start_energy))) return {};
  return fmt::format(
      "The energy had grown from {:.3g} to {:.3g} J: the scheme is unstable with this step. Take a shorter "
      "one, or a scheme that is implicit in the forces (carom list schemes).",
      audit.start_energy, audit.end_energy);
}

std::string remedy(StepStatus status, FailurePolicy policy, const Audit& audit) {
  const std::string shorter = policy != FailurePolicy::halve
                                  ? "Let failed steps be halved (on_failure = \"halve_step\"), or take a shorter step"
                                  : "Halving the step did not help: take a shorter step from the start";
  if (const auto grown = unstable(audit)) return *grown;  // whatever the last step failed at
  switch (status) {
    case StepStatus::solver_failed:
      return shorter + ", try another solver (carom list solvers), or allow a larger tolerance.";
    case StepStatus::projection_failed:
      return shorter + ", or use a scheme without position projection (carom list schemes).";
    case StepStatus::newton_failed: return shorter + "; stiff forces may also need theta = 1.";
    case StepStatus::singular:
      return "The mass or iteration matrix cannot be inverted in this configuration: look for massless "
             "parts, or for a mechanism at a dead point.";
    case StepStatus::integrator_failed:
      return "Larger tolerances may help, or an event-capturing scheme (carom list schemes): events may be too many to "
             "be followed one by one.";
    case StepStatus::not_finite: return shorter + "; look for forces or distances that divide by zero.";
    case StepStatus::ok: break;
  }
  return "";
}

}  // namespace

std::string failure_advice(const System& system, const InclusionSolver& solver, const State& state, double dt,
                           const StepResult& result, FailurePolicy policy, const Audit& audit) {
  const std::string jam = jam_of(system, solver, state, dt, result);
  return fmt::format("{} at t = {:.9g} s with a step of {:.3g} s{}. {}", to_text(result.status), state.t, dt,
                     details(system, result), jam.empty() ? remedy(result.status, policy, audit) : jam);
}

}  // namespace carom::inline simulation
