// The theta schemes against closed forms and against each other.
#include <cmath>

#include "carom/base/errors.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/multibody_scenes.h"
#include "schemes/run_scheme.h"
#include "schemes/spring_chain.h"

namespace carom::testing {
namespace {

Model ball(double e) { return make_analytic_model("bouncing_ball", {}, {.restitution = e}); }
Model crank(double e = 0.4, double mu = 0.01) {
  return make_analytic_model("slider_crank", {}, {.restitution = e, .friction = mu});
}

// v_1 = v_0 + dt f, q_1 = q_0 + dt (v_0 + v_1) / 2 exactly, also for the midpoint rule.
TEST(ThetaSchemes, FreeFlightOfAConstantForceIsExact) {
  const Model model = ball(0.5);
  for (const char* scheme : {"moreau_midpoint", "moreau_jean", "projection_direct", "projection_combined"}) {
    const State end = run(*model.system, model.initial, scheme, {}, 0.01, 50);
    EXPECT_NEAR(end.q[0], 1.0 - 0.25, 1e-14) << scheme;
    EXPECT_NEAR(end.v[0], -1.0, 1e-14) << scheme;
  }
}

// Whenever an impulse acts, gamma_plus = -e gamma_minus; with no impulse gamma_plus + e gamma_minus >= 0.
TEST(ThetaSchemes, ImpactLawHoldsInEveryStepWithAnImpulse) {
  for (const double e : {0.0, 0.3, 1.0}) {
    const Model model = ball(e);
    for (const char* scheme : {"moreau_midpoint", "moreau_jean", "projection_direct", "projection_combined"}) {
      int impacts = 0;
      run(*model.system, model.initial, scheme, {}, 1e-2, 400, [&](const StepResult& result) {
        for (const StepContact& contact : result.contacts) {
          const double xi = result.gamma_plus[contact.row] + e * result.gamma_minus[contact.row];
          if (result.impulse[contact.row] > 0.0) {
            ++impacts;
            EXPECT_NEAR(xi, 0.0, 1e-13) << scheme;
          } else {
            EXPECT_GE(xi, -1e-13) << scheme;
          }
        }
      });
      EXPECT_GT(impacts, 0) << scheme;
    }
  }
}

// At rest the floor carries the weight: Lambda = -f dt.
TEST(ThetaSchemes, RestingBallIsCarriedByItsWeight) {
  Model model = ball(0.5);
  model.initial.q[0] = 0.0;
  for (const char* scheme : {"moreau_midpoint", "moreau_jean", "projection_direct", "projection_combined"}) {
    const State end = run(*model.system, model.initial, scheme, {}, 0.05, 20, [&](const StepResult& result) {
      ASSERT_EQ(result.contacts.size(), 1u) << scheme;
      EXPECT_NEAR(result.impulse[0], 2.0 * 0.05, 1e-15) << scheme;
    });
    EXPECT_EQ(end.q[0], 0.0) << scheme;
    EXPECT_EQ(end.v[0], 0.0) << scheme;
  }
}

// One problem for both multipliers, or alternating inside Newton: the same solution.
TEST(ThetaSchemes, CoupledAndAlternatingProjectionAgree) {
  const Model model = crank();
  for (const char* scheme : {"projection_direct", "projection_combined"})
    for (const char* metric : {"kinetic", "euclidean"}) {
      const auto end = [&](const char* coupling) {
        return run(*model.system, model.initial, scheme,
                   {{"coupling", std::string(coupling)}, {"metric", std::string(metric)}}, 1e-4, 600);
      };
      const State alternating = end("in_loop"), coupled = end("coupled"), post = end("post");
      EXPECT_LT((alternating.q - coupled.q).norm(), 1e-7) << scheme << " " << metric;
      // The loose coupling differs, but only by the order of the step.
      EXPECT_LT((alternating.q - post.q).norm(), 1e-2) << scheme << " " << metric;
      EXPECT_GT((alternating.q - post.q).norm(), 1e-9) << scheme << " " << metric;
    }
}

TEST(ThetaSchemes, ProjectionsKeepTheGapsOfTheSliderCrank) {
  const Model model = crank();
  ContactSet contacts;
  ActiveSet all;
  Evaluation evaluation;
  for (const char* scheme : {"projection_direct", "projection_combined"})
    for (const char* coupling : {"in_loop", "post", "coupled"}) {
      double deepest = 0.0;
      run(*model.system, model.initial, scheme, {{"coupling", std::string(coupling)}}, 1e-4, 600,
          [&](const StepResult& result) {
            const State& x = result.next;
            model.system->detect(x.t, x.q, x.v, 1e-4, contacts);
            all.reset(contacts);
            all.add_all();
            model.system->evaluate(x.t, x.q, x.v, Need::gap, all, evaluation);
            for (Index k = 0; k < 4; ++k) deepest = std::min(deepest, evaluation.g[2 * k]);
          });
      EXPECT_GE(deepest, -1e-12) << scheme << " " << coupling;
    }
}

// Where Newton's loop starts and which matrix it takes changes how often it iterates, not where it ends. The averages
// are those of tests/independent/slider_crank_newton.py, absolute test at 1e-10 N s. Projections are in the Euclidean
// metric: the kinetic one is that of the matrix in use, and differs by the order of the step.
TEST(ThetaSchemes, BothNewtonLoopsEndAtTheSameStep) {
  const Model model = crank();
  const auto loop = [&](const char* scheme, const char* newton, double tolerance, const char* test, int steps,
                        long& iterations) {
    Given given = {
        {"newton", std::string(newton)}, {"newton_tolerance", tolerance}, {"newton_test", std::string(test)}};
    if (scheme == std::string("moreau_jean"))
      given["activation_gamma"] = 0.0;
    else
      given["metric"] = std::string("euclidean");
    return run(*model.system, model.initial, scheme, given, 1e-4, steps,
               [&](const StepResult& result) { iterations += result.newton_iterations; });
  };
  long unused = 0, simplified = 0, full = 0;
  for (const char* scheme : {"moreau_jean", "projection_direct", "projection_combined"}) {
    const State a = loop(scheme, "simplified", 1e-13, "relative", 600, unused),
                b = loop(scheme, "full", 1e-13, "relative", 600, unused);
    EXPECT_LT((a.q - b.q).norm(), 1e-9) << scheme;  // tolerances of 1e-12 through the impacts of 600 steps
  }
  loop("moreau_jean", "simplified", 1e-10, "absolute", 2000, simplified);
  loop("moreau_jean", "full", 1e-10, "absolute", 2000, full);
  EXPECT_EQ(simplified, 4102);  // 2.0510 a step
  EXPECT_EQ(full, 4870);        // 2.4350 a step
}

// One pass is exact where nothing bends, from either start; the position law keeps its own.
TEST(ThetaSchemes, TheFullNewtonLoopIsExactOnLinearSystems) {
  const Model model = make_analytic_model("steel_bar", {{"elements", 20.0}}, {});
  for (const char* level : {"velocity", "position"}) {
    const auto end = [&](const char* newton) {
      return run(*model.system, model.initial, "moreau_jean",
                 {{"newton", std::string(newton)}, {"law_level", std::string(level)}}, 2e-6, 400);
    };
    EXPECT_LT((end("simplified").q - end("full").q).norm(), 1e-14) << level;
  }
}

// Starting the active set from the contacts that pushed saves passes, not accuracy.
TEST(ThetaSchemes, CombinedProjectionMayStartFromThePushingContacts) {
  const Model model = spheres_in_box({2, 2, 3}).build();
  const auto fall = [&](const char* first_set, int& passes) {
    double rise = 0.0;
    const State end = run(*model.system, model.initial, "projection_combined", {{"first_set", std::string(first_set)}},
                          2e-3, 150, [&](const StepResult& result) { passes += result.index_set_iterations; });
    for (Index k = 2; k < end.q.size(); k += 7) rise += end.q[k];
    return rise;  // sum of the heights
  };
  int from_joints = 0, from_pushing = 0;
  EXPECT_NEAR(fall("joints", from_joints), fall("pushing", from_pushing), 1e-2);
  EXPECT_LT(from_pushing, 0.8 * from_joints);
}

// The same chain with dense and with sparse matrices takes the same steps.
TEST(ThetaSchemes, StructureOfTheMatricesDoesNotMatter) {
  const SpringChain dense(12, false, 0.3), sparse(12, true, 0.3);
  for (const char* scheme :
       {"moreau_midpoint", "moreau_jean", "schatzman_paoli", "projection_direct", "projection_combined"}) {
    int contacts = 0;
    const State a = run(dense, dense.start(), scheme, {}, 1e-3, 200);
    const State b = run(sparse, sparse.start(), scheme, {}, 1e-3, 200,
                        [&](const StepResult& result) { contacts += static_cast<int>(result.contacts.size()); });
    EXPECT_GT(contacts, 0) << scheme;
    EXPECT_LT((a.q - b.q).norm(), 1e-11) << scheme;
    EXPECT_LT((a.v - b.v).norm(), 1e-9) << scheme;
  }
}

// theta = 1/2 keeps the energy of a linear system between impacts; theta = 1 loses some.
TEST(ThetaSchemes, ThetaDecidesTheDamping) {
  const Model model = make_analytic_model("impact_oscillator", {{"damping", 0.0}}, {.restitution = 0.8});
  const Energetics& energy = *model.system->energetics();
  const auto total = [&](const State& x) {
    return energy.kinetic_energy(x.t, x.q, x.v) + energy.potential_energy(x.t, x.q);
  };
  const double before = total(model.initial);
  const State half = run(*model.system, model.initial, "moreau_jean", {{"theta", 0.5}}, 1e-3, 200);
  const State one = run(*model.system, model.initial, "moreau_jean", {{"theta", 1.0}}, 1e-3, 200);
  EXPECT_NEAR(total(half), before, 1e-12 * before);
  EXPECT_LT(total(one), before * (1.0 - 1e-3));
}

// The law on position level stops the ball at the floor, whatever e is.
TEST(ThetaSchemes, PositionLevelLawKeepsTheGapAtTheEndOfTheStep) {
  const Model model = ball(0.5);
  double lowest = 1.0;
  run(*model.system, model.initial, "moreau_jean", {{"law_level", std::string("position")}}, 0.01, 300,
      [&](const StepResult& result) { lowest = std::min(lowest, result.next.q[0]); });
  EXPECT_NEAR(lowest, 0.0, 1e-15);
}

// q_1 = max(2 q_0 - q_m + dt^2 f, -e q_m), for one ball.
TEST(SchatzmanPaoli, OneBallFollowsTheClosedForm) {
  for (const double e : {0.0, 0.5, 1.0}) {
    const Model model = ball(e);
    const double dt = 0.0137, f = -2.0;
    double q_m = 1.0 + 0.5 * dt * dt * f, q = 1.0;
    run(*model.system, model.initial, "schatzman_paoli", {}, dt, 300, [&](const StepResult& result) {
      const double q_next = std::max(2.0 * q - q_m + dt * dt * f, -e * q_m);
      EXPECT_NEAR(result.next.q[0], q_next, 1e-12);
      EXPECT_NEAR(result.next.v[0], (q_next - q_m) / (2.0 * dt), 1e-10);
      q_m = q;
      q = result.next.q[0];
    });
  }
}

TEST(SchatzmanPaoli, RefusesFrictionAndNamesSchemesThatCan) {
  const Model model = crank();
  const std::optional<std::string> reason = refusal(scheme_registry().find("schatzman_paoli"), *model.system);
  ASSERT_TRUE(reason);
  EXPECT_NE(reason->find("friction"), std::string::npos);
  EXPECT_NE(reason->find("moreau_jean"), std::string::npos);
  EXPECT_FALSE(refusal(scheme_registry().find("schatzman-paoli"), *crank(0.4, 0.0).system));
}

// On a model with constant W both readings of the gap rate coincide; on the slider-crank they do not.
TEST(MoreauMidpoint, LinearisedGapRateDiffersOnlyWhereDirectionsTurn) {
  const Given linearised = {{"gap_rate", std::string("linearised")}};
  const Model straight = ball(0.5);
  EXPECT_EQ(run(*straight.system, straight.initial, "moreau_midpoint", {}, 0.01, 300).q,
            run(*straight.system, straight.initial, "moreau_midpoint", linearised, 0.01, 300).q);
  const Model turning = crank(0.1, 0.0);
  EXPECT_GT((run(*turning.system, turning.initial, "moreau_midpoint", {}, 1e-4, 400).q -
             run(*turning.system, turning.initial, "moreau_midpoint", linearised, 1e-4, 400).q)
                .norm(),
            1e-9);
}

TEST(Registry, HyphensAreUnderscoresAndMisspellingsFindTheirNeighbour) {
  EXPECT_EQ(scheme_registry().find("moreau-jean").name, "moreau_jean");
  try {
    make_scheme("moreau_jaen");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'moreau_jean'"), std::string::npos);
  }
  EXPECT_THROW(make_scheme("moreau_jean", {{"tetha", 0.5}}), InputError);
  EXPECT_THROW(make_scheme("moreau_jean", {{"theta", 0.2}}), InputError);
  EXPECT_THROW(make_scheme("moreau_jean", {{"forecast", std::string("late")}}), InputError);
}

}  // namespace
}  // namespace carom::testing
