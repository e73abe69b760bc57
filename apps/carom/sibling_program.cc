#include "sibling_program.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

namespace carom::cli {

void become_sibling(const std::string& name) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string other = (here.parent_path() / name).string();
  if (error || access(other.c_str(), X_OK) != 0) return;
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(other.c_str(), arguments.data());
}

void add_command_of_sibling(CLI::App& app, const std::string& name, const std::string& text,
                            const std::string& program) {
  CLI::App* command = app.add_subcommand(name, text);
  command->allow_extras();
  command->callback([name, program] {
    throw std::system_error(
        ENOENT, std::generic_category(),
        program + ", the program of this command, is not beside this one (./carom " + name + " builds it)");
  });
}

}  // namespace carom::cli
