// After warm-up a step allocates nothing, for every scheme, with contacts opening and closing: the warm-up is
// a run of the same kind, the count is over a whole second run with the same workspace.
#include "allocation/counting_malloc.h"
#include "batteries/battery.h"
#include "carom/model/multibody_scenes.h"

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

#define CAROM_SKIP_IF_IT_LOCATES_EVENTS() \
  if (entry().promises.event_driven)      \
  GTEST_SKIP() << "integrators and event location allocate; it is no method for large scenes"

class StepAllocation : public EveryScheme {
 protected:
  void expect_none(const Model& model, double dt, long steps, long least_changes = 8,
                   const std::map<std::string, ParameterValue>& parameters = {}) const {
    if (!allocation::available()) GTEST_SKIP() << "a sanitizer owns the allocator";
    const auto method = make_scheme(entry().name, parameters);
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
    EXPECT_GE(changes, entry().treats.contains(Feature::contacts) ? least_changes : 0)
        << "contacts should open and close";
    EXPECT_EQ(allocation::count(), 0) << "first from:" << allocation::first_place();
  }
};

TEST_P(StepAllocation, NoneWhileContactsComeAndGo) {
  CAROM_SKIP_IF_IT_LOCATES_EVENTS();
  const Rattling run = rattling(entry());
  expect_none(run.model, run.dt, 5000);
}

// Every word and flag of its parameters leads to code of its own. Without friction, which some of them refuse.
TEST_P(StepAllocation, NoneWithAnyOfItsOptions) {
  CAROM_SKIP_IF_IT_LOCATES_EVENTS();
  SchemeEntry frictionless = entry();
  frictionless.treats = entry().treats.without({Feature::friction});
  const Rattling run = rattling(frictionless);
  expect_none(run.model, run.dt, 1500, 2);
  for (const ParameterSpec& spec : entry().parameters) {
    std::vector<ParameterValue> options(spec.words.begin(), spec.words.end());
    if (const bool* flag = std::get_if<bool>(&spec.default_value)) options = {!*flag};
    for (const ParameterValue& option : options) {
      if (option == spec.default_value) continue;
      SCOPED_TRACE(spec.name + " = " + to_text(option));
      expect_none(run.model, run.dt, 1500, 2, {{spec.name, option}});
    }
  }
}

// Sparse matrices: factors and contact operators of constant systems are made once, bands need no memory.
TEST_P(StepAllocation, NoneOnTheElasticBar) {
  CAROM_SKIP_IF_IT_SINKS();
  CAROM_SKIP_IF_IT_LOCATES_EVENTS();
  const Model model =
      make_analytic_model("steel_bar", {{"elements", 40.0}, {"gap", 5e-6}}, treatable(entry(), {.restitution = 0.0}));
  CAROM_SKIP_IF_REFUSED(model);
  expect_none(model, 1e-6, 500, 4);
}

// Bodies turning in space, with three rows a contact, their number changing all the time.
TEST_P(StepAllocation, NoneOnSpheres) {
  CAROM_SKIP_IF_IT_LOCATES_EVENTS();
  const Model model = spheres_in_box({2, 1, 2}, treatable(entry(), {.restitution = 0.0, .friction = 0.5})).build();
  CAROM_SKIP_IF_REFUSED(model);
  expect_none(model, 1e-3, 250, 6);
}

// Sparse tangents that change in every iteration, of one pattern.
TEST_P(StepAllocation, NoneOnABeam) {
  CAROM_SKIP_IF_IT_SINKS();
  CAROM_SKIP_IF_IT_LOCATES_EVENTS();
  if (!entry().promises.implicit_force) GTEST_SKIP() << "explicit: no tangents";
  const Model model = make_analytic_model("flexible_pendulum", {{"gravity", 200.0}, {"wall", 0.99}},
                                          treatable(entry(), {.friction = 0.2}));
  CAROM_SKIP_IF_REFUSED(model);
  expect_none(model, 1e-5, 4000, 2);
}

// Joints of bodies that turn in space.
TEST_P(StepAllocation, NoneOnAChain) {
  CAROM_SKIP_IF_IT_LOCATES_EVENTS();
  const Model model = pendulum_chain(3).build();
  CAROM_SKIP_IF_REFUSED(model);
  expect_none(model, 1e-3, 500, 0);
}

CAROM_FOR_EVERY_SCHEME(StepAllocation);

}  // namespace
}  // namespace carom::batteries
