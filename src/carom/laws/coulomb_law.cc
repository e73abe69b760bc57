#include "carom/laws/coulomb_law.h"

#include "carom/laws/contact_law.h"

namespace carom {

template <Index TangentialRows>
CoulombLaw<TangentialRows>::CoulombLaw(double restitution, double friction, double tangential_restitution)
    : e_(restitution), mu_(friction), e_T_(tangential_restitution) {
  check(ContactParameters{restitution, friction, tangential_restitution});
}

template class CoulombLaw<1>;
template class CoulombLaw<2>;

}  // namespace carom
