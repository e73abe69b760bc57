// carom reproduce: published tables and figures, computed again and judged.
#include <fmt/format.h>

#include <cctype>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "carom/base/names.h"
#include "carom/io/output_file.h"
#include "carom/io/report/page.h"
#include "carom/study/reproduction.h"
#include "command.h"
#include "json_line.h"
#include "reproductions.h"
#include "study_progress.h"

namespace carom::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string id;
  std::string out = "out", page;
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
  files.paths.push_back(folder / (reproduction.id + "-curves.csv"));
  write_text_file(files.paths.back().string(), to_csv(curves_table(report.picture)), replace);
  const PictureResult picture = write_picture(report.picture, folder / reproduction.id);
  files.paths.insert(files.paths.end(), picture.files.begin(), picture.files.end());
  files.trouble = picture.trouble;
  return files;
}

// {"printed number": {"met": 12, "explained": 0, ...}, ...}, of sources that occur.
Json to_json(const VerdictTotals& totals) {
  Json json = Json::object();
  for (int s = 0; s < kSources; ++s) {
    const auto source = static_cast<Source>(s);
    if (totals.count(source) == 0) continue;
    Json& line = json[std::string(to_text(source))];
    for (int v = 0; v < kVerdicts; ++v)
      line[std::string(to_text(static_cast<RowVerdict>(v)))] = totals.count(source, static_cast<RowVerdict>(v));
  }
  return json;
}

VerdictTotals totals_of(const ReproductionReport& report) {
  VerdictTotals totals;
  totals.add(report);
  return totals;
}

void print_json(const Reproduction& reproduction, const ReproductionReport& report, const WrittenFiles& files) {
  Json json = {{"id", reproduction.id},
               {"title", reproduction.title},
               {"publication", reproduction.publication},
               {"verdict", to_text(report.verdict())},
               {"settings", report.settings},
               {"notes", report.notes},
               {"totals", to_json(totals_of(report))},
               {"rows", Json::array()},
               {"files", Json::array()}};
  for (const ReproductionRow& row : report.rows) {
    Json line = {{"quantity", row.quantity}, {"source", to_text(row.source)}, {"expected", row.expected},
                 {"computed", row.computed}, {"accepted", row.accepted},      {"verdict", to_text(row.verdict)}};
    if (!row.explanation.empty()) line["explanation"] = row.explanation;
    json["rows"].push_back(line);
  }
  for (const auto& path : files.paths) json["files"].push_back(path.string());
  if (!files.trouble.empty()) json["trouble"] = files.trouble;
  print_json_line(json);
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

void print_totals(const VerdictTotals& totals) {
  const auto line = [](std::string_view name, auto count) {
    fmt::print("  {:<17}", name);
    for (int v = 0; v < kVerdicts; ++v) fmt::print("  {:>12}", count(static_cast<RowVerdict>(v)));
    fmt::print("\n");
  };
  fmt::print("\n");
  line("rows by source", [](RowVerdict verdict) { return to_text(verdict); });
  for (int s = 0; s < kSources; ++s) {
    const auto source = static_cast<Source>(s);
    if (totals.count(source) > 0)
      line(to_text(source), [&](RowVerdict verdict) { return totals.count(source, verdict); });
  }
  line("all", [&](RowVerdict verdict) { return totals.count(verdict); });
}

void print_report(const Reproduction& reproduction, const ReproductionReport& report, const WrittenFiles& files) {
  fmt::print("{}: {}\n", reproduction.id, reproduction.title);
  for (const std::string& line : report.settings) fmt::print("{}", wrapped(line, 112, "  "));
  std::size_t quantity = 8, expected = 8, accepted = 8;
  for (const ReproductionRow& row : report.rows) {
    quantity = std::max(quantity, row.quantity.size());
    expected = std::max(expected, row.expected.size());
    accepted = std::max(accepted, row.accepted.size());
  }
  const auto line = [&](std::string_view a, std::string_view b, std::string_view c, std::string_view d,
                        std::string_view e, std::string_view f) {
    fmt::print("  {:<{}}  {:<17}  {:<{}}  {:>12}  {:<{}}  {}\n", a, quantity, b, c, expected, d, e, accepted, f);
  };
  fmt::print("\n");
  line("quantity", "source", "expected", "computed", "accepted", "verdict");
  for (const ReproductionRow& row : report.rows) {
    line(row.quantity, to_text(row.source), row.expected, fmt::format("{:.6g}", row.computed), row.accepted,
         to_text(row.verdict));
    if (!row.explanation.empty()) fmt::print("{}", wrapped(row.explanation, 106, "      | "));
  }
  for (const std::string& text : report.notes) fmt::print("{}", wrapped("not judged: " + text, 112, "  "));
  print_totals(totals_of(report));
  for (const auto& path : files.paths) fmt::print("  wrote {}\n", path.string());
  if (!files.trouble.empty()) fmt::print("  {}\n", files.trouble);
  fmt::print("\n");
}

// "acary-2012" of "acary-2012-table-3".
std::string publication_word(const Reproduction& reproduction) {
  return reproduction.id.substr(0, reproduction.id.find('-', reproduction.id.find('-') + 1));
}

void list_all(bool json) {
  for (const Reproduction& reproduction : reproductions()) {
    if (json)
      print_json_line(
          Json({{"id", reproduction.id}, {"title", reproduction.title}, {"publication", reproduction.publication}}));
    else
      fmt::print("{:<22} {}\n", reproduction.id, reproduction.title);
  }
  if (json) return;
  std::string last;
  for (const Reproduction& reproduction : reproductions()) {
    if (reproduction.publication == last) continue;
    last = reproduction.publication;
    fmt::print("\n{}... : {}\n", publication_word(reproduction), last);
  }
  fmt::print("\ncarom reproduce ID computes one, carom reproduce all every one.\n");
}

// One, those of a publication ("acary-2012"), or all.
std::vector<const Reproduction*> choose(const std::string& word) {
  std::vector<const Reproduction*> chosen;
  for (const Reproduction& reproduction : reproductions())
    if (word == "all" || canonical_name(word) == canonical_name(publication_word(reproduction)))
      chosen.push_back(&reproduction);
  if (chosen.empty()) chosen.push_back(&find_reproduction(word));
  return chosen;
}

Chapter chapter_of(const Reproduction& reproduction, const ReproductionReport& report) {
  Chapter chapter{.title = fmt::format("{}: {}", reproduction.id, reproduction.title),
                  .text = reproduction.publication,
                  .verdict = std::string(to_text(report.verdict())),
                  .picture = report.picture};
  for (const std::string& line : report.settings) chapter.text += "\n" + line;
  ChapterTable table{{}, {}, {"quantity", "source", "expected", "computed", "accepted", "verdict", "why"}, {}};
  for (const ReproductionRow& row : report.rows)
    table.rows.push_back({row.quantity, std::string(to_text(row.source)), row.expected,
                          fmt::format("{:.6g}", row.computed), row.accepted, std::string(to_text(row.verdict)),
                          row.explanation});
  chapter.tables.push_back(std::move(table));
  for (const std::string& note : report.notes) chapter.text += "\nNot judged: " + note;
  return chapter;
}

ExitCode run_reproduce(const Options& options) {
  if (options.id.empty()) {
    list_all(options.json);
    return ExitCode::fine;
  }
  const std::vector<const Reproduction*> chosen = choose(options.id);
  VerdictTotals totals;
  bool failed = false;
  Page page{.title = "Published figures, computed again", .subtitle = options.id};
  StudyProgress progress("reproduce", chosen.size(), options.json);
  for (const Reproduction* reproduction : chosen) {
    progress.next(reproduction->id);
    const ReproductionReport report = reproduce(*reproduction);
    progress.hide();
    if (!options.page.empty()) {  // after each one: who interrupts has the book so far
      page.chapters.push_back(chapter_of(*reproduction, report));
      write_page(page, options.page, options.force ? Replace::anything : Replace::ours);
    }
    WrittenFiles files;
    std::exception_ptr unwritten;  // told after what was computed
    try {
      files = write_files(*reproduction, report, options.out, options.force ? Replace::anything : Replace::ours);
    } catch (const std::system_error&) {
      unwritten = std::current_exception();
    }
    options.json ? print_json(*reproduction, report, files) : print_report(*reproduction, report, files);
    std::fflush(stdout);
    totals.add(report);
    if (unwritten) std::rethrow_exception(unwritten);
    failed = failed || report.verdict() == RowVerdict::failed;
  }
  if (!options.page.empty() && !options.json) fmt::print("wrote {}\n", options.page);
  if (chosen.size() > 1) {
    if (options.json) {
      fmt::print("{}\n", Json({{"id", options.id}, {"totals", to_json(totals)}}).dump());
    } else {
      fmt::print("{}: {} reproductions\n", options.id, chosen.size());
      print_totals(totals);
    }
  }
  return failed ? ExitCode::expectation_failed : ExitCode::fine;
}

}  // namespace

void add_reproduce(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("reproduce", reproduce_text);
  command->add_option("id", options->id, "One of the list (no ID: the list), a publication of it (acary-2012), or all");
  command
      ->add_option("--out", options->out,
                   "Folder for the data (CSV) and the pictures (PNG at 300 dots an inch, SVG, PDF)")
      ->capture_default_str();
  command->add_option("--report", options->page, "Also a book of them all: one page with figures and tables (HTML)");
  command->add_flag("--force", options->force, "Replace files that are there and are no such tables and pictures");
  command->add_flag("--json", options->json, "One JSON object per reproduction");
  command->footer(
      "Sources: printed number, printed statement, independent run, derived, own addition.\n"
      "Verdicts: met; explained (one open setting gives the published row, or the published value lies in a\n"
      "measured range); contradicted (an independent method confirms what is computed here); failed.\n"
      "Exit code 1 only if something failed. docs/reproductions.md says more.\n\n"
      "Examples:\n"
      "  carom reproduce                                    the list\n"
      "  carom reproduce acary-2012 --report acary.html     one publication, with a book of its figures");
  command->callback([options, &code] { code = run_reproduce(*options); });
}

}  // namespace carom::cli
