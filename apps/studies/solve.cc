// carom solve: stored contact problems, each solved alone.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "carom/base/errors.h"
#include "carom/io/hdf5_file.h"
#include "carom/io/output_file.h"
#include "carom/study/solve_study.h"
#include "command.h"
#include "json_line.h"
#include "safe_output.h"
#include "study_commands.h"

namespace carom::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::vector<std::string> problems;
  std::string solver = "automatic";
  double tolerance = 1e-12;
  std::string out, profile, history;
  bool json = false, force = false;
};

bool is_solutions(const std::string& path) {
  const Hdf5File file = Hdf5File::open(path);
  return file.has_attribute("/", "kind") && file.text_attribute("/", "kind") == "carom solutions";
}

void write_files(const Options& options, const std::vector<SolveReport>& reports) {
  const Replace replace = options.force ? Replace::anything : Replace::ours;
  const auto tell = [&](const std::string& file) {
    if (!options.json) say("wrote  {}\n", file);
  };
  if (!options.out.empty()) {
    check_replaceable(options.out, replace, "solutions of carom solve", [&] { return is_solutions(options.out); });
    write_solutions(reports, options.out);
    tell(options.out);
  }
  const auto draw = [&](const Picture& picture, const std::string& name) {
    check_pictures(name, std::filesystem::exists(name + ".csv"), replace);
    write_text_file(name + ".csv", to_csv(curves_table(picture)), replace);
    tell(name + ".csv");
    const PictureResult drawn = write_picture(picture, name);
    for (const auto& file : drawn.files) tell(file.string());
    if (!drawn.trouble.empty()) say(stderr, "no picture: {}\n", drawn.trouble);
  };
  if (!options.profile.empty()) draw(performance_profile(reports), options.profile);
  if (options.history.empty()) return;
  for (const SolveReport& report : reports)
    draw(residual_history(report),
         reports.size() == 1 ? options.history : options.history + "_" + report.path.stem().string());
}

void print_json(const SolveReport& report) {
  for (const SolveRow& row : report.results) {
    const Json json = {
        {"problem", report.path.string()}, {"contacts", report.contacts},        {"rows", report.rows},
        {"immovable", report.immovable},   {"symmetric", report.symmetric},      {"solver", row.solver},
        {"tolerance", report.tolerance},   {"status", to_text(row.status)},      {"iterations", row.iterations},
        {"residual", row.residual},        {"cone_residual", row.cone_residual}, {"cpu_seconds", row.cpu_seconds}};
    print_json_line(json);
  }
}

void print_rows(const SolveReport& report) {
  if (report.immovable > 0)
    say(stderr,
        "warning[W0601]: {}: {} of {} contacts are between things that cannot move: their blocks of G are zero\n",
        report.path.filename().string(), report.immovable, report.contacts);
  for (const SolveRow& row : report.results)
    say("{:<42} {:>8} {:>6}  {:<22} {:<13} {:>10} {:>9.1e} {:>9.1e} {:>10.3f}\n", report.path.filename().string(),
        report.contacts, report.rows, row.solver, to_text(row.status), row.iterations, row.residual, row.cone_residual,
        1e3 * row.cpu_seconds);
}

ExitCode run_solve(const Options& options) {
  if (!(options.tolerance > 0.0))  // the range lets through what is not a number
    throw InputError(
        {"E0103", "carom solve: --tolerance wants a number", {}, "for example --tolerance 1e-12", {}, 0, 0, {}});
  bool solved = true;
  if (!options.json)
    say("{:<42} {:>8} {:>6}  {:<22} {:<13} {:>10} {:>9} {:>9} {:>10}\n", "problem", "contacts", "rows", "solver",
        "status", "iterations", "residual", "cone", "CPU ms");
  std::vector<SolveReport> reports;
  for (const std::filesystem::path& path : problem_files(options.problems)) {
    SolveReport report = solve_study(path, options.solver, options.tolerance);
    options.json ? print_json(report) : print_rows(report);
    bool any = false;
    for (const SolveRow& row : report.results) any = any || row.status == SolveStatus::solved;
    solved = solved && any;
    std::fflush(stdout);
    if (!options.out.empty() || !options.profile.empty() || !options.history.empty())
      reports.push_back(std::move(report));
  }
  write_files(options, reports);
  return solved ? ExitCode::fine : ExitCode::numerical_failure;
}

}  // namespace

void add_solve(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("solve", solve_text);
  command->add_option("problem", options->problems, "Problem files (HDF5 or .dat), or folders of them")->required();
  command->add_option("--solver", options->solver, "A solver's name, or all to compare");
  command->add_option("--tolerance", options->tolerance, "Residual to reach")->check(CLI::Range(1e-16, 1.0));
  command->add_option("-o,--out", options->out,
                      "Also the multipliers and relative velocities of all, as one HDF5 file");
  command->add_option(
      "--profile", options->profile,
      "NAME: with --solver all, the share of problems solved over CPU time (NAME.csv, .png, .svg, .pdf)");
  command->add_option("--history", options->history,
                      "NAME: the residual over iterations and over CPU time (NAME.csv, .png, .svg, .pdf; several "
                      "problems: NAME_PROBLEM)");
  command->add_flag("--force", options->force, "Replace files that are there and are no such solutions or profiles");
  command->add_flag("--json", options->json, "One JSON object per problem and solver");
  command->footer(
      "residual: blockwise backward error, free of units; cone: natural map of the friction cone over |q|,\n"
      "as other codes report it. Exit code 3 if a problem is left unsolved.\n\n"
      "Example:\n"
      "  carom solve step4413.h5 --solver all\n"
      "  carom solve problems/ --solver all --tolerance 1e-8 --profile solvers --out solutions.h5");
  command->callback([options, &code] { code = run_solve(*options); });
}

}  // namespace carom::cli
