// Figures 6.5 and 6.6: the double pendulum beside a wall, elastic impacts, at a large step.
#include <fmt/format.h>

#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/moeller_2011.h"

namespace carom::inline study {

namespace {

using namespace moeller_2011;

constexpr double kStep = 0.01, kEnd = 10.0;

Trace consistent(const std::string& scheme, double dt, double t_end) {
  return trace_run({make_analytic_model("double_pendulum", {}, {.restitution = 1.0}), scheme, {}, dt, t_end});
}
Trace moreau(double dt, double t_end, long every = 1) {
  return trace_run(
      {make_analytic_model("double_pendulum_minimal", {}, {.restitution = 1.0}), "moreau_midpoint", {}, dt, t_end},
      every);
}

// Angles of the rods from the downward vertical.
std::vector<double> upper_angle(const Trace& t) {
  std::vector<double> a;
  for (std::size_t i = 0; i < t.t.size(); ++i) a.push_back(std::atan2(t.q[0][i], t.q[1][i]));
  return a;
}
std::vector<double> lower_angle(const Trace& t) {
  std::vector<double> a;
  for (std::size_t i = 0; i < t.t.size(); ++i) a.push_back(std::atan2(t.q[2][i] - t.q[0][i], t.q[3][i] - t.q[1][i]));
  return a;
}

double largest_joint(const std::vector<std::vector<double>>& series) {
  return std::max(largest_absolute(series[0]), largest_absolute(series[1]));
}

ReproductionReport run_fig_6_5() {
  ReproductionReport report;
  report.settings = {
      "dt 0.01 s, e 1; angles from the downward vertical, compared up to 1 s: the motion is chaotic afterwards"};
  const Trace c = consistent("consistent_two_step", kStep, 3.0), m = moreau(kStep, 3.0);
  const std::vector<double> a1 = upper_angle(c), a2 = lower_angle(c);
  struct Point {
    double t, a1, a2;
  };
  for (const Point& p : {Point{0.5, 1.38175, 2.02474}, Point{1.0, 0.36024, 0.82628}}) {
    report.rows.push_back(judge(fmt::format("upper angle at {} s [rad]", p.t),
                                independent(fmt::format("{}", p.a1), kPrototype), value_at(c.t, a1, p.t),
                                within(2e-5, p.a1)));
    report.rows.push_back(judge(fmt::format("lower angle at {} s [rad]", p.t),
                                independent(fmt::format("{}", p.a2), kPrototype), value_at(c.t, a2, p.t),
                                within(2e-5, p.a2)));
  }
  // Both converge to the same motion.
  const Trace fine = moreau(1e-5, 0.5, 50000);
  std::vector<double> errors;
  for (const double dt : {0.02, 0.01, 0.005})
    errors.push_back(std::abs(upper_angle(consistent("consistent_two_step", dt, 0.5)).back() -
                              upper_angle(consistent("consistent_two_step", 2.5e-4, 0.5)).back()));
  report.rows.push_back(judge("order of the consistent scheme before the first contact",
                              says("lets both solutions converge towards the exact solution"),
                              std::log2(errors[1] / errors[2]), between(1.8, 2.2)));
  report.rows.push_back(judge("Moreau at 1e-5 s against the consistent scheme at 0.01 s: upper angle at 0.5 s [rad]",
                              says("lets both solutions converge towards the exact solution"),
                              std::abs(fine.q[0].back() - value_at(c.t, a1, 0.5)), at_most(1e-4)));
  report.picture = {"Angles of the double pendulum, dt = 0.01 s (Moeller 2011, figure 6.5)",
                    {{"upper rod",
                      {"time [s]"},
                      {"angle [rad]"},
                      {{"consistent two-step", c.t, a1}, {"Moreau's midpoint rule", m.t, m.q[0], CurveStyle::dashed}}},
                     {"lower rod",
                      {"time [s]"},
                      {"angle [rad]"},
                      {{"consistent two-step", c.t, a2}, {"Moreau's midpoint rule", m.t, m.q[1], CurveStyle::dashed}}}},
                    1};
  return report;
}

// |E/E0 - 1|, without the steps where it is exactly zero.
std::vector<double> departure(const Trace& trace) {
  std::vector<double> result = total_energy(trace);
  const double start = result.front();
  for (double& energy : result) energy = energy == start ? NAN : std::abs(energy / start - 1.0);
  return result;
}

ReproductionReport run_fig_6_6() {
  ReproductionReport report;
  report.settings = {"dt 0.01 s, T 10 s, e 1"};
  const Trace two = consistent("consistent_two_step", kStep, kEnd),
              elastic = consistent("consistent_elastic", kStep, kEnd);
  const Trace negative = consistent("consistent_displacement", kStep, kEnd), m = moreau(kStep, kEnd);
  const double start = total_energy(two).front();
  report.rows.push_back(
      judge("energy at the start [J]", derived("m (x1'^2 + x2'^2)/2, table 6.2"), start, within(1e-9, 3.125)));
  for (const auto& [name, trace] : {std::pair{"two-step", &two}, std::pair{"elastic one-step", &elastic}}) {
    report.rows.push_back(judge(fmt::format("{}: largest |E/E0 - 1|", name),
                                says("preserved up to the numerical precision"), largest_deviation(*trace) / start,
                                at_most(1e-13)));
    report.rows.push_back(judge(fmt::format("{}: largest |g| of the rods [m^2]", name),
                                derived("constraints on both levels"), largest_joint(trace->gap), at_most(1e-12)));
    report.rows.push_back(judge(fmt::format("{}: largest |gamma| of the rods [m^2/s]", name),
                                derived("constraints on both levels"), largest_joint(trace->gap_rate), at_most(1e-12)));
  }
  report.rows.push_back(judge("constraints on displacement level only: largest |gamma| [m^2/s]",
                              independent("0.33", kPrototype), largest_joint(negative.gap_rate), within(0.02, 0.33)));
  report.rows.push_back(judge("Moreau's midpoint rule: largest |E/E0 - 1|",
                              says("a significant deviation of the energy"), largest_deviation(m) / start,
                              at_least(0.05)));
  report.rows.push_back(judge("Moreau's midpoint rule: highest E/E0", independent("1.025", kPrototype),
                              largest(total_energy(m)) / start, within(0.001, 1.025)));
  report.rows.push_back(judge("Moreau's midpoint rule: lowest E/E0", independent("0.563", kPrototype),
                              smallest(total_energy(m)) / start, within(0.002, 0.563)));
  report.picture = {"Total energy of the double pendulum, dt = 0.01 s (Moeller 2011, figure 6.6)",
                    {{"energy over that of the start",
                      {"time [s]"},
                      {"E / E0", false, 0.5, 1.1},
                      {{"consistent two-step", two.t, scaled(total_energy(two), 1.0 / start)},
                       {"Moreau's midpoint rule", m.t, scaled(total_energy(m), 1.0 / start), CurveStyle::dashed}}},
                     {"its deviation",
                      {"time [s]"},
                      {"|E / E0 - 1|", true, 1e-17, 1.0},
                      {{"consistent two-step", two.t, departure(two)},
                       {"Moreau's midpoint rule", m.t, departure(m), CurveStyle::dashed}}}},
                    2};
  report.tables = {{"consistent", {{"t [s]", two.t}, {"energy [J]", total_energy(two)}}},
                   {"moreau", {{"t [s]", m.t}, {"energy [J]", total_energy(m)}}}};
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction moeller_2011_fig_6_5() {
  return {"moeller-2011-fig-6.5", "angles of the double pendulum at a large step", kPublication, run_fig_6_5};
}
Reproduction moeller_2011_fig_6_6() {
  return {"moeller-2011-fig-6.6", "energy of the double pendulum at a large step", kPublication, run_fig_6_6};
}

}  // namespace reproduce_entries

}  // namespace carom::inline study
