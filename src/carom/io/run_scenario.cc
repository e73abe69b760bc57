#include "carom/io/run_scenario.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "carom/base/errors.h"
#include "carom/io/checkpoint_file.h"
#include "carom/io/problem_file.h"
#include "carom/io/result_recorder.h"

namespace carom::inline io {

namespace {

// Shows each step to the result file and to whoever watches.
class Watch final : public Recorder {
 public:
  Watch(const Scenario& scenario, const RunOptions& options, ResultRecorder& file) : options_(options), file_(file) {
    progress_.t_end = scenario.simulation.t_end;
  }

  void begin(const System& system, const State& start) override {
    file_.begin(system, start);
    if (options_.also) options_.also->begin(system, start);
  }
  void resume(const System& system, const Checkpoint& checkpoint, const Auditor& auditor) override {
    file_.resume(system, checkpoint, auditor);
    if (options_.also) options_.also->resume(system, checkpoint, auditor);
  }
  void step(const System& system, const StepView& view) override {
    file_.step(system, view);
    if (options_.also) options_.also->step(system, view);
    if (!options_.progress) return;
    progress_.t = view.result.next.t;
    progress_.step = view.step;
    progress_.active_contacts = view.result.contacts.size();
    options_.progress(progress_);
  }
  void end(const System& system, const State& last) override {
    file_.end(system, last);
    if (options_.also) options_.also->end(system, last);
  }

 private:
  const RunOptions& options_;
  ResultRecorder& file_;
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

namespace {

// `go`: from the start or from a checkpoint.
template <class Go>
RunReport run_into(ResultRecorder& file, const Scenario& scenario, const std::string& path, const RunOptions& options,
                   Go&& go) {
  const auto begin = std::chrono::steady_clock::now();
  RunReport report;
  report.file = path;
  Watch watch(scenario, options, file);
  SimulationOptions settings = simulation_options(scenario);
  settings.interrupt = options.interrupt;
  report.summary = go(settings, watch);
  report.measures = file.measured().measure(scenario.measures);
  for (const NamedExpression& expectation : scenario.expectations)
    report.verdicts.push_back(judge(expectation, file.measured().channels(), report.summary.outcome));
  report.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  file.conclude(report.summary, report.wall_seconds, report.measures, report.verdicts);
  return report;
}

RunReport with_files(RunReport report) {
  report.file_bytes = std::filesystem::file_size(report.file);
  if (report.summary.unsolved) keep(*report.summary.unsolved, report);
  return report;
}

void check(const Scenario& scenario) {
  check_scheme(scenario);
  SensorReadings(layout_of(*scenario.model.system), scenario.sensors);  // throws before anything is written
}

}  // namespace

RunReport run_scenario(const Scenario& scenario, const RunOptions& options) {
  check(scenario);
  const auto scheme = make_scheme(scenario);
  const auto solver = make_solver(scenario);
  const std::string path = options.out.empty() ? scenario.output.file : options.out;
  return with_files([&] {
    ResultRecorder file(scenario, path, options.replace);
    return run_into(file, scenario, path, options, [&](const SimulationOptions& settings, Watch& watch) {
      return simulate(*scenario.model.system, *scheme, *solver, scenario.model.initial, settings, &watch);
    });
  }());
}

RunReport resume_scenario(const Scenario& scenario, const std::string& path, const RunOptions& options) {
  check(scenario);
  const auto scheme = make_scheme(scenario);
  const auto solver = make_solver(scenario);
  std::string group;
  const Checkpoint checkpoint = [&] {
    const Hdf5File file = Hdf5File::open(path);
    group = newest_checkpoint(file);
    return read_checkpoint(file, group);
  }();
  const System& system = *scenario.model.system;
  if (checkpoint.state.q.size() != system.nq() || checkpoint.state.v.size() != system.nv())
    throw InputError({"E0610",
                      fmt::format("'{}' holds a state of another model", path),
                      {},
                      "go on with the model it was made with",
                      {},
                      0,
                      0,
                      {}});
  return with_files([&] {
    ResultRecorder file(scenario, path, GoOn{group});
    return run_into(file, scenario, path, options, [&](const SimulationOptions& settings, Watch& watch) {
      return resume(system, *scheme, *solver, checkpoint, settings, &watch);
    });
  }());
}

}  // namespace carom::inline io
