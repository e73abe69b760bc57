// A box on its corners: four contacts with friction, twelve rows, six velocities. Restitution asks the corners of a box
// that is not quite flat for velocities no rigid body has, by anything from rounding to per cents; the solution then is
// a corner that slides by that little. All of it must be solved to the tolerance, and nothing else be called solved.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/inclusion/inclusion_solver.h"
#include "inclusion/test_problems.h"

namespace carom {
namespace {

using namespace test;

constexpr double tolerance = 1e-12;

double uniform(std::mt19937& random, double a, double b) {
  return std::uniform_real_distribution<double>(a, b)(random);
}
double spread(std::mt19937& random, double a, double b) { return std::exp(uniform(random, std::log(a), std::log(b))); }

struct Box {
  Matrix W;  // 6 x rows, of unit mass and unit inertia: velocities are in sqrt(energy)
  Vector v, gamma_minus;
  TestProblem problem;
};

// The corners below (and above, against a second floor that comes down on them), turned by `tilt` about any axis.
Box box_on_corners(std::mt19937& random, double tilt, bool between_planes) {
  const Vector3 half(spread(random, 0.02, 0.3), spread(random, 0.02, 0.3), spread(random, 0.02, 0.3));
  const double mass = spread(random, 1e-3, 1e3), e = uniform(random, 0.0, 1.0), mu = uniform(random, 0.0, 1.0);
  const Vector3 inertia = mass / 3.0 *
                          Vector3(half.y() * half.y() + half.z() * half.z(), half.z() * half.z() + half.x() * half.x(),
                                  half.x() * half.x() + half.y() * half.y());
  const Matrix3 R = Eigen::AngleAxisd(tilt, Vector3(random_matrix(3, 1, random)).normalized()).toRotationMatrix() *
                    Eigen::AngleAxisd(uniform(random, 0.0, 6.0), Vector3::UnitZ()).toRotationMatrix();
  const Matrix3 root = R * inertia.cwiseSqrt().cwiseInverse().asDiagonal() * R.transpose();
  const int corners = between_planes ? 8 : 4;
  Box box;
  box.W.resize(6, 3 * corners);
  for (int k = 0; k < corners; ++k) {
    const double up = k < 4 ? -1.0 : 1.0;
    const Vector3 lever = R * Vector3(k & 1 ? half.x() : -half.x(), k & 2 ? half.y() : -half.y(), up * half.z());
    const Vector3 directions[] = {{0, 0, -up}, {1, 0, 0}, {0, 1, 0}};
    for (int r = 0; r < 3; ++r)
      box.W.col(3 * k + r) << directions[r] / std::sqrt(mass), root * lever.cross(directions[r]);
  }
  // Falling or at rest, with gravity's velocity of a short step.
  box.v = spread(random, 1e-6, 1.0) * random_matrix(6, 1, random);
  box.v[2] -= std::sqrt(mass) * spread(random, 1e-5, 1e-1);
  box.gamma_minus = box.W.transpose() * (uniform(random, 0.0, 1.0) < 0.5 ? box.v : Vector(random_matrix(6, 1, random)));
  Vector c = box.W.transpose() * box.v;
  for (int k = 0; k < corners; ++k) c[3 * k] += e * box.gamma_minus[3 * k];
  box.problem = TestProblem(repeat(std::make_shared<SpatialCoulombLaw>(e, mu), corners), box.W.transpose() * box.W, c);
  return box;
}

InclusionResult solve(const InclusionProblem& problem) {
  static const auto solver = make_solver("automatic");
  SolverWorkspace workspace;
  InclusionResult result;
  solver->solve(problem, workspace, result);
  return result;
}

TEST(RedundantContacts, OfABoxAreSolvedWhateverItsTilt) {
  std::mt19937 random(31);
  for (int k = 0; k < 400; ++k) {
    const double tilt = k % 8 == 0 ? 0.0 : spread(random, 1e-15, 1e-2);
    const Box box = box_on_corners(random, tilt, false);
    const InclusionResult result = solve(box.problem.problem);
    ASSERT_EQ(result.status, SolveStatus::solved) << k << ": tilt " << tilt << ", residual " << result.residual;
    EXPECT_LE(residual_by_definition(box.problem.problem, result.lambda.vec()), 1.01 * tolerance) << k;
  }
}

// With no restitution the planes ask for nothing that standing still does not give.
TEST(RedundantContacts, BetweenTwoPlanesAreSolved) {
  std::mt19937 random(32);
  for (int k = 0; k < 50; ++k) {
    Box box = box_on_corners(random, 0.0, true);
    const Vector c = box.W.transpose() * box.v;
    const TestProblem p(box.problem.laws, box.problem.matrix(), c);
    const InclusionResult result = solve(p.problem);
    ASSERT_EQ(result.status, SolveStatus::solved) << k << ": residual " << result.residual;
    EXPECT_LE(residual_by_definition(p.problem, result.lambda.vec()), 1.01 * tolerance) << k;
  }
}

// What the residual is for: errors far below what a plot would show, but no rounding.
TEST(RedundantContacts, SmallErrorsAreNoticed) {
  std::mt19937 random(33);
  int looked = 0;
  for (int k = 0; k < 100; ++k) {
    const Box box = box_on_corners(random, spread(random, 1e-12, 1e-3), false);
    const InclusionProblem& problem = box.problem.problem;
    const Vector lambda = solve(problem).lambda.vec();
    if (lambda.norm() == 0.0) continue;
    ++looked;
    const auto error = [&](auto&& change) {
      Vector wrong = lambda;
      change(wrong);
      return residual_by_definition(problem, wrong);
    };
    EXPECT_GT(error([](Vector& l) { l *= 1.0 + 1e-9; }), 10 * tolerance) << "scaled";
    EXPECT_GT(error([](Vector& l) {
                for (Index i = 0; i < l.size(); i += 3) l[i] *= 1.0 + 1e-9;
              }),
              10 * tolerance)
        << "normals";
    EXPECT_GT(error([](Vector& l) {
                Index i;
                l.cwiseAbs().maxCoeff(&i);
                l[i] = 0.0;
              }),
              10 * tolerance)
        << "a row dropped";
    if (std::abs(lambda[1]) + std::abs(lambda[4]) + std::abs(lambda[7]) + std::abs(lambda[10]) > 1e-3 * lambda.norm()) {
      EXPECT_GT(error([](Vector& l) {
                  for (Index i = 0; i < l.size(); ++i) l[i] *= i % 3 ? 0.99 : 1.0;
                }),
                10 * tolerance)
          << "friction";
    }
  }
  EXPECT_GT(looked, 50);
}

// c = W'u cancels to rounding in a loop of joints: two of them ask one row for velocities that differ in the last
// digit.
TEST(RedundantContacts, RoundingOfCIsExcusedAndNothingMore) {
  const Laws laws = repeat(std::make_shared<BilateralLaw>(1), 2);
  ConstraintJacobian W;
  for (int b = 0; b < 2; ++b) {
    W.add_block(1);
    double* row = W.add_segment(0, 2);
    row[0] = 1.0;
    row[1] = 1.0;
  }
  const double u[] = {1.0, -1.0};
  for (const double contradiction : {1e-16, 1e-12}) {
    TestProblem p(laws, Matrix{{1, 1}, {1, 1}}, Vector{{contradiction, -contradiction}});
    for (const std::string& name : solvers().names()) {
      SCOPED_TRACE(name);
      SolverWorkspace workspace;
      InclusionResult result;
      p.problem.c_directions = nullptr;
      p.problem.c_velocity = nullptr;
      make_solver(name)->solve(p.problem, workspace, result);
      EXPECT_NE(result.status, SolveStatus::solved);
      EXPECT_GT(result.residual, tolerance);
      p.problem.c_directions = &W;
      p.problem.c_velocity = u;
      result = {};
      make_solver(name)->solve(p.problem, workspace, result);
      EXPECT_EQ(result.status == SolveStatus::solved, contradiction < 1e-15);
    }
  }
}

TEST(RedundantContacts, InfiniteDataHasNoSolution) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Laws laws = repeat(std::make_shared<SpatialCoulombLaw>(0.0, 0.5), 2);
  for (const double bad : {infinity, -infinity, std::nan("")})
    for (const bool in_c : {true, false})
      for (const std::string& name : solvers().names()) {
        SCOPED_TRACE(name);
        Matrix G = Matrix::Identity(6, 6);
        Vector c = Vector::Constant(6, -1.0);
        (in_c ? c[3] : G(3, 3)) = bad;
        const TestProblem p(laws, G, c);
        SolverWorkspace workspace;
        InclusionResult result;
        make_solver(name, {{"max_iterations", 100.0}})->solve(p.problem, workspace, result);
        EXPECT_NE(result.status, SolveStatus::solved) << bad << (in_c ? " in c" : " in G");
      }
}

}  // namespace
}  // namespace carom
