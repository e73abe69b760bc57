// Ctrl-C and its kin: SIGINT, SIGTERM, SIGHUP, and SIGPIPE when nobody reads the output any more.
//
// The first ends the command at once, or, where a command has something to bring to an end (OrderlyEnd), sets a flag
// that it looks at; if that takes more than a second, a line says so. A second signal ends the program whatever
// it does. Result files are whole in each of these cases (carom/io/committed_file.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

#include "command.h"

namespace carom::cli {

// Before any command. What the caller told us to ignore (nohup) stays ignored.
void watch_signals();

// Set by the first signal.
const std::atomic<bool>& interrupt_flag();

// 130, or 141 if the reader of our output went away.
ExitCode interrupted_exit();

// Of a command with several schemes: which one was cut short, and how many are done and were kept.
ExitCode say_interrupted(const std::string& scheme, std::size_t done, std::size_t of, bool json);

// While one exists, the command ends by itself soon after the flag is set.
class OrderlyEnd {
 public:
  OrderlyEnd();
  ~OrderlyEnd();
  OrderlyEnd(const OrderlyEnd&) = delete;
  OrderlyEnd& operator=(const OrderlyEnd&) = delete;
};

}  // namespace carom::cli
