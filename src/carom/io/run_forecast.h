// What a run will cost, as far as it can be known before it starts.
#pragma once

#include "carom/io/scenario.h"

namespace carom::inline io {

// More steps than this are a slip of the pen: an hour of the smallest model, half a terabyte of its statistics.
// Counters and the grid of times are exact far beyond it.
inline constexpr double most_steps = 1e10;

struct RunForecast {
  double steps = 0.0;
  double samples = 0.0;
  double bytes = 0.0;          // of the result file, without its table of contacts
  double contacts = 0.0;       // near in the first step
  double contact_bytes = 0.0;  // of their table, if all of these stay closed
  double memory = 0.0;         // measures and expectations look at every step

  // Worth a word before it starts.
  bool large() const { return steps > 2e7 || bytes + contact_bytes > 1e9 || memory > 1e9; }
};

RunForecast forecast_run(const Scenario& scenario);

}  // namespace carom::inline io
