// xi = 0, lambda free: joints. C = R^n, so project is the identity.
#pragma once

#include "carom/laws/law.h"

namespace carom::inline laws {

class BilateralLaw final : public Law {
 public:
  // Throws LogicError unless 1 <= rows <= max_dim.
  explicit BilateralLaw(Index rows);

  LawKind kind() const override { return LawKind::bilateral; }
  ContactState state(const double*, const double*) const override { return ContactState::stick; }
  void project(const double* x, double* y) const override;
  void project_derivative(const double* x, double* D) const override;
  // A joint does not bounce: shift = 0.
  void impact_shift(const double* gamma_minus, double* shift) const override;
  // G lambda = -c. Redundant rows (singular G) get the solution of least norm.
  bool solve_local(const double* G, const double* c, double* lambda) const override;
};

}  // namespace carom::inline laws
