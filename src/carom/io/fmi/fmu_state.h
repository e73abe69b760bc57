// The state of an FMU as bytes: an HDF5 file like the checkpoints of results (checkpoint_file.h), with the outputs.
#pragma once

#include <string>
#include <vector>

#include "carom/io/stepped_run.h"

namespace carom::inline io {

struct FmuState {
  std::string guid;
  int phase = 0;
  std::vector<double> values;
  SteppedCheckpoint run;
};

std::string fmu_state_bytes(const FmuState& state);
// std::system_error if the bytes are no such state.
FmuState fmu_state_from(const std::string& bytes);

}  // namespace carom::inline io
