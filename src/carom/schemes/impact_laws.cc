#include "carom/schemes/impact_laws.h"

#include "carom/schemes/passive_impact.h"
#include "carom/schemes/poisson_impact.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

struct ImpactMemory {
  PoissonImpact poisson;
  PassiveImpact passive;
};

bool solve_step(const InclusionSolver& solver, const Buffer& gamma_minus, InclusionWork& work, StepResult& result,
                const Buffer* before) {
  const bool two_phases = PoissonImpact::needed(work.problem);
  if (!two_phases && !PassiveImpact::needed(work.problem)) return solve_and_count(solver, work, result);
  if (!work.impact) work.impact = std::make_shared<ImpactMemory>();
  if (two_phases) return work.impact->poisson.solve(solver, gamma_minus, work, result);
  return work.impact->passive.solve(solver, before ? *before : gamma_minus, work.shift, work, result);
}

}  // namespace carom::inline schemes
