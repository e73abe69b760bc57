#include "open_page.h"

#include <spawn.h>
#include <sys/wait.h>

#include <string>

extern char** environ;

namespace carom::cli {

bool open_page(const std::string& path) {
  std::string program = "xdg-open", argument = path;
  char* words[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, words, environ) != 0) return false;
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace carom::cli
