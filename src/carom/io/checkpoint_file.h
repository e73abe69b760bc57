// A checkpoint in a result file: arrays of the state, and the books of the run as JSON with numbers that read back to
// the same bits.
#pragma once

#include <string>

#include "carom/io/hdf5_file.h"
#include "carom/simulation/checkpoint.h"

namespace carom::inline io {

void write_checkpoint(Hdf5File& file, const std::string& group, const Checkpoint& checkpoint);
// std::system_error if there is none, or the file was made by a release that kept no books.
Checkpoint read_checkpoint(const Hdf5File& file, const std::string& group);

// The checkpoint with the most steps; empty if there is none.
std::string newest_checkpoint(const Hdf5File& file);

}  // namespace carom::inline io
