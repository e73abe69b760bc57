// Smooth motion between two events, as an integrator sees it: differential variables first, algebraic ones behind,
//
//   x' = f_x(t, x, z)      0 = f_z(t, x, z)      y = (x, z)
//
// and guards, functions of the state that are positive as long as the motion is the one described.
#pragma once

#include <memory>
#include <vector>

#include "carom/base/types.h"

namespace carom::inline schemes::event_driven {

class SmoothProblem {
 public:
  virtual ~SmoothProblem() = default;
  virtual Index differential() const = 0;
  virtual Index algebraic() const = 0;
  Index size() const { return differential() + algebraic(); }
  // f = (f_x, f_z). False if the equations cannot be solved there.
  virtual bool rates(double t, const double* y, double* f) = 0;
  virtual Index guard_count() const = 0;
  virtual bool guards(double t, const double* y, double* values) = 0;
};

struct IntegratorOptions {
  double relative_tolerance = 1e-12;
  Vector absolute_tolerance;  // by variable
  double longest_step = 0.0;  // 0: no bound
  double first_step = 0.0;    // 0: chosen
  bool stiff = false;         // backward differences in place of Adams' formulas, where there is the choice
};

// One segment of smooth motion from (t, y) to `t_stop` at most.
class Integrator {
 public:
  enum class Outcome {
    stepped,  // one internal step further
    event,    // a guard fell through zero; t and y are those of the event
    end,      // t_stop
    failed
  };
  virtual ~Integrator() = default;
  virtual Outcome advance() = 0;
  // Between the previous and the present time.
  virtual void interpolate(double t, double* y) const = 0;
  virtual double last_step() const = 0;

  double t() const { return t_; }
  const double* y() const { return y_; }

 protected:
  double t_ = 0.0;
  double* y_ = nullptr;
};

// CVODE for problems without algebraic variables, IDA for those with.
std::unique_ptr<Integrator> make_cvode(SmoothProblem& problem, double t, const Vector& y, double t_stop,
                                       const IntegratorOptions& options);
std::unique_ptr<Integrator> make_ida(SmoothProblem& problem, double t, const Vector& y, double t_stop,
                                     const IntegratorOptions& options);

// A first step with which the error of a formula of order one, h^2 |y''| / 2, is well within the tolerance.
double first_step(SmoothProblem& problem, double t, const Vector& y, double t_stop, const IntegratorOptions& options);

}  // namespace carom::inline schemes::event_driven
