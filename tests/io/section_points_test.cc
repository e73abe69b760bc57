#include "carom/io/section_points.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <random>

namespace carom {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<double> kTimes = {0.0, 1.0, 2.0, 3.0, 4.0};
const std::vector<double> kX = {0.0, 10.0, 20.0, 30.0, 40.0}, kY = {5.0, 4.0, 3.0, 2.0, 1.0};

TEST(SectionPoints, AnImpactIsSeenInTheFirstSampleAtOrBehindIt) {
  const SectionPoints points = section_at(kTimes, kX, kY, {0.5, 2.0, 2.5, 2.75, 9.0});
  EXPECT_THAT(points.t, ElementsAre(1.0, 2.0, 3.0));  // two share a sample, one is behind the end
  EXPECT_THAT(points.x, ElementsAre(10.0, 20.0, 30.0));
  EXPECT_THAT(points.y, ElementsAre(4.0, 3.0, 2.0));
}

TEST(SectionPoints, ATimeThatIsRoundedApartIsTheSame) {
  EXPECT_THAT(section_at(kTimes, kX, kY, {3.0 * (1.0 + 1e-15)}).t, ElementsAre(3.0));
}

TEST(SectionPoints, BetweenSamplesTheSectionLiesOnAStraightLine) {
  const SectionPoints points = section_every(1.5, kTimes, kX, kY, {});
  EXPECT_THAT(points.t, ElementsAre(0.0, 1.5, 3.0));
  EXPECT_THAT(points.x, ElementsAre(0.0, 15.0, 30.0));
  EXPECT_THAT(points.y, ElementsAre(5.0, 3.5, 2.0));
}

TEST(SectionPoints, NothingIsMixedAcrossAJump) {
  EXPECT_THAT(section_every(1.5, kTimes, kX, kY, {1.4}).x, ElementsAre(0.0, 20.0, 30.0));  // it is behind the jump
  EXPECT_THAT(section_every(1.5, kTimes, kX, kY, {1.6}).x, ElementsAre(0.0, 10.0, 30.0));  // before it
  EXPECT_THAT(section_every(1.5, kTimes, kX, kY, {0.2, 1.0, 2.5}).x, ElementsAre(0.0, 15.0, 30.0));
}

TEST(SectionPoints, WithoutTimeOrPeriodThereIsNone) {
  EXPECT_THAT(section_every(0.0, kTimes, kX, kY, {}).t, IsEmpty());
  EXPECT_THAT(section_every(-1.0, kTimes, kX, kY, {}).t, IsEmpty());
  EXPECT_THAT(section_every(1.0, {0.0}, {1.0}, {1.0}, {}).t, IsEmpty());
  EXPECT_THAT(section_at({}, {}, {}, {1.0}).t, IsEmpty());
}

// A motion of a period is one point on its section, whatever the samples.
TEST(SectionPoints, APeriodicMotionIsOnePoint) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const double period = std::uniform_real_distribution(0.3, 3.0)(random);
    std::vector<double> t, x, y;
    for (double at = 0.0; at < 10.0 * period; at += std::uniform_real_distribution(1e-4, 3e-3)(random) * period) {
      const double phase = 2.0 * std::numbers::pi * at / period;
      t.push_back(at);
      x.push_back(std::cos(phase + 0.3));
      y.push_back(std::sin(2.0 * phase));
    }
    const SectionPoints points = section_every(period, t, x, y, {});
    ASSERT_GE(points.t.size(), 10u);
    for (std::size_t k = 0; k < points.t.size(); ++k) {
      const double error = std::pow(2.0 * std::numbers::pi * 2.0 * 3e-3, 2);  // of a straight line, twice its bound
      EXPECT_NEAR(points.x[k], std::cos(0.3), error);
      EXPECT_NEAR(points.y[k], 0.0, error);
    }
  }
}

}  // namespace
}  // namespace carom
