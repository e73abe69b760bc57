#include "carom/geometry/broad_phase.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace carom {
namespace {

std::vector<IndexPair> brute_force(const std::vector<Ball>& balls) {
  std::vector<IndexPair> pairs;
  for (Index i = 0; i < static_cast<Index>(balls.size()); ++i)
    for (Index j = i + 1; j < static_cast<Index>(balls.size()); ++j) {
      const Ball &a = balls[static_cast<std::size_t>(i)], &b = balls[static_cast<std::size_t>(j)];
      if ((a.centre - b.centre).squaredNorm() <= (a.radius + b.radius) * (a.radius + b.radius))
        pairs.push_back({i, j});
    }
  return pairs;
}

std::vector<Ball> cloud(int seed, int n, double size, double smallest, double largest) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::uniform_real_distribution<double> place(-size, size), exponent(0.0, 1.0);
  std::vector<Ball> balls;
  for (int i = 0; i < n; ++i)
    balls.push_back({Vector3(place(random), place(random), place(random)),
                     smallest * std::pow(largest / smallest, exponent(random))});
  return balls;
}

TEST(BroadPhase, FindsExactlyTheOverlappingPairsInOrder) {
  BroadPhase broad_phase;
  std::vector<IndexPair> pairs;
  std::size_t seen = 0;
  for (int seed = 0; seed < 60; ++seed) {
    // From equal balls to sizes a thousandfold apart, so that some count as large.
    const double spread = std::pow(10.0, seed % 4);
    const auto balls = cloud(seed, 5 + 7 * seed, 1.0, 0.1 / spread, 0.1);
    broad_phase.find(balls, pairs);
    EXPECT_EQ(pairs, brute_force(balls)) << "seed " << seed;
    seen += pairs.size();
  }
  EXPECT_GT(seen, 1000u);
}

TEST(BroadPhase, OneGiantAmongMany) {
  auto balls = cloud(7, 300, 1.0, 0.03, 0.05);
  balls[150] = {Vector3(0.2, 0, 0), 0.7};
  BroadPhase broad_phase;
  std::vector<IndexPair> pairs;
  broad_phase.find(balls, pairs);
  EXPECT_EQ(pairs, brute_force(balls));
}

TEST(BroadPhase, TouchingBallsOnCellBordersCount) {
  std::vector<Ball> row;
  for (int i = 0; i < 20; ++i) row.push_back({Vector3(i - 10.0, 0, 0), 0.5});
  BroadPhase broad_phase;
  std::vector<IndexPair> pairs;
  broad_phase.find(row, pairs);
  ASSERT_EQ(pairs.size(), 19u);
  for (int i = 0; i < 19; ++i) EXPECT_EQ(pairs[static_cast<std::size_t>(i)], (IndexPair{i, i + 1}));
}

TEST(BroadPhase, SurvivesEmptyPointsFarAwayAndNotANumber) {
  BroadPhase broad_phase;
  std::vector<IndexPair> pairs = {{1, 2}};
  broad_phase.find({}, pairs);
  EXPECT_TRUE(pairs.empty());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Ball> balls = {{Vector3(1e300, 0, 0), 0.1},
                                   {Vector3(nan, 0, 0), 0.1},
                                   {Vector3(-1e15, 0, 0), 0.1},
                                   {Vector3(0, 0, 0), 0.0},
                                   {Vector3(0, 0, 0.1), 0.1}};
  broad_phase.find(balls, pairs);
  EXPECT_EQ(pairs, (std::vector<IndexPair>{{3, 4}}));
}

TEST(BroadPhase, WorkGrowsWithTheNumberOfBalls) {
  // At the density of a pile every ball has a bounded number of neighbours, so that overlap tests per ball do not grow.
  BroadPhase broad_phase;
  std::vector<IndexPair> pairs;
  double per_ball[2];
  for (const int k : {0, 1}) {
    const int n = k == 0 ? 2000 : 20000;
    const auto balls = cloud(3, n, 0.5 * std::cbrt(n), 0.45, 0.5);
    broad_phase.find(balls, pairs);
    EXPECT_GT(pairs.size(), static_cast<std::size_t>(n));
    per_ball[k] = static_cast<double>(broad_phase.overlap_tests()) / n;
  }
  EXPECT_LT(per_ball[1], 20.0);
  EXPECT_LT(per_ball[1], 1.3 * per_ball[0]);  // the smaller heap has relatively more surface, with fewer neighbours
}

}  // namespace
}  // namespace carom
