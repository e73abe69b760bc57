#include "carom/inclusion/contact_states.h"
#include "carom/inclusion/semismooth_newton.h"

namespace carom {

namespace {

class Automatic : public InclusionSolver {
 public:
  explicit Automatic(const Parameters& parameters) : tolerance_(parameters.number("tolerance")) {}

  void solve(const InclusionProblem& problem, SolverWorkspace& workspace, InclusionResult& result) const override {
    result.lambda.resize(problem.rows());
    result.iterations = 0;
    if (problem.rows() <= max_state_rows && problem.G->dense() && states_of(problem, result.lambda, workspace.states)) {
      workspace.best_lambda = result.lambda;
      solve_states(problem, problem.G->dense(), workspace.states, workspace, result.lambda);
      result.iterations = 1;
      result.residual = residual(problem, result.lambda, result.xi, workspace.residual);
      if (result.residual <= tolerance_) { result.status = SolveStatus::solved; return; }
      result.lambda = workspace.best_lambda;
    }
    const bool solved = newton_dense(problem, {tolerance_, 60}, workspace, result);
    result.status = solved ? SolveStatus::solved : SolveStatus::not_converged;
  }

 private:
  double tolerance_;
};

}  // namespace

extern const SolverEntry automatic_entry;
const SolverEntry automatic_entry{
    "automatic",
    "chooses by size and structure, and falls back from one solver to the next",
    "everything",
    {{"tolerance", 1e-12, "residual to reach", 0.0, 1.0}},
    [](const Parameters& parameters) -> std::unique_ptr<InclusionSolver> {
      return std::make_unique<Automatic>(parameters);
    }};

}  // namespace carom
