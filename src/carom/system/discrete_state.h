// Entries of q that change between steps, by what a step did: a joint that carried too much is broken from then on.
// They are part of the state, so that copies, checkpoints and restarts know of it. A driver tells the system what its
// joints carried after every step.
#pragma once

#include "carom/system/constraint.h"

namespace carom::inline system {

class DiscreteState {
 public:
  virtual ~DiscreteState() = default;

  // The impulse of a joint over a step of length dt, by its rows; changes entries of q, that of the end of the step.
  virtual void carried(const Constraint& joint, const double* impulse, double dt, Vector& q) const = 0;
};

}  // namespace carom::inline system
