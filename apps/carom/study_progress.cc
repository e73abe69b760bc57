#include "study_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "carom/base/one_line.h"
#include "safe_output.h"

namespace carom::cli {

namespace {

constexpr auto kTerminalInterval = std::chrono::milliseconds(500);
constexpr auto kLineInterval = std::chrono::seconds(10);

std::string duration(double seconds) {
  return seconds < 100.0 ? fmt::format("{:.0f} s", seconds)
                         : fmt::format("{:.0f} min {:02.0f} s", std::floor(seconds / 60.0), std::fmod(seconds, 60.0));
}

}  // namespace

StudyProgress::StudyProgress(std::string study, std::size_t total, bool quiet)
    : study_(std::move(study)), total_(total), terminal_(isatty(STDERR_FILENO) != 0) {
  if (!quiet) thread_ = std::thread([this] { watch(); });
}

StudyProgress::~StudyProgress() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  hide();
}

void StudyProgress::next(const std::string& run) {
  const std::lock_guard lock(mutex_);
  ++number_;
  run_ = run;
  run_begin_ = Clock::now();
}

void StudyProgress::hide() {
  const std::lock_guard lock(mutex_);
  if (drawn_) to_terminal(STDERR_FILENO, "\r\x1b[K");
  drawn_ = false;
}

void StudyProgress::watch() {
  std::unique_lock lock(mutex_);
  while (!done_) {
    if (wake_.wait_for(lock, terminal_ ? Clock::duration(kTerminalInterval) : Clock::duration(kLineInterval),
                       [this] { return done_; }))
      return;
    if (number_ > 0) show();
  }
}

// Runs that are finished tell how long the others take.
std::string StudyProgress::line() const {
  const auto seconds = [](Clock::duration d) { return std::chrono::duration<double>(d).count(); };
  const double elapsed = seconds(Clock::now() - begin_), finished = static_cast<double>(number_ - 1);
  std::string text = fmt::format("{}  {}", study_, one_line(run_));
  if (total_ > 0) text += fmt::format("  {} of {}", number_, total_);
  text += fmt::format("   {}", duration(elapsed));
  if (total_ >= number_ && finished > 0.0) {
    const double each = seconds(run_begin_ - begin_) / finished,
                 left = each * static_cast<double>(total_ - number_ + 1);
    text += fmt::format(", about {} left", duration(std::max(0.0, left - seconds(Clock::now() - run_begin_))));
  }
  return text;
}

void StudyProgress::show() {
  if (terminal_) {
    to_terminal(STDERR_FILENO, "\r" + line() + "\x1b[K");
    drawn_ = true;
  } else {
    say(stderr, "{}\n", line());
  }
}

}  // namespace carom::cli
