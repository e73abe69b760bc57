// A Matrix Market file.
#include <cstdint>
#include <string>

#include "carom/base/errors.h"
#include "carom/io/matrix_market.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    carom::parse_matrix_market("fuzz.mtx", std::string(data, data + size));
  } catch (const carom::InputError&) {
  }
  return 0;
}
