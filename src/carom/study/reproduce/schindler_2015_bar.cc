// Figures 13 to 15: an elastic bar hits a wall, stepped by the half-explicit trapezoidal rule on velocity level. One
// impulse stops the contact node, forces hold it there until the wave returns; impulse and loss of energy shrink with
// the elements, the force oscillates in the second half unless the bar is damped.
//
// The impulse that stops the node of a long bar with consistent masses follows from e_0' M^-1 e_0 of a half-infinite
// one: Lambda = rho S l v_0 sqrt(3) / 6, and with it v_0 Lambda / 2 of energy is lost.
#include <fmt/format.h>

#include <cmath>

#include "carom/study/reproduce/bar_run.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/schindler_2015.h"
#include "carom/study/reproduce/series.h"

namespace carom {

namespace {

using schindler_2015::kPublication;

constexpr double kStep = 1e-7, kSpeed = 0.1, kGap = 5.005e-6, kEnd = 4.8e-4;
constexpr double kDamping = 1e3 / 2.1e11;

BarTrace run(Index elements, double damping) {
  return run_bar({steel_rod(elements, damping), kGap, kSpeed, "half_explicit_velocity", {}, kStep, kEnd});
}

ReproductionReport report_of(Index elements, double damping, double time_tolerance, const std::string& figure) {
  const BarTrace bar = run(elements, damping);
  const RodData rod = steel_rod(elements);
  const double l = rod.length / elements;
  const double Lambda = rod.density * rod.section * l * kSpeed * std::sqrt(3.0) / 6.0;
  const double mass = rod.density * rod.section * rod.length;
  constexpr double inside = 0.02;  // of the contact time, left out at both ends
  const BarTrace::Forces forces = bar.forces(inside, 1.0 - inside);

  ReproductionReport report;
  report.settings = {
      fmt::format("N {}, dt 1e-7 s, e 0, gap 5.005e-6 m (not printed; the first overlap is then the printed violation)",
                  elements),
      "S is pi 1e-4 m^2, the circle of 1 cm radius",
      fmt::format("contact time: from the first to the last step end with g <= 0, a definition chosen after a first run; the last "
                  "force acts {:.4g} s after the first",
                  bar.duration())};
  if (damping > 0.0)
    report.settings.push_back("damping C = beta K with beta = 1000/E = 4.762e-9 s: 4.761e-6 s is printed, which is neither "
                              "the printed formula nor stable with this step");
  report.rows = {
      judge("contact time [s]", "3.854e-4", bar.closed_time(), within(time_tolerance, 3.854e-4)),
      judge("mean contact force [N]", "1.271e3", forces.mean, within(0.01, 1271.0)),
      judge("violation [m]", "5e-9", bar.violation(), at_most(kSpeed * kStep)),
      judge("change of the gap during contact [m]", "constant", bar.gap_variation(inside, 1.0 - inside), at_most(1e-14)),
      judge("largest velocity of the contact node in contact [m/s]", "0", bar.largest_velocity(inside, 1.0 - inside),
            at_most(1e-12)),
      judge("times the contact closes", "never lost", static_cast<double>(bar.closings), exactly(1)),
      judge("impulse of the impact [N s]", fmt::format("shrinks with refinement; long bar: {:.4g}", Lambda),
            bar.first_impulse, within(1e-3, Lambda)),
      judge("loss of energy at the impact, relative", fmt::format("shrinks with refinement; long bar: {:.3g}",
                                                                  Lambda / (mass * kSpeed)),
            bar.energy_lost_at_first / bar.energy.front(), within(5e-3, Lambda / (mass * kSpeed))),
      judge("total impulse [N s]", fmt::format("2 m v_0 = {:.4g}", 2.0 * mass * kSpeed), bar.total_impulse,
            within(0.02, 2.0 * mass * kSpeed))};
  const BarTrace::Forces early = bar.forces(inside, 0.45), late = bar.forces(0.55, 1.0 - inside);
  if (damping > 0.0) {
    report.rows.push_back(judge("largest |force - 1271 N| over 1271 N, first half", "no oscillation",
                                std::max(early.largest / 1271.47 - 1.0, 1.0 - early.smallest / 1271.47), at_most(0.02)));
    report.rows.push_back(judge("largest |force - 1271 N| over 1271 N, second half", "no oscillation",
                                std::max(late.largest / 1271.47 - 1.0, 1.0 - late.smallest / 1271.47), at_most(0.02)));
  } else {
    report.rows.push_back(judge("standard deviation of the force, second half over first half",
                                "good in the first half, then oscillating", late.deviation / early.deviation,
                                at_least(1.0)));
  }
  const std::vector<double> microseconds = scaled(bar.t, 1e6);
  const double touch = 1e6 * bar.touch, leave = touch + 1e6 * bar.contact_time;
  report.picture = {fmt::format("Elastic bar, N = {}{} (Schindler et al. 2015, figure {})", elements,
                                damping > 0.0 ? ", damped" : "", figure),
                    {{"contact node", {"time [us]"}, {"gap [m]"}, {{"", microseconds, bar.gap}}},
                     {"contact node", {"time [us]"}, {"velocity [m/s]"}, {{"", microseconds, bar.velocity}}},
                     {"contact force, without the impact",
                      {"time [us]"},
                      {"force [N]", false, 0.0, 2200.0},
                      {{"computed", microseconds, bar.force},
                       {"continuous bar",
                        {0.0, touch, touch, leave, leave, 1e6 * kEnd},
                        {0.0, 0.0, bar.contact_force, bar.contact_force, 0.0, 0.0},
                        CurveStyle::dashed}}}},
                    3};
  report.tables = {{"",
                    {{"t [s]", bar.t},
                     {"gap [m]", bar.gap},
                     {"velocity [m/s]", bar.velocity},
                     {"force [N]", bar.force},
                     {"energy [J]", bar.energy}}}};
  return report;
}

ReproductionReport run_fig_13() { return report_of(50, 0.0, 6e-3, "13"); }
ReproductionReport run_fig_14() { return report_of(1000, 0.0, 1e-3, "14"); }
ReproductionReport run_fig_15() { return report_of(1000, kDamping, 1e-3, "15"); }

}  // namespace

namespace reproduce_entries {

Reproduction schindler_2015_fig_13() {
  return {"schindler-2015-fig-13", "elastic bar with 50 elements hits a wall", kPublication, run_fig_13};
}
Reproduction schindler_2015_fig_14() {
  return {"schindler-2015-fig-14", "elastic bar with 1000 elements hits a wall", kPublication, run_fig_14};
}
Reproduction schindler_2015_fig_15() {
  return {"schindler-2015-fig-15", "the same, damped: the force no longer oscillates", kPublication, run_fig_15};
}

}  // namespace reproduce_entries

}  // namespace carom
