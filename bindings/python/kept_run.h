// A run in memory, with everything its arrays refer to. NumPy arrays are views of it and keep it alive.
#pragma once

#include <memory>

#include "carom/io/memory_recorder.h"
#include "carom/io/run_scenario.h"

namespace carom::python {

struct KeptRun {
  std::shared_ptr<const Scenario> scenario;
  std::unique_ptr<MemoryRecorder> memory;
  RunReport report;
};

}  // namespace carom::python
