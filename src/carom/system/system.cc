#include "carom/system/system.h"

#include <atomic>

namespace carom {

System::System() {
  static std::atomic<std::uint64_t> made{0};
  serial_ = ++made;
}

}  // namespace carom
