// carom report: one self-contained page of one run, or of several to compare.
#include <fmt/format.h>

#include <filesystem>

#include "carom/io/quantity_text.h"
#include "carom/io/report/page.h"
#include "command.h"
#include "json_line.h"
#include "safe_output.h"

namespace carom::cli {
namespace {

struct Options {
  std::vector<std::string> results;
  std::string out;
  bool force = false, json = false;
};

ExitCode run_report(const Options& options) {
  const std::string out = options.out.empty()
                              ? std::filesystem::path(options.results.front()).replace_extension(".html").string()
                              : options.out;
  const Page page = report_page(options.results);
  write_page(page, out, options.force ? Replace::anything : Replace::ours);
  const auto bytes = static_cast<double>(std::filesystem::file_size(out));
  if (options.json) {
    print_json_line({{"event", "report"}, {"file", out}, {"file_bytes", bytes}, {"runs", options.results}});
  } else {
    say("wrote  {} ({})    open it in any browser\n", out, bytes_text(bytes));
    for (const auto& run : page.runs)
      for (const auto& note : run["notes"])
        say("note   {}: {}\n", run["label"].get<std::string>(), note.get<std::string>());
  }
  return ExitCode::fine;
}

}  // namespace

void add_report(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("report", "Make one HTML page of a result, or of several to compare");
  command->footer(R"(
Examples:
  carom report slider_crank.h5                      slider_crank.html: 3-D view, plots, tables
  carom report coarse.h5 fine.h5 -o both.html       two runs with one clock, differences drawn)");
  command->add_option("result", options->results, "Result files of carom run")->required();
  command->add_option("-o,--out", options->out, "The page (default: name of the first result, .html)");
  command->add_flag("--force", options->force, "Replace the output even if it is no page of carom");
  command->add_flag("--json", options->json, "One JSON object");
  command->callback([options, &code] { code = run_report(*options); });
}

}  // namespace carom::cli
