// The numbers a user gives for a contact.
#pragma once

namespace carom::inline laws {

// What friction of a patch that slides and spins can reach (contensou_law.h).
enum class SpinReservoir { ellipsoid, exact };

// What restitution is a ratio of: velocities before and after an impact, or impulses of its two phases (poisson_law.h).
// Passive is Newton's, with less of it in an impact that would bring in energy (schemes/passive_impact.h).
enum class ImpactLaw { newton, poisson, passive };

struct ContactParameters {
  double restitution = 0.0;             // e_N
  double friction = 0.0;                // mu
  double tangential_restitution = 0.0;  // e_T
  double spin_radius = 0.0;             // mean friction radius of the patch; 0: spinning meets no moment
  SpinReservoir spin_reservoir = SpinReservoir::ellipsoid;
  ImpactLaw impact = ImpactLaw::newton;  // of the normal direction

  bool has_two_phases() const { return impact == ImpactLaw::poisson && restitution > 0.0; }
  bool is_passive() const { return impact == ImpactLaw::passive && restitution > 0.0; }
};

}  // namespace carom::inline laws
