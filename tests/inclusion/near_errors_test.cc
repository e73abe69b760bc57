#include "carom/inclusion/near_errors.h"

#include <gtest/gtest.h>

namespace carom {
namespace {

struct Pair {
  std::int32_t first, second;
};

// A chain of ten bodies on the ground, which is number 10 for some and -1 for others: it leads nowhere.
TEST(NearErrors, GrowContactByContact) {
  std::vector<Pair> chain;
  for (std::int32_t k = 0; k + 1 < 10; ++k) chain.push_back({k, k + 1});
  chain.push_back({0, 10});
  chain.push_back({9, 10});
  chain.push_back({5, -1});
  for (const int depth : {0, 1, 3}) {
    NearErrors near;
    near.begin(10);
    near.add(0);
    near.add(10);
    near.add(-1);
    near.grow(chain, depth);
    for (std::int32_t k = 0; k < 10; ++k) EXPECT_EQ(near.has(k), k <= depth) << depth << " " << k;
    EXPECT_FALSE(near.has(10));
    EXPECT_FALSE(near.has(-1));
  }
}

// The order of the contacts does not matter: a body is as far as the shortest way to it.
TEST(NearErrors, BackwardsToo) {
  const std::vector<Pair> chain = {{3, 4}, {2, 3}, {1, 2}, {0, 1}};
  NearErrors near;
  near.begin(5);
  near.add(0);
  near.grow(chain, 2);
  EXPECT_TRUE(near.has(2));
  EXPECT_FALSE(near.has(3));
}

}  // namespace
}  // namespace carom
