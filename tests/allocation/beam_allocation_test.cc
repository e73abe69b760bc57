// Steps on beams allocate nothing after warm-up: sparse tangents that change every iteration, one pattern.
#include <gtest/gtest.h>

#include "allocation/counting_malloc.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/schemes/scheme.h"

namespace carom {
namespace {

void expect_none(const std::string& model_name, const ContactParameters& law, double dt, int steps) {
  if (!allocation::available()) GTEST_SKIP() << "a sanitizer owns the allocator";
  const Model model = make_analytic_model(model_name, {{"gravity", 200.0}}, law);
  const auto scheme = make_scheme("moreau_jean", {});
  const auto solver = make_solver("automatic");
  StepWorkspace workspace;
  StepResult result;
  State state;
  int touching = 0;
  for (const bool counted : {false, true}) {
    state = model.initial;
    if (counted) allocation::arm();
    for (int k = 0; k < steps; ++k) {
      scheme->step(*model.system, *solver, state, dt, workspace, result);
      if (result.status != StepStatus::ok) break;
      touching += !result.contacts.empty();
      std::swap(state, result.next);
    }
    allocation::disarm();
    ASSERT_EQ(result.status, StepStatus::ok) << to_text(result.status);
  }
  EXPECT_GT(touching, 10);
  EXPECT_EQ(allocation::count(), 0) << "first from:" << allocation::first_place();
}

TEST(BeamAllocation, NoneInThePlane) { expect_none("flexible_pendulum", {.friction = 0.2}, 1e-5, 10000); }
TEST(BeamAllocation, NoneInSpace) { expect_none("rod_hits_stop", {.friction = 0.3}, 1e-4, 1500); }

}  // namespace
}  // namespace carom
