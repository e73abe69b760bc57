// A sound HDF5 file with the arrays of a stored problem made from any numbers: what is in them, how many there are, and
// which are missing. (Files whose bytes are damaged: problem_file_fuzz.cc.)
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>

#include "carom/base/errors.h"
#include "carom/io/hdf5_file.h"
#include "carom/io/problem_parts.h"
#include "fuzz/own_file.h"

namespace {

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  std::uint8_t byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  int small() { return static_cast<std::int8_t>(byte()); }
  int integer() { return byte() < 240 ? small() : small() << 24; }
  double number() {
    const std::uint8_t kind = byte();
    if (kind < 200) return 0.25 * small();
    if (kind == 200) return std::numeric_limits<double>::infinity();
    if (kind == 201) return std::numeric_limits<double>::quiet_NaN();
    double value = 0.0;
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits = bits << 8 | byte();
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  std::size_t count() { return std::min<std::size_t>(byte() % 24, left_ + 1); }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

void write_problem_arrays(const std::string& path, Bytes in) {
  carom::Hdf5File file = carom::Hdf5File::create(path);
  const unsigned missing = in.byte();  // one in 32 of the arrays
  unsigned number = 0;
  const auto there = [&] { return (number++ & 31u) != missing % 64u; };
  const auto integers = [&](const std::string& name, std::size_t n) {
    std::vector<int> values(n);
    for (int& value : values) value = in.integer();
    if (there()) file.write_integers(name, values);
  };
  const auto numbers = [&](const std::string& name, std::size_t n) {
    std::vector<double> values(n);
    for (double& value : values) value = in.number();
    if (there()) file.write(name, values.data(), values.size());
  };
  const auto matrix = [&](const std::string& name) {
    for (const char* size : {"/m", "/n", "/nz"}) integers(name + size, 1);
    integers(name + "/p", in.count());
    integers(name + "/i", in.count());
    numbers(name + "/x", in.count());
  };
  const bool local = in.byte() % 2 == 0;
  const std::string root = local ? "fclib_local" : "fclib_global";
  integers(root + "/spacedim", 1);
  numbers(root + "/vectors/mu", in.count());
  if (local) {
    matrix(root + "/W");
    numbers(root + "/vectors/q", in.count());
    if (in.byte() % 2) {
      constexpr const char* laws[] = {"bilateral", "unilateral", "planar_coulomb", "spatial_coulomb", "unknown", ""};
      std::vector<std::string> words(in.count());
      for (std::string& word : words) word = laws[in.byte() % 6];
      file.write_texts("carom/law", words);
      integers("carom/rows", in.count());
      numbers("carom/guess", in.count());
    }
  } else {
    for (const char* name : {"/M", "/H"}) matrix(root + name);
    if (in.byte() % 2) {
      matrix(root + "/G");
      numbers(root + "/vectors/b", in.count());
    }
    numbers(root + "/vectors/w", in.count());
    numbers(root + "/vectors/f", in.count());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path = own_file("arrays.h5");
  write_problem_arrays(path, Bytes(data, size));
  try {
    carom::problem_parts::read_hdf5_untried(path);
  } catch (const carom::InputError&) {
  }
  std::filesystem::remove(path);
  return 0;
}
