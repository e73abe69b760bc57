// carom compare: one scenario, several schemes, one table.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "carom/io/output_file.h"
#include "carom/io/report/page.h"
#include "carom/study/compare.h"
#include "command.h"
#include "interrupt.h"
#include "json_line.h"
#include "refusals.h"
#include "safe_output.h"
#include "scenario_arguments.h"
#include "study_commands.h"
#include "study_of.h"
#include "study_progress.h"
#include "temporary_folder.h"

namespace carom::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  ScenarioArguments scenario;
  std::string study;
  std::vector<std::string> schemes = {"all"};
  std::string csv, page;
  bool json = false, strict = false, force = false;
};

Json to_json(const CompareRow& row) {
  if (!row.untreated.empty()) return {{"scheme", row.scheme}, {"refused", row.untreated}};
  const SimulationSummary& s = row.summary;
  const Audit& a = s.audit;
  Json json = {{"scheme", row.scheme},
               {"finished", s.outcome == Outcome::finished},
               {"judged", judged(row)},
               {"steps", s.steps},
               {"failed_steps", s.failed_steps},
               {"deepest_gap", a.deepest_gap},
               {"joint_error", a.joint_error},
               {"normal_impulse", a.normal_impulse},
               {"newton_iterations", s.newton_iterations},
               {"solver_iterations", s.solver_iterations},
               {"projection_iterations", s.projection_iterations},
               {"index_set_iterations", s.index_set_iterations},
               {"worst_solver_residual", s.worst_solver_residual},
               {"step_seconds", s.step_seconds}};
  if (a.has_energy) {
    json["energy_start"] = a.start_energy;
    json["energy_end"] = a.end_energy;
    json["largest_energy_rise"] = a.largest_rise;
    json["scheme_residual"] = a.scheme_residual;
  }
  for (const Measurement& measure : row.measures)
    json["measure"][measure.name] = measure.value ? Json(*measure.value) : Json(nullptr);
  if (!s.advice.empty()) json["advice"] = s.advice;
  return json;
}

std::size_t name_width(const CompareReport& report) {
  std::size_t width = 28;
  for (const CompareRow& row : report.rows)
    if (row.untreated.empty()) width = std::max(width, row.scheme.size());
  return width;
}

// What the scenario measures of a run, one column each.
void print_measures(const CompareReport& report) {
  if (report.measures.empty()) return;
  const auto width = [](const std::string& name) { return std::max<std::size_t>(12, name.size()); };
  const std::size_t names = name_width(report);
  say("\n{:<{}}", "measured", names);
  for (const std::string& name : report.measures) say(" {:>{}}", name, width(name));
  say("\n");
  for (const CompareRow& row : report.rows) {
    if (!row.untreated.empty()) continue;
    say("{:<{}}", row.scheme, names);
    for (const Measurement& measure : row.measures)
      say(" {:>{}}", measure.value ? fmt::format("{:.6g}", *measure.value) : "none", width(measure.name));
    say("\n");
  }
  say("\n");
}

void print(const Scenario& scenario, const CompareReport& report) {
  say("{}   step {:.4g} s, to {:.4g} s\n", scenario.title, report.dt, report.t_end);
  const std::size_t width = name_width(report);
  say("{:<{}} {:>8} {:>6} {:>12} {:>12} {:>11} {:>12} {:>8} {:>8} {:>8} {:>9}  {}\n", "scheme", width, "steps", "fails",
      "penetration", "energy end", "rise", "sum impulse", "Newton", "solver", "project", "time", "judged");
  say("{:<{}} {:>8} {:>6} {:>12} {:>12} {:>11} {:>12} {:>8} {:>8} {:>8} {:>9}\n", "", width, "", "", "[m]", "[J]",
      "[J]", "[N s]", "a step", "a step", "a step", "[s]");
  for (const CompareRow& row : report.rows) {
    if (!row.untreated.empty()) continue;
    const SimulationSummary& s = row.summary;
    const Audit& a = s.audit;
    const double n = std::max(1.0, static_cast<double>(s.steps));
    say("{:<{}} {:>8} {:>6} {:>12.3e} {:>12.6g} {:>11.2e} {:>12.6g} {:>8.3f} {:>8.3f} {:>8.3f} {:>9.3f}  {}\n",
        row.scheme, width, s.steps, s.failed_steps, std::max(0.0, -a.deepest_gap), a.end_energy, a.largest_rise,
        a.normal_impulse, static_cast<double>(s.newton_iterations) / n, static_cast<double>(s.solver_iterations) / n,
        static_cast<double>(s.projection_iterations) / n, s.step_seconds, judged(row));
    if (!s.advice.empty()) say("  {}\n", s.advice);
    for (const Finding& finding : s.judgement.findings) say("  ! {}\n", to_text(finding));
  }
  print_measures(report);
  Refusals refusals;
  for (const CompareRow& row : report.rows)
    if (!row.untreated.empty()) refusals.add(row.scheme, row.untreated);
  refusals.print("");
}

// All runs with one clock; those that were refused in a table.
void write_report(const Scenario& scenario, const CompareReport& report, const Options& options) {
  std::vector<std::string> files, labels;
  ChapterTable refused{"Schemes that cannot run this model", {}, {"scheme", "what it cannot treat"}, {}};
  for (const CompareRow& row : report.rows) {
    if (row.untreated.empty() && !row.file.empty()) {
      files.push_back(row.file);
      labels.push_back(row.scheme);
    } else {
      refused.rows.push_back({row.scheme, row.untreated});
    }
  }
  if (files.empty()) return;
  Page page = report_page(files, labels);
  page.title = scenario.title.empty() ? scenario.name : scenario.title;
  page.subtitle = fmt::format("{} schemes, step {:.4g} s", files.size(), report.dt);
  if (!refused.rows.empty()) page.chapters.push_back({.title = "Not compared", .tables = {refused}});
  write_page(page, options.page, options.force ? Replace::anything : Replace::ours);
  if (!options.json) say("wrote {}\n", options.page);
}

ExitCode run_compare(const Options& options) {
  const Scenario scenario = load(options.scenario);
  const OrderlyEnd orderly;
  const bool told = options.schemes != std::vector<std::string>{"all"};
  const std::vector<std::string> of_file =
      options.study.empty() ? std::vector<std::string>() : study_of(scenario, options.study, "compare").schemes;
  const std::vector<std::string> names = scheme_names(told || of_file.empty() ? options.schemes : of_file);
  std::optional<TemporaryFolder> recordings;
  if (!options.page.empty()) recordings.emplace();
  const CompareReport report = [&] {
    StudyProgress progress("compare", names.size(), options.json);
    return compare(
        scenario, names, [&](const std::string& scheme) { progress.next(scheme); }, &interrupt_flag(),
        recordings ? recordings->path() : "");
  }();
  if (options.json)
    for (const CompareRow& row : report.rows) print_json_line(to_json(row));
  else
    print(scenario, report);
  const std::string csv = options.csv.empty() ? scenario.name + ".compare.csv" : options.csv;
  write_text_file(csv, to_csv(report), options.force ? Replace::anything : Replace::ours);
  if (!options.json) say("wrote {}\n", csv);
  if (!options.page.empty()) write_report(scenario, report, options);
  if (!report.interrupted.empty())
    return say_interrupted(report.interrupted, report.rows.size(), names.size(), options.json);
  const bool fine = std::all_of(report.rows.begin(), report.rows.end(), [](const CompareRow& row) {
    return !row.untreated.empty() || row.summary.outcome == Outcome::finished;
  });
  if (!fine) return ExitCode::numerical_failure;
  const bool sound = std::all_of(report.rows.begin(), report.rows.end(), [](const CompareRow& row) {
    return !row.untreated.empty() || row.summary.judgement.sound();
  });
  return options.strict && !sound ? ExitCode::expectation_failed : ExitCode::fine;
}

}  // namespace

void add_compare(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("compare", compare_text);
  add_scenario_arguments(*command, options->scenario);
  command->add_option("study", options->study, "NAME of a comparison [study.NAME] of the file");
  command->add_option("--schemes", options->schemes, "Names, or all; with parameters as name:parameter=value")
      ->delimiter(',');
  command->add_option("--out", options->csv, "CSV file (NAME.compare.csv)");
  command->add_option("--report", options->page, "Also a page of all runs with one clock (HTML)");
  command->add_flag("--force", options->force, "Replace the CSV file even if it is no such table");
  command->add_flag("--json", options->json, "One JSON object per scheme");
  command->add_flag("--strict", options->strict, "Exit 1 if a run is not sound");
  command->footer(
      "penetration: deepest gap below zero; rise: largest increase of energy less work in one step; sum impulse:\n"
      "of all normal impulses. Parameters of a scheme are those the file gives it in [simulation.SCHEME].\n"
      "What the file names in [measure] is a second table.\n\n"
      "Example:\n"
      "  carom compare scenarios/slider_crank.toml --schemes moreau_jean,projection_combined --report schemes.html");
  command->callback([options, &code] { code = run_compare(*options); });
}

}  // namespace carom::cli
