// C = [a, b], a box of one dimension: Coulomb's reservoir in the plane, clutches, limits.
#pragma once

#include "carom/sets/box.h"

namespace carom::inline sets {

class Interval final : public Box {
 public:
  Interval(double lower, double upper) : Box({Bounds{lower, upper}}) {}
};

}  // namespace carom::inline sets
