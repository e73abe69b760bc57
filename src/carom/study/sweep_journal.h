// What a sweep has done, one JSON line a run: {"run": hash, ...}. A line is written by one call at the end of the file,
// so that a kill leaves whole lines and at most one broken one, which counts for nothing. Of two lines for one run the
// last one holds.
#pragma once

#include <map>
#include <string>

namespace carom::inline study {

class SweepJournal {
 public:
  // Empty path: nothing is kept. std::system_error if it cannot be read or written, or is no such file.
  explicit SweepJournal(std::string path);
  ~SweepJournal();
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  const std::string* find(const std::string& run) const;
  void add(const std::string& run, const std::string& line);

 private:
  std::string path_;
  int descriptor_ = -1;
  std::map<std::string, std::string> lines_;
};

}  // namespace carom::inline study
