// What a study shows on stderr while it works: which of its runs, how long it took so far, how long it will take. On a
// terminal one line that is overwritten, elsewhere one line every ten seconds; quick studies show nothing.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace carom::cli {

class StudyProgress {
 public:
  // `total`: of its runs; 0: not known.
  StudyProgress(std::string study, std::size_t total, bool quiet);
  ~StudyProgress();
  StudyProgress(const StudyProgress&) = delete;
  StudyProgress& operator=(const StudyProgress&) = delete;

  void next(const std::string& run);  // begins
  void hide();                        // before anything else is printed

 private:
  using Clock = std::chrono::steady_clock;
  void watch();
  void show();
  std::string line() const;

  const std::string study_;
  const std::size_t total_;
  const bool terminal_;
  std::size_t number_ = 0;
  std::string run_;
  bool drawn_ = false, done_ = false;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point run_begin_ = begin_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;  // runs of others cannot be asked how far they are
};

}  // namespace carom::cli
