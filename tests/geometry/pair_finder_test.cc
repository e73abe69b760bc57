#include "carom/geometry/pair_finder.h"

#include <gtest/gtest.h>

#include "geometry/oracle.h"

namespace carom::geometry {
namespace {

using namespace oracle;

std::vector<FinderItem> cloud(Random& random, int n, double room, double smallest, double largest) {
  std::vector<FinderItem> items;
  for (int k = 0; k < n; ++k) {
    const double size = smallest * std::pow(largest / smallest, uniform(random, 0, 1));
    Vector3 x, half;
    for (int i = 0; i < 3; ++i) x[i] = uniform(random, -room, room), half[i] = size * uniform(random, 0.2, 1.0);
    FinderItem item;
    item.bounds = {x - half, x + half};
    item.body = k;
    items.push_back(item);
  }
  return items;
}

std::vector<IndexPair> brute_force(const std::vector<FinderItem>& items, const ExcludedPairs& excluded) {
  std::vector<IndexPair> pairs;
  for (std::size_t i = 0; i < items.size(); ++i)
    for (std::size_t j = i + 1; j < items.size(); ++j) {
      const FinderItem &a = items[i], &b = items[j];
      if (a.bounds.meets(b.bounds) && !(a.fixed && b.fixed) && (a.groups & b.meets) && (b.groups & a.meets) &&
          a.body != b.body && !excluded.contains(a.body, b.body))
        pairs.push_back({static_cast<Index>(i), static_cast<Index>(j)});
    }
  return pairs;
}

TEST(PairFinder, FindsExactlyTheOverlappingPairsInOrder) {
  Random random(1);
  PairFinder finder;
  std::vector<IndexPair> pairs;
  std::size_t seen = 0;
  for (int trial = 0; trial < 60; ++trial) {
    auto items = cloud(random, 5 + 5 * trial, 1.0, 0.1 / std::pow(10.0, trial % 4), 0.2);
    if (trial % 3 == 0) items[2].bounds = unbounded();
    if (trial % 5 == 0) items[1].bounds = items[4].bounds = unbounded();
    std::vector<IndexPair> bodies;
    for (auto& item : items) {
      item.fixed = below(random, 4) == 0;
      item.body = below(random, static_cast<int>(items.size()));
      item.groups = 1u << below(random, 3);
      item.meets = below(random, 2) ? ~0u : static_cast<std::uint32_t>(below(random, 8));
      bodies.push_back({item.body, below(random, static_cast<int>(items.size()))});
    }
    const ExcludedPairs excluded(bodies);
    finder.find(items, excluded, pairs);
    EXPECT_EQ(pairs, brute_force(items, excluded)) << trial;
    seen += pairs.size();
  }
  EXPECT_GT(seen, 500u);
}

TEST(PairFinder, WorkGrowsWithTheNumberAlsoForMixedSizes) {
  Random random(2);
  PairFinder finder;
  std::vector<IndexPair> pairs;
  double per_item[2];
  for (const int k : {0, 1}) {
    const int n = k == 0 ? 2000 : 20000;
    // Sizes over two decades, few large ones as in a mixture of gravel and stones; density kept.
    auto items = cloud(random, n, 0.5 * std::cbrt(n), 0.02, 0.4);
    for (int i = 0; i < n; i += 200) {
      Bounds& box = items[static_cast<std::size_t>(i)].bounds;
      box = box.grown(1.5);
    }
    finder.find(items, {}, pairs);
    EXPECT_GT(pairs.size(), static_cast<std::size_t>(n / 10));
    per_item[k] = static_cast<double>(finder.overlap_tests()) / n;
  }
  EXPECT_LT(per_item[1], 60.0);
  EXPECT_LT(per_item[1], 1.5 * per_item[0]);
}

TEST(PairFinder, SurvivesNothingPointsAndWhatIsNotANumber) {
  PairFinder finder;
  std::vector<IndexPair> pairs = {{1, 2}};
  finder.find({}, {}, pairs);
  EXPECT_TRUE(pairs.empty());
  std::vector<FinderItem> items(5);
  const auto at = [](const Vector3& x) { return Bounds{x, x}; };
  items[0].bounds = at(Vector3(1e300, 0, 0));
  items[1].bounds = at(Vector3::Constant(std::nan("")));
  items[2].bounds = at(Vector3(0, 0, 0));
  items[3].bounds = at(Vector3(0, 0, 0)).grown(1e-3);
  items[4].bounds = at(Vector3(1, 0, 0)).grown(2.0);
  finder.find(items, {}, pairs);
  EXPECT_EQ(pairs, (std::vector<IndexPair>{{2, 3}, {2, 4}, {3, 4}}));
}

TEST(SweptBounds, HoldTheShapeAllAlongItsMotion) {
  Random random(3);
  for (const ShapeKind kind :
       {ShapeKind::sphere, ShapeKind::box, ShapeKind::capsule, ShapeKind::cylinder, ShapeKind::convex_polyhedron})
    for (int trial = 0; trial < 100; ++trial) {
      const Shape shape = random_shape(random, kind);
      const Pose pose{random_vector(random), random_rotation(random, false)};
      const Vector3 v = 3.0 * random_vector(random), omega = 5.0 * random_vector(random);
      const double dt = uniform(random, 0.0, 0.3);
      const Bounds box = swept_bounds(shape, pose, v, omega, dt, 0.01);
      double tightest = 1e9;
      for (const double t : {0.0, 0.3 * dt, 0.7 * dt, dt}) {
        const Bounds now = shape.bounds({pose.x + t * v, turn(t * omega) * pose.R}).grown(0.01);
        EXPECT_TRUE((box.lower.array() <= now.lower.array() + 1e-12).all() &&
                    (box.upper.array() >= now.upper.array() - 1e-12).all());
        tightest = std::min(tightest, (box.upper - now.upper).minCoeff());
      }
      EXPECT_LT(tightest, 2.1 * shape.radius());
    }
  EXPECT_FALSE(std::isfinite(swept_bounds(HalfSpace(), {}, {}, {}, 0.1, 0.0).upper.x()));
}

}  // namespace
}  // namespace carom::geometry
