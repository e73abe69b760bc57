// carom run: simulates a scenario and writes its result file.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "carom/base/version.h"
#include "carom/io/quantity_text.h"
#include "carom/io/run_scenario.h"
#include "interrupt.h"
#include "json_line.h"
#include "run_command.h"
#include "safe_output.h"
#include "scenario_arguments.h"

namespace carom::cli {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct Options {
  ScenarioArguments scenario;
  std::string out;
  RunPrinting printing;
  bool force = false;
  int threads = 0;  // 0: as the file says
};

void print_json(const Json& json) { print_json_line(json); }

std::string scheme_text(const Scenario& scenario) {
  std::string text = scenario.simulation.scheme;
  const auto given = scenario.simulation.scheme_parameters.find(text);
  if (given != scenario.simulation.scheme_parameters.end())
    for (const auto& [name, value] : given->second) text += fmt::format(" {}={}", name, to_text(value));
  return text;
}

long planned_steps(const Scenario& scenario) {
  return std::lround(
      std::ceil((scenario.simulation.t_end - scenario.model.initial.t) / scenario.simulation.step - 1e-6));
}

void print_header(const Scenario& scenario, const RunPrinting& options) {
  if (options.json) {
    print_json({{"event", "start"},
                {"carom", build_info().version},
                {"model", scenario.file},
                {"title", scenario.title},
                {"scheme", scenario.simulation.scheme},
                {"solver", scenario.simulation.solver},
                {"step", scenario.simulation.step},
                {"t_end", scenario.simulation.t_end},
                {"steps", planned_steps(scenario)},
                {"set", scenario.overrides}});
    for (const InputProblem& warning : scenario.warnings) {
      Json line = {{"event", "warning"}};
      line.update(problem_json(warning));
      print_json(line);
    }
  } else if (!options.quiet) {
    say("carom {}  {}  {}  step {}  {} steps\n", build_info().version, scenario.name, scheme_text(scenario),
        with_prefix(scenario.simulation.step, "s", 3), planned_steps(scenario));
    std::fflush(stdout);
  }
}

// A bar on a terminal, a line every ten seconds elsewhere.
class ProgressPrinter {
 public:
  explicit ProgressPrinter(const RunPrinting& options)
      : json_(options.json), quiet_(options.quiet), terminal_(isatty(STDOUT_FILENO) && !options.json) {}

  void operator()(const Progress& progress) {
    if (quiet_) return;
    const Clock::time_point now = Clock::now();
    if (now - shown_ < (terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(10))) return;
    shown_ = now;
    try {
      show(progress, std::chrono::duration<double>(now - begin_).count());
    } catch (const std::system_error&) {
      if (!interrupt_flag()) throw;  // else the reader went away, and the run is about to end
    }
  }

  void clear() {
    if (drawn_) to_terminal(STDOUT_FILENO, "\r\x1b[K");
  }

 private:
  void show(const Progress& progress, double elapsed) {
    const double part = std::min(1.0, progress.t / progress.t_end);
    const double rate = static_cast<double>(progress.step) / elapsed;
    const double left = part > 0.0 ? elapsed * (1.0 - part) / part : 0.0;
    if (json_) {
      print_json({{"event", "progress"},
                  {"t", progress.t},
                  {"step", progress.step},
                  {"part", part},
                  {"active_contacts", progress.active_contacts},
                  {"seconds", elapsed}});
      return;
    }
    const std::string numbers =
        fmt::format("{:3.0f} %  t = {}   {} steps/s   contacts {}   {:.1f} s left", 100.0 * part,
                    with_prefix(progress.t, "s"), grouped(rate), progress.active_contacts, left);
    if (terminal_) {
      constexpr int width = 40;
      const int full = static_cast<int>(width * part);
      to_terminal(STDOUT_FILENO, fmt::format("\r[{:#<{}}{:.<{}}]  {}\x1b[K", "", full, "", width - full, numbers));
      drawn_ = true;
    } else {
      say("{}\n", numbers);
    }
    std::fflush(stdout);
  }

  bool json_, quiet_, terminal_;
  bool drawn_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point shown_ = Clock::now();
};

double per_step(long sum, long steps) {
  return steps > 0 ? static_cast<double>(sum) / static_cast<double>(steps) : 0.0;
}

const char* to_word(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::ok: return "ok";
    case Verdict::Kind::broken: return "BROKEN";
    case Verdict::Kind::not_judged: return "not judged";
  }
  return "";
}

const char* to_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::finished: return "done";
    case Outcome::interrupted: return "interrupted";
    case Outcome::failed: return "failed";
  }
  return "";
}

void print_energy(const Audit& audit) {
  const double scale = std::max(std::abs(audit.start_energy), std::abs(audit.end_energy));
  const auto change = [](double x) { return x == 0.0 ? "0" : fmt::format("{:+.3g}", x); };
  std::string parts = fmt::format("impacts {}, friction {}", change(-audit.impact_loss), change(-audit.friction_loss));
  if (audit.joint_loss != 0.0) parts += fmt::format(", joints {}", change(-audit.joint_loss));
  if (audit.other_work != 0.0) parts += fmt::format(", drives and dampers {}", change(audit.other_work));
  parts += fmt::format(", scheme {}", change(audit.scheme_residual));
  const std::string rise = audit.largest_rise <= 1e-12 * scale ? "never rises"
                                                               : fmt::format("largest rise in a step {} at t = {}",
                                                                             with_prefix(audit.largest_rise, "J", 2),
                                                                             with_prefix(audit.largest_rise_time, "s"));
  say("       energy {:.5g} -> {:.5g} J: {}    {}\n", audit.start_energy, audit.end_energy, parts, rise);
}

// How many events of each kind were located; the end of every accumulation, a sustained contact, with its time.
void print_events(const std::vector<LocatedEvent>& events) {
  if (events.empty()) return;
  std::map<EventKind, long> counts;
  std::vector<std::string> accumulations;
  for (const LocatedEvent& event : events) {
    ++counts[event.kind];
    if (event.kind == EventKind::accumulation)
      accumulations.push_back(fmt::format("{} at t = {}", event.name, with_prefix(event.t, "s")));
  }
  std::vector<std::string> words;
  for (const auto& [kind, count] : counts) words.push_back(fmt::format("{} {}", to_text(kind), count));
  say("       events: {}\n", fmt::format("{}", fmt::join(words, ", ")));
  if (accumulations.size() > 6) {
    accumulations.resize(6);
    accumulations.push_back("...");
  }
  if (!accumulations.empty())
    say("       closed after ever faster impacts: {}\n", fmt::format("{}", fmt::join(accumulations, ", ")));
}

// Whether the run may be believed, in one line; one line for each thing that speaks against it. A run that did not
// reach its end is judged as far as it came.
void print_judgement(const SimulationSummary& summary, bool quiet) {
  const Judgement& judgement = summary.judgement;
  if (!judgement.judged) return;
  if (judgement.sound() && !quiet)
    say("       judged sound{}\n", summary.outcome == Outcome::finished ? "" : " as far as it came");
  for (const Finding& finding : judgement.findings) say("NOT SOUND  {}\n", to_text(finding));
}

Json to_json(const Judgement& judgement) {
  Json findings = Json::array();
  for (const Finding& f : judgement.findings)
    findings.push_back({{"flaw", to_word(f.flaw)},
                        {"name", f.name},
                        {"t", f.t},
                        {"value", f.value},
                        {"share", f.share},
                        {"limit", f.limit},
                        {"count", f.count},
                        {"text", to_text(f)}});
  return {{"sound", judgement.judged ? Json(judgement.sound()) : Json(nullptr)}, {"findings", findings}};
}

void print_report(const Scenario& scenario, const RunReport& report, const RunPrinting& options) {
  const SimulationSummary& s = report.summary;
  const Audit& audit = s.audit;
  if (!options.quiet) {
    say("{}   {} in {}   {} steps, {} failed, {} halved{}   contact solver: mean {:.1f}, max {} iterations\n",
        to_word(s.outcome), with_prefix(s.last.t - scenario.model.initial.t, "s"),
        with_prefix(report.wall_seconds, "s", 3), s.steps, s.failed_steps, s.halvings,
        s.proceeded_steps > 0 ? fmt::format(", {} kept unsolved", s.proceeded_steps) : "",
        per_step(s.solver_iterations, s.steps), s.max_solver_iterations);
    if (audit.deepest_gap < 0.0)
      say("       deepest penetration {} ({}, t = {})\n", with_prefix(-audit.deepest_gap, "m", 3), audit.deepest_name,
          with_prefix(audit.deepest_time, "s"));
    else if (audit.missed_contacts == 0)
      say("       no penetration\n");
    if (audit.joint_error > 0.0)
      say("       largest joint error {:.2g} (t = {})\n", audit.joint_error, with_prefix(audit.joint_error_time, "s"));
    if (s.contradicting_steps > 0)
      say("       sticking contacts contradict each other in {} step{}, by {:.2g} of what moves at worst (t = {}); "
          "shared between them\n",
          s.contradicting_steps, s.contradicting_steps == 1 ? "" : "s", s.worst_contradiction,
          with_prefix(s.worst_contradiction_time, "s"));
    print_events(s.events);
    if (audit.has_energy) print_energy(audit);
    if (audit.normal_impulse > 0.0)
      say("       normal impulse {} in total, largest single {} ({}, t = {})\n",
          with_prefix(audit.normal_impulse, "N*s"), with_prefix(audit.largest_normal_impulse, "N*s", 3),
          audit.largest_normal_impulse_name, with_prefix(audit.largest_normal_impulse_time, "s"));
  }
  print_judgement(s, options.quiet);
  if (!options.quiet)
    for (const Measurement& measure : report.measures)
      say("measure {:<17} {}\n", measure.name,
          measure.value ? fmt::format("{:.6g}", *measure.value) : "none: " + measure.trouble);
  for (const Verdict& verdict : report.verdicts)
    if (!options.quiet || verdict.kind != Verdict::Kind::ok)
      say("expect {:<18} {}{}\n", verdict.name, to_word(verdict.kind),
          verdict.why.empty() ? "" : fmt::format("  ({})", verdict.why));
  if (!options.quiet)
    say("wrote  {} ({})    next: carom report {}\n", report.file, bytes_text(static_cast<double>(report.file_bytes)),
        report.file);
}

void print_json_report(const System& system, const RunReport& report) {
  const SimulationSummary& s = report.summary;
  const Audit& audit = s.audit;
  for (const Measurement& measure : report.measures)
    print_json({{"event", "measure"},
                {"name", measure.name},
                {"value", measure.value ? Json(*measure.value) : Json(nullptr)},
                {"trouble", measure.trouble}});
  for (const Verdict& verdict : report.verdicts)
    print_json({{"event", "expectation"},
                {"name", verdict.name},
                {"formula", verdict.formula},
                {"verdict", verdict.kind == Verdict::Kind::broken ? "broken" : to_word(verdict.kind)},
                {"why", verdict.why}});
  Json penetration = Json::object();
  for (const Penetration& p : audit.penetrations)
    penetration[system.constraint_name(p.constraint())] = {{"gap", p.deepest.gap}, {"t", p.deepest.t}};
  Json json = {{"event", to_word(s.outcome)},
               {"t", s.last.t},
               {"seconds", report.wall_seconds},
               {"seconds_in_steps", s.step_seconds},
               {"steps", s.steps},
               {"failed_steps", s.failed_steps},
               {"halvings", s.halvings},
               {"proceeded_steps", s.proceeded_steps},
               {"newton_iterations", s.newton_iterations},
               {"solver_iterations", s.solver_iterations},
               {"projection_iterations", s.projection_iterations},
               {"index_set_iterations", s.index_set_iterations},
               {"max_solver_iterations", s.max_solver_iterations},
               {"worst_residual", s.worst_solver_residual},
               {"contradicting_steps", s.contradicting_steps},
               {"worst_contradiction", s.worst_contradiction},
               {"deepest_gap", audit.deepest_gap},
               {"deepest_name", audit.deepest_name},
               {"deepest_time", audit.deepest_time},
               {"penetration", penetration},
               {"joint_error", audit.joint_error},
               {"normal_impulse", audit.normal_impulse},
               {"largest_normal_impulse", audit.largest_normal_impulse},
               {"largest_normal_impulse_name", audit.largest_normal_impulse_name}};
  if (audit.has_energy)
    json["energy"] = {{"start", audit.start_energy},
                      {"end", audit.end_energy},
                      {"other_work", audit.other_work},
                      {"impact_loss", audit.impact_loss},
                      {"friction_loss", audit.friction_loss},
                      {"joint_loss", audit.joint_loss},
                      {"scheme_residual", audit.scheme_residual},
                      {"largest_rise", audit.largest_rise}};
  json["judgement"] = to_json(s.judgement);
  if (!s.events.empty()) {
    Json events = Json::array();
    for (const LocatedEvent& event : s.events)
      events.push_back({{"t", event.t}, {"kind", to_text(event.kind)}, {"name", event.name}});
    json["events"] = events;
  }
  json["file"] = report.file;
  json["file_bytes"] = report.file_bytes;
  if (!s.advice.empty()) json["advice"] = s.advice;
  if (!report.problem_file.empty()) json["problem_file"] = report.problem_file;
  print_json(json);
}

void print_failure(const RunReport& report) {
  say(stderr, "error[E0501]: {}\n  state saved: {} (t = {})\n", report.summary.advice, report.file,
      with_prefix(report.summary.last.t, "s"));
  if (!report.problem_file.empty()) say(stderr, "  replay: carom solve {} --solver all\n", report.problem_file);
  if (!report.problem_trouble.empty()) say(stderr, "  the contact problem was not kept: {}\n", report.problem_trouble);
}

ExitCode exit_code(const RunReport& report, bool strict) {
  const SimulationSummary& s = report.summary;
  if (s.outcome == Outcome::failed) return ExitCode::numerical_failure;
  if (s.outcome == Outcome::interrupted) return interrupted_exit();
  bool broken = false;
  for (const Verdict& verdict : report.verdicts) broken |= verdict.kind != Verdict::Kind::ok;
  if (strict) broken |= s.failed_steps > 0 || !s.judgement.sound();
  return broken ? ExitCode::expectation_failed : ExitCode::fine;
}

ExitCode run_run(const Options& options) {
  Scenario scenario = load(options.scenario);
  if (options.threads > 0) scenario.simulation.solver_parameters["threads"] = static_cast<double>(options.threads);
  return run_and_print(scenario, options.printing, [&](RunOptions settings) {
    settings.out = options.out;
    settings.replace = options.force ? Replace::anything : Replace::ours;
    return run_scenario(scenario, settings);
  });
}

}  // namespace

ExitCode run_and_print(const Scenario& scenario, const RunPrinting& printing,
                       const std::function<RunReport(const RunOptions& options)>& run) {
  print_header(scenario, printing);
  ProgressPrinter printer(printing);
  const RunReport report = [&] {
    const OrderlyEnd orderly;
    RunOptions options;
    options.interrupt = &interrupt_flag();
    options.progress = [&](const Progress& progress) { printer(progress); };
    return run(options);
  }();
  printer.clear();
  if (printing.json)
    print_json_report(*scenario.model.system, report);
  else
    print_report(scenario, report, printing);
  if (report.summary.outcome == Outcome::failed) print_failure(report);
  return exit_code(report, printing.strict);
}

void add_run_printing(CLI::App& command, RunPrinting& printing) {
  command.add_flag("--strict", printing.strict, "Exit 1 also if a step failed or the run is not sound");
  command.add_flag("--quiet", printing.quiet, "Print only what is wrong");
  command.add_flag("--json", printing.json, "One JSON object per line");
}

void add_run(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "Simulate a scenario and write a result file");
  add_scenario_arguments(*command, options->scenario);
  command->add_option("-o,--out", options->out, "Result file (HDF5)");
  command->add_flag("--force", options->force, "Replace the output even if it is no result of this model");
  command->add_option("--threads", options->threads, "Of the contact solver, for large piles; the results are the same")
      ->check(CLI::Range(1, 256));
  add_run_printing(*command, options->printing);
  command->footer(R"(
Examples:
  carom run scenarios/slider_crank.toml                                writes slider_crank.h5
  carom run scenarios/slider_crank.toml --set clearance=5e-4 -o fine.h5
  carom run scenarios/slider_crank.toml --scheme projection_combined --t-end 0.05 -o combined.h5)");
  command->callback([options, &code] { code = run_run(*options); });
}

}  // namespace carom::cli
