// Smooth mechanisms that programs for multibody dynamics are compared on (scenarios/benchmarks), in maximal and in
// joint coordinates. Andrews' mechanism has published digits; the others, of which curves are published, are held to
// equations in one coordinate.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "carom/base/errors.h"
#include "carom/io/embedded_files.h"
#include "carom/io/joint_errors.h"
#include "carom/io/scenario.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/published_run.h"
#include "carom/study/reproduce/series.h"

namespace carom::inline study {

namespace {

enum class Coordinates { maximal, joint };
const char* word(Coordinates coordinates) { return coordinates == Coordinates::maximal ? "maximal" : "joint"; }

// The model of a file that is compiled in.
Model benchmark(const std::string& name, Coordinates coordinates) {
  for (const EmbeddedFile& file : embedded_files())
    if (file.name == "templates/" + name + ".toml")
      return parse_scenario(name + ".toml", std::string(file.text), {{"world.coordinates", word(coordinates)}}).model;
  throw LogicError("there is no benchmark " + name);
}

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
  std::vector<std::string> coordinates;        // of the trace
  double gap = 0.0, rate = 0.0, energy = 0.0;  // largest of joints on both levels; largest |E - E0|

  const std::vector<double>& q(const std::string& name) const {
    const auto at = std::find(coordinates.begin(), coordinates.end(), name);
    if (at == coordinates.end()) throw LogicError("there is no coordinate " + name);
    return trace.q[static_cast<std::size_t>(at - coordinates.begin())];
  }
};

// Every row of every joint, not the first alone: the trace keeps those.
class JointRows final : public Recorder {
 public:
  double gap = 0.0, rate = 0.0;
  void step(const System& system, const StepView& view) override {
    errors_.look(system, view.result.next);
    gap = std::max(gap, errors_.gap());
    rate = std::max(rate, errors_.rate());
  }

 private:
  JointErrors errors_;
};

Smooth run(const Model& model, const std::string& scheme, double dt, double t_end, long every = 10) {
  Smooth s;
  s.trace = trace_run({model, scheme, {}, dt, t_end}, every);
  for (Index i = 0; i < model.system->nq(); ++i) s.coordinates.push_back(model.system->coordinate_name(i));
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
Panel over_time(const char* unit, std::vector<Curve> curves) { return {"", {"time [s]"}, {unit}, std::move(curves)}; }

// x of the mass of a pendulum that starts from the horizontal.
ReproductionReport run_pendulum() {
  ReproductionReport report;
  report.settings = {"1 kg on a bar of 1 m, from rest at the horizontal, 10 s, dt 1e-3 s, half_explicit_partitioned"};
  const double angle = one_coordinate(0.0, 0.0, 10.0, [](double a) { return kGravity * std::cos(a); });
  report.picture = {"Simple pendulum", {}, 1};
  for (const Coordinates c : {Coordinates::maximal, Coordinates::joint}) {
    const bool maximal = c == Coordinates::maximal;
    const Smooth s = run(benchmark(maximal ? "simple_pendulum" : "simple_pendulum_hinge", c),
                         "half_explicit_partitioned", 1e-3, 10.0);
    const double x = maximal ? s.q("mass.x").back() : -std::cos(s.q("hinge.angle").back());
    report.rows.push_back(judge(fmt::format("{}: x at 10 s [m]", word(c)),
                                derived(fmt::format("{:.9f}, one equation", -std::cos(angle))), x,
                                between(-std::cos(angle) - 1e-8, -std::cos(angle) + 1e-8)));
    judge_joints(word(c), s, report);
    judge_energy(word(c), s, 1e-9, report);
    if (maximal)
      report.picture.panels.push_back(
          over_time("x, y [m]", {{"x", s.trace.t, s.q("mass.x")}, {"y", s.trace.t, s.q("mass.y")}}));
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
    const Smooth s = run(benchmark("four_bars", c), "half_explicit_partitioned", 1e-3, 10.0);
    // The first hinge counts from the horizontal that the post's frame starts upright from.
    const std::vector<double>& post = s.q(c == Coordinates::maximal ? "post0.angle" : "A0.angle");
    const double turned = post.back();
    report.rows.push_back(judge(fmt::format("{}: angle of the first post at 10 s [rad]", word(c)),
                                derived(fmt::format("{:.8f}, one equation", angle)), turned,
                                between(angle - 1e-7, angle + 1e-7)));
    judge_joints(word(c), s, report);
    judge_energy(word(c), s, 1e-9, report);
    report.picture.panels.push_back(over_time("angle [rad]", {{word(c), s.trace.t, post}}));
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
    const Smooth s = run(benchmark("andrews_squeezer", c), "half_explicit_partitioned", 1e-5, 0.03);
    double angle[7];
    if (c == Coordinates::maximal) {
      double body[7];
      for (std::size_t k = 0; k < 7; ++k) body[k] = s.q(fmt::format("K{}.angle", k + 1)).back();
      const double found[7] = {body[0], body[1] - body[0], body[2], body[3] - body[4],
                               body[4], body[5] - body[6], body[6]};
      std::copy(found, found + 7, angle);
      report.picture.panels.push_back(
          over_time("angle [rad]", {{"beta", s.trace.t, s.q("K1.angle")}, {"gamma", s.trace.t, s.q("K3.angle")}}));
    } else {
      const char* hinges[7] = {"O", "F", "B", "G", "A5", "H", "A7"};
      for (std::size_t k = 0; k < 7; ++k) angle[k] = s.q(std::string(hinges[k]) + ".angle").back();
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
  const Smooth s = run(benchmark("bricard", Coordinates::joint), "generalized_alpha", 1e-3, 10.0);
  judge_joints("joint", s, report);
  judge_energy("joint", s, 1e-4, report);
  const auto turned = [&](int hinge, std::size_t i) {
    const std::vector<double>& angle = s.q(fmt::format("hinge{}.angle", hinge));
    return angle[i] - angle[0];
  };
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
  const Smooth m = run(benchmark("bricard", Coordinates::maximal), "generalized_alpha", 1e-3, 5.0);
  judge_joints("maximal", m, report);
  judge_energy("maximal", m, 1e-4, report);
  double open_maximal = 0.0, apart = 0.0;
  for (std::size_t i = 0; i < m.trace.t.size(); ++i) {
    const double x = 2.0 * m.q("rod1.x")[i], z = 2.0 * m.q("rod1.z")[i], last = 2.0 * (1.0 - m.q("rod5.z")[i]);
    open_maximal = std::max(open_maximal, std::abs(last * (1.0 - z) + z));
    apart = std::max(apart, std::hypot(x - std::cos(turned(0, i)), z - std::sin(turned(0, i))));
  }
  report.rows.push_back(judge("maximal: largest |sin b (1 + sin a) - sin a|", derived("0: the loop is closed"),
                              open_maximal, at_most(1e-9)));
  report.rows.push_back(judge("end of the first rod, maximal less joint coordinates, largest [m]",
                              derived("0 up to the scheme's error"), apart, at_most(1e-4)));
  report.picture = {"Bricard's mechanism",
                    {over_time("angle [rad]", {{"hinge 0", s.trace.t, s.q("hinge0.angle")},
                                               {"hinge 1", s.trace.t, s.q("hinge1.angle")}})},
                    1};
  return report;
}

// Both kinds of coordinates are integrated with a scheme of second order: they differ by its error.
struct Twins {
  Smooth maximal, joint;
};
Twins run_twins(const char* name, double dt, double t_end) {
  return {run(benchmark(name, Coordinates::maximal), "generalized_alpha", dt, t_end),
          run(benchmark(name, Coordinates::joint), "generalized_alpha", dt, t_end)};
}

ReproductionReport run_governor() {
  ReproductionReport report;
  report.settings = {
      "couplers of 8e5 N/m and 4e4 N s/m, 2 pi rad/s at the start, 2 s, dt 1e-3 s, generalized_alpha; rods 30 degrees "
      "below the horizontal, "
      "so that the couplers are free at the start: the printed sketch is not at hand"};
  const Twins t = run_twins("flyball_governor", 1e-3, 2.0);
  judge_joints("maximal", t.maximal, report);
  judge_joints("joint", t.joint, report);
  const std::vector<double>&z = t.maximal.q("collar.z"), &s = t.joint.q("sliding.displacement");
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
  const Twins t = run_twins("spatial_slider_crank", 5e-4, 2.0);
  judge_joints("maximal", t.maximal, report);
  judge_joints("joint", t.joint, report);
  judge_energy("maximal", t.maximal, 1e-3, report);
  judge_energy("joint", t.joint, 1e-3, report);
  // The slider follows the crank: 0.3^2 = x^2 + |pin|^2.
  const Trace& trace = t.maximal.trace;
  double off = 0.0;
  for (std::size_t i = 0; i < trace.t.size(); ++i) {
    const double angle = 2.0 * std::atan2(t.maximal.q("crank.p1")[i], t.maximal.q("crank.p0")[i]);
    const double y = 0.1 - 0.08 * std::sin(angle), z = 0.12 + 0.08 * std::cos(angle);
    off = std::max(off, std::abs(t.maximal.q("slider.x")[i] - std::sqrt(0.09 - y * y - z * z)));
  }
  report.rows.push_back(judge("place of the slider less that of its crank angle, largest [m]",
                              derived("0: sqrt(l^2 - |pin|^2)"), off, at_most(1e-10)));
  report.picture = {
      "Spatial slider-crank", {over_time("x of the slider [m]", {{"", trace.t, t.maximal.q("slider.x")}})}, 1};
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
