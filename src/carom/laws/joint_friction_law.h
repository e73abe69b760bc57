// Dry friction in a joint: n rows that hold, of which the first `pressing` are forces, and one row along which the
// joint moves,
//
//     xi_i = 0,  lambda_i free  (i < n)
//    -xi_f in N_{[-b, b]}(lambda_f),      b = mu |lambda_P| + s F,      lambda_P the pressing rows
//
// As one map:  y_i = x_i,  y_f = clamp(x_f, b(x)). The row of motion is a velocity at the rubbing surface: an
// angle's rate times its radius.
//
// F is a force: of a preload P of the joint, F = mu P, or of what rubs whatever the joint carries (a seal). An impulse
// that acts for the time s is bounded by s F; s is 0 unless `over` says otherwise, as in a pure impact. With no rows
// that hold, the friction of a coordinate by itself.
#pragma once

#include "carom/laws/law.h"

namespace carom::inline laws {

class JointFrictionLaw final : public Law {
 public:
  // Throws InputError unless mu >= 0 and F >= 0, LogicError unless the rows fit.
  JointFrictionLaw(Index holding_rows, Index pressing_rows, double friction, double constant = 0.0);

  // The same for impulses of forces that act this long.
  JointFrictionLaw over(double duration) const;

  LawKind kind() const override { return LawKind::other; }
  // Joints stick while friction along their motion is below its limit.
  ContactState state(const double* lambda, const double* xi) const override;
  double mu() const { return mu_; }
  double constant() const { return constant_; }
  void project(const double* x, double* y) const override;
  void project_derivative(const double* x, double* D) const override;
  // A joint does not bounce.
  void impact_shift(const double* gamma_minus, double* shift) const override;
  bool solve_local(const double* G, const double* c, double* lambda) const override;

 private:
  double pressed(const double* x) const;  // mu |x_P|
  double reach(const double* x) const { return pressed(x) + impulse_; }

  Index pressing_;
  double mu_;
  double constant_;       // F
  double impulse_ = 0.0;  // s F
};

}  // namespace carom::inline laws
