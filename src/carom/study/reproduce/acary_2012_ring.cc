// Figure 20: a pendulum that hangs in a ring. Moreau-Jean lets its hook sink through the ring, a projection does not.
//
// Where W is taken decides. With W(q_0) the hook leaves along a tangent, and sinks by (v dt)^2 / 2R in a step: v^2 dt /
// 2R a second. With W(q_1), as the scheme is printed, the two tangents of a step cancel, and all that is left is the
// first penetration.
#include <fmt/format.h>

#include <cmath>

#include "carom/model/mechanisms/pendulum_in_ring.h"
#include "carom/study/reproduce/acary_2012.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/series.h"

namespace carom::inline study {

namespace {

using namespace acary_2012;

constexpr double kStep = 5e-4, kEnd = 10.0, kThickness = 2e-3;
constexpr const char* kOther = "another implementation";
constexpr std::size_t kRodAngle = 5;  // of q = (x, y, angle) of the ring and of the rod

Trace run(const std::string& scheme, const SchemeParameters& parameters, double dt, double t_end = kEnd) {
  const Model model = model::pendulum_in_ring({});
  return trace_run({model, scheme, parameters, dt, t_end});
}
const std::vector<double>& gap(const Trace& trace) { return trace.gap[trace.constraint("hook")]; }

// End of the first step after which the hook has sunk by `depth`.
double sunk_by(const Trace& trace, double depth) {
  for (std::size_t i = 0; i < trace.t.size(); ++i)
    if (gap(trace)[i] < -depth) return trace.t[i];
  return INFINITY;
}
// At the end of the step that stops the fall: up to a step late, and half a step more.
double first_penetration(const Trace& trace) {
  const std::vector<double>& impulse = trace.normal_impulse[trace.constraint("hook")];
  for (std::size_t i = 1; i < trace.t.size(); ++i)
    if (impulse[i] > 0.0) return -gap(trace)[i];
  return 0.0;
}

// What a geometric kernel that knows both boundaries of the ring says: the distance to the nearer one, negative in
// between.
std::vector<double> to_nearer_boundary(const std::vector<double>& gap) {
  std::vector<double> nearer;
  for (const double g : gap) nearer.push_back(g >= 0.0 ? g : std::max(g, -kThickness - g));
  return nearer;
}

// The falling hook is seen up to one step late: it sinks by up to a step of its speed.
double fall_depth(double dt) { return dt * std::sqrt(2.0 * 9.81 * 1e-2); }

// With W taken where the step begins.
SchemeParameters from_start(SchemeParameters parameters = moreau_jean()) {
  parameters["directions"] = std::string("start");
  return parameters;
}

ReproductionReport run_fig_20() {
  ReproductionReport report;
  report.settings = {
      "dt 5e-4 s, T 10 s, theta 1/2, forecast g_0; length of the rod not printed: uniform rod, sqrt(12 J / m) = 1.549 "
      "m",
      "where W is taken is not said of this example; with W(q_1) of the printed algorithm nothing drifts, with W(q_0) "
      "all does: "
      "rows are those of W(q_0) unless they say otherwise",
      "the ring keeps its inner wall as the only one, so that a hook that has sunk through it is still held"};
  const Trace plain = run("moreau_jean", from_start(), kStep), implicit = run("moreau_jean", moreau_jean(), kStep);
  report.rows.push_back(judge("Moreau-Jean: first penetration over dt times the speed of the fall",
                              says("the penetration is of the same order of the time-step"),
                              first_penetration(plain) / fall_depth(kStep), between(0.5, 1.5)));
  report.rows.push_back(judge("Moreau-Jean: first penetration [m]", independent("2.7e-4", kOther),
                              first_penetration(plain), within(0.02, 2.7e-4)));
  report.rows.push_back(judge("Moreau-Jean: end of the first impact [s]", independent("0.046", kOther),
                              plain.first_impact, between(0.0459, 0.0461)));
  report.rows.push_back(
      judge("Moreau-Jean: largest penetration over the thickness of the ring",
            says("up to losing the contact when the pendulum reaches the external boundary of the ring"),
            -smallest(gap(plain)) / kThickness, at_least(1.0)));
  report.rows.push_back(
      judge("Moreau-Jean, W(q_1): largest penetration over the thickness of the ring",
            says("up to losing the contact when the pendulum reaches the external boundary of the ring"),
            -smallest(gap(implicit)) / kThickness, at_least(1.0), [&] {
              return Explanation::setting("W(q_0)", {{-smallest(gap(plain)) / kThickness, at_least(1.0)}});
            }));
  report.rows.push_back(judge("Moreau-Jean: the thickness is passed at [s]", independent("1.31", kOther),
                              sunk_by(plain, kThickness), within(0.02, 1.31)));
  report.rows.push_back(judge("Moreau-Jean, dt 1e-3: the thickness is passed at [s]", independent("0.66", kOther),
                              sunk_by(run("moreau_jean", from_start(), 1e-3, 2.0), kThickness), within(0.03, 0.66)));
  report.rows.push_back(judge("Moreau-Jean, dt 1e-4: the thickness is passed at [s]", independent("7.1", kOther),
                              sunk_by(run("moreau_jean", from_start(), 1e-4), kThickness), within(0.03, 7.1)));
  const double halves[2] = {-gap(plain)[plain.t.size() / 2], -gap(plain).back()};
  report.rows.push_back(judge("Moreau-Jean: penetration after 10 s over that after 5 s",
                              says("drift increases as the contact point oscillates"), halves[1] / halves[0],
                              at_least(1.5)));

  report.picture = {"Gap between hook and ring, dt 5e-4 s (Acary 2012, figure 20)", {}, 2};
  const auto panel = [&](const std::string& title, const Trace& trace, const std::vector<double>& y) {
    report.picture.panels.push_back(
        {title,
         {"time [s]"},
         {"gap [mm]"},
         {{"", trace.t, scaled(y, 1e3)}, published_level("outer boundary", -1e3 * kThickness, 0.0, kEnd)}});
  };
  panel("Moreau-Jean, from the inner wall", plain, gap(plain));
  const std::vector<double> nearer = to_nearer_boundary(gap(plain));
  panel("Moreau-Jean, from the nearer boundary", plain, nearer);
  report.rows.push_back(judge("Moreau-Jean: gap from the nearer boundary, deepest over half the thickness",
                              says("decreasing in a first period and then increasing again"),
                              -2.0 * smallest(nearer) / kThickness, within(0.02, 1.0)));

  struct Projected {
    const char *title, *scheme;
    SchemeParameters parameters;
  };
  for (const Projected& p : {Projected{"direct projection", "projection_direct", from_start(direct_free())},
                             Projected{"combined scheme", "projection_combined", from_start(combined())}}) {
    const Trace trace = run(p.scheme, p.parameters, kStep);
    const std::string name = p.title;
    report.rows.push_back(judge(name + ": largest penetration [m]",
                                says("the penetration is kept less than the machine precision"),
                                std::max(0.0, -smallest(gap(trace))), at_most(1e-12)));
    report.rows.push_back(judge(name + ": largest gap in the last 9 s over that of the start",
                                says("no loss of contacts"), largest_within(trace.t, gap(trace), 1.0, kEnd) / 1e-2,
                                at_most(1e-4)));
    report.rows.push_back(judge(name + ": largest angle of the rod [rad]", independent("0.516", kOther),
                                largest_absolute(trace.q[kRodAngle]), within(0.01, 0.516)));
    panel(name, trace, gap(trace));
    report.tables.push_back(
        {p.scheme, {{"t [s]", trace.t}, {"gap [m]", gap(trace)}, {"rod angle [rad]", trace.q[kRodAngle]}}});
  }
  report.tables.push_back(
      {"moreau_jean", {{"t [s]", plain.t}, {"gap [m]", gap(plain)}, {"rod angle [rad]", plain.q[kRodAngle]}}});
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction acary_2012_fig_20() {
  return {"acary-2012-fig-20", "a pendulum sinks through its ring, or does not", kPublication, run_fig_20};
}

}  // namespace reproduce_entries

}  // namespace carom::inline study
