#include "carom/base/units.h"

#include <gtest/gtest.h>

#include <numbers>

namespace carom {
namespace {

TEST(Units, ArePowersOfTenExactly) {
  EXPECT_EQ(with_unit("153", *parse_unit("mm")), 0.153);
  EXPECT_EQ(with_unit("0.1", *parse_unit("mm")), 0.1e-3);
  EXPECT_EQ(with_unit("38", *parse_unit("g")), 0.038);
  EXPECT_EQ(with_unit("7.4e-5", *parse_unit("kg*m^2")), 7.4e-5);
  EXPECT_EQ(with_unit("1e400", *parse_unit("nm")), HUGE_VAL);
}

TEST(Units, Compound) {
  const auto close = [](const char* unit, double value, const Dimension& dimension) {
    const auto found = parse_unit(unit);
    ASSERT_TRUE(found) << unit;
    EXPECT_NEAR(found->scale() / value, 1.0, 1e-14) << unit;
    EXPECT_EQ(found->dimension, dimension) << unit;
  };
  close("N*mm/deg", 1e-3 * 180.0 / std::numbers::pi, Dimension::of(2, 1, -2, -1));
  close("rpm", std::numbers::pi / 30.0, Dimension::of(0, 0, -1, 1));
  close("km/h", 1.0 / 3.6, Dimension::of(1, 0, -1));
  close("bar", 1e5, Dimension::of(-1, 1, -2));
  close("lbf/in^2", 6894.757293168361, Dimension::of(-1, 1, -2));
  close("1/s", 1.0, Dimension::of(0, 0, -1));
  close("N/(m*s)", 1.0, Dimension::of(0, 1, -3));
  close("us", 1e-6, Dimension::of(0, 0, 1));
  close("min", 60.0, Dimension::of(0, 0, 1));
  for (const char* wrong : {"mmm", "N*", "N**m", "N m", "furlong", "m^", "kg/", "krpm"})
    EXPECT_FALSE(parse_unit(wrong)) << wrong;
}

TEST(Units, StopBeforeNames) {
  const auto rest = [](const char* text) {
    std::size_t at = 0;
    return read_unit(text, at) ? std::string(text + at) : "none";
  };
  EXPECT_EQ(rest("Hz*t"), "*t");
  EXPECT_EQ(rest("N*m * sin(t)"), " * sin(t)");
  EXPECT_EQ(rest("mm*a"), "*a");
  EXPECT_EQ(rest("kg*g"), "*g");
  EXPECT_EQ(rest("m*sin(t)"), "*sin(t)");
  EXPECT_EQ(rest("m/s^2/2"), "/2");
  EXPECT_EQ(rest("rad/s*t"), "*t");
}

TEST(Dimensions, KnowTheirPowers) {
  EXPECT_EQ(*power(Dimension::of(2, 0, 0), 0.5), Dimension::of(1, 0, 0));
  EXPECT_FALSE(power(Dimension::of(1, 0, 0), 0.1));
  EXPECT_TRUE(agree(Dimension::of(1, 0, -1, 1), Dimension::of(1, 0, -1)));  // omega r is a velocity
  EXPECT_FALSE(agree(Dimension::of(1, 0, 0), Dimension::of(0, 0, 1)));
  EXPECT_EQ(si_unit(Dimension::of(2, 1, -2)), "kg*m^2/s^2");
}

}  // namespace
}  // namespace carom
