// Every registered solver on every kind of problem it accepts, judged by the definition of the residual
// and by each other.
#include <gtest/gtest.h>

#include "carom/inclusion/block_sparse_delassus.h"
#include "carom/inclusion/inclusion_solver.h"
#include "carom/inclusion/semismooth_newton.h"
#include "inclusion/test_problems.h"

namespace carom {
namespace {

using namespace test;

constexpr double tolerance = 1e-10;

InclusionResult solve(const std::string& name, const InclusionProblem& problem, Buffer guess = {},
                      std::map<std::string, ParameterValue> given = {}) {
  given.insert({"tolerance", tolerance});
  SolverWorkspace workspace;
  InclusionResult result;
  result.lambda = std::move(guess);
  make_solver(name, given)->solve(problem, workspace, result);
  return result;
}

// A claim of success is checked independently of the code under test.
void expect_honest(const InclusionProblem& problem, const InclusionResult& result) {
  const double actual = residual_by_definition(problem, result.lambda.vec());
  if (result.status == SolveStatus::solved) {
    EXPECT_LE(actual, tolerance * (1 + 1e-3));
  }
  if (result.status != SolveStatus::solved && actual <= tolerance) {
    EXPECT_GT(result.residual, tolerance);  // the size of diverging impulses hides no error
  } else if (std::isfinite(result.residual)) {
    EXPECT_NEAR(actual, result.residual, 1e-3 * actual + 1e-15);
  }
}

struct Kind {
  std::string name;
  Laws laws;
  Index velocities;
  double asymmetry;
  bool finite_states;  // enumeration and pivoting apply
  bool unique;         // lambda is
};

std::vector<Kind> kinds() {
  const auto bilateral = std::make_shared<BilateralLaw>(2);
  const auto unilateral = std::make_shared<UnilateralLaw>(0.0);
  const auto planar = std::make_shared<PlanarCoulombLaw>(0.0, 0.2);
  const auto spatial = std::make_shared<SpatialCoulombLaw>(0.0, 0.3);
  return {{"lcp", repeat(unilateral, 6), 10, 0.0, true, true},
          {"lcp_redundant", repeat(unilateral, 8), 4, 0.0, true, false},
          {"bilateral_and_unilateral", {bilateral, unilateral, unilateral, bilateral, unilateral}, 14, 0.0, true, true},
          {"bilateral_redundant", {bilateral, bilateral, unilateral, unilateral}, 3, 0.0, true, false},
          {"planar_friction", repeat(planar, 3), 20, 0.0, true, true},
          {"planar_friction_not_symmetric", repeat(planar, 3), 20, 0.05, true, true},
          {"planar_friction_and_joint", {planar, bilateral, planar}, 20, 0.0, true, true},
          {"spatial_friction", repeat(spatial, 8), 100, 0.0, false, true},
          {"spatial_friction_not_symmetric", repeat(spatial, 5), 60, 0.05, false, true},
          {"everything", {bilateral, spatial, unilateral, planar, spatial}, 60, 0.0, false, true}};
}

class EverySolver : public ::testing::TestWithParam<std::string> {};

TEST_P(EverySolver, SolvesWhatItAccepts) {
  const bool finite_only = GetParam() == "enumeration" || GetParam() == "lemke";
  std::mt19937 random(11);
  for (const Kind& kind : kinds())
    for (int k = 0; k < 20; ++k) {
      SCOPED_TRACE(kind.name + " " + std::to_string(k));
      const TestProblem p = random_problem(kind.laws, kind.velocities, random, kind.asymmetry);
      const InclusionResult result = solve(GetParam(), p.problem);
      if (finite_only && !kind.finite_states) {
        EXPECT_EQ(result.status, SolveStatus::unsuitable);
        continue;
      }
      ASSERT_EQ(result.status, SolveStatus::solved) << result.residual;
      expect_honest(p.problem, result);
    }
}

TEST_P(EverySolver, AgreesWithTheOthers) {
  std::mt19937 random(12);
  for (const Kind& kind : kinds())
    for (int k = 0; k < 5; ++k) {
      SCOPED_TRACE(kind.name + " " + std::to_string(k));
      const TestProblem p = random_problem(kind.laws, kind.velocities, random, kind.asymmetry);
      const InclusionResult result = solve(GetParam(), p.problem);
      if (result.status == SolveStatus::unsuitable) continue;
      ASSERT_EQ(result.status, SolveStatus::solved) << result.residual;
      const InclusionResult other =
          solve("projected_gauss_seidel", p.problem, {}, {{"local", std::string("projection")}});
      ASSERT_EQ(other.status, SolveStatus::solved);
      // Redundant impulses differ; what they do (xi) does not.
      const double scale = 1 + other.xi.vec().norm();
      EXPECT_LE((result.xi.vec() - other.xi.vec()).norm(), 1e-5 * scale);
      if (kind.unique) {
        EXPECT_LE((result.lambda.vec() - other.lambda.vec()).norm(), 1e-5 * (1 + other.lambda.vec().norm()));
      }
    }
}

TEST_P(EverySolver, WarmStartsFindTheSameSolution) {
  std::mt19937 random(13);
  for (const Kind& kind : kinds()) {
    if (!kind.unique) continue;
    SCOPED_TRACE(kind.name);
    const TestProblem p = random_problem(kind.laws, kind.velocities, random, kind.asymmetry);
    const InclusionResult cold = solve(GetParam(), p.problem);
    if (cold.status == SolveStatus::unsuitable) continue;
    const InclusionResult warm = solve(GetParam(), p.problem, cold.lambda);
    EXPECT_EQ(warm.status, SolveStatus::solved);
    EXPECT_LE((warm.lambda.vec() - cold.lambda.vec()).norm(), 1e-8 * (1 + cold.lambda.vec().norm()));
    EXPECT_LE(warm.iterations, std::max(1, cold.iterations));
    Buffer far = cold.lambda;
    far.vec() = 3.0 * random_matrix(far.size(), 1, random);
    const InclusionResult other = solve(GetParam(), p.problem, far);
    EXPECT_EQ(other.status, SolveStatus::solved);
    EXPECT_LE((other.lambda.vec() - cold.lambda.vec()).norm(), 1e-5 * (1 + cold.lambda.vec().norm()));
  }
}

TEST_P(EverySolver, NeverCallsAnUnsolvableProblemSolved) {
  const auto unilateral = std::make_shared<UnilateralLaw>(0.0);
  const auto bilateral = std::make_shared<BilateralLaw>(1);
  const auto planar = std::make_shared<PlanarCoulombLaw>(0.0, 2.0);
  std::vector<TestProblem> problems;
  // A body squeezed between walls that both come nearer: no velocity obeys both.
  problems.emplace_back(repeat(unilateral, 2), Matrix{{1, -1}, {-1, 1}}, Vector{{-1, -1}});
  // Two joints that want different velocities of one row.
  problems.emplace_back(repeat(bilateral, 2), Matrix{{1, 1}, {1, 1}}, Vector{{-1, 1}});
  // Jamming: friction pushes the normal in (Painleve), no contact force is enough.
  problems.emplace_back(repeat(planar, 1), Matrix{{0.5, 1}, {1, 4}}, Vector{{-1, 5}});
  // Nothing moves a row that breaks its law.
  problems.emplace_back(repeat(unilateral, 2), Matrix{{1, 0}, {0, 0}}, Vector{{-1, -1}});
  for (std::size_t k = 0; k < problems.size(); ++k) {
    SCOPED_TRACE(k);
    const InclusionResult result = solve(GetParam(), problems[k].problem);
    for (const double value : result.lambda) EXPECT_TRUE(std::isfinite(value));
    if (k != 2) {
      EXPECT_NE(result.status, SolveStatus::solved);
    }
    if (k != 3) expect_honest(problems[k].problem, result);
  }
}

// Random, badly scaled and often unsolvable: whatever is said must be true.
TEST_P(EverySolver, IsHonestOnHardProblems) {
  std::mt19937 random(14);
  const Laws laws{std::make_shared<BilateralLaw>(1), std::make_shared<PlanarCoulombLaw>(0.0, 1.5),
                  std::make_shared<UnilateralLaw>(0.0), std::make_shared<PlanarCoulombLaw>(0.0, 0.0)};
  const Index n = total_rows(laws);
  std::map<std::string, ParameterValue> limit;
  for (const ParameterSpec& spec : solvers().find(GetParam()).parameters)
    if (spec.name == "max_iterations") limit["max_iterations"] = 300.0;
  for (int k = 0; k < 100; ++k) {
    const Matrix W = random_matrix(2 + k % 4, n, random);
    const Vector s = (3.0 * random_matrix(n, 1, random)).array().exp();
    const Matrix G = s.asDiagonal() * (W.transpose() * W + 0.3 * random_matrix(n, n, random)) * s.asDiagonal();
    if (G.diagonal().minCoeff() <= 0.0) continue;
    const TestProblem p(laws, G, random_matrix(n, 1, random), false);
    const InclusionResult result = solve(GetParam(), p.problem, {}, limit);
    for (const double value : result.lambda) EXPECT_TRUE(std::isfinite(value));
    expect_honest(p.problem, result);
  }
}

TEST_P(EverySolver, KeepsMaxIterations) {
  std::mt19937 random(16);
  const auto spatial = std::make_shared<SpatialCoulombLaw>(0.0, 0.5);
  const auto planar = std::make_shared<PlanarCoulombLaw>(0.0, 1.5);
  const auto unilateral = std::make_shared<UnilateralLaw>(0.0);
  for (const int most : {1, 2, 7, 40, 300})
    for (const Laws& laws : {repeat(spatial, 1), repeat(spatial, 6), repeat(planar, 5), repeat(unilateral, 11)})
      for (int k = 0; k < 10; ++k) {
        const Index n = total_rows(laws);
        const Matrix W = random_matrix(3, n, random);
        // Often without a solution: every stage is tried.
        const TestProblem p(laws, W.transpose() * W, random_matrix(n, 1, random));
        const InclusionResult result =
            solve(GetParam(), p.problem, {}, {{"max_iterations", static_cast<double>(most)}});
        EXPECT_LE(result.iterations, most) << n << " rows";
      }
}

TEST_P(EverySolver, SolvesTheEmptyProblem) {
  const TestProblem p(Laws{}, Matrix(0, 0), Vector(0));
  EXPECT_EQ(solve(GetParam(), p.problem).status, SolveStatus::solved);
}

INSTANTIATE_TEST_SUITE_P(Inclusion, EverySolver, testing::ValuesIn(solvers().names()),
                         [](const auto& solver) { return solver.param; });

// Large enough for sparse factors. Contacts between bodies that cannot move have no block in G; the others keep
// theirs where they are: each is a body of unit inertia on the floor that sticks or slides.
TEST(Solvers, ContactsThatNothingMovesDisturbNoOther) {
  constexpr Index contacts = 45;
  const SpatialCoulombLaw law(0.0, 0.5);
  std::vector<RowRange> partition;
  InclusionProblem problem;
  problem.c.resize(3 * contacts);
  for (Index b = 0; b < contacts; ++b) {
    partition.push_back({3 * b, 3});
    problem.laws.push_back(&law);
    problem.c[3 * b] = b % 3 == 0 ? 1.0 : -1.0;
    problem.c[3 * b + 1] = b % 3 == 0 ? 0.0 : 0.1 * static_cast<double>(b % 9);
  }
  BlockSparseDelassus G;
  G.begin(partition, true);
  for (Index b = 0; b < contacts; ++b)
    if (b % 3 != 0) Eigen::Map<Matrix3>(G.add_block(b, b)) = Matrix3::Identity();
  G.finish();
  problem.G = &G;
  SolverWorkspace workspace;
  InclusionResult result;
  result.lambda.resize(3 * contacts);
  ASSERT_TRUE(newton(problem, {}, workspace, result)) << result.residual;
  for (Index b = 0; b < contacts; ++b) {
    const double normal = b % 3 == 0 ? 0.0 : 1.0, speed = problem.c[3 * b + 1];
    EXPECT_NEAR(result.lambda[3 * b], normal, 1e-12) << b;
    EXPECT_NEAR(result.lambda[3 * b + 1], -std::min(0.5 * normal, speed), 1e-12) << b;
    EXPECT_EQ(result.lambda[3 * b + 2], 0.0) << b;
  }
}

TEST(Solvers, AreFoundByWordAndRefuseWhatTheyDoNotKnow) {
  EXPECT_EQ(solvers().names().front(), "automatic");
  EXPECT_THROW(make_solver("projected_gauss_seidl"), InputError);
  EXPECT_THROW(make_solver("lemke", {{"relaxation", 1.0}}), InputError);
  EXPECT_THROW(make_solver("projected_jacobi", {{"relaxation", 0.0}}), InputError);
}

}  // namespace
}  // namespace carom
