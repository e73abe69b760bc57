#include "carom/study/norms.h"

#include <algorithm>
#include <cmath>

namespace carom::inline study {

Vector kinetic_weights(const System& system, const State& start) {
  Evaluation evaluation;
  const ContactSet no_contacts;
  ActiveSet none;
  none.reset(no_contacts);
  system.evaluate(start.t, start.q, start.v, Need::inertia, none, evaluation);
  const Index n = system.nv();
  Vector unit = Vector::Zero(n), column(n), weights(n);
  for (Index i = 0; i < n; ++i) {
    unit[i] = 1.0;
    column.setZero();
    evaluation.M.multiply_add(1.0, unit.data(), column.data());
    weights[i] = std::sqrt(column[i]);
    unit[i] = 0.0;
  }
  return weights;
}

const std::vector<ErrorNorm>& error_norms() {
  static const std::vector<ErrorNorm> norms = {
      {"position_max", "max |q|", &MotionErrors::position_max, true},
      {"position_mean", "mean |q|", &MotionErrors::position_mean, true},
      {"velocity_mean", "mean |v|", &MotionErrors::velocity_mean, true},
      {"velocity_graph", "graph v", &MotionErrors::velocity_graph, false},
  };
  return norms;
}

ErrorMeter::ErrorMeter(const System& system, const Motion& reference, const Vector& weights, double duration)
    : system_(system),
      reference_(reference),
      weights_(weights),
      duration_(duration),
      graph_(duration, reference.velocity_size, weights) {}

void ErrorMeter::begin(const State& start) { graph_.add(start.t, start.v); }

void ErrorMeter::step(const State& next, double dt_taken) {
  reference_.at(next.t, q_, v_);
  system_.difference(q_, next.q, d_);
  const double position = d_.cwiseProduct(weights_).norm();
  position_max_ = std::max(position_max_, position);
  position_sum_ += dt_taken * position;
  velocity_sum_ += dt_taken * (next.v - v_).cwiseProduct(weights_).norm();
  graph_.add(next.t, next.v);
}

MotionErrors ErrorMeter::finish() const {
  return {position_max_, position_sum_ / duration_, velocity_sum_ / duration_,
          hausdorff_distance(graph_, reference_.velocity) * reference_.velocity_size};
}

}  // namespace carom::inline study
