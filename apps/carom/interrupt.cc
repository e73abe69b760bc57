#include "interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string_view>

#include "carom/io/committed_file.h"
#include "json_line.h"
#include "safe_output.h"

namespace carom::cli {

namespace {

std::atomic<bool> interrupted = false;
std::atomic<bool> orderly = false;
std::atomic<int> first_signal = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);  // for the handler

// Handlers may call little else.
void write_now(std::string_view text) {
  const ssize_t ignored = write(STDERR_FILENO, text.data(), text.size());
  static_cast<void>(ignored);
}

// A pipe nobody reads and a terminal that is gone take nothing any more; what is printed further goes nowhere, so
// that the command can end in its own way.
void leave_lost_streams() {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    pollfd state{stream, POLLOUT, 0};
    if (poll(&state, 1, 0) <= 0 || !(state.revents & (POLLERR | POLLHUP | POLLNVAL))) continue;
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0) continue;
    dup2(nowhere, stream);
    close(nowhere);
  }
}

[[noreturn]] void end_now() {
  remove_part_files();
  _exit(static_cast<int>(interrupted_exit()));
}

extern "C" void on_signal(int signal) {
  const int saved = errno;
  if (interrupted.exchange(true)) {
    if (signal != SIGPIPE) end_now();
    leave_lost_streams();
  } else {
    first_signal = signal;
    if (signal == SIGPIPE || signal == SIGHUP) leave_lost_streams();
    if (!orderly) {
      if (signal != SIGPIPE) write_now("interrupted\n");
      end_now();
    }
    alarm(1);
  }
  errno = saved;
}

extern "C" void on_alarm(int) {
  const int saved = errno;
  write_now("interrupted: the run ends as soon as the step it computes is done; once more ends it at once\n");
  errno = saved;
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction old = {}, action = {};
  if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler == SIG_IGN && signal != SIGPIPE) return;
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

void watch_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) handle(signal, on_signal);
  handle(SIGALRM, on_alarm);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is told as an error of the write
}

const std::atomic<bool>& interrupt_flag() { return interrupted; }

ExitCode interrupted_exit() { return first_signal == SIGPIPE ? ExitCode::lost_reader : ExitCode::interrupted; }

ExitCode say_interrupted(const std::string& scheme, std::size_t done, std::size_t of, bool json) {
  if (json) print_json_line({{"event", "interrupted"}, {"scheme", scheme}, {"finished", done}, {"of", of}});
  say(stderr, "interrupted in {}: {} of {} schemes are finished and kept\n", scheme, done, of);
  return interrupted_exit();
}

OrderlyEnd::OrderlyEnd() { orderly = true; }
OrderlyEnd::~OrderlyEnd() {
  orderly = false;
  alarm(0);
}

}  // namespace carom::cli
