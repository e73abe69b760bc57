#include "carom/io/expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace carom {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// x = 3, and over three steps t = 0, 1, 2: s = (1, -4, 2); the group g has two members (1, 5, 2), (3, 4, 0).
class Names : public ExpressionNames {
 public:
  std::optional<ExpressionValue> find(const std::string& name, Reduction reduction) const override {
    if (name == "x") return ExpressionValue::number(3.0);
    if (name == "t") return ExpressionValue{true, {0, 1, 2}};
    if (name == "s" || name == "body.s") return ExpressionValue{true, {1, -4, 2}};
    if (name == "g" && reduction == Reduction::min) return ExpressionValue{true, {1, 4, 0}};
    if (name == "g" && reduction == Reduction::sum) return ExpressionValue{true, {4, 9, 2}};
    if (name == "nothing") return ExpressionValue{true, {}};
    if (name == "a-b.gap") return ExpressionValue::number(7.0);
    return std::nullopt;
  }
  std::vector<std::string> known() const override { return {"x", "t", "s", "g", "clearance"}; }
};
const Names names;

double number(const std::string& text) {
  const ExpressionValue value = Expression(text).evaluate(names);
  EXPECT_FALSE(value.series) << text;
  return value.data[0];
}

TEST(Expression, Arithmetic) {
  EXPECT_EQ(number("1 + 2 * 3"), 7);
  EXPECT_EQ(number("(1 + 2) * 3"), 9);
  EXPECT_EQ(number("10 - 4 - 3"), 3);
  EXPECT_EQ(number("16 / 4 / 2"), 2);
  EXPECT_EQ(number("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(number("-2 ^ 2"), -4);
  EXPECT_EQ(number("2 ^ -1"), 0.5);
  EXPECT_EQ(number("- -x"), 3);
  EXPECT_EQ(number("1.5e-3*2"), 3e-3);
  EXPECT_DOUBLE_EQ(number("2*pi"), 2 * M_PI);
  EXPECT_DOUBLE_EQ(number("g0"), 9.80665);
}

TEST(Expression, FunctionsAgreeWithTheLibrary) {
  EXPECT_DOUBLE_EQ(number("sin(0.3)^2 + cos(0.3)^2"), 1.0);
  EXPECT_DOUBLE_EQ(number("atan2(1, -1)"), 0.75 * M_PI);
  EXPECT_DOUBLE_EQ(number("exp(log(5))"), 5.0);
  EXPECT_EQ(number("min(4, x, 9)"), 3);
  EXPECT_EQ(number("max(1, x)"), 3);
  EXPECT_EQ(number("clamp(5, 0, 2)"), 2);
  EXPECT_EQ(number("smoothstep(0, 2, 1)"), 0.5);
  EXPECT_EQ(number("sign(-2) + abs(-2)"), 1);
  EXPECT_EQ(number("if(x > 2, 10, 20)"), 10);
}

TEST(Expression, Truth) {
  EXPECT_EQ(number("1 < 2 and 3 >= 3"), 1);
  EXPECT_EQ(number("1 > 2 or not (1 > 2)"), 1);
  EXPECT_EQ(number("x == 3"), 1);
  EXPECT_EQ(number("x != 3"), 0);
}

TEST(Expression, OverARun) {
  EXPECT_EQ(number("min(s)"), -4);
  EXPECT_EQ(number("max(abs(s))"), 4);
  EXPECT_EQ(number("sum(s)"), -1);
  EXPECT_DOUBLE_EQ(number("mean(2*s)"), -2.0 / 3);
  EXPECT_EQ(number("first(s) + last(s)"), 3);
  EXPECT_EQ(number("count(s > 0)"), 2);
  EXPECT_EQ(number("max(increase(s))"), 6);
  EXPECT_EQ(number("min(increase(s))"), -5);
  EXPECT_EQ(number("s(0)"), 1);
  EXPECT_EQ(number("s(1.5)"), -4);  // the value since the last step
  EXPECT_EQ(number("body.s(2)"), 2);
  EXPECT_EQ(number("min(g)"), 0);  // over members and steps
  EXPECT_EQ(number("sum(g)"), 15);
  EXPECT_EQ(number("'a-b.gap'"), 7);
}

TEST(Expression, InAnInstantMembersArePutTogetherAndStepsAreNot) {
  const ExpressionValue value = Expression("2*sum(g) + x").evaluate(names, Expression::Scope::instant);
  EXPECT_TRUE(value.series);
  EXPECT_THAT(value.data, ElementsAre(11, 21, 7));
  EXPECT_THROW(Expression("max(s + 1)").evaluate(names, Expression::Scope::instant), ExpressionError);
  EXPECT_THROW(Expression("increase(s)").evaluate(names, Expression::Scope::instant), ExpressionError);
}

TEST(Expression, SaysWhichNamesItNeeds) {
  std::vector<std::string> found;
  for (const auto& reference : Expression("min(g) + s(0) * x").references())
    found.push_back(reference.name + (reference.reduction == Reduction::min ? " min" : ""));
  EXPECT_THAT(found, ElementsAre("g min", "s", "t", "x"));
}

TEST(Expression, SplitsAComparison) {
  Expression left, right;
  EXPECT_EQ(Expression("min(s) > -x").comparison(left, right), ">");
  EXPECT_EQ(left.evaluate(names).data[0], -4);
  EXPECT_EQ(right.evaluate(names).data[0], -3);
  EXPECT_EQ(Expression("x + 1").comparison(left, right), "");
}

TEST(Expression, WhatIsNotANumberJudgesNothing) {
  for (const char* text : {"0/0", "0/0 > 5", "not (0/0 > 5)", "0/0 != 0/0", "1 > 0 or 0/0 > 5", "0/0 > 5 and 1 > 2",
                           "if(0/0 > 5, 1, 2)", "min(0/0, 1)", "max(1, 0/0)", "sign(0/0)", "clamp(0/0, 0, 1)",
                           "smoothstep(1, 1, 1)", "max(s/0*0)", "count(s*0/0 > 1)", "sum(log(s)) < 1", "s(0/0)"})
    EXPECT_TRUE(std::isnan(number(text))) << text;
  EXPECT_EQ(number("if(1 > 0, 3, 0/0)"), 3) << "what is not chosen does not matter";
}

TEST(Expression, KnowsWhatCanOnlyBeTrueOrFalse) {
  for (const char* text : {"x > 1", "not x > 1", "x > 1 and (s(0) < 2 or x == 3)", "if(x, x > 1, x < 1)"})
    EXPECT_TRUE(Expression(text).is_truth()) << text;
  for (const char* text :
       {"x", "0", "min(s)", "x + (x > 1)", "x > 1 and x", "not x", "if(x > 1, 2, 3)", "count(s > 0)"})
    EXPECT_FALSE(Expression(text).is_truth()) << text;
}

std::string repeated(const std::string& text, int n) {
  std::string out;
  for (int i = 0; i < n; ++i) out += text;
  return out;
}

TEST(Expression, IsNotNestedWithoutEnd) {
  EXPECT_EQ(number(repeated("(", 199) + "1" + repeated(")", 199)), 1);
  EXPECT_EQ(number("0" + repeated("+1", 999)), 999);
  for (const int n : {500, 5000, 200000}) {
    for (const std::string& text :
         {repeated("(", n) + "1" + repeated(")", n), repeated("-", n) + "1", repeated("+", n) + "1",
          repeated("not ", n) + "1", repeated("2^", n) + "1", repeated("abs(", n) + "1" + repeated(")", n),
          repeated("(", n), repeated("min(1,", n)})
      EXPECT_THROW(Expression{text}, ExpressionError) << text.substr(0, 20) << " " << n;
    EXPECT_THROW(Expression("1" + repeated("+1", 3 * n)), ExpressionError) << n;
    EXPECT_THROW(Expression("1>0" + repeated(" and 1>0", 3 * n)), ExpressionError) << n;
    EXPECT_THROW(Expression("max(1" + repeated(",1", 3 * n) + ")"), ExpressionError) << n;
  }
}

struct Bad {
  const char* text;
  std::size_t offset;
  const char* message;
};
class BadExpression : public ::testing::TestWithParam<Bad> {};

TEST_P(BadExpression, IsRefusedAtItsPlace) {
  try {
    Expression(GetParam().text).evaluate(names);
    FAIL() << "accepted: " << GetParam().text;
  } catch (const ExpressionError& error) {
    EXPECT_EQ(error.offset(), GetParam().offset) << error.what();
    EXPECT_THAT(std::string(error.what()) + " " + error.hint(), HasSubstr(GetParam().message));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BadExpression,
    ::testing::Values(Bad{"1 +", 3, "ends too early"}, Bad{"", 0, "ends too early"}, Bad{"(1 + 2", 6, "')'"},
                      Bad{"1 2", 2, "not expected"}, Bad{"153 mmm", 4, "unknown unit"},
                      Bad{"2 * clearence", 4, "did you mean 'clearance'"}, Bad{"sine(1)", 0, "did you mean 'sin"},
                      Bad{"sin(1, 2)", 0, "takes 1 argument"}, Bad{"x $ 2", 2, "not expected"},
                      Bad{"s + increase(s)", 2, "different lengths"}, Bad{"s(-1)", 0, "before the start"},
                      Bad{"'a", 0, "not closed"}, Bad{"count(sum(g) > 3)", 0, "one number already"},
                      Bad{"max(sum(g))", 0, "one number already"}, Bad{"max(x)", 0, "one number already"},
                      Bad{"1 + last(min(s))", 4, "one number already"}));

TEST(Expression, ASignalWithoutValuesHasNoneAtAnyTime) {
  const ExpressionValue value = Expression("nothing(1)").evaluate(Names(), Expression::Scope::run);
  ASSERT_EQ(value.data.size(), 1u);
  EXPECT_TRUE(std::isnan(value.data[0]));
}

}  // namespace
}  // namespace carom
