// Figures 5 to 8: a rigid pendulum bouncing against a wall, with contacts on acceleration level in the smooth motion
// (PVA) and with joints only, on velocity level (PVV).
#include <fmt/format.h>

#include <cmath>

#include "carom/study/reproduce/bruels_2018.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/series.h"

namespace carom::inline study {

namespace {

using namespace bruels_2018;

constexpr double kStep = 1e-3, kEnd = 4.0;
constexpr const char* kOther = "another implementation";
constexpr double kReaction = -10.0;  // m gravity tan(45 degrees), of the closed contact

LevelTrace run(const std::string& strategy, double spectral_radius, const std::string& inactive = "total") {
  const Model model = bouncing_pendulum();
  return trace_levels({model, "nonsmooth_generalized_alpha", method(strategy, spectral_radius, inactive), kStep, kEnd});
}

// The end of the last step with an open contact.
double closing_time(const LevelTrace& trace) {
  double last = 0;
  for (std::size_t i = 0; i < trace.t.size(); ++i)
    if (trace.gap[i] > 1e-9) last = trace.t[i];
  return last;
}
double first_contact(const LevelTrace& trace) {
  for (std::size_t i = 0; i < trace.t.size(); ++i)
    if (trace.force[i] > 0.0) return trace.t[i];
  return kEnd;
}
double bounces(const LevelTrace& trace) {
  double count = 0;
  for (std::size_t i = 1; i < trace.t.size(); ++i) count += trace.gap_rate[i] - trace.gap_rate[i - 1] > 0.1 ? 1.0 : 0.0;
  return count;
}
// The amplitude a of an oscillation a, -a, a, ... from step to step is a quarter of its second difference.
double after_first_impact(const LevelTrace& trace) {
  const double t = first_contact(trace);
  return 0.25 * largest_second_difference(trace.t, trace.smooth_multiplier, t + 0.5 * kStep, t + 0.05);
}
double at_last(const LevelTrace& trace) {
  return 0.25 * largest_second_difference(trace.t, trace.smooth_multiplier, kEnd - 0.3, kEnd);
}

const char* const kSettings =
    "dt 1e-3 s, T 4 s; e 0.8 and gravity towards +y are not printed: of the combinations of "
    "+-y and e 0.5, 0.8 they alone fit the printed axes";
const char* const kTotal = "inactive multipliers: total (the publication prints relative)";

CsvTable table(const std::string& name, const LevelTrace& trace) {
  return {name,
          {{"t [s]", trace.t},
           {"gap [m]", trace.gap},
           {"gap rate [m/s]", trace.gap_rate},
           {"joint |W'a + zeta| [m/s^2]", trace.joint_acceleration},
           {"smooth multiplier [N]", trace.smooth_multiplier},
           {"relative impulse / dt [N]", trace.relative_impulse},
           {"contact force [N]", trace.force}}};
}

ReproductionReport run_fig_5() {
  ReproductionReport report;
  report.settings = {kSettings, kTotal, "spectral radius 0.9"};
  Panel gap{"", {"time [s]"}, {"gap [m]"}, {}}, rate{"", {"time [s]"}, {"gap rate [m/s]"}, {}};
  for (const char* strategy : {"pvv", "pva"}) {
    const LevelTrace trace = run(strategy, 0.9);
    const auto row = [&](const char* quantity, const Expected& expected, double computed, const Accept& accept) {
      report.rows.push_back(judge(fmt::format("{}: {}", strategy, quantity), expected, computed, accept));
    };
    const Expected exact = says("exactly satisfies the bilateral and unilateral constraints");
    row("first impact [s]", independent("0.352", kOther), first_contact(trace), between(0.352 - kStep, 0.352 + kStep));
    row("impacts of more than 0.1 m/s", says("bounces several time"), bounces(trace), at_least(3));
    row("smallest gap [m]", exact, smallest(trace.gap), at_least(-1e-12));
    row("smallest gap rate [m/s]", independent("-2.017", kOther), smallest(trace.gap_rate), within(5e-4, -2.017));
    row("largest gap rate [m/s]", independent("1.613", kOther), largest(trace.gap_rate), within(5e-4, 1.613));
    row("largest gap of the last 0.3 s [m]", says("gets stabilized in the closed contact configuration"),
        largest_within(trace.t, trace.gap, kEnd - 0.3, kEnd), at_most(1e-9));
    row("closed from [s]", independent("3.544", kOther), closing_time(trace), between(3.544 - kStep, 3.544 + kStep));
    row("joint |g| [m]", exact, largest(trace.joint_gap), at_most(1e-12));
    row("joint |W'v| [m/s]", exact, largest(trace.joint_rate), at_most(1e-12));
    const CurveStyle style = strategy == std::string("pva") ? CurveStyle::dashed : CurveStyle::line;  // they coincide
    gap.curves.push_back({strategy, trace.t, trace.gap, style});
    rate.curves.push_back({strategy, trace.t, trace.gap_rate, style});
    rate.curves.back().jumps = abrupt_changes(trace.gap_rate);
    report.tables.push_back(table(strategy, trace));
  }
  report.picture = {"Gap of the bouncing pendulum (Bruels et al. 2018, figure 5)", {gap, rate}, 2};
  return report;
}

ReproductionReport run_fig_6() {
  ReproductionReport report;
  report.settings = {kSettings, kTotal, "spectral radius 0.9"};
  Panel rate{"", {"time [s]"}, {"joint |W'a + zeta| [m/s^2]", true, 1e-16, 1e2}, {}}, rate_zoom = rate;
  Panel force{"", {"time [s]"}, {"smooth joint multiplier [N]"}, {}}, force_zoom = force;
  rate_zoom.title = force_zoom.title = "first impact";
  for (const char* strategy : {"pvv", "pva"}) {
    const LevelTrace trace = run(strategy, 0.9);
    const bool pva = strategy == std::string("pva");
    const double rate_error = largest(trace.joint_acceleration), jump = after_first_impact(trace);
    report.rows.push_back(
        judge(fmt::format("{}: joint |W'a + zeta| [m/s^2]", strategy),
              pva ? says("exactly satisfies the acceleration constraints") : independent("7.2", kOther), rate_error,
              pva ? at_most(1e-8) : within(0.02, 7.2)));
    const std::string amplitude =
        fmt::format("{}: step-to-step amplitude of the multiplier after the first impact", strategy);
    report.rows.push_back(
        judge(amplitude + " over the reaction at rest",
              says(pva ? "no oscillation is visible" : "significant numerical oscillations after each impact"),
              jump / std::abs(kReaction), pva ? at_most(1e-4) : at_least(0.1)));
    if (!pva) report.rows.push_back(judge(amplitude + " [N]", independent("6.9", kOther), jump, within(0.02, 6.9)));
    rate.curves.push_back({strategy, trace.t, trace.joint_acceleration});
    force.curves.push_back({strategy, trace.t, trace.smooth_multiplier});
    const Part near_rate = part(trace.t, trace.joint_acceleration, 0.34, 0.40),
               near_force = part(trace.t, trace.smooth_multiplier, 0.34, 0.40);
    rate_zoom.curves.push_back({strategy, near_rate.t, near_rate.x});
    force_zoom.curves.push_back({strategy, near_force.t, near_force.x});
    report.tables.push_back(table(strategy, trace));
  }
  report.picture = {
      "Joint of the bouncing pendulum (Bruels et al. 2018, figure 6)", {rate, rate_zoom, force, force_zoom}, 2};
  return report;
}

ReproductionReport run_fig_7() {
  ReproductionReport report;
  report.settings = {kSettings, "spectral radius 0.9; inactive multipliers relative, as printed, beside total"};
  Panel gap{"the end", {"time [s]"}, {"gap [m]"}, {}},
      impulse{"", {"time [s]"}, {"relative joint impulse / dt [N]", false, -60, 60}, {}};
  const LevelTrace pvv = run("pvv", 0.9), pva = run("pva", 0.9, "relative"), total = run("pva", 0.9);
  const auto row = [&](const char* quantity, const Expected& expected, double computed, const Accept& accept) {
    report.rows.push_back(judge(quantity, expected, computed, accept));
  };
  row("pvv less pva: multiplier + relative impulse / dt at the end [N]",
      says("total reaction force is obtained in the two methods", "the same"),
      pvv.smooth_multiplier.back() + pvv.relative_impulse.back() - pva.smooth_multiplier.back() -
          pva.relative_impulse.back(),
      between(-1e-6, 1e-6));
  row("pvv: multiplier + relative impulse / dt at the end [N]", derived("-m gravity tan(45 deg) = -10"),
      pvv.smooth_multiplier.back() + pvv.relative_impulse.back(), within(1e-7, kReaction));
  row("pva: multiplier + relative impulse / dt at the end [N]", derived("-m gravity tan(45 deg) = -10"),
      pva.smooth_multiplier.back() + pva.relative_impulse.back(), within(1e-7, kReaction));
  row("pva: |relative impulse| / dt at the end [N]", says("is equal to zero in the proposed algorithm"),
      std::abs(pva.relative_impulse.back()), at_most(1e-6));
  row("pvv: |relative impulse| / dt at the end [N]", independent("5.4545", kOther),
      std::abs(pvv.relative_impulse.back()), within(1e-4, 5.4545));
  row("pva: smallest relative impulse / dt of the joint [N]", says("can take negative values"),
      smallest(pva.relative_impulse), at_most(-1.0));
  row("pva: closed after pvv by [s]", says("a later stabilization of the system in the closed contact state"),
      closing_time(pva) - closing_time(pvv), at_least(kStep));
  row("pva: closed after pvv by [s], again", independent("0.102", kOther), closing_time(pva) - closing_time(pvv),
      between(0.102 - 5 * kStep, 0.102 + 5 * kStep));
  row("pva with total multipliers: closed after pvv by [s]", independent("0", kOther),
      closing_time(total) - closing_time(pvv), between(-2 * kStep, 2 * kStep));
  row("pva, relative: smallest contact force [N]", independent("-9.4e-2", "another implementation: adhesion"),
      smallest(pva.force), within(0.1, -9.4e-2));
  for (const auto& [name, trace] : {std::pair{"pvv", &pvv}, {"pva, relative", &pva}, {"pva, total", &total}}) {
    const Part end = part(trace->t, trace->gap, 3.0, kEnd);
    gap.curves.push_back({name, end.t, end.x});
    impulse.curves.push_back({name, trace->t, trace->relative_impulse});
    report.tables.push_back(table(name, *trace));
  }
  gap.y.high = 2e-3;
  report.picture = {
      "Closing and relative impulse of the bouncing pendulum (Bruels et al. 2018, figure 7)", {gap, impulse}, 2};
  return report;
}

ReproductionReport run_fig_8() {
  ReproductionReport report;
  report.settings = {kSettings, kTotal, "spectral radius 1: no numerical damping"};
  Panel whole{"", {"time [s]"}, {"smooth joint multiplier [N]"}, {}}, end = whole;
  end.title = "the end";
  for (const char* strategy : {"pvv", "pva"}) {
    const LevelTrace trace = run(strategy, 1.0);
    const bool pva = strategy == std::string("pva");
    const auto row = [&](const char* quantity, const Expected& expected, double computed, const Accept& accept) {
      report.rows.push_back(judge(fmt::format("{}: {}", strategy, quantity), expected, computed, accept));
    };
    const double scale = std::abs(kReaction);
    row("step-to-step amplitude of the multiplier after the first impact over the reaction at rest",
        says(pva ? "without any spurious numerical oscillation" : "undergoes strong oscillations"),
        after_first_impact(trace) / scale, pva ? at_most(1e-4) : at_least(0.1));
    row("the same in the last 0.3 s",
        says(pva ? "without any spurious numerical oscillation" : "never disappear from the solution"),
        at_last(trace) / scale, pva ? at_most(1e-7) : at_least(0.1));
    if (!pva) {
      row("step-to-step amplitude of the multiplier after the first impact [N]", independent("7.8", kOther),
          after_first_impact(trace), within(0.02, 7.8));
      row("the same in the last 0.3 s [N]", independent("10.4", kOther), at_last(trace), within(0.05, 10.4));
    }
    row("total reaction of the joint at the end [N]", derived("-m gravity tan(45 deg) = -10"), trace.joint_force.back(),
        within(1e-6, kReaction));
    row("smallest gap [m]", says("exactly satisfies the bilateral and unilateral constraints"), smallest(trace.gap),
        at_least(-1e-12));
    whole.curves.push_back({strategy, trace.t, trace.smooth_multiplier});
    const Part last = part(trace.t, trace.smooth_multiplier, 3.5, kEnd);
    end.curves.push_back({strategy, last.t, last.x});
    report.tables.push_back(table(strategy, trace));
  }
  report.picture = {"Bouncing pendulum without numerical damping (Bruels et al. 2018, figure 8)", {whole, end}, 2};
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction bruels_2018_fig_5() {
  return {"bruels-2018-fig-5", "gap of a bouncing pendulum", kPublication, run_fig_5};
}
Reproduction bruels_2018_fig_6() {
  return {"bruels-2018-fig-6", "joint on acceleration level through impacts", kPublication, run_fig_6};
}
Reproduction bruels_2018_fig_7() {
  return {"bruels-2018-fig-7", "relative impulses and the closing of the contact", kPublication, run_fig_7};
}
Reproduction bruels_2018_fig_8() {
  return {"bruels-2018-fig-8", "the bouncing pendulum without numerical damping", kPublication, run_fig_8};
}

}  // namespace reproduce_entries

}  // namespace carom::inline study
