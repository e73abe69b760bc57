// The cases of the elastic bar that several benchmark programs share: steps of a scheme, and loops written by hand.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>

#include "carom/model/analytic/analytic_model.h"
#include "carom/schemes/scheme.h"
#include "hand_written/bar.h"

namespace carom::bar_cases {

// Explicit schemes need dt < l / (sqrt(3) c); implicit ones let a wave pass two elements.
inline double step_length(int elements, bool implicit_force) {
  return (implicit_force ? 2.0 : 0.4) / (elements * 5188.75);
}

// A run begins anew after as many steps in contact as in flight, so that both count alike: 200 each, or as many as
// the contact of a short bar lasts.
inline int half_run(double dt) { return std::min(200, static_cast<int>(2.0 / (5188.75 * dt))); }
inline hand_written::BarData bar(int elements, double dt) {
  hand_written::BarData data;
  data.elements = elements;
  data.gap = data.speed * dt * (half_run(dt) + 0.3);
  return data;
}

inline void steps(benchmark::State& benchmark_state, int elements, double dt, const std::string& scheme_name,
                  const std::map<std::string, ParameterValue>& parameters) {
  const hand_written::BarData data = bar(elements, dt);
  const int length = 2 * half_run(dt);
  const Model model = make_analytic_model(
      "steel_bar", {{"elements", static_cast<double>(elements)}, {"gap", data.gap}, {"speed", data.speed}}, {});
  const std::unique_ptr<Scheme> scheme = make_scheme(scheme_name, parameters);
  const std::unique_ptr<InclusionSolver> solver = make_solver("automatic");
  StepWorkspace workspace;
  StepResult result;
  State start = model.initial;
  scheme->start(*model.system, dt, start);
  State state = start;
  long failures = 0;
  double deepest = 0.0;
  int step = 0;
  for (auto _ : benchmark_state) {
    scheme->step(*model.system, *solver, state, dt, workspace, result);
    if (result.status != StepStatus::ok) ++failures;
    std::swap(state, result.next);
    deepest = std::min(deepest, data.gap + state.q[0]);
    if (++step % length == 0) state = start;
  }
  benchmark_state.counters["failed_steps"] = static_cast<double>(failures);
  benchmark_state.counters["max_penetration"] = -deepest;
}

inline void trapezoid_by_hand(benchmark::State& benchmark_state, int elements, double dt) {
  hand_written::BarTrapezoid loop(bar(elements, dt));
  const int length = 2 * half_run(dt);
  int step = 0;
  for (auto _ : benchmark_state) {
    loop.step(dt);
    if (++step % length == 0) loop.restart();
  }
  benchmark_state.counters["max_penetration"] = std::max(0.0, -loop.deepest_gap);
}

// Registers bar_<elements>/half_explicit_velocity and the loop beside it.
inline void register_half_explicit(int elements) {
  const std::string name = "bar_" + std::to_string(elements);
  const double dt = step_length(elements, false);
  benchmark::RegisterBenchmark((name + "/half_explicit_velocity").c_str(), steps, elements, dt,
                               "half_explicit_velocity", std::map<std::string, ParameterValue>{});
  benchmark::RegisterBenchmark((name + "/hand_written").c_str(), trapezoid_by_hand, elements, dt);
}

}  // namespace carom::bar_cases
