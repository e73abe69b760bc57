// 0 <= xi _|_ lambda >= 0 on one row, with Newton's impact law xi = gamma_plus + e gamma_minus.
// C = [0, inf).
//
// One block alone, G > 0:   lambda = max(0, -c/G).
#pragma once

#include "carom/laws/law.h"
#include "carom/sets/half_line.h"

namespace carom::inline laws {

class UnilateralLaw final : public Law {
 public:
  explicit UnilateralLaw(double restitution, ImpactLaw impact = ImpactLaw::newton);

  LawKind kind() const override { return LawKind::unilateral; }
  const ContactParameters* contact() const override { return &contact_; }
  // Nothing resists sliding.
  ContactState state(const double* lambda, const double*) const override {
    return lambda[0] > 0.0 ? ContactState::slip : ContactState::open;
  }

  void project(const double* x, double* y) const override { y[0] = project_on_half_line(x[0]); }
  void project_derivative(const double* x, double* D) const override { D[0] = half_line_derivative(x[0]); }
  void impact_shift(const double* gamma_minus, double* shift) const override {
    shift[0] = contact_.restitution * gamma_minus[0];
  }
  bool solve_local(const double* G, const double* c, double* lambda) const override {
    lambda[0] = c[0] < 0.0 && G[0] > 0.0 ? -c[0] / G[0] : 0.0;
    return c[0] >= 0.0 || G[0] > 0.0;
  }

 private:
  ContactParameters contact_;
};

}  // namespace carom::inline laws
