// The nonsmooth generalized-alpha schemes: the bouncing pendulum against independent numbers, friction against closed
// forms in the plane and in space, all structures of matrices, orders through and between impacts, bodies that turn.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/base/errors.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/multibody_scenes.h"
#include "carom/schemes/alpha/past.h"
#include "schemes/run_scheme.h"
#include "schemes/spring_chain.h"

namespace carom {
namespace {

using testing::Given;
using testing::run;

const std::string kScheme = "nonsmooth_generalized_alpha";

Given with(const std::string& strategy, const std::string& solution = "sequential", double radius = 0.9) {
  return {{"strategy", strategy}, {"solution", solution}, {"spectral_radius", radius}};
}

// What is measured of the pendulum: hinge (constraint 1, two rows) and wall (constraint 2).
struct Bounces {
  double first = 0, closed_from = 0, smallest_gap = 0, slowest = 0, fastest = 0;
  double joint_error = 0, joint_rate = 0, joint_acceleration = 0;
  double late_jump = 0, smallest_impulse = 0, reaction = 0, smooth_reaction = 0;
  double newton = 0;
};

Bounces bounce(const Given& given) {
  const Model model = make_analytic_model("bouncing_pendulum", {}, {.restitution = 0.8});
  const System& system = *model.system;
  ContactSet contacts;
  system.detect(0, model.initial.q, model.initial.v, 0, contacts);
  ActiveSet all;
  all.reset(contacts);
  all.add_all();
  Evaluation at;
  alpha::Past past;
  Bounces b;
  std::vector<double> lambda;
  run(system, model.initial, kScheme, given, 1e-3, 4000, [&](const StepResult& result) {
    const State& s = result.next;
    system.evaluate(s.t, s.q, s.v, Need::gap | Need::jacobian | Need::convective, all, at);
    alpha::recall(s, all, 1e-3, 3, past);
    Vector gamma(3), rate(3);
    at.W.transpose_multiply(s.v.data(), gamma.data());
    at.W.transpose_multiply(past.a.data(), rate.data());
    rate += at.zeta.vec();
    b.joint_error = std::max(b.joint_error, at.g.vec().head(2).lpNorm<Eigen::Infinity>());
    b.joint_rate = std::max(b.joint_rate, gamma.head(2).lpNorm<Eigen::Infinity>());
    b.joint_acceleration = std::max(b.joint_acceleration, rate.head(2).lpNorm<Eigen::Infinity>());
    b.smallest_gap = std::min(b.smallest_gap, at.g[2]);
    b.slowest = std::min(b.slowest, gamma[2]);
    b.fastest = std::max(b.fastest, gamma[2]);
    if (at.g[2] > 1e-9) b.closed_from = s.t;
    for (const StepContact& contact : result.contacts) {
      const double impulse = result.impulse[contact.row];
      if (contact.constraint.bilateral) {
        b.reaction = impulse / 1e-3;
        continue;
      }
      if (impulse > 0 && b.first == 0) b.first = s.t;
      b.smallest_impulse = std::min(b.smallest_impulse, impulse);
    }
    lambda.push_back(past.lambda[0]);
    b.newton += result.newton_iterations / 4000.0;
  });
  for (std::size_t i = lambda.size() - 300; i + 1 < lambda.size(); ++i)
    b.late_jump = std::max(b.late_jump, std::abs(lambda[i + 1] - 2 * lambda[i] + lambda[i - 1]));
  b.smooth_reaction = lambda.back();
  return b;
}

TEST(NonsmoothAlpha, BouncingPendulumHoldsWhatItsStrategyPromises) {
  for (const char* strategy : {"pva", "pvv", "unconstrained"})
    for (const char* solution : {"sequential", "monolithic"})
      for (const double radius : {0.9, 1.0}) {
        SCOPED_TRACE(fmt::format("{} {} {}", strategy, solution, radius));
        const Bounces b = bounce(with(strategy, solution, radius));
        EXPECT_NEAR(b.first, 0.352, 1e-9);
        EXPECT_NEAR(b.slowest, -2.017, 3e-3);
        EXPECT_NEAR(b.fastest, 1.613, 3e-3);
        EXPECT_GE(b.smallest_gap, -1e-12);
        EXPECT_GE(b.smallest_impulse, 0.0);
        EXPECT_LE(b.joint_error, 1e-12);
        EXPECT_LE(b.joint_rate, 1e-12);
        EXPECT_NEAR(b.closed_from, 3.54, 0.03);
        EXPECT_NEAR(b.reaction, -10.0, 1e-6);
        EXPECT_LE(b.newton, 2.2);
        if (strategy == std::string("pva")) {
          EXPECT_LE(b.joint_acceleration, 1e-9);
          EXPECT_LE(b.late_jump, 1e-8);  // no oscillation, also without numerical damping
          EXPECT_NEAR(b.smooth_reaction, -10.0, 1e-6);
        }
        if (strategy == std::string("pvv") && radius == 1.0) {
          EXPECT_GE(b.late_jump, 1.0);  // never decays
        }
      }
}

// As printed, an opened contact keeps pulling for a while, and the pendulum comes to rest later.
TEST(NonsmoothAlpha, RelativeMultipliersAdhere) {
  Given given = with("pva");
  given["inactive"] = std::string("relative");
  const Bounces b = bounce(given);
  EXPECT_NEAR(b.smallest_impulse, -9.4e-5, 0.2e-5);
  EXPECT_NEAR(b.closed_from, 3.645, 5e-3);
}

// F1: a point mass slides and stops.
TEST(NonsmoothAlpha, SlidingMassIsExactWhileItSlides) {
  const Model model = make_analytic_model("sliding_mass", {}, {.friction = 0.3});
  const double stop = 2.0 / (0.3 * 9.81);
  for (const double dt : {0.04, 0.02, 0.01}) {
    double sliding = 0, at_end = 0, force = 0;
    Vector q, v;
    run(*model.system, model.initial, kScheme, {}, dt, static_cast<int>(std::lround(1.0 / dt)),
        [&](const StepResult& r) {
          model.exact(r.next.t, q, v);
          if (r.next.t < stop - dt) sliding = std::max(sliding, (r.next.q - q).norm());
          at_end = (r.next.q - q).norm();
          ASSERT_EQ(r.contacts.size(), 1u);
          force = r.impulse[0] / dt;
          EXPECT_NEAR(force, 9.81, 1e-11);
          if (r.next.t > stop + dt) {
            EXPECT_LE(std::abs(r.next.v[0]), 1e-14);
          }
        });
    EXPECT_LE(sliding, 4e-15) << dt;
    EXPECT_LE(at_end, 7e-4 * dt + 2e-7) << dt;  // 2.8e-5, 1.3e-5, 6e-6 asked
  }
  for (const double slope : {0.29, 0.31}) {
    const Model incline =
        make_analytic_model("sliding_mass", {{"incline", std::atan(slope)}, {"velocity", 0.0}}, {.friction = 0.3});
    const State end = run(*incline.system, incline.initial, kScheme, {}, 0.01, 100);
    const double pull = 9.81 * (std::sin(std::atan(slope)) - 0.3 * std::cos(std::atan(slope)));
    EXPECT_NEAR(end.v[0], std::max(0.0, pull), 1e-12) << slope;
  }
}

// F2: a disc is thrown on the floor.
TEST(NonsmoothAlpha, DiscSlipsOrSticksAtItsFirstImpact) {
  for (const double mu : {0.1, 0.2}) {
    const Model model = make_analytic_model("falling_disc", {}, {.restitution = 0.5, .friction = mu});
    double first = 0, smallest_gap = 0;
    int most = 0;
    State end = run(*model.system, model.initial, kScheme, {}, 1e-3, 3000, [&](const StepResult& r) {
      if (first == 0 && !r.impulse.empty() && r.impulse[0] > 0) first = r.next.v[0];
      smallest_gap = std::min(smallest_gap, r.next.q[1] - 0.1);
      most = std::max(most, r.newton_iterations);
    });
    // Slip takes mu (1 + e) of the speed of arrival, which is late by up to a step of gravity.
    const double slip = 3.0 - mu * 1.5 * std::sqrt(2 * 9.81);
    EXPECT_NEAR(first, std::max(2.0, slip), mu * 1.5 * 9.81e-3) << mu;
    if (mu == 0.2) {
      EXPECT_NEAR(first, 2.0, 1e-12);
    }
    EXPECT_NEAR(end.v[0], 2.0, 1e-9) << mu;
    EXPECT_NEAR(end.v[2], -20.0, 1e-8) << mu;
    EXPECT_GE(smallest_gap, -1e-13);
    EXPECT_LE(most, 3);
  }
}

// A sphere that cannot roll slides in any direction: straight, and the slip direction turns with it.
TEST(NonsmoothAlpha, SpatialFrictionOpposesTheDirectionOfSliding) {
  const Model model = sliding_sphere({.friction = 0.5});
  for (const double angle : {0.0, 0.7, 2.0}) {
    State start = model.initial;
    start.v[0] = 2.0 * std::cos(angle);
    start.v[1] = 2.0 * std::sin(angle);
    const double t = 0.3, distance = 2.0 * t - 0.5 * 0.5 * 9.81 * t * t;
    const State end = run(*model.system, start, kScheme, {}, 1e-3, 300);
    EXPECT_NEAR(end.q[0] - start.q[0], distance * std::cos(angle), 1e-12) << angle;
    EXPECT_NEAR(end.q[1] - start.q[1], distance * std::sin(angle), 1e-12) << angle;
  }
}

// Dense and sparse matrices give the same motion, through impacts of a stiff chain.
TEST(NonsmoothAlpha, StructuresAgree) {
  for (const Given& given : {with("pva"), with("pva", "monolithic"), with("pvv", "monolithic")}) {
    std::vector<State> ends;
    for (const bool sparse : {false, true}) {
      const testing::SpringChain chain(20, sparse, 0.3);
      long pushed = 0;
      ends.push_back(run(chain, chain.start(), kScheme, given, 1e-4, 2000, [&](const StepResult& r) {
        if (!r.impulse.empty() && r.impulse[0] > 0) ++pushed;
        EXPECT_GE(r.next.q[0], -1e-13);
      }));
      EXPECT_GT(pushed, 20);
    }
    EXPECT_LE((ends[0].q - ends[1].q).norm(), 1e-9);
    EXPECT_LE((ends[0].v - ends[1].v).norm(), 1e-6);
  }
}

// Between impacts the order is 2, across them 1: the oscillator's error before its first impact and at the end.
TEST(NonsmoothAlpha, OrderTwoBetweenImpactsAndOneAcross) {
  for (const char* scheme : {"nonsmooth_generalized_alpha", "nonsmooth_generalized_alpha_decoupled"}) {
    const Model model = make_analytic_model("impact_oscillator", {}, {.restitution = 0.8});
    std::vector<double> before, over;
    for (const int n : {100, 1000, 10000}) {
      double early = 0, all = 0;
      Vector q, v;
      run(*model.system, model.initial, scheme, {}, 1.0 / n, 3 * n, [&](const StepResult& r) {
        model.exact(r.next.t, q, v);
        all = std::max(all, (r.next.q - q).norm());
        if (r.next.t < 0.24) early = all;
      });
      before.push_back(early);
      over.push_back(all);
    }
    EXPECT_NEAR(std::log10(before[0] / before[1]), 2.0, 0.1) << scheme;
    EXPECT_NEAR(std::log10(before[1] / before[2]), 2.0, 0.1) << scheme;
    EXPECT_NEAR(0.5 * std::log10(over[0] / over[2]), 1.0, 0.2) << scheme;
  }
}

// The closed pendulum slides along nothing, the open one swings: both are smooth, and of second order from any state.
TEST(NonsmoothAlpha, DecoupledRestsWithoutDrift) {
  const Model model = make_analytic_model("bouncing_pendulum", {{"angle", std::numbers::pi / 4}}, {.restitution = 0.8});
  const State end = run(*model.system, model.initial, "nonsmooth_generalized_alpha_decoupled", {}, 1e-3, 2000);
  EXPECT_LE((end.q - model.initial.q).lpNorm<Eigen::Infinity>(), 1e-12);
}

// Friction of a spinning patch: in the rows of the law its ellipsoid is a ball, the sets of the scheme hold as they
// are. Judged by the law's own projection, and against another scheme.
TEST(NonsmoothAlpha, SpinFrictionByItsEllipsoid) {
  const Model top = make_analytic_model("tippe_top", {}, {.friction = 0.3, .spin_radius = 2.945e-4});
  double residual = 0;
  long slid = 0;
  const auto look = [&](const StepResult& result) {
    for (const StepContact& contact : result.contacts) {
      const Law& law = *contact.constraint.law;
      const double *Lambda = result.impulse.data() + contact.row, *xi = result.gamma_plus.data() + contact.row;
      const double r = 1e-3;  // kg: any positive number
      double y[4];
      for (int i = 0; i < 4; ++i) y[i] = Lambda[i] - r * xi[i];
      law.project(y, y);
      for (int i = 0; i < 4; ++i) residual = std::max(residual, std::abs(y[i] - Lambda[i]) / Lambda[0]);
      slid += std::abs(xi[1]) + std::abs(xi[2]) > 1e-3;
    }
  };
  const auto axis = [](const State& s) {
    return 1 - 2 * (s.q[4] * s.q[4] + s.q[5] * s.q[5]);
  };  // cos of the inclination
  std::vector<double> apart;
  for (const int n : {1, 2, 4}) {
    const State a = run(*top.system, top.initial, kScheme, {}, 2e-4 / n, 500 * n, look);
    const State b = run(*top.system, top.initial, "moreau_midpoint", {}, 2e-4 / n, 500 * n);
    apart.push_back(std::abs(axis(a) - axis(b)));
  }
  EXPECT_LE(residual, 1e-8);
  EXPECT_GT(slid, 1000);
  EXPECT_LE(apart[1], 0.7 * apart[0]);
  EXPECT_LE(apart[2], 0.7 * apart[1]);
  EXPECT_LE(apart[2], 2e-4);
}

TEST(NonsmoothAlpha, RefusesReservoirsThatAreNoBall) {
  const auto top = [](SpinReservoir reservoir) {
    return make_analytic_model("tippe_top", {},
                               {.friction = 0.3, .spin_radius = 2.945e-4, .spin_reservoir = reservoir});
  };
  EXPECT_FALSE(refusal(scheme_registry().find(kScheme), *top(SpinReservoir::ellipsoid).system));
  const auto why = refusal(scheme_registry().find(kScheme), *top(SpinReservoir::exact).system);
  ASSERT_TRUE(why);
  EXPECT_NE(why->find("Contensou"), std::string::npos);
  EXPECT_NE(why->find("moreau_jean"), std::string::npos);
  EXPECT_EQ(why->find("event_driven"), std::string::npos);
}

TEST(NonsmoothAlpha, RefusesFrictionWhereAStrategyHasNone) {
  const Model model = make_analytic_model("sliding_mass", {}, {.friction = 0.3});
  const SchemeEntry& entry = scheme_registry().find(kScheme);
  EXPECT_EQ(untreated(entry, *model.system, {{"strategy", std::string("pvv")}}), Feature::friction);
  EXPECT_FALSE(untreated(entry, *model.system));
}

}  // namespace
}  // namespace carom
