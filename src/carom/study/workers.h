// Tasks with numbers, done by as many workers as there are: threads here, ranks of MPI in a program that has them. An
// answer is a text, so that it can cross between processes. Which worker does what never changes an answer: tasks know
// nothing of each other.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace carom::inline study {

using Work = std::function<std::string(std::size_t task)>;                      // an empty answer: it was interrupted
using Done = std::function<void(std::size_t task, const std::string& answer)>;  // one at a time, in any order

class Workers {
 public:
  virtual ~Workers() = default;
  // Once the flag is set no task is begun; what `work` throws ends all and is thrown on.
  virtual void run(const std::vector<std::size_t>& tasks, const Work& work, const Done& done,
                   const std::atomic<bool>* interrupt) = 0;
  virtual std::size_t count() const = 0;
};

class ThreadWorkers final : public Workers {
 public:
  explicit ThreadWorkers(std::size_t count = 0);  // 0: one for each core
  void run(const std::vector<std::size_t>& tasks, const Work& work, const Done& done,
           const std::atomic<bool>* interrupt) override;
  std::size_t count() const override { return count_; }

 private:
  std::size_t count_;
};

}  // namespace carom::inline study
