// carom resume: goes on with a run from the last checkpoint of its result file.
#include <fmt/format.h>

#include <filesystem>

#include "carom/io/stored_run.h"
#include "run_command.h"
#include "safe_output.h"

namespace carom::cli {
namespace {

struct Options {
  std::string result, t_end, out;
  std::vector<std::string> branch;
  CLI::Option* branches = nullptr;
  RunPrinting printing;
  bool force = false;
};

std::vector<Override> later_end(const Options& options) {
  return options.t_end.empty() ? std::vector<Override>{} : std::vector<Override>{{"simulation.t_end", options.t_end}};
}

ExitCode go_on(const Options& options) {
  const StoredRun run = read_stored_run(options.result);
  const Scenario scenario = stored_scenario(run, later_end(options));
  if (run.t >= scenario.simulation.t_end - 1e-6 * scenario.simulation.step && run.outcome == "finished")
    throw InputError({"E0613",
                      fmt::format("'{}' has reached its end, t = {:.9g} s", run.file, run.t),
                      {},
                      "a later one: --t-end",
                      {},
                      0,
                      0,
                      {}});
  if (!options.printing.quiet && !options.printing.json) say("going on from t = {:.9g} s\n", run.t);
  return run_and_print(scenario, options.printing,
                       [&](const RunOptions& settings) { return resume_scenario(scenario, run.file, settings); });
}

ExitCode branch_off(const Options& options) {
  const StoredRun run = read_stored_run(options.result);
  std::vector<Override> changes = later_end(options);
  for (const std::string& text : options.branch)
    if (!text.empty()) changes.push_back(parse_override(text));
  const Scenario scenario = branched_scenario(run, changes, changed_model(run));
  const std::string out =
      options.out.empty() ? std::filesystem::path(run.file).replace_extension(".branch.h5").string() : options.out;
  if (!options.printing.quiet && !options.printing.json) say("a branch of {} from t = {:.9g} s\n", run.file, run.t);
  return run_and_print(scenario, options.printing, [&](RunOptions settings) {
    settings.out = out;
    settings.replace = options.force ? Replace::anything : Replace::ours;
    return run_scenario(scenario, settings);
  });
}

}  // namespace

void add_resume(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("resume", "Go on with a run from the last checkpoint of its result file, bit for bit");
  command->add_option("result", options->result, "Result file (HDF5)")->required();
  command->add_option("--t-end", options->t_end, "A later end in s");
  options->branches =
      command
          ->add_option("--branch", options->branch,
                       "Begin a new run from that state instead, with KEY=VALUE changed as by --set (any number of "
                       "times), or with the model file as it is today")
          ->expected(0, 1)
          ->take_all();
  command->add_option("-o,--out", options->out, "Result file of a branch (RESULT.branch.h5)");
  command->add_flag("--force", options->force, "Replace the file of a branch even if it is no result of this model");
  add_run_printing(*command, options->printing);
  command->footer(
      "Examples:\n"
      "  carom resume run.h5                      after Ctrl-C, kill -9 or a power cut of the program\n"
      "  carom resume run.h5 --t-end 0.4          a finished run goes on\n"
      "  carom resume run.h5 --branch friction=0.3  what if, from here on");
  command->callback(
      [options, &code] { code = options->branches->count() > 0 ? branch_off(*options) : go_on(*options); });
}

}  // namespace carom::cli
