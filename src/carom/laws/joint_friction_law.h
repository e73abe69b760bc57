// Dry friction in a joint: n rows that hold, of which the first `pressing` are forces, and one row along which the
// joint moves,
//
//     xi_i = 0,  lambda_i free  (i < n)
//    -xi_f in N_{[-mu |lambda_P|, mu |lambda_P|]}(lambda_f),      lambda_P the pressing rows
//
// As one map:  y_i = x_i,  y_f = clamp(x_f, mu |x_P|). The row of motion is a velocity at the rubbing surface: an
// angle's rate times its radius.
#pragma once

#include "carom/laws/law.h"

namespace carom::inline laws {

class JointFrictionLaw final : public Law {
 public:
  // Throws InputError unless mu >= 0, LogicError unless the rows fit.
  JointFrictionLaw(Index holding_rows, Index pressing_rows, double friction);

  LawKind kind() const override { return LawKind::other; }
  // Joints stick while friction along their motion is below its limit.
  ContactState state(const double* lambda, const double* xi) const override;
  double mu() const { return mu_; }
  void project(const double* x, double* y) const override;
  void project_derivative(const double* x, double* D) const override;
  // A joint does not bounce.
  void impact_shift(const double* gamma_minus, double* shift) const override;
  bool solve_local(const double* G, const double* c, double* lambda) const override;

 private:
  double reach(const double* x) const;

  Index pressing_;
  double mu_;
};

}  // namespace carom::inline laws
