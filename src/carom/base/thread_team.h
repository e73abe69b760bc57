// A few threads that do one thing together, again and again, with barriers between its parts: what one sweep over a
// pile needs, some microseconds long. Who waits looks again for a while before it sleeps.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace carom::inline base {

class ThreadTeam {
 public:
  explicit ThreadTeam(int count);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int count() const { return count_; }
  // job(k) on thread k of all, the caller's among them as 0; back when all are done. The job must not throw.
  void run(const std::function<void(int)>& job);
  // Within a job: all wait for the last.
  void barrier();

 private:
  int count_;
  std::atomic<unsigned> generation_ = 0;
  std::atomic<int> arrived_ = 0;
  const std::function<void(int)>* job_ = nullptr;  // null: the end
  std::vector<std::jthread> threads_;
};

// The k-th of `parts` nearly equal parts of [begin, end).
struct Part {
  std::size_t begin, end;
};
inline Part part_of(std::size_t begin, std::size_t end, int k, int parts) {
  const std::size_t n = end - begin, i = static_cast<std::size_t>(k), m = static_cast<std::size_t>(parts);
  return {begin + n * i / m, begin + n * (i + 1) / m};
}

}  // namespace carom::inline base
