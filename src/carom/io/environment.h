// What this build and this machine can do: `carom doctor`.
#pragma once

#include <string>
#include <vector>

namespace carom::inline io {

struct Ability {
  enum class State { fine, missing, broken };  // missing: something optional; broken: something is wrong
  std::string name;
  State state = State::fine;
  std::string detail;
  std::string remedy = {};
};

// Libraries and their versions, programs that are called, threads.
std::vector<Ability> abilities();
// Runs a bouncing ball in a temporary folder, reads its result, compares with the exact solution, makes its page.
Ability self_test();

}  // namespace carom::inline io
