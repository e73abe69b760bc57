// Makes a start consistent: positions that close the joints (and give named coordinates the values asked for),
// velocities that go along with them. The smallest change that does it, by Newton with a rank-revealing factorisation,
// so that redundant rows are no trouble.
#pragma once

#include <string>
#include <vector>

#include "carom/system/system.h"

namespace carom::model {

// What could not be brought to zero.
struct StartResidual {
  std::string constraint;
  double amount = 0.0;
};

struct StartReport {
  bool assembled = false, moving_along = false;
  int iterations = 0;
  Index rows = 0, rank = 0;         // of the bilateral rows at the result
  std::vector<StartResidual> open;  // constraints that stay open, the worst first
  bool closest = false;             // the state is the closest pose found: all others are closed
};

// Changes state.q and state.v. Only bilateral constraints count.
StartReport make_consistent(const System& system, State& state);

// Pushes contacts apart that overlap by up to `largest`, by the shortest motion that does it; joints stay closed.
// Whoever overlaps by more is left alone.
void push_apart(const System& system, double largest, State& state);

}  // namespace carom::model
