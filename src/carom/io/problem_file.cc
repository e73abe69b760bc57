#include "carom/io/problem_file.h"

#include <algorithm>
#include <fstream>

#include "carom/base/errors.h"
#include "carom/io/input_file.h"
#include "carom/io/problem_parts.h"

namespace carom::inline io {

Index StoredProblem::contacts() const {
  return static_cast<Index>(std::count_if(laws.begin(), laws.end(), [](const auto& law) { return law->is_contact(); }));
}

StoredProblem read_problem(const std::filesystem::path& path) {
  check_input_file(path.string(), data_bytes, "expected an FCLib or carom problem (HDF5), or a .dat text problem");
  std::ifstream in(path, std::ios::binary);
  if (!in) problem_parts::fail(path, "cannot be opened");
  char start[4] = {};
  in.read(start, sizeof(start));
  const bool hdf5 = std::string_view(start, 4) == "\x89HDF";
  return hdf5 ? problem_parts::read_hdf5(path) : problem_parts::read_text(path);
}

void problem_parts::fail(const std::filesystem::path& path, const std::string& message, int line) {
  throw InputError({"E0601",
                    message,
                    {},
                    "expected an FCLib or carom problem (HDF5), or a .dat text problem",
                    path.string(),
                    line,
                    0,
                    {}});
}

}  // namespace carom::inline io
