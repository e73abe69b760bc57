// Figures 6.2 and 6.3: a mass falls on a light plate on a stiff spring. The consistent two-step scheme takes any
// step, Moreau's midpoint rule none above 2/omega of the plate.
#include <fmt/format.h>

#include "carom/model/analytic/analytic_model.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/moeller_2011.h"

namespace carom::inline study {

namespace {

using namespace moeller_2011;

constexpr double kEnd = 0.3;
constexpr double kStart = 10.791981;  // J

Model oscillator() { return make_analytic_model("two_mass_oscillator", {}, {.restitution = 0.0}); }

Trace consistent(double dt) { return trace_run({oscillator(), "consistent_two_step", {}, dt, kEnd}); }
Trace moreau(double dt, double t_end = kEnd) { return trace_run({oscillator(), "moreau_midpoint", {}, dt, t_end}); }

// Steps of Moreau's midpoint rule before the one whose energy exceeds 1e6 J; -1 if none does.
double steps_before_divergence(double dt) {
  const Model model = oscillator();
  const auto scheme = make_scheme("moreau_midpoint");
  const auto solver = make_solver("automatic");
  const Energetics& energy = *model.system->energetics();
  State state = model.initial;
  scheme->start(*model.system, dt, state);
  StepWorkspace workspace;
  StepResult result;
  for (int k = 0; (k + 1) * dt <= kEnd; ++k) {
    scheme->step(*model.system, *solver, state, dt, workspace, result);
    std::swap(state, result.next);
    const double size = std::abs(energy.kinetic_energy(0, state.q, state.v) + energy.potential_energy(0, state.q));
    if (!(size < 1e6)) return k;
  }
  return -1.0;
}

std::vector<Panel> panels(const std::string& title, const Trace& a, const Trace* b) {
  Panel height{title, {"time [s]"}, {"height [m]"}, {{"mass", a.t, a.q[0]}, {"plate", a.t, a.q[1]}}};
  Panel energy{"total energy", {"time [s]"}, {"energy [J]"}, {{"consistent two-step", a.t, total_energy(a)}}};
  if (b != nullptr) {
    height.curves.push_back({"mass, Moreau", b->t, b->q[0], CurveStyle::dashed});
    energy.curves.push_back({"Moreau's midpoint rule", b->t, total_energy(*b), CurveStyle::dashed});
  }
  return {height, energy};
}

ReproductionReport run_fig_6_2() {
  ReproductionReport report;
  report.settings = {"dt 1e-3 s, T 0.3 s (not printed), e 0"};
  const Trace trace = consistent(1e-3);
  const double first_loss = 0.5 * 10.0 * 1e-3 / 10.001 * 2.0 * 9.81 * 0.01;
  report.rows.push_back(judge("energy at the start [J]", derived("m1 g x1 + m2 g x2, table 6.1"),
                              total_energy(trace).front(), within(1e-7, kStart)));
  struct End {
    double dt, energy;
  };
  for (const End& end : {End{1e-2, 10.790929}, End{1e-3, 10.791524}, End{1e-4, 10.791096}, End{1e-5, 10.791771}}) {
    const Trace run = consistent(end.dt);
    report.rows.push_back(judge(fmt::format("largest rise of energy in a step, dt {:g} [J]", end.dt),
                                says("decreasing stepwise"), largest_rise(run), at_most(1e-13)));
    report.rows.push_back(judge(fmt::format("energy lost until 0.3 s, dt {:g} [J]", end.dt),
                                independent(fmt::format("{:.3g}", kStart - end.energy), kPrototype),
                                kStart - total_energy(run).back(),
                                between(kStart - end.energy - 1e-6, kStart - end.energy + 1e-6)));
  }
  report.rows.push_back(judge("lowest point of the mass [m]", independent("0.0969340", kPrototype),
                              smallest(trace.q[0]), within(1e-6, 0.0969340)));
  report.rows.push_back(judge("mass at 0.2 s [m]", independent("0.1083461", kPrototype),
                              value_at(trace.t, trace.q[0], 0.2), within(1e-6, 0.1083461)));
  const Trace fine = consistent(1e-5);
  const double loss = total_energy(fine).front() - value_at(fine.t, total_energy(fine), 0.046);
  report.rows.push_back(judge("energy lost in the first impact, dt 1e-5 [J]", derived("m1 m2/(m1 + m2) v^2/2"), loss,
                              within(0.005, first_loss)));
  report.rows.push_back(judge("Moreau's midpoint rule, dt 0.001: steps until the energy exceeds 1e6 J",
                              says("the solution diverges towards infinity"), steps_before_divergence(1e-3),
                              between(0.0, 10.0)));
  struct Divergence {
    double dt;
    int steps;
  };
  for (const Divergence& d :
       {Divergence{1e-3, 3}, Divergence{2e-4, 7}, Divergence{1.1e-4, 20}, Divergence{1.01e-4, 60}})
    report.rows.push_back(
        judge(fmt::format("Moreau's midpoint rule, dt {:g}: steps before the energy exceeds 1e6 J", d.dt),
              independent(fmt::format("{}", d.steps), kPrototype), steps_before_divergence(d.dt), exactly(d.steps)));
  report.rows.push_back(judge("Moreau's midpoint rule, dt 9.9e-5: the same (-1: it never does)",
                              says("a time step size smaller than 10^{-4} s is required"),
                              steps_before_divergence(9.9e-5), exactly(-1)));
  report.rows.push_back(judge("Moreau's midpoint rule, dt 9.9e-5: largest rise of energy in a step [J]",
                              independent("1e-3", "another implementation, one digit"), largest_rise(moreau(9.9e-5)),
                              between(0.95e-3, 1.5e-3)));
  report.picture = {"Oscillator with unilateral contact, dt = 1e-3 s (Moeller 2011, figure 6.2)",
                    panels("consistent two-step scheme", trace, nullptr), 2};
  report.tables = {
      {"",
       {{"t [s]", trace.t}, {"mass [m]", trace.q[0]}, {"plate [m]", trace.q[1]}, {"energy [J]", total_energy(trace)}}}};
  return report;
}

ReproductionReport run_fig_6_3() {
  ReproductionReport report;
  report.settings = {"dt 1e-5 s, T 0.3 s (not printed), e 0"};
  const Trace a = consistent(1e-5), b = moreau(1e-5);
  double apart = 0.0;
  for (std::size_t i = 0; i < a.t.size(); ++i) apart = std::max(apart, std::abs(a.q[0][i] - b.q[0][i]));
  report.rows.push_back(
      judge("largest distance of the two solutions, mass [m]", own("both converge"), apart, at_most(2e-5)));
  struct Point {
    double t, consistent, moreau;
  };
  for (const Point& p :
       {Point{0.1, 0.1097489, 0.1097495}, Point{0.2, 0.1090039, 0.1089996}, Point{0.3, 0.1077626, 0.1077535}}) {
    report.rows.push_back(judge(fmt::format("consistent: mass at {} s [m]", p.t),
                                independent(fmt::format("{:.7f}", p.consistent), kPrototype),
                                value_at(a.t, a.q[0], p.t), within(1e-6, p.consistent)));
    report.rows.push_back(judge(fmt::format("Moreau: mass at {} s [m]", p.t),
                                independent(fmt::format("{:.7f}", p.moreau), kPrototype), value_at(b.t, b.q[0], p.t),
                                within(1e-6, p.moreau)));
  }
  report.rows.push_back(judge("consistent: largest rise of energy in a step [J]",
                              derived("the scheme's energy balance"), largest_rise(a), at_most(1e-13)));
  report.rows.push_back(judge("Moreau: largest rise of energy in a step [J]", independent("2e-7", kPrototype),
                              largest_rise(b), within(0.05, 2e-7)));
  report.picture = {"Oscillator with unilateral contact, dt = 1e-5 s (Moeller 2011, figure 6.3)",
                    panels("both schemes", a, &b), 2};
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction moeller_2011_fig_6_2() {
  return {"moeller-2011-fig-6.2", "a stiff light plate: the consistent scheme takes any step", kPublication,
          run_fig_6_2};
}
Reproduction moeller_2011_fig_6_3() {
  return {"moeller-2011-fig-6.3", "a stiff light plate at a step both schemes can take", kPublication, run_fig_6_3};
}

}  // namespace reproduce_entries

}  // namespace carom::inline study
