// Long models: joints hold along chains whatever their length, a spring does not weigh on a pile.
#include "assembled/chains.h"

#include <gtest/gtest.h>

#include "carom/base/component_factor.h"
#include "schemes/run_scheme.h"

namespace carom::model {
namespace {

// The largest |g| of the joints.
double joint_error(const System& system, const State& state) {
  ContactSet contacts;
  system.detect(state.t, state.q, state.v, 1e-3, contacts);
  ActiveSet joints;
  joints.reset(contacts);
  for (Index k = 0; k < contacts.size(); ++k)
    if (contacts[k].bilateral) joints.add(k);
  Evaluation at;
  system.evaluate(state.t, state.q, state.v, Need::gap, joints, at);
  return at.g.vec().cwiseAbs().maxCoeff();
}

// 200 links laid on the floor by gravity: the joints stay closed, and energy is lost to friction and impacts only.
TEST(Chains, AFallingChainStaysTogether) {
  const Model model = testing::falling_chain({.links = 200});
  const Energetics& energy = *model.system->energetics();
  double last = energy.potential_energy(0.0, model.initial.q);
  int contacts = 0;
  const State end =
      testing::run(*model.system, model.initial, "projection_combined", {}, 2e-3, 60, [&](const StepResult& r) {
        const double now =
            energy.potential_energy(r.next.t, r.next.q) + energy.kinetic_energy(r.next.t, r.next.q, r.next.v);
        EXPECT_LE(now, last + 1e-3);
        last = now;
        contacts = std::max(contacts, static_cast<int>(r.contacts.size()) - 199);
      });
  EXPECT_GT(contacts, 10) << "it reached the floor";
  EXPECT_LE(joint_error(*model.system, end), 1e-10);
}

// What a step on the floor takes does not grow with the chain: Newton's method has the turning of the pins in its
// matrix, positions and velocities converge together, and only the last active set is solved to the end.
TEST(Chains, LongOnesTakeHardlyMoreIterations) {
  struct Taken {
    double newton = 0.0, projections = 0.0;  // a step in contact
  };
  const auto taken = [](int links, const std::string& scheme) {
    const Model model = testing::falling_chain({.links = links});
    Taken sum;
    int in_contact = 0;
    const State end = testing::run(*model.system, model.initial, scheme, {}, 1e-3, 100, [&](const StepResult& r) {
      if (static_cast<int>(r.contacts.size()) < links) return;
      ++in_contact;
      sum.newton += r.newton_iterations;
      sum.projections += r.projection_iterations;
    });
    EXPECT_GT(in_contact, 20);
    if (scheme == "projection_combined") {
      EXPECT_LE(joint_error(*model.system, end), 1e-10);
    }
    return Taken{sum.newton / in_contact, sum.projections / in_contact};
  };
  const Taken short_free = taken(100, "moreau_jean"), long_free = taken(1000, "moreau_jean");
  EXPECT_LE(long_free.newton, 1.5 * short_free.newton);
  EXPECT_LE(long_free.newton, 4.0);  // 6.9 without the turning of the pins
  const Taken short_held = taken(100, "projection_combined"), long_held = taken(1000, "projection_combined");
  EXPECT_LE(long_held.newton + long_held.projections, 1.4 * (short_held.newton + short_held.projections));
  // 17 where every active set is solved to the end, 7.1 where the first ones are to 1e-4, 7.5 where the directions of
  // corrections do not turn in the matrix.
  EXPECT_LE(long_held.newton, 6.9);
  EXPECT_LE(long_held.projections, 6.9);  // 55 where every projection is solved to its end
}

// A chain whose axes are parallel stays in the plane of its wave: it moves as the planar one does.
TEST(Chains, InSpaceAsInThePlane) {
  const Model planar = testing::falling_chain({.links = 60, .height = 0.002});
  const Model spatial =
      testing::falling_chain({.links = 60, .spatial = true, .parallel = true, .sideways = 0.0, .height = 0.002});
  const State a = testing::run(*planar.system, planar.initial, "moreau_jean", {}, 1e-3, 40);
  const State b = testing::run(*spatial.system, spatial.initial, "moreau_jean", {}, 1e-3, 40);
  double worst = 0.0;
  for (Index i = 0; i < 60; ++i) {
    worst = std::max(worst, std::abs(a.q[3 * i] - b.q[7 * i]));
    worst = std::max(worst, std::abs(a.q[3 * i + 1] - b.q[7 * i + 2]));
  }
  EXPECT_LT(worst, 2e-5);
}

// Parallel axes make a long chain a rigid beam out of its plane, and friction at its contacts redundant. Newton's
// method on joints and contacts is then lost from its first step, and sweeps crawl; contacts alone, with the joints
// eliminated, are a small problem.
TEST(Chains, ParallelAxesOnTheFloorTakeFewIterations) {
  constexpr int links = 400;
  const Model planar = testing::falling_chain({.links = links, .height = 0.002});
  for (const double sideways : {0.0, 0.1}) {
    const Model spatial = testing::falling_chain(
        {.links = links, .spatial = true, .parallel = true, .sideways = sideways, .height = 0.002});
    int most = 0, in_contact = 0;
    const auto watch = [&](const StepResult& r) {
      most = std::max(most, r.solver_iterations);
      in_contact += static_cast<int>(r.contacts.size()) > links - 1;
    };
    const State b = testing::run(*spatial.system, spatial.initial, "moreau_jean", {}, 1e-3, 40, watch);
    EXPECT_GT(in_contact, 10);
    EXPECT_LE(most, 500) << sideways;  // 14,500 without the elimination
    EXPECT_LE(joint_error(*spatial.system, b), 1e-6);
    if (sideways != 0.0) continue;
    const State a = testing::run(*planar.system, planar.initial, "moreau_jean", {}, 1e-3, 40);
    double worst = 0.0;
    for (Index i = 0; i < links; ++i)
      worst = std::max({worst, std::abs(a.q[3 * i] - b.q[7 * i]), std::abs(a.q[3 * i + 1] - b.q[7 * i + 2])});
    EXPECT_LT(worst, 2e-5);
  }
}

// The start of 300 links that were placed with small errors: they are brought together, by the sparse elimination.
TEST(Chains, LongChainsAreAssembled) {
  ModelBuilder m(Space::planar);
  std::vector<BodyRef> links;
  for (int i = 0; i < 300; ++i) {
    links.push_back(m.add_body({.name = "link" + std::to_string(i),
                                .position = {0.1 * i + 1e-3 * std::sin(5.0 * i), 1e-3 * std::cos(3.0 * i), 0},
                                .velocity = {0.0, 0.1 * i, 0.0}}));
    if (i > 0)
      m.add_joint({.name = "pin" + std::to_string(i),
                   .kind = "revolute",
                   .a = links[static_cast<std::size_t>(i - 1)].at({0.05, 0, 0}),
                   .b = links.back().at({-0.05, 0, 0})});
  }
  // A second joint between the last two: redundant rows.
  m.add_joint(
      {.name = "again", .kind = "revolute", .a = links[298].at({0.05, 0, 0}), .b = links[299].at({-0.05, 0, 0})});
  const Model model = m.build();
  EXPECT_LT(joint_error(*model.system, model.initial), 1e-12);
  // Redundant rows or not, it moves.
  const State end = testing::run(*model.system, model.initial, "projection_combined", {}, 1e-3, 5);
  EXPECT_LT(joint_error(*model.system, end), 1e-10);
}

TEST(Chains, ASpringInAPileCouplesItsTwoBodiesOnly) {
  const Model model = testing::sprung_pile({.layers = 2});
  Evaluation at;
  ActiveSet none;
  ContactSet contacts;
  none.reset(contacts);
  model.system->evaluate(0.0, model.initial.q, model.initial.v, Need::inertia | Need::force_jacobian, none, at);
  IterationMatrix A;
  ASSERT_TRUE(A.factor(at.M, 1e-3, at.dh_dv, 1e-6, at.dh_dq));
  ASSERT_NE(A.components(), nullptr);
  ASSERT_EQ(A.components()->coupled().size(), 1u);
  EXPECT_LE(A.components()->coupled().front().size(), 12);
  // And the pile comes to rest on the floor as one without a spring does.
  const State end = testing::run(*model.system, model.initial, "moreau_jean", {}, 2e-3, 20);
  for (Index i = 0; i < 200; ++i) EXPECT_GT(end.q[7 * i + 2], 0.049);
}

}  // namespace
}  // namespace carom::model
