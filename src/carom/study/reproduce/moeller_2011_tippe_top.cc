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
constexpr std::size_t kBody = 0, kHandle = 1;  // of the quaternion body; the scalable one has its joint first
constexpr double kLargeStep = 1e-3;
constexpr double kTimeScatter = 3e-4;  // s, of events at dt 1e-5: 30 steps
constexpr double kNoRise = 1e-16;      // J, rounding of 0.012 J with a margin

// An event at the large step: to the step before or after.
Accept within_steps(double time) { return between(time - 1.5 * kLargeStep, time + 1.5 * kLargeStep); }

struct Top {
  double restitution = 0.0, friction_restitution = 0.0;  // e_N, e_C
  SpinReservoir reservoir = SpinReservoir::ellipsoid;
  std::string formulation = "quaternion";
  SchemeParameters parameters = {};
};

Model top_model(const Top& top) {
  return make_analytic_model("tippe_top", {{"formulation", top.formulation}},
                             {.restitution = top.restitution,
                              .friction = 0.3,
                              .tangential_restitution = top.friction_restitution,
                              .spin_radius = 2.945e-4,
                              .spin_reservoir = top.reservoir});
}
Trace run(const std::string& scheme, double dt, double t_end, const Top& top = {}) {
  return trace_run({top_model(top), scheme, top.parameters, dt, t_end});
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

double deepest(const Trace& trace, std::size_t sphere, double until = INFINITY) {
  double deepest = 0.0;
  for (std::size_t i = 0; i < trace.t.size(); ++i)
    if (trace.t[i] <= until) deepest = std::min(deepest, trace.gap[sphere][i]);
  return deepest;
}
double failed(const Trace& trace) { return static_cast<double>(trace.summary.failed_steps); }

// When the axis is horizontal, when the handle touches, when the top stands on it (inclination 3.1).
struct Times {
  double horizontal, handle, inverted;
};

void judge_inversion(const std::string& name, const Trace& trace, const Times& expected, ReproductionReport& report) {
  const std::vector<double> phi = inclination(trace);
  const auto time = [&](const char* quantity, double published, double computed) {
    report.rows.push_back(judge(fmt::format("{}: {} [s]", name, quantity), fmt::format("{} (independent run)", published),
                                computed, between(published - kTimeScatter, published + kTimeScatter)));
  };
  time("inclination passes pi/2", expected.horizontal, first_above(trace, phi, 0.5 * kPi));
  time("handle touches", expected.handle, handle_touches(trace));
  time("inclination passes 3.1", expected.inverted, first_above(trace, phi, 3.1));
  double lowest = kPi;
  for (std::size_t i = 0; i < trace.t.size(); ++i)
    if (trace.t[i] > 1.6 && trace.t[i] < 4.0) lowest = std::min(lowest, phi[i]);
  report.rows.push_back(judge(name + ": lowest inclination from 1.6 to 4 s [rad]", "stands on its handle (2.93 or more)",
                              lowest, at_least(2.93)));
  report.rows.push_back(judge(name + ": inclination at the end [rad]", "tumbles back", phi.back(), at_most(2.0)));
}

ReproductionReport run_fig_6_23() {
  ReproductionReport report;
  report.settings = {"dt 1e-5 s, 8 s (scalable body 1 s); gravity 9.81 m/s^2 and the tilt axis are not printed"};
  const auto row = [&](const std::string& quantity, const std::string& published, double computed, const Accept& accept) {
    report.rows.push_back(judge(quantity, published, computed, accept));
  };
  const Trace ellipsoid = run("moreau_midpoint", 1e-5, 8.0);
  const Trace exact = run("moreau_midpoint", 1e-5, 8.0, {.reservoir = SpinReservoir::exact});
  const Trace two = run("consistent_quaternion_two_step", 1e-5, 8.0);
  row("energy at the start [J]", "0.01204720 (independent run)", total_energy(two).front(), within(1e-6, 0.01204720));
  judge_inversion("Moreau, ellipsoid", ellipsoid, {0.9729, 1.3707, 1.4803}, report);
  judge_inversion("Moreau, exact set", exact, {0.9754, 1.3704, 1.4794}, report);
  judge_inversion("quaternion two-step, ellipsoid", two, {0.9729, 1.3709, 1.4804}, report);
  struct Point {
    double t, phi, energy;
  };
  const std::vector<double> phi = inclination(two), energy = total_energy(two);
  for (const Point& p : {Point{1, 1.57188, 6.91982e-3}, Point{2, 3.0001, 4.57465e-3}, Point{3, 3.0744, 4.08574e-3},
                         Point{4, 3.0676, 3.63597e-3}, Point{5, 2.44843, 2.0521e-3}, Point{6, 2.3829, 1.2282e-3}}) {
    row(fmt::format("quaternion two-step: inclination at {} s [rad]", p.t), fmt::format("{} (independent run)", p.phi),
        value_at(two.t, phi, p.t), within(1e-4, p.phi));
    row(fmt::format("quaternion two-step: energy at {} s [J]", p.t), fmt::format("{:.6g} (independent run)", p.energy),
        value_at(two.t, energy, p.t), within(1e-4, p.energy));
  }
  row("quaternion two-step: largest rise of energy in a step [J]", "none (2e-18)", largest_rise(two), at_most(1e-16));
  row("quaternion two-step: largest ||p| - 1|", "exact", norm_error(two), at_most(1e-12));
  row("quaternion two-step: steps of 800,000 left unsolved", "none", failed(two), exactly(0));

  // The same top as a scalable body whose rigidity is a joint: every step a nonlinear problem with four-row friction.
  // Of the independent run's 100,000 steps 193 were left unsolved after 1000 iterations.
  const Trace scalable =
      run("consistent_two_step", 1e-5, 1.0, {.formulation = "scalable", .parameters = published_inertia()});
  row("two-step, scalable body: inclination passes pi/2 [s]", "0.9726 (independent run)",
      first_above(scalable, inclination(scalable), 0.5 * kPi), between(0.9726 - kTimeScatter, 0.9726 + kTimeScatter));
  row("two-step, scalable body: largest rise of energy in a step [J]", "none (1e-17)", largest_rise(scalable), at_most(1e-16));
  row("two-step, scalable body: steps of 100,000 left unsolved", "(193 in the independent run)", failed(scalable), exactly(0));
  report.picture = {"Tippe top inclination, dt = 1e-5 s (Moeller 2011, figure 6.23)",
                    {{"", {"time [s]"}, {"inclination [rad]"},
                      {{"ellipsoid", ellipsoid.t, inclination(ellipsoid)}, {"exact set", exact.t, inclination(exact), CurveStyle::dashed}}}},
                    1};
  return report;
}

// One-step scheme with e_N = 1, e_C = 0. From about 4 s on body and handle strike in turn, and the independent run
// left 34 steps unsolved, in which a closed gap shrank by up to 4e-7 m: an impulse wrong by 4e-4 m/s. What such an error does
// to the rest of the run is measured here: the same top from 4 s on, its velocity changed by that much once.
struct Disturbed {
  double shallowest = -INFINITY, deepest = INFINITY;
  int without_rise = 0, runs = 0;
};
Disturbed disturbed_from_4_s(const Trace& undisturbed) {
  Disturbed result;
  for (const double speed : {-4e-4, -2e-4, 2e-4, 4e-4}) {
    Model model = top_model({.restitution = 1.0});
    const auto i = static_cast<std::size_t>(std::lround(4.0 / kLargeStep));
    for (std::size_t k = 0; k < undisturbed.q.size(); ++k) model.initial.q[static_cast<Index>(k)] = undisturbed.q[k][i];
    for (std::size_t k = 0; k < undisturbed.v.size(); ++k) model.initial.v[static_cast<Index>(k)] = undisturbed.v[k][i];
    model.initial.v[2] += speed;
    const Trace trace = trace_run({model, "consistent_quaternion_one_step", {}, kLargeStep, 4.0});
    const double gap = std::min(deepest(trace, kBody), deepest(trace, kHandle));
    result.shallowest = std::max(result.shallowest, gap);
    result.deepest = std::min(result.deepest, gap);
    result.without_rise += largest_rise(trace) <= kNoRise;
    ++result.runs;
  }
  return result;
}

void judge_elastic(const Trace& elastic, ReproductionReport& report) {
  const auto row = [&](const char* quantity, const char* published, double computed, const Accept& accept,
                       const UnsortedExplanation& why = {}) {
    report.rows.push_back(judge(fmt::format("one-step, e_N = 1: {}", quantity), published, computed, accept, why));
  };
  const std::vector<double> phi = inclination(elastic);
  row("inclination passes pi/2 [s]", "0.973 (independent run)", first_above(elastic, phi, 0.5 * kPi), within_steps(0.973));
  row("handle touches [s]", "1.363 (independent run)", handle_touches(elastic), within_steps(1.363));
  row("inclination passes 3.1 [s]", "1.474 (independent run)", first_above(elastic, phi, 3.1), within_steps(1.474));
  row("steps of 8,000 left unsolved", "(34 in the independent run)", failed(elastic), exactly(0));
  row("largest shrinking of a closed gap in a step [m]", "no drift",
      std::max(largest_sinking(elastic.gap[kBody]), largest_sinking(elastic.gap[kHandle])), at_most(1e-12));
  const double deep_4 = std::min(deepest(elastic, kBody, 4.0), deepest(elastic, kHandle, 4.0));
  row("deepest gap until 4 s [m]", "-1.1e-4 over 8 s (independent run)", deep_4, between(-1.15e-4, 0.0));
  const Disturbed other = disturbed_from_4_s(elastic);
  row("deepest gap over 8 s [m]", "-1.1e-4 (independent run)", std::min(deepest(elastic, kBody), deepest(elastic, kHandle)),
      within(0.1, -1.1e-4),
      {fmt::format("the independent run left 34 steps after 4 s unsolved, here none is; one error of their size at 4 s moves the "
                   "deepest gap to between {:.2g} and {:.2g} m",
                   other.shallowest, other.deepest),
       other.deepest <= -1.1e-4 && other.shallowest >= -1.265e-4 && failed(elastic) == 0.0});
  const Trace equal = run("consistent_quaternion_one_step", kLargeStep, 8.0, {.restitution = 1.0, .friction_restitution = 1.0});
  const double equal_rise = largest_rise(equal);
  row("largest rise of energy in a step [J]", "none (2e-18, independent run)", largest_rise(elastic), at_most(kNoRise),
      {fmt::format("the scheme promises it for equal coefficients only: with e_C = 1 the largest rise is {:.1e} J, and with e_C = 0 "
                   "an impact of both spheres may add energy; of the {} disturbed runs {} have no rise",
                   equal_rise, other.runs, other.without_rise),
       equal_rise <= kNoRise && other.without_rise > 0});
}

ReproductionReport run_fig_6_25() {
  ReproductionReport report;
  report.settings = {"dt 1e-3 s, 8 s (not printed), ellipsoid"};
  const auto row = [&](const std::string& quantity, const std::string& published, double computed, const Accept& accept) {
    report.rows.push_back(judge(quantity, published, computed, accept));
  };
  const Trace moreau = run("moreau_midpoint", kLargeStep, 8.0), one = run("consistent_quaternion_one_step", kLargeStep, 8.0),
              two = run("consistent_quaternion_two_step", kLargeStep, 8.0),
              elastic = run("consistent_quaternion_one_step", kLargeStep, 8.0, {.restitution = 1.0});
  row("two-step: largest shrinking of a closed gap in a step [m]", "no drift",
      std::max(largest_sinking(two.gap[kBody]), largest_sinking(two.gap[kHandle])), at_most(1e-12));
  row("two-step: deepest gap, body [m]", "-4.9e-6 (independent run)", deepest(two, kBody), within(0.02, -4.9e-6));
  row("two-step: deepest gap, handle [m]", "-4.6e-6 (independent run)", deepest(two, kHandle), within(0.1, -4.6e-6));
  row("two-step: inclination passes pi/2 [s]", "0.972 (independent run)", first_above(two, inclination(two), 0.5 * kPi),
      within_steps(0.972));
  row("two-step: handle touches [s]", "1.362 (independent run)", handle_touches(two), within_steps(1.362));
  row("two-step: inclination passes 3.1 [s]", "1.478 (independent run)", first_above(two, inclination(two), 3.1),
      within_steps(1.478));
  const double speed = (value_at(one.t, one.gap[kBody], 0.9) - value_at(one.t, one.gap[kBody], 0.4)) / 0.5;
  row("one-step, e = 0: speed of the gap in contact [m/s]", "drifts at -g dt/2 = -4.9e-3 (-5.0e-3, independent run)", speed,
      within(0.05, -0.5 * 9.81 * kLargeStep));
  row("one-step, e = 0: deepest gap, body [m]", "-3.5e-2 (independent run)", deepest(one, kBody), within(0.02, -3.5e-2));
  row("one-step, e = 0: deepest gap, handle [m]", "-2.0e-2 (independent run)", deepest(one, kHandle), within(0.03, -2.0e-2));
  judge_elastic(elastic, report);
  row("Moreau: deepest gap, body [m]", "-4.7e-4 (independent run)", deepest(moreau, kBody), within(0.02, -4.7e-4));
  row("Moreau: deepest gap, handle [m]", "-2.1e-3 (independent run)", deepest(moreau, kHandle), within(0.03, -2.1e-3));
  row("Moreau: largest rise of energy in a step [J]", "9.5e-7 (independent run)", largest_rise(moreau), within(0.02, 9.5e-7));
  for (const auto& [name, trace] : {std::pair{"one-step, e = 0", &one}, std::pair{"two-step", &two}}) {
    row(fmt::format("{}: largest rise of energy in a step [J]", name), "none", largest_rise(*trace), at_most(kNoRise));
    row(fmt::format("{}: steps of 8,000 left unsolved", name), "none", failed(*trace), exactly(0));
  }
  const auto scalable = [](double dt, double t_end) {
    return run("consistent_two_step", dt, t_end, {.formulation = "scalable", .parameters = published_inertia()});
  };
  const Trace coarse = scalable(kLargeStep, 3.0), fine = scalable(1e-4, 2.0);
  row("two-step, scalable body: inclination passes pi/2 [s]", "0.778 (independent run)",
      first_above(coarse, inclination(coarse), 0.5 * kPi), within_steps(0.778));
  row("two-step, scalable body, dt 1e-4: inclination passes pi/2 [s]", "0.928 (independent run)",
      first_above(fine, inclination(fine), 0.5 * kPi), within_steps(0.928));
  row("two-step, scalable body, dt 1e-4: inclination passes 3.1 [s]", "1.750 (independent run)",
      first_above(fine, inclination(fine), 3.1), within_steps(1.750));
  row("two-step, scalable body: steps of 23,000 left unsolved", "none", failed(coarse) + failed(fine), exactly(0));
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
