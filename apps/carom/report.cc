// carom report: one self-contained page of one run, or of several to compare.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "carom/base/errors.h"
#include "carom/base/units.h"
#include "carom/io/quantity_text.h"
#include "carom/io/report/page.h"
#include "command.h"
#include "json_line.h"
#include "page_picture.h"
#include "safe_output.h"
#include "temporary_folder.h"

namespace carom::cli {
namespace {

struct Options {
  std::vector<std::string> results;
  std::string out, png;
  bool force = false, json = false;
};

InputError bad_picture(const std::string& word) {
  return InputError({"E0103",
                     fmt::format("carom report: '{}' says nothing about a picture", word),
                     {},
                     "--png t=87.3ms or --png t=0.0873,magnify=10,size=1200x800",
                     {},
                     0,
                     0,
                     {}});
}

// "87.3ms", "0.0873": seconds.
double seconds_of(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string unit(end);
  if (end == text.c_str()) throw bad_picture("t=" + text);
  if (unit.empty()) return number;
  const auto known = find_unit(unit);
  if (!known || !(known->dimension == find_unit("s")->dimension)) throw bad_picture("t=" + text);
  return number * known->scale();
}

// "t=87.3ms,magnify=10,size=1200x800".
PictureRequest picture_request(const std::string& text) {
  PictureRequest request;
  request.fragment = "scene";
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t sign = word.find('=');
    if (sign == std::string::npos) throw bad_picture(word);
    const std::string key = word.substr(0, sign), value = word.substr(sign + 1);
    if (key == "t") {
      request.fragment += fmt::format("&t={:.17g}", seconds_of(value));
    } else if (key == "magnify" && std::atof(value.c_str()) >= 1.0) {
      request.fragment += fmt::format("&magnify={}", std::atof(value.c_str()));
    } else if (key == "size") {
      const std::size_t cross = value.find('x');
      request.width = std::atoi(value.c_str());
      request.height = cross == std::string::npos ? 0 : std::atoi(value.c_str() + cross + 1);
      if (request.width < 100 || request.height < 100 || request.width > 10000 || request.height > 10000)
        throw bad_picture(word);
    } else {
      throw bad_picture(word);
    }
  }
  return request;
}

// The scene at one time, as a picture; the page it is taken of is not kept.
ExitCode draw_report(const Options& options) {
  const TemporaryFolder folder;
  PictureRequest request = picture_request(options.png);
  request.page = folder.path() + "/page.html";
  request.out = options.out.empty() ? std::filesystem::path(options.results.front()).replace_extension(".png").string()
                                    : options.out;
  write_page(report_page(options.results), request.page);
  draw_page(request);
  const auto bytes = static_cast<double>(std::filesystem::file_size(request.out));
  if (options.json)
    print_json_line({{"event", "picture"}, {"file", request.out}, {"file_bytes", bytes}, {"runs", options.results}});
  else
    say("wrote  {} ({})\n", request.out, bytes_text(bytes));
  return ExitCode::fine;
}

ExitCode run_report(const Options& options) {
  if (!options.png.empty()) return draw_report(options);
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
  carom report coarse.h5 fine.h5 -o both.html       two runs with one clock, differences drawn
  carom report slider_crank.h5 --png t=87.3ms       slider_crank.png: the scene then (needs Chromium))");
  command->add_option("result", options->results, "Result files of carom run")->required();
  command->add_option("-o,--out", options->out, "The page (default: name of the first result, .html)");
  command->add_option(
      "--png", options->png,
      "Instead of the page a picture of its scene: t=87.3ms, also magnify=10 and size=1200x800, with commas");
  command->add_flag("--force", options->force, "Replace the output even if it is no page of carom");
  command->add_flag("--json", options->json, "One JSON object");
  command->callback([options, &code] { code = run_report(*options); });
}

}  // namespace carom::cli
