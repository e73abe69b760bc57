// Solvers of inclusion problems: parameters only; scratch memory is the caller's workspace, results
// are values. A solver reports `solved` only when residual() <= tolerance.
#pragma once

#include <memory>
#include <string>

#include "carom/base/parameters.h"
#include "carom/base/registry.h"
#include "carom/inclusion/inclusion_problem.h"
#include "carom/inclusion/residual.h"

namespace carom {

// Memory that solvers reuse from solve to solve; it only ever grows.
struct SolverWorkspace {
  ResidualWorkspace residual;
  Buffer running;        // of sweeps
  Buffer best_lambda;    // best iterate so far
  Buffer r, step, trial; // vectors of the problem's size
  Buffer J, G;           // square matrices
  Buffer small;          // scratch of local solves
  std::vector<int> integers;
};

class InclusionSolver {
 public:
  virtual ~InclusionSolver() = default;
  virtual void solve(const InclusionProblem& problem, SolverWorkspace& workspace,
                     InclusionResult& result) const = 0;
};

struct SolverEntry {
  std::string name;
  std::string title;    // one line for `carom list solvers`
  std::string accepts;  // which problems
  std::vector<ParameterSpec> parameters;
  std::unique_ptr<InclusionSolver> (*make)(const Parameters&);
};

const Registry<SolverEntry>& solvers();

// By word; `given` holds parameters by name, `tolerance` among them for every solver.
std::unique_ptr<InclusionSolver> make_solver(std::string_view name,
                                             const std::map<std::string, ParameterValue>& given = {});

}  // namespace carom
