// Formulas made ready for every step: values as expressions give them, derivatives as differences show them; curves
// through points.
#include "carom/io/formula_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "carom/base/errors.h"
#include "carom/io/spline_curve.h"

namespace carom {
namespace {

class Names final : public ExpressionNames {
 public:
  std::optional<ExpressionValue> find(const std::string& name, Reduction) const override {
    if (name == "a") return ExpressionValue::number(1.7);
    if (name == "t") return ExpressionValue::number(t);
    return std::nullopt;
  }
  std::vector<std::string> known() const override { return {"a", "t"}; }
  std::shared_ptr<const SplineCurve> curve(const std::string&, std::size_t) const override {
    return std::make_shared<const SplineCurve>(std::vector<double>{0.0, 0.5, 1.0, 2.0},
                                               std::vector<double>{0.0, 1.0, -1.0, 0.5});
  }
  double t = 0.0;
};

class Formulas : public ::testing::TestWithParam<const char*> {};

TEST_P(Formulas, ValuesAndDerivatives) {
  const Expression expression(GetParam());
  Names names;
  const FormulaProgram program(expression, names, {"t"});
  for (const double t : {0.31, 0.77, 1.3}) {
    names.t = t;
    EXPECT_DOUBLE_EQ(program.value(&t), expression.evaluate(names).data[0]);
    const Jet jet = program.jet(t);
    EXPECT_DOUBLE_EQ(jet.value, program.value(&t));
    constexpr double h = 1e-4;
    const double before = t - h, after = t + h, fb = program.value(&before), fa = program.value(&after);
    const double scale = 1.0 + std::abs(jet.value) + std::abs(jet.rate) + std::abs(jet.second);
    EXPECT_NEAR(jet.rate, (fa - fb) / (2.0 * h), 1e-6 * scale);
    EXPECT_NEAR(jet.second, (fa - 2.0 * jet.value + fb) / (h * h), 1e-5 * scale);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Formulas,
                         ::testing::Values("a*t^3 - 2*t", "sin(2*t)*cos(a*t)", "tan(t/2)", "asin(t/2) + acos(t/3)",
                                           "atan(t)/(1 + t^2)", "atan2(t, a - t)", "sqrt(1 + t)", "exp(-t)*log(1 + t)",
                                           "t^t", "2^t", "abs(-t)*t", "min(t, 5)*max(t, -1)", "clamp(t, 0, 5)^2",
                                           "smoothstep(0, 2, t)", "if(t > 0, t^2, t)", "table('x.csv', t)",
                                           "-(t - 1)^2 / a"));

TEST(FormulaProgram, RefusesWhatRunsOverTheRun) {
  const Names names;
  EXPECT_THROW(FormulaProgram(Expression("max(steps, t)"), names, {"t"}), ExpressionError);
  EXPECT_THROW(FormulaProgram(Expression("t + b"), names, {"t"}), ExpressionError);
  EXPECT_TRUE(FormulaProgram(Expression("a^2 + sin(1)"), names, {"t"}).constant());
}

TEST(SplineCurve, RunsThroughItsPointsAndComesCloseToASine) {
  std::vector<double> x, y;
  for (int k = 0; k <= 40; ++k) {
    x.push_back(std::numbers::pi * k / 20.0);
    y.push_back(std::sin(x.back()));
  }
  const SplineCurve curve(x, y);
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(curve.value(x[k]), y[k], 1e-15);
  for (double s = 0.1; s < 6.2; s += 0.37) {
    const SplineCurve::Jet jet = curve.at(s);
    EXPECT_NEAR(jet.value, std::sin(s), 3e-6);  // h^4/384 |f''''|
    EXPECT_NEAR(jet.slope, std::cos(s), 2e-4);
    EXPECT_NEAR(jet.second, -std::sin(s), 5e-3);
  }
  EXPECT_EQ(curve.at(-1.0).second, 0.0);
  EXPECT_NEAR(curve.value(-1.0), -curve.at(0.0).slope, 1e-12);
}

TEST(SplineCurve, FilesHaveUnitsAndAreRefusedWithTheirLine) {
  const std::string file = (std::filesystem::temp_directory_path() / "carom_curve_test.csv").string();
  std::ofstream(file) << "t [ms], lift [mm]\n0, 0\n10, 2\n# a remark\n20; 5\n";
  const SplineCurve curve = read_curve(file);
  EXPECT_EQ(curve.x()[1], 0.01);
  EXPECT_EQ(curve.y()[2], 0.005);
  EXPECT_EQ(curve.of_y, Dimension::of(1, 0, 0));
  std::ofstream(file) << "0, 0\n1, 1\n1, 2\n";
  try {
    read_curve(file);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems()[0].code, "E0153");
    EXPECT_EQ(error.problems()[0].line, 3);
  }
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace carom
