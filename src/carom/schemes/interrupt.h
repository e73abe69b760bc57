// A flag set from outside: the run is asked to end. Steps that may take long (locating events) look at it and fail at
// once; the driver then ends the run at its last good state. Kept in the step's workspace.
#pragma once

#include <atomic>

namespace carom::inline schemes {

struct Interrupt {
  const std::atomic<bool>* flag = nullptr;
  bool requested() const { return flag && flag->load(std::memory_order_relaxed); }
};

}  // namespace carom::inline schemes
