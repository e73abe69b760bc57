#include "carom/laws/unilateral_law.h"

#include "carom/laws/contact_law.h"

namespace carom {

UnilateralLaw::UnilateralLaw(double restitution) : Law(1), e_(restitution) {
  check(ContactParameters{restitution, 0.0, 0.0});
}

}  // namespace carom
