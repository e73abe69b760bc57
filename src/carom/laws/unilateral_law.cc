#include "carom/laws/unilateral_law.h"

#include "carom/laws/contact_law.h"

namespace carom::inline laws {

UnilateralLaw::UnilateralLaw(double restitution, ImpactLaw impact)
    : Law(1), contact_{.restitution = restitution, .impact = impact} {
  check(contact_);
}

}  // namespace carom::inline laws
