// The law of a contact's expansion (poisson_law.h): its own, but for a normal impulse that is at least `least`,
//
//     y = project((max(least, x_N), x_T))
#pragma once

#include <algorithm>

#include "carom/laws/decorated_law.h"

namespace carom::inline laws {

class ExpansionLaw final : public DecoratedLaw {
 public:
  ExpansionLaw(const Law& law, double least) : DecoratedLaw(law.dim()), law_(&law), least_(least) {}

  LawKind kind() const override { return LawKind::other; }
  void project(const double* x, double* y) const override;
  void project_derivative(const double* x, double* D) const override;
  bool solve_local(const double* G, const double* c, double* lambda) const override;

 private:
  const Law& of() const override { return *law_; }

  const Law* law_;
  double least_;
};

}  // namespace carom::inline laws
