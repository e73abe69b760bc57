// Reading an input file as a whole: only regular files, and only as many bytes as a reader is made for. A pipe or
// a device may never end, and an endless file would only show when the memory is gone.
#pragma once

#include <cstdint>
#include <string>

namespace carom::inline io {

// Scenario files are written by people or small scripts; a node of the tree costs some hundred bytes.
inline constexpr std::uintmax_t scenario_bytes = std::uintmax_t{4} << 20;
// Matrices and stored problems may be large.
inline constexpr std::uintmax_t data_bytes = std::uintmax_t{1} << 30;

// Throws InputError: E0101 if there is no such file or it cannot be read (`hint` says what to do then), E0113 if it is
// no regular file or larger than `most`.
std::string read_input_file(const std::string& path, std::uintmax_t most, const std::string& hint);

// The same checks without reading.
void check_input_file(const std::string& path, std::uintmax_t most, const std::string& hint);

}  // namespace carom::inline io
