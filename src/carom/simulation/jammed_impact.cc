#include "carom/simulation/jammed_impact.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "carom/base/iteration_matrix.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline simulation {

namespace {

// The impact of a state, c = gamma_free + e gamma_minus, or without restitution.
class Impact {
 public:
  Impact(const System& system, const InclusionSolver& solver, const State& state, double dt, const StepResult& failed)
      : solver_(solver) {
    find_contacts(system, state, dt, ws_);
    if (ws_.all.empty()) return;
    system.evaluate(state.t, state.q, state.v, Need::gap | Need::gap_rate, ws_.all, at_);
    activate(dt, failed);
    system.evaluate(state.t, state.q, state.v, Need::inertia | Need::force | Need::jacobian, ws_.active, at_);
    regular_ = !ws_.active.empty() && M_factor_.factor(at_.M);
    if (!regular_) return;
    local_velocity(at_, state.v, gamma_minus_);
    v_free_ = dt * at_.h;
    M_factor_.solve(v_free_.data());
    v_free_ += state.v;
    local_velocity(at_, v_free_, gamma_free_);
    set_laws(ws_.active, dt, ws_.velocity.problem);
    ws_.velocity.problem.G = &ws_.velocity.factory.build(at_.W, M_factor_);
  }

  bool regular() const { return regular_; }

  bool is_solved(bool with_restitution) {
    InclusionProblem& problem = ws_.velocity.problem;
    problem.c = gamma_free_;
    if (with_restitution) add_impact_shift(ws_.active, gamma_minus_, shift_, problem.c);
    ws_.velocity.result.lambda.assign(problem.rows(), 0.0);
    solver_.solve(problem, ws_.velocity.solver, ws_.velocity.result);
    return ws_.velocity.result.status == SolveStatus::solved;
  }

  // Rough contacts that push in the last solution.
  std::vector<std::string> holding(const System& system) const {
    std::vector<std::string> names;
    Index row = 0;
    for (Index i = 0; i < ws_.active.size(); ++i) {
      const Constraint& constraint = ws_.active.constraint(i);
      const bool rough = !constraint.bilateral && constraint.law->friction() > 0.0;
      if (rough && ws_.velocity.result.lambda[row] > 0.0 && names.size() < 6)
        names.push_back(system.constraint_name(constraint));
      row += constraint.law->dim();
    }
    return names;
  }

 private:
  // Joints, and contacts that the failed step had or that close within it.
  void activate(double dt, const StepResult& failed) {
    ws_.active.reset(ws_.contacts);
    Index row = 0;
    for (Index k = 0; k < ws_.all.size(); ++k) {
      const Constraint& constraint = ws_.all.constraint(k);
      const bool had = std::any_of(failed.contacts.begin(), failed.contacts.end(),
                                   [&](const StepContact& contact) { return contact.constraint.id == constraint.id; });
      const double reached = at_.g[row] + 2.0 * dt * std::min(0.0, at_.g_rate[row]);
      if (had || constraint.bilateral || reached <= rounding_activation * constraint.length_scale) ws_.active.add(k);
      row += constraint.law->dim();
    }
  }

  const InclusionSolver& solver_;
  StepWorkspace ws_;
  Evaluation at_;
  IterationMatrix M_factor_;
  Vector v_free_;
  Buffer gamma_minus_, gamma_free_, shift_;
  bool regular_ = false;
};

}  // namespace

std::string jammed_impact(const System& system, const InclusionSolver& solver, const State& state, double dt,
                          const StepResult& failed) {
  if (!system.features().contains(Feature::friction)) return "";
  Impact impact(system, solver, state, dt, failed);
  if (!impact.regular() || impact.is_solved(true) || !impact.is_solved(false)) return "";
  const std::vector<std::string> names = impact.holding(system);
  if (names.empty()) return "";
  return fmt::format(
      "The impact law has no solution there, whatever the step: friction at {} holds what restitution asks "
      "to leave (a jam). There is one with restitution 0.",
      fmt::join(names, ", "));
}

}  // namespace carom::inline simulation
