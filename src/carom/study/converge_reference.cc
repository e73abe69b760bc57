#include "carom/study/converge_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace carom::inline study {

namespace {

// How many points sample the size of an exact motion.
constexpr int size_samples = 2000;
// A reference run is stored at this many times at least, and at both ends of every step whose change of
// velocity differs from that of the step before by more than `jump` of the size of the velocity.
constexpr double stored_times = 2e5;
constexpr double jump = 1e-6;

// Stored points of a run, and what lies between two of them. Where the motion is smooth: positions on the cubic
// through both points with their velocities, velocities on the cubic through the four nearest points (not on the
// derivative of the former: it would carry the rounding of positions, divided by a short time). In a step with a
// jump: velocities on the line, positions on the parabola through the first point, its velocity and the second.
class StoredRun : public Recorder {
 public:
  StoredRun(const Vector& weights, double spacing) : weights_(weights), spacing_(spacing) {}

  void begin(const System& system, const State& start) override {
    system_ = &system;
    start_ = start.q;
    store(start);
  }
  void step(const System& system, const StepView& view) override {
    const State& next = view.result.next;
    d_ = next.v - view.before.v;
    if (change_.size() == 0) change_ = d_;
    const bool sudden = (d_ - change_).cwiseProduct(weights_).norm() > jump * velocity_size;
    change_ = d_;
    if (sudden && times_.back() < view.before.t) store(view.before);
    if (sudden) jumps_.push_back(times_.size());
    if (sudden || next.t - times_.back() >= spacing_) store(next);
    system.difference(start_, next.q, d_);
    position_size = std::max(position_size, d_.cwiseProduct(weights_).norm());
    velocity_size = std::max(velocity_size, next.v.cwiseProduct(weights_).norm());
  }
  void end(const System&, const State& last) override {
    if (times_.back() < last.t) store(last);
  }

  void at(double t, Vector& q, Vector& v) const {
    const auto after = std::upper_bound(times_.begin() + 1, times_.end() - 1, t);
    const std::size_t i = static_cast<std::size_t>(after - times_.begin()) - 1;
    const double dt = times_[i + 1] - times_[i];
    const double s = std::clamp((t - times_[i]) / dt, 0.0, 1.0);
    Vector d;
    system_->difference(q_[i], q_[i + 1], d);
    if (jumps(i + 1)) {
      v = (1.0 - s) * v_[i] + s * v_[i + 1];
      // d(s) = s dt v_i + s^2 (d(1) - dt v_i)
      d = s * (1.0 - s) * dt * v_[i] + s * s * d;
    } else {
      // d(s) = s dt v_i + s^2 a + s^3 b with d(1) and d'(1) = dt v_{i+1}
      const Vector a = 3.0 * d - dt * (2.0 * v_[i] + v_[i + 1]), b = dt * (v_[i] + v_[i + 1]) - 2.0 * d;
      d = s * dt * v_[i] + s * s * a + s * s * s * b;
      interpolate_velocity(i, t, v);
    }
    system_->move(q_[i], d, q);
  }

  const std::vector<double>& times() const { return times_; }
  const Vector& velocity(std::size_t i) const { return v_[i]; }
  double position_size = 0, velocity_size = 0;

 private:
  // Whether a step with a jump ends at this point.
  bool jumps(std::size_t point) const { return std::binary_search(jumps_.begin(), jumps_.end(), point); }

  // Between points i and i + 1, through up to four points that no jump separates.
  void interpolate_velocity(std::size_t i, double t, Vector& v) const {
    const std::size_t first = i > 0 && !jumps(i) ? i - 1 : i;
    const std::size_t last = i + 2 < times_.size() && !jumps(i + 2) ? i + 2 : i + 1;
    v = Vector::Zero(v_[i].size());
    for (std::size_t k = first; k <= last; ++k) {
      double weight = 1.0;
      for (std::size_t j = first; j <= last; ++j)
        if (j != k) weight *= (t - times_[j]) / (times_[k] - times_[j]);
      v += weight * v_[k];
    }
  }

  void store(const State& state) {
    times_.push_back(state.t);
    q_.push_back(state.q);
    v_.push_back(state.v);
    velocity_size = std::max(velocity_size, state.v.cwiseProduct(weights_).norm());
  }

  const Vector weights_;
  double spacing_;
  const System* system_ = nullptr;
  Vector start_, d_, change_;
  std::vector<double> times_;
  std::vector<std::size_t> jumps_;  // the points at which a step with a jump ends
  std::vector<Vector> q_, v_;
};

}  // namespace

StudyReference exact_reference(const Scenario& scenario, const State& start, double t_end, const Vector& weights) {
  const Model& model = scenario.model;
  StudyReference reference;
  reference.description = "exact solution";
  reference.exact = true;
  Motion& motion = reference.motion;
  motion.at = model.exact;
  Vector q, v, d;
  for (int i = 0; i <= size_samples; ++i) {
    model.exact(start.t + (t_end - start.t) * i / size_samples, q, v);
    model.system->difference(start.q, q, d);
    motion.position_size = std::max(motion.position_size, d.cwiseProduct(weights).norm());
    motion.velocity_size = std::max(motion.velocity_size, v.cwiseProduct(weights).norm());
  }
  motion.velocity =
      graph_of([&](double t, Vector& u) { model.exact(t, q, u); }, t_end, motion.velocity_size, weights, 1e-9, start.t);
  return reference;
}

ReachedState run_to(const Scenario& scenario, const std::string& scheme, double dt, double t,
                    const std::atomic<bool>* interrupt) {
  SimulationOptions options = simulation_options(scenario);
  options.dt = dt;
  options.t_end = t;
  options.audit = false;
  options.interrupt = interrupt;
  const SimulationSummary summary = simulate(*scenario.model.system, *make_scheme(scenario, scheme),
                                             *make_solver(scenario), scenario.model.initial, options);
  ReachedState reached;
  if (summary.outcome != Outcome::finished)
    reached.trouble = fmt::format("{} with step {:.3g} s: {}", scheme, dt, summary.advice);
  reached.state.t = t;
  reached.state.q = summary.last.q;
  reached.state.v = summary.last.v;
  return reached;
}

StudyReference run_reference(const Scenario& scenario, const State& start, const std::string& scheme, double dt,
                             double t_end, const Vector& weights, const std::atomic<bool>* interrupt) {
  SimulationOptions options = simulation_options(scenario);
  options.dt = dt;
  options.t_end = t_end;
  options.grid_origin = start.t;
  options.audit = false;
  options.interrupt = interrupt;
  const auto run = std::make_shared<StoredRun>(weights, (t_end - start.t) / stored_times);
  const SimulationSummary summary = simulate(*scenario.model.system, *make_scheme(scenario, scheme),
                                             *make_solver(scenario), start, options, run.get());
  StudyReference reference;
  reference.description = fmt::format("{} with step {:.3g} s", scheme, dt);
  reference.complete = summary.outcome == Outcome::finished;
  if (!reference.complete) {
    reference.description += ": " + summary.advice;
    return reference;
  }
  Motion& motion = reference.motion;
  motion.position_size = run->position_size;
  motion.velocity_size = run->velocity_size;
  motion.at = [run, system = scenario.model.system](double t, Vector& q, Vector& v) { run->at(t, q, v); };
  motion.velocity = FilledGraph(t_end - start.t, motion.velocity_size, weights);
  for (std::size_t i = 0; i < run->times().size(); ++i) motion.velocity.add(run->times()[i], run->velocity(i));
  return reference;
}

}  // namespace carom::inline study
