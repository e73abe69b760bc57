// Figures 28 to 30: the slider-crank in space with play in the pin between crank and rod. Moreau-Jean lets the pin sink
// into its bore, until whoever looks for contacts between surfaces loses it; the combined scheme does not.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/model/mechanisms/slider_crank_clearance.h"
#include "carom/study/reproduce/acary_2012.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/series.h"

namespace carom::inline study {

namespace {

using namespace acary_2012;
using model::SliderCrankClearance;

constexpr double kStep = 1e-5, kEnd = 0.0838, kSmallPlay = 5e-4, kLargePlay = 5e-3;
constexpr double kPi = std::numbers::pi;
constexpr const char* kOther = "another implementation";
const char* const kSettings =
    "dt 1e-5 s, T 0.0838 s (two turns at the starting speed; the crank is not driven and slows down), theta 1/2, J2 "
    "5.9e-4 kg m^2; pin of "
    "radius 6 mm and length 20 mm, axial moments of inertia 1e-5 kg m^2: not printed";

// What is drawn, however the model is made: three bodies of three or six velocities.
struct Motion {
  Trace trace;
  std::vector<double> turns, crank_speed, rod_speed, slider_x, slider_y;
  double aside = 0.0;       // largest z of any body
  double journal = 0.0;     // largest penetration of the pin
  double guide = 0.0;       // of the slider
  double hinges = 0.0;      // largest opening of the ideal joints
  double contact = 0.0;     // first impulse on the pin
  double apart = 0.0;       // largest distance of the pin's axis from that of the bore
  double unit_error = 0.0;  // of quaternions
};

// As the scheme is printed; and with W where the step begins, as of whoever asks a geometric kernel once a step
// (acary_2012_ring.cc).
const SchemeParameters kPrinted = {{"activation_gamma", 0.0}};
const SchemeParameters kFromStart = {{"activation_gamma", 0.0}, {"directions", std::string("start")}};

Motion run(const std::string& scheme, const SliderCrankClearance& data, double dt = kStep,
           const SchemeParameters& parameters = {}) {
  const Model model = model::slider_crank_clearance(data);
  Motion m;
  m.trace = trace_run({model, scheme, parameters, dt, kEnd}, std::lround(std::max(1.0, kStep / dt)));
  const Trace& trace = m.trace;
  const bool spatial = data.space == Space::spatial;
  const std::size_t nq = spatial ? 7 : 3, nv = spatial ? 6 : 3;
  double branch = 0.0, before = 0.0;
  const auto angle_of = [&](std::size_t body, std::size_t i) {
    return spatial ? 2.0 * std::atan2(trace.q[7 * body + 6][i], trace.q[7 * body + 3][i]) : trace.q[3 * body + 2][i];
  };
  for (std::size_t i = 0; i < trace.t.size(); ++i) {
    double angle = angle_of(0, i);
    branch += 2.0 * kPi * std::round((before - angle - branch) / (2.0 * kPi));
    before = angle += branch;
    m.turns.push_back(angle / (2.0 * kPi));
    const double rod = angle_of(1, i);
    m.apart = std::max(
        m.apart,
        std::hypot(trace.q[nq][i] - 0.5 * data.rod_length * std::cos(rod) - data.crank_length * std::cos(angle),
                   trace.q[nq + 1][i] - 0.5 * data.rod_length * std::sin(rod) - data.crank_length * std::sin(angle)));
    if (!spatial) continue;
    for (std::size_t body = 0; body < 3; ++body) {
      m.aside = std::max(m.aside, std::abs(trace.q[7 * body + 2][i]));
      double square = 0.0;
      for (std::size_t k = 3; k < 7; ++k) square += trace.q[7 * body + k][i] * trace.q[7 * body + k][i];
      m.unit_error = std::max(m.unit_error, std::abs(std::sqrt(square) - 1.0));
    }
  }
  m.crank_speed = trace.v[nv - 1];
  m.rod_speed = trace.v[2 * nv - 1];
  m.slider_x = trace.q[2 * nq];
  m.slider_y = trace.q[2 * nq + 1];
  m.contact = INFINITY;
  for (std::size_t k = 0; k < trace.names.size(); ++k) {
    double worst = 0.0;
    for (const double g : trace.gap[k])
      if (g < worst) worst = g;
    const bool pin = trace.names[k].starts_with("pin"), guide = trace.names[k].starts_with("guide");
    if (pin) m.journal = std::max(m.journal, -worst);
    if (guide) m.guide = std::max(m.guide, -worst);
    if (!pin && !guide) m.hinges = std::max(m.hinges, largest_absolute(trace.gap[k]));
    for (std::size_t i = 0; pin && i < trace.t.size(); ++i)
      if (trace.normal_impulse[k][i] > 0.0) {
        m.contact = std::min(m.contact, trace.t[i]);
        break;
      }
  }
  return m;
}

// Largest step-to-step change of the rod's speed: the pin striking its bore.
double largest_jump(const std::vector<double>& x) {
  double largest = 0.0;
  for (std::size_t i = 1; i < x.size(); ++i) largest = std::max(largest, std::abs(x[i] - x[i - 1]));
  return largest;
}

Picture picture(const std::string& title, const Motion& m) {
  const double end = m.turns.back();
  const auto panel = [&](const char* name, const char* unit, const std::vector<double>& y, double share = 0.02) {
    return Panel{name,
                 {"crank revolutions", false, 0.0, end},
                 {unit},
                 {{"", m.turns, y, CurveStyle::line, -1, abrupt_changes(y, share)}}};
  };
  return {title,
          {panel("crank", "speed [rad/s]", m.crank_speed), panel("rod", "speed [rad/s]", m.rod_speed),
           panel("slider, along the guide", "x [m]", m.slider_x, INFINITY),
           panel("slider, across the guide", "y [m]", m.slider_y, INFINITY)},
          2};
}
CsvTable table(const char* name, const Motion& m) {
  return {name,
          {{"t [s]", m.trace.t},
           {"crank revolutions", m.turns},
           {"crank speed [rad/s]", m.crank_speed},
           {"rod speed [rad/s]", m.rod_speed},
           {"slider x [m]", m.slider_x},
           {"slider y [m]", m.slider_y}}};
}

// The motion at the end, by another implementation of both models.
struct EndState {
  double turns, crank, rod, contact;
};
void judge_end(const std::string& name, const Motion& m, const EndState& end, ReproductionReport& report) {
  const auto row = [&](const char* quantity, double value, double computed, double margin) {
    report.rows.push_back(judge(name + quantity, independent(fmt::format("{}", value), kOther), computed,
                                between(value - margin, value + margin)));
  };
  row("crank turns at the end", end.turns, m.turns.back(), 1e-3);
  row("speed of the crank at the end [rad/s]", end.crank, m.crank_speed.back(), 5e-3 * std::abs(end.crank));
  row("speed of the rod at the end [rad/s]", end.rod, m.rod_speed.back(), 5e-3 * std::abs(end.rod));
  row("the pin meets its bore at [s]", end.contact, m.contact, 2.0 * kStep);
}

void judge_combined(double play, const EndState& end, ReproductionReport& report, Motion& spatial) {
  spatial = run("projection_combined", {.play = play});
  const Motion planar = run("projection_combined", {.space = Space::planar, .play = play});
  judge_end("", spatial, end, report);
  judge_end("planar twin: ", planar, end, report);
  report.rows.push_back(judge("largest penetration of the pin [m]", independent("at most 1e-11", kOther),
                              spatial.journal, at_most(1e-10)));
  report.rows.push_back(judge("largest penetration of the slider [m]", independent("at most 1e-11", kOther),
                              spatial.guide, at_most(1e-10)));
  report.rows.push_back(judge("largest opening of the ideal joints [m]", independent("at most 1e-11", kOther),
                              spatial.hinges, at_most(1e-10)));
  report.rows.push_back(judge("largest motion out of the plane [m]", independent("less than 1e-9", kOther),
                              spatial.aside, at_most(1e-9)));
  report.rows.push_back(judge("largest ||p| - 1| of the quaternions", independent("at most 1e-14", kOther),
                              spatial.unit_error, at_most(1e-14)));
  // Until then only gravity acts.
  report.rows.push_back(
      judge("change of the crank's speed before the pin meets its bore, over the speed",
            says("constant and equal to the prescribed values at the initial time"),
            std::abs(spatial.crank_speed[static_cast<std::size_t>(0.9 * spatial.contact / kStep)] / 150.0 - 1.0),
            at_most(1e-3)));
  report.rows.push_back(
      judge("the same of the rod", says("constant and equal to the prescribed values at the initial time"),
            std::abs(spatial.rod_speed[static_cast<std::size_t>(0.9 * spatial.contact / kStep)] / 75.0 + 1.0),
            at_most(1e-3)));
}

ReproductionReport run_fig_28() {
  ReproductionReport report;
  report.settings = {kSettings,
                     "play 5e-4 m, forecast g_0; where W is taken is not said: as printed, W(q_1), or W(q_0)",
                     "a contact here knows which side it is on however deep it is, so that nothing is lost by itself; "
                     "the runs with a depth forget a "
                     "contact that has sunk deeper, as a kernel that only sees surfaces does"};
  const Motion printed_run = run("moreau_jean", {.play = kSmallPlay}, kStep, kPrinted);
  const Motion planar = run("moreau_jean", {.space = Space::planar, .play = kSmallPlay}, kStep, kPrinted);
  report.rows.push_back(judge("W(q_1): largest penetration of the pin [m]", independent("2.7e-5", kOther),
                              printed_run.journal, within(0.1, 2.7e-5)));
  report.rows.push_back(judge("W(q_1), planar twin: largest penetration of the pin [m]", independent("2.7e-5", kOther),
                              planar.journal, within(0.1, 2.7e-5)));
  report.rows.push_back(judge("W(q_1): largest opening of the ideal joints [m]", independent("4e-8", kOther),
                              printed_run.hinges, within(0.5, 4e-8)));
  report.rows.push_back(judge("W(q_1): speed of the crank at the end [rad/s]", independent("60.838", kOther),
                              printed_run.crank_speed.back(), within(0.005, 60.838)));

  const Motion sinking = run("moreau_jean", {.play = kSmallPlay}, kStep, kFromStart);
  const char* const lost =
      "the contact in the revolute joint is lost during the simulation mainly due to too large constraints violations";
  const double sunk = sinking.journal / kSmallPlay;
  report.rows.push_back(judge("W(q_0): largest penetration of the pin over the play", says(lost), sunk, at_least(1.0)));
  report.rows.push_back(judge("W(q_1): largest penetration of the pin over the play", says(lost),
                              printed_run.journal / kSmallPlay, at_least(1.0), [&] {
                                return Explanation::setting("W(q_0)", {{sunk, at_least(1.0)}});
                              }));
  constexpr double depth = 1e-4;
  const Motion forgetful = run("moreau_jean", {.play = kSmallPlay, .seen_depth = depth}, kStep, kFromStart);
  const Motion kept = run("projection_combined", {.play = kSmallPlay, .seen_depth = depth});
  report.rows.push_back(judge("W(q_0), contacts forgotten below 1e-4 m: largest distance of pin and bore over the play",
                              says(lost), forgetful.apart / kSmallPlay, at_least(2.0)));
  report.rows.push_back(judge("combined scheme, contacts forgotten below 1e-4 m: the same",
                              says("the problem is solved with the same time-step"), kept.apart / kSmallPlay,
                              at_most(1.0 + 1e-6)));
  const Motion fine = run("moreau_jean", {.space = Space::planar, .play = kSmallPlay}, 1e-7, kFromStart);
  report.rows.push_back(judge("W(q_0), planar twin, dt 1e-7 s: largest penetration of the pin over the play",
                              says("This problem can be fixed with a smaller time-step"), fine.journal / kSmallPlay,
                              at_most(0.1)));
  report.picture = picture(
      "Slider-crank with play 5e-4 m, Moreau-Jean, contacts forgotten below 1e-4 m (Acary 2012, figure 28)", forgetful);
  report.tables = {table("forgetful", forgetful), table("moreau_jean", sinking)};
  return report;
}

ReproductionReport run_fig_29() {
  ReproductionReport report;
  report.settings = {kSettings, "play 5e-4 m"};
  Motion spatial;
  judge_combined(kSmallPlay, {1.1836, 61.245, -14.172, 4.6e-4}, report, spatial);
  const SimulationSummary& summary = spatial.trace.summary;
  report.rows.push_back(judge("index set passes a step", independent("2.1", kOther),
                              static_cast<double>(summary.index_set_iterations) / static_cast<double>(summary.steps),
                              between(2.0, 2.2)));
  report.rows.push_back(
      judge("index set passes, most", independent("3", kOther), summary.max_index_set_iterations, at_most(3)));
  const Motion tumbling = run("projection_combined", {.play = kSmallPlay, .tumbling = 0.5});
  report.rows.push_back(judge("rod tumbling at 0.5 rad/s: largest motion out of the plane [m]",
                              independent("1.2e-3", kOther), tumbling.aside, within(0.3, 1.2e-3)));
  report.rows.push_back(judge("rod tumbling at 0.5 rad/s: largest penetration of the pin [m]",
                              independent("1e-11", kOther), tumbling.journal, at_most(1e-10)));
  report.picture = picture("Slider-crank with play 5e-4 m, combined scheme (Acary 2012, figure 29)", spatial);
  report.tables.push_back(table("projection_combined", spatial));
  return report;
}

ReproductionReport run_fig_30() {
  ReproductionReport report;
  report.settings = {kSettings, "play 5e-3 m"};
  Motion spatial;
  judge_combined(kLargePlay, {1.0343, 103.68, -53.04, 1.44e-3}, report, spatial);
  const Motion small = run("projection_combined", {.space = Space::planar, .play = kSmallPlay});
  const auto oscillation = [](const Motion& m) { return largest_jump(m.rod_speed); };
  report.rows.push_back(judge("largest jump of the rod's speed over that with a play of 5e-4 m",
                              says("shows larger oscillations around the nominal motion"),
                              oscillation(spatial) / oscillation(small), at_least(1.5)));
  const Motion plain = run("moreau_jean", {.play = kLargePlay}, kStep, kPrinted);
  report.rows.push_back(judge("Moreau-Jean: largest penetration of the pin [m]", independent("7.7e-5", kOther),
                              plain.journal, within(0.1, 7.7e-5)));
  report.picture = picture("Slider-crank with play 5e-3 m, combined scheme (Acary 2012, figure 30)", spatial);
  report.tables.push_back(table("projection_combined", spatial));
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction acary_2012_fig_28() {
  return {"acary-2012-fig-28", "Moreau-Jean loses a pin with play", kPublication, run_fig_28};
}
Reproduction acary_2012_fig_29() {
  return {"acary-2012-fig-29", "the combined scheme keeps a pin with play", kPublication, run_fig_29};
}
Reproduction acary_2012_fig_30() {
  return {"acary-2012-fig-30", "ten times the play in the pin", kPublication, run_fig_30};
}

}  // namespace reproduce_entries

}  // namespace carom::inline study
