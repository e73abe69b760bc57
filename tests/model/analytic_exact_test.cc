// The closed-form solutions: published numbers, and the impact law at every impact, located by bisection.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/model/analytic/analytic_model.h"

namespace carom {
namespace {

struct Point {
  double q, v;
};
Point at(const Model& model, double t) {
  Vector q, v;
  model.exact(t, q, v);
  return {q[0], v[0]};
}

// Walks through [0, t_end]; where the velocity jumps by more than smooth motion allows, finds the instant
// and checks v_plus = -e v_minus there. Returns the number of impacts seen.
int check_impacts(const Model& model, double e, double t_end, double largest_acceleration) {
  int impacts = 0;
  const double dt = 1e-3;
  for (double t = 0.0; t < t_end; t += dt) {
    double low = t, high = t + dt;
    if (std::abs(at(model, high).v - at(model, low).v) < 4.0 * largest_acceleration * dt) continue;
    while (high - low > 1e-13) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      const bool jumps_early =
          std::abs(at(model, middle).v - at(model, low).v) > std::abs(at(model, high).v - at(model, middle).v);
      (jumps_early ? high : low) = middle;
    }
    const Point before = at(model, low), after = at(model, high);
    EXPECT_NEAR(after.q, 0.0, 1e-11) << low;
    EXPECT_LT(before.v, 0.0) << low;
    EXPECT_NEAR(after.v, -e * before.v, 1e-10) << low;
    ++impacts;
  }
  return impacts;
}

TEST(BouncingBall, MatchesBallard) {
  const Model model = make_analytic_model("bouncing_ball", {}, {.restitution = 0.5});
  EXPECT_NEAR(at(model, 0.5).q, 0.75, 1e-15);
  for (int k = 0; k < 12; ++k) {  // impact k at 3 - 2^(1-k), speed 2^-k afterwards
    const double t_k = 3.0 - std::pow(2.0, 1 - k), u = std::pow(2.0, -k);
    const double s = 0.25 * u;  // a quarter of the flight
    EXPECT_NEAR(at(model, t_k + s).q, s * (u - s), 1e-14);
    EXPECT_NEAR(at(model, t_k + s).v, u - 2.0 * s, 1e-13);
    EXPECT_NEAR(at(model, t_k).v, u, 1e-13) << "right-continuous, impact " << k;
  }
  for (const double t : {3.0, 3.1, 100.0}) {
    EXPECT_EQ(at(model, t).q, 0.0);
    EXPECT_EQ(at(model, t).v, 0.0);
  }
}

TEST(BouncingBall, ObeysTheImpactLawForAnyData) {
  for (const double e : {0.0, 0.3, 0.5, 0.9, 1.0})
    for (const double height : {0.0, 0.7, 2.0})
      for (const double velocity : {-1.5, 0.0, 2.0}) {
        const double mass = 0.5, force = -3.0;
        const Model model = make_analytic_model(
            "bouncing_ball", {{"mass", mass}, {"force", force}, {"height", height}, {"velocity", velocity}},
            {.restitution = e});
        const int impacts = check_impacts(model, e, 6.0, -force / mass);
        const bool falls = height > 0.0 || velocity > 0.0;
        if (falls) {
          EXPECT_GE(impacts, e == 0.0 ? 1 : 2);
        }
        // The apex of each flight: energy is lost at impacts only, and e = 1 loses none.
        if (e == 1.0) {
          const double start = 0.5 * mass * velocity * velocity - force * height;
          for (double t = 0.01; t < 6.0; t += 0.173) {
            const Point p = at(model, t);
            EXPECT_NEAR(0.5 * mass * p.v * p.v - force * p.q, start, 1e-12);
          }
        }
      }
}

TEST(BouncingBall, HasNoClosedFormWhenPulledUp) {
  EXPECT_FALSE(make_analytic_model("bouncing_ball", {{"force", 1.0}}, {.restitution = 0.5}).exact);
}

TEST(ImpactOscillator, ObeysTheImpactLawForAnyData) {
  for (const double e : {0.0, 0.4, 0.8, 1.0})
    for (const double damping : {0.0, 0.5, 3.0})
      for (const double position : {0.0, 1.0})
        for (const double velocity : {-2.0, 0.0, 3.0}) {
          const Model model = make_analytic_model(
              "impact_oscillator", {{"damping", damping}, {"position", position}, {"velocity", velocity}},
              {.restitution = e});
          const double largest = 4.0 * std::numbers::pi * std::numbers::pi * 1.2 + damping * 8.0;
          const int impacts = check_impacts(model, e, 3.0, largest);
          if (position > 0.0) {
            EXPECT_GE(impacts, 1);
          }
        }
}

TEST(ImpactOscillator, HasNoClosedFormWhenOverdamped) {
  EXPECT_FALSE(make_analytic_model("impact_oscillator", {{"damping", 20.0}}, {.restitution = 0.5}).exact);
}

TEST(SlidingMass, StopsWhereFrictionSays) {
  const Model model = make_analytic_model("sliding_mass", {}, {.friction = 0.3});
  const double a = 0.3 * 9.81, t_stop = 2.0 / a;
  EXPECT_NEAR(at(model, 0.5 * t_stop).v, 1.0, 1e-15);
  EXPECT_NEAR(at(model, 2.0 * t_stop).q, 2.0 * 2.0 / (2.0 * a), 1e-15);
  EXPECT_EQ(at(model, 2.0 * t_stop).v, 0.0);
}

TEST(SlidingMass, SticksOrSlidesOnAnIncline) {
  const auto speed_after_1 = [](double slope, double velocity) {
    return at(make_analytic_model("sliding_mass", {{"incline", std::atan(slope)}, {"velocity", velocity}},
                                  {.friction = 0.3}),
              1.0)
        .v;
  };
  EXPECT_EQ(speed_after_1(0.29, 0.0), 0.0);
  EXPECT_NEAR(speed_after_1(0.31, 0.0), 0.0937009, 5e-8);
  EXPECT_EQ(speed_after_1(0.29, -1.0), 0.0);  // pushed uphill: stops and stays
  // Pushed uphill on a steep plane: turns round and slides down.
  const double c = 1.0 / std::sqrt(1.25), up = 9.81 * (0.5 + 0.3) * c, down = 9.81 * (0.5 - 0.3) * c;
  EXPECT_NEAR(speed_after_1(0.5, -1.0), down * (1.0 - 1.0 / up), 1e-14);
  // A downhill slope of the other sign is the mirror image.
  EXPECT_NEAR(speed_after_1(-0.5, 1.0), -down * (1.0 - 1.0 / up), 1e-14);
}

}  // namespace
}  // namespace carom
