// Figures 23 to 26: the motion of the slider-crank. The slider's centre is (x, y) = the end of the rod; the
// guide leaves it the clearance c on each side, so that the dimensionless height y / c of a corner is between
// -1 and 1.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/study/jitter.h"
#include "carom/study/norms_fit.h"
#include "carom/study/reproduce/acary_2012.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/series.h"

namespace carom {

namespace {

using namespace acary_2012;

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kL1 = 0.153, kL2 = 0.306, kClearance = 0.001;
const char* const kSettings = "T 0.2 s, theta 1/2, J2 5.9e-4 kg m^2, forecast g_0; projections as in table 3";

struct Motion {
  std::string title;
  Trace trace;
  std::vector<double> turns;
};

Motion run(const std::string& title, const std::string& scheme, const SchemeParameters& parameters, double dt,
           long every = 1) {
  const Model model = slider_crank();
  Motion motion{title, trace_run({model, scheme, parameters, dt, kSliderCrankTime}, every), {}};
  motion.turns = scaled(motion.trace.q[0], 1.0 / kTurn);
  return motion;
}

std::vector<Motion> run_three(double dt, const SchemeParameters& direct) {
  return {run("Moreau-Jean", "moreau_jean", table_3_moreau_jean(), dt),
          run("direct projection", "projection_direct", direct, dt),
          run("combined scheme", "projection_combined", table_3_combined({}), dt)};
}

// The slider's centre.
struct Portrait {
  std::vector<double> x, y;
};
Portrait portrait(const Trace& trace) {
  Portrait p;
  for (std::size_t i = 0; i < trace.t.size(); ++i) {
    p.x.push_back(kL1 * std::cos(trace.q[0][i]) + kL2 * std::cos(trace.q[1][i]));
    p.y.push_back(kL1 * std::sin(trace.q[0][i]) + kL2 * std::sin(trace.q[1][i]));
  }
  return p;
}

// Height of corner k over the clearance, from its gap: corners 0 and 1 may touch the upper wall, 2 and 3 the
// lower one.
std::vector<double> corner_height(const Trace& trace, std::size_t k) {
  std::vector<double> height;
  for (const double gap : trace.gap[k]) height.push_back((k < 2 ? 1.0 : -1.0) * (1.0 - gap / kClearance));
  return height;
}

double largest_slider_angle(const Trace& trace) { return largest_within(trace.t, trace.q[2], 0.0, kSliderCrankTime); }

ReproductionReport run_fig_23() {
  ReproductionReport report;
  report.settings = {kSettings, "dt 1e-6 s as in the caption (2e-6 s in the text); the publication's statement is that "
                                "the curves agree with those of Flores, Leine, Glocker 2010, whose data it takes"};
  constexpr double dt = 1e-6;
  constexpr long every = 20;
  const Motion motion = run("Moreau-Jean", "moreau_jean", table_3_moreau_jean(), dt, every);
  const Motion other = run("Moreau midpoint", "moreau_midpoint", {}, dt, every);
  const Motion projected = run("combined scheme", "projection_combined", table_3_combined({}), dt, every);
  const Trace& trace = motion.trace;
  const double turns = motion.turns.back();
  report.rows.push_back(judge("crank turns in 0.2 s", "two revolutions shown", turns, at_least(2.0)));
  report.rows.push_back(judge("crank turns in 0.2 s, less those of Moreau midpoint", "same motion",
                              turns - other.turns.back(), between(-1e-3, 1e-3)));
  report.rows.push_back(judge("crank turns in 0.2 s, less those of the combined scheme", "same motion",
                              turns - projected.turns.back(), between(-5e-4, 5e-4)));
  report.rows.push_back(judge("first impact [s], less that of Moreau midpoint", "same motion",
                              trace.first_impact - other.trace.first_impact, between(-2.0 * dt, 2.0 * dt)));
  report.rows.push_back(judge("largest slider angle [rad]", "pure translation", largest_slider_angle(trace),
                              at_most(1e-9)));

  const Portrait p = portrait(trace);
  const auto panel = [&](const std::string& title, const std::string& unit, std::vector<Curve> curves) {
    return Panel{title, {"crank revolutions", false, 0.0, 2.0}, {unit}, std::move(curves)};
  };
  report.picture = {"Motion of the slider-crank, Moreau-Jean, dt 1e-6 s (Acary 2012, figure 23)",
                    {panel("crank", "speed [rad/s]", {{"", motion.turns, trace.v[0]}}),
                     panel("rod", "speed [rad/s]", {{"", motion.turns, trace.v[1]}}),
                     panel("slider, along the guide", "x [m]", {{"", motion.turns, p.x}}),
                     panel("slider, across the guide", "y / clearance",
                           {{"", motion.turns, scaled(p.y, 1.0 / kClearance)}})},
                    2};
  report.tables = {{"",
                    {{"t [s]", trace.t},
                     {"crank revolutions", motion.turns},
                     {"crank speed [rad/s]", trace.v[0]},
                     {"rod speed [rad/s]", trace.v[1]},
                     {"slider x [m]", p.x},
                     {"slider y [m]", p.y}}}};
  return report;
}

ReproductionReport run_fig_24() {
  ReproductionReport report;
  report.settings = {kSettings, "corner heights over the clearance: 1 and -1 are the walls"};
  report.picture = {"Corners of the slider, Moreau-Jean (Acary 2012, figure 24)", {}, 3};
  for (const double dt : {1e-4, 1e-5, 1e-6}) {
    const long every = std::lround(1e-5 / std::min(dt, 1e-5));
    const Motion motion = run("Moreau-Jean", "moreau_jean", table_3_moreau_jean(), dt, every);
    std::vector<std::vector<double>> corners;
    for (std::size_t k = 0; k < 4; ++k) corners.push_back(corner_height(motion.trace, k));
    double apart = 0;
    for (std::size_t i = 0; i < corners[0].size(); ++i)
      for (std::size_t k = 1; k < 4; ++k) apart = std::max(apart, std::abs(corners[k][i] - corners[0][i]));
    const std::string name = fmt::format("dt {:.0e} s", dt);
    report.rows.push_back(judge(name + ": largest difference of two corner heights / clearance",
                                "the four corners move alike", apart, at_most(1e-9)));
    report.rows.push_back(judge(name + ": largest slider angle [rad]", "pure translation",
                                largest_slider_angle(motion.trace), at_most(1e-9)));
    Panel panel{name, {"crank revolutions", false, 0.0, 2.0}, {"corner height / clearance", false, -1.3, 1.3}, {}};
    panel.curves = {{"corners 1, 2, 3, 4", motion.turns, corners[0]},
                    {"walls", {0.0, 2.0}, {1.0, 1.0}, CurveStyle::dashed, 6},
                    {"", {0.0, 2.0}, {-1.0, -1.0}, CurveStyle::dashed, 6}};
    report.picture.panels.push_back(panel);
    CsvTable table{fmt::format("dt-{:.0e}", dt), {{"crank revolutions", motion.turns}}};
    for (std::size_t k = 0; k < 4; ++k)
      table.columns.push_back({fmt::format("corner {} height / clearance", k + 1), corners[k]});
    report.tables.push_back(table);
  }
  const Model model = slider_crank();
  const std::vector<double> steps = jittered_steps(1e-4, 1e-6, 25);
  std::vector<double> violations;
  for (const double dt : steps)
    violations.push_back(
        -summarize_run({model, "moreau_jean", table_3_moreau_jean(), dt, kSliderCrankTime}).audit.deepest_gap);
  report.rows.push_back(judge("slope of the largest violation over the step, 25 jittered steps",
                              "proportional to the step",
                              fit_order(steps, violations, std::vector<double>(steps.size(), 0.0)).order,
                              between(0.85, 1.15)));
  report.tables.push_back({"violation", {{"dt [s]", steps}, {"largest violation [m]", violations}}});
  return report;
}

ReproductionReport run_fig_25() {
  ReproductionReport report;
  report.settings = {kSettings};
  report.picture = {"Slider portraits, dt 1e-4 s (Acary 2012, figure 25)", {}, 3};
  for (const Motion& motion : run_three(1e-4, table_3_direct({}))) {
    const Portrait p = portrait(motion.trace);
    double beyond = -INFINITY;  // of the walls
    for (const double y : p.y) beyond = std::max(beyond, std::abs(y) - kClearance);
    const bool plain = motion.title == "Moreau-Jean";
    report.rows.push_back(judge(motion.title + ": how far beyond the guide [m]",
                                plain ? "visible violations (1.324e-4)" : "none (below 1e-10)", beyond,
                                plain ? between(0.4e-4, 1.5e-4) : at_most(1e-10 * (1.0 + 1e-6))));
    Panel panel{motion.title, {"x [m]"}, {"y [mm]", false, -1.2, 1.2}, {}};
    panel.curves = {{"centre of the slider", p.x, scaled(p.y, 1e3)},
                    {"guide", {0.15, 0.46}, {1.0, 1.0}, CurveStyle::dashed, 6},
                    {"", {0.15, 0.46}, {-1.0, -1.0}, CurveStyle::dashed, 6}};
    report.picture.panels.push_back(panel);
    report.tables.push_back({motion.title, {{"t [s]", motion.trace.t}, {"x [m]", p.x}, {"y [m]", p.y}}});
  }
  return report;
}

ReproductionReport run_fig_26() {
  ReproductionReport report;
  constexpr double from = 0.15, to = 0.25;
  constexpr double noise = 1e-4;  // m/s, not counted as a sign; the first impact has 0.8 m/s
  report.settings = {"T 0.2 s, theta 1/2, J2 5.9e-4 kg m^2, forecast g_0; direct projection: two-sided stop, gaps up to "
                     "1.5e-11 m closed (with 1e-6 m as in table 3 most of the chatter is not seen); combined scheme as "
                     "in table 3",
                     "gap velocity of corner 1 while the contact should be closed, crank revolutions 0.15 to 0.25; signs "
                     "of velocities above 1e-4 m/s"};
  report.picture = {"Relative velocity at corner 1, dt 1e-4 s (Acary 2012, figure 26)", {}, 2};
  double variation[3] = {0, 0, 0};
  int n = 0;
  for (const Motion& motion : run_three(1e-4, direct_explicit(0.0))) {
    const std::vector<double>& rate = motion.trace.gap_rate[0];
    int sign_changes = 0;
    double sign = 0;
    bool inside = false;
    for (std::size_t i = 0; i < rate.size(); ++i) {
      if (motion.turns[i] < from || motion.turns[i] > to) continue;
      if (inside) variation[n] += std::abs(rate[i] - rate[i - 1]);
      inside = true;
      if (std::abs(rate[i]) <= noise) continue;
      if (sign * rate[i] < 0.0) ++sign_changes;
      sign = rate[i];
    }
    const bool direct = motion.title == "direct projection";
    report.rows.push_back(judge(motion.title + ": sign changes of the velocity",
                                direct ? "oscillatory artifacts" : "smooth", sign_changes,
                                direct ? at_least(4) : exactly(0)));
    ++n;
    for (const bool zoom : {false, true}) {
      Panel panel{motion.title, {"crank revolutions", false, zoom ? from : 0.0, to}, {"gap velocity [m/s]"}, {}};
      if (zoom) {
        panel.y.low = -0.05;
        panel.y.high = 0.05;
      }
      panel.curves = {{"", motion.turns, rate, CurveStyle::line_points}};
      report.picture.panels.push_back(panel);
    }
    report.tables.push_back({motion.title,
                             {{"t [s]", motion.trace.t},
                              {"crank revolutions", motion.turns},
                              {"gap corner 1 [m]", motion.trace.gap[0]},
                              {"gap velocity corner 1 [m/s]", rate}}});
  }
  report.rows.push_back(judge("total variation of the velocity, direct over Moreau-Jean", "smoothness is lost",
                              variation[1] / variation[0], at_least(1.2)));
  report.rows.push_back(judge("total variation of the velocity, combined over Moreau-Jean", "as smooth",
                              variation[2] / variation[0], within(0.05, 1.0)));
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction acary_2012_fig_23() {
  return {"acary-2012-fig-23", "motion of the slider-crank with Moreau-Jean", kPublication, run_fig_23};
}
Reproduction acary_2012_fig_24() {
  return {"acary-2012-fig-24", "corners of the slider at three steps", kPublication, run_fig_24};
}
Reproduction acary_2012_fig_25() {
  return {"acary-2012-fig-25", "slider portraits of three schemes", kPublication, run_fig_25};
}
Reproduction acary_2012_fig_26() {
  return {"acary-2012-fig-26", "velocity of a corner: smooth or not while in contact", kPublication, run_fig_26};
}

}  // namespace reproduce_entries

}  // namespace carom
