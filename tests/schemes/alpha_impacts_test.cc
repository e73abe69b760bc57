// Many random corners are hit by a mass point, and what the generalized-alpha schemes call a finished step is judged by
// the laws alone. An active set that has just changed must never pass for a step that only rounding keeps from ending.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "schemes/corner.h"
#include "schemes/run_scheme.h"

namespace carom {
namespace {

using testing::Corner;
using testing::Given;

// How far a step is from
//
//   v_1 - v_0 - dt h = W Lambda,   0 <= g_1,   0 <= xi on closed walls,   0 <= Lambda
//   Lambda > 0 only where g_1 = xi = 0
//
// with xi = W'(v_1 + e v_0), relative to the speed of the impact.
double worst_violation(const Matrix& W, const Vector& d, const Vector& h, double e, const State& start, double dt,
                       const StepResult& result) {
  const double speed = start.v.norm() + dt * h.norm();
  const Vector g = W.transpose() * result.next.q + d, xi = W.transpose() * (result.next.v + e * start.v);
  Vector Lambda = Vector::Zero(W.cols());
  for (const StepContact& contact : result.contacts)
    Lambda[static_cast<Index>(contact.constraint.id.pair) - 1] = result.impulse[contact.row];
  double worst = (result.next.v - start.v - dt * h - W * Lambda).norm() / speed;
  for (Index k = 0; k < W.cols(); ++k) {
    const bool closed = g[k] <= 1e-11;
    worst = std::max({worst, -g[k], -Lambda[k] / speed, closed ? -xi[k] / speed : 0.0});
    if (Lambda[k] > 1e-9 * speed) worst = std::max({worst, std::abs(xi[k]) / speed, closed ? 0.0 : 1.0});
  }
  return worst;
}

void hit_corners(const std::string& scheme_name, const Given& given, int corners) {
  std::mt19937_64 random(20180612);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> choice(0, 2);
  const std::unique_ptr<Scheme> scheme = make_scheme(scheme_name, given);
  const std::unique_ptr<InclusionSolver> solver = make_solver("automatic");
  StepWorkspace workspace;
  StepResult result;
  int unfinished = 0, broken = 0, pushed = 0;
  double worst = 0.0;
  for (int corner = 0; corner < corners; ++corner) {
    const Index n = 3 + corner % 2, walls = 3 + (corner / 2) % (n - 2);
    const double dt = std::pow(10.0, -2 - choice(random)), e = 0.5 * choice(random);
    Matrix W = Matrix::NullaryExpr(n, walls, [&] { return normal(random); });
    W.colwise().normalize();
    // Walls that nearly depend on each other ask for corrections of position that rounding makes large: not our matter.
    if (W.jacobiSvd().singularValues().minCoeff() < 1e-3) continue;
    const Vector h = Vector::NullaryExpr(n, [&] { return 5.0 * normal(random); });
    State state;
    state.q = Vector::NullaryExpr(n, [&] { return normal(random); });
    state.v = Vector::NullaryExpr(n, [&] { return normal(random); });
    Vector d = -W.transpose() * state.q;
    for (Index k = 0; k < walls; ++k)
      if (choice(random) == 0) d[k] += dt * std::abs(normal(random));
    const Corner system(W, d, h, e);
    scheme->start(system, dt, state);
    scheme->step(system, *solver, state, dt, workspace, result);
    if (result.status != StepStatus::ok) {
      ++unfinished;
      continue;
    }
    pushed += result.contacts.size() >= 2;
    const double violation = worst_violation(W, d, h, e, state, dt, result);
    broken += violation > 1e-9;
    worst = std::max(worst, violation);
  }
  EXPECT_EQ(unfinished, 0);
  EXPECT_EQ(broken, 0) << "worst: " << worst;
  EXPECT_GT(pushed, corners / 4);
}

TEST(AlphaImpacts, SequentialStepsKeepTheImpactLaw) { hit_corners("nonsmooth_generalized_alpha", {}, 20000); }
TEST(AlphaImpacts, MonolithicStepsKeepTheImpactLaw) {
  hit_corners("nonsmooth_generalized_alpha", {{"solution", std::string("monolithic")}}, 20000);
}
TEST(AlphaImpacts, DecoupledStepsKeepTheImpactLaw) { hit_corners("nonsmooth_generalized_alpha_decoupled", {}, 5000); }

}  // namespace
}  // namespace carom
