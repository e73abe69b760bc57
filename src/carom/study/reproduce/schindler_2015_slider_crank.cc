// Figures 4, 5, 7 and 8: gaps, energy and multipliers of the slider-crank with the half-explicit schemes on
// acceleration and on velocity level, all without friction.
#include <fmt/format.h>

#include <cmath>

#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/schindler_2015.h"
#include "carom/study/reproduce/series.h"
#include "carom/study/reproduce/slider_crank_print.h"

namespace carom::inline study {

namespace {

using namespace schindler_2015;

constexpr double kTime = 0.2, kStep = 1e-4;
constexpr const char* kAcceleration = "half_explicit_acceleration";
constexpr const char* kVelocity = "half_explicit_velocity";
const char* const kSettings =
    "dt 1e-4 s, T 0.2 s (not printed), restitution 0.4; without friction, as the scheme on acceleration level is";
const char* const kAnother = "another implementation";

Trace run(const char* scheme, double dt) { return trace_run({slider_crank(0.4, 0.0), scheme, {}, dt, kTime}); }

double deepest(const Trace& trace) {
  double gap = 0;
  for (const Trace::Series& series : trace.gap) gap = std::min(gap, smallest(series));
  return gap;
}

double fastest_closing(const Trace& trace) {
  double rate = 0;
  for (const Trace::Series& series : trace.gap_rate) rate = std::max(rate, -smallest(series));
  return rate;
}

// Gaps of corners 1 (upper wall) and 3 (lower wall), the others move alike; one run a line, the second dashed.
struct Shown {
  const char* name;
  const Trace* trace;
};
void add_gaps(const char* title, const std::vector<Shown>& runs, ReproductionReport& report) {
  const auto panel = [&](const char* name, double low, double high) {
    Panel result{name, {"time [s]", false, 0.0, kTime}, {"gap [mm]", false, low, high}, {}};
    for (std::size_t r = 0; r < runs.size(); ++r)
      for (const auto& [corner, wall] : {std::pair<std::size_t, const char*>{0, "upper wall"}, {2, "lower wall"}})
        result.curves.push_back({fmt::format("{}{}", wall, runs[r].name), runs[r].trace->t,
                                 scaled(runs[r].trace->gap[corner], 1e3),
                                 r == 0 ? CurveStyle::line : CurveStyle::dashed, static_cast<int>(corner) / 2});
    return result;
  };
  report.picture = {title, {panel("gaps", -0.2, 2.2), panel("gaps of closed contacts", -0.12, 0.04)}, 2};
  CsvTable table{"", {{"t [s]", runs.front().trace->t}}};
  for (const Shown& shown : runs) {
    table.columns.push_back({fmt::format("gap upper wall{} [m]", shown.name), shown.trace->gap[0]});
    table.columns.push_back({fmt::format("gap lower wall{} [m]", shown.name), shown.trace->gap[2]});
  }
  report.tables = {table};
}

double drift_order(const char* scheme, double coarse) {
  return std::log10(coarse / closed_gap_variation(run(scheme, 0.1 * kStep)));
}

ReproductionReport run_fig_4() {
  ReproductionReport report;
  report.settings = {kSettings};
  const Trace trace = run(kAcceleration, kStep);
  const double drift = closed_gap_variation(trace);
  report.rows.push_back(
      judge("deepest gap [m]", says("The penetration of the bordering wall occurs"), deepest(trace), at_most(-1e-5)));
  report.rows.push_back(
      judge("deepest gap [m], its size", independent("-9.6e-5", kAnother), deepest(trace), within(0.01, -9.6e-5)));
  report.rows.push_back(
      judge("drift of closed gaps [m]", independent("6.6e-5", kAnother), drift, within(0.02, 6.6e-5)));
  report.rows.push_back(judge("order of the drift in dt", independent("1.02", kAnother),
                              drift_order(kAcceleration, drift), between(0.97, 1.07)));
  add_gaps("Gaps on acceleration level (Schindler et al. 2015, figure 4)", {{"", &trace}}, report);
  return report;
}

ReproductionReport run_fig_7() {
  ReproductionReport report;
  report.settings = {kSettings};
  const Trace velocity = run(kVelocity, kStep), acceleration = run(kAcceleration, kStep);
  const double drift = closed_gap_variation(velocity);
  report.rows.push_back(judge("drift of closed gaps, velocity over acceleration level",
                              says("a remedy for the drift-off effect"), drift / closed_gap_variation(acceleration),
                              at_most(0.05)));
  report.rows.push_back(judge("order of that drift in dt on velocity level", own("second order, as the scheme's"),
                              drift_order(kVelocity, drift), between(1.6, 2.2)));
  report.rows.push_back(judge("velocity level: deepest gap over dt times the largest closing velocity",
                              derived("less than a step"), -deepest(velocity) / (kStep * fastest_closing(velocity)),
                              between(0.0, 1.0)));
  report.rows.push_back(judge("velocity level: deepest gap [m]", independent("-5.4e-5", kAnother), deepest(velocity),
                              within(0.01, -5.4e-5)));
  report.rows.push_back(judge("acceleration level: deepest gap [m]", independent("-9.6e-5", kAnother),
                              deepest(acceleration), within(0.01, -9.6e-5)));
  add_gaps("Gaps on both levels (Schindler et al. 2015, figure 7)",
           {{", velocity level", &velocity}, {", acceleration level", &acceleration}}, report);
  return report;
}

// Energy above its smallest value so far, where it is.
Curve rises(const char* label, const Trace& trace, const std::vector<double>& energy) {
  Curve above{label, {}, {}, CurveStyle::points};
  double lowest = INFINITY;
  for (std::size_t i = 0; i < energy.size(); ++i) {
    lowest = std::min(lowest, energy[i]);
    if (energy[i] <= lowest) continue;
    above.x.push_back(trace.t[i]);
    above.y.push_back(energy[i] - lowest);
  }
  return above;
}

ReproductionReport run_fig_5() {
  ReproductionReport report;
  report.settings = {kSettings,
                     "the caption has the acceleration level only; the other two schemes are shown beside it"};
  Panel whole{"energy", {"time [s]"}, {"energy [J]"}, {}},
      rise{"rise above the smallest so far", {"time [s]"}, {"energy [J]", true, 1e-6, 1.0}, {}};
  CsvTable table{"", {}};
  const struct {
    const char *scheme, *title, *elsewhere;
    double rise;
  } runs[] = {{kAcceleration, "acceleration level", "2.5e-3", 2.5e-3},
              {kVelocity, "velocity level", "2.5e-3", 2.5e-3},
              {"moreau_jean_explicit", "explicit Moreau-Jean", "2.1e-1", 2.1e-1}};
  for (const auto& r : runs) {
    const Trace trace = run(r.scheme, kStep);
    const std::vector<double> energy = sum(trace.kinetic, trace.potential);
    if (table.columns.empty()) {
      report.rows.push_back(judge("energy at the start [J]", derived("table 1"), energy.front(),
                                  within(1e-10, slider_crank_print::start_energy())));
      report.rows.push_back(judge("acceleration level: largest rise above the smallest energy so far [J]",
                                  says("not always decreasing energy trend"), largest_energy_rise(trace),
                                  at_least(1e-4)));
      table.columns.push_back({"t [s]", trace.t});
    }
    report.rows.push_back(judge(fmt::format("{}: that rise, its size [J]", r.title), independent(r.elsewhere, kAnother),
                                largest_energy_rise(trace), within(0.015, r.rise)));
    whole.curves.push_back({r.title, trace.t, energy, CurveStyle::line, -1, jumps_where(trace.impact)});
    rise.curves.push_back(rises(r.title, trace, energy));
    table.columns.push_back({fmt::format("energy, {} [J]", r.title), energy});
  }
  // Rises say nothing about the impacts.
  const Trace first = trace_run({slider_crank(0.4, 0.0), kVelocity, {}, 1e-6, 4e-3});
  report.rows.push_back(judge(
      "velocity level, dt 1e-6: energy lost in the first impact [J]", derived("free flight and Newton's law, table 1"),
      first.kinetic.front() + first.potential.front() - first.kinetic.back() - first.potential.back(),
      within(2e-3, slider_crank_print::first_impact(0.4).loss)));
  report.picture = {"Energy (Schindler et al. 2015, figure 5)", {whole, rise}, 2};
  report.tables = {table};
  return report;
}

// Mean forces of smooth steps and impulses of impacts at each wall; both corners of a wall together.
struct Split {
  Trace trace;
  std::vector<double> force[2], impulse[2];  // upper, lower wall
  double largest_force = 0, largest_impulse = 0;
  double largest_smooth_change = 0;  // of the velocities in a step without impact, relative to the fastest
  double first_impact = NAN, first_impulse = NAN;
};

Split split(double dt) {
  Split s{run(kVelocity, dt), {}, {}};
  const Trace& trace = s.trace;
  double fastest = 0;
  for (const Trace::Series& v : trace.v) fastest = std::max({fastest, largest(v), -smallest(v)});
  for (std::size_t i = 0; i < trace.t.size(); ++i) {
    const bool impact = trace.impact[i] != 0.0;
    if (impact && std::isnan(s.first_impact)) {
      s.first_impact = trace.t[i];
      s.first_impulse = trace.normal_impulse[0][i] + trace.normal_impulse[1][i];
    }
    for (std::size_t wall = 0; wall < 2; ++wall) {
      const double sum = trace.normal_impulse[2 * wall][i] + trace.normal_impulse[2 * wall + 1][i];
      s.force[wall].push_back(impact ? 0.0 : sum / dt);
      s.impulse[wall].push_back(impact ? sum : 0.0);
      double& most = impact ? s.largest_impulse : s.largest_force;
      most = std::max(most, impact ? sum : sum / dt);
    }
    if (i > 0 && !impact)
      for (const Trace::Series& v : trace.v)
        s.largest_smooth_change = std::max(s.largest_smooth_change, std::abs(v[i] - v[i - 1]) / fastest);
  }
  return s;
}

ReproductionReport run_fig_8() {
  ReproductionReport report;
  report.settings = {
      "velocity level, restitution 0.4, without friction, as the text has it; T 0.2 s and dt 1e-4 s are not printed "
      "for this figure; "
      "dt 1e-5 s beside it; forces are means over a step"};
  const Split coarse = split(kStep), fine = split(0.1 * kStep);
  const Expected splitting = says("the splitting of the different Lagrange multipliers");
  report.rows.push_back(judge("largest force, dt 1e-5 over dt 1e-4", splitting,
                              fine.largest_force / coarse.largest_force, between(0.98, 1.02)));
  report.rows.push_back(judge("largest impulse, dt 1e-5 over dt 1e-4", splitting,
                              fine.largest_impulse / coarse.largest_impulse, between(0.95, 1.05)));
  report.rows.push_back(judge("largest change of a velocity in a step without impact, dt 1e-5 over dt 1e-4", splitting,
                              fine.largest_smooth_change / coarse.largest_smooth_change, between(0.095, 0.105)));
  const auto fraction = [](const Split& s) {
    return static_cast<double>(s.trace.summary.impact_steps) / static_cast<double>(s.trace.summary.steps);
  };
  report.rows.push_back(judge("part of the steps that are impacts, dt 1e-5 over dt 1e-4",
                              own("impacts are isolated: 0.1"), fraction(fine) / fraction(coarse),
                              between(0.05, 0.25)));
  const slider_crank_print::FirstImpact first = slider_crank_print::first_impact(0.4);
  const Expected on_paper = derived("free flight and Newton's law, table 1");
  report.rows.push_back(judge("first impact, dt 1e-5: end of its step [s]", on_paper, fine.first_impact,
                              between(first.time, first.time + 1.01e-5)));
  report.rows.push_back(
      judge("first impact, dt 1e-5: impulse [N s]", on_paper, fine.first_impulse, within(0.01, first.impulse)));
  const std::vector<double>& t = coarse.trace.t;
  report.picture = {
      "Lagrange multipliers, velocity level (Schindler et al. 2015, figure 8)",
      {{"upper wall", {"time [s]"}, {"force [N]"}, {{"", t, coarse.force[0], CurveStyle::steps, 0}}},
       {"upper wall", {"time [s]"}, {"impulse [N s]"}, {{"", t, coarse.impulse[0], CurveStyle::impulses, 0}}},
       {"lower wall", {"time [s]"}, {"force [N]"}, {{"", t, coarse.force[1], CurveStyle::steps, 1}}},
       {"lower wall", {"time [s]"}, {"impulse [N s]"}, {{"", t, coarse.impulse[1], CurveStyle::impulses, 1}}}},
      2};
  report.tables = {{"",
                    {{"t [s]", t},
                     {"force upper wall [N]", coarse.force[0]},
                     {"impulse upper wall [N s]", coarse.impulse[0]},
                     {"force lower wall [N]", coarse.force[1]},
                     {"impulse lower wall [N s]", coarse.impulse[1]}}}};
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction schindler_2015_fig_4() {
  return {"schindler-2015-fig-4", "slider-crank, acceleration level: closed gaps drift", kPublication, run_fig_4};
}
Reproduction schindler_2015_fig_5() {
  return {"schindler-2015-fig-5", "slider-crank: energy of the trapezoidal schemes", kPublication, run_fig_5};
}
Reproduction schindler_2015_fig_7() {
  return {"schindler-2015-fig-7", "slider-crank, both levels: gaps drift or stay", kPublication, run_fig_7};
}
Reproduction schindler_2015_fig_8() {
  return {"schindler-2015-fig-8", "slider-crank: forces and impulses told apart", kPublication, run_fig_8};
}

}  // namespace reproduce_entries

}  // namespace carom::inline study
