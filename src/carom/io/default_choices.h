// What a file leaves out and the model decides: the scheme and the step. Each choice is told with its reason
// (Scenario::choices).
#pragma once

#include "carom/io/scenario.h"

namespace carom::inline io {

inline constexpr const char* automatic_scheme = "automatic";

void make_choices(Scenario& scenario);

// Whether its joints may be taken at midpoints, which keeps their energy to order 2.
bool offers_midpoints(const SchemeEntry& scheme);

}  // namespace carom::inline io
