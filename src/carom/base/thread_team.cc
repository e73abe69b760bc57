#include "carom/base/thread_team.h"

namespace carom::inline base {

namespace {

// Before sleeping: some microseconds, then while others want to run. Where others take the processor of the thread that
// is waited for, looking on takes this one too: on a machine with more to do than processors a barrier cost 26 us.
constexpr int looks = 200, yields = 200;

inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

ThreadTeam::ThreadTeam(int count) : count_(count) {
  for (int k = 1; k < count; ++k)
    threads_.emplace_back([this, k] {
      for (;;) {
        barrier();
        if (job_ == nullptr) return;
        (*job_)(k);
        barrier();
      }
    });
}

ThreadTeam::~ThreadTeam() {
  job_ = nullptr;
  barrier();
}

void ThreadTeam::run(const std::function<void(int)>& job) {
  job_ = &job;
  barrier();
  job(0);
  barrier();
}

void ThreadTeam::barrier() {
  if (count_ == 1) return;
  const unsigned generation = generation_.load(std::memory_order_acquire);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == count_) {
    arrived_.store(0, std::memory_order_relaxed);
    generation_.store(generation + 1, std::memory_order_release);
    generation_.notify_all();
    return;
  }
  for (int k = 0; k < looks; ++k) {
    if (generation_.load(std::memory_order_acquire) != generation) return;
    pause();
  }
  for (int k = 0; k < yields; ++k) {
    if (generation_.load(std::memory_order_acquire) != generation) return;
    std::this_thread::yield();
  }
  while (generation_.load(std::memory_order_acquire) == generation) generation_.wait(generation);
}

}  // namespace carom::inline base
