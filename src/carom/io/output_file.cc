#include "carom/io/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <system_error>

#include "carom/io/committed_file.h"

namespace carom::inline io {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const std::string& path, std::errc code, const std::string& why) {
  throw std::system_error(std::make_error_code(code), "cannot write '" + path + "': " + why);
}

// Readers and writers lock what they have open, those that use the HDF5 library in any case.
bool in_use(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool busy = flock(descriptor, LOCK_EX | LOCK_NB) != 0;
  close(descriptor);
  return busy;
}

}  // namespace

void check_replaceable(const std::string& path, Replace replace, const std::string& what_is_ours,
                       const std::function<bool()>& ours) {
  const fs::path parent = fs::path(path).parent_path();
  if (!parent.empty() && !fs::is_directory(parent))
    refuse(path, std::errc::no_such_file_or_directory, "there is no such folder");
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return;
  if (!fs::is_regular_file(status)) refuse(path, std::errc::file_exists, "it is a folder, a device or the like");
  if (in_use(path))
    refuse(path, std::errc::device_or_resource_busy, "another program has it open; choose another name");
  if (replace == Replace::ours && !ours())
    refuse(path, std::errc::file_exists,
           "it exists and is no " + what_is_ours + "; choose another name with --out, or replace it with --force");
}

void write_text_file(const std::string& path, const std::string& text, Replace replace) {
  check_replaceable(path, replace, "table of this kind", [&] {
    std::ifstream file(path, std::ios::binary);
    std::string line(text.find('\n') + 1, '\0');  // nothing is ours if the text has no line
    return !line.empty() && file.read(line.data(), static_cast<std::streamsize>(line.size())) && text.starts_with(line);
  });
  CommittedFile file(path);
  file.write(0, text.data(), text.size());
  file.commit();
}

void check_pictures(const std::string& stem, bool table_was_there, Replace replace) {
  for (const char* ending : {".png", ".svg", ".pdf"})
    check_replaceable(stem + ending, replace, "picture of a table beside it", [&] { return table_was_there; });
}

bool leads_out(const std::string& folder, const std::string& path) {
  std::error_code error;
  const fs::path inside = fs::weakly_canonical(folder.empty() ? fs::path(".") : fs::path(folder), error);
  const fs::path whole = fs::weakly_canonical((folder.empty() ? fs::path(".") : fs::path(folder)) / path, error);
  const fs::path way = whole.lexically_relative(fs::absolute(inside, error));
  return error || way.empty() || *way.begin() == "..";
}

}  // namespace carom::inline io
