// Writing a text as a whole.
#pragma once

#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>

namespace carom::cli {

// Throws std::system_error if the file cannot be written.
inline void write_text_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::system_error(errno, std::generic_category(), "cannot write " + path);
}

}  // namespace carom::cli
