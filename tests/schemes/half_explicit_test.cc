// Half-explicit schemes: coefficients, orders with a joint that acts all the time, steps that say what they are.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "carom/base/errors.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/schemes/half_explicit/half_explicit_tableaus.h"
#include "schemes/run_scheme.h"

namespace carom::testing {
namespace {

// Conditions on b, c, a up to order 4, and those of index 2 that ordinary methods break: with the row of the end
// appended, w = b M^-1 for M_lk = a_{l+1,k} gives  sum w_k c_{k+1}^2 = 1.
TEST(HalfExplicitTableaus, FulfilTheirConditions) {
  for (const HalfExplicitTableau& tableau : half_explicit_tableaus()) {
    SCOPED_TRACE(tableau.name);
    const int s = tableau.stages;
    EXPECT_NEAR(tableau.c(s), 1.0, 1e-14);
    for (int l = 1; l <= s; ++l) EXPECT_GT(tableau.weight(l, l - 1), 0.0) << "a force would pull in stage " << l;
    const auto sum = [&](auto f) {
      double total = 0.0;
      for (int k = 0; k < s; ++k) total += tableau.b(k) * f(k);
      return total;
    };
    const auto c = [&](int k) { return k == 0 ? 0.0 : tableau.c(k); };
    const auto inner = [&](int k, int power) {
      double total = 0.0;
      for (int j = 0; j < k; ++j) total += tableau.weight(k, j) * std::pow(c(j), power);
      return total;
    };
    const int p = tableau.order;
    if (p >= 2) {
      EXPECT_NEAR(sum([&](int k) { return c(k); }), 1.0 / 2, 1e-14);
    }
    if (p >= 3) {
      EXPECT_NEAR(sum([&](int k) { return c(k) * c(k); }), 1.0 / 3, 1e-14);
    }
    if (p >= 3) {
      EXPECT_NEAR(sum([&](int k) { return inner(k, 1); }), 1.0 / 6, 1e-14);
    }
    if (p >= 4) {
      EXPECT_NEAR(sum([&](int k) { return std::pow(c(k), 3); }), 1.0 / 4, 1e-14);
    }
    if (p >= 4) {
      EXPECT_NEAR(sum([&](int k) { return c(k) * inner(k, 1); }), 1.0 / 8, 1e-14);
    }
    if (p >= 4) {
      EXPECT_NEAR(sum([&](int k) { return inner(k, 2); }), 1.0 / 12, 1e-14);
    }

    // x solves x' M = b', from the last column on: M is lower triangular.
    std::vector<double> x(static_cast<std::size_t>(s));
    for (int k = s - 1; k >= 0; --k) {
      double rest = tableau.b(k);
      for (int l = k + 1; l < s; ++l) rest -= x[static_cast<std::size_t>(l)] * tableau.weight(l + 1, k);
      x[static_cast<std::size_t>(k)] = rest / tableau.weight(k + 1, k);
    }
    double index_2 = 0.0;
    for (int l = 0; l < s; ++l) index_2 += x[static_cast<std::size_t>(l)] * std::pow(tableau.c(l + 1), 2);
    EXPECT_NEAR(index_2, 1.0, 1e-13);
  }
  EXPECT_THROW(half_explicit_tableau("hem5"), LogicError);
}

// Largest error of the positions over the run, by halved steps, and the orders between them.
std::vector<double> observed_orders(const std::string& scheme, const Given& given, double t_end,
                                    std::vector<int> counts) {
  const Model model = make_analytic_model("slider_crank_bilateral", {}, {});
  std::vector<double> errors, orders;
  Vector q, v;
  for (const int n : counts) {
    double worst = 0;
    run(*model.system, model.initial, scheme, given, t_end / n, n, [&](const StepResult& result) {
      model.exact(result.next.t, q, v);
      worst = std::max(worst, (result.next.q - q).norm());
    });
    errors.push_back(worst);
  }
  for (std::size_t i = 1; i < errors.size(); ++i)
    orders.push_back(std::log2(errors[i - 1] / errors[i]) / std::log2(static_cast<double>(counts[i]) / counts[i - 1]));
  return orders;
}

TEST(HalfExplicit, OrdersWithAJoint) {
  struct Case {
    const char* scheme;
    Given given;
    double low, high;
    std::vector<int> counts;
  };
  const std::vector<int> fine = {1024, 2048, 4096}, medium = {128, 256, 512}, coarse = {32, 64, 128};
  const auto tableau = [](const char* name) { return Given{{"tableau", std::string(name)}}; };
  const auto order = [](double value) { return Given{{"order", value}}; };
  for (const Case& c :
       {Case{"half_explicit_velocity", {}, 1.9, 2.1, fine}, Case{"half_explicit_velocity_reduced", {}, 1.9, 2.1, fine},
        Case{"half_explicit_acceleration", {}, 1.9, 2.1, fine},
        Case{"half_explicit_runge_kutta", tableau("euler"), 0.9, 1.1, fine},
        Case{"half_explicit_runge_kutta", tableau("trapezoid"), 1.9, 2.1, fine},
        Case{"half_explicit_runge_kutta", tableau("midpoint"), 1.9, 2.1, fine},
        Case{"half_explicit_runge_kutta", tableau("hem3"), 2.9, 3.1, medium},
        Case{"half_explicit_runge_kutta", tableau("hem4"), 3.9, 4.1, medium},
        Case{"half_explicit_extrapolated", order(1), 0.9, 1.1, fine},
        Case{"half_explicit_extrapolated", order(2), 1.9, 2.1, fine},
        Case{"half_explicit_extrapolated", order(3), 2.9, 3.1, medium},
        Case{"half_explicit_extrapolated", order(4), 3.9, 4.1, medium},
        Case{"half_explicit_extrapolated", order(5), 4.9, 5.1, coarse},
        Case{"half_explicit_extrapolated", order(6), 5.9, 6.1, coarse},
        // The leading error of Dormand and Prince's coefficients is small on purpose: between 5 and 6.
        Case{"half_explicit_partitioned", {{"accuracy", 0.0}}, 4.9, 5.7, coarse}})
    for (const double observed : observed_orders(c.scheme, c.given, 0.02, c.counts)) {
      EXPECT_GE(observed, c.low) << c.scheme << " " << (c.given.empty() ? "" : to_text(c.given.begin()->second));
      EXPECT_LE(observed, c.high) << c.scheme << " " << (c.given.empty() ? "" : to_text(c.given.begin()->second));
    }
}

// Velocities change by jumps in impact steps only, and the impulses that are said to be of forces fall with the step.
TEST(HalfExplicit, StepsSayWhetherTheyAreImpacts) {
  const Model model = make_analytic_model("slider_crank", {}, {.restitution = 0.4});
  for (const char* scheme : {"half_explicit_velocity", "half_explicit_acceleration", "half_explicit_velocity_reduced",
                             "half_explicit_runge_kutta", "half_explicit_extrapolated"}) {
    SCOPED_TRACE(scheme);
    for (const double dt : {1e-4, 1e-5}) {
      Vector v = model.initial.v;
      int impacts = 0;
      run(*model.system, model.initial, scheme, {}, dt, static_cast<int>(std::lround(0.03 / dt)),
          [&](const StepResult& result) {
            impacts += result.impact;
            if (!result.impact) {
              // Accelerations stay below 5e4 rad/s^2; the light slider turns by rounding only.
              EXPECT_LE((result.next.v - v).norm(), 5e4 * result.dt_taken) << "t " << result.next.t;
              for (const double impulse : result.impulse)
                EXPECT_LE(impulse, 60.0 * result.dt_taken) << "t " << result.next.t;
            }
            v = result.next.v;
          });
      EXPECT_GE(impacts, 5);
    }
  }
}

// A falling ball that meets the floor by the acceleration within a step, not by its velocity: it must still rebound.
TEST(HalfExplicitReduced, NoReboundIsLost) {
  for (int i = 0; i < 40; ++i) {
    const Model model = make_analytic_model("bouncing_ball", {{"height", 1.0 + 1e-4 * i}}, {.restitution = 0.5});
    double fastest = 0;
    run(*model.system, model.initial, "half_explicit_velocity_reduced", {}, 1e-2, 180,
        [&](const StepResult& result) { fastest = std::max(fastest, result.next.v[0]); });
    EXPECT_NEAR(fastest, 1.0, 0.05) << i;
  }
}

TEST(HalfExplicitPartitioned, RefusesContacts) {
  const Model crank = make_analytic_model("slider_crank", {}, {.restitution = 0.4});
  const auto reason = refusal(scheme_registry().find("half_explicit_partitioned"), *crank.system);
  ASSERT_TRUE(reason);
  EXPECT_NE(reason->find("contacts"), std::string::npos);
  const Model joint = make_analytic_model("slider_crank_bilateral", {}, {});
  EXPECT_FALSE(refusal(scheme_registry().find("half_explicit_partitioned"), *joint.system));
}

// Whatever step is asked for, the error at the end follows the accuracy.
TEST(HalfExplicitPartitioned, ShortensStepsToItsAccuracy) {
  const Model model = make_analytic_model("slider_crank_bilateral", {}, {});
  const auto solver = make_solver("automatic");
  const double t_end = 0.02;
  for (const int count : {8, 20, 50}) {
    double larger = std::numeric_limits<double>::infinity();
    for (const double accuracy : {0.0, 1e-5, 1e-7}) {
      SCOPED_TRACE(fmt::format("{} steps, accuracy {}", count, accuracy));
      const auto scheme = make_scheme("half_explicit_partitioned", {{"accuracy", accuracy}});
      StepWorkspace workspace;
      StepResult result;
      State state = model.initial;
      scheme->start(*model.system, t_end / count, state);
      int steps = 0;
      for (; state.t < t_end * (1.0 - 1e-12); ++steps) {
        scheme->step(*model.system, *solver, state, std::min(t_end / count, t_end - state.t), workspace, result);
        ASSERT_EQ(result.status, StepStatus::ok);
        state = result.next;
      }
      Vector q, v;
      model.exact(t_end, q, v);
      const double error = (state.v - v).norm() / v.norm();
      if (accuracy == 0.0) {
        EXPECT_LE(steps, count + 1);
      } else {
        EXPECT_LE(error, accuracy);
      }
      EXPECT_LE(error, larger);
      larger = error;
    }
  }
}

TEST(HalfExplicitExtrapolated, WantsAWholeOrder) {
  EXPECT_THROW(make_scheme("half_explicit_extrapolated", {{"order", 2.5}}), InputError);
  EXPECT_THROW(make_scheme("half_explicit_extrapolated", {{"order", 7.0}}), InputError);
  EXPECT_NO_THROW(make_scheme("half_explicit_extrapolated", {{"order", 6.0}}));
}

// A mass stops within a step of length dt, tau after its start: run j over the step, with H = dt/j and tau = (N - 1 +
// f) H, goes too far by a (H tau/2 + H^2 f(1 - f)/2), a = mu g. Extrapolation removes the first part and magnifies the
// second, which is not smooth in H: 0.39 a dt^2 in these runs of order 5. The finest run alone is off by at most a dt^2
// (1/(2K) + 1/(8K^2)).
TEST(HalfExplicitExtrapolated, DoesNotExtrapolateThroughTheEndOfSliding) {
  const double dt = 0.02, a = 0.3 * 9.81;
  for (const double order : {3.0, 5.0, 6.0}) {
    double sliding = 0, stopped = 0;
    for (int phase = 0; phase < 50; ++phase) {
      const double start = 0.5 + a * dt * phase / 50.0;
      const Model model = make_analytic_model("sliding_mass", {{"velocity", start}}, {.friction = 0.3});
      Vector q, v;
      const State end = run(*model.system, model.initial, "half_explicit_extrapolated", {{"order", order}}, dt, 12,
                            [&](const StepResult& result) {
                              model.exact(result.next.t, q, v);
                              const double error = (result.next.q - q).norm();
                              if (result.next.t < start / a) sliding = std::max(sliding, error);
                              stopped = std::max(stopped, error);
                            });
      EXPECT_LE(end.v.norm(), 1e-12);
    }
    EXPECT_LE(sliding, 1e-13) << order;
    EXPECT_LE(stopped, 1.001 * a * dt * dt * (1 / (2 * order) + 1 / (8 * order * order))) << order;
  }
}

// Thrown uphill on a plane steeper than friction holds, it slides back: sliding all the time, and yet no smooth step.
TEST(HalfExplicitExtrapolated, DoesNotExtrapolateWhereSlidingTurnsRound) {
  const double dt = 0.01, incline = 0.6, mu = 0.2, g = 9.81;
  const double up = g * (std::sin(incline) + mu * std::cos(incline)),
               down = g * (std::sin(incline) - mu * std::cos(incline));
  double worst = 0;
  for (int phase = 0; phase < 50; ++phase) {
    const double start = 0.5 + up * dt * phase / 50.0, top = start / up;
    const Model model =
        make_analytic_model("sliding_mass", {{"velocity", -start}, {"incline", incline}}, {.friction = mu});
    const double t = dt * std::ceil(top / dt);  // the end of the step in which it turns
    const State end =
        run(*model.system, model.initial, "half_explicit_extrapolated", {}, dt, static_cast<int>(std::lround(t / dt)));
    const double q = -0.5 * start * top + 0.5 * down * (t - top) * (t - top);
    worst = std::max(worst, std::abs(end.q[0] - q));
  }
  EXPECT_LE(worst, 0.11 * up * dt * dt);
}

// Resting in the corner of a box: on velocity level nothing moves, on acceleration level what velocity is left stays.
TEST(HalfExplicit, BallInABox) {
  const Model model = make_analytic_model("ball_in_box", {{"gravity_angle", M_PI / 6.0}}, {.restitution = 0.3});
  Vector q;
  const auto late = [&](const char* scheme) {
    int k = 0;
    const State end = run(*model.system, model.initial, scheme, {}, 5e-3, 1000, [&](const StepResult& result) {
      if (++k == 800) q = result.next.q;
    });
    return std::pair(Vector(end.q - q), end.v);
  };
  for (const char* scheme : {"half_explicit_velocity", "half_explicit_velocity_reduced", "half_explicit_runge_kutta",
                             "half_explicit_extrapolated"}) {
    const auto [moved, v] = late(scheme);
    EXPECT_LE(moved.norm(), 1e-12) << scheme;
    EXPECT_LE(v.norm(), 1e-12) << scheme;
  }
  const auto [moved, v] = late("half_explicit_acceleration");
  EXPECT_LT(moved.minCoeff(), -1e-3);
  EXPECT_LE((moved - 1.0 * v).norm(), 1e-9);  // one second at that velocity
}

}  // namespace
}  // namespace carom::testing
