// The parameters the generalized-alpha schemes share.
#pragma once

#include "carom/base/parameters.h"

namespace carom::inline schemes::alpha {

inline ParameterSpec spectral_radius_spec() {
  return {"spectral_radius", 0.9,
          "of the recursion at infinite frequency: 1 keeps all vibrations, 0 removes the fast ones in a step", 0.0,
          1.0};
}
inline ParameterSpec newton_tolerance_spec() {
  return {"newton_tolerance", 1e-10, "largest relative error of the equations of a step", 0.0};
}

}  // namespace carom::inline schemes::alpha
