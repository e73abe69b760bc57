// Figures 4, 5, 7 and 8: gaps, energy and multipliers of the slider-crank with the half-explicit schemes on
// acceleration and on velocity level.
#include <fmt/format.h>

#include <cmath>

#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/schindler_2015.h"
#include "carom/study/reproduce/series.h"

namespace carom {

namespace {

using namespace schindler_2015;

constexpr double kTime = 0.2, kStep = 1e-4;
constexpr const char* kAcceleration = "half_explicit_acceleration";
constexpr const char* kVelocity = "half_explicit_velocity";
const char* const kSettings = "dt 1e-4 s, T 0.2 s, restitution 0.4; frictionless, because the scheme on acceleration level "
                              "is";

Trace run(const char* scheme, double dt, double friction = 0.0) {
  const Model model = slider_crank(0.4, friction);
  return trace_run({model, scheme, {}, dt, kTime});
}

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

// Gaps of corners 1 (upper wall) and 3 (lower wall); the others move alike.
void add_gaps(const char* title, const Trace& trace, ReproductionReport& report) {
  const auto panel = [&](const char* name, double low, double high, double from, double to) {
    return Panel{name,
                 {"time [s]", false, from, to},
                 {"gap [mm]", false, low, high},
                 {{"upper wall", trace.t, scaled(trace.gap[0], 1e3)}, {"lower wall", trace.t, scaled(trace.gap[2], 1e3)}}};
  };
  report.picture = {title, {panel("gaps", -0.2, 2.2, 0.0, kTime), panel("gaps of closed contacts", -0.12, 0.04, 0.0, kTime)}, 1};
  report.tables = {{"", {{"t [s]", trace.t}, {"gap upper wall [m]", trace.gap[0]}, {"gap lower wall [m]", trace.gap[2]}}}};
}

double drift_order(const char* scheme, double coarse) {
  return std::log10(coarse / closed_gap_variation(run(scheme, 0.1 * kStep)));
}

ReproductionReport run_fig_4() {
  ReproductionReport report;
  report.settings = {kSettings};
  const Trace trace = run(kAcceleration, kStep);
  const double drift = closed_gap_variation(trace);
  report.rows.push_back(judge("drift of closed gaps [m]", "drifts (another implementation: 6.6e-5)", drift,
                              between(3e-5, 1.2e-4)));
  report.rows.push_back(judge("drift over that on velocity level", "much more", drift / closed_gap_variation(run(kVelocity, kStep)),
                              at_least(10)));
  report.rows.push_back(judge("order of the drift in dt", "first order", drift_order(kAcceleration, drift), between(0.8, 1.3)));
  report.rows.push_back(judge("deepest gap [m]", "penetrates (another implementation: -9.6e-5)", deepest(trace),
                              between(-1.3e-4, -6e-5)));
  add_gaps("Gaps on acceleration level (Schindler et al. 2015, figure 4)", trace, report);
  return report;
}

ReproductionReport run_fig_7() {
  ReproductionReport report;
  report.settings = {kSettings};
  const Trace trace = run(kVelocity, kStep);
  const double drift = closed_gap_variation(trace);
  report.rows.push_back(judge("drift of closed gaps [m]", "no drift (another implementation: 2.6e-6)", drift, at_most(5e-6)));
  report.rows.push_back(judge("order of the drift in dt", "second order", drift_order(kVelocity, drift), between(1.5, 2.3)));
  report.rows.push_back(judge("deepest gap over dt times the largest closing velocity", "one step of penetration",
                              -deepest(trace) / (kStep * fastest_closing(trace)), at_most(1.2)));
  report.rows.push_back(judge("deepest gap [m]", "another implementation: -5.4e-5", deepest(trace), between(-7e-5, -4e-5)));
  add_gaps("Gaps on velocity level (Schindler et al. 2015, figure 7)", trace, report);
  return report;
}

ReproductionReport run_fig_5() {
  ReproductionReport report;
  report.settings = {kSettings};
  report.picture = {"Energy (Schindler et al. 2015, figure 5)", {}, 2};
  Panel whole{"energy", {"time [s]"}, {"energy [J]"}, {}}, rise{"largest rise so far", {"time [s]"}, {"energy above its minimum [J]", true, 1e-6, 1.0}, {}};
  CsvTable table{"", {}};
  double rises[3] = {0, 0, 0};
  const char* const schemes[] = {kAcceleration, kVelocity, "moreau_jean_explicit"};
  const char* const titles[] = {"acceleration level", "velocity level", "explicit Moreau-Jean"};
  for (int s = 0; s < 3; ++s) {
    const Trace trace = run(schemes[s], kStep);
    const std::vector<double> energy = sum(trace.kinetic, trace.potential);
    rises[s] = largest_energy_rise(trace);
    whole.curves.push_back({titles[s], trace.t, energy});
    Curve above{titles[s], {}, {}};
    double lowest = INFINITY;
    for (std::size_t i = 0; i < energy.size(); ++i) {
      lowest = std::min(lowest, energy[i]);
      if (energy[i] <= lowest) continue;
      above.x.push_back(trace.t[i]);
      above.y.push_back(energy[i] - lowest);
    }
    rise.curves.push_back(above);
    if (s == 0) table.columns.push_back({"t [s]", trace.t});
    table.columns.push_back({fmt::format("energy, {} [J]", titles[s]), energy});
  }
  for (int s = 0; s < 2; ++s)
    report.rows.push_back(judge(fmt::format("{}: largest rise above the smallest energy so far [J]", titles[s]),
                                "not always decreasing (another implementation: 2.5e-3 of 7.4955)", rises[s],
                                between(1.2e-3, 5e-3)));
  report.rows.push_back(judge("explicit Moreau-Jean: rise over that on velocity level", "first order is far worse",
                              rises[2] / rises[1], at_least(20)));
  report.picture.panels = {whole, rise};
  report.tables = {table};
  return report;
}

// Mean forces of smooth steps and impulses of impacts at the two upper corners together; nothing else pushes both
// ways.
struct Split {
  Trace trace;
  std::vector<double> force, impulse;  // of the upper wall
  double largest_force = 0, largest_impulse = 0;
  double largest_smooth_change = 0;    // of the velocities in a step without impact, relative to the fastest
};

Split split(double dt) {
  Split s{run(kVelocity, dt, 0.01), {}, {}};
  const Trace& trace = s.trace;
  double fastest = 0;
  for (const Trace::Series& v : trace.v) fastest = std::max({fastest, largest(v), -smallest(v)});
  for (std::size_t i = 0; i < trace.t.size(); ++i) {
    double upper = trace.normal_impulse[0][i] + trace.normal_impulse[1][i];
    double all = upper + trace.normal_impulse[2][i] + trace.normal_impulse[3][i];
    const bool impact = trace.impact[i] != 0.0;
    s.force.push_back(impact ? 0.0 : upper / dt);
    s.impulse.push_back(impact ? upper : 0.0);
    (impact ? s.largest_impulse : s.largest_force) = std::max(impact ? s.largest_impulse : s.largest_force, impact ? all : all / dt);
    if (i > 0 && !impact)
      for (const Trace::Series& v : trace.v)
        s.largest_smooth_change = std::max(s.largest_smooth_change, std::abs(v[i] - v[i - 1]) / fastest);
  }
  return s;
}

ReproductionReport run_fig_8() {
  ReproductionReport report;
  report.settings = {"velocity level, dt 1e-4 and 1e-5 s, T 0.2 s, restitution 0.4, friction 0.01; forces are means over a step"};
  const Split coarse = split(kStep), fine = split(0.1 * kStep);
  report.rows.push_back(judge("largest force, dt 1e-5 over dt 1e-4", "forces do not depend on the step",
                              fine.largest_force / coarse.largest_force, between(0.8, 1.25)));
  report.rows.push_back(judge("largest impulse, dt 1e-5 over dt 1e-4", "impulses do not depend on the step",
                              fine.largest_impulse / coarse.largest_impulse, between(0.8, 1.25)));
  report.rows.push_back(judge("largest change of a velocity in a step without impact, dt 1e-5 over dt 1e-4",
                              "forces act over time", fine.largest_smooth_change / coarse.largest_smooth_change,
                              between(0.05, 0.2)));
  const auto fraction = [](const Split& s) {
    return static_cast<double>(s.trace.summary.impact_steps) / static_cast<double>(s.trace.summary.steps);
  };
  report.rows.push_back(judge("part of the steps that are impacts, dt 1e-5 over dt 1e-4", "impacts are isolated",
                              fraction(fine) / fraction(coarse), at_most(0.5)));
  const Trace& trace = coarse.trace;
  report.picture = {"Forces and impulses at the upper wall (Schindler et al. 2015, figure 8)",
                    {{"force", {"time [s]"}, {"lambda [N]"}, {{"", trace.t, coarse.force}}},
                     {"impulse", {"time [s]"}, {"Lambda [N s]"}, {{"", trace.t, coarse.impulse}}}},
                    1};
  report.tables = {{"", {{"t [s]", trace.t}, {"force [N]", coarse.force}, {"impulse [N s]", coarse.impulse}}}};
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
  return {"schindler-2015-fig-7", "slider-crank, velocity level: closed gaps stay", kPublication, run_fig_7};
}
Reproduction schindler_2015_fig_8() {
  return {"schindler-2015-fig-8", "slider-crank: forces and impulses told apart", kPublication, run_fig_8};
}

}  // namespace reproduce_entries

}  // namespace carom
