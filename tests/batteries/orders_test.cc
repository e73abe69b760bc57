// Every scheme has the orders it declares, in free flight and with a persistent constraint separately: a
// mixed run shows only the lower of the two.
#include "batteries/battery.h"
#include "batteries/measured_order.h"
#include "carom/model/assembly/builder.h"

namespace carom::batteries {
namespace {

class Orders : public EveryScheme {
 protected:
  OrderFit measured(const Model& model, bool constrained, double t_end, const std::vector<long>& counts) const {
    return measured_order(model, *scheme(), constrained, t_end, counts);
  }
};

TEST_P(Orders, FreeFlight) {
  CAROM_NEEDS_ORDER();
  const double expected = entry().promises.orders.free_flight;
  const batteries::FreeFlight flight = free_flight(entry(), expected);
  CAROM_SKIP_IF_REFUSED(flight.model);
  expect_order(measured(flight.model, false, flight.t_end, flight.counts), expected, expected);
}

// The slider in an ideal guide: one equality acts all the time.
TEST_P(Orders, PersistentConstraint) {
  CAROM_NEEDS_ORDER();
  // A joint may be treated better than a contact that could let go, which is what a scheme declares.
  const double expected = entry().promises.orders.persistent, most = std::max(expected, 2.0);
  if (!entry().treats.contains(
          Feature::variable_inertia)) {  // the rods of a double pendulum that does not reach its wall
    const Model model = make_analytic_model("double_pendulum", {{"angle1", 0.3}}, {.restitution = 1.0});
    CAROM_SKIP_IF_REFUSED(model);
    return expect_order(measured(model, true, 0.2, step_counts(20, 4)), expected, most);
  }
  const Model model = make_analytic_model("slider_crank_bilateral", {}, {});
  expect_order(
      expected > 2 ? measured(model, true, 8e-3, step_counts(16, 3)) : measured(model, true, 0.02, step_counts(400, 4)),
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
