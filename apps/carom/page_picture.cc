#include "page_picture.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "carom/base/errors.h"
#include "temporary_folder.h"

extern char** environ;

namespace carom::cli {
namespace {

constexpr std::array kBrowsers = {"chromium", "chromium-browser", "google-chrome", "chrome"};

constexpr auto kPatience = std::chrono::minutes(2);
constexpr int kNoSuchProgram = -1, kEnded = -2;

// Its exit code. What it prints is of no interest, and one that hangs is ended.
int run_quietly(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t silence;
  posix_spawn_file_actions_init(&silence);
  posix_spawn_file_actions_addopen(&silence, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&silence, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, pointers[0], &silence, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&silence);
  if (failed != 0) return kNoSuchProgram;
  int status = 0;
  pid_t ended = 0;
  const auto begin = std::chrono::steady_clock::now();
  bool hung = false;
  while ((ended = waitpid(child, &status, WNOHANG)) == 0) {
    hung = std::chrono::steady_clock::now() - begin > kPatience;
    if (hung) kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  if (hung) return kEnded;
  if (ended != child || !WIFEXITED(status)) return 1;
  return WEXITSTATUS(status) == 127 ? kNoSuchProgram : WEXITSTATUS(status);
}

}  // namespace

void draw_page(const PictureRequest& request) {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  const fs::path picture = fs::path(folder.path()) / "picture.png";
  for (const char* browser : kBrowsers) {
    const int code = run_quietly({browser, "--headless", "--no-sandbox", "--hide-scrollbars", "--use-angle=swiftshader",
                                  "--enable-unsafe-swiftshader", "--user-data-dir=" + folder.path() + "/profile",
                                  fmt::format("--window-size={},{}", request.width, request.height),
                                  "--virtual-time-budget=4000", "--screenshot=" + picture.string(),
                                  "file://" + fs::absolute(request.page).string() + "#" + request.fragment});
    if (code == kNoSuchProgram) continue;
    std::error_code failed;
    if (!fs::exists(picture) ||
        (fs::copy_file(picture, request.out, fs::copy_options::overwrite_existing, failed), failed))
      throw std::system_error(failed ? failed : std::make_error_code(std::errc::io_error),
                              fmt::format("no picture '{}' by {}{}", request.out, browser,
                                          code == kEnded ? ", which was ended after two minutes" : ""));
    return;
  }
  throw InputError({"E0111",
                    "a picture of a page needs a browser, and there is none",
                    {},
                    "apt-get install chromium",
                    {},
                    0,
                    0,
                    {}});
}

}  // namespace carom::cli
