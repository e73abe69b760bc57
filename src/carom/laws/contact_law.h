// The laws of contacts and joints, made from the two or three numbers a user gives.
#pragma once

#include <memory>

#include "carom/laws/law.h"

namespace carom {

// What friction of a patch that slides and spins can reach (contensou_law.h).
enum class SpinReservoir { ellipsoid, exact };

// What restitution is a ratio of: velocities before and after an impact, or impulses of its two phases (poisson_law.h).
enum class ImpactLaw { newton, poisson };

struct ContactParameters {
  double restitution = 0.0;             // e_N
  double friction = 0.0;                // mu
  double tangential_restitution = 0.0;  // e_T
  double spin_radius = 0.0;             // mean friction radius of the patch; 0: spinning meets no moment
  SpinReservoir spin_reservoir = SpinReservoir::ellipsoid;
  ImpactLaw impact = ImpactLaw::newton;  // of the normal direction

  bool has_two_phases() const { return impact == ImpactLaw::poisson && restitution > 0.0; }
};

// Throws InputError naming every value out of range: e and e_T within 0 and 1, mu and spin_radius >= 0.
void check(const ContactParameters& parameters);

enum class Space { planar, spatial };

// Without friction: unilateral, one row. With: Coulomb, two rows (planar) or three (spatial), four with a
// spin radius (in a plane there is no spin, and asking for it an InputError).
std::shared_ptr<const Law> make_contact_law(Space space, const ContactParameters& parameters);
// xi = 0 on `rows` rows.
std::shared_ptr<const Law> make_bilateral_law(Index rows);

}  // namespace carom
