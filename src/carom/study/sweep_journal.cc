#include "carom/study/sweep_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

namespace carom::inline study {

using Json = nlohmann::json;

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

}  // namespace carom::inline study
