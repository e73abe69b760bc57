#include "carom/study/workers.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

namespace carom::inline study {

ThreadWorkers::ThreadWorkers(std::size_t count)
    : count_(count > 0 ? count : std::max(1u, std::thread::hardware_concurrency())) {}

void ThreadWorkers::run(const std::vector<std::size_t>& tasks, const Work& work, const Done& done,
                        const std::atomic<bool>* interrupt) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> broken = false;
  std::mutex mutex;
  std::exception_ptr trouble;
  const auto loop = [&] {
    while (!broken && !(interrupt && *interrupt)) {
      const std::size_t k = next++;
      if (k >= tasks.size()) return;
      try {
        const std::string answer = work(tasks[k]);
        const std::lock_guard lock(mutex);
        if (!answer.empty()) done(tasks[k], answer);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!trouble) trouble = std::current_exception();
        broken = true;
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < std::min(count_, tasks.size()); ++i) threads.emplace_back(loop);
    loop();
  }
  if (trouble) std::rethrow_exception(trouble);
}

}  // namespace carom::inline study
