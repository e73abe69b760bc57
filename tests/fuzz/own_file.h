// A file of this process alone, for readers that want one.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

inline std::string own_file(const std::string& name) {
  return (std::filesystem::temp_directory_path() / ("carom_" + std::to_string(getpid()) + "_" + name)).string();
}
