// Figures 6.16 to 6.20: the woodpecker toy, at a fine and at a coarse step.
#include <fmt/format.h>

#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/moeller_2011.h"

namespace carom::inline study {

namespace {

using namespace moeller_2011;

constexpr double kFine = 1e-5, kCoarse = 1e-3, kEnd = 0.7;
constexpr std::size_t kHeight = 0, kSleeve = 1, kBird = 2;
const char* const kSettings =
    "bird's rate at the start -7.4583 rad/s (unreadable in print; the value of the same data set elsewhere)";

Trace woodpecker(const std::string& scheme, double dt) {
  return trace_run(
      {make_analytic_model("woodpecker", {{"sleeve_angle", -0.1036}}, {.restitution = 0.0, .friction = 0.3}),
       scheme,
       {},
       dt,
       kEnd});
}

// Ends of the steps in which the beak turns the bird back.
std::vector<double> beak_impacts(const Trace& trace) {
  std::vector<double> times;
  for (std::size_t i = 1; i < trace.t.size(); ++i)
    if (trace.v[kBird][i - 1] > 5.0 && trace.v[kBird][i] < 0.0) times.push_back(trace.t[i]);
  return times;
}

Panel against_time(const std::string& title, const std::string& unit, const Trace& trace,
                   const std::vector<double>& x) {
  return {title,
          {"time [s]"},
          {fmt::format("{} [{}]", title, unit)},
          {{"", trace.t, x, CurveStyle::line, 0, abrupt_changes(x)}}};
}

ReproductionReport run_fig_6_16() {
  ReproductionReport report;
  report.settings = {kSettings};
  const Trace c = woodpecker("consistent_two_step", kFine), m = woodpecker("moreau_midpoint", kFine);
  report.rows.push_back(judge("energy at the start [J]", independent("3.541873e-4", kPrototype),
                              total_energy(c).front(), within(1e-6, 3.541873e-4)));
  const std::vector<double> hits = beak_impacts(c), other = beak_impacts(m);
  const double expected[] = {0.0810, 0.2269, 0.3729};
  for (std::size_t k = 0; k < 3; ++k) {
    report.rows.push_back(judge(fmt::format("beak impact {} [s]", k + 1),
                                independent(fmt::format("{:.4f}", expected[k]), kPrototype),
                                hits.size() > k ? hits[k] : NAN, between(expected[k] - 2e-4, expected[k] + 2e-4)));
    report.rows.push_back(judge(fmt::format("beak impact {}, Moreau's rule against the consistent scheme [s]", k + 1),
                                says("identical up to the precision of the shown figure"),
                                other.size() > k && hits.size() > k ? std::abs(other[k] - hits[k]) : NAN,
                                at_most(2e-4)));
  }
  report.rows.push_back(judge("largest rise of energy in a step, consistent [J]",
                              independent("less than 1e-17", kPrototype), largest_rise(c), at_most(1e-17)));
  report.rows.push_back(judge("height while the sleeve sticks, at 0.04 s [m]", independent("-0.004407", kPrototype),
                              value_at(c.t, c.q[kHeight], 0.04), between(-0.00441, -0.0044)));
  report.picture = {
      "Woodpecker, dt = 1e-5 s (Moeller 2011, figure 6.16)",
      {against_time("height", "m", c, c.q[kHeight]), against_time("speed", "m/s", c, c.v[kHeight]),
       against_time("sleeve angle", "rad", c, c.q[kSleeve]), against_time("sleeve rate", "rad/s", c, c.v[kSleeve]),
       against_time("bird angle", "rad", c, c.q[kBird]), against_time("bird rate", "rad/s", c, c.v[kBird])},
      2};
  return report;
}

ReproductionReport phase_space(const std::string& title, std::size_t coordinate, double low, double high) {
  ReproductionReport report;
  report.settings = {kSettings, "dt 1e-5 s, consistent two-step scheme"};
  const Trace c = woodpecker("consistent_two_step", kFine);
  report.rows.push_back(judge("smallest angle [rad]", independent(fmt::format("{}", low), kPrototype),
                              smallest(c.q[coordinate]), between(low - 5e-4, low + 5e-4)));
  report.rows.push_back(judge("largest angle [rad]", independent(fmt::format("{}", high), kPrototype),
                              largest(c.q[coordinate]), between(high - 5e-4, high + 5e-4)));
  // A cycle closes: one period after the second beak impact the angle is there again.
  const std::vector<double> hits = beak_impacts(c);
  const double period = hits.size() > 2 ? hits[2] - hits[1] : NAN;
  report.rows.push_back(judge("period [s]", independent("0.1460", kPrototype), period, within(2e-3, 0.1460)));
  const double there = value_at(c.t, c.q[coordinate], 0.3), again = value_at(c.t, c.q[coordinate], 0.3 + period);
  report.rows.push_back(
      judge("angle a period apart, difference [rad]", own("a limit cycle"), std::abs(there - again), at_most(5e-3)));
  report.picture = {title,
                    {{"",
                      {"angle [rad]"},
                      {"rate [rad/s]"},
                      {{"", c.q[coordinate], c.v[coordinate], CurveStyle::line, 0, abrupt_changes(c.v[coordinate])}}}},
                    1};
  return report;
}
ReproductionReport run_fig_6_17() {
  return phase_space("Sleeve phase space (Moeller 2011, figure 6.17)", kSleeve, -0.1036, 0.1035);
}
ReproductionReport run_fig_6_18() {
  return phase_space("Woodpecker phase space (Moeller 2011, figure 6.18)", kBird, -0.5302, 0.1200);
}

// Changes of sign of the speed from one step to the next while the sleeve sticks, above rounding.
double alternations(const Trace& trace) {
  double count = 0;
  for (std::size_t i = 1; i < trace.t.size(); ++i)
    if (trace.t[i] > 0.0245 && trace.t[i] < 0.0605) count += trace.v[kHeight][i] * trace.v[kHeight][i - 1] < -1e-12;
  return count;
}

ReproductionReport run_fig_6_19() {
  ReproductionReport report;
  report.settings = {kSettings};
  const Trace coarse = woodpecker("consistent_two_step", kCoarse), moreau = woodpecker("moreau_midpoint", kCoarse);
  const Trace fine = woodpecker("consistent_two_step", kFine);
  report.rows.push_back(judge("sign changes of the speed in 36 steps, consistent",
                              says("in the time window from 0.025 s to 0.06 s"), alternations(coarse),
                              between(35, 36)));
  report.rows.push_back(judge("|speed| while it alternates, at 0.04 s [m/s]", independent("0.00903", kPrototype),
                              std::abs(value_at(coarse.t, coarse.v[kHeight], 0.04)), within(0.001, 0.00903)));
  report.rows.push_back(judge("the same with Moreau's midpoint rule",
                              says("profits in this case from the combined discretization"), alternations(moreau),
                              at_most(1)));
  const double range = largest(fine.q[kBird]) - smallest(fine.q[kBird]);
  const auto apart = [&](double t) {
    return std::abs(value_at(coarse.t, coarse.q[kBird], t) - value_at(fine.t, fine.q[kBird], t)) / range;
  };
  report.rows.push_back(judge("bird's angle against the fine solution at 0.12 s, over its range",
                              says("visibly at t = 0.12 s"), apart(0.12), between(0.02, 0.2)));
  report.rows.push_back(
      judge("the same before the beak strikes, at 0.08 s", own("not yet visible"), apart(0.08), at_most(0.005)));
  report.rows.push_back(judge("largest rise of energy in a step [J]", independent("less than 1e-17", kPrototype),
                              largest_rise(coarse), at_most(1e-17)));
  report.picture = {
      "Woodpecker, consistent two-step scheme, dt = 1e-3 s (Moeller 2011, figure 6.19)",
      {against_time("height", "m", coarse, coarse.q[kHeight]), against_time("speed", "m/s", coarse, coarse.v[kHeight]),
       against_time("bird angle", "rad", coarse, coarse.q[kBird]),
       against_time("bird rate", "rad/s", coarse, coarse.v[kBird])},
      2};
  return report;
}

ReproductionReport run_fig_6_20() {
  ReproductionReport report;
  report.settings = {kSettings, "dt 1e-3 s"};
  const Trace c = woodpecker("consistent_two_step", kCoarse), m = woodpecker("moreau_midpoint", kCoarse);
  report.rows.push_back(judge("consistent: largest rise of energy in a step [J]",
                              says("consistency of the consistent two-step integrator is fulfilled"), largest_rise(c),
                              at_most(1e-17)));
  report.rows.push_back(judge("Moreau: largest rise of energy in a step [J]",
                              says("a slightly increasing total energy at times"), largest_rise(m), at_least(1e-8)));
  report.rows.push_back(judge("Moreau: that rise, its size [J]", independent("1.2e-7", kPrototype), largest_rise(m),
                              within(0.03, 1.2e-7)));
  report.rows.push_back(judge("consistent: energy at 0.04 s [J]", independent("-9.44750e-5", kPrototype),
                              value_at(c.t, total_energy(c), 0.04), between(-9.4485e-5, -9.4465e-5)));
  Panel panel{"",
              {"time [s]", false, 0.02, 0.07},
              {"energy [J]", false, -1.1e-4, -8e-5},
              {{"consistent two-step", c.t, total_energy(c)},
               {"Moreau's midpoint rule", m.t, total_energy(m), CurveStyle::dashed}}};
  report.picture = {"Woodpecker energy, dt = 1e-3 s (Moeller 2011, figure 6.20)", {panel}, 1};
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction moeller_2011_fig_6_16() {
  return {"moeller-2011-fig-6.16", "the woodpecker at a fine step", kPublication, run_fig_6_16};
}
Reproduction moeller_2011_fig_6_17() {
  return {"moeller-2011-fig-6.17", "the woodpecker's sleeve, phase space", kPublication, run_fig_6_17};
}
Reproduction moeller_2011_fig_6_18() {
  return {"moeller-2011-fig-6.18", "the woodpecker, phase space", kPublication, run_fig_6_18};
}
Reproduction moeller_2011_fig_6_19() {
  return {"moeller-2011-fig-6.19", "the woodpecker at a coarse step: a sticking velocity alternates", kPublication,
          run_fig_6_19};
}
Reproduction moeller_2011_fig_6_20() {
  return {"moeller-2011-fig-6.20", "the woodpecker's energy at a coarse step", kPublication, run_fig_6_20};
}

}  // namespace reproduce_entries

}  // namespace carom::inline study
