// Problems whose solution is known by hand.
#include <gtest/gtest.h>

#include "carom/inclusion/inclusion_solver.h"
#include "inclusion/test_problems.h"

namespace carom {
namespace {

using namespace test;

InclusionResult solve(const std::string& name, const InclusionProblem& problem,
                      const std::map<std::string, ParameterValue>& given = {}) {
  SolverWorkspace workspace;
  InclusionResult result;
  make_solver(name, given)->solve(problem, workspace, result);
  return result;
}

// Two unit masses; a sprag clutch between wall and mass 1 (gamma_1 = u_1), contact between the masses
// (gamma_2 = u_2 - u_1); u_minus = (1, -2). Different restitutions create energy, equal ones do not.
TEST(ClosedForm, TwoMassesAndAClutch) {
  const Matrix W{{1, -1}, {0, 1}};
  const Vector u_minus{{1, -2}};
  const struct {
    double e1, e2;
    Vector u_plus, Lambda;
    double energy_change;
  } cases[] = {{0, 1, Vector{{0, 3}}, Vector{{4, 5}}, 2.0},
               {0, 0, Vector{{0, 0}}, Vector{{1, 2}}, -2.5},
               {1, 1, Vector{{-1, 2}}, Vector{{2, 4}}, 0.0}};
  for (const auto& expected : cases) {
    const Vector gamma = W.transpose() * u_minus;
    const Vector c = gamma + Vector{{expected.e1 * gamma[0], expected.e2 * gamma[1]}};
    const TestProblem p(repeat(std::make_shared<UnilateralLaw>(0.0), 2), W.transpose() * W, c);
    for (const std::string& name : solvers().names()) {
      const InclusionResult result = solve(name, p.problem);
      ASSERT_EQ(result.status, SolveStatus::solved) << name;
      const Vector u_plus = u_minus + W * result.lambda.vec();
      EXPECT_LE((u_plus - expected.u_plus).norm(), 1e-10) << name;
      EXPECT_LE((result.lambda.vec() - expected.Lambda).norm(), 1e-10) << name;
      EXPECT_NEAR(0.5 * (u_plus.squaredNorm() - u_minus.squaredNorm()), expected.energy_change, 1e-9) << name;
    }
  }
}

// A block with rows of very different inertia and a solution inside the set.
TEST(ClosedForm, RecoveredJacobiRate) {
  const TestProblem p({std::make_shared<BilateralLaw>(2)}, Matrix{{1e4, 0}, {0, 1}}, Vector{{1, 1}});
  const InclusionResult recovered = solve("projected_jacobi", p.problem, {{"tolerance", 1e-9}});
  EXPECT_EQ(recovered.status, SolveStatus::solved);
  EXPECT_EQ(recovered.iterations, 1);
  EXPECT_NEAR(recovered.lambda[0], -1e-4, 1e-18);
  EXPECT_NEAR(recovered.lambda[1], -1.0, 1e-14);
  const InclusionResult standard =
      solve("projected_jacobi", p.problem, {{"tolerance", 1e-9}, {"recover_jacobi_rate", false}});
  EXPECT_EQ(standard.status, SolveStatus::solved);
  EXPECT_GT(standard.iterations, 100000);
  EXPECT_LT(standard.iterations, 300000);
}

// Two corners of a slider on one side, G nearly singular as in the slider-crank; mirror-symmetric data
// must give mirror-symmetric impulses to round-off, with either sign of sliding and in stick.
TEST(ClosedForm, TwoCornersOfASliderShareEvenly) {
  const auto law = std::make_shared<PlanarCoulombLaw>(0.4, 0.01);
  const double a = 936, b = 915, s = 236;
  const Matrix G{{a, 0, b, 0}, {0, s, 0, s}, {b, 0, a, 0}, {0, s, 0, s}};  // T rows dependent
  for (const double slide : {-8.4, 0.0, 8.4}) {
    const TestProblem p(repeat(law, 2), G, Vector{{-1.18, slide, -1.18, slide}});
    for (const std::string& name : {std::string("automatic"), std::string("semismooth_newton"),
                                    std::string("enumeration"), std::string("lemke")}) {
      const InclusionResult result = solve(name, p.problem);
      ASSERT_EQ(result.status, SolveStatus::solved) << name << " " << slide;
      const double normal = 1.18 / (a + b);
      EXPECT_NEAR(result.lambda[0], normal, 1e-13 * normal) << name;
      EXPECT_NEAR(result.lambda[2], normal, 1e-13 * normal) << name;
      const double friction = slide == 0.0 ? 0.0 : slide > 0.0 ? -0.01 * normal : 0.01 * normal;
      EXPECT_NEAR(result.lambda[1], friction, 1e-13 * normal) << name;
      EXPECT_NEAR(result.lambda[3], friction, 1e-13 * normal) << name;
    }
  }
}

// A block on four corners (rank 3 of 4 rows) pressed down: the minimum-norm impulses are equal.
TEST(ClosedForm, FourCornersShareEvenly) {
  Matrix W(3, 4);  // velocities: up, two tilts
  W << 1, 1, 1, 1, 1, -1, -1, 1, 1, 1, -1, -1;
  const TestProblem p(repeat(std::make_shared<UnilateralLaw>(0.0), 4), W.transpose() * W, Vector::Constant(4, -1.0));
  for (const std::string& name :
       {std::string("automatic"), std::string("semismooth_newton"), std::string("enumeration")}) {
    const InclusionResult result = solve(name, p.problem);
    ASSERT_EQ(result.status, SolveStatus::solved) << name;
    for (Index i = 0; i < 4; ++i) EXPECT_NEAR(result.lambda[i], 0.25, 1e-13) << name;
  }
}

// Gauss-Seidel contracts by 0.955 a sweep on the coupling of two corners; Newton is done at once.
TEST(ClosedForm, DirectMethodsDoNotCrawl) {
  const Matrix G{{936, -915}, {-915, 936}};
  const TestProblem p(repeat(std::make_shared<UnilateralLaw>(0.0), 2), G, Vector{{-1, -1}});
  const InclusionResult newton = solve("automatic", p.problem);
  EXPECT_EQ(newton.status, SolveStatus::solved);
  EXPECT_LE(newton.iterations, 3);
  EXPECT_NEAR(newton.lambda[0], 1.0 / 21.0, 1e-14);
  EXPECT_NEAR(newton.lambda[0], newton.lambda[1], 1e-15);
  const InclusionResult sweeps = solve("projected_gauss_seidel", p.problem);
  EXPECT_EQ(sweeps.status, SolveStatus::solved);
  EXPECT_GT(sweeps.iterations, 200);
}

}  // namespace
}  // namespace carom
