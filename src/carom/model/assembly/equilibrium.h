// Where a model rests: forces and reactions balance, joints are closed, contacts push and are not entered,
//
//   h(q, 0) + W lambda = 0      g = 0 of joints      0 <= g _|_ lambda >= 0 of contacts
//
// without friction, which any such rest allows. Followed as the end of a motion without inertia, M q' = h + W lambda,
// in linearly implicit steps of a time that grows as the forces fall (pseudo-transient continuation): it goes downhill,
// so that a pendulum hangs and does not stand, and ends like Newton's method. Matrices are dense: for mechanisms.
#pragma once

#include "carom/system/system.h"

namespace carom::model {

inline constexpr Index most_velocities_at_rest = 600;

struct EquilibriumReport {
  bool found = false;
  int iterations = 0;
  double unbalanced = 0.0;  // of the forces, relative to the largest that act
};

// Changes state.q; sets state.v to zero.
EquilibriumReport find_equilibrium(const System& system, State& state);

}  // namespace carom::model
