// Errors in masses, impact law and friction that the reproductions of Schindler et al. 2015 must notice.
#include "mutants/noticed.h"

namespace carom {
namespace {

// In the mechanism and in its ideal guide alike: errors against a reference with the same error stay what they were.
Mutant slider_cranks(const std::string& parameter, double factor) {
  const Mutant guided = model_parameter_times("slider_crank", parameter, factor),
               ideal = model_parameter_times("slider_crank_bilateral", parameter, factor);
  return {"slider-cranks, " + parameter + " x " + to_text(ParameterValue(factor)),
          [=](std::string_view name, GivenParameters& given, ContactParameters& contact) {
            guided.model(name, given, contact);
            ideal.model(name, given, contact);
          }};
}

TEST(Mutants, SchindlerMassesInTableTwo) {
  expect_noticed("schindler-2015-table-2", slider_cranks("J2", 1.51));
  for (const char* parameter : {"m1", "m2", "m3", "J1", "J2"}) expect_noticed("schindler-2015-table-2", slider_cranks(parameter, 1.05));
}

TEST(Mutants, SchindlerFrictionAndRestitutionInTableThree) {
  expect_noticed("schindler-2015-table-3", friction_times(0.8));
  expect_noticed("schindler-2015-table-3", restitution_times(0.95));
}

TEST(Mutants, SchindlerSliderCrank) {
  for (const char* id : {"schindler-2015-fig-4", "schindler-2015-fig-5", "schindler-2015-fig-7"}) {
    expect_noticed(id, restitution_times(0.95));
    expect_noticed(id, slider_cranks("m3", 1.05));
    expect_noticed(id, slider_cranks("J2", 1.05));
  }
  expect_noticed("schindler-2015-fig-8", slider_cranks("m3", 1.05));
}

TEST(Mutants, SchindlerBallInABox) {
  expect_noticed("schindler-2015-fig-10", restitution_times(0.95));
  expect_noticed("schindler-2015-fig-11", restitution_times(0.95));
  expect_noticed("schindler-2015-fig-11", model_parameter_times("ball_in_box", "gravity", 1.05));
}

TEST(Mutants, SchindlerBar) {
  const Mutant stiffer{"E x 1.05", {}, [](RodData& rod, ContactParameters&) { rod.youngs_modulus *= 1.05; }};
  const Mutant heavier{"density x 1.05", {}, [](RodData& rod, ContactParameters&) { rod.density *= 1.05; }};
  expect_noticed("schindler-2015-fig-13", stiffer);
  expect_noticed("schindler-2015-fig-13", heavier);
}

}  // namespace
}  // namespace carom
