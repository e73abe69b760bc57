// Figures 14 to 16 and the iteration counts: a soft elastic bar flies against a wall. Exact: contact from 0.5 s for
// 2 L sqrt(rho/E) = 2/3 s with the force S sqrt(E rho) v = 300 N, energy conserved.
#include <fmt/format.h>

#include <cmath>

#include "carom/study/reproduce/bruels_2018.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/series.h"

namespace carom {

namespace {

using namespace bruels_2018;

constexpr double kStep = 2e-3, kEnd = 2.5;
constexpr double kForce = 300.0, kOpening = 0.5 + 2.0 / 3.0;
// The publication prints neither: with one iteration a step from the first contact on, 0.80 is (T - 0.5)/T; the
// tolerance was scanned until pvv needed 2.94.
constexpr double kCountTolerance = 3e-2;

const char* const kSettings =
    "200 elements, consistent mass, dt 2e-3 s, spectral radius 0.8, e 0; T 2.5 s is not printed; "
    "the captions of figures 14 to 16 are not at hand: gap, force and energy are shown";

LevelTrace run(const std::string& strategy, double newton_tolerance = 1e-10, double spectral_radius = 0.8,
               const std::string& solution = "sequential") {
  const Model model = horizontal_bar();
  SchemeParameters parameters = method(strategy, spectral_radius, "total", newton_tolerance);
  parameters["solution"] = solution;
  return trace_levels({model, "nonsmooth_generalized_alpha", parameters, kStep, kEnd});
}

struct Contact {
  double begin = 0, end = 0, mean_force = 0;  // the mean over the middle of the contact
};
Contact contact_of(const LevelTrace& trace) {
  Contact contact;
  long counted = 0;
  for (std::size_t i = 0; i < trace.t.size(); ++i) {
    if (trace.force[i] > 0.0) {
      if (contact.begin == 0.0) contact.begin = trace.t[i];
      contact.end = trace.t[i];
    }
    if (trace.t[i] > 0.6 && trace.t[i] < 1.1) {
      contact.mean_force += trace.force[i];
      ++counted;
    }
  }
  contact.mean_force /= static_cast<double>(counted);
  return contact;
}

CsvTable table(const std::string& name, const LevelTrace& trace) {
  return {name,
          {{"t [s]", trace.t},
           {"gap [m]", trace.gap},
           {"gap rate [m/s]", trace.gap_rate},
           {"contact force [N]", trace.force},
           {"energy [J]", trace.energy},
           {"Newton iterations", trace.newton}}};
}

ReproductionReport run_fig_14() {
  ReproductionReport report;
  report.settings = {kSettings};
  Panel gap{"", {"time [s]"}, {"gap [m]"}, {}}, rate{"", {"time [s]"}, {"gap rate [m/s]"}, {}};
  std::vector<std::vector<double>> gaps;
  for (const char* strategy : {"pvv", "pva"}) {
    const LevelTrace trace = run(strategy);
    const Contact contact = contact_of(trace);
    const auto row = [&](const char* quantity, const char* published, double computed, const Accept& accept) {
      report.rows.push_back(judge(fmt::format("{}: {}", strategy, quantity), published, computed, accept));
    };
    row("contact from [s]", "0.5", contact.begin, between(0.5 - 3 * kStep, 0.5 + 3 * kStep));
    row("contact to [s]", "0.5 + 2/3", contact.end, between(kOpening - 3 * kStep, kOpening + 3 * kStep));
    row("smallest gap [m]", "exactly satisfied", smallest(trace.gap), at_least(-1e-12));
    row("largest |gap rate| while closed, 0.51 to 1.16 s [m/s]", "exactly satisfied",
        largest_within(trace.t, trace.gap_rate, 0.51, 1.16), at_most(1e-10));
    gap.curves.push_back({strategy, trace.t, trace.gap});
    rate.curves.push_back({strategy, trace.t, trace.gap_rate});
    gaps.push_back(trace.gap);
    report.tables.push_back(table(strategy, trace));
  }
  double apart = 0;
  for (std::size_t i = 0; i < gaps[0].size(); ++i) apart = std::max(apart, std::abs(gaps[0][i] - gaps[1][i]));
  report.rows.push_back(judge("largest difference of the gaps of the two methods [m]", "very close results",
                              apart, at_most(0.1)));
  report.picture = {"Gap of the bar (Bruels et al. 2018, figure 14)", {gap, rate}, 2};
  return report;
}

ReproductionReport run_fig_15() {
  ReproductionReport report;
  report.settings = {kSettings};
  Panel force{"", {"time [s]"}, {"contact force [N]"}, {}};
  for (const char* strategy : {"pvv", "pva"}) {
    const LevelTrace trace = run(strategy);
    const Contact contact = contact_of(trace);
    report.rows.push_back(judge(fmt::format("{}: mean force, 0.6 to 1.1 s [N]", strategy),
                                "S sqrt(E rho) v = 300", contact.mean_force, within(1e-3, kForce)));
    report.rows.push_back(judge(
        fmt::format("{}: largest |force - 300 N|, 0.6 to 1.1 s [N]", strategy), "constant",
        [&] {
          double worst = 0;
          for (std::size_t i = 0; i < trace.t.size(); ++i)
            if (trace.t[i] > 0.6 && trace.t[i] < 1.1)
              worst = std::max(worst, std::abs(trace.force[i] - kForce));
          return worst;
        }(),
        at_most(1.0)));
    report.rows.push_back(judge(fmt::format("{}: smallest force [N]", strategy), "no adhesion",
                                smallest(trace.force), at_least(0.0)));
    force.curves.push_back({strategy, trace.t, trace.force});
    report.tables.push_back(table(strategy, trace));
  }
  force.curves.push_back(
      {"exact", {0.5, 0.5, kOpening, kOpening}, {0.0, kForce, kForce, 0.0}, CurveStyle::dashed, 6});
  report.picture = {"Contact force of the bar (Bruels et al. 2018, figure 15)", {force}, 1};
  return report;
}

ReproductionReport run_fig_16() {
  ReproductionReport report;
  report.settings = {kSettings};
  Panel energy{"", {"time [s]"}, {"energy [J]"}, {}};
  for (const char* strategy : {"pvv", "pva"})
    for (const auto& [radius, expected] : {std::pair{0.8, 0.9948}, std::pair{1.0, 0.9986}}) {
      const LevelTrace trace = run(strategy, 1e-10, radius);
      const double kept = trace.energy.back() / trace.energy.front();
      report.rows.push_back(judge(
          fmt::format("{}, spectral radius {:g}: energy at the end over that at the start", strategy, radius),
          fmt::format("conserved by the exact solution ({}, another implementation)", expected), kept,
          between(expected - 1e-4, expected + 1e-4)));
      energy.curves.push_back({fmt::format("{}, {:g}", strategy, radius), trace.t, trace.energy});
      if (radius == 0.8) report.tables.push_back(table(strategy, trace));
    }
  report.picture = {"Energy of the bar (Bruels et al. 2018, figure 16)", {energy}, 1};
  return report;
}

// Mean iterations while the contact is closed.
double in_contact(const LevelTrace& trace) {
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < trace.t.size(); ++i)
    if (trace.t[i] > 0.51 && trace.t[i] < 1.16) {
      sum += trace.newton[i];
      ++count;
    }
  return sum / count;
}
double in_flight(const LevelTrace& trace) { return largest_within(trace.t, trace.newton, 0.0, 0.49); }

ReproductionReport run_iterations() {
  ReproductionReport report;
  report.settings = {
      kSettings, fmt::format("newton_tolerance {:g} and T 2.5 s reproduce two printed numbers with two fitted "
                             "ones; what does not hang on the fit is judged at other tolerances too",
                             kCountTolerance)};
  const LevelTrace pva = run("pva", kCountTolerance), pvv = run("pvv", kCountTolerance);
  report.rows.push_back(judge("pva: mean Newton iterations", "0.80", pva.mean_newton(), within(0.02, 0.80)));
  report.rows.push_back(judge("pvv: mean Newton iterations", "2.94", pvv.mean_newton(), within(0.01, 2.94)));
  report.rows.push_back(judge("pvv over pva", "3.7", pvv.mean_newton() / pva.mean_newton(), within(0.03, 3.7)));
  report.rows.push_back(
      judge("pvv: iterations a step in contact", "about 10", in_contact(pvv), between(7.0, 12.0)));
  CsvTable counts{"",
                  {{"newton_tolerance", {}},
                   {"pva mean", {}},
                   {"pva in contact", {}},
                   {"pvv mean", {}},
                   {"pvv in contact", {}}}};
  for (const double tolerance : {3e-2, 1e-2, 1e-4, 1e-6, 1e-8}) {
    const LevelTrace a = run("pva", tolerance), v = run("pvv", tolerance);
    report.rows.push_back(judge(fmt::format("pva at tolerance {:g}: iterations a step in contact", tolerance),
                                "(one at any tolerance)", in_contact(a), between(0.9, 1.1)));
    report.rows.push_back(judge(fmt::format("pva at tolerance {:g}: most iterations in free flight", tolerance),
                                "(none)", in_flight(a), exactly(0)));
    const double values[] = {tolerance, a.mean_newton(), in_contact(a), v.mean_newton(), in_contact(v)};
    for (std::size_t i = 0; i < counts.columns.size(); ++i) counts.columns[i].values.push_back(values[i]);
  }
  const LevelTrace together = run("pvv", 1e-10, 0.8, "monolithic");
  report.rows.push_back(judge("pvv, all levels at once: iterations a step in contact",
                              "(the coupling it neglects)", in_contact(together), between(0.9, 1.1)));
  const auto curve = [&](std::size_t i) {
    return Curve{counts.columns[i].name, counts.columns[0].values, counts.columns[i].values,
                 CurveStyle::line_points};
  };
  report.picture = {
      "Newton iterations a step (Bruels et al. 2018, section 6.3)",
      {{"", {"newton_tolerance", true}, {"iterations"}, {curve(1), curve(2), curve(3), curve(4)}}},
      1};
  report.tables = {counts};
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction bruels_2018_fig_14() {
  return {"bruels-2018-fig-14", "a soft bar hits a wall: gap", kPublication, run_fig_14};
}
Reproduction bruels_2018_fig_15() {
  return {"bruels-2018-fig-15", "a soft bar hits a wall: force", kPublication, run_fig_15};
}
Reproduction bruels_2018_fig_16() {
  return {"bruels-2018-fig-16", "a soft bar hits a wall: energy", kPublication, run_fig_16};
}
Reproduction bruels_2018_iterations() {
  return {"bruels-2018-iterations", "Newton iterations of the two methods on the bar", kPublication,
          run_iterations};
}

}  // namespace reproduce_entries

}  // namespace carom
