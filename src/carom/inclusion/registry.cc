#include "carom/inclusion/inclusion_solver.h"

namespace carom::inline inclusion {

#define CAROM_SOLVER(name) extern const SolverEntry name##_entry;
#include "carom/inclusion/solvers.def"
#undef CAROM_SOLVER

const Registry<SolverEntry>& solvers() {
  static const Registry<SolverEntry> registry("solver", {
#define CAROM_SOLVER(name) &name##_entry,
#include "carom/inclusion/solvers.def"
#undef CAROM_SOLVER
                                                        });
  return registry;
}

std::unique_ptr<InclusionSolver> make_solver(std::string_view name,
                                             const std::map<std::string, ParameterValue>& given) {
  const SolverEntry& entry = solvers().find(name);
  return entry.make(Parameters(entry.parameters, given, "solver " + entry.name));
}

std::string_view to_text(SolveStatus status) {
  switch (status) {
    case SolveStatus::solved: return "solved";
    case SolveStatus::not_converged: return "not converged";
    case SolveStatus::unsuitable: return "unsuitable";
  }
  return "";
}

}  // namespace carom::inline inclusion
