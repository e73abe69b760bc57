// Spheres falling into a box: 100, 1,000, 4,000 and 16,000 of them, steps of 1e-3 s from rest, friction 0.5, all
// tolerances 1e-6, active sets of projection_combined begun from those of the step before. Case spheres_N, or
// spheres_N_first_K where only the first K steps are made: many spheres because all would take long, 1,000 because
// Siconos beside us would. Each case runs once, whatever --repetitions says, in a process of its own.
//
//   step                       CPU seconds a step, the mean over the run
//   ns_per_contact             CPU time a step over its active contacts, sums over the run
//   ns_per_contact_250         the same over the first 250 steps: sizes are compared over the same stretch of the fall
//   detection_ms ...           parts of a step, see simulation/measured_run.h; solve_ns: of one solver iteration a
//                              contact
//   bytes_per_contact          growth of the largest memory in use, model included, over the most contacts of a step
#include <algorithm>
#include <filesystem>

#include "carom/io/result_recorder.h"
#include "carom/io/scenario.h"
#include "carom/model/multibody_scenes.h"
#include "carom/simulation/measured_run.h"
#include "measured_alone.h"
#include "run_benchmarks.h"

namespace {

using namespace carom;

constexpr double tolerance = 1e-6;

struct Case {
  Index spheres;
  std::string scheme;
  long steps = 500;
  bool recorded = false;

  std::string name() const {
    std::string name = "spheres_" + std::to_string(spheres);
    if (steps != 500) name += "_first_" + std::to_string(steps);
    return name + "/" + scheme + (recorded ? "_recorded" : "");
  }
};

std::array<Index, 3> lattice(Index spheres) {
  switch (spheres) {
    case 100: return {5, 5, 4};
    case 1000: return {10, 10, 10};
    case 4000: return {20, 20, 10};
    default: return {40, 40, 10};
  }
}

// A result file that goes when its owner goes.
struct TemporaryResult {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("carom-bench-" + std::to_string(getpid()) + ".h5");
  ~TemporaryResult() { std::filesystem::remove(path); }
};

NamedNumbers fall(const Case& wanted) {
  const double memory = peak_memory();
  Scenario scenario = scenario_of("spheres", spheres_in_box(lattice(wanted.spheres)).build());
  scenario.simulation.step = 1e-3;
  scenario.simulation.t_end = 1e-3 * static_cast<double>(wanted.steps);
  std::map<std::string, ParameterValue> parameters = {{"newton_tolerance", tolerance}};
  if (wanted.scheme == "projection_combined") {
    parameters["position_tolerance"] = tolerance;
    parameters["first_set"] = std::string("pushing");
  }
  const auto scheme = make_scheme(wanted.scheme, parameters);
  const auto solver = make_solver("automatic", {{"tolerance", tolerance}});
  SimulationOptions options;
  options.dt = scenario.simulation.step;
  options.t_end = scenario.simulation.t_end;
  const State& start = scenario.model.initial;
  MeasuredRun run(*scenario.model.system, *scheme, *solver, start, options);
  TemporaryResult file;
  std::unique_ptr<ResultRecorder> recorder;
  if (wanted.recorded) {
    recorder = std::make_unique<ResultRecorder>(scenario, file.path.string());
    recorder->begin(*scenario.model.system, start);
  }

  double contacts = 0.0, work = 0.0, most = 0.0, first_contacts = 0.0, first_seconds = 0.0;
  long iterations = 0;
  while (run.step(recorder.get())) {
    const SimulationSummary& so_far = run.stepper().so_far();
    const double active = static_cast<double>(run.stepper().last_step()->contacts.size());
    contacts += active;
    most = std::max(most, active);
    work += active * static_cast<double>(so_far.solver_iterations - iterations);
    iterations = so_far.solver_iterations;
    if (so_far.steps == 250) {
      first_contacts = contacts;
      first_seconds = run.times().total();
    }
  }
  const SimulationSummary summary = run.stepper().summary();
  const StepTimes& times = run.times();
  const double steps = static_cast<double>(std::max(1L, summary.steps)), ms = 1e3 / steps;
  NamedNumbers numbers = {{"step", times.total() / steps},
                          {"steps", steps},
                          {"contacts", most},
                          {"ns_per_contact", 1e9 * times.total() / std::max(1.0, contacts)}};
  if (first_contacts > 0.0) numbers.emplace_back("ns_per_contact_250", 1e9 * first_seconds / first_contacts);
  for (const auto& [name, seconds] : {std::pair("detection_ms", times.detection),
                                      {"assembly_ms", times.assembly},
                                      {"solve_ms", times.solve},
                                      {"integration_ms", times.integration},
                                      {"audit_ms", times.audit},
                                      {"recording_ms", times.recording}})
    numbers.emplace_back(name, ms * seconds);
  numbers.emplace_back("iterations", static_cast<double>(summary.solver_iterations) / steps);
  numbers.emplace_back("solve_ns", 1e9 * times.solve / std::max(1.0, work));
  numbers.emplace_back("max_penetration", -summary.audit.deepest_gap);
  numbers.emplace_back("worst_residual", summary.worst_solver_residual);
  numbers.emplace_back("failed_steps", static_cast<double>(summary.failed_steps));
  numbers.emplace_back("finished", summary.outcome == Outcome::finished ? 1.0 : 0.0);
  numbers.emplace_back("bytes_per_contact", (peak_memory() - memory) / std::max(1.0, most));
  return numbers;
}

void measure(benchmark::State& state, const Case& wanted) {
  NamedNumbers numbers;
  for (auto _ : state) {
    numbers = measured_alone([&] { return fall(wanted); });
    if (numbers.empty()) return state.SkipWithError("the run came to grief");
    state.SetIterationTime(numbers.front().second);
  }
  for (std::size_t k = 1; k < numbers.size(); ++k) state.counters[numbers[k].first] = numbers[k].second;
}

void register_all() {
  const auto add = [](const Case& wanted) {
    benchmark::RegisterBenchmark(wanted.name().c_str(), measure, wanted)
        ->UseManualTime()
        ->Iterations(1)
        ->Repetitions(1)
        ->Unit(benchmark::kMillisecond);
  };
  for (const Index spheres : {100, 1000, 4000}) add({spheres, "moreau_jean"});
  for (const Index spheres : {100, 1000}) add({spheres, "projection_combined"});
  add({1000, "moreau_jean", 500, true});
  add({1000, "moreau_jean", 150});
  add({4000, "projection_combined", 250});
  add({16000, "moreau_jean"});
  add({16000, "projection_combined", 150});
}

}  // namespace

int main(int argc, char** argv) { return run_benchmarks(argc, argv, register_all); }
