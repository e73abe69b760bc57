// Steps on a beam in space allocate nothing after warm-up: sparse tangents that change every iteration, one pattern.
// Beams in the plane: step_allocation_test.cc.
#include <gtest/gtest.h>

#include "allocation/counting_malloc.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/schemes/scheme.h"

namespace carom {
namespace {

TEST(BeamAllocation, NoneInSpace) {
  if (!allocation::available()) GTEST_SKIP() << "a sanitizer owns the allocator";
  const Model model = make_analytic_model("rod_hits_stop", {{"gravity", 200.0}}, {.friction = 0.3});
  const auto scheme = make_scheme("moreau_jean", {});
  const auto solver = make_solver("automatic");
  StepWorkspace workspace;
  StepResult result;
  State state;
  int touching = 0;
  for (const bool counted : {false, true}) {
    state = model.initial;
    if (counted) allocation::arm();
    for (int k = 0; k < 1500; ++k) {
      scheme->step(*model.system, *solver, state, 1e-4, workspace, result);
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

}  // namespace
}  // namespace carom
