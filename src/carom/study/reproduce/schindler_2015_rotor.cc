// The rotor of section 6.2: how many steps are impacts, and what the half-explicit scheme with short impact steps costs
// against half-explicit Moreau-Jean. The publication shows no figure; its text has two numbers.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/model/flexible/rotor.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/published_run.h"
#include "carom/study/reproduce/schindler_2015.h"
#include "carom/study/reproduce/series.h"

namespace carom::inline study {

namespace {

using schindler_2015::kPublication;

constexpr double kStep = 5e-6, kEnd = 0.5;
constexpr double kClosed = 1e-8;  // m, gaps up to this are closed
constexpr double kSettled = 0.1;  // s

struct RotorRun {
  std::string title, scheme;
  double dt;
  // Samples.
  std::vector<double> t, y, z, speed;
  std::vector<double> impact_times;
  double deepest = 0, seconds = 0;

  // Of the steps; impact steps are short and come on top of the full ones.
  double impulsive_share(double until) const {
    const auto impacts = static_cast<double>(impact_times.size());
    return impacts / (impacts + until / dt);
  }
  // Of the journal's centre about the bearing's, in the sense in which the axle turns.
  double turns(double from) const {
    double angle = 0;
    for (std::size_t i = 1; i < t.size(); ++i)
      if (t[i] >= from) angle += std::atan2(y[i - 1] * z[i] - z[i - 1] * y[i], y[i - 1] * y[i] + z[i - 1] * z[i]);
    return angle / (2.0 * std::numbers::pi);
  }
  double mean_speed(double from) const {
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < t.size(); ++i)
      if (t[i] >= from) {
        sum += speed[i];
        ++count;
      }
    return sum / count;
  }
};

class JournalRecorder final : public Recorder {
 public:
  JournalRecorder(const RotorData& data, RotorRun& run)
      : data_(data),
        clearance_(data.bearing_radius - data.journal_radius),
        every_(std::max(1L, std::lround(2e-4 / run.dt))),
        run_(run) {}

  void step(const System&, const StepView& view) override {
    const State& state = view.result.next;
    const auto [y, z] = eccentricity(data_, state.q);
    run_.deepest = std::max(run_.deepest, std::hypot(y, z) - clearance_);
    if (view.result.impact) run_.impact_times.push_back(state.t);
    if (view.step % every_ != 0) return;
    run_.t.push_back(state.t);
    run_.y.push_back(y);
    run_.z.push_back(z);
    run_.speed.push_back(state.v[4]);
  }

 private:
  const RotorData& data_;
  double clearance_;
  long every_;
  RotorRun& run_;
};

RotorRun run_rotor(const Model& rotor, const RotorData& data, const std::string& title, const std::string& scheme,
                   double dt) {
  RotorRun run{title, scheme, dt, {}, {}, {}, {}, {}, 0, 0};
  JournalRecorder recorder(data, run);
  const SimulationSummary summary = summarize_run(
      {rotor, scheme, {{"activation_tolerance", kClosed / data.journal_radius}}, dt, kEnd}, false, &recorder);
  run.seconds = summary.step_seconds;
  return run;
}

double distance(const RotorRun& a, const RotorRun& b) {
  return std::hypot(a.y.back() - b.y.back(), a.z.back() - b.z.back()) / std::hypot(b.y.back(), b.z.back());
}

ReproductionReport run_rotor_section() {
  const RotorData data;
  const Model rotor = make_rotor(data, {.restitution = 0.0, .friction = 0.01});
  const RotorRun reduced = run_rotor(rotor, data, "short impact steps", "half_explicit_velocity_reduced", kStep);
  const RotorRun plain = run_rotor(rotor, data, "trapezoidal rule", "half_explicit_velocity", kStep);
  const RotorRun moreau = run_rotor(rotor, data, "Moreau-Jean", "moreau_jean_symplectic", kStep);
  const RotorRun fine = run_rotor(rotor, data, "Moreau-Jean, dt/10", "moreau_jean_symplectic", kStep / 10.0);

  ReproductionReport report;
  report.settings = {
      "5 beam elements, condensed fly-wheel with transverse inertia 3e-3 kg m^2, e 0, 0.5 s, dt 5e-6 s, "
      "gaps up to 1e-8 m closed; none of these but dt is printed",
      "the step of the Moreau-Jean run is not printed: dt/10 has the penetration of the short impact steps "
      "in the order of magnitude, dt the same step"};
  const char* const another = "another implementation";
  report.rows = {
      judge("share of impulsive steps [%]", printed("1.3"), 100.0 * reduced.impulsive_share(kEnd), within(0.1, 1.3),
            Confirmation{another, 0.32, 0.05}),
      judge("turns of the journal in its bearing from 0.1 s on", says("forward whirl phenomenon"),
            reduced.turns(kSettled), at_least(1.0),
            Confirmation{"another implementation: the journal rests", 0.0, 0.05}),
      judge("last impact [s]", own("impacts end while the journal settles"),
            reduced.impact_times.empty() ? NAN : reduced.impact_times.back(), at_most(kSettled)),
      judge("journal at the end, y [m]", independent("-3.7e-5", another), reduced.y.back(), within(0.01, -3.7e-5)),
      judge("journal at the end, z [m]", independent("-9.3e-5", another), reduced.z.back(), within(0.005, -9.3e-5)),
      judge("end state of the journal: short impact steps against trapezoidal rule, relative", own("the same rest"),
            distance(reduced, plain), at_most(1e-3)),
      judge("the same against Moreau-Jean with dt/10", own("the same rest"), distance(reduced, fine), at_most(1e-3)),
      judge("largest penetration, short impact steps [m]", own("the tolerance of 1e-8 m and a short step"),
            reduced.deepest, at_most(2.0 * kClosed)),
      judge("largest penetration, Moreau-Jean [m]", independent("2.5e-7", another), moreau.deepest,
            within(0.15, 2.5e-7)),
      judge("mean speed from 0.1 s on [rad/s]", independent("491", another), reduced.mean_speed(0.1),
            within(1e-3, 491.0))};
  report.notes = {
      fmt::format("computing time over that of Moreau-Jean with dt/10: {:.2f}, with dt: {:.2f} (published: 0.32, the "
                  "step of Moreau-Jean not printed)",
                  reduced.seconds / fine.seconds, reduced.seconds / moreau.seconds)};

  report.picture = {"Rotor (Schindler et al. 2015, section 6.2)", {}, 2};
  Panel orbit{"journal in its bearing", {"y [m]"}, {"z [m]"}, {}}, radius{"journal", {"time [s]"}, {"|e| [m]"}, {}};
  std::vector<double> circle_y, circle_z;
  const double clearance = data.bearing_radius - data.journal_radius;
  for (int k = 0; k <= 100; ++k) {
    circle_y.push_back(clearance * std::cos(0.02 * k * std::numbers::pi));
    circle_z.push_back(clearance * std::sin(0.02 * k * std::numbers::pi));
  }
  for (const RotorRun* run : {&reduced, &fine}) {
    orbit.curves.push_back({run->title, run->y, run->z});
    std::vector<double> size;
    for (std::size_t i = 0; i < run->t.size(); ++i) size.push_back(std::hypot(run->y[i], run->z[i]));
    radius.curves.push_back({run->title, run->t, size});
  }
  orbit.curves.push_back({"clearance", circle_y, circle_z, CurveStyle::dashed});
  Panel speed{"axle", {"time [s]"}, {"speed [rad/s]"}, {{"", reduced.t, reduced.speed}}};
  report.picture.panels = {orbit, radius, speed};
  for (const RotorRun* run : {&reduced, &plain, &moreau, &fine})
    report.tables.push_back(
        {run->title, {{"t [s]", run->t}, {"y [m]", run->y}, {"z [m]", run->z}, {"speed [rad/s]", run->speed}}});
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction schindler_2015_rotor() {
  return {"schindler-2015-rotor", "rotor: share of impulsive steps, cost against Moreau-Jean", kPublication,
          run_rotor_section};
}

}  // namespace reproduce_entries

}  // namespace carom::inline study
