// How far a computed motion is from a reference.
//
// Coordinates have different units, so they are weighed by the inertia at the start, which makes one
// unit of them all (for a single mass of 1 kg it is the plain absolute value):
//
//   |x|^2 = sum_i M_ii(q_0) x_i^2
//
// Errors at the step ends t_k, with d the difference in velocity space (right for quaternions too):
//
//   position_max  = max_k |d(q(t_k), q_k)|        position_mean = (1/T) sum_k dt_k |d(q(t_k), q_k)|
//   velocity_mean = (1/T) sum_k dt_k |v_k - v(t_k)|
//   velocity_graph: the distance of the graphs of the velocities with their jumps filled in, norms_graph.h
//
// There is no maximum norm of velocities: an impact in another step than the reference's is an error of
// the size of the jump, however short the step.
#pragma once

#include <functional>

#include "carom/study/norms_graph.h"
#include "carom/system/system.h"

namespace carom::inline study {

// The weights of the norm above.
Vector kinetic_weights(const System& system, const State& start);

struct MotionErrors {
  double position_max = 0, position_mean = 0, velocity_mean = 0, velocity_graph = 0;
};

// The names and members of MotionErrors, for tables.
struct ErrorNorm {
  const char* name;   // "position_max"
  const char* title;  // "max |q|"
  double MotionErrors::*value;
  // Declared orders are stated in the maximum and mean of q and the mean of v. The graph distance is a supremum
  // over velocities: it must fall, but a burst of small impacts may make it fall more slowly.
  bool judged;
};
const std::vector<ErrorNorm>& error_norms();

// A motion to compare with: q and v at any time, and the filled graph of v.
struct Motion {
  std::function<void(double t, Vector& q, Vector& v)> at;
  FilledGraph velocity;
  double position_size = 0;  // largest |d(q(0), q(t))|: what an error of 100 % would be
  double velocity_size = 0;  // largest |v(t)|
};

// Sums up the errors of a run step by step.
class ErrorMeter {
 public:
  ErrorMeter(const System& system, const Motion& reference, const Vector& weights, double duration);
  void begin(const State& start);
  void step(const State& next, double dt_taken);
  MotionErrors finish() const;

 private:
  const System& system_;
  const Motion& reference_;
  const Vector& weights_;
  double duration_;
  double position_sum_ = 0, velocity_sum_ = 0, position_max_ = 0;
  FilledGraph graph_;
  Vector q_, v_, d_;
};

}  // namespace carom::inline study
