// Errors in masses, impact law and scheme that the reproductions of Schoeder, Ulbrich, Schindler 2013 must notice.
#include "mutants/noticed.h"

namespace carom {
namespace {

TEST(Mutants, SchoederSlider) {
  for (const char* id : {"schoeder-2013-fig-3", "schoeder-2013-fig-4"}) {
    expect_noticed(id, restitution_times(0.95));
    expect_noticed(id, model_parameter_times("slider_crank", "m3", 1.05));
    expect_noticed(id, model_parameter_times("slider_crank", "J2", 1.05));
  }
  expect_noticed("schoeder-2013-fig-9", restitution_times(0.95));
  expect_noticed("schoeder-2013-fig-9", model_parameter_times("slider_crank", "m3", 1.05));
}

TEST(Mutants, SchoederIdealGuide) {
  expect_noticed("schoeder-2013-fig-6", model_parameter_times("slider_crank_bilateral", "m3", 1.05));
  expect_noticed("schoeder-2013-fig-6", model_parameter_times("slider_crank_bilateral", "J2", 1.05));
}

// The unified scheme without its position constraint, the decoupled one with the other metric.
TEST(Mutants, SchoederScheme) {
  const Mutant unconstrained{"no position constraint", {}, {}, [](std::string_view name, GivenParameters& given) {
                               if (name == "ggl_unified") given["position_constraint"] = false;
                             }};
  const Mutant metric{"kinetic metric", {}, {}, [](std::string_view, GivenParameters& given) {
                        if (given.contains("metric")) given["metric"] = std::string("kinetic");
                      }};
  expect_noticed("schoeder-2013-fig-9", unconstrained);
  expect_noticed("schoeder-2013-fig-10", metric);
}

}  // namespace
}  // namespace carom
