#include "carom/schemes/impulse_problem.h"

#include "carom/base/vector_kernels.h"
#include "carom/schemes/impact_laws.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

bool solve_impulses(const ImpulseProblem& problem, const InclusionSolver& solver, const ContactMemory& memory,
                    double scale, StepWorkspace& ws, StepResult& result, Vector& v) {
  InclusionWork& work = ws.velocity;
  if (problem.level == Level::velocity)
    local_velocity(problem.constraint, v, work.problem.c);
  else
    local_acceleration(problem.constraint, v, work.problem.c);
  if (problem.extra != nullptr)
    for (Index i = 0; i < work.problem.c.size(); ++i) work.problem.c[i] += (*problem.extra)[i];
  if (problem.gamma_minus != nullptr)
    add_impact_shift(problem.active, *problem.gamma_minus, work.shift, work.problem.c);
  else
    work.shift.assign(problem.active.rows(), 0.0);
  set_laws(problem.active, problem.duration, work.problem);
  work.problem.c_directions = &problem.constraint.W;
  work.problem.c_velocity = v.data();
  work.problem.G = &work.factory.build(problem.constraint.W, problem.A, problem.force.W);
  warm_start(problem.active, memory, work.result.lambda);
  for (double& p : work.result.lambda) p *= scale;
  const bool solved = problem.gamma_minus != nullptr ? solve_step(solver, *problem.gamma_minus, work, result)
                                                     : solve_and_count(solver, work, result);

  fit(static_cast<Index>(v.size()), work.response);
  work.factory.response(problem.A, problem.force.W, work.result.lambda.data(), work.response.data());
  add(work.response, v);
  return solved;
}

void apply_impact(const ImpulseProblem& problem, const InclusionSolver& solver, const ContactMemory& memory,
                  StepWorkspace& ws, StepResult& result) {
  if (!solve_impulses(problem, solver, memory, 1.0, ws, result, result.next.v))
    result.status = StepStatus::solver_failed;
  report_contacts(problem.active, ws.velocity.result.lambda, *problem.gamma_minus, ws.velocity.result.xi,
                  ws.velocity.shift, result);
}

void activate_closed(const ActiveSet& all, const Evaluation& gaps, double tolerance, ActiveSet& active) {
  active.reset(all.contacts());
  const double* g = gaps.g.data();
  Index k = 0;
  for (const Constraint& constraint : all.contacts().constraints) {
    if (is_closed(constraint, *g, tolerance)) active.add(k);
    g += constraint.law->dim();
    ++k;
  }
}

}  // namespace carom::inline schemes
