// carom reproduce: published tables and figures, computed again and judged.
#include <fmt/format.h>

#include <cctype>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "carom/io/output_file.h"
#include "carom/study/reproduction.h"
#include "command.h"

namespace carom::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string id;
  std::string out = "out";
  bool json = false, force = false;
};

struct WrittenFiles {
  std::vector<std::filesystem::path> paths;
  std::string trouble;
};

// "Moreau-Jean, dt 1e-4" -> "moreau-jean-dt-1e-4".
std::string file_word(const std::string& text) {
  std::string word;
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (std::isalnum(u) || c == '.')
      word += static_cast<char>(std::tolower(u));
    else if (!word.empty() && word.back() != '-')
      word += '-';
  }
  return word;
}

WrittenFiles write_files(const Reproduction& reproduction, const ReproductionReport& report,
                         const std::filesystem::path& folder, Replace replace) {
  std::filesystem::create_directories(folder);
  WrittenFiles files;
  bool known = false;  // the tables are there from another time
  for (const CsvTable& table : report.tables) {
    const std::string part = table.name.empty() ? "" : "-" + file_word(table.name);
    files.paths.push_back(folder / (reproduction.id + part + ".csv"));
    known = known || std::filesystem::exists(files.paths.back());
    write_text_file(files.paths.back().string(), to_csv(table), replace);
  }
  if (report.picture.panels.empty()) return files;
  check_pictures((folder / reproduction.id).string(), known, replace);
  const PictureResult picture = write_picture(report.picture, folder / reproduction.id);
  files.paths.insert(files.paths.end(), picture.files.begin(), picture.files.end());
  files.trouble = picture.trouble;
  return files;
}

void print_json(const Reproduction& reproduction, const ReproductionReport& report, const WrittenFiles& files) {
  Json json = {{"id", reproduction.id},
               {"title", reproduction.title},
               {"publication", reproduction.publication},
               {"verdict", to_text(report.verdict())},
               {"settings", report.settings},
               {"notes", report.notes},
               {"rows", Json::array()},
               {"files", Json::array()}};
  for (const ReproductionRow& row : report.rows) {
    Json line = {{"quantity", row.quantity},
                 {"published", row.published},
                 {"computed", row.computed},
                 {"accepted", row.accepted},
                 {"verdict", to_text(row.verdict)}};
    if (!row.explanation.empty()) line["explanation"] = row.explanation;
    json["rows"].push_back(line);
  }
  for (const auto& path : files.paths) json["files"].push_back(path.string());
  if (!files.trouble.empty()) json["trouble"] = files.trouble;
  fmt::print("{}\n", json.dump());
}

// `text` in lines of at most `width`, each behind `indent`.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent) {
  std::string result, line;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      result += indent + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return result + indent + line + "\n";
}

void print_report(const Reproduction& reproduction, const ReproductionReport& report, const WrittenFiles& files) {
  fmt::print("{}: {}\n", reproduction.id, reproduction.title);
  for (const std::string& line : report.settings) fmt::print("{}", wrapped(line, 112, "  "));
  std::size_t quantity = 8, published = 9, accepted = 8;
  for (const ReproductionRow& row : report.rows) {
    quantity = std::max(quantity, row.quantity.size());
    published = std::max(published, row.published.size());
    accepted = std::max(accepted, row.accepted.size());
  }
  fmt::print("\n  {:<{}}  {:<{}}  {:>12}  {:<{}}  {}\n", "quantity", quantity, "published", published, "computed",
             "accepted", accepted, "verdict");
  int count[3] = {0, 0, 0};
  for (const ReproductionRow& row : report.rows) {
    ++count[static_cast<int>(row.verdict)];
    fmt::print("  {:<{}}  {:<{}}  {:>12.6g}  {:<{}}  {}\n", row.quantity, quantity, row.published, published,
               row.computed, row.accepted, accepted, to_text(row.verdict));
    if (!row.explanation.empty()) fmt::print("{}", wrapped(row.explanation, 106, "      | "));
  }
  for (const std::string& line : report.notes) fmt::print("{}", wrapped("not judged: " + line, 112, "  "));
  fmt::print("\n  {} met, {} explained, {} failed\n", count[0], count[1], count[2]);
  for (const auto& path : files.paths) fmt::print("  wrote {}\n", path.string());
  if (!files.trouble.empty()) fmt::print("  {}\n", files.trouble);
  fmt::print("\n");
}

void list_all(bool json) {
  for (const Reproduction& reproduction : reproductions()) {
    if (json)
      fmt::print("{}\n", Json({{"id", reproduction.id},
                               {"title", reproduction.title},
                               {"publication", reproduction.publication}})
                             .dump());
    else
      fmt::print("{:<22} {}\n", reproduction.id, reproduction.title);
  }
  if (json) return;
  std::string last;
  for (const Reproduction& reproduction : reproductions()) {
    if (reproduction.publication == last) continue;
    last = reproduction.publication;
    fmt::print("\n{}... : {}\n", reproduction.id.substr(0, reproduction.id.find('-', reproduction.id.find('-') + 1)),
               last);
  }
  fmt::print("\ncarom reproduce ID computes one, carom reproduce all every one.\n");
}

ExitCode run_reproduce(const Options& options) {
  if (options.id.empty()) {
    list_all(options.json);
    return ExitCode::fine;
  }
  std::vector<const Reproduction*> chosen;
  if (options.id == "all")
    for (const Reproduction& reproduction : reproductions()) chosen.push_back(&reproduction);
  else
    chosen.push_back(&find_reproduction(options.id));

  bool failed = false;
  for (const Reproduction* reproduction : chosen) {
    const ReproductionReport report = reproduce(*reproduction);
    WrittenFiles files;
    std::exception_ptr unwritten;  // told after what was computed
    try {
      files = write_files(*reproduction, report, options.out, options.force ? Replace::anything : Replace::ours);
    } catch (const std::system_error&) {
      unwritten = std::current_exception();
    }
    options.json ? print_json(*reproduction, report, files) : print_report(*reproduction, report, files);
    std::fflush(stdout);
    if (unwritten) std::rethrow_exception(unwritten);
    failed = failed || report.verdict() == Verdict::failed;
  }
  return failed ? ExitCode::expectation_failed : ExitCode::fine;
}

}  // namespace

void add_reproduce(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("reproduce", "Published tables and figures: published, computed, verdict");
  command->add_option("id", options->id, "One of the list (no ID: the list), or all");
  command->add_option("--out", options->out, "Folder for the data (CSV) and the pictures (PNG, SVG)")
      ->capture_default_str();
  command->add_flag("--force", options->force, "Replace files that are there and are no such tables and pictures");
  command->add_flag("--json", options->json, "One JSON object per reproduction");
  command->footer(
      "Verdicts: met; explained (the published value cannot be met: reason and measurement are printed);\n"
      "failed. Exit code 1 only if something failed.");
  command->callback([options, &code] { code = run_reproduce(*options); });
}

}  // namespace carom::cli
