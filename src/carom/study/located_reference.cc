#include "carom/study/located_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace carom::inline study {

namespace {

// A moment before an event, as a part of the spacing: there the velocity has not jumped yet. Not too short a moment, or
// a slow contact is within the gap that counts as closed, and its impact is over.
constexpr double just_before = 1e-3;

class LocatedRun : public Recorder {
 public:
  LocatedRun(const Scenario& scenario, const std::string& scheme, const Vector& weights)
      : system_(scenario.model.system),
        scheme_(make_scheme(scenario, scheme)),
        solver_(make_solver(scenario)),
        weights_(weights) {}

  const Scheme& scheme() const { return *scheme_; }
  const InclusionSolver& solver() const { return *solver_; }

  void begin(const System&, const State& start) override { store(start); }
  void step(const System& system, const StepView& view) override {
    events_.emplace_back();
    for (const StepEvent& event : view.result.events)
      if (events_.back().empty() || events_.back().back() != event.t) events_.back().push_back(event.t);
    store(view.result.next);
    system.difference(states_.front().q, view.result.next.q, d_);
    position_size = std::max(position_size, d_.cwiseProduct(weights_).norm());
  }

  void at(double t, Vector& q, Vector& v) {
    const auto after = std::upper_bound(states_.begin() + 1, states_.end() - 1, t,
                                        [](double time, const State& s) { return time < s.t; });
    const std::size_t i = static_cast<std::size_t>(after - states_.begin()) - 1;
    const State &a = states_[i], &b = states_[i + 1];
    if (t <= a.t || t >= b.t || !events_[i].empty()) return compute(t >= b.t ? b : a, t, q, v);
    // Hermite's cubic in the increment from a, s in (0, 1).
    const double dt = b.t - a.t, s = (t - a.t) / dt;
    system_->difference(a.q, b.q, d_);
    const double h01 = s * s * (3.0 - 2.0 * s), h10 = s * (1.0 - s) * (1.0 - s), h11 = -s * s * (1.0 - s);
    v = (6.0 * s * (1.0 - s) / dt) * d_ + (1.0 - s) * (1.0 - 3.0 * s) * a.v + s * (3.0 * s - 2.0) * b.v;
    d_ = h01 * d_ + dt * (h10 * a.v + h11 * b.v);
    system_->move(a.q, d_, q);
  }

  // Velocities at stored points and on both sides of every event, in order of time.
  std::vector<std::pair<double, Vector>> velocities() {
    std::vector<std::pair<double, Vector>> points;
    Vector q, v;
    const auto add = [&](double t, const Vector& velocity) {
      points.emplace_back(t, velocity);
      velocity_size = std::max(velocity_size, velocity.cwiseProduct(weights_).norm());
    };
    add(states_[0].t, states_[0].v);
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const double moment = just_before * (states_[i + 1].t - states_[i].t);
      for (const double event : events_[i])
        for (const double t : {event - moment, event}) {
          if (t <= points.back().first) continue;
          compute(states_[i], t, q, v);
          add(t, v);
        }
      add(states_[i + 1].t, states_[i + 1].v);
    }
    return points;
  }

  double position_size = 0, velocity_size = 0;

 private:
  void store(const State& state) { states_.push_back(state); }

  void compute(const State& from, double t, Vector& q, Vector& v) {
    if (t <= from.t) {
      q = from.q;
      v = from.v;
      return;
    }
    scheme_->step(*system_, *solver_, from, t - from.t, workspace_, result_);
    q = result_.next.q;
    v = result_.next.v;
  }

  std::shared_ptr<const System> system_;
  std::unique_ptr<Scheme> scheme_;
  std::unique_ptr<InclusionSolver> solver_;
  Vector weights_, d_;
  std::vector<State> states_;
  std::vector<std::vector<double>> events_;  // times of events between states_[i] and the next
  StepWorkspace workspace_;
  StepResult result_;
};

}  // namespace

StudyReference located_reference(const Scenario& scenario, const State& start, const std::string& scheme,
                                 double spacing, double t_end, const Vector& weights,
                                 const std::atomic<bool>* interrupt) {
  SimulationOptions options = simulation_options(scenario);
  options.dt = spacing;
  options.t_end = t_end;
  options.grid_origin = start.t;
  options.audit = false;
  options.interrupt = interrupt;
  const auto run = std::make_shared<LocatedRun>(scenario, scheme, weights);
  const SimulationSummary summary =
      simulate(*scenario.model.system, run->scheme(), run->solver(), start, options, run.get());
  StudyReference reference;
  reference.description = fmt::format("{} ({} events located)", scheme, summary.events.size());
  reference.complete = summary.outcome == Outcome::finished;
  if (!reference.complete) {
    reference.description += ": " + summary.advice;
    return reference;
  }
  Motion& motion = reference.motion;
  motion.position_size = run->position_size;
  const auto velocities = run->velocities();
  motion.velocity_size = run->velocity_size;
  motion.at = [run](double t, Vector& q, Vector& v) { run->at(t, q, v); };
  motion.velocity = FilledGraph(t_end - start.t, motion.velocity_size, weights);
  for (const auto& [t, v] : velocities) motion.velocity.add(t, v);
  return reference;
}

}  // namespace carom::inline study
