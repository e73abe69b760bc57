// Figures 6.9 to 6.13: the overbalanced wheel with plastic and elastic stops.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/moeller_2011.h"

namespace carom::inline study {

namespace {

using namespace moeller_2011;

constexpr double kStep = 1e-4, kEnd = 10.0;
constexpr std::size_t kArms = 12;
constexpr double kRim = 0.4, kPi = 3.14159265358979323846;
const char* const kSettings =
    "dt 1e-4 s, T 10 s, 12 levers; the initial position (a lost figure) is the quasi-static one of a clockwise turning "
    "wheel, so that only statements and the independent run with the same start can be compared";

Model wheel_model(double restitution) {
  return make_analytic_model("overbalanced_wheel", {}, {.restitution = restitution});
}
// Closed is what is closed but for rounding: a nanometre decides which levers bounce for ever.
Trace run(const Model& model, double t_end = kEnd) {
  SchemeParameters parameters = published_inertia();
  parameters["activation_tolerance"] = 1e-12;
  return trace_run({model, "consistent_two_step", parameters, kStep, t_end});
}

double worst_lever(const std::vector<std::vector<double>>& series) {
  double worst = 0.0;
  for (std::size_t i = 0; i < kArms; ++i) worst = std::max(worst, largest_absolute(series[i]));
  return worst;
}
double worst_sinking(const Trace& trace) {
  double worst = 0.0;
  for (std::size_t k = kArms; k < trace.gap.size(); ++k) worst = std::max(worst, largest_sinking(trace.gap[k]));
  return worst;
}
double first_reversal(const Trace& trace) {
  for (std::size_t i = 0; i < trace.t.size(); ++i)
    if (trace.v[0][i] > 0.0) return trace.t[i];
  return INFINITY;
}

void judge_constraints(const std::string& name, const Trace& trace, ReproductionReport& report) {
  report.rows.push_back(judge(name + ": largest |g| of the levers [m^2]", derived("constraints on both levels"),
                              worst_lever(trace.gap), at_most(1e-12)));
  report.rows.push_back(judge(name + ": largest |gamma| of the levers [m^2/s]", derived("constraints on both levels"),
                              worst_lever(trace.gap_rate), at_most(1e-12)));
  report.rows.push_back(judge(name + ": largest shrinking of a closed gap in a step [m]",
                              derived("weak unilateral consistency"), worst_sinking(trace), at_most(1e-12)));
  report.rows.push_back(judge(name + ": steps of 100,000 left unsolved", own("none"),
                              static_cast<double>(trace.summary.failed_steps), exactly(0)));
}

// The independent run prints five decimals.
struct Point {
  double t, x;
};
void judge_points(const std::string& quantity, const char* unit, const Trace& trace, const std::vector<double>& x,
                  const std::vector<Point>& points, ReproductionReport& report) {
  for (const Point& p : points)
    report.rows.push_back(judge(fmt::format("{} at {} s [{}]", quantity, p.t, unit),
                                independent(fmt::format("{}", p.x), kPrototype), value_at(trace.t, x, p.t),
                                between(p.x - 1e-5, p.x + 1e-5)));
}

ReproductionReport run_fig_6_9() {
  ReproductionReport report;
  report.settings = {kSettings};
  const Trace plastic = run(wheel_model(0.0)), elastic = run(wheel_model(1.0));
  report.rows.push_back(judge("energy at the start [J]", independent("-0.081101", kPrototype),
                              total_energy(plastic).front(), between(-0.081102, -0.081100)));
  report.rows.push_back(judge("e = 1: largest |E - E0| over 10 s [J]", says("constant for perfect elastic impacts"),
                              largest_deviation(elastic), at_most(1e-11)));
  report.rows.push_back(judge("e = 0: largest rise of energy in a step [J]", says("decreasing stepwise"),
                              largest_rise(plastic), at_most(1e-13)));
  judge_points("e = 0: energy", "J", plastic, total_energy(plastic),
               {{0.5, -0.10954}, {1.0, -0.66615}, {2.0, -0.92175}, {5.0, -0.94259}, {10.0, -0.95726}}, report);
  judge_constraints("e = 0", plastic, report);
  judge_constraints("e = 1", elastic, report);
  report.picture = {"Total energy of the overbalanced wheel (Moeller 2011, figure 6.9)",
                    {{"",
                      {"time [s]"},
                      {"energy [J]"},
                      {{"e = 0", plastic.t, total_energy(plastic), CurveStyle::line, -1,
                        abrupt_changes(total_energy(plastic), 0.005)},
                       {"e = 1", elastic.t, total_energy(elastic), CurveStyle::dashed}}}},
                    1};
  return report;
}

Picture phase_space(const std::string& title, const Trace& trace) {
  return {title,
          {{"",
            {"angle [rad]"},
            {"rate [rad/s]"},
            {{"wheel", trace.q[0], trace.v[0], CurveStyle::line, -1, abrupt_changes(trace.v[0], 0.005)}}}},
          1};
}

ReproductionReport run_fig_6_10() {
  ReproductionReport report;
  report.settings = {kSettings};
  const Trace trace = run(wheel_model(0.0));
  judge_points("angle", "rad", trace, trace.q[0], {{1.0, -1.49049}, {2.0, -1.92842}, {5.0, -0.20693}, {10.0, -0.69674}},
               report);
  double jump = 0.0;
  for (std::size_t i = 1; i < trace.t.size(); ++i) jump = std::max(jump, std::abs(trace.v[0][i] - trace.v[0][i - 1]));
  report.rows.push_back(judge("largest jump of the wheel's rate [rad/s]",
                              says("The large vertical jumps correspond to the impacts when a lever drops"), jump,
                              at_least(0.3)));
  const double reversal = first_reversal(trace);
  report.rows.push_back(judge("first reversal of the wheel [s]", independent("1.962", kPrototype), reversal,
                              between(1.962 - 5.0 * kStep, 1.962 + 5.0 * kStep)));
  report.rows.push_back(judge("largest |rate| after 2.5 s [rad/s]", says("into a pendular motion"),
                              largest_within(trace.t, trace.v[0], 2.5, kEnd), at_most(1.0)));
  double late_jump = 0.0;
  for (std::size_t i = 1; i < trace.t.size(); ++i)
    if (trace.t[i] > reversal + 0.5) late_jump = std::max(late_jump, std::abs(trace.v[0][i] - trace.v[0][i - 1]));
  report.rows.push_back(judge("largest jump of the rate after the reversal [rad/s]",
                              says("small impacts on the left side of the wheel"), late_jump, at_most(0.5 * jump)));
  report.picture = phase_space("Wheel angle phase space, e = 0 (Moeller 2011, figure 6.10)", trace);
  return report;
}

// At the start ten levers rest on a stop: their gaps are zero but for rounding, and rounding decides which of them the
// first step takes for closed. One that is open falls a step and bounces for ever when e = 1. `pattern` says, lever by
// lever, which gap is opened ('o') and which closed ('c'), by turning the lever 1e-11 rad; '-' hangs between its stops.
// All closed is the undisturbed run.
Model with_rounding(const std::string& pattern) {
  constexpr double turn = 1e-11;
  Model model = wheel_model(1.0);
  for (std::size_t i = 0; i < kArms; ++i) {
    if (pattern[i] == '-') continue;
    const double hinge = 2.0 * kPi * static_cast<double>(i) / kArms;
    const bool tangential = i >= 1 && i <= 6;  // opens towards the radius, a radial lever away from it
    const double angle = (pattern[i] == 'o') == tangential ? -turn : turn;
    const auto x = static_cast<Index>(1 + 2 * i);
    const double dx = model.initial.q[x] - kRim * std::cos(hinge), dy = model.initial.q[x + 1] - kRim * std::sin(hinge);
    model.initial.q[x] -= angle * dy;
    model.initial.q[x + 1] += angle * dx;
  }
  return model;
}

ReproductionReport run_fig_6_12() {
  ReproductionReport report;
  report.settings = {kSettings};
  const Trace trace = run(wheel_model(1.0));
  const double angle = value_at(trace.t, trace.q[0], 1.0), reversal = first_reversal(trace);
  double low = angle, high = angle, early = reversal, late = reversal;
  for (const char* pattern : {"ooooooo--ooo", "ocooccc--ooc", "ccoccoo--occ", "ccoocoo--coc", "coccccc--ccc"}) {
    const Trace other = run(with_rounding(pattern), 1.4);
    const double other_angle = value_at(other.t, other.q[0], 1.0), other_reversal = first_reversal(other);
    low = std::min(low, other_angle);
    high = std::max(high, other_angle);
    early = std::min(early, other_reversal);
    late = std::max(late, other_reversal);
  }
  // How far the independent run lies outside what rounding makes of this one.
  const auto outside = [](double x, double from, double to) { return std::max({0.0, from - x, x - to}); };
  report.rows.push_back(judge("angle at 1 s, distance of the independent run from the runs of all patterns [rad]",
                              independent("-1.49067", kPrototype), outside(-1.49067, low, high), at_most(1e-5)));
  report.rows.push_back(judge("first reversal of the wheel, the same [s]", independent("1.336", kPrototype),
                              outside(1.336, early, late), at_most(5e-4)));
  report.notes.push_back(fmt::format(
      "ten levers rest on stops at the start, and rounding decides which of them the first step takes for closed; with "
      "gaps opened "
      "or closed by 2e-12 m on purpose the angle at 1 s is {:.4f} to {:.4f} rad, the reversal at {:.4f} to {:.4f} s",
      low, high, early, late));
  long impacts = 0;
  for (std::size_t k = kArms; k < trace.normal_impulse.size(); ++k)
    for (std::size_t i = 1; i < trace.t.size(); ++i)
      impacts += trace.normal_impulse[k][i] > 1e-4 && trace.normal_impulse[k][i - 1] == 0.0;
  report.rows.push_back(judge("impacts above 1e-4 N s in 10 s", says("dominated by many impacts"),
                              static_cast<double>(impacts), at_least(500)));
  report.rows.push_back(judge("largest |E - E0| [J]", says("constant for perfect elastic impacts"),
                              largest_deviation(trace), at_most(1e-11)));
  report.picture = phase_space("Wheel angle phase space, e = 1 (Moeller 2011, figure 6.12)", trace);
  return report;
}

// --- traces of the mass points, figures 6.11 and 6.13
// ------------------------------------------------------------------------

constexpr double kLever = 0.2;

// Coordinates of mass i; the angle of its lever against the radius through its hinge, 0 radial, pi/2 tangential.
const std::vector<double>& mass_x(const Trace& trace, std::size_t i) { return trace.q[1 + 2 * i]; }
const std::vector<double>& mass_y(const Trace& trace, std::size_t i) { return trace.q[2 + 2 * i]; }
double lever_angle(const Trace& trace, std::size_t i, std::size_t k) {
  const double hinge = trace.q[0][k] + 2.0 * kPi * static_cast<double>(i) / kArms, c = std::cos(hinge),
               s = std::sin(hinge);
  const double dx = mass_x(trace, i)[k] - kRim * c, dy = mass_y(trace, i)[k] - kRim * s;
  return std::atan2(dy * c - dx * s, dx * c + dy * s);
}

// How far each lever turns against the wheel within a stretch of time.
std::vector<double> lever_ranges(const Trace& trace, double from, double to) {
  std::vector<double> ranges;
  for (std::size_t i = 0; i < kArms; ++i) {
    double low = INFINITY, high = -INFINITY;
    for (std::size_t k = 0; k < trace.t.size(); ++k) {
      if (trace.t[k] < from || trace.t[k] > to) continue;
      low = std::min(low, lever_angle(trace, i, k));
      high = std::max(high, lever_angle(trace, i, k));
    }
    ranges.push_back(high - low);
  }
  return ranges;
}

// Levers turn from the tangent to the radius: masses stay between sqrt(a^2 + l^2) and a + l of the axle.
void judge_traces(const Trace& trace, ReproductionReport& report) {
  double low = INFINITY, high = 0.0, leftmost = 0.0, rightmost = 0.0;
  for (std::size_t i = 0; i < kArms; ++i)
    for (std::size_t k = 0; k < trace.t.size(); ++k) {
      const double radius = std::hypot(mass_x(trace, i)[k], mass_y(trace, i)[k]);
      low = std::min(low, radius);
      high = std::max(high, radius);
      leftmost = std::min(leftmost, mass_x(trace, i)[k]);
      rightmost = std::max(rightmost, mass_x(trace, i)[k]);
    }
  const double inner = std::hypot(kRim, kLever), outer = kRim + kLever;
  report.rows.push_back(judge("innermost mass from the axle [m]", derived("0.44721 = sqrt(a^2 + l^2)"), low,
                              between(inner - 3e-4, inner + 1e-6)));
  report.rows.push_back(
      judge("outermost mass from the axle [m]", derived("0.6 = a + l"), high, between(outer - 1e-6, outer + 1e-6)));
  report.notes.push_back(fmt::format("traces reach from x = {:.3f} to {:.3f} m", leftmost, rightmost));
}

Picture traces(const std::string& title, const Trace& trace) {
  Panel panel{"", {"x [m]", false, -0.65, 0.65}, {"y [m]", false, -0.65, 0.65}, {}};
  for (std::size_t i = 0; i < kArms; ++i) panel.curves.push_back({"", mass_x(trace, i), mass_y(trace, i)});
  Curve rim{"wheel", {}, {}, CurveStyle::line, kBlack};
  for (int k = 0; k <= 180; ++k) {
    rim.x.push_back(kRim * std::cos(k * kPi / 90.0));
    rim.y.push_back(kRim * std::sin(k * kPi / 90.0));
  }
  panel.curves.push_back(rim);
  return {title, {panel}, 1};
}

ReproductionReport run_fig_6_11() {
  ReproductionReport report;
  report.settings = {kSettings};
  const Trace trace = run(wheel_model(0.0));
  judge_traces(trace, report);
  const std::vector<double> early = lever_ranges(trace, 0.0, 2.0), late = lever_ranges(trace, 3.0, kEnd);
  report.rows.push_back(judge(
      "levers that turn the whole way within the first 2 s",
      says("when a lever drops from its tangential to its perpendicular position"),
      static_cast<double>(std::count_if(early.begin(), early.end(), [](double r) { return r > 0.98 * 0.5 * kPi; })),
      at_least(4)));
  report.rows.push_back(
      judge("levers that turn the whole way after 3 s", says("no further levers drop on the right side"),
            static_cast<double>(std::count_if(late.begin(), late.end(), [](double r) { return r > 0.98 * 0.5 * kPi; })),
            exactly(0)));
  report.picture = traces("Mass point traces, e = 0 (Moeller 2011, figure 6.11)", trace);
  return report;
}

ReproductionReport run_fig_6_13() {
  ReproductionReport report;
  report.settings = {kSettings};
  const Trace trace = run(wheel_model(1.0)), plastic = run(wheel_model(0.0));
  judge_traces(trace, report);
  // Below a tenth of a radian a lever rests against its stop and follows the wheel.
  const auto resting = [](const Trace& of) {
    const std::vector<double> turns = lever_ranges(of, 5.0, kEnd);
    return static_cast<double>(std::count_if(turns.begin(), turns.end(), [](double turn) { return turn < 0.1; }));
  };
  report.rows.push_back(judge("levers that turn by less than 0.1 rad after 5 s",
                              says("a confusing motion of all levers"), resting(trace), exactly(0)));
  report.rows.push_back(judge("the same with e = 0", own("most of them"), resting(plastic), at_least(6)));
  report.picture = traces("Mass point traces, e = 1 (Moeller 2011, figure 6.13)", trace);
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction moeller_2011_fig_6_11() {
  return {"moeller-2011-fig-6.11", "traces of the masses of the plastic wheel", kPublication, run_fig_6_11};
}
Reproduction moeller_2011_fig_6_13() {
  return {"moeller-2011-fig-6.13", "traces of the masses of the elastic wheel", kPublication, run_fig_6_13};
}

Reproduction moeller_2011_fig_6_9() {
  return {"moeller-2011-fig-6.9", "energy of the overbalanced wheel, plastic and elastic", kPublication, run_fig_6_9};
}
Reproduction moeller_2011_fig_6_10() {
  return {"moeller-2011-fig-6.10", "the plastic wheel ends as a pendulum", kPublication, run_fig_6_10};
}
Reproduction moeller_2011_fig_6_12() {
  return {"moeller-2011-fig-6.12", "the elastic wheel rattles for ever", kPublication, run_fig_6_12};
}

}  // namespace reproduce_entries

}  // namespace carom::inline study
