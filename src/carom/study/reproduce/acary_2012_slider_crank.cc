// Figures 23 to 26: the motion of the slider-crank. The slider's centre is (x, y) = the end of the rod; the
// guide leaves it the clearance c on each side, so that the dimensionless height y / c of a corner is between
// -1 and 1.
//
// Independent runs: tests/independent/slider_crank.py, the mechanism with two angles, one contact with each wall and
// Coulomb's law by cases, in Moreau-Jean's scheme at the same steps; and the implementation the schemes were specified
// with.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/study/jitter.h"
#include "carom/study/norms_fit.h"
#include "carom/study/reproduce/acary_2012.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/series.h"

namespace carom::inline study {

namespace {

using namespace acary_2012;

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr double kL1 = 0.153, kL2 = 0.306, kClearance = 0.001;
constexpr const char* kOther = "another implementation";
constexpr const char* kScript = "tests/independent/slider_crank.py";
const char* const kSettings = "T 0.2 s, theta 1/2, J2 5.9e-4 kg m^2, forecast g_0; projections as in table 3";

struct Motion {
  std::string title;
  double dt;
  Trace trace;
  std::vector<double> turns;
};

Motion run(const std::string& title, const std::string& scheme, const SchemeParameters& parameters, double dt,
           long every = 1, double rod_inertia = kRodInertia) {
  const Model model = slider_crank(rod_inertia);
  Motion motion{title, dt, trace_run({model, scheme, parameters, dt, kSliderCrankTime}, every), {}};
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

// The end of the motion against the independent run at the same step.
void add_motion_rows(ReproductionReport& report, const std::string& name, const Motion& motion) {
  const struct {
    double dt, turns, speed, energy;
  } script[] = {
      {1e-4, 2.874785, 69.7989, 6.95068}, {1e-5, 2.877775, 70.7832, 6.99093}, {1e-6, 2.878077, 70.8854, 6.99498}};
  const Trace& trace = motion.trace;
  for (const auto& other : script) {
    if (motion.dt != other.dt) continue;
    report.rows.push_back(judge(name + "crank turns in 0.2 s", independent(fmt::format("{:.6f}", other.turns), kScript),
                                motion.turns.back(), between(other.turns - 1e-5, other.turns + 1e-5)));
    report.rows.push_back(judge(name + "crank speed at 0.2 s [rad/s]",
                                independent(fmt::format("{:.4f}", other.speed), kScript), trace.v[0].back(),
                                between(other.speed - 5e-3, other.speed + 5e-3)));
    report.rows.push_back(judge(name + "energy at 0.2 s [J]", independent(fmt::format("{:.5f}", other.energy), kScript),
                                trace.kinetic.back() + trace.potential.back(), within(1e-4, other.energy)));
  }
}

// Of the gap velocities of corner 1 at the ends of the two steps between which it first jumps.
double first_rebound(double dt) {
  const Model model = slider_crank();
  const Trace trace = trace_run({model, "moreau_jean", table_3_moreau_jean(), dt, 4e-3});
  for (std::size_t i = 1; i < trace.t.size(); ++i)
    for (std::size_t k = 0; k < 4; ++k)
      if (trace.normal_impulse[k][i] > 0.0) return trace.gap_rate[k][i] / trace.gap_rate[k][i - 1];
  return NAN;
}

Curve with_jumps(const std::vector<double>& x, const std::vector<double>& y, CurveStyle style = CurveStyle::line) {
  Curve curve{"", x, y, style};
  curve.jumps = abrupt_changes(y);
  return curve;
}

ReproductionReport run_fig_23() {
  ReproductionReport report;
  report.settings = {kSettings,
                     "dt 1e-6 s as in the caption (2e-6 s in the text); the publication's statement is that "
                     "the curves agree with those of Flores, Leine, Glocker 2010, whose data it takes"};
  constexpr double dt = 1e-6;
  constexpr long every = 20;
  const Motion motion = run("Moreau-Jean", "moreau_jean", table_3_moreau_jean(), dt, every);
  const Trace& trace = motion.trace;
  const Motion text = run("Moreau-Jean", "moreau_jean", table_3_moreau_jean(), 2.0 * dt, every);
  const Motion printed_inertia = run("Moreau-Jean", "moreau_jean", table_3_moreau_jean(), dt, every, 8.9e-4);
  report.rows.push_back(
      judge("crank turns in 0.2 s", says("over two crank revolutions"), motion.turns.back(), at_least(2.0)));
  report.rows.push_back(judge("crank turns in 0.2 s, counted", independent("2.8781", kOther), motion.turns.back(),
                              between(2.8781 - 1e-4, 2.8781 + 1e-4)));
  report.rows.push_back(judge("crank turns in 0.2 s with dt 2e-6 s", independent("2.8781", kOther), text.turns.back(),
                              between(2.8781 - 1e-4, 2.8781 + 1e-4)));
  report.rows.push_back(judge("crank turns in 0.2 s with J2 8.9e-4 kg m^2, as printed", independent("3.00869", kScript),
                              printed_inertia.turns.back(), between(3.00869 - 3e-5, 3.00869 + 3e-5)));
  report.rows.push_back(judge("first impact [s]", independent("2.69e-3", kOther), trace.first_impact,
                              between(2.69e-3 - 2e-5, 2.69e-3 + 2e-5)));
  report.rows.push_back(
      judge("largest slider angle [rad]", says("a pure translation"), largest_slider_angle(trace), at_most(1e-9)));

  const Portrait p = portrait(trace);
  const auto panel = [&](const std::string& title, const std::string& unit, std::vector<Curve> curves) {
    return Panel{title, {"crank revolutions", false, 0.0, 2.0}, {unit}, std::move(curves)};
  };
  report.picture = {
      "Motion of the slider-crank, Moreau-Jean, dt 1e-6 s (Acary 2012, figure 23)",
      {panel("crank", "speed [rad/s]", {with_jumps(motion.turns, trace.v[0])}),
       panel("rod", "speed [rad/s]", {with_jumps(motion.turns, trace.v[1])}),
       panel("slider, along the guide", "x [m]", {{"", motion.turns, p.x}}),
       panel("slider, across the guide", "y / clearance", {{"", motion.turns, scaled(p.y, 1.0 / kClearance)}})},
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
                                says("the motion of the four corners are identical"), apart, at_most(1e-9)));
    report.rows.push_back(judge(name + ": largest slider angle [rad]", says("a pure translation"),
                                largest_slider_angle(motion.trace), at_most(1e-9)));
    add_motion_rows(report, name + ": ", motion);
    report.rows.push_back(judge(name + ": gap velocity after over before the first impact, times -1",
                                printed("0.4", "e, table 2"), -first_rebound(dt), within(1e-6, 0.4)));
    Panel panel{name, {"crank revolutions", false, 0.0, 2.0}, {"corner height / clearance", false, -1.3, 1.3}, {}};
    panel.curves = {{"corners 1, 2, 3, 4", motion.turns, corners[0]},
                    published_level("walls", 1.0, 0.0, 2.0),
                    published_level("", -1.0, 0.0, 2.0)};
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
  report.rows.push_back(
      judge("slope of the largest violation over the step, 25 jittered steps", says("proportional to the time-step"),
            fit_order(steps, violations, std::vector<double>(steps.size(), 0.0)).order, between(0.85, 1.15)));
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
    const std::string name = motion.title + ": ";
    if (motion.title == "Moreau-Jean") {
      report.rows.push_back(judge(name + "how far beyond the guide over the clearance",
                                  says("exhibit large violations"), beyond / kClearance, at_least(0.05)));
      report.rows.push_back(judge(name + "how far beyond the guide [m]", independent("1.0510e-4", kScript), beyond,
                                  within(1e-3, 1.0510e-4)));
      add_motion_rows(report, name, motion);
    } else {
      report.rows.push_back(judge(name + "how far beyond the guide over the clearance",
                                  says("no more violations of the constraints are observed"), beyond / kClearance,
                                  at_most(1e-6)));
      const double turns = motion.title == "direct projection" ? 2.875925 : 2.875160;
      report.rows.push_back(judge(name + "crank turns in 0.2 s",
                                  independent(fmt::format("{:.6f}", turns), "tests/independent/slider_crank_newton.py"),
                                  motion.turns.back(), between(turns - 1e-5, turns + 1e-5)));
    }
    Panel panel{motion.title, {"x [m]"}, {"y [mm]", false, -1.2, 1.2}, {}};
    panel.curves = {{"centre of the slider", p.x, scaled(p.y, 1e3)},
                    published_level("guide", 1.0, 0.15, 0.46),
                    published_level("", -1.0, 0.15, 0.46)};
    if (motion.title == "Moreau-Jean")
      panel.curves.push_back(published_level("printed: 1.324e-4 m beyond the guide", 1.0 + 0.1324, 0.15, 0.46, 1));
    report.picture.panels.push_back(panel);
    report.tables.push_back({motion.title, {{"t [s]", motion.trace.t}, {"x [m]", p.x}, {"y [m]", p.y}}});
  }
  return report;
}

ReproductionReport run_fig_26() {
  ReproductionReport report;
  constexpr double from = 0.15, to = 0.25;
  constexpr double noise = 1e-4;  // m/s, not counted as a sign; the first impact has 0.8 m/s
  report.settings = {
      "T 0.2 s, theta 1/2, J2 5.9e-4 kg m^2, forecast g_0; direct projection: two-sided stop, gaps up to "
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
    report.rows.push_back(
        judge(motion.title + ": sign changes of the velocity",
              direct ? says("some oscillatory artifacts on the relative velocity")
                     : says(motion.title == "Moreau-Jean" ? "is smooth" : "a smooth stabilization of the constraints"),
              sign_changes, direct ? at_least(4) : exactly(0)));

    ++n;
    for (const bool zoom : {false, true}) {
      Panel panel{motion.title, {"crank revolutions", false, zoom ? from : 0.0, to}, {"gap velocity [m/s]"}, {}};
      if (zoom) {
        panel.y.low = -0.05;
        panel.y.high = 0.05;
      }
      panel.curves = {with_jumps(motion.turns, rate, CurveStyle::line_points)};
      report.picture.panels.push_back(panel);
    }
    report.tables.push_back({motion.title,
                             {{"t [s]", motion.trace.t},
                              {"crank revolutions", motion.turns},
                              {"gap corner 1 [m]", motion.trace.gap[0]},
                              {"gap velocity corner 1 [m/s]", rate}}});
  }
  report.rows.push_back(judge("Moreau-Jean: total variation of the velocity [m/s]", independent("0.0715", kOther),
                              variation[0], within(0.01, 0.0715)));
  report.rows.push_back(judge("combined scheme: total variation of the velocity [m/s]", independent("0.0716", kOther),
                              variation[2], within(0.01, 0.0716)));
  report.rows.push_back(judge("total variation of the velocity, direct over Moreau-Jean",
                              says("This smoothness is lost with the direct projected scheme"),
                              variation[1] / variation[0], at_least(1.2)));
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

}  // namespace carom::inline study
