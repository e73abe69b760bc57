// Figures 8 and 9: what chatter does to an equilibrium. A slider dropped on a driven roller should stop it by
// friction; a rocking block should come to rest on its two corners. The direct projection with the explicit
// forecast reaches neither, the combined scheme both.
//
// The equilibrium of the roller: torque <= mu m g R. (The publication leaves out R.)
#include <fmt/format.h>

#include "carom/model/analytic/analytic_model.h"
#include "carom/study/reproduce/acary_2012.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/series.h"

namespace carom {

namespace {

using namespace acary_2012;

struct Named {
  std::string title;
  Trace trace;
};

std::vector<Named> run_three(const Model& model, double dt, double t_end) {
  return {{"Moreau-Jean", trace_run({model, "moreau_jean", moreau_jean(), dt, t_end})},
          {"direct projection", trace_run({model, "projection_direct", direct_explicit(0.0), dt, t_end})},
          {"combined scheme", trace_run({model, "projection_combined", combined(), dt, t_end})}};
}

double value_at(const Trace& trace, const std::vector<double>& x, double t) {
  std::size_t i = 0;
  while (i + 1 < trace.t.size() && trace.t[i] < t - 1e-9) ++i;
  return x[i];
}

constexpr double kRollerMass = 1.0, kGravity = 9.81, kRadius = 0.1, kFriction = 0.3;

ReproductionReport run_fig_8() {
  ReproductionReport report;
  constexpr double torque = 0.5 * kFriction * kRollerMass * kGravity * kRadius;
  report.settings = {"data chosen, the publication prints none: slider 1 kg from 0.05 m, roller R 0.1 m, I 0.01 kg m^2, "
                     "mu 0.3, e 1/2, torque half of mu m g R, dt 5e-3 s, T 10 s, forecast g_0"};
  const Model model = make_analytic_model(
      "slider_roller",
      {{"mass", kRollerMass}, {"gravity", kGravity}, {"radius", kRadius}, {"roller_inertia", 0.01},
       {"torque", torque}, {"height", 0.05}},
      {.restitution = 0.5, .friction = kFriction});
  report.picture = {"Slider and roller (Acary 2012, section 4.5, figure 8)", {}, 2};
  Panel angle{"roller", {"time [s]"}, {"angle [rad]"}, {}};
  Panel velocity{"slider, when it should rest", {"time [s]", false, 5.0, 5.2}, {"velocity [m/s]"}, {}};
  for (const Named& run : run_three(model, 5e-3, 10.0)) {
    const Trace& trace = run.trace;
    const double turned = value_at(trace, trace.q[1], 10.0) - value_at(trace, trace.q[1], 5.0);
    const bool direct = run.title == "direct projection";
    report.rows.push_back(judge(run.title + ": roller turns between 5 s and 10 s [rad]",
                                direct ? "never in equilibrium" : "static equilibrium", turned,
                                direct ? at_least(1e-2) : between(-1e-9, 1e-9)));
    report.rows.push_back(judge(run.title + ": largest slider speed after 5 s [m/s]",
                                direct ? "never stops to bounce" : "at rest",
                                largest_within(trace.t, trace.v[0], 5.0, 10.0),
                                direct ? at_least(1e-3) : at_most(1e-9)));
    angle.curves.push_back({run.title, trace.t, trace.q[1]});
    velocity.curves.push_back({run.title, trace.t, trace.v[0], CurveStyle::line_points});
    report.tables.push_back({run.title,
                             {{"t [s]", trace.t},
                              {"slider height [m]", trace.q[0]},
                              {"roller angle [rad]", trace.q[1]},
                              {"slider velocity [m/s]", trace.v[0]},
                              {"roller rate [rad/s]", trace.v[1]}}});
  }
  report.picture.panels = {angle, velocity};
  return report;
}

ReproductionReport run_fig_9() {
  ReproductionReport report;
  constexpr double settled = 1.8, end = 2.0;
  report.settings = {"block 1 x 1.5 m, 1 kg, y 1 m, angle 0.2 rad, rate 0.2 rad/s (printed as a second angle), e 1/2, "
                     "g 9.81, dt 1e-2 s, T 2 s, theta 1/2, forecast g_0"};
  const Model model = make_analytic_model("rocking_block", {}, {.restitution = 0.5});
  report.picture = {"Rocking block (Acary 2012, figure 9)", {}, 3};
  std::vector<Panel> gaps, rates, energies;
  double end_energy[3] = {0, 0, 0};
  int n = 0;
  for (const Named& run : run_three(model, 1e-2, end)) {
    const Trace& trace = run.trace;
    double speed = 0, gap = 0;
    for (const auto& v : trace.v) speed = std::max(speed, largest_within(trace.t, v, settled, end));
    for (const auto& g : trace.gap) gap = std::max(gap, largest_within(trace.t, g, settled, end));
    const bool direct = run.title == "direct projection";
    report.rows.push_back(judge(fmt::format("{}: largest velocity after {} s", run.title, settled),
                                direct ? "spurious oscillations" : "at rest", speed,
                                direct ? at_least(1e-2) : at_most(1e-9)));
    const std::vector<double> energy = sum(trace.kinetic, trace.potential);
    if (run.title == "combined scheme") {
      report.rows.push_back(judge(run.title + ": largest |gap| after 1.8 s [m]", "equilibrium", gap, at_most(1e-9)));
      report.rows.push_back(judge(run.title + ": height of the centre at the end [m]", "0.75 (half the block)",
                                  trace.q[1].back(), within(1e-9, 0.75)));
      report.rows.push_back(judge(run.title + ": |angle| at the end [rad]", "0", std::abs(trace.q[2].back()),
                                  at_most(1e-9)));
      report.rows.push_back(judge(run.title + ": largest energy over that of the start", "dissipates",
                                  largest(energy) / energy.front(), at_most(1.0 + 1e-12)));
    }
    end_energy[n++] = energy.back();
    gaps.push_back({run.title, {"time [s]"}, {"corner gaps [m]"},
                    {{"right", trace.t, trace.gap[0]}, {"left", trace.t, trace.gap[1]}}});
    rates.push_back({run.title + ": gap velocities", {"time [s]"}, {"[m/s]"},
                     {{"right", trace.t, trace.gap_rate[0]}, {"left", trace.t, trace.gap_rate[1]}}});
    energies.push_back({run.title + ": energy", {"time [s]"}, {"[J]"},
                        {{"total", trace.t, energy},
                         {"kinetic", trace.t, trace.kinetic},
                         {"potential", trace.t, trace.potential}}});
    report.tables.push_back({run.title,
                             {{"t [s]", trace.t},
                              {"y [m]", trace.q[1]},
                              {"angle [rad]", trace.q[2]},
                              {"gap right [m]", trace.gap[0]},
                              {"gap left [m]", trace.gap[1]},
                              {"gap velocity right [m/s]", trace.gap_rate[0]},
                              {"gap velocity left [m/s]", trace.gap_rate[1]},
                              {"energy [J]", energy}}});
  }
  report.rows.push_back(judge("energy at the end, direct less combined [J]", "combined dissipates more",
                              end_energy[1] - end_energy[2], at_least(1e-6)));
  for (const auto* row : {&gaps, &rates, &energies})
    report.picture.panels.insert(report.picture.panels.end(), row->begin(), row->end());
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction acary_2012_fig_8() {
  return {"acary-2012-fig-8", "slider and roller: which schemes reach the static equilibrium", kPublication,
          run_fig_8};
}
Reproduction acary_2012_fig_9() {
  return {"acary-2012-fig-9", "rocking block: rest without chatter", kPublication, run_fig_9};
}

}  // namespace reproduce_entries

}  // namespace carom
