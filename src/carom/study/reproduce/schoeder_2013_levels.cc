// Figure 6: the ideal guide with its constraint on one level or another, dt = 1e-4 s. y is the height of the slider,
// which is the constraint itself.
#include <fmt/format.h>

#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/schoeder_2013.h"
#include "carom/study/reproduce/series.h"

namespace carom::inline study {

namespace {

using namespace schoeder_2013;

constexpr double kLevelStep = 1e-4;

Trace run_level(const char* level, double t_end) {
  const Model model = make_analytic_model("slider_crank_bilateral", {}, {});
  return trace_run({model,
                    "midpoint_constraint_level",
                    {{"level", std::string(level)}, {"position_tolerance", 1e-14}},
                    kLevelStep,
                    t_end});
}

double at(const Trace& trace, double t) { return trace.gap[0][static_cast<std::size_t>(std::lround(t / kLevelStep))]; }

double furthest(const Trace& trace) { return largest_within(trace.t, trace.gap[0], 0.0, trace.t.back()); }

// Share of the variance of y that a straight line over time explains.
double straightness(const Trace& trace) {
  double n = 0, t = 0, y = 0, tt = 0, ty = 0, yy = 0;
  for (std::size_t i = 0; i < trace.t.size(); ++i) {
    const double a = trace.t[i], b = trace.gap[0][i];
    n += 1, t += a, y += b, tt += a * a, ty += a * b, yy += b * b;
  }
  return std::pow(ty - t * y / n, 2) / ((tt - t * t / n) * (yy - y * y / n));
}

ReproductionReport run_fig_6() {
  ReproductionReport report;
  report.settings = {
      "slider-crank in an ideal guide, dt 1e-4 s, crank at 150 rad/s in the positive sense",
      "how the levels were discretised is not printed: Moreau's midpoint step, the constraint at its end "
      "(position, velocity) or in its middle (acceleration)",
      "the acceleration level is followed for 0.5 s: later the mechanism no longer closes"};
  const Trace position = run_level("position", 2.0), velocity = run_level("velocity_end", 2.0),
              middle = run_level("velocity_mid", 2.0), acceleration = run_level("acceleration", 0.5),
              both = run_level("position_velocity", 2.0);

  const char* const another = "another implementation";
  report.rows.push_back(judge("position level: largest |y| [m]", independent("less than 3e-15", another),
                              furthest(position), at_most(3e-15)));
  report.rows.push_back(judge("position and velocity level: largest |y| [m]",
                              says("the constraint is satisfied on position"), furthest(both), at_most(3e-15)));
  for (const auto& [t, y] : {std::pair{0.1, 1.7e-6}, {0.5, 3.7e-6}, {1.0, 6.4e-6}, {2.0, 9.9e-6}})
    report.rows.push_back(judge(fmt::format("velocity level: |y| at {} s [m]", t),
                                independent(fmt::format("{:g}", y), another), std::abs(at(velocity, t)),
                                within(0.02, y)));
  report.rows.push_back(judge("velocity level: share of the variance of y on a straight line",
                              says("linear development of the y-position"), straightness(velocity), at_least(0.95)));
  for (const auto& [t, y] : {std::pair{0.1, -4.3e-3}, {0.2, -2.0e-2}, {0.5, -1.2e-1}})
    report.rows.push_back(judge(fmt::format("acceleration level: y at {} s [m]", t),
                                independent(fmt::format("{:g}", y), another), at(acceleration, t), within(0.03, y)));
  report.rows.push_back(judge("acceleration level: exponent of |y| from 0.1 to 0.5 s", says("expected to be parabolic"),
                              std::log(at(acceleration, 0.5) / at(acceleration, 0.1)) / std::log(5.0),
                              between(1.8, 2.2)));
  report.rows.push_back(judge("acceleration level: y at 0.2 s [m], its sign", says("increases with rising gradient"),
                              at(acceleration, 0.2), at_least(1e-4), Confirmation{another, -2.0e-2, 1e-3}));
  report.rows.push_back(judge("velocity kept in the middle of the step: largest |y| [m]",
                              independent("1e-3", "another implementation of this reading"), furthest(middle),
                              within(0.25, 1e-3)));

  const Axis time{"time [s]"};
  report.picture = {
      "Drift of the slider by constraint level, dt 1e-4 s (Schoeder et al. 2013, figure 6)",
      {{"velocity level", time, {"height [um]"}, {{"end of the step", velocity.t, scaled(velocity.gap[0], 1e6)}}},
       {"acceleration level", time, {"height [mm]"}, {{"", acceleration.t, scaled(acceleration.gap[0], 1e3)}}},
       {"velocity level, middle of the step", time, {"height [um]"}, {{"", middle.t, scaled(middle.gap[0], 1e6)}}},
       {"position level, alone and with velocities",
        time,
        {"height [fm]"},
        {{"position", position.t, scaled(position.gap[0], 1e15)},
         {"position and velocity", both.t, scaled(both.gap[0], 1e15)}}}},
      2};
  report.tables = {{"velocity",
                    {{"t [s]", velocity.t},
                     {"y [m]", velocity.gap[0]},
                     {"y, middle [m]", middle.gap[0]},
                     {"y, position [m]", position.gap[0]},
                     {"y, both [m]", both.gap[0]}}},
                   {"acceleration", {{"t [s]", acceleration.t}, {"y [m]", acceleration.gap[0]}}}};
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction schoeder_2013_fig_6() {
  return {"schoeder-2013-fig-6", "drift of an ideal guide by constraint level", kPublication, run_fig_6};
}

}  // namespace reproduce_entries

}  // namespace carom::inline study
