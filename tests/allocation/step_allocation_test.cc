// After warm-up a step allocates nothing, for every scheme, with contacts opening and closing: the warm-up is
// a run of the same kind, the count is over a whole second run with the same workspace.
#include "allocation/counting_malloc.h"
#include "batteries/battery.h"

namespace carom::batteries {
namespace {

TEST(CountingMalloc, SeesNewMallocAndEigen) {
  if (!allocation::available()) GTEST_SKIP() << "a sanitizer owns the allocator";
  allocation::arm();
  Vector x(100);
  auto y = std::make_unique<double>(1.0);
  std::vector<double> z(10);
  allocation::disarm();
  EXPECT_GE(allocation::count(), 3) << x.size() << *y << z.size();
}

class StepAllocation : public EveryScheme {
 protected:
  void expect_none(const Model& model, double dt, long steps, long least_changes = 8) const {
    if (!allocation::available()) GTEST_SKIP() << "a sanitizer owns the allocator";
    const auto method = scheme();
    const System& system = *model.system;
    StepWorkspace workspace;
    StepResult result;
    State start = model.initial;
    method->start(system, dt, start);
    State state;
    long changes = 0;
    for (const bool counted : {false, true}) {
      state = start;  // keeps what the warm-up has grown
      std::size_t contacts = 0;
      if (counted) allocation::arm();
      for (long k = 0; k < steps; ++k) {
        method->step(system, solver(), state, dt, workspace, result);
        if (result.status != StepStatus::ok) break;
        changes += result.contacts.size() != contacts;
        contacts = result.contacts.size();
        std::swap(state, result.next);
      }
      allocation::disarm();
      ASSERT_EQ(result.status, StepStatus::ok) << to_text(result.status);
    }
    EXPECT_GE(changes, entry().contacts ? least_changes : 0) << "contacts should open and close";
    EXPECT_EQ(allocation::count(), 0) << "first from:" << allocation::first_place();
  }
};

TEST_P(StepAllocation, NoneWhileContactsComeAndGo) {
  if (entry().event_driven) GTEST_SKIP() << "integrators and event location allocate; it is no method for large scenes";
  const Rattling run = rattling(entry());
  expect_none(run.model, run.dt, 5000);
}

// Sparse matrices: factors and contact operators of constant systems are made once, bands need no memory.
TEST_P(StepAllocation, NoneOnTheElasticBar) {
  CAROM_SKIP_IF_IT_SINKS();
  if (entry().event_driven) GTEST_SKIP() << "integrators and event location allocate; it is no method for large scenes";
  const Model model =
      make_analytic_model("steel_bar", {{"elements", 40.0}, {"gap", 5e-6}}, treatable(entry(), {.restitution = 0.0}));
  CAROM_SKIP_IF_REFUSED(model);
  expect_none(model, 1e-6, 500, 4);
}

CAROM_FOR_EVERY_SCHEME(StepAllocation);

}  // namespace
}  // namespace carom::batteries
