#include "carom/schemes/step_contacts.h"

#include <algorithm>

#include "carom/base/make_room.h"
#include "carom/base/vector_kernels.h"

namespace carom::inline schemes {

ParameterSpec activation_tolerance_spec(double default_value) {
  return {"activation_tolerance", default_value, "gap that still counts as closed, relative to the length scale", 0};
}

void find_contacts(const System& system, const State& state, double dt, StepWorkspace& ws) {
  if (ws.contacts_of == system.serial()) return;
  const ForeseenContacts& foreseen = ws.foreseen;
  if (foreseen.state == &state && foreseen.dt == dt)
    ws.contacts = *foreseen.contacts;
  else
    system.detect(state.t, state.q, state.v, dt, ws.contacts);
  ws.none.reset(ws.contacts);
  ws.all.reset(ws.contacts);
  ws.all.add_all();
  ws.contacts_of = system.constancy().contacts ? system.serial() : 0;
}

void local_velocity(const Evaluation& evaluation, const Vector& v, Buffer& gamma) {
  gamma.resize(evaluation.W.rows());
  evaluation.W.transpose_multiply(v.data(), gamma.data());
  for (Index i = 0; i < gamma.size(); ++i) gamma[i] += evaluation.chi[i];
}

void local_acceleration(const Evaluation& evaluation, const Vector& a, Buffer& rate) {
  rate.resize(evaluation.W.rows());
  evaluation.W.transpose_multiply(a.data(), rate.data());
  for (Index i = 0; i < rate.size(); ++i) rate[i] += evaluation.zeta[i];
}

void warm_start(const ActiveSet& active, const ContactMemory& memory, Buffer& lambda) {
  lambda.assign(active.rows(), 0.0);
  std::size_t hint = 0;
  Index row = 0;
  for (Index i = 0; i < active.size(); ++i) {
    const Constraint& constraint = active.constraint(i);
    const Index dim = constraint.law->dim();
    if (const double* remembered = memory.find(constraint.id, dim, hint))
      std::copy_n(remembered, dim, lambda.data() + row);
    row += dim;
  }
}

void set_laws(const ActiveSet& active, double duration, InclusionProblem& problem) {
  make_room(problem.laws, static_cast<std::size_t>(active.size()));
  problem.laws.clear();
  problem.timed.clear();
  for (Index i = 0; i < active.size(); ++i)
    problem.laws.push_back(problem.timed.over(duration, active.constraint(i).law));
}

void add_impact_shift(const ActiveSet& active, const Buffer& gamma_minus, Buffer& shift, Buffer& c) {
  shift.resize(active.rows());
  Index row = 0;
  for (Index i = 0; i < active.size(); ++i) {
    const Law& law = *active.constraint(i).law;
    law.impact_shift(gamma_minus.data() + row, shift.data() + row);
    row += law.dim();
  }
  for (Index k = 0; k < c.size(); ++k) c[k] += shift[k];
}

bool solve_and_count(const InclusionSolver& solver, InclusionWork& work, StepResult& result) {
  solver.solve(work.problem, work.solver, work.result);
  // What c was summed from is the caller's memory, and the next problem here may be another's.
  work.problem.c_directions = nullptr;
  work.problem.c_velocity = nullptr;
  work.problem.enough = 0.0;
  result.solver_iterations += work.result.iterations;
  result.solver_residual = std::max(result.solver_residual, work.result.residual);
  return work.result.status == SolveStatus::solved;
}

void report_contacts(const ActiveSet& active, const Buffer& impulse, const Buffer& gamma_minus, const Buffer& xi,
                     const Buffer& shift, StepResult& result) {
  const auto count = static_cast<std::size_t>(active.size());
  make_room(result.contacts, count);
  result.contacts.clear();
  result.next.impulses.begin(count);
  Index row = 0;
  for (Index i = 0; i < active.size(); ++i) {
    const Constraint& constraint = active.constraint(i);
    result.contacts.push_back({constraint, row});
    result.next.impulses.append(constraint.id, impulse.data() + row, constraint.law->dim());
    row += constraint.law->dim();
  }
  result.impulse.resize(row);
  result.gamma_minus.resize(row);
  result.gamma_plus.resize(row);
  for (Index k = 0; k < row; ++k) {
    result.impulse[k] = impulse[k];
    result.gamma_minus[k] = gamma_minus[k];
    result.gamma_plus[k] = xi[k] - shift[k];
  }
}

void report_no_contacts(StepResult& result) {
  result.contacts.clear();
  result.next.impulses.clear();
  result.impulse.clear();
  result.gamma_minus.clear();
  result.gamma_plus.clear();
}

void begin_result(const State& state, double dt, StepResult& result) {
  result.next.t = state.t + dt;
  scale(1.0, state.q, result.next.q);
  scale(1.0, state.v, result.next.v);
  if (!(state.memory.empty() && result.next.memory.empty())) result.next.memory = state.memory;
  result.dt_taken = dt;
  result.work.clear();
  result.status = StepStatus::ok;
  result.newton_iterations = 0;
  result.solver_iterations = 0;
  result.projection_iterations = 0;
  result.index_set_iterations = 0;
  result.solver_residual = 0.0;
  result.contradiction = 0.0;
  result.largest_position_multiplier = 0.0;
  result.impact = false;
  result.work.clear();
  result.events.clear();
}

void check_finite(StepResult& result) {
  if (result.status == StepStatus::singular) return;
  if (!all_finite(result.next.v) || !all_finite(result.next.q)) result.status = StepStatus::not_finite;
}

}  // namespace carom::inline schemes
