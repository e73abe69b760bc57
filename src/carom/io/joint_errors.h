// How far joints are open and how fast they open, over every row of every joint that holds positions.
#pragma once

#include "carom/system/system.h"

namespace carom::inline io {

class JointErrors {
 public:
  void look(const System& system, const State& state);
  double gap() const { return gap_; }    // largest |g|, rows of directions times the length of the joint, in m
  double rate() const { return rate_; }  // largest |W'v + chi|, in m/s

 private:
  double gap_ = 0.0, rate_ = 0.0;
  ContactSet contacts_;
  ActiveSet joints_;
  Evaluation at_;
  Buffer rates_;
};

}  // namespace carom::inline io
