// The bouncing ball against Ballard's closed form beyond the accumulation point of impacts, three decades of
// jittered steps: every scheme is of first order in every norm.
#include <gtest/gtest.h>

#include "carom/model/analytic/analytic_model.h"
#include "carom/study/converge.h"

namespace carom {
namespace {

class BallardConvergence : public ::testing::TestWithParam<const SchemeEntry*> {};

TEST_P(BallardConvergence, SlopeIsOne) {
  if (GetParam()->event_driven) GTEST_SKIP() << "its error is set by tolerances, not by the step";
  Scenario scenario;
  scenario.model = make_analytic_model("bouncing_ball", {}, {.restitution = 0.5});
  if (const auto why = refusal(*GetParam(), *scenario.model.system)) GTEST_SKIP() << *why;
  scenario.simulation.t_end = 4.0;  // at rest from 3 s on
  scenario.simulation.step = 1e-3;
  ConvergeOptions options = default_converge_options(scenario);
  options.schemes = {GetParam()->name};
  const ConvergeReport report = converge(scenario, options);
  const ConvergeScheme& scheme = report.schemes[0];
  // Schemes that hold a contact by its displacement keep the late detection of each impact, one step at most: their
  // errors scatter about the line by a factor.
  const bool scatters = GetParam()->alternates;
  if (!scatters) {
    EXPECT_EQ(scheme.verdict, ConvergeVerdict::met) << scheme.remark;
  }
  for (std::size_t i = 0; i < scheme.orders.size(); ++i) {
    const OrderFit& fit = scheme.orders[i];
    if (!scatters) {
      EXPECT_EQ(fit.quality, OrderFit::Quality::fitted) << error_norms()[i].name;
    }
    EXPECT_GE(fit.decades, 2.999);
    EXPECT_GE(fit.order, 0.85) << error_norms()[i].name;
    EXPECT_LE(fit.order, 1.15) << error_norms()[i].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, BallardConvergence, ::testing::ValuesIn(schemes().entries()),
                         [](const auto& scheme) { return scheme.param->name; });

}  // namespace
}  // namespace carom
