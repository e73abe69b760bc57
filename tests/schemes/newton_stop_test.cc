// The stop of Newton's iterations does not depend on units, and knows rounding.
#include "carom/schemes/newton_stop.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace carom {
namespace {

TEST(NewtonStop, IsTheSameInAllUnits) {
  std::mt19937 random(3);
  std::uniform_real_distribution<> size_power(-6.0, 6.0), share_power(-14.0, -6.0), gain_power(-1.0, 1.0);
  int ended = 0;
  for (int round = 0; round < 500; ++round) {
    const double size = std::pow(10.0, size_power(random)), left = size * std::pow(10.0, share_power(random)),
                 before = left * std::pow(10.0, gain_power(random)), rounding = 1e-16 * size,
                 unit = 1024.0;  // a power of two: exact
    const Vector q = Vector::Constant(3, size);
    const bool small = holds(left, 1e-10, size, rounding), rest = comes_to_rest(left, before, size, rounding, 100.0),
               moved = within_rounding(left, q);
    ended += rest;
    EXPECT_EQ(holds(unit * left, 1e-10, unit * size, unit * rounding), small);
    EXPECT_EQ(comes_to_rest(unit * left, unit * before, unit * size, unit * rounding, 100.0), rest);
    EXPECT_EQ(within_rounding(unit * left, Vector(unit * q)), moved);
  }
  EXPECT_GT(ended, 50);
  EXPECT_LT(ended, 450);
}

TEST(NewtonStop, StandsWhereNothingIsGained) {
  const Vector q = Vector::Constant(2, 3.0);
  const double rounding = 1e-16;
  EXPECT_FALSE(holds_as_rounding_allows(1e-6, 1.0, 1e-10, 1e-16, q));    // still falls
  EXPECT_TRUE(holds_as_rounding_allows(1e-6, 1.5e-6, 1e-10, 1e-16, q));  // as exact as it gets
  EXPECT_FALSE(holds_as_rounding_allows(1e-6, 1.5e-6, 1e-10, 1e-6, q));  // but it moves
  EXPECT_TRUE(holds_as_rounding_allows(1e-11, 1.0, 1e-10, 1.0, q));
  EXPECT_TRUE(comes_to_rest(1e-17, INFINITY, 1.0, rounding, 100.0));
  EXPECT_FALSE(comes_to_rest(1e-11, INFINITY, 1.0, rounding, 100.0));  // the next pass is its square
  EXPECT_TRUE(comes_to_rest(1e-11, 1.5e-11, 1.0, rounding, 100.0));
  EXPECT_FALSE(comes_to_rest(1e-9, 1.5e-9, 1.0, rounding, 100.0));
  EXPECT_FALSE(holds(std::nan(""), 1.0, 1.0));
  EXPECT_FALSE(comes_to_rest(std::nan(""), 1.0, 1.0, rounding, 100.0));
}

}  // namespace
}  // namespace carom
