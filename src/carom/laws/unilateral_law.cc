#include "carom/laws/unilateral_law.h"

#include "carom/laws/contact_law.h"

namespace carom::inline laws {

UnilateralLaw::UnilateralLaw(double restitution) : Law(1), contact_{.restitution = restitution} { check(contact_); }

}  // namespace carom::inline laws
