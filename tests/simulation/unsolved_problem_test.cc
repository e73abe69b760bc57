#include "carom/simulation/unsolved_problem.h"

#include <gtest/gtest.h>

#include "carom/inclusion/dense_delassus.h"
#include "carom/laws/unilateral_law.h"

namespace carom {
namespace {

// Gives up problems with c < 0, after spoiling the guess.
class Picky final : public InclusionSolver {
 public:
  void solve(const InclusionProblem& problem, SolverWorkspace&, InclusionResult& result) const override {
    result.lambda.assign(problem.rows(), 99.0);
    result.status = problem.c[0] < 0.0 ? SolveStatus::not_converged : SolveStatus::solved;
  }
};

class UnsolvedProblemTest : public ::testing::Test {
 protected:
  void solve(double G, double c, double guess) { solve(problem_, G, c, guess); }
  void solve(InclusionProblem& problem, double G, double c, double guess) {
    // The same memory for every operator, as in a step.
    const RowRange row{0, 1};
    operator_.assign(1, {&row, 1}, &G, true);
    problem.G = &operator_;
    problem.c.assign(1, c);
    problem.laws = {&law_};
    result_.lambda.assign(1, guess);
    solver_.solve(problem, workspace_, result_);
  }
  double kept_G() const {
    double G = 0.0;
    unsolved_.problem.G->to_dense(&G);
    return G;
  }

  const UnilateralLaw law_{0.0};
  const Picky picky_;
  UnsolvedProblem unsolved_;
  InclusionProblem problem_;
  const KeepingSolver solver_{picky_, problem_, unsolved_};
  DenseDelassus operator_;
  SolverWorkspace workspace_;
  InclusionResult result_;
};

TEST_F(UnsolvedProblemTest, NothingIsKeptOfSolvedProblems) {
  solve(2.0, 1.0, 0.5);
  EXPECT_EQ(result_.status, SolveStatus::solved);
  EXPECT_EQ(result_.lambda[0], 99.0);
  EXPECT_TRUE(unsolved_.empty());
}

TEST_F(UnsolvedProblemTest, ItsLawsAreItsOwn) {
  solve(2.0, -1.0, 0.5);
  ASSERT_EQ(unsolved_.problem.laws.size(), 1u);
  EXPECT_NE(unsolved_.problem.laws[0], &law_);
  EXPECT_EQ(unsolved_.problem.laws[0], unsolved_.laws.at(0).get());
  EXPECT_EQ(unsolved_.problem.laws[0]->kind(), LawKind::unilateral);
}

TEST_F(UnsolvedProblemTest, TheLastUnsolvedOneIsKeptWithTheGuessItWasGiven) {
  solve(2.0, -1.0, 0.5);
  solve(3.0, -4.0, 0.25);
  EXPECT_EQ(result_.status, SolveStatus::not_converged);
  InclusionProblem other;
  solve(other, 5.0, 1.0, 0.75);  // in the memory of the one before
  ASSERT_FALSE(unsolved_.empty());
  EXPECT_EQ(kept_G(), 3.0);
  EXPECT_EQ(unsolved_.problem.c[0], -4.0);
  EXPECT_EQ(unsolved_.guess[0], 0.25);
  ASSERT_EQ(unsolved_.problem.laws.size(), 1u);  // a law of its own: the model may be gone
  EXPECT_EQ(unsolved_.problem.laws[0]->kind(), law_.kind());
}

TEST_F(UnsolvedProblemTest, AProblemSolvedLaterClearsIt) {
  solve(2.0, -1.0, 0.5);
  solve(2.0, 1.0, 0.5);
  EXPECT_TRUE(unsolved_.empty());
}

TEST_F(UnsolvedProblemTest, ProblemsElsewhereAreSolvedButNotKept) {
  InclusionProblem other;
  solve(other, 2.0, -1.0, 0.5);
  EXPECT_EQ(result_.status, SolveStatus::not_converged);
  EXPECT_TRUE(unsolved_.empty());
}

}  // namespace
}  // namespace carom
