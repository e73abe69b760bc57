// Figures 2 and 3: empirical orders on the bouncing ball and the impact oscillator, whose motions are
// known exactly, over jittered steps of three decades.
//
//   uniform  max_k |e_k|       l1  sum_k dt |e_k|       l2  sqrt(sum_k dt e_k^2)      e_k = q_k - q(t_k)
//
// Velocities jump, so their error is measured in l1 alone. Figure 3: the largest multiplier tau of the
// position projection of a run; with a Euclidean metric it is the correction itself.
//
// The publication shows the Paoli-Schatzman, Moreau-Jean and direct schemes in norms of the position. Slopes hold a
// scheme to its order; errors at one step hold them to another implementation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/study/jitter.h"
#include "carom/study/norms_fit.h"
#include "carom/study/reproduce/acary_2012.h"
#include "carom/study/reproduce/judge.h"

namespace carom::inline study {

namespace {

using namespace acary_2012;

constexpr double kCoarsest = 1e-2, kFinest = 1e-5;
constexpr int kSteps = 25;

class ErrorRecorder final : public Recorder {
 public:
  explicit ErrorRecorder(const Model& model) : model_(model) {}

  void step(const System&, const StepView& view) override {
    const State& next = view.result.next;
    const double dt = view.result.dt_taken;
    model_.exact(next.t, q_, v_);
    const double e = (next.q - q_).norm();
    uniform = std::max(uniform, e);
    l1 += dt * e;
    l2_squared += dt * e * e;
    velocity_l1 += dt * (next.v - v_).norm();
    tau = std::max(tau, view.result.largest_position_multiplier);
  }

  double uniform = 0, l1 = 0, l2_squared = 0, velocity_l1 = 0, tau = 0;

 private:
  const Model& model_;
  Vector q_, v_;
};

// One scheme over all steps.
struct Series {
  std::vector<double> steps, uniform, l1, l2, velocity_l1, tau;
};

Series measure(const Model& model, const std::string& scheme, const SchemeParameters& parameters, double t_end) {
  Series series;
  for (const double dt : jittered_steps(kCoarsest, kFinest, kSteps)) {
    ErrorRecorder recorder(model);
    summarize_run({model, scheme, parameters, dt, t_end}, false, &recorder);
    series.steps.push_back(dt);
    series.uniform.push_back(recorder.uniform);
    series.l1.push_back(recorder.l1);
    series.l2.push_back(std::sqrt(recorder.l2_squared));
    series.velocity_l1.push_back(recorder.velocity_l1);
    series.tau.push_back(recorder.tau);
  }
  return series;
}

double slope(const std::vector<double>& steps, const std::vector<double>& errors) {
  return fit_order(steps, errors, std::vector<double>(steps.size(), 0.0)).order;
}

struct Example {
  std::string name;
  Model model;
  double t_end;
  Model raised;  // for single steps that divide the time of the first landing
};
std::vector<Example> examples() {
  return {{"ball", bouncing_ball(0.5), 4.0, bouncing_ball(0.5, kRaised)},
          {"oscillator", impact_oscillator(), 3.0, impact_oscillator()}};
}

struct SchemeRun {
  std::string title, scheme;
  SchemeParameters parameters;
  double ball_error, oscillator_error;  // uniform norm at dt 1e-4, of another implementation
};
std::vector<SchemeRun> scheme_runs() {
  return {{"Schatzman-Paoli", "schatzman_paoli", {}, 2.0e-4, 1.5e-3},
          {"Moreau-Jean", "moreau_jean", moreau_jean(), 4.5e-4, 1.7e-3},
          {"direct projection", "projection_direct", direct_explicit(0.0), 3.0e-4, 8.9e-4},
          {"combined projection", "projection_combined", combined(), 1.0e-4, 3.0e-4}};
}

// What the publication says of a scheme's order in a norm of the position; of velocities and the combined scheme it
// says nothing.
Expected expected_order(const SchemeRun& run, bool position) {
  if (run.scheme == "projection_combined" || !position) return derived("1 (first order across impacts)");
  return says("follows the order of the Moreau", "order 1");
}

double uniform_error(const Model& model, const SchemeRun& run, double dt, double t_end) {
  ErrorRecorder recorder(model);
  summarize_run({model, run.scheme, run.parameters, dt, t_end}, false, &recorder);
  return recorder.uniform;
}

struct Norm {
  const char* name;
  std::vector<double> Series::*values;
};
constexpr Norm kNorms[] = {{"position, uniform norm", &Series::uniform},
                           {"position, l1 norm", &Series::l1},
                           {"position, l2 norm", &Series::l2},
                           {"velocity, l1 norm", &Series::velocity_l1}};

Panel step_panel(const std::string& title, const std::string& y_label) {
  Panel panel;
  panel.title = title;
  panel.x = {"time step [s]", true, 0.8 * kFinest, 1.25 * kCoarsest};
  panel.y = {y_label, true};
  return panel;
}

// A line of slope 1 for the eye, below the data.
Curve first_order_line(double height) {
  return {"slope 1", {kFinest, kCoarsest}, {height * kFinest / kCoarsest, height}, CurveStyle::dashed, 6};
}

const char* const kSettings =
    "theta 1/2; Moreau-Jean and direct projection with the forecast g_0; ball e 1/2, T 4 s; oscillator m 1, "
    "k 4 pi^2, c 1/2, e 0.8, T 3 s (its data are not printed)";

ReproductionReport run_fig_2() {
  ReproductionReport report;
  report.settings = {kSettings, fmt::format("{} jittered steps from {:g} to {:g} s", kSteps, kCoarsest, kFinest)};
  std::vector<std::vector<Panel>> by_norm(std::size(kNorms));
  for (const Example& example : examples()) {
    CsvTable table{example.name, {{"dt [s]", jittered_steps(kCoarsest, kFinest, kSteps)}}};
    std::vector<Panel> panels;
    for (const Norm& norm : kNorms) panels.push_back(step_panel(example.name + ": " + norm.name, "error"));
    for (const SchemeRun& run : scheme_runs()) {
      const Series series = measure(example.model, run.scheme, run.parameters, example.t_end);
      for (std::size_t n = 0; n < std::size(kNorms); ++n) {
        const std::vector<double>& errors = series.*kNorms[n].values;
        panels[n].curves.push_back({run.title, series.steps, errors, CurveStyle::line_points});
        table.columns.push_back({run.scheme + ": " + kNorms[n].name, errors});
        report.rows.push_back(judge(fmt::format("{}, {}, {}: slope", example.name, run.title, kNorms[n].name),
                                    expected_order(run, n < 3), slope(series.steps, errors), between(0.85, 1.15)));
      }
      const double other = example.name == "ball" ? run.ball_error : run.oscillator_error;
      report.rows.push_back(
          judge(fmt::format("{}, {}: largest error of the position at dt 1e-4 s [m]", example.name, run.title),
                independent(fmt::format("{:.1e}", other), "another implementation"),
                uniform_error(example.raised, run, 1e-4, example.t_end), within(0.06, other)));
    }
    for (std::size_t n = 0; n < panels.size(); ++n) {
      double top = 0;
      for (const Curve& curve : panels[n].curves) top = std::max(top, curve.y.front());
      panels[n].curves.push_back(first_order_line(0.02 * top));
      by_norm[n].push_back(panels[n]);
    }
    report.tables.push_back(table);
  }
  report.picture = {"Order of convergence (Acary 2012, figure 2)", {}, 2};  // a row per norm
  for (const std::vector<Panel>& row : by_norm)
    report.picture.panels.insert(report.picture.panels.end(), row.begin(), row.end());
  return report;
}

ReproductionReport run_fig_3() {
  ReproductionReport report;
  report.settings = {kSettings, fmt::format("{} jittered steps from {:g} to {:g} s", kSteps, kCoarsest, kFinest)};
  report.picture = {"Multiplier of the position projection (Acary 2012, figure 3)", {}, 2};
  for (const Example& example : examples()) {
    const SchemeRun run = scheme_runs()[2];
    const Series series = measure(example.model, run.scheme, run.parameters, example.t_end);
    double largest_ratio = 0;
    for (std::size_t i = 0; i < series.steps.size(); ++i)
      largest_ratio = std::max(largest_ratio, series.tau[i] / series.steps[i]);
    // At single steps it scatters with the phase of the impacts in them. The raised ball is found one step late: it has
    // then fallen by (1 + dt)^2 from 1 m. The oscillator's are of another implementation.
    const bool ball = example.name == "ball";
    constexpr double oscillator_tau[] = {3.9e-2, 2.7e-3, 3.7e-4, 1.6e-5};
    for (std::size_t i = 0; i < std::size(oscillator_tau); ++i) {
      const double dt = std::pow(10.0, -2.0 - static_cast<double>(i));
      const double tau = ball ? 2.0 * dt + dt * dt : oscillator_tau[i];
      ErrorRecorder recorder(example.raised);
      summarize_run({example.raised, run.scheme, run.parameters, dt, example.t_end}, false, &recorder);
      report.rows.push_back(judge(fmt::format("{}: largest tau at dt {:.0e} s [m]", example.name, dt),
                                  ball ? derived(fmt::format("{:.5g} = 2 dt + dt^2", tau))
                                       : independent(fmt::format("{:.1e}", tau), "another implementation"),
                                  recorder.tau, within(ball ? 1e-3 : 0.06, tau)));
    }
    // A step moves the mass by at most dt |v| into the floor: tau <= dt max |v|.
    Trace trace = trace_run({example.model, run.scheme, run.parameters, kCoarsest, example.t_end});
    double fastest = 0;
    for (const double v : trace.v[0]) fastest = std::max(fastest, std::abs(v));
    report.rows.push_back(judge(example.name + ": slope of tau over dt", says("is of order", "first order in the step"),
                                slope(series.steps, series.tau), between(0.85, 1.15)));
    report.rows.push_back(judge(example.name + ": largest tau / dt over the largest speed", derived("<= 1"),
                                largest_ratio / fastest, between(0.1, 1.0)));
    report.tables.push_back({example.name, {{"dt [s]", series.steps}, {"largest tau [m]", series.tau}}});
    Panel panel = step_panel(example.name, "largest tau [m]");
    panel.curves = {{"direct projection", series.steps, series.tau, CurveStyle::line_points},
                    first_order_line(0.02 * series.tau.front())};
    report.picture.panels.push_back(panel);
  }
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction acary_2012_fig_2() {
  return {"acary-2012-fig-2", "orders of four schemes on the ball and the oscillator", kPublication, run_fig_2};
}
Reproduction acary_2012_fig_3() {
  return {"acary-2012-fig-3", "the projection's multiplier is of the order of the step", kPublication, run_fig_3};
}

}  // namespace reproduce_entries

}  // namespace carom::inline study
