// carom check: reads a scenario and says what can be known before it runs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "carom/io/quantity_text.h"
#include "carom/io/scheme_word.h"
#include "carom/io/start_report.h"
#include "carom/schemes/scheme.h"
#include "json_line.h"
#include "refusals.h"
#include "safe_output.h"
#include "scenario_arguments.h"

namespace carom::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  ScenarioArguments scenario;
  bool json = false;
};

std::string joints_text(const StartReport& report) {
  if (report.joints == 0) return "no joints";
  const std::string rank =
      report.joint_rank < 0 ? "rank not computed (large)"
      : report.redundant_joints.empty()
          ? fmt::format("rank {} (none redundant)", report.joint_rank)
          : fmt::format("rank {} ({} redundant)", report.joint_rank, report.joint_rows - report.joint_rank);
  return fmt::format("{} joints, {} constraints, {}", report.joints, report.joint_rows, rank);
}

std::string gaps_text(const StartReport& report) {
  if (report.gaps.empty()) return "no contact is near";
  constexpr std::size_t most = 8;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < report.gaps.size() && i < most; ++i)
    words.push_back(fmt::format("{} {}", report.gaps[i].name, with_prefix(report.gaps[i].gap, "m")));
  if (report.gaps.size() > most) words.push_back(fmt::format("and {} more", report.gaps.size() - most));
  return fmt::format("{}", fmt::join(words, "  "));
}

// What the scheme does to the energy in joints, where that is of first order only; empty otherwise.
std::string joint_energy_text(const Scenario& scenario, const StartReport& report) {
  const SchemeWord word = parse_scheme_word(scenario.simulation.scheme);
  const double order = orders_of(scenario, word).joint_energy;
  if (report.joints == 0 || word.entry->promises.event_driven || order >= 2.0) return "";
  const bool offers_midpoint = std::any_of(word.entry->parameters.begin(), word.entry->parameters.end(),
                                           [](const ParameterSpec& spec) { return spec.name == "joints"; });
  return fmt::format("of order {} in the step{}", order,
                     offers_midpoint ? "; with directions = \"midpoint\" and theta = 0.5 of order 2" : "");
}

// How far the fastest contact gets in one step, against the smallest gap at the start.
struct StepAdvice {
  std::string text;
  std::string remedy = {};  // empty: no warning
};
StepAdvice step_advice(const Scenario& scenario, const StartReport& report) {
  const double way = report.approach_speed * scenario.simulation.step;
  const std::string step = with_prefix(scenario.simulation.step, "s", 3);
  const std::string tried = fmt::format("first {} steps tried: ", report.tried_steps);
  if (report.approach_speed <= 0.0) return {tried + "no gap closes; the step cannot be judged by them"};
  std::string text =
      fmt::format("{}fastest approach at a contact {} ({}); one step of {} moves {}", tried,
                  with_prefix(report.approach_speed, "m/s", 3), report.fastest_contact, step, with_prefix(way, "m", 3));
  if (report.smallest_open_gap == 0.0) return {text};
  const double part = way / report.smallest_open_gap;
  text += fmt::format(" = {:.2g} % of the smallest gap", 100.0 * part);
  if (part <= 0.1 || scheme_registry().find(scenario.simulation.scheme).promises.position_level)
    return {text + ": fine, as far as was tried."};
  return {text, fmt::format("Penetration of that size may appear. Use step <= {}, or a scheme that keeps positions "
                            "(projection_combined).",
                            with_prefix(0.02 * report.smallest_open_gap / report.approach_speed, "s", 2))};
}

// What only the start tells; what reading tells stands in the scenario.
std::vector<InputProblem> warnings_of(const StartReport& report, const StepAdvice& step) {
  std::vector<InputProblem> warnings;
  if (!report.redundant_joints.empty())
    warnings.push_back({"W0231",
                        fmt::format("{} redundant constraints, at: {}", report.joint_rows - report.joint_rank,
                                    fmt::join(report.redundant_joints, ", ")),
                        {},
                        "Motion is unaffected; the split of reaction forces is not unique.",
                        {},
                        0,
                        0,
                        {}});
  if (!step.remedy.empty()) warnings.push_back({"W0304", step.text, {}, step.remedy, {}, 0, 0, {}});
  return warnings;
}

void print(const Scenario& scenario, const StartReport& report) {
  say("{}: schema 1, {}, {} law{}\n", scenario.file, scenario.model_name, scenario.laws.size(),
      scenario.laws.size() == 1 ? "" : "s");
  const Index freedom = report.velocities - std::max<Index>(0, report.joint_rank);
  say("  degrees of freedom   {} without contact ({} coordinates, {} velocities); {}\n", freedom, report.coordinates,
      report.velocities, joints_text(report));
  say("  start                consistent\n");
  say("  initial gaps         {}\n", gaps_text(report));
  if (report.has_energy)
    say("  energy at start      {:.5g} J (kinetic {:.5g} J, potential {:.5g} J)\n", report.kinetic + report.potential,
        report.kinetic, report.potential);
  say("  scheme               {}, step {}, to t = {}: {:.0f} steps\n", scenario.simulation.scheme,
      with_prefix(scenario.simulation.step, "s", 3), with_prefix(scenario.simulation.t_end, "s"),
      std::ceil(scenario.simulation.t_end / scenario.simulation.step - 1e-6));
  if (const std::string energy = joint_energy_text(scenario, report); !energy.empty())
    say("  energy in joints     {}\n", energy);
  Refusals refusals;
  for (const auto& verdict : report.schemes)
    if (!verdict.untreated.empty()) refusals.add(verdict.scheme, verdict.untreated);
  refusals.print("  note  ");
  for (const std::string& remark : report.remarks) say("  note  {}\n", remark);
  const StepAdvice step = step_advice(scenario, report);
  for (const InputProblem& warning : warnings_of(report, step))
    say("  warning[{}]: {}\n    {}\n", warning.code, warning.message, warning.hint);
  if (step.remedy.empty()) say("  advice  {}\n", step.text);
  say("ok\n");
}

void print_json(const Scenario& scenario, const StartReport& report) {
  Json gaps = Json::object();
  for (const auto& gap : report.gaps) gaps[gap.name] = gap.gap;
  Json able = Json::array();
  Json refused = Json::object();
  for (const auto& verdict : report.schemes) {
    if (verdict.untreated.empty())
      able.push_back(verdict.scheme);
    else
      refused[verdict.scheme] = verdict.untreated;
  }
  Json warnings = Json::array();
  for (const InputProblem& warning : scenario.warnings) warnings.push_back(problem_json(warning));
  for (const InputProblem& warning : warnings_of(report, step_advice(scenario, report)))
    warnings.push_back(problem_json(warning));
  const Json json = {
      {"model", scenario.file},
      {"title", scenario.title},
      {"kind", scenario.model_name},
      {"coordinates", report.coordinates},
      {"velocities", report.velocities},
      {"joints", report.joints},
      {"joint_rows", report.joint_rows},
      {"joint_rank", report.joint_rank},
      {"redundant_joints", report.redundant_joints},
      {"gaps", gaps},
      {"kinetic_energy", report.kinetic},
      {"potential_energy", report.potential},
      {"tried_steps", report.tried_steps},
      {"approach_speed", report.approach_speed},
      {"scheme", scenario.simulation.scheme},
      {"joint_energy_order", orders_of(scenario, parse_scheme_word(scenario.simulation.scheme)).joint_energy},
      {"step", scenario.simulation.step},
      {"t_end", scenario.simulation.t_end},
      {"schemes_that_can", able},
      {"schemes_that_cannot", refused},
      {"remarks", report.remarks},
      {"warnings", warnings}};
  print_json_line(json);
}

ExitCode run_check(const Options& options) {
  const Scenario scenario = load(options.scenario);
  const StartReport report = report_start(scenario);
  if (options.json)
    print_json(scenario, report);
  else
    print(scenario, report);
  return ExitCode::fine;
}

}  // namespace

void add_check(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "Read a scenario and report on it without running it");
  add_scenario_arguments(*command, options->scenario);
  command->add_flag("--json", options->json, "One JSON object");
  command->footer(R"(
Example:
  carom check scenarios/slider_crank.toml     freedoms, joints, the start, gaps, advice on the step)");
  command->callback([options, &code] { code = run_check(*options); });
}

}  // namespace carom::cli
