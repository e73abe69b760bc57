// Coulomb friction in the plane: rows N, T.
#pragma once

#include "carom/laws/coulomb_law.h"

namespace carom::inline laws {

class PlanarCoulombLaw final : public CoulombLaw<1> {
 public:
  explicit PlanarCoulombLaw(const ContactParameters& contact) : FrictionLaw(contact) {}
  PlanarCoulombLaw(double restitution, double friction, double tangential_restitution = 0.0)
      : PlanarCoulombLaw(ContactParameters{restitution, friction, tangential_restitution}) {}

  LawKind kind() const override { return LawKind::planar_coulomb; }
  bool solve_local(const double* G, const double* c, double* lambda) const override;
};

}  // namespace carom::inline laws
