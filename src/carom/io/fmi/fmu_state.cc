#include "carom/io/fmi/fmu_state.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "carom/io/checkpoint_file.h"
#include "carom/io/hdf5_file.h"

namespace carom::inline io {

namespace {

namespace fs = std::filesystem;

// HDF5 wants a file: one in a folder that is gone with this object.
class PassingFile {
 public:
  PassingFile() : folder_((fs::temp_directory_path() / "carom-state-XXXXXX").string()) {
    if (!mkdtemp(folder_.data()))
      throw std::system_error(errno, std::generic_category(), "no temporary folder can be made");
  }
  ~PassingFile() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  PassingFile(const PassingFile&) = delete;
  PassingFile& operator=(const PassingFile&) = delete;
  std::string path() const { return folder_ + "/state.h5"; }

 private:
  std::string folder_;
};

}  // namespace

std::string fmu_state_bytes(const FmuState& state) {
  const PassingFile passing;
  {
    Hdf5File file = Hdf5File::create(passing.path());
    write_checkpoint(file, "/checkpoint", state.run.run);
    file.set_attribute("/checkpoint", "guid", state.guid);
    file.set_attribute("/checkpoint", "phase", std::int64_t{state.phase});
    file.write("/values", state.values.data(), state.values.size());
    std::vector<std::string> formulas;
    for (const auto& [formula, output] : state.run.outputs) {
      const std::string place = fmt::format("/output/{}", formulas.size());
      std::vector<double> numbers = {output.value, output.fresh ? 1.0 : 0.0};
      numbers.insert(numbers.end(), output.memory.begin(), output.memory.end());
      file.write(place, numbers.data(), numbers.size());
      formulas.push_back(formula);
    }
    file.write_texts("/formula", formulas);
    file.commit();
  }
  std::ostringstream bytes;
  bytes << std::ifstream(passing.path(), std::ios::binary).rdbuf();
  return bytes.str();
}

FmuState fmu_state_from(const std::string& bytes) {
  const PassingFile passing;
  std::ofstream(passing.path(), std::ios::binary) << bytes;
  const Hdf5File file = Hdf5File::open(passing.path());
  FmuState state;
  state.run.run = read_checkpoint(file, "/checkpoint");
  state.guid = file.text_attribute("/checkpoint", "guid");
  state.phase = static_cast<int>(file.number_attribute("/checkpoint", "phase"));
  state.values = file.read("/values");
  const std::vector<std::string> formulas = file.read_texts("/formula");
  for (std::size_t k = 0; k < formulas.size(); ++k) {
    const std::vector<double> numbers = file.read(fmt::format("/output/{}", k));
    if (numbers.size() < 2)
      throw std::system_error(std::make_error_code(std::errc::io_error), "the state of an output is not whole");
    state.run.outputs[formulas[k]] = {{numbers.begin() + 2, numbers.end()}, numbers[0], numbers[1] != 0.0};
  }
  return state;
}

}  // namespace carom::inline io
