// 100 spheres falling into a box: 500 steps of 1e-3 s from rest, friction 0.5, residual 1e-8. One
// iteration is the whole run; the time is reported per step.
#include <algorithm>
#include <ctime>

#include "carom/model/multibody_scenes.h"
#include "carom/simulation/simulate.h"
#include "run_benchmarks.h"

namespace {

using namespace carom;

using Given = std::map<std::string, ParameterValue>;

void fall(benchmark::State& benchmark_state, const std::string& scheme_name, const Given& given) {
  const Model model = spheres_in_box().build();
  const std::unique_ptr<Scheme> scheme = make_scheme(scheme_name, given);
  const std::unique_ptr<InclusionSolver> solver = make_solver("automatic", {{"tolerance", 1e-8}});
  SimulationOptions options;
  options.dt = 1e-3;
  options.t_end = 0.5;
  SimulationSummary summary;
  for (auto _ : benchmark_state) {
    const std::clock_t begin = std::clock();  // CPU time, as the peers measure it
    summary = simulate(*model.system, *scheme, *solver, model.initial, options);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    benchmark_state.SetIterationTime(seconds / static_cast<double>(std::max(1L, summary.steps)));
  }
  benchmark_state.counters["max_penetration"] = -summary.audit.deepest_gap;
  benchmark_state.counters["worst_residual"] = summary.worst_solver_residual;
  benchmark_state.counters["failed_steps"] = static_cast<double>(summary.failed_steps);
  benchmark_state.counters["contacts"] = static_cast<double>(summary.last.impulses.entries().size());
}

void register_all() {
  const auto add = [](const char* name, const char* scheme, const Given& given) {
    benchmark::RegisterBenchmark((std::string("spheres_100/") + name).c_str(), fall, scheme, given)
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  };
  add("moreau_jean", "moreau_jean", {});
  add("projection_combined", "projection_combined", {});
  add("projection_combined_pushing", "projection_combined", {{"first_set", std::string("pushing")}});
}

}  // namespace

int main(int argc, char** argv) { return run_benchmarks(argc, argv, register_all); }
