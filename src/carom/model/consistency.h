// Whether a start is consistent: contacts open or touching, joints closed and moving along.
#pragma once

#include <string>
#include <vector>

#include "carom/system/system.h"

namespace carom {

struct StartViolation {
  enum class Kind {
    penetration,     // a contact's gap is negative
    joint_position,  // a joint's g is not zero
    joint_velocity   // a joint's gamma is not zero
  };
  std::string constraint;
  Kind kind;
  double amount;   // gap, g or gamma: the value with its sign, of the worst row
  double allowed;  // its largest magnitude that would have been accepted
};

// Every constraint that `start` violates, in the system's order. A closing velocity at a closed contact is
// no violation: it is an impact.
std::vector<StartViolation> check_start(const System& system, const State& start);

// One sentence: "contact guide.c1 starts 2e-4 below zero gap".
std::string describe(const StartViolation& violation);

}  // namespace carom
