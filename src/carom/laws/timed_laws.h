// Laws as the impulses of one problem obey them. Most sets are cones, the same for forces and for impulses. Bounds that
// are forces become bounds of impulses by the time the forces act in: the length of the step, 0 in a pure impact, 1
// where the unknowns are forces.
#pragma once

#include <deque>

#include "carom/laws/joint_friction_law.h"

namespace carom::inline laws {

class TimedLaws {
 public:
  void clear() { used_ = 0; }

  // The law itself, unless its bounds are forces: then one kept here, until clear().
  const Law* over(double duration, const Law* law) {
    if (!law->has_constant_bounds()) return law;
    const JointFrictionLaw timed = static_cast<const JointFrictionLaw*>(law)->over(duration);  // no other law has them
    if (used_ == laws_.size())
      laws_.push_back(timed);
    else
      laws_[used_] = timed;
    return &laws_[used_++];
  }

 private:
  std::deque<JointFrictionLaw> laws_;  // their addresses are handed out
  std::size_t used_ = 0;
};

}  // namespace carom::inline laws
