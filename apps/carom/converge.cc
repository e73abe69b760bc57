// carom converge: one scenario, many steps, several schemes; errors and the orders they fall with.
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "carom/io/picture.h"
#include "carom/study/compare.h"
#include "carom/study/converge.h"
#include "carom/study/jitter.h"
#include "command.h"
#include "scenario_arguments.h"
#include "text_file.h"

namespace carom::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  ScenarioArguments scenario;
  std::vector<std::string> schemes = {"all"};
  std::vector<double> steps;  // from, to, n
  double until = 0.0;
  std::string reference;
  std::string out;
  bool json = false;
};

InputError bad_option(const std::string& message, const std::string& hint) {
  return InputError({"E0103", "carom converge: " + message, {}, hint, {}, 0, 0, {}});
}

ConvergeOptions study_options(const Options& options, const Scenario& scenario) {
  ConvergeOptions study = default_converge_options(scenario);
  if (options.schemes != std::vector<std::string>{"all"}) study.schemes = scheme_names(options.schemes);
  if (!options.steps.empty()) {
    const std::vector<double>& s = options.steps;
    if (s.size() != 3 || !(s[0] > 0.0) || !(s[1] > 0.0) || s[0] == s[1] || s[2] < 3 || s[2] != std::round(s[2]))
      throw bad_option("--steps wants from,to,n: two different steps > 0 and how many", "for example --steps 1e-2,1e-5,31");
    study.steps = jittered_steps(std::max(s[0], s[1]), std::min(s[0], s[1]), static_cast<int>(s[2]));
  }
  if (options.until != 0.0) {
    if (!(options.until > 0.0)) throw bad_option("--until must be positive", "a time in s");
    study.until = options.until;
  }
  if (study.steps.front() > 0.5 * study.until)
    throw bad_option(fmt::format("the longest step, {:.3g} s, is no small part of {:.3g} s", study.steps.front(), study.until),
                     "choose steps with --steps from,to,n");
  if (!options.reference.empty()) study.reference_scheme = schemes().find(options.reference).name;
  return study;
}

// One line that is overwritten, for a person who waits.
void show_progress(const ConvergeProgress& progress) {
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r{:<28} step {:<12.4g}\r", progress.scheme, progress.dt);
}

void print(const ConvergeScheme& scheme) {
  fmt::print("\nscheme {}\n", scheme.scheme);
  if (scheme.verdict == ConvergeVerdict::refused) {
    fmt::print("  cannot: {}\n", scheme.remark);
    return;
  }
  fmt::print("  {:>11}", "step [s]");
  for (const ErrorNorm& norm : error_norms()) fmt::print(" {:>10}", norm.title);
  fmt::print(" {:>12} {:>13} {:>9}\n", "penetration", "sum impulse", "time [s]");
  for (const ConvergeRun& run : scheme.runs) {
    fmt::print("  {:>11.4e}", run.dt);
    for (const ErrorNorm& norm : error_norms())
      fmt::print(" {:>10}", run.finished ? fmt::format("{:.3e}", run.errors.*norm.value) : "failed");
    fmt::print(" {:>12.3e} {:>13.6g} {:>9.4f}\n", std::max(0.0, -run.deepest_gap), run.normal_impulse, run.step_seconds);
  }
  for (std::size_t i = 0; i < scheme.orders.size(); ++i)
    fmt::print("  order of {:<10} {}\n", error_norms()[i].title, to_text(scheme.orders[i]));
  fmt::print("  declared {} ({}): {}{}{}\n", scheme.declared, scheme.phase, to_text(scheme.verdict),
             scheme.remark.empty() ? "" : "; ", scheme.remark);
}

void print(const Scenario& scenario, const ConvergeReport& report) {
  fmt::print("{}   to {:.4g} s, against {}\n", scenario.title, report.until, report.reference);
  fmt::print("errors in the norm |x|^2 = sum of M_ii x_i^2 (M at the start); largest displacement {:.4g}, largest velocity {:.4g}\n",
             report.position_size, report.velocity_size);
  for (const ConvergeScheme& scheme : report.schemes) print(scheme);
  fmt::print("\n{:<28}", "fitted orders");
  for (const ErrorNorm& norm : error_norms()) fmt::print(" {:>14}", norm.title);
  fmt::print(" {:>9}  verdict\n", "declared");
  for (const ConvergeScheme& scheme : report.schemes) {
    fmt::print("{:<28}", scheme.scheme);
    for (std::size_t i = 0; i < error_norms().size(); ++i)
      fmt::print(" {:>14}", i < scheme.orders.size() ? to_text(scheme.orders[i]) : "-");
    fmt::print(" {:>9}  {}\n", scheme.declared, to_text(scheme.verdict));
  }
}

void print_json(const ConvergeReport& report) {
  for (const ConvergeScheme& scheme : report.schemes) {
    Json json = {{"scheme", scheme.scheme},     {"reference", report.reference}, {"until", report.until},
                 {"phase", scheme.phase},       {"declared", scheme.declared},   {"verdict", to_text(scheme.verdict)},
                 {"remark", scheme.remark},     {"growth", report.growth},       {"orders", Json::object()},
                 {"runs", Json::array()}};
    for (std::size_t i = 0; i < scheme.orders.size(); ++i) {
      const OrderFit& fit = scheme.orders[i];
      Json& order = json["orders"][error_norms()[i].name];
      order = {{"fitted", fit.quality == OrderFit::Quality::fitted}, {"text", to_text(fit)}, {"points", fit.points},
               {"decades", fit.decades}};
      if (fit.quality == OrderFit::Quality::fitted) {
        order["order"] = fit.order;
        order["standard_error"] = fit.standard_error;
      }
    }
    for (const ConvergeRun& run : scheme.runs) {
      Json row = {{"step", run.dt}, {"finished", run.finished}};
      for (const ErrorNorm& norm : error_norms()) row[norm.name] = run.errors.*norm.value;
      row["deepest_gap"] = run.deepest_gap;
      row["normal_impulse"] = run.normal_impulse;
      row["step_seconds"] = run.step_seconds;
      json["runs"].push_back(row);
    }
    fmt::print("{}\n", json.dump());
  }
}

// One panel of error against step for each norm, and one of error against time of computation.
Picture picture_of(const Scenario& scenario, const ConvergeReport& report) {
  Picture picture;
  picture.title = fmt::format("{}, to {:.4g} s, against {}", scenario.title, report.until, report.reference);
  picture.columns = 2;
  const auto panel = [&](const std::string& title, const std::string& x_label, const ErrorNorm& norm,
                         const std::function<double(const ConvergeRun&)>& x) {
    Panel p{title, {x_label, true}, {"error", true}, {}, "top left"};
    for (const ConvergeScheme& scheme : report.schemes) {
      Curve curve{scheme.scheme, {}, {}, CurveStyle::line_points};
      for (const ConvergeRun& run : scheme.runs) {
        const double error = run.errors.*norm.value;
        if (!run.finished || !(error > 0.0) || !(x(run) > 0.0)) continue;
        curve.x.push_back(x(run));
        curve.y.push_back(error);
      }
      if (!curve.x.empty()) p.curves.push_back(curve);
    }
    return p;
  };
  for (const ErrorNorm& norm : error_norms()) {
    Panel p = panel(norm.title, "step [s]", norm, [](const ConvergeRun& run) { return run.dt; });
    if (!p.curves.empty()) {  // a line of order one to compare with
      const Curve& first = p.curves.front();
      p.curves.push_back({"order 1", {first.x.front(), first.x.back()},
                          {first.y.front(), first.y.front() * first.x.back() / first.x.front()}, CurveStyle::dashed});
    }
    picture.panels.push_back(std::move(p));
  }
  picture.panels.push_back(panel("work", "computing time [s]", error_norms().front(),
                                 [](const ConvergeRun& run) { return run.step_seconds; }));
  picture.panels.back().key = "bottom left";
  return picture;
}

ExitCode run_converge(const Options& options) {
  const Scenario scenario = load(options.scenario);
  const ConvergeReport report = converge(scenario, study_options(options, scenario), show_progress);
  if (!report.reference_complete) {
    fmt::print(stderr, "the reference run failed: {}\n", report.reference);
    return ExitCode::numerical_failure;
  }
  if (options.json)
    print_json(report);
  else
    print(scenario, report);
  const std::string stem = options.out.empty() ? scenario.name + ".converge" : options.out;
  write_text_file(stem + ".csv", to_csv(report));
  const PictureResult picture = write_picture(picture_of(scenario, report), stem);
  if (!options.json) {
    fmt::print("wrote {}.csv", stem);
    for (const auto& file : picture.files) fmt::print(" {}", file.string());
    if (!picture.trouble.empty()) fmt::print("   no picture: {}", picture.trouble);
    fmt::print("\n");
  }
  return report.fine() ? ExitCode::fine : ExitCode::expectation_failed;
}

}  // namespace

void add_converge(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("converge", "Errors over many steps and schemes, and their orders");
  add_scenario_arguments(*command, options->scenario);
  command->add_option("--schemes", options->schemes, "Names, or all")->delimiter(',');
  command->add_option("--steps", options->steps, "from,to,n: longest and shortest step in s, and how many")
      ->delimiter(',');
  command->add_option("--until", options->until, "Measure up to this time, s (the scenario's end)");
  command->add_option("--reference", options->reference,
                      "Scheme of the reference run if the model has no exact solution (moreau_jean); event_driven is\n"
                      "independent of all others and accurate to its tolerances, 1e-12");
  command->add_option("--out", options->out, "Stem of the files written (NAME.converge)");
  command->add_flag("--json", options->json, "One JSON object per scheme");
  command->footer(
      "Steps are spread over three decades around the scenario's own and jittered, so that none of them meets an\n"
      "impact at a step end by design. max: largest over the steps; mean: average over time; graph: distance of the\n"
      "velocity graphs with jumps filled in; it is shown beside the others and must fall, but declared orders do not\n"
      "speak of it. Exit code 1 if another order is more than 0.15 below the declared one.");
  command->callback([options, &code] { code = run_converge(*options); });
}

}  // namespace carom::cli
