// Figures 6.23 and 6.25: the tippe top turns over; at a large step only the two-step quaternion scheme keeps its
// gaps.
#include <fmt/format.h>

#include "carom/model/analytic/analytic_model.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/moeller_2011.h"

namespace carom {

namespace {

using namespace moeller_2011;

constexpr double kPi = 3.14159265358979323846;
constexpr std::size_t kBody = 0, kHandle = 1;

Trace top(const std::string& scheme, SpinReservoir reservoir, double dt, double t_end, double restitution = 0.0) {
  return trace_run({make_analytic_model("tippe_top", {},
                                        {.restitution = restitution, .friction = 0.3, .spin_radius = 2.945e-4, .spin_reservoir = reservoir}),
                    scheme, {}, dt, t_end});
}

// Inclination of the axis.
std::vector<double> inclination(const Trace& trace) {
  std::vector<double> phi;
  for (std::size_t i = 0; i < trace.t.size(); ++i) {
    const double p0 = trace.q[3][i], p1 = trace.q[4][i], p2 = trace.q[5][i], p3 = trace.q[6][i];
    phi.push_back(std::acos(std::clamp(p0 * p0 + p3 * p3 - p1 * p1 - p2 * p2, -1.0, 1.0)));
  }
  return phi;
}
double first_above(const Trace& trace, const std::vector<double>& x, double limit) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] > limit) return trace.t[i];
  return INFINITY;
}
double handle_touches(const Trace& trace) {
  for (std::size_t i = 0; i < trace.t.size(); ++i)
    if (trace.gap[kHandle][i] <= 0.0) return trace.t[i];
  return INFINITY;
}
double norm_error(const Trace& trace) {
  double worst = 0.0;
  for (std::size_t i = 0; i < trace.t.size(); ++i)
    worst = std::max(worst, std::abs(std::hypot(std::hypot(trace.q[3][i], trace.q[4][i]), std::hypot(trace.q[5][i], trace.q[6][i])) - 1.0));
  return worst;
}

void judge_inversion(const std::string& name, const Trace& trace, ReproductionReport& report) {
  const std::vector<double> phi = inclination(trace);
  report.rows.push_back(judge(name + ": inclination passes pi/2 [s]", "0.973 (independent run)", first_above(trace, phi, 0.5 * kPi), between(0.968, 0.978)));
  report.rows.push_back(judge(name + ": handle touches [s]", "1.371 (independent run)", handle_touches(trace), between(1.366, 1.376)));
  double lowest = kPi;
  for (std::size_t i = 0; i < trace.t.size(); ++i)
    if (trace.t[i] > 1.6 && trace.t[i] < 4.0) lowest = std::min(lowest, phi[i]);
  report.rows.push_back(judge(name + ": lowest inclination from 1.6 to 4 s [rad]", "stands on its handle (2.93)", lowest, at_least(2.9)));
  report.rows.push_back(judge(name + ": inclination at the end [rad]", "tumbles back", phi.back(), at_most(2.0)));
}

ReproductionReport run_fig_6_23() {
  ReproductionReport report;
  report.settings = {"dt 1e-5 s, 8 s; gravity 9.81 m/s^2 and the tilt axis are not printed"};
  const Trace ellipsoid = top("moreau_midpoint", SpinReservoir::ellipsoid, 1e-5, 8.0);
  const Trace exact = top("moreau_midpoint", SpinReservoir::exact, 1e-5, 8.0);
  const Trace two = top("consistent_quaternion_two_step", SpinReservoir::ellipsoid, 1e-5, 8.0);
  report.rows.push_back(judge("energy at the start [J]", "0.01204720 (independent run)", total_energy(two).front(), within(1e-6, 0.01204720)));
  judge_inversion("Moreau, ellipsoid", ellipsoid, report);
  judge_inversion("Moreau, exact set", exact, report);
  judge_inversion("quaternion two-step, ellipsoid", two, report);
  report.rows.push_back(judge("quaternion two-step: largest rise of energy in a step [J]", "none", largest_rise(two), at_most(1e-16)));
  report.rows.push_back(judge("quaternion two-step: largest ||p| - 1|", "exact", norm_error(two), at_most(1e-12)));
  report.rows.push_back(judge("quaternion two-step: steps of 800,000 whose solver did not converge", "none", static_cast<double>(two.summary.failed_steps), exactly(0)));
  report.picture = {"Tippe top inclination, dt = 1e-5 s (Moeller 2011, figure 6.23)",
                    {{"", {"time [s]"}, {"inclination [rad]"},
                      {{"ellipsoid", ellipsoid.t, inclination(ellipsoid)}, {"exact set", exact.t, inclination(exact), CurveStyle::dashed}}}},
                    1};
  return report;
}

ReproductionReport run_fig_6_25() {
  ReproductionReport report;
  report.settings = {"dt 1e-3 s, 3 s, ellipsoid"};
  const Trace moreau = top("moreau_midpoint", SpinReservoir::ellipsoid, 1e-3, 3.0);
  const Trace one = top("consistent_quaternion_one_step", SpinReservoir::ellipsoid, 1e-3, 3.0);
  const Trace two = top("consistent_quaternion_two_step", SpinReservoir::ellipsoid, 1e-3, 3.0);
  const Trace elastic = top("consistent_quaternion_one_step", SpinReservoir::ellipsoid, 1e-3, 1.5, 1.0);
  report.rows.push_back(judge("two-step: largest shrinking of a closed gap in a step [m]", "no drift",
                              std::max(largest_sinking(two.gap[kBody]), largest_sinking(two.gap[kHandle])), at_most(1e-12)));
  report.rows.push_back(judge("two-step: deepest gap [m]", "-4.9e-6 (independent run)", std::min(smallest(two.gap[kBody]), smallest(two.gap[kHandle])), between(-1e-5, 0.0)));
  report.rows.push_back(judge("two-step: inclination passes pi/2 [s]", "0.972 (independent run)", first_above(two, inclination(two), 0.5 * kPi), between(0.968, 0.978)));
  const double speed = (value_at(one.t, one.gap[kBody], 0.9) - value_at(one.t, one.gap[kBody], 0.4)) / 0.5;
  report.rows.push_back(judge("one-step, e = 0: speed of the gap in contact [m/s]", "drifts at -g dt/2 = -4.9e-3", speed, within(0.05, -0.5 * 9.81 * 1e-3)));
  report.rows.push_back(judge("one-step, e_N = 1: deepest gap [m]", "no drift (-9e-5)", std::min(smallest(elastic.gap[kBody]), smallest(elastic.gap[kHandle])), between(-3e-4, 0.0)));
  report.rows.push_back(judge("Moreau: deepest gap [m]", "drifts (-4.7e-4 and -2.1e-3)", std::min(smallest(moreau.gap[kBody]), smallest(moreau.gap[kHandle])), at_most(-1e-4)));
  for (const auto& [name, trace] : {std::pair{"one-step", &one}, std::pair{"two-step", &two}})
    report.rows.push_back(judge(fmt::format("{}: largest rise of energy in a step [J]", name), "none", largest_rise(*trace), at_most(1e-15)));
  report.picture = {"Tippe top gap functions, dt = 1e-3 s (Moeller 2011, figure 6.25)",
                    {{"body", {"time [s]"}, {"gap [m]", false, -0.01, 0.02},
                      {{"two-step", two.t, two.gap[kBody]}, {"one-step", one.t, one.gap[kBody], CurveStyle::dashed}, {"Moreau", moreau.t, moreau.gap[kBody]}}},
                     {"handle", {"time [s]"}, {"gap [m]", false, -0.01, 0.02},
                      {{"two-step", two.t, two.gap[kHandle]}, {"one-step", one.t, one.gap[kHandle], CurveStyle::dashed}, {"Moreau", moreau.t, moreau.gap[kHandle]}}}},
                    2};
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction moeller_2011_fig_6_23() {
  return {"moeller-2011-fig-6.23", "the tippe top turns over", kPublication, run_fig_6_23};
}
Reproduction moeller_2011_fig_6_25() {
  return {"moeller-2011-fig-6.25", "gaps of the tippe top at a large step", kPublication, run_fig_6_25};
}

}  // namespace reproduce_entries

}  // namespace carom
