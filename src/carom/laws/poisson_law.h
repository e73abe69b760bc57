// A contact with Poisson's impact law. An impact has two phases. Compression ends with the contact's law without
// restitution and leaves the impulse Lambda_c; expansion gives at least the share e of it back in the normal direction:
//
//   compression   gamma_c = gamma_minus + G Lambda_c              -gamma_c in N_C(Lambda_c)
//   expansion     gamma_plus = gamma_c + G Lambda_e               0 <= gamma_N+  _|_  Lambda_eN - e Lambda_cN >= 0,
//                                                                 friction bounded by mu Lambda_eN
//
// A contact that touches without approaching (gamma_N- = 0) and takes part in the compression is thrown apart too; with
// Newton's law it is not. Two phases do not fit into xi = gamma_plus + e gamma_minus: a scheme that treats them solves
// them itself (schemes/poisson_impact.h) and all others refuse the law.
#pragma once

#include "carom/laws/decorated_law.h"

namespace carom::inline laws {

class PoissonLaw final : public DecoratedLaw {
 public:
  // `compression`: the law of the same contact without restitution.
  PoissonLaw(const ContactParameters& contact, std::shared_ptr<const Law> compression)
      : DecoratedLaw(compression->dim()), contact_(contact), compression_(std::move(compression)) {}

  const ContactParameters* contact() const override { return &contact_; }

 private:
  const Law& of() const override { return *compression_; }

  ContactParameters contact_;
  std::shared_ptr<const Law> compression_;
};

}  // namespace carom::inline laws
