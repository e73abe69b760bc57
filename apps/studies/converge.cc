// carom converge: one scenario, many steps, several schemes; errors and the orders they fall with.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <variant>

#include "carom/io/output_file.h"
#include "carom/io/picture.h"
#include "carom/io/report/page.h"
#include "carom/io/run_forecast.h"
#include "carom/io/scheme_word.h"
#include "carom/study/compare.h"
#include "carom/study/converge.h"
#include "carom/study/jitter.h"
#include "command.h"
#include "interrupt.h"
#include "json_line.h"
#include "safe_output.h"
#include "scenario_arguments.h"
#include "study_commands.h"
#include "study_of.h"
#include "study_progress.h"

namespace carom::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  ScenarioArguments scenario;
  std::string study;
  std::vector<std::string> schemes = {"all"};
  std::vector<double> steps;  // from, to, n
  double until = 0.0;
  std::vector<std::string> windows;  // "from:until"
  std::string reference;
  double reference_step = 0.0;
  std::string out, page;
  bool json = false, force = false;
};

InputError bad_option(const std::string& message, const std::string& hint) {
  return InputError({"E0103", "carom converge: " + message, {}, hint, {}, 0, 0, {}});
}

// What [study.NAME] of the file says; the command line says more.
void take(const StudySettings& given, ConvergeOptions& study) {
  if (!given.schemes.empty()) study.schemes = scheme_names(given.schemes);
  if (!given.steps.empty()) {
    study.steps = given.steps;
    std::sort(study.steps.begin(), study.steps.end(), std::greater<>());
  }
  if (given.until > 0.0) study.until = given.until;
  if (given.reference_scheme.empty()) return;
  std::string word = given.reference_scheme;
  for (const auto& [name, value] : given.reference_parameters) {
    const double number = std::get<double>(value);  // [study.NAME] knows no others
    if (name == "step")
      study.reference_step = number;
    else
      word += fmt::format("{}{}={}", word.find(':') == std::string::npos ? ":" : ",", name, number);
  }
  study.reference_scheme = parse_scheme_word(word).text;
}

ConvergeOptions study_options(const Options& options, const Scenario& scenario) {
  ConvergeOptions study = default_converge_options(scenario);
  if (!options.study.empty()) take(study_of(scenario, options.study, "convergence"), study);
  if (options.schemes != std::vector<std::string>{"all"}) study.schemes = scheme_names(options.schemes);
  if (!options.steps.empty()) {
    const std::vector<double>& s = options.steps;
    const bool good = s.size() == 3 && s[0] > 0.0 && s[1] > 0.0 && s[0] != s[1] && std::isfinite(s[0] + s[1]) &&
                      s[2] >= 3 && s[2] <= 10000 && s[2] == std::round(s[2]);
    if (!good)
      throw bad_option("--steps wants from,to,n: two different steps > 0 and how many",
                       "for example --steps 1e-2,1e-5,31");
    study.steps = jittered_steps(std::max(s[0], s[1]), std::min(s[0], s[1]), static_cast<int>(s[2]));
  }
  if (options.until != 0.0) {
    if (!(options.until > 0.0) || !std::isfinite(options.until))
      throw bad_option("--until must be positive", "a time in s");
    study.until = options.until;
  }
  if (!options.reference.empty()) study.reference_scheme = parse_scheme_word(options.reference).text;
  if (!(options.reference_step >= 0.0)) throw bad_option("--reference-step must be positive", "a step in s");
  if (options.reference_step > 0.0) study.reference_step = options.reference_step;
  std::vector<double> steps = study.steps;
  if (study.reference_step > 0.0) steps.push_back(study.reference_step);
  const double until = study.until > 0.0 ? study.until : scenario.simulation.t_end;
  for (const double step : steps)
    if (until / step > most_steps)
      throw InputError({"E0128",
                        fmt::format("carom converge: {} s in steps of {} are {:.3g} steps", until, step, until / step),
                        {},
                        fmt::format("a run has at most {:.0e} steps", most_steps),
                        {},
                        0,
                        0,
                        {}});
  return study;
}

// "0.012:0.024"; either side may be empty.
void set_window(const std::string& text, ConvergeOptions& study) {
  const std::size_t colon = text.find(':');
  const auto number = [&](const std::string& part, double otherwise) {
    if (part.empty()) return otherwise;
    std::size_t used = 0;
    double value = NAN;
    try {
      value = std::stod(part, &used);
    } catch (const std::exception&) {
    }
    return used == part.size() ? value : NAN;
  };
  if (colon != std::string::npos) {
    study.from = number(text.substr(0, colon), 0.0);
    study.until = number(text.substr(colon + 1), study.until);
  }
  if (colon == std::string::npos || !(study.from >= 0.0) || !(study.until > study.from))
    throw bad_option(fmt::format("'{}' is no window of time", text),
                     "write from:until in s, as in --windows 0:2.6e-3,0.012:0.024");
}

// One study for each window, the whole run without any.
std::vector<ConvergeOptions> studies(const Options& options, const Scenario& scenario) {
  const ConvergeOptions whole = study_options(options, scenario);
  std::vector<ConvergeOptions> all;
  for (const std::string& window : options.windows) {
    all.push_back(whole);
    set_window(window, all.back());
  }
  if (all.empty()) all.push_back(whole);
  for (const ConvergeOptions& study : all)
    if (const double duration = study.until - study.from; study.steps.front() > 0.5 * duration)
      throw bad_option(
          fmt::format("the longest step, {:.3g} s, is no small part of {:.3g} s", study.steps.front(), duration),
          "choose steps with --steps from,to,n");
  return all;
}

std::string window_text(const ConvergeReport& report) {
  if (report.from == 0.0) return fmt::format("to {:.4g} s", report.until);
  return fmt::format("{:.4g} to {:.4g} s, started where the reference is then", report.from, report.until);
}

void print(const ConvergeScheme& scheme) {
  say("\nscheme {}\n", scheme.scheme);
  if (scheme.verdict == ConvergeVerdict::refused) {
    say("  cannot: {}\n", scheme.remark);
    return;
  }
  say("  {:>11}", "step [s]");
  for (const ErrorNorm& norm : error_norms()) say(" {:>10}", norm.title);
  say(" {:>12} {:>13} {:>9}\n", "penetration", "sum impulse", "time [s]");
  for (const ConvergeRun& run : scheme.runs) {
    say("  {:>11.4e}", run.dt);
    for (const ErrorNorm& norm : error_norms())
      say(" {:>10}", run.finished ? fmt::format("{:.3e}", run.errors.*norm.value) : "failed");
    say(" {:>12.3e} {:>13.6g} {:>9.4f}\n", std::max(0.0, -run.deepest_gap), run.normal_impulse, run.step_seconds);
  }
  for (std::size_t i = 0; i < scheme.orders.size(); ++i)
    say("  order of {:<10} {}\n", error_norms()[i].title, to_text(scheme.orders[i]));
  say("  declared {} ({}): {}{}{}\n", scheme.declared, scheme.phase, to_text(scheme.verdict),
      scheme.remark.empty() ? "" : "; ", scheme.remark);
}

void print(const Scenario& scenario, const ConvergeReport& report) {
  say("{}   {}, against {}\n", scenario.title, window_text(report), report.reference);
  say("errors in the norm |x|^2 = sum of M_ii x_i^2 (M at the start); largest displacement {:.4g}, largest velocity "
      "{:.4g}\n",
      report.position_size, report.velocity_size);
  for (const ConvergeScheme& scheme : report.schemes) print(scheme);
  std::size_t width = 28;
  for (const ConvergeScheme& scheme : report.schemes) width = std::max(width, scheme.scheme.size());
  say("\n{:<{}}", "fitted orders", width);
  for (const ErrorNorm& norm : error_norms()) say(" {:>14}", norm.title);
  say(" {:>9}  verdict\n", "declared");
  for (const ConvergeScheme& scheme : report.schemes) {
    say("{:<{}}", scheme.scheme, width);
    for (std::size_t i = 0; i < error_norms().size(); ++i)
      say(" {:>14}", i < scheme.orders.size() ? to_text(scheme.orders[i]) : "-");
    say(" {:>9}  {}\n", scheme.declared, to_text(scheme.verdict));
  }
}

void print_json(const ConvergeReport& report) {
  for (const ConvergeScheme& scheme : report.schemes) {
    Json json = {{"scheme", scheme.scheme},
                 {"reference", report.reference},
                 {"from", report.from},
                 {"until", report.until},
                 {"phase", scheme.phase},
                 {"declared", scheme.declared},
                 {"verdict", to_text(scheme.verdict)},
                 {"remark", scheme.remark},
                 {"growth", report.growth},
                 {"orders", Json::object()},
                 {"runs", Json::array()}};
    for (std::size_t i = 0; i < scheme.orders.size(); ++i) {
      const OrderFit& fit = scheme.orders[i];
      Json& order = json["orders"][error_norms()[i].name];
      order = {{"fitted", fit.quality == OrderFit::Quality::fitted},
               {"text", to_text(fit)},
               {"points", fit.points},
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
    print_json_line(json);
  }
}

// One panel of error against step for each norm, and one of error against time of computation.
Picture picture_of(const Scenario& scenario, const ConvergeReport& report) {
  Picture picture;
  picture.title = fmt::format("{}, {}, against {}", scenario.title, window_text(report), report.reference);
  picture.columns = 2;
  const auto panel = [&](const std::string& title, const std::string& x_label, const ErrorNorm& norm,
                         const std::function<double(const ConvergeRun&)>& x) {
    Panel p{title, {x_label, true}, {"error", true}, {}};
    int color = 0;
    for (const ConvergeScheme& scheme : report.schemes) {
      Curve curve{scheme.scheme, {}, {}, CurveStyle::line_points, color++};
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
      p.curves.push_back({"order 1",
                          {first.x.front(), first.x.back()},
                          {first.y.front(), first.y.front() * first.x.back() / first.x.front()},
                          CurveStyle::dashed,
                          6});
    }
    picture.panels.push_back(std::move(p));
  }
  picture.panels.push_back(panel("work", "computing time [s]", error_norms().front(),
                                 [](const ConvergeRun& run) { return run.step_seconds; }));
  picture.panels.push_back(take_key(picture.panels));
  return picture;
}

std::size_t finished_schemes(const ConvergeReport& report) {
  return static_cast<std::size_t>(
      std::count_if(report.schemes.begin(), report.schemes.end(),
                    [&](const ConvergeScheme& scheme) { return scheme.scheme != report.interrupted; }));
}

// Errors over steps and over computing time, and what orders they show.
Chapter chapter_of(const Scenario& scenario, const ConvergeReport& report) {
  Chapter chapter{.title = fmt::format("{}, {}", scenario.name, window_text(report)),
                  .text = fmt::format("Errors against {}.", report.reference),
                  .verdict = report.fine() ? "met" : "failed",
                  .picture = picture_of(scenario, report)};
  if (report.chaotic) chapter.text += "\nNeighbouring motions part quickly here: no step is short enough for an order.";
  ChapterTable table{{}, {}, {"scheme", "phase", "declared order"}, {}};
  for (const ErrorNorm& norm : error_norms()) table.columns.push_back(norm.title);
  for (const char* column : {"verdict", "remark"}) table.columns.emplace_back(column);
  for (const ConvergeScheme& scheme : report.schemes) {
    std::vector<std::string> row = {scheme.scheme, scheme.phase, fmt::format("{:.3g}", scheme.declared)};
    for (std::size_t k = 0; k < error_norms().size(); ++k)
      row.push_back(k < scheme.orders.size() && scheme.orders[k].quality == OrderFit::Quality::fitted
                        ? fmt::format("{:.2f}", scheme.orders[k].order)
                        : "");
    row.push_back(to_text(scheme.verdict));
    row.push_back(scheme.remark);
    table.rows.push_back(std::move(row));
  }
  chapter.tables.push_back(std::move(table));
  return chapter;
}

ExitCode run_converge(const Options& options) {
  const Scenario scenario = load(options.scenario);
  const std::vector<ConvergeOptions> all = studies(options, scenario);
  bool fine = true;
  Page page{.title = "Orders of convergence", .subtitle = scenario.title};
  const OrderlyEnd orderly;
  for (std::size_t i = 0; i < all.size(); ++i) {
    ConvergeOptions study = all[i];
    study.interrupt = &interrupt_flag();
    const ConvergeReport report = [&] {
      StudyProgress progress("converge", 0, options.json);
      return converge(scenario, study, [&](const ConvergeProgress& run) {
        progress.next(fmt::format("{} step {:.4g}", run.scheme, run.dt));
      });
    }();
    if (report.interrupted == "reference")
      return say_interrupted(report.interrupted, 0, study.schemes.size(), options.json);
    if (!report.reference_complete) {
      say(stderr, "the reference run failed: {}\n", report.reference);
      return ExitCode::numerical_failure;
    }
    if (options.json)
      print_json(report);
    else
      print(scenario, report);
    std::string stem = options.out.empty() ? scenario.name + ".converge" : options.out;
    if (all.size() > 1) stem += fmt::format(".window{}", i + 1);
    const Replace replace = options.force ? Replace::anything : Replace::ours;
    check_pictures(stem, std::filesystem::exists(stem + ".csv"), replace);
    write_text_file(stem + ".csv", to_csv(report), replace);
    const bool interrupted = !report.interrupted.empty();
    const PictureResult picture =
        interrupted ? PictureResult{{}, "interrupted"} : write_picture(picture_of(scenario, report), stem);
    if (!options.json) {
      say("wrote {}.csv", stem);
      for (const auto& file : picture.files) say(" {}", file.string());
      if (!picture.trouble.empty()) say("   no picture: {}", picture.trouble);
      fmt::print("\n{}", i + 1 < all.size() ? "\n" : "");
    }
    if (!options.page.empty() && !interrupted) page.chapters.push_back(chapter_of(scenario, report));
    if (interrupted)
      return say_interrupted(report.interrupted, finished_schemes(report), study.schemes.size(), options.json);
    fine = fine && report.fine();
  }
  if (!page.chapters.empty()) {
    write_page(page, options.page, options.force ? Replace::anything : Replace::ours);
    if (!options.json) say("wrote {}\n", options.page);
  }
  return fine ? ExitCode::fine : ExitCode::expectation_failed;
}

}  // namespace

void add_converge(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("converge", converge_text);
  add_scenario_arguments(*command, options->scenario);
  command->add_option("study", options->study, "NAME of a convergence [study.NAME] of the file");
  command->add_option("--schemes", options->schemes, "Names, or all; with parameters as name:parameter=value")
      ->delimiter(',');
  command->add_option("--steps", options->steps, "from,to,n: longest and shortest step in s, and how many")
      ->delimiter(',');
  command->add_option("--until", options->until, "Measure up to this time, s (the scenario's end)");
  command
      ->add_option("--windows", options->windows,
                   "from:until,...: measure each stretch of time by itself, from where the reference is then")
      ->delimiter(',');
  command->add_option("--reference", options->reference,
                      "Scheme of the reference run if the model has no exact solution (of those compared, the one of "
                      "highest order); event_driven is\n"
                      "independent of all others and accurate to its tolerances, 1e-12");
  command->add_option("--reference-step", options->reference_step, "Its step, s (an eighth of the shortest step)");
  command->add_option("--out", options->out, "Stem of the files written (NAME.converge)");
  command->add_option("--report", options->page, "Also one page with curves and orders (HTML)");
  command->add_flag("--force", options->force, "Replace files that are there and are no such tables and pictures");
  command->add_flag("--json", options->json, "One JSON object per scheme");
  command->footer(
      "Steps are spread over three decades around the scenario's own and jittered, so that none of them meets an\n"
      "impact at a step end by design. max: largest over the steps; mean: average over time; graph: distance of the\n"
      "velocity graphs with jumps filled in; it is shown beside the others and must fall, but declared orders do not\n"
      "speak of it. A window between two impacts shows the order a scheme has there, a window across one the order\n"
      "that is left. Exit code 1 if another order is more than 0.15 below the declared one.\n\n"
      "Examples:\n"
      "  carom converge scenarios/slider_crank_bodies.toml order            the study that stands in the file\n"
      "  carom converge scenarios/bouncing_ball.toml --schemes moreau_jean,projection_combined --report orders.html");
  command->callback([options, &code] { code = run_converge(*options); });
}

}  // namespace carom::cli
