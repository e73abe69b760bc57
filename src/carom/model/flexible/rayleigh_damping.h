#pragma once

namespace carom {

// Viscous damping: of momentum (1/s) and of strain (s). On a straight beam at rest the damping matrix is
// mass_factor M + stiffness_factor K. The second part acts on strain rates, so a rigid motion feels none
// of it, however far it goes.
struct RayleighDamping {
  double mass_factor = 0.0;
  double stiffness_factor = 0.0;
};

}  // namespace carom
