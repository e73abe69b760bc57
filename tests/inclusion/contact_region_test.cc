// Heaps and piles that are solved but for a few contacts.
#include "carom/inclusion/contact_region.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "carom/inclusion/residual.h"
#include "inclusion/random_heap.h"

namespace carom {
namespace {

using testing::RandomHeap;

constexpr double tolerance = 1e-8;

Buffer solution(const InclusionProblem& problem) {
  SolverWorkspace workspace;
  InclusionResult result;
  make_solver("automatic", {{"tolerance", 1e-10}})->solve(problem, workspace, result);
  EXPECT_EQ(result.status, SolveStatus::solved);
  return result.lambda;
}

std::set<Index> bodies_of(const ConstraintJacobian& W, Index b) {
  std::set<Index> bodies;
  for (Index s = W.block(b).segment_begin; s < W.block(b).segment_end; ++s) bodies.insert(W.segment(s).offset / 6);
  return bodies;
}

bool meet(const std::set<Index>& one, const std::set<Index>& other) {
  return std::any_of(one.begin(), one.end(), [&](Index body) { return other.count(body) > 0; });
}

// Contacts of bodies so many contacts away from the bodies of these blocks, found one ring at a time.
std::set<Index> around(const InclusionProblem& problem, const std::set<Index>& blocks, int depth) {
  const ConstraintJacobian& W = *problem.G->factors()->W;
  std::set<Index> bodies;
  for (const Index b : blocks) bodies.merge(bodies_of(W, b));
  for (int ring = 0; ring < depth; ++ring) {
    std::set<Index> wider = bodies;
    for (Index b = 0; b < W.block_count(); ++b)
      if (meet(bodies_of(W, b), bodies)) wider.merge(bodies_of(W, b));
    bodies = wider;
  }
  std::set<Index> found;
  for (Index b = 0; b < W.block_count(); ++b)
    if (meet(bodies_of(W, b), bodies)) found.insert(b);
  return found;
}

double error_of(const InclusionProblem& problem, const ResidualWorkspace& judged, Index b) {
  const RowRange& rows = problem.G->block(b);
  return problem.G->rho(b) * judged.defect.vec().segment(rows.row, rows.rows).norm() / judged.scale[b];
}

// One contact gets another impulse. The region has the contacts around it and no others, is solved as the definition
// over the whole has it with all others held, and these keep their bits.
TEST(ContactRegion, IsSolvedWithAllOthersHeld) {
  for (const unsigned seed : {0u, 2u, 4u}) {  // at rest
    const RandomHeap heap(seed, 14, 14);
    const InclusionProblem& problem = heap.problem;
    Buffer lambda = solution(problem), xi;
    const Index changed = 50 + 90 * static_cast<Index>(seed);
    lambda[3 * changed] += 0.1 * lambda.vec().lpNorm<Eigen::Infinity>();
    ResidualWorkspace judged;
    ASSERT_GT(residual(problem, lambda, xi, judged), 1e-3) << seed;
    std::set<Index> in_error;
    for (Index b = 0; b < problem.block_count(); ++b)
      if (error_of(problem, judged, b) > 0.5 * tolerance) in_error.insert(b);

    ContactRegion region;
    const double share = region.find(problem, 0.5 * tolerance, 2, judged);
    const std::set<Index> expected = around(problem, in_error, 2);
    EXPECT_EQ(share, static_cast<double>(expected.size()) / static_cast<double>(problem.block_count())) << seed;
    ASSERT_LT(share, 0.6) << seed;
    SweepOptions options;
    options.tolerance = tolerance;
    options.max_iterations = options.patience = 20000;
    const Buffer before = lambda;
    EXPECT_GT(region.solve(problem, options, xi, lambda), 0) << seed;
    residual(problem, lambda, xi, judged);
    for (Index b = 0; b < problem.block_count(); ++b) {
      // The scale of a contact at the rim is smaller in the region, where the others are not summed.
      if (expected.count(b) > 0)
        EXPECT_LE(error_of(problem, judged, b), 1.01 * tolerance) << seed << ' ' << b;
      else
        EXPECT_TRUE(lambda.vec().segment(3 * b, 3) == before.vec().segment(3 * b, 3)) << seed << ' ' << b;
    }
    EXPECT_FALSE(lambda == before) << seed;
  }
}

TEST(ContactRegion, IsEmptyWhereThereAreNoErrorsAndAllWhereTheyAreEverywhere) {
  const RandomHeap heap(1, 6, 6);
  Buffer lambda = solution(heap.problem), xi;
  ResidualWorkspace judged;
  residual(heap.problem, lambda, xi, judged);
  ContactRegion region;
  EXPECT_EQ(region.find(heap.problem, tolerance, 3, judged), 0.0);
  lambda.assign(heap.problem.rows(), 0.0);
  residual(heap.problem, lambda, xi, judged);
  EXPECT_EQ(region.find(heap.problem, tolerance, 3, judged), 1.0);
}

// Normals alone are regions too.
TEST(ContactRegion, OfContactsWithoutFriction) {
  const RandomHeap heap(3, 14, 14, 0.0, RandomHeap::Contacts::normals);
  Buffer xi, lambda;
  lambda.assign(heap.problem.rows(), 0.0);
  SolverWorkspace workspace;
  InclusionResult whole;
  whole.lambda = lambda;
  SweepOptions options;
  options.tolerance = 1e-10;
  options.max_iterations = options.patience = 20000;
  ASSERT_TRUE(body_sweeps(heap.problem, options, workspace, whole));
  lambda = whole.lambda;
  lambda[200] += 0.1 * lambda.vec().lpNorm<Eigen::Infinity>();
  ResidualWorkspace judged;
  const double wrong = residual(heap.problem, lambda, xi, judged);
  ContactRegion region;
  ASSERT_LT(region.find(heap.problem, tolerance, 5, judged), 1.0);
  EXPECT_GT(region.solve(heap.problem, options, xi, lambda), 0);
  EXPECT_LT(residual(heap.problem, lambda, xi, judged), 0.1 * wrong);
}

}  // namespace
}  // namespace carom
