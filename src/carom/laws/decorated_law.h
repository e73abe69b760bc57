// A law that is another one but for what a subclass says.
#pragma once

#include <memory>

#include "carom/laws/law.h"

namespace carom::inline laws {

class DecoratedLaw : public Law {
 public:
  LawKind kind() const override { return of().kind(); }
  const ContactParameters* contact() const override { return of().contact(); }
  ContactState state(const double* lambda, const double* xi) const override { return of().state(lambda, xi); }
  void project(const double* x, double* y) const override { of().project(x, y); }
  void project_derivative(const double* x, double* D) const override { of().project_derivative(x, D); }
  void impact_shift(const double* gamma_minus, double* shift) const override { of().impact_shift(gamma_minus, shift); }
  bool solve_local(const double* G, const double* c, double* lambda) const override {
    return of().solve_local(G, c, lambda);
  }

 protected:
  explicit DecoratedLaw(Index dim) : Law(dim) {}
  virtual const Law& of() const = 0;
};

}  // namespace carom::inline laws
