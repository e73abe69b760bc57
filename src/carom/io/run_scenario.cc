#include "carom/io/run_scenario.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "carom/base/errors.h"
#include "carom/io/problem_file.h"
#include "carom/io/result_recorder.h"

namespace carom {

namespace {

// Shows each step to the result file, to the measures and expectations, and to whoever watches.
class Watch final : public Recorder {
 public:
  Watch(const Scenario& scenario, const RunOptions& options, ResultRecorder& file)
      : options_(options), file_(file), channels_(scenario) {
    channels_.need(scenario.measures);
    channels_.need(scenario.expectations);
    progress_.t_end = scenario.simulation.t_end;
  }

  void begin(const System& system, const State& start) override {
    file_.begin(system, start);
    channels_.begin(system, start);
  }
  void step(const System& system, const StepView& view) override {
    file_.step(system, view);
    channels_.step(system, view);
    if (!options_.progress) return;
    progress_.t = view.result.next.t;
    progress_.step = view.step;
    progress_.active_contacts = view.result.contacts.size();
    options_.progress(progress_);
  }
  void end(const System& system, const State& last) override { file_.end(system, last); }

  const ChannelRecorder& channels() const { return channels_; }

 private:
  const RunOptions& options_;
  ResultRecorder& file_;
  ChannelRecorder channels_;
  Progress progress_;
};

Verdict judge(const NamedExpression& expectation, const Channels& channels, Outcome outcome) {
  Verdict verdict{expectation.name, expectation.expression.text(), Verdict::Kind::not_judged, {}};
  if (outcome != Outcome::finished) {
    verdict.why = "the run did not reach its end";
    return verdict;
  }
  try {
    const double value = expectation.expression.evaluate(channels).data[0];
    if (std::isnan(value)) {
      verdict.why = not_a_number;
      return verdict;
    }
    const bool holds = value != 0.0;
    verdict.kind = holds ? Verdict::Kind::ok : Verdict::Kind::broken;
    Expression left, right;
    const std::string operation = expectation.expression.comparison(left, right);
    if (operation.empty()) return verdict;
    const double a = left.evaluate(channels).data[0], b = right.evaluate(channels).data[0];
    verdict.why = fmt::format("{:.4g} {} {:.4g}", a, holds ? operation : "is not " + operation, b);
  } catch (const ExpressionError& error) {
    verdict.kind = Verdict::Kind::not_judged;
    verdict.why = error.what();
  }
  return verdict;
}

// Trouble with this file must not hide the trouble of the run.
void keep(const UnsolvedProblem& unsolved, RunReport& report) {
  const auto path = std::filesystem::path(report.file).replace_extension(".problem.h5");
  try {
    write_problem(path, unsolved.problem, unsolved.guess);
    report.problem_file = path.string();
  } catch (const InputError& error) {
    report.problem_trouble = error.what();
  } catch (const std::system_error& error) {
    report.problem_trouble = error.what();
  }
}

}  // namespace

RunReport run_scenario(const Scenario& scenario, const RunOptions& options) {
  check_scheme(scenario);
  SensorReadings(layout_of(*scenario.model.system), scenario.sensors);  // throws before anything is written
  const auto begin = std::chrono::steady_clock::now();
  const auto scheme = make_scheme(scenario);
  const auto solver = make_solver(scenario);
  RunReport report;
  report.file = options.out.empty() ? scenario.output.file : options.out;
  {
    ResultRecorder file(scenario, report.file, options.replace);
    Watch watch(scenario, options, file);
    SimulationOptions settings = simulation_options(scenario);
    settings.interrupt = options.interrupt;
    report.summary =
        simulate(*scenario.model.system, *scheme, *solver, scenario.model.initial, settings, &watch);
    report.measures = watch.channels().measure(scenario.measures);
    for (const NamedExpression& expectation : scenario.expectations)
      report.verdicts.push_back(judge(expectation, watch.channels().channels(), report.summary.outcome));
    report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    file.conclude(report.summary, report.wall_seconds, report.measures, report.verdicts);
  }
  report.file_bytes = std::filesystem::file_size(report.file);
  if (report.summary.unsolved) keep(*report.summary.unsolved, report);
  return report;
}

}  // namespace carom
