// Every scheme has the orders it declares, in free flight and with a persistent constraint separately: a
// mixed run shows only the lower of the two.
#include "batteries/battery.h"
#include "batteries/smooth_motion.h"

namespace carom::batteries {
namespace {

class Orders : public EveryScheme {
 protected:
  // The order of the error at t_end over halved steps, relative to the size of the motion.
  OrderFit measured(const Model& model, bool constrained, double t_end, const std::vector<long>& counts) const {
    SmoothMotion exact(model, constrained);
    exact.run(t_end, 20000);
    const auto method = scheme();
    std::vector<double> steps, errors;
    for (const long n : counts) {
      const State end = take_steps(model, *method, t_end / static_cast<double>(n), n, [&](const State&, const StepResult& r) {
        EXPECT_TRUE(constrained || r.impulse.empty() || r.impulse.vec().isZero()) << "this should be free flight";
      });
      steps.push_back(t_end / static_cast<double>(n));
      errors.push_back((end.q - exact.q).norm() + (end.v - exact.v).norm() / exact.v.norm());
    }
    const OrderFit fit = order(steps, errors);
    std::string table;
    for (std::size_t i = 0; i < steps.size(); ++i) table += fmt::format("\n  {:.3e}  {:.3e}", steps[i], errors[i]);
    RecordProperty("order", to_text(fit));
    SCOPED_TRACE(table);
    return fit;
  }
};

// The guide is reached at 2.69 ms: even a scheme without contacts may be asked.
TEST_P(Orders, FreeFlight) {
  const Model model = make_analytic_model("slider_crank", {}, {});
  const OrderFit fit = measured(model, false, 2e-3, {20, 40, 80, 160, 320});
  EXPECT_NEAR(fit.order, entry().orders.free_flight, 0.1) << to_text(fit);
}

// The slider in an ideal guide: one equality acts all the time.
TEST_P(Orders, PersistentConstraint) {
  const Model model = make_analytic_model("slider_crank_bilateral", {}, {});
  const OrderFit fit = measured(model, true, 0.02, {400, 800, 1600, 3200, 6400});
  EXPECT_NEAR(fit.order, entry().orders.persistent, 0.1) << to_text(fit);
}

CAROM_FOR_EVERY_SCHEME(Orders);

}  // namespace
}  // namespace carom::batteries
