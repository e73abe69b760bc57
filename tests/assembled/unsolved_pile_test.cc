// Passes of a step over a pile whose contact problem is not solved: they end, and the step says so.
#include <gtest/gtest.h>

#include "assembled/large_scenes.h"
#include "carom/simulation/simulate.h"

namespace carom::testing {
namespace {

// Solves, and says of those whose number is in [first, last] that it did not.
class Doubting final : public InclusionSolver {
 public:
  Doubting(int first, int last) : first_(first), last_(last) {}
  void solve(const InclusionProblem& problem, SolverWorkspace& workspace, InclusionResult& result) const override {
    solver_->solve(problem, workspace, result);
    ++solves;
    if (first_ <= solves && solves <= last_) result.status = SolveStatus::not_converged;
  }
  mutable int solves = 0;

 private:
  std::unique_ptr<InclusionSolver> solver_ = make_solver("automatic", {{"tolerance", 1e-6}});
  int first_, last_;
};

// One step of a wall out of which a brick is pushed: several passes.
StepStatus stepped(const InclusionSolver& solver) {
  const Model model = brick_wall(6, 6, 0.8);
  const auto scheme = make_scheme("moreau_jean");
  State state = model.initial;
  scheme->start(*model.system, 1e-3, state);
  StepWorkspace workspace;
  StepResult result;
  scheme->step(*model.system, solver, state, 1e-3, workspace, result);
  return result.status;
}

TEST(UnsolvedPile, IsAskedAgainOnce) {
  const Doubting never(0, 1000), first(1, 1), nothing(0, 0);
  EXPECT_EQ(stepped(never), StepStatus::solver_failed);
  EXPECT_EQ(never.solves, 2);
  EXPECT_EQ(stepped(nothing), StepStatus::ok);
  ASSERT_GT(nothing.solves, 1) << "there are several passes";
  EXPECT_EQ(stepped(first), StepStatus::ok) << "solved with the next directions";
}

}  // namespace
}  // namespace carom::testing
