// Large scenes of solids: brick walls at rest and with one brick pushed out, a pyramid, an arch, mixed shapes in a
// hopper. Each runs once, in a process of its own, for as many steps as `steps` says; ended earlier after a minute of
// CPU time.
//
//   drift             what any coordinate moved by, m; for the resting ones
//   detection_ms ...  parts of a step (simulation/measured_run.h)
#include <algorithm>

#include "assembled/large_scenes.h"
#include "carom/simulation/measured_run.h"
#include "measured_alone.h"
#include "run_benchmarks.h"

namespace {

using namespace carom;

constexpr double longest = 60.0;  // CPU seconds

struct Case {
  std::string name;
  Model (*make)();
  double dt, t_end, tolerance;
};

NamedNumbers run(const Case& wanted) {
  const double memory = peak_memory();
  const Model model = wanted.make();
  const auto scheme = make_scheme("moreau_jean");
  const auto solver = make_solver("automatic", {{"tolerance", wanted.tolerance}});
  SimulationOptions options;
  options.dt = wanted.dt;
  options.t_end = wanted.t_end;
  MeasuredRun measured(*model.system, *scheme, *solver, model.initial, options);
  double drift = 0.0, most = 0.0, contacts = 0.0;
  while (measured.times().total() < longest && measured.step()) {
    drift = std::max(drift, (measured.stepper().state().q - model.initial.q).cwiseAbs().maxCoeff());
    const double active = static_cast<double>(measured.stepper().last_step()->contacts.size());
    contacts += active;
    most = std::max(most, active);
  }
  const SimulationSummary summary = measured.stepper().summary();
  const StepTimes& times = measured.times();
  const double steps = static_cast<double>(std::max(1L, summary.steps)), ms = 1e3 / steps;
  return {{"step", times.total() / steps},
          {"steps", steps},
          {"bodies", static_cast<double>(model.system->nv() / 6)},
          {"contacts", most},
          {"ns_per_contact", 1e9 * times.total() / std::max(1.0, contacts)},
          {"drift", drift},
          {"detection_ms", ms * times.detection},
          {"assembly_ms", ms * times.assembly},
          {"solve_ms", ms * times.solve},
          {"integration_ms", ms * times.integration},
          {"audit_ms", ms * times.audit},
          {"iterations", static_cast<double>(summary.solver_iterations) / steps},
          {"max_penetration", -summary.audit.deepest_gap},
          {"worst_residual", summary.worst_solver_residual},
          {"failed_steps", static_cast<double>(summary.failed_steps)},
          {"bytes_per_contact", (peak_memory() - memory) / std::max(1.0, most)}};
}

void measure(benchmark::State& state, const Case& wanted) {
  NamedNumbers numbers;
  for (auto _ : state) {
    numbers = measured_alone([&] { return run(wanted); });
    if (numbers.empty()) return state.SkipWithError("the run came to grief");
    state.SetIterationTime(numbers.front().second);
  }
  for (std::size_t k = 1; k < numbers.size(); ++k) state.counters[numbers[k].first] = numbers[k].second;
}

void register_all() {
  using namespace carom::testing;
  for (const Case& wanted : {Case{"wall_6x6", [] { return brick_wall(6, 6); }, 1e-2, 10.0, 1e-12},
                             {"wall_20x20", [] { return brick_wall(20, 20); }, 1e-2, 10.0, 1e-12},
                             {"wall_20x20_pushed", [] { return brick_wall(20, 20, 0.8); }, 1e-3, 0.4, 1e-8},
                             {"pyramid_12_rows", [] { return pyramid(12); }, 1e-2, 10.0, 1e-12},
                             {"pyramid_45_rows", [] { return pyramid(45); }, 1e-2, 10.0, 1e-12},
                             {"arch_101", [] { return wedge_arch(101); }, 1e-2, 10.0, 1e-12},
                             {"hopper_200",
                              [] {
                                return Hopper{5, 8}.build();
                              },
                              1e-3, 1.0, 1e-6},
                             {"hopper_2057",
                              [] {
                                return Hopper{11, 17}.build();
                              },
                              1e-3, 1.0, 1e-6}})
    benchmark::RegisterBenchmark((wanted.name + "/moreau_jean").c_str(), measure, wanted)
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) { return run_benchmarks(argc, argv, register_all); }
