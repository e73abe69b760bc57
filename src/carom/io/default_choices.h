// What a file leaves out and the model decides: the scheme and the step. Each choice is told with its reason
// (Scenario::choices).
#pragma once

#include "carom/io/scenario.h"

namespace carom {

inline constexpr const char* automatic_scheme = "automatic";

void make_choices(Scenario& scenario);

}  // namespace carom
