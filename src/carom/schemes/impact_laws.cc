#include "carom/schemes/impact_laws.h"

#include "carom/schemes/passive_impact.h"
#include "carom/schemes/poisson_impact.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

bool solve_step(const InclusionSolver& solver, const Buffer& gamma_minus, StepWorkspace& ws, InclusionWork& work,
                StepResult& result, const Buffer* before) {
  if (PoissonImpact::needed(work.problem)) return ws.own<PoissonImpact>().solve(solver, gamma_minus, work, result);
  if (PassiveImpact::needed(work.problem))
    return ws.own<PassiveImpact>().solve(solver, before ? *before : gamma_minus, ws.shift, work, result);
  return solve_and_count(solver, work, result);
}

}  // namespace carom::inline schemes
