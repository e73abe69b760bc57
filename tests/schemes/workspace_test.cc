// What a workspace keeps from earlier steps (constant contacts, tangents, contact operators) saves time
// and nothing else: a step is the same, to the last bit, as with a workspace that has seen none.
#include "carom/model/analytic/analytic_model.h"
#include "schemes/run_scheme.h"

namespace carom::testing {
namespace {

// Gravity drives the ball into a corner: first one wall, then two.
Model ball_in_corner(double mass) {
  return make_analytic_model("ball_in_box", {{"mass", mass}, {"gravity_angle", 1.0}, {"vx", -3.0}},
                             {.restitution = 0.5, .friction = 0.2});
}

TEST(StepWorkspace, EarlierStepsLeaveNoTraceInTheResult) {
  const std::vector<Model> models = {ball_in_corner(1.0), ball_in_corner(3.0),
                                     make_analytic_model("slider_crank", {}, {0.4, 0.01, 0.0}),
                                     make_analytic_model("slider_crank_maximal", {}, {0.4, 0.01, 0.0})};
  std::vector<std::unique_ptr<Scheme>> schemes;
  schemes.push_back(make_scheme("moreau_jean"));
  schemes.push_back(make_scheme("moreau_midpoint"));
  schemes.push_back(make_scheme("moreau_jean", {{"theta", 0.7}}));
  schemes.push_back(make_scheme("projection_direct", {{"coupling", std::string("coupled")}}));
  schemes.push_back(make_scheme("projection_combined"));
  for (const char* other : {"moreau_jean_explicit", "half_explicit_velocity", "ggl_decoupled", "ggl_unified"})
    schemes.push_back(make_scheme(other));  // memories of other types: they take each other's place
  const std::unique_ptr<InclusionSolver> solver = make_solver("automatic");

  StepWorkspace used;
  StepResult result, expected;
  std::vector<State> states;
  for (const Model& model : models) states.push_back(model.initial);
  std::size_t most_contacts = 0;
  unsigned draw = 1;
  for (int k = 0; k < 12000; ++k) {
    draw = 1664525u * draw + 1013904223u;
    // Runs of equal steps as well as changes of everything.
    const unsigned choice = (k / 10) % 2 == 0 ? static_cast<unsigned>(k) / 20 : draw >> 8;
    const std::size_t m = choice % models.size();
    const Scheme& scheme = *schemes[choice / 4 % schemes.size()];
    const double dt = (m >= 2 ? 1e-5 : 1e-3) * (choice / 40 % 2 + 1);
    StepWorkspace fresh;
    scheme.step(*models[m].system, *solver, states[m], dt, used, result);
    scheme.step(*models[m].system, *solver, states[m], dt, fresh, expected);
    ASSERT_EQ(result.status, StepStatus::ok) << k;
    ASSERT_TRUE(identical(result.next, expected.next))
        << "step " << k << ", model " << m << ", scheme " << choice / 4 % schemes.size() << ": "
        << (result.next.v - expected.next.v).norm() << " " << (result.next.q - expected.next.q).norm();
    ASSERT_EQ(result.impulse, expected.impulse) << k;
    ASSERT_EQ(result.gamma_plus, expected.gamma_plus) << k;
    if (m < 2) most_contacts = std::max(most_contacts, result.contacts.size());
    states[m] = result.next;
  }
  EXPECT_EQ(most_contacts, 2u);
}

// Every scheme makes the memory it asks a workspace for, and keeps it from step to step.
TEST(SchemeMemory, IsMadeOnceAndGoesWithTheScheme) {
  const Model model = ball_in_corner(1.0);
  const std::unique_ptr<InclusionSolver> solver = make_solver("automatic");
  const auto theta = make_scheme("moreau_jean"), theta_too = make_scheme("projection_combined"),
             midpoint = make_scheme("moreau_midpoint");
  StepWorkspace workspace;
  StepResult result;
  const auto memory_after = [&](const Scheme& scheme) {
    scheme.step(*model.system, *solver, model.initial, 1e-3, workspace, result);
    return workspace.memory.get();
  };
  const SchemeMemory* first = memory_after(*theta);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(memory_after(*theta), first);
  EXPECT_EQ(memory_after(*theta_too), first);  // of one family
  EXPECT_NE(first->position_problem(), nullptr);
  const char* kind = workspace.memory_kind;
  ASSERT_NE(memory_after(*midpoint), nullptr);
  EXPECT_NE(workspace.memory_kind, kind);
  EXPECT_EQ(workspace.memory->position_problem(), nullptr);
  for (const SchemeEntry* entry : scheme_registry().entries())
    EXPECT_NE(make_scheme(entry->name)->make_memory(), nullptr) << entry->name;
}

}  // namespace
}  // namespace carom::testing
