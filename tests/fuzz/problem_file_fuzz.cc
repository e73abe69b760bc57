// The bytes of a stored problem, as they may lie on a disk: through the door that every command uses.
#include <cstdint>
#include <fstream>

#include "carom/base/errors.h"
#include "carom/io/problem_file.h"
#include "fuzz/own_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path = own_file("problem");
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    carom::read_problem(path);
  } catch (const carom::InputError&) {
  }
  std::filesystem::remove(path);
  return 0;
}
