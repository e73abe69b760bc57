#include "carom/study/sweep_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

namespace carom {

using Json = nlohmann::json;

std::string content_hash(const std::string& text) {
  std::uint64_t a = 0xcbf29ce484222325, b = 0x84222325cbf29ce4;
  for (const char c : text) {
    a = (a ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    b = (b * 0x100000001b3) ^ static_cast<unsigned char>(c);
  }
  return fmt::format("{:016x}{:016x}", a, b);
}

SweepJournal::SweepJournal(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  const auto refuse = [&](int error, const std::string& why) {
    throw std::system_error(error, std::generic_category(), fmt::format("the journal '{}' {}", path_, why));
  };
  descriptor_ = open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) refuse(errno, "cannot be written");
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    close(descriptor_);
    refuse(error, "is being written by another sweep");
  }
  std::ifstream file(path_);
  std::string line;
  bool whole = true;
  while (std::getline(file, line)) {
    whole = !file.eof();
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded() || !json.is_object() || !json.contains("run")) continue;
    lines_[json["run"].get<std::string>()] = line;
  }
  if (!whole && write(descriptor_, "\n", 1) != 1) refuse(errno, "cannot be written");  // a line that a kill cut off
}

SweepJournal::~SweepJournal() {
  if (descriptor_ >= 0) close(descriptor_);
}

const std::string* SweepJournal::find(const std::string& run) const {
  const auto it = lines_.find(run);
  return it == lines_.end() ? nullptr : &it->second;
}

void SweepJournal::add(const std::string& run, const std::string& line) {
  lines_[run] = line;
  if (descriptor_ < 0) return;
  const std::string whole = line + "\n";
  if (write(descriptor_, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size()))
    throw std::system_error(errno == 0 ? ENOSPC : errno, std::generic_category(),
                            fmt::format("cannot write '{}'", path_));
}

}  // namespace carom
