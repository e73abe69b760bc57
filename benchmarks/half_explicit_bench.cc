// Half-explicit schemes on the slider-crank: the cost of a step over that of explicit Moreau-Jean in free flight, with
// closed contacts and over the whole run; and work against precision for every scheme that can run it. Names are
// case/scheme; `carom bench half-explicit` sets them beside explicit Moreau-Jean and the peers.
//
//   free_flight, closed   steps from states of those phases, dt 1e-5 s
//   slider_crank          the run to 0.1 s, dt 1e-5 s, with friction; slider_crank_frictionless without
//   run_<dt>              the whole run to 0.1 s with that step as one measurement: `error` is the spectral norm of
//                         the errors of the angles (Schindler et al. 2015), against half_explicit_velocity at 1e-7 s
//   bar_1000              steps of the elastic bar with 1000 elements beside the loop written by hand
#include <cmath>

#include "bar_cases.h"
#include "carom/study/reproduce/schindler_2015.h"
#include "hand_written/bar.cc"  // the stick is compiled with the same flags
#include "run_benchmarks.h"

namespace {

using namespace carom;
using namespace carom::schindler_2015;

constexpr double dt = 1e-5;

Model crank(const SchemeEntry& entry, bool friction) {
  return slider_crank(0.4, friction && entry.treats.contains(Feature::friction) ? 0.01 : 0.0);
}

// States of a fine run between two times.
std::vector<State> states_between(const Model& model, double from, double until) {
  struct Keeper final : Recorder {
    Keeper(double a, double b) : from(a), until(b) {}
    void step(const System&, const StepView& view) override {
      const State& state = view.result.next;
      if (state.t >= from && state.t <= until && view.step % 10 == 0) kept.push_back(state);
    }
    double from, until;
    std::vector<State> kept;
  } keeper(from, until);
  summarize_run({model, "half_explicit_velocity", {}, dt, until}, false, &keeper);
  for (State& state : keeper.kept) state.memory.clear();
  return keeper.kept;
}

// Runs of a hundred steps from the states in turn.
void steps(benchmark::State& benchmark_state, const SchemeEntry* entry, bool friction, double from, double until) {
  const Model model = crank(*entry, friction);
  std::vector<State> starts = states_between(model, from, until - 100 * dt);
  if (from == 0.0) starts = {model.initial};
  const auto scheme = entry->make(Parameters(entry->parameters, {}, entry->name));
  const auto solver = make_solver("automatic");
  for (State& start : starts) scheme->start(*model.system, dt, start);
  const long length = from == 0.0 ? std::lround(until / dt) : 100;
  StepWorkspace workspace;
  StepResult result;
  State state = starts.front();
  std::size_t next = 0;
  long k = 0, failures = 0;
  for (auto _ : benchmark_state) {
    scheme->step(*model.system, *solver, state, dt, workspace, result);
    failures += result.status != StepStatus::ok;
    std::swap(state, result.next);
    if (++k == length) {
      next = (next + 1) % starts.size();
      state = starts[next];
      k = 0;
    }
  }
  benchmark_state.counters["failed_steps"] = static_cast<double>(failures);
}

const Angles& reference(bool friction) {
  static const Angles with = angles(slider_crank(), "half_explicit_velocity", 1e-7, kTableTime, 100);
  static const Angles without = angles(slider_crank(0.4, 0.0), "half_explicit_velocity", 1e-7, kTableTime, 100);
  return friction ? with : without;
}

void whole_run(benchmark::State& benchmark_state, const SchemeEntry* entry, double step) {
  const Model model = crank(*entry, true);
  reference(entry->treats.contains(Feature::friction));
  for (auto _ : benchmark_state) {
    try {
      benchmark::DoNotOptimize(summarize_run({model, entry->name, {}, step, kTableTime}, false).last.q.data());
    } catch (const RunFailure&) {
      benchmark_state.SkipWithError("a step failed");
      return;
    }
  }
  benchmark_state.counters["error"] =
      error(angles(model, entry->name, step), reference(entry->treats.contains(Feature::friction)));
}

void register_all() {
  bar_cases::register_half_explicit(1000);
  const Model rough = slider_crank(), smooth = slider_crank(0.4, 0.0);
  for (const SchemeEntry* entry : scheme_registry().entries()) {
    if (refusal(*entry, *(entry->treats.contains(Feature::friction) ? rough : smooth).system)) continue;
    const auto add = [&](const std::string& name, bool friction, double from, double until) {
      benchmark::RegisterBenchmark((name + "/" + entry->name).c_str(), steps, entry, friction, from, until);
    };
    if (entry->name.starts_with("half_explicit") || entry->name == "moreau_jean_explicit") {
      add("free_flight", true, 0.0, 2.6e-3);
      add("closed", true, 0.011, 0.025);
      add("slider_crank", true, 0.0, kTableTime);
      add("slider_crank_frictionless", false, 0.0, kTableTime);
    }
    for (const double step : {1e-3, 1e-4, 1e-5})
      benchmark::RegisterBenchmark(fmt::format("run_{:.0e}/{}", step, entry->name).c_str(), whole_run, entry, step);
  }
}

}  // namespace

int main(int argc, char** argv) { return run_benchmarks(argc, argv, register_all); }
