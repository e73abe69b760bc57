// Smooth mechanisms that programs for multibody dynamics are compared on (model/mechanisms/benchmarks.h), in maximal
// and in joint coordinates. Andrews' mechanism has published digits; the others, of which curves are published, are
// held to equations in one coordinate.
#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "carom/model/mechanisms/benchmarks.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/published_run.h"
#include "carom/study/reproduce/series.h"

namespace carom::inline study {

namespace {

using model::Coordinates;

constexpr const char* kLibrary =
    "M. Gonzalez, D. Dopico, U. Lugris, J. Cuadrado, A benchmarking system for MBS simulation software, Multibody "
    "System Dynamics 16 (2006)";
constexpr const char* kTestSet =
    "F. Mazzia, C. Magherini, Test set for initial value problem solvers, problem andrews (University of Bari, 2008); "
    "E. Hairer, G. Wanner, "
    "Solving Ordinary Differential Equations II (1996)";
constexpr double kGravity = 9.81, kPi = 3.14159265358979323846;
constexpr double kHeld = 1e-10;  // joints, on both levels

// Two numbers (angle and speed) by the classical Runge-Kutta method with fine steps: angle'' = f(angle).
double one_coordinate(double angle, double speed, double t_end, const std::function<double(double)>& f) {
  constexpr int steps = 200000;
  const double dt = t_end / steps;
  for (int k = 0; k < steps; ++k) {
    const double a1 = f(angle), a2 = f(angle + 0.5 * dt * speed), a3 = f(angle + 0.5 * dt * (speed + 0.5 * dt * a1)),
                 a4 = f(angle + dt * (speed + 0.5 * dt * a2));
    angle += dt * (speed + dt * (a1 + a2 + a3) / 6.0);
    speed += dt * (a1 + 2.0 * a2 + 2.0 * a3 + a4) / 6.0;
  }
  return angle;
}

struct Smooth {
  Trace trace;
  double gap = 0.0, rate = 0.0, energy = 0.0;  // largest of joints on both levels; largest |E - E0|
};

// Every row of every joint, not the first alone: the trace keeps those.
class JointRows final : public Recorder {
 public:
  double gap = 0.0, rate = 0.0;
  void step(const System& system, const StepView& view) override {
    const State& x = view.result.next;
    system.detect(x.t, x.q, x.v, 0.0, contacts_);
    all_.reset(contacts_);
    all_.add_all();
    if (all_.rows() == 0) return;
    system.evaluate(x.t, x.q, x.v, Need::gap | Need::jacobian, all_, at_);
    rates_.resize(all_.rows());
    at_.W.transpose_multiply(x.v.data(), rates_.data());
    for (Index i = 0; i < all_.rows(); ++i) {
      gap = std::max(gap, std::abs(at_.g[i]));
      rate = std::max(rate, std::abs(rates_[i] + at_.chi[i]));
    }
  }

 private:
  ContactSet contacts_;
  ActiveSet all_;
  Evaluation at_;
  Buffer rates_;
};

Smooth run(const Model& model, const std::string& scheme, double dt, double t_end, long every = 10) {
  Smooth s;
  s.trace = trace_run({model, scheme, {}, dt, t_end}, every);
  JointRows rows;
  summarize_run({model, scheme, {}, dt, t_end}, false, &rows);
  s.gap = rows.gap;
  s.rate = rows.rate;
  const std::vector<double> energy = sum(s.trace.kinetic, s.trace.potential);
  for (const double e : energy) s.energy = std::max(s.energy, std::abs(e - energy.front()));
  return s;
}

void judge_joints(const std::string& name, const Smooth& s, ReproductionReport& report) {
  report.rows.push_back(judge(name + ": largest opening of a joint [m]", own("at most 1e-10"), s.gap, at_most(kHeld)));
  report.rows.push_back(judge(name + ": largest velocity of one [m/s]", own("at most 1e-10"), s.rate, at_most(kHeld)));
}
void judge_energy(const std::string& name, const Smooth& s, double limit, ReproductionReport& report) {
  report.rows.push_back(
      judge(name + ": largest |E - E0| [J]", derived("0: nothing dissipates"), s.energy, at_most(limit)));
}
const char* word(Coordinates coordinates) { return coordinates == Coordinates::maximal ? "maximal" : "joint"; }
Panel over_time(const char* unit, std::vector<Curve> curves) { return {"", {"time [s]"}, {unit}, std::move(curves)}; }

// x of the mass of a pendulum that starts from the horizontal.
ReproductionReport run_pendulum() {
  ReproductionReport report;
  report.settings = {"1 kg on a bar of 1 m, from rest at the horizontal, 10 s, dt 1e-3 s, half_explicit_partitioned"};
  const double angle = one_coordinate(0.0, 0.0, 10.0, [](double a) { return kGravity * std::cos(a); });
  report.picture = {"Simple pendulum", {}, 1};
  for (const Coordinates c : {Coordinates::maximal, Coordinates::joint}) {
    const Smooth s = run(model::simple_pendulum(c), "half_explicit_partitioned", 1e-3, 10.0);
    const bool maximal = c == Coordinates::maximal;
    const double x = maximal ? s.trace.q[0].back() : -std::cos(s.trace.q[0].back());
    report.rows.push_back(judge(fmt::format("{}: x at 10 s [m]", word(c)),
                                derived(fmt::format("{:.9f}, one equation", -std::cos(angle))), x,
                                between(-std::cos(angle) - 1e-8, -std::cos(angle) + 1e-8)));
    judge_joints(word(c), s, report);
    judge_energy(word(c), s, 1e-9, report);
    if (maximal)
      report.picture.panels.push_back(
          over_time("x, y [m]", {{"x", s.trace.t, s.trace.q[0]}, {"y", s.trace.t, s.trace.q[1]}}));
  }
  return report;
}

// All posts turn alike: with n windows J = ((n + 1)/3 + n) m l^2, and gravity acts with ((n + 1)/2 + n) m g l.
ReproductionReport run_four_bars() {
  ReproductionReport report;
  report.settings = {
      "2 windows, links of 1 m and 1 kg, tops start with 1 m/s, 10 s, dt 1e-3 s, half_explicit_partitioned; the "
      "mechanism lies flat ten times"};
  constexpr double n = 2.0;
  const double pull = kGravity * ((n + 1.0) / 2.0 + n) / ((n + 1.0) / 3.0 + n);
  const double angle = one_coordinate(0.5 * kPi, -1.0, 10.0, [&](double a) { return -pull * std::cos(a); });
  report.picture = {"Four-bar linkages with singular positions", {}, 1};
  for (const Coordinates c : {Coordinates::maximal, Coordinates::joint}) {
    const Smooth s = run(model::four_bars(2, c), "half_explicit_partitioned", 1e-3, 10.0);
    const double turned = c == Coordinates::maximal ? s.trace.q[2].back() : s.trace.q[0].back();
    report.rows.push_back(judge(fmt::format("{}: angle of the first post at 10 s [rad]", word(c)),
                                derived(fmt::format("{:.8f}, one equation", angle)), turned,
                                between(angle - 1e-7, angle + 1e-7)));
    judge_joints(word(c), s, report);
    judge_energy(word(c), s, 1e-9, report);
    report.picture.panels.push_back(
        over_time("angle [rad]", {{word(c), s.trace.t, c == Coordinates::maximal ? s.trace.q[2] : s.trace.q[0]}}));
  }
  return report;
}

ReproductionReport run_andrews() {
  ReproductionReport report;
  report.settings = {"to 0.03 s, dt 1e-5 s, half_explicit_partitioned"};
  // Angles at 0.03 s in the order beta, Theta, gamma, phi, delta, Omega, epsilon.
  constexpr double reference[7] = {15.81077119629904,  -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
                                   0.5244099658805304, 0.5347301163226948, 1.048080741042263};
  const char* digits[7] = {"15.81077119629904",  "-15.75637105984298", "0.04082224013073101", "-0.5347301163226948",
                           "0.5244099658805304", "0.5347301163226948", "1.048080741042263"};
  const char* names[7] = {"beta", "Theta", "gamma", "phi", "delta", "Omega", "epsilon"};
  report.picture = {"Andrews' squeezer", {}, 1};
  for (const Coordinates c : {Coordinates::maximal, Coordinates::joint}) {
    const Smooth s = run(model::andrews(c), "half_explicit_partitioned", 1e-5, 0.03);
    double angle[7];
    if (c == Coordinates::maximal) {
      double body[7];
      for (std::size_t k = 0; k < 7; ++k) body[k] = s.trace.q[3 * k + 2].back();
      const double found[7] = {body[0], body[1] - body[0], body[2], body[3] - body[4],
                               body[4], body[5] - body[6], body[6]};
      std::copy(found, found + 7, angle);
      report.picture.panels.push_back(
          over_time("angle [rad]", {{"beta", s.trace.t, s.trace.q[2]}, {"gamma", s.trace.t, s.trace.q[8]}}));
    } else {  // hinges O, F, B, A5, G, A7, H
      const std::size_t at[7] = {0, 1, 2, 4, 3, 6, 5};
      for (std::size_t k = 0; k < 7; ++k) angle[k] = s.trace.q[at[k]].back();
    }
    for (std::size_t k = 0; k < 7; ++k)
      report.rows.push_back(judge(fmt::format("{}: {} at 0.03 s [rad]", word(c), names[k]), printed(digits[k]),
                                  angle[k], between(reference[k] - 1e-8, reference[k] + 1e-8)));
    judge_joints(word(c), s, report);
    judge_energy(word(c), s, 1e-10, report);
  }
  return report;
}

// From a cube every second hinge turns by a, the others by b, with sin b = sin a / (1 + sin a): the closed loop of six
// right angles.
ReproductionReport run_bricard() {
  ReproductionReport report;
  report.settings = {
      "rods of 1 m and 1 kg, section 0.1 m x 0.1 m, from rest on the edges of a cube, dt 1e-3 s, generalized_alpha, 10 "
      "s in joint coordinates, 5 s in maximal ones, where 30 rows hold 30 velocities and one of them says nothing new"};
  const Smooth s = run(model::bricard(Coordinates::joint), "generalized_alpha", 1e-3, 10.0);
  judge_joints("joint", s, report);
  judge_energy("joint", s, 1e-4, report);
  const auto turned = [&](std::size_t hinge, std::size_t i) { return s.trace.q[hinge][i] - s.trace.q[hinge][0]; };
  double unequal = 0.0, open = 0.0, farthest = 0.0;
  for (std::size_t i = 0; i < s.trace.t.size(); ++i) {
    const double a = -turned(0, i), b = turned(1, i);
    unequal = std::max({unequal, std::abs(turned(2, i) + a), std::abs(turned(4, i) + a), std::abs(turned(3, i) - b)});
    open = std::max(open, std::abs(std::sin(b) * (1.0 + std::sin(a)) - std::sin(a)));
    farthest = std::max(farthest, std::abs(a));
  }
  report.rows.push_back(judge("largest difference of every second hinge [rad]", derived("0: threefold symmetry"),
                              unequal, at_most(1e-9)));
  report.rows.push_back(
      judge("largest |sin b (1 + sin a) - sin a|", derived("0: the loop is closed"), open, at_most(1e-9)));
  report.rows.push_back(judge("largest turn of a hinge [rad]", own("it moves, though it has no freedom by counting"),
                              farthest, at_least(1.0)));
  // In maximal coordinates the centres of the first and of the last rod show a and b.
  const Smooth m = run(model::bricard(Coordinates::maximal), "generalized_alpha", 1e-3, 5.0);
  judge_joints("maximal", m, report);
  judge_energy("maximal", m, 1e-4, report);
  double open_maximal = 0.0, apart = 0.0;
  for (std::size_t i = 0; i < m.trace.t.size(); ++i) {
    const double x = 2.0 * m.trace.q[0][i], z = 2.0 * m.trace.q[2][i], last = 2.0 * (1.0 - m.trace.q[30][i]);
    open_maximal = std::max(open_maximal, std::abs(last * (1.0 - z) + z));
    apart = std::max(apart, std::hypot(x - std::cos(turned(0, i)), z - std::sin(turned(0, i))));
  }
  report.rows.push_back(judge("maximal: largest |sin b (1 + sin a) - sin a|", derived("0: the loop is closed"),
                              open_maximal, at_most(1e-9)));
  report.rows.push_back(judge("end of the first rod, maximal less joint coordinates, largest [m]",
                              derived("0 up to the scheme's error"), apart, at_most(1e-4)));
  report.picture = {
      "Bricard's mechanism",
      {over_time("angle [rad]", {{"hinge 0", s.trace.t, s.trace.q[0]}, {"hinge 1", s.trace.t, s.trace.q[1]}})},
      1};
  return report;
}

// Both kinds of coordinates are integrated with a scheme of second order: they differ by its error.
struct Twins {
  Smooth maximal, joint;
};
Twins run_twins(Model (*make)(Coordinates), double dt, double t_end) {
  return {run(make(Coordinates::maximal), "generalized_alpha", dt, t_end),
          run(make(Coordinates::joint), "generalized_alpha", dt, t_end)};
}

ReproductionReport run_governor() {
  ReproductionReport report;
  report.settings = {
      "couplers of 8e5 N/m and 4e4 N s/m, 2 pi rad/s at the start, 2 s, dt 1e-3 s, generalized_alpha; rods 30 degrees "
      "below the horizontal, "
      "so that the couplers are free at the start: the printed sketch is not at hand"};
  const Twins t = run_twins(model::governor, 1e-3, 2.0);
  judge_joints("maximal", t.maximal, report);
  judge_joints("joint", t.joint, report);
  // The collar: body 1 in maximal coordinates, displacement along the shaft in joint coordinates.
  const std::vector<double>&z = t.maximal.trace.q[9], &s = t.joint.trace.q[1];
  double apart = 0.0;
  for (std::size_t i = 0; i < z.size(); ++i) apart = std::max(apart, std::abs((z[i] - z[0]) - (s[i] - s[0])));
  report.rows.push_back(judge("height of the collar, maximal less joint coordinates, largest [m]",
                              derived("0 up to the scheme's error"), apart, at_most(1e-4)));
  report.picture = {
      "Flyball governor", {over_time("height of the collar [m]", {{"maximal", t.maximal.trace.t, z}})}, 1};
  return report;
}

ReproductionReport run_spatial_slider_crank() {
  ReproductionReport report;
  report.settings = {
      "crank of 0.08 m at (0, 0.1, 0.12) m, rod of 0.3 m, 6 rad/s at the start, 2 s, dt 5e-4 s, generalized_alpha"};
  const Twins t = run_twins(model::spatial_slider_crank, 5e-4, 2.0);
  judge_joints("maximal", t.maximal, report);
  judge_joints("joint", t.joint, report);
  judge_energy("maximal", t.maximal, 1e-3, report);
  judge_energy("joint", t.joint, 1e-3, report);
  // The slider follows the crank: 0.3^2 = x^2 + |pin|^2.
  const Trace& trace = t.maximal.trace;
  double off = 0.0;
  for (std::size_t i = 0; i < trace.t.size(); ++i) {
    const double angle = 2.0 * std::atan2(trace.q[4][i], trace.q[3][i]);
    const double y = 0.1 - 0.08 * std::sin(angle), z = 0.12 + 0.08 * std::cos(angle);
    off = std::max(off, std::abs(trace.q[14][i] - std::sqrt(0.09 - y * y - z * z)));
  }
  report.rows.push_back(judge("place of the slider less that of its crank angle, largest [m]",
                              derived("0: sqrt(l^2 - |pin|^2)"), off, at_most(1e-10)));
  report.picture = {"Spatial slider-crank", {over_time("x of the slider [m]", {{"", trace.t, trace.q[14]}})}, 1};
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction benchmark_pendulum() { return {"benchmark-pendulum", "simple pendulum", kLibrary, run_pendulum}; }
Reproduction benchmark_four_bars() {
  return {"benchmark-four-bars", "four-bar linkages through singular positions", kLibrary, run_four_bars};
}
Reproduction benchmark_bricard() { return {"benchmark-bricard", "Bricard's mechanism", kLibrary, run_bricard}; }
Reproduction benchmark_governor() { return {"benchmark-governor", "stiff flyball governor", kLibrary, run_governor}; }
Reproduction benchmark_slider_crank() {
  return {"benchmark-slider-crank", "spatial slider-crank", kLibrary, run_spatial_slider_crank};
}
Reproduction benchmark_andrews() { return {"benchmark-andrews", "Andrews' squeezer", kTestSet, run_andrews}; }

}  // namespace reproduce_entries

}  // namespace carom::inline study
