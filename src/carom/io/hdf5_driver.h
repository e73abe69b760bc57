// A driver for the HDF5 library that writes through a CommittedFile: the library may write its parts in any order,
// and yet only whole states of the file are ever seen.
#pragma once

#include <cstdint>

#include "carom/io/committed_file.h"

namespace carom::inline io {

// Makes the property list of file access (an hid_t) say that the file is `file`, which must outlive it.
void use_committed_file(std::int64_t access_list, CommittedFile& file);

}  // namespace carom::inline io
