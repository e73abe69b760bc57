// Ctrl-C as a flag: the first asks for an end after this step, the second ends at once.
#pragma once

#include <atomic>

namespace carom::cli {

// Installs the handler; the flag is set by the first SIGINT or SIGTERM.
const std::atomic<bool>& interrupt_flag();

}  // namespace carom::cli
