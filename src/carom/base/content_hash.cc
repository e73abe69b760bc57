#include "carom/base/content_hash.h"

#include <fmt/format.h>

#include <cstdint>

namespace carom::inline base {

std::string content_hash(const std::string& text) {
  std::uint64_t a = 0xcbf29ce484222325, b = 0x84222325cbf29ce4;
  for (const char c : text) {
    a = (a ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    b = (b * 0x100000001b3) ^ static_cast<unsigned char>(c);
  }
  return fmt::format("{:016x}{:016x}", a, b);
}

}  // namespace carom::inline base
