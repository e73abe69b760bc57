// A zip archive as a value: names and bytes in, one string out. Deflated; without dates, so that the same files make
// the same archive.
#pragma once

#include <string>
#include <vector>

namespace carom::inline io {

struct ZipEntry {
  std::string name;  // with '/' between folders
  std::string bytes;
  bool executable = false;
};

// std::length_error beyond 4 GB or 65,535 files: the format without its extensions.
std::string zip_archive(const std::vector<ZipEntry>& entries);

}  // namespace carom::inline io
