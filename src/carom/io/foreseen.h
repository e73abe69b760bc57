// What a scheme and its step will do to a model, as far as the start shows it. Told before the run, each with a code.
#pragma once

#include <string>
#include <vector>

#include "carom/io/scenario.h"

namespace carom::inline io {

struct Foreseen {
  std::string key;  // of the file: what to change
  std::string code, message, hint;
};

// W0306: a step that moves a contact by more than its clearance; W0307: a scheme that will lose energy in joints;
// W0308: stiff forces and a scheme that is explicit in them.
std::vector<Foreseen> foresee(const Scenario& scenario);

}  // namespace carom::inline io
