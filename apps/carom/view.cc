// carom view: makes the page of a result, or of the start of a model, and opens it.
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "carom/io/report/page.h"
#include "command.h"
#include "open_page.h"
#include "safe_output.h"
#include "scenario_arguments.h"

namespace carom::cli {
namespace {

struct Options {
  ScenarioArguments scenario;
  bool keep_closed = false;
  std::string out;
};

// HDF5 files begin with these eight bytes.
bool is_result(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char start[8] = {};
  return file.read(start, 8) && std::string(start, 8) == "\x89HDF\r\n\x1a\n";
}

// A page to look at is no result: it goes where temporary files go, under a name of its own.
std::string temporary_page(const std::string& model) {
  const auto folder = std::filesystem::temp_directory_path();
  std::string pattern = (folder / ("carom-" + std::filesystem::path(model).stem().string() + "-XXXXXX.html")).string();
  const int descriptor = mkstemps(pattern.data(), 5);
  if (descriptor < 0)
    throw std::system_error(errno, std::generic_category(), "cannot write in '" + folder.string() + "'");
  close(descriptor);
  return pattern;
}

ExitCode run_view(const Options& options) {
  const std::string& what = options.scenario.model;
  const Page page = is_result(what) ? report_page({what}) : pose_page(load(options.scenario));
  const std::string out = options.out.empty() ? temporary_page(what) : options.out;
  write_page(page, out, options.out.empty() ? Replace::anything : Replace::ours);
  if (options.keep_closed || !open_page(out))
    say("wrote  {}    open it in any browser\n", out);
  else
    say("opened {}\n", out);
  return ExitCode::fine;
}

}  // namespace

void add_view(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("view", "Look at a result, or at the start of a model, in the browser");
  command->footer(R"(
Examples:
  carom view slider_crank.h5                    the page of carom report, opened
  carom view scenarios/dominoes.toml            the model as it stands before it runs)");
  add_scenario_arguments(*command, options->scenario);
  command->add_option("-o,--out", options->out, "Write the page here (default: a temporary file)");
  command->add_flag("--no-open", options->keep_closed, "Write the page, but start no browser");
  command->callback([options, &code] { code = run_view(*options); });
}

}  // namespace carom::cli
