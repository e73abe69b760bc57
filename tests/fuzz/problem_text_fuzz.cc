// A stored problem as text, in any of its three storages.
#include <cstdint>
#include <string>

#include "carom/base/errors.h"
#include "carom/io/problem_parts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    carom::problem_parts::parse_text("fuzz.dat", std::string(data, data + size));
  } catch (const carom::InputError&) {
  }
  return 0;
}
