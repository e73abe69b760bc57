#include "carom/io/trial_read.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <exception>
#include <fstream>

namespace carom::inline io {

namespace {

constexpr rlim_t kSeconds = 20;
constexpr rlim_t kBytes = rlim_t{4} << 30;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

void limit(int what, rlim_t most) {
  rlimit now{};
  if (getrlimit(static_cast<__rlimit_resource_t>(what), &now) != 0) return;
  now.rlim_cur = std::min(most, now.rlim_max);
  setrlimit(static_cast<__rlimit_resource_t>(what), &now);
}

rlim_t address_space_now() {
  std::ifstream statistics("/proc/self/statm");
  rlim_t pages = 0;
  statistics >> pages;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

[[noreturn]] void run_in_child(const std::function<void()>& work) {
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(number, SIG_DFL);
  const int nowhere = open("/dev/null", O_WRONLY);  // a dying library need not talk
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, kSeconds);
  if (!kSanitized) limit(RLIMIT_AS, address_space_now() + kBytes);  // sanitizers map far more than they use
  try {
    work();
  } catch (const std::exception&) {
    // it came to an end
  }
  _exit(0);  // nothing buffered is written twice, no exit handler runs
}

}  // namespace

bool survives(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child < 0) return true;
  if (child == 0) run_in_child(work);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace carom::inline io
