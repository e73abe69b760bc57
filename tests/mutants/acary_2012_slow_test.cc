// Errors in friction, impact law, scheme and masses that the reproductions of Acary 2012 must notice.
#include "mutants/noticed.h"

namespace carom {
namespace {

// The makers are really behind the linker's detour: a mutant changes what a reproduction computes, and none changes
// nothing.
TEST(Mutants, AreInjectedAndGoAway) {
  const auto computed = [] {
    std::vector<double> values;
    for (const ReproductionRow& row : reproduce(find_reproduction("acary-2012-fig-25")).rows)
      values.push_back(row.computed);
    return values;
  };
  const std::vector<double> faithful = computed();
  {
    const Mutant none{"none"};
    const Injected injected(none);
    EXPECT_EQ(computed(), faithful);
  }
  {
    const Mutant friction = friction_times(0.9);
    const Injected injected(friction);
    EXPECT_NE(computed(), faithful);
  }
  EXPECT_EQ(computed(), faithful);
}

TEST(Mutants, FrictionInTableThree) {
  expect_noticed("acary-2012-table-3", friction_times(0.0));
  expect_noticed("acary-2012-table-3", friction_times(0.8));
}

TEST(Mutants, RestitutionInTheCornersOfTheSlider) {
  expect_noticed("acary-2012-fig-24", restitution_times(0.95));
  expect_noticed("acary-2012-fig-25", restitution_times(0.95));
}

TEST(Mutants, ThetaInTheCornersOfTheSlider) {
  expect_noticed("acary-2012-fig-24", scheme_parameter("theta", 0.6));
  expect_noticed("acary-2012-fig-25", scheme_parameter("theta", 0.6));
}

TEST(Mutants, FivePercentInTheSliderCrank) {
  for (const char* parameter : {"m2", "m3", "J1", "J2"})
    expect_noticed("acary-2012-fig-25", model_parameter_times("slider_crank", parameter, 1.05));
}

TEST(Mutants, FivePercentInTheBar) {
  const Mutant stiffer{"E x 1.05", {}, [](RodData& rod, ContactParameters&) { rod.youngs_modulus *= 1.05; }};
  const Mutant heavier{"density x 1.05", {}, [](RodData& rod, ContactParameters&) { rod.density *= 1.05; }};
  for (const Mutant& mutant : {stiffer, heavier})
    for (const char* id :
         {"acary-2012-fig-11", "acary-2012-fig-12", "acary-2012-fig-13", "acary-2012-fig-15", "acary-2012-fig-16"})
      expect_noticed(id, mutant);
  expect_noticed("acary-2012-fig-15", restitution_times(0.95));
  for (const char* id : {"acary-2012-fig-11", "acary-2012-fig-12", "acary-2012-fig-16"})
    expect_noticed(id, scheme_parameter("theta", 0.6));
}

TEST(Mutants, FivePercentInTheSmallExamples) {
  expect_noticed("acary-2012-fig-4", restitution_times(0.95));
  expect_noticed("acary-2012-fig-7", restitution_times(0.95));
  for (const Mutant& mutant :
       {restitution_times(0.95), friction_times(0.95), model_parameter_times("slider_roller", "mass", 1.05)})
    expect_noticed("acary-2012-fig-8", mutant);
  expect_noticed("acary-2012-fig-9", restitution_times(0.95));
}

}  // namespace
}  // namespace carom
