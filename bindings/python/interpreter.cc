// carom-python: Debian's Python with the module _carom built in, and the package carom on its path. Everything else is
// as in python3.
#include <pybind11/embed.h>

#include <cstdlib>
#include <filesystem>
#include <string>

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  const fs::path built = here.parent_path() / "python", installed = here.parent_path() / "share/carom/python";
  const char* given = std::getenv("PYTHONPATH");
  const std::string path =
      (fs::exists(built) ? built : installed).string() + (given && *given ? std::string(":") + given : "");
  setenv("PYTHONPATH", path.c_str(), 1);
  return Py_BytesMain(argc, argv);
}
