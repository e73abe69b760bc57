#include "carom/io/input_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "carom/base/errors.h"

namespace carom::inline io {

namespace {

[[noreturn]] void cannot_read(const std::string& path, const std::string& hint) {
  throw InputError({"E0101", fmt::format("cannot read '{}'", path), {}, hint, path, 0, 0, {}});
}

}  // namespace

void check_input_file(const std::string& path, std::uintmax_t most, const std::string& hint) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status) || std::filesystem::is_directory(status)) cannot_read(path, hint);
  if (!std::filesystem::is_regular_file(status))
    throw InputError({"E0113",
                      fmt::format("'{}' is a pipe or a device, not a file", path),
                      {},
                      "write what it would give into a file first",
                      path,
                      0,
                      0,
                      {}});
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) cannot_read(path, hint);
  if (size > most)
    throw InputError({"E0113",
                      fmt::format("'{}' has {} bytes, more than are read here", path, size),
                      {},
                      fmt::format("at most {} MiB", most >> 20),
                      path,
                      0,
                      0,
                      {}});
}

std::string read_input_file(const std::string& path, std::uintmax_t most, const std::string& hint) {
  check_input_file(path, most, hint);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) cannot_read(path, hint);
  // A file that grows meanwhile is cut: what was checked is what is read.
  std::string text(static_cast<std::size_t>(std::filesystem::file_size(path)), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (stream.bad()) cannot_read(path, hint);
  return text;
}

}  // namespace carom::inline io
