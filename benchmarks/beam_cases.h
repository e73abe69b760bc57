// A step of a geometrically exact beam that swings freely about a hinge, against its number of elements. No contact:
// that costs the same for every beam.
#pragma once

#include <benchmark/benchmark.h>

#include "carom/model/analytic/analytic_model.h"
#include "carom/schemes/scheme.h"

namespace carom::beam_cases {

// Until the run begins anew the beam stays clear of its obstacle.
constexpr int run_length = 200;

inline void steps(benchmark::State& benchmark_state, const std::string& model_name, int elements,
                  const std::string& scheme_name) {
  const double dt = 1e-5;
  const Model model = make_analytic_model(model_name, {{"elements", static_cast<double>(elements)}}, {});
  const std::unique_ptr<Scheme> scheme = make_scheme(scheme_name, {});
  const std::unique_ptr<InclusionSolver> solver = make_solver("automatic");
  StepWorkspace workspace;
  StepResult result;
  State start = model.initial;
  scheme->start(*model.system, dt, start);
  State state = start;
  long failures = 0, iterations = 0, count = 0;
  for (auto _ : benchmark_state) {
    scheme->step(*model.system, *solver, state, dt, workspace, result);
    if (result.status != StepStatus::ok) ++failures;
    iterations += result.newton_iterations;
    std::swap(state, result.next);
    if (++count % run_length == 0) state = start;
  }
  benchmark_state.counters["failed_steps"] = static_cast<double>(failures);
  benchmark_state.counters["newton_iterations"] = static_cast<double>(iterations) / static_cast<double>(count);
}

// Registers planar_beam_<elements>/moreau_jean and spatial_beam_<elements>/moreau_jean.
inline void register_steps(int elements) {
  for (const auto& [name, model] : {std::pair{"planar_beam_", "flexible_pendulum"}, {"spatial_beam_", "rod_hits_stop"}})
    benchmark::RegisterBenchmark((name + std::to_string(elements) + "/moreau_jean").c_str(), steps, model, elements,
                                 "moreau_jean");
}

}  // namespace carom::beam_cases
