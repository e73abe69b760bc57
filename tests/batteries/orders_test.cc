// Every scheme has the orders it declares, in free flight and with a persistent constraint separately: a
// mixed run shows only the lower of the two.
#include "batteries/battery.h"
#include "batteries/smooth_motion.h"
#include "carom/model/assembly/builder.h"

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

std::vector<long> step_counts(long coarsest, int doublings) {
  std::vector<long> counts = {coarsest};
  for (int i = 0; i < doublings; ++i) counts.push_back(2 * counts.back());
  return counts;
}

// High orders reach rounding soon and are measured with longer steps, where a method whose leading error is
// small on purpose (Dormand, Prince) still shows some of the next order.
void expect_order(const OrderFit& fit, double expected, double most) {
  EXPECT_GE(fit.order, expected - 0.1) << to_text(fit);
  EXPECT_LE(fit.order, most + (most > 2 ? 0.6 : 0.1)) << to_text(fit);
}

// In a guide so wide that it is not reached.
TEST_P(Orders, FreeFlight) {
  CAROM_NEEDS_ORDER();
  const double expected = entry().promises.orders.free_flight;
  if (!entry().treats.contains(Feature::variable_inertia)) {  // a mass above a plate it does not reach, the plate swinging
    const Model model = make_analytic_model(
        "two_mass_oscillator", {{"m2", 1.0}, {"stiffness", 100.0}, {"x1", 10.0}, {"x2", 0.2}, {"v2", 1.0}},
        treatable(entry(), {.restitution = 0.4}));
    return expect_order(measured(model, false, 0.5, step_counts(20, 4)), expected, expected);
  }
  const Model model = make_analytic_model("slider_crank", {{"clearance", 1.0}}, treatable(entry(), {.restitution = 0.4}));
  CAROM_SKIP_IF_REFUSED(model);
  expect_order(expected > 2 ? measured(model, false, 0.01, step_counts(16, 3))
                            : measured(model, false, 2e-3, step_counts(20, 4)),
               expected, expected);
}

// The slider in an ideal guide: one equality acts all the time.
TEST_P(Orders, PersistentConstraint) {
  CAROM_NEEDS_ORDER();
  // A joint may be treated better than a contact that could let go, which is what a scheme declares.
  const double expected = entry().promises.orders.persistent, most = std::max(expected, 2.0);
  if (!entry().treats.contains(Feature::variable_inertia)) {  // the rods of a double pendulum that does not reach its wall
    const Model model = make_analytic_model("double_pendulum", {{"angle1", 0.3}}, {.restitution = 1.0});
    CAROM_SKIP_IF_REFUSED(model);
    return expect_order(measured(model, true, 0.2, step_counts(20, 4)), expected, most);
  }
  const Model model = make_analytic_model("slider_crank_bilateral", {}, {});
  expect_order(expected > 2 ? measured(model, true, 8e-3, step_counts(16, 3))
                            : measured(model, true, 0.02, step_counts(400, 4)),
               expected, most);
}

// A body tumbles freely: the scheme's own limit is the reference, so that only the order in the rotations is seen.
TEST_P(Orders, RotationInSpace) {
  CAROM_NEEDS_ORDER();
  model::ModelBuilder m(Space::spatial);
  m.add_body({.name = "plate", .mass = 1.0, .inertia = Vector3(1, 2, 3.5).asDiagonal(), .spin = {1.0, 2.0, -1.5}});
  const Model plate = m.build();
  CAROM_SKIP_IF_REFUSED(plate);
  const double expected = entry().promises.orders.rotation(), t_end = 0.5;
  const auto end = [&](long n) { return take_steps(plate, *scheme(), t_end / static_cast<double>(n), n); };
  const long coarsest = 10;
  const std::vector<long> counts = step_counts(coarsest, 3);
  const State limit = end(coarsest * (expected < 2 ? 2000 : 200));
  std::vector<double> steps, errors;
  for (const long n : counts) {
    const State there = end(n);
    steps.push_back(t_end / static_cast<double>(n));
    errors.push_back((there.q - limit.q).norm() + (there.v - limit.v).norm() / limit.v.norm());
    EXPECT_NEAR(there.q.tail<4>().norm(), 1.0, 1e-12);
  }
  expect_order(order(steps, errors), expected, 2.0);
}

CAROM_FOR_EVERY_SCHEME(Orders);

}  // namespace
}  // namespace carom::batteries
