// Coulomb friction in space: rows N, T1, T2.
#pragma once

#include "carom/laws/coulomb_law.h"

namespace carom::inline laws {

class SpatialCoulombLaw final : public CoulombLaw<2> {
 public:
  explicit SpatialCoulombLaw(const ContactParameters& contact) : FrictionLaw(contact) {}
  SpatialCoulombLaw(double restitution, double friction, double tangential_restitution = 0.0)
      : SpatialCoulombLaw(ContactParameters{restitution, friction, tangential_restitution}) {}

  LawKind kind() const override { return LawKind::other; }
  bool solve_local(const double* G, const double* c, double* lambda) const override;
};

}  // namespace carom::inline laws
